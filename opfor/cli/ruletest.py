"""The ruletest command: rules tested by self-play, and battles tried out before they are fought."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from opfor.cli.common import JobsOption, JsonOption, OnOption, SeedOption, command, say, say_json, tell

if TYPE_CHECKING:
    from opfor.gm.ruletest.store import Store
    from opfor.gm.ruletest.wishes import Asked, Wishes

#: exit status after an interrupt, as shells have it
_INTERRUPTED = 130
_OUT = "out/ruletest"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ruletest")(ruletest)


@command
def ruletest(
    battle: Annotated[
        str, typer.Argument(metavar="[BATTLE]", help="A battle file: is it fair, from where it stands? Without one, rules.")
    ] = "",
    policies: Annotated[
        str, typer.Option(help="Two policies, separated by a comma. Usual: random:tree twice; veteran twice to compare.")
    ] = "",
    games: Annotated[int, typer.Option(min=1, help="Games, of each variant of the rules where some are compared.")] = 100,
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", help="Battles: random, a set, or a YAML file of a set or a battle; several are played in turn."),
    ] = None,
    ruleset: Annotated[str, typer.Option(help="A ruleset in the place of the battles' own.")] = "",
    mixes: Annotated[bool, typer.Option("--mixes", help="Every battle has its own mix of switches, drawn at random.")] = False,
    vary: Annotated[
        list[str] | None,
        typer.Option(help="RULE=VALUE,VALUE: what does it change? The first value is compared with. Several are allowed."),
    ] = None,
    design: Annotated[str, typer.Option(help="Of several rules: one at a time, or all combinations.")] = "one",
    interactions: Annotated[
        bool, typer.Option("--interactions", help="Whether one rule changes what another does, too.")
    ] = False,
    house_rules: Annotated[
        bool,
        typer.Option("--house-rules", help="Print the commands that measure the campaign's house rules; nothing is played."),
    ] = False,
    budget: Annotated[
        str,
        typer.Option(
            metavar="SIDE=CHANCE", help="With BATTLE: what brings the side to that chance? As opfor=0.4 or opfor=40%."
        ),
    ] = "",
    check: Annotated[
        bool | None, typer.Option("--check/--no-check", help="Look for violations (usual, but where rules are compared).")
    ] = None,
    cover: Annotated[
        int,
        typer.Option(min=0, help="Play the battles made for what is rare, at most so many games of each; tell the coverage."),
    ] = 0,
    coverage: Annotated[
        list[str] | None,
        typer.Option(metavar="FOLDER", help="What the games of that run exercised, and what never was; several are summed up."),
    ] = None,
    fail_under: Annotated[
        str, typer.Option(metavar="PERCENT", help="With --cover or --coverage: exit status 1 below it; or rules=100,events=95.")
    ] = "",
    seed: SeedOption = 0,
    out: Annotated[
        str, typer.Option(help=f"Folder for games and report (usual: {_OUT}); one begun before is gone on with.")
    ] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the folder's own settings.")] = False,
    jobs: JobsOption = 0,
    on: OnOption = "local",
    as_json: JsonOption = False,
) -> None:
    """Play many games to test rules: do they hold, what do they change; or is this battle fair."""
    from opfor.cli.coverage import play_covering, show_coverage
    from opfor.errors import InputError, nearest
    from opfor.gm.ruletest.vary import DESIGNS
    from opfor.gm.ruletest.wishes import Wishes

    if house_rules:
        _tell_house_rules(games, policies, seed, as_json)
        return
    if coverage:
        show_coverage(coverage, fail_under, as_json)
        return
    if cover:
        play_covering(cover, fail_under, seed, out or "out/coverage", check is not False, jobs, on, as_json)
        return
    if fail_under:
        raise InputError("is for --cover and --coverage", place="--fail-under")
    chosen = next((one for one in DESIGNS if one == design), None)
    if chosen is None:
        raise InputError(
            f"there is no design {design!r}: use {' or '.join(DESIGNS)}", place="--design", hint=nearest(design, DESIGNS)
        )
    if budget and not (battle or resume):
        raise InputError("a budget is for one battle: name its file", place="--budget")
    wishes = Wishes(
        battle, policies, games, seed, tuple(sets or ()), ruleset, mixes, tuple(vary or ()), chosen, interactions, check
    )
    folder = Path(out or _OUT)
    # what a policy prints goes beside the report
    with redirect_stdout(sys.stderr):
        report, words = _run(wishes, folder, budget, resume, on, jobs)
    if as_json:
        say_json(report)
    else:
        say(words)
    if report["violations"]:
        raise typer.Exit(1)


def _tell_house_rules(games: int, policies: str, seed: int, as_json: bool) -> None:
    """Every house rule that is measured as a whole, with its command."""
    from opfor.gm.policies import USUAL
    from opfor.gm.ruletest.house_rules import house_rules, rule_command

    rows = [
        {
            **rule.model_dump(mode="json"),
            "command": rule_command(rule, games, policies=policies or f"{USUAL},{USUAL}", seed=seed),
        }
        for rule in house_rules().rules.values()
    ]
    if as_json:
        say_json({"house_rules": rows})
    else:
        say("\n".join(f"# {row['title']} ({', '.join(row['rules'])})\n{row['command']}" for row in rows))


def _run(wishes: Wishes, folder: Path, budget: str, resume: bool, on: str, jobs: int) -> tuple[dict[str, Any], str]:
    """Play what is not yet played; the report, and the same in words."""
    from opfor.errors import InputError
    from opfor.gm.ruletest.store import Store
    from opfor.gm.ruletest.wishes import asked_for, wishes_from
    from opfor.gm.workers import check_place

    check_place(on)
    store = Store(folder)
    if resume:
        former = store.settings()
        if former is None:
            raise InputError("there is no rule test to go on with", source=str(folder), hint="name its folder with --out")
        wishes = wishes_from(former["wishes"])
    asked = asked_for(wishes)
    if budget:
        # said before the games, not after
        _budget(asked, budget)
    store.begin(asked.settings)
    _play(store, asked, on, jobs)
    report, words, files = _report(store, asked, budget, on, jobs)
    _write(folder, report, files)
    return report, words


def _play(store: Store, asked: Asked, on: str, jobs: int) -> None:
    """Play the games that the folder does not have yet, with a bar on standard error."""
    from opfor.cli.progress import progress
    from opfor.gm.ruletest.running import play_all

    programme = asked.programme
    done = len(programme.keys() & store.keys)
    if done:
        tell(f"{done} of {programme.games} games are there already")
    with progress(programme.games, done) as played:
        try:
            play_all(store, programme.jobs(), played, on=on, count=jobs)
        except KeyboardInterrupt:
            tell(f"stopped: `opfor ruletest --resume --out {store.folder}` goes on")
            raise typer.Exit(_INTERRUPTED) from None


def _report(store: Store, asked: Asked, budget: str, on: str, jobs: int) -> tuple[dict[str, Any], str, dict[str, str]]:
    """The report of all games, in words, and further files that go with it."""
    from opfor.gm.ruletest.running import shrink_all
    from opfor.gm.ruletest.summary import tally
    from opfor.report.ruletest.holding import holding_words, troubles

    programme = asked.programme
    sums = tally(store.wanted(programme.keys()))
    small = shrink_all(store, programme.sources, on=on, count=jobs) if sums.failed else {}
    report = {
        **sums.report(small),
        "policies": list(programme.codes),
        "seed": programme.seed,
        "sets": [source.name for source in programme.sources],
    }
    files: dict[str, str] = {}
    if asked.plan is not None:
        words, files = _compared(store, asked, report)
    elif asked.wishes.battle:
        words = _outlook(store, asked, report, budget, on, jobs)
    else:
        return report, holding_words(report, looked=programme.checked), {}
    return report, "\n".join([words, *troubles(report)]), files


def _compared(store: Store, asked: Asked, report: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """What the rules change: put into the report; in words, and as page and table."""
    from opfor.gm.ruletest.effects import effects_of, pair_up
    from opfor.gm.ruletest.plays import key_of
    from opfor.report.ruletest.holding import speed_lines
    from opfor.report.ruletest.page import report_page
    from opfor.report.ruletest.words import effects_csv, means_csv, measured_csv, report_words

    assert asked.plan is not None
    programme = asked.programme
    # what was met is summed up already, and would fill the memory
    found = [{**record, "exercised": {}, "units": []} for record in store.wanted(programme.keys())]
    records = sorted(found, key=key_of)
    pairs = pair_up(asked.plan, records)
    report |= effects_of(asked.plan, pairs, programme.codes, seed=programme.seed)
    files = {
        "report.html": report_page(report),
        "effects.csv": effects_csv(report),
        "means.csv": means_csv(report),
        "games.csv": measured_csv(records),
    }
    return "\n".join([report_words(report), "", *speed_lines(report)]), files


def _outlook(store: Store, asked: Asked, report: dict[str, Any], budget: str, on: str, jobs: int) -> str:
    """Whether the battle is fair: put into the report, and in words."""
    from opfor.formats.battle_file.battle import load_battle
    from opfor.gm.ruletest.budget import within_budget
    from opfor.gm.ruletest.fair import outlook
    from opfor.gm.ruletest.plays import key_of
    from opfor.report.ruletest.fairness import outlook_words

    programme = asked.programme
    battle = load_battle(asked.wishes.battle)
    records = sorted(store.wanted(programme.keys()), key=key_of)
    report |= outlook(battle, programme.codes, records)
    if budget:
        side, wished = _budget(asked, budget)
        report["budget"] = within_budget(battle, side, wished, programme, records, on=on, count=jobs, told=tell)
    return outlook_words(report)


def _budget(asked: Asked, words: str) -> tuple[str, float]:
    """The side and the chance that are wished for. Raises :class:`InputError`."""
    from opfor.errors import InputError
    from opfor.formats.battle_file.battle import load_battle
    from opfor.gm.ruletest.budget import read_budget

    if not asked.wishes.battle or asked.plan is not None:
        raise InputError("a budget is for one battle, with no rules compared: name its file", place="--budget")
    return read_budget(words, load_battle(asked.wishes.battle).state.sides)


def _write(folder: Path, report: dict[str, Any], files: dict[str, str]) -> None:
    """Write the report into the folder, in each of its forms."""
    import json

    from opfor.formats.battle_file.history import write_atomic

    for name, text in {"report.json": json.dumps(report, indent=1, ensure_ascii=False) + "\n", **files}.items():
        write_atomic(folder / name, text)
    tell(f"the report is in {folder / ('report.html' if 'report.html' in files else 'report.json')}")
