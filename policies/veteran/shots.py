"""One shot of a unit, and what it is worth: damage where it strikes, heat, effects, rounds left. Rule: S-4, S-5, S-7."""

from __future__ import annotations

from dataclasses import dataclass

from opfor.dice import chance_2d6
from opfor.game.legal.fire import Option, UnitFire
from opfor.orders import FireOrder
from opfor.rules.shooting.arcs import hit_side
from opfor.rules.shooting.frame import Frame
from opfor.rules.shooting.to_hit import weapon_attack
from opfor.rules.shooting.weapon_fire import fire_mode
from opfor.rules.troops.infantry import offers_cover
from opfor.state import State
from opfor.tables.arsenal import FireMode
from opfor.units.spec import REAR_ARMOR, Mount
from opfor.units.state import UnitState
from policies.veteran.assaults import assault_value
from policies.veteran.figures import Figure
from policies.veteran.harm import groups_of, mean_damage
from policies.veteran.loads import DESIGNATOR, caught_worth, heat_worth, load_worth, paint_worth, spot_odds
from policies.veteran.terrain import shelter
from policies.veteran.volley import Volley, strike_odds
from policies.veteran.weights import Weights
from policies.veteran.worth import OPEN_GROUND, TYPICAL_HIT, odds_factor, struck

#: worst odds at which a shot is priced at its full ammunition
_USUAL_ODDS = 0.45
#: mean heat of a die, for weapons that heat their target by dice
_DIE = 3.5
_HEATING = {"heat_1d6_vs_mech": 1, "heat_2d6_vs_mech": 2}


@dataclass(slots=True)
class Use:
    """One use of a weapon: the option, what it is worth beside its heat, its chance and mean damage."""

    option: Option
    value: float
    heat: int
    chance: float
    damage: float


