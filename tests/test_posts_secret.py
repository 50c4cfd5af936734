"""What the game master alone may read is in no post: hidden units, reasons, odds, alternatives, places of shells.

Tried from two sides. The types that the writers take have no room for any of it. And battles with hidden units of both sides,
everything private in them marked, are told of in every way there is, and the marks looked for.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import random
import re
import subprocess
import sys
import types
import typing
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.gm.advice.advise import advise
from opfor.gm.advice.clauses import clause
from opfor.gm.advice.common_knowledge import CommonKnowledge, told
from opfor.gm.advice.handout import orders_post, players_map, reaction_post, results_post, sheet_post, write_handout
from opfor.gm.advice.public import post_of
from opfor.gm.dice.rolls import roll_sheet
from opfor.gm.running.control import carry_out
from opfor.gm.running.react import react
from opfor.orders import Attack, CallOrder, FireOrder, MoveOrder
from opfor.report import advice as private
from opfor.report.advice import Advice, Attempt, Sum
from opfor.report.posts import bbcode, document, html, markdown, markup, plain, post, published, rpol, splitting
from opfor.report.posts.markup import MARKUPS
from opfor.rules.events import Event
from tests.cli_support import ROOT, opfor

WRITERS = (bbcode, document, html, markdown, markup, plain, post, published, rpol, splitting)
PRIVATE = {one for _, one in inspect.getmembers(private, inspect.isclass) if one.__module__ == private.__name__}
SECRET = "zqsecret"


# -- the types ---------------------------------------------------------------------------------------------------------


def reachable(hint: Any, seen: set[Any]) -> Iterator[Any]:
    """A type, what it is made of, and the types of its fields."""
    if id(hint) in {id(one) for one in seen if not isinstance(one, type)} or (isinstance(hint, type) and hint in seen):
        return
    seen.add(hint) if isinstance(hint, type) else None
    yield hint
    for part in typing.get_args(hint):
        yield from reachable(part, seen)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        for part in typing.get_type_hints(hint).values():
            yield from reachable(part, seen)


def callables(module: types.ModuleType) -> Iterator[Any]:
    for _, one in inspect.getmembers(module):
        if getattr(one, "__module__", "") != module.__name__:
            continue
        if inspect.isfunction(one):
            yield one
        elif inspect.isclass(one):
            yield from (made for _, made in inspect.getmembers(one, inspect.isfunction) if made.__module__ == module.__name__)


@pytest.mark.parametrize("module", WRITERS, ids=lambda m: m.__name__.rpartition(".")[2])
def test_writers_take_nothing_private(module: types.ModuleType) -> None:
    assert not PRIVATE & set(
        vars(module).values() if module is None else [v for v in vars(module).values() if isinstance(v, type)]
    )
    for function in callables(module):
        for name, hint in typing.get_type_hints(function).items():
            found = list(reachable(hint, set()))
            assert not PRIVATE & {one for one in found if isinstance(one, type)}, f"{function.__qualname__} {name}"
            assert Any not in found and dict not in found and object not in found, (
                f"{function.__qualname__} {name} takes anything"
            )


def test_what_is_published_has_no_room_for_what_is_private() -> None:
    """No field is one of the private types, and none is named after what is private."""
    found = list(reachable(published.Post, set()))
    assert published.Published in found and published.PublishedAttempt in found
    assert not PRIVATE & {one for one in found if isinstance(one, type)}
    names = {field.name for one in found if isinstance(one, type) and one.__module__ == published.__name__
             and dataclasses.is_dataclass(one) for field in dataclasses.fields(one)}  # fmt: skip
    assert not names & {"reason", "odds", "expected", "notes", "outlook", "figures", "data", "hidden", "alternatives", "policy"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("orders_document(advice)", 'incompatible type "Advice"; expected "Post"'),
        ("_order(advised, False)", 'incompatible type "Advised"; expected "Published"'),
        ("Post('b', 1, 'fire', 'standard', (advised,))", "expected"),
        ("pieces(advice, markup)", 'incompatible type "Advice"; expected "Document"'),
    ],
)
def test_the_type_checker_refuses_what_is_private(tmp_path: Path, call: str, message: str) -> None:
    source = tmp_path / "leak.py"
    source.write_text(
        "from opfor.report.advice import Advice, Advised\nfrom opfor.report.posts.markup import Markup\n"
        "from opfor.report.posts.post import _order, orders_document\nfrom opfor.report.posts.published import Post\n"
        "from opfor.report.posts.splitting import pieces\n\n"
        f"def leak(advice: Advice, advised: Advised, markup: Markup) -> object:\n    return {call}\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), str(source)],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 1 and message in done.stdout and "leak.py" in done.stdout, done.stdout


# -- battles -----------------------------------------------------------------------------------------------------------


def secret_battle(seed: int, ruleset: str = "standard", phase: str = "movement") -> tuple[Battle, set[str]]:
    """The town with hidden units on both sides, which bear marked ids and names; returns also the ids."""
    draw = random.Random(seed)
    text = (ROOT / "examples" / "town-24.yaml").read_text(encoding="utf-8")
    text = text.replace("ruleset: standard", f"ruleset: {ruleset}").replace("policy: veteran", "policy: random")
    text = text.replace("phase: movement", f"phase: {phase}")
    if ruleset == "campaign":
        text = text.replace("initiative: {order: [players, opfor]}", "initiative: {modifier: 1}")
    ids = re.findall(r"^  - id: (\S+)|^  - \{id: ([\w-]+)", text, re.MULTILINE)
    every = [one or other for one, other in ids]
    hidden = draw.sample(every, 8)
    for id in hidden:
        text = text.replace(f"  - id: {id}\n", f"  - id: {id}\n    hidden: true\n")
        text = text.replace(f"  - {{id: {id},", f"  - {{id: {id}, hidden: true,")
    for number, id in enumerate(hidden):
        text = re.sub(rf"(?<![\w-]){re.escape(id)}(?![\w-])", f"{SECRET}-{number}", text)
    battle = read_battle(text, source="secret")
    for unit in battle.state.units:
        if unit.hidden:
            unit.name = f"{SECRET} <b>name"
    return battle, {unit.id for unit in battle.state.units if unit.hidden}


def marked(advice: Advice) -> Advice:
    """The advice with a mark in all that players must not read."""
    mark = Attempt(Sum(SECRET, 7, SECRET, {"tn": 7, "modifiers": [], "odds": 0.123}), SECRET, 9, SECRET, 1.23, 0.123)
    for one in advice.advised:
        one.reason = f"{SECRET} reason"
        one.notes = [f"{SECRET} note"]
        one.outlook = [mark]
        one.figures = {"reason": SECRET, "odds": 0.123}
        one.order = replace(one.order, reason=f"{SECRET} reason")
        one.attempts = [replace(a, odds=0.12345, expected=98.765) for a in one.attempts]
        one.attempts = [
            replace(a, sum=replace(a.sum, data={**a.sum.data, "odds": 0.12345, "rule": SECRET})) for a in one.attempts
        ]
    advice.policy = f"{SECRET} policy"
    advice.questions = [*advice.questions, f"{SECRET} question"]
    advice.defaults = [f"{SECRET} default"]
    advice.landing = [f"{SECRET} lands"]
    advice.document = {**advice.document, SECRET: SECRET}
    return advice


def clean_of_secrets(text: str, where: str) -> None:
    assert SECRET not in text, f"{where}: ...{text[max(0, text.find(SECRET) - 200) :][:400]}"
    for word in ("12345", "98.76", "98,76", "12%", "12 %", '"odds"', '"reason"', '"expected'):
        assert word not in text, f"{where}: {word}"


def no_post_tells(seed: int, ruleset: str, phase: str) -> None:
    battle, hidden = secret_battle(seed, ruleset, phase)
    assert len(hidden) == 8
    advice = marked(advise(battle, seed=seed))
    assert {one.order.unit for one in advice.advised} & hidden, "its own hidden units act"
    for form in MARKUPS:
        clean_of_secrets("".join(orders_post(battle, advice, form, working=True)), f"{form} {ruleset} {phase}")
    shown = [one.unit for one in post_of(battle, advice).orders]
    assert shown and not set(shown) & hidden
    assert not any(one.order.reason for one in post_of(battle, advice).orders if one.order is not None)


PHASES = [("standard", "movement"), ("standard", "fire"), ("campaign", "movement"), ("campaign", "fire")]


@pytest.mark.parametrize(("ruleset", "phase"), PHASES)
def test_no_post_tells_of_what_is_hidden(ruleset: str, phase: str) -> None:
    no_post_tells(1, ruleset, phase)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize(("ruleset", "phase"), PHASES)
def test_no_post_tells_of_what_is_hidden_in_more_battles(seed: int, ruleset: str, phase: str) -> None:
    no_post_tells(seed, ruleset, phase)


@pytest.mark.parametrize("seed", range(2))
def test_no_file_for_players_tells_of_what_is_hidden(seed: int, tmp_path: Path) -> None:
    battle, hidden = secret_battle(seed, "campaign", ("movement", "fire")[seed % 2])
    advice = marked(advise(battle, seed=seed))
    names = {path.name for path in write_handout(battle, advice, tmp_path, form="html", working=True)}
    assert names == {
        "post.html", "orders.txt", "orders.json", "working.txt", "map.svg", "gm-notes.txt", "gm-orders.txt", "gm-orders.json",
    }  # fmt: skip
    for name in names:
        text = (tmp_path / name).read_text(encoding="utf-8")
        if name.startswith("gm-"):
            assert SECRET in text
        else:
            clean_of_secrets(text, name)
    # what everybody may read can be applied, and so can the game master's own
    units = {row["unit"] for row in json.loads((tmp_path / "orders.json").read_text())["orders"]}
    assert units and not units & hidden


@pytest.mark.parametrize("seed", range(2))
def test_hexes_of_hidden_units_are_not_told(seed: int) -> None:
    """Nobody else goes to the corner where a unit is hidden; its number stands in no post and no account."""
    battle, hidden = secret_battle(seed)
    state = battle.state
    grid = state.board.grid
    advice = advise(battle, seed=seed)
    shown = {grid.names[one.order.to] for one in post_of(battle, advice).orders if isinstance(one.order, MoveOrder)}
    shown |= {grid.names[unit.cell] for unit in state.units if not unit.hidden and unit.cell >= 0}
    text = "".join(orders_post(battle, advice, "text", working=True)) + (
        "".join(orders_post(battle, advice, "rpol", working=True))
    )
    secret = {grid.names[state.unit(id).cell] for id in hidden if state.unit(id).cell >= 0}
    secret |= {grid.names[o.to] for o in advice.orders if isinstance(o, MoveOrder) and o.unit in hidden}
    for name in secret - shown:
        assert not re.search(rf"\b{name}\b", text), name


@pytest.mark.parametrize("seed", range(2))
def test_the_players_map_is_that_of_a_battle_without_what_is_hidden(seed: int) -> None:
    battle, hidden = secret_battle(seed)
    advice = advise(battle, seed=seed)
    drawn = players_map(battle, advice)
    bare, _ = secret_battle(seed)
    for unit in bare.state.units:
        if unit.id in hidden or unit.aboard in hidden:
            unit.gone, unit.cell, unit.hidden, unit.aboard, unit.swarming = True, -1, False, "", ""
    for unit in bare.state.units:
        if unit.swarming in hidden:
            unit.swarming = ""
    bare.state.touch()
    without = replace(advice, advised=[one for one in advice.advised if one.order.unit not in hidden])
    assert drawn == players_map(bare, without)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("ruleset", ["standard", "campaign"])
def test_what_happened_tells_nothing_of_what_is_hidden(seed: int, ruleset: str) -> None:
    battle, hidden = secret_battle(seed, ruleset)
    words = 0
    for step in range(3):
        before = battle.state
        happened = []
        for one in advise(battle, seed=seed).advised:
            # chance may have put a unit elsewhere than its order supposes
            with suppress(InputError):
                outcome = carry_out(battle, f"{one.order.unit}: {one.words}", SeededDice(seed + step))
                battle.state, happened = outcome.state, happened + outcome.events
        outcome = carry_out(battle, "", SeededDice(seed + step), end_phase=True)
        battle.state, happened = outcome.state, happened + outcome.events
        text = "".join(results_post(battle, before, happened, "text"))
        still = {id for id in hidden if battle.state.unit(id).hidden}
        assert still
        for id in still:
            assert id not in text, text[max(0, text.find(id) - 200) :][:400]
        words += len(text)
    assert words > 1000


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("ruleset", ["standard", "campaign"])
def test_the_roll_sheet_tells_nothing_of_what_is_hidden(seed: int, ruleset: str) -> None:
    """Rolls of hidden units, and at them, are on the game master's sheet alone."""
    battle, hidden = secret_battle(seed, ruleset, "fire")
    orders = [one for one in advise(battle, policy="veteran").advised if isinstance(one.order, FireOrder)]
    sheet = roll_sheet(battle, "\n".join(f"{one.order.unit}: {one.words}" for one in orders), end_phase=True)
    assert any(unit in roll.why for roll in sheet.rolls for unit in hidden), "its own hidden units roll"
    for form in MARKUPS:
        text = "".join(sheet_post(sheet, form))
        assert "2d6" in text
        for unit in hidden:
            assert unit not in text, f"{form}: ...{text[max(0, text.find(unit) - 200) :][:400]}"


