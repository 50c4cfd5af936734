"""The Op Force's orders for a phase: its units decided as a block on a copy of the battle, each with its working.

The battle itself is not touched. Chance on the copy comes from a seed, so that the same battle, policy and seed always
give the same orders; what is told about a unit is what holds before any dice fall.
"""

from __future__ import annotations

from collections.abc import Sequence

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle
from opfor.formats.battle_file.battle_turn import PHASES_OF
from opfor.formats.orders import find_unit
from opfor.formats.words.directives import with_restraints
from opfor.formats.words.notation import order_from_words
from opfor.formats.words.notation_sentences import one_sentence
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.loop import Chooser
from opfor.game.restraint import restrained
from opfor.gm.advice.outlook import outlook
from opfor.gm.advice.working import advise_unit, charge_attempt, rolls_of
from opfor.gm.policies import USUAL, policy_named, with_thought
from opfor.gm.running.landing import landing, rolls_at_end
from opfor.gm.running.told import told_lines
from opfor.orders import CallOrder, MoveOrder, Order, PassOrder
from opfor.report.advice import Advice, Advised
from opfor.rules.turn.initiative import won
from opfor.state import State

#: courses of the dice looked at for one in which a movement's rolls succeed
COURSES = 12


def advise(
    battle: Battle,
    *,
    policy: str = "",
    seed: int = 0,
    phase: str = "",
    only: Sequence[str] = (),
    locked: Sequence[str] = (),
    told: Sequence[str] = (),
    think: float | None = None,
) -> Advice:
    """Orders of every Op Force unit that has still to act in the battle's phase (or in ``phase``).

    ``policy`` replaces the sides' own. ``only``: ids of the units to tell of. ``locked``: units left to the game master, or
    their orders in words, which are played as given. ``told``: restraints for this time, beside those of the battle file
    (``reaver: do not move``, ``opfor: hold fire``). ``think``: seconds that the commander's effort is meant to take. Raises
    :class:`InputError`.
    """
    mine = battle.sides_of("opfor")
    if not mine:
        raise InputError("no side is played by the Op Force", source=battle.source, place="sides", hint="controller: opfor")
    state = battle.state.copy()
    if told:
        state.directives = with_restraints(state, told)
    if phase and phase != state.phase:
        state.phase, state.stage, state.queue = phase_of(state, phase), "", []
        state.underway.clear()
        for unit in state.units:
            unit.acted = False
    phase = state.phase
    wanted = {find_unit(state, name).id for name in only}
    given, held = _locked(locked, battle)
    defaults = [default.words for default in battle.defaults]
    questions: list[str] = []
    names: list[str] = []
    advised: list[Advised] = []
    moving = state.phase == "movement"
    # the players' parts are over before theirs begins
    questions += unfinished(state, mine) if state.winner is None else []
    if state.phase != "end" and state.winner is None:
        game = Game(state, SeededDice(seed))
        for side in mine:
            code = policy or battle.policies[side] or USUAL
            code = code if think is None else with_thought(code, think)
            names.append(code)
            if not policy and not battle.policies[side]:
                defaults.append(f"{state.sides[side]} is played by the policy {USUAL}")
            game, block = _block(game, side, policy_named(code, seed), given, held)
            if moving:
                _look_out(game, block)
            advised += block
        coming = game.decision() if state.phase == "declarations" else None
        if coming is not None and coming.side not in mine:
            questions.append(f"{', '.join(coming.unit_ids)} of {coming.side_name} declares next")
        held_here = [u.id for u in state.units if u.id in held and u.side in mine]
        questions += [f"{id} is left to the game master" for id in held_here]
    if state.winner is not None:
        questions.append("the battle is over")
    elif not advised and not questions and state.phase in ("initiative", "physical", "end"):
        questions.append(f"nothing is declared in the {phase} phase: `opfor apply` with --seed or --dice plays it")
    lands = landing(battle.state) if phase in ("fire", "physical", "declarations") and battle.state.winner is None else []
    shown = [one for one in advised if not wanted or one.order.unit in wanted]
    lines = told_lines(battle, state, mine, names)
    document = _document(battle, phase, shown, defaults, questions, names, seed, lands)
    document["told"] = lines
    return Advice(
        name=battle.name,
        turn=battle.state.turn,
        phase=phase,
        advised=shown,
        rules=battle.state.ruleset.name,
        policy=", ".join(dict.fromkeys(names)) or "none",
        seed=seed,
        document=document,
        defaults=defaults,
        questions=questions,
        waiting=_waiting(battle, mine),
        told=lines,
        landing=lands,
    )


