"""Runs the worked cases of movement in tests/cases/movement.

A case: ``id``, ``rule``, ``title``; ``given`` (arguments of make_state; unit ``a`` moves; without units there is one 50-ton
'Mech of 4 walking MP at 0808 facing north); ``order``: ``walk F F L``, ``run F``, ``stand``, ``jump 0805 N``, ``dismount
0807`` or a mapping with ``order`` and ``attack: charge b`` (or ``mount b``); ``dice`` as typed at the table when it is
carried out. ``expect``: ``points`` [walk, run, jump]; of the order ``mp``, ``hexes``, ``heat``, ``end`` (``0806 N``, then
``+2`` and ``prone``), ``rolls`` (``skid 4``) or ``refused`` (words of the refusal); ``listed``, ``not_listed``: orders by
mode and end; once carried out ``finished``, ``after`` (fields of units by id), ``events`` (parts of events, in order),
``none`` (events that must not happen).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from opfor.dice import FedDice, parse_dice
from opfor.game.apply.movement import apply_movement
from opfor.game.legal.movement import MovementChoices
from opfor.hex import DIRECTION_NAMES, parse_direction
from opfor.orders import MoveOrder
from opfor.rules.moving.motions import motion_of
from opfor.rules.moving.movement import movement_points
from opfor.rules.play import Play
from opfor.state import State
from opfor.tables import load_yaml
from opfor.units.state import UnitState
from tests.support import make_state

FOLDER = Path(__file__).parent / "cases" / "movement"


def cases() -> list[Any]:
    """Every case of every file."""
    found = []
    for path in sorted(FOLDER.glob("*.yaml")):
        if path.name != "positions.yaml":
            found += [pytest.param(case, id=case["id"]) for case in load_yaml(path.read_text(encoding="utf-8"))]
    assert len({p.id for p in found}) == len(found), "two cases share an id"
    return found


def make(given: dict[str, Any]) -> State:
    """The position of a case."""
    given = dict(given)
    later = {key: given.pop(key) for key in ("withdrawing", "edges") if key in given}
    units = [{"at": "0808", **entry} for entry in given.pop("units", [{}])]
    begun = [entry.pop("mode", "") for entry in units]
    for index, entry in enumerate(units):
        entry.setdefault("id", "abcdef"[index])
    state = make_state(phase="movement", units=units, **given)
    for unit, mode in zip(state.units, begun, strict=True):
        unit.mode = unit.mode or mode
    for key, value in later.items():
        setattr(state, key, value)
    return state


def written(state: State, order: MoveOrder) -> str:
    """Mode and end of an order, as ``walk 0806 N +2 prone`` or ``charge b from 0807 N``."""
    where = f"{state.board.grid.names[order.to]} {DIRECTION_NAMES[order.facing]}"
    if order.attack == "mount":
        return f"mount {order.target}"
    if order.attack:
        return f"{order.mode} {order.attack} {order.target} from {where}"
    high = f" {order.elevation:+d}" if order.elevation else ""
    gone = " exit" if "EXIT" in order.path else ""
    return f"{order.mode} {where}{high}{' prone' if order.prone else ''}{gone}"


def read_order(state: State, choices: MovementChoices, unit: UnitState, given: Any) -> MoveOrder:
    """The order of a case; a path's end is where it leads, or the unit's own hex when it leads nowhere."""
    entry = given if isinstance(given, dict) else {"order": given}
    mode, *words = entry["order"].split()
    attack, _, target = entry.get("attack", "").partition(" ")
    if mode == "jump":
        cell = state.board.grid.parse(words[0])
        facing = parse_direction(words[1])
        if attack:
            return MoveOrder(unit.id, mode, ("J",), cell, facing, attack=attack, target=target)
        listed = [o for o in choices if o.mode == "jump" and not o.attack and (o.to, o.facing) == (cell, facing)]
        return listed[0] if listed else MoveOrder(unit.id, mode, ("J",), cell, facing)
    plain = MoveOrder(unit.id, mode, tuple(words), unit.cell, unit.facing, unit.elevation, unit.prone)
    if mode == "stand":
        return plain
    if attack == "mount":
        carrier = state.unit(target)
        return MoveOrder(
            unit.id, mode, tuple(words), carrier.cell, unit.facing, carrier.elevation, attack=attack, target=target
        )
    if mode == "dismount":
        cell = state.board.grid.parse(words[0])
        return next((o for o in choices if o.mode == mode and o.to == cell), MoveOrder(unit.id, mode, (), cell, unit.facing))
    moves = choices.of(unit)
    walked = moves.walk(plain)
    place, facing = divmod(walked.stance, 6)
    return MoveOrder(
        unit.id,
        mode,
        tuple(words),
        moves.ground.cell(place),
        facing,
        moves.ground.elevation[place],
        walked.prone,
        attack,
        target,
    )


@pytest.mark.parametrize("case", cases())
def test_case(case: dict[str, Any]) -> None:
    assert case["title"] and case["rule"]
    state = make(case.get("given") or {})
    unit = state.unit("a")
    choices = MovementChoices(state, [unit])
    expect = dict(case["expect"])
    if "points" in expect:
        assert list(movement_points(state, unit)) == expect.pop("points")
    listed = {written(state, order) for order in choices}
    for words in expect.pop("listed", ()):
        assert words in listed
    for words in expect.pop("not_listed", ()):
        assert words not in listed
    if "order" in case:
        order = read_order(state, choices, unit, case["order"])
        why = choices.why_not(order)
        if "refused" in expect:
            assert expect.pop("refused") in why
            assert order not in choices
            assert not expect
            return
        assert not why
        assert order in choices
        _option(state, choices, order, expect)
        if expect:
            _carried_out(state, order, case, expect)
    assert not expect, f"not understood: {sorted(expect)}"


def _option(state: State, choices: MovementChoices, order: MoveOrder, expect: dict[str, Any]) -> None:
    """What the order costs and risks, before it is carried out."""
    option = choices.option(order)
    for key in ("mp", "hexes", "heat"):
        if key in expect:
            assert getattr(option, key) == expect.pop(key), key
    if "end" in expect:
        assert written(state, order).removeprefix(f"{order.mode} ") == expect.pop("end")
    if "rolls" in expect:
        assert [f"{what} {number.value}" for what, number in option.rolls] == expect.pop("rolls")


def _carried_out(state: State, order: MoveOrder, case: dict[str, Any], expect: dict[str, Any]) -> None:
    dice = FedDice(parse_dice(str(case.get("dice", ""))))
    play = Play(state, dice)
    finished = apply_movement(play, order)
    assert dice.unused == 0, f"{dice.unused} rolls not asked for; asked: {[r.why for r in dice.log]}"
    if "finished" in expect:
        assert finished == expect.pop("finished")
    happened = iter(play.events)
    for wanted in expect.pop("events", ()):
        for event in happened:
            said = event.as_dict()
            if all(said.get(key) == value for key, value in wanted.items()):
                break
        else:
            raise AssertionError(f"no {wanted} in {[e.as_dict() for e in play.events]}")
    for name in expect.pop("none", ()):
        assert name not in [event.what for event in play.events]
    for id, fields in expect.pop("after", {}).items():
        one = state.unit(id)
        for key, value in fields.items():
            if key == "at":
                assert state.board.grid.names[one.cell] == value, key
            elif key == "facing":
                assert DIRECTION_NAMES[one.facing] == value, key
            elif key == "charges":
                assert [c.unit for c in state.charges] == value
            else:
                assert getattr(one, key) == value, key


# -- how many orders ----------------------------------------------------------------------------------------------------


def positions() -> dict[str, Any]:
    return dict(load_yaml((FOLDER / "positions.yaml").read_text(encoding="utf-8")))


def frozen() -> dict[str, int]:
    lines = (FOLDER / "counts.txt").read_text(encoding="utf-8").splitlines()
    return {name: int(number) for name, number in (line.split() for line in lines if line and not line.startswith("#"))}


@pytest.mark.parametrize("name", positions())
def test_count(name: str) -> None:
    """The number of legal orders is that of the plain search, and the frozen one."""
    from tests.plain_flight import count_flights
    from tests.plain_reach import Plain, count
    from tests.test_reach import mover_of

    state = make(positions()[name])
    unit = state.unit("a")
    choices = MovementChoices(state, [unit])
    if unit.spec.kind == "vtol":
        plain = count_flights(state.board, unit, choices.of(unit).points)
    else:
        plain = count(Plain(state.board, motion_of(unit.spec).name), mover_of(state, unit, choices.of(unit)))
    assert choices.count() == len(set(choices)) == plain == frozen()[name]


def test_every_position_is_frozen() -> None:
    assert frozen().keys() == positions().keys()
    assert len(frozen()) >= 12


def test_tree_and_samples_hold_the_listed_orders() -> None:
    state = make(positions()["open_jumper"])
    choices = MovementChoices(state, state.units[:1])
    orders = list(choices)
    assert sorted(choices.tree().leaves(), key=str) == sorted(orders, key=str)
    assert [choices.sample(lambda n, k=k: k) for k in range(len(orders))] == orders


def test_after_a_sideslip_it_goes_on() -> None:
    """What is left of the MP is listed in the mode begun, hexes counted on; stopping is listed too. Rule: E-14."""
    state = make({"units": [{"vehicle": {"motive": "hover", "cruise": 6}}]})
    unit = state.unit("a")
    order = read_order(state, MovementChoices(state, [unit]), unit, "run F F F R F")
    assert not apply_movement(Play(state, FedDice(parse_dice("1+3"))), order)
    assert (unit.mp_spent, unit.hexes_moved, unit.moved) == (5, 4, False)
    choices = MovementChoices(state, [unit])
    listed = {written(state, one) for one in choices}
    # 4 MP are left, of 9; it stands at 0804 facing north-east
    assert {"run 0804 NE", "run 1202 NE"} <= listed
    assert not any(one.startswith(("walk", "stand")) for one in listed)
    onward = read_order(state, choices, unit, "run F F")
    assert (choices.option(onward).mp, choices.option(onward).hexes, choices.option(onward).rolls) == (2, 6, [])
    # another turn is another roll
    assert [what for what, _ in choices.option(read_order(state, choices, unit, "run R F")).rolls] == ["sideslip"]
    assert apply_movement(Play(state, FedDice([])), onward)
    assert (unit.mp_spent, unit.hexes_moved, unit.moved, unit.mode) == (7, 6, True, "run")
