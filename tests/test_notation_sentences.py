"""Orders in sentences, as players write them: what they mean, what is asked back, and that nothing else can be raised."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from opfor.dice import FedDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.orders import find_unit
from opfor.formats.words.conditions import read_condition
from opfor.formats.words.notation import order_from_words, order_in_words
from opfor.formats.words.notation_sentences import one_sentence, order_sentences, read_sentences
from opfor.formats.words.unit_names import units_named
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.physical import PhysicalChoices
from opfor.gm.running.control import carry_out
from opfor.orders import Order
from opfor.state import State

CASES = Path(__file__).parent / "cases" / "notation"
ROWS: dict[str, Any] = yaml.safe_load((CASES / "sentences.yaml").read_text(encoding="utf-8"))


@cache
def text_of_battle() -> str:
    return (CASES / "battle.yaml").read_text(encoding="utf-8")


def table(**changes: str) -> State:
    text = text_of_battle()
    for old, new in changes.items():
        text = text.replace(old, new)
    return read_battle(text).state


@cache
def movements() -> tuple[State, MovementChoices]:
    state = table()
    return state, MovementChoices(state, state.units)


@cache
def legal(unit: str) -> Any:
    """The legal movements of a unit as a list, worked out once."""
    state, choices = movements()
    return list(choices.of(state.unit(unit)).orders()) if unit in state.by_id else []


def meant(text: str, notes: list[str] | None = None) -> list[str]:
    """The orders that a text means, in the notation."""
    state, _ = movements()
    found = []
    for _, line in order_sentences(text, state):
        plain = read_condition(line, state) is None
        found.append(
            order_in_words(order_from_words(line, state, legal(line.partition(":")[0].lower()), notes), state)
            if plain
            else line
        )
    return found


@pytest.mark.parametrize("row", ROWS["sentences"], ids=lambda row: row["says"][:60])
def test_what_players_write(row: dict[str, Any]) -> None:
    assert meant(row["says"]) == row["is"]


@pytest.mark.parametrize("row", ROWS["refused"], ids=lambda row: row["says"][:60])
def test_what_is_asked_back(row: dict[str, Any]) -> None:
    with pytest.raises(InputError) as refused:
        meant(row["says"])
    for why in row["why"]:
        assert why.partition(": ")[2] in str(refused.value)


@pytest.mark.parametrize("wanted", ["0101", "1601", "0117", "1217"])
def test_the_nearest_hex_that_can_be_reached_is_named(wanted: str) -> None:
    """Of all hexes that a legal walk ends in, none is nearer to the one that is out of reach."""
    state, _ = movements()
    grid = state.board.grid
    with pytest.raises(InputError) as refused:
        meant(f"Reaver walks to {wanted}")
    named = str(refused.value).partition("it can walk to is ")[2][:4]
    ends = {grid.names[order.to] for order in legal("reaver") if order.mode == "walk"} - {"0611"}
    assert named in ends
    assert grid.distance(grid.parse(named), grid.parse(wanted)) == min(
        grid.distance(grid.parse(e), grid.parse(wanted)) for e in ends
    )


def test_there_are_enough_of_both() -> None:
    assert len(ROWS["sentences"]) >= 120 and len(ROWS["refused"]) >= 40


def test_all_problems_are_told_at_once_with_their_lines() -> None:
    with pytest.raises(InputError) as refused:
        meant("Reaver fires LMR at Ghost\n\nLance walks to 9999\nBob runs to 0709")
    told = str(refused.value).splitlines()
    assert told[0] == "orders: 3 things are not understood, and nothing is done:"
    assert [line.split(":")[0].strip() for line in told[1:]] == ["line 1", "line 3", "line 4"]


def test_the_way_that_is_taken_is_told_with_the_alternatives() -> None:
    """0611 N to 0709: F2 R1 F1 is 5 MP with the light woods, and NE is the facing it ends in."""
    notes: list[str] = []
    assert meant("Reaver walks to 0709 NE", notes) == ["reaver: 0611 N walk F2 R1 F1 -> 0709 NE"]
    assert notes[0].startswith("reaver: taken as walk F2 R1 F1 -> 0709 NE (5 MP, 3 hexes)")
    notes.clear()
    meant("Reaver runs to 0610", notes)
    assert "other facings there: NE 2 MP" in notes[0]


def test_what_an_alpha_strike_leaves_out_is_told() -> None:
    notes: list[str] = []
    assert meant("Lance alpha strikes Ghost", notes) == [
        "lance: fire LRM 20 (RT) + LRM 20 (LT) + Medium Laser (RA) + Medium Laser (LA) at alpha-1"
    ]
    assert notes == ["lance fires all that can hit alpha-1; left out: Medium Laser (CT rear #1), Medium Laser (CT rear #2)"]


def test_one_order_is_one() -> None:
    state = table()
    assert one_sentence("Ghost fires AC/20 at Grim", state) == "alpha-1: fire Autocannon/20 at reaver"
    with pytest.raises(InputError, match="one order is wanted, and these are 2"):
        one_sentence("Ghost fires AC/20 at Grim and kicks him left", state)


@pytest.mark.parametrize(
    ("word", "ids"),
    [
        ("alpha-1", ["alpha-1"]), ("ALPHA 1", ["alpha-1"]), ("alpha01", ["alpha-1"]), ("Alpha one", ["alpha-1"]),
        ("a1", ["alpha-1"]),
        ("Ghost", ["alpha-1"]), ("Lt. Ghost", ["alpha-1"]), ("the enemy Hunchback", ["alpha-1"]),
        ("HBK-4G", ["alpha-1"]),
        ("Wasp", ["alpha-2", "bravo-1"]), ("b-1", ["bravo-1"]), ("north-star", ["alpha-2"]), ("nobody", []),
        ("", []), ("-", []),
    ],
)  # fmt: skip
def test_names_of_units(word: str, ids: list[str]) -> None:
    assert [unit.id for unit in units_named(table(), word)] == ids


def test_a_name_that_fits_several_is_asked_back() -> None:
    with pytest.raises(InputError, match="'Wasp' fits several units: alpha-2, bravo-1"):
        find_unit(table(), "Wasp")


def test_a_text_is_played_whole_or_not_at_all() -> None:
    battle = read_battle(text_of_battle())
    done = carry_out(battle, "Lance holds position\nScorpion cruises to 1008 N\nReaver walks to 0709 facing NE", FedDice([]))
    assert done.orders[:3] == [
        "lance: 0114 N stand", "scorpion: 1010 N cruise F2 -> 1008 N", "reaver: 0611 N walk F2 R1 F1 -> 0709 NE",
    ]  # fmt: skip
    assert any(note.startswith("reaver: taken as walk") for note in done.understood)
    with pytest.raises(InputError, match="wlaks"):
        carry_out(battle, "Lance holds position\nReaver wlaks to 0709", FedDice([]))
    assert not battle.state.unit("lance").moved


# -- what is printed is read back -------------------------------------------------------------------------------------


def read_alone(text: str, state: State) -> Order:
    ((_, line),) = order_sentences(text, state)
    return order_from_words(line, state)


def printed(seed: int, moves: int = 60) -> list[tuple[Order, State]]:
    """Legal orders of all kinds, each with the battle in which it is given."""
    state, choices = movements()
    draw = random.Random(seed)
    found: list[tuple[Order, State]] = [(choices.sample(draw.randrange), state) for _ in range(moves)]
    later = table()
    for unit in later.units:
        unit.moved, unit.mode = True, unit.mode or "stand"
    fire, blows = FireChoices(later, later.units), PhysicalChoices(later, later.units)
    found += [(fire.sample(draw.randrange), later) for _ in range(40)]
    found += [(blows.sample(draw.randrange), later) for _ in range(20)]
    return found


def test_what_is_printed_is_read_back() -> None:
    for order, state in printed(3):
        words = order_in_words(order, state)
        assert read_alone(words, state) == order, words
        assert read_alone(f"> - **{words}**", state) == order, words


def test_what_is_printed_is_read_back_without_the_colon() -> None:
    for order, state in printed(4):
        words = order_in_words(order, state).replace(": ", " ", 1)
        if "PRONE" in words or getattr(order, "act", ""):
            continue
        assert read_alone(words, state) == order, words


# -- rubbish ----------------------------------------------------------------------------------------------------------

WORDS = r"""
    Reaver Ghost Lance Scorpion Charger Wasp alpha-1 A1 nobody walks runs jumps fires shoots kicks punches charges DFA turns
    facing twist turret alpha strikes prone stands up waits evades everything all both LRM MLs AC/5 lasers (RT) (rear) [b] [/b]
    <b> ** > - # 0709 07-09 7,9 9999 J10 hex NE north 6 -1 F2 R1 -> → to at with and then , ; . : & + ( ) [ ] { } ' " 🤖 é 2x
    three SU C+ when enters opportunity action swarm clear bomb artillery spotted by aim at head heat armour ٣ ² \ %s
