"""Battles to draw: many units, a large board, long and hostile names."""

from __future__ import annotations

import random

from opfor.orders import Attack, FireOrder, MoveOrder, Order
from opfor.state import State

_TYPES = ("Wolverine WVR-6R", "Marauder MAD-3R", "Wasp WSP-1A", "Hunchback HBK-4G", "Phoenix Hawk PXH-1", "Atlas AS7-D")
_FACINGS = ("N", "NE", "SE", "S", "SW", "NW")
#: by name: board, columns, rows, units a side
BATTLES = {
    "crossroads": ("crossroads", 16, 17, 8, 10),
    "large": ("[[high-hills, deep-woods], [lake-shore, river-crossing]]", 32, 34, 12, 12),
    "city-blocks": ("city-blocks", 16, 17, 8, 8),
}


def orders_of(state: State) -> list[Order]:
    """Movement in every style and fire at the nearest enemies, whether legal or not, of all units in turn."""
    grid = state.board.grid
    found: list[Order] = []
    for index, unit in enumerate(state.units):
        mode = ("walk", "run", "jump", "evade", "sprint")[index % 5]
        path = ("J",) if mode == "jump" else ("F", "F", "R", "F")
        cells = [unit.cell, *(unit.cell + k * grid.step[unit.facing] for k in (1, 2))]
        if all(grid.contains(cell) for cell in cells):
            found.append(MoveOrder(unit.id, mode, path, cells[-1], unit.facing))
        enemies = sorted(state.enemies(unit.side), key=lambda e: (grid.distance(unit.cell, e.cell), e.index))
        shots = [Attack(k, enemies[k % 2].id) for k in range(len(unit.spec.mounts))]
        found.append(FireOrder(unit.id, 0, False, tuple(shots), enemies[0].id))
    return found


def battle_of(wanted: str, phase: str = "movement") -> str:
    """The battle file: units at places that a fixed seed draws, each side in its half."""
    board, columns, rows, players, opfor = BATTLES[wanted]
    chance = random.Random(wanted)
    lines = [
        "opfor: 1",
        f"name: {wanted}",
        f"board: {board}",
        "turn: 3",
        f"phase: {phase}",
        "sides: {players: {controller: gm}, opfor: {controller: opfor}}",
        "units:",
    ]
    taken: set[tuple[int, int]] = set()
    for name, side, count, first, last in (
        ("alpha", "players", players, rows // 2 + 1, rows - 1),
        ("reaver", "opfor", opfor, 2, rows // 2),
    ):
        for number in range(1, count + 1):
            at = (chance.randint(2, columns - 1), chance.randint(first, last))
            while at in taken:
                at = (chance.randint(2, columns - 1), chance.randint(first, last))
            taken.add(at)
            lines.append(
                f"  - {{id: {name}-{number}, side: {side}, type: {chance.choice(_TYPES)},"
                f' at: "{at[0]:02d}{at[1]:02d}", facing: {chance.choice(_FACINGS)}, heat: {chance.choice((0, 0, 4, 9, 15))},'
                f" damage: {{armor: {{LT: {chance.randint(0, 3)}, CT: {chance.randint(0, 4)}}}}}}}"
            )
    return "\n".join(lines) + "\n"
