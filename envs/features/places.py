"""What places are worth to the acting unit: the fire that it could give from each, and would take there.

Estimates that hold for many places at once: each enemy from where it stands, facing as it does if it has moved and as it likes
if it has not; the acting unit on the ground of the hex, as hard to hit as its hexes moved make it. Rule: S-3, S-4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from envs.features.damage import LEAST, RANGES, SUMS
from envs.features.geometry import Floats, Ints
from envs.features.ground import BUILDING, HIGHER, SMOKE, WOODS
from envs.features.records import dodge_by_mode, own_fire
from envs.features.scene import WEIGHED, Scene
from envs.layout import Flat
from opfor.rules.shooting.arcs import side_struck
from policies.veteran.figures import BY_HEXES
from policies.veteran.lanes import BLOCKED
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
_STRUCK_LIST = {vehicle: weights.tolist() for vehicle, weights in _STRUCK.items()}
_ALIKE: Floats = np.zeros(0, dtype=np.float32)
_ANY: Ints = np.zeros(0, dtype=np.int32)
#: modes whose movement leaves no fire
_NO_FIRE = ("evade", "sprint")


def lie_of(ground: Floats, cells: Ints, here: int, rows: Flat, place: Mapping[str, int]) -> None:
    """Write how high hexes are and what cover they offer."""
    there = ground[cells]
    rows[:, place["higher"]] = there[:, HIGHER] - ground[here, HIGHER]
    rows[:, place["cover"]] = np.maximum(np.maximum(there[:, WOODS], there[:, SMOKE]), there[:, BUILDING])


def weigh(
    scene: Scene,
    mode: str,
    facing: int,
    cells: Ints,
    from_enemies: tuple[Ints, Ints] | None,
    facts: Facts,
    rows: Flat,
    place: Mapping[str, int],
) -> None:
    """Write the columns ``given``, ``taken`` and ``dodge`` for places where a movement in ``mode`` may end.

    ``cells``: the hex of each option, or one for all; ``from_enemies``: :meth:`Scene.from_enemies` of these. Where the question
    does not tell a facing, ``facing`` stands for it (-1: any).
    """
    unit = scene.me
    dodge = np.full(len(rows), dodge_by_mode(scene.state, unit, mode), dtype=np.int32)
    if "hexes" in facts:
        dodge += _BY_HEXES[np.minimum(_column(facts, "hexes", 0, len(rows)), len(BY_HEXES) - 1)]
        rows[:, place["dodge"]] = dodge / _MODIFIERS
    if from_enemies is None:
        return
    if len(cells) == 1:
        facings = _column(facts, "facing", facing, len(rows)).tolist()
        prone = _column(facts, "prone", 0, len(rows)).tolist()
        _fire_from(scene, mode, int(cells[0]), facings, prone, dodge.tolist(), rows, place)
    else:
        known = _column(facts, "facing", 0, len(rows)) if "facing" in facts else None
        _fire(scene, mode, cells, from_enemies, known, dodge, rows, place)


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
    struck = _STRUCK_LIST[spec.is_vehicle]
    spots = [key_of(cell, height, posture_of(spec, posture)) for posture in (False, True)]
    given, taken = [0.0] * len(facings), [0.0] * len(facings)
    shots, grid = scene.lines.shots, scene.board.grid
    for index in scene.enemies[:WEIGHED]:
        them = scene.records[index]
        fire, harm = store.table(me, them.unit.spec), store.table(them, spec)
        lanes = [shots(spot, them.key) for spot in (spots if any(prone) else spots[:1])]
        far, bearing = grid.distance(cell, them.unit.cell), grid.sextant(cell, them.unit.cell)
        seen = (bearing + 12 - 4 * them.unit.facing) % 24 if them.unit.moved else 0
        threat = them.skill + them.fire
        # what is taken depends on posture and movement alone, before the side that it strikes
        known: dict[int, float] = {}
        for option, facing in enumerate(facings):
            out, back = lanes[prone[option] != 0]
            ahead = 0 if facing < 0 else (bearing - 4 * facing) % 24
            if mode not in _NO_FIRE and out < BLOCKED:
                worth = fire.at(ahead, far, mine + out + them.dodge)
                if worth > given[option]:
                    given[option] = worth
            if back < BLOCKED:
                common = threat + back + dodge[option]
                points = known.get(common)
                if points is None:
                    points = known[common] = harm.at(seen, far, common)
                taken[option] += points * struck[ahead] if facing >= 0 and not spec.is_infantry else points
    rows[:, place["given"]] = given
    rows[:, place["taken"]] = taken
    rows[:, place["given"] : place["taken"] + 1] /= _DAMAGE


def _height(scene: Scene, cell: int) -> int:
    """How high above its hex's surface the acting unit is taken to be: as it flies, or on the ground."""
    unit = scene.me
    if unit.spec.kind == "vtol" and unit.elevation > 0:
        return unit.elevation
    return -scene.board.depth[cell]