"""
_BITS = [*WORDS.split(), "\ue000", "\ue0001\ue001", "\x00", " ", "\n", "\t", "", "\u200b", "(" * 30, "a" * 300, "9" * 40]


def rubbish(draw: random.Random) -> str:
    return draw.choice((" ", " ", "")).join(draw.choice(_BITS) for _ in range(draw.randrange(1, 14)))


@pytest.mark.parametrize("seed", range(4))
def test_rubbish_raises_nothing_but_input_errors(seed: int) -> None:
    state, _ = movements()
    draw = random.Random(seed)
    for _ in range(100):
        text = rubbish(draw)
        reading = read_sentences(text, state)
        for _, line in reading.lines if not reading.problems else ():
            try:
                if read_condition(line, state) is None:
                    order_from_words(line, state, legal(line.partition(":")[0].lower()))
            except InputError:
                pass


def test_shuffled_orders_raise_nothing_but_input_errors() -> None:
    state = table()
    draw = random.Random(9)
    for _ in range(80):
        words = draw.choice(ROWS["sentences"])["says"].split() + draw.choice(ROWS["refused"])["says"].split()
        draw.shuffle(words)
        read_sentences(" ".join(words), state)


def test_names_that_are_verbs_and_directions() -> None:
    """Units called as verbs, weapons or directions are spoken of by their ids; nothing is raised, and the others still work."""
    for name in ("Fire", "North", "LRM", "walks to", "(", "a", "9", "é", "0709", "[b]", "it", "Reaver's"):
        state = read_battle(text_of_battle().replace("name: Ghost", f"name: '{name.replace(chr(39), chr(39) * 2)}'")).state
        assert order_sentences("Reaver fires SRM at alpha-1, kicks alpha-1 left", state) == [
            (1, "reaver: fire SRM 6 at alpha-1"), (1, "reaver: kick alpha-1 left"),
        ]  # fmt: skip
