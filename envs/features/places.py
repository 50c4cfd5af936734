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
Facts = Mapping[str, Sequence[Any]]
#: modes whose movement leaves no fire
_NO_FIRE = ("evade", "sprint")


def lie_of(ground: Floats, cells: Ints, here: int, rows: Flat, place: Mapping[str, int]) -> None:
    """Write how high hexes are and what cover they offer."""
    there = ground[cells]
    rows[:, place["higher"]] = there[:, HIGHER] - ground[here, HIGHER]
    rows[:, place["cover"]] = np.maximum(np.maximum(there[:, WOODS], there[:, SMOKE]), there[:, BUILDING])


def weigh(scene: Scene, steps: Steps, facts: Facts, rows: Flat, place: Mapping[str, int]) -> None:
    """Write the columns ``given``, ``taken`` and ``dodge`` for places where a movement may end.

    Where the question does not tell a hex or a facing, those chosen before stand for it.
    """
    unit = scene.me
    mode = steps.mode or unit.mode
    stays = steps.cell if steps.cell >= 0 else unit.cell
    cells = _column(facts, "cell", stays, len(rows))
    cells = np.where(cells >= 0, cells, stays)
    dodge = np.full(len(rows), dodge_by_mode(scene.state, unit, mode), dtype=np.int32)
    if "hexes" in facts:
        dodge += _BY_HEXES[np.minimum(_column(facts, "hexes", 0, len(rows)), len(BY_HEXES) - 1)]
        rows[:, place["dodge"]] = dodge / _MODIFIERS
    if not scene.enemies:
        return
    facing: Ints | None = None
    if "facing" in facts or steps.facing >= 0:
        facing = _column(facts, "facing", steps.facing, len(rows))
    if "prone" not in facts:
        _fire(scene, mode, False, cells, facing, dodge, rows, place)
        return
    prone = _column(facts, "prone", 0, len(rows)) != 0
    for posture in (False, True):
        some = np.flatnonzero(prone == posture)
        if len(some):
            part = rows[some]
            _fire(scene, mode, posture, cells[some], None if facing is None else facing[some], dodge[some], part, place)
            rows[some] = part


def _column(facts: Facts, name: str, otherwise: int, count: int) -> Ints:
    """A column of facts as integers; where there is none, ``otherwise`` for all."""
    if name in facts:
        return np.asarray(facts[name], dtype=np.int32)
    return np.full(count, otherwise, dtype=np.int32)


def _fire(
    scene: Scene, mode: str, prone: bool, cells: Ints, facing: Ints | None, dodge: Ints, rows: Flat, place: Mapping[str, int]
) -> None:
    """Write ``given`` and ``taken`` for places in one posture. ``cells``, ``facing`` (None: any), ``dodge``: one a row."""
    store, me = scene.store, scene.records[scene.acting]
    unit = me.unit
    spec = unit.spec
    enemies = scene.enemies[:WEIGHED]
    posture = posture_of(spec, prone)
    height = unit.elevation if spec.kind == "vtol" else 0
    mine = me.skill + own_fire(unit, mode)
    theirs = scene.cells[enemies][:, None]
    dq, dr = scene.q[cells] - scene.q[theirs], scene.r[cells] - scene.r[theirs]
    away = np.minimum(distances(dq, dr), RANGES - 1)
    back = bearings(dq, dr)
    given = np.zeros(len(cells), dtype=np.float32)
    taken = np.zeros(len(cells), dtype=np.float32)
    for number, index in enumerate(enemies):
        them = scene.records[index]
        enemy = them.unit
        if not (away[number] < RANGES - 1).any():
            continue
        out_mod, back_mod = scene.lines.rows(them.key, cells, posture, height)
        ahead: Any = 0 if facing is None else (back[number] + 12 - 4 * facing) % 24
        if mode not in _NO_FIRE:
            common = out_mod.astype(np.int32) + (mine + them.dodge)
            np.maximum(given, store.table(me, enemy.spec).many(ahead, away[number], common), out=given)
        if them.skill < NEVER:
            seen: Any = (back[number] - 4 * enemy.facing) % 24 if enemy.moved else 0
            common = back_mod.astype(np.int32) + (them.skill + them.fire + dodge)
            harm = store.table(them, spec).many(seen, away[number], common)
            if facing is not None and not spec.is_infantry:
                harm = harm * _STRUCK[spec.is_vehicle][ahead]
            taken += harm
    rows[:, place["given"]] = given / _DAMAGE
    rows[:, place["taken"]] = taken / _DAMAGE
