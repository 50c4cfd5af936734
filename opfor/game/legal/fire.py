"""Legal weapon fire of a unit: every twist, every weapon at every target it may be fired at, in every combination. Rule: S-4.

For each posture (twist, turret facing or flipped arms) and each primary target the legal combinations form a
:class:`~opfor.game.legal.volleys.Volley`; counting its paths gives the exact number of orders, uniform samples, and a tree
whose branches never run into a dead end. Where no rounds run short the count is arithmetic over sets of guns
(:mod:`opfor.rules.shooting.battery`), and a volley is made only for what is asked for. Fire at a hex is all at one hex and to
one end, so that it adds to the orders and does not multiply them (S-10).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from opfor.game.legal.choices import Node, Pick, Refusal
from opfor.game.legal.hex_fire import HexFire
from opfor.game.legal.questions import Question
from opfor.game.legal.volleys import Option, Volley, Walk, combinations, label_of, ties_of, words_of
from opfor.orders import Attack, FireOrder, Order
from opfor.rules.kinds import kind_of
from opfor.rules.shooting.arcs import FRONT_BIT
from opfor.rules.shooting.sums import bits_towards
from opfor.rules.shooting.to_hit import FireSolver, Posture
from opfor.rules.turn.complex_actions import allowance, paused, why_no_holding_fire
from opfor.state import State
from opfor.units.hex_target import names_hex
from opfor.units.state import UnitState

#: the task of holding an opportunity action ready (M-9)
HOLD = "opportunity"

__all__ = ["FireChoices", "Option", "UnitFire", "forget"]


class Way(NamedTuple):
    """What a volley is about: its primary target (a hex: and to what end), and how many orders there are."""

    primary: str
    intent: str
    orders: int


class Target:
    """An enemy that some weapon can be fired at in a posture: by lane the guns open as primary and as secondary attacks.

    ``indirect``: some of the lanes go through a spotter.
    """

    __slots__ = ("front", "id", "index", "indirect", "primary", "secondary")

    def __init__(self, unit: UnitState, front: bool) -> None:
        self.id = unit.id
        self.index = unit.index
        self.front = front
        self.primary: list[int] = []
        self.secondary: list[int] = []
        self.indirect = False


class UnitFire:
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
        self._idle = 0 if only else 1
        self._ties = ties_of(unit)
        self._options: dict[Posture, list[list[Option]]] = {}
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
            known = self._options[posture] = [
                [
                    Option(
                        Attack(mount.index, shot.target.id, shot.mode.name, shot.spotter, shot.aim),
                        shot.mode,
                        shot.target.id,
                        *shot.numbers,
                        shot.target.spec.kind,
                    )
                    for shot in self.solver.shots(mount, posture)
                    if not (shot.spotter and self.allowed.indirect)
                ]
                for mount in self.unit.spec.mounts
            ]
        return known

    def _targets(self, posture: Posture) -> list[Target]:
        """What each unit that some weapon can be fired at is open to, in the order of the units."""
        guns, flip = self.solver.guns, posture.flip
        found: dict[str, Target] = {}
        for lane in self.solver.lanes:
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
            target.primary.append(primary)
            target.secondary.append(lane.secondary[front] & bears)
            target.indirect |= seen.spotter is not None
        return sorted(found.values(), key=lambda target: target.index) if len(found) > 1 else list(found.values())

    def targets(self, posture: Posture) -> dict[str, bool]:
        """Targets that some weapon can be fired at, and whether each lies in the front arc, in the order of the units."""
        return {target.id: target.front for target in self._targets(posture)}

    def ways(self, posture: Posture) -> list[Way]:
        """What the orders of a posture are about, and how many orders each: those at units, then those at hexes."""
        known = self._ways.get(posture)
        if known is None:
            known = self._ways[posture] = self._unit_ways(posture) + ([] if self.only else self._hex_ways(posture))
        return known

    def _unit_ways(self, posture: Posture) -> list[Way]:
        """One way for each target that may be the primary one: in the front arc, or any if nothing there is shot at."""
        targets = self._targets(posture)
        guns, ties = self.solver.guns, self._ties
        if not guns.plenty:
            counted = [(target.id, self._at_unit(posture, target.id)) for target in targets]
            return [Way(id, "", count) for id, volley in counted if (count := volley.count(volley.start()))]
        if len(targets) == 1 and len(targets[0].primary) == 1 and not ties:
            return [Way(targets[0].id, "", guns.ways_of(targets[0].primary[0]))]
        single = self.allowed.one
        found = []
        for primary in targets:
            others: list[Sequence[int]] = []
            if not (self.allowed.several or (single and primary.indirect)):
                others = [
                    guns.by_mount(lane)
                    for other in targets
                    if other is not primary and (primary.front or not other.front) and not (single and other.indirect)
                    for lane in other.secondary
                ]
            rest = [sum(column) for column in zip(*others, strict=True)] if others else [0] * len(guns.rows)
            lanes = [guns.by_mount(lane) for lane in primary.primary]
            every = [sum(column) for column in zip(rest, *lanes, strict=True)]
            count = combinations(every, ties) - combinations(rest, ties)
            if count:
                found.append(Way(primary.id, "", count))
        return found

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
            unseen = self._unseen(posture) if self.allowed.one else frozenset()
            front = self.targets(posture)[primary]
            alone = bool(self.allowed.several) or primary in unseen
            allowed = [
                [
                    o
                    for o in options
                    if (front or not o.front)
                    and (o.as_primary if o.target == primary else o.as_secondary and not alone and o.target not in unseen)
                ]
                for options in self.options(posture)
            ]
            known = Volley(self.unit, posture, primary, allowed, plenty=self.solver.guns.plenty)
            self._volleys[posture, primary, ""] = known
        return known

    def _volley(self, posture: Posture, way: Way) -> Volley:
        if names_hex(way.primary):
            return self._at_hex(posture, way.primary, way.intent)
        return self._at_unit(posture, way.primary)

    def hex_volleys(self, posture: Posture) -> list[Volley]:
        """All volleys at hexes in a posture."""
        return [self._volley(posture, way) for way in self.ways(posture) if names_hex(way.primary)]

    def unit_volleys(self, posture: Posture) -> list[Volley]:
        """All volleys at units in a posture."""
        return [self._volley(posture, way) for way in self.ways(posture) if not names_hex(way.primary)]

    def _unseen(self, posture: Posture) -> frozenset[str]:
        """Targets out of sight, which are fired at indirectly: an action of its own where actions are counted. Rule: M-5."""
        return frozenset(target.id for target in self._targets(posture) if target.indirect)

    def volley(self, posture: Posture, primary: str, intent: str = "") -> Volley | None:
        """The volley at a primary target, if there is one; at a hex the one to that end."""
        way = next((way for way in self.ways(posture) if way.primary == primary and way.intent == intent), None)
        return None if way is None else self._volley(posture, way)

    def count(self) -> int:
        """All orders: in each posture holding fire, or any combination; and the tasks in place of firing."""
        if self._count < 0:
            self._count = len(self.tasks) + sum([self._below(posture) for posture in self.postures])
        return self._count

    def _below(self, posture: Posture) -> int:
        """All orders of a posture."""
        return self._idle + sum([way.orders for way in self.ways(posture)])

    def sample(self, number: int) -> FireOrder:
        """The order of that number, 0 to count - 1."""
        for posture in self.postures:
            if number < self._idle:
                return FireOrder(self.unit.id, posture.twist, posture.flip)
            number -= self._idle
            for way in self.ways(posture):
                if number < way.orders:
                    return self._volley(posture, way).sample(number)
                number -= way.orders
        if 0 <= number < len(self.tasks):
            return self._task(self.tasks[number])
        raise IndexError(number)

    def _task(self, words: str) -> FireOrder:
        """The order to do something else: nothing is fired, and nothing turns."""
        return FireOrder(self.unit.id, self.postures[0].twist, clear=words)

    def __iter__(self) -> Iterator[FireOrder]:
        for posture in self.postures:
            if self._idle:
                yield FireOrder(self.unit.id, posture.twist, posture.flip)
            for way in self.ways(posture):
                volley = self._volley(posture, way)
                yield from volley.orders(volley.start(), [])
        for words in self.tasks:
            yield self._task(words)

    def why_not(self, order: FireOrder) -> str:
        """Why an order is not legal; empty when it is."""
        if order.clear:
            if order.clear == HOLD and HOLD not in self.tasks:
                return Refusal(self._why_no_hold(), "M-9")
            if order.clear not in self.tasks:
                known = ", ".join(map(repr, self.tasks)) or "nothing"
                return f"cannot do {order.clear!r} instead of firing: {known} is possible"
            return "" if order == self._task(order.clear) else "whatever is done instead of firing leaves no fire and no turn"
        posture = next((p for p in self.postures if p.twist == order.twist and p.flip == order.flip), None)
        if posture is None:
            how = "with its arms flipped" if order.flip else f"with a twist of {order.twist}"
            return f"cannot fire {how}; possible: {', '.join(p.words for p in self.postures)}"
        if not order.attacks:
            if self.only:
                return f"breaks in on {self.only} by firing at it, or lets the moment pass"
            return "" if not order.primary else "names a primary target but no attack"
        if too_much := self._why_too_much(order):
            return too_much
        mounts = [a.mount for a in order.attacks]
        if mounts != sorted(set(mounts)):
            return "each weapon fires once, and attacks stand in the order of the weapons"
        if self.only and {attack.target for attack in order.attacks} != {self.only}:
            return f"breaks in on {self.only}, and fires at it alone"
        for attack in order.attacks:
            why = self._why_no_attack(posture, attack)
            if why:
                return why
        targets = {a.target for a in order.attacks}
        if any(map(names_hex, targets | {order.primary})) and targets != {order.primary}:
            return "who fires at a hex fires all that it fires at that one hex, which is the primary target"
        if names_hex(order.primary) and len({a.aim for a in order.attacks}) > 1:
            return "all fire at a hex is to one end: break down what is there, set it on fire, or clear mines"
        volley = self.volley(posture, order.primary, order.attacks[0].aim if names_hex(order.primary) else "")
        if volley is None:
            return f"{order.primary or 'nobody'} cannot be the primary target"
        walk = volley.start()
        by_mount = {a.mount: a for a in order.attacks}
        for mount, options in zip(self.unit.spec.mounts, volley.options, strict=True):
            chosen = None
            if mount.index in by_mount:
                chosen = next((o for o in options if o.attack == by_mount[mount.index]), None)
                if chosen is None:
                    target = by_mount[mount.index].target
                    return f"{mount.name} at {target} is not possible beside {order.primary} as primary target"
            below = volley.after(walk, chosen)
            if below is None:
                if self.unit.spec.is_infantry:
                    return f"{mount.name}: a leg or swarm attack takes the unit's whole fire"
                return f"{mount.name}: not enough ammunition for all, or the arm that props the 'Mech up"
            walk = below
        return "" if walk.struck else f"no weapon fires at the primary target {order.primary}"

    def _why_no_hold(self) -> str:
        if self.only or paused(self.unit):
            return "what is done here is a simple action: none is held"
        return why_no_holding_fire(self.state, self.unit)

    def _why_too_much(self, order: FireOrder) -> Refusal:
        """Why the fire is more than the unit's actions allow, empty when it is not. Rule: M-1, M-4, M-5."""
        spotted = any(attack.spotter for attack in order.attacks)
        several = len({attack.target for attack in order.attacks}) > 1
        if spotted and self.allowed.indirect:
            return Refusal(self.allowed.indirect, "M-5")
        if several and self.allowed.several and not self.only:
            return Refusal(self.allowed.several, "M-4")
        if spotted and several and self.allowed.one:
            return Refusal("fire at several targets and indirect fire are two complex actions: one is all it has", "M-1")
        return Refusal()

    def _why_no_attack(self, posture: Posture, attack: Attack) -> str:
        mounts = self.unit.spec.mounts
        if not 0 <= attack.mount < len(mounts):
            return f"has no weapon number {attack.mount}"
        if names_hex(attack.target):
            volley = self.volley(posture, attack.target, attack.aim)
            if volley is not None and any(o.attack == attack for o in volley.options[attack.mount]):
                return ""
            return self.hexes.why_not(mounts[attack.mount], posture, attack)
        if any(o.attack == attack for o in self.options(posture)[attack.mount]):
            return ""
        return self.solver.why_not(mounts[attack.mount], posture, attack)

    def tree(self) -> Node:
        """twist (or a task in place of firing) -> primary target or hold -> weapon by weapon."""
        postures = [posture for posture in self.postures if self._idle or self.ways(posture)]
        size = len(postures)

        def label(index: int) -> str:
            return postures[index].words if index < size else self.tasks[index - size]

        def below(index: int) -> Node | Order:
            return self._target_node(postures[index]) if index < size else self._task(self.tasks[index - size])

        def facts() -> dict[str, list[Any]]:
            tasks = [self._task(words) for words in self.tasks]
            return {
                "twist": [posture.twist for posture in postures] + [task.twist for task in tasks],
                "flip": [posture.flip for posture in postures] + [task.flip for task in tasks],
                "orders": [self._below(posture) for posture in postures] + [1] * len(tasks),
            }

        return Question("twist", size + len(self.tasks), label, below, facts)

    def _target_node(self, posture: Posture) -> Node:
        ways = self.ways(posture)
        idle = self._idle

        def label(index: int) -> str:
            return words_of(ways[index - idle].primary, ways[index - idle].intent) if index >= idle else "hold fire"

        def below(index: int) -> Node | Order:
            if index < idle:
                return FireOrder(self.unit.id, posture.twist, posture.flip)
            volley = self._volley(posture, ways[index - idle])
            return self._weapon_node(volley, volley.start(), [])

        def facts() -> dict[str, list[Any]]:
            best = self._best(posture)
            return {
                "target": [""] * idle + [way.primary for way in ways],
                "number": [0] * idle + [best[way.primary, way.intent] for way in ways],
                "orders": [1] * idle + [way.orders for way in ways],
            }

        return Question("primary target", idle + len(ways), label, below, facts)

    def _best(self, posture: Posture) -> dict[tuple[str, str], int]:
        """The lowest number that any weapon needs against each primary target, by target and end."""
        found: dict[tuple[str, str], int] = {}
        for options in self.options(posture):
            for option in options:
                key = (option.target, "")
                found[key] = min(found.get(key, option.as_primary), option.as_primary)
        if not self.only:
            for target, intent, usable in self.hexes.open(posture):
                found[target, intent] = self.hexes.best(target, usable)
        return found

    def _weapon_node(self, volley: Volley, walk: Walk, chosen: list[Option]) -> Node | Order:
        # weapons that leave no choice are passed over
        while walk.at < len(volley.options):
            ways = volley.ways(walk)
            if len(ways) > 1:
                break
            option, walk = ways[0]
            if option is not None:
                chosen = [*chosen, option]
        else:
            return volley.order(chosen)
        mount = self.unit.spec.mounts[walk.at]

        def below(index: int) -> Node | Order:
            option, after = ways[index]
            return self._weapon_node(volley, after, chosen if option is None else [*chosen, option])

        def facts() -> dict[str, list[Any]]:
            options = [option for option, _ in ways]
            return {
                "target": ["" if o is None else o.target for o in options],
                "mode": ["" if o is None else o.mode.name for o in options],
                "number": [0 if o is None else volley.number(o) for o in options],
                "mount": [mount.index] * len(options),
            }

        return Question("weapon", len(ways), lambda index: label_of(ways[index][0]), below, facts, mount.name)


