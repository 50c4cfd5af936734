"""The narrow waist: a battle asks for decisions, and changes only through :meth:`Game.apply`.

    game = Game(state, SeededDice(7))
    while (decision := game.decision()) is not None:
        order = policy.choose(decision, game.view(decision.side))
        events = game.apply(order)

Commands, environments, policies, replays and rule tests are all clients of these four lines.
"""

from __future__ import annotations

from typing import Any

from opfor.dice import Dice, SeededDice
from opfor.errors import IllegalOrder
from opfor.game.apply.movement import advance_movement
from opfor.game.decision import Decision
from opfor.game.legal.choices import Refusal
from opfor.game.legal.fire import UnitFire, forget
from opfor.game.legal.opportunity import OpportunityChoices
from opfor.game.turns import mwii, sequence
from opfor.game.turns.common import carry_out, forget_movement, owed_next
from opfor.game.view import View
from opfor.orders import ActionOrder, CallOrder, FireOrder, MoveOrder, Order, PassOrder, PhysicalOrder, PreemptOrder
from opfor.rules.barrage.bombs import flown
from opfor.rules.events import Event
from opfor.rules.play import Play
from opfor.rules.troops.anti_mech import after_movement
from opfor.rules.turn.complex_actions import rule_of, why_no_fire, why_no_strike
from opfor.rules.turn.opportunity import broke_in, hold_heat, holders, may_break_in
from opfor.state import State, Underway
from opfor.units.state import UnitState

#: kinds of order that answer each kind of decision, and what a decision is about in words
_ORDERED: dict[str, tuple[type, ...]] = {
    "call": (CallOrder,),
    "movement": (MoveOrder, ActionOrder),
    "fire": (FireOrder, MoveOrder, PhysicalOrder, ActionOrder),
    "physical": (PhysicalOrder, MoveOrder, ActionOrder),
    "action": (ActionOrder,),
    "opportunity": (PassOrder, PreemptOrder, FireOrder, PhysicalOrder, MoveOrder),
}
_WORDS = {
    "call": "an announcement",
    "movement": "a movement order",
    "fire": "a fire order",
    "physical": "a physical attack",
    "action": "a mission action, or none,",
    "opportunity": "breaking in, or letting the moment pass,",
}


