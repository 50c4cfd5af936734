"""Breaking in on a declared enemy order: at which of its moments a unit of the Op Force would do so, with what, and what for.

The order is carried out on a copy, all moments let pass, so that each of them is looked at as it comes. Rule: M-9, M-10.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from opfor.dice import SeededDice
from opfor.errors import IllegalOrder, InputError
from opfor.formats.battle_file.battle import Battle
from opfor.formats.orders import find_unit, order_as_dict, order_from_dict
from opfor.formats.words.conditions import Moment, condition_as_dict, condition_in_words, moment_of
from opfor.formats.words.notation import kind_of_words, order_from_words, order_in_words
from opfor.formats.words.notation_sentences import one_sentence
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.loop import Chooser
from opfor.game.restraint import restrained
from opfor.gm.advice.common_knowledge import mentions
from opfor.gm.advice.outlook import outlook
from opfor.gm.advice.public import common_knowledge, house_rules, published
from opfor.gm.advice.working import advise_unit, rolls_of
from opfor.gm.policies import USUAL, policy_named
from opfor.orders import FireOrder, Order, PassOrder, PreemptOrder
from opfor.report.advice import Advised
from opfor.report.posts.gm_text import PAD, open_lines, private_lines
from opfor.report.posts.published import Post
from opfor.state import State
from opfor.units.state import UnitState


@dataclass(slots=True)
class Reaction:
    """What a unit would do at one moment. ``expected``: mean damage, or None where that says nothing (movement, preemption)."""

    order: Order
    moment: Moment
    words: str
    advised: Advised
    expected: float | None
    data: dict[str, Any]


@dataclass(slots=True)
class Reactions:
    """The answer to an enemy's order: the best moment of each unit that breaks in, the others, and notes."""

    order: Order
    words: str
    chosen: list[Reaction] = field(default_factory=list)
    #: further moments at which the policy would break in, by unit
    others: dict[str, list[Reaction]] = field(default_factory=dict)
    #: units that let every moment pass, and what they are offered
    passes: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    policy: str = ""
    document: dict[str, Any] = field(default_factory=dict)


def react(battle: Battle, to: Any, *, policy: str = "", seed: int = 0) -> Reactions:
    """What the Op Force does about an enemy's order, in words or as JSON; the battle is not touched.

    Raises :class:`InputError`.
    """
    mine = battle.sides_of("opfor")
    if not mine:
        raise InputError("no side is played by the Op Force", source=battle.source, place="sides", hint="controller: opfor")
    state = battle.state.copy()
    game = Game(state, SeededDice(seed))
    order, unit = _declared(game, to, mine)
    found = Reactions(order, order_in_words(order, state))
    choosers = {side: policy_named(policy or battle.policies[side] or USUAL, seed) for side in mine}
    found.policy = ", ".join(dict.fromkeys(policy or battle.policies[side] or USUAL for side in mine))
    found.notes += _own_holders(state, unit, mine)
    game.apply(order, trust=True)
    reactions: dict[str, list[Reaction]] = {}
    while (decision := game.decision()) is not None and decision.kind == "opportunity":
        asked = decision.units[0]
        if asked.side in mine:
            _ask(game, decision, choosers[asked.side], reactions, found)
        game.apply(PassOrder(asked.id), trust=True)
    for id, offers in reactions.items():
        best = max(offers, key=lambda one: -1.0 if one.expected is None else one.expected)
        found.chosen.append(best)
        found.others[id] = [one for one in offers if one is not best]
        found.passes.pop(id, None)
    if not found.chosen and not found.passes:
        found.notes.append("no unit of the Op Force can break in on this")
    found.document = _document(battle, found)
    return found


def _declared(game: Game, to: Any, mine: list[int]) -> tuple[Order, UnitState]:
    """The enemy's order, read and checked as it stands."""
    state = game.state
    content = to if isinstance(to, dict) else one_sentence(str(to), state)
    head = content.get("unit", "") if isinstance(content, dict) else content.partition(":")[0]
    unit = find_unit(state, str(head).strip(" *-•_"), place="--to")
    if unit.side in mine:
        raise InputError(f"{unit.id} is of the Op Force: name an enemy's order", source="order", place="--to")
    kind = str(content.get("kind", "")) if isinstance(content, dict) else kind_of_words(content, state)
    game.call(unit.side, kind)
    decision = game.decision()
    own = decision.narrowed([unit]) if decision is not None and unit.id in decision.unit_ids else decision
    lookup = own.legal if own is not None and (own.kind == "movement" or own.also) else None
    order = order_from_dict(content, state) if isinstance(content, dict) else order_from_words(content, state, lookup)
    try:
        game.check(order, own)
    except IllegalOrder as error:
        raise IllegalOrder(error.message, rule=error.rule, place="--to", hint=error.hint) from None
    return order, unit


