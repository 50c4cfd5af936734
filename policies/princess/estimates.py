"""What an end of movement promises against an enemy, and what it costs: (mine, theirs) and the same for kicks.

An enemy that has moved is met with full fire plans both ways. One that has yet to move is charged a quarter of all its weapons
at the range of its hull: no line of sight, no arcs, no numbers to hit.
"""

from __future__ import annotations

from typing import NamedTuple

from opfor.dice import chance_2d6
from opfor.rules.melee.blows import physical_damage
from opfor.rules.melee.physical import physical_attack
from opfor.rules.shooting.arcs import side_struck
from opfor.rules.shooting.common_modifiers import movement_of, target_part
from opfor.rules.shooting.frame import Frame
from opfor.rules.shooting.framing import frame
from opfor.rules.shooting.numbers import numbers_of
from opfor.rules.shooting.to_hit import IMPOSSIBLE
from opfor.state import State
from opfor.units.state import UnitState
from policies.princess.duels import Duel
from policies.princess.ends import End
from policies.princess.guns import Arsenal
from policies.princess.heat import heat_limit
from policies.princess.hulls import hull_of
from policies.princess.overkill import Assigned
from policies.princess.plans import Mark
from policies.princess.settings import Settings, figures

_MOVEMENT = figures("movement")


class Worth(NamedTuple):
    """Points of fire and of kicks, mine and the enemy's."""

    mine: float = 0.0
    theirs: float = 0.0
    my_kick: float = 0.0
    their_kick: float = 0.0


def settled(state: State, unit: UnitState) -> bool:
    """Whether a unit moves no more this turn, so that it will be found where it stands. Rule: E-3, M-10."""
    if not unit.active or unit.immobile:
        return True
    if state.phase == "declarations":
        return unit.acted or (unit.moved and any(one.unit == unit.index and one.regular for one in state.underway))
    return unit.moved or (state.phase not in ("initiative", "movement") and not unit.waiting)


def best_leg(unit: UnitState) -> tuple[str, int]:
    """The leg that kicks hardest and its points; ("", 0) for who does not kick."""
    legs = unit.legs if unit.spec.is_mech else ()
    if not legs or unit.prone or any(unit.lost(leg) or not unit.working(leg, "hip") for leg in legs):
        return "", 0
    names = [unit.spec.location_name(leg) for leg in (legs[:2])]
    return max(((name, physical_damage(unit, "kick", name)) for name in names), key=lambda item: item[1])


class _Lane(NamedTuple):
    """Between an end and an enemy: hexes, bearing of the enemy, the sum of modifiers of my shot and the side that it strikes,
    the sum of the enemy's, which side of a divided line counts for it, and my bearing from straight ahead of it."""

    distance: int
    bearing: int
    out: int
    side: str
    back: int
    line: int
    relative: int