def _fire(
    scene: Scene,
    mode: str,
    cells: Ints,
    from_enemies: tuple[Ints, Ints],
    facing: Ints | None,
    dodge: Ints,
    rows: Flat,
    place: Mapping[str, int],
) -> None:
    """Write ``given`` and ``taken`` for places. ``cells``, ``facing`` (None: any), ``dodge``: one a row."""
    store, me = scene.store, scene.records[scene.acting]
    unit = me.unit
    spec = unit.spec
    enemies = scene.enemies[:WEIGHED]
    posture = posture_of(spec)
    height = unit.elevation if spec.kind == "vtol" else 0
    mine = me.skill + own_fire(unit, mode)
    records = [scene.records[index] for index in enemies]
    # shape (enemies, places) from here on
    away, back = from_enemies
    if scene.lines.compiled is not None:
        _fire_compiled(scene, mode, cells, from_enemies, facing, dodge, rows, place)
        return
    out_mods, back_mods = scene.lines.between([them.key for them in records], cells, posture, height)
    at = np.minimum(away, RANGES - 1) * SUMS
    ahead: Any = 0 if facing is None else (back + 12 - 4 * facing) % 24
    if mode not in _NO_FIRE:
        at_us = np.array([[mine + them.dodge - LEAST] for them in records], dtype=np.int32)
        index = at + np.minimum(np.maximum(out_mods + at_us, 0), SUMS - 1)
        given = np.empty(away.shape, dtype=np.float32)
        for number, them in enumerate(records):
            table = store.table(me, them.unit.spec)
            first = 0 if facing is None else table.row_of[ahead[number]] * (RANGES * SUMS)
            given[number] = table.flat[index[number] + first]
        rows[:, place["given"]] = given.max(axis=0)
    threats = np.array(
        [[them.skill + them.fire - LEAST, 4 * them.unit.facing, them.unit.moved] for them in records], dtype=np.int32
    )[:, :, None]
    index = at + np.minimum(np.maximum(back_mods + dodge + threats[:, 0], 0), SUMS - 1)
    # who has yet to move may face as it likes
    seen = (back - threats[:, 1]) % 24 * threats[:, 2]
    harm = np.empty(away.shape, dtype=np.float32)
    for number, them in enumerate(records):
        table = store.table(them, spec)
        harm[number] = table.flat[index[number] + table.row_of[seen[number]] * (RANGES * SUMS)]
    if facing is not None and not spec.is_infantry:
        harm *= _STRUCK[spec.is_vehicle][ahead]
    rows[:, place["taken"]] = harm.sum(axis=0)
    rows[:, place["given"] : place["taken"] + 1] /= _DAMAGE


def _fire_compiled(
    scene: Scene,
    mode: str,
    cells: Ints,
    from_enemies: tuple[Ints, Ints],
    facing: Ints | None,
    dodge: Ints,
    rows: Flat,
    place: Mapping[str, int],
) -> None:
    """The same by compiled code, enemy by enemy."""
    from envs.features.compiled import weigh_enemy

    store, me, lines = scene.store, scene.records[scene.acting], scene.lines
    unit = me.unit
    spec = unit.spec
    mine = me.skill + own_fire(unit, mode)
    records = [scene.records[index] for index in scene.enemies[:WEIGHED]]
    height = unit.elevation if spec.kind == "vtol" else 0
    known = lines.known([them.key for them in records], cells, posture_of(spec), height)
    fires = mode not in _NO_FIRE
    struck = _ALIKE if facing is None or spec.is_infantry else _STRUCK[spec.is_vehicle]
    facings = _ANY if facing is None else facing
    worth = np.zeros((2, len(cells)), dtype=np.float32)
    for number, them in enumerate(records):
        fire, harm = store.table(me, them.unit.spec), store.table(them, spec)
        weigh_enemy(
            lines.data[known[number]], cells, from_enemies[0][number], from_enemies[1][number], facings, dodge,
            mine + them.dodge - LEAST, them.skill + them.fire - LEAST, 4 * them.unit.facing, them.unit.moved, fires,
            fire.flat, fire.row_of, harm.flat, harm.row_of, struck, worth[0], worth[1],
        )  # fmt: skip
    worth /= _DAMAGE
    rows[:, place["given"] : place["taken"] + 1] = worth.T
