"""The most hexes that can be entered on the way to an end: what raises the target modifier, and a charge's damage. Rule: S-2.

Dearer than the search for the cheapest way, so it is worked out only when asked for. Paths that call for a roll are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from opfor.rules.moving.ground import ROLL, Edge, Ground
from opfor.rules.moving.reach import Reach
from opfor.rules.moving.search import Rules


class Longest:
    """By MP spent exactly and node (as in :mod:`opfor.rules.moving.search`), the most hexes moved."""

    __slots__ = ("_before", "_layers", "_nodes", "reach")

    def __init__(self, reach: Reach) -> None:
        self.reach = reach
        ground = reach.ground
        self._nodes = ground.stances * 2
        self._layers: list[dict[int, int]] = [{} for _ in range(reach.limit + 1)]
        #: the (MP, node) before each, both as ``MP * nodes + node``
        self._before: dict[int, int] = {}
        for node, mp in reach.seeds:
            self._layers[mp][node] = reach.start.hexes
        self._fill(ground, reach.rules, reach.limit, frozenset(reach.enemies), reach.held)

    def _fill(self, ground: Ground, rules: Rules, limit: int, enemies: frozenset[int], held: frozenset[int]) -> None:
        layers, before, nodes = self._layers, self._before, self._nodes
        for mp, layer in enumerate(layers):
            for node, hexes in layer.items():
                key = mp * nodes + node
                stays = node // 12 in held
                for to, cost, moved in _onward(ground, rules, node, hexes, stays):
                    total = mp + cost
                    if total > limit or to // 12 in enemies:
                        continue
                    if moved > layers[total].get(to, -1):
                        layers[total][to] = moved
                        before[total * nodes + to] = key

    def best(self, stance: int, budget: int, straight: bool = False) -> tuple[int, tuple[str, ...]] | None:
        """The most hexes moved to stand at a stance for at most ``budget`` MP, and the steps; None where no way leads.

        ``straight``: going on ahead from there must be no skid.
        """
        most, chosen = -1, -1
        for mp, layer in enumerate(self._layers[: budget + 1]):
            for node in (stance * 2, stance * 2 + 1):
                hexes = layer.get(node, -1)
                if hexes > most and not (straight and node & 1 and self.reach.rules.skids):
                    most, chosen = hexes, mp * self._nodes + node
        if chosen < 0:
            return None
        keys = [chosen]
        while (key := self._before.get(keys[-1])) is not None:
            keys.append(key)
        stances = [key % self._nodes >> 1 for key in reversed(keys)]
        assert all(a != b for a, b in pairwise(stances))
        return most, tuple(self.reach.write(stances))


def _onward(ground: Ground, rules: Rules, node: int, hexes: int, stays: bool) -> Iterator[tuple[int, int, int]]:
    """The steps from a node that call for no roll: (node, MP, hexes moved after it); turns only where it ``stays``."""
    stance, bit = divmod(node, 2)
    place, facing = divmod(stance, 6)
    turned = bit
    if rules.skids:
        turned = int(hexes > 0 if rules.slips else ground.paved[place])
    for side in (1, 5):
        yield (place * 6 + (facing + side) % 6) * 2 + turned, 1, hexes
    if stays or (rules.skids and bit):
        return
    groups: list[tuple[Iterable[Edge], int]] = [(ground.ahead(stance), 0)]
    if rules.backward:
        groups.append((ground.behind(stance, rules.backward_levels), 1))
    if rules.quad:
        ahead, back = ground.aside(stance)
        groups.append((ahead, 0))
        if rules.backward:
            groups.append((back, 1))
    for edges, backward in groups:
        for to, _, flags, cost in edges:
            if flags & (ROLL | rules.barred):
                continue
            if ground.cell(to // 6) == ground.cell(place):
                # climbing and diving
                yield to * 2 + bit, cost, hexes
            else:
                yield to * 2 + backward, cost, hexes + 1 if bit == backward or rules.skids else 1
