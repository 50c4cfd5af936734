"""Orders as plain data: what a side may tell a unit to do. Comparable and hashable; the reason is not part of the order.

Cells are the board's integers; :mod:`opfor.formats.words.notation` writes and reads orders in words, and
:func:`opfor.formats.orders.order_as_dict` in JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import get_args


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """A unit's whole movement. Rule: S-2, S-9.

    ``mode``: stand, walk (cruise), run (flank), jump, evade (M-2), sprint (M-3), wait (E-3: who won initiative moves in the
    fire phase), or dismount from a carrier into ``to``. ``path``: steps in order,
    ``F`` forward, ``B`` backward, ``L`` / ``R`` one hexside, ``SL`` / ``SR`` / ``SLB`` / ``SRB`` sidestep (quads:
    forward-left, forward-right, rear left, rear right), ``CLIMB`` / ``DIVE`` a VTOL one level up or down,
    ``UP`` try to stand, ``PRONE`` drop prone, ``C+`` / ``C-`` from here on step onto / under roofs and bridges; for a jump the
    path is ``("J",)`` and ``to``, ``facing`` say where it lands. ``attack`` is ``charge`` or ``dfa`` when the movement ends in
    one, against ``target`` (``to`` is then the last hex before the target's); ``mount`` gets into the carrier ``target``.

    ``act`` is the complex action that goes with the movement: ``opportunity`` holds a simple action ready (M-9), ``pause``
    stops here for a simple action and then goes on in the same mode (M-8), "" is none.
    """

    unit: str
    mode: str
    path: tuple[str, ...]
    to: int
    facing: int
    elevation: int = 0
    prone: bool = False
    attack: str = ""
    target: str = ""
    act: str = ""
    reason: str = field(default="", compare=False)

    kind = "move"


@dataclass(frozen=True, slots=True)
class Attack:
    """One weapon at one target: mount index, target unit id, fire mode name, and the spotter's id for indirect fire.

    ``aim`` names the location that the shot is aimed at (``HD``, ``LT`` ...), "" for an ordinary shot.
    """

    mount: int
    target: str
    mode: str = ""
    spotter: str = ""
    aim: str = ""


@dataclass(frozen=True, slots=True)
class FireOrder:
    """A unit's whole weapon fire: twist (-1, 0, 1), arms flipped, the attacks by mount index. No attacks: holds fire.

    ``primary`` is the target that takes no secondary-target modifier ("" when there is no attack). A vehicle's ``twist`` is
    the facing of its turret, -2 to 3 hexsides from the hull's. An attack's target may be a hex (``@0512``): its building, its
    woods, to set it on fire. Rule: S-4.
    """

    unit: str
    twist: int = 0
    flip: bool = False
    attacks: tuple[Attack, ...] = ()
    primary: str = ""
    #: what is done instead of firing: a vehicle's crew mends its "turret" or a mount (its index as text; E-24b, E-24c), a unit
    #: holds an "opportunity" action ready (M-9)
    clear: str = ""
    reason: str = field(default="", compare=False)

    kind = "fire"


@dataclass(frozen=True, slots=True)
class PhysicalOrder:
    """A physical attack: ``attack`` is "" (none), punch, kick, push, club, hatchet, sword or pick_up. Rule: S-8.

    ``limb``: LA, RA or both for punches; a leg for kicks (with ``_mule`` for a quad's backward kick); the arm of a hatchet.
    """

    unit: str
    attack: str = ""
    limb: str = ""
    target: str = ""
    reason: str = field(default="", compare=False)

    kind = "physical"


@dataclass(frozen=True, slots=True)
class CallOrder:
    """An announcement in the initiative phase: artillery fire or a bomb run; with ``what`` "" there is none. Rule: E-4.

    ``artillery``: the weapon ``mount`` in fire mode ``mode`` at the hex ``cell`` (or homing on ``target``, a unit), observed by
    ``spotter`` ("" for none). ``bomb``: a bomb run over the hex ``cell``, dropping ``count`` bombs of kind ``mode``.
    """

    unit: str
    what: str = ""
    mount: int = -1
    mode: str = ""
    cell: int = -1
    target: str = ""
    spotter: str = ""
    count: int = 0
    reason: str = field(default="", compare=False)

    kind = "call"


@dataclass(frozen=True, slots=True)
class ActionOrder:
    """To start a mission action of the scenario, by its name; ``cell`` is where its effect goes (-1 where it needs none).

    Without a name none is started, where one is asked for after fire.

    Rule: A-1 to A-6.
    """

    unit: str
    action: str = ""
    cell: int = -1
    reason: str = field(default="", compare=False)

    kind = "action"


@dataclass(frozen=True, slots=True)
class PassOrder:
    """A unit that could break in lets the moment pass. Rule: M-9, M-10."""

    unit: str
    reason: str = field(default="", compare=False)

    kind = "pass"


@dataclass(frozen=True, slots=True)
class PreemptOrder:
    """A unit of higher initiative that has not declared yet takes its turn before the declaring unit goes on. Rule: M-10."""

    unit: str
    reason: str = field(default="", compare=False)

    kind = "preempt"


Order = MoveOrder | FireOrder | PhysicalOrder | CallOrder | ActionOrder | PassOrder | PreemptOrder
#: all that an order says but for its reason, which comes last
_SAID = {kind: attrgetter(*[f.name for f in fields(kind) if f.name != "reason"], "__class__") for kind in get_args(Order)}


def with_reason(order: Order, reason: str) -> Order:
    """The same order, given for a reason. Cheaper than ``dataclasses.replace``: it is made for every order played.

    >>> with_reason(PassOrder("a"), "nothing to gain")
    PassOrder(unit='a', reason='nothing to gain')
    """
    *said, kind = _SAID[type(order)](order)
    made: Order = kind(*said, reason)
    return made
