"""Fire as short questions: how the unit turns, at whom first, then weapon by weapon. Rule: S-4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opfor.game.legal.choices import Node
from opfor.game.legal.counted_fire import CountedFire
from opfor.game.legal.questions import OneByOne, Question
from opfor.game.legal.volleys import Option, Volley, Walk, label_of, words_of
from opfor.orders import FireOrder, Order
from opfor.rules.shooting.to_hit import Posture


def fire_tree(fire: CountedFire) -> Node:
    """twist (or a task in place of firing) -> primary target or hold -> weapon by weapon."""
    postures = [posture for posture in fire.postures if fire.idle or fire.ways(posture)]
    size = len(postures)

    def label(index: int) -> str:
        return postures[index].words if index < size else fire.tasks[index - size]

    def below(index: int) -> Node | Order:
        return _target_node(fire, postures[index]) if index < size else fire.task(fire.tasks[index - size])

    def facts() -> dict[str, Sequence[Any]]:
        tasks = [fire.task(words) for words in fire.tasks]
        return {
            "twist": [posture.twist for posture in postures] + [task.twist for task in tasks],
            "flip": [posture.flip for posture in postures] + [task.flip for task in tasks],
            "orders": OneByOne(size + len(tasks), lambda index: fire.orders_of(postures[index]) if index < size else 1),
        }

    return Question("twist", size + len(fire.tasks), label, below, facts)


def _target_node(fire: CountedFire, posture: Posture) -> Node:
    ways = fire.ways(posture)
    idle = fire.idle

    def label(index: int) -> str:
        return words_of(ways[index - idle].primary, ways[index - idle].intent) if index >= idle else "hold fire"

    def below(index: int) -> Node | Order:
        if index < idle:
            return FireOrder(fire.unit.id, posture.twist, posture.flip)
        volley = fire.volley_of(posture, ways[index - idle])
        return _weapon_node(fire, volley, volley.start(), [])

    def facts() -> dict[str, list[Any]]:
        best = _best(fire, posture)
        return {
            "target": [""] * idle + [way.primary for way in ways],
            "number": [0] * idle + [best[way.primary, way.intent] for way in ways],
            "orders": [1] * idle + [way.orders for way in ways],
        }

    return Question("primary target", idle + len(ways), label, below, facts)


def _best(fire: CountedFire, posture: Posture) -> dict[tuple[str, str], int]:
    """The lowest number that any weapon needs against each primary target, by target and end."""
    found: dict[tuple[str, str], int] = {}
    for options in fire.options(posture):
        for option in options:
            key = (option.target, "")
            found[key] = min(found.get(key, option.as_primary), option.as_primary)
    if not fire.only:
        for target, intent, usable in fire.hexes.open(posture):
            found[target, intent] = fire.hexes.best(target, usable)
    return found


def _weapon_node(fire: CountedFire, volley: Volley, walk: Walk, chosen: list[Option]) -> Node | Order:
    # weapons that leave no choice are passed over
    while walk.at < len(volley.options):
        ways = volley.ways(walk)
        if len(ways) > 1:
            break
        option, walk = ways[0]
        if option is not None:
            chosen = [*chosen, option]
    else:
        return volley.order(chosen)
    mount = fire.unit.spec.mounts[walk.at]

    def below(index: int) -> Node | Order:
        option, after = ways[index]
        return _weapon_node(fire, volley, after, chosen if option is None else [*chosen, option])

    def label(index: int) -> str:
        option = ways[index][0]
        return label_of(None if option is None else option.attack)

    def facts() -> dict[str, list[Any]]:
        options = [option for option, _ in ways]
        return {
            "target": ["" if o is None else o.target for o in options],
            "mode": ["" if o is None else o.mode.name for o in options],
            "number": [0 if o is None else volley.number(o) for o in options],
            "mount": [mount.index] * len(options),
        }

    return Question("weapon", len(ways), label, below, facts, mount.name)
