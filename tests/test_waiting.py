"""Who may wait with its movement. Rule: E-3."""

from __future__ import annotations

import random
from dataclasses import replace

from opfor.dice import SeededDice
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.legal.movement import MovementChoices
from opfor.orders import MoveOrder
from tests.skirmish import skirmish


def _may_wait(decision: Decision) -> bool:
    return any(isinstance(order, MoveOrder) and order.mode == "wait" for order in decision.legal)


def test_who_has_begun_to_move_does_not_wait() -> None:
    """A player that won initiative and stops on its way to fire goes on afterwards: it has no movement left to wait with."""
    game = Game(skirmish(3, size=2, ruleset="campaign"), SeededDice(3))
    pick = random.Random(3)
    stopped = 0
    while stopped < 3 and (decision := game.decision()) is not None and game.state.turn < 12:
        if decision.kind == "movement" and game.state.phase == "initiative":
            unit = decision.units[0]
            if unit.complex_action == "pause" or unit.mp_spent:
                stopped += 1
                assert not _may_wait(decision)
                assert isinstance(decision.legal, MovementChoices)
                order = replace(decision.legal.of(unit).stand(), mode="wait")
                assert decision.legal.why_not(order) == "it has begun to move"
            elif _may_wait(decision):
                stops = [o for o in decision.legal if isinstance(o, MoveOrder) and o.act == "pause"]
                if stops:
                    game.apply(stops[pick.randrange(len(stops))])
                    continue
        game.apply(decision.legal.sample(pick.randrange))
    assert stopped == 3
