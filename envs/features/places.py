"""What places are worth to the acting unit: the fire that it could give from each, and would take there.

Estimates that hold for many places at once: each enemy from where it stands, facing as it does if it has moved and as it likes
if it has not; the acting unit on the ground of the hex, as hard to hit as its hexes moved make it. Rule: S-3, S-4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from envs.features.choice import Steps
from envs.features.damage import RANGES
from envs.features.geometry import Floats, Ints, bearings, distances
from envs.features.ground import BUILDING, HIGHER, SMOKE, WOODS
from envs.features.records import NEVER, dodge_by_mode, own_fire
from envs.features.scene import WEIGHED, Scene
from envs.layout import Flat
from opfor.rules.shooting.arcs import side_struck
from policies.veteran.figures import BY_HEXES
from policies.veteran.spots import posture_of

_DAMAGE, _MODIFIERS = 40.0, 8.0
_BY_HEXES = np.array(BY_HEXES, dtype=np.int32)
#: what damage counts for by the side that it strikes
_WEIGHT = {"front": 1.0, "left": 1.2, "right": 1.2, "rear": 1.6}
_STRUCK = {
    vehicle: np.array([_WEIGHT[side_struck(relative, 0, 0, vehicle)] for relative in range(24)], dtype=np.float32)
    for vehicle in (False, True)
}
#: modes whose movement leaves no fire
_NO_FIRE = ("evade", "sprint")


def lie_of(ground: Floats, cells: Ints, here: int, rows: Flat, place: Mapping[str, int]) -> None:
    """Write how high hexes are and what cover they offer."""
    there = ground[cells]
    rows[:, place["higher"]] = there[:, HIGHER] - ground[here, HIGHER]
    rows[:, place["cover"]] = np.maximum(np.maximum(there[:, WOODS], there[:, SMOKE]), there[:, BUILDING])


def weigh(scene: Scene, steps: Steps, facts: Mapping[str, Sequence[Any]], rows: Flat, place: Mapping[str, int]) -> None:
    """Write the columns ``given``, ``taken`` and ``dodge`` for places where a movement may end."""
    store, me = scene.store, scene.records[scene.acting]
    unit = me.unit
    spec = unit.spec
    mode = steps.mode or unit.mode
    cells = np.asarray(facts["cell"], dtype=np.int32)
    cells = np.where(cells >= 0, cells, unit.cell)
    dodge: Any = dodge_by_mode(scene.state, unit, mode)
    if "hexes" in facts:
        dodge = dodge + _BY_HEXES[np.minimum(np.asarray(facts["hexes"], dtype=np.int64), len(BY_HEXES) - 1)]
        rows[:, place["dodge"]] = dodge / _MODIFIERS
    enemies = scene.enemies[:WEIGHED]
    if not enemies:
        return
    facing = np.asarray(facts["facing"], dtype=np.int32) if "facing" in facts else None
    prone = "prone" in facts and bool(np.asarray(facts["prone"]).all())
    posture = posture_of(spec, prone)
    height = unit.elevation if spec.kind == "vtol" else 0
    mine = me.skill + own_fire(unit, mode)
    theirs = scene.cells[enemies]
    dq = scene.q[cells] - scene.q[theirs][:, None]
    dr = scene.r[cells] - scene.r[theirs][:, None]
    away = np.minimum(distances(dq, dr), RANGES - 1)
    back = bearings(dq, dr)
    given = np.zeros(len(cells), dtype=np.float32)
    taken = np.zeros(len(cells), dtype=np.float32)
    vehicle = spec.is_vehicle
    for number, index in enumerate(enemies):
        them = scene.records[index]
        enemy = them.unit
        if not (away[number] < RANGES - 1).any():
            continue
        out_mod, back_mod = scene.lines.rows(them.key, cells, posture, height)
        if mode not in _NO_FIRE:
            ahead: Any = 0 if facing is None else (back[number] + 12 - 4 * facing) % 24
            common = out_mod.astype(np.int32) + (mine + them.dodge)
            np.maximum(given, store.table(me, enemy.spec).many(ahead, away[number], common), out=given)
        if them.skill < NEVER:
            seen: Any = (back[number] - 4 * enemy.facing) % 24 if enemy.moved else 0
            common = back_mod.astype(np.int32) + (them.skill + them.fire + dodge)
            harm = store.table(them, spec).many(seen, away[number], common)
            if facing is not None and not spec.is_infantry:
                harm = harm * _STRUCK[vehicle][(back[number] + 12 - 4 * facing) % 24]
            taken += harm
    rows[:, place["given"]] = given / _DAMAGE
    rows[:, place["taken"]] = taken / _DAMAGE