class Moved:
    """An enemy that has moved, as it stands."""

    def __init__(
        self, state: State, me: UnitState, enemy: UnitState, arsenal: Arsenal, config: Settings, fire: Assigned
    ) -> None:
        self.state = state
        self.me = me
        self.enemy = enemy
        ours = arsenal.of(me, enemy)
        theirs = arsenal.of(enemy, me, prone=enemy.prone)
        told = state.directive(me.side).of(me.id) if state.directives else ()
        priority = any(enemy.id in restraint.focus for restraint in told)
        mark = Mark(enemy, theirs.at_range(1), config, fire, priority=priority)
        limit = heat_limit(state, me)
        self._out = Duel(ours, mark, limit, config)
        #: the same lying down
        self._low = Duel(arsenal.of(me, enemy, prone=True), mark, limit, config) if me.prone else self._out
        self._back = Duel(theirs, Mark(me, ours.at_range(1), config, Assigned()), heat_limit(state, enemy), Settings())
        self._frames: dict[tuple[int, int, bool], tuple[Frame, Frame]] = {}
        self._lanes: dict[tuple[int, int, bool, str, int], _Lane] = {}
        self._moved: dict[str, int] = {}
        self._missed: dict[tuple[str, int], int] = {}
        self._kicks: dict[tuple[int, int, int, str, int], tuple[float, float]] = {}
        self._legs = best_leg(me), best_leg(enemy)
        self._free = me.spec.is_infantry
        self._vehicle = me.spec.is_vehicle

    def worth(self, end: End) -> Worth:
        """What an end of movement promises against it."""
        cell, elevation, facing, prone = end.cell, end.elevation, end.facing, end.prone
        lane = self._lanes.get((cell, elevation, prone, end.mode, end.hexes))
        if lane is None:
            lane = self._lanes[cell, elevation, prone, end.mode, end.hexes] = self._lane(end)
        mine = theirs = 0.0
        if lane.out < IMPOSSIBLE:
            relative = 0 if self._free else (lane.bearing - 4 * facing) % 24
            mine = (self._low if prone else self._out).best(relative, lane.distance, lane.out, lane.side)
        if lane.back < IMPOSSIBLE:
            side = side_struck(lane.bearing, facing, lane.line, self._vehicle)
            theirs = self._back.best(lane.relative, lane.distance, lane.back, side)
        if lane.distance <= 1 and (self._legs[0][1] or self._legs[1][1]):
            return Worth(mine, theirs, *self._kick(end))
        return Worth(mine, theirs)

    def _lane(self, end: End) -> _Lane:
        """All that does not depend on the facing of an end."""
        key = (end.cell, end.elevation, end.prone)
        frames = self._frames.get(key)
        if frames is None:
            frames = self._frames[key] = self._look(end)
        out, back = frames
        common = IMPOSSIBLE if out.why else out.common + self._by_mode(end.mode)
        against = IMPOSSIBLE if back.why else back.common + self._by_target(end.mode, end.hexes)
        relative = 0 if self.enemy.spec.is_infantry else (back.bearing - 4 * self.enemy.facing) % 24
        return _Lane(out.distance, out.bearing, common, out.side, against, back.seen.side, relative)

    def _look(self, end: End) -> tuple[Frame, Frame]:
        state, me, enemy = self.state, self.me, self.enemy
        at = {"cell": end.cell, "elevation": end.elevation, "prone": end.prone}
        out = frame(state, me, enemy, facing=end.facing, mode="stand", **at)  # type: ignore[arg-type]
        there = {"t_cell": end.cell, "t_elevation": end.elevation, "t_prone": end.prone}
        back = frame(state, enemy, me, t_facing=end.facing, t_mode="stand", t_hexes=0, **there)  # type: ignore[arg-type]
        return out, back

    def _by_mode(self, mode: str) -> int:
        """What moving so adds to the number of a shot of mine."""
        found = self._moved.get(mode)
        if found is None:
            found = movement_of(self.state, self.me, mode)[0] - movement_of(self.state, self.me, "stand")[0]
            self._moved[mode] = found
        return found

    def _by_target(self, mode: str, hexes: int) -> int:
        """What moving so adds to the number of a shot at me."""
        found = self._missed.get((mode, hexes))
        if found is None:
            numbers = numbers_of(self.state.ruleset)
            moved, still = Frame(self.enemy, self.me, numbers), Frame(self.enemy, self.me, numbers)
            target_part(moved, self.me, mode, hexes)
            target_part(still, self.me, "stand", 0)
            found = self._missed[mode, hexes] = moved.common - still.common
        return found

    def _kick(self, end: End) -> tuple[float, float]:
        """Points of the best kick of mine and of the enemy's, nothing below even odds."""
        key = (end.cell, end.elevation, end.facing, end.mode, end.hexes)
        found = self._kicks.get(key)
        if found is None:
            with_me = supposed(self.me, end)
            found = self._kicks[key] = (
                kick_points(self.state, with_me, self.enemy, self._legs[0]),
                kick_points(self.state, self.enemy, with_me, self._legs[1]),
            )
        return found


def supposed(unit: UnitState, end: End) -> UnitState:
    """A copy of a unit as it would be at an end of movement."""
    twin = unit.copy()
    twin.cell, twin.elevation, twin.facing, twin.prone = end.cell, end.elevation, end.facing, end.prone
    twin.mode, twin.hexes_moved, twin.moved = end.mode, end.hexes, True
    twin.twist = 0
    return twin


def kick_points(state: State, unit: UnitState, target: UnitState, leg: tuple[str, int]) -> float:
    """Mean points of a kick, as damage and no more; 0 where its chance to hit is not above one half."""
    name, points = leg
    if not points or unit.prone:
        return 0.0
    number = physical_attack(state, unit, "kick", name, target)
    odds = chance_2d6(number.value) if number.possible else 0.0
    return odds * points if odds > _MOVEMENT["kick"] else 0.0


class Unmoved:
    """An enemy that has yet to move: its hull, and a quarter of all that it carries."""

    def __init__(self, state: State, me: UnitState, enemy: UnitState, arsenal: Arsenal) -> None:
        self.me = me
        self.hull = hull_of(state, enemy)
        self._grid = state.board.grid
        self._ours = arsenal.of(me, enemy)
        self._theirs = arsenal.of(enemy, me, prone=False)
        self._kick = best_leg(enemy)[1]
        self._ahead: dict[int, tuple[int, frozenset[int]]] = {}

    def worth(self, end: End) -> Worth:
        """What an end of movement promises against it."""
        known = self._ahead.get(end.cell)
        if known is None:
            known = self._ahead[end.cell] = (self.hull.distance(end.cell), self.hull.ahead_of(end.cell))
        away, ahead = known
        share = _MOVEMENT["unmoved"]
        theirs = share * self._theirs.at_range(max(1, away))
        mine = share * self._ours.at_range(max(1, away)) if end.facing in ahead or self.me.spec.is_infantry else 0.0
        kick = share * self._kick if self._kick and self._comes_behind(end) else 0.0
        return Worth(mine, theirs, 0.0, kick)

    def _comes_behind(self, end: End) -> bool:
        """Whether it can come to a flank or rear hex and face the unit from there."""
        step, stances = self._grid.step, self.hull.stances
        return any(
            (end.cell + step[(end.facing + side) % 6]) * 6 + (end.facing + side + 3) % 6 in stances for side in (2, 3, 4)
        )


__all__ = ["Moved", "Unmoved", "Worth", "best_leg", "kick_points", "settled", "supposed"]
