"""Battles played out: invariants after every order, replays to the same bytes, the waist's own manners."""

from __future__ import annotations

import json

import pytest

from opfor.board.library import board_names
from opfor.dice import SeededDice
from opfor.errors import IllegalOrder
from opfor.formats.battle_file.battle import Battle
from opfor.formats.replay import ReplayRecorder, replay
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.game.loop import play_out
from opfor.game.turns.standard import alternate
from opfor.orders import FireOrder, MoveOrder
from opfor.state import State
from opfor.units.spec import KINDS
from policies.registry import make
from tests.skirmish import skirmish

BOARDS = board_names()


def battle_of(state: State) -> Battle:
    """A battle as its file would give it, around a state made in a test."""
    return Battle({"board": state.board.name}, state, "test", controllers=("opfor", "opfor"), policies=("", ""))


def play_one(seed: int, policies: tuple[str, str], kinds: tuple[str, ...] = ("mech",), size: int = 4) -> str:
    """One battle with invariants on, on the board that the seed picks; returns its record."""
    state = skirmish(seed, board=BOARDS[seed % len(BOARDS)], limit=30, kinds=kinds, size=size)
    recorder = ReplayRecorder(battle_of(state))
    game = Game(state, SeededDice(seed))
    play_out(game, [make(policies[0], seed), make(policies[1], seed + 1)], [recorder, Invariants()])
    assert state.winner is not None
    return recorder.text()


@pytest.mark.parametrize("seed", range(6))
def test_random_games_hold_and_replay_to_the_same_bytes(seed: int) -> None:
    """S-1 to S-11: no rule leads to a state that cannot be, and the record alone plays the game again."""
    text = play_one(seed, ("random", "random"))
    assert replay(text, (Invariants(),)) == text


def test_a_game_is_the_same_for_the_same_seed() -> None:
    """Same battle, seed and version: same bytes."""
    assert play_one(3, ("random", "random")) == play_one(3, ("random", "random"))
    assert play_one(3, ("random", "random")) != play_one(4, ("random", "random"))


def test_a_veteran_game_holds_and_replays() -> None:
    """The same with a policy that means it."""
    text = play_one(1, ("veteran", "random"))
    assert replay(text) == text


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 500, 25))
def test_500_games_over_all_boards(start: int) -> None:
    """500 seeded 4 v 4 games, random and veteran mixed, over all boards, each replayed."""
    pairs = [("random", "random"), ("veteran", "random"), ("random", "veteran"), ("veteran", "veteran")]
    for seed in range(start, start + 25):
        text = play_one(seed, pairs[seed % 4])
        assert replay(text) == text


@pytest.mark.parametrize("seed", range(100, 104))
def test_mixed_games_hold_and_replay_to_the_same_bytes(seed: int) -> None:
    """S-9, S-10, E-12 to E-29: 'Mechs, vehicles, VTOLs, infantry and battle armour on both sides."""
    text = play_one(seed, ("random", "random"), tuple(KINDS), 6)
    assert replay(text, (Invariants(),)) == text


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 500, 25))
def test_500_mixed_games_over_all_boards(start: int) -> None:
    """500 seeded 6 v 6 games of combined arms, random and veteran mixed, over all boards, each replayed."""
    pairs = [("random", "random"), ("veteran", "random"), ("random", "veteran"), ("veteran", "veteran")]
    for seed in range(start, start + 25):
        text = play_one(seed, pairs[seed % 4], tuple(KINDS), 6)
        assert replay(text) == text


def test_a_replay_that_was_tampered_with_is_refused() -> None:
    """The record holds dice and events: another die is another game."""
    lines = play_one(5, ("random", "random")).splitlines(keepends=True)
    number, row = next((i, json.loads(line)) for i, line in enumerate(lines) if i and json.loads(line).get("dice"))
    row["dice"][0][0] = row["dice"][0][0] % 6 + 1
    lines[number] = json.dumps(row, separators=(",", ":")) + "\n"
    try:
        again = replay("".join(lines))
    except Exception:
        return
    assert again != "".join(lines)


def test_alternation_with_unequal_numbers() -> None:
    """S-2: while a side has twice the units left it acts with two for each of the other's."""
    assert alternate([0, 1], {0: 3, 1: 3}) == [0, 1, 0, 1, 0, 1]
    assert alternate([0, 1], {0: 3, 1: 2}) == [0, 1, 0, 0, 1]
    assert alternate([1, 0], {0: 2, 1: 5}) == [1, 1, 0, 1, 1, 1, 0]
    assert alternate([0, 1], {0: 1, 1: 4}) == [0, 1, 1, 1, 1]
    assert alternate([0, 1], {0: 4, 1: 0}) == [0, 0, 0, 0]


def test_only_the_side_to_act_may_act_and_nothing_changes_on_refusal() -> None:
    """E-1: an order of another side or phase is refused, and the battle stands as it stood."""
    state = skirmish(1)
    game = Game(state, SeededDice(1))
    decision = game.decision()
    assert decision is not None
    other = next(u for u in state.units if u.side != decision.side)
    before = (state.phase, list(state.queue), [u.cell for u in state.units], len(game.dice.log))
    for order in (
        MoveOrder(other.id, "stand", (), other.cell, other.facing),
        FireOrder(decision.unit_ids[0]),
        MoveOrder(decision.unit_ids[0], "walk", ("F",) * 20, other.cell, 0),
    ):
        with pytest.raises(IllegalOrder):
            game.apply(order)
        assert before == (state.phase, list(state.queue), [u.cell for u in state.units], len(game.dice.log))


def test_a_copy_of_a_game_plays_on_by_itself() -> None:
    """Lookahead lives on copies: neither sees the other's orders, and both roll the same dice."""
    game = Game(skirmish(2, limit=4), SeededDice(2))
    chooser = make("random", 9)
    for _ in range(11):
        decision = game.decision()
        assert decision is not None
        game.apply(chooser.choose(decision, game.view(decision.side)))
    twin = game.copy()
    ends = []
    for each in (twin, game):
        play_out(each, [make("random", 1), make("random", 2)])
        ends.append([(u.cell, u.armor, u.structure, u.heat, u.destroyed) for u in each.state.units])
    assert ends[0] == ends[1]


def test_a_hidden_unit_is_not_in_the_view() -> None:
    """Hidden is hidden: the side's copy holds nothing to be read of where the unit is."""
    state = skirmish(3)
    game = Game(state, SeededDice(3))
    unit = state.units[-1]
    unit.hidden = True
    assert game.view(unit.side).state.units[-1].cell == unit.cell
    seen = game.view(1 - unit.side).state
    assert seen.units[-1].gone and seen.units[-1].cell == -1
    assert unit not in seen.enemies(1 - unit.side)
    seen.units[0].heat = 30
    assert state.units[0].heat == 0
