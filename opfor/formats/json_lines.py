"""Files of JSON documents, one a line, that are only ever added to: what has been written down is not lost, whatever stops."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from opfor.errors import InputError

#: bytes looked through at a time for the end of the last whole line
_BLOCK = 1 << 16


def mend(path: Path) -> None:
    """Cut off a last line that was torn; a file that is not there stays so."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        end = place = file.seek(0, os.SEEK_END)
        while place:
            start = max(0, place - _BLOCK)
            file.seek(start)
            found = file.read(place - start).rfind(b"\n")
            place = start if found < 0 else start + found + 1
            if found >= 0:
                break
        if place < end:
            file.truncate(place)


def read_lines(path: Path, what: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number and document of every whole line; none for a file that is not there.

    Raises :class:`InputError` for a line that is no table of keys, which is said to be no ``what``.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                # torn: whoever adds mends it first
                return
            try:
                found = json.loads(line)
            except ValueError:
                found = None
            if not isinstance(found, dict):
                raise bad_line(path, number, what)
            yield number, found


def bad_line(path: Path, number: int, what: str) -> InputError:
    """The error for a line that cannot be used."""
    return InputError(f"is no {what}", source=str(path), place=f"line {number}", hint="delete that line")


def add_line(path: Path, document: dict[str, Any]) -> None:
    """Write a document down; when this returns it is on the disk."""
    with path.open("ab") as file:
        file.write(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n")
        file.flush()
        os.fsync(file.fileno())
