"""The ground of a saved game of MegaMek: its board as a file, mines, woods worn down, wind. Rule: S-1, S-10."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from opfor.board.board import Board, Hex
from opfor.formats.megamek.save_data import SavedGame, terrain_words
from opfor.hex import DIRECTION_NAMES, format_ccrr
from opfor.tables import table

#: takes a note: severity and message
Say = Callable[[str, str], None]


def board_text(game: SavedGame) -> str:
    """The board as it stands, as a ``.board`` text. Buildings have what is left of their construction factor.

    What the program works out on loading a board is left out.
    """
    skip = set(table("mm_names")["worked_out"])
    factors = {at: cf for building in game.buildings for at, cf, *_ in building.hexes}
    digits = max(2, len(str(game.width)))
    lines = [f"size {game.width} {game.height}", "option exit_roads_to_pavement false"]
    for hex in game.hexes:
        parts = []
        for one in hex.terrain:
            if one.name in skip:
                continue
            left = factors.get(hex.at, 0)
            parts.append(terrain_words(replace(one, level=left) if one.name == "bldg_cf" and left > 0 else one))
        column, row = hex.at
        lines.append(f'hex {column + 1:0{digits}d}{row + 1:02d} {hex.level} "{";".join(parts)}" ""')
    return "\n".join([*lines, "end", ""])


def ground_changes(game: SavedGame, base: Board, sides: dict[int, str], names: tuple[str, ...], say: Say) -> dict[int, Hex]:
    """Hexes that differ from the board's file: with mines, with woods worn down. ``sides`` by player. Rule: S-10, E-33a."""
    found: dict[int, Hex] = {}
    rows = table("mm_names")
    unplayed: Counter[str] = Counter()
    for mine in game.mines:
        column, row = mine.at
        if mine.kind not in rows["played_mines"]:
            unplayed[str(rows["mines"].get(mine.kind, f"unknown (kind {mine.kind})"))] += 1
            continue
        if mine.density <= 0 or not (0 <= column < base.grid.width and 0 <= row < base.grid.height):
            continue
        cell = base.grid.cell(column, row)
        hex = found.get(cell, base.hexes[cell])
        if hex.mines:
            say("repaired", f"two minefields in {format_ccrr(column, row)}: taken as one, as dense as the denser")
        known = {sides[player] for player in (*mine.known, mine.player) if player in sides}
        mask = sum(1 << names.index(side) for side in known) | hex.mines_known
        found[cell] = replace(hex, mines=max(mine.density, hex.mines), mines_known=mask)
    for kind, count in unplayed.items():
        fields = "minefield" if count == 1 else "minefields"
        say("ignored", f"{count} {kind} {fields}: only conventional mines are played")
    factors = rows["terrain_factors"]["woods"]
    for saved in game.hexes:
        woods = saved.find("woods")
        worn = factors.get(woods.level, 0) - woods.factor if woods and woods.factor > 0 else 0
        if worn > 0:
            cell = base.grid.cell(*saved.at)
            found[cell] = replace(found.get(cell, base.hexes[cell]), woods_damage=worn)
    return found


def wind_of(game: SavedGame, say: Say) -> str | None:
    """Where the wind blows to, None in a calm; notes for weather that nothing here knows. Rule: S-10."""
    conditions, rows = game.conditions, table("mm_names")
    for key, usual in rows["plain_conditions"].items():
        if key in conditions and conditions[key] != usual:
            say("ignored", f"{key} {conditions[key]}: no rule here knows of it")
    calm, light = rows["wind"][:2]
    wind = conditions.get("wind", calm)
    if wind == calm:
        return None
    if wind != light:
        say("ignored", f"wind of strength {wind}: it only carries fire and smoke here")
    return DIRECTION_NAMES[int(str(conditions["wind_direction"])) % 6]
