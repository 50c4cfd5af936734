"""Battles played out, policy against policy: who won, in how many turns, with what left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opfor.dice import SeededDice
from opfor.formats.battle_file.battle import Battle
from opfor.formats.replay import ReplayRecorder
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.loop import Observer, play_out
from opfor.gm.policies import policy_named
from opfor.orders import Order
from opfor.report.posts.happenings import account
from opfor.rules.events import Event
from opfor.state import State


class Account:
    """An observer that keeps what happened in words."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def before(self, game: Game) -> None:
        """Nothing yet."""

    def ordered(self, game: Game, decision: Decision, order: Order) -> None:
        """Nothing: events tell."""

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        """Write the events down."""
        self.lines += account(events, short=True)

    def after(self, game: Game) -> None:
        """Nothing more."""


def play_battle(battle: Battle, codes: Sequence[str], seed: int, turns: int) -> tuple[dict[str, Any], Account, ReplayRecorder]:
    """Play one battle to its end with policies by side; at most until turn ``turns`` where it names no limit of its own.

    Returns the published result, the account and the replay. The battle itself is not changed.
    """
    fresh = Battle(battle.document, battle.state.copy(), battle.source, battle.path, controllers=battle.controllers)
    fresh.policies, fresh.base_board = battle.policies, battle.base_board
    state = fresh.state
    if not state.limit:
        state.limit = max(turns, state.turn)
    game = Game(state, SeededDice(seed))
    recorder, told = ReplayRecorder(fresh), Account()
    observers: tuple[Observer, ...] = (recorder, told)
    play_out(game, [policy_named(code, seed + side) for side, code in enumerate(codes)], observers)
    return _result(state, seed), told, recorder


def _result(state: State, seed: int) -> dict[str, Any]:
    left = {
        name: [
            {
                "unit": unit.id,
                "armor": sum(unit.armor),
                "structure": sum(unit.structure),
                "state": unit.destroyed or ("left the map" if unit.gone else "standing"),
            }
            for unit in state.units
            if unit.side == side
        ]
        for side, name in enumerate(state.sides)
    }
    winner = "" if state.winner is None else "draw" if state.winner < 0 else state.sides[state.winner]
    return {"seed": seed, "winner": winner, "turns": state.turn, "units": left}


def result_words(result: dict[str, Any]) -> str:
    """A result as a line."""
    standing = ", ".join(
        f"{name} {sum(1 for unit in units if unit['state'] == 'standing')} of {len(units)}"
        for name, units in result["units"].items()
    )
    outcome = "a draw" if result["winner"] in ("", "draw") else f"{result['winner']} wins"
    return f"seed {result['seed']}: {outcome} in turn {result['turns']}; left: {standing}"
