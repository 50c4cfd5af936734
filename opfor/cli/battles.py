"""Commands on the battle file itself: undo, schema."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from opfor.cli.common import BattleArgument, JsonOption, command, say, say_json, tell


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("undo")(undo)
    app.command("schema")(schema)


@command
def undo(
    battle: BattleArgument,
    steps: Annotated[int, typer.Option(help="How many changes to take back.")] = 1,
    to: Annotated[int, typer.Option(help="Back to the beginning of this TURN.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Go back to the battle as it was before the last change, or before several, or when a turn began."""
    from opfor.errors import InputError
    from opfor.formats.battle_file.battle import load_battle
    from opfor.formats.battle_file.history import steps_to_turn, versions
    from opfor.formats.battle_file.history import undo as go_back

    if to and steps != 1:
        raise InputError("give --steps or --to, not both")
    kept = go_back(Path(battle), steps_to_turn(Path(battle), to) if to else steps)
    left = len(versions(Path(battle)))
    state = load_battle(battle).state
    if as_json:
        say_json({"battle": battle, "turn": state.turn, "phase": state.phase, "undone": str(kept), "earlier": left})
        return
    say(f"{battle} is back at turn {state.turn}, {state.phase}; {left} earlier versions are left")
    tell(f"what was undone lies in {kept}")


@command
def schema(
    what: Annotated[str, typer.Argument(help="battle")] = "battle",
    as_json: JsonOption = False,
) -> None:
    """Print the JSON schema of a file form."""
    from opfor.errors import InputError, nearest
    from opfor.formats.battle_file.battle_schema import BattleFile

    del as_json  # it is JSON either way
    if what != "battle":
        raise InputError(f"there is no schema {what!r}: use battle", hint=nearest(what, ["battle"]))
    document = BattleFile.model_json_schema()
    document["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    say_json(document)
