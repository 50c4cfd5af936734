"""Self-play for the rules that random battles seldom reach: small battles, made so that much is hit and much gives way.

    python -m tests.exercise FOLDER --games 100

The battles are data, in ``tests/data/exercise/scenarios.yaml``. Each game has its own seed, so the same number of games
gives the same replays. Playing stops when all that is wanted has been seen; ``opfor rules --exercised FOLDER/*.gz`` counts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from opfor.dice import SeededDice
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.replay import ReplayRecorder
from opfor.formats.units import load_unit
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.game.loop import play_out
from opfor.gm.policies import policy_named
from opfor.gm.rulebook.exercised import Exercised
from opfor.tables import load_yaml
from opfor.units.catalogue import unit_named
from opfor.units.spec import ARMOR_NAMES, UnitSpec

DATA = Path(__file__).parent / "data" / "exercise"
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
SIDES = ("alpha", "bravo")
_FACING = ("S", "N")
_EDGES = ("north", "south")
GAMES = 100


@cache
def scenarios() -> tuple[dict[str, Any], ...]:
    """The battles, as the file tells them."""
    return tuple(load_yaml((DATA / "scenarios.yaml").read_text(encoding="utf-8")))


def missing(counts: Exercised) -> list[str]:
    """What is wanted and has not been seen, as ``group: entry``."""
    found = [f"{name}: {entry}" for name in WANTED_GROUPS for entry in counts.groups[name].never]
    for name, entries in WANTED.items():
        found += [f"{name}: {entry}" for entry in entries if entry not in counts.groups[name].seen]
    return found


def battle(scenario: dict[str, Any]) -> dict[str, Any]:
    """The battle file of a scenario: its sides in two lines, facing each other."""
    split = int(scenario.get("split", 1))
    units: list[dict[str, Any]] = []
    for side, entries in enumerate((scenario["sides"][:split], scenario["sides"][split:])):
        members = [entry for entry in entries for _ in range(entry.get("count", 1))]
        width = int(str(scenario["board"]["size"]).split("x")[0])
        for number, entry in enumerate(members):
            column = 1 + (2 * number + 1) * width // (2 * len(members))
            units += _units(scenario, entry, side, f"{SIDES[side]}-{number + 1}", column)
    return {
        "opfor": 1,
        "name": scenario["name"],
        "ruleset": scenario["ruleset"],
        "board": _board(scenario["board"]),
        "mines": scenario.get("mines", {}),
        "phase": scenario.get("phase", "initiative"),
        "limit": scenario["limit"],
        "sides": {name: {"edge": edge} for name, edge in zip(SIDES, _EDGES, strict=True)},
        "units": units,
        **{key: scenario[key] for key in ("zones", "actions") if key in scenario},
    }


def _board(board: dict[str, Any]) -> dict[str, Any]:
    """A board; with ``fill`` every hex not named is of that terrain."""
    if "fill" not in board:
        return board
    columns, rows = map(int, str(board["size"]).split("x"))
    named = {str(row).split()[0] for row in board.get("rows", ())}
    hexes = [f"{c:02}{r:02}" for c in range(1, columns + 1) for r in range(1, rows + 1)]
    filled = [f"{hex} {board['fill']}" for hex in hexes if hex not in named]
    return {"size": board["size"], "rows": [*board.get("rows", ()), *filled]}


def _units(scenario: dict[str, Any], entry: dict[str, Any], side: int, id: str, column: int) -> Iterator[dict[str, Any]]:
    spec, type = _spec(entry["type"])
    yield {
        "id": id,
        "side": SIDES[side],
        "type": type,
        "munitions": entry.get("munitions", {}),
        "at": f"{column:02}{entry.get('row', scenario['rows'][side]):02}",
        "facing": scenario.get("facing", _FACING)[side],
        "elevation": entry.get("fly"),
        "pilot": {"gunnery": entry.get("gunnery", 4)},
        **{key: entry[key] for key in ("oc", "opportunity") if key in entry},
        "damage": {"armor": _stripped(spec, scenario["armour"][side])},
    }
    if "ride" in entry:
        yield {"id": f"{id}-rider", "side": SIDES[side], "type": entry["ride"], "aboard": id}


@cache
def _spec(name: str) -> tuple[UnitSpec, str]:
    """A unit type and what a battle file calls it."""
    if name.endswith(".yaml"):
        return load_unit(DATA / name)[0], str(DATA / name)
    return unit_named(name), name


def _stripped(spec: UnitSpec, share: float) -> dict[str, int]:
    """Armour points that are gone by location where a share of them is left; infantry keeps its own."""
    if spec.is_infantry:
        return {}
    names = ARMOR_NAMES if spec.is_mech else spec.locations
    if spec.quad:
        names = (*spec.locations, *ARMOR_NAMES[len(spec.locations) :])
    return {name: lost for name, points in zip(names, spec.armor, strict=True) if (lost := points - int(points * share))}


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


def games(most: int, folder: Path | None = None) -> Iterator[tuple[str, Exercised]]:
    """Play until everything wanted has been seen, ``most`` games at most: the name of each game, and the counts so far."""
    counts = Exercised()
    for seed, scenario in zip(range(most), turns(counts), strict=False):
        text = play(scenario, seed)
        name = f"{seed:03}-{scenario['name'].replace(' ', '-')}"
        if folder is not None:
            (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))
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
