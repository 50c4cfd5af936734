"""Fire and smoke: hexes set alight, flames that spread with the wind, what they burn, smoke that drifts. Rule: S-10.

Woods and buildings burn, wherever heavy smoke then stands; a fire eats its woods or its building and goes out when they are
gone. At the end of each turn, in this order: units caught in flames suffer, fires spread, what burns is used up, smoke
drifts. With a wind smoke moves on a hex a turn and thins out by a step; in a calm it stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from opfor.board.board import BUILDING_TYPES, TABLE_READS, Board, Hex
from opfor.rules.harm.damage import apply_in_groups
from opfor.rules.moving.entering import in_flames
from opfor.rules.moving.stacking import burning
from opfor.rules.play import Play
from opfor.rules.target_number import TargetNumber
from opfor.rules.terrain.buildings import damage_building
from opfor.rules.terrain.woods import damage_all_woods
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.state import UnitState

RULE = "S-10"
TABLE_READS["smoking"] = frozenset({"smoke"})
_ROWS: dict[str, Any] = table("fire")
_IGNITION: dict[str, Any] = _ROWS["ignition"]
_FLAMES = {name: frozenset(_IGNITION[name]) for name in ("plasma_flags", "flamer_flags", "energy_kinds", "other_kinds")}


def burns(hex: Hex) -> bool:
    """Whether a hex holds anything that burns: woods or a building. Rule: S-10."""
    return bool(hex.woods or hex.building)


def igniter(mode: FireMode) -> str:
    """What a fire mode lights fires as: plasma, inferno, flamer, energy, other, or "" for what lights none. Rule: S-10."""
    weapon = mode.weapon
    if mode.munition in _IGNITION["munitions"]:
        return str(_IGNITION["munitions"][mode.munition])
    if weapon.id in _IGNITION["platoon"]:
        return str(_IGNITION["platoon"][weapon.id])
    if "ignites" in weapon.flags:
        return "plasma" if weapon.flags & _FLAMES["plasma_flags"] else "flamer"
    if not any(weapon.damage) or not weapon.is_attack:
        return ""
    if weapon.kinds & _FLAMES["energy_kinds"]:
        return "energy"
    return "other" if weapon.kinds & _FLAMES["other_kinds"] else ""


def ignition_number(mode: FireMode, hex: Hex) -> TargetNumber:
    """What 2d6 must reach for a hit to set a hex alight, or why it cannot. Rule: S-10."""
    if hex.fire:
        return TargetNumber.impossible("the hex burns already", RULE)
    if not burns(hex):
        return TargetNumber.impossible("there is nothing to burn", RULE)
    kind = igniter(mode)
    if not kind:
        return TargetNumber.impossible("the weapon lights no fires", RULE)
    tn = TargetNumber([])
    tn.add(f"set alight by {_WORDS[kind]}", int(_IGNITION[kind]), RULE)
    if hex.building:
        name = BUILDING_TYPES[hex.building]
        tn.add(f"{name} building", int(_IGNITION["building"][name]), RULE)
    return tn


_WORDS = {"plasma": "plasma", "inferno": "infernos", "flamer": "a flamer", "energy": "a beam", "other": "an explosion"}


def ignite(play: Play, unit: UnitState | None, cell: int, why: str) -> None:
    """A hex catches fire, and smoke rises from it. Rule: S-10."""
    state = play.state
    hex = state.board.hexes[cell]
    if hex.fire or not burns(hex):
        return
    state.board = state.board.with_hex(cell, fire=True, smoke=int(_ROWS["smoke"]))
    play.emit("fire", unit, RULE, at=state.board.grid.names[cell], why=why)


# -- the end of the turn ----------------------------------------------------------------------------------------------


def burning_cells(state: State) -> list[int]:
    """The burning hexes, in the order of the board; to be read only."""
    return burning(state.board)


def _smoking(board: Board) -> dict[int, int]:
    """Density of the smoke by hex, where there is any, in the order of the board; worked out once a board."""
    found: dict[int, int] | None = board.tables.get("smoking")
    if found is None:
        hexes = board.hexes
        found = board.tables["smoking"] = {cell: hexes[cell].smoke for cell in board.grid.on_board if hexes[cell].smoke}
    return found


def spread_number(direction: int, wind: int) -> int:
    """What 2d6 must reach for a fire to spread to the next hex in a direction; ``wind`` -1 for a calm. Rule: S-10.

    >>> [spread_number(d, 1) for d in range(6)], spread_number(0, -1)
    ([11, 9, 11, 12, 12, 12], 12)
    """
    rows = _ROWS["spread"]
    if wind < 0:
        return int(rows["other"])
    turn = (direction - wind) % 6
    return int(rows["downwind"] if turn == 0 else rows["oblique"] if turn in (1, 5) else rows["other"])


def settle_fires(play: Play) -> None:
    """What fires do at the end of a turn, and the smoke that there is. Rule: S-10."""
    alight = burning_cells(play.state)
    if alight:
        scorch(play)
        spread(play, alight)
        consume(play, alight)
    drift(play)


def scorch(play: Play) -> None:
    """Units in flames that track no heat take damage; 'Mechs have had the heat. Rule: S-10."""
    state = play.state
    for unit in state.units:
        if unit.alive and unit.cell >= 0 and not unit.aboard and not unit.spec.is_mech and in_flames(state, unit):
            points = int(_ROWS["caught"][unit.spec.kind])
            play.emit("scorched", unit, RULE, at=state.board.grid.names[unit.cell], damage=points)
            apply_in_groups(play, unit, points, "front", "normal", points, rule=RULE, source="fire")


