"""What games have exercised of the rules: options of the ruletest command."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import typer

from opfor.cli.common import say, say_json, tell

_INTERRUPTED = 130


def show_coverage(folders: Iterable[str], fail_under: str, as_json: bool) -> None:
    """What the games of some runs have exercised together; exit status 1 below the threshold."""
    from opfor.gm.ruletest.coverage import counts_of, coverage_document, wanted_percent

    wanted = wanted_percent(fail_under) if fail_under else {}
    games, counts = counts_of(Path(folder) for folder in folders)
    _show({"games": games, **coverage_document(counts)}, wanted, as_json)


def play_covering(rounds: int, fail_under: str, seed: int, out: str, checked: bool, jobs: int, on: str, as_json: bool) -> None:
    """Play the battles made for what is rare, and show what they have exercised; exit status 1 for a violation, too."""
    import opfor
    from opfor.cli.progress import progress
    from opfor.gm.ruletest.coverage import cover, coverage_document, wanted_percent
    from opfor.gm.ruletest.covering import made_battles
    from opfor.gm.ruletest.store import Store
    from opfor.gm.ruletest.summary import tally
    from opfor.gm.workers import check_place

    wanted = wanted_percent(fail_under) if fail_under else {}
    check_place(on)
    store = Store(Path(out))
    store.begin({"version": opfor.__version__, "seed": seed, "sets": ["coverage"], "policies": [], "checked": checked})
    # what a policy prints goes beside the report
    with redirect_stdout(sys.stderr), progress(rounds * len(made_battles()), len(store.keys)) as played:
        try:
            keys = cover(store, rounds, seed, played, checked=checked, on=on, count=jobs)
        except KeyboardInterrupt:
            tell("stopped: the same command goes on")
            raise typer.Exit(_INTERRUPTED) from None
    sums = tally(store.wanted(keys)).report({})
    found = {"games": sums["games"], "violations": sums["violations"], "errors": sums["errors"]}
    _show({**found, **coverage_document(sums["exercised"])}, wanted, as_json)


def _show(document: dict[str, Any], wanted: dict[str, float], as_json: bool) -> None:
    from opfor.gm.ruletest.coverage import coverage_words, short_of

    missed = short_of(document, wanted)
    if as_json:
        say_json({**document, "short_of": missed})
    else:
        say("\n".join(coverage_words(document)))
    broken = [
        f"{one['kind']}: {one['what']} ({one['games']} games, first {one['first']})" for one in document.get("violations", ())
    ]
    failed = [f"{one['games']} games could not be played: {one['error']}" for one in document.get("errors", ())]
    for line in (*broken, *failed, *missed):
        tell(line)
    if broken or failed or missed:
        raise typer.Exit(1)
