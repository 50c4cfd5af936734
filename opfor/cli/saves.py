"""A battle begun from a saved game of MegaMek: what ``opfor new --from-save`` does."""

from __future__ import annotations

from pathlib import Path

from opfor.cli.common import say, say_json, tell


def new_from_save(
    save: str, path: Path, *, opfor: str, units: list[str], name: str, ruleset: str, force: bool, as_json: bool
) -> None:
    """Write the battle file of a save at ``path``, its board and unit sheets beside it, and tell what was not carried over.

    ``opfor``: the player who is the Op Force, "" for the bots' team. ``units``: folders of unit files. Raises InputError.
    """
    from opfor.errors import InputError
    from opfor.formats.megamek.save_battle import import_save, load_imported, write_imported

    for folder in units:
        if not Path(folder).is_dir():
            raise InputError("there is no such folder of unit files", source=folder)
    made = import_save(save, opfor=opfor, units=units, ruleset=ruleset or "campaign", name=name, out=path)
    for beside, text in made.files.items():
        there = path.parent / beside
        if there.exists() and not force and there.read_text(encoding="utf-8", errors="replace") != text:
            raise InputError("there is a file of that name already", source=str(there), hint="--force writes over it")
    state = load_imported(made, Path(save).name, path).state
    written = write_imported(made, path)
    if as_json:
        say_json(
            {
                "written": str(path),
                "files": [str(file) for file in written],
                "opfor": made.opfor,
                "turn": state.turn,
                "phase": state.phase,
                "units": [unit.id for unit in state.units],
                "megamek": {id: number for number, id in made.ids.items()},
                "notes": [
                    {"source": n.source, "line": n.line, "severity": n.severity, "message": n.message} for n in made.notes
                ],
            }
        )
        return
    for note in made.notes:
        tell(str(note))
    alive = sum(1 for unit in state.units if unit.alive)
    say(
        f"wrote {path}: turn {state.turn}, {state.phase}, {len(state.units)} units ({alive} in the battle), "
        f"the Op Force is {made.opfor}. {len(made.notes)} notes. Next: opfor check {path}"
    )
