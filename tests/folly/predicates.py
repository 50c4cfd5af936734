"""What may be said of an order in the folly list: each predicate by its name, with the argument that a position gives it.

A predicate is written as its name (``stands_up``) or as a mapping of one name to its argument (``ends_at: ["0505"]``). Several
names in one mapping hold together. Hexes are CCRR, units are ids.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opfor.board.board import Hex
from opfor.game.legal.movement import MovementChoices
from opfor.orders import CallOrder, FireOrder, MoveOrder, PassOrder, PhysicalOrder, PreemptOrder
from opfor.rules.moving.flight import airborne
from opfor.rules.pilots.heat import dissipation
from opfor.rules.shooting.framing import frame
from opfor.rules.shooting.to_hit import weapon_attack
from opfor.state import State
from opfor.units.state import UnitState
from tests.folly.position import Answer

Predicate = Callable[[Answer, Any], bool]
PREDICATES: dict[str, Predicate] = {}


def holds(answer: Answer, said: Any) -> bool:
    """Whether a predicate, as a position writes it, is true of an answer. Raises KeyError for a name that is none."""
    parts = {said: None} if isinstance(said, str) else said
    return all(PREDICATES[name](answer, argument) for name, argument in parts.items())


def _predicate(made: Predicate) -> Predicate:
    PREDICATES[made.__name__] = made
    return made


def _move(answer: Answer) -> MoveOrder | None:
    return answer.order if isinstance(answer.order, MoveOrder) else None


def _fire(answer: Answer) -> FireOrder | None:
    return answer.order if isinstance(answer.order, FireOrder) else None


def _cells(state: State, names: Any) -> set[int]:
    return {state.board.grid.parse(name) for name in names}


def _way(answer: Answer) -> list[int]:
    """The hexes of a movement after its first, the last one where it jumps."""
    order = _move(answer)
    if order is None or not order.path:
        return []
    if order.mode == "jump" or order.attack in ("dfa", "mount") or order.mode == "dismount":
        return [order.to]
    unit = answer.state.unit(order.unit)
    moves = MovementChoices(answer.state, [unit]).of(unit)
    return [moves.ground.cell(step.stance // 6) for step in moves.walk(order).steps]


def _on_the_way(answer: Answer, test: Callable[[Hex], bool]) -> bool:
    return any(test(answer.state.board.hexes[cell]) for cell in _way(answer))


def _after(answer: Answer) -> tuple[State, UnitState]:
    """A copy of the battle with the movement made."""
    state, order = answer.state.copy(), answer.order
    unit = state.unit(order.unit)
    if isinstance(order, MoveOrder) and order.mode != "wait":
        unit.cell, unit.facing, unit.elevation, unit.prone = order.to, order.facing, order.elevation, order.prone
        unit.mode, unit.moved = order.mode, True
        unit.hexes_moved = MovementChoices(answer.state, [answer.state.unit(order.unit)]).option(order).hexes
        state.touch()
    return state, unit


# -- movement ---------------------------------------------------------------------------------------------------------


@_predicate
def acts(answer: Answer, ids: Any) -> bool:
    """One of these units is the one that acts."""
    return answer.order.unit in ids


@_predicate
def mode(answer: Answer, modes: Any) -> bool:
    """It moves in one of these modes."""
    order = _move(answer)
    return order is not None and order.mode in modes


@_predicate
def stays(answer: Answer, _: Any) -> bool:
    """It ends where it began, in every turn of a play."""
    return all(isinstance(o, MoveOrder) and o.to == answer.began for o in answer.orders)


@_predicate
def ends_at(answer: Answer, names: Any) -> bool:
    """Its movement ends in one of these hexes."""
    order = _move(answer)
    return order is not None and order.to in _cells(answer.state, names)


@_predicate
def passes(answer: Answer, names: Any) -> bool:
    """Its way leads through (or into) one of these hexes."""
    return bool(_cells(answer.state, names) & set(_way(answer)))


@_predicate
def depth(answer: Answer, least: int) -> bool:
    """It enters water so deep, or deeper."""
    return any(answer.state.board.depth[cell] >= least for cell in _way(answer))


@_predicate
def enters_mines(answer: Answer, _: Any) -> bool:
    """Its way leads through mines."""
    return _on_the_way(answer, lambda hex: bool(hex.mines))


@_predicate
def enters_ice(answer: Answer, _: Any) -> bool:
    """Its way leads over ice."""
    return _on_the_way(answer, lambda hex: hex.ice)


@_predicate
def enters_building(answer: Answer, _: Any) -> bool:
    """Its way leads into a building."""
    return _on_the_way(answer, lambda hex: bool(hex.building))


@_predicate
def ends_in_fire(answer: Answer, _: Any) -> bool:
    """It ends in a burning hex."""
    order = _move(answer)
    return order is not None and answer.state.board.hexes[order.to].fire


@_predicate
def ends_in_woods(answer: Answer, _: Any) -> bool:
    """It ends in woods."""
    order = _move(answer)
    return order is not None and answer.state.board.hexes[order.to].woods > 0


@_predicate
def stands_up(answer: Answer, _: Any) -> bool:
    """It tries to stand."""
    order = _move(answer)
    return order is not None and bool({"UP", "CAREFUL"} & set(order.path))


@_predicate
def drops_prone(answer: Answer, _: Any) -> bool:
    """It stood, and lies down."""
    order = _move(answer)
    return order is not None and order.prone and not answer.state.unit(order.unit).prone


@_predicate
def leaves_map(answer: Answer, _: Any) -> bool:
    """It leaves the map."""
    order = _move(answer)
    return order is not None and "EXIT" in order.path


@_predicate
def rolls(answer: Answer, least: int | None) -> bool:
    """Its movement calls for a roll (of so much or more)."""
    order = _move(answer)
    if order is None:
        return False
    option = MovementChoices(answer.state, [answer.state.unit(order.unit)]).option(order)
    return any(number.value >= (least or 0) for _, number in option.rolls)


@_predicate
def hexes_least(answer: Answer, least: int) -> bool:
    """It moves so many hexes, as they count for the target modifier."""
    return _after(answer)[1].hexes_moved >= least


@_predicate
def attacks_by_moving(answer: Answer, kinds: Any) -> bool:
    """Its movement ends in a charge or death from above."""
    order = _move(answer)
    return order is not None and order.attack in kinds


@_predicate
def nearer_to(answer: Answer, id: str) -> bool:
    """It ends nearer to a unit than it began."""
    order, far = _move(answer), answer.state.board.grid.distance
    there = answer.state.unit(id).cell
    return order is not None and far(order.to, there) < far(answer.began, there)


@_predicate
def within(answer: Answer, argument: Any) -> bool:
    """It ends within so many hexes of a unit: ``{of: b, hexes: 3}``."""
    order = _move(answer)
    there = answer.state.unit(argument["of"]).cell
    return order is not None and answer.state.board.grid.distance(order.to, there) <= argument["hexes"]


@_predicate
def within_hex(answer: Answer, argument: Any) -> bool:
    """It ends within so many hexes of a hex: ``{of: "0805", hexes: 3}``."""
    order, grid = _move(answer), answer.state.board.grid
    return order is not None and grid.distance(order.to, grid.parse(argument["of"])) <= argument["hexes"]


@_predicate
def enters_swamp(answer: Answer, _: Any) -> bool:
    """Its way leads into a swamp."""
    return _on_the_way(answer, lambda hex: hex.swamp)


@_predicate
def row_most(answer: Answer, most: int) -> bool:
    """It ends in a row so far north, or leaves the map."""
    order = _move(answer)
    return order is not None and ("EXIT" in order.path or answer.state.board.grid.rows[order.to] < most)


@_predicate
def turns_back_to(answer: Answer, id: str) -> bool:
    """It ends with a unit in its rear arc, which no twist covers."""
    state, unit = _after(answer)
    relative = (state.board.grid.sextant(unit.cell, state.unit(id).cell) - 4 * unit.facing) % 24
    return 8 < relative < 16


@_predicate
def seen_by(answer: Answer, id: str) -> bool:
    """A unit could fire at it where it ends."""
    state, unit = _after(answer)
    return not frame(state, state.unit(id), unit).why


@_predicate
def sees(answer: Answer, id: str) -> bool:
    """It could fire at a unit from where it ends, or at any of several."""
    state, unit = _after(answer)
    return any(not frame(state, unit, state.unit(one)).why for one in ([id] if isinstance(id, str) else id))


@_predicate
def flies(answer: Answer, _: Any) -> bool:
    """It is in the air at the end."""
    order = _move(answer)
    return order is not None and airborne(answer.state.board.hexes[order.to], order.elevation)


@_predicate
def holds_action(answer: Answer, _: Any) -> bool:
    """It holds an action ready, with its movement or in place of fire. Rule: M-9."""
    order = answer.order
    return getattr(order, "act", "") == "opportunity" or getattr(order, "clear", "") == "opportunity"


# -- fire -------------------------------------------------------------------------------------------------------------


@_predicate
def fires(answer: Answer, _: Any) -> bool:
    """It fires anything."""
    order = _fire(answer)
    return order is not None and bool(order.attacks)


@_predicate
def fires_at(answer: Answer, ids: Any) -> bool:
    """Any of its shots is at one of these."""
    order = _fire(answer)
    return order is not None and any(attack.target in ids for attack in order.attacks)


@_predicate
def fires_only_at(answer: Answer, ids: Any) -> bool:
    """It fires, and at none but these."""
    order = _fire(answer)
    return order is not None and bool(order.attacks) and all(attack.target in ids for attack in order.attacks)


@_predicate
def fires_weapon(answer: Answer, names: Any) -> bool:
    """It fires one of these weapons, by their ids."""
    order = _fire(answer)
    mounts = answer.state.unit(answer.order.unit).spec.mounts
    return order is not None and any(mounts[attack.mount].id in names for attack in order.attacks)


@_predicate
def shots_least(answer: Answer, least: int) -> bool:
    """It fires so many weapons, or more."""
    order = _fire(answer)
    return order is not None and len(order.attacks) >= least


@_predicate
def targets_least(answer: Answer, least: int) -> bool:
    """It fires at so many targets, or more."""
    order = _fire(answer)
    return order is not None and len({attack.target for attack in order.attacks}) >= least


@_predicate
def fire_mode(answer: Answer, names: Any) -> bool:
    """One of its shots is in one of these fire modes."""
    order = _fire(answer)
    return order is not None and any(attack.mode in names for attack in order.attacks)


@_predicate
def spotter(answer: Answer, id: str) -> bool:
    """A shot is spotted by that unit."""
    order = _fire(answer)
    return order is not None and any(attack.spotter == id for attack in order.attacks)


@_predicate
def task(answer: Answer, kinds: Any) -> bool:
    """In place of fire it does one of these."""
    order = _fire(answer)
    return order is not None and order.clear in kinds


@_predicate
def shot_needs(answer: Answer, least: int) -> bool:
    """One of its shots needs so much on two dice, or more."""
    order, state = _fire(answer), answer.state
    if order is None:
        return False
    unit = state.unit(order.unit)
    for attack in order.attacks:
        mount = unit.spec.mounts[attack.mount]
        spotted = state.unit(attack.spotter) if attack.spotter else None
        number = weapon_attack(
            state, unit, mount, next(m for m in mount.modes if m.name == attack.mode), state.target(attack.target),
            primary=state.target(order.primary), twist=order.twist, flip=order.flip, spotter=spotted,
        )  # fmt: skip
        if not number.possible or number.value >= least:
            return True
    return False


@_predicate
def heat_least(answer: Answer, least: int) -> bool:
    """Its heat at the end of the turn comes to so much, or more: what it has and has built, fire, less what it sheds."""
    order, state = _fire(answer), answer.state
    if order is None:
        return False
    unit = state.unit(order.unit)
    built = unit.heat + unit.heat_built
    mounts = unit.spec.mounts
    built += sum(mode.heat for a in order.attacks for mode in mounts[a.mount].modes if mode.name == a.mode)
    return built - dissipation(state, unit) >= least


# -- physical attacks, calls, breaking in -----------------------------------------------------------------------------


@_predicate
def strikes(answer: Answer, kinds: Any) -> bool:
    """It makes one of these physical attacks (any where none is named)."""
    order = answer.order
    return isinstance(order, PhysicalOrder) and bool(order.attack) and (not kinds or order.attack in kinds)


@_predicate
def strikes_at(answer: Answer, ids: Any) -> bool:
    """It strikes at one of these."""
    return isinstance(answer.order, PhysicalOrder) and answer.order.target in ids


@_predicate
def calls(answer: Answer, _: Any) -> bool:
    """It announces artillery or bombs."""
    return isinstance(answer.order, CallOrder) and bool(answer.order.what)


@_predicate
def calls_near(answer: Answer, argument: Any) -> bool:
    """What it announces lands within so many hexes of one of these: ``{of: [f], hexes: 1}``."""
    order, far = answer.order, answer.state.board.grid.distance
    if not isinstance(order, CallOrder) or not order.what or order.cell < 0:
        return False
    return any(far(order.cell, answer.state.unit(id).cell) <= argument["hexes"] for id in argument["of"])


@_predicate
def lets_pass(answer: Answer, _: Any) -> bool:
    """It lets the moment pass. Rule: M-9."""
    return isinstance(answer.order, PassOrder)


@_predicate
def preempts(answer: Answer, _: Any) -> bool:
    """It takes its turn first. Rule: M-10."""
    return isinstance(answer.order, PreemptOrder)
