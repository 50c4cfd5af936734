"""Where two forces stand when a battle begins: zones along home edges, ground that each unit may stand on, facing the enemy.

Figures are those of ``opfor/tables/starting.yaml``. Terrain that a kind of unit may not enter is a rule's: S-2, S-9, E-26.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from opfor.board.board import Board
from opfor.errors import InputError, nearest
from opfor.rules.moving.flight import lowest_flight
from opfor.rules.moving.grounds import ground_of
from opfor.rules.moving.motions import motion_of
from opfor.tables import table
from opfor.units.roles import role_of
from opfor.units.spec import UnitSpec

EDGES = ("north", "south", "east", "west")
STYLES = ("line", "wedge", "scattered", "hidden")
#: facing straight away from a home edge
_AHEAD = {"north": 3, "south": 0, "east": 5, "west": 1}
_OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}


@dataclass(frozen=True, slots=True)
class Station:
    """Where a unit of a force starts. ``aboard``: the index in the force of what carries it, -1 for nothing."""

    cell: int
    facing: int
    elevation: int = 0
    aboard: int = -1
    hidden: bool = False


@dataclass(slots=True)
class Deployment:
    """The stations of a force in its order, and its zone: hexes to so many rows (or columns) from its edge."""

    edge: str
    depth: int
    stations: list[Station] = field(default_factory=list)

    def zone_entry(self, board: Board, side: str) -> dict[str, Any]:
        """The zone as the battle file writes it."""
        last = board.grid.height if self.edge in ("north", "south") else board.grid.width
        span = f"1-{self.depth}" if self.edge in ("north", "west") else f"{last - self.depth + 1}-{last}"
        key = "rows" if self.edge in ("north", "south") else "columns"
        return {key: span, "kind": "deployment", "side": side}

    def zone(self, board: Board) -> frozenset[int]:
        """The cells of the zone."""
        return _lay(board, self.edge).zone(self.depth)


def check_edge(edge: str) -> str:
    """An edge by its name. Raises :class:`InputError`."""
    return _known(edge, EDGES, "edge")


def check_style(style: str) -> str:
    """A way to deploy by its name. Raises :class:`InputError`."""
    return _known(style, STYLES, "way to deploy")


def _known(given: str, known: Sequence[str], what: str) -> str:
    word = given.strip().lower()
    found = [name for name in known if word and name.startswith(word)]
    if len(found) != 1:
        raise InputError(f"there is no {what} {given!r}: use {', '.join(known)}", hint=nearest(word, known))
    return found[0]


def deploy(
    board: Board,
    forces: Sequence[Sequence[UnitSpec]],
    edges: Sequence[str] = ("south", "north"),
    styles: Sequence[str] = ("line", "line"),
    seed: int = 0,
    taken: Iterable[int] = (),
) -> list[Deployment]:
    """Stations for the units of each force; ``taken`` are cells where others stand. The same arguments give the same stations.

    Units stand one to a hex, on ground they may enter and can leave, and look at the enemy. Infantry rides in what has room
    for it, or starts in cover. Raises :class:`InputError` when the board has no room for them, or two sides share an edge.
    """
    if len(set(edges)) != len(edges):
        raise InputError(f"both sides start at the {edges[0]} edge", hint="as --edges north,south")
    draw = random.Random(seed)
    held = set(taken)
    found = []
    for force, edge, style in zip(forces, edges, styles, strict=True):
        enemy = next((other for other in edges if other != edge), _OPPOSITE[edge])
        found.append(_Side(board, edge, enemy, style, draw).deploy(force, held))
    return found


def passengers(force: Sequence[UnitSpec]) -> dict[int, int]:
    """Which infantry rides in which carrier, by index, as far as there is room. Rule: S-9."""
    room = {index: spec.troop_space for index, spec in enumerate(force) if spec.troop_space > 0}
    found: dict[int, int] = {}
    for index, spec in enumerate(force):
        if not spec.is_infantry:
            continue
        carrier = next((c for c, free in room.items() if free >= spec.tons), None)
        if carrier is not None:
            room[carrier] -= spec.tons
            found[index] = carrier
    return found


class _Lay:
    """What a board offers to forces along one of its edges: kept with the board, as it depends on its terrain alone."""

    __slots__ = ("_fitting", "_worse", "_zones", "across", "board", "depth", "edge", "extent", "width")

    def __init__(self, board: Board, edge: str) -> None:
        self.board, self.edge = board, edge
        grid = board.grid
        upright = edge in ("north", "south")
        self.extent, self.width = (grid.height, grid.width) if upright else (grid.width, grid.height)
        #: by cell: rows (or columns) from the home edge, and place along it
        self.depth = {cell: self._depth(cell) for cell in grid.on_board}
        self.across = {cell: grid.columns[cell] if upright else grid.rows[cell] for cell in grid.on_board}
        self._zones: dict[int, frozenset[int]] = {}
        self._fitting: dict[tuple[str, int], list[int]] = {}
        self._worse: dict[tuple[str, bool], dict[int, float]] = {}

    def _depth(self, cell: int) -> int:
        column, row = self.board.grid.columns[cell], self.board.grid.rows[cell]
        last_column, last_row = self.board.grid.width - 1, self.board.grid.height - 1
        return {"north": row, "south": last_row - row, "west": column, "east": last_column - column}[self.edge]

    def zone(self, depth: int) -> frozenset[int]:
        """The cells of a zone of so many rows (or columns)."""
        found = self._zones.get(depth)
        if found is None:
            found = self._zones[depth] = frozenset([cell for cell, rows in self.depth.items() if rows < depth])
        return found

    def fitting(self, spec: UnitSpec, depth: int) -> list[int]:
        """The cells of a zone in which a unit type may start. Rule: S-2, S-9."""
        key = (spec.motive, depth)
        found = self._fitting.get(key)
        if found is None:
            found = self._fitting[key] = [
                cell for cell, rows in self.depth.items() if rows < depth and fits(self.board, spec, cell)
            ]
        return found

    def worse(self, spec: UnitSpec, hidden: bool) -> dict[int, float]:
        """How much less the cells suit a unit type, in hexes; worked out where first asked."""
        return self._worse.setdefault((spec.motive, hidden), _Marks(self.board, spec, hidden))


class _Marks(dict[int, float]):
    """How much less each cell suits a unit type, in hexes."""

    def __init__(self, board: Board, spec: UnitSpec, hidden: bool) -> None:
        self.board, self.spec, self.hidden = board, spec, hidden

    def __missing__(self, cell: int) -> float:
        rows = table("starting")["deployment"]["worse"]
        spec, hex = self.spec, self.board.hexes[cell]
        covered = bool(hex.woods or hex.building)
        found = 0.0
        if spec.is_infantry and not covered:
            found += rows["open_infantry"]
        if self.hidden and not covered:
            found += rows["seen_when_hidden"]
        if not spec.is_infantry and not self.hidden:
            found += rows["woods"] * hex.woods
        cost = motion_of(spec).terrain_cost(hex) or 0
        marks = self[cell] = float(found + (rows["hard_going"] if cost and not covered else 0))
        return marks


def _lay(board: Board, edge: str) -> _Lay:
    key = f"deployment_{edge}"
    found: _Lay | None = board.tables.get(key)
    if found is None:
        found = board.tables[key] = _Lay(board, edge)
    return found


def fits(board: Board, spec: UnitSpec, cell: int) -> bool:
    """Whether a unit type may start in a hex, and can leave it. Rule: S-2, S-9."""
    found: dict[tuple[str, int], bool] = board.tables.setdefault("deployment_fits", {})
    key = (spec.motive, cell)
    if key not in found:
        found[key] = _may_stand(board, spec, cell) and _leads_out(board, spec, cell)
    return found[key]


def _may_stand(board: Board, spec: UnitSpec, cell: int) -> bool:
    hex = board.hexes[cell]
    if hex.fire or hex.mines or hex.bridge:
        return False
    if spec.kind == "vtol":
        return True
    motion = motion_of(spec)
    if hex.swamp or (hex.depth and motion.water != "over") or (hex.building and not spec.is_infantry):
        return False
    return not (hex.building and motion.buildings[hex.building] > 1) and motion.terrain_cost(hex) is not None


def _leads_out(board: Board, spec: UnitSpec, cell: int) -> bool:
    if spec.kind == "vtol":
        return True
    ground = ground_of(board, motion_of(spec))
    wanted = min(table("starting")["deployment"]["ways_out"], len(board.grid.on_board) // 2)
    start = ground.place(cell, motion_of(spec).standing(board.hexes[cell]))
    seen, ahead = {start}, [start]
    while ahead and len(seen) <= wanted:
        place = ahead.pop(0)
        for direction in range(6):
            for step in ground.steps(place, direction):
                if step[0] not in seen:
                    seen.add(step[0])
                    ahead.append(step[0])
    return len(seen) > int(wanted)


class _Side:
    """One force being deployed along its edge."""

    def __init__(self, board: Board, edge: str, enemy: str, style: str, draw: random.Random) -> None:
        self.board = board
        self.grid = board.grid
        self.edge, self.enemy, self.style, self.draw = edge, enemy, style, draw
        self.rows = table("starting")["deployment"]
        self.lay = _lay(board, edge)

    def deploy(self, force: Sequence[UnitSpec], taken: set[int]) -> Deployment:
        """The stations of a force; the hexes they take are added to ``taken``."""
        riding = passengers(force)
        afoot = [index for index in range(len(force)) if index not in riding]
        depth, most = self._least_depth(), max(1, self.lay.extent // 2)
        while depth < most and not self._roomy(force, afoot, depth, taken):
            depth += 1
        stations: dict[int, Station] = {}
        wanted = self._wanted(force, afoot, depth)
        # those with the least choice of ground first
        for index in sorted(afoot, key=lambda i: (self._choice(force[i], depth, taken), i)):
            cell = self._best(force[index], wanted[index], depth, taken)
            if cell < 0:
                raise InputError(
                    f"there is no room on the board for {len(force)} units at the {self.edge} edge: {force[index].name}"
                )
            taken.add(cell)
            stations[index] = self._station(force[index], cell)
        for index, carrier in riding.items():
            stations[index] = replace(stations[carrier], aboard=carrier)
        return Deployment(self.edge, depth, [stations[index] for index in range(len(force))])

    def _least_depth(self) -> int:
        rows, extent = self.rows["depth"], self.lay.extent
        return int(min(max(rows["least"], int(rows["part"] * extent)), rows["most"], max(1, extent // 2)))

    def _roomy(self, force: Sequence[UnitSpec], afoot: list[int], depth: int, taken: set[int]) -> bool:
        return all(self._choice(force[i], depth, taken) >= self.rows["room"] * len(afoot) for i in afoot)

    def _choice(self, spec: UnitSpec, depth: int, taken: set[int]) -> int:
        cells = self.lay.fitting(spec, depth)
        return len(cells) - len(taken.intersection(cells))

    # -- who stands where ---------------------------------------------------------------------------------------------

    def _wanted(self, force: Sequence[UnitSpec], afoot: list[int], depth: int) -> dict[int, tuple[float, float]]:
        """For each unit the place that it would like best: along the edge, and rows from it."""
        forward = self.rows["forward"]
        order = list(afoot)
        if self.style in ("scattered", "hidden"):
            self.draw.shuffle(order)
        found: dict[int, tuple[float, float]] = {}
        count = len(order)
        slots = [(number + 0.5) / count for number in range(count)] if count else []
        if self.style == "wedge":
            # the foremost in the middle
            order.sort(key=lambda index: -forward[role_of(force[index])])
            slots.sort(key=lambda slot: abs(slot - 0.5))
        for index, slot in zip(order, slots, strict=True):
            ahead = float(forward[role_of(force[index])])
            if self.style == "wedge":
                ahead *= 1 - abs(slot - 0.5) * 2
            elif self.style in ("scattered", "hidden"):
                slot = min(0.99, max(0.0, slot + (self.draw.random() - 0.5) / count))
                ahead = ahead * 0.5 + self.draw.random() * 0.5
            found[index] = (slot * self.lay.width - 0.5, ahead * (depth - 1))
        return found

    def _best(self, spec: UnitSpec, wanted: tuple[float, float], depth: int, taken: set[int]) -> int:
        lay = self.lay
        across, depths = lay.across, lay.depth
        worse = lay.worse(spec, self.style == "hidden" and spec.kind != "vtol")
        along, ahead = wanted
        crowding = self.rows["worse"]["beside"]
        beside: dict[int, int] = {}
        for cell in taken:
            for way in self.grid.step:
                beside[cell + way] = beside.get(cell + way, 0) + 1
        best, least = -1, math.inf
        for cell in lay.fitting(spec, depth):
            if cell in taken:
                continue
            marks = abs(across[cell] - along) + abs(depths[cell] - ahead) * 1.5 + worse[cell]
            marks += crowding * beside.get(cell, 0)
            if marks < least:
                best, least = cell, marks
        return best

    def _station(self, spec: UnitSpec, cell: int) -> Station:
        hex = self.board.hexes[cell]
        elevation = motion_of(spec).standing(hex) if spec.kind != "vtol" else max(lowest_flight(hex), self.rows["vtol_height"])
        return Station(cell, self._facing(cell), elevation, hidden=self.style == "hidden" and spec.kind != "vtol")

    def _facing(self, cell: int) -> int:
        """The facing nearest to where the enemy comes from: ahead, and somewhat toward the middle of his edge."""
        grid = self.grid
        middle = ((grid.width - 1) / 2, (grid.height - 1) / 2)
        ends = {
            "north": (middle[0], 0.0),
            "south": (middle[0], grid.height - 1.0),
            "west": (0.0, middle[1]),
            "east": (grid.width - 1.0, middle[1]),
        }
        x, y = ends[self.enemy]
        column, row = grid.columns[cell], grid.rows[cell]
        if self.enemy == _OPPOSITE[self.edge]:
            x, y = ((x + column) / 2, y) if self.edge in ("north", "south") else (x, (y + row) / 2)
        across, down = (x - column) * math.sqrt(3) / 2, y - row
        if abs(across) < 1e-9 and abs(down) < 1e-9:
            return _AHEAD[self.edge]
        return round(math.degrees(math.atan2(across, -down)) / 60) % 6
