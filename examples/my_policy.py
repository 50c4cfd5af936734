"""A policy of one's own: goes toward the nearest enemy, fires as often as it can. See docs/own-policy.md.

opfor arena --policies random --code examples/my_policy.py --games 20
"""

import random
from dataclasses import replace


class Brave:
    """Of a few legal orders drawn by chance, takes the movement that ends nearest to an enemy, or the fire of most weapons."""

    name = "brave"

    def __init__(self, seed=0):
        self.reset(seed)

    def reset(self, seed):
        """Begin afresh: all chance comes from the seed."""
        self.draw = random.Random(seed).random

    def choose(self, decision, view):
        """One of decision.legal, with a reason for the game master."""
        few = [decision.legal.sample(lambda count: int(self.draw() * count)) for _ in range(12)]
        best = max(few, key=lambda order: self.worth(order, view.state))
        return replace(best, reason="the bravest of a dozen")

    def worth(self, order, state):
        """How well an order suits: more is better."""
        side, away = state.unit(order.unit).side, state.board.grid.distance
        if order.kind == "move":
            return -min((away(order.to, enemy.cell) for enemy in state.enemies(side) if enemy.cell >= 0), default=0)
        return len(order.attacks) if order.kind == "fire" else 0
