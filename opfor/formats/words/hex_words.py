"""A hex in words: ``level 2, light woods`` or, as game masters type it, ``woods1 level2``. Read and written. Rule: S-1."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from opfor.board.board import BUILDING_TYPES, CLEAR, Board, Hex
from opfor.errors import InputError, nearest
from opfor.hex import HexError, parse_ccrr
from opfor.tables import table

_KINDS = {f.name: f.type for f in fields(Hex)}
_PHRASES = {
    "light woods": "woods=1",
    "heavy woods": "woods=2",
    "light forest": "woods=1",
    "heavy forest": "woods=2",
    "light smoke": "smoke=1",
    "heavy smoke": "smoke=2",
    "water depth": "water",
    "depth": "water",
    "cf": "building_cf",
    "height": "building_height",
    "paved": "pavement",
    "burning": "fire",
    "minefield": "mines",
    "elevation": "level",
    "hill": "level",
    **{f"{kind} building": f"building={number}" for number, kind in enumerate(BUILDING_TYPES) if number},
}
_TOKEN = re.compile(r"([a-z_]+)\s*[:=]?\s*(-?\d+)?")


def hex_from_words(text: str, *, source: str = "", place: str = "", base: Hex = CLEAR) -> Hex:
    """Read a hex's content. Raises :class:`InputError` naming the word that is no terrain.

    >>> hex_from_words("woods1 level2").describe()
    'level 2, light woods'
    >>> hex_from_words("heavy building height 3").describe()
    'heavy building 3 high, CF 90'
    """
    words = text.strip().lower().replace(";", ",")
    other = tuple(re.findall(r"other=(\S+)", words))
    words = re.sub(r"other=\S+", " ", words)
    for phrase, meaning in _PHRASES.items():
        words = re.sub(rf"\b{phrase}\b", f" {meaning} ", words)
    found: dict[str, Any] = {"other": other} if other else {}
    rest = _TOKEN.sub(" ", words).replace(",", " ").strip()
    if rest:
        raise InputError(f"cannot read {rest!r} in {text!r}", source=source, place=place)
    for name, number in _TOKEN.findall(words):
        name = _PHRASES.get(name, name)
        if name == "clear":
            continue
        if name not in _KINDS or name == "other":
            raise InputError(
                f"{name!r} is no terrain", source=source, place=place, hint=nearest(name, [*_KINDS, *_PHRASES, "clear"])
            )
        if _KINDS[name] == "bool":
            found[name] = number != "0"
        else:
            found[name] = int(number) if number else 1
    usual = table("board_terrain")
    if found.get("building"):
        found.setdefault("building_height", usual["default_building_height"])
        found.setdefault("building_cf", usual["construction_factor"][min(found["building"], len(BUILDING_TYPES) - 1)])
    if found.get("bridge"):
        found.setdefault("bridge_cf", usual["construction_factor"][BUILDING_TYPES.index("medium")])
    return Hex(**{**{f.name: getattr(base, f.name) for f in fields(Hex)}, **found})


def hex_in_words(record: Hex) -> str:
    """Every field that is not plain, so that :func:`hex_from_words` gives the same hex back.

    >>> hex_in_words(Hex(level=2, woods=1))
    'level=2 woods=1'
    """
    parts: list[str] = []
    for field in fields(Hex):
        value = getattr(record, field.name)
        # what a building or a bridge would take as usual must be said even where it is nothing
        owner = {"building_cf": record.building, "building_height": record.building, "bridge_cf": record.bridge}
        if value == getattr(CLEAR, field.name) and not owner.get(field.name):
            continue
        if field.name == "other":
            parts.extend(f"other={word}" for word in value)
        else:
            parts.append(field.name if value is True else f"{field.name}={value}")
    return " ".join(parts) or "clear"


def board_from_rows(name: str, size: str, rows: Iterable[str]) -> Board:
    """A board typed by hand: ``size`` as ``16x17``, each row a hex number and what lies there; the rest is clear.

    Raises :class:`InputError` whose place is ``size`` or ``rows[N]``.
    """
    measured = re.fullmatch(r"\s*(\d{1,3})\s*(?:x|by|,|\s)\s*(\d{1,3})\s*", str(size).lower())
    if not measured:
        raise InputError(f"{size!r} is no size: write columns and rows, as 16x17", place="size")
    width, height = int(measured[1]), int(measured[2])
    if not (1 <= width <= 200 and 1 <= height <= 200):
        raise InputError(f"{size!r}: a board has 1 to 200 columns and rows", place="size")
    hexes: dict[tuple[int, int], Hex] = {}
    for index, row in enumerate(rows):
        at = f"rows[{index}]"
        number, _, words = str(row).strip().partition(" ")
        try:
            column, line = parse_ccrr(number.rstrip(":"))
        except HexError as error:
            raise InputError(str(error), place=at) from None
        if column >= width or line >= height:
            raise InputError(f"hex {number} is off the board, which is {width} x {height}", place=at)
        hexes[column, line] = hex_from_words(words, place=at)
    return Board.from_rows(name, width, height, hexes)
