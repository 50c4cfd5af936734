"""Walking an explicit path, step by step, by the same prebuilt steps that the search uses. Rule: S-2.

:func:`walk` says for each step what it costs, what rolls it calls for, and for the first one that is not allowed why.
Applying an order, checking a typed one and explaining a listed one all walk the path here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from opfor.rules.moving.ground import PAVED, SIDESTEP_COST
from opfor.rules.moving.grounds import ground_for
from opfor.rules.moving.modes import HASTY, RUNNING
from opfor.rules.moving.movement import (
    Movement,
    ground_limit,
    has_moved,
    hip_or_gyro_damage,
    minimum_move,
    movement_points,
    pavement_bonus,
    search_rules,
    stand_cost,
    stands_without_roll,
    start_of,
    why_no_standing,
)
from opfor.rules.moving.path_rolls import Needed, after_hexes, entry_rolls, skid_modifier
from opfor.rules.moving.stacking import occupied_places
from opfor.rules.turn.complex_actions import paused, why_no_haste
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-2"
TOKENS = ("F", "B", "L", "R", "SL", "SR", "SLB", "SRB", "UP", "CAREFUL", "PRONE", "C+", "C-", "CLIMB", "DIVE", "EXIT")
#: direction of a step relative to the facing
_TURNED = {"F": 0, "SR": 1, "SRB": 2, "B": 3, "SLB": 4, "SL": 5}
_BACKWARD = ("B", "SLB", "SRB")
_MOVES = table("movement")["manoeuvres"]
_CHARGE_LEVELS: int = table("movement")["charge_levels"]


class Step(NamedTuple):
    """One step: the token, the stance after it, MP spent so far, hexes counted so far, the rolls before and after it."""

    token: str
    stance: int
    mp: int
    hexes: int
    #: skids: rolled before the hex is entered
    before: tuple[Needed, ...] = ()
    #: rolled in the hex entered, or for standing up
    after: tuple[Needed, ...] = ()
    #: entered through a building's wall, or still standing on the same spot
    building: bool = False


@dataclass(slots=True)
class Walked:
    """A path walked as far as it is allowed. ``why`` is empty when all of it is; else ``rule`` refuses step ``wrong``."""

    mode: str
    stance: int
    prone: bool
    steps: list[Step] = field(default_factory=list)
    mp: int = 0
    hexes: int = 0
    left_map: bool = False
    why: str = ""
    rule: str = ""
    wrong: int = -1
    #: rolls of the whole move, made at its end
    last: tuple[Needed, ...] = ()
    #: it ends on a turn for which going on would call for a roll
    turning: bool = False
    #: it is the minimum move: one hex ahead, whatever it costs
    minimum: bool = False

    @property
    def rolls(self) -> list[Needed]:
        """Every roll that the path calls for, in order."""
        return [n for step in self.steps for n in (*step.before, *step.after)] + list(self.last)


def walk(
    state: State,
    unit: UnitState,
    mode: str,
    path: tuple[str, ...],
    *,
    exits: tuple[int, ...] = (),
    into: int = -1,
    points: Movement | None = None,
) -> Walked:
    """Walk a path in a mode on the ground from where the unit stands. ``exits``: directions in which it may leave the map.

    ``into`` is the place of a charge's target: the MP to enter it are paid, its hex is not entered and not counted. Ending
    among others is not judged here: see :mod:`opfor.rules.moving.stacking`. ``points`` are worked out where they are not given.
    """
    return _Walker(state, unit, mode, exits, points).walk(path, into)


class _Walker:
    """The walk going on: posture, facing at entry, which way up, and what may no longer be done."""

    def __init__(self, state: State, unit: UnitState, mode: str, exits: tuple[int, ...], points: Movement | None) -> None:
        self.state = state
        self.unit = unit
        self.mode = mode
        self.exits = exits
        self.ground = ground_for(state.board, unit.spec, state.ruleset)
        self.points = points or movement_points(state, unit)
        self.limit = ground_limit(state, unit, mode, self.points)
        self.rules = search_rules(state, unit, mode)
        closed, _, self.held = occupied_places(state, unit, self.ground)
        self.enemies = frozenset(closed)
        start = start_of(self.ground, unit, self.points)
        self.start = start.stance // 6
        self.done = Walked(mode, start.stance, unit.prone, hexes=start.hexes)
        #: MP more while all of the way is paved
        self.bonus = pavement_bonus(state, unit, self.ground)
        self.turn_cost = self.ground.motion.turn * int(_MOVES["turn"])
        self.entry_facing = unit.facing
        # a movement that goes on after a stop has gone ahead so far
        self.backward: bool | None = False if start.hexes else None
        self.climb = "+"
        self.free_turns = False
        self.over = False

    def walk(self, path: tuple[str, ...], into: int) -> Walked:
        done = self.done
        if self.limit < 0:
            rule = HASTY[self.mode][1] if self.mode in HASTY else RULE
            return self._refuse(0, _no_mode(self.state, self.unit, self.mode, self.points), rule)
        for index, token in enumerate(path):
            why = self._step(index, token, path)
            if why:
                return self._refuse(index, why, "S-6" if token in ("UP", "CAREFUL") else RULE)
        if into >= 0 and (why := self._charge(into)):
            return self._refuse(len(path), why, "S-8")
        done.turning = bool(self._roll_before(*divmod(done.stance, 6)))
        # whoever goes on after an action in the middle of a run has made that roll as it stopped (M-8)
        if self.mode in RUNNING and done.mp and not done.prone and hip_or_gyro_damage(self.unit) and not paused(self.unit):
            done.last = (*done.last, Needed("run_damaged"))
        return done

    def _refuse(self, index: int, why: str, rule: str) -> Walked:
        self.done.why, self.done.wrong, self.done.rule = why, index, rule
        return self.done

    def _step(self, index: int, token: str, path: tuple[str, ...]) -> str:
        """Take one step; the reason when it is not allowed."""
        done = self.done
        if token not in TOKENS:
            return f"{token!r} is no step: use {' '.join(TOKENS)}"
        if self.over:
            return "it has left the map"
        if token in ("C+", "C-"):
            self.climb = token[1]
            done.steps.append(Step(token, done.stance, done.mp, done.hexes))
            return ""
        if token in ("L", "R"):
            return self._turn(token)
        if token in ("UP", "CAREFUL"):
            return self._stand(token)
        if token == "PRONE":
            return self._drop()
        if token == "EXIT":
            return self._leave()
        if token in ("CLIMB", "DIVE"):
            return self._rise(token)
        free = ("C+", "C-", "L", "R") if self.rules.free else ("C+", "C-")
        return self._enter(token, first=all(t in free for t in path[:index]), last=index == len(path) - 1)

    def _pay(self, cost: int) -> str:
        limit = self.limit + self.bonus
        if self.done.mp + cost > limit:
            return f"it costs {cost} MP and {max(0, limit - self.done.mp)} of {limit + self.unit.mp_spent} are left"
        self.done.mp += cost
        return ""

    def _turn(self, token: str) -> str:
        done = self.done
        if not self.free_turns and (why := self._pay(self.turn_cost)):
            return why
        place, facing = divmod(done.stance, 6)
        facing = (facing + (1 if token == "R" else 5)) % 6
        if self.free_turns:
            # part of standing up, no change of facing on the run
            self.entry_facing = facing
        done.stance = place * 6 + facing
        done.steps.append(Step(token, done.stance, done.mp, done.hexes))
        return ""

    def _rise(self, token: str) -> str:
        """Climb or dive a level. Rule: E-26."""
        done = self.done
        place, facing = divmod(done.stance, 6)
        to = self.ground.vertical(place, token)
        if isinstance(to, str):
            return to
        if to in self.enemies:
            return "nobody lands in a burning hex"
        if why := self._pay(int(_MOVES["climb"])):
            return why
        done.stance = to * 6 + facing
        done.steps.append(Step(token, done.stance, done.mp, done.hexes))
        return ""

    def _stand(self, token: str) -> str:
        done = self.done
        if not done.prone:
            return "it is standing already"
        if why := why_no_standing(self.unit):
            return why
        careful = token == "CAREFUL"
        cost = stand_cost(self.points)
        if careful:
            if self.state.ruleset.careful_stand != "on":
                return "the ruleset has no careful standing up"
            if self.mode != "walk" or self.points.walk < _MOVES["careful_stand_needs_walk"] or done.mp or self.unit.mp_spent:
                return "a careful stand takes the whole of at least 3 walking MP"
            cost = self.limit
        if why := self._pay(cost):
            return why
        done.prone = False
        self.free_turns = True
        roll = () if stands_without_roll(self.unit) else (Needed("careful_stand" if careful else "standing_up"),)
        done.steps.append(Step(token, done.stance, done.mp, done.hexes, (), roll))
        return ""

    def _drop(self) -> str:
        done = self.done
        if not self.unit.spec.is_mech:
            return "only a 'Mech drops prone"
        if done.prone:
            return "it is prone already"
        if why := self._pay(int(_MOVES["go_prone"])):
            return why
        done.prone = True
        self.free_turns = False
        done.steps.append(Step("PRONE", done.stance, done.mp, done.hexes))
        return ""

    def _leave(self) -> str:
        done = self.done
        facing = done.stance % 6
        cell = self.ground.cell(done.stance // 6) + self.state.board.grid.step[facing]
        if done.prone:
            return "it is prone"
        if facing not in self.exits or self.state.board.grid.contains(cell):
            return "it may leave the map only over its home edge, ahead, and only when it withdraws"
        if why := self._pay(int(_MOVES["leave_map"])):
            return why
        done.left_map = self.over = True
        done.steps.append(Step("EXIT", done.stance, done.mp, done.hexes))
        return ""

    def _enter(self, token: str, *, first: bool, last: bool) -> str:
        """Step into another hex."""
        done = self.done
        ground = self.ground
        place, facing = divmod(done.stance, 6)
        if done.prone:
            return "a prone 'Mech only turns, or stands up"
        aside = token not in ("F", "B")
        if aside and not self.rules.quad:
            return "only a quad steps aside"
        backward = token in _BACKWARD
        if backward and not self.rules.backward:
            return "infantry turns as it likes and walks ahead" if self.rules.free else "nobody runs backward"
        if place in self.held:
            return "an enemy stands there: whoever enters his hex goes no further this turn"
        direction = (facing + _TURNED[token]) % 6
        steps = ground.steps(place, direction)
        chosen = ground.way(steps, self.climb)
        if chosen is None:
            return self.ground.why_no_step(place, direction)
        to, cost, flags = chosen
        if self.bonus and not flags & PAVED:
            self.bonus = 0
        if backward and ground.motion.name != "vtol":
            levels = abs((ground.level[to] or 0) - (ground.level[place] or 0))
            most = 0 if aside else self.rules.backward_levels
            if levels > most:
                return f"it changes {levels} level{'s' if levels > 1 else ''} backward"
        if to in self.enemies:
            fire = not self.unit.spec.is_mech and self.state.board.hexes[ground.cell(to)].fire
            return "only a 'Mech goes into a burning hex" if fire else "an enemy 'Mech stands there"
        cost += SIDESTEP_COST if aside else 0
        walking = minimum_move(self.unit, self.mode, self.points)
        barred = flags & self.rules.barred
        if token == "F" and first and last and walking and (cost > self.limit or (barred and cost > walking)):
            done.mp += cost
            done.minimum = True
        elif barred:
            return "nobody runs into water of depth 1 or more"
        elif why := self._pay(cost):
            return why
        before = self._roll_before(place, facing)
        if self.backward is not None and self.backward != backward:
            done.hexes = 0
        done.hexes += 1
        self.backward = backward
        self.entry_facing = facing
        self.free_turns = False
        done.stance = to * 6 + facing
        after = entry_rolls(ground, to, flags, done.hexes)
        if backward and ground.level[to] != ground.level[place] and ground.motion.name != "vtol":
            after = (Needed("backward_level"), *after)
        inside = ground.inside(to)
        done.steps.append(Step(token, done.stance, done.mp, done.hexes, before, after, inside))
        return ""

    def _roll_before(self, place: int, facing: int) -> tuple[Needed, ...]:
        """The roll that going on after a turn calls for: against skidding, or sideslipping. Rule: S-6, E-13, E-14."""
        if not self.rules.skids or facing == self.entry_facing:
            return ()
        hexes = self.done.hexes
        if self.rules.slips:
            return (Needed("sideslip"),) if hexes else ()
        if self.ground.paved[place]:
            return (Needed("skid", skid_modifier(hexes), after_hexes(hexes)),)
        return ()

    def _charge(self, into: int) -> str:
        """Pay for the step into the target's place, straight ahead."""
        done = self.done
        ground = self.ground
        place, facing = divmod(done.stance, 6)
        if done.prone or self.over:
            return "a prone 'Mech does not charge"
        if self.backward is not None and any(step.token in _BACKWARD for step in done.steps):
            return "a charge moves ahead only"
        step = next((s for s in ground.steps(place, facing) if s[0] == into), None)
        if step is None or step[2] & self.rules.barred:
            return "the target's hex is not the one straight ahead, or cannot be entered"
        levels = abs((ground.level[into] or 0) - (ground.level[place] or 0))
        if levels > _CHARGE_LEVELS:
            return f"the target stands {levels} levels off: a charge needs at most {_CHARGE_LEVELS}"
        if self.bonus and not step[2] & PAVED:
            self.bonus = 0
        if why := self._pay(step[1]):
            return f"to enter the target's hex {why}"
        done.last = self._roll_before(place, facing)
        return ""


