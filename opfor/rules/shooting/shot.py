"""A shot on its way: a declared attack with everything settled before the dice. Rule: S-4."""

from __future__ import annotations

from dataclasses import dataclass

from opfor.orders import Attack, FireOrder
from opfor.rules.shooting.frame import Frame
from opfor.rules.target_number import TargetNumber
from opfor.tables.arsenal import FireMode
from opfor.units.spec import Mount
from opfor.units.state import UnitState


@dataclass(slots=True)
class Shot:
    """A declared attack with everything settled before the dice: target number, side, cover, guidance.

    ``bracket`` is the range bracket that damage goes by, ``guidance`` the modifier of the cluster roll by fire control,
    ``sure`` whether an aimed shot needs no further roll, ``below`` whether it comes from under water at a 'Mech that wades:
    it then strikes the legs alone; ``column`` is that of the cluster hits table.
    """

    order: FireOrder
    attack: Attack
    attacker: UnitState
    target: UnitState
    mount: Mount
    mode: FireMode
    tn: TargetNumber
    frame: Frame
    bracket: int
    guidance: int
    sure: bool
    below: bool
    #: column of the cluster hits table: a squad's goes by those left as the phase begins
    column: int = 0
    #: points that troopers do who cling to the target already: they need no roll; 0 for every other attack
    clinging: int = 0
    #: the shot of the same salvo that has been paid for and observed: this is one more attack by it (swarm missiles)
    lead: Shot | None = None
    #: its spotter has failed
    unobserved: bool = False
    #: missiles, shots or pellets that have struck
    hits: int = 0
