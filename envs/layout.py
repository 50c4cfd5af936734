"""How an observation is laid out: groups of named columns in one flat float32 vector, each group a table of rows.

The features write through views into the flat array (:meth:`Layout.view`), so that nothing is put together or copied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Flat = NDArray[np.float32]

#: raised whenever a column changes its place or meaning: weights learnt with another version do not fit
VERSION = 3


@dataclass(frozen=True, slots=True)
class Column:
    """One number and what it says. All lie in -1 to 1; what goes beyond is cut there."""

    name: str
    what: str


@dataclass(frozen=True, slots=True)
class Group:
    """A table of an observation: ``rows`` rows of the same columns, rows that stand for nothing are 0 throughout."""

    name: str
    what: str
    rows: int
    columns: tuple[Column, ...]

    @property
    def size(self) -> int:
        """How many numbers it takes."""
        return self.rows * len(self.columns)

    def index(self, column: str) -> int:
        """The place of a column. Raises :class:`KeyError` when there is none of that name."""
        for place, one in enumerate(self.columns):
            if one.name == column:
                return place
        raise KeyError(column)


class Layout:
    """Groups one after the other. ``layout["units"]`` is the slice of a group in the flat vector, ``size`` its length."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self.groups = {group.name: group for group in groups}
        self._slices: dict[str, slice] = {}
        start = 0
        for group in groups:
            self._slices[group.name] = slice(start, start + group.size)
            start += group.size
        self.size = start

    def __getitem__(self, name: str) -> slice:
        return self._slices[name]

    def view(self, out: Flat, name: str) -> Flat:
        """A group of a flat observation as a table, shape (rows, columns); writing to it writes to ``out``."""
        group = self.groups[name]
        return out[self._slices[name]].reshape(group.rows, len(group.columns))

    def read(self, out: Flat, name: str, column: str, row: int = 0) -> float:
        """One number of an observation by its names."""
        return float(self.view(out, name)[row, self.groups[name].index(column)])


def one_hot(prefix: str, values: Sequence[str], what: str) -> tuple[Column, ...]:
    """A column for each of some values; ``what`` has ``{}`` where the value goes."""
    return tuple(Column(f"{prefix}_{value.replace(' ', '_')}", what.format(value)) for value in values)


def cut(table: Flat) -> None:
    """Cut what goes beyond -1 to 1."""
    np.minimum(table, 1.0, out=table)
    np.maximum(table, -1.0, out=table)


__all__ = ["VERSION", "Column", "Flat", "Group", "Layout", "cut", "one_hot"]
