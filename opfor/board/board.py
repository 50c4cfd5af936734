"""A board: what each hex holds, as immutable data. Rule: S-1.

A :class:`Board` never changes. Terrain that changes in play (woods shot down, smoke, a collapsed building) makes a new
board by :meth:`Board.changed`, which shares everything else; a state therefore copies its board by reference, and tables
that hang on the terrain (line of sight) live with the board they belong to.

Flat lists (``board.level[cell]``) stand beside the :class:`Hex` records for the kernels; both come from the same data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
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
    #: damage that the hex's woods, as dense as they are now, have taken
    woods_damage: int = 0
    #: density of a minefield (points of damage), 0 for none, and the mask of sides that know of it
    mines: int = 0
    mines_known: int = 0
    #: terrain of the source file that the rules here do not use, as ``name:level``
    other: tuple[str, ...] = ()

    @property
    def depth(self) -> int:
        """Depth in levels of open water, 0 on dry land and on ice (``water`` keeps the depth under it)."""
        return self.water if self.water > 0 and not self.ice else 0

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
        if self.mines and self.mines_known:
            parts.append(f"mines {self.mines}")
        parts.extend(self.other)
        return ", ".join(parts) or "clear"


CLEAR = Hex()
_OFF = Hex(level=-1000)
_FIELDS = tuple(field.name for field in fields(Hex))
_PLACES = {name: place for place, name in enumerate(_FIELDS)}
_ALL: Callable[[Hex], tuple[Any, ...]] = attrgetter(*_FIELDS)
#: the flat lists of a board: what each reads in a hex, and the fields that it depends on
_LISTS: dict[str, tuple[Callable[[Hex], Any], frozenset[str]]] = {
    "level": (lambda h: h.level, frozenset({"level"})),
    "depth": (lambda h: h.depth, frozenset({"water", "ice"})),
    "floor": (lambda h: h.floor, frozenset({"level", "water", "ice"})),
    "woods": (lambda h: h.woods, frozenset({"woods"})),
    "building": (lambda h: h.building, frozenset({"building"})),
    "building_top": (lambda h: h.building_height if h.building else 0, frozenset({"building", "building_height"})),
    "bridge": (lambda h: h.bridge, frozenset({"bridge"})),
}
#: by the name of a table on the board: the fields of :class:`Hex` that it reads, so that a change of others keeps it
TABLE_READS: dict[str, frozenset[str]] = {}
#: names of tables that their owners make anew from those of a board that differs in a few hexes: see :meth:`Board.former`
RENEWED: set[str] = set()
#: fields that nobody walks over and nobody looks through: what changes most often in play
QUIET = frozenset({"fire", "woods_damage", "mines", "mines_known", "building_cf", "bridge_cf"})


def reads_all_but(*names: str) -> frozenset[str]:
    """Fields of :class:`Hex` for :data:`TABLE_READS`: all but the quiet ones and those named."""
    return frozenset(_FIELDS) - QUIET - frozenset(names)


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
        self.level: list[int] = [h.level for h in records]
        self.depth: list[int] = [h.depth for h in records]
        self.floor: list[int] = [h.floor for h in records]
        self.woods: list[int] = [h.woods for h in records]
        self.building: list[int] = [h.building for h in records]
        #: levels a building rises above its hex's surface
        self.building_top: list[int] = [h.building_height if h.building else 0 for h in records]
        self.bridge: list[bool] = [h.bridge for h in records]
        #: caches of whatever is computed from the terrain alone, by the name of their owner; never part of the value
        self.tables: dict[str, Any] = {}

    @classmethod
    def from_rows(cls, name: str, width: int, height: int, hexes: Mapping[tuple[int, int], Hex]) -> Board:
        """A board from (column, row) counted from 0; hexes not named are clear, level 0."""
        grid = Grid(width, height)
        return cls(name, grid, {grid.cell(*at): record for at, record in hexes.items()})

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """The map itself, for pickling; caches are filled anew."""
        return None, {name: getattr(self, name) if name != "tables" else {} for name in Board.__slots__}

    def hex(self, cell: int) -> Hex:
        """The record of a cell; border cells hold a bottomless pit that nothing enters."""
        return self.hexes[cell]

    def at(self, ccrr: str | int) -> Hex:
        """The record of a printed hex number. Raises :class:`opfor.hex.HexError` off the board."""
        return self.hexes[self.grid.parse(ccrr)]

    def changed(self, changes: Mapping[int, Hex]) -> Board:
        """A board that differs in some hexes; all that does not is shared with this one.

        Tables whose owner has said in :data:`TABLE_READS` what they read are kept where nothing of that has changed; all
        others start afresh.
        """
        old = self.hexes
        different: list[tuple[int, Hex]] = []
        fields_changed: set[str] = set()
        for cell, record in changes.items():
            before = old[cell]
            if record is not before:
                names = [name for name, was, now in zip(_FIELDS, _ALL(before), _ALL(record), strict=True) if was != now]
                if names:
                    different.append((cell, record))
                    fields_changed.update(names)
        return self._twin(different, fields_changed) if different else self

    def _twin(self, different: list[tuple[int, Hex]], fields_changed: set[str]) -> Board:
        """The board with other hexes in some cells, which differ in those fields."""
        twin = Board.__new__(Board)
        twin.name = self.name
        twin.grid = self.grid
        records = list(self.hexes)
        for cell, record in different:
            records[cell] = record
        twin.hexes = tuple(records)
        for name, (read, fields_read) in _LISTS.items():
            values = getattr(self, name)
            if not fields_changed.isdisjoint(fields_read):
                values = values[:]
                for cell, record in different:
                    values[cell] = read(record)
            setattr(twin, name, values)
        twin.tables = {
            name: content
            for name, content in self.tables.items()
            if name in TABLE_READS and fields_changed.isdisjoint(TABLE_READS[name])
        }
        cells = frozenset([cell for cell, _ in different])
        former: dict[str, tuple[Any, frozenset[int]]] = self.tables.get("former", {})
        passed_on = {}
        for name in RENEWED:
            if name in self.tables:
                # what this board's was made from is let go: a long battle keeps the tables of two boards, not of all
                former.pop(name, None)
                if name not in twin.tables:
                    passed_on[name] = (self.tables[name], cells)
            elif name in former:
                passed_on[name] = (former[name][0], former[name][1] | cells)
        if passed_on:
            twin.tables["former"] = passed_on
        return twin

    def former(self, name: str) -> tuple[Any, frozenset[int]] | None:
        """A table of :data:`RENEWED` as it was on an earlier board, and the hexes that have changed since; None for none."""
        found: tuple[Any, frozenset[int]] | None = self.tables.get("former", {}).get(name)
        return found

    def on_grid(self, grid: Grid) -> Board:
        """The same board on a grid whose hexes bear other names (:meth:`opfor.hex.Grid.renamed`)."""
        twin = Board.__new__(Board)
        for slot in Board.__slots__:
            setattr(twin, slot, getattr(self, slot))
        twin.grid = grid
        # what is kept of the terrain may hold names
        twin.tables = {}
        return twin

    def with_hex(self, cell: int, **fields: Any) -> Board:
        """A board with some fields of one hex replaced. Raises TypeError for a field that a hex does not have."""
        return self.with_hexes({cell: fields})

    def with_hexes(self, replaced: Mapping[int, Mapping[str, Any]]) -> Board:
        """A board with some fields of some hexes replaced. Raises TypeError for a field that a hex does not have."""
        different: list[tuple[int, Hex]] = []
        fields_changed: set[str] = set()
        for cell, new in replaced.items():
            if not new.keys() <= _PLACES.keys():
                raise TypeError(f"a hex has no {', '.join(sorted(new.keys() - _PLACES.keys()))}")
            values = list(_ALL(self.hexes[cell]))
            changed = [name for name, value in new.items() if values[_PLACES[name]] != value]
            if changed:
                for name in changed:
                    values[_PLACES[name]] = new[name]
                different.append((cell, Hex(*values)))
                fields_changed.update(changed)
        return self._twin(different, fields_changed) if different else self
