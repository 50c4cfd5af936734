"""What of the campaign's turn and its actions a set of battles has exercised: groups and their counting.

Rule: E-3 to E-7, M-1 to M-10, A-1 to A-8, E-30, E-34, E-35.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opfor.orders import ActionOrder, CallOrder, FireOrder, MoveOrder, Order, PhysicalOrder

Count = Callable[[str, str], None]

#: rare orders by kind, with what is ordered
_ORDERS = (
    "call artillery", "call bomb", "call nothing", "action", "no action", "pass", "preempt", "wait", "evade", "sprint", "pause",
    "opportunity with movement", "opportunity in place of fire",
)  # fmt: skip
_RARE_MODES = frozenset({"wait", "evade", "sprint"})
_MOMENTS = ("declared", "in a hex entered")
#: what waits, and what becomes of it: by the event that tells
_LATER = {
    "blow_waits": "blow waits",
    "blow_lands": "blow lands",
    "announced": "announced",
    "painted": "spotting: painted",
    "unobserved": "spotting: unobserved",
    "scatters": "scatters",
    "burst": "burst",
    "no_beam": "homing: no beam",
    "bombs_away": "bombs dropped",
    "run_lost": "bomb run lost",
}
_ROLLED = {"shell": "shell", "bombs": "bombs", "spotting": "spotting"}
_ACTIONS = {
    "action_started": "started",
    "action_broken": "broken",
    "action_completed": "completed",
    "effect_lost": "effect lost",
    "marker_set": "marker",
    "marker_removed": "marker removed",
    "building_blown_up": "building",
    "scored": "score",
    "revealed": "reveal",
    "nothing_found": "reveal, nobody there",
    "tag_gained": "tag",
}


def turn_groups() -> list[tuple[str, tuple[str, ...]]]:
    """The groups with what can occur in each."""
    rolled = tuple(f"{word}: {how}" for word in _ROLLED.values() for how in ("hit", "missed"))
    return [
        ("orders of the campaign's turn", _ORDERS),
        ("moments of breaking in", _MOMENTS),
        ("what waits and lands", (*_LATER.values(), "blow lost", *rolled)),
        ("mission actions", tuple(_ACTIONS.values())),
    ]


def count_order(count: Count, order: Order) -> None:
    """Count an order."""
    name = "orders of the campaign's turn"
    if isinstance(order, MoveOrder):
        if order.mode in _RARE_MODES:
            count(name, order.mode)
        if order.act:
            count(name, "pause" if order.act == "pause" else "opportunity with movement")
    elif isinstance(order, FireOrder):
        if order.clear == "opportunity":
            count(name, "opportunity in place of fire")
    elif isinstance(order, CallOrder):
        count(name, f"call {order.what or 'nothing'}")
    elif isinstance(order, ActionOrder):
        count(name, "action" if order.action else "no action")
    elif not isinstance(order, PhysicalOrder):
        count(name, order.kind)


def count_event(count: Count, what: str, rule: str, data: dict[str, Any]) -> None:
    """Count what happened."""
    if what == "opportunity":
        count("moments of breaking in", "declared" if data.get("at") == "declared" else "in a hex entered")
    elif what in _LATER:
        count("what waits and lands", _LATER[what])
    elif what in _ROLLED:
        hit = data.get("hit", data.get("success"))
        count("what waits and lands", f"{_ROLLED[what]}: {'hit' if hit else 'missed'}")
    elif what == "physical_lost":
        if rule == "E-7":
            count("what waits and lands", "blow lost")
    elif what in _ACTIONS:
        count("mission actions", _ACTIONS[what])


#: kinds of event that are counted here
TOLD = frozenset({"opportunity", "physical_lost", *_LATER, *_ROLLED, *_ACTIONS})
