"""What an attacker and a target are to each other, whatever the weapon. Rule: S-4.

A :class:`Frame` holds distance, line of sight, side struck, cover, and the modifiers common to every weapon; its
``common`` is their sum, which the expected-damage tables take as their key. It is made by
:func:`opfor.rules.shooting.framing.frame`.
"""

from __future__ import annotations

from opfor.board.sight import Sight
from opfor.rules.own import OwnShots
from opfor.rules.shooting.numbers import PLAIN, Numbers
from opfor.rules.target_number import Modifier
from opfor.units.state import UnitState

RULE = "S-4"


class Frame:
    """One attacker and one target, seen once. ``why`` is set when no weapon can be fired at all, whatever it is.

    ``common`` is the sum of ``modifiers``, those that do not depend on the weapon. ``bearing`` runs from the attacker to the
    target (:func:`opfor.hex.bearing12`), ``facing`` is the attacker's hull. ``side``: front, left, right or rear of the target;
    ``cover``: hits on its legs strike what hides them. ``c3`` is the distance that a C3 network lends, or None.
    ``blocked``: no line of sight from the attacker (an indirect shot may still be possible through a spotter).
    ``moved`` is what the attacker's own movement adds. Where ``why`` is set, modifiers, ``common`` and ``cover`` stay empty.
    """

    __slots__ = (
        "all_wet",
        "attacker",
        "bearing",
        "blocked",
        "bombing",
        "c3",
        "close_only",
        "common",
        "cover",
        "distance",
        "facing",
        "legs_wet",
        "modifiers",
        "moved",
        "numbers",
        "own",
        "prone",
        "rule",
        "seen",
        "side",
        "spotter",
        "swarmer",
        "target",
        "target_submerged",
        "target_wet",
        "why",
    )

    def __init__(self, attacker: UnitState, target: UnitState, numbers: Numbers = PLAIN) -> None:
        #: the modifiers of the ruleset, and own rules that go by the weapon
        self.numbers = numbers
        self.own: OwnShots | None = None
        self.attacker = attacker
        self.target = target
        self.spotter: UnitState | None = None
        self.modifiers: list[Modifier] = []
        self.common = 0
        self.why = ""
        self.rule = RULE
        self.blocked = False
        #: the target flies a bomb run: only weapons of some reach may be fired at it (E-31)
        self.bombing = False
        self.cover = False
        self.side = "front"
        self.distance = 0
        #: only with weapons for close quarters (A-7)
        self.close_only = False
        self.bearing = 0
        self.facing = attacker.facing
        self.prone = attacker.prone
        self.c3: int | None = None
        self.moved = 0
        #: id of what clings to the target, where the attacker is infantry in its hex
        self.swarmer = ""
        self.seen: Sight
        self.legs_wet = False
        self.all_wet = False
        self.target_wet = False
        self.target_submerged = False

    @property
    def odd(self) -> bool:
        """Whether more than sum and distance decides which guns can be fired, whatever the guns."""
        return self.c3 is not None or self.bombing or self.close_only or self.target_submerged or self.own is not None

    def refuse(self, why: str, rule: str = RULE) -> None:
        """Set the reason why no attack is possible; the first one stays."""
        if not self.why:
            self.why = why
            self.rule = rule
