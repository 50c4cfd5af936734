"""The train command: a policy learns by playing."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Annotated, Any

import typer

from opfor.cli.common import JsonOption, command, say, say_json, tell
from opfor.cli.plugged import plugged

#: exit status after an interrupt, as shells have it
_INTERRUPTED = 130


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("train")(train)


@command
def train(
    config: Annotated[
        str, typer.Argument(metavar="CONFIG", help="tiny, default or large, or a YAML file; left out to go on with a folder.")
    ] = "",
    sets: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a setting, as ppo.steps=50000.")
    ] = None,
    out: Annotated[str, typer.Option(help="Folder of the run (usual: out/train/ and the config's name).")] = "",
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in the folder, as if it had never stopped.")
    ] = False,
    device: Annotated[str, typer.Option(help="Where the network learns: auto, cpu or cuda.")] = "auto",
    as_json: JsonOption = False,
) -> None:
    """Train a policy: imitation, then play against a league; curves, checkpoints and a model file."""
    # what a policy prints goes beside the report
    with redirect_stdout(sys.stderr):
        run = plugged("train")
        try:
            report: dict[str, Any] = run(config, sets or [], out=out, resume=resume, device=device)
        except KeyboardInterrupt:
            tell("stopped; the same command with --resume goes on")
            raise typer.Exit(_INTERRUPTED) from None
    if as_json:
        say_json(report)
    else:
        say(report["words"])
