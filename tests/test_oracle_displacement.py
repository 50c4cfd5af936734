"""Where displaced 'Mechs go, against reference values. Rule: S-2, S-8."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from opfor.board.board import Board
from opfor.hex import Grid
from opfor.rules.moving.displacement import displaced_to, may_be_displaced, missed_charge_hexes, preferred_hex
from opfor.rulesets import read_ruleset
from opfor.state import State
from opfor.units.state import UnitState
from tests.support import test_mech
from tests.test_oracle_physical import board_of

pytestmark = pytest.mark.oracle
_OTHER = re.compile(r"([FE]):(.+)@(\d{4})/(\d)")


def name_of(grid: Grid, start: int, to: int | None) -> str:
    """The printed number of a hex next to ``start``, beyond the map's edge too; ``----`` for none."""
    if to is None:
        return "----"
    if grid.contains(to):
        return grid.names[to]
    column, row = grid.columns[start], grid.rows[start]
    low = column & 1
    steps = ((0, -1), (1, low - 1), (1, low), (0, 1), (-1, low), (-1, low - 1))
    across, down = steps[grid.step.index(to - start)]
    return f"{column + across + 1:02d}{row + down + 1:02d}"


def position(row: dict[str, str], board: Board) -> State:
    """The displaced unit first, then the others. Vehicles are stood in for by 'Mechs, which block as they do."""
    spec = test_mech()
    unit = UnitState(spec, "unit", 0)
    unit.cell = board.grid.parse(row["hex"])
    unit.elevation = -board.depth[unit.cell]
    units = [unit]
    for number, part in enumerate(row["others"].split(";")):
        found = _OTHER.fullmatch(part)
        if not found:
            assert part == "-", part
            continue
        other = UnitState(spec, f"other {number}", 0 if found[1] == "F" else 1)
        other.cell = board.grid.parse(found[3])
        other.elevation = -board.depth[other.cell]
        other.facing = int(found[4])
        units.append(other)
    return State(board, read_ruleset("standard"), ("a", "b"), units)


def mine(state: State, direction: int) -> dict[str, str]:
    unit = state.units[0]
    grid = state.board.grid
    cell = unit.cell
    return {
        "valid_dirs": "".join(str(int(may_be_displaced(state, unit, cell, d))) for d in range(6)),
        "displaced_to": name_of(grid, cell, displaced_to(state, unit, cell, direction)),
        "preferred": name_of(grid, cell, preferred_hex(state, unit, cell, direction)),
        "missed_charge": "|".join(name_of(grid, cell, to) for to in missed_charge_hexes(state, unit, cell, direction)),
    }


def test_displacement(reference: Path) -> None:
    with (reference / "oracle" / "displacement.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["unit"].startswith("mechs/")]
    assert len(rows) > 40
    for row in rows:
        state = position(row, board_of(reference / "boards" / row["board"]))
        found = mine(state, int(row["direction"]))
        assert found == {key: row[key] for key in found}, row
