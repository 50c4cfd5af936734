"""Self-play for the rules that random battles seldom reach: small battles, made so that much is hit and much gives way.

    python -m tests.exercise FOLDER --games 100

The battles are data, in ``configs/ruletest/coverage/battles.yaml``. Each game has its own seed, so the same number of games
gives the same replays. Playing stops when all that is wanted has been seen; ``opfor rules --exercised FOLDER/*.gz`` counts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from opfor.dice import SeededDice
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.replay import ReplayRecorder
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.game.loop import play_out
from opfor.gm.policies import policy_named
from opfor.gm.rulebook.exercised import Exercised
from opfor.gm.ruletest.covering import document, folder, made_battles

#: groups of :mod:`opfor.gm.rulebook.exercised` of which everything is wanted, and single entries of others
WANTED_GROUPS = ("rules", "'Mech criticals", "vehicle criticals", "motive results", "crew effects")
WANTED = {
    "events": (
        "crash", "building_collapsed", "bridge_collapsed", "mines", "clears_mines", "ice", "broke_through", "bailed_out",
        "passengers_hit", "domino", "dropped", "beacon", "tagged", "must_withdraw", "accidental_fire", "munition",
        "inferno_reaches", "inferno_heat", "swarm_goes_on", "mines_laid",
        "announced", "shell", "spotting", "unobserved", "scatters", "burst", "bombs_away", "bombs",
    ),
    "physical attacks": ("punch", "kick", "push", "club", "hatchet", "sword", "charge", "dfa"),
}  # fmt: skip
GAMES = 100


def scenarios() -> tuple[dict[str, Any], ...]:
    """The battles, as the file tells them."""
    return made_battles()


def missing(counts: Exercised) -> list[str]:
    """What is wanted and has not been seen, as ``group: entry``."""
    found = [f"{name}: {entry}" for name in WANTED_GROUPS for entry in counts.groups[name].never]
    for name, entries in WANTED.items():
        found += [f"{name}: {entry}" for entry in entries if entry not in counts.groups[name].seen]
    return found


def battle(scenario: dict[str, Any]) -> dict[str, Any]:
    """The battle file of a scenario, to be read from anywhere."""
    return document(scenario, str(folder()))


def play(scenario: dict[str, Any], seed: int) -> str:
    """The replay of one game. Raises InvariantBroken where something is wrong."""
    fought = read_battle(json.dumps(battle(scenario)), source=scenario["name"])
    recorder = ReplayRecorder(fought)
    game = Game(fought.state, SeededDice(seed))
    choosers = [policy_named(name, seed=seed) for name in scenario["policies"]]
    play_out(game, choosers, (recorder, Invariants()))
    return recorder.text()


def turns(counts: Exercised) -> Iterator[dict[str, Any]]:
    """Scenarios in turn, without end: those that may still show something wanted, all of them where none says so."""
    while True:
        left = missing(counts)
        useful = [one for one in scenarios() if any(word in entry for word in one["shows"] for entry in left)]
        yield from useful or scenarios()


def games(most: int, into: Path | None = None) -> Iterator[tuple[str, Exercised]]:
    """Play until everything wanted has been seen, ``most`` games at most: the name of each game, and the counts so far."""
    counts = Exercised()
    for seed, scenario in zip(range(most), turns(counts), strict=False):
        text = play(scenario, seed)
        name = f"{seed:03}-{scenario['name'].replace(' ', '-')}"
        if into is not None:
            (into / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
        counts.read(text, source=name)
        yield name, counts
        if not missing(counts):
            return


def main(arguments: list[str] | None = None) -> int:
    """Play, tell how far it is, write the replays."""
    parser = argparse.ArgumentParser(prog="python -m tests.exercise", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the replays go")
    parser.add_argument("--games", type=int, default=GAMES, help=f"games at most ({GAMES})")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    left = ["nothing was played"]
    for name, counts in games(options.games, options.folder):
        left = missing(counts)
        print(f"{name}: {len(left)} wanted and not seen", file=sys.stderr, flush=True)
    print(f"not seen: {', '.join(left)}" if left else "everything wanted has been seen")
    return bool(left)


if __name__ == "__main__":
    sys.exit(main())
