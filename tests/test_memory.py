"""What a battle leaves behind: nothing. Boards that changed in it, its states and its units go when it goes."""

from __future__ import annotations

import gc
from collections import Counter

import pytest

from opfor.board.board import Board
from opfor.board.library import board_names
from opfor.dice import SeededDice
from opfor.formats.library import board_named
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.loop import play_out
from opfor.rules.events import Event
from opfor.rules.moving.search_cache import SEARCHES
from opfor.rules.play import Play
from opfor.state import State
from opfor.units.state import UnitState
from policies.registry import make
from tests.skirmish import skirmish

EVERY = ("mech", "vehicle", "vtol", "infantry", "battle_armor")
#: what belongs to one battle and no other
OF_A_BATTLE = (Board, State, UnitState, Game, Play, Decision, Event)


def _alive() -> Counter[str]:
    """How many there are of each; the stand-ins of hexes belong to their board, and the latest searches have a budget."""
    SEARCHES.clear()
    gc.collect()
    found = [one for one in gc.get_objects() if type(one) in OF_A_BATTLE]
    return Counter(type(one).__name__ for one in found if not (isinstance(one, UnitState) and one.spec.kind == "hex"))


def _play(seed: int, board: str, ruleset: str, policy: str, limit: int) -> None:
    game = Game(skirmish(seed, board, size=4, kinds=EVERY, limit=limit, ruleset=ruleset), SeededDice(seed))
    play_out(game, [make(policy, seed), make(policy, seed + 1)], trust=True)
    assert game.over


@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
def test_nothing_of_a_battle_outlives_it(ruleset: str) -> None:
    """Whatever is kept for later battles (searches, sight, target numbers) holds on to none of it."""
    for name in board_names():
        board_named(name)
    before = _alive()
    assert before["Board"] >= len(board_names())
    for seed in range(3):
        _play(seed, "deep-woods" if seed % 2 else "market-town", ruleset, ("random", "random:tree")[seed % 2], 3)
    assert _alive() == before


@pytest.mark.slow
def test_nothing_stays_of_many_battles() -> None:
    """Over all boards, by the campaign's rules, the veteran among those who play."""
    for name in board_names():
        board_named(name)
    before = _alive()
    for seed, name in enumerate(board_names() * 3):
        _play(seed, name, "campaign", ("random", "random:tree", "veteran")[seed // len(board_names())], 3)
    assert _alive() == before