# -- single leaks, one by one ------------------------------------------------------------------------------------------

TABLE = """\
opfor: 1
name: Ford
ruleset: campaign
board: {size: 16x17, rows: []}
phase: fire
sides: {eridani: {}, opfor: {controller: opfor, policy: random}}
units:
  - {id: alpha-1, side: eridani, type: Wolverine WVR-6R, at: "0611", facing: N, moved: {mode: stand}}
  - {id: alpha-2, side: eridani, type: Archer ARC-2R, at: "0615", facing: N, moved: {mode: stand}}
  - {id: reaver, side: opfor, type: Marauder MAD-3R, at: "0604", facing: S, opportunity: true, moved: {mode: stand}}
  - {id: lance, side: opfor, type: Archer ARC-2R, at: "0903", facing: S, moved: {mode: stand}}
"""


def table(**changes: str) -> Battle:
    text = TABLE
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return read_battle(text)


def test_a_hidden_spotter_is_not_named() -> None:
    battle = table(**{"id: reaver,": "id: reaver, hidden: true,"})
    known = CommonKnowledge(battle.state, battle.sides_of("gm"))
    mount = next(m.index for m in battle.state.unit("lance").spec.mounts if m.name == "LRM 20")
    order = FireOrder("lance", 0, False, (Attack(mount, "alpha-1", "indirect", "reaver"),), "alpha-1", reason="secret")
    bare = known.bare(order)
    assert isinstance(bare, FireOrder)
    assert bare.attacks[0].spotter == "" and bare.reason == ""


