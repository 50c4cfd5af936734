"""Exits of roads, buildings and bridges that a board file leaves out. Rule: S-1."""

from __future__ import annotations

from typing import Any

from opfor.hex import AXIAL_STEPS, Grid

#: where a board keeps which exits its file left out (cell, kind), and whether roads lead onto pavement: for joining
LEFT_OUT = "formats.board.exits_left_out"


def work_out_exits(
    grid: Grid, cells: dict[int, dict[str, Any]], left_out: dict[tuple[int, str], int], road_to_pavement: bool
) -> None:
    """Exits that the file leaves out: to every neighbour with the same terrain; roads also onto pavement."""
    for cell, kind in left_out:
        fields = cells[cell]
        exits = 0
        for direction in range(len(AXIAL_STEPS)):
            near = cells.get(grid.neighbour(cell, direction))
            if near is None:
                continue
            same = bool(near.get(kind)) and (kind != "building" or near["building"] == fields["building"])
            if same or (kind == "road" and road_to_pavement and near.get("pavement")):
                exits |= 1 << direction
        if kind == "bridge" and not exits:  # a bridge one hex long leads to the roads beside it
            for direction in range(len(AXIAL_STEPS)):
                if cells.get(grid.neighbour(cell, direction), {}).get("road"):
                    exits |= 1 << direction
        fields[f"{kind}_exits"] = exits
