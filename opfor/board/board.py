"""A board: what each hex holds, as immutable data. Rule: S-1.

A :class:`Board` never changes. Terrain that changes in play (woods shot down, smoke, a collapsed building) makes a new
board by :meth:`Board.changed`, which shares everything else; a state therefore copies its board by reference, and tables
that hang on the terrain (line of sight) live with the board they belong to.

Flat lists (``board.level[cell]``) stand beside the :class:`Hex` records for the kernels; both come from the same data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from opfor.hex import Grid

#: building types in order, as their number in ``Hex.building``
BUILDING_TYPES = ("none", "light", "medium", "heavy", "hardened")


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex. Levels in levels of 6 m; ``water`` is the depth or -1 for dry land; exits are bit masks of directions."""

    level: int = 0
    woods: int = 0  # 1 light, 2 heavy
    #: levels that the trees rise above the ground
    foliage: int = 2
    water: int = -1
    rough: bool = False
    rubble: bool = False
    swamp: bool = False
    mud: bool = False
    sand: bool = False
    snow: bool = False
    ice: bool = False
    tundra: bool = False
    pavement: bool = False
    road: bool = False
    road_exits: int = 0
    building: int = 0  # index into BUILDING_TYPES
    building_height: int = 0
    building_cf: int = 0
    #: exits to further hexes of the same building
    building_exits: int = 0
    bridge: bool = False
    #: level of the bridge's deck above the hex's surface
    bridge_height: int = 0
    bridge_cf: int = 0
    bridge_exits: int = 0
    smoke: int = 0  # 1 light, 2 heavy
    fire: bool = False
    #: damage that the hex's woods have taken
    woods_damage: int = 0
    #: density of a minefield (points of damage), 0 for none, and the mask of sides that know of it
    mines: int = 0
    mines_known: int = 0
    #: terrain of the source file that the rules here do not use, as ``name:level``
    other: tuple[str, ...] = ()

    @property
    def depth(self) -> int:
        """Water depth in levels, 0 on dry land."""
        return self.water if self.water > 0 else 0

    @property
    def floor(self) -> int:
        """Level of the ground a unit walks on: the bottom, under water."""
        return self.level - self.depth

    @property
    def paved(self) -> bool:
        """Whether the hex is pavement or holds a road."""
        return self.pavement or self.road

    @property
    def woods_top(self) -> int:
        """Levels above the hex's surface that woods or smoke reach, 0 without either."""
        top = self.foliage if self.woods else 0
        return max(top, 2) if self.smoke else top

    def describe(self) -> str:
        """The hex in words, as ``level 2, light woods``; ``clear`` when it holds nothing."""
        parts = []
        if self.level:
            parts.append(f"level {self.level}")
        if self.woods:
            parts.append(("", "light woods", "heavy woods", "ultra-heavy woods")[min(3, self.woods)])
        if self.water >= 0:
            parts.append(f"water depth {self.water}")
        for flag in ("rough", "rubble", "swamp", "mud", "sand", "snow", "ice", "tundra", "pavement", "road"):
            if getattr(self, flag):
                parts.append(flag)
        if self.building:
            parts.append(f"{BUILDING_TYPES[self.building]} building {self.building_height} high, CF {self.building_cf}")
        if self.bridge:
            parts.append(f"bridge at +{self.bridge_height}, CF {self.bridge_cf}")
        if self.smoke:
            parts.append("light smoke" if self.smoke == 1 else "heavy smoke")
        if self.fire:
            parts.append("fire")
        parts.extend(self.other)
        return ", ".join(parts) or "clear"


CLEAR = Hex()
_OFF = Hex(level=-1000)


class Board:
    """An immutable map. ``board.grid`` turns CCRR into cells; ``board.hex(cell)`` gives a hex's record."""

    __slots__ = (
        "bridge",
        "building",
        "building_top",
        "depth",
        "floor",
        "grid",
        "hexes",
        "level",
        "name",
        "tables",
        "woods",
    )

    def __init__(self, name: str, grid: Grid, hexes: Mapping[int, Hex]) -> None:
        self.name = name
        self.grid = grid
        records = [_OFF] * grid.size
        for cell in grid.on_board:
            records[cell] = hexes.get(cell, CLEAR)
        self.hexes = tuple(records)
        self.level = [h.level for h in records]
        self.depth = [h.depth for h in records]
        self.floor = [h.floor for h in records]
        self.woods = [h.woods for h in records]
        self.building = [h.building for h in records]
        #: levels a building rises above its hex's surface
        self.building_top = [h.building_height if h.building else 0 for h in records]
        self.bridge = [h.bridge for h in records]
        #: caches of whatever is computed from the terrain alone, by the name of their owner; never part of the value
        self.tables: dict[str, Any] = {}

    @classmethod
    def from_rows(cls, name: str, width: int, height: int, hexes: Mapping[tuple[int, int], Hex]) -> Board:
        """A board from (column, row) counted from 0; hexes not named are clear, level 0."""
        grid = Grid(width, height)
        return cls(name, grid, {grid.cell(*at): record for at, record in hexes.items()})

    def hex(self, cell: int) -> Hex:
        """The record of a cell; border cells hold a bottomless pit that nothing enters."""
        return self.hexes[cell]

    def at(self, ccrr: str | int) -> Hex:
        """The record of a printed hex number. Raises :class:`opfor.hex.HexError` off the board."""
        return self.hexes[self.grid.parse(ccrr)]

    def changed(self, changes: Mapping[int, Hex]) -> Board:
        """A board that differs in some hexes; tables of the terrain start afresh."""
        hexes = {cell: self.hexes[cell] for cell in self.grid.on_board}
        hexes.update(changes)
        return Board(self.name, self.grid, hexes)

    def with_hex(self, cell: int, **fields: Any) -> Board:
        """A board with some fields of one hex replaced."""
        return self.changed({cell: replace(self.hexes[cell], **fields)})
