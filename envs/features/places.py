"""What places are worth to the acting unit: the fire that it could give from each, and would take there.

Estimates that hold for many places at once: each enemy where it stands, facing as it does, once it has moved, and before that
where it will probably go, facing as it likes (:mod:`envs.features.likely`); the acting unit as hard to hit as its hexes moved
make it. Rule: S-3, S-4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from envs.features.damage import LEAST, RANGES, SUMS
from envs.features.geometry import COS, Floats, Ints
from envs.features.ground import BUILDING, HIGHER, SMOKE, WOODS
from envs.features.likely import Outlook
from envs.features.modifiers import NO_FIRE, dodge_by_mode, own_fire
from envs.features.scales import FLOOR, REST, TINY, ZERO
from envs.layout import Flat
from policies.veteran.figures import BY_HEXES
from policies.veteran.lanes import BLOCKED
from policies.veteran.spots import key_of, posture_of
from policies.veteran.weights import weights

#: points of damage, of worth and of difference in worth that make 1
DAMAGE, WORTH, EDGE = 40.0, 20.0, 10.0
_MODIFIERS = 8.0
_BY_HEXES = np.array(BY_HEXES, dtype=np.int32)
Facts = Mapping[str, Sequence[Any]]
_ANY: Ints = np.zeros(0, dtype=np.int32)
#: what counts of the fire at enemies that have yet to move, and of theirs: where they will be is a guess
_SURE, _FEARED = weights().unmoved_given, weights().unmoved_taken


class Worth(NamedTuple):
    """Damage given at the best target and taken in all, and what each is worth; shape (places,).

    An enemy fires at one unit: its fire counts less, the more it is drawn to others of the side.
    """

    given: Floats
    taken: Floats
    gain: Floats
    loss: Floats


def lie_of(ground: Floats, cells: Ints, here: int, rows: Flat, place: Mapping[str, int]) -> None:
    """Write how high hexes are and what cover they offer."""
    there = ground[cells]
    rows[:, place["higher"]] = there[:, HIGHER] - ground[here, HIGHER]
    rows[:, place["cover"]] = np.maximum(np.maximum(there[:, WOODS], there[:, SMOKE]), there[:, BUILDING])


class Where(NamedTuple):
    """Places that options lead to: the hex and the elevation above its surface of each, or one of either for all; shape
    (options,) or (1,). ``facing``: looked to where the question tells none, -1 for any."""

    cells: Ints
    elevations: Ints
    facing: int


def weigh(outlook: Outlook, mode: str, where: Where, facts: Facts, rows: Flat, place: Mapping[str, int]) -> None:
    """Write ``given``, ``taken``, ``gain``, ``loss``, ``dodge`` and ``fronts`` of ends of a movement in ``mode``."""
    scene = outlook.scene
    unit, cells = scene.me, where.cells
    dodge = np.full(len(rows), dodge_by_mode(scene.state, unit, mode), dtype=np.int32)
    if "hexes" in facts:
        dodge += _BY_HEXES[np.minimum(_column(facts, "hexes", 0, len(rows)), len(BY_HEXES) - 1)]
        rows[:, place["dodge"]] = dodge / _MODIFIERS
    threats = outlook.threats()
    if not threats:
        return
    known = _column(facts, "facing", where.facing, len(rows)) if "facing" in facts or len(cells) == 1 else None
    if known is not None and not unit.spec.is_infantry:
        rows[:, place["fronts"]] = _fronts(outlook, cells, known)
    if len(cells) == 1:
        assert known is not None
        prone = _column(facts, "prone", 0, len(rows)).tolist()
        spot = (int(cells[0]), int(where.elevations[0]))
        worth = _at_one(outlook, mode, spot, known.tolist(), prone, dodge.tolist())
    else:
        worth = _at_many(outlook, mode, cells, known, dodge)
        if unit.spec.kind != "vtol":
            # roofs, decks of bridges
            for option in np.flatnonzero(where.elevations > 0).tolist():
                spot = (int(cells[option]), int(where.elevations[option]))
                looks = [-1 if known is None else int(known[option])]
                raised = _at_one(outlook, mode, spot, looks, [0], [int(dodge[option])])
                for column, one in zip(worth, raised, strict=True):
                    column[option] = one[0]
    rows[:, place["given"]] = worth.given / np.float32(DAMAGE)
    rows[:, place["taken"]] = worth.taken / np.float32(DAMAGE)
    rows[:, place["gain"]] = worth.gain / np.float32(WORTH)
    rows[:, place["loss"]] = worth.loss / np.float32(WORTH)


def _column(facts: Facts, name: str, otherwise: int, count: int) -> Ints:
    """A column of facts as integers; where there is none, ``otherwise`` for all."""
    if name in facts:
        return np.asarray(facts[name], dtype=np.int32)
    return np.full(count, otherwise, dtype=np.int32)


def _fronts(outlook: Outlook, cells: Ints, facings: Ints) -> Floats:
    """How far enemies lie ahead of places and facings (-1: any, which is 0), shape (facings,)."""
    threats = outlook.threats()
    away, back = outlook.to_threats(cells)
    weight = np.array([[threat.share] for threat in threats], dtype=np.float32) / (2 + away)
    ahead = COS[(back + 12 - 4 * facings) % 24]
    found: Floats = np.where(facings < 0, 0.0, (weight * ahead).sum(axis=0) / weight.sum(axis=0)).astype(np.float32)
    return found


def _at_one(
    outlook: Outlook,
    mode: str,
    spot: tuple[int, int],
    facings: list[int],
    prone: list[int],
    dodge: list[int],
) -> Worth:
    """One place, a hex and an elevation, in several facings (-1: any) and postures."""
    scene, threats = outlook.scene, outlook.threats()
    store, me, grid = scene.store, scene.records[scene.acting], scene.board.grid
    spec = me.unit.spec
    cell, height = spot
    mine = me.skill + own_fire(me.unit, mode)
    ours = store.worths(scene.state, me).tolist()
    spots = [key_of(cell, height, posture_of(spec, posture)) for posture in (False, True)]
    count = len(facings)
    given, taken, gain, loss = [0.0] * count, [0.0] * count, [0.0] * count, [0.0] * count
    at_it, for_it = [0.0] * count, [0.0] * count
    shots, fires = scene.lines.shots, mode not in NO_FIRE
    for number, threat in enumerate(threats):
        them = scene.records[threat.place]
        fire, harm = store.table(me, them.unit.spec), store.table(them, spec)
        lanes = [shots(spot, threat.key) for spot in (spots if any(prone) else spots[:1])]
        far, bearing = grid.distance(cell, threat.cell), grid.sextant(cell, threat.cell)
        seen = (bearing + 12 - 4 * threat.facing) % 24 if threat.facing >= 0 else 0
        point = float(store.worths(scene.state, them)[seen]) * (_SURE if threat.coming else 1.0)
        feared = threat.share * (_FEARED if threat.coming else 1.0)
        pull = outlook.pull(threat)
        # what is taken depends on posture and movement alone, before the side that it strikes
        known: dict[int, float] = {}
        for option, facing in enumerate(facings):
            out, back = lanes[prone[option] != 0]
            ahead = 0 if facing < 0 else (bearing - 4 * facing) % 24
            if fires and out < BLOCKED:
                worth = threat.share * fire.at(ahead, far, mine + out + threat.dodge)
                at_it[option] += worth
                for_it[option] += worth * point
            if back < BLOCKED:
                common = them.skill + threat.fire + back + dodge[option]
                points = known.get(common)
                if points is None:
                    points = known[common] = harm.at(seen, far, common)
                taken[option] += threat.share * points
                suffered = points * ours[ahead]
                if suffered:
                    draws = suffered * suffered
                    loss[option] += feared * suffered * (float(FLOOR) + float(REST) * draws / (draws + pull))
        if number + 1 == len(threats) or threats[number + 1].place != threat.place:
            given = [max(pair) for pair in zip(given, at_it, strict=True)]
            gain = [max(pair) for pair in zip(gain, for_it, strict=True)]
            at_it, for_it = [0.0] * count, [0.0] * count
    return Worth(*[np.array(one, dtype=np.float32) for one in (given, taken, gain, loss)])


def _at_many(outlook: Outlook, mode: str, cells: Ints, facing: Ints | None, dodge: Ints) -> Worth:
    """Places of their own. ``cells``, ``facing`` (None: any), ``dodge``: one a place."""
    scene, threats = outlook.scene, outlook.threats()
    store, me, lines = scene.store, scene.records[scene.acting], scene.lines
    unit = me.unit
    spec = unit.spec
    height = unit.elevation if spec.kind == "vtol" else 0
    mine = me.skill + own_fire(unit, mode)
    ours = store.worths(scene.state, me)
    # shape (threats, places) from here on
    away, back = outlook.to_threats(cells)
    rows = lines.known([threat.key for threat in threats], cells, posture_of(spec), height)
    fires = mode not in NO_FIRE
    found = Worth(*np.zeros((4, len(cells)), dtype=np.float32))
    shot = np.zeros((2, len(cells)), dtype=np.float32)
    add: Callable[..., None] = _add
    if lines.compiled is not None:
        from envs.features.compiled import add_threat

        add = add_threat
    for number, threat in enumerate(threats):
        them = scene.records[threat.place]
        fire, harm, theirs = store.table(me, them.unit.spec), store.table(them, spec), store.worths(scene.state, them)
        add(
            lines.data[rows[number]], cells, away[number], back[number], _ANY if facing is None else facing, dodge,
            mine + threat.dodge - LEAST, them.skill + threat.fire - LEAST, 4 * threat.facing, fires,
            fire.flat, fire.row_of, harm.flat, harm.row_of, theirs * np.float32(_SURE) if threat.coming else theirs, ours,
            np.float32(threat.share), np.float32(threat.share * (_FEARED if threat.coming else 1.0)),
            np.float32(outlook.pull(threat)), shot[0], shot[1], found.taken, found.loss,
        )  # fmt: skip
        if number + 1 == len(threats) or threats[number + 1].place != threat.place:
            np.maximum(found.given, shot[0], out=found.given)
            np.maximum(found.gain, shot[1], out=found.gain)
            shot[:] = 0.0
    return found


def _add(
    lines: Any, cells: Ints, away: Ints, back: Ints, facing: Ints, dodge: Ints, mine: int, threat: int, turned: int,
    fires: bool, fire: Floats, fire_rows: Ints, harm: Floats, harm_rows: Ints, theirs: Floats, ours: Floats, share: np.float32,
    feared: np.float32, pull: np.float32, given: Floats, gain: Floats, taken: Floats, loss: Floats,
) -> None:  # fmt: skip
    """What an enemy in one place means for places, added to ``given``, ``gain``, ``taken`` and ``loss``.

    ``lines``: modifiers out and back by cell, as :attr:`Lines.data` has them; ``cells``, ``away``, ``back``, ``facing`` (empty:
    any), ``dodge``: one a place; ``mine``, ``threat``: what is added to each shot out and back, less :data:`LEAST`;
    ``turned``: its facing in 24ths, below 0 where it may face as it likes; ``fire``, ``harm``: tables of expected damage, with
    the row by bearing; ``theirs``, ``ours``: worth of a point by bearing; ``share``: how likely it is there; ``feared``: what
    counts of its fire; ``pull``: how much it is drawn to others.
    """
    at = np.minimum(away, RANGES - 1) * SUMS
    out_sum, back_sum = lines[0, cells].astype(np.int32) - ZERO, lines[1, cells].astype(np.int32) - ZERO
    ahead = (back + 12 - 4 * facing) % 24 if len(facing) else np.zeros_like(back)
    seen = (back - turned) % 24 if turned >= 0 else np.zeros_like(back)
    if fires:
        column = np.minimum(np.maximum(out_sum + mine, 0), SUMS - 1)
        worth = share * fire[at + column + fire_rows[ahead] * (RANGES * SUMS)]
        given += worth
        gain += worth * theirs[seen]
    column = np.minimum(np.maximum(back_sum + dodge + threat, 0), SUMS - 1)
    points = harm[at + column + harm_rows[seen] * (RANGES * SUMS)]
    taken += share * points
    suffered = points * ours[ahead]
    draws = suffered * suffered
    loss += feared * suffered * (FLOOR + REST * (draws / np.maximum(draws + pull, TINY)))
