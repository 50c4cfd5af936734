"""The group ``units``: a row for each unit that the side knows, its own first, as seen from the acting unit."""

from __future__ import annotations

import numpy as np

from envs.features.damage import RANGES
from envs.features.declared import declared_damage
from envs.features.geometry import COS, FAR, SIN, Floats
from envs.features.records import Record
from envs.features.scene import ROOM, Scene
from envs.layout import Column, Flat, Group, cut, one_hot
from opfor.board.board import Board
from opfor.units.spec import KINDS, UnitSpec
from opfor.units.state import UnitState
from policies.veteran.lanes import BLOCKED

_TONS, _HEAT, _SKILL, _LEVELS, _MODIFIERS, _MP, _DAMAGE = 100.0, 30.0, 8.0, 10.0, 8.0, 12.0, 40.0

#: how a unit lies to the acting one
BETWEEN = (
    Column("east", "columns east of the acting unit, 32 make 1"),
    Column("south", "rows south of the acting unit, 32 make 1"),
    Column("distance", "hexes from the acting unit, 32 make 1"),
    Column("ahead", "cosine of its bearing from the acting unit's facing: 1 straight ahead, -1 behind"),
    Column("right", "sine of that bearing: 1 to the right"),
    Column("faces", "cosine of the acting unit's bearing from its facing: 1 where it faces the acting unit"),
    Column("higher", "levels above the acting unit, 10 make 1"),
    Column("sight", "enemies: 1 where it and the acting unit have a line of fire"),
    Column("out", "enemies: modifiers of terrain and cover for fire at it, 8 make 1"),
    Column("back", "enemies: the same for its fire at the acting unit"),
    Column("deals", "enemies: expected damage of the acting unit's fire at it from here, 40 points make 1"),
    Column("takes", "enemies: expected damage of its fire at the acting unit, 40 points make 1"),
)
#: how it stands
STANDING = (
    Column("present", "1 for every row that stands for a unit"),
    Column("asked", "1 where it may be given the order that is due"),
    Column("under_way", "1 where its declaration is under way"),
    *one_hot("kind", tuple(KINDS), "1 for the kind {}"),
    Column("tons", "tons, 100 make 1"),
    Column("value", "its share of the Battle Value (else the tons) of its side's units known on the map"),
    Column("left", "share of its armour and structure left, of its troopers, of its suits"),
    Column("core", "the share left where it is weakest: the least of its locations by armour and structure"),
    Column("heat", "heat, 30 make 1"),
    Column("prone", "1 where it lies prone"),
    Column("immobile", "1 where it is immobile, shut down or without a conscious pilot or crew"),
    Column("crippled", "1 where it counts as crippled"),
    Column("moved", "1 where it has moved this turn"),
    Column("dodge", "modifier to hit it for its movement, 8 make 1"),
    Column("ready", "1 where it waits, or holds an opportunity action ready"),
    Column("skill", "what it brings to its shots: gunnery, wounds, heat, sensors; 8 make 1, 1 where it cannot fire"),
    Column("speed", "the most MP of its type, 12 make 1"),
    Column("reach", "range of its longest weapon, 32 make 1"),
    Column("aboard", "1 where it rides in or clings to another unit"),
    Column("contact", "1 where only its place is known, as last seen"),
    Column("declared", "expected damage of the fire declared at it and not yet resolved, 40 points make 1"),
)
GROUP = Group(
    "units",
    f"Rows 0 to {ROOM - 1} are own units, the acting one first, then by distance from it; rows {ROOM} to {2 * ROOM - 1} "
    "enemies by distance. Where there are more, the farthest are left out.",
    2 * ROOM,
    BETWEEN + STANDING,
)
_BETWEEN = len(BETWEEN)
_ASKED, _UNDER_WAY, _VALUE, _CONTACT, _DECLARED = (
    GROUP.index(name) - _BETWEEN for name in ("asked", "under_way", "value", "contact", "declared")
)
_KINDS = tuple(KINDS)
_NO_FIRE: Floats = np.zeros((0, 5), dtype=np.float32)


