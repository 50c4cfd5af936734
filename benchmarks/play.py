"""Self-play: decisions a second for the rules alone, and what a veteran's decision costs."""

from __future__ import annotations

import statistics
import time
from typing import Any

from opfor.dice import SeededDice
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.loop import play_out
from opfor.game.view import View
from opfor.orders import Order
from opfor.rules.moving.compiling import use_compiled
from policies.base import Policy
from policies.registry import make
from tests.skirmish import skirmish


class Stopwatch:
    """A policy that counts another's decisions and the processor time each kind takes."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.times: dict[str, list[float]] = {}

    def choose(self, decision: Decision, view: View) -> Order:
        """What the policy chooses, timed."""
        start = time.process_time()
        order = self.policy.choose(decision, view)
        self.times.setdefault(decision.kind, []).append(time.process_time() - start)
        return order


def _games(
    names: tuple[str, str], count: int, size: int, limit: int, ruleset: str = "standard"
) -> tuple[int, float, list[Stopwatch]]:
    watches: list[Stopwatch] = []
    decisions = 0
    start = time.process_time()
    for seed in range(count):
        sides = [Stopwatch(make(name, seed + i)) for i, name in enumerate(names)]
        game = Game(skirmish(seed, size=size, limit=limit, ruleset=ruleset), SeededDice(seed))
        play_out(game, sides, trust=True)
        watches.extend(sides)
        decisions += sum(len(times) for w in sides for times in w.times.values())
    return decisions, time.process_time() - start, watches


#: whole games of 4 v 4 measured: policy of both sides, ruleset, how many (at a glance, in full)
_SELF_PLAY = (
    ("random", "standard", 5, 30),
    ("random", "campaign", 3, 15),
    ("random:tree", "standard", 5, 30),
    ("random:tree", "campaign", 3, 15),
    ("veteran", "standard", 1, 4),
)


def self_play(quick: bool) -> list[dict[str, Any]]:
    """Decisions per processor-second of whole games, a policy against itself.

    Movement is searched by compiled code where numba is there, as long runs do; the game master's commands never do.
    """
    rows: list[dict[str, Any]] = []
    words = "compiled search" if use_compiled() else "plain search"
    for name, ruleset, few, many in _SELF_PLAY:
        # boards, catalogue, tables and compiled code are warm then
        _games((name, name), 2, 4, 3, ruleset)
        decisions, seconds, _ = _games((name, name), few if quick else many, 4, 30, ruleset)
        aim = "20,000 (SPEED)" if name != "veteran" else ""
        what = f"decisions a second, {name}, {ruleset}, 4 v 4, {words}"
        rows.append({"what": what, "value": decisions / seconds, "unit": "/s", "aim": aim})
    use_compiled(False)
    return rows


def veteran_decisions(quick: bool) -> list[dict[str, Any]]:
    """Mean and worst processor time of a veteran's decisions by kind."""
    rows = []
    for size, count in ((4, 1 if quick else 4), (12, 1)):
        _, _, watches = _games(("veteran", "veteran"), count, size, 12)
        by_kind: dict[str, list[float]] = {}
        for watch in watches:
            for kind, times in watch.times.items():
                by_kind.setdefault(kind, []).extend(times)
        for kind, times in by_kind.items():
            aim = "under 40" if kind == "movement" and size == 4 else ""
            mean = sum(times) / len(times) * 1e3
            rows.append({"what": f"veteran, {kind} decision {size} v {size}, mean", "value": mean, "unit": "ms", "aim": aim})
            rows.append({"what": f"veteran, {kind} decision {size} v {size}, worst", "value": max(times) * 1e3, "unit": "ms"})
    return rows


def commander_phases(quick: bool) -> list[dict[str, Any]]:
    """Processor time of one side's whole movement phase by the commander, in the thick of a battle, in plain Python as the
    game master's commands run; and of its decisions in its least effort."""
    rows = []
    for size, board in ((4, None), (12, "frontier"), (24, "frontier")):
        for code in ("commander", "commander:fast"):
            phases, decisions = _phases(code, size, board, 2 if quick else 4)
            middle = statistics.median(phases)
            aim = "under 2" if size == 4 and code == "commander" else ""
            rows.append({"what": f"{code}, a side's movement, {size} v {size}", "value": middle, "unit": "s", "aim": aim})
            if code == "commander:fast" and size == 4:
                mean = sum(decisions) / len(decisions) * 1e3
                rows.append({"what": f"{code}, a movement decision, mean", "value": mean, "unit": "ms", "aim": "under 50"})
                rows.append({"what": f"{code}, a movement decision, worst", "value": max(decisions) * 1e3, "unit": "ms"})
    return rows


def _phases(code: str, size: int, board: str | None, turns: int) -> tuple[list[float], list[float]]:
    """Seconds of each movement phase of a side, the first turn (tables filling) left out, and of its decisions."""
    game = Game(skirmish(1, board=board, size=size, limit=turns + 1), SeededDice(1))
    sides = [make("veteran", 1), make(code, 1)]
    spent: dict[int, list[float]] = {}
    while (decision := game.decision()) is not None:
        start = time.process_time()
        order = sides[decision.side].choose(decision, game.view(decision.side))
        if decision.side == 1 and decision.kind == "movement":
            spent.setdefault(decision.turn, []).append(time.process_time() - start)
        game.apply(order, trust=True)
    later = [times for turn, times in spent.items() if turn > 1]
    return [sum(times) for times in later], [one for times in later for one in times]
