"""The named rows of target numbers: which there can be, and which of them the words of a modifier are.

Read from the sources, where a modifier's words are mostly text (``target immobile``, ``target moved {hexes}``), from the
tables, and from ``modifiers.yaml`` for what is put together from variables.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

from opfor.gm.rulebook.ledger import sources
from opfor.tables import load_yaml, table
from opfor.tables.arsenal import weapons

#: stands for whatever number, location or name the words are filled with
HOLE = "…"
#: calls that make a modifier, with the place of its words among their arguments, when they have so many
_MAKERS = {"Modifier": (0, 1), "modifier": (0, 1), "_add": (1, 3)}
_ADD = "add"
#: weapons whose own modifier goes by a common name
_COMMON_NAMES = frozenset({"pulse", "heavy_laser"})


@lru_cache(maxsize=1)
def modifier_names() -> tuple[str, ...]:
    """Every named row that a target number can have, in the order of the alphabet."""
    known = load_yaml(files("opfor.gm.rulebook").joinpath("modifiers.yaml").read_text(encoding="utf-8"))
    fillings: dict[str, list[str]] = known["fillings"]
    found = {words for row in known["others"].values() for words in row} | set(_from_tables())
    for _, text in sources():
        if not any(f"{maker}(" in text for maker in (*_MAKERS, _ADD)):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                for words in _told(node):
                    found.update(_filled(words, fillings[words]) if words in fillings else (words,))
    return tuple(sorted(found))


@lru_cache(maxsize=4096)
def modifier_name(what: str) -> str:
    """The named row that a modifier's words are; words of no known row as they are, without their numbers.

    >>> modifier_name("target moved 5"), modifier_name("left leg hip destroyed"), modifier_name("gunnery")
    ('target moved …', '… hip destroyed', 'gunnery')
    """
    names, patterns = _patterns()
    if what in names:
        return what
    found = [name for name, pattern in patterns if pattern.fullmatch(what)]
    if found:
        return max(found, key=len)
    return "".join(sign for sign in what if not sign.isdigit()).strip()


@lru_cache(maxsize=1)
def _patterns() -> tuple[frozenset[str], list[tuple[str, re.Pattern[str]]]]:
    names = modifier_names()
    holed = [name for name in names if HOLE in name]
    made = [(name, re.compile(re.escape(name).replace(HOLE, ".+?").replace("hexes", "hex(es)?"))) for name in holed]
    return frozenset(names).difference(holed), made


def _filled(words: str, fillings: list[str]) -> Iterator[str]:
    """Whole rows, or what goes into the only hole."""
    for filling in fillings:
        yield words.replace(HOLE, filling) if words.count(HOLE) == 1 and words.strip(HOLE) not in filling else filling


def _told(node: ast.Call) -> Iterator[str]:
    """The words that a call gives to a modifier, if it makes one."""
    name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
    place, least = _MAKERS.get(name, (0, 3))
    if name == _ADD and isinstance(node.func, ast.Name):
        # the function adds to the frame that it is given first
        place = 1
    elif name != _ADD and name not in _MAKERS:
        return
    if len(node.args) >= least:
        yield from _words(node.args[place])


def _words(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _words(node.body)
        yield from _words(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in node.values)


def _from_tables() -> Iterator[str]:
    """Causes of rolls, degrees of motive damage, and weapons that have a modifier of their own."""
    rolls: dict[str, Any] = table("piloting_rolls")
    for row in rolls["reasons"].values():
        if row.get("modifier") or "base" in row:
            yield str(row["what"])
    yield from (str(what) for _, what, _ in rolls["driving"]["motive"])
    for weapon in weapons().values():
        if weapon.to_hit and weapon.is_attack and not weapon.flags & _COMMON_NAMES:
            yield weapon.name


__all__ = ["HOLE", "modifier_name", "modifier_names"]