def test_an_attack_at_somebody_hidden_is_not_told() -> None:
    battle = table(**{"id: alpha-2,": "id: alpha-2, hidden: true,"})
    known = CommonKnowledge(battle.state, battle.sides_of("gm"))
    both = FireOrder("lance", 0, False, (Attack(0, "alpha-1"), Attack(1, "alpha-2")), "alpha-2")
    bare = known.bare(both)
    assert isinstance(bare, FireOrder)
    assert [a.target for a in bare.attacks] == ["alpha-1"] and bare.primary == "alpha-1"
    assert known.bare(FireOrder("lance", 0, False, (Attack(1, "alpha-2"),), "alpha-2")) is None
    assert known.bare(MoveOrder("reaver", "run", ("F",), 0, 0, attack="charge", target="alpha-2")) is None


def test_calls_are_told_without_their_place() -> None:
    battle = table()
    known = CommonKnowledge(battle.state, battle.sides_of("gm"))
    assert known.bare(CallOrder("lance", "artillery", 0, "", 5)) is None


def test_passengers_of_a_hidden_carrier_are_hidden_too() -> None:
    text = TABLE + (
        '  - {id: apc, side: opfor, type: Maxim Heavy Hover Transport (Standard), at: "0901", facing: S, hidden: true}\n'
        "  - {id: foot, side: opfor, type: Foot Platoon (Rifle), aboard: apc}\n"
    )
    battle = read_battle(text)
    assert CommonKnowledge(battle.state, battle.sides_of("gm")).concealed == {"apc", "foot"}


