"""An order back into the small steps that lead to it: which actions an agent would have taken to give it.

The tree of choices is walked down by what the order says (its unit, mode, hex, targets ...), so that no more of it is worked
out than the questions on the way. Where several options fit what is asked, each is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from envs.actions import Parts, Question
from opfor.game.legal.volleys import label_of
from opfor.orders import FireOrder, MoveOrder, Order

#: options looked at before an order is held to be out of reach
BUDGET = 20_000

#: by question: columns of its facts, each with the field of the order that it tells
_COLUMNS: dict[str, tuple[tuple[str, str], ...]] = {
    "unit": (("unit", "unit"),),
    "hex": (("cell", "to"), ("elevation", "elevation")),
    "facing": (("facing", "facing"),),
    "posture": (("prone", "prone"),),
    "from": (("cell", "to"), ("facing", "facing"), ("elevation", "elevation")),
    "primary target": (("target", "primary"),),
    "target": (("target", "target"),),
    "mount": (("mount", "mount"),),
    "fire mode": (("mode", "mode"),),
    "cell": (("cell", "cell"),),
    "spotter": (("target", "spotter"),),
}
#: questions whose options are told apart by their labels alone: the order's field of the same name
_LABELS = frozenset({"attack", "limb", "what", "count", "action"})
#: what who may break in does, by the kind of order
_BREAKING = {"move": "move", "fire": "fire", "physical": "physical", "pass": "pass", "preempt": "preempt"}


def actions_to(question: Question | Parts, order: Order) -> list[int] | None:
    """The actions that answer ``question``, and those after it, so that they come to ``order``; None where none do.

    A movement may go another way than the listed one to where it ends: then the actions come to the listed one.
    """
    found = _search(question, order, lambda leaf: leaf == order)
    if found is None and isinstance(order, MoveOrder):
        found = _search(question, order, lambda leaf: isinstance(leaf, MoveOrder) and replace(leaf, path=order.path) == order)
    return found


def _search(question: Question | Parts, order: Order, wanted: Callable[[Order], bool]) -> list[int] | None:
    tried = 0
    # options still to be tried of each question on the way, the action taken last in each
    open_to: list[tuple[Question | Parts, Iterator[int]]] = [(question, iter(_fitting(question, order)))]
    taken: list[int] = []
    while open_to and tried < BUDGET:
        asked, options = open_to[-1]
        index = next(options, None)
        if index is None:
            open_to.pop()
            if taken:
                taken.pop()
            continue
        tried += 1
        below = asked.below(index)
        if isinstance(below, Question | Parts):
            taken.append(index + 1)
            open_to.append((below, iter(_fitting(below, order))))
        elif wanted(below):
            return [*taken, index + 1]
    return None


def _fitting(question: Question | Parts, order: Order) -> Iterable[int]:
    """The options of a question that may lead to an order, in their order."""
    if isinstance(question, Parts):
        return (part for part in range(question.options) if _any_in(question.below(part), order))
    name = question.name
    if name in _COLUMNS:
        return _by_columns(question, order, _COLUMNS[name])
    if name in _LABELS:
        if not hasattr(order, name):
            return ()
        value = getattr(order, name)
        label = "none" if value in ("", -1) else str(value)
        return (index for index in range(question.options) if question.label(index) == label)
    if name == "mode":
        return _modes(question, order)
    if name == "break in":
        return _equal(question.facts["mode"], _BREAKING.get(order.kind))
    if name == "twist":
        return _postures(question, order)
    if name == "weapon":
        return _weapons(question, order)
    return range(question.options)


def _any_in(below: Question | Parts | Order, order: Order) -> bool:
    assert isinstance(below, Question)
    return next(iter(_fitting(below, order)), None) is not None


def _by_columns(question: Question, order: Order, columns: Iterable[tuple[str, str]]) -> Sequence[int]:
    """Options whose facts say what the order does."""
    found: Sequence[int] | None = None
    for column, field in columns:
        if not hasattr(order, field) or column not in question.facts:
            return ()
        same = _equal(question.facts[column], getattr(order, field))
        found = same if found is None else sorted(set(found).intersection(same))
        if not found:
            break
    return found or ()


def _equal(column: Any, value: Any) -> list[int]:
    """The places of a value in a column of facts, a list or an array."""
    if isinstance(column, np.ndarray):
        return [int(index) for index in np.flatnonzero(column == value)]
    return [index for index, one in enumerate(column) if one == value]


def _group(order: MoveOrder) -> str:
    """What a movement is listed under."""
    if order.act or order.attack:
        return order.act or order.attack
    if "EXIT" in order.path:
        return "leave"
    if order.path[:1] == ("CAREFUL",):
        return "careful"
    return order.mode if order.path or order.mode in ("stand", "wait", "dismount") else "stop"


def _modes(question: Question, order: Order) -> list[int]:
    """How it moves; below what takes several modes, in which."""
    if not isinstance(order, MoveOrder):
        return []
    return _equal(question.facts["mode"], _group(order)) or _equal(question.facts["mode"], order.mode)


def _postures(question: Question, order: Order) -> Iterable[int]:
    """Twists, or what is done in place of firing."""
    if not isinstance(order, FireOrder):
        return ()
    if order.clear:
        return (index for index in range(question.options) if question.label(index) == order.clear)
    return _by_columns(question, order, (("twist", "twist"), ("flip", "flip")))


def _weapons(question: Question, order: Order) -> Sequence[int]:
    """What the weapon in question does."""
    if not isinstance(order, FireOrder):
        return ()
    facts = question.facts
    attack = next((one for one in order.attacks if one.mount == facts["mount"][0]), None)
    target, mode = (attack.target, attack.mode) if attack is not None else ("", "")
    found = sorted(set(_equal(facts["target"], target)).intersection(_equal(facts["mode"], mode)))
    if len(found) < 2:
        return found
    # aimed at several places, or seen by several others
    words = label_of(attack)
    return [index for index in found if question.label(index) == words]


__all__ = ["BUDGET", "actions_to"]