class UnitsFeatures:
    """Writes the group: how units stand once a decision, how they lie whenever another unit acts."""

    def __init__(self) -> None:
        #: rows of :data:`STANDING`, which units and in which state they stand for
        self._standing: Floats = np.zeros((0, len(STANDING)), dtype=np.float32)
        self._ids: list[str] = []
        self._specs: list[UnitSpec] = []
        self._values: list[float] = []
        self._stamps: list[int] = []
        #: fire between two units, by their stamps, and the board that it holds for: none but the present one is kept alive
        self._pairs: dict[tuple[int, int], list[float]] = {}
        self._board: Board | None = None

    def stand(self, scene: Scene) -> None:
        """Read how the units stand."""
        under_way = {one.unit for one in scene.state.underway}
        units, records, asked, contacts = scene.units, scene.records, scene.asked, scene.contacts
        ids = [unit.id for unit in units]
        stamps = [record.stamp for record in records]
        specs = [unit.spec for unit in units]
        if ids != self._ids or specs != self._specs:
            self._ids, self._specs, self._stamps = ids, specs, [0] * len(ids)
            self._standing = np.zeros((len(ids), len(STANDING)), dtype=np.float32)
            self._values = _values(units)
        table = self._standing
        if stamps != self._stamps:
            for place, (old, new) in enumerate(zip(self._stamps, stamps, strict=True)):
                if old != new:
                    table[place] = self._row(scene, records[place])
            self._stamps = stamps
            table[:, _VALUE] = self._values
            cut(table)
        table[:, _ASKED] = [id in asked for id in ids]
        table[:, _UNDER_WAY] = [unit.index in under_way for unit in units] if under_way else 0.0
        table[:, _CONTACT] = [id in contacts for id in ids] if contacts else 0.0
        table[:, _DECLARED] = 0.0
        for place, damage in declared_damage(scene).items():
            table[place, _DECLARED] = min(1.0, damage / _DAMAGE)

    def _row(self, scene: Scene, record: Record) -> list[float]:
        unit = record.unit
        spec = unit.spec
        kind = spec.kind
        return [
            1.0,
            0.0,
            0.0,
            *[kind == one for one in _KINDS],
            spec.tons / _TONS,
            0.0,
            record.left,
            record.core,
            unit.heat / _HEAT,
            unit.prone,
            unit.immobile,
            record.lame,
            unit.moved,
            record.dodge / _MODIFIERS,
            unit.waiting or unit.opportunity,
            record.skill / _SKILL,
            max(spec.run, spec.jump) / _MP,
            scene.store.power(record, spec).reach / FAR,
            bool(unit.aboard or unit.swarming),
            0.0,
            0.0,
        ]

    def write(self, scene: Scene, out: Flat) -> None:
        """Fill the group as seen from the acting unit, shape (48, columns)."""
        order = np.array(scene.own + scene.enemies, dtype=np.int64)
        count = len(scene.own)
        fire = self._fire(scene) if scene.enemies else _NO_FIRE
        if scene.lines.compiled is not None:
            from envs.features.compiled import write_units

            write_units(
                order, count, scene.dq, scene.dr, scene.distance, scene.towards, scene.facings, scene.levels, scene.acting,
                COS, SIN, fire, self._standing, ROOM, out,
            )  # fmt: skip
            return
        me = scene.acting
        dq, dr = scene.dq[order], scene.dr[order]
        distance = scene.distance[order]
        towards = scene.towards[order]
        ahead = (towards - 4 * scene.facings[me]) % 24
        faces = (towards + 12 - 4 * scene.facings[order]) % 24
        apart = distance > 0
        table = np.zeros((len(order), _BETWEEN), dtype=np.float32)
        table[:, 0] = dq
        table[:, 1] = dr + 0.5 * dq
        table[:, 2] = distance
        table[:, :3] /= FAR
        table[:, 3] = COS[ahead] * apart
        table[:, 4] = SIN[ahead] * apart
        table[:, 5] = COS[faces] * apart
        table[:, 6] = (scene.levels[order] - scene.levels[me]) / _LEVELS
        table[count:, 7:] = fire
        cut(table)
        out[:] = 0.0
        standing = self._standing[order]
        for first, part in ((0, slice(0, count)), (ROOM, slice(count, None))):
            rows = out[first : first + len(order[part])]
            rows[:, :_BETWEEN] = table[part]
            rows[:, _BETWEEN:] = standing[part]

    def _fire(self, scene: Scene) -> Floats:
        """Fire between the acting unit and every enemy, as both stand: a row for each of ``scene.enemies``."""
        mine, board = scene.records[scene.acting], scene.board
        pairs = self._pairs
        if self._board is not board or len(pairs) >= 8192:
            pairs.clear()
            self._board = board
        rows = []
        for place in scene.enemies:
            theirs = scene.records[place]
            key = (mine.stamp, theirs.stamp)
            row = pairs.get(key)
            if row is None:
                row = pairs[key] = _between(scene, mine, theirs, place)
            rows.append(row)
        return np.array(rows, dtype=np.float32)


def _values(units: list[UnitState]) -> list[float]:
    """What share each unit has of the Battle Value (else the tons) of its side's units."""
    valued = any(unit.spec.battle_value for unit in units)
    worth = [unit.spec.battle_value if valued else unit.spec.tons for unit in units]
    totals: dict[int, int] = {}
    for unit, one in zip(units, worth, strict=True):
        totals[unit.side] = totals.get(unit.side, 0) + one
    return [one / (totals[unit.side] or 1) for unit, one in zip(units, worth, strict=True)]


def _between(scene: Scene, mine: Record, theirs: Record, place: int) -> list[float]:
    """The columns sight, out, back, deals and takes for the acting unit and an enemy, a unit of the scene by its place."""
    store = scene.store
    distance, towards = scene.far[place], int(scene.towards[place])
    ahead, faces = (towards - 4 * mine.unit.facing) % 24, (towards + 12 - 4 * theirs.unit.facing) % 24
    out, back = scene.lines.shots(mine.key, theirs.key)
    row = [0.0] * 5
    if out < BLOCKED:
        row[0], row[1] = 1.0, out / _MODIFIERS
        if distance < RANGES:
            common = mine.skill + mine.fire + out + theirs.dodge
            row[3] = store.table(mine, theirs.unit.spec).at(ahead, distance, common) / _DAMAGE
    if back < BLOCKED:
        row[0], row[2] = 1.0, back / _MODIFIERS
        if distance < RANGES:
            common = theirs.skill + theirs.fire + back + mine.dodge
            row[4] = store.table(theirs, mine.unit.spec).at(faces, distance, common) / _DAMAGE
    return row
