"""Orders in words: one clause for the post, alternatives with their values for the game master's notes."""

from __future__ import annotations

from opfor.hex import DIRECTION_NAMES
from opfor.rules.moving.flight import airborne
from opfor.rules.moving.ground import Ground
from opfor.state import State
from policies.veteran.figures import Figure
from policies.veteran.lanes import BLOCKED, Lanes

#: words for the range by the brackets of a middling weapon
_CLOSE, _SHORT, _MEDIUM = 1, 4, 9


#: what a unit's ways of moving are called, by kind
_VEHICLE = {"walk": "cruise", "run": "flank"}
MODE_WORDS: dict[str, dict[str, str]] = {
    "mech": {}, "vehicle": _VEHICLE, "vtol": _VEHICLE, "infantry": {"dismount": "get out"},
    "battle_armor": {"dismount": "get out"},
}  # fmt: skip
#: what the odds of a movement's rolls are odds of
HOLD_WORDS = {
    "mech": "to keep its feet", "vehicle": "to keep control", "vtol": "to keep control", "infantry": "to get through",
    "battle_armor": "to get through",
}  # fmt: skip

#: complex actions that go with a movement
ACT_WORDS = {"opportunity": "holds its action for whoever comes into its fire", "pause": "stops to shoot on the way"}


def ground_words(state: State, ground: Ground, place: int) -> str:
    """The ground of a place in a word or two, empty for clear ground at level 0."""
    hex = state.board.hexes[ground.cell(place)]
    elevation = ground.elevation[place]
    if ground.motion.name == "vtol":
        if airborne(hex, elevation):
            return f"{elevation} level{'s' if elevation > 1 else ''} up"
        return "on the ground" if elevation <= 0 else "on the roof"
    if elevation > 0:
        return "on the bridge" if hex.bridge else "on the roof"
    parts = []
    if hex.woods:
        parts.append("light woods" if hex.woods == 1 else "heavy woods")
    elif hex.building:
        parts.append("inside a building")
    elif hex.depth:
        parts.append(f"in water, depth {hex.depth}" if elevation < 0 else "over water")
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


def position_words(
    state: State, lanes: Lanes, ground: Ground, place: int, key: int, target: Figure | None, theirs: list[Figure]
) -> str:
    """A position in a clause: the ground, the range to the target as it stands, who cannot see it.

    Who has yet to move sees it neither from where it stands nor from where it will probably go.
    """
    parts = [words] if (words := ground_words(state, ground, place)) else []
    if target is not None:
        distance = lanes.lane(key, target.here().key).distance
        parts.append(f"{range_words(distance) if distance else 'in one hex with'} {target.unit.id}")
    unseen = [
        enemy.unit.id
        for enemy in theirs
        if enemy is not target and all(lanes.lane(key, spot.key).back == BLOCKED for spot in (enemy.here(), *enemy.spots))
    ]
    if unseen:
        parts.append("out of sight of " + (", ".join(unseen[:2]) if len(unseen) <= 2 else f"{len(unseen)} of them"))
    return ", ".join(parts)


def hex_words(state: State, ground: Ground, place: int, facing: int) -> str:
    """A hex and a facing, as ``0709 NE``; the height of what flies, and no facing for infantry."""
    name = state.board.grid.names[ground.cell(place)]
    if ground.motion.infantry:
        return name
    high = f" at {ground.elevation[place]}" if ground.motion.name == "vtol" else ""
    return f"{name} {DIRECTION_NAMES[facing]}{high}"
