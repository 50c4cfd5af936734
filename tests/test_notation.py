"""Orders in words and as JSON: what is written is read back as the same order; what people type is understood."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from opfor.errors import InputError
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.orders import order_as_dict, order_from_dict, orders_from_json
from opfor.formats.words.notation import order_from_words, order_in_words, order_lines
from opfor.formats.words.notation_moves import path_from_words, path_in_words
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.physical import PhysicalChoices
from opfor.orders import Attack, FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.state import State

BATTLE = """\
opfor: 1
ruleset: {ruleset}
board: {board}
phase: movement
sides: {{players: {{}}, opfor: {{}}}}
units:
  - {{id: reaver, side: opfor, type: {one}, at: "0611", facing: N}}
  - {{id: alpha-2, side: players, type: {two}, at: "{at}", facing: S, prone: {prone}}}
  - {{id: alpha-3, side: players, type: Wasp WSP-1A, at: "0607", facing: S}}
  - {{id: lance, side: opfor, type: Archer ARC-2R, at: "0114", facing: N}}
"""


def battle(
    one: str = "Wolverine WVR-6R",
    two: str = "Hunchback HBK-4G",
    *,
    at: str = "0610",
    prone: bool = False,
    board: str = "",
    ruleset: str = "campaign",
) -> State:
    ground = board or '{size: 16x17, rows: ["0709 woods1"]}'
    text = BATTLE.format(board=ground, one=one, two=two, at=at, prone=str(prone).lower(), ruleset=ruleset)
    return read_battle(text).state


def unlike(state: State, order: Order) -> str:
    """What is wrong when an order does not come back the same from words and from JSON; empty when all is well."""
    words = order_in_words(order, state)
    if order_from_words(words, state) != order:
        return f"{words!r} is read as {order_from_words(words, state)}, not {order}"
    if order_in_words(order_from_words(words.upper().replace(" ", "  "), state), state) != words:
        return f"{words!r} in capitals is read otherwise"
    data = order_as_dict(order, state)
    return "" if order_from_dict(data, state) == order else f"{data} is read otherwise"


MATCHUPS = [
    {},
    {"one": "Mad Cat (Timber Wolf) Prime", "two": "Goliath GOL-1H"},
    {"one": "Goliath GOL-1H", "two": "Phoenix Hawk PXH-1", "prone": True},
    {"one": "Hatchetman HCT-3F", "two": "Jenner JR7-D", "at": "0711"},
    {"one": "Shadow Hawk SHD-2H", "two": "Atlas AS7-K", "board": "crossroads"},
    {"one": "Spider SDR-5V", "two": "Awesome AWS-8Q", "board": "city-blocks", "at": "0512"},
]


@pytest.mark.parametrize("matchup", MATCHUPS, ids=lambda m: m.get("one", "usual"))
def test_every_listed_movement_round_trips(matchup: dict[str, str]) -> None:
    state = battle(**matchup)  # type: ignore[arg-type]
    state.unit("alpha-2").moved = state.unit("alpha-3").moved = True  # so that they may be charged
    for number, order in enumerate(MovementChoices(state, state.units)):
        if number % 3 == 0 or order.attack:
            assert not unlike(state, order)


@pytest.mark.parametrize("matchup", MATCHUPS, ids=lambda m: m.get("one", "usual"))
def test_fire_and_physical_attacks_round_trip(matchup: dict[str, str]) -> None:
    state = battle(**matchup)  # type: ignore[arg-type]
    draw = random.Random(7)
    state.phase = "fire"
    fire = FireChoices(state, state.units)
    for _ in range(150):
        assert not unlike(state, fire.sample(draw.randrange))
    state.phase = "physical"
    for order in PhysicalChoices(state, state.units):
        assert not unlike(state, order)


def _odd_orders(state: State) -> Iterator[Order]:
    """Orders that no list holds, and that must be readable all the same, so that they can be refused by name."""
    cell = state.unit("reaver").cell
    yield MoveOrder("reaver", "walk", ("CAREFUL", "R"), cell, 1)
    yield MoveOrder("reaver", "walk", ("SL", "SRB", "C+", "F", "C-"), state.board.grid.parse("0509"), 0, 2, True)
    yield FireOrder("reaver", 1, True, (Attack(0, "alpha-2"), Attack(1, "alpha-3", "", "lance")), "alpha-3")
    yield FireOrder("reaver", 0, False, (Attack(0, "alpha-2", aim="HD"), Attack(2, "alpha-2", aim="LT")), "alpha-2")
    yield FireOrder("reaver", 0, False, (Attack(0, "alpha-2"),), "alpha-3")
    yield FireOrder("reaver", 0, False, (Attack(0, "alpha-2"),), "")
    yield PhysicalOrder("reaver", "pick_up", "girder")
    yield PhysicalOrder("reaver", "kick", "RRL_mule", "alpha-2")


def test_odd_orders_are_written_and_read() -> None:
    state = battle()
    for order in list(_odd_orders(state))[2:]:
        words = order_in_words(order, state)
        assert order_from_words(words, state) == order, words


def test_the_example_of_the_handbook() -> None:
    """0611 to 0610, 0609, turn to NE, 0709."""
    state = battle(at="0505")
    order = order_from_words("Reaver: 0611 N walk F2 R1 F1 -> 0709 NE", state)
    assert order == MoveOrder("reaver", "walk", ("F", "F", "R", "F"), state.board.grid.parse("0709"), 1)
    assert order in MovementChoices(state, state.units)


@pytest.mark.parametrize(
    "words",
    [
        "reaver: walk F2 R1 F1",
        "REAVER:walk f2r1f1->0709ne",
        "  reaver :  0611 n   Walk F F R F → 0709 NE".strip(),
        "Wolverine WVR-6R: walk f2, r, f to 0709 NE",
    ],
)
def test_spellings_of_a_movement(words: str) -> None:
    state = battle(at="0505")
    assert order_from_words(words, state) == order_from_words("reaver: 0611 N walk F2 R1 F1 -> 0709 NE", state)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("reaver: fire SRM 6 + Medium Laser at alpha-2", "fire Medium Laser + SRM 6 at alpha-2"),
        ("reaver: FIRE srm6, med laser AT Alpha-2", "fire Medium Laser + SRM 6 at alpha-2"),
        (
            "reaver: twist R fire ac/5 at alpha-3; srm-6 at alpha-2",
            "twist right, fire Autocannon/5 at alpha-3, fire SRM 6 at alpha-2",
        ),
        (
            "reaver: fire ML at alpha-3 fire SRM 6 at alpha-2 primary alpha-2",
            "fire SRM 6 at alpha-2, fire Medium Laser at alpha-3",
        ),
        ("reaver: fire ac/5 (aimed at head) at alpha-2", "fire Autocannon/5 (aim HD) at alpha-2"),
        ("reaver: hold fire", "hold fire"),
        ("reaver: twist left, hold fire", "twist left, hold fire"),
        ("reaver: kick alpha-2 with the left leg", "kick alpha-2 left"),
        ("reaver: punch Alpha-2 both", "punch alpha-2 both"),
        ("reaver: push alpha-2", "push alpha-2"),
        ("reaver: no physical attack", "no physical attack"),
        ("reaver: stand still", "0611 N stand"),
        ("reaver: hold position", "0611 N stand"),
    ],
)
def test_what_people_type(words: str, expected: str) -> None:
    state = battle()
    assert order_in_words(order_from_words(words, state), state) == f"reaver: {expected}"


def test_a_movement_given_by_its_end_is_the_cheapest_listed_one() -> None:
    state = battle(at="0505")
    choices = MovementChoices(state, state.units)
    order = order_from_words("reaver: walk to 0709 NE", state, choices)
    assert order in choices
    assert (order.mode, order.to, order.facing) == ("walk", state.board.grid.parse("0709"), 1)
    any_facing = order_from_words("reaver: run to 0608", battle(at="0505"), choices)
    assert any_facing.mode == "run"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("reaver: wlak F2", "cannot read 'wlak' in 'wlak F2' (did you mean walk"),
        ("reever: walk F2", "there is no unit 'reever' (did you mean reaver?)"),
        ("reaver: walk F2 G1", "'G1' is no step"),
        ("reaver: walk F2 -> 0608 N", "ends at 0609 N, not at 0608 N"),
        ("reaver: 0612 N walk F1", "reaver stands in 0611 N, not in 0612 N"),
        ("reaver: walk F20", "leaves the board"),
        ("reaver: fire PPC at alpha-2", "Wolverine WVR-6R has no weapon 'PPC'"),
        ("reaver: fire SRM 6", "'SRM 6' names no target"),
        ("reaver: fire SRM 6 + SRM 6 at alpha-2", "no such SRM 6 left"),
        ("reaver: fire SRM 6 (inferno) at alpha-2", "cannot read 'inferno'"),
        ("reaver: twist backward, hold fire", "cannot read 'twist backward'"),
        ("reaver: kick", "names no target"),
        ("reaver: walk to 9901", "off the board"),
        ("reaver: evade to 0605", "evading is not part of this ruleset"),
        ("reaver: walk to 1601", "reaver cannot walk to 1601"),
        ("reaver walk F1", "is no order: write UNIT: what it does"),
    ],
)
def test_what_cannot_be_read_is_quoted(words: str, message: str) -> None:
    state = battle(at="0505", ruleset="standard")
    with pytest.raises(InputError) as refused:
        order_from_words(words, state, MovementChoices(state, [state.unit("reaver")]))
    assert message in str(refused.value)


def test_remarks_are_passed_over() -> None:
    text = "# head\n\nreaver: walk F1\n   5 of 5 MP: not an order\n> quoted: nor this\nalpha-2: stand\n"
    assert [line for _, line in order_lines(text)] == ["reaver: walk F1", "alpha-2: stand"]


def test_steps_count_repeats() -> None:
    assert path_in_words(("UP", "F", "F", "L", "SRB", "C+", "PRONE")) == "SU F2 L1 SRB1 C+ PRONE"
    assert path_from_words("su f2 l srb c+ prone") == ("UP", "F", "F", "L", "SRB", "C+", "PRONE")


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"orders": [{"unit": "ghost", "kind": "fire"}]}, "orders[0].unit"),
        ([{"unit": "reaver", "kind": "dance"}], "orders[0].kind"),
        ([{"unit": "reaver", "kind": "move", "mode": "walk", "to": "9999"}], "orders[0].to"),
        ([{"unit": "reaver", "kind": "move", "mode": "walk", "path": "F2"}], "orders[0].path"),
        ([{"unit": "reaver", "kind": "fire", "twist": "back"}], "orders[0].twist"),
        ([{"unit": "reaver", "attacks": [{"weapon": "PPC", "target": "alpha-2"}]}], "orders[0].attacks[0].weapon"),
        ([{"unit": "reaver", "attacks": [{"weapon": "SRM 6", "target": "nobody"}]}], "orders[0].attacks[0].target"),
        ("walk", ""),
    ],
)
def test_faulty_json_orders_name_their_place(data: object, place: str) -> None:
    with pytest.raises(InputError) as refused:
        orders_from_json(data, battle())
    assert refused.value.place == place


def test_json_orders_in_every_wrapping() -> None:
    state = battle(at="0505")
    order = order_from_words("reaver: walk F2 R1 F1", state)
    data = order_as_dict(order, state)
    assert data["to"] == "0709" and data["facing"] == "NE" and data["path"] == ["F", "F", "R", "F"]
    for wrapped in (data, [data], {"orders": [data], "turn": 3}):
        assert orders_from_json(wrapped, state) == [order]
