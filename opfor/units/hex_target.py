"""A hex as the target of an attack: a stand-in with a unit's fields, so that an attack on it is worked out as any other.

Its id is ``@`` and the hex's number. It belongs to no side, moves as little as ground does, and its elevation is that of the
highest level that what stands there fills: a building's uppermost storey, a bridge's deck, the crowns of woods. Rule: S-10.
"""

from __future__ import annotations

from functools import lru_cache

from opfor.board.board import Board, Hex
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

MARK = "@"
KIND = "hex"


@lru_cache(maxsize=1)
def _spec() -> UnitSpec:
    return UnitSpec(
        name="hex",
        chassis="hex",
        model="",
        kind=KIND,
        tons=0,
        tech="",
        era=0,
        quad=False,
        walk=0,
        run=0,
        jump=0,
        armor=(),
        structure=(),
        slots=(),
        mounts=(),
        bins=(),
        equipment=(),
        engine="",
        engine_rating=0,
        gyro="",
        cockpit="",
        sink_rating=0,
        sinks=0,
        sink_locations=(),
        jet_locations=(),
        motive="",
    )


def names_hex(target: str) -> bool:
    """Whether a target's id names a hex."""
    return target.startswith(MARK)


def hex_id(board: Board, cell: int) -> str:
    """The target id of a hex.

    >>> from opfor.board.board import Board
    >>> board = Board.from_rows("b", 8, 8, {})
    >>> hex_id(board, board.grid.parse("0502"))
    '@0502'
    """
    return MARK + board.grid.names[cell]


def hex_target(board: Board, target: str) -> UnitState:
    """The stand-in for the hex that a target's id names. Raises :class:`opfor.hex.HexError` when the board has none such."""
    cell = board.grid.parse(target.removeprefix(MARK))
    unit = UnitState(_spec(), target, -1, -1)
    unit.cell = cell
    unit.immobilized = True
    unit.elevation = hex_elevation(board.hexes[cell])
    return unit


def hex_elevation(record: Hex) -> int:
    """Levels above the surface of the highest level that what stands in a hex fills."""
    top = record.building_height if record.building else record.foliage if record.woods else 0
    return record.bridge_height if record.bridge and not record.building else max(0, top - 1)
