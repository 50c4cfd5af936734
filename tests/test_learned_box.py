"""The model in the box: it is there, small, honestly rated, and plays what a game master brings to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.rulesets import named_ruleset, ruleset_names
from policies.learned.card import card_page
from policies.learned.model import model_in_the_box
from policies.registry import make
from tests.cli_support import opfor_json, ridge
from tests.skirmish import skirmish

BOX = Path(__file__).parent.parent / "policies" / "learned" / "model" / "default.safetensors"
#: it ships with every install
LARGEST = 5_000_000


def test_it_is_small_and_its_page_is_its_card() -> None:
    assert BOX.stat().st_size < LARGEST
    card = model_in_the_box().card
    assert BOX.with_suffix(".md").read_text(encoding="utf-8") == card_page(card)
    assert card.command.startswith("opfor train default")


def test_it_says_what_it_is_worth() -> None:
    """Against every opponent by code, in two sets of battles that nothing was learnt from; losses are owned to."""
    card = model_in_the_box().card
    rated = {(one.against, one.where) for one in card.ratings}
    assert {against for against, _ in rated} >= {"veteran", "princess", "commander:fast"} and len(rated) >= 6
    for one in card.ratings:
        assert one.battles >= 40 and one.low <= one.score <= one.high and "held out" in one.where
        lost = one.high < 0.5
        assert any(one.against in words and one.where.removesuffix(", held out") in words for words in card.weaknesses) == lost


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_whom_it_fits(ruleset: str) -> None:
    """It was trained under the standard and the campaign's turn; where a turn goes otherwise it says so."""
    why = model_in_the_box().card.unfit(named_ruleset(ruleset))
    assert (why == "") == (ruleset in ("standard", "campaign")), why


@pytest.mark.parametrize("ruleset", ["standard", "campaign"])
def test_it_beats_the_random_player(ruleset: str) -> None:
    """A lance each to the end, from either side."""
    won = 0
    for number, mine in ((0, 0), (1, 1), (2, 0)):
        game = Game(skirmish(number, size=3, limit=15, ruleset=ruleset), SeededDice(number))
        players = [make("learned" if side == mine else "random:tree", seed=number) for side in (0, 1)]
        while (decision := game.decision()) is not None:
            game.apply(players[decision.side].choose(decision, game.view(decision.side)))
        won += game.state.winner == mine
    assert won >= 2


def test_a_game_master_gets_orders_with_reasons(tmp_path: Path) -> None:
    told = opfor_json("orders", ridge(tmp_path), "--policy", "learned")
    orders = [order for order in told["orders"] if order["unit"]]
    assert orders and all(order["reason"] for order in orders)