class Shots:
    """What each weapon of a unit may do, beside what its side has declared. ``frames``: who can be fired at, by spotter."""

    def __init__(
        self, state: State, me: Figure, ours: list[Figure], theirs: list[Figure], legal: UnitFire, weights: Weights
    ) -> None:
        self.state = state
        self.me = me
        self.unit = me.unit
        self.ours = ours
        self.weights = weights
        self.targets = {figure.unit.id: figure for figure in theirs}
        self.frames: dict[tuple[str, str], Frame] = {(seen.target.id, ""): seen for seen in legal.solver.direct}
        if me.indirect is not None:
            for seen in legal.solver.spotted:
                assert seen.spotter is not None
                self.frames[seen.target.id, seen.spotter.id] = seen
        self.friends = self._declared(ours)
        self.slack = {id: volley.worth(weights) for id, volley in self.friends.items()}
        self.doomed = {id: volley.kill() for id, volley in self.friends.items()}
        self.everybody = [*theirs, *ours]
        self._sight: dict[tuple[str, str], float] = {}
        self._worth: dict[tuple[Option, int], Use | None] = {}
        self._open_odds: dict[tuple[str, str], float] = {}
        self._aims: dict[tuple[str, str, str], float] = {}

    def _declared(self, ours: list[Figure]) -> dict[str, Volley]:
        """What the side's units that have declared their fire will do to each target."""
        found: dict[str, Volley] = {}
        mine = {figure.unit.id for figure in ours}
        for order in self.state.declared:
            if not isinstance(order, FireOrder) or order.unit not in mine:
                continue
            attacker = self.state.unit(order.unit)
            primary = self.state.target(order.primary) if order.primary else None
            for attack in order.attacks:
                target = self.targets.get(attack.target)
                if target is None:
                    continue
                mount = attacker.spec.mounts[attack.mount]
                mode = fire_mode(mount, attack.mode)
                spotter = self.state.unit(attack.spotter) if attack.spotter else None
                number = weapon_attack(
                    self.state, attacker, mount, mode, target.unit, primary=primary, spotter=spotter, aim=attack.aim
                )
                distance = self.state.board.grid.distance(attacker.cell, target.unit.cell)
                bracket = mode.weapon.bracket(max(1, distance))
                if not number.possible or bracket is None:
                    continue
                groups, points = self._groups(attacker, mount, mode, bracket, distance, target, bool(attack.spotter))
                side = hit_side(self.state, attacker.cell, target.unit)
                found.setdefault(attack.target, Volley(target)).add(number.odds, groups, points, side, attack.aim)
        return found

    def _covered(self, target: Figure) -> bool:
        """Whether troopers have cover where they are."""
        return target.unit.dug_in or offers_cover(self.state.board, target.unit.cell)

    def _groups(
        self, unit: UnitState, mount: Mount, mode: FireMode, bracket: int, distance: int, target: Figure, indirect: bool
    ) -> tuple[float, float]:
        """A hit as (groups, points of a group) in what its target counts its losses in."""
        if target.kind == "infantry":
            lost = mean_damage(unit, mount, mode, bracket, distance, target.versus)
            return 1.0, lost if self._covered(target) else lost * OPEN_GROUND
        return groups_of(unit, mount, mode, bracket, indirect=indirect)

    # -- one weapon -----------------------------------------------------------------------------------------------------

    def _use(self, option: Option, number: int) -> Use | None:
        """What firing a weapon so is worth, None where it is not worth doing."""
        key = (option, number)
        if key not in self._worth:
            self._worth[key] = self._weigh(option, number)
        return self._worth[key]

    def _weigh(self, option: Option, number: int) -> Use | None:
        target = self.targets.get(option.target)
        seen = self.frames.get((option.target, option.attack.spotter))
        if target is None or seen is None:
            return None
        weights = self.weights
        unit = self.unit
        mount = unit.spec.mounts[option.attack.mount]
        mode = option.mode
        chance = chance_2d6(number)
        if "anti_mech" in mode.weapon.flags:
            value = assault_value(mount, self.me, target, chance, weights)
            return Use(option, value, 0, chance, 0.0) if value > 0.0 else None
        bracket = mode.weapon.bracket(max(1, seen.distance)) or 0
        damage = mean_damage(unit, mount, mode, bracket, seen.distance, target.versus)
        beside = 0.0
        if mode.munition:
            damage, beside = load_worth(self.state, unit, mount, mode, target, seen.distance, weights)
        if option.attack.spotter:
            chance *= self._spotted(option.attack.spotter, target)
        if (mode.ammo or mount.one_shot) and not self._spend(mount, mode, chance):
            return None
        aim = option.attack.aim
        side = seen.side
        if aim:
            worth = damage * self._aimed(target, side, aim)
        else:
            covered = self._covered(target) if target.kind == "infantry" else seen.cover
            worth = damage * (target.factors[side, covered] - target.jolt[side] / TYPICAL_HIT)
        if damage and not aim and not target.unit.spec.is_infantry:
            groups, _ = groups_of(unit, mount, mode, bracket, indirect=bool(option.attack.spotter))
            worth += groups * (weights.critical * self._open(target, side) * target.value + target.jolt[side])
        worth *= shelter(self.state, target, target.ground.place(target.unit.cell, target.unit.elevation))
        worth += self._warms(mode, target) + beside
        if mode.munition:
            worth += caught_worth(self.state, unit, mount, mode, target, self.everybody, seen.distance, weights)
        if DESIGNATOR in mode.weapon.flags:
            worth += paint_worth(self.state, self.me, target, self.ours, weights)
        if "beacon" in mode.weapon.flags and not target.unit.narc >> unit.side & 1:
            worth += 1.0
        worth *= 1.0 - self.doomed.get(option.target, 0.0)
        if target.crippled:
            worth *= weights.crippled_target
        value = chance * worth
        if option.target in self.friends:
            value *= 1.0 + weights.concentrate
        value *= 1.0 + weights.prey * target.hurt
        if mode.ammo:
            left = unit.shots(mode.ammo) / mode.shots
            value -= max(0.0, 1.0 - left / weights.last) * 0.5 * _USUAL_ODDS * worth
        if mode.jam_at:
            value -= (1.0 - chance_2d6(mode.jam_at + 1)) * weights.jam
        if option.attack.spotter:
            friend = self.state.unit(option.attack.spotter)
            if not friend.fired and not any(order.unit == friend.id for order in self.state.declared):
                value -= weights.spotting
        streak = "streak" in mode.weapon.flags
        heat = round(mode.heat * chance) if streak else mode.heat
        return Use(option, value, heat, chance, damage) if value > 0.0 else None

    def _spotted(self, spotter: str, target: Figure) -> float:
        """Chance that a spotter sees a target well enough."""
        key = (spotter, target.unit.id)
        known = self._sight.get(key)
        if known is None:
            known = self._sight[key] = spot_odds(self.state, spotter, target.unit)
        return known

    def _spend(self, mount: Mount, mode: FireMode, chance: float) -> bool:
        """Whether the odds are worth the rounds that are left, the only one of what fires once."""
        rounds = 1 if mount.one_shot else self.unit.shots(mode.ammo) // mode.shots
        least = next(odds for start, odds in reversed(self.weights.thrift) if rounds >= start)
        return chance >= least

    def _aimed(self, target: Figure, side: str, aim: str) -> float:
        """Worth of a point of damage by an aimed shot."""
        key = (target.unit.id, side, aim)
        known = self._aims.get(key)
        if known is None:
            known = self._aims[key] = odds_factor(target.unit, target.value, strike_odds(target, side, aim), side == "rear")
        return known

    def _open(self, target: Figure, side: str) -> float:
        """Chance that a hit strikes a location without armour."""
        key = (target.unit.id, side)
        known = self._open_odds.get(key)
        if known is None:
            foe = target.unit
            known = 0.0
            rear = side == "rear" and target.hot
            for location, odd in enumerate(struck(foe, side)):
                armor = foe.armor[REAR_ARMOR[location]] if rear and location in REAR_ARMOR else foe.armor[location]
                if armor <= 0 and not foe.lost(location):
                    known += odd
            self._open_odds[key] = known
        return known

    def _warms(self, mode: FireMode, target: Figure) -> float:
        """What the heat is worth that a hit puts into its target: much to one that is hot already."""
        heat = float(mode.target_heat)
        for flag, dice in _HEATING.items():
            if flag in mode.weapon.flags:
                heat += dice * _DIE
        return heat_worth(heat, target, self.weights) if heat and target.hot else 0.0
