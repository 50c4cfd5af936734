"""To-hit numbers of weapon attacks, every modifier named. Rule: S-4.

Three steps, so that thousands of questions stay cheap: a :class:`~opfor.rules.shooting.frame.Frame` for attacker and target, a
:class:`~opfor.rules.shooting.guns.Gun` for weapon and fire mode, and their meeting, which adds range, arc and secondary target.
:func:`weapon_attack` does all three and itemises; :class:`FireSolver` keeps the parts for all shots of one unit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from opfor.orders import Attack
from opfor.rules.barrage.indirect import GUIDED, guided, guided_number
from opfor.rules.loads.semi_guided import is_ignored
from opfor.rules.shooting.aimed import aim_modifier, aimed_location
from opfor.rules.shooting.arcs import ARCS, FRONT_BIT, arc_of_mount, can_flip_arms, twists
from opfor.rules.shooting.battery import Battery, battery
from opfor.rules.shooting.common_modifiers import modifier
from opfor.rules.shooting.frame import RULE, Frame
from opfor.rules.shooting.framing import frame, sees
from opfor.rules.shooting.guns import Gun, gun
from opfor.rules.shooting.numbers import numbers_of
from opfor.rules.shooting.sums import HIGHEST, IMPOSSIBLE, aims, bits_towards, in_flight, number
from opfor.rules.target_number import TargetNumber
from opfor.rules.terrain.hexes import certain, certain_number
from opfor.rules.troops.anti_mech import anti_mech_number
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.hex_target import KIND as HEX
from opfor.units.munition_loads import SEMI_GUIDED
from opfor.units.spec import Mount
from opfor.units.state import UnitState

__all__ = [
    "HIGHEST",
    "IMPOSSIBLE",
    "FireSolver",
    "Frame",
    "Gun",
    "Lane",
    "Posture",
    "Shot",
    "bits_towards",
    "cover_and_side",
    "frame",
    "gun",
    "number",
    "weapon_attack",
]

_RULES = table("to_hit")
_RANGE = _RULES["range"]
_RANGE_MODS = tuple(modifier(name, _RANGE[i]) for i, name in enumerate(("short range", "medium range", "long range")))
_FLAK = _RULES["flak_vs_airborne"]


def weapon_attack(
    state: State,
    attacker: UnitState,
    mount: Mount,
    mode: FireMode,
    target: UnitState,
    *,
    primary: UnitState | None = None,
    twist: int | None = None,
    flip: bool | None = None,
    spotter: UnitState | None = None,
    spotter_attacks: bool = False,
    known: Frame | None = None,
    aim: str = "",
) -> TargetNumber:
    """The target number of one weapon at one target, itemised, or why the attack cannot be made. Rule: S-4.

    ``primary``: the unit's primary target (None: this one). ``twist`` and ``flip`` stand in for the unit's own torso and
    arms. ``spotter``: the attack is indirect. ``known``: the frame of attacker and target, where the caller has it.
    ``aim``: the location that the shot is aimed at (:mod:`opfor.rules.shooting.aimed`).
    """
    seen = frame(state, attacker, target, spotter=spotter, spotter_attacks=spotter_attacks) if known is None else known
    if seen.why:
        return TargetNumber.impossible(seen.why, seen.rule)
    fired = gun(attacker, mount, mode, seen)
    why = fired.why_not_at(seen)
    if why:
        return TargetNumber.impossible(why, getattr(why, "rule", RULE))
    if fired.anti_mech:
        return anti_mech_number(attacker, mount, seen)
    turned = attacker.twist if twist is None else twist
    flipped = attacker.arms_flipped if flip is None else flip
    if flipped and turned:
        return TargetNumber.impossible("with its arms flipped a 'Mech cannot twist its torso", RULE)
    bits = bits_towards(seen, turned)
    if not bits & (fired.flipped_bit if flipped else fired.bit):
        arc = arc_of_mount(attacker, mount, flipped)
        return TargetNumber.impossible(f"out of arc: {mount.name} fires into the {_ARC_WORDS[arc]} arc", RULE)
    if seen.spotter is not None and guided(state, seen, mode):
        return guided_number()
    bracket = fired.bracket(seen)
    assert bracket is not None
    items = seen.modifiers + fired.modifiers
    if _RANGE[bracket]:
        items.append(_RANGE_MODS[bracket])
    if not seen.distance and fired.same_hex:
        items.append(modifier("same hex", fired.same_hex, "S-9"))
    if fired.flak and in_flight(target):
        items.append(modifier("flak", _FLAK))
    if seen.distance <= fired.minimum > 0:
        items.append(modifier("minimum range", fired.minimum - seen.distance + 1))
    if fired.munition == SEMI_GUIDED and target.tagged:
        items = [item for item in items if not is_ignored(item.what, indirect=seen.spotter is not None)]
    if seen.own is not None:
        items += seen.own.items(mount, mode, bracket)
    if target.spec.kind == HEX:
        return certain_number() if certain(state, target.cell, seen.distance) else TargetNumber(items)
    if primary is not None and primary is not target:
        extra, rule = secondary_modifier(state, bits & FRONT_BIT != 0)
        if extra:
            items.append(modifier("secondary target", extra, rule))
    if aim:
        location = aimed_location(target, aim)
        added = dict(aims(seen, fired)).get(location) if location is not None else None
        if location is None or added is None:
            return TargetNumber.impossible(f"{mount.name} cannot be aimed at the {aim} of {target.id}", "S-5")
        items += aim_modifier(target, location, added)
    return TargetNumber(items)


_ARC_WORDS = {name: name.replace("_", " ") for name in ARCS}


def secondary_modifier(state: State, front: bool) -> tuple[int, str]:
    """Modifier of an attack at another target than the primary one, and its rule. Rule: S-4, M-4."""
    setting = state.ruleset.secondary_target
    if setting == "standard":
        return numbers_of(state.ruleset).secondary["front" if front else "other"], RULE
    return int(setting), "M-4"


def cover_and_side(state: State, attacker: UnitState, target: UnitState, spotter: UnitState | None = None) -> tuple[bool, str]:
    """Whether the target's legs are hidden from the attack, and which side of it is struck. Rule: S-3, S-4."""
    seen = frame(state, attacker, target, spotter=spotter)
    return seen.cover, seen.side


