"""Observations over whole battles: of one size, within bounds, of what the side knows alone, the same whoever looks."""

from __future__ import annotations

import random
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from envs.actions import ACTIONS
from envs.features.lines import Lines, lines_of
from envs.features.slots import PLACE
from envs.features.units import GROUP as UNITS
from envs.layout import Column, Group, Layout
from envs.match import Match
from envs.observation import LAYOUT, SIZE, Observer
from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.game.legal.choices import QUESTIONS
from opfor.gm.starting.mixes import mixed_ruleset
from opfor.rulesets import named_ruleset
from policies.veteran.spots import STANDING, key_of
from tests.observations import KINDS, WEAPON, duel, rulesets, seen, sound, steps
from tests.skirmish import skirmish
from tests.support import make_board, make_state


@pytest.mark.parametrize("number", range(4))
def test_battles_of_all_kinds(number: int) -> None:
    """Whoever has looked on from the start sees what one sees who looks for the first time."""
    observer = Observer()
    state = skirmish(number, kinds=KINDS, size=3, limit=3, ruleset=rulesets()[number])  # type: ignore[arg-type]
    count = 0
    for match in steps(state, number):
        out = seen(match, observer)
        sound(match, out, observer)
        if count % 5 == 0:
            assert out.tobytes() == seen(match).tobytes()
            assert out.tobytes() == seen(match, observer).tobytes()
        count += 1
    assert count > 20


def test_fire_that_friends_have_declared_shows_on_its_target() -> None:
    """A medium laser at three hexes, gunnery 4: 33 in 36 for 5 points; nothing at the other enemy."""
    state = make_state(
        units=[
            {"id": "a", "at": "0805", "facing": "S", "mech": WEAPON},
            {"id": "c", "at": "0806", "facing": "S", "mech": WEAPON},
            {"id": "b", "side": 1, "at": "0808", "facing": "N"},
            {"id": "d", "side": 1, "at": "0811", "facing": "N"},
        ]
    )
    match = Match(Game(state, SeededDice(0)))
    shown = []
    for label in ("a", "straight ahead", "b"):
        assert match.walk is not None and match.walk.question is not None
        question = match.walk.question
        labels = [question.label(option) for option in range(question.options)]
        shown.append(LAYOUT.view(seen(match), "units")[:, UNITS.index("declared")].sum())
        match.step(1 + labels.index(label))
    assert shown == [0.0] * 3
    declared = LAYOUT.view(seen(match), "units")[:, UNITS.index("declared")]
    # the other side sees it, too: b stands first among its own
    assert declared[0] == pytest.approx(5 * 33 / 36 / 40) and declared.sum() == declared[0]
    while match.side == 1:
        match.step(0)
    declared = LAYOUT.view(seen(match), "units")[:, UNITS.index("declared")]
    # c acts: b is the nearer of its enemies
    assert declared[24] == pytest.approx(5 * 33 / 36 / 40) and declared.sum() == declared[24]


def test_passing_is_told_apart_from_every_option() -> None:
    for match in steps(skirmish(2, size=2, limit=2), 2, most=60):
        slots = LAYOUT.view(seen(match), "slots")
        assert slots[0, PLACE["passes"]] == 1.0 and not slots[1:, PLACE["passes"]].any()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_many_battles(seed: int) -> None:
    observer = Observer()
    kinds = KINDS if seed % 2 else ("mech",)
    ruleset = mixed_ruleset(seed) if seed % 3 == 0 else rulesets()[seed % 3]
    for match in steps(skirmish(seed, kinds=kinds, limit=6, ruleset=ruleset), seed):  # type: ignore[arg-type]
        sound(match, seen(match, observer), observer)


def test_the_largest_board_and_the_most_units() -> None:
    """64 x 64 hexes, 24 a side: all are shown."""
    state = skirmish(3, board=make_board(size=(64, 64)), size=24, limit=1)
    observer = Observer()
    for match in steps(state, 3, most=60):
        out = seen(match, observer)
        sound(match, out, observer)
        assert LAYOUT.view(out, "units")[:, LAYOUT.groups["units"].index("present")].sum() == 48


def test_more_units_than_there_is_room_for() -> None:
    """30 a side: the nearest 24 are shown, the acting unit first."""
    state = skirmish(4, board=make_board(size=(40, 40)), size=30, limit=1)
    grid = state.board.grid
    for match in steps(state, 4, most=20):
        out = seen(match)
        sound(match, out, Observer())
        units = LAYOUT.view(out, "units")
        assert units[:, LAYOUT.groups["units"].index("present")].sum() == 48
        assert match.walk is not None
        acting = state.unit(match.walk.unit)
        distances = units[24:, LAYOUT.groups["units"].index("distance")] * 32
        nearest = sorted([grid.distance(acting.cell, u.cell) for u in state.enemies(acting.side)])[:24]
        assert distances.tolist() == pytest.approx([min(32, n) for n in nearest], abs=1e-3)


def test_a_board_beyond_the_largest() -> None:
    state = skirmish(5, board=make_board(size=(90, 120)), size=2, limit=1)
    observer = Observer()
    for match in steps(state, 5, most=30):
        sound(match, seen(match, observer), observer)


