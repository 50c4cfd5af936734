"""The narrow waist: a battle asks for decisions, and changes only through :meth:`Game.apply`.

    game = Game(state, SeededDice(7))
    while (decision := game.decision()) is not None:
        order = policy.choose(decision, game.view(decision.side))
        events = game.apply(order)

Commands, environments, policies, replays and rule tests are all clients of these four lines.
"""

from __future__ import annotations

from opfor.dice import Dice, SeededDice
from opfor.errors import IllegalOrder
from opfor.game.apply.fire import declare_fire
from opfor.game.apply.movement import apply_movement
from opfor.game.apply.physical import declare_physical
from opfor.game.decision import KINDS, Decision
from opfor.game.legal.fire import UnitFire, forget
from opfor.game.turns import sequence
from opfor.game.view import View
from opfor.orders import FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.rules.events import Event
from opfor.rules.play import Play
from opfor.state import State
from opfor.units.state import UnitState


class Game:
    """A battle being played. The state is the caller's: it changes in place, and only in :meth:`apply`.

    ``turn_limit`` and all else that defines the battle stand in the state. ``dice`` is the only source of chance.
    """

    def __init__(self, state: State, dice: Dice | None = None) -> None:
        self.state = state
        self.play = Play(state, dice if dice is not None else SeededDice(0))
        self._decision: Decision | None = None
        #: units still to act in this phase, None before it has been worked out
        self._waiting: list[UnitState] | None = None
        #: legal fire worked out for earlier decisions of the phase, as far as it still holds
        self._kept: dict[str, UnitFire] = {}

    @property
    def dice(self) -> Dice:
        """The source of chance."""
        return self.play.dice

    @property
    def over(self) -> bool:
        """Whether the battle has ended."""
        return self.state.winner is not None

    def decision(self) -> Decision | None:
        """The decision that is due, or None when the battle is over.

        Phases in which nobody has anything to say are played on the way; what happened in them is returned by the next
        :meth:`apply` (or by :meth:`take_events`).
        """
        if self._decision is None:
            self._advance()
            if not self.over:
                self._decision = self._due()
        return self._decision

    def apply(self, order: Order, *, trust: bool = False) -> list[Event]:
        """Carry an order out and play on to the next decision. Returns all that happened, in order.

        Raises :class:`IllegalOrder` when the order is not among the legal ones of the decision that is due, saying which
        rule refuses it; nothing has changed then. ``trust`` skips the check for callers who took the order from the list.
        """
        decision = self.decision()
        if decision is None:
            raise IllegalOrder("the battle is over: no order can be given")
        if not trust:
            self.check(order, decision)
        state = self.state
        unit = state.unit(order.unit)
        self._decision = None
        finished = True
        if isinstance(order, MoveOrder):
            finished = apply_movement(self.play, order)
            state.current = -1 if finished else unit.index
        elif isinstance(order, FireOrder):
            declare_fire(self.play, order)
            forget(self._kept, order)
        else:
            declare_physical(self.play, order)
        if finished:
            state.queue.remove(unit.side)
            if self._waiting is not None:
                self._waiting.remove(unit)
        self.decision()
        return self.take_events()

    def check(self, order: Order, decision: Decision | None = None) -> None:
        """Raise :class:`IllegalOrder` unless the order is legal for the decision that is due."""
        decision = decision or self.decision()
        if decision is None:
            raise IllegalOrder("the battle is over: no order can be given")
        wanted = {"movement": MoveOrder, "fire": FireOrder, "physical": PhysicalOrder}[decision.kind]
        if not isinstance(order, wanted):
            raise IllegalOrder(f"{order.unit}: a {order.kind} order in the {decision.kind} phase", rule="E-1")
        if order.unit not in decision.unit_ids:
            raise IllegalOrder(
                f"{order.unit or 'nobody'} is not to act now; {decision.side_name} may act with {', '.join(decision.unit_ids)}",
                rule="E-1",
            )
        why = decision.legal.why_not(order)
        if why:
            raise IllegalOrder(f"{order.unit}: {why}", rule=getattr(why, "rule", ""))

    def view(self, side: int) -> View:
        """What a side knows: see :class:`opfor.game.view.View`."""
        return View(self.state, side)

    def take_events(self) -> list[Event]:
        """Events not yet handed out."""
        events, self.play.events = self.play.events, []
        return events

    def call(self, side: int) -> None:
        """Let a side act next with all its units that are still to act, whatever the strict alternation says.

        The game master's table moves sides in blocks, and applies orders as they come in.
        """
        self.decision()
        state = self.state
        mine = [s for s in state.queue if s == side]
        state.queue = mine + [s for s in state.queue if s != side]
        self._decision = None

    def copy(self, dice: Dice | None = None) -> Game:
        """An independent game from here on, with its own dice (by default a copy of these)."""
        twin = Game(self.state.copy(), dice if dice is not None else self.play.dice.copy())
        if self._waiting is not None:
            twin._waiting = [twin.state.units[u.index] for u in self._waiting]
        return twin

    # -- the loop -------------------------------------------------------------------------------------------------------

    def _due(self) -> Decision:
        state = self.state
        side = state.queue[0]
        if state.current >= 0:
            return Decision(state, side, [state.units[state.current]])
        return Decision(state, side, [u for u in self._waiting or () if u.side == side], self._kept)

    def _advance(self) -> None:
        """Close phases until somebody has to act or the battle ends."""
        state = self.state
        turns = sequence(state)
        while state.winner is None:
            if state.phase in KINDS:
                if self._waiting is None:
                    self._waiting = turns.eligible(state)
                    if not state.queue:
                        state.queue = turns.build_queue(state, self._waiting)
                self._trim()
                if state.queue:
                    return
            turns.close_phase(self.play)
            state.queue = []
            self._waiting = None
            self._kept.clear()

    def _trim(self) -> None:
        """Fit the queue to the units that can still act: a unit may have fallen out since it was made."""
        state = self.state
        if state.current >= 0 and not state.units[state.current].active:
            state.current = -1
        waiting = self._waiting = [u for u in self._waiting or () if u.active]
        if len(waiting) == len(state.queue):
            return
        for side in range(len(state.sides)):
            able = sum(1 for u in waiting if u.side == side)
            while state.queue.count(side) > able:
                # the last of its turns falls away
                del state.queue[len(state.queue) - 1 - state.queue[::-1].index(side)]
            state.queue.extend([side] * (able - state.queue.count(side)))