_TWIST_WORDS = {0: "straight ahead", 1: "twisted right", -1: "twisted left"}
_TURRET_WORDS = {
    0: "turret ahead",
    1: "turret ahead right",
    2: "turret rear right",
    3: "turret to the rear",
    -2: "turret rear left",
    -1: "turret ahead left",
}


class Posture(NamedTuple):
    """How a unit holds itself to fire: torso twist (-1 left, 1 right) or arms flipped to the rear; a vehicle's ``turret``
    turned by the twist, -2 to 3 hexsides clockwise."""

    twist: int = 0
    flip: bool = False
    turret: bool = False

    @property
    def words(self) -> str:
        """The posture in words."""
        if self.flip:
            return "arms flipped"
        return (_TURRET_WORDS if self.turret else _TWIST_WORDS)[self.twist]


class Shot(NamedTuple):
    """One possible shot: ``numbers`` are (target in the front arc, number needed as primary, as secondary); 0: impossible.

    ``aim`` names the location of an aimed shot, "" for an ordinary one.
    """

    target: UnitState
    mode: FireMode
    spotter: str
    numbers: tuple[bool, int, int]
    aim: str = ""


class Lane(NamedTuple):
    """The guns that bear on one target in one way, arcs apart: directly, through one spotter, or aimed at one location.

    ``primary``: bits of the guns that dice can hit with as primary attacks, ``secondary`` as secondary ones, at a target out of
    the front arc and in it. ``aim`` names the location, ``extra`` is what aiming adds.
    """

    seen: Frame
    primary: int
    secondary: tuple[int, int]
    aim: str = ""
    extra: int = 0


