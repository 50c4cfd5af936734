"""All guns of a unit in its present condition, with tables of which of them reach how far at what sum. Rule: S-4.

Sets of guns are bits: gun ``i`` of :attr:`Battery.guns` is bit ``1 << i``. Which guns dice can hit with goes by two numbers for
most of them, the frame's sum and the distance, so that it is a look-up; what more a gun or a frame depends on is asked of
:func:`opfor.rules.shooting.sums.number`, gun by gun.

A battery knows nothing of where its unit stands: it is kept with the spec for as long as units of it are in that condition.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from opfor.board.sight import Sight
from opfor.rules.shooting.aimed import single_shot
from opfor.rules.shooting.common_modifiers import movement_of
from opfor.rules.shooting.frame import Frame
from opfor.rules.shooting.guns import Gun
from opfor.rules.shooting.sums import HIGHEST, IMPOSSIBLE, in_flight, number
from opfor.rules.terrain.hexes import HexUse
from opfor.state import State
from opfor.units.munition_loads import SEMI_GUIDED, THUNDER
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

#: batteries kept a spec: bounds the memory of long runs
_KEEP = 200


class Battery:
    """The guns of one unit that can be fired at all, by mount and mode in order.

    ``rows``: by mount, the first of its guns and the one after its last. ``longest``: the reach in hexes of the one that
    reaches farthest, 0 for none.
    """

    __slots__ = (
        "_bears",
        "_by_mount",
        "_heat",
        "_leg",
        "_lowest",
        "_reach",
        "_steps",
        "_tables",
        "_thunder",
        "aimable",
        "all",
        "beacon",
        "guns",
        "helped",
        "hexes",
        "indirect",
        "longest",
        "plenty",
        "rows",
        "semi_guided",
        "special",
        "ways",
    )

    def __init__(self, unit: UnitState, prone: bool, legs_wet: bool, all_wet: bool, moved: int, plenty: bool) -> None:
        guns: list[Gun] = []
        rows: list[tuple[int, int]] = []
        for mount in unit.spec.mounts:
            first = len(guns)
            for mode in mount.modes:
                fired = Gun(unit, mount, mode, prone, legs_wet, all_wet, moved)
                if not fired.why:
                    guns.append(fired)
            rows.append((first, len(guns)))
        self.guns = tuple(guns)
        self.rows = tuple(rows)
        #: whether no ammunition can run short, whatever is fired at once
        self.plenty = plenty
        self.longest = max([fired.long for fired in guns], default=0)
        self.all = (1 << len(guns)) - 1
        self.indirect = self._bits(lambda fired: fired.indirect)
        self.semi_guided = self._bits(lambda fired: fired.munition == SEMI_GUIDED)
        #: guns that a targeting computer helps, and those whose shots can be aimed at all
        self.helped = self._bits(lambda fired: fired.helped)
        self.aimable = self._bits(lambda fired: single_shot(fired.mode))
        #: guns that depend on more than sum and distance: worked out one by one
        self.special = self._bits(lambda fired: fired.anti_mech or fired.wet) | self.semi_guided
        self._leg = self._bits(lambda fired: fired.leg)
        self._heat = self._bits(lambda fired: bool(fired.mode.target_heat))
        self._thunder = self._bits(lambda fired: fired.munition == THUNDER)
        self.beacon = self._bits(lambda fired: fired.beacon)
        self.hexes = HexUse([fired.mode for fired in guns])
        self._tables: dict[int, list[int]] = {}
        self._steps: dict[int, list[tuple[int, int]]] = {}
        self._reach: dict[tuple[int, int], int] = {}
        self._bears: dict[int, int] = {}
        self._by_mount: dict[int, tuple[int, ...]] = {}
        self._lowest: dict[tuple[int, int], int] = {}
        #: combinations of one target's guns, none of them left out, by what is open; where nothing ties them together
        self.ways: dict[int, int] = {}

    def _bits(self, has: Callable[[Gun], bool]) -> int:
        return sum([1 << i for i, fired in enumerate(self.guns) if has(fired)])

    def within(self, common: int, distance: int) -> int:
        """The guns that need at most what dice show where a frame's modifiers sum up to ``common``, special ones left out."""
        found = self._reach.get((common, distance))
        if found is None:
            found = sum([bit for step, bit in self._at(distance) if common + step <= HIGHEST])
            self._reach[common, distance] = found
        return found

    def _at(self, distance: int) -> list[tuple[int, int]]:
        """What the guns that reach so far add there, special ones left out, each with its bit."""
        steps = self._steps.get(distance)
        if steps is None:
            table = self._table(distance)
            steps = self._steps[distance] = [
                (table[i], 1 << i) for i, fired in enumerate(self.guns) if distance <= fired.long and not self.special >> i & 1
            ]
        return steps

    def _table(self, distance: int) -> list[int]:
        """What each gun adds at a distance in hexes; beyond its reach that means nothing."""
        found = self._tables.get(distance)
        if found is None:
            found = self._tables[distance] = [
                fired.at(distance, 0 if distance <= fired.short else 1 if distance <= fired.medium else 2)
                for fired in self.guns
            ]
        return found

    def open_at(self, seen: Frame, extra: int = 0) -> int:
        """The guns that the frame's target can be hit with where ``extra`` is added, arcs apart. Rule: S-4."""
        target = seen.target
        distance = seen.distance
        if not self._plain(seen):
            found, special = 0, self.all
        else:
            found, special = self.within(seen.common + extra, distance), self.special
            kind = target.spec.kind
            if kind != "mech":
                found &= ~self._heat
                if self.beacon and target.spec.is_infantry:
                    found &= ~self.beacon
            if kind != "hex":
                found &= ~self._thunder
            if seen.spotter is not None:
                found &= self.indirect
            elif seen.seen.attacker_cover:
                found &= ~self._leg
        if special:
            for i, fired in enumerate(self.guns):
                if special >> i & 1 and number(seen, fired) + extra <= HIGHEST:
                    found |= 1 << i
        return found

    def number(self, gun: int, seen: Frame) -> int:
        """What one of the guns needs against the frame's target, where it is open to it."""
        if self.special >> gun & 1 or not self._plain(seen):
            return number(seen, self.guns[gun])
        return seen.common + self._table(seen.distance)[gun]

    @staticmethod
    def _plain(seen: Frame) -> bool:
        """Whether sum and distance are all that the numbers of common guns go by."""
        return seen.distance > 0 and not seen.odd and not in_flight(seen.target)

    def at_ground(self, common: int, distance: int, seen: Sight) -> int:
        """The guns that a hex can be hit with, all that adds to the number but the guns summed up; special ones left out."""
        found = self.within(common, distance) & ~self._heat
        return found & ~self._leg if seen.attacker_cover else found

    def able_at(self, seen: Frame) -> int:
        """The guns that can be fired at the frame's target at all, whatever they need."""
        return self._bits(lambda fired: number(seen, fired) != IMPOSSIBLE)

    def bears(self, arcs: int, flip: bool) -> int:
        """The guns that bear into any of some arcs (bits of :data:`opfor.rules.shooting.arcs.ARC_BITS`). Rule: S-4."""
        key = arcs << 1 | flip
        found = self._bears.get(key)
        if found is None:
            found = self._bits(lambda fired: bool(arcs & (fired.flipped_bit if flip else fired.bit)))
            self._bears[key] = found
        return found

    def lowest(self, guns: int, distance: int) -> int:
        """The least that any of some guns, none of them special, adds at a distance in hexes that all of them reach."""
        found = self._lowest.get((guns, distance))
        if found is None:
            found = min([step for step, bit in self._at(distance) if bit & guns])
            self._lowest[guns, distance] = found
        return found

    def by_mount(self, guns: int) -> tuple[int, ...]:
        """How many of some guns each mount has: the modes that it may be fired in."""
        found = self._by_mount.get(guns)
        if found is None:
            found = self._by_mount[guns] = tuple([(guns >> a & (1 << b - a) - 1).bit_count() for a, b in self.rows])
        return found

    def ways_of(self, guns: int) -> int:
        """Combinations of one or more of the mounts, each in one of the modes that ``guns`` leave open to it."""
        found = self.ways.get(guns)
        if found is None:
            found = self.ways[guns] = prod([1 + number for number in self.by_mount(guns)]) - 1
        return found


