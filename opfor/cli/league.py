"""The league commands: policies and models that play each other on and on. What they do lives above this package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Annotated, Any

import typer

from opfor.cli.common import JobsOption, JsonOption, OnOption, SeedOption, command, say, say_json, tell
from opfor.cli.plugged import plugged
from opfor.cli.progress import games_bar

#: exit status after an interrupt, as shells have it
_INTERRUPTED = 130

league = typer.Typer(no_args_is_help=True, help="A league of policies and models: who plays whom, skills, ratings.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(league, name="league")


@league.callback()
def _folder(
    context: typer.Context,
    folder: Annotated[str, typer.Argument(metavar="DIR", help="The league's folder; add makes it.")],
) -> None:
    context.obj = folder


@league.command("add")
@command
def add(
    context: typer.Context,
    members: Annotated[list[str], typer.Argument(metavar="MEMBER", help="Policies by code, or model files (.safetensors).")],
    as_json: JsonOption = False,
) -> None:
    """Take in members: policies by code, models by file; a file is copied into the folder."""
    with _opened(context) as found:
        rows = found.add(members)
    _said({"added": rows}, "\n".join(f"{row['name']} is in the league" for row in rows), as_json)


@league.command("play")
@command
def play(
    context: typer.Context,
    games: Annotated[int, typer.Option(min=2, help="Games to be played; even, half of them with seats changed.")] = 32,
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", help="A set of battles, or a YAML file of one; several are played in turn. Usual: standard-4v4."),
    ] = None,
    seed: SeedOption = 0,
    size: Annotated[
        int, typer.Option("--round", min=2, help="Games of a round: the next is drawn from what it has told; even.")
    ] = 32,
    jobs: JobsOption = 0,
    on: OnOption = "local",
    as_json: JsonOption = False,
) -> None:
    """Play on: matches drawn by skill and win rate. A round that was left is ended first."""
    with _opened(context) as found:
        from opfor.errors import InputError
        from opfor.gm.arena.sets import set_named
        from opfor.gm.workers import check_place

        for option, number in (("--games", games), ("--round", size)):
            if number % 2:
                raise InputError(f"{number} is odd: every battle is played twice, with seats changed", place=option)
        check_place(on)
        chosen = [set_named(one) for one in dict.fromkeys(sets or ["standard-4v4"])]
        try:
            with games_bar(games) as advance:
                found.play(games, chosen, seed=seed, size=size, on=on, jobs=jobs, played=lambda record: advance(""))
        except KeyboardInterrupt:
            tell(f"stopped: `opfor league {context.obj} play` goes on")
            raise typer.Exit(_INTERRUPTED) from None
        document = found.report()
        text = found.words(document)
    _said(document, text, as_json)


@league.command("show")
@command
def show(context: typer.Context, as_json: JsonOption = False) -> None:
    """The members with ratings and intervals, and how each has fared against each."""
    with _opened(context) as found:
        document = found.report()
        text = found.words(document)
    _said(document, text, as_json)


@league.command("prune")
@command
def prune(
    context: typer.Context,
    keep: Annotated[int, typer.Option(min=0, help="Models to keep: the best, the latest, and a spread over age.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """Let models go, and delete their files; policies by code all stay, and so do all games."""
    with _opened(context) as found:
        gone = found.prune(keep)
    _said({"dropped": gone}, "\n".join(f"{name} has left" for name in gone) or "nobody had to leave", as_json)


@league.command("drop")
@command
def drop(
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="MEMBER", help="Members by name, as show tells them.")],
    as_json: JsonOption = False,
) -> None:
    """Let members go, policies by code as well; their games stay."""
    with _opened(context) as found:
        gone = found.drop(names)
    _said({"dropped": gone}, "\n".join(f"{name} has left" for name in gone), as_json)


@contextmanager
def _opened(context: typer.Context) -> Iterator[Any]:
    """The league of the folder; what a policy prints meanwhile goes beside the report."""
    with redirect_stdout(sys.stderr):
        opened: Callable[[str], Any] = plugged("league")
        yield opened(context.obj)


def _said(document: Any, text: str, as_json: bool) -> None:
    if as_json:
        say_json(document)
    else:
        say(text)
