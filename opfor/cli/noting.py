"""Commands that change a battle by hand: note (in words) and edit (by key)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from opfor.cli.common import BattleArgument, JsonOption, command, say, say_json, tell, tell_notes

if TYPE_CHECKING:
    from opfor.formats.battle_file.battle import Battle

DryOption = Annotated[bool, typer.Option("--dry-run", help="Say what would change, and write nothing.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("note")(note)
    app.command("edit")(edit)


@command
def note(
    battle: BattleArgument,
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="What happened: 'Reaver takes 5 to the left torso'.")],
    dry: DryOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write results into the battle by words: damage, heat, falls, losses, places. opfor undo takes it back."""
    import sys

    from opfor.formats.battle_file.battle import load_battle
    from opfor.gm.running.noting import noted

    loaded = load_battle(battle)
    tell_notes(loaded.notes)
    text = "\n".join(sys.stdin.read() if one == "-" else one for one in words)
    _finish(loaded, noted(loaded, text), battle, dry, as_json)


@command
def edit(
    battle: BattleArgument,
    changes: Annotated[
        list[str], typer.Argument(metavar="KEY=VALUE", help="As reaver.heat=7, reaver.damage.armor.LT+=5, turn=4.")
    ],
    dry: DryOption = False,
    as_json: JsonOption = False,
) -> None:
    """Change values of the battle by their keys in the file, checked as the file is. opfor undo takes it back."""
    from opfor.formats.battle_file.battle import load_battle
    from opfor.gm.running.edit import edit as edited

    loaded = load_battle(battle)
    tell_notes(loaded.notes)
    _finish(loaded, edited(loaded, changes), battle, dry, as_json)


def _finish(before: Battle, after: Battle, battle: str, dry: bool, as_json: bool) -> None:
    """Show what has changed, and write it."""
    from opfor.formats.battle_file.battle_write import save_battle
    from opfor.gm.running.edit import changed_words

    changed = changed_words(before, after)
    kept = save_battle(after) if changed and not dry else None
    if as_json:
        say_json({"battle": battle, "changed": changed, "written": bool(changed) and not dry})
    else:
        say("\n".join(changed) or "nothing has changed")
    if changed:
        tell("nothing is written (--dry-run)" if dry else f"{battle} is written" + (f"; before: {kept}" if kept else ""))