def spread(play: Play, burning: Iterable[int]) -> None:
    """Every fire may spread to each hex around it that burns: downwind most easily. Rule: S-10."""
    state = play.state
    grid = state.board.grid
    for cell in burning:
        for direction in range(6):
            to = cell + grid.step[direction]
            if not grid.contains(to):
                continue
            hex = state.board.hexes[to]
            if hex.fire or not burns(hex):
                continue
            number = spread_number(direction, state.wind)
            roll = play.roll_2d6(f"fire spreads from {grid.names[cell]} to {grid.names[to]} on {number}")
            play.emit(
                "fire_spreads", None, RULE, at=grid.names[cell], to=grid.names[to], dice=list(roll.dice), number=number,
                success=roll.total >= number,
            )  # fmt: skip
            if roll.total >= number:
                ignite(play, None, to, "spread")


def consume(play: Play, burning: Iterable[int]) -> None:
    """What has burnt through the turn is used up: buildings lose CF, woods thin out to bare rough ground. Rule: S-10."""
    state = play.state
    # woods wear together: each change makes a board
    woods: list[int] = []
    for cell in burning:
        hex = state.board.hexes[cell]
        if hex.building:
            damage_all_woods(play, None, woods, int(_ROWS["woods_per_turn"]), source="fire")
            woods.clear()
            damage_building(play, None, cell, int(_ROWS["building_per_turn"]))
        elif hex.woods:
            woods.append(cell)
    damage_all_woods(play, None, woods, int(_ROWS["woods_per_turn"]), source="fire")


def drift(play: Play) -> None:
    """Smoke moves on a hex with the wind and thins out by a step; over a fire it stands as thick as ever. Rule: S-10.

    In a calm it stays. The smoke of a fire that has gone out is smoke like any other.
    """
    state = play.state
    board = state.board
    grid = board.grid
    smoke = _smoking(board)
    after = dict(smoke) if state.wind < 0 else {}
    if state.wind >= 0:
        for cell, density in smoke.items():
            to = cell + grid.step[state.wind]
            if density > 1 and grid.contains(to):
                after[to] = max(after.get(to, 0), density - 1)
    after.update(dict.fromkeys(burning_cells(state), int(_ROWS["smoke"])))
    changed = {cell: after.get(cell, 0) for cell in smoke.keys() | after.keys() if after.get(cell, 0) != smoke.get(cell, 0)}
    if not changed:
        return
    state.board = board.changed({cell: replace(board.hexes[cell], smoke=density) for cell, density in changed.items()})
    play.emit("smoke_drifts", None, RULE, wind=state.wind, hexes={grid.names[c]: n for c, n in sorted(changed.items())})
