"""A commented battle file to start from: board, sides, units placed on opposite edges."""

from __future__ import annotations

from collections.abc import Sequence

from opfor.board.board import Board
from opfor.errors import InputError
from opfor.units.spec import UnitSpec

#: a small even fight, for a battle that names no forces
USUAL = (("Wolverine WVR-6R", "Hunchback HBK-4G"), ("Thunderbolt TDR-5S", "Phoenix Hawk PXH-1"))
SIDES = ("players", "opfor")
_WIDTH = 34


def new_battle(
    name: str, board: str, grounds: Board, forces: Sequence[Sequence[tuple[str, UnitSpec]]], *, ruleset: str = "standard"
) -> str:
    """The text of a new battle file. ``forces``: for the players and the Op Force, (what to call it, the unit) pairs."""
    lines = [
        f"# {name}: a battle for opfor. Lines that begin with # are remarks; `opfor check` says what is missing.",
        "opfor: 1                       # version of this form",
        f"name: {_text(name)}",
        f"ruleset: {ruleset}              # a name, or {{base: standard, SWITCH: VALUE}}; `opfor rules` lists the switches",
        f"board: {_text(board)}".ljust(_WIDTH - 3) + "# a built-in board, a .board file, or a list of these to join",
        "turn: 1",
        "phase: initiative              # initiative, movement, fire, physical, end",
        "sides:",
        "  players: {controller: gm, edge: south}",
        "  opfor: {controller: opfor, policy: veteran, edge: north}",
        "units:",
        "  # at: column and row as on the map. facing: N NE SE S SW NW. Skills are target numbers on 2d6.",
        "  # As the battle goes on: moved: {mode: walk, hexes: 3}, heat: 4, prone: true,",
        "  # damage: {armor: {LT: 5}, structure: {LT: 2}, criticals: {LA: [lower arm actuator]}, ammo: {SRM 6: 9}}",
        "  # armour and structure are points lost, ammo is rounds left.",
    ]
    taken: set[int] = set()
    for side, force in enumerate(forces):
        cells = places(grounds, side == 1, len(force), taken)
        taken.update(cells)
        for number, ((type_, _), cell) in enumerate(zip(force, cells, strict=True), start=1):
            id = f"{('alpha', 'opfor')[side]}-{number}"
            lines.append(f"  - id: {id}")
            lines.append(f"    side: {SIDES[side]}")
            lines.append(f"    type: {_text(type_)}")
            lines.append(f'    at: "{grounds.grid.names[cell]}"')
            lines.append(f"    facing: {'S' if side == 1 else 'N'}")
            lines.append("    pilot: {gunnery: 4, piloting: 5}")
    return "\n".join([*lines, ""])


def places(board: Board, north: bool, count: int, taken: set[int]) -> list[int]:
    """Hexes for ``count`` units along an edge, spread out and on ground that is easy to stand on.

    Raises :class:`InputError` when the board is too small.
    """
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