def _ask(game: Game, decision: Decision, chooser: Chooser, reactions: dict[str, list[Reaction]], found: Reactions) -> None:
    """Ask the policy what a unit does at the moment that is due."""
    state = game.state
    unit = decision.units[0]
    assert decision.moment is not None
    moment = moment_of(state, decision.moment)
    order = chooser.choose(restrained(decision), game.view(decision.side))
    if isinstance(order, PassOrder):
        offers = found.passes.setdefault(unit.id, [])
        target = state.unit(moment.unit)
        best = [a for a in outlook(state, unit) if a.target == target.id]
        if unit.opportunity and best:
            shots = ", ".join(f"{a.sum.what} {a.sum.needs}" for a in best)
            offers.append(f"{moment.words(state)}: {shots}")
        return
    if isinstance(order, PreemptOrder):
        one = Advised(order, "declare now", unit.name, reason=order.reason)
        one.figures = order_as_dict(order, state)
        expected = None
    else:
        one = advise_unit(state, order)
        _held_heat(state, unit, order, one)
        expected = sum(attempt.expected for attempt in one.attempts) if one.attempts else None
    words = condition_in_words(order, moment, state)
    data = {**condition_as_dict(order, moment, state), **one.figures, "words": words}
    if expected is not None:
        data["expected_damage"] = round(expected, 2)
    data["facts"] = one.facts
    reactions.setdefault(unit.id, []).append(Reaction(order, moment, words, one, expected, data))


def _held_heat(state: State, unit: UnitState, order: Order, one: Advised) -> None:
    """Heat of an opportunity action is not shed this turn, where the ruleset says so. Rule: M-9e."""
    if not isinstance(order, FireOrder) or not unit.spec.is_mech or state.ruleset.opportunity_heat != "carried":
        return
    modes = [next(m for m in unit.spec.mounts[a.mount].modes if m.name == a.mode) for a in order.attacks]
    built = sum(mode.heat for mode in modes)
    one.facts = [fact for fact in one.facts if not fact.startswith("heat ")]
    one.facts.append(f"heat +{built}, which nothing sheds before its next turn")
    one.figures["heat_expected"] = {"built": built, "held": True}


def _own_holders(state: State, declaring: UnitState, mine: list[int]) -> list[str]:
    """Enemies who hold an opportunity action themselves, and may answer ours by one of theirs. Rule: M-9d."""
    return [
        f"{unit.id} holds an opportunity action: it may break in on one of ours, if its initiative is higher"
        for unit in state.units
        if unit.opportunity and unit.active and unit.side not in mine and unit is not declaring
    ]


def _document(battle: Battle, found: Reactions) -> dict[str, Any]:
    state = battle.state
    return {
        "turn": state.turn,
        "phase": state.phase,
        "to": {**order_as_dict(found.order, state), "words": found.words},
        "orders": [{**one.data, "reason": one.order.reason} for one in found.chosen],
        "others": {id: [one.data for one in others] for id, others in found.others.items() if others},
        "passes": [{"unit": id, "offered": offered} for id, offered in found.passes.items()],
        "rolls": [roll for one in found.chosen for roll in rolls_of(one.advised)],
        "notes": found.notes,
        "policy": found.policy,
    }


def react_post(battle: Battle, found: Reactions) -> Post:
    """The orders that break in, as players may read them: none of hidden units, no odds, no reasons, no other moments."""
    known = common_knowledge(battle)
    chosen = [one.advised for one in found.chosen]
    # the words of a condition stand behind the unit's id
    orders = published(known, chosen, [one.words.partition(": ")[2] for one in found.chosen])
    against = "" if mentions(found.words, known.concealed) else found.words
    state = battle.state
    return Post(
        battle.name,
        state.turn,
        state.phase,
        state.ruleset.name,
        tuple(one for one in orders if against),
        house=house_rules(known.state, orders),
        against=against or "an order",
    )


def react_words(found: Reactions) -> str:
    """The answer as text: conditional orders at the beginning of lines, as ``opfor apply`` reads them; all else is remarks."""
    lines = [f"# against {found.words}"]
    for one in found.chosen:
        lines += ["", one.words]
        lines += open_lines(one.advised)
        lines += private_lines(one.advised)
        for other in found.others.get(one.order.unit, ()):
            value = "" if other.expected is None else f": expected damage {other.expected:.1f}"
            lines.append(f"{PAD}or {other.words.partition(': ')[2]}{value}")
    lines.append("")
    for id, offered in found.passes.items():
        lines.append(f"# {id} lets it pass" + (f"; it could have fired as {'; '.join(offered)}" if offered else ""))
    lines += [f"# {note}" for note in found.notes]
    lines.append(f"# policy {found.policy}; hand these in with the order: opfor apply BATTLE '{found.words}' '...'")
    return "\n".join([*lines, ""])
