"""The combined-arms example played: invariants hold, it is saved at any moment, its record plays again. Rule: S-9, S-10."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from opfor.dice import SeededDice
from opfor.formats.battle_file.battle import Battle, load_battle, read_battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.orders import order_as_dict, order_from_dict
from opfor.formats.replay import ReplayRecorder, replay
from opfor.formats.words.notation import order_from_words, order_in_words
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.game.loop import play_out
from opfor.gm.policies import policy_named
from opfor.orders import Order
from opfor.report.posts.happenings import account
from opfor.rules.events import Event
from tests.cli_support import ROOT, opfor, opfor_json
from tests.test_battle_file import same_state

TOWN = ROOT / "examples" / "town-24.yaml"


class Saver:
    """Saves the battle after every few orders, and reads it back as it stands; orders come back from words and JSON."""

    def __init__(self, battle: Battle, every: int) -> None:
        self.battle = battle
        self.every = every
        self.count = 0
        self.lines: list[str] = []

    def before(self, game: Game) -> None:
        """Nothing yet."""

    def ordered(self, game: Game, decision: Decision, order: Order) -> None:
        """The order is written and read."""
        words = order_in_words(order, game.state)
        assert order_from_words(words, game.state) == order, words
        data = order_as_dict(order, game.state)
        assert order_from_dict(data, game.state) == order, data

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        """What happened is put in words; now and then the battle is saved."""
        self.lines += account(events)
        self.count += 1
        if self.count % self.every == 0:
            self.battle.state = game.state
            again = read_battle(json.dumps(battle_document(self.battle)))
            same_state(game.state, again.state)
            assert battle_document(again) == battle_document(self.battle)

    def after(self, game: Game) -> None:
        """Nothing more."""


def play(seed: int, turns: int, policy: str = "random") -> tuple[Saver, ReplayRecorder]:
    battle = load_battle(TOWN)
    battle.state.limit = battle.state.turn + turns - 1
    saver = Saver(load_battle(TOWN), 9)
    recorder = ReplayRecorder(battle)
    sides = [policy_named(policy, seed + side) for side in (0, 1)]
    play_out(Game(battle.state, SeededDice(seed)), sides, (Invariants(), saver, recorder))
    return saver, recorder


def test_the_town_plays_is_saved_and_plays_again() -> None:
    saver, recorder = play(5, 2)
    assert replay(recorder.text()) == recorder.text()
    assert saver.count > 40 and len(saver.lines) > 100
    assert not [line for line in saver.lines if "{" in line or "  " in line.strip()]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_more_of_the_town(seed: int) -> None:
    play(seed, 6)


@pytest.mark.slow
def test_the_veteran_in_the_town() -> None:
    play(1, 4, "veteran")


@pytest.mark.slow
def test_what_orders_prints_apply_accepts_in_the_town(tmp_path: Path) -> None:
    """A turn by commands alone: the Op Force's orders as printed, the players' units standing still."""
    path = tmp_path / "town.yaml"
    path.write_text(TOWN.read_text(encoding="utf-8"), encoding="utf-8")
    for phase in ("movement", "fire", "physical"):
        assert load_battle(path).state.phase == phase
        printed = opfor("orders", path, "--seed", 2, "--out", tmp_path / phase).stdout
        for name in ("post.txt", "working.txt", "gm-notes.txt", "orders.json", "map.svg"):
            assert (tmp_path / phase / name).stat().st_size > 0
        if phase == "movement":
            assert "elementals: 0711" in printed and "expected damage" not in (tmp_path / phase / "post.txt").read_text()
        opfor("apply", path, tmp_path / phase / "orders.json", "--seed", 3, "--end-phase")
    assert opfor_json("check", path)["ok"]
