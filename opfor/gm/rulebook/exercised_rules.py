"""Which ledger rules a replay's order and events show that no event or modifier cites by itself.

Rules of order (who acts when, what goes with what) leave no number behind: they are told from what was ordered, from the phases
gone through, and from what the ruleset is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opfor.rulesets import Ruleset

#: by kind of event, the rules at work wherever it happens
_BY_EVENT = {
    "attack": ("S-3", "E-9"),
    "opportunity": ("M-9", "M-9a", "M-9b", "M-9c"),
    "action_started": ("A-1", "A-2", "A-4", "A-6"),
    "action_broken": ("A-3",),
    "action_completed": ("A-3",),
    "effect_lost": ("A-5",),
    "marker_set": ("A-5", "A-6"),
    "scored": ("A-5",),
    "declares": ("M-10",),
}
#: by mode and by complex action of a movement order
_BY_MODE = {"evade": "M-2", "sprint": "M-3", "wait": "E-3"}
_BY_ACT = {"pause": "M-8", "opportunity": "M-9"}
_BY_ATTACK = {"charge": "M-6", "dfa": "M-7"}


def rules_of_order(order: dict[str, Any], ruleset: Ruleset) -> Iterator[str]:
    """Rules that an order of a replay shows."""
    kind = order.get("kind")
    if kind == "move":
        for key, rules in (("mode", _BY_MODE), ("act", _BY_ACT), ("attack", _BY_ATTACK)):
            if order.get(key) in rules:
                yield rules[order[key]]
    elif kind == "fire":
        attacks = [attack for attack in order.get("attacks", ()) if isinstance(attack, dict)]
        if attacks and ruleset.action_budget != "standard":
            yield "M-1"
        if len({attack.get("target") for attack in attacks}) > 1:
            yield "M-4"
        if any(attack.get("spotter") for attack in attacks):
            yield "M-5"
        if attacks and ruleset.engaged_shooting == "on":
            yield "A-7"
    elif kind == "action" and order.get("action"):
        if (ruleset.action_after_shooting, ruleset.action_when_shocked) != ("allowed", "completes"):
            yield "A-8"
    elif kind == "preempt":
        yield "M-10"
    elif kind == "pass":
        yield from ("M-9b", "M-9c")


def rules_of_events(order: dict[str, Any], events: list[dict[str, Any]], ruleset: Ruleset) -> Iterator[str]:
    """Rules that what an order led to shows."""
    broken_in: list[dict[str, Any]] = []
    for event in events:
        what = event["event"]
        yield from _BY_EVENT.get(what, ())
        if what == "phase" and ruleset.turn_sequence == "eridani":
            yield from {"movement": ("E-5",), "physical": ("E-8",)}.get(event.get("phase", ""), ())
        elif what == "stage" and event.get("stage") == "answer":
            yield "E-6"
        elif what == "heat" and event.get("held"):
            yield "M-9e"
        elif what == "physical_attack" and ruleset.physical_base == "house":
            yield from ("E-10", "E-11")
        elif what == "cover_struck" and ruleset.partial_cover == "house":
            yield "E-36"
        elif what == "roll" and event.get("reason") == "skid":
            yield "E-13"
        elif what == "moved" and event.get("pavement"):
            yield "E-12"
        elif what == "opportunity":
            broken_in.append(event)
    if broken_in and order.get("kind") == "move" and order.get("unit") == broken_in[0]["unit"]:
        yield "M-9f"
