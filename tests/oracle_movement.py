"""Rows of the movement reference values, and the positions they describe."""

from __future__ import annotations

import csv
import re
from functools import lru_cache
from pathlib import Path

from opfor.board.board import Board, Hex
from opfor.formats.boards import load_board
from opfor.formats.units import load_unit
from opfor.rules.harm.damage import mark_location_lost
from opfor.rules.vehicles.crew_conditions import COMMANDER, COPILOT, DRIVER, PILOT
from opfor.rulesets import read_ruleset
from opfor.state import State
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

HITS = {"hip": "hip", "upleg": "upper_leg", "loleg": "lower_leg", "foot": "foot"}


def rows(reference: Path, name: str, mechs: bool = True) -> list[dict[str, str]]:
    """The rows of a table that are about a 'Mech, or about any other unit."""
    with (reference / "oracle" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in found if row.get("unit", "").startswith("mechs/") == mechs]


def only_mechs(row: dict[str, str]) -> bool:
    """Whether no vehicle stands about. Infantry, which is left out of the position, hinders no 'Mech."""
    return ":vehicles/" not in row["others"]


@lru_cache(maxsize=64)
def board_of(path: Path) -> Board:
    return load_board(path)[0]


@lru_cache(maxsize=64)
def spec_of(path: Path) -> UnitSpec:
    return load_unit(path)[0]


def set_state(unit: UnitState, words: str) -> None:
    """Apply the ``state`` column."""
    places = {name: index for index, name in enumerate(unit.spec.locations)}
    for word in words.split(","):
        key, _, value = word.partition(":")
        if key in HITS:
            unit.slots_hit[places[value]] |= unit.spec.slot_bits[places[value], HITS[key]]
        elif key == "legoff":
            mark_location_lost(unit, places[value])
        elif key == "gyro":
            unit.gyro_hits = int(value)
        elif key == "jj":
            unit.jets_lost = int(value)
        elif key == "heat":
            unit.heat = int(value)
        elif key == "prone":
            unit.prone = True
        elif key == "piloting":
            unit.piloting = int(value)
        elif key == "motive":
            grade = int(value)
            unit.motive_hits |= 1 << grade - 1
            cruise = unit.spec.walk - unit.cruise_lost
            unit.cruise_lost += {1: 0, 2: 1, 3: cruise // 2}[grade]
        elif key in ("driver", "commander"):
            flies = unit.spec.kind == "vtol"
            unit.crew |= {"driver": (DRIVER, PILOT), "commander": (COMMANDER, COPILOT)}[key][flies]
        elif key == "stunned":
            unit.stunned = int(value)
        elif key == "stabrotor":
            unit.flight_stabilizer = True
        elif key != "-":
            raise ValueError(word)


def position(reference: Path, row: dict[str, str]) -> tuple[State, UnitState]:
    """The battle that a row describes."""
    board = board_of(reference / "boards" / row["board"])
    changes: dict[int, Hex] = {}
    placed: list[tuple[str, str, str, int]] = []
    for part in row["others"].split(";"):
        kind, _, rest = part.partition(":")
        if kind == "T":
            where, level, terrain = rest.split("=")
            fields: dict[str, int | bool] = {"level": int(level)}
            for word in terrain.split("+") if terrain not in ("", "-") else []:
                name, _, amount = word.partition(":")
                name = "foliage" if name == "foliage_elev" else name
                fields[name] = int(amount) if name in ("woods", "water", "foliage") else True
            changes[board.grid.parse(where)] = Hex(**fields)  # type: ignore[arg-type]
        elif kind in ("F", "E"):
            file, where = rest.rsplit("@", 1)
            ccrr, facing = where.split("/")
            placed.append((kind, file, ccrr, int(facing)))
    if changes:
        board = board.changed(changes)
    unit = UnitState(spec_of(reference / row["unit"]), "u", 0)
    unit.cell = board.grid.parse(row["start"])
    unit.facing = int(row["facing"])
    unit.elevation = int(row["elev"])
    set_state(unit, row["state"])
    units = [unit]
    for index, (side, file, ccrr, towards) in enumerate(placed):
        other = UnitState(spec_of(reference / file), f"o{index}", 0 if side == "F" else 1)
        other.cell = board.grid.parse(ccrr)
        other.facing = towards
        other.elevation = 0 if other.spec.motive == "hover" else -board.depth[other.cell]
        units.append(other)
    options = row.get("options", "-")
    switches = {"tacops_walk_backwards": "backward_level_change", "tacops_careful_stand": "careful_stand"}
    ruleset = read_ruleset("standard").changed(**{switches[o]: "on" for o in options.split(",") if o in switches})
    state = State(board, ruleset, ("a", "b"), units)
    state.phase = "movement"
    return state, unit


def reach_entries(text: str) -> dict[tuple[str, int, bool], tuple[str, str]]:
    """The list of a reach column: (hex, elevation, prone) to (MP by facing, hexes by facing), six characters each."""
    found: dict[tuple[str, int, bool], tuple[str, str]] = {}
    if text == "-":
        return found
    for part in text.split(";"):
        where, value = part.split("=")
        match = re.match(r"^(\d{4})(?:@(-?\d+))?(p?)$", where)
        assert match, part
        mp, hexes = value.split("/")
        found[match[1], int(match[2] or 0), bool(match[3])] = (
            mp if len(mp) == 6 else mp * 6,
            hexes if len(hexes) == 6 else hexes * 6,
        )
    return found
