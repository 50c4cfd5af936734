"""Keeping former versions of a file beside it, so that every change can be taken back.

``battles/ridge.yaml`` keeps its past in ``battles/.opfor/ridge.yaml/0001.yaml``, ``0002.yaml`` and so on, the oldest first.
"""

from __future__ import annotations

import os
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


def undo(path: Path) -> Path:
    """Put the last former version back; what stood there is kept as ``undone`` in the history. Returns that file.

    Raises :class:`InputError` when there is nothing to go back to.
    """
    past = versions(path)
    if not past:
        raise InputError("there is no former version to go back to", source=str(path), place=str(history_folder(path)))
    undone = history_folder(path) / f"undone{path.suffix}"
    if path.exists():
        write_atomic(undone, read_text(path))
    write_atomic(path, read_text(past[-1]))
    past[-1].unlink()
    return undone


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
