"""The battle as it stands: board, ruleset, units, and where in the turn it is.

A :class:`State` is data and look-ups. What may be done with it is said by :mod:`opfor.game.legal`, what an order does by
:mod:`opfor.game.apply` and :mod:`opfor.rules`. Copies share the board, the ruleset and the unit specs, so that
lookahead and self-play can live on copies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from opfor.board.board import Board
from opfor.directives import NOTHING, Directive
from opfor.missions import Marker, MissionAction, Start, Zone
from opfor.orders import CallOrder, MoveOrder, Order
from opfor.rulesets import Ruleset
from opfor.units.hex_target import hex_target, names_hex
from opfor.units.state import UnitState

#: phases of all turn sequences; ``declarations`` is that of ``mwii``, where each unit has its whole turn at once
PHASES = ("initiative", "movement", "declarations", "fire", "physical", "end")


@dataclass(frozen=True, slots=True)
class Blow:
    """A physical attack made with fire: what it does waits for the physical phase, where it is looked at again. Rule: E-7.

    A kick that missed waits too, for the roll of the one who kicked.
    """

    attacker: str
    attack: str
    limb: str
    target: str
    side: str
    hit_table: str
    #: damage to the target, and what it costs the attacker
    damage: tuple[int, int]
    #: hexes of attacker and target when the dice fell
    start: int
    cell: int
    hit: bool = True


@dataclass(frozen=True, slots=True)
class Shell:
    """Artillery or bombs announced (E-4): one order, the turn in which it lands, and the side it belongs to.

    ``level``: of a bomb run that has been flown, the height over its hex; None before (E-30).
    """

    order: CallOrder
    turn: int
    side: int
    level: int | None = None


class Underway:
    """A declaration under way: what a unit is about, from its order being given until it is done with. Rule: M-9, M-10.

    ``due`` is the kind of the decision that the unit owes next, "" for none. ``order`` is being carried out; while it is, other
    units may break in at its moments: ``asked`` are those that have let the present moment pass. ``moment`` tells the moment:
    "declared", or the board's name of the hex entered. ``regular``: the unit's own turn, not an opportunity action.
    ``progress`` is how far a movement has come, known to :mod:`opfor.game.apply.movement` alone. ``again``: its own movement of
    this turn is still to come, whatever it does now (M-9f); ``disturbed``: somebody has broken in on it.
    """

    __slots__ = ("again", "asked", "disturbed", "due", "moment", "order", "progress", "regular", "unit")

    def __init__(self, unit: int, due: str = "", order: Order | None = None, *, regular: bool = True) -> None:
        self.unit = unit
        self.due = due
        self.order = order
        self.regular = regular
        self.moment = "declared" if order is not None else ""
        self.asked: frozenset[int] = frozenset()
        self.progress: Any = None
        self.again = False
        self.disturbed = False

    def copy(self) -> Underway:
        """An independent copy."""
        twin = Underway(self.unit, self.due, self.order, regular=self.regular)
        twin.moment = self.moment
        twin.asked = self.asked
        twin.progress = self.progress.copy() if self.progress is not None else None
        twin.again = self.again
        twin.disturbed = self.disturbed
        return twin


class State:
    """Everything that makes up a battle in progress.

    ``sides`` are names, units refer to them by index. ``queue`` holds, for the phase going on, the sides still to act in
    order, one entry for each unit that is to act. ``declared`` holds attacks declared in this phase and not yet resolved;
    ``charges`` the charges and deaths from above declared in movement. ``winner`` is a side, -1 for a draw, None while
    the battle goes on.
    """

    __slots__ = (
        "actions",
        "actions_started",
        "board",
        "by_id",
        "charges",
        "corrections",
        "declared",
        "directives",
        "edges",
        "fired_on",
        "initiative",
        "initiative_modifier",
        "limit",
        "markers",
        "occupants_cache",
        "opforce",
        "pending",
        "phase",
        "queue",
        "ruleset",
        "scores",
        "shells",
        "sides",
        "sightings",
        "stage",
        "turn",
        "underway",
        "units",
        "wind",
        "winner",
        "withdrawing",
        "zones",
    )

    def __init__(self, board: Board, ruleset: Ruleset, sides: tuple[str, ...], units: list[UnitState]) -> None:
        self.board = board
        self.ruleset = ruleset
        self.sides = sides
        self.units = units
        for index, unit in enumerate(units):
            unit.index = index
        self.by_id = {unit.id: index for index, unit in enumerate(units)}
        self.turn = 1
        self.phase = "initiative"
        self.queue: list[int] = []
        #: sides from lowest initiative (acts first) to highest
        self.initiative: list[int] = list(range(len(sides)))
        self.initiative_modifier = 0
        #: orders declared and not yet resolved, in order
        self.declared: list[Order] = []
        self.charges: list[MoveOrder] = []
        #: declarations under way, the innermost last: a unit in the middle of its turn, and who has broken in on it
        self.underway: list[Underway] = []
        #: part of the phase going on, where the turn sequence has several
        self.stage = ""
        #: the side that is the Op Force: it moves as a block and answers the players' fire (E-5, E-6)
        self.opforce = len(sides) - 1
        #: physical attacks whose damage waits (E-7)
        self.pending: list[Blow] = []
        #: shells and bombs announced or in flight (E-4, E-35, E-30)
        self.shells: list[Shell] = []
        #: margins of the spotters' rolls of this phase, by spotter and target (E-34)
        self.sightings: dict[tuple[str, str], int] = {}
        #: shells that each piece has landed under observation by the hex aimed at, -1 once one has hit (E-35)
        self.corrections: dict[tuple[str, int], int] = {}
        #: mission actions of the scenario, zones of the map, markers set up, points by side, and the starts counted (A-1)
        self.actions: tuple[MissionAction, ...] = ()
        self.zones: dict[str, Zone] = {}
        self.markers: list[Marker] = []
        self.scores = [0] * len(sides)
        self.actions_started: list[Start] = []
        #: what each side has been told by the game master, empty when nobody has; units that have been fired on since
        self.directives: tuple[Directive, ...] = ()
        self.fired_on: frozenset[str] = frozenset()
        #: home edge of each side: "north", "south", "east", "west" or ""
        self.edges = [""] * len(sides)
        #: sides ordered to withdraw
        self.withdrawing: list[bool] = [False] * len(sides)
        #: last turn of the battle, 0 for none
        self.limit = 0
        self.winner: int | None = None
        #: direction that the wind blows toward, 0 to 5; -1 for a calm (S-10: how fire and smoke spread)
        self.wind = -1
        self.occupants_cache: dict[int, list[UnitState]] | None = None

    def copy(self) -> State:
        """An independent copy; board, ruleset and specs are shared."""
        twin = State.__new__(State)
        twin.board = self.board
        twin.ruleset = self.ruleset
        twin.sides = self.sides
        twin.units = [unit.copy() for unit in self.units]
        twin.by_id = self.by_id
        twin.turn = self.turn
        twin.phase = self.phase
        twin.queue = self.queue[:]
        twin.initiative = self.initiative[:]
        twin.initiative_modifier = self.initiative_modifier
        twin.declared = self.declared[:]
        twin.charges = self.charges[:]
        twin.underway = [one.copy() for one in self.underway] if self.underway else []
        twin.stage = self.stage
        twin.opforce = self.opforce
        twin.pending = self.pending[:]
        twin.shells = self.shells[:]
        twin.sightings = self.sightings.copy() if self.sightings else {}
        twin.corrections = self.corrections.copy() if self.corrections else {}
        twin.actions = self.actions
        twin.zones = self.zones
        twin.markers = self.markers[:]
        twin.scores = self.scores[:]
        twin.actions_started = self.actions_started[:]
        twin.directives = self.directives
        twin.fired_on = self.fired_on
        twin.edges = self.edges[:]
        twin.withdrawing = self.withdrawing[:]
        twin.limit = self.limit
        twin.winner = self.winner
        twin.wind = self.wind
        twin.occupants_cache = None
        return twin

    def directive(self, side: int) -> Directive:
        """What a side has been told."""
        return self.directives[side] if self.directives else NOTHING

    def unit(self, id: str) -> UnitState:
        """A unit by its id. Raises KeyError when there is none."""
        return self.units[self.by_id[id]]

    def target(self, id: str) -> UnitState:
        """What an attack is aimed at: a unit by its id, or the stand-in of a hex (``@0512``). Raises KeyError, HexError."""
        return hex_target(self.board, id) if names_hex(id) else self.units[self.by_id[id]]

    def occupants(self, cell: int) -> list[UnitState]:
        """Living units in a hex, those aboard a carrier left out. Rebuilt after :meth:`touch`; treat the list as read-only."""
        cache = self.occupants_cache
        if cache is None:
            cache = {}
            for unit in self.units:
                if not unit.destroyed and not unit.gone and not unit.aboard:
                    cache.setdefault(unit.cell, []).append(unit)
            self.occupants_cache = cache
        return cache.get(cell, [])

    def touch(self) -> None:
        """Forget who is where: call after any change of a unit's hex or of its being alive.

        What clings to it, or is aboard, goes with it.
        """
        self.occupants_cache = None
        for unit in self.units:
            if unit.swarming or unit.aboard:
                carrier = self.units[self.by_id[unit.swarming or unit.aboard]]
                unit.cell = carrier.cell
                unit.elevation = carrier.elevation

    def enemies(self, side: int) -> list[UnitState]:
        """Living units of all other sides."""
        return [u for u in self.units if u.side != side and not u.destroyed and not u.gone]

    def friends(self, side: int) -> list[UnitState]:
        """Living units of a side."""
        return [u for u in self.units if u.side == side and not u.destroyed and not u.gone]

    @property
    def current(self) -> int:
        """Index of the unit that is in the middle of its turn, or -1."""
        return self.underway[-1].unit if self.underway else -1

    # -- heights, in levels of the board ------------------------------------------------------------------------------

    def base(self, unit: UnitState) -> int:
        """Level of the surface a unit stands on."""
        return self.board.level[unit.cell] + unit.elevation

    def top(self, unit: UnitState) -> int:
        """Highest level a unit fills: one above its base for a standing 'Mech, its base for all else. Rule: S-3."""
        return self.board.level[unit.cell] + unit.elevation + (1 if unit.spec.kind == "mech" and not unit.prone else 0)