def _no_mode(state: State, unit: UnitState, mode: str, points: Movement) -> str:
    """Why a unit cannot walk or run at all."""
    if unit.destroyed or unit.gone:
        return "it is out of the battle"
    if unit.shutdown:
        return "it is shut down"
    if not unit.conscious:
        return "its crew is out of action" if unit.spec.is_vehicle else "its pilot is unconscious"
    if unit.aboard:
        return f"it is carried by {unit.aboard}"
    if unit.swarming:
        return f"it clings to {unit.swarming}"
    if unit.immobilized or unit.engine_dead:
        return "it is immobilized"
    if has_moved(unit):
        return "it has moved this turn"
    if unit.mp_spent and unit.mode != mode:
        return f"it has begun to {unit.mode} this turn"
    if mode in HASTY and (why := why_no_haste(state, unit, mode)):
        return why
    if mode in RUNNING and unit.spec.is_infantry:
        return "infantry does not run"
    if mode in RUNNING and points.run <= points.walk and unit.spec.is_vehicle:
        return "its crew is stunned" if unit.stunned else "its flight stabilizer is hit" if points.walk else "it has no MP"
    if mode in RUNNING and points.run <= points.walk:
        return "its legs allow no running" if points.walk else "it has no MP"
    return "it has no MP"
