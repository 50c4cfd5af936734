"""Woods shot down: heavy ones become light, light ones rough ground. Rule: S-10."""

from __future__ import annotations

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
    state = play.state
    hex = state.board.hexes[cell]
    if points <= 0 or not hex.woods:
        return
    woods, taken = hex.woods, hex.woods_damage + points
    while woods and taken >= (needed := woods_left(woods, 0)):
        taken -= needed
        woods -= 1
    name = state.board.grid.names[cell]
    changes: dict[str, Any] = {"woods": woods, "woods_damage": taken if woods else 0}
    if not woods:
        # without fuel the fire goes out
        changes |= {"rough": True, "fire": False}
    state.board = state.board.with_hex(cell, **changes)
    play.emit("woods_damaged", unit, RULE, at=name, damage=points, left=woods_left(woods, taken), source=source)
    if woods != hex.woods:
        play.emit("woods_cut", unit, RULE, at=name, now=_WORDS[min(woods, 2)])
        if hex.fire and not woods:
            play.emit("fire_out", unit, RULE, at=name)
