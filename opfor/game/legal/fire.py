"""Legal weapon fire of a unit: every twist, every weapon at every target it may be fired at, in every combination. Rule: S-4.

Weapons multiply, so the orders are never listed. For each posture (twist or flipped arms) and each primary target the legal
combinations form a small automaton over the weapons in order; counting its paths gives the exact number of orders,
uniform samples, and a tree whose branches never run into a dead end. What ties the weapons together is little: rounds of
one ammunition kind shared by several launchers, the arm that props a prone 'Mech up, and that the primary target is shot at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from opfor.game.legal.choices import Node, Pick
from opfor.game.legal.hex_fire import HexFire
from opfor.orders import Attack, FireOrder, Order
from opfor.rules.anti_mech import is_anti_mech
from opfor.rules.hexes import IGNITE, INTENTS, MINES
from opfor.rules.kinds import kind_of
from opfor.rules.to_hit import FireSolver, Posture
from opfor.state import State
from opfor.tables.arsenal import FireMode
from opfor.units.hex_target import names_hex
from opfor.units.spec import ARMS
from opfor.units.state import UnitState


class Option(NamedTuple):
    """One way to fire one weapon: the attack and the number it needs as primary and as secondary attack (0: impossible)."""

    attack: Attack
    mode: FireMode
    target: str
    front: bool
    as_primary: int
    as_secondary: int


class _Walk(NamedTuple):
    """Where a combination stands: next weapon, primary target shot at yet, rounds left of scarce kinds, what ties the rest.

    ``tie``: the arm that is fired with while the other props a 'Mech up; for infantry which attack in the 'Mech's own hex is
    made, and 0 for its weapons; -1 while nothing of the kind is chosen.
    """

    at: int
    struck: bool
    rounds: tuple[int, ...]
    tie: int


class _Volley:
    """All combinations of attacks in one posture against one primary target; at a hex, to one end (``intent``)."""

    def __init__(self, unit: UnitState, posture: Posture, primary: str, options: list[list[Option]], intent: str = "") -> None:
        self.unit = unit
        self.posture = posture
        self.primary = primary
        self.intent = intent
        #: by mount in order, the options open with this primary target
        self.options = options
        self.scarce = self._scarce_kinds()
        self.ties = self._ties()
        self._counts: dict[_Walk, int] = {}

    def _scarce_kinds(self) -> tuple[str, ...]:
        """Ammunition kinds that could be asked for more rounds than there are."""
        demand: dict[str, int] = {}
        for options in self.options:
            most: dict[str, int] = {}
            for option in options:
                if option.mode.ammo:
                    most[option.mode.ammo] = max(most.get(option.mode.ammo, 0), option.mode.shots)
            for kind, shots in most.items():
                demand[kind] = demand.get(kind, 0) + shots
        return tuple(sorted(kind for kind, shots in demand.items() if shots > self.unit.shots(kind)))

    def _ties(self) -> tuple[int, ...]:
        """By mount: weapons of unlike numbers are not fired together, -1 goes with all; empty where nothing is tied.

        A prone 'Mech fires the weapons of one arm, the other props it up; a leg or swarm attack takes a unit's whole fire.
        """
        spec = self.unit.spec
        if self.unit.prone and spec.is_mech and not spec.quad:
            return tuple(m.location if m.location in ARMS else -1 for m in spec.mounts)
        if spec.anti_mech:
            return tuple(1 + m.index if is_anti_mech(m) else 0 for m in spec.mounts)
        return ()

    @property
    def words(self) -> str:
        """The target, and for a hex what is meant, as a choice to pick."""
        return f"{self.primary} to {_MEANT[self.intent]}" if self.intent else self.primary

    def start(self) -> _Walk:
        return _Walk(0, False, tuple(self.unit.shots(kind) for kind in self.scarce), -1)

    def after(self, walk: _Walk, option: Option | None) -> _Walk | None:
        """The walk after choosing an option (None: hold this weapon); None where that is impossible."""
        index, struck, rounds, tie = walk
        if option is None:
            return _Walk(index + 1, struck, rounds, tie)
        ammo = option.mode.ammo
        if ammo and ammo in self.scarce:
            kind = self.scarce.index(ammo)
            if rounds[kind] < option.mode.shots:
                return None
            left = list(rounds)
            left[kind] -= option.mode.shots
            rounds = tuple(left)
        if self.ties:
            own = self.ties[option.attack.mount]
            if own >= 0:
                if tie not in (-1, own):
                    return None
                tie = own
        return _Walk(index + 1, struck or option.target == self.primary, rounds, tie)

    def count(self, walk: _Walk) -> int:
        """Combinations from here on in which the primary target is shot at."""
        known = self._counts.get(walk)
        if known is not None:
            return known
        if walk.at == len(self.options):
            total = int(walk.struck)
        elif self.simple(walk):
            total = self._product(walk)
        else:
            total = 0
            for option in (None, *self.options[walk.at]):
                below = self.after(walk, option)
                if below is not None:
                    total += self.count(below)
        self._counts[walk] = total
        return total

    def simple(self, walk: _Walk) -> bool:
        """Whether nothing but the primary target ties the weapons together, so that the count is a product."""
        return not self.scarce and not self.ties

    def _product(self, walk: _Walk) -> int:
        every = 1
        without = 1
        for options in self.options[walk.at :]:
            every *= 1 + len(options)
            without *= 1 + sum(1 for o in options if o.target != self.primary)
        return every if walk.struck else every - without

    def order(self, chosen: list[Option]) -> FireOrder:
        return FireOrder(self.unit.id, self.posture.twist, self.posture.flip, tuple(o.attack for o in chosen), self.primary)

    def orders(self, walk: _Walk, chosen: list[Option]) -> Iterator[FireOrder]:
        if walk.at == len(self.options):
            if walk.struck:
                yield self.order(chosen)
            return
        for option in (None, *self.options[walk.at]):
            below = self.after(walk, option)
            if below is not None and self.count(below):
                yield from self.orders(below, chosen if option is None else [*chosen, option])

    def sample(self, number: int) -> FireOrder:
        """The combination of that number, 0 to count - 1."""
        walk, chosen = self.start(), []
        while walk.at < len(self.options):
            for option in (None, *self.options[walk.at]):
                below = self.after(walk, option)
                ways = self.count(below) if below is not None else 0
                if number < ways:
                    assert below is not None
                    walk = below
                    if option is not None:
                        chosen.append(option)
                    break
                number -= ways
        return self.order(chosen)


class UnitFire:
    """The legal fire orders of one unit."""

    def __init__(self, state: State, unit: UnitState) -> None:
        self.state = state
        self.unit = unit
        self.solver = FireSolver(state, unit)
        self.postures: list[Posture] = self.solver.postures()
        tasks = kind_of(unit).tasks
        #: what the unit may do instead of firing
        self.tasks: tuple[str, ...] = tasks(state, unit) if tasks is not None else ()
        self._options: dict[Posture, list[list[Option]]] = {}
        self._volleys: dict[Posture, list[_Volley]] = {}
        self.hexes = HexFire(state, unit)
        self._hex_volleys: dict[Posture, list[_Volley]] = {}

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

    def volleys(self, posture: Posture) -> list[_Volley]:
        """All volleys of a posture: those at units, then those at hexes."""
        return self.unit_volleys(posture) + self.hex_volleys(posture)

    def hex_volleys(self, posture: Posture) -> list[_Volley]:
        """One volley for each hex that can be fired at and each end: every shot of it is at that hex, to that end. S-10."""
        known = self._hex_volleys.get(posture)
        if known is None:
            known = []
            for target in self.hexes.seen:
                shots = self.hexes.options(posture, target)
                for intent in INTENTS:
                    options = [
                        [Option(attack, mode, target, True, needed, 0) for attack, mode, needed in row if attack.aim == intent]
                        for row in shots
                    ]
                    volley = _Volley(self.unit, posture, target, options, intent)
                    if volley.count(volley.start()):
                        known.append(volley)
            self._hex_volleys[posture] = known
        return known

    def unit_volleys(self, posture: Posture) -> list[_Volley]:
        """One volley for each target that may be the primary one: in the front arc, or any if nothing there is shot at."""
        known = self._volleys.get(posture)
        if known is None:
            known = []
            for primary, front in self.targets(posture).items():
                allowed = [
                    [o for o in options if (front or not o.front) and (o.as_primary if o.target == primary else o.as_secondary)]
                    for options in self.options(posture)
                ]
                volley = _Volley(self.unit, posture, primary, allowed)
                if volley.count(volley.start()):
                    known.append(volley)
            self._volleys[posture] = known
        return known

    def volley(self, posture: Posture, primary: str, intent: str = "") -> _Volley | None:
        """The volley at a primary target, if there is one; at a hex the one to that end."""
        volleys = self.hex_volleys(posture) if names_hex(primary) else self.unit_volleys(posture)
        return next((v for v in volleys if v.primary == primary and v.intent == intent), None)

    def count(self) -> int:
        """All orders: in each posture holding fire, or any combination; and the tasks in place of firing."""
        return len(self.tasks) + sum(1 + sum(v.count(v.start()) for v in self.volleys(p)) for p in self.postures)

    def sample(self, number: int) -> FireOrder:
        """The order of that number, 0 to count - 1."""
        for posture in self.postures:
            if number == 0:
                return FireOrder(self.unit.id, posture.twist, posture.flip)
            number -= 1
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
            yield FireOrder(self.unit.id, posture.twist, posture.flip)
            for volley in self.volleys(posture):
                yield from volley.orders(volley.start(), [])
        for words in self.tasks:
            yield self._task(words)

    def why_not(self, order: FireOrder) -> str:
        """Why an order is not legal; empty when it is."""
        if order.clear:
            if order.clear not in self.tasks:
                known = ", ".join(map(repr, self.tasks)) or "nothing"
                return f"cannot do {order.clear!r} instead of firing: {known} is possible"
            return "" if order == self._task(order.clear) else "whatever is done instead of firing leaves no fire and no turn"
        posture = next((p for p in self.postures if p.twist == order.twist and p.flip == order.flip), None)
        if posture is None:
            how = "with its arms flipped" if order.flip else f"with a twist of {order.twist}"
            return f"cannot fire {how}; possible: {', '.join(p.words for p in self.postures)}"
        if not order.attacks:
            return "" if not order.primary else "names a primary target but no attack"
        mounts = [a.mount for a in order.attacks]
        if mounts != sorted(set(mounts)):
            return "each weapon fires once, and attacks stand in the order of the weapons"
        for attack in order.attacks:
            why = self._why_no_attack(posture, attack)
            if why:
                return why
        if any(names_hex(a.target) for a in order.attacks) and {a.target for a in order.attacks} != {order.primary}:
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
                *((p.words, self._target_node(p)) for p in self.postures),
                *((words, self._task(words)) for words in self.tasks),
            ],
        )

    def _target_node(self, posture: Posture) -> Node:
        hold: list[tuple[str, Node | Order]] = [("hold fire", FireOrder(self.unit.id, posture.twist, posture.flip))]
        return Node(
            "primary target",
            lambda: hold + [(v.words, self._weapon_node(v, v.start(), [])) for v in self.volleys(posture)],
        )

    def _weapon_node(self, volley: _Volley, walk: _Walk, chosen: list[Option]) -> Node | Order:
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
                (_label(option), self._weapon_node(volley, below, chosen if option is None else [*chosen, option]))
                for option, below in self._ways(volley, walk)
            ]

        return Node(f"weapon {mount.index}: {mount.name}", expand)

    @staticmethod
    def _ways(volley: _Volley, walk: _Walk) -> list[tuple[Option | None, _Walk]]:
        found: list[tuple[Option | None, _Walk]] = []
        for option in (None, *volley.options[walk.at]):
            below = volley.after(walk, option)
            if below is not None and volley.count(below):
                found.append((option, below))
        return found


def _label(option: Option | None) -> str:
    if option is None:
        return "hold"
    words = option.target
    if option.attack.mode:
        words += f" ({option.attack.mode})"
    if option.attack.aim and not names_hex(option.target):
        words += f" aimed at {option.attack.aim}"
    if option.attack.spotter:
        words += f" spotted by {option.attack.spotter}"
    return words


_MEANT = {IGNITE: "set it on fire", MINES: "clear its mines"}


def forget(kept: dict[str, UnitFire], order: FireOrder) -> None:
    """Drop from ``kept`` what a declared order outdates: units that spot now, indirect fire spotted by a unit that fires."""
    for id in [order.unit, *(attack.spotter for attack in order.attacks)]:
        kept.pop(id, None)
    if order.attacks:
        for id in [id for id, fire in kept.items() if fire.spotted_by(order.unit)]:
            del kept[id]


class FireChoices:
    """The legal fire orders of a decision: those of each unit that may act. See :class:`opfor.game.legal.choices.Choices`."""

    def __init__(self, state: State, units: list[UnitState], kept: dict[str, UnitFire] | None = None) -> None:
        """``kept``: what earlier decisions of the phase worked out, by unit, as far as it still holds (:func:`forget`)."""
        self._state = state
        self._units = {unit.id: unit for unit in units}
        self._fire = kept if kept is not None else {}

    def unit(self, id: str) -> UnitFire:
        """The legal fire of one of the units."""
        known = self._fire.get(id)
        if known is None:
            known = self._fire[id] = UnitFire(self._state, self._units[id])
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
