"""Woods shot down: heavy ones become light, light ones rough ground. Rule: S-10."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from opfor.rules.play import Play
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-10"
_WORDS = ("rough ground", "light woods", "heavy woods")


def woods_left(woods: int, taken: int) -> int:
    """Points of damage until woods are thinned out to the next lighter; 0 without woods. Rule: S-10.

    >>> woods_left(1, 0), woods_left(2, 30), woods_left(0, 0)
    (50, 10, 0)
    """
    factors: list[int] = table("terrain")["woods"]["factor"]
    return factors[min(woods, len(factors) - 1)] - taken if woods else 0


def damage_woods(play: Play, unit: UnitState | None, cell: int, points: int, *, source: str = "") -> None:
    """Woods take damage; what thins them out counts on for what is left of them. The last become rough. Rule: S-10."""
    damage_all_woods(play, unit, (cell,), points, source=source)


def damage_all_woods(play: Play, unit: UnitState | None, cells: Iterable[int], points: int, *, source: str = "") -> None:
    """Woods in several hexes take so much damage each, as :func:`damage_woods` says. Rule: S-10."""
    state = play.state
    board = state.board
    changes: dict[int, dict[str, Any]] = {}
    for cell in cells:
        hex = board.hexes[cell]
        if points <= 0 or not hex.woods:
            continue
        woods, taken = hex.woods, hex.woods_damage + points
        while woods and taken >= (needed := woods_left(woods, 0)):
            taken -= needed
            woods -= 1
        name = board.grid.names[cell]
        changes[cell] = {"woods": woods, "woods_damage": taken if woods else 0}
        if not woods:
            # without fuel the fire goes out
            changes[cell] |= {"rough": True, "fire": False}
        play.emit("woods_damaged", unit, RULE, at=name, damage=points, left=woods_left(woods, taken), source=source)
        if woods != hex.woods:
            play.emit("woods_cut", unit, RULE, at=name, now=_WORDS[min(woods, 2)])
            if hex.fire and not woods:
                play.emit("fire_out", unit, RULE, at=name)
    state.board = board.with_hexes(changes)
