"""The units of a battle as the planner sees them: what they can do, what they are worth, where they are or may come to be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from opfor.rules.melee.blows import physical_damage
from opfor.rules.moving.flight import airborne
from opfor.rules.moving.grounds import ground_for
from opfor.rules.pilots.heat import dissipation, engine_heat
from opfor.rules.pilots.piloting import conditions
from opfor.rules.shooting.numbers import PLAIN, numbers_of, steps_at
from opfor.rules.troops.clinging import swarmer_of
from opfor.rules.turn.complex_actions import haste_modifier, open_modes
from opfor.rules.turn.victory import crippled
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState
from policies.veteran.firepower import Arsenal, Firepower, skill
from policies.veteran.harm import class_of
from policies.veteran.lanes import BLOCKED
from policies.veteran.spots import key_of, posture_of
from policies.veteran.weights import Weights
from policies.veteran.worth import factors, hurt, jolts, toughness, value_of

_TO_HIT = table("to_hit")
#: attacker movement modifier by mode
MOVED: dict[str, int] = {"": 0} | _TO_HIT["attacker_movement"]
#: the same of a spotter for the shot that it spots
SPOTTED: dict[str, int] = {"": 0} | _TO_HIT["spotter_movement"]
#: target movement modifier by hexes moved
BY_HEXES = tuple(steps_at(_TO_HIT["target_movement"]["by_hexes"], n) for n in range(64))
JUMPED: int = _TO_HIT["target_movement"]["jumped"]
FLOWN: int = _TO_HIT["target_movement"]["vtol_moved"]
INDIRECT: int = _TO_HIT["indirect"]
_DUG_IN: int = table("infantry")["dug_in"]
_SQUAD: int = table("infantry")["battle_armor_target"]
#: what is guessed of the movement of a unit that has yet to move, as a modifier to hit it
GUESS_TARGET = 2
#: heat that a unit without a heat scale may build up
_NO_HEAT = 999
_MODES = ("", "stand", "walk", "run", "jump")
#: modes that leave no attack, as a modifier with which nothing hits
_NO_ATTACK = {"evade": BLOCKED, "sprint": BLOCKED}


class Spot(NamedTuple):
    """Where a unit is or may come to be: spot key of :mod:`policies.veteran.lanes`, facing (None: as it likes), modifiers of
    its own movement to its fire (``am``) and to fire at it (``tm``), heat of the movement, how likely it is."""

    key: int
    facing: int | None
    am: int
    tm: int
    heat: int
    share: float


class Figure:
    """A unit in a plan. ``spare`` is the heat that it can build up by moving and firing and be as cool as is comfortable;
    ``moved`` its movement modifier to its own fire by mode; ``jolt`` what any hit from a side is worth beside its damage."""

    __slots__ = (
        "arsenal", "crippled", "factors", "flies", "ground", "hot", "hurt", "indirect", "jolt", "key", "kick", "kind",
        "menace", "moved", "nimble", "numbers", "piloting", "posture", "power", "powers", "prone_fire", "quad", "riders",
        "settled", "skill", "spare", "spots", "swarmer", "target", "toughness", "unit", "value", "versus",
    )  # fmt: skip

    def __init__(self, state: State, unit: UnitState, arsenal: Arsenal, weights: Weights) -> None:
        spec = unit.spec
        self.unit = unit
        #: to-hit modifiers of the ruleset
        self.numbers = numbers = numbers_of(state.ruleset)
        self.kind = spec.kind
        self.hot = spec.is_mech
        self.arsenal = arsenal
        self.versus = class_of(spec)
        self.powers: dict[tuple[str, bool, bool], Firepower] = {}
        self.power = self.against("")
        self.indirect: Firepower | None = None
        if any("indirect" in m.mode.weapon.flags for b in self.power.barrels for m in b.modes):
            self.indirect = self.against("", indirect=True)
        able = unit.active
        self.skill = min(BLOCKED, skill(unit)) if able else BLOCKED
        self.quad = spec.quad
        self.prone_fire = 0 if self.quad and not unit.legs_lost else numbers.prone["attacker"]
        self.spare = dissipation(state, unit) - unit.heat - engine_heat(unit) + weights.comfortable if self.hot else _NO_HEAT
        self.value = value_of(unit, self.power, self.spare)
        #: infantry inside, whose worth goes with their carrier's
        self.riders = [u for u in state.units if u.aboard == unit.id and u.alive]
        self.value += 0.5 * len(self.riders) * weights.rider
        self.factors = factors(unit, self.value)
        self.jolt = jolts(unit, self.value)
        self.toughness = toughness(unit)
        self.hurt = hurt(unit)
        self.crippled = bool(crippled(state, unit))
        self.piloting = unit.piloting + sum([m.value for m in conditions(unit, state.ruleset.replaced)])
        self.kick = _kick(unit) if able else 0
        self.moved = self._moved(state)
        #: what evading and sprinting add to every number to hit it (M-2, M-3)
        self.nimble = haste(state, unit)
        #: what everybody adds to hit it, however it moves
        self.target = (numbers.immobile if unit.immobile else 0) + (numbers.stuck if unit.stuck else 0)
        if spec.kind == "battle_armor":
            self.target += _SQUAD
        self.posture = posture_of(spec, unit.prone)
        self.ground = ground_for(state.board, spec, state.ruleset)
        self.flies = spec.kind == "vtol" and airborne(state.board.hexes[unit.cell], unit.elevation)
        self.key = key_of(unit.cell, unit.elevation, self.posture)
        #: who clings to it
        clinging = swarmer_of(state, unit)
        self.swarmer = clinging.id if clinging is not None else ""
        #: nothing more will be heard of its movement this turn
        self.settled = has_settled(state, unit)
        self.spots: tuple[Spot, ...] = (self.here(),)
        #: where its next fire may come from, if that is elsewhere than where it can be fired at now (M-10)
        self.menace: tuple[Spot, ...] | None = None

    def _moved(self, state: State) -> dict[str, int]:
        spec = self.unit.spec
        if self.unit.complex_action == "pause" and not self.unit.moved:
            # it has had its action, and only goes on
            return dict.fromkeys((*_MODES, *_NO_ATTACK, "dismount"), BLOCKED)
        if spec.is_infantry:
            return dict.fromkeys((*_MODES, "dismount"), 0) | _NO_ATTACK
        moved = self.numbers.moved
        usual = _MOVED_OR_NOT if self.numbers is PLAIN else {**moved, **_NO_ATTACK}
        if spec.kind == "vtol" and state.ruleset.vtol_moved_as_jump == "on":
            return {**usual, "walk": moved["jump"], "run": moved["jump"]}
        return usual

    def against(self, versus: str, *, prone: bool | None = None, indirect: bool = False) -> Firepower:
        """Its firepower against a class of target, as it stands or prone."""
        key = (versus, self.unit.prone if prone is None else prone, indirect)
        found = self.powers.get(key)
        if found is None:
            found = self.powers[key] = self.arsenal.of(self.unit, prone=key[1], indirect=indirect, versus=versus)
        return found

    def elusiveness(self, mode: str, hexes: int) -> int:
        """What moving so adds to every number to hit it."""
        numbers = self.numbers
        tm = numbers.by_hexes(hexes) + self.target
        if mode == "jump":
            return tm + numbers.jumped
        if mode in self.nimble:
            tm += self.nimble[mode]
            mode = "run"
        if self.kind == "vtol" and mode in ("walk", "run"):
            return tm + numbers.vtol_moved
        return tm + _DUG_IN if self.unit.dug_in and mode in ("", "stand") else tm

    def here(self) -> Spot:
        """Where it stands; as it has moved, or as it might if it stays."""
        unit = self.unit
        facing = unit.facing if self.settled and not unit.spec.is_infantry else None
        am = self.moved.get(unit.mode, 0) + (self.prone_fire if unit.prone else 0)
        tm = self.elusiveness(unit.mode, unit.hexes_moved) + (self.numbers.skidded if unit.skidded else 0)
        return Spot(self.key, facing, am, tm, unit.heat_built, 1.0)

    def spot_key(self, place: int, *, prone: bool = False) -> int:
        """The spot key of a place of its ground."""
        posture = 1 if prone else 0 if self.hot else self.posture
        return key_of(self.ground.cell(place), self.ground.elevation[place], posture)


_MOVED_OR_NOT = {**MOVED, **_NO_ATTACK}


def has_settled(state: State, unit: UnitState) -> bool:
    """Whether nothing more will be heard of a unit's movement this turn. Rule: E-3, E-6, M-10."""
    if not unit.active:
        return True
    phase = state.phase
    if phase == "declarations":
        # what it has moved counts for last turn until its own turn comes
        return unit.acted or (unit.moved and any(one.unit == unit.index and one.regular for one in state.underway))
    if unit.moved:
        return True
    return phase not in ("initiative", "movement") and not (phase == "fire" and unit.waiting)


def haste(state: State, unit: UnitState) -> dict[str, int]:
    """What evading and sprinting add to numbers to hit a unit, by the modes that the ruleset has. Rule: M-2, M-3."""
    found = {}
    for mode in open_modes(state):
        modifier = haste_modifier(state, unit, mode)
        found[mode] = modifier.value if modifier is not None else 0
    return found


def _kick(unit: UnitState) -> int:
    """Damage of its best kick, 0 when its legs do not allow any."""
    if not unit.spec.is_mech:
        return 0
    legs = unit.legs
    if any(unit.lost(leg) or not unit.working(leg, "hip") for leg in legs):
        return 0
    return max(physical_damage(unit, "kick", unit.spec.location_name(leg)) for leg in legs)


def figures_of(
    state: State, units: Iterable[UnitState], arsenal: Arsenal, weights: Weights, *, aboard: bool = False
) -> list[Figure]:
    """The living units of the list as figures: those on the map, and not inside a carrier unless ``aboard``."""
    found = []
    for unit in units:
        if unit.alive and unit.cell >= 0 and (aboard or not unit.aboard):
            found.append(Figure(state, unit, arsenal, weights))
    return found