def battery(state: State, unit: UnitState) -> Battery:
    """The guns of a unit as it stands."""
    spec = unit.spec
    board = state.board
    cell, elevation = unit.cell, unit.elevation
    legs_wet = elevation < 0 and board.depth[cell] > 0
    all_wet = legs_wet and state.top(unit) < board.level[cell]
    moved = movement_of(state, unit, unit.mode)[0] if unit.stabilizers else 0
    ammo = None if _plenty(unit) else tuple(unit.ammo)
    prone = unit.prone
    key = (
        unit.mounts_lost,
        tuple(unit.structure),
        tuple(unit.slots_hit),
        ammo,
        unit.equipment_lost,
        unit.jammed,
        unit.one_shot_used,
        unit.malfunctioned,
        unit.engine_dead,
        prone,
        unit.used_arms if prone else 0,
        legs_wet,
        all_wet,
        moved,
        unit.stabilizers,
        unit.swarming != "",
    )
    kept: dict[tuple[object, ...], Battery] = spec.tables.setdefault("batteries", {})
    found = kept.get(key)
    if found is None:
        if len(kept) >= _KEEP:
            kept.clear()
        found = kept[key] = Battery(unit, prone, legs_wet, all_wet, moved, ammo is None)
    return found


def _plenty(unit: UnitState) -> bool:
    """Whether no ammunition can run short, whatever the unit fires in one phase."""
    ammo = unit.ammo
    for bins, shots in _demand(unit.spec):
        left = 0
        for i in bins:
            left += ammo[i]
        if left < shots:
            return False
    return True


def _demand(spec: UnitSpec) -> list[tuple[tuple[int, ...], int]]:
    """For each ammunition kind its bins, and the rounds that a unit fires in one phase at most."""
    found: list[tuple[tuple[int, ...], int]] | None = spec.tables.get("ammunition_demand")
    if found is None:
        demand: dict[str, int] = {}
        for mount in spec.mounts:
            for ammo in {mode.ammo for mode in mount.modes if mode.ammo}:
                demand[ammo] = demand.get(ammo, 0) + max(mode.shots for mode in mount.modes if mode.ammo == ammo)
        found = [(tuple([b.index for b in spec.bins if b.kind == ammo]), shots) for ammo, shots in demand.items()]
        spec.tables["ammunition_demand"] = found
    return found
