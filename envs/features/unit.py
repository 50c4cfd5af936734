"""The group ``unit``: the unit that acts, or that will unless another is chosen, in all that its own sheet says."""

from __future__ import annotations

import numpy as np

from envs.features.geometry import COS, FAR, SIN, Floats, Ints
from envs.features.records import Record
from envs.features.scene import Scene
from envs.layout import Column, Flat, Group, one_hot
from opfor.board.board import Board
from opfor.rules.moving.movement import movement_points
from opfor.rules.pilots.heat import dissipation
from opfor.rules.turn.victory import told_to_withdraw
from opfor.units.spec import ARMOR_COUNT, ARMOR_NAMES, BIPED_LOCATIONS, KINDS, LOCATION_COUNT

_TONS, _HEAT, _SKILL, _LEVELS, _MODIFIERS, _MP, _DAMAGE, _WEAPONS = 100.0, 30.0, 8.0, 10.0, 8.0, 12.0, 40.0, 16.0
_MODES = ("stand", "walk", "run", "jump")
#: expected damage is told at these distances and bearings, for a sum of modifiers that a middling shot has
_DISTANCES = (3, 9, 15)
_BEARINGS = {"ahead": 0, "right": 6, "behind": 12, "left": 18}
_EXTRA = 2
_FROM = np.repeat(np.array(list(_BEARINGS.values()), dtype=np.int32), len(_DISTANCES))
_AT = np.tile(np.array(_DISTANCES, dtype=np.int32), len(_BEARINGS))
_EDGES = ("north", "south", "west", "east")

COLUMNS = (
    *one_hot("kind", tuple(KINDS), "1 for the kind {}"),
    Column("tons", "tons, 100 make 1"),
    Column("walk", "MP walking or cruising as it is now, 12 make 1"),
    Column("run", "MP running or flanking, 12 make 1"),
    Column("jump", "MP jumping, 12 make 1"),
    Column("heat", "heat, 30 make 1"),
    Column("built", "heat built up this turn, 30 make 1"),
    Column("sheds", "heat shed a turn, 30 make 1"),
    *(
        Column(f"armor_{place}", f"share left of armour entry {place} (other kinds: location {number})")
        for number, place in enumerate(ARMOR_NAMES)
    ),
    *(
        Column(f"structure_{place}", f"share left of structure in {place} (other kinds: location {number})")
        for number, place in enumerate(BIPED_LOCATIONS)
    ),
    Column("engine", "engine hits, 3 make 1"),
    Column("gyro", "gyro hits, 2 make 1"),
    Column("sensors", "sensor hits, 2 make 1"),
    Column("pilot", "hits taken by the pilot, 6 make 1"),
    Column("gunnery", "gunnery skill, 8 makes 1"),
    Column("piloting", "piloting skill, 8 makes 1"),
    Column("active", "1 where it can act at all"),
    Column("prone", "1 where it lies prone"),
    Column("stuck", "1 where it is stuck"),
    Column("facing_north", "cosine of its facing: 1 for north"),
    Column("facing_east", "sine of its facing"),
    Column("twist", "torso twist or turret facing in hexsides, 3 make 1"),
    Column("east", "where it stands: 0 the west edge, 1 the east edge"),
    Column("south", "where it stands: 0 the north edge, 1 the south edge"),
    *one_hot("edge", _EDGES, "hexes to the {} edge, 32 make 1"),
    Column("level", "level that it stands on, 10 make 1"),
    Column("elevation", "levels above the surface of its hex, 10 make 1"),
    *(
        Column(f"fire_{name}_{distance}", f"expected damage {name} at {distance} hexes, 40 points make 1")
        for name in _BEARINGS
        for distance in _DISTANCES
    ),
    Column("reach", "range of its longest weapon, 32 make 1"),
    Column("weapons", "weapons that still work, 16 make 1"),
    Column("weapons_left", "the same as a share of those it was built with"),
    Column("ammunition", "share of its rounds left, 1 where it needs none"),
    Column("moved", "1 where it has moved this turn"),
    *one_hot("moved", _MODES, "1 where its movement was to {}"),
    Column("dodge", "modifier to hit it for its movement, 8 make 1"),
    Column("fired", "1 where it has fired this turn"),
    Column("ready", "1 where it waits, or holds an opportunity action ready"),
    Column("club", "1 where it holds a club"),
    Column("aboard", "1 where it rides in or clings to another unit"),
    Column("must_withdraw", "1 where it must make for its home edge"),
    Column("has_goal", "1 where its side's objective has a place"),
    Column("goal", "hexes to that place, 32 make 1"),
)
_SHEET = len(COLUMNS) - 3
GROUP = Group("unit", "The acting unit: the first that may act until one is chosen.", 1, COLUMNS)


