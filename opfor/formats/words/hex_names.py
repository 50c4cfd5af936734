"""Maps whose hexes bear names of their own, as ``J10``: a letter for the column, a number for the row. Rule: S-1.

A battle file says so with ``map_names``: ``letters``, or a mapping of what differs from the usual::

    map_names: {columns: letters, first_column: A, first_row: 1, even_rows: 0, skip: IO, order: column}
    map_names: {hexes: {"0101": J10, "0102": J11}}

``even_rows`` is added to the rows of the even columns (those half a hex lower), for maps that count them otherwise;
``order: row`` writes ``10J``. The names go into the board's grid, so that all that is printed uses them, and all that is read
takes them; CCRR is read beside them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from opfor.board.board import Board
from opfor.errors import InputError, nearest
from opfor.hex import Grid, HexError

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_KEYS = ("columns", "first_column", "first_row", "even_rows", "skip", "order", "rows", "hexes")
_PATTERN = r"[A-Za-z]{1,2}[-.]?\d{1,2}(?![\w])"
_TURNED = r"\d{1,2}[-.]?[A-Za-z]{1,2}(?![\w])"


@dataclass(frozen=True, slots=True)
class HexNames:
    """How the hexes of a map are called. ``first_column`` counts from 0 among the letters that are used."""

    first_column: int = 0
    first_row: int = 1
    even_rows: int = 0
    letters: str = _LETTERS
    order: str = "column"
    hexes: dict[str, str] = field(default_factory=dict)
    lettered: bool = True

    def column(self, column: int) -> str:
        """The letters of a column counted from 0: ``A`` to ``Z``, then ``AA``.

        >>> HexNames().column(25), HexNames().column(26)
        ('Z', 'AA')
        """
        number, count = column + self.first_column, len(self.letters)
        return self.letters[number] if number < count else self.letters[number // count - 1] + self.letters[number % count]

    def name(self, column: int, row: int) -> str:
        """The name of (column, row), counted from 0.

        >>> HexNames().name(9, 9), HexNames(first_column=9, first_row=10).name(0, 0)
        ('J10', 'J10')
        """
        number = row + self.first_row + (self.even_rows if column % 2 else 0)
        letters = self.column(column)
        return f"{number:02d}{letters}" if self.order == "row" else f"{letters}{number:02d}"

    def grid(self, grid: Grid) -> Grid:
        """A grid whose hexes are called so. Raises :class:`InputError` for names that are none, or given twice."""
        names: dict[int, str] = {}
        if self.lettered:
            names = {cell: self.name(grid.columns[cell], grid.rows[cell]) for cell in grid.on_board}
        for number, name in self.hexes.items():
            try:
                names[grid.parse(number)] = name
            except HexError as error:
                raise InputError(str(error), place=f"hexes.{number}") from None
        pattern = _TURNED if self.order == "row" and self.lettered else _PATTERN
        for name in self.hexes.values():
            if not re.fullmatch(rf"{_PATTERN}|{_TURNED}", name):
                raise InputError(f"{name!r} is no name for a hex: write letters and a number, as J10", place="hexes")
        if self.hexes and pattern is _PATTERN:
            pattern = f"{_PATTERN}|{_TURNED}" if any(name[0].isdigit() for name in self.hexes.values()) else _PATTERN
        named = grid.renamed(names, pattern)
        if len(named.read) < len(names):
            seen: set[str] = set()
            twice = next(name for name in names.values() if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise InputError(f"two hexes are called {twice}", place="hexes")
        return named

    def board(self, board: Board) -> Board:
        """A board whose hexes are called so."""
        return board.on_grid(self.grid(board.grid))


def read_hex_names(value: Any) -> HexNames:
    """What ``map_names`` says. Raises :class:`InputError` whose place is the key within it."""
    if value == "letters":
        return HexNames()
    if not isinstance(value, dict):
        raise InputError(f"{value!r} are no names for a map: write letters, or a mapping with {', '.join(_KEYS)}")
    for key in value:
        if key not in _KEYS:
            raise InputError(f"there is no key {key!r}: use {', '.join(_KEYS)}", place=str(key), hint=nearest(str(key), _KEYS))
    for key, allowed in (("columns", ("letters",)), ("rows", ("numbers",)), ("order", ("column", "row"))):
        if key in value and value[key] not in allowed:
            raise InputError(f"{value[key]!r} cannot stand here: use {' or '.join(allowed)}", place=key)
    skip = value.get("skip", "")
    if not isinstance(skip, str) or not re.fullmatch(r"[A-Za-z]*", skip) or len(set(skip.upper())) > len(_LETTERS) - 1:
        raise InputError(f"{skip!r} are no letters to leave out", place="skip")
    letters = "".join(letter for letter in _LETTERS if letter not in skip.upper())
    first = value.get("first_column", letters[0])
    if not isinstance(first, str) or len(first) != 1 or first.upper() not in letters:
        raise InputError(f"{first!r} is no letter of a first column", place="first_column")
    numbers = {}
    for key, usual, least, most in (("first_row", 1, 0, 99), ("even_rows", 0, -1, 1)):
        number = value.get(key, usual)
        if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
            raise InputError(f"{number!r} must be a whole number, {least} to {most}", place=key)
        numbers[key] = number
    if numbers["first_row"] + numbers["even_rows"] < 0:
        raise InputError("the first row of the even columns would lie below 0", place="even_rows")
    hexes = value.get("hexes", {})
    if not isinstance(hexes, dict):
        raise InputError("must be a mapping of hex numbers to names", place="hexes")
    return HexNames(
        letters.index(first.upper()),
        numbers["first_row"],
        numbers["even_rows"],
        letters,
        value.get("order", "column"),
        {str(number): str(name).strip() for number, name in hexes.items()},
        "columns" in value or not hexes,
    )
