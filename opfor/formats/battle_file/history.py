"""Keeping former versions of a file beside it, so that every change can be taken back.

``battles/ridge.yaml`` keeps its past in ``battles/.opfor/ridge.yaml/0001.yaml``, ``0002.yaml`` and so on, the oldest first.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path

from opfor.errors import InputError
from opfor.formats.source import read_text


def history_folder(path: Path) -> Path:
    """Where former versions of a file lie."""
    return path.parent / ".opfor" / path.name


def versions(path: Path) -> list[Path]:
    """Former versions, the oldest first."""
    folder = history_folder(path)
    found = [p for p in folder.glob(f"*{path.suffix}") if p.stem.isdigit()] if folder.is_dir() else []
    return sorted(found, key=lambda p: int(p.stem))


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file so that it is either the old or the new one, never half of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content.encode("utf-8") if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            # mkstemp makes a private file: give it the rights of the one it replaces, or the usual ones
            mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
            Path(name).chmod(mode)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", source=str(path)) from None


def write_kept(path: Path, text: str) -> Path | None:
    """Write a file and keep the former one in the history; returns where that went, None when there was none."""
    kept = None
    if path.exists():
        past = versions(path)
        number = int(past[-1].stem) + 1 if past else 1
        kept = history_folder(path) / f"{number:04d}{path.suffix}"
        write_atomic(kept, read_text(path))
    write_atomic(path, text)
    return kept


def undo(path: Path, steps: int = 1) -> Path:
    """Put a former version back, the last or one so many steps ago; what stood there is kept as ``undone``. Returns that file.

    Raises :class:`InputError` when there is nothing to go back to.
    """
    past = versions(path)
    if not past:
        raise InputError("there is no former version to go back to", source=str(path), place=str(history_folder(path)))
    if not 1 <= steps <= len(past):
        raise InputError(f"{steps} steps back: there are {len(past)}", source=str(path), place=str(history_folder(path)))
    undone = history_folder(path) / f"undone{path.suffix}"
    if path.exists():
        write_atomic(undone, read_text(path))
    write_atomic(path, read_text(past[-steps]))
    for version in past[-steps:]:
        version.unlink()
    return undone


def steps_to_turn(path: Path, turn: int) -> int:
    """How many steps back the battle stood when a turn began: the earliest former version of it. Raises :class:`InputError`."""
    past = versions(path)
    turns = [_turn_of(read_text(version)) for version in past]
    if turn not in turns:
        known = ", ".join(map(str, sorted({number for number in turns if number}))) or "none"
        raise InputError(f"there is no former version of turn {turn}", source=str(path), hint=f"turns kept: {known}")
    return len(past) - turns.index(turn)


def _turn_of(text: str) -> int:
    """The turn that a battle file is in, told without reading all of it; 1 where it says none."""
    if text.lstrip().startswith("{"):
        turn = json.loads(text).get("turn", 1)
        return turn if isinstance(turn, int) else 1
    found = re.search(r"^turn\s*:\s*(\d+)", text, re.MULTILINE)
    return int(found[1]) if found else 1


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
