"""What a scenario's mission actions are made of, as plain data: zones, actions, markers, and the starts that count.

A zone, an action and a marker never change; a start is replaced by another when it is broken or completed. What they mean in
play is said by :mod:`opfor.rules.missions.mission_actions`, how they are written by
:mod:`opfor.formats.battle_file.battle_missions`.
"""

from __future__ import annotations

from dataclasses import dataclass

#: phases in whose decisions an action may start
STARTS = ("movement", "fire", "physical")
#: kinds of zone with a meaning of their own
ZONE_KINDS = ("", "terrain", "deployment")
#: what a use limit counts by
LIMITS = ("turn", "battle", "zone")
#: what has become of a start
UNDERWAY, BROKEN, DONE = "underway", "broken", "done"


@dataclass(frozen=True, slots=True)
class Zone:
    """A named set of hexes. ``kind``: terrain, deployment (of ``side``) or "". Rule: A-1, A-6."""

    name: str
    cells: frozenset[int]
    kind: str = ""
    side: int = -1


@dataclass(frozen=True, slots=True)
class Placing:
    """Where an effect may go: ``within`` so many hexes of the unit and, ``in_zone``, in the zone that the unit is in. A-5."""

    name: str
    within: int = 0
    in_zone: bool = False


@dataclass(frozen=True, slots=True)
class Effect:
    """What completing an action does; any of the parts. Rule: A-5.

    ``marker`` sets one up, ``remove`` takes one away that bears its name, whoever set it up, ``building`` brings one down;
    ``score`` are points for the side, ``reveal`` the hexes within which hidden enemies are found, ``tag`` a keyword that the
    unit bears from then on.
    """

    marker: Placing | None = None
    remove: Placing | None = None
    building: Placing | None = None
    score: int = 0
    reveal: int = 0
    tag: str = ""

    @property
    def placing(self) -> Placing | None:
        """The part that needs a hex, if any."""
        return self.marker or self.remove or self.building


@dataclass(frozen=True, slots=True)
class MissionAction:
    """An action of the scenario. Rule: A-1, A-4, A-5.

    ``starts`` is the kind of decision in which it is offered. Units need every one of ``keywords``, stand in one of the zones
    ``within`` (none: anywhere) and in none of ``outside``. ``limits`` are pairs of what is counted by (:data:`LIMITS`) and the
    most starts of a side. It completes at the end of the phase ``completes`` (``end``: of the turn), ``later`` turns later.
    """

    name: str
    starts: str
    effect: Effect
    sides: tuple[int, ...] = ()
    keywords: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    outside_own_deployment: bool = False
    limits: tuple[tuple[str, int], ...] = ()
    completes: str = "end"
    later: int = 0
    # further restrictions
    stood_still: bool = False
    least_oc: int = 1
    first_turn: int = 1
    no_enemy_within: int = 0


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker on the map: of a ``side``, -1 for nobody's."""

    name: str
    cell: int
    side: int = -1


@dataclass(frozen=True, slots=True)
class Start:
    """One start of an action by a unit, for its side's use limit and until it is completed. ``zone``: where it stood then.

    ``due`` is the turn at the end of whose phase (the action's ``completes``) the action completes. Rule: A-3, A-4.
    """

    unit: str
    side: int
    action: str
    turn: int
    due: int
    cell: int = -1
    zone: str = ""
    status: str = UNDERWAY
