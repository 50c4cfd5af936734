"""Properties of the waist over battles played at random: copies, battle files, replays, refusals, order of the legal list.

A state machine drives :class:`opfor.game.game.Game` by legal orders and looks at it from all sides in between. Rule: E-1.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from opfor.board.sight import sight
from opfor.dice import SeededDice
from opfor.errors import IllegalOrder
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.orders import order_as_dict, order_from_dict
from opfor.formats.replay import ReplayRecorder, replay
from opfor.formats.words.notation import order_from_words, order_in_words
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.orders import FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.rules.events import Event
from opfor.state import State
from tests.conformance.fingerprint import changed, fingerprint
from tests.conformance.positions import at_random, close_battle
from tests.test_battle_file import same_state

_QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
#: by default the same examples each time, so that nobody meets a new failure by chance while working on something else
FAST = settings(max_examples=14, stateful_step_count=14, deadline=None, derandomize=True, suppress_health_check=_QUIET)
LONG = settings(max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=_QUIET)
#: lists longer than this are not written out
_LONGEST = 1500
SEEDS = st.integers(0, 9999)


def battle_of(state: State) -> Battle:
    """A battle as its file would give it, around a state made here."""
    return Battle({"board": state.board.name}, state, "test", controllers=("opfor", "opfor"), policies=("", ""))


def play_on(game: Game, seed: int, steps: int) -> list[list[Event]]:
    """Give some legal orders at random; what each led to."""
    choose = at_random(seed)
    happened = []
    for _ in range(steps):
        if game.decision() is None:
            break
        happened.append(game.apply(choose(game)))
    return happened


def as_dicts(happened: list[list[Event]]) -> list[list[dict[str, object]]]:
    """Events as plain data."""
    return [[event.as_dict() for event in events] for events in happened]


class Waist(RuleBasedStateMachine):
    """A battle driven by legal orders."""

    game: Game

    @initialize(seed=SEEDS, size=st.sampled_from((1, 2, 2, 3)), damaged=st.booleans(), spread=st.sampled_from((9, 24)))
    def begin(self, seed: int, size: int, damaged: bool, spread: int) -> None:
        state = close_battle(seed, size=size, damaged=damaged, spread=spread)
        self.battle = battle_of(state)
        self.base = state.board
        self.battle.base_board = state.board
        self.game = Game(state, SeededDice(seed))
        self.recorder = ReplayRecorder(self.battle)
        self.watchers = (self.recorder, Invariants())
        for watcher in self.watchers:
            watcher.before(self.game)

    def due(self) -> Decision:
        decision = self.game.decision()
        assert decision is not None
        return decision

    def give(self, order: Order) -> None:
        """Apply an order with everybody looking on."""
        decision = self.due()
        for watcher in self.watchers:
            watcher.ordered(self.game, decision, order)
        events = self.game.apply(order)
        for watcher in self.watchers:
            watcher.happened(self.game, order, events)

    def going_on(self) -> bool:
        return self.game.decision() is not None

    # -- playing --------------------------------------------------------------------------------------------------------

    @precondition(going_on)
    @rule(data=st.data())
    def one_order(self, data: st.DataObject) -> None:
        """One legal order, drawn so that a failure shrinks to the first orders of the list."""
        self.give(self.due().legal.sample(lambda count: data.draw(st.integers(0, count - 1))))

    @precondition(going_on)
    @rule(seed=SEEDS, steps=st.integers(2, 8))
    def some_orders(self, seed: int, steps: int) -> None:
        """Several orders, to get on in the battle."""
        choose = at_random(seed)
        for _ in range(steps):
            if self.game.decision() is not None:
                self.give(choose(self.game))

    # -- copies ---------------------------------------------------------------------------------------------------------

    @rule(seed=SEEDS, steps=st.integers(1, 6))
    def a_copy_is_equal_and_goes_its_own_way(self, seed: int, steps: int) -> None:
        """Two copies play to the same end; the game itself never notices."""
        before, rolls = fingerprint(self.game.state), len(self.game.dice.log)
        twins = [self.game.copy(), self.game.copy()]
        for twin in twins:
            assert not changed(before, fingerprint(twin.state))
            assert repr(twin.decision()) == repr(self.game.decision())
        first, second = (as_dicts(play_on(twin, seed, steps)) for twin in twins)
        assert first == second
        assert not changed(fingerprint(twins[0].state), fingerprint(twins[1].state))
        assert not changed(before, fingerprint(self.game.state)), "a copy's orders reached the game"
        assert len(self.game.dice.log) == rolls

    @precondition(going_on)
    @rule(seed=SEEDS)
    def each_side_gets_a_view_of_its_own(self, seed: int) -> None:
        """What a policy does to its view stays there."""
        before = fingerprint(self.game.state)
        view = self.game.view(self.due().side)
        for unit in view.state.units:
            unit.heat += 7
            unit.armor[seed % len(unit.armor)] = 0
            unit.cell = -1
        view.state.queue.clear()
        assert not changed(before, fingerprint(self.game.state))

    # -- the battle file ------------------------------------------------------------------------------------------------

    @invariant()
    def the_battle_file_gives_the_state_back(self) -> None:
        """What is written is read as the same state, at every step."""
        if hasattr(self, "game"):
            self.game.decision()
            same_state(self.game.state, self._from_file().state)

    def _from_file(self) -> Battle:
        return read_battle(json.dumps(battle_document(self.battle)))

    @precondition(going_on)
    @rule(seed=SEEDS, steps=st.integers(1, 8))
    def a_battle_read_from_its_file_plays_on_the_same(self, seed: int, steps: int) -> None:
        """Nothing that matters is outside the file: the same orders and dice lead to the same end."""
        again = Game(self._from_file().state, self.game.dice.copy())
        twin = self.game.copy()
        assert repr(again.decision()) == repr(twin.decision())
        again.take_events()
        assert as_dicts(play_on(again, seed, steps)) == as_dicts(play_on(twin, seed, steps))
        same_state(again.state, twin.state)

    # -- refusals -------------------------------------------------------------------------------------------------------

    @precondition(going_on)
    @rule(seed=SEEDS)
    def a_refused_order_changes_nothing(self, seed: int) -> None:
        """Orders of others, of another phase, and bent ones are refused with a reason, and all stands as it stood."""
        decision = self.due()
        order = at_random(seed)(self.game)
        others = [u.id for u in self.game.state.units if u.id not in decision.unit_ids]
        wrong: list[Order] = [replace(order, unit=id) for id in [*others, "nobody"]]
        unit = decision.unit_ids[0]
        kinds: list[Order] = [MoveOrder(unit, "stand", (), 0, 0), FireOrder(unit), PhysicalOrder(unit)]
        wrong += [other for other in kinds if other.kind != order.kind]
        if isinstance(order, MoveOrder):
            wrong += [replace(order, path=("F",) * 30), replace(order, mode="fly"), replace(order, to=-1)]
        elif isinstance(order, FireOrder):
            wrong += [replace(order, twist=3), replace(order, primary="nobody")]
        else:
            wrong += [replace(order, attack="bite"), replace(order, attack="kick", target="nobody")]
        before, rolls = fingerprint(self.game.state), len(self.game.dice.log)
        for each in wrong:
            with pytest.raises(IllegalOrder) as refused:
                self.game.apply(each)
            assert str(refused.value)
            assert not changed(before, fingerprint(self.game.state)), each
            assert len(self.game.dice.log) == rolls
        assert self.game.decision() is decision

    # -- the legal list -------------------------------------------------------------------------------------------------

    @precondition(going_on)
    @rule()
    def the_legal_list_is_stable(self) -> None:
        """The same state has the same orders in the same order: asked again, of a copy, and of the file."""
        legal = self.due().legal
        count = legal.count()
        twin, again = self.game.copy().decision(), Game(self._from_file().state).decision()
        assert twin is not None and again is not None
        assert count == twin.legal.count() == again.legal.count()
        if count <= _LONGEST:
            listed = list(legal)
            assert listed == list(legal) == list(twin.legal) == list(again.legal)
            # unit by unit, in the order in which the decision names them
            units = list(dict.fromkeys(order.unit for order in listed))
            assert units == self.due().unit_ids
            assert [order.unit for order in listed] == sorted((o.unit for o in listed), key=units.index)

    @precondition(going_on)
    @rule(seed=SEEDS)
    def every_legal_order_applies(self, seed: int) -> None:
        """Some of the orders, each on a copy: none is refused, none leads where no rules lead."""
        choose = at_random(seed)
        for _ in range(5):
            twin = self.game.copy()
            decision = twin.decision()
            assert decision is not None
            watcher = Invariants()
            watcher.before(twin)
            order = choose(twin)
            watcher.ordered(twin, decision, order)
            watcher.happened(twin, order, twin.apply(order))

    @precondition(going_on)
    @rule(seed=SEEDS)
    def orders_go_through_words_and_json(self, seed: int) -> None:
        """An order written down is read as the same order."""
        order = at_random(seed)(self.game)
        state = self.game.state
        assert order_from_dict(json.loads(json.dumps(order_as_dict(order, state))), state) == order
        assert order_from_words(order_in_words(order, state), state, self.due().legal) == order

    # -- sight ----------------------------------------------------------------------------------------------------------

    @rule()
    def sight_is_mutual(self) -> None:
        """Who sees is seen, with the same woods and smoke between: swapping the sides changes nothing. Rule: S-3."""
        state = self.game.state
        alive = [u for u in state.units if u.alive]
        for a in alive:
            for b in alive:
                if a.cell < b.cell:
                    there = sight(state.board, a.cell, state.base(a), state.top(a), b.cell, state.base(b), state.top(b))
                    back = sight(state.board, b.cell, state.base(b), state.top(b), a.cell, state.base(a), state.top(a))
                    assert there.clear == back.clear, (a.id, b.id)

    # -- the record -----------------------------------------------------------------------------------------------------

    def teardown(self) -> None:
        """The record of all that was done plays the battle again, to the same bytes."""
        if hasattr(self, "game"):
            self.recorder.after(self.game)
            text = self.recorder.text()
            assert replay(text) == text


TestWaist = Waist.TestCase
TestWaist.settings = FAST


@pytest.mark.slow
class TestWaistAtLength(Waist.TestCase):  # type: ignore[misc, valid-type]
    """The same over many long battles, new ones each time."""

    settings = LONG


# -- two whole games --------------------------------------------------------------------------------------------------


def whole_game(seed: int, turn_limit: int, choose: Callable[[Game], Order]) -> Game:
    """A battle played to its end."""
    state = close_battle(seed)
    state.limit = turn_limit
    game = Game(state, SeededDice(seed))
    while game.decision() is not None:
        game.apply(choose(game))
    return game


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=_QUIET)
@given(seed=SEEDS)
def test_a_game_ends_and_is_the_same_each_time(seed: int) -> None:
    """By its limit at the latest, with a winner or a draw; the same seeds give the same battle and the same rolls."""
    one, two = (whole_game(seed, 3, at_random(seed)) for _ in range(2))
    assert one.over and one.state.turn <= 3
    assert one.dice.log == two.dice.log
    with pytest.raises(IllegalOrder):
        one.apply(FireOrder(one.state.units[0].id))


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=_QUIET)
@given(seed=SEEDS)
def test_trust_changes_nothing_but_the_check(seed: int) -> None:
    """Orders from the list applied with and without the check lead to the same state."""
    checked, trusted = (Game(close_battle(seed, damaged=True), SeededDice(seed)) for _ in range(2))
    first, second = at_random(seed), at_random(seed)
    for _ in range(10):
        if checked.decision() is None:
            break
        one, two = checked.apply(first(checked)), trusted.apply(second(trusted), trust=True)
        assert [event.as_dict() for event in one] == [event.as_dict() for event in two]
    same_state(checked.state, trusted.state)
