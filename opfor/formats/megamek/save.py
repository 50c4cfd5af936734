"""Saved games of MegaMek read: from the nodes of the file to :class:`SavedGame`, in that program's own terms. Rule: S-1, S-5.

``docs/from-megamek.md`` tells what becomes of it. Read with the saves of version 0.49.13; other versions name some things
otherwise, and what is missing is taken as nothing said.
"""

from __future__ import annotations

from pathlib import Path

from opfor.errors import InputError
from opfor.formats.megamek.save_data import (
    SavedAction,
    SavedBuilding,
    SavedGame,
    SavedHex,
    SavedMine,
    SavedPlayer,
    SavedSmoke,
    SavedTerrain,
    SavedUnit,
)
from opfor.formats.megamek.save_unit import UnitReader, unit_kind
from opfor.formats.megamek.save_xml import Node, Saved, load_save, parse_save
from opfor.hex import format_ccrr
from opfor.tables import table

#: lists of the game that nothing here reads, and what they hold, in words
_UNREAD = {
    "offboardArtilleryAttacks": "artillery attacks in flight",
    "attacks": "attacks in flight",
    "vibrabombs": "vibrabombs",
    "flares": "flares",
    "pendingCharges": "charges under way",
    "pendingRams": "rams under way",
    "pendingTeleMissileAttacks": "missiles in flight",
    "pilotRolls": "piloting skill rolls due",
    "extremeGravityRolls": "rolls due for gravity",
    "controlRolls": "control rolls due",
    "tagInfoForTurn": "TAG designations of this turn",
}
_MOST_SIDE = 500
_MOST_UNITS = 2_000


def read_save(path: str | Path) -> SavedGame:
    """The save in a file (``.sav.gz``). Raises :class:`InputError`."""
    return _game(load_save(path))


def read_save_bytes(data: bytes, source: str = "save") -> SavedGame:
    """The save in bytes, packed or not. Raises :class:`InputError`."""
    return _game(parse_save(data, source))


def _game(saved: Saved) -> SavedGame:
    root = saved.root
    if root.kind != "Game":
        raise InputError(
            f"<{root.tag[:60]}> is no saved game",
            source=saved.source,
            hint="expected a save of MegaMek, as mygame.sav.gz, with the root <megamek.common.Game>",
        )
    version = root.get("version")
    width, height, hexes, buildings = _board(saved, root.get("board"))
    game = SavedGame(
        saved.source,
        ".".join(version.word(part) for part in ("release", "major", "minor") if version.word(part)),
        root.number("roundCount"),
        root.word("phase"),
        root.word("lastPhase"),
        width,
        height,
        hexes,
    )
    game.buildings = buildings
    game.boards = tuple(node.text.strip() for node in root.get("mapSettings").get("boardsSelected").all())
    mines = _players(game, root)
    _teams(game, root)
    game.turn_index = root.number("turnIndex", -1)
    game.turns = [turn.number("playerId", -1) for turn in root.get("turnVector").all()]
    game.mines = mines
    _smoke(game, root)
    _conditions(game, root)
    _options(game, root)
    for action in root.get("actions").all():
        numbers = {child.tag: child for child in action.children}
        game.actions.append(SavedAction(action.kind, {k: int(v.text) for k, v in numbers.items() if _is_number(v.text)}))
    _units(game, root)
    for name, words in _UNREAD.items():
        count = len(root.get(name).children)
        if count:
            game.unread[words] = count
    return game


def _is_number(text: str) -> bool:
    word = text.strip().removeprefix("-")
    return word.isascii() and word.isdigit() and len(word) < 12


def _coords(node: Node) -> tuple[int, int]:
    return node.number("x"), node.number("y")


# -- the board --------------------------------------------------------------------------------------------------------