class FireSolver:
    """Every shot open to a unit, in every posture (``only``: at that unit). Frames and lanes are worked out once. Rule: S-4.

    ``may`` says which units it may fire at at all (None: any).
    """

    def __init__(self, state: State, unit: UnitState, only: str = "", may: Callable[[str], bool] | None = None) -> None:
        self.state = state
        self.unit = unit
        targets = [state.unit(only)] if only else state.units
        self._may = may
        self._targets = [target for target in targets if _is_target(unit, target)]
        self._secondary = (secondary_modifier(state, False)[0], secondary_modifier(state, True)[0])

    def postures(self) -> list[Posture]:
        """Straight ahead first, then the twists (a vehicle's turret facings), then flipped arms where the unit can do that."""
        turret = self.unit.spec.turret
        found = [Posture(twist, False, turret) for twist in twists(self.unit)]
        if can_flip_arms(self.unit):
            found.append(Posture(0, True))
        return found

    @cached_property
    def guns(self) -> Battery:
        """The unit's guns as it stands."""
        return battery(self.state, self.unit)

    @cached_property
    def direct(self) -> list[Frame]:
        """The frame of every enemy on the map, in the order of the units."""
        return [frame(self.state, self.unit, target) for target in self._targets]

    @cached_property
    def spotted(self) -> list[Frame]:
        """The indirect frames: every enemy out of sight with each unit that may spot for it."""
        return self._spot(self.direct)

    def _spot(self, direct: list[Frame]) -> list[Frame]:
        """The indirect frames of those of some enemies that are out of sight."""
        state, unit = self.state, self.unit
        found: list[Frame] = []
        friends: list[UnitState] | None = None
        for blocked in direct:
            if not blocked.blocked:
                continue
            if friends is None:
                friends = [u for u in state.units if u is not unit and u.side == unit.side and u.cell >= 0 and u.active]
            for friend in friends:
                if sees(state, friend, blocked.target):
                    attacks = friend.fired != 0
                    seen = frame(state, unit, blocked.target, spotter=friend, spotter_attacks=attacks)
                    if not seen.why:
                        found.append(seen)
        return found

    @cached_property
    def lanes(self) -> list[Lane]:
        """All lanes in which some gun can fire: direct ones in the order of the units, then indirect ones."""
        return self._open() if self.unit.cell >= 0 else []

    def _open(self) -> list[Lane]:
        state, unit, guns, may = self.state, self.unit, self.guns, self._may
        other, front = self._secondary
        away = state.board.grid.distance
        if not guns.all:
            return []
        near = [
            frame(state, unit, target)
            for target in self._targets
            if away(unit.cell, target.cell) <= guns.longest
            and (guns.indirect or sees(state, unit, target))
            and (may is None or may(target.id))
        ]
        found: list[Lane] = []
        for seen in near:
            if seen.why:
                continue
            primary = guns.open_at(seen)
            if primary:
                found.append(Lane(seen, primary, (guns.open_at(seen, other), guns.open_at(seen, front))))
                if guns.helped or seen.target.immobile:
                    found += self._aimed(seen, primary)
        if guns.indirect:
            found += [lane for seen in self._spot(near) if (lane := self._indirect(seen)).primary]
        return found

    def _aimed(self, seen: Frame, open_to: int) -> list[Lane]:
        """The lanes of aimed shots. Rule: S-5."""
        guns = self.guns
        other, front = self._secondary
        able: dict[tuple[int, int], int] = {}
        for i, fired in enumerate(guns.guns):
            if (open_to & guns.aimable) >> i & 1:
                for aim in aims(seen, fired):
                    able[aim] = able.get(aim, 0) | 1 << i
        found = []
        for (location, extra), bits in sorted(able.items()):
            primary = guns.open_at(seen, extra) & bits
            if primary:
                second = (guns.open_at(seen, extra + other) & bits, guns.open_at(seen, extra + front) & bits)
                found.append(Lane(seen, primary, second, seen.target.spec.location_name(location), extra))
        return found

    def _indirect(self, seen: Frame) -> Lane:
        """The lane of indirect fire; guided missiles need the same number as primary and secondary attacks. Rule: S-4, E-35."""
        guns = self.guns
        other, front = self._secondary
        primary, second, ahead = guns.open_at(seen), guns.open_at(seen, other), guns.open_at(seen, front)
        for i, fired in enumerate(guns.guns):
            if guns.semi_guided >> i & 1 and guided(self.state, seen, fired.mode):
                bit = 1 << i if number(seen, fired) < IMPOSSIBLE and GUIDED <= HIGHEST else 0
                primary, second, ahead = (guns_ & ~(1 << i) | bit for guns_ in (primary, second, ahead))
        return Lane(seen, primary, (second, ahead))

    def shot(self, lane: Lane, gun: int, *, front: bool) -> Shot:
        """One of the guns fired in a lane in which it is open; ``front``: the target is in the front arc."""
        seen = lane.seen
        fired = self.guns.guns[gun]
        if seen.spotter is not None and guided(self.state, seen, fired.mode):
            needed = second = GUIDED
        else:
            needed = self.guns.number(gun, seen) + lane.extra
            second = needed + self._secondary[front]
        # 2 or less always hits
        numbers = (front, max(needed, 2), max(second, 2) if second <= HIGHEST else 0)
        return Shot(seen.target, fired.mode, seen.spotter.id if seen.spotter is not None else "", numbers, lane.aim)

    def shots(self, mount: Mount, posture: Posture) -> list[Shot]:
        """The shots of a weapon in a posture that dice can make, as primary or as secondary attack."""
        guns = self.guns
        first, end = guns.rows[mount.index]
        found: list[Shot] = []
        lanes: list[tuple[Lane, int, bool]] | None = None
        for i in range(first, end):
            if lanes is None:
                lanes = []
                for lane in self.lanes:
                    arcs = bits_towards(lane.seen, posture.twist)
                    lanes.append((lane, lane.primary & guns.bears(arcs, posture.flip), arcs & FRONT_BIT != 0))
            found += [self.shot(lane, i, front=front) for lane, open_to, front in lanes if open_to >> i & 1]
        return found

    def why_not(self, mount: Mount, posture: Posture, attack: Attack) -> str:
        """Why a shot is not among those of the posture, in words."""
        by_id = self.state.by_id
        if attack.target not in by_id:
            return f"there is no unit {attack.target!r}"
        if attack.spotter and attack.spotter not in by_id:
            return f"there is no unit {attack.spotter!r} to spot"
        mode = next((m for m in mount.modes if m.name == attack.mode), None)
        if mode is None:
            names = ", ".join(repr(m.name) for m in mount.modes)
            return f"{mount.name} has no fire mode {attack.mode!r}: use {names}"
        spotter = self.state.unit(attack.spotter) if attack.spotter else None
        answer = weapon_attack(
            self.state,
            self.unit,
            mount,
            mode,
            self.state.unit(attack.target),
            twist=posture.twist,
            flip=posture.flip,
            spotter=spotter,
            spotter_attacks=spotter is not None and spotter.fired != 0,
            aim=attack.aim,
        )
        if not answer.possible:
            return f"{mount.name} at {attack.target}: {answer.why}"
        return f"{mount.name} at {attack.target} needs {answer.value}, more than two dice show"


def _is_target(unit: UnitState, target: UnitState) -> bool:
    return target.side != unit.side and target.cell >= 0 and not target.destroyed and not target.gone and not target.hidden
