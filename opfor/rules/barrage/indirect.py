"""Indirect missile fire by the campaign: which attacks it is about, and the number of those that TAG guides. Rule: E-35, M-5.

What an indirect shot adds up is worked out with all other weapon fire (:mod:`opfor.rules.shooting.frame`); the spotter's part
and what becomes of guided salvos that miss are in :mod:`opfor.rules.barrage.observed_fire`.
"""

from __future__ import annotations

from opfor.orders import Attack
from opfor.rules.shooting.common_modifiers import modifier
from opfor.rules.shooting.frame import Frame
from opfor.rules.target_number import TargetNumber
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode

RULE = "E-35"
#: the flat number of guided shots
GUIDED = int(table("artillery")["campaign"]["number"])


def is_indirect(attack: Attack) -> bool:
    """Whether an attack is indirect fire: it has a spotter. Rule: M-5."""
    return attack.spotter != ""


def guided(state: State, seen: Frame, mode: FireMode) -> bool:
    """Whether a shot goes by TAG alone: semi-guided missiles, indirectly, at a painted target. Rule: E-35."""
    return (
        mode.munition == "semi_guided"
        and seen.spotter is not None
        and seen.target.tagged
        and state.ruleset.indirect_fire == "campaign"
    )


_WORDS = "guided by TAG"


def guided_number() -> TargetNumber:
    """The flat number of guided shots. Rule: E-35."""
    return TargetNumber([modifier(_WORDS, GUIDED, RULE)])


def by_tag(number: TargetNumber) -> bool:
    """Whether a number is that of a guided shot."""
    return number.possible and number.modifiers[0].what == _WORDS
