"""What must hold after every order, whatever the rules did: an observer for tests and for rule testing by self-play."""

from __future__ import annotations

from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.orders import MoveOrder, Order
from opfor.rules.events import Event
from opfor.rules.ground import ground_of
from opfor.rules.movement import movement_points
from opfor.state import State
from opfor.units.state import UnitState


class InvariantBroken(AssertionError):
    """A battle reached a state that no rules can lead to."""


class Invariants:
    """Checks after every order; raises :class:`InvariantBroken` naming the unit and what is wrong.

    Checked: the order was listed; no negative armour, structure, ammunition or heat; ammunition never grows; the dead
    neither move nor act; one 'Mech a hex; MP never exceeded; every die shows 1 to 6 and every 2d6 sum is 2 to 12; heat
    after the heat phase is what it was, plus what was built, less what was shed.
    """

    def before(self, game: Game) -> None:
        """Remember where things stand."""
        self._rolls = len(game.dice.log)
        self._remember(game.state)

    def ordered(self, game: Game, decision: Decision, order: Order) -> None:
        """The order must be listed, and its unit able to act."""
        if order not in decision.legal:
            self._broken(order.unit, f"order not listed: {order}")
        unit = game.state.unit(order.unit)
        if not unit.active:
            self._broken(unit.id, "acts while out of action")
        self._remember(game.state)
        self._allowed = None
        if isinstance(order, MoveOrder) and order.mode in ("walk", "run", "jump"):
            points = movement_points(game.state, unit)
            self._allowed = {"walk": points.walk, "run": points.run, "jump": points.jump}[order.mode]

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        """Check the state that the order led to."""
        state = game.state
        for roll in game.dice.log[self._rolls :]:
            if not all(1 <= die <= 6 for die in roll.dice):
                self._broken(order.unit, f"dice {roll.dice}")
        self._rolls = len(game.dice.log)
        for unit, (ammo, cell, alive) in zip(state.units, self._before, strict=True):
            self._check_unit(unit, ammo, cell, alive)
        self._check_stacking(state)
        unit = state.unit(order.unit)
        if self._allowed is not None and unit.mp_spent > self._allowed and unit.hexes_moved > 1:
            self._broken(unit.id, f"spent {unit.mp_spent} MP of {self._allowed}")
        for event in events:
            if event.what == "heat":
                data = event.data
                expected = max(0, data["before"] + data["built"] + data["outside"] - data["shed"])
                if data["after"] != expected:
                    self._broken(event.unit, f"heat {data} does not add up")

    def after(self, game: Game) -> None:
        """Nothing more to check."""

    def _remember(self, state: State) -> None:
        self._before = [(u.ammo[:], u.cell, u.alive) for u in state.units]

    def _check_unit(self, unit: UnitState, ammo: list[int], cell: int, alive: bool) -> None:
        if min(unit.armor) < 0 or min(unit.structure) < 0:
            self._broken(unit.id, f"armour {unit.armor}, structure {unit.structure}")
        if any(have < 0 or have > had for have, had in zip(unit.ammo, ammo, strict=True)):
            self._broken(unit.id, f"ammunition {ammo} became {unit.ammo}")
        if unit.heat < 0:
            self._broken(unit.id, f"heat {unit.heat}")
        if not alive and unit.cell != cell:
            self._broken(unit.id, "moved while out of the battle")
        if not alive and unit.alive:
            self._broken(unit.id, "came back to life")

    def _check_stacking(self, state: State) -> None:
        standing: dict[int, str] = {}
        ground = ground_of(state.board)
        for unit in state.units:
            if unit.alive:
                place = ground.place(unit.cell, unit.elevation)
                if place in standing:
                    self._broken(unit.id, f"stands in the place of {standing[place]}")
                standing[place] = unit.id

    def _broken(self, unit: str, what: str) -> None:
        raise InvariantBroken(f"{unit}: {what}")
