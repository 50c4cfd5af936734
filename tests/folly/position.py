"""Positions of the folly list as ``tests/cases/folly/*.yaml`` gives them, and what a policy orders in one.

A position: ``id``; ``why`` (one sentence: why the contrary is folly); ``given``, arguments of ``make_state`` and the keys of
:data:`LATER`, where a unit may begin with ``as: NAME`` (a unit of ``units.yaml``), ``shells`` and ``bombs`` announced as
``{unit, at}``, fire ``declared`` by friends as ``{unit, at: target}``, ``objective`` and ``told``, what the game master has
said; ``ask``: the unit that decides (default ``a``; a list where several may act); ``kind`` of decision; ``moving`` or
``firing``: the declaration under way that the unit may break in on, as ``{unit, path, mode}`` or ``{unit, target}``;
``rulesets`` to ask under (default :data:`RULESETS`, unless ``given`` names one); ``turns``: a play of so many turns in which
the unit alone moves; ``never`` and ``must``: predicates of :mod:`tests.folly.predicates` over the orders; ``known_misses``:
policies that commit it, each with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from opfor.directives import NOTHING
from opfor.formats.words.directives import read_objective, read_restraint
from opfor.game.decision import Decision
from opfor.game.restraint import restrained
from opfor.game.view import View
from opfor.orders import Attack, CallOrder, FireOrder, MoveOrder, Order
from opfor.state import Shell, State, Underway
from opfor.tables import load_yaml
from policies.registry import make
from tests.support import make_state

CASES = Path(__file__).resolve().parent.parent / "cases" / "folly"
#: policies that are held to the list, and those that are only shown beside them
JUDGED = ("commander", "veteran")
SHOWN = ("princess",)
#: rulesets that a position is asked under, unless it names its own
RULESETS = ("standard", "campaign", "mwii")
#: keys of ``given`` beside the arguments of make_state, set on the state as they are
LATER = ("edges", "withdrawing", "wind", "stage", "limit")


@dataclass(frozen=True, eq=False)
class Position:
    """One position of the list; see the module for its parts."""

    id: str
    why: str
    given: Mapping[str, Any]
    family: str = ""
    ask: str | Sequence[str] = "a"
    kind: str = ""
    moving: Mapping[str, Any] | None = None
    firing: Mapping[str, str] | None = None
    rulesets: Sequence[Any] = ()
    turns: int = 1
    never: Sequence[Any] = ()
    must: Sequence[Any] = ()
    known_misses: Mapping[str, str] = field(default_factory=dict)

    def state(self, ruleset: Any) -> State:
        """The battle as it stands, afresh."""
        given = dict(self.given)
        given["units"] = [_unit(entry) for entry in given["units"]]
        given["ruleset"] = ruleset
        later = {key: given.pop(key) for key in LATER if key in given}
        shells, bombs, objective = given.pop("shells", ()), given.pop("bombs", ()), given.pop("objective", "")
        told, declared = given.pop("told", ()), given.pop("declared", ())
        state = make_state(**{"phase": "declarations" if ruleset == "mwii" else self.kind_of_phase, **given})
        for key, value in later.items():
            setattr(state, key, value)
        for unit in state.units:
            if unit.aboard or unit.swarming:
                state.touch()
        for shell in shells:
            order = CallOrder(shell["unit"], "artillery", 0, "", state.board.grid.parse(shell["at"]))
            state.shells.append(Shell(order, state.turn, state.unit(shell["unit"]).side))
        for bomb in bombs:
            unit = state.unit(bomb["unit"])
            order = CallOrder(unit.id, "bomb", mode=unit.spec.bomb, cell=state.board.grid.parse(bomb["at"]), count=1)
            state.shells.append(Shell(order, state.turn, unit.side))
        for one in declared:
            every = tuple([Attack(mount.index, one["at"]) for mount in state.unit(one["unit"]).spec.mounts])
            state.declared.append(FireOrder(one["unit"], attacks=every, primary=one["at"]))
        if objective or told:
            directive = replace(
                NOTHING,
                objective=read_objective(objective, state) if objective else None,
                restraint=read_restraint(told, state),
            )
            side = state.unit(self.units[0]).side
            state.directives = tuple([directive if index == side else NOTHING for index in range(len(state.sides))])
        return state

    @property
    def kind_of_phase(self) -> str:
        """The phase that goes with the kind of decision."""
        return {"call": "initiative", "opportunity": "movement", "": "fire"}.get(self.kind, self.kind)

    @property
    def units(self) -> list[str]:
        """Ids of the units that may act."""
        return [self.ask] if isinstance(self.ask, str) else list(self.ask)


@dataclass(frozen=True)
class Answer:
    """What a policy ordered in a position: the state before the (last) order, the order, and all orders of a play."""

    state: State
    order: Order
    orders: Sequence[Order]
    began: int


def _unit(entry: Mapping[str, Any]) -> dict[str, Any]:
    entry = dict(entry)
    known = entry.pop("as", None)
    return {**units()[known], **entry} if known else entry


@cache
def units() -> dict[str, dict[str, Any]]:
    """The units of ``units.yaml`` by name."""
    found: dict[str, dict[str, Any]] = load_yaml((CASES / "units.yaml").read_text(encoding="utf-8"))
    return found


@cache
def positions() -> dict[str, Position]:
    """Every position by id, in the order of the files."""
    found: dict[str, Position] = {}
    for path in sorted(CASES.glob("*.yaml")):
        if path.name == "units.yaml":
            continue
        for row in load_yaml(path.read_text(encoding="utf-8")):
            position = Position(family=path.stem, **row)
            assert position.id not in found, f"two positions are called {position.id}"
            assert position.never or position.must, position.id
            found[position.id] = position
    return found


def decision_in(position: Position, state: State) -> Decision:
    """The decision that the position is about."""
    able = [state.unit(id) for id in position.units]
    return restrained(Decision(state, able[0].side, able, position.kind, moment=_moment(position, state)))


def rulesets(position: Position) -> Sequence[Any]:
    """The rulesets that a position is asked under."""
    given = position.given.get("ruleset")
    return position.rulesets or ([given] if given else RULESETS)


def answers(position: Position, policy: str) -> list[Answer]:
    """What the policy orders, under each ruleset. Raises AssertionError where an order is not legal."""
    return [_answer(position, policy, ruleset) for ruleset in rulesets(position)]


def _answer(position: Position, name: str, ruleset: Any) -> Answer:
    state = position.state(ruleset)
    policy = make(name, 0)
    began, orders = state.unit(position.units[0]).cell, list[Order]()
    while True:
        decision = decision_in(position, state)
        order = policy.choose(decision, View(state, decision.side))
        assert order in decision.legal, decision.legal.why_not(order)
        orders.append(order)
        if len(orders) == position.turns:
            return Answer(state, order, orders, began)
        assert isinstance(order, MoveOrder)
        unit = state.unit(order.unit)
        unit.cell, unit.facing, unit.elevation, unit.prone = order.to, order.facing, order.elevation, order.prone
        state.turn += 1
        state.touch()


def _moment(position: Position, state: State) -> Underway | None:
    """The declaration under way, if there is one."""
    order: Order
    if position.moving:
        unit = state.unit(position.moving["unit"])
        path = tuple(position.moving["path"].split())
        cell, facing = unit.cell, unit.facing
        for step in path:
            if step == "F":
                cell += state.board.grid.step[facing]
            else:
                facing = (facing + {"L": -1, "R": 1}[step]) % 6
        order = MoveOrder(unit.id, position.moving.get("mode", "run"), path, cell, facing)
    elif position.firing:
        unit = state.unit(position.firing["unit"])
        target = position.firing["target"]
        order = FireOrder(unit.id, attacks=(Attack(0, target),), primary=target)
    else:
        return None
    moment = Underway(unit.index, order=order)
    state.underway = [moment]
    return moment
