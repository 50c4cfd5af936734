"""Text read from disk, whatever its encoding, with errors that a game master can act on."""

from __future__ import annotations

from pathlib import Path

from opfor.errors import InputError, nearest
from opfor.formats.notes import Note

#: more than any board or unit file needs
LARGEST = 32_000_000


def read_text(path: str | Path) -> tuple[str, list[Note]]:
    """The text of a file: UTF-8 (with or without a byte order mark), UTF-16 with one, otherwise Latin-1 with a note.

    Raises :class:`InputError` when the file is missing, a folder, unreadable, too large or no text.
    """
    path = Path(path)
    source = path.name or str(path)
    try:
        if path.is_dir():
            raise InputError("is a folder, not a file", source=str(path))
        if not path.exists():
            beside = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
            raise InputError("there is no such file", source=str(path), hint=nearest(path.name, beside))
        if path.stat().st_size > LARGEST:
            raise InputError(f"is larger than {LARGEST} bytes: no board or unit file", source=str(path))
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be read: {reason}", source=str(path)) from error
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16"), [Note(source, 1, "repaired", "written in UTF-16")]
        except UnicodeDecodeError as error:
            raise InputError("is no text", source=source) from error
    if b"\0" in data:
        raise InputError("is no text: it holds zero bytes", source=source)
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return data.decode("latin-1"), [Note(source, line, "repaired", "not written in UTF-8: read as Latin-1")]
