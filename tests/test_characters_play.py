"""Each character plays as it is called, each dial does what it says, and who judges better wins more."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from opfor.dice import SeededDice
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.view import View
from opfor.orders import FireOrder, MoveOrder
from opfor.state import State
from policies.registry import make
from policies.veteran import VeteranPolicy
from policies.veteran.aspects import aspects
from policies.veteran.characters import characters, weights_of
from policies.veteran.weights import Weights, standard
from tests.character_play import measured
from tests.skirmish import skirmish
from tests.support import make_state

CASES = Path(__file__).parent / "cases" / "characters"
PLAY: list[dict[str, Any]] = yaml.safe_load((CASES / "play.yaml").read_text(encoding="utf-8"))
DIALS: list[dict[str, Any]] = yaml.safe_load((CASES / "aspects.yaml").read_text(encoding="utf-8"))
QUICK, LONG = range(6), range(12)
LASERS = {"weapons": {"RA": ["is_medium_laser"], "LA": ["is_medium_laser"], "RT": ["is_large_laser"]}}


# -- falling back -----------------------------------------------------------------------------------------------------


def hurt_unit(share: float, **more: Any) -> State:
    """A duel on open ground; of ``a``, whose home edge is the northern one, about so much of every location is gone."""
    state = make_state(
        phase="movement",
        units=[
            {"id": "a", "at": "0809", "facing": "S", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0813", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ],
        **more,
    )
    state.edges = ["north", "south"]
    unit = state.unit("a")
    unit.armor = [round(points * (1 - share)) for points in unit.spec.armor]
    unit.structure = [max(1, round(points * (1 - share))) for points in unit.spec.structure]
    state.touch()
    return state


def move_of(state: State, parameters: str, unit: str = "a") -> MoveOrder:
    decision = Decision(state, state.unit(unit).side, [state.unit(unit)])
    order = VeteranPolicy(0, parameters).choose(decision, View(state, decision.side))
    assert isinstance(order, MoveOrder)
    assert order in decision.legal
    return order


def test_who_is_hurt_enough_falls_back_and_goes_on_fighting() -> None:
    """Withdrawal at 9: falls back with 32 hundredths of its points gone, 68 and less of its side's strength are left."""
    state = hurt_unit(0.4)
    rows = state.board.grid.rows
    back = move_of(state, "withdrawal=9")
    assert "falls back toward its home edge" in back.reason
    assert rows[back.to] < rows[state.unit("a").cell]
    assert "EXIT" not in back.path
    for parameters in ("", "withdrawal=5", "withdrawal=0", "berserker"):
        assert "falls back" not in move_of(state, parameters).reason


def test_who_is_whole_stays_and_so_does_who_has_no_home_edge() -> None:
    assert "falls back" not in move_of(hurt_unit(0.0), "withdrawal=10").reason
    lost = hurt_unit(0.4)
    lost.edges = ["", ""]
    assert "falls back" not in move_of(lost, "withdrawal=10").reason


def test_it_leaves_the_map_only_where_that_is_legal() -> None:
    """At its edge it stays on the map until the rules let it go: S-11."""
    state = hurt_unit(0.4)
    state.unit("a").cell = state.board.grid.parse("0801")
    state.touch()
    assert "EXIT" not in move_of(state, "withdrawal=10").path
    state.withdrawing[0] = True
    state.touch()
    assert "EXIT" in move_of(state, "withdrawal=10").path


