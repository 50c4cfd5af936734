"""A commented battle file to start from: board, sides, units placed on opposite edges."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opfor.board.board import Board, Hex
from opfor.errors import InputError
from opfor.formats.battle_damage import damage_entry
from opfor.formats.battle_turn import PHASES_OF
from opfor.formats.files import read_text
from opfor.formats.mul import read_mul
from opfor.formats.notes import Note
from opfor.formats.unit_files import finder
from opfor.formats.yaml_out import one_line
from opfor.gm.stock import unit_from
from opfor.rulesets import named_ruleset
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

#: a small even fight, for a battle that names no forces
USUAL = (("Wolverine WVR-6R", "Hunchback HBK-4G"), ("Thunderbolt TDR-5S", "Phoenix Hawk PXH-1"))
SIDES = ("players", "opfor")
_WIDTH = 34


@dataclass(frozen=True, slots=True)
class Recruit:
    """A unit for a new battle: its type in words for the file, and how it stands where a force file tells that."""

    type: str
    spec: UnitSpec
    name: str = ""
    state: UnitState | None = None


def muster(given: str, folder: Path, notes: list[Note]) -> list[Recruit]:
    """The units of a list, separated by commas: names, files of units (.mtf, .blk, .yaml), forces (.mul) with their damage.

    Raises :class:`InputError` for what is not found; in a force, units that nothing is known of are left out and noted.
    """
    found: list[Recruit] = []
    for part in (part.strip() for part in given.split(",")):
        if part.lower().endswith(".mul"):
            found += _from_mul(part, folder, notes)
        elif part:
            found.append(Recruit(part, unit_from(part, folder)))
    return found


def _from_mul(path: str, folder: Path, notes: list[Note]) -> list[Recruit]:
    text, read_notes = read_text(folder / path)
    notes += read_notes
    found = []
    find = finder([(folder / path).parent], notes)
    for entry in read_mul(text, path, find):
        notes += entry.notes
        if entry.spec is None or entry.unit is None:
            continue
        file = find.path_of(entry.spec)
        kind = entry.spec.name if file is None else os.path.relpath(file, folder).replace(os.sep, "/")
        found.append(Recruit(kind, entry.spec, entry.pilot, entry.unit))
    if not found:
        raise InputError("none of its units is known", source=path)
    return found


def new_battle(name: str, board: str, grounds: Board, forces: Sequence[Sequence[Recruit]], *, ruleset: str = "campaign") -> str:
    """The text of a new battle file. ``forces``: those of the players and of the Op Force."""
    lines = [
        f"# {name}: a battle for opfor. Lines that begin with # are remarks; `opfor check` says what is missing.",
        "opfor: 1                       # version of this form",
        f"name: {_text(name)}",
        f"ruleset: {ruleset}              # a name, or {{base: {ruleset}, SWITCH: VALUE}}; `opfor rules --switches` lists them",
        f"board: {_text(board)}".ljust(_WIDTH - 3) + "# a built-in board, a .board file, or a list of these to join",
        "turn: 1",
        f"phase: initiative              # {', '.join(PHASES_OF[named_ruleset(ruleset).turn_sequence])}",
        "initiative: {modifier: 0}      # the battle's initiative modifier",
        "sides:",
        "  players: {controller: gm, edge: south}",
        "  opfor: {controller: opfor, policy: veteran, edge: north}",
        "units:",
        "  # at: column and row as on the map. facing: N NE SE S SW NW. Skills are target numbers on 2d6.",
        "  # As the battle goes on: moved: {mode: walk, hexes: 3}, heat: 4, prone: true,",
        "  # damage: {armor: {LT: 5}, structure: {LT: 2}, criticals: {LA: [lower arm actuator]}, ammo: {SRM 6: 9}}",
        "  # The campaign's turn: waiting: true (has won initiative and moves in the fire phase), opportunity: true (holds an",
        "  # opportunity action), initiative: {margin: 2, roll: 9}.",
        "  # armour and structure are points lost, ammo is rounds left.",
        "  # Vehicles: turret: NE, damage: {crew: [driver], motive: [minor]}; infantry: damage: {troopers: 9}, aboard: UNIT;",
        "  # battle armour: damage: {suits: {S1: gone}}.",
    ]
    taken: set[int] = set()
    for side, force in enumerate(forces):
        cells = places(grounds, side == 1, len(force), taken)
        taken.update(cells)
        for number, (recruit, cell) in enumerate(zip(force, cells, strict=True), start=1):
            spec = recruit.spec
            id = f"{('alpha', 'opfor')[side]}-{number}"
            lines.append(f"  - id: {id}")
            if recruit.name:
                lines.append(f"    name: {_text(recruit.name)}")
            lines.append(f"    side: {SIDES[side]}")
            lines.append(f"    type: {_text(recruit.type)}")
            lines.append(f'    at: "{grounds.grid.names[cell]}"')
            if spec.kind == "vtol":
                lines.append("    elevation: 0               # landed; levels above the hex's surface")
            if not spec.is_infantry:
                lines.append(f"    facing: {'S' if side == 1 else 'N'}")
            lines += [f"    {key}: {one_line(value)}" for key, value in _condition(recruit).items()]
    return "\n".join([*lines, ""])


def _condition(recruit: Recruit) -> dict[str, Any]:
    """Skills, and what a force file says of the unit's damage."""
    spec, unit = recruit.spec, recruit.state
    who, skill = ("pilot", "piloting") if spec.is_mech else ("crew", "driving" if spec.is_vehicle else "anti_mech")
    if unit is None:
        return {who: {"gunnery": 4, skill: 5}}
    found: dict[str, Any] = {who: {"gunnery": unit.gunnery, skill: unit.piloting}}
    if unit.pilot_hits:
        found[who]["hits"] = unit.pilot_hits
    damage = damage_entry(unit)
    if damage:
        found["damage"] = damage
    if unit.destroyed:
        found["destroyed"] = unit.destroyed
    return found


