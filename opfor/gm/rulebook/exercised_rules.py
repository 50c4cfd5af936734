"""Which ledger rules an order and its events show that no event or modifier cites by itself.

Rules of order (who acts when, what goes with what) leave no number behind: they are told from what was ordered, from the phases
gone through, and from what the ruleset is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opfor.orders import ActionOrder, FireOrder, MoveOrder, Order, PassOrder, PreemptOrder
from opfor.rules.events import Event
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
_BY_PHASE = {"movement": "E-5", "physical": "E-8"}


def rules_of_order(order: Order, ruleset: Ruleset) -> Iterator[str]:
    """Rules that an order shows."""
    if isinstance(order, MoveOrder):
        if order.mode in _BY_MODE:
            yield _BY_MODE[order.mode]
        if order.act in _BY_ACT:
            yield _BY_ACT[order.act]
        if order.attack in _BY_ATTACK:
            yield _BY_ATTACK[order.attack]
    elif isinstance(order, FireOrder):
        if not order.attacks:
            return
        if ruleset.action_budget != "standard":
            yield "M-1"
        if len({attack.target for attack in order.attacks}) > 1:
            yield "M-4"
        if any(attack.spotter for attack in order.attacks):
            yield "M-5"
        if ruleset.engaged_shooting == "on":
            yield "A-7"
    elif isinstance(order, ActionOrder):
        if order.action and (ruleset.action_after_shooting, ruleset.action_when_shocked) != ("allowed", "completes"):
            yield "A-8"
    elif isinstance(order, PreemptOrder):
        yield "M-10"
    elif isinstance(order, PassOrder):
        yield from ("M-9b", "M-9c")


def rules_of_events(order: Order | None, events: Sequence[Event], ruleset: Ruleset) -> Iterator[str]:
    """Rules that what an order led to shows; ``order`` is None for what nobody ordered."""
    broken_in: Event | None = None
    for event in events:
        what = event.what
        if what in _BY_EVENT:
            yield from _BY_EVENT[what]
        if what in _TOLD:
            data = event.raw
            if what == "phase":
                if ruleset.turn_sequence == "eridani" and data.get("phase") in _BY_PHASE:
                    yield _BY_PHASE[data["phase"]]
            elif what == "stage":
                if data.get("stage") == "answer":
                    yield "E-6"
            elif what == "heat":
                if data.get("held"):
                    yield "M-9e"
            elif what == "physical_attack":
                if ruleset.physical_base == "house":
                    yield from ("E-10", "E-11")
            elif what == "cover_struck":
                if ruleset.partial_cover == "house":
                    yield "E-36"
            elif what == "roll":
                if data.get("reason") == "skid":
                    yield "E-13"
            elif what == "moved":
                if data.get("pavement"):
                    yield "E-12"
            elif broken_in is None:
                broken_in = event
    if broken_in is not None and isinstance(order, MoveOrder) and order.unit == broken_in.unit:
        yield "M-9f"


#: kinds of event whose details tell of a rule
_TOLD = frozenset({
    "phase", "stage", "heat", "physical_attack", "cover_struck", "roll", "moved", "opportunity",
})  # fmt: skip
