"""Commands that begin a battle: new writes its file, check says how it was understood."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from opfor.cli.common import BattleArgument, JsonOption, command, say, say_json, tell_notes


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("new")(new)
    app.command("check")(check)


@command
def new(
    out: Annotated[str, typer.Option("--out", "-o", help="The file to write.")],
    board: Annotated[str, typer.Option(help="A built-in board or a .board file.")] = "crossroads",
    players: Annotated[str, typer.Option(help="The players' units, by commas: names, .mtf, .blk or .mul files.")] = "",
    opfor: Annotated[str, typer.Option(help="The Op Force's units, by commas: names, .mtf, .blk or .mul files.")] = "",
    name: Annotated[str, typer.Option(help="The battle's name.")] = "",
    ruleset: Annotated[str, typer.Option(help="The ruleset.")] = "campaign",
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there; it is kept for undo.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a commented battle file to start from."""
    from opfor.errors import InputError
    from opfor.formats.battle import read_battle
    from opfor.formats.history import write_kept
    from opfor.formats.notes import Note
    from opfor.gm.new_battle import USUAL, muster, new_battle
    from opfor.gm.stock import board_from

    path = Path(out)
    if path.exists() and not force:
        raise InputError("there is a file of that name already", source=out, hint="--force writes over it")
    ground = board_from(board, path.parent)
    notes: list[Note] = []
    forces = [
        muster(given or ", ".join(usual), path.parent, notes) for given, usual in zip((players, opfor), USUAL, strict=True)
    ]
    tell_notes(notes)
    text = new_battle(name or path.stem, board, ground, forces, ruleset=ruleset)
    battle = read_battle(text, source=out, path=path)
    write_kept(path, text)
    if as_json:
        say_json({"written": out, "units": [unit.id for unit in battle.state.units]})
        return
    say(f"wrote {out}: {len(battle.state.units)} units on {board}. Edit it, then: opfor check {out}")


@command
def check(battle: BattleArgument, as_json: JsonOption = False) -> None:
    """Say what is missing, odd or illegal in a battle file, each with its place."""
    from opfor.formats.battle import load_battle
    from opfor.gm.checking import findings

    loaded = load_battle(battle)
    odd = findings(loaded)
    if as_json:
        notes = [{"line": n.line, "severity": n.severity, "message": n.message, "source": n.source} for n in loaded.notes]
        defaults = [default.as_dict() for default in loaded.defaults]
        say_json({"battle": battle, "ok": True, "notes": notes, "defaults": defaults, "odd": odd})
        return
    state = loaded.state
    say(f"{battle}: {loaded.name}, turn {state.turn}, {state.phase}, {len(state.units)} units, rules {state.ruleset.name}")
    for default in loaded.defaults:
        say(f"default  {default.place}: {default.words}")
    for note in loaded.notes:
        say(f"note     {note}")
    for found in odd:
        say(f"odd      {found['place']}: {found['message']}")
    say("no faults" if not odd else f"{len(odd)} odd {'thing' if len(odd) == 1 else 'things'}, nothing illegal")