class Game:
    """A battle being played. The state is the caller's: it changes in place, and only in :meth:`apply`.

    ``turn_limit`` and all else that defines the battle stand in the state. ``dice`` is the only source of chance.
    """

    def __init__(self, state: State, dice: Dice | None = None) -> None:
        self.state = state
        self.play = Play(state, dice if dice is not None else SeededDice(0))
        #: whether the battle halts where dice are thrown without anybody deciding anything: :meth:`go_on` goes on
        self.rests = False
        self._begun = (state.turn, state.phase)
        self._decision: Decision | None = None
        #: units still to act in this phase, None before it has been worked out
        self._waiting: list[UnitState] | None = None
        #: the unit that is to say whether it breaks in on what is under way
        self._breaking: UnitState | None = None
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
        """The decision that is due, or None when the battle is over (or rests, see :meth:`go_on`).

        Phases in which nobody has anything to say are played on the way; what happened in them is returned by the next
        :meth:`apply` (or by :meth:`take_events`).
        """
        if self._decision is None:
            self._advance()
            if not self.over and not self._at_rest():
                self._decision = self._due()
        return self._decision

    def go_on(self) -> None:
        """Go on where the battle rests: before initiative, which may be given or rolled for, before what has waited lands."""
        self._begun = (self.state.turn, self.state.phase)

    def _at_rest(self) -> bool:
        if not self.rests:
            return False
        state = self.state
        return (
            state.phase in sequence(state).HALTS
            and not state.underway
            and not state.queue
            and (state.turn, state.phase) != self._begun
        )

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
        if isinstance(order, PassOrder):
            moment = state.underway[-1]
            moment.asked = moment.asked | {unit.index}
        elif isinstance(order, PreemptOrder):
            self._disturb()
            mwii.begin(self.play, unit)
            state.underway.append(Underway(unit.index, "movement"))
        elif decision.kind == "opportunity":
            self._disturb()
            broke_in(self.play, unit, state.underway[-1])
            state.underway.append(Underway(unit.index, order=order, regular=False))
        else:
            self._declare(unit, order)
        self.decision()
        return self.take_events()

    def _disturb(self) -> None:
        """Somebody breaks in: nothing that is under way can rely any more on what was when it was ordered."""
        for one in self.state.underway:
            one.disturbed = True

    def _declare(self, unit: UnitState, order: Order) -> None:
        """Begin to carry out an order that a unit was due to give."""
        state = self.state
        top = state.underway[-1] if state.underway else None
        if top is None or top.unit != unit.index:
            top = Underway(unit.index)
            state.underway.append(top)
            if (isinstance(order, MoveOrder) and order.mode != "wait") or (isinstance(order, ActionOrder) and not unit.moved):
                # an action held since the last turn lapses: this is the unit's next one (M-9)
                unit.opportunity = False
                unit.complex_action = ""
                if not unit.mp_spent:
                    forget_movement(unit)
        top.due = ""
        top.order = order
        top.moment = "declared"
        top.asked = frozenset()
        top.progress = None

    def check(self, order: Order, decision: Decision | None = None) -> None:
        """Raise :class:`IllegalOrder` unless the order is legal for the decision that is due."""
        decision = decision or self.decision()
        if decision is None:
            raise IllegalOrder("the battle is over: no order can be given")
        if order.unit not in decision.unit_ids:
            spent = self._why_spent(order, decision)
            if spent:
                raise IllegalOrder(f"{order.unit}: {spent}", rule=spent.rule)
            raise IllegalOrder(
                f"{order.unit or 'nobody'} is not to act now; {decision.side_name} may act with {', '.join(decision.unit_ids)}",
                rule="E-1",
            )
        why = decision.legal.why_not(order)
        if why:
            if not isinstance(order, _ORDERED[decision.kind]):
                raise IllegalOrder(f"{order.unit}: a {order.kind} order where {_WORDS[decision.kind]} is due", rule="E-1")
            raise IllegalOrder(f"{order.unit}: {why}", rule=getattr(why, "rule", ""))

    def _why_spent(self, order: Order, decision: Decision) -> Refusal:
        """Why a unit that is not asked has no attack left this turn, if that is the reason; else empty. Rule: M-1."""
        unit = next((u for u in self.state.units if u.id == order.unit), None)
        if unit is None or unit.side != decision.side or not unit.moved or order.kind not in ("fire", "physical"):
            return Refusal()
        why = why_no_fire(self.state, unit) if order.kind == "fire" else why_no_strike(self.state, unit)
        return Refusal(why, rule_of(unit))

    def view(self, side: int) -> View:
        """What a side knows: see :class:`opfor.game.view.View`."""
        return View(self.state, side)

    def take_events(self) -> list[Event]:
        """Events not yet handed out."""
        events, self.play.events = self.play.events, []
        return events

    def call(self, side: int, kind: str = "") -> None:
        """Let a side act next with all its units that are still to act, whatever the strict alternation says.

        The game master's table moves sides in blocks, and applies orders as they come in. ``kind``: of the order that comes in
        (move, fire, physical, call, action); a turn in parts goes on to the part that such an order belongs to.
        """
        self.decision()
        state = self.state
        if not state.underway and sequence(state).call(self.play, side, kind):
            state.queue = []
            self._waiting = self._decision = None
            self._kept.clear()
            self.decision()
        mine = [s for s in state.queue if s == side]
        state.queue = mine + [s for s in state.queue if s != side]
        self._decision = None

    def copy(self, dice: Dice | None = None) -> Game:
        """An independent game from here on, with its own dice (by default a copy of these)."""
        twin = Game(self.state.copy(), dice if dice is not None else self.play.dice.copy())
        twin.rests, twin._begun = self.rests, self._begun
        if self._waiting is not None:
            twin._waiting = [twin.state.units[u.index] for u in self._waiting]
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """As :meth:`copy`, with the record kept: the log of the dice, and events not yet handed out."""
        twin = self.copy()
        twin.play.events = self.play.events[:]
        twin.dice.log = self.dice.log[:]
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """All but what is worked out anew: the decision that is due, and legal fire kept for later ones."""
        return {**self.__dict__, "_decision": None, "_kept": {}, "_breaking": None}

    # -- the loop -------------------------------------------------------------------------------------------------------

    def _due(self) -> Decision:
        state = self.state
        if state.underway:
            top = state.underway[-1]
            if top.order is not None:
                assert self._breaking is not None
                return Decision(state, self._breaking.side, [self._breaking], "opportunity", moment=top)
            unit = state.units[top.unit]
            return Decision(state, unit.side, [unit], top.due)
        return sequence(state).due(state, self._waiting or [], self._kept)

    def _advance(self) -> None:
        """Carry on with what is under way, and close phases, until somebody has to say something or the battle ends."""
        state = self.state
        turns = sequence(state)
        while state.winner is None and not self._at_rest():
            if state.underway:
                if self._underway(state.underway[-1]):
                    return
                continue
            if self._waiting is None:
                self._waiting = turns.eligible(state)
                if not state.queue:
                    state.queue = turns.build_queue(state, self._waiting)
            self._trim()
            if state.queue:
                if state.phase != "declarations":
                    return
                mwii.next_up(self.play, self._waiting)
                continue
            turns.close_phase(self.play)
            state.queue = []
            self._waiting = None
            self._kept.clear()

    def _underway(self, top: Underway) -> bool:
        """Carry on with the innermost declaration; True when a decision is due."""
        play, state = self.play, self.state
        order = top.order
        unit = state.units[top.unit]
        if order is None:
            if top.due and unit.active:
                return True
            self._finished(top, unit)
            return False
        if not isinstance(order, CallOrder) and may_break_in(state):
            self._breaking = self._who_breaks_in(top)
            if self._breaking is not None:
                return True
        over: bool | None = True
        built = unit.heat_built
        if not unit.active:
            # what broke in has put it out of action
            pass
        elif isinstance(order, MoveOrder):
            over = self._move(top, order, unit)
            if over is None:
                return False
        else:
            carry_out(play, top, order)
        if isinstance(order, FireOrder) and state.declared and state.declared[-1] is order:
            forget(self._kept, order)
        else:
            # something has happened that may change what anybody can fire at
            self._kept.clear()
        if not top.regular:
            hold_heat(state, unit, unit.heat_built - built)
        top.order = None
        top.progress = None
        top.due = owed_next(play, top, order, bool(over))
        return False

    def _move(self, top: Underway, order: MoveOrder, unit: UnitState) -> bool | None:
        """Carry a movement on: None at a moment at which others may break in, else whether it is over."""
        play = self.play
        if order.mode == "wait":
            unit.waiting = True
            play.emit("waits", unit, "E-3")
            return True
        if not top.regular and top.progress is None:
            # a unit that stood still moves after all (M-9f)
            top.again = not unit.moved
            unit.moved = False
            unit.mode = ""
        over = advance_movement(play, top, stops=may_break_in(self.state))
        if over is not None and unit.alive:
            if over:
                after_movement(play, unit)
                if self.state.shells:
                    flown(play, unit, order)
                if order.act == "opportunity":
                    unit.complex_action = order.act
                    unit.opportunity = unit.active
            if top.again:
                unit.moved = False
                unit.mp_spent = 0
        return over

    def _who_breaks_in(self, top: Underway) -> UnitState | None:
        """The unit that is to say whether it breaks in on a declaration at its present moment. Rule: M-9a, M-9d."""
        state = self.state
        for unit in holders(self.play, top):
            if OpportunityChoices(state, unit, top).any:
                return unit
            top.asked = top.asked | {unit.index}
        return None

    def _finished(self, top: Underway, unit: UnitState) -> None:
        """A declaration is done with."""
        state = self.state
        state.underway.pop()
        if not top.regular:
            return
        if state.phase == "declarations":
            mwii.finished(self.play, top)
        unit.acted = True
        if self._waiting is not None and unit in self._waiting:
            self._waiting.remove(unit)
            state.queue.remove(unit.side)
        elif self._waiting is None and unit.side in state.queue:
            # taken up in the middle of the declaration: who else is to act will be worked out without this unit
            state.queue.remove(unit.side)

    def _trim(self) -> None:
        """Fit the queue to the units that can still act: a unit may have fallen out since it was made."""
        state = self.state
        waiting = self._waiting = [u for u in self._waiting or () if u.active]
        if len(waiting) == len(state.queue):
            return
        for side in range(len(state.sides)):
            able = sum(1 for u in waiting if u.side == side)
            while state.queue.count(side) > able:
                # the last of its turns falls away
                del state.queue[len(state.queue) - 1 - state.queue[::-1].index(side)]
            state.queue.extend([side] * (able - state.queue.count(side)))