def test_what_a_side_sees_alone_does_not_hide_the_other_from_the_post() -> None:
    """The Op Force that knows only what it sees is no reason to keep the players' own units from the players."""
    battle = table(**{"policy: random": "policy: random, knows: sees"})
    assert CommonKnowledge(battle.state, battle.sides_of("gm")).concealed == frozenset()


def test_events_of_a_unit_are_told_once_it_is_found() -> None:
    battle = table(**{"id: reaver,": "id: reaver, hidden: true,"})
    events = [
        Event("stood_up", "reaver", "S-2", {"at": "0604"}),
        Event("heated", "alpha-1", "S-7", {"by": "reaver", "weapon": "Flamer", "heat": 2}),
        Event("shell", "reaver", "E-35", {"weapon": "Long Tom", "at": "0611", "dice": [3, 4], "hit": True}),
        Event("announced", "lance", "E-4", {"call": "artillery at 0612"}),
        Event("revealed", "reaver", "A-5", {"at": "0604", "by": "alpha-1"}),
        Event("stood_up", "reaver", "S-2", {"at": "0604"}),
    ]
    found = told(battle.state, events, battle.sides_of("gm"))
    assert [(event.what, event.unit) for event in found] == [
        ("heated", "alpha-1"),
        ("shell", "an unseen unit"),
        ("revealed", "reaver"),
        ("stood_up", "reaver"),
    ]
    assert found[0].data["by"] == "an unseen unit"
    # the dice may be told, the battle is not
    assert events[1].data["by"] == "reaver", "the events themselves stay as they are"