def phase_of(state: State, wanted: str) -> str:
    """A phase by the name that the game master uses: a turn by declarations has one for all that units do. Rule: M-10."""
    phases = PHASES_OF[state.ruleset.turn_sequence]
    if wanted in phases:
        return wanted
    return "declarations" if "declarations" in phases and wanted in ("movement", "fire", "physical") else wanted


def unfinished(state: State, mine: Sequence[int]) -> list[str]:
    """What players have not done that comes before the Op Force's part, as questions. Rule: E-3, E-5, E-6."""
    players = [u for u in state.units if u.side not in mine and u.active and not (u.aboard or u.swarming)]
    if state.ruleset.turn_sequence != "eridani":
        return []
    unmoved = [u.id for u in players if not u.moved and not u.waiting]
    waiting = [u.id for u in players if u.waiting and not u.moved]
    if state.phase == "initiative" and state.stage == "rolled" and unmoved:
        winners = [id for id in unmoved if won(state, state.unit(id))]
        losers = [id for id in unmoved if id not in winners]
        found = [f"these have lost initiative and move now: {', '.join(losers)}"] if losers else []
        return found + ([f"these have won it, and move now or wait: {', '.join(winners)}"] if winners else [])
    if state.phase == "movement" and unmoved:
        return [f"these have neither moved nor won initiative to wait: {', '.join(unmoved)}"]
    if state.phase == "fire" and state.stage != "answer":
        silent = [u.id for u in players if u.moved and not u.acted and not u.fired]
        return [
            f"{words}: {', '.join(ids)}"
            for words, ids in (
                ("these wait and have not moved yet, taken as standing where they are", waiting),
                ("these have not moved", unmoved),
                ("these have not attacked yet", silent),
            )
            if ids
        ]
    return []


def _block(game: Game, side: int, chooser: Chooser, given: dict[str, str], held: set[str]) -> tuple[Game, list[Advised]]:
    """One side's orders, unit by unit, each carried out on the copy so that the next is decided in its light.

    Returns the game as it then stands, and the orders. What a unit does after a failed attempt to stand is a note.
    """
    phase, turn = game.state.phase, game.state.turn
    done: list[Advised] = []
    while True:
        game.call(side, _KINDS.get(phase, ""))
        decision = game.decision()
        while decision is not None and decision.kind == "opportunity" and decision.side != side:
            _may_break_in(game, decision, done)
            decision = game.decision()
        if decision is None or decision.side != side or (game.state.phase, game.state.turn) != (phase, turn):
            return game, done
        units = [unit for unit in decision.units if unit.id not in held]
        if not units:
            return game, done
        fixed = next((unit for unit in units if unit.id in given), None)
        if fixed is not None:
            words = one_sentence(given.pop(fixed.id), game.state)
            order = order_from_words(words, game.state, decision.narrowed([fixed]).legal)
            game.check(order)
        else:
            if len(units) < len(decision.units):
                decision = decision.narrowed(units)
            order = chooser.choose(restrained(decision), game.view(side))
        earlier = next((one for one in done if one.order.unit == order.unit and one.order.kind == order.kind), None)
        again = earlier is not None and isinstance(earlier.order, MoveOrder) and not earlier.order.act
        one = advise_unit(game.state, order)
        one.notes += getattr(chooser, "notes", {}).get(order.unit, ()) if fixed is None else ()
        if isinstance(order, CallOrder) and not order.what:
            # who announces nothing needs no line
            pass
        elif earlier is None or not again:
            done.append(one)
        else:
            earlier.notes.append(f"if that fails, then perhaps: {one.words}")
        game = _carried_out(game, order, one)


