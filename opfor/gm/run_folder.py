"""The settings of a run that plays many games into a folder: read, and held to by whoever goes on in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from opfor.errors import InputError
from opfor.formats.battle_file.history import write_atomic


def read_settings(path: Path, mark: str, form: int, what: str) -> dict[str, Any] | None:
    """The settings of a file whose key ``mark`` says its form; None where there is no file.

    Raises :class:`InputError` for a file that is no record of ``what``, or one of another form.
    """
    if not path.exists():
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found[mark] != form:
            raise ValueError("of another format")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"is no record of {what}: {error}", source=str(path)) from None
    return dict(found)


def begin_folder(
    path: Path, games: Path, former: Mapping[str, Any] | None, now: Mapping[str, Any], fixed: Mapping[str, str]
) -> None:
    """Write the settings of a run to ``path``, the folder of which is new or was begun by the same ones.

    ``fixed``: keys that must be as they were, with what each is called.

    Raises :class:`InputError` naming what is not as it was, and for a folder that has games and no settings.
    """
    if former is not None:
        held_to(path.parent, former, now, fixed)
    elif games.exists():
        raise InputError(f"has games, but no {path.name}", source=str(path.parent), hint="give another --out")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(now, indent=1, ensure_ascii=False) + "\n")


def held_to(folder: Path, former: Mapping[str, Any], now: Mapping[str, Any], fixed: Mapping[str, str]) -> None:
    """Raise :class:`InputError` naming the first of some settings that is not as it was."""
    for key, words in fixed.items():
        if former.get(key) != json.loads(json.dumps(now.get(key))):
            raise InputError(
                f"was begun with another value of {words}",
                source=str(folder),
                hint="give another --out, or delete the folder",
            )
