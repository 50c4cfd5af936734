"""Plays any legal order, each as likely as the next. Reaches odd corners of the rules that sense would keep out of."""

from __future__ import annotations

import random

from opfor.errors import InputError, nearest
from opfor.game.decision import Decision
from opfor.game.legal.choices import Choices, Node
from opfor.game.view import View
from opfor.orders import Order, with_reason

#: what the parameter may say
WALKS = ("tree",)


class RandomPolicy:
    """Uniform over the legal orders of the decision, or (`random:tree`) over the options of each question of their tree.

    The same seed makes the same choices. Uniform over orders, a mode of movement with a thousand ends is taken a thousand
    times as often as to stand, and the orders of every unit have to be counted. By the tree each unit, then each mode, then
    each hex is as likely as the next: what is rare comes up, and no more is worked out than the questions asked.

    Raises :class:`InputError` for a parameter other than ``tree``.
    """

    def __init__(self, seed: int = 0, parameters: str = "") -> None:
        walk = parameters.strip()
        if walk and walk not in WALKS:
            raise InputError(
                f"the random policy knows no {parameters!r}: use {', '.join(f'random:{word}' for word in WALKS)}, or random",
                place="policy",
                hint=nearest(walk, WALKS),
            )
        self.name = f"random:{walk}" if walk else "random"
        self._by_tree = walk == "tree"
        self._reason = "picked at random, question by question" if walk else "picked at random among the legal orders"
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Begin afresh with ``seed``."""
        # its random() is the method whose stream Python promises to keep across versions; the generator itself is kept, for
        # a copy of a bound method would draw from the stream of the original
        self._draw = random.Random(seed)

    def choose(self, decision: Decision, view: View) -> Order:
        """One of the legal orders, picked at random."""
        legal = decision.legal
        return with_reason(self._walked(legal) if self._by_tree else legal.sample(self._pick), self._reason)

    def _pick(self, count: int) -> int:
        return int(self._draw.random() * count)

    def _walked(self, legal: Choices) -> Order:
        """The order at the end of a walk down the tree. A question with one answer takes no chance."""
        draw = self._draw.random
        below: Node | Order = legal.tree()
        while isinstance(below, Node):
            count = below.width()
            below = below.below(int(draw() * count) if count > 1 else 0)
        return below


__all__ = ["WALKS", "RandomPolicy"]
