"""Numbers of shipped tables that a ruleset may replace: which there are, and the tables with the replacements in them.

A number is named by its path, table first: ``to_hit.attacker_movement.jump``, ``heat.to_hit.8`` (from 8 heat on).
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from typing import Any

from opfor.errors import InputError, nearest
from opfor.tables import load_yaml, table


@dataclass(frozen=True, slots=True)
class Number:
    """A number that may be replaced: its path, what ships, the least and the most that may stand in its place."""

    path: str
    value: int
    least: int
    most: int


@lru_cache(maxsize=1)
def replaceable() -> dict[str, Number]:
    """Every number that may be replaced, by path, in the order of the tables."""
    found = {}
    rows = load_yaml(files(__package__).joinpath("replaceable.yaml").read_text(encoding="utf-8"))
    for name, patterns in rows.items():
        for path, value in _numbers(table(name), name):
            inner = path[len(name) + 1 :]
            for pattern, bounds in patterns.items():
                if pattern.count(".") == inner.count(".") and fnmatchcase(inner, pattern):
                    if bounds is not None:
                        found[path] = Number(path, value, *bounds)
                    break
    return found


def check_number(path: str, value: Any, place: str = "") -> int:
    """A replacement as it may stand. Raises :class:`InputError` for a path that is none, a value that is no such number."""
    place = place or f"tables.{path}"
    known = replaceable()
    number = known.get(path)
    if number is None:
        raise InputError(_why_not(path), place=place, hint=nearest(path, known))
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{value!r} is no whole number: {path} is {number.value} as shipped", place=place)
    if not number.least <= value <= number.most:
        raise InputError(f"{value} is out of range: {path} may be {number.least} to {number.most}", place=place)
    return value


class Replaced:
    """Some numbers replaced. Immutable and hashable, so that what is worked out from the tables can be kept by it."""

    __slots__ = ("_hash", "numbers")

    def __init__(self, numbers: dict[str, int]) -> None:
        self.numbers = tuple(sorted(numbers.items()))
        self._hash = hash(self.numbers)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Replaced) and self.numbers == other.numbers

    def __reduce__(self) -> tuple[type[Replaced], tuple[dict[str, int]]]:
        # hashes of text differ from process to process
        return Replaced, (dict(self.numbers),)

    def table(self, name: str) -> Any:
        """A table with the replacements in it. Treat it as read-only: it is shared."""
        return _table(name, self.within(name))

    def within(self, name: str) -> tuple[tuple[str, int], ...]:
        """The replacements in one table, by path."""
        return tuple([row for row in self.numbers if row[0].startswith(name + ".")])


@lru_cache(maxsize=256)
def _table(name: str, numbers: tuple[tuple[str, int], ...]) -> Any:
    if not numbers:
        return table(name)
    found = deepcopy(table(name))
    for path, value in numbers:
        *way, last = path.split(".")[1:]
        inner = found
        for part in way:
            inner = inner[_key(inner, part)]
        key = _key(inner, last)
        if _is_steps(inner):
            inner[key][1] = value
        else:
            inner[key] = value
    return found


def _numbers(row: Any, path: str) -> Iterator[tuple[str, int]]:
    """Every whole number in a table with its path."""
    if isinstance(row, bool):
        return
    if isinstance(row, int):
        yield path, row
    elif isinstance(row, dict):
        for key, inner in row.items():
            yield from _numbers(inner, f"{path}.{key}")
    elif _is_steps(row):
        for start, value in row:
            yield f"{path}.{start}", value
    elif isinstance(row, list):
        for index, inner in enumerate(row):
            yield from _numbers(inner, f"{path}.{index}")


def _is_steps(row: Any) -> bool:
    return (
        isinstance(row, list)
        and bool(row)
        and all(isinstance(step, list) and len(step) == 2 and all(type(part) is int for part in step) for step in row)
    )


def _key(row: Any, part: str) -> Any:
    """The key or index that a part of a path means."""
    if _is_steps(row):
        return next(index for index, (start, _) in enumerate(row) if str(start) == part)
    if isinstance(row, list):
        return int(part)
    return next(key for key in row if str(key) == part)


def _why_not(path: str) -> str:
    """Why a path cannot be replaced, in words."""
    tables = dict.fromkeys(known.split(".")[0] for known in replaceable())
    name = path.split(".")[0]
    if name not in tables:
        return f"{path!r} cannot be replaced: the tables that can are {', '.join(tables)}"
    begun = [known for known in replaceable() if known.startswith(path + ".")]
    if begun:
        return f"{path!r} is no single number: name one of {', '.join(begun[:6])}"
    return f"there is no number {path!r} that can be replaced; docs/own-rules.md lists those that can"


__all__ = ["Number", "Replaced", "check_number", "replaceable"]
