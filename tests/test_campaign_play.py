"""Battles played out under every ruleset and under mixes of switches: invariants, replays, moments that can be copied."""

from __future__ import annotations

import pytest

from opfor.dice import SeededDice
from opfor.formats.replay import ReplayRecorder, replay
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.game.loop import play_out
from opfor.gm.starting.mixes import mixed_ruleset
from opfor.rulesets import Ruleset, named_ruleset
from opfor.units.spec import KINDS
from policies.registry import make
from tests.skirmish import skirmish
from tests.test_play import BOARDS, battle_of

#: who plays whom, in turn
PAIRS = (("random", "random"), ("veteran", "random"), ("random", "veteran"), ("veteran", "veteran"))


def play_under(ruleset: Ruleset, seed: int, policies: tuple[str, str], size: int = 4) -> str:
    """A battle of all kinds of unit with invariants on, under a ruleset; returns its record."""
    state = skirmish(seed, board=BOARDS[seed % len(BOARDS)], limit=12, kinds=tuple(KINDS), size=size, ruleset=ruleset)
    battle = battle_of(state)
    battle.document["ruleset"] = {"base": "standard", **ruleset.values()}
    recorder = ReplayRecorder(battle)
    game = Game(state, SeededDice(seed))
    play_out(game, [make(policies[0], seed), make(policies[1], seed + 1)], [recorder, Invariants()])
    assert state.winner is not None
    return recorder.text()


@pytest.mark.parametrize("name", ["campaign", "mwii"])
@pytest.mark.parametrize("seed", range(3))
def test_random_games_hold_and_replay(name: str, seed: int) -> None:
    """E-1 to E-8, M-1 to M-10: no rule leads to a state that cannot be, and the record alone plays the game again."""
    text = play_under(named_ruleset(name), seed, ("random", "random"))
    assert replay(text, (Invariants(),)) == text


@pytest.mark.parametrize("seed", range(6))
def test_any_mix_of_switches_holds(seed: int) -> None:
    """Every switch may be turned by itself."""
    text = play_under(mixed_ruleset(seed), seed, ("random", "random"))
    assert replay(text, (Invariants(),)) == text


@pytest.mark.marathon
@pytest.mark.parametrize("chunk", range(20))
@pytest.mark.parametrize("name", ["standard", "campaign", "mwii", "mixes"])
def test_five_hundred_games_hold(name: str, chunk: int) -> None:
    """25 games a chunk, random and veteran against each other on every board."""
    for seed in range(chunk * 25, chunk * 25 + 25):
        ruleset = mixed_ruleset(seed) if name == "mixes" else named_ruleset(name)
        text = play_under(ruleset, seed, PAIRS[seed % 4])
        assert replay(text) == text, seed


@pytest.mark.parametrize("name", ["campaign", "mwii"])
def test_a_moment_can_be_copied(name: str) -> None:
    """M-9a: a battle copied while a unit is in the middle of its way goes on as the battle itself does."""
    game = Game(skirmish(5, size=3, limit=6, ruleset=name), SeededDice(5))
    policies = [make("random", 5), make("random", 6)]
    moments = 0
    while (decision := game.decision()) is not None:
        order = policies[decision.side].choose(decision, game.view(decision.side))
        if decision.kind == "opportunity":
            moments += 1
            twin = game.copy()
            twin_events = twin.apply(order)
            events = game.apply(order)
            assert [e.as_dict() for e in twin_events] == [e.as_dict() for e in events]
            one, two = game.decision(), twin.decision()
            assert repr(one) == repr(two)
            if one is not None and two is not None:
                assert one.legal.count() == two.legal.count()
        else:
            game.apply(order)
    assert moments >= (1 if name == "mwii" else 0)