#: kind of the orders that the Op Force gives in each phase
_KINDS = {"initiative": "call", "movement": "move", "fire": "fire", "physical": "physical"}


def _may_break_in(game: Game, decision: Decision, done: list[Advised]) -> None:
    """A unit of the players could break in here: it is reckoned to let the moment pass, and that is noted. Rule: M-9."""
    assert decision.moment is not None
    id = decision.units[0].id
    note = f"{id} may break in on this: it is reckoned to let it pass"
    declaring = game.state.units[decision.moment.unit].id
    one = next((one for one in reversed(done) if one.order.unit == declaring), None)
    if one is not None and note not in one.notes:
        one.notes.append(note)
    game.apply(PassOrder(id))


def _look_out(game: Game, block: list[Advised]) -> None:
    """Add to each unit that has moved the shots it would have, now that all of them stand where they are meant to."""
    for one in block:
        unit = game.state.unit(one.order.unit)
        if unit.active and isinstance(one.order, MoveOrder) and not one.order.attack:
            one.outlook = outlook(game.state, unit)


def _carried_out(game: Game, order: Order, one: Advised) -> Game:
    """The game after an order as it is meant to go: of a few courses of the dice, the first in which its rolls succeed."""
    after = game
    if isinstance(order, MoveOrder) and one.rolls:
        first: Game | None = None
        for seed in range(COURSES):
            after = game.copy(SeededDice(seed))
            after.apply(order)
            unit = after.state.unit(order.unit)
            if (unit.cell, unit.facing, unit.prone) == (order.to, order.facing, order.prone):
                break
            first = first or after
        else:
            assert first is not None
            after = first
    else:
        game.apply(order)
    if isinstance(order, MoveOrder) and order.attack and order in after.state.charges:
        attempt = charge_attempt(after.state, order)
        one.attempts.append(attempt)
        one.figures["expected_damage"] = round(attempt.expected, 2)
    return after


def _locked(locked: Sequence[str], battle: Battle) -> tuple[dict[str, str], set[str]]:
    """Orders given by the game master, by unit; and units that are left alone."""
    given: dict[str, str] = {}
    held: set[str] = set()
    for words in locked:
        head, colon, _ = words.partition(":")
        unit = find_unit(battle.state, head)
        if colon:
            given[unit.id] = words
        else:
            held.add(unit.id)
    return given, held


def _waiting(battle: Battle, mine: list[int]) -> list[str]:
    """Units of the other sides that have not moved, in the movement phase."""
    state = battle.state
    if state.phase != "movement":
        return []
    return [u.id for u in state.units if u.side not in mine and u.active and not u.moved]


def _document(
    battle: Battle,
    phase: str,
    told: list[Advised],
    defaults: list[str],
    questions: list[str],
    names: list[str],
    seed: int,
    landing: Sequence[str],
) -> dict[str, object]:
    orders = []
    rolls = [roll for one in told for roll in rolls_of(one)]
    if landing and phase == "physical":
        rolls += [{"unit": "", "why": roll.why, "dice": f"{roll.dice}d6"} for roll in rolls_at_end(battle)]
    for one in told:
        row = {key: value for key, value in one.figures.items() if key != "reason"}
        row["facts"] = one.facts
        if one.attempts and isinstance(one.order, MoveOrder):
            row["attempt"] = one.attempts[0].sum.data
        row["reason"] = one.reason
        orders.append(row)
    return {
        "turn": battle.state.turn,
        "phase": phase,
        "orders": orders,
        "rolls": rolls,
        "landing": list(landing),
        "defaults": defaults,
        "questions": questions,
        "policy": names,
        "seed": seed,
    }