class UnitFeatures:
    """Writes the group; the sheet of a unit is read again where anything of it has changed."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, Board, Floats]] = {}

    def write(self, scene: Scene, goal: Ints, out: Flat) -> None:
        """Fill the group, shape (1, columns). ``goal``: hexes by cell to the objective, empty where there is none."""
        record = scene.records[scene.acting]
        unit = record.unit
        known = self._known.get(unit.id)
        if known is None or known[0] != record.stamp or known[1] is not scene.board:
            if len(self._known) >= 4096:
                self._known.clear()
            sheet = np.array(_sheet(scene, record), dtype=np.float32)
            known = self._known[unit.id] = (record.stamp, scene.board, sheet)
        row = out[0]
        row[:_SHEET] = known[2]
        row[_SHEET] = _must_withdraw(scene, record)
        row[_SHEET + 1] = bool(len(goal))
        row[_SHEET + 2] = float(goal[unit.cell]) / FAR if len(goal) else 0.0


def _must_withdraw(scene: Scene, record: Record) -> bool:
    state = scene.state
    if state.withdrawing[scene.side] or (state.directives and told_to_withdraw(state, scene.side)):
        return True
    return record.lame and state.ruleset.forced_withdrawal == "on"


def _sheet(scene: Scene, record: Record) -> list[float]:
    """All columns that follow from the unit and the board."""
    state, unit, store = scene.state, record.unit, scene.store
    spec = unit.spec
    grid = scene.board.grid
    cell = unit.cell
    points = movement_points(state, unit)
    column, row = grid.columns[cell], grid.rows[cell]
    far_east, far_south = grid.width - 1, grid.height - 1
    values: list[float] = [
        *[spec.kind == kind for kind in KINDS],
        spec.tons / _TONS,
        points.walk / _MP,
        points.run / _MP,
        points.jump / _MP,
        unit.heat / _HEAT,
        unit.heat_built / _HEAT,
        dissipation(state, unit) / _HEAT if spec.is_mech else 0.0,
        *_shares(unit.armor, spec.armor, ARMOR_COUNT),
        *_shares(unit.structure, spec.structure, LOCATION_COUNT),
        unit.engine_hits / 3.0,
        unit.gyro_hits / 2.0,
        unit.sensor_hits / 2.0,
        unit.pilot_hits / 6.0,
        unit.gunnery / _SKILL,
        unit.piloting / _SKILL,
        unit.active,
        unit.prone,
        unit.stuck,
        float(COS[4 * unit.facing % 24]),
        float(SIN[4 * unit.facing % 24]),
        unit.twist / 3.0,
        column / max(1, far_east),
        row / max(1, far_south),
        row / FAR,
        (far_south - row) / FAR,
        column / FAR,
        (far_east - column) / FAR,
        scene.board.level[cell] / _LEVELS,
        unit.elevation / _LEVELS,
    ]
    common = record.skill + _EXTRA
    table = store.table(record, spec)
    values += (table.many(_FROM, _AT, common) / _DAMAGE).tolist()
    working = record.working
    rounds = sum([one.shots for one in spec.bins])
    values += [
        store.power(record, spec).reach / FAR,
        working / _WEAPONS,
        working / len(spec.mounts) if spec.mounts else 0.0,
        sum(unit.ammo) / rounds if rounds else 1.0,
        unit.moved,
        *[unit.mode == mode for mode in _MODES],
        record.dodge / _MODIFIERS,
        bool(unit.fired),
        unit.waiting or unit.opportunity,
        bool(unit.club),
        bool(unit.aboard or unit.swarming),
    ]
    return values


def _shares(points: list[int], whole: tuple[int, ...], count: int) -> list[float]:
    """The share left of each entry, 0 for entries that there are not."""
    found = [left / full if full > 0 else 0.0 for left, full in zip(points, whole, strict=False)][:count]
    return found + [0.0] * (count - len(found))
