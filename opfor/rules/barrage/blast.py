"""What bursts in a hex does to all in it and around: units of both sides, buildings, woods, mines. Rule: E-35, E-30.

Damage by distance from the hex of the burst, in groups of five points on the side that faces it; in the hex itself on the side
that faces who fired, or on any where nobody did. Platoons take it doubled, and so do woods and mines. Who flies is above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from opfor.rules.harm.damage import apply_damage, apply_in_groups
from opfor.rules.moving.flight import airborne
from opfor.rules.play import Play
from opfor.rules.shooting.arcs import hit_side
from opfor.rules.terrain.buildings import damage_building, shelter_of, sheltered
from opfor.rules.terrain.minefields import groups, thin_out
from opfor.rules.terrain.woods import damage_woods
from opfor.rules.troops.anti_mech import random_side
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "E-35"
_ROWS: dict[str, Any] = table("artillery")["blast"]


def rings(state: State, cell: int, radius: int) -> Iterator[tuple[int, int]]:
    """The hexes on the board within a radius: (distance, cell), the nearest first."""
    grid = state.board.grid
    ring, seen = [cell], {cell}
    for away in range(radius + 1):
        yield from ((away, other) for other in sorted(ring))
        ring = [to for other in ring for step in grid.step if grid.contains(to := other + step) and to not in seen]
        ring = list(dict.fromkeys(ring))
        seen.update(ring)


def burst(play: Play, cell: int, damage: Sequence[int], source: str, *, origin: int = -1, rule: str = RULE) -> None:
    """A burst in ``cell``: ``damage`` in points at 0, 1, 2 ... hexes. ``origin``: hex of who fired, -1 for none. Rule: E-35."""
    state = play.state
    struck = list(rings(state, cell, len(damage) - 1))
    play.emit("burst", None, rule, at=state.board.grid.names[cell], source=source, damage=list(damage))
    caught = [(away, unit) for away, other in struck for unit in state.occupants(other) if in_reach(state, unit)]
    for away, unit in caught:
        strike(play, unit, damage[away], cell, source, origin=origin, rule=rule)
    for away, other in struck:
        _strike_ground(play, other, damage[away], source)


def in_reach(state: State, unit: UnitState) -> bool:
    """Whether a burst on the ground reaches a unit in its hexes: not in flight. Rule: E-35."""
    return unit.alive and not (unit.spec.kind == "vtol" and airborne(state.board.hexes[unit.cell], unit.elevation))


def side_facing(play: Play, unit: UnitState, cell: int, origin: int) -> str:
    """The side of a unit that a burst in ``cell`` strikes: the one that faces it, in its own hex that to ``origin``. E-35."""
    if unit.spec.is_infantry:
        return "front"
    if unit.cell != cell:
        return hit_side(play.state, cell, unit)
    if origin >= 0 and origin != cell:
        return hit_side(play.state, origin, unit)
    return random_side(play, unit)


def strike(
    play: Play,
    unit: UnitState,
    points: int,
    cell: int,
    source: str,
    *,
    origin: int = -1,
    rule: str = RULE,
    whole: bool = False,
) -> None:
    """A unit takes a burst's points, ``whole`` in one place. Buildings shelter as from any attack. Rule: E-35, S-10."""
    if points <= 0 or not unit.alive:
        return
    state = play.state
    if unit.spec.kind == "infantry":
        points *= int(_ROWS["infantry"])
    shelter = shelter_of(state, None, unit, before=play.before)
    size = points if whole else int(_ROWS["group"])
    parts = groups(points, size)
    if shelter is not None:
        parts, _ = sheltered(shelter, parts)
    if not parts:
        return
    if unit.spec.kind == "infantry":
        apply_damage(play, unit, 0, sum(parts), rule=rule, source=source)
        return
    side = side_facing(play, unit, cell, origin)
    for part in parts:
        apply_in_groups(play, unit, part, side, "normal", size, rule=rule, source=source)


def _strike_ground(play: Play, cell: int, points: int, source: str) -> None:
    """What stands in a hex takes the points: a building its CF, woods and mines twice as much. Rule: E-35, S-10."""
    hex = play.state.board.hexes[cell]
    if hex.building or hex.bridge:
        damage_building(play, None, cell, points)
    elif hex.woods:
        damage_woods(play, None, cell, points * int(_ROWS["terrain"]), source=source)
    if hex.mines:
        thin_out(play, cell, points * int(_ROWS["terrain"]))
