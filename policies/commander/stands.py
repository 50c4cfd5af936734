"""The ways in which a unit may end its movement, as the commander reckons with them: a few good ones each. Rule: S-2."""

from __future__ import annotations

from typing import NamedTuple

from opfor.game.restraint import movement_of
from opfor.state import State
from policies.veteran.figures import Figure
from policies.veteran.lanes import BLOCKED
from policies.veteran.mind import Mind
from policies.veteran.move_plan import MovePlan
from policies.veteran.movement import choose_movement
from policies.veteran.options import Option
from policies.veteran.terrain import shelter


class Stand(NamedTuple):
    """One way to end: spot key and facing (None: as it likes), modifiers to its own fire (``am``) and to fire at it (``tm``),
    heat of the movement, what it is worth whatever the exchange of fire (ground, way, company, falls), and the option it
    was made from (None for a unit that has moved, or is not ours to move)."""

    #: its number among the stands of its unit
    id: int
    key: int
    facing: int | None
    am: int
    tm: int
    heat: int
    base: float
    #: harm done on the way there, or by an action held ready: not in the table
    gain: float = 0.0
    #: share of the fire at it that the walls around let through
    through: float = 1.0
    #: what the unit by itself makes of it
    seen: float = 0.0
    option: Option | None = None


class Piece:
    """A unit in the plan: its figure, its side (0 ours, 1 theirs), and the stands open to it, the likeliest first.

    ``placed``: it has moved, and has one stand. ``plan`` is the veteran's plan that the stands came from.
    """

    __slots__ = ("care", "figure", "number", "placed", "plan", "side", "stands")

    def __init__(
        self,
        number: int,
        side: int,
        figure: Figure,
        stands: list[Stand],
        *,
        placed: bool,
        plan: MovePlan | None = None,
        care: float = 1.0,
    ) -> None:
        self.number = number
        self.side = side
        self.figure = figure
        self.stands = stands
        self.placed = placed
        self.plan = plan
        #: how much harm to it counts
        self.care = care


def settled(state: State, figure: Figure) -> Stand:
    """Where a unit stands that has moved."""
    spot = figure.here()
    unit = figure.unit
    through = shelter(state, figure, figure.ground.place(unit.cell, unit.elevation))
    return Stand(0, spot.key, spot.facing, spot.am, spot.tm, spot.heat, 0.0, through=through)


def plan_of(state: State, me: Figure, ours: list[Figure], theirs: list[Figure], mind: Mind) -> MovePlan:
    """The movement of one unit, worked out by itself."""
    plan = MovePlan(state, me, ours, theirs, movement_of(state, [me.unit]), mind)
    choose_movement(plan)
    return plan


def stands_of(plan: MovePlan, most: int) -> list[Stand]:
    """The best ends of a plan as stands, best first: at most two facings of one place."""
    found: list[Stand] = []
    places: dict[tuple[str, int], int] = {}
    for option in plan.options:
        if option.order is None or option.result is None:
            continue
        at = (option.mode, option.place)
        if places.get(at, 0) >= 2:
            continue
        places[at] = places.get(at, 0) + 1
        found.append(stand_of(plan, option, len(found)))
        if len(found) == most:
            break
    return found


def stand_of(plan: MovePlan, option: Option, id: int) -> Stand:
    """An option as a stand: its worth less the exchange that was reckoned for it."""
    me = plan.me
    result = option.result
    assert result is not None
    act = option.order.act if option.order is not None else ""
    am = me.moved.get(option.mode, 0) + (me.prone_fire if option.prone else 0)
    fire = (0.0 if plan.leaving else plan.weights.given * result.given) + result.blows
    at, taken, gain = option, result.taken, 0.0
    if act == "pause" and option.onward is not None and option.onward.result is not None:
        # its fire is over by then: it is fired at where it ends (M-8)
        at, taken, gain = option.onward, option.onward.result.taken, plan.weights.given * result.given
        fire, am = gain, BLOCKED
    elif act == "opportunity":
        # it fires no more than what it holds ready (M-9)
        gain = fire = plan.weights.hold * plan.weights.unmoved_given * result.ambush + min(0.0, result.blows)
        am = BLOCKED
    base = option.value - fire + plan.care * taken
    return Stand(
        id,
        me.spot_key(at.place, prone=at.prone),
        at.facing if plan.faces else None,
        am,
        me.elusiveness(at.mode, at.hexes),
        at.heat,
        base,
        gain,
        shelter(plan.state, me, at.place),
        option.value,
        option,
    )
