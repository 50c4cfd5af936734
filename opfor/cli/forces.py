"""The command that writes a battle's units as a force file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from opfor.cli.common import BattleArgument, JsonOption, command, say, say_json, tell


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("muster")(muster)


@command
def muster(
    battle: BattleArgument,
    out: Annotated[str, typer.Option("--out", "-o", help="The .mul file to write.")],
    side: Annotated[str, typer.Option(help="Only the units of this side.")] = "",
    onto: Annotated[str, typer.Option(help="The .mul file that the units came from: all else that it says is kept.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Write the units of a battle, with their damage, as a force for the next one."""
    from opfor.errors import InputError
    from opfor.formats.battle_file.battle import load_battle
    from opfor.formats.battle_file.history import write_kept
    from opfor.gm.starting.muster_out import force_text, units_of_side

    if not out.lower().endswith(".mul"):
        raise InputError("a force file ends in .mul", source=out)
    state = load_battle(battle).state
    units = units_of_side(state.units, state.sides, side)
    text, remarks = force_text(units, Path(onto) if onto else None)
    write_kept(Path(out), text)
    for remark in remarks:
        tell(remark)
    if as_json:
        say_json({"written": out, "units": [unit.id for unit in units], "remarks": remarks})
        return
    say(f"wrote {out}: {len(units)} units")
