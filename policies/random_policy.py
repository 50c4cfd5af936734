"""Plays any legal order, each as likely as the next. Reaches odd corners of the rules that sense would keep out of."""

from __future__ import annotations

import random
from dataclasses import replace

from opfor.game.decision import Decision
from opfor.game.view import View
from opfor.orders import Order


class RandomPolicy:
    """Uniform over the legal orders of the decision; the same seed makes the same choices."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Begin afresh with ``seed``."""
        # random() is the method whose stream Python promises to keep across versions
        self._draw = random.Random(seed).random

    def choose(self, decision: Decision, view: View) -> Order:
        """One of the legal orders, picked at random."""
        order = decision.legal.sample(self._pick)
        return replace(order, reason="picked at random among the legal orders")

    def _pick(self, count: int) -> int:
        return int(self._draw() * count)
