"""Orders of vehicles, VTOLs, platoons and battle armour in words and as JSON: written and read back. Rule: S-2, S-9, S-10."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from opfor.errors import InputError
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.orders import order_as_dict, order_from_dict
from opfor.formats.words.notation import order_from_words, order_in_words
from opfor.formats.words.notation_moves import directions_in_words, path_from_directions
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.physical import PhysicalChoices
from opfor.orders import Attack, FireOrder, MoveOrder, Order
from opfor.state import State

BATTLE = """\
opfor: 1
board: {size: 16x17, rows: [0510 woods1, 0608 heavy building height 2, 0705 water 1, 0706 level 2, 0810 woods2, 0811 mines=10]}
ruleset: {base: standard, hex_targets: any}
phase: movement
sides: {players: {}, opfor: {}}
units:
  - {id: tank, side: opfor, type: Scorpion Light Tank (Standard), at: 0508, facing: SE, turret: S}
  - {id: wheels, side: opfor, type: Hetzer Wheeled Assault Gun (Standard), at: 0407, facing: SE}
  - {id: hover, side: opfor, type: Maxim Heavy Hover Transport (Standard), at: 0704, facing: S}
  - {id: vtol, side: opfor, type: Warrior Attack Helicopter H-7, at: 0806, facing: S, elevation: 4}
  - {id: rider, side: opfor, type: Foot Platoon (Rifle), aboard: hover}
  - {id: jumpers, side: opfor, type: Jump Platoon (SRM), at: 0607}
  - {id: suits, side: opfor, type: "Elemental Battle Armor [Laser](Sqd5)", at: 0610}
  - {id: alpha-1, side: players, type: Wolverine WVR-6R, at: 0610, facing: N}
  - {id: alpha-2, side: players, type: Vedette Medium Tank (Standard), at: 0911, facing: NW}
  - {id: beta, side: players, type: Foot Platoon (LRM), at: 0907, dug_in: true}