def _board(saved: Saved, board: Node) -> tuple[int, int, list[SavedHex], list[SavedBuilding]]:
    """Size, hexes and buildings. Later versions keep several boards: the first is read."""
    if not board and saved.root.get("boards"):
        board = next((value for _, value in saved.root.get("boards").pairs()), board)
    for child in board.children:
        inner = child.real.get("default")
        if inner:
            board = inner
            break
    width, height = board.number("width"), board.number("height")
    if not (0 < width <= _MOST_SIDE and 0 < height <= _MOST_SIDE):
        raise saved.refuse(f"its board is {width} hexes by {height}: there is no such board")
    hexes = [
        _hex(node, (index % width, index // width))
        for index, node in enumerate(board.get("data").all())
        if index < width * height
    ]
    if len(hexes) != width * height:
        raise saved.refuse(f"its board of {width} by {height} has {len(hexes)} hexes: {width * height} are needed")
    return width, height, hexes, [_building(node) for node in board.get("buildings").all()]


def _hex(node: Node, at: tuple[int, int]) -> SavedHex:
    names = table("mm_names")["terrain"]
    found = []
    for _, terrain in node.get("terrains").pairs():
        number = terrain.number("type")
        found.append(
            SavedTerrain(
                names.get(number, f"terrain_{number}"),
                terrain.number("level"),
                terrain.number("exits") if terrain.yes("exitsSpecified") else None,
                terrain.number("terrainFactor"),
            )
        )
    return SavedHex(at, node.number("level"), tuple(found), node.number("fireTurn"))


def _building(node: Node) -> SavedBuilding:
    maps: dict[str, dict[tuple[int, int], Node]] = {
        name: {_coords(key): value for key, value in node.get(name).pairs()}
        for name in ("currentCF", "phaseCF", "armor", "burning")
    }

    def number(name: str, at: tuple[int, int]) -> int:
        value = maps[name].get(at)
        return value.integer(name) if value is not None else 0

    rows = []
    for coords in node.get("coordinates").all():
        at = _coords(coords)
        burning = at in maps["burning"] and maps["burning"][at].text.strip() == "true"
        rows.append((at, number("currentCF", at), number("phaseCF", at), number("armor", at), burning))
    return SavedBuilding(
        node.number("type"), tuple(rows), node.number("bldgClass"), node.number("originalHexes"), node.number("collapsedHexes")
    )


# -- players and teams ------------------------------------------------------------------------------------------------


def _rolls(node: Node) -> tuple[int, ...]:
    rolls, bonuses = node.numbers("rolls"), node.numbers("bonuses")
    return tuple(roll + (bonuses[i] if i < len(bonuses) else 0) for i, roll in enumerate(rolls))


def _players(game: SavedGame, root: Node) -> list[SavedMine]:
    """Players, and the minefields that they see: those on the map first, then what only a player's list holds."""
    rows: dict[int, tuple[Node, list[int]]] = {}

    def saw(node: Node, player: int | None) -> None:
        key = id(node)
        if key not in rows:
            rows[key] = (node, [])
        if player is not None:
            rows[key][1].append(player)

    for _, fields in root.get("minefields").pairs():
        for field in fields.all():
            saw(field, None)
    for _, node in root.get("players").pairs():
        player = node.number("id", -1)
        for field in node.get("visibleMinefields").all():
            saw(field, player)
        game.players.append(
            SavedPlayer(
                player,
                node.label("name"),
                node.number("team"),
                node.yes("bot"),
                node.yes("observer"),
                node.number("startingPos"),
                initiative=_rolls(node.get("initiative")),
            )
        )
    return [
        SavedMine(
            _coords(node.get("coords")),
            node.number("type"),
            node.number("density"),
            node.number("playerId", -1),
            node.yes("detonated"),
            tuple(known),
        )
        for node, known in rows.values()
    ]


def _teams(game: SavedGame, root: Node) -> None:
    for team in root.get("teams").within("Team"):
        game.teams[team.number("id")] = _rolls(team.get("initiative"))


# -- weather and options ----------------------------------------------------------------------------------------------


def _smoke(game: SavedGame, root: Node) -> None:
    for cloud in root.get("smokeCloudList").within("SmokeCloud"):
        hexes = tuple(_coords(at) for at in cloud.get("smokeHexList").all())
        game.smoke.append(
            SavedSmoke(cloud.number("smokeLevel"), cloud.number("smokeDuration"), cloud.number("roundOfGeneration"), hexes)
        )


def _conditions(game: SavedGame, root: Node) -> None:
    node = root.get("planetaryConditions")
    if not node:
        return
    names = table("mm_names")

    def named(kind: str, key: str) -> str:
        known = names[kind]
        text = node.word(key) or str(known.index(names["plain_conditions"].get(kind, known[0])))
        if not _is_number(text):
            return text
        number = int(text)
        return str(known[number]) if 0 <= number < len(known) else f"{kind} {number}"

    game.conditions = {
        "light": named("light", "lightConditions"),
        "weather": named("weather", "weatherConditions"),
        "wind": named("wind", "windStrength"),
        "wind_direction": node.number("windDirection"),
        "atmosphere": named("atmosphere", "atmosphere"),
        "fog": named("fog", "fog"),
        "temperature_c": node.number("temperature", 25),
        "gravity": node.fraction("gravity", 1.0),
    }


def _options(game: SavedGame, root: Node) -> None:
    """Options that differ from what they are by default."""
    for _, option in root.get("options").get("optionsHash").pairs():
        name = option.word("name")
        value, usual = option.get("value"), option.get("defaultValue")
        if not name or not value or value.text.strip() == usual.text.strip():
            continue
        text = value.text.strip()
        game.options[name] = text == "true" if text in ("true", "false") else int(text) if _is_number(text) else text


# -- units ------------------------------------------------------------------------------------------------------------


def _units(game: SavedGame, root: Node) -> None:
    nodes: list[tuple[Node, bool]] = [(value, True) for _, value in root.get("inGameObjects").pairs()]
    if not nodes:
        # versions before 0.49.10
        nodes = [(node, True) for node in root.get("entities").all() if unit_kind(node.kind)]
    nodes += [(node, False) for node in root.get("vOutOfGame").all()]
    if len(nodes) > _MOST_UNITS:
        raise root.document.refuse(f"holds {len(nodes)} units: no more than {_MOST_UNITS} are read")
    seen: set[int] = set()
    for node, in_game in nodes:
        layout = unit_kind(node.kind)
        if not layout:
            words = f"units of class {node.kind[:60]}"
            game.unread[words] = game.unread.get(words, 0) + 1
            continue
        unit: SavedUnit = UnitReader(node, layout, in_game).read()
        if unit.id not in seen:
            seen.add(unit.id)
            game.units.append(unit)


def count_words(unread: dict[str, int]) -> list[str]:
    """What is unread, in words."""
    return [f"{count} {words}" for words, count in unread.items()]


def as_at(at: tuple[int, int]) -> str:
    """Column and row from 0 as a hex number."""
    return format_ccrr(*at)


__all__ = ["SavedGame", "as_at", "count_words", "read_save", "read_save_bytes"]
