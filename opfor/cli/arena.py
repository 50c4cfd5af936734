"""The arena command: policies against each other, many games, win rates and ratings."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from opfor.cli.common import JobsOption, JsonOption, OnOption, SeedOption, command, say, say_json, tell

if TYPE_CHECKING:
    from opfor.gm.arena.match import Fixture, Record
    from opfor.gm.arena.store import Store

#: a folder is tidied of replays that are not worth keeping each time so many games have ended
_TIDY = 20
#: exit status after an interrupt, as shells have it
_INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("arena")(arena)


@command
def arena(
    policies: Annotated[str, typer.Option(help="Policies, separated by commas; each plays each other.")] = "",
    games: Annotated[
        int, typer.Option(min=2, help="Games for each pair of policies; even, half of them with seats changed.")
    ] = 20,
    seed: SeedOption = 0,
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", help="A set of battles, or a YAML file of one; several are played in turn. Usual: standard-4v4."),
    ] = None,
    code: Annotated[
        list[str] | None, typer.Option(help="A Python file of your own with policies: it is run. They play along by name.")
    ] = None,
    check: Annotated[str, typer.Option(help="A Python file of your own: are its policies sound? Nothing else is done.")] = "",
    out: Annotated[
        str, typer.Option(help="Folder for games, report and replays (usual: out/arena); one begun before is gone on with.")
    ] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the folder's own settings.")] = False,
    jobs: JobsOption = 0,
    on: OnOption = "local",
    replays: Annotated[int, typer.Option(min=0, help="Replays kept of the most lopsided and of the closest games, each.")] = 2,
    as_json: JsonOption = False,
) -> None:
    """Play policies against each other: win rates with intervals, ratings, a report."""
    # what a policy prints goes beside the report
    with redirect_stdout(sys.stderr):
        if check:
            document, sound = _check(check)
        else:
            wishes = _Wishes(policies, games, seed, tuple(sets or ()), tuple(code or ()), resume)
            document, sound = _run(wishes, Path(out) if out else Path("out") / "arena", (on, jobs), replays), True
    if as_json:
        say_json(document)
    else:
        say(_check_words(document) if check else _words(document))
    if not sound:
        raise typer.Exit(1)


@dataclass(slots=True)
class _Wishes:
    """What is to be played, as the options have it."""

    policies: str
    games: int
    seed: int
    sets: Sequence[str]
    code: Sequence[str]
    resume: bool


def _run(wishes: _Wishes, folder: Path, workers: tuple[str, int], replays: int) -> dict[str, Any]:
    """Play what is not yet played, and write the report; returns it."""
    from opfor.errors import InputError
    from opfor.gm.arena.entrants import entrants, policy_classes
    from opfor.gm.arena.match import schedule
    from opfor.gm.arena.sets import BattleSet, set_named
    from opfor.gm.arena.statistics import need_choix
    from opfor.gm.arena.store import Store, settings_of
    from opfor.gm.policies import codes_of
    from opfor.gm.workers import check_place

    need_choix()
    check_place(workers[0])
    store = Store(folder)
    games, seed = wishes.games, wishes.seed
    codes = codes_of(wishes.policies)
    files = list(dict.fromkeys(wishes.code))
    if wishes.resume:
        former = store.settings()
        if former is None:
            raise InputError("there is no arena to go on with", source=str(folder), hint="name its folder with --out")
        codes, games, seed, files = former["policies"], former["games"], former["seed"], list(former["files"])
        chosen = [BattleSet(**one) for one in former["sets"]]
    else:
        chosen = [set_named(one) for one in dict.fromkeys(wishes.sets or ["standard-4v4"])]
    for file in files:
        codes += [name for name in policy_classes(file) if not any(one.partition(":")[0] == name for one in codes)]
    if len(codes) < 2:
        raise InputError("at least two policies are needed, as --policies veteran,random", place="--policies")
    if games % 2:
        raise InputError(f"{games} is odd: every battle is played twice, with seats changed", place="--games")
    if games < 2 * len(chosen):
        raise InputError(f"{len(chosen)} sets of battles need {2 * len(chosen)} games at least", place="--games")
    if len({one.name for one in chosen}) < len(chosen):
        raise InputError("two sets of battles have one name", place="--set")
    players = entrants(codes, files)
    settings = settings_of(players, chosen, games, seed, files)
    store.begin(settings)
    fixtures = schedule(players, chosen, games, seed, store.replays if replays else None)
    _play(store, fixtures, workers, replays)
    report = _write(store, settings, [player.label for player in players], fixtures, replays)
    tell(f"the report is in {folder / 'report.html'}")
    return report


def _check(file: str) -> tuple[dict[str, Any], bool]:
    """Hold the policies of a file against what every policy promises: what was found, and whether all keep it."""
    from opfor.gm.arena.promises import check_file

    rows = check_file(file)
    return {"policies": rows}, all(row["conforms"] for row in rows)


def _check_words(document: dict[str, Any]) -> str:
    lines = []
    for row in document["policies"]:
        met = ", ".join(f"{count} {kind}" for kind, count in row["decisions"].items())
        lines.append(f"{row['policy']}: " + (f"sound; decisions checked: {met}" if row["conforms"] else row["message"]))
    return "\n".join(lines)


def _play(store: Store, fixtures: Sequence[Fixture], workers: tuple[str, int], replays: int) -> None:
    """Play the games that the folder does not have yet, with a bar on standard error; ``workers``: where, and how many."""
    from opfor.cli.progress import games_bar
    from opfor.gm.arena.running import play_all

    # what the program could not play it tries again
    due = [fixture for fixture in fixtures if store.records.get(fixture.key, {"error": "not there"}).get("error")]
    if len(due) < len(fixtures):
        tell(f"{len(fixtures) - len(due)} of {len(fixtures)} games are there already")
    try:
        with games_bar(len(fixtures), len(fixtures) - len(due)) as advance:

            def played(record: Record) -> None:
                store.add(record)
                advance("")
                if len(store.records) % _TIDY == 0:
                    store.prune(replays)

            play_all(due, workers[1], played, on=workers[0])
    except KeyboardInterrupt:
        tell(f"stopped after {len(store.records)} games: `opfor arena --resume --out {store.folder}` goes on")
        raise typer.Exit(_INTERRUPTED) from None


def _write(
    store: Store, settings: dict[str, Any], labels: Sequence[str], fixtures: Sequence[Fixture], replays: int
) -> dict[str, Any]:
    """Make the report, and write it into the folder in each of its forms."""
    import json

    from opfor.formats.battle_file.history import write_atomic
    from opfor.gm.arena.summary import summary
    from opfor.report.arena.page import report_page
    from opfor.report.arena.words import games_csv, pairs_csv, ratings_csv

    wanted = [fixture.key for fixture in fixtures]
    report = summary(labels, settings, store.records, wanted)
    report["replays"] = store.prune(replays)
    for name, text in {
        "report.json": json.dumps(report, indent=1, ensure_ascii=False) + "\n",
        "report.html": report_page(report),
        "pairs.csv": pairs_csv(report),
        "ratings.csv": ratings_csv(report),
        "games.csv": games_csv([store.records[key] for key in wanted if key in store.records]),
    }.items():
        write_atomic(store.folder / name, text)
    return report


def _words(report: dict[str, Any]) -> str:
    from opfor.report.arena.words import report_words

    return report_words(report)
