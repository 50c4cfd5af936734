"""What a rule of a game master's own is told: small read-only records of plain values, and words that they use.

A hex is told by its printed number, a unit by its id; nothing in a record leads back to the battle.
"""

from __future__ import annotations

from typing import NamedTuple

#: how a unit moved last; "" when it has not yet
MOVED = ("stand", "walk", "run", "jump", "evade", "sprint")
KINDS = ("mech", "vehicle", "vtol", "infantry", "battle_armor", "hex")
RANGES = ("short", "medium", "long")
WEAPON_CLASSES = ("energy", "ballistic", "missile", "other")
#: what may be in a hex; ``woods`` stands for woods of any density, ``clear`` for none of all the others
TERRAIN = (
    "clear", "woods", "light_woods", "heavy_woods", "ultra_heavy_woods", "rough", "rubble", "swamp", "mud", "sand", "snow",
    "ice", "tundra", "water", "pavement", "road", "building", "bridge", "smoke", "fire",
)  # fmt: skip
#: physical attacks
BLOWS = ("punch", "kick", "push", "club", "hatchet", "sword", "charge", "dfa")
PHASES = ("initiative", "movement", "fire", "physical", "declarations", "end")


class UnitView(NamedTuple):
    """A unit as it stands, or as it is supposed to stand where a rule is asked ahead of time.

    ``terrain`` are words of :data:`TERRAIN` for its hex; ``level`` the level that it stands on; ``tons``, ``heat``, skills and
    ``hexes_moved`` are plain numbers.
    """

    id: str
    side: str
    name: str
    kind: str
    motive: str
    tons: int
    hex: str
    level: int
    terrain: frozenset[str]
    moved: str
    hexes_moved: int
    prone: bool
    heat: int
    gunnery: int
    piloting: int


class Shot(NamedTuple):
    """An attack whose number is asked for. ``distance`` in hexes; ``range`` one of :data:`RANGES`.

    Of a physical attack ``attack`` is one of :data:`BLOWS`, of fire it is "fire" and ``weapon`` the weapon's name, ``mode`` its
    fire mode. ``indirect``: through a spotter.
    """

    attack: str
    attacker: UnitView
    target: UnitView
    distance: int
    range: str
    weapon: str
    weapon_class: str
    mode: str
    indirect: bool
    turn: int
    phase: str


class PilotingRoll(NamedTuple):
    """A piloting roll whose number is asked for; ``reason`` is its id in ``opfor/tables/piloting_rolls.yaml``."""

    unit: UnitView
    reason: str
    turn: int
    phase: str


class Step(NamedTuple):
    """A step whose cost is asked for: ``motion`` takes it (mech, tracked, wheeled, hover, foot ...), ``levels`` up or down.

    ``terrain`` are words of :data:`TERRAIN` for the hex entered, ``leaves`` for the hex left; ``paved``: along a road or
    pavement. A step is asked for once for a board and its cost kept: it may go by nothing that is not told here.
    """

    motion: str
    hex: str
    terrain: frozenset[str]
    leaves: frozenset[str]
    levels: int
    paved: bool
    cost: int
