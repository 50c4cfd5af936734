"""The command line: one file a group of commands, each thin; what a command needs is imported when it runs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from opfor.cli import (
    arena,
    battles,
    common,
    dice,
    forces,
    league,
    lists,
    maps,
    noting,
    orders,
    playing,
    records,
    ruletest,
    starting,
    train,
)

app = typer.Typer(
    name="opfor",
    help="The Op Force for a BattleTech game master: legal orders, itemised target numbers and reasons.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (starting, battles, orders, noting, dice, maps, playing, arena, train, league, ruletest, records, lists, forces):
    module.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        import opfor

        common.say(f"opfor {opfor.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Tell all notes about files; trace unexpected errors.")
    ] = False,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    common.verbose = verbose


def main() -> None:
    """Run the command line. Exit status: 0 done, 1 the input or the order is refused, 2 wrong usage."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8")
    try:
        app()
    except Exception as error:
        if common.verbose:
            raise
        common.tell(f"opfor: unexpected error, a fault of the program: {type(error).__name__}: {error}")
        common.tell("opfor: run it as `opfor -v ...` to see where, and please report that")
        sys.exit(1)