def places(board: Board, north: bool, count: int, taken: set[int]) -> list[int]:
    """Hexes for ``count`` units along an edge, spread out and on ground that any unit may stand on, as far as there is such.

    Raises :class:`InputError` when the board is too small.
    """
    open_ground = [cell for cell in board.grid.on_board if not terrain_shuts(board.hexes[cell])]
    if len(open_ground) >= 2 * (count + len(taken)):
        return _places(board, north, count, taken | (set(board.grid.on_board) - set(open_ground)))
    return _places(board, north, count, taken)


def terrain_shuts(hex: Hex) -> bool:
    """Whether some kind of unit may not stand in a hex."""
    return bool(hex.woods or hex.rough or hex.rubble or hex.swamp or hex.building or hex.bridge or hex.water >= 0)


def _places(board: Board, north: bool, count: int, taken: set[int]) -> list[int]:
    grid = board.grid
    rows = range(grid.height) if north else range(grid.height - 1, -1, -1)
    found: list[int] = []
    for row in rows:
        free = [
            cell
            for cell in (grid.cell(column, row) for column in range(grid.width))
            if cell not in taken and not board.building[cell] and board.depth[cell] == 0
        ]
        wanted = min(count - len(found), max(1, grid.width // 2))
        step = max(1.0, len(free) / wanted) if wanted else 1.0
        spread = [free[int(step * (index + 0.5))] for index in range(wanted) if int(step * (index + 0.5)) < len(free)]
        found += list(dict.fromkeys(spread))[: count - len(found)]
        if len(found) >= count:
            return found
    raise InputError(f"there is no room on the board for {count} units a side")


def _text(value: str) -> str:
    """A value as YAML text, in quotes where it needs them."""
    plain = value and all(c.isalnum() or c in " -_/." for c in value) and not value[0].isdigit() and value == value.strip()
    return value if plain else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
