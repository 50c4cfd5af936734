"""Orders in words: one clause for the post, alternatives with their values for the game master's notes."""

from __future__ import annotations

from opfor.hex import DIRECTION_NAMES
from opfor.state import State
from policies.veteran.figures import Figure
from policies.veteran.lanes import BLOCKED, Lanes

#: words for the range by the brackets of a middling weapon
_CLOSE, _SHORT, _MEDIUM = 1, 4, 9


def ground_words(state: State, place: int) -> str:
    """The ground of a place in a word or two, empty for clear ground at level 0."""
    hex = state.board.hexes[place >> 1]
    if place & 1:
        return "on the bridge" if hex.bridge else "on the roof"
    parts = []
    if hex.woods:
        parts.append("light woods" if hex.woods == 1 else "heavy woods")
    elif hex.building:
        parts.append("inside a building")
    elif hex.depth:
        parts.append(f"in water, depth {hex.depth}")
    elif hex.rough or hex.rubble:
        parts.append("rough ground" if hex.rough else "rubble")
    if hex.level > 0:
        parts.append(f"level {hex.level}")
    return ", ".join(parts)


def range_words(distance: int) -> str:
    """A distance in words."""
    if distance <= _CLOSE:
        return "next to"
    return "short range to" if distance <= _SHORT else "medium range to" if distance <= _MEDIUM else "long range to"


def position_words(state: State, lanes: Lanes, key: int, target: Figure | None, theirs: list[Figure]) -> str:
    """A position in a clause: the ground, the range to the target, who cannot see it."""
    parts = [words] if (words := ground_words(state, key >> 1)) else []
    if target is not None:
        spot = max(target.spots, key=lambda s: s.share)
        parts.append(f"{range_words(lanes.lane(key, spot.key).distance)} {target.unit.id}")
    unseen = [
        enemy.unit.id
        for enemy in theirs
        if enemy is not target and all(lanes.lane(key, spot.key).back == BLOCKED for spot in enemy.spots)
    ]
    if unseen:
        parts.append("out of sight of " + (", ".join(unseen[:2]) if len(unseen) <= 2 else f"{len(unseen)} of them"))
    return ", ".join(parts)


def hex_words(state: State, place: int, facing: int) -> str:
    """A hex and a facing, as ``0709 NE``."""
    return f"{state.board.grid.names[place >> 1]} {DIRECTION_NAMES[facing]}"
