"""Where enemies are for those who weigh a place: as they stand once they have moved, before that where they will probably go.

Of the places that an enemy can get to, those count from which its fire at the units near it does most for what it would take
there. An estimate, as the veteran makes one (:mod:`policies.veteran.foresight`).
Rule: S-2, S-4, S-9.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from envs.features.damage import LEAST, RANGES, SUMS
from envs.features.geometry import Ints
from envs.features.reaches import Ends
from envs.features.records import Record
from envs.features.scene import WEIGHED, Scene
from policies.veteran.figures import GUESS_TARGET, has_settled
from policies.veteran.lanes import BLOCKED

#: places that an enemy is thought of in, and how far apart they lie
_SPOTS, _APART = 2, 2
#: places looked at closely, and units of the other side that it is taken to care for
_LOOKED_AT, _FEW = 6, 3
#: what fire that is taken counts beside fire that is given
_CARE = 0.4


class Threat(NamedTuple):
    """An enemy in a place: its place among the scene's units, its hex and spot key, how likely it is there, what moving so adds
    to its fire and to fire at it, its facing, -1 where it may face as it likes, and whether it has yet to move."""

    place: int
    cell: int
    key: int
    share: float
    fire: int
    dodge: int
    facing: int
    coming: bool


class Outlook:
    """The nearest enemies of a scene as threats, each worked out when first asked for and kept while the scene is."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._likely: dict[int, tuple[Threat, ...]] = {}
        self._drawn: dict[Threat, dict[int, float]] = {}

    def threats(self) -> list[Threat]:
        """Where the nearest enemies are, or may come to be, those of one enemy after another."""
        known = self._likely
        found: list[Threat] = []
        for place in self.scene.enemies[:WEIGHED]:
            if place not in known:
                known[place] = threats_of(self.scene, place)
            found += known[place]
        return found

    def pull(self, threat: Threat) -> float:
        """How much an enemy in a place is drawn to the other units of the acting one's side: :func:`drawn`, summed."""
        known = self._drawn.get(threat)
        if known is None:
            known = self._drawn[threat] = drawn(self.scene, threat)
        return sum([worth for one, worth in known.items() if one != self.scene.acting])

    def to_threats(self, cells: Ints) -> tuple[Ints, Ints]:
        """Distances and bearings from each of the threats to each of ``cells``, shape (threats, cells)."""
        table = self.scene.compass
        theirs = table.place[[threat.cell for threat in self.threats()]][:, None]
        apart = table.place[cells] - (theirs - table.middle)
        return table.distance[apart], table.bearing[apart]


def threats_of(scene: Scene, place: int) -> tuple[Threat, ...]:
    """Where an enemy, a unit of the scene by its place, is or will probably come to be."""
    state, record = scene.state, scene.records[place]
    unit = record.unit
    here = Threat(place, unit.cell, record.key, 1.0, record.fire, record.dodge, unit.facing if unit.moved else -1, False)
    if has_settled(state, unit) or unit.id in scene.contacts or unit.spec.kind == "vtol" or unit.aboard or unit.swarming:
        return (here,)
    away = state.board.grid.distance
    ours = sorted(
        [one for one, other in enumerate(scene.units) if other.side == scene.side],
        key=lambda one: (away(unit.cell, scene.units[one].cell), one),
    )[:_FEW]
    ends = scene.store.reaches.of(state, unit, record.stamp, [one for one in scene.units if one is not unit])
    if not ours or not len(ends.cells):
        return (here,)
    table = scene.compass
    apart = table.place[ends.cells] - (table.place[scene.cells[ours]][:, None] - table.middle)
    far = table.distance[apart].min(axis=0)
    fire = scene.store.table(record, scene.units[ours[0]].spec)
    column = np.minimum(np.maximum(record.skill + ends.fire + (GUESS_TARGET - LEAST), 0), SUMS - 1)
    worth = fire.flat[(fire.row_of[0] * RANGES + np.minimum(far, RANGES - 1)) * SUMS + column]
    # out of reach of anything the nearer place is the likelier
    rated = worth + ends.ground - np.float32(0.05) * far.astype(np.float32)
    best = np.argsort(-rated, kind="stable")[:_LOOKED_AT].tolist()
    looked = sorted([(-_closely(scene, record, ends, end, ours), end) for end in best])
    chosen: list[int] = []
    for _, end in looked:
        cell = int(ends.cells[end])
        if all(away(cell, int(ends.cells[other])) >= _APART for other in chosen):
            chosen.append(end)
            if len(chosen) == _SPOTS:
                break
    share = 1.0 / len(chosen)
    return tuple(
        [
            Threat(place, int(ends.cells[end]), ends.keys[end], share, int(ends.fire[end]), int(ends.dodge[end]), -1, True)
            for end in chosen
        ]
    )


def drawn(scene: Scene, threat: Threat) -> dict[int, float]:
    """What the fire of an enemy in a place at each unit of the side is worth, squared, by the unit's place in the scene.

    It fires at one of them: the greater this is of the others, the less has a unit to fear. Rule: S-4.
    """
    store, distance, shots = scene.store, scene.board.grid.distance, scene.lines.shots
    them = scene.records[threat.place]
    found = {}
    for one, unit in enumerate(scene.units):
        if unit.side != scene.side:
            continue
        mine = scene.records[one]
        _, back = shots(mine.key, threat.key)
        if back < BLOCKED:
            bore = 0
            if threat.facing >= 0:
                bore = (scene.board.grid.sextant(threat.cell, unit.cell) - 4 * threat.facing) % 24
            # who has yet to move will look for a better place
            dodge = mine.dodge if unit.moved else GUESS_TARGET
            far, common = distance(threat.cell, unit.cell), them.skill + threat.fire + back + dodge
            harm = store.table(them, unit.spec).at(bore, far, common) * float(store.worths(scene.state, mine)[0])
            found[one] = harm * harm
    return found


def _closely(scene: Scene, record: Record, ends: Ends, end: int, ours: list[int]) -> float:
    """What a place does for an enemy: its best fire at one of ``ours``, less what it takes from them."""
    key, cell = ends.keys[end], int(ends.cells[end])
    distance, shots, store = scene.board.grid.distance, scene.lines.shots, scene.store
    given = taken = 0.0
    for one in ours:
        mine = scene.records[one]
        out, back = shots(key, mine.key)
        if out >= BLOCKED:
            continue
        far = distance(cell, mine.unit.cell)
        dodge = mine.dodge if mine.unit.moved else GUESS_TARGET
        given = max(given, store.table(record, mine.unit.spec).at(0, far, record.skill + int(ends.fire[end]) + out + dodge))
        if back < BLOCKED:
            taken += store.table(mine, record.unit.spec).at(0, far, mine.skill + mine.fire + back + int(ends.dodge[end]))
    return given - _CARE * taken / len(ours)


__all__ = ["Outlook", "Threat", "drawn", "threats_of"]