def test_slots_follow_the_facts_of_their_options() -> None:
    """Row i + 1 is option i: where it lies, what it costs, who it is."""
    state = skirmish(6, limit=2)
    grid = state.board.grid
    checked = set()
    for match in steps(state, 6):
        assert match.walk is not None and match.walk.question is not None
        facts, here = match.walk.question.facts, state.unit(match.walk.unit).cell
        slots = LAYOUT.view(seen(match), "slots")
        if "cell" in facts:
            for option, cell in enumerate(facts["cell"]):
                dq, dr = grid.offset(here, int(cell))
                assert slots[option + 1, PLACE["east"]] == pytest.approx(dq / 32, abs=1e-5)
                assert slots[option + 1, PLACE["south"]] == pytest.approx((dr + dq / 2) / 32, abs=1e-5)
                assert slots[option + 1, PLACE["cost"]] == pytest.approx(min(1.0, facts["mp"][option] / 12), abs=1e-5)
                checked.add("cell")
        if match.walk.question.name == "unit":
            rows = LAYOUT.view(seen(match), "units")
            for option, id in enumerate(facts["unit"]):
                row = round(float(slots[option + 1, PLACE["what"]] * 24)) - 1
                tons = rows[row, LAYOUT.groups["units"].index("tons")]
                assert tons == pytest.approx(state.unit(id).spec.tons / 100)
                checked.add("unit")
    assert checked == {"cell", "unit"}


def test_a_changed_board_is_seen_as_it_is() -> None:
    """Woods that burn down, smoke that drifts: an observer that knew the board before sees what a new one sees."""
    state = duel(board={"0807": "heavy woods"})
    observer = Observer()
    match = Match(Game(state, SeededDice(1)))
    before = seen(match, observer)
    bare = state.board
    state.board = bare.changed({bare.grid.parse("0807"): replace(bare.at("0807"), woods=0, smoke=2, fire=True)})
    match = Match(Game(state, SeededDice(1)))
    after = seen(match, observer)
    assert after.tobytes() == seen(match).tobytes() != before.tobytes()
    state.board = bare
    assert seen(Match(Game(state, SeededDice(1))), observer).tobytes() == before.tobytes()


def test_copies_of_an_observer_begin_afresh_and_see_the_same() -> None:
    match = Match(Game(duel(), SeededDice(1)))
    observer = Observer()
    first = seen(match, observer)
    assert first.tobytes() == seen(match, deepcopy(observer)).tobytes()


def test_nothing_is_seen_of_a_battle_that_is_over() -> None:
    state = duel()
    state.winner = 0
    match = Match(Game(state, SeededDice(1)))
    with pytest.raises(ValueError, match="over"):
        seen(match)
    mask = np.ones(ACTIONS, dtype=np.bool_)
    Observer().mask(match, mask)
    assert not mask.any()


def test_the_layout_is_groups_in_a_row() -> None:
    layout = Layout((Group("one", "", 1, (Column("x", ""), Column("y", ""))), Group("two", "", 2, (Column("x", ""),))))
    flat = np.zeros(layout.size, dtype=np.float32)
    layout.view(flat, "two")[1, 0] = 3.0
    layout.view(flat, "one")[0, 1] = 2.0
    assert flat.tolist() == [0.0, 2.0, 0.0, 3.0]
    assert layout["two"] == slice(2, 4) and layout.read(flat, "two", "x", 1) == 3.0
    with pytest.raises(KeyError):
        layout.groups["one"].index("z")


def test_every_column_has_a_name_of_its_own_and_says_what_it_is() -> None:
    assert sum(group.size for group in LAYOUT.groups.values()) == SIZE
    for group in LAYOUT.groups.values():
        names = [column.name for column in group.columns]
        assert len(set(names)) == len(names), group.name
        assert all(len(column.what) > 3 for column in group.columns)
    assert all(f"asks_{name.replace(' ', '_')}" in {c.name for c in LAYOUT.groups["choice"].columns} for name in QUESTIONS)


@pytest.mark.parametrize("seed", range(3))
def test_lines_taken_over_from_a_board_before_are_those_of_the_board(seed: int) -> None:
    """Woods and smoke come and go in places; every line is as if nothing had been known before. Rule: S-3."""
    draw = random.Random(seed)
    words = ("clear", "light woods", "heavy woods", "level 2", "level 1, light smoke", "heavy smoke")
    board = make_board({f"{c:02d}{r:02d}": draw.choice(words) for c in range(1, 13) for r in range(1, 13)}, size=(12, 12))
    cells = np.array(board.grid.on_board, dtype=np.int32)
    ends = draw.sample(board.grid.on_board, 6)
    lines = lines_of(board, named_ruleset("standard"))
    for _ in range(6):
        lines.between([key_of(end, 0, STANDING) for end in ends], cells, STANDING)
        changes = {cell: replace(board.hexes[cell], smoke=draw.randrange(3)) for cell in draw.sample(board.grid.on_board, 4)}
        board = board.changed(changes)
        lines = lines_of(board, named_ruleset("standard"), lines)
        fresh = Lines(board, named_ruleset("standard"))
        keys = [key_of(end, 0, STANDING) for end in ends[:4]]
        ours = lines.between(keys, cells, STANDING)
        theirs = fresh.between(keys, cells, STANDING)
        assert (ours[0] == theirs[0]).all() and (ours[1] == theirs[1]).all()
