"""Legal weapon fire of a unit: every twist, every weapon at every target it may be fired at, in every combination. Rule: S-4.

For each posture (twist, turret facing or flipped arms) and each primary target the legal combinations form a
:class:`~opfor.game.legal.volleys.Volley`; counting its paths gives the exact number of orders, uniform samples, and a tree
whose branches never run into a dead end. Fire at a hex is all at one hex and to one end, so that it adds to the orders and
does not multiply them (S-10).
"""

from __future__ import annotations

from collections.abc import Iterator

from opfor.game.legal.choices import Node, Pick, Refusal
from opfor.game.legal.hex_fire import HexFire
from opfor.game.legal.volleys import Option, Volley, Walk, label_of
from opfor.orders import Attack, FireOrder, Order
from opfor.rules.kinds import kind_of
from opfor.rules.shooting.to_hit import FireSolver, Posture
from opfor.rules.terrain.hexes import INTENTS
from opfor.rules.turn.complex_actions import allowance, paused, why_no_holding_fire
from opfor.state import State
from opfor.units.hex_target import names_hex
from opfor.units.state import UnitState

#: the task of holding an opportunity action ready (M-9)
HOLD = "opportunity"

__all__ = ["FireChoices", "Option", "UnitFire", "forget"]


class UnitFire:
    """The legal fire orders of one unit. ``only``: it breaks in on that unit, so it fires, and fires at it alone (M-9b)."""

    def __init__(self, state: State, unit: UnitState, only: str = "") -> None:
        self.state = state
        self.unit = unit
        self.only = only
        self.solver = FireSolver(state, unit, only)
        self.postures: list[Posture] = self.solver.postures()
        #: whether it may fire at several targets, or indirectly (M-1)
        self.allowed = allowance(state, unit, breaking_in=bool(only))
        #: what the unit may do instead of firing
        self.tasks: tuple[str, ...] = () if only or paused(unit) else self._tasks()
        #: orders that fire nothing, in each posture
        self._idle = 0 if only else 1
        self._options: dict[Posture, list[list[Option]]] = {}
        self._volleys: dict[Posture, list[Volley]] = {}
        self.hexes = HexFire(state, unit)
        self._plenty: bool | None = None
        self._hex_volleys: dict[Posture, list[Volley]] = {}

    def _tasks(self) -> tuple[str, ...]:
        """The tasks of its kind, and holding an opportunity action ready. Rule: E-24b, E-24c, M-9, S-9."""
        tasks = kind_of(self.unit).tasks
        found: tuple[str, ...] = tasks(self.state, self.unit) if tasks is not None else ()
        return found if why_no_holding_fire(self.state, self.unit) else (*found, HOLD)

    def spotted_by(self, unit: str) -> bool:
        """Whether some shot of this unit may be spotted by another."""
        return any(seen.spotter is not None and seen.spotter.id == unit for seen in self.solver.spotted)

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
                    )
                    for shot in self.solver.shots(mount, posture)
                    if not (shot.spotter and self.allowed.indirect)
                ]
                for mount in self.unit.spec.mounts
            ]
        return known

    def targets(self, posture: Posture) -> dict[str, bool]:
        """Targets that some weapon can be fired at, and whether each lies in the front arc, in the order of the units."""
        found: dict[str, bool] = {}
        for options in self.options(posture):
            for option in options:
                found[option.target] = option.front
        return {u.id: found[u.id] for u in self.state.units if u.id in found}

    def volleys(self, posture: Posture) -> list[Volley]:
        """All volleys of a posture: those at units, then those at hexes."""
        return self.unit_volleys(posture) + ([] if self.only else self.hex_volleys(posture))

    @property
    def plenty(self) -> bool:
        """Whether no ammunition can run short, whatever the unit fires in one phase."""
        if self._plenty is None:
            demand: dict[str, int] = {}
            for mount in self.unit.spec.mounts:
                for ammo in {mode.ammo for mode in mount.modes if mode.ammo}:
                    demand[ammo] = demand.get(ammo, 0) + max(mode.shots for mode in mount.modes if mode.ammo == ammo)
            self._plenty = all(shots <= self.unit.shots(ammo) for ammo, shots in demand.items())
        return self._plenty

    def hex_volleys(self, posture: Posture) -> list[Volley]:
        """One volley for each hex that can be fired at and each end: every shot of it is at that hex, to that end. S-10."""
        known = self._hex_volleys.get(posture)
        if known is None:
            known = []
            for target in self.hexes.seen:
                shots = self.hexes.options(posture, target)
                meant = {attack.aim for row in shots for attack, _, _ in row}
                for intent in (i for i in INTENTS if i in meant):
                    options = [
                        [Option(attack, mode, target, True, needed, 0) for attack, mode, needed in row if attack.aim == intent]
                        for row in shots
                    ]
                    volley = Volley(self.unit, posture, target, options, intent, plenty=self.plenty)
                    if volley.count(volley.start()):
                        known.append(volley)
            self._hex_volleys[posture] = known
        return known

    def unit_volleys(self, posture: Posture) -> list[Volley]:
        """One volley for each target that may be the primary one: in the front arc, or any if nothing there is shot at."""
        known = self._volleys.get(posture)
        if known is None:
            known = []
            unseen = self._unseen(posture) if self.allowed.one else frozenset()
            for primary, front in self.targets(posture).items():
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
                volley = Volley(self.unit, posture, primary, allowed, plenty=self.plenty)
                if volley.count(volley.start()):
                    known.append(volley)
            self._volleys[posture] = known
        return known

    def _unseen(self, posture: Posture) -> frozenset[str]:
        """Targets out of sight, which are fired at indirectly: an action of its own where actions are counted. Rule: M-5."""
        return frozenset(o.target for options in self.options(posture) for o in options if o.attack.spotter)

    def volley(self, posture: Posture, primary: str, intent: str = "") -> Volley | None:
        """The volley at a primary target, if there is one; at a hex the one to that end."""
        volleys = self.hex_volleys(posture) if names_hex(primary) else self.unit_volleys(posture)
        return next((v for v in volleys if v.primary == primary and v.intent == intent), None)

    def count(self) -> int:
        """All orders: in each posture holding fire, or any combination; and the tasks in place of firing."""
        return len(self.tasks) + sum(self._idle + sum(v.count(v.start()) for v in self.volleys(p)) for p in self.postures)

    def sample(self, number: int) -> FireOrder:
        """The order of that number, 0 to count - 1."""
        for posture in self.postures:
            if number < self._idle:
                return FireOrder(self.unit.id, posture.twist, posture.flip)
            number -= self._idle
            for volley in self.volleys(posture):
                ways = volley.count(volley.start())
                if number < ways:
                    return volley.sample(number)
                number -= ways
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
            for volley in self.volleys(posture):
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
        """posture (or a task in place of firing) -> primary target or hold -> weapon by weapon."""
        return Node(
            "posture",
            lambda: [
                *((p.words, self._target_node(p)) for p in self.postures if self._idle or self.volleys(p)),
                *((words, self._task(words)) for words in self.tasks),
            ],
        )

    def _target_node(self, posture: Posture) -> Node:
        hold: list[tuple[str, Node | Order]] = []
        if self._idle:
            hold.append(("hold fire", FireOrder(self.unit.id, posture.twist, posture.flip)))
        return Node(
            "primary target",
            lambda: hold + [(v.words, self._weapon_node(v, v.start(), [])) for v in self.volleys(posture)],
        )

    def _weapon_node(self, volley: Volley, walk: Walk, chosen: list[Option]) -> Node | Order:
        # weapons that leave no choice are passed over
        while walk.at < len(volley.options):
            ways = self._ways(volley, walk)
            if len(ways) > 1:
                break
            option, walk = ways[0]
            if option is not None:
                chosen = [*chosen, option]
        else:
            return volley.order(chosen)
        mount = self.unit.spec.mounts[walk.at]

        def expand() -> list[tuple[str, Node | Order]]:
            return [
                (label_of(option), self._weapon_node(volley, below, chosen if option is None else [*chosen, option]))
                for option, below in self._ways(volley, walk)
            ]

        return Node(f"weapon {mount.index}: {mount.name}", expand)

    @staticmethod
    def _ways(volley: Volley, walk: Walk) -> list[tuple[Option | None, Walk]]:
        found: list[tuple[Option | None, Walk]] = []
        for option in (None, *volley.options[walk.at]):
            below = volley.after(walk, option)
            if below is not None and volley.count(below):
                found.append((option, below))
        return found


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
        """unit -> posture -> primary target -> weapon by weapon."""
        return Node("unit", lambda: [(id, self.unit(id).tree()) for id in self._units])