def test_a_side_gives_up_together() -> None:
    """Of two of 50 tons one is destroyed: half of the strength is left, and who gives up below 80 falls back unhurt."""
    state = make_state(
        phase="movement",
        units=[
            {"id": "a", "at": "0809", "facing": "S", "mech": LASERS},
            {"id": "c", "at": "0303", "facing": "S", "mech": LASERS, "destroyed": "test"},
            {"id": "b", "side": 1, "at": "0813", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ],
    )
    state.edges = ["north", "south"]
    assert weights_of("withdrawal=10").gives_up == 80
    assert "falls back" in move_of(state, "withdrawal=10").reason
    # 32 at 7
    assert weights_of("withdrawal=7").gives_up == 32
    assert "falls back" not in move_of(state, "withdrawal=7").reason


# -- what they do -----------------------------------------------------------------------------------------------------


def test_the_merciless_fire_at_the_weak_and_the_merciful_at_the_whole() -> None:
    """Two enemies at the same range, one of them stripped of its weapons and so crippled."""
    state = make_state(
        phase="fire",
        units=[
            {"id": "a", "at": "0808", "facing": "S", "mech": LASERS},
            {"id": "whole", "side": 1, "at": "0711", "facing": "N", "mech": LASERS},
            {"id": "weak", "side": 1, "at": "0911", "facing": "N", "mech": LASERS},
        ],
    )
    weak = state.unit("weak")
    weak.mounts_lost = 0b111
    state.touch()

    def target(parameters: str) -> str:
        decision = Decision(state, 0, [state.unit("a")])
        order = VeteranPolicy(0, parameters).choose(decision, View(state, 0))
        assert isinstance(order, FireOrder)
        return order.primary

    assert target("mercilessness=0") == "whole"
    assert weights_of("mercilessness=10").crippled_target > 1.0 > weights_of("mercilessness=0").crippled_target


def _ids(row: dict[str, Any]) -> str:
    return f"{row.get('who', row.get('aspect'))} {row['measure']}"


def check(row: dict[str, Any], more: str, less: str, seeds: range) -> None:
    """``more`` must exceed ``less`` in a measure by so much, or fall short of it."""
    by = measured(row["measure"], more, seeds) - measured(row["measure"], less, seeds)
    assert by >= row["by"] if row["by"] > 0 else by <= row["by"], f"{by:.2f}"


@pytest.mark.parametrize("row", [row for row in PLAY if row.get("quick")], ids=_ids)
def test_characters_play_as_they_are_called(row: dict[str, Any]) -> None:
    check(row, f"veteran:{row['who']}", "veteran", QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("row", PLAY, ids=_ids)
def test_characters_play_as_they_are_called_in_more_games(row: dict[str, Any]) -> None:
    check(row, f"veteran:{row['who']}", "veteran", LONG)


@pytest.mark.slow
@pytest.mark.parametrize("row", DIALS, ids=_ids)
def test_each_dial_does_what_it_says(row: dict[str, Any]) -> None:
    check(row, f"veteran:{row['aspect']}=10", f"veteran:{row['aspect']}=0", LONG)


def test_every_character_and_aspect_is_held_to_something() -> None:
    assert {row["who"] for row in PLAY} == set(characters()) - {"standard"}
    assert {row["aspect"] for row in DIALS} == set(aspects())
    assert set(standard()) == {field.name for field in fields(Weights)}


def points(code: str, other: str, seeds: range) -> float:
    """Points of ``code`` in games of 3 v 3 of 15 turns at most, each battle once from either side: 1 a win, 0.5 a draw."""
    total = 0.0
    for seed in seeds:
        for seat in (0, 1):
            game = Game(skirmish(seed, size=3, limit=15), SeededDice(seed))
            choosers = [make(code, seed), make(other, seed)]
            if seat:
                choosers.reverse()
            while (decision := game.decision()) is not None:
                game.apply(choosers[decision.side].choose(decision, game.view(decision.side)), trust=True)
            winner = game.state.winner
            total += 0.5 if winner is None or winner < 0 else float(winner == seat)
    return total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "other", "least"),
    [
        ("veteran:elite", "veteran:green", 17),
        ("veteran:elite", "veteran:regular", 14),
        ("veteran:regular", "veteran:green", 14),
        ("commander:elite/fast", "commander:green", 17),
        ("veteran:green", "random", 20),
    ],
)
def test_who_judges_better_wins_more(code: str, other: str, least: int) -> None:
    """Of 24 points: 17 and more would be one time in thirty were both as good."""
    assert points(code, other, range(12)) >= least
