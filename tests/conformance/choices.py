"""Whether legal orders keep the promises of :class:`opfor.game.legal.choices.Choices`: one set, told in five ways."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from opfor.game.legal.choices import FACTS, QUESTIONS, Choices, Node
from opfor.game.legal.either import Either
from opfor.orders import Attack, FireOrder, MoveOrder, Order, PhysicalOrder
from tests.conformance import demand


def check_choices(choices: Choices, *, seed: int = 0, at_most: int = 2000, samples: int = 12) -> None:
    """Hold one decision's legal orders against the protocol. Raises :class:`tests.conformance.NonConforming`.

    Where more than ``at_most`` orders are listed they are not written out: the count, samples and a way down the tree are
    looked at instead.
    """
    draw = random.Random(seed)
    count = choices.count()
    demand(count >= 1, "a decision without a legal order")
    demand(choices.count() == count, "count() differs the second time")
    listed: list[Order] | None = None
    if count <= at_most:
        listed = list(choices)
        _check_list(choices, listed, count)
    _check_samples(choices, listed, count, draw, samples)
    _check_way_down(choices, listed, draw)
    _check_strangers(choices, listed, draw)


def _check_list(choices: Choices, listed: list[Order], count: int) -> None:
    demand(len(listed) == count, f"count() says {count}, iteration gives {len(listed)}")
    members = set(listed)
    twice = [order for order in members if listed.count(order) > 1] if len(members) < count else []
    demand(not twice, "listed twice:", twice[:1])
    demand(list(choices) == listed, "iteration gives another order the second time")
    leaves = list(choices.tree().leaves())
    demand(len(leaves) == count, f"the tree has {len(leaves)} leaves, {count} orders are listed")
    demand(set(leaves) == members, "the tree and the list differ:", sorted(map(repr, set(leaves) ^ members))[:1])
    _check_labels(choices.tree())
    for order in listed:
        _check_member(choices, order)


def _check_labels(node: Node) -> None:
    """Under each question no label twice, no question without options, and what is told of them is told of each."""
    _check_question(node)
    labels = [label for label, _ in node.options]
    demand(len(set(labels)) == len(labels), f"the question {node.question!r} has an option twice: {labels}")
    for _, below in node.options:
        if isinstance(below, Node):
            _check_labels(below)


def _check_question(node: Node) -> None:
    """A question has a known name and known columns of facts, each as long as the options."""
    # asked before the options are made
    demand(node.question in QUESTIONS, f"the question {node.question!r} is none of QUESTIONS")
    facts, width = node.facts, node.width()
    demand(bool(node.options), f"the question {node.question!r} has no options")
    demand(width == len(node.options), f"the question {node.question!r} has {len(node.options)} options, width() says {width}")
    for name, column in facts.items():
        demand(name in FACTS, f"the question {node.question!r} tells of {name!r}, which is none of FACTS")
        demand(len(column) == width, f"{node.question!r} tells {len(column)} times of {name!r}, of {width} options")


def _check_member(choices: Choices, order: Order) -> None:
    demand(order in choices, "listed, and not in the choices:", order)
    why = choices.why_not(order)
    demand(why == "", "listed, and refused:", order, repr(why))


def _check_samples(choices: Choices, listed: list[Order] | None, count: int, draw: random.Random, samples: int) -> None:
    members = set(listed) if listed is not None else None
    for _ in range(samples):
        order = choices.sample(draw.randrange)
        _check_member(choices, order)
        demand(members is None or order in members, "sampled, and not listed:", order)
    if listed is not None and count <= 300:
        # a sampler that picks one number among all must give each order for one number
        found: list[Order] = []
        for number in range(count):
            asked: list[int] = []

            def pick(n: int, number: int = number, asked: list[int] = asked) -> int:
                asked.append(n)
                return number if n == count and len(asked) == 1 else 0

            found.append(choices.sample(pick))
            if asked != [count]:
                return
        demand(set(found) == members, "picking every number once does not give every order once")


def _check_way_down(choices: Choices, listed: list[Order] | None, draw: random.Random) -> None:
    """Ways down the tree at random end in legal orders, whether the options on the way are made or not."""
    node: Node | Order = choices.tree()
    while isinstance(node, Node):
        _check_question(node)
        node = draw.choice(node.options)[1]
    _check_leaf(choices, listed, node)
    node, told = choices.tree(), {}
    while isinstance(node, Node):
        place = draw.randrange(node.width())
        told = {name: column[place] for name, column in node.facts.items()}
        node = node.below(place)
    demand(told.get("orders", 1) in (1, -1), f"an order is told of as {told.get('orders')}:", node)
    _check_leaf(choices, listed, node)


def _check_leaf(choices: Choices, listed: list[Order] | None, order: Order) -> None:
    _check_member(choices, order)
    demand(listed is None or order in listed, "a leaf of the tree that is not listed:", order)


def _check_strangers(choices: Choices, listed: list[Order] | None, draw: random.Random) -> None:
    order = choices.sample(draw.randrange)
    strangers: list[Order] = [replace(order, unit="nobody"), replace(order, unit="")]
    others: list[Order] = [MoveOrder(order.unit, "stand", (), 0, 0), FireOrder(order.unit), PhysicalOrder(order.unit)]
    # a decision may be open to orders of several kinds
    kinds = {order.kind}
    if isinstance(choices, Either):
        kinds = {one.kind for one in listed} if listed is not None else {one.kind for one in others}
    strangers += [other for other in others if other.kind not in kinds]
    for stranger in strangers:
        demand(stranger not in choices, "a foreign order is in the choices:", stranger)
        why = choices.why_not(stranger)
        demand(bool(why) and str(why).strip() != "", "a foreign order is refused without a word:", stranger)
    members = set(listed) if listed is not None else None
    for bent in _bent(order):
        why = choices.why_not(bent)
        inside = bent in choices
        demand(inside == (why == ""), f"membership ({inside}) and why_not ({why!r}) differ about", bent)
        # a movement may be lawful by another path than the listed one; what is listed is always lawful
        if members is not None and not isinstance(bent, MoveOrder):
            demand(inside == (bent in members), "membership and list differ about", bent)


def _bent(order: Order) -> Iterator[Order]:
    """Orders like this one with one thing changed; most of them are not legal."""
    if isinstance(order, MoveOrder):
        yield replace(order, facing=(order.facing + 1) % 6)
        yield replace(order, prone=not order.prone)
        yield replace(order, elevation=order.elevation + 1)
        yield replace(order, path=(*order.path, "F"))
        yield replace(order, path=order.path[:-1])
        yield replace(order, path=(*order.path, "nonsense"))
        yield replace(order, path=("F",) * 40)
        yield replace(order, mode="sprint")
        yield replace(order, attack="charge", target="nobody")
        yield replace(order, to=-1)
    elif isinstance(order, FireOrder):
        yield replace(order, twist=order.twist + 1)
        yield replace(order, twist=5)
        yield replace(order, flip=not order.flip)
        yield replace(order, primary="nobody")
        yield replace(order, attacks=order.attacks[:-1])
        yield replace(order, attacks=order.attacks[:1] * 2)
        yield replace(order, attacks=order.attacks[::-1])
        yield replace(order, attacks=(Attack(99, "nobody"),), primary="nobody")
        yield replace(order, attacks=tuple(replace(a, mode="nonsense") for a in order.attacks))
        yield replace(order, attacks=tuple(replace(a, spotter="nobody") for a in order.attacks))
        yield replace(order, attacks=tuple(replace(a, target=order.unit) for a in order.attacks), primary=order.unit)
    elif isinstance(order, PhysicalOrder):
        yield replace(order, attack="bite")
        yield replace(order, limb="LA", attack="punch")
        yield replace(order, limb="tail")
        yield replace(order, target="nobody")
        yield replace(order, attack="kick", limb="RL", target=order.unit)
