"""What own rules cost: whole battles without any, and with each way to write one. ``python -m benchmarks.own_rules``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.game.loop import play_out
from opfor.own_rules.given import giving
from opfor.rules.moving.compiling import use_compiled
from opfor.rulesets import Ruleset, read_ruleset
from policies.registry import make
from tests.skirmish import skirmish

#: games of each policy in a round; what counts is the quickest of the rounds
GAMES = {"random:tree": 12, "veteran": 2}
ROUNDS = 5
#: rules that are asked and never say anything, so that the battles stay the same
_NEVER = {"turn_at_least": 99}
_DATA: dict[str, Any] = {
    "without": {},
    "a modifier by units": {"own_modifiers": [{"name": "x", "when": {"attacker": {"moved": "run"}, **_NEVER}, "value": 1}]},
    "a modifier by weapon": {"own_modifiers": [{"name": "x", "when": {"range": "long", **_NEVER}, "value": 1}]},
}
_CODE = {
    "to_hit in Python": "def to_hit(shot): return []",
    "movement_cost in Python": "def movement_cost(step): return []",
    "piloting in Python": "def piloting(roll): return []",
    "end_of_phase in Python": "def end_of_phase(play, phase): pass",
}


def rulesets(folder: Path) -> dict[str, Ruleset]:
    """Standard rules with each kind of own rule."""
    found = {name: read_ruleset({"base": "standard", **own}) for name, own in _DATA.items()}
    for number, (name, text) in enumerate(_CODE.items()):
        path = folder / f"own{number}.py"
        path.write_text(f"RULES = {{'x': 'x'}}\n{text}\n", encoding="utf-8")
        with giving(path):
            found[name] = read_ruleset("standard")
    return found


def battles(code: str, ruleset: Ruleset) -> Callable[[], None]:
    """Some 4 v 4 battles of eight turns, the same each time."""

    def play() -> None:
        for seed in range(1, GAMES[code] + 1):
            game = Game(skirmish(seed, size=4, limit=8, ruleset=ruleset), SeededDice(seed))
            play_out(game, [make(code, 1), make(code, 2)])

    return play


def main() -> None:
    """Print the processor time of each as a multiple of that without own rules; the cases take turns."""
    use_compiled()
    with TemporaryDirectory() as folder:
        every = rulesets(Path(folder))
    for code in GAMES:
        best = dict.fromkeys(every, float("inf"))
        for _ in range(ROUNDS + 1):
            for name, ruleset in every.items():
                play = battles(code, ruleset)
                begun = process_time()
                play()
                best[name] = min(best[name], process_time() - begun)
        sys.stdout.write(f"{code}\n")
        for name, seconds in best.items():
            sys.stdout.write(f"  {name:26} {seconds:7.3f} s  {seconds / best['without']:5.2f}\n")


if __name__ == "__main__":
    main()
