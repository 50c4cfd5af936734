"""Kernels: state copies, line of sight, reachability, legal fire."""

from __future__ import annotations

from typing import Any

from benchmarks.timing import fastest
from opfor.board.board import Board
from opfor.board.sight import sight
from opfor.formats.library import board_named
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.movement import MovementChoices
from opfor.rules.moving.compiling import use_compiled
from opfor.rules.moving.search_cache import SEARCHES
from opfor.state import State
from opfor.units.state import UnitState
from tests.plain_sight import plain_sight
from tests.skirmish import skirmish


def state_copy(quick: bool) -> list[dict[str, Any]]:
    """Copying a unit and a whole 4 v 4 and 12 v 12."""
    calls = 200 if quick else 2000
    rows = []
    for size in (4, 12):
        state = skirmish(1, size=size)
        seconds = fastest(state.copy, calls=calls)
        per_unit = seconds * 1e6 / len(state.units)
        rows.append({"what": f"state copy, {size} v {size}", "value": seconds * 1e6, "unit": "us"})
        rows.append({"what": f"state copy per unit, {size} v {size}", "value": per_unit, "unit": "us", "aim": "under 30"})
    return rows


def line_of_sight(quick: bool) -> list[dict[str, Any]]:
    """One hex to all hexes of the largest board: first time, from the board's table, and the plain twin."""
    board = board_named(_largest())
    cells = board.grid.on_board
    origin = cells[len(cells) // 2]
    level = board.floor[origin]

    def all_from(ground: Board) -> None:
        for cell in cells:
            if cell != origin:
                base = ground.floor[cell]
                sight(ground, origin, level, level + 1, cell, base, base + 1)

    def afresh() -> None:
        board.tables.pop("sight", None)
        all_from(board)

    def plain() -> None:
        for cell in cells[::8]:
            if cell != origin:
                base = board.floor[cell]
                plain_sight(board, origin, level, level + 1, cell, base, base + 1)

    afresh()
    calls = 3 if quick else 20
    fresh = fastest(afresh, calls=calls, repeats=3)
    tabled = fastest(lambda: all_from(board), calls=calls, repeats=3)
    slow = fastest(plain, calls=1, repeats=2) * 8
    name = f"{board.grid.width}x{board.grid.height}"
    return [
        {"what": f"sight, one hex to all of {name}, first time", "value": fresh * 1e6, "unit": "us"},
        {"what": f"sight, one hex to all of {name}, tabled", "value": tabled * 1e6, "unit": "us"},
        {"what": "sight, plain twin over kernel (first time)", "value": slow / fresh, "unit": "x"},
    ]


def reachability(quick: bool) -> list[dict[str, Any]]:
    """All legal movement of one unit: the search for walking, running and jumping together."""
    rows = []
    calls = 10 if quick else 50
    for name, label in (("Wolverine WVR-6R", "5/8/5"), ("Locust LCT-1V", "8/12/0"), ("Atlas AS7-D", "3/5/0")):
        state = skirmish(1, board=_largest(), a=[name], b=["Atlas AS7-D"])
        unit = state.units[0]
        middle = state.board.grid.on_board[len(state.board.grid.on_board) // 2 + 7]
        unit.cell, unit.elevation = middle, -state.board.depth[middle]
        state.touch()

        def afresh(state: State = state, unit: UnitState = unit) -> None:
            SEARCHES.clear()
            MovementChoices(state, [unit]).count()

        seconds = fastest(afresh, calls=calls)
        ends = MovementChoices(state, [unit]).count()
        rows.append({"what": f"legal movement of a {label} 'Mech, {ends} orders", "value": seconds * 1e3, "unit": "ms"})
    return rows


def compiled_kernels(quick: bool) -> list[dict[str, Any]]:
    """The same movement with the compiled search, and a row of sight; nothing where numba is missing."""
    if not use_compiled():
        return []
    from opfor.board.sight_rows import look_anew, sight_row

    rows = [{**row, "what": row["what"] + ", compiled"} for row in reachability(quick)]
    use_compiled(False)
    board = board_named(_largest())
    origin = board.grid.on_board[len(board.grid.on_board) // 2]
    level = board.floor[origin]
    sight_row(board, origin, level, level + 1)
    calls = 10 if quick else 50
    seconds = fastest(lambda: look_anew(board, origin, level, level + 1), calls=calls)
    name = f"{board.grid.width}x{board.grid.height}"
    return [*rows, {"what": f"sight row, one hex to all of {name}, compiled", "value": seconds * 1e6, "unit": "us"}]


def legal_fire(quick: bool) -> list[dict[str, Any]]:
    """Counting and sampling the fire orders of one unit with four enemies in reach."""
    names = ["Atlas AS7-D", "Archer ARC-2R", "Hunchback HBK-4G", "Wolverine WVR-6R"]
    state = skirmish(2, board="open-plain", a=names, b=names)
    places = ("0810", "0710", "0910", "0709", "0805", "0706", "0906", "1006")
    for unit, place in zip(state.units, places, strict=True):
        unit.cell = state.board.grid.parse(place)
        unit.elevation, unit.facing = -state.board.depth[unit.cell], 0
    state.touch()
    unit = state.units[0]
    calls = 10 if quick else 100

    def sample() -> None:
        FireChoices(state, [unit]).sample(lambda n: n // 2)

    count = FireChoices(state, [unit]).count()
    seconds = fastest(sample, calls=calls)
    return [{"what": f"one fire order out of {count:,}, counted and sampled", "value": seconds * 1e3, "unit": "ms"}]


def _largest() -> str:
    from opfor.board.library import board_names

    return max(board_names(), key=lambda name: board_named(name).grid.size)