def test_breaking_in_is_told_of_units_that_may_be_told_of() -> None:
    changes = {"phase: fire": "phase: movement", 'at: "0611", facing: N, moved: {mode: stand}': 'at: "0611", facing: N'}
    battle = table(**changes, **{"policy: random": "policy: veteran"})
    found = react(battle, "alpha-1: walk F3")
    (one,) = found.chosen
    (text,) = reaction_post(battle, found, "text")
    assert one.words in text and "breaking in" in text
    assert one.order.reason not in text and "expected damage" not in text and "or opportunity" not in text
    hidden = table(**changes, **{"policy: random": "policy: veteran", "id: reaver,": "id: reaver, hidden: true,"})
    found = react(hidden, "alpha-1: walk F3")
    assert found.chosen
    for form in MARKUPS:
        assert "reaver" not in "".join(reaction_post(hidden, found, form, working=True)).lower()


# -- the clause --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (MoveOrder("reaver", "walk", ("F",), 0, 3), "7 hexes from alpha-1"),
        (MoveOrder("reaver", "run", ("F", "EXIT"), 0, 3), "leaves the map"),
        (MoveOrder("reaver", "wait", (), 0, 3), "7 hexes from alpha-1"),
    ],
)
def test_the_clause_of_a_movement_is_read_off_the_map(order: MoveOrder, words: str) -> None:
    battle = table()
    grid = battle.state.board.grid
    # 0604 to 0611 are seven hexes down a column
    found = clause(battle.state, replace(order, to=grid.parse("0604")))
    assert found == ("" if order.mode == "wait" else words)


def test_clauses_of_fire() -> None:
    battle = table()
    state = battle.state
    at = lambda target: clause(state, FireOrder("reaver", 0, False, (Attack(0, target),), target))  # noqa: E731
    # seven hexes to alpha-1, eleven to alpha-2, open ground
    assert at("alpha-1") == "alpha-1 is the nearest enemy in sight"
    assert at("alpha-2") == "alpha-2 is in sight, 11 hexes away"
    state.unit("alpha-2").prone = True
    assert at("alpha-2") == "alpha-2 is prone"
    assert at("@0611") == "alpha-1 is in that hex"
    assert clause(state, FireOrder("reaver")) == ""
    state.unit("alpha-2").gone = True
    assert at("alpha-1") == "alpha-1 is the only enemy in sight"


def test_a_clause_names_cover_woods_and_who_is_out_of_sight() -> None:
    """A hill of level 3 in 0608 stands between the two in column 06 and not between reaver and whom stands aside."""
    text = TABLE.replace(
        "board: {size: 16x17, rows: []}", 'board: {size: 16x17, rows: []}\nterrain: {"0608": level 3, "0604": light woods}'
    )
    text = text.replace('at: "0615"', 'at: "0909"')
    state = read_battle(text).state
    order = MoveOrder("reaver", "stand", (), state.board.grid.parse("0604"), 3)
    assert clause(state, order) == "light woods; 6 hexes from alpha-2; out of sight of alpha-1"
    state.unit("alpha-2").gone = True
    assert clause(state, order) == "light woods; out of sight of every enemy"


def test_the_clause_does_not_depend_on_what_is_hidden() -> None:
    battle, hidden = secret_battle(3)
    advice = advise(battle, seed=3)
    first = [(one.unit, one.clause) for one in post_of(battle, advice).orders]
    grid = battle.state.board.grid
    for unit in battle.state.units:
        if unit.id in hidden and not unit.aboard and unit.cell >= 0:
            unit.cell = grid.cell(0, 0)
    battle.state.touch()
    assert first == [(one.unit, one.clause) for one in post_of(battle, advice).orders]


def test_the_game_masters_terminal_still_shows_all() -> None:
    printed = opfor("orders", ROOT / "examples" / "ridge-12.yaml", "--seed", 1).stdout
    assert "why:" in printed and "note:" in printed