def forget(kept: dict[str, UnitFire], order: FireOrder) -> None:
    """Drop from ``kept`` what a declared order outdates: units that spot now, indirect fire spotted by a unit that fires."""
    for id in [order.unit, *(attack.spotter for attack in order.attacks)]:
        kept.pop(id, None)
    if order.attacks:
        for id in [id for id, fire in kept.items() if fire.spotted_by(order.unit)]:
            del kept[id]


class FireChoices:
    """The legal fire orders of a decision: those of each unit that may act. See :class:`opfor.game.legal.choices.Choices`."""

    def __init__(
        self, state: State, units: list[UnitState], kept: dict[str, UnitFire] | None = None, *, only: str = ""
    ) -> None:
        """``kept``: what earlier decisions of the phase worked out, by unit, as far as it still holds (:func:`forget`).

        ``only``: the orders to break in on that unit, see :class:`UnitFire`.
        """
        self._only = only
        self._state = state
        self._units = {unit.id: unit for unit in units}
        self._fire = kept if kept is not None else {}

    def unit(self, id: str) -> UnitFire:
        """The legal fire of one of the units."""
        known = self._fire.get(id)
        if known is None:
            known = self._fire[id] = UnitFire(self._state, self._units[id], self._only)
        return known

    def __contains__(self, order: object) -> bool:
        return isinstance(order, FireOrder) and not self.why_not(order)

    def why_not(self, order: Order) -> str:
        """See :meth:`opfor.game.legal.choices.Choices.why_not`."""
        if not isinstance(order, FireOrder):
            return "is no fire order"
        if order.unit not in self._units:
            return "is not to fire now"
        return self.unit(order.unit).why_not(order)

    def count(self) -> int:
        """How many orders are listed."""
        return sum(self.unit(id).count() for id in self._units)

    def sample(self, pick: Pick) -> FireOrder:
        """One of the orders, each equally likely."""
        number = pick(self.count())
        for id in self._units:
            ways = self.unit(id).count()
            if number < ways:
                return self.unit(id).sample(number)
            number -= ways
        raise IndexError(number)

    def __iter__(self) -> Iterator[FireOrder]:
        for id in self._units:
            yield from self.unit(id)

    def tree(self) -> Node:
        """unit -> twist -> primary target -> weapon by weapon."""
        ids = list(self._units)
        facts = {"unit": ids}
        return Question("unit", len(ids), ids.__getitem__, lambda index: self.unit(ids[index]).tree(), lambda: facts)
