"""All the movement orders of one unit, worked out as they are asked for. Rule: S-2, S-8 (charge, death from above), S-9.

Infantry has no facing: an end is listed once, in the facing that it is come to in. What is carried only gets out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from opfor.game.legal.assaults import Assaults
from opfor.game.legal.jumping import Jumping
from opfor.orders import MoveOrder
from opfor.rules.moving.by_place import Places, Row, by_place
from opfor.rules.moving.grounds import ground_for
from opfor.rules.moving.longer import Longest
from opfor.rules.moving.modes import GROUND, RUNNING
from opfor.rules.moving.movement import (
    ground_limit,
    ground_reach,
    hip_or_gyro_damage,
    movement_points,
    stands_without_roll,
    why_no_standing,
)
from opfor.rules.moving.paths import Walked, walk
from opfor.rules.moving.reach import End, Reach, turns
from opfor.rules.moving.stacking import Taken, occupied_places
from opfor.rules.moving.transport import exits_from, may_mount
from opfor.rules.turn.complex_actions import open_modes, paused, why_no_holding, why_no_pause
from opfor.rules.turn.initiative import may_wait
from opfor.rules.turn.victory import must_withdraw
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

_TABLE = table("movement")
_MOVES = _TABLE["manoeuvres"]
#: facings in which a side's home edge is ahead
_AHEAD = {"north": (5, 0, 1), "south": (2, 3, 4), "east": (1, 2), "west": (4, 5)}
#: modes on the ground that every battle has, and in which a unit may stop for a simple action
_GROUND = ("walk", "run")


class UnitMoves(Jumping, Assaults):
    """The movement orders of one unit as the state stands now; make a new one when the state has changed.

    ``simple``: only those of a simple action, to walk, run or jump (M-9f).
    """

    #: modes in which a unit may stop for a simple action
    walked = _GROUND

    def __init__(self, state: State, unit: UnitState, *, simple: bool = False) -> None:
        self.state = state
        self.unit = unit
        self.simple = simple
        self.ground = ground_for(state.board, unit.spec, state.ruleset)
        #: facings in which a jump may end
        self.facings = (unit.facing,) if unit.spec.is_infantry else tuple(range(6))
        self.place = self.ground.place(unit.cell, unit.elevation)
        self.points = movement_points(state, unit)
        #: the modes of movement on the ground that are open to it at all
        self.modes = _GROUND if simple else (*_GROUND, *open_modes(state))
        #: directions in which the unit may leave the map
        self.exits = self._exits()
        self._reach: dict[str, Reach | None] = {}
        self._longest: dict[str, Longest] = {}
        self._taken: Taken | None = None
        self._jumps: dict[int, int] | None = None
        self._landings: list[int] | None = None
        self._landed: frozenset[int] | None = None
        self._extra: list[tuple[str, Sequence[MoveOrder]]] | None = None
        self._sizes: list[tuple[str, int]] | None = None
        self._groups: list[str] | None = None
        self._stops: dict[str, list[int]] = {}

    # -- what is listed -------------------------------------------------------------------------------------------------

    def sizes(self) -> list[tuple[str, int]]:
        """The groups of orders in order, with how many orders each holds."""
        if self._sizes is None:
            first = "stop" if self.stop() is not None else "stand"
            sizes = [(first, 0 if self.simple else 1), ("wait", int(not self.simple and may_wait(self.state, self.unit)))]
            sizes += [(mode, len(self.ends(mode))) for mode in self.modes]
            sizes.append(("jump", len(self.landings()) * len(self.facings)))
            if not self.simple:
                sizes += [(group, len(orders)) for group, orders in self.extra()]
                if not self.why_no_act("opportunity"):
                    sizes.append(("opportunity", (self._still() is not None) + len(self.ends("walk"))))
                if not self.why_no_act("pause"):
                    sizes.append(("pause", sum(len(self.stops(mode)) for mode in _GROUND)))
            self._sizes = [(group, size) for group, size in sizes if size]
        return self._sizes

    def count(self) -> int:
        """How many orders are listed."""
        return sum(size for _, size in self.sizes())

    def order(self, number: int) -> MoveOrder:
        """The order of that number, 0 to count - 1."""
        for group, size in self.sizes():
            if number < size:
                return self.order_of(group, number)
            number -= size
        raise IndexError(number)

    def orders(self) -> Iterator[MoveOrder]:
        """Every listed order."""
        for group, size in self.sizes():
            for number in range(size):
                yield self.order_of(group, number)

    def open_groups(self) -> list[str]:
        """The groups that hold orders, as :meth:`sizes` has them, worked out no further than that takes."""
        if self._groups is None:
            self._groups = self._look_for_groups()
        return self._groups

    def _look_for_groups(self) -> list[str]:
        if self._sizes is not None or self.simple:
            return [group for group, _ in self.sizes()]
        groups = ["stop" if self.stop() is not None else "stand"]
        if may_wait(self.state, self.unit):
            groups.append("wait")
        groups += [mode for mode in self.modes if self._turns(mode) >= 1 or len(self.ends(mode))]
        if self.landings():
            groups.append("jump")
        groups += [group for group, _ in self.extra()]
        if not self.why_no_act("opportunity") and (self._still() is not None or "walk" in groups):
            groups.append("opportunity")
        if not self.why_no_act("pause") and (self._turns("walk") >= 2 or any(len(self.stops(mode)) for mode in _GROUND)):
            groups.append("pause")
        return groups

    def _turns(self, mode: str) -> int:
        """How often the unit can turn where it stands, in a mode; 0 where that takes a search to know."""
        if self.unit.prone or self.unit.spec.is_infantry or self.place in self.taken.closed:
            return 0
        return ground_limit(self.state, self.unit, mode, self.points)

    def order_of(self, group: str, number: int) -> MoveOrder:
        """The order of that number in a group."""
        if group in GROUND:
            return self._ground_order(group, self.end(group, number))
        if group in ("opportunity", "pause"):
            return self._acting(group, number)
        if group == "jump":
            cell, facing = divmod(number, len(self.facings))
            made = self.landing_order(self.landings()[cell], self.facings[facing])
            assert made is not None
            return made
        if group == "stand":
            return self.stand()
        if group == "wait":
            return self.wait()
        if group == "stop":
            stop = self.stop()
            assert stop is not None
            return stop
        return dict(self.extra())[group][number]

    # -- standing still -------------------------------------------------------------------------------------------------

    def _here(self, mode: str) -> MoveOrder:
        unit = self.unit
        return MoveOrder(unit.id, mode, (), unit.cell, unit.facing, unit.elevation, unit.prone)

    def stand(self) -> MoveOrder:
        """Not to move at all."""
        return self._here("stand")

    def wait(self) -> MoveOrder:
        """To move in the fire phase, having won initiative. Rule: E-3."""
        return self._here("wait")

    def stop(self) -> MoveOrder | None:
        """To end a movement that a failed attempt to stand up or a sideslip has cut short; None when none has begun."""
        return self._here(self.unit.mode) if self.unit.mp_spent and not self.unit.moved else None

    # -- complex actions that go with the movement ----------------------------------------------------------------------

    def why_no_act(self, act: str) -> str:
        """Why no movement of the unit may hold an opportunity action, or stop for a simple one, or "". Rule: M-8, M-9."""
        return why_no_holding(self.state, self.unit) if act == "opportunity" else why_no_pause(self.state, self.unit)

    def _still(self) -> MoveOrder | None:
        """The order that stays where it is, if that is standing or walking."""
        stop = self.stop()
        return self.stand() if stop is None else stop if stop.mode == "walk" else None

    def stops(self, mode: str) -> list[int]:
        """The ends of walking or running at which it may stop for a simple action and go on, as keys. Rule: M-8.

        It stands, has MP left, and has no turn at a run before it whose roll is still to come.
        """
        found = self._stops.get(mode)
        if found is None:
            reach = self.reach(mode)
            found = reach.unfinished() if reach is not None else []
            if reach is not None and reach.rules.skids:
                found = [key for key in found if not self._may_slide(reach, key)]
            self._stops[mode] = found
        return found

    def _may_slide(self, reach: Reach, key: int) -> bool:
        """Whether the way to an end turns at a run in its last hex, where that calls for a roll before the next."""
        slips = reach.rules.slips
        if not slips and not self.ground.paved[key // 12]:
            return False
        end = reach.end(key)
        return (end.hexes > 0 or not slips) and reach.turned(end)

    def _acting(self, act: str, number: int) -> MoveOrder:
        """The order of that number among those that hold an opportunity action, or that stop for a simple one."""
        if act == "opportunity":
            still = self._still()
            if still is not None:
                if not number:
                    return replace(still, act=act)
                number -= 1
            return replace(self._ground_order("walk", self.end("walk", number)), act=act)
        for mode in _GROUND:
            if number < len(self.stops(mode)):
                return replace(self.ground_order(mode, self.stops(mode)[number]), act=act)
            number -= len(self.stops(mode))
        raise IndexError(number)

    def opportunity_rows(self) -> list[Row]:
        """The orders that hold an opportunity action as rows: the one that stays where it is, then the ends of walking."""
        still = self._still()
        unit = self.unit
        first = (
            []
            if still is None
            else [Row(0, self.place * 6 + unit.facing, unit.prone, 0, unit.hexes_moved if unit.mp_spent else 0, False)]
        )
        ends = [self.row("walk", number) for number in range(len(self.ends("walk")))]
        return [*first, *[row._replace(number=row.number + len(first)) for row in ends]]

    def pause_rows(self, mode: str) -> list[Row]:
        """The ends of a mode at which it may stop as rows, numbered from 0."""
        reach = self.reach(mode)
        assert reach is not None
        found = []
        for number, end in enumerate(map(reach.end, self.stops(mode))):
            rolls = end.rolls or any(self._rolls(mode))
            found.append(Row(number, end.stance, end.prone, end.mp, end.hexes, rolls))
        return found

    # -- on the ground --------------------------------------------------------------------------------------------------

    def reach(self, mode: str) -> Reach | None:
        """The search of a mode: walk, run, evade, sprint or forward (walking ahead only)."""
        if mode not in self._reach:
            self._reach[mode] = ground_reach(self.state, self.unit, mode, self.points, self.taken, self.ground)
        return self._reach[mode]

    @property
    def taken(self) -> Taken:
        """The places that others hold."""
        if self._taken is None:
            self._taken = occupied_places(self.state, self.unit, self.ground)
        return self._taken

    def ends(self, mode: str) -> Sequence[int]:
        """The ends of walking or running, as keys of its :class:`~opfor.rules.moving.reach.Reach`."""
        reach = self.reach(mode)
        return reach.keys if reach is not None else []

    def end(self, mode: str, number: int) -> End:
        """The end of that number among those of a mode."""
        reach = self.reach(mode)
        assert reach is not None
        keys = self.ends(mode)
        return reach.end_at(number) if keys is reach.keys else reach.end(keys[number])

    def _rolls(self, mode: str) -> tuple[bool, bool]:
        """Whether ends of a mode call for a roll beside those of the ground: where it stands in the end; in any case."""
        unit = self.unit
        rises = unit.prone and not stands_without_roll(unit)
        runs = mode in RUNNING and hip_or_gyro_damage(unit) and not paused(unit)
        return rises or runs, unit.stuck

    def row(self, mode: str, number: int) -> Row:
        """The end of that number among those of a mode, as a row."""
        standing, always = self._rolls(mode)
        end = self.end(mode, number)
        rolls = end.rolls or always or (standing and not end.prone)
        return Row(number, end.stance, end.prone, end.mp, end.hexes, rolls)

    def places(self, mode: str) -> Places:
        """The ends of a mode by place."""
        reach = self.reach(mode)
        keys = self.ends(mode)
        if reach is not None and keys is reach.keys:
            return reach.places(*self._rolls(mode))
        return by_place(self.ground, [self.row(mode, number) for number in range(len(keys))])

    def ground_order(self, mode: str, key: int) -> MoveOrder:
        """The order that leads to an end."""
        reach = self.reach(mode)
        assert reach is not None
        return self._ground_order(mode, reach.end(key))

    def _ground_order(self, mode: str, end: End) -> MoveOrder:
        reach = self.reach(mode)
        assert reach is not None
        place, facing = divmod(end.stance, 6)
        ground = self.ground
        return MoveOrder(self.unit.id, mode, reach.path(end), ground.cell(place), facing, ground.elevation[place], end.prone)

    def walk(self, order: MoveOrder) -> Walked:
        """Walk an order's path, into the target's hex for a charge."""
        into = -1
        if order.attack == "charge":
            target = self.state.unit(order.target)
            into = self.ground.place(target.cell, target.elevation)
        return walk(self.state, self.unit, order.mode, order.path, exits=self.exits, into=into, points=self.points)

    def _exits(self) -> tuple[int, ...]:
        edge = self.state.edges[self.unit.side]
        if edge and must_withdraw(self.state, self.unit):
            return _AHEAD[edge]
        return ()

    # -- attacks made by moving, and rarer things -----------------------------------------------------------------------

    def extra(self) -> list[tuple[str, Sequence[MoveOrder]]]:
        """Careful standing, leaving the map, charges and deaths from above, getting into a carrier and out of one."""
        if self._extra is None:
            groups: list[tuple[str, Sequence[MoveOrder]]] = [("careful", self._careful()), ("leave", self._leave())]
            groups += [("charge", self.charges()), ("dfa", self.deaths())]
            if self.unit.spec.is_infantry:
                groups += [("mount", self.mounts()), ("dismount", self.dismounts())]
            self._extra = [(group, orders) for group, orders in groups if len(orders)]
        return self._extra

    def _careful(self) -> list[MoveOrder]:
        unit = self.unit
        if self.state.ruleset.careful_stand != "on" or not unit.prone or unit.mp_spent or why_no_standing(unit):
            return []
        if self.points.walk < _MOVES["careful_stand_needs_walk"] or stands_without_roll(unit):
            return []
        return [
            MoveOrder(unit.id, "walk", ("CAREFUL", *turns(unit.facing, facing)), unit.cell, facing, unit.elevation)
            for facing in range(6)
        ]

    def _leave(self) -> list[MoveOrder]:
        if not self.exits:
            return []
        grid = self.state.board.grid
        cost = int(_MOVES["leave_map"])
        found = []
        for mode in self.modes:
            reach = self.reach(mode)
            if reach is None:
                continue
            start = End(self.place * 6 + self.unit.facing, False, 0, 0, False, (self.place * 6 + self.unit.facing) * 2)
            for end in [*([] if self.unit.prone else [start]), *(reach.end(key) for key in reach.keys)]:
                place, facing = divmod(end.stance, 6)
                if end.prone or end.node < 0 or end.mp + cost > reach.limit:
                    continue
                cell = self.ground.cell(place)
                # infantry turns to the edge for nothing
                for out in self.exits if reach.rules.free else [facing] if facing in self.exits else []:
                    if not grid.contains(cell + grid.step[out]):
                        path = (*reach.path(end), *turns(facing, out), "EXIT")
                        found.append(MoveOrder(self.unit.id, mode, path, cell, out, self.ground.elevation[place]))
        return found

    def mounts(self) -> list[MoveOrder]:
        """Getting into each carrier at hand that has room. Rule: S-9."""
        unit = self.unit
        return [
            MoveOrder(unit.id, "walk", (), u.cell, unit.facing, u.elevation, False, "mount", u.id)
            for u in self.state.friends(unit.side)
            if not may_mount(self.state, unit, u)
        ]

    def dismounts(self) -> list[MoveOrder]:
        """Getting out of the carrier: into its hex or one beside it. Rule: S-9."""
        unit = self.unit
        return [
            MoveOrder(unit.id, "dismount", (), self.ground.cell(place), unit.facing, self.ground.elevation[place])
            for place in exits_from(self.state, unit)
        ]

    def longest(self, reach: Reach) -> Longest:
        """The longest ways of a mode, worked out on first use."""
        found = self._longest.get(reach.mode)
        if found is None:
            found = self._longest[reach.mode] = Longest(reach)
        return found

    def longer(self, order: MoveOrder) -> MoveOrder | None:
        """The order with the same end that enters the most hexes, if that is more than this one does. Rule: S-2, S-4."""
        reach = self.reach(order.mode) if order.mode in GROUND and not order.attack else None
        if reach is None or reach.rules.free or "EXIT" in order.path or (self.unit.prone and order.prone):
            return None
        place = self.ground.place(order.to, order.elevation)
        drop = int(_MOVES["go_prone"]) if order.prone else 0
        best = self.longest(reach).best(place * 6 + order.facing, reach.limit - drop)
        if best is None or best[0] <= self.walk(order).hexes:
            return None
        return replace(order, path=(*best[1], *(("PRONE",) if order.prone else ())))
