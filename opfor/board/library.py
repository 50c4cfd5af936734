"""The boards that come with the program, as text. Rule: S-1.

Only the texts are here: what reads them is :func:`opfor.formats.library.board_named`, the same reader as for a game
master's own ``.board`` files.

>>> "river-crossing" in board_names()
True
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from opfor.errors import InputError, nearest

_SUFFIX = ".board"


@cache
def board_names() -> tuple[str, ...]:
    """Names of the boards, in alphabetical order; a name is its file's without the suffix."""
    folder = files("opfor.board.data")
    return tuple(sorted(entry.name.removesuffix(_SUFFIX) for entry in folder.iterdir() if entry.name.endswith(_SUFFIX)))


def find_board(name: str) -> str:
    """The listed name that ``name`` means: case, spaces and underscores do not matter, and one word will do.

    Raises :class:`opfor.errors.InputError` with the nearest names when there is none, or all of them when it fits several.
    """
    names = board_names()
    wanted = "-".join(name.lower().removesuffix(_SUFFIX).replace("_", " ").replace("-", " ").split())
    if wanted in names:
        return wanted
    begun = [known for known in names if wanted and f"-{known}".find(f"-{wanted}") >= 0]
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise InputError(f"{name!r} fits several boards: {', '.join(begun)}")
    raise InputError(f"there is no board called {name!r}", hint=nearest(wanted, names) or f"known: {', '.join(names)}")


def board_text(name: str) -> str:
    """The text of a board in the ``.board`` format. Raises :class:`opfor.errors.InputError` as :func:`find_board` does."""
    return files("opfor.board.data").joinpath(find_board(name) + _SUFFIX).read_text(encoding="utf-8")


def board_about(name: str) -> str:
    """What a board shows, in a sentence or two: the comment at the head of its text, empty when it has none."""
    lines = []
    for line in board_text(name).splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# ").rstrip())
    return " ".join(lines)
