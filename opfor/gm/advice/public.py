"""The Op Force's orders as players may read them: from the position that all sides know, and the sums of the orders.

What the game master alone may read goes in here and does not come out: :class:`~opfor.report.posts.published.Published` has
no room for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from opfor.formats.battle_file.battle import Battle
from opfor.formats.orders import order_as_dict
from opfor.formats.words.notation import order_in_words
from opfor.gm.advice.clauses import clause
from opfor.gm.advice.common_knowledge import CommonKnowledge, mentions, told, without
from opfor.orders import CallOrder, FireOrder, MoveOrder, PhysicalOrder
from opfor.report.advice import Advice, Advised, Sum
from opfor.report.posts.happenings import event_words, is_silent
from opfor.report.posts.published import Part, Post, Published, PublishedAttempt, PublishedSum, Results
from opfor.report.unit_words import strength_words
from opfor.rules.events import Event
from opfor.state import State
from opfor.tables import load_yaml


def post_of(battle: Battle, advice: Advice) -> Post:
    """The orders of a phase for players: nothing of units that they do not know of."""
    from opfor.gm.advice.advise import unfinished
    from opfor.gm.running.landing import landing

    known = common_knowledge(battle)
    state = known.state
    mine = battle.sides_of("opfor")
    orders = published(known, advice.advised)
    open_: list[str] = []
    if state.winner is None and advice.phase == state.phase:
        open_ += unfinished(state, mine)
    return Post(
        battle.name,
        advice.turn,
        advice.phase,
        state.ruleset.name,
        orders,
        tuple(id for id in advice.waiting if id not in known.concealed),
        without(landing(state), known) if advice.landing else (),
        house_rules(state, orders),
        without(open_, known),
    )


def common_knowledge(battle: Battle) -> CommonKnowledge:
    """What the players of a battle all know."""
    return CommonKnowledge(battle.state, battle.sides_of("gm"))


def published(known: CommonKnowledge, advised: Iterable[Advised], words: Sequence[str] = ()) -> tuple[Published, ...]:
    """The orders that may be told, each as seen from where its unit then stands. ``words``: in place of their own."""
    found = []
    for index, one in enumerate(advised):
        made = publish(known, one, words[index] if words else "")
        if made is not None:
            found.append(made)
        known.follow(one.order)
    return tuple(found)


def publish(known: CommonKnowledge, one: Advised, words: str = "") -> Published | None:
    """A unit's order as it may be told, None where it may not be. ``words``: what stands in place of the order's own."""
    id = one.order.unit
    if id in known.concealed:
        return None
    unit = known.state.unit(id)
    spec = unit.spec
    own = unit.name.lower() not in (spec.name.lower(), id.lower())
    strength = strength_words(unit) or f"{spec.tons} t"
    about = f"{id}, {spec.name}, {strength}" if own else f"{spec.name}, {strength}"
    name = unit.name if own or unit.name.lower() == id.lower() else id
    if isinstance(one.order, CallOrder):
        return Published(id, name, about, announced=one.announced) if one.announced else None
    order = known.bare(one.order)
    if order is None:
        return None
    told_words = words or order_in_words(order, known.state).partition(": ")[2]
    if mentions(told_words, known.concealed):
        return None
    shown = [a for a in one.attempts if a.target not in known.concealed]
    return Published(
        id,
        name,
        about,
        told_words,
        order,
        without(one.facts, known),
        clause(known.state, order),
        tuple(PublishedAttempt(_sum(a.sum), a.target, a.distance, a.on_hit) for a in shown),
        tuple(_sum(roll) for roll in one.rolls),
    )


def _sum(found: Sum) -> PublishedSum:
    """A target number without its odds."""
    if found.needs is None:
        return PublishedSum(found.what, None, why=str(found.data.get("why", found.words)))
    parts = tuple(Part(row["what"], row["value"], row["rule"]) for row in found.data["modifiers"])
    return PublishedSum(found.what, found.needs, parts)


@lru_cache(maxsize=1)
def _used() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = load_yaml(
        files("opfor.report.posts").joinpath("rules_used.yaml").read_text(encoding="utf-8")
    )
    return found


def house_rules(state: State, orders: Iterable[Published]) -> tuple[str, ...]:
    """House rules that bear on these orders and differ from the standard, in words with their ledger ids."""
    from opfor.rulesets import switches

    kinds = set()
    for one in orders:
        unit = state.unit(one.unit)
        if one.announced:
            kinds.add("call")
        elif isinstance(one.order, FireOrder):
            kinds |= {"fire" if one.order.attacks else "", one.order.clear}
            kinds.add("vtol" if one.order.attacks and unit.spec.kind == "vtol" else "")
        elif isinstance(one.order, PhysicalOrder):
            kinds.add("physical" if one.order.attack else "")
        elif isinstance(one.order, MoveOrder):
            kinds |= {one.order.mode, one.order.act, "physical" if one.order.attack in ("charge", "dfa") else ""}
    known = switches()
    found = []
    for name, row in _used().items():
        value = getattr(state.ruleset, name)
        if row["when"] in kinds and value != known[name].standard and value != "off":
            words = row["none"] if "none" in row and value == 0 else row["words"].format(value=value)
            found.append(f"{words} [{known[name].rule}]")
    return tuple(found)


def public_document(post: Post, known: CommonKnowledge) -> dict[str, Any]:
    """The orders that players may read as data, in the form that ``opfor apply`` takes: no reasons, no odds, nobody hidden."""
    rows, rolls = [], []
    for one in post.orders:
        if one.order is None:
            continue
        row = {**order_as_dict(one.order, known.state), "words": f"{one.unit}: {one.words}", "facts": list(one.facts)}
        row["sums"] = [
            {"what": a.sum.what, "target": a.target, "range": a.distance, **_number(a.sum), "on_hit": a.on_hit}
            for a in one.attempts
        ] + [{"what": roll.what, **_number(roll)} for roll in one.rolls]
        rows.append(row)
        rolls += [
            {"unit": one.unit, "why": f"{one.unit}: {a.sum.what} at {a.target}", "dice": "2d6", "needs": a.sum.needs}
            for a in one.attempts
            if a.sum.needs is not None
        ]
        rolls += [
            {"unit": one.unit, "why": f"{one.unit}: {roll.what}", "dice": "2d6", "needs": roll.needs}
            for roll in one.rolls
            if roll.needs is not None
        ]
    return {
        "turn": post.turn,
        "phase": post.phase,
        "orders": rows,
        "announced": [{"unit": one.unit, "what": one.announced} for one in post.orders if one.announced],
        "rolls": rolls,
        "landing": list(post.landing),
        "questions": list(post.open),
    }


def _number(sum: PublishedSum) -> dict[str, Any]:
    if sum.needs is None:
        return {"tn": None, "why": sum.why}
    return {"tn": sum.needs, "modifiers": [{"what": p.what, "value": p.value, "rule": p.rule} for p in sum.parts]}


#: events that begin a part of the account
_BEGIN = (
    "attack", "physical_attack", "moved", "stayed", "waits", "shell", "bombs", "blow_lands", "physical_lost", "left_map",
    "unit_initiative", "initiative", "opportunity", "action_started", "action_completed", "ended", "declares",
)  # fmt: skip


def results_of(battle: Battle, before: State, events: Sequence[Event]) -> Results:
    """What happened, as players may read it."""
    parts: list[tuple[str, list[str]]] = []
    last = ""
    for event in told(before, events, battle.sides_of("gm")):
        if event.what in ("phase", "stage"):
            parts.append((event_words(event).removeprefix("--- "), []))
            last = ""
            continue
        if is_silent(event):
            continue
        short = last == event.what and event.what in ("heat", "moved", "stayed", "waits", "unit_initiative")
        if not parts or (event.what in _BEGIN and not short and parts[-1][1]) or (event.what == "heat" and last != "heat"):
            parts.append(("", []))
        parts[-1][1].append(event_words(event))
        last = event.what
    return Results(battle.name, before.turn, before.phase, tuple((title, tuple(lines)) for title, lines in parts))
