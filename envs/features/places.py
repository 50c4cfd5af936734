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
from envs.features.records import dodge_by_mode, own_fire
from envs.features.scene import WEIGHED, Scene
from envs.layout import Flat
from opfor.rules.shooting.arcs import side_struck
from policies.veteran.figures import BY_HEXES
from policies.veteran.spots import key_of, posture_of

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
    if "facing" in facts and (cells != cells[0]).any():
        _fire(scene, mode, cells, _column(facts, "facing", 0, len(rows)), dodge, rows, place)
    elif "facing" in facts or "prone" in facts:
        facing = _column(facts, "facing", steps.facing, len(rows)).tolist()
        prone = _column(facts, "prone", 0, len(rows)).tolist()
        _fire_from(scene, mode, int(cells[0]), facing, prone, dodge.tolist(), rows, place)
    else:
        _fire(scene, mode, cells, None, dodge, rows, place)


def _column(facts: Facts, name: str, otherwise: int, count: int) -> Ints:
    """A column of facts as integers; where there is none, ``otherwise`` for all."""
    if name in facts:
        return np.asarray(facts[name], dtype=np.int32)
    return np.full(count, otherwise, dtype=np.int32)


def _fire_from(
    scene: Scene,
    mode: str,
    cell: int,
    facings: list[int],
    prone: list[int],
    dodge: list[int],
    rows: Flat,
    place: Mapping[str, int],
) -> None:
    """Write ``given`` and ``taken`` for one place in several facings (-1: any) and postures."""
    store, me = scene.store, scene.records[scene.acting]
    spec = me.unit.spec
    height = _height(scene, cell)
    mine = me.skill + own_fire(me.unit, mode)
    struck = _STRUCK[spec.is_vehicle]
    spots = [key_of(cell, height, posture_of(spec, posture)) for posture in (False, True)]
    given, taken = [0.0] * len(facings), [0.0] * len(facings)
    for index in scene.enemies[:WEIGHED]:
        them = scene.records[index]
        fire, harm = store.table(me, them.unit.spec), store.table(them, spec)
        for option, facing in enumerate(facings):
            lane = scene.lines.lanes.lane(spots[prone[option] != 0], them.key)
            ahead = 0 if facing < 0 else (lane.bearing - 4 * facing) % 24
            if mode not in _NO_FIRE:
                given[option] = max(given[option], fire.at(ahead, lane.distance, mine + lane.out + them.dodge))
            seen = (lane.bearing + 12 - 4 * them.unit.facing) % 24 if them.unit.moved else 0
            points = harm.at(seen, lane.distance, them.skill + them.fire + lane.back + dodge[option])
            taken[option] += points * float(struck[ahead]) if facing >= 0 and not spec.is_infantry else points
    rows[:, place["given"]] = given
    rows[:, place["taken"]] = taken
    rows[:, place["given"] : place["taken"] + 1] /= _DAMAGE


def _height(scene: Scene, cell: int) -> int:
    """How high above its hex's surface the acting unit is taken to be: as it flies, or on the ground."""
    unit = scene.me
    if unit.spec.kind == "vtol" and unit.elevation > 0:
        return unit.elevation
    return -scene.board.depth[cell]


def _fire(scene: Scene, mode: str, cells: Ints, facing: Ints | None, dodge: Ints, rows: Flat, place: Mapping[str, int]) -> None:
    """Write ``given`` and ``taken`` for places. ``cells``, ``facing`` (None: any), ``dodge``: one a row."""
    store, me = scene.store, scene.records[scene.acting]
    unit = me.unit
    spec = unit.spec
    enemies = scene.enemies[:WEIGHED]
    posture = posture_of(spec)
    height = unit.elevation if spec.kind == "vtol" else 0
    mine = me.skill + own_fire(unit, mode)
    theirs = scene.cells[enemies][:, None]
    records = [scene.records[index] for index in enemies]
    # shape (enemies, places) from here on
    dq, dr = scene.q[cells] - scene.q[theirs], scene.r[cells] - scene.r[theirs]
    away = np.minimum(distances(dq, dr), RANGES - 1)
    back = bearings(dq, dr)
    out_mods = np.empty(away.shape, dtype=np.int32)
    back_mods = np.empty(away.shape, dtype=np.int32)
    for number, them in enumerate(records):
        out_mods[number], back_mods[number] = scene.lines.rows(them.key, cells, posture, height)
    ahead: Any = 0 if facing is None else (back + 12 - 4 * facing) % 24
    if mode not in _NO_FIRE:
        best = np.zeros(len(cells), dtype=np.float32)
        out_mods += np.array([[mine + them.dodge] for them in records], dtype=np.int32)
        for number, them in enumerate(records):
            table = store.table(me, them.unit.spec)
            given = table.many(ahead if facing is None else ahead[number], away[number], out_mods[number])
            np.maximum(best, given, out=best)
        rows[:, place["given"]] = best / _DAMAGE
    back_mods += np.array([[them.skill + them.fire] for them in records], dtype=np.int32)
    back_mods += dodge
    turned = np.array([[4 * them.unit.facing] for them in records], dtype=np.int32)
    # who has yet to move may face as it likes
    settled = np.array([[them.unit.moved] for them in records], dtype=np.int32)
    seen = (back - turned) % 24 * settled
    struck = 1.0 if facing is None or spec.is_infantry else _STRUCK[spec.is_vehicle][ahead]
    harm = np.empty(away.shape, dtype=np.float32)
    for number, them in enumerate(records):
        harm[number] = store.table(them, spec).many(seen[number], away[number], back_mods[number])
    rows[:, place["taken"]] = (harm * struck).sum(axis=0) / _DAMAGE