"""


@pytest.fixture
def state() -> State:
    return read_battle(BATTLE).state


def unlike(state: State, order: Order) -> str:
    """What is wrong when an order does not come back the same; empty when all is well."""
    words = order_in_words(order, state)
    if order_from_words(words, state) != order:
        return f"{words!r} is read as {order_from_words(words, state)}, not {order}"
    data = order_as_dict(order, state)
    return "" if order_from_dict(data, state) == order else f"{data} is read as {order_from_dict(data, state)}"


@pytest.mark.parametrize("unit", ["tank", "wheels", "hover", "vtol", "rider", "jumpers", "suits", "alpha-2", "beta"])
def test_every_listed_movement_round_trips(state: State, unit: str) -> None:
    choices = MovementChoices(state, [state.unit(unit)])
    number = 0
    for number, order in enumerate(islice(choices, 0, 30000), start=1):
        if number % 13 == 0 or not isinstance(order, MoveOrder) or len(order.path) < 3 or order.attack:
            assert not unlike(state, order)
    assert number


def test_fire_of_every_kind_round_trips(state: State) -> None:
    draw = random.Random(3)
    state.phase = "fire"
    state.unit("tank").turret, state.unit("tank").malfunctioned = 1, 2
    for unit in state.units:
        fire = FireChoices(state, [unit])
        for _ in range(60):
            assert not unlike(state, fire.sample(draw.randrange))
    state.phase = "physical"
    for order in PhysicalChoices(state, state.units):
        assert not unlike(state, order)


def test_shots_at_a_hex_round_trip(state: State) -> None:
    state.phase = "fire"
    orders = [
        FireOrder("tank", 0, False, (Attack(0, "@0608"), Attack(1, "@0608")), "@0608"),
        FireOrder("tank", -1, False, (Attack(0, "@0510", aim="ignite"),), "@0510"),
        FireOrder("alpha-1", 0, False, (Attack(0, "@0811", aim="mines"),), "@0811"),
    ]
    for order in orders:
        assert not unlike(state, order)
    assert order_in_words(orders[0], state).endswith(" at hex 0608")
    assert order_in_words(orders[2], state).endswith("(mines) at hex 0811")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("tank: turret e fire autocannon at alpha-1", None),
        ("tank: turret S, fire Autocannon/5 at alpha-1", "turret S, fire Autocannon/5 at alpha-1"),
        ("tank: TURRET to SW fire ac/5 + MG at Alpha-1", "turret SW, fire Machine Gun + Autocannon/5 at alpha-1"),
        ("tank: turret ahead, hold fire", "hold fire"),
        ("tank: fire ac/5 at 0608", "fire Autocannon/5 at hex 0608"),
        ("tank: fire ac/5 (set on fire) at hex 0608", "fire Autocannon/5 (ignite) at hex 0608"),
        ("suits: leg attack alpha-1", "leg attack alpha-1"),
        ("suits: Swarm Alpha-1", "swarm alpha-1"),
        ("suits: fire swarm at alpha-1", "swarm alpha-1"),
        ("suits: let go", "let go"),
        ("beta: dig in", "dig in"),
        ("alpha-2: clear Autocannon/5", "clear Autocannon/5"),
        ("rider: dismount", "0704 dismount -> 0704"),
        ("rider: dismount to 0804", "0704 dismount -> 0804"),
        ("jumpers: board hover", "0607 mount hover"),
        ("jumpers: walk N -> 0606", "0607 walk N1 -> 0606"),
        ("jumpers: 0607 ne", "0607 walk NE1 -> 0707"),
        ("jumpers: jump 0605", "0607 jump -> 0605"),
        ("vtol: cruise F2 climb2", "0806 S cruise F2 CLIMB2 -> 0808 S +6"),
        ("vtol: flank F1 dive F", "0806 S flank F1 DIVE1 F1 -> 0808 S +3"),
        ("hover: cruise F1", "0704 S cruise F1 -> 0705 S"),
        ("tank: flank F1 L1", "0508 SE flank F1 L1 -> 0608 NE"),
        ("wheels: run F2 ram alpha-1", "0407 SE flank F2 -> 0608 SE charge alpha-1"),
    ],
)
def test_spellings(state: State, words: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(InputError, match="cannot read"):
            order_from_words(words, state)
        return
    order = order_from_words(words, state)
    assert order_in_words(order, state).partition(": ")[2] == expected
    assert not unlike(state, order)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("wheels: turret N, hold fire", "wheels has no turret"),
        ("jumpers: swarm", "names no target"),
        ("hover: swarm alpha-1", "hover makes no swarm attack"),
        ("hover: leg attack alpha-1", "hover makes no leg attack"),
        ("tank: clear LRM 20", "has no weapon 'LRM 20'"),
        ("tank: clear turret, fire ac/5 at alpha-1", "instead of firing, and fires"),
        ("tank: fire ac/5 at hex 4040", "4040"),
        ("tank: fire ac/5 (aim head) at hex 0608", "no location to aim at"),
        ("jumpers: mount", "names no carrier"),
        ("jumpers: walk X2", "'X2' is no step"),
    ],
)
def test_what_cannot_be_is_said(state: State, words: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        order_from_words(words, state)


def test_a_turret_that_cannot_turn_stays_where_it_is(state: State) -> None:
    tank = state.unit("tank")
    assert tank.twist == 1
    assert order_from_words("tank: hold fire", state) == FireOrder("tank", 0)
    tank.turret = 2
    assert order_from_words("tank: hold fire", state) == FireOrder("tank", 1)
    assert order_from_dict({"unit": "tank", "kind": "fire", "attacks": []}, state) == FireOrder("tank", 1)


def test_directions_are_what_infantry_walks_by() -> None:
    path = ("R", "R", "F", "R", "F", "F", "L", "L", "L", "C-", "F", "R", "EXIT")
    # turned the longer way round: told step by step
    assert directions_in_words(path, 0) == "R2 F1 R1 F2 L3 C- F1 R1 EXIT"
    easy = ("R", "R", "F", "R", "F", "F", "R", "R", "R", "C-", "F", "R", "EXIT")
    assert directions_in_words(easy, 0) == "SE1 S2 C- N1 R1 EXIT"
    assert path_from_directions("SE1 S2 C- N1 R1 EXIT", 0) == easy
    assert path_from_directions("n2ne,exit", 0) == ("F", "F", "R", "F", "EXIT")
    assert path_from_directions("R2 F1", 0) == ("R", "R", "F")


def test_what_infantry_is_told_in_directions_is_legal(state: State) -> None:
    choices = MovementChoices(state, [state.unit("jumpers")])
    for words in ("walk N1", "walk NE -> 0707", "walk sw", "walk to 0608", "jump 0605"):
        assert order_from_words(f"jumpers: {words}", state, choices) in choices, words
