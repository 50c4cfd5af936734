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
from opfor.orders import Attack, FireOrder, Order
from opfor.rules.to_hit import FireSolver, Posture
from opfor.state import State
from opfor.tables.arsenal import FireMode
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
    """Where a combination stands: next weapon, primary target shot at yet, rounds left of scarce kinds, propping arm in use."""

    at: int
    struck: bool
    rounds: tuple[int, ...]
    arm: int


class _Volley:
    """All combinations of attacks in one posture against one primary target."""

    def __init__(self, unit: UnitState, posture: Posture, primary: str, options: list[list[Option]]) -> None:
        self.unit = unit
        self.posture = posture
        self.primary = primary
        #: by mount in order, the options open with this primary target
        self.options = options
        self.scarce = self._scarce_kinds()
        self.one_arm = unit.prone and not unit.spec.quad
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

    def start(self) -> _Walk:
        return _Walk(0, False, tuple(self.unit.shots(kind) for kind in self.scarce), -1)

    def after(self, walk: _Walk, option: Option | None) -> _Walk | None:
        """The walk after choosing an option (None: hold this weapon); None where that is impossible."""
        index, struck, rounds, arm = walk
        if option is None:
            return _Walk(index + 1, struck, rounds, arm)
        ammo = option.mode.ammo
        if ammo and ammo in self.scarce:
            kind = self.scarce.index(ammo)
            if rounds[kind] < option.mode.shots:
                return None
            left = list(rounds)
            left[kind] -= option.mode.shots
            rounds = tuple(left)
        if self.one_arm:
            location = self.unit.spec.mounts[option.attack.mount].location
            if location in ARMS:
                if arm not in (-1, location):
                    return None
                arm = location
        return _Walk(index + 1, struck or option.target == self.primary, rounds, arm)

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
        return not self.scarce and not self.one_arm

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
        self._options: dict[Posture, list[list[Option]]] = {}
        self._volleys: dict[Posture, list[_Volley]] = {}

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

    def volley(self, posture: Posture, primary: str) -> _Volley | None:
        """The volley at a primary target, if there is one."""
        return next((v for v in self.volleys(posture) if v.primary == primary), None)

    def count(self) -> int:
        """All orders: in each posture holding fire, or any combination."""
        return sum(1 + sum(v.count(v.start()) for v in self.volleys(p)) for p in self.postures)

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
        raise IndexError(number)

    def __iter__(self) -> Iterator[FireOrder]:
        for posture in self.postures:
            yield FireOrder(self.unit.id, posture.twist, posture.flip)
            for volley in self.volleys(posture):
                yield from volley.orders(volley.start(), [])

    def why_not(self, order: FireOrder) -> str:
        """Why an order is not legal; empty when it is."""
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
        volley = self.volley(posture, order.primary)
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
                return f"{mount.name}: not enough ammunition for all, or the arm that props the 'Mech up"
            walk = below
        return "" if walk.struck else f"no weapon fires at the primary target {order.primary}"

    def _why_no_attack(self, posture: Posture, attack: Attack) -> str:
        mounts = self.unit.spec.mounts
        if not 0 <= attack.mount < len(mounts):
            return f"has no weapon number {attack.mount}"
        if any(o.attack == attack for o in self.options(posture)[attack.mount]):
            return ""
        return self.solver.why_not(mounts[attack.mount], posture, attack)

    def tree(self) -> Node:
        """posture -> primary target or hold -> weapon by weapon."""
        return Node("posture", lambda: [(p.words, self._target_node(p)) for p in self.postures])

    def _target_node(self, posture: Posture) -> Node:
        hold: list[tuple[str, Node | Order]] = [("hold fire", FireOrder(self.unit.id, posture.twist, posture.flip))]
        return Node(
            "primary target",
            lambda: hold + [(v.primary, self._weapon_node(v, v.start(), [])) for v in self.volleys(posture)],
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
    if option.attack.aim:
        words += f" aimed at {option.attack.aim}"
    if option.attack.spotter:
        words += f" spotted by {option.attack.spotter}"
    return words


def forget(kept: dict[str, UnitFire], order: FireOrder) -> None:
    """Drop from ``kept`` what an order outdates: units that spot now, and indirect fire spotted by a unit that fires."""
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
