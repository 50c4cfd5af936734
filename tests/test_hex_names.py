"""Maps whose hexes bear letters and numbers: read, printed and kept."""

from __future__ import annotations

from typing import Any

import pytest

from opfor.dice import FedDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.orders import find_target
from opfor.formats.words.hex_names import HexNames, read_hex_names
from opfor.formats.words.notation import order_from_words, order_in_words
from opfor.formats.words.notation_sentences import order_sentences
from opfor.formats.yaml_out import dump_document
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.movement import MovementChoices
from opfor.gm.running.control import carry_out
from opfor.gm.running.noting import noted
from opfor.hex import Grid, HexError
from opfor.state import State
from opfor.units.state import UnitState

TEXT = """\
opfor: 1
ruleset: campaign
board: {{size: 16x17, rows: ["0709 woods1"]}}
map_names: {names}
phase: movement
sides: {{players: {{}}, opfor: {{}}}}
units:
  - {{id: reaver, side: opfor, type: Wolverine WVR-6R, at: "{at}", facing: N}}
  - {{id: alpha-1, side: players, type: Hunchback HBK-4G, at: "0511", facing: SE}}
  - {{id: foot, side: players, type: Foot Platoon (Rifle), at: "0304"}}
"""


def battle(names: str = "letters", at: str = "0611") -> Any:
    return read_battle(TEXT.format(names=names, at=at))


@pytest.mark.parametrize(
    ("rule", "number", "name"),
    [
        ("letters", "0101", "A01"),
        ("letters", "1010", "J10"),
        ({"columns": "letters"}, "0611", "F11"),
        ({"columns": "letters", "first_column": "C"}, "0101", "C01"),
        ({"columns": "letters", "first_row": 0}, "0101", "A00"),
        ({"columns": "letters", "first_row": 10}, "0101", "A10"),
        ({"columns": "letters", "even_rows": -1}, "0611", "F10"),
        ({"columns": "letters", "even_rows": -1}, "0711", "G11"),
        ({"columns": "letters", "even_rows": 1}, "0611", "F12"),
        ({"columns": "letters", "skip": "IO"}, "0905", "J05"),
        ({"columns": "letters", "first_column": "Z"}, "0201", "AA01"),
        ({"columns": "letters", "order": "row"}, "0611", "11F"),
        ({"hexes": {"0101": "J10"}}, "0101", "J10"),
        ({"hexes": {"0101": "J10"}}, "0102", "0102"),
    ],
)
def test_names_of_hexes(rule: Any, number: str, name: str) -> None:
    plain = Grid(16, 17)
    grid = read_hex_names(rule).grid(plain)
    cell = plain.parse(number)
    assert grid.names[cell] == name
    assert grid.parse(name) == grid.parse(name.lower()) == cell
    # the number of the sheet is read beside it
    assert grid.parse(number) == cell


@pytest.mark.parametrize("words", ["J10", "j10", "J-10", "j 10", "J010", "1010"])
def test_spellings_of_a_hex(words: str) -> None:
    grid = HexNames().grid(Grid(16, 17))
    assert grid.names[grid.parse(words)] == "J10"


def test_a_hex_that_the_map_has_not() -> None:
    grid = HexNames().grid(Grid(16, 17))
    with pytest.raises(HexError, match="'Z99' is no hex of this map, which runs from A01 to P17"):
        grid.parse("Z99")
    with pytest.raises(HexError):
        Grid(16, 17).parse("J10")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("digits", "'digits' are no names for a map"),
        ("{colums: letters}", "map_names.colums"),
        ("{columns: numbers}", "map_names.columns"),
        ("{columns: letters, first_column: AA}", "map_names.first_column"),
        ("{columns: letters, first_column: I, skip: IO}", "map_names.first_column"),
        ("{columns: letters, first_row: -1}", "map_names.first_row"),
        ("{columns: letters, first_row: 0, even_rows: -1}", "map_names.even_rows"),
        ("{columns: letters, skip: 7}", "map_names.skip"),
        ('{hexes: {"9999": J10}}', "map_names.hexes.9999"),
        ('{hexes: {"0101": J10, "0102": J10}}', "two hexes are called J10"),
        ('{hexes: {"0101": "0202"}}', "'0202' is no name for a hex"),
        ("{hexes: 5}", "map_names.hexes"),
    ],
)
def test_names_that_cannot_be(names: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        battle(names)
    assert message in str(refused.value)


def test_a_battle_may_be_written_in_the_names_of_its_map() -> None:
    one, two = battle(at="0611").state, battle(at="F11").state
    assert one.unit("reaver").cell == two.unit("reaver").cell
    document = battle_document(battle())
    assert document["map_names"] == "letters" and document["units"][0]["at"] == "F11"
    again = read_battle(dump_document(document, False))
    assert battle_document(again) == document


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("Reaver walks to G9 facing NE", "reaver: F11 N walk F2 R1 F1 -> G09 NE"),
        ("Reaver walks F11 to G-09, NE", "reaver: F11 N walk F2 R1 F1 -> G09 NE"),
        ("Reaver walks to 0709 NE", "reaver: F11 N walk F2 R1 F1 -> G09 NE"),
        ("reaver: walk F2 R1 F1", "reaver: F11 N walk F2 R1 F1 -> G09 NE"),
        ("reaver: F11 N walk F2 R1 F1 -> G09 NE", "reaver: F11 N walk F2 R1 F1 -> G09 NE"),
        ("reaver: F2 R1 F1", "reaver: F11 N walk F2 R1 F1 -> G09 NE"),
        ("Reaver jumps to f-8 facing S", "reaver: F11 N jump -> F08 S"),
        ("foot walks to C5", "foot: C04 walk S1 -> C05"),
        ("Reaver fires AC at hex E12", "reaver: fire Autocannon/5 at hex E12"),
        ("Reaver fires AC at A1", "reaver: fire Autocannon/5 at alpha-1"),
        ("Reaver fires AC at hex A1", "reaver: fire Autocannon/5 at hex A01"),
    ],
)
def test_orders_in_the_names_of_the_map(says: str, words: str) -> None:
    state = battle().state
    ((_, line),) = order_sentences(says, state)
    order = order_from_words(line, state, MovementChoices(state, state.units))
    assert order_in_words(order, state) == words


def test_errors_speak_in_the_names_of_the_map() -> None:
    state: State = battle().state
    with pytest.raises(InputError, match="reaver stands in F11 N, not in G11"):
        order_from_words("reaver: G11 N walk F1", state)
    with pytest.raises(InputError, match="'Q99' is no hex of this map"):
        find_target(state, "hex Q99")


def test_what_is_printed_is_read_back() -> None:
    state = battle().state
    moves, fire = MovementChoices(state, state.units), FireChoices(state, state.units)
    orders = [*list(moves)[::23], *list(fire)[:40]]
    for order in orders:
        words = order_in_words(order, state)
        assert order_from_words(words, state) == order, words


def test_it_is_played_and_told_in_the_names_of_the_map() -> None:
    table = battle()
    done = carry_out(table, "Reaver runs to G9 NE", FedDice([]))
    assert done.orders[0].endswith("-> G09 NE")
    unit: UnitState = done.state.unit("reaver")
    assert done.state.board.grid.names[unit.cell] == "G09"
    assert battle_document(noted(table, "Reaver is at H7 facing S"))["units"][0]["at"] == "H07"
