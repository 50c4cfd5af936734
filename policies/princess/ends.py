"""Where a movement may end, as the bot lists it: running ahead the longest way, walking backward, lying, standing, jumping."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from opfor.game.legal.moves import UnitMoves
from opfor.orders import MoveOrder
from opfor.rules.moving.flight import airborne
from opfor.rules.moving.landing import landing_place
from opfor.rules.moving.reach import Reach

#: what an end outside the searches has for a key
NO_KEY = -1


class End(NamedTuple):
    """One end. ``key`` is that of the mode's :class:`~opfor.rules.moving.reach.Reach`; ``longest``: by the way of most hexes.

    ``order`` is set where it is known without a search.
    """

    mode: str
    cell: int
    elevation: int
    facing: int
    prone: bool
    hexes: int
    key: int = NO_KEY
    longest: bool = False
    order: MoveOrder | None = None


def ends_of(moves: UnitMoves) -> list[End]:
    """Every end that is weighed, each hex and facing once for each way of coming to it."""
    unit = moves.unit
    stay = moves.stop() or moves.stand()
    found = [
        End(stay.mode, stay.to, stay.elevation, stay.facing, stay.prone, unit.hexes_moved if unit.mp_spent else 0, order=stay)
    ]
    if unit.aboard:
        return found + [End(o.mode, o.to, o.elevation, o.facing, o.prone, 0, order=o) for o in moves.dismounts()]
    found += _on_the_ground(moves)
    jumps = moves.jumps()
    ground = moves.ground
    for cell in moves.landings():
        elevation = ground.elevation[landing_place(ground, cell)]
        found += [End("jump", cell, elevation, facing, False, jumps[cell]) for facing in moves.facings]
    return found


def _on_the_ground(moves: UnitMoves) -> Iterator[End]:
    """Ways ahead with the most hexes, at a run where they take one; ways that back; turning where it lies."""
    run, walk, ahead = moves.reach("run"), moves.reach("walk"), moves.reach("forward")
    ground, unit = moves.ground, moves.unit
    long = not unit.spec.is_infantry and unit.spec.kind != "vtol"
    by_run, by_walk = set(_keys(moves, "run")), set(_keys(moves, "walk"))
    for mode, reach in (("run", run), ("walk", walk)):
        if reach is None:
            continue
        for key in _keys(moves, mode):
            end = reach.end(key)
            place, facing = divmod(end.stance, 6)
            at = (ground.cell(place), ground.elevation[place], facing, end.prone)
            if end.prone:
                # whoever lies may turn; nobody lies down on purpose
                if unit.prone and mode == "walk":
                    yield End(mode, *at, end.hexes, key)
            elif mode == "walk":
                if key not in by_run or _backs(end.mp, key, ahead):
                    yield End(mode, *at, end.hexes, key)
            else:
                yield _ahead(moves, at, key, walk, reach, by_walk) if long else End(mode, *at, end.hexes, key)


def _ahead(
    moves: UnitMoves, at: tuple[int, int, int, bool], key: int, walk: Reach | None, run: Reach, by_walk: set[int]
) -> End:
    """The way ahead of the most hexes to an end; a walk where it is no longer at a run."""
    stance = key // 2
    found = moves.longest(run).best(stance, run.limit)
    hexes = run.end(key).hexes
    longest = found is not None and found[0] > hexes
    if longest and found is not None:
        hexes = found[0]
    if walk is not None and key in by_walk and hexes <= walk.limit:
        strolled = moves.longest(walk).best(stance, walk.limit)
        if strolled is not None and strolled[0] >= hexes:
            return End("walk", *at, strolled[0], key, True)
    return End("run", *at, hexes, key, longest)


def _backs(mp: int, key: int, ahead: Reach | None) -> bool:
    """Whether walking comes to an end for fewer MP than walking ahead alone: it goes backward."""
    if ahead is None:
        return True
    try:
        return mp < ahead.end(key).mp
    except KeyError:
        return True


def _keys(moves: UnitMoves, mode: str) -> Sequence[int]:
    """The ends of a mode; a VTOL's at the lowest level of each hex at which it flies."""
    keys = moves.ends(mode)
    if moves.unit.spec.kind != "vtol":
        return keys
    ground, hexes = moves.ground, moves.state.board.hexes
    lowest: dict[tuple[int, int], tuple[int, int]] = {}
    for key in keys:
        place, facing = divmod(key // 2, 6)
        cell, elevation = ground.cell(place), ground.elevation[place]
        if airborne(hexes[cell], elevation):
            known = lowest.get((cell, facing))
            if known is None or elevation < known[0]:
                lowest[cell, facing] = (elevation, key)
    return [key for _, key in lowest.values()]


def order_to(moves: UnitMoves, end: End) -> MoveOrder:
    """The order that leads to an end."""
    if end.order is not None:
        return end.order
    if end.mode == "jump":
        made = moves.landing_order(end.cell, end.facing)
        assert made is not None
        return made
    order = moves.ground_order(end.mode, end.key)
    if end.longest:
        reach = moves.reach(end.mode)
        assert reach is not None
        best = moves.longest(reach).best(end.key // 2, reach.limit)
        if best is not None:
            order = replace(order, path=best[1])
    return order
