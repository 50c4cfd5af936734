"""Rows of the fire reference values (``tohit.tsv``, ``los.tsv``, ``hits.tsv``) as positions of our own."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from opfor.board.board import Board
from opfor.errors import InputError
from opfor.formats.boards import load_board
from opfor.formats.units import load_unit
from opfor.rulesets import named_ruleset
from opfor.state import State
from opfor.tables.arsenal import launchers
from opfor.units.names import understand
from opfor.units.spec import AmmoBin, Equipment, Mount, UnitSpec
from opfor.units.state import UnitState

Row = dict[str, str]


def rows(reference: Path, name: str) -> list[Row]:
    """Every row of a table."""
    with (reference / "oracle" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@lru_cache(maxsize=64)
def board_of(path: Path) -> Board:
    return load_board(path)[0]


@lru_cache(maxsize=128)
def spec_of(path: Path) -> UnitSpec | None:
    """The unit in a file; None for a kind that is not played yet."""
    try:
        return load_unit(path)[0]
    except InputError:
        return None


def with_smoke(board: Board, words: str) -> Board:
    """The board with the smoke of the ``added_terrain`` column."""
    changes = {}
    for part in words.split(";"):
        where, _, what = part.partition("=")
        kind, _, thickness = what.partition(":")
        assert kind == "smoke"
        cell = board.grid.parse(where)
        changes[cell] = replace(board.hexes[cell], smoke=int(thickness))
    return board.changed(changes)


def with_added(spec: UnitSpec, words: str) -> UnitSpec:
    """The spec with the items of the ``a_added`` column mounted without slots."""
    mounts, bins, equipment = list(spec.mounts), list(spec.bins), list(spec.equipment)
    for part in words.split(";"):
        name, _, where = part.strip().partition("@")
        place = spec.locations.index(where)
        if name == "Targeting Computer":
            equipment.append(Equipment(len(equipment), "targeting_computer", name, place))
        elif name.endswith("Ammo"):
            kind = "is_lb10x:cluster" if "Cluster" in name else "is_lb10x"
            bins.append(AmmoBin(len(bins), kind, name, 10, place, 0))
        else:
            assert name == "LB 10-X AC", name
            modes = launchers()["is_lb10x"]
            mounts.append(Mount(len(mounts), "is_lb10x", name, modes[0].weapon, modes, place))
    return replace(spec, mounts=tuple(mounts), bins=tuple(bins), equipment=tuple(equipment))


def set_state(unit: UnitState, words: str) -> None:
    """Apply an ``a_state`` or ``t_state`` column."""
    places = {name: index for index, name in enumerate(unit.spec.locations)}
    for word in words.split(","):
        key, _, value = word.partition("=")
        if word in ("prone", "shutdown", "spotting", "immobilized"):
            setattr(unit, word, True)
        elif key == "heat":
            unit.heat = int(value)
        elif key == "sensors":
            unit.sensor_hits = int(value)
        elif key == "men":
            unit.structure[0] = int(value.partition("/")[0])
        elif key == "anti_mech":
            unit.piloting = int(value)
        elif key == "fired":
            unit.used_arms |= 1 << places[value]
        elif word.startswith("stabilizer@"):
            unit.stabilizers |= 1 << places[word.partition("@")[2]]
        elif ":" in word:
            where, _, kind = word.partition(":")
            unit.slots_hit[places[where]] |= unit.spec.slot_bits[places[where], kind]
        else:
            assert word == "-", word


MODES = {"none": "stand", "walk": "walk", "run": "run", "jump": "jump"}


class Position:
    """The state of a ``tohit.tsv`` row: attacker ``a``, target ``t``, where it has them an earlier target and a spotter."""

    def __init__(self, reference: Path, row: Row) -> None:
        board = board_of(reference / "boards" / row["board"])
        self.row = row
        a_spec = spec_of(reference / row["a_file"])
        t_spec = spec_of(reference / row["t_file"])
        assert a_spec is not None and t_spec is not None
        if row["a_added"] != "-":
            a_spec = with_added(a_spec, row["a_added"])
        self.a = self._unit(board, a_spec, "a", 0)
        self.t = self._unit(board, t_spec, "t", 1)
        self.a.gunnery = int(row["a_gunnery"])
        self.a.twist = (int(row["a_torso"]) - self.a.facing + 1) % 6 - 1
        units = [self.a, self.t]
        self.prior: UnitState | None = None
        self.spotter: UnitState | None = None
        self.spotter_attacks = False
        if row["prior_target"] != "-":
            hex_, _, weapon = row["prior_target"].split(":")
            self.prior = UnitState(t_spec, "prior", 1)
            self.prior.cell = board.grid.parse(hex_)
            units.append(self.prior)
            # the weapon of the earlier attack counts for the arm that a prone 'Mech props itself up with
            place = weapon.rpartition("@")[2].split("/")[0].removesuffix("(R)")
            self.a.used_arms |= 1 << a_spec.locations.index(place)
        if row["spotter"] != "-":
            hex_, file, mode, hexes, elevation, attacks = row["spotter"].split(":")
            self.spotter = UnitState(spec_of(reference / file) or a_spec, "spotter", 0)
            self.spotter.cell = board.grid.parse(hex_)
            self.spotter.elevation = int(elevation.removeprefix("elev"))
            self.spotter.mode = MODES[mode]
            self.spotter.hexes_moved = int(hexes)
            self.spotter_attacks = attacks == "attacks"
            units.append(self.spotter)
        self.state = State(board, named_ruleset("standard"), ("a", "t"), units)

    def _unit(self, board: Board, spec: UnitSpec, id: str, side: int) -> UnitState:
        row = self.row
        unit = UnitState(spec, id, side)
        unit.cell = board.grid.parse(row[f"{id}_hex"])
        unit.facing = int(row[f"{id}_facing"])
        unit.elevation = int(row[f"{id}_elev"])
        unit.mode = MODES[row[f"{id}_move"]]
        unit.hexes_moved = int(row[f"{id}_hexes"])
        set_state(unit, row[f"{id}_state"])
        return unit

    @property
    def mount(self) -> Mount:
        """The weapon of the row."""
        row, spec = self.row, self.a.spec
        where = row["w_loc"].removesuffix("(R)")
        rear = row["w_loc"].endswith("(R)")
        places = {spec.locations.index(name) for name in where.split("/")}
        key = understand(re.sub(r"^(IS|CL)(?=[A-Z])", "", row["w_id"])).key or understand(row["weapon"]).key
        for mount in spec.mounts:
            at = {mount.location} | ({mount.split_location} if mount.split_location >= 0 else set())
            if mount.id.partition("_")[2] == key and at == places and mount.rear == rear:
                return mount
        raise AssertionError(f"no {row['w_id']} {key!r} at {row['w_loc']} on {spec.name}: {[m.id for m in spec.mounts]}")
