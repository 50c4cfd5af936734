"""The fire of a unit as it can be combined: at what, how many orders that makes, and each of them by number. Rule: S-4.

For each posture (twist, turret facing or flipped arms) and each primary target the legal combinations form a
:class:`~opfor.game.legal.volleys.Volley`; counting its paths gives the exact number of orders, uniform samples, and a tree
whose branches never run into a dead end. Where no rounds run short the count is arithmetic over sets of guns
(:mod:`opfor.rules.shooting.battery`), and a volley is made only for what is asked for. Fire at a hex is all at one hex and to
one end, so that it adds to the orders and does not multiply them (S-10).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import NamedTuple

from opfor.game.legal.by_number import Aim, attacks_by_number
from opfor.game.legal.hex_fire import HexFire
from opfor.game.legal.volleys import Option, Volley, combinations, option_of, ties_of
from opfor.orders import FireOrder
from opfor.rules.kinds import kind_of
from opfor.rules.shooting.arcs import FRONT_BIT
from opfor.rules.shooting.sums import bits_towards
from opfor.rules.shooting.to_hit import FireSolver, Lane, Posture
from opfor.rules.turn.complex_actions import allowance, paused, why_no_holding_fire
from opfor.state import State
from opfor.units.hex_target import names_hex
from opfor.units.state import UnitState

#: the task of holding an opportunity action ready (M-9)
HOLD = "opportunity"


class Way(NamedTuple):
    """What a volley is about: its primary target (a hex: and to what end), and how many orders there are."""

    primary: str
    intent: str
    orders: int


class Target:
    """An enemy that some weapon can be fired at in a posture: by lane the guns open as primary and as secondary attacks.

    ``lanes``: those lanes with their places among all of the unit. ``indirect``: some of them go through a spotter.
    """

    __slots__ = ("front", "id", "index", "indirect", "lanes", "primary", "secondary")

    def __init__(self, unit: UnitState, front: bool) -> None:
        self.id = unit.id
        self.index = unit.index
        self.front = front
        self.lanes: list[tuple[int, Lane]] = []
        self.primary: list[int] = []
        self.secondary: list[int] = []
        self.indirect = False


class CountedFire:
    """The legal fire orders of one unit. ``only``: it breaks in on that unit, so it fires, and fires at it alone (M-9b)."""

    def __init__(self, state: State, unit: UnitState, only: str = "") -> None:
        self.state = state
        self.unit = unit
        self.only = only
        may = self._may_fire_at()
        self.solver = FireSolver(state, unit, only, may)
        self.postures: list[Posture] = self.solver.postures()
        #: whether it may fire at several targets, or indirectly (M-1)
        self.allowed = allowance(state, unit, breaking_in=bool(only))
        #: what the unit may do instead of firing
        self.tasks: tuple[str, ...] = () if only or paused(unit) else self._tasks()
        self.hexes = HexFire(state, unit, self.solver, may)
        #: orders that fire nothing, in each posture
        self.idle = 0 if only else 1
        self._ties = ties_of(unit)
        self._options: dict[Posture, list[list[Option]]] = {}
        self._targets: dict[Posture, list[Target]] = {}
        self._ways: dict[Posture, list[Way]] = {}
        self._volleys: dict[tuple[Posture, str, str], Volley] = {}
        self._count = -1

    def _may_fire_at(self) -> Callable[[str], bool] | None:
        """Which targets the unit may fire at, units and hexes by id; None for all."""
        return None

    def _tasks(self) -> tuple[str, ...]:
        """The tasks of its kind, and holding an opportunity action ready. Rule: E-24b, E-24c, M-9, S-9."""
        tasks = kind_of(self.unit).tasks
        found: tuple[str, ...] = tasks(self.state, self.unit) if tasks is not None else ()
        return found if why_no_holding_fire(self.state, self.unit) else (*found, HOLD)

    def spotted_by(self, unit: str) -> bool:
        """Whether some shot of this unit may be spotted by another."""
        return any(lane.seen.spotter is not None and lane.seen.spotter.id == unit for lane in self.solver.lanes)

    def options(self, posture: Posture) -> list[list[Option]]:
        """Options by mount in a posture, whatever the primary target; those that can hit in neither role are left out."""
        known = self._options.get(posture)
        if known is None:
            solver = self.solver
            guns = solver.guns
            lanes = [
                (place, lane, bits, target.front)
                for target in self._aimed_at(posture)
                for (place, lane), bits in zip(target.lanes, target.primary, strict=True)
            ]
            lanes.sort(key=itemgetter(0))
            known = self._options[posture] = [
                [
                    option_of(solver.shot(lane, i, front=front), mount)
                    for i in range(first, end)
                    for _, lane, bits, front in lanes
                    if bits >> i & 1
                ]
                for mount, (first, end) in enumerate(guns.rows)
            ]
        return known

    def _aimed_at(self, posture: Posture) -> list[Target]:
        """What each unit that some weapon can be fired at is open to, in the order of the units."""
        known = self._targets.get(posture)
        if known is None:
            known = self._targets[posture] = self._find_targets(posture)
        return known

    def _find_targets(self, posture: Posture) -> list[Target]:
        guns, flip = self.solver.guns, posture.flip
        found: dict[str, Target] = {}
        for place, lane in enumerate(self.solver.lanes):
            seen = lane.seen
            if seen.spotter is not None and self.allowed.indirect:
                continue
            arcs = bits_towards(seen, posture.twist)
            bears = guns.bears(arcs, flip)
            primary = lane.primary & bears
            if not primary:
                continue
            front = arcs & FRONT_BIT != 0
            target = found.get(seen.target.id)
            if target is None:
                target = found[seen.target.id] = Target(seen.target, front)
            target.lanes.append((place, lane))
            target.primary.append(primary)
            target.secondary.append(lane.secondary[front] & bears)
            target.indirect |= seen.spotter is not None
        return sorted(found.values(), key=lambda target: target.index) if len(found) > 1 else list(found.values())

    def targets(self, posture: Posture) -> dict[str, bool]:
        """Targets that some weapon can be fired at, and whether each lies in the front arc, in the order of the units."""
        return {target.id: target.front for target in self._aimed_at(posture)}

    def ways(self, posture: Posture) -> list[Way]:
        """What the orders of a posture are about, and how many orders each: those at units, then those at hexes."""
        known = self._ways.get(posture)
        if known is None:
            known = self._ways[posture] = self._unit_ways(posture) + ([] if self.only else self._hex_ways(posture))
        return known

    def _unit_ways(self, posture: Posture) -> list[Way]:
        """One way for each target that may be the primary one: in the front arc, or any if nothing there is shot at."""
        targets = self._aimed_at(posture)
        if not targets:
            return []
        guns, ties = self.solver.guns, self._ties
        if not guns.plenty:
            counted = [(target.id, self._at_unit(posture, target.id)) for target in targets]
            return [Way(id, "", count) for id, volley in counted if (count := volley.count(volley.start()))]
        if len(targets) == 1 and len(targets[0].primary) == 1 and not ties:
            return [Way(targets[0].id, "", guns.ways_of(targets[0].primary[0]))]
        found = []
        for primary in targets:
            others = [guns.by_mount(bits) for other in self._beside(targets, primary) for bits in other.secondary]
            rest = [sum(column) for column in zip(*others, strict=True)] if others else [0] * len(guns.rows)
            lanes = [guns.by_mount(lane) for lane in primary.primary]
            every = [sum(column) for column in zip(rest, *lanes, strict=True)]
            count = combinations(every, ties) - combinations(rest, ties)
            if count:
                found.append(Way(primary.id, "", count))
        return found

    def _beside(self, targets: list[Target], primary: Target) -> list[Target]:
        """The targets that may be fired at beside a primary one: none in the front arc where it is not. Rule: S-4, M-4, M-5."""
        single = self.allowed.one
        if self.allowed.several or (single and primary.indirect):
            return []
        return [
            other
            for other in targets
            if other is not primary and (primary.front or not other.front) and not (single and other.indirect)
        ]

    def _hex_ways(self, posture: Posture) -> list[Way]:
        """One way for each hex that can be fired at and each end: every shot of it is at that hex, to that end. Rule: S-10."""
        guns, ties = self.solver.guns, self._ties
        if not guns.plenty:
            counted = [(id, intent, self._at_hex(posture, id, intent)) for id, intent, _ in self.hexes.open(posture)]
            return [Way(id, intent, count) for id, intent, v in counted if (count := v.count(v.start()))]
        if not ties:
            return [Way(id, intent, guns.ways_of(usable)) for id, intent, usable in self.hexes.open(posture)]
        return [
            Way(id, intent, combinations(guns.by_mount(usable), ties) - 1) for id, intent, usable in self.hexes.open(posture)
        ]

    def _at_hex(self, posture: Posture, target: str, intent: str) -> Volley:
        known = self._volleys.get((posture, target, intent))
        if known is None:
            options = self.hexes.options(posture, target, intent)
            known = Volley(self.unit, posture, target, options, intent, plenty=self.solver.guns.plenty)
            self._volleys[posture, target, intent] = known
        return known

    def _at_unit(self, posture: Posture, primary: str) -> Volley:
        known = self._volleys.get((posture, primary, ""))
        if known is None:
            targets = self._aimed_at(posture)
            first = next(target for target in targets if target.id == primary)
            beside = {target.id for target in self._beside(targets, first)}
            allowed = [
                [o for o in row if (o.as_primary if o.target == primary else o.as_secondary and o.target in beside)]
                for row in self.options(posture)
            ]
            known = Volley(self.unit, posture, primary, allowed, plenty=self.solver.guns.plenty)
            self._volleys[posture, primary, ""] = known
        return known

    def volley_of(self, posture: Posture, way: Way) -> Volley:
        if names_hex(way.primary):
            return self._at_hex(posture, way.primary, way.intent)
        return self._at_unit(posture, way.primary)

    def hex_volleys(self, posture: Posture) -> list[Volley]:
        """All volleys at hexes in a posture."""
        return [self.volley_of(posture, way) for way in self.ways(posture) if names_hex(way.primary)]

    def unit_volleys(self, posture: Posture) -> list[Volley]:
        """All volleys at units in a posture."""
        return [self.volley_of(posture, way) for way in self.ways(posture) if not names_hex(way.primary)]

    def volley(self, posture: Posture, primary: str, intent: str = "") -> Volley | None:
        """The volley at a primary target, if there is one; at a hex the one to that end."""
        way = next((way for way in self.ways(posture) if way.primary == primary and way.intent == intent), None)
        return None if way is None else self.volley_of(posture, way)

    def count(self) -> int:
        """All orders: in each posture holding fire, or any combination; and the tasks in place of firing."""
        if self._count < 0:
            self._count = len(self.tasks) + sum([self.orders_of(posture) for posture in self.postures])
        return self._count

    def orders_of(self, posture: Posture) -> int:
        """All orders of a posture."""
        return self.idle + sum([way.orders for way in self.ways(posture)])

    def sample(self, number: int) -> FireOrder:
        """The order of that number, 0 to count - 1."""
        for posture in self.postures:
            if number < self.idle:
                return FireOrder(self.unit.id, posture.twist, posture.flip)
            number -= self.idle
            for way in self.ways(posture):
                if number < way.orders:
                    return self._by_number(posture, way, number)
                number -= way.orders
        if 0 <= number < len(self.tasks):
            return self.task(self.tasks[number])
        raise IndexError(number)

    def _by_number(self, posture: Posture, way: Way, number: int) -> FireOrder:
        """The order of that number about one thing."""
        guns = self.solver.guns
        if not guns.plenty or self._ties:
            return self.volley_of(posture, way).sample(number)
        if names_hex(way.primary):
            bits = next(bits for id, intent, bits in self.hexes.open(posture) if (id, intent) == way[:2])
            aims = [Aim(way.primary, bits, True, "", way.intent)]
        else:
            aims = self._aims(posture, way.primary)
        return FireOrder(self.unit.id, posture.twist, posture.flip, attacks_by_number(guns, aims, number), way.primary)

    def _aims(self, posture: Posture, primary: str) -> list[Aim]:
        """What is fired at beside a primary target, and that itself, lane by lane."""
        targets = self._aimed_at(posture)
        first = next(target for target in targets if target.id == primary)
        found: list[tuple[int, Aim]] = []
        for target in (first, *self._beside(targets, first)):
            for (place, lane), bits in zip(target.lanes, target.primary if target is first else target.secondary, strict=True):
                spotter = lane.seen.spotter
                aim = Aim(target.id, bits, target is first, spotter.id if spotter is not None else "", lane.aim)
                found.append((place, aim))
        return [aim for _, aim in sorted(found, key=itemgetter(0))]

    def task(self, words: str) -> FireOrder:
        """The order to do something else: nothing is fired, and nothing turns."""
        return FireOrder(self.unit.id, self.postures[0].twist, clear=words)

    def __iter__(self) -> Iterator[FireOrder]:
        for posture in self.postures:
            if self.idle:
                yield FireOrder(self.unit.id, posture.twist, posture.flip)
            for way in self.ways(posture):
                volley = self.volley_of(posture, way)
                yield from volley.orders(volley.start(), [])
        for words in self.tasks:
            yield self.task(words)
