"""Choosing weapon fire: posture, targets, weapons, modes by what they may do, for the heat they are worth. Rule: S-4, S-7.

Each weapon has its best use against each primary target; heat costs more the hotter it gets, so that weapons are taken in
the order of what they do for their heat until the next is no longer worth it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from opfor.dice import chance_2d6
from opfor.game.legal.fire import Option, UnitFire
from opfor.orders import FireOrder
from opfor.rules.arcs import hit_side
from opfor.rules.explosions import worst_bin
from opfor.rules.frame import Frame
from opfor.rules.heat import dissipation, engine_heat
from opfor.rules.infantry import offers_cover
from opfor.rules.to_hit import Posture, weapon_attack
from opfor.rules.weapon_fire import fire_mode
from opfor.state import State
from opfor.tables.arsenal import FireMode
from opfor.units.spec import ARMS, REAR_ARMOR, Mount
from opfor.units.state import UnitState
from policies.veteran.assaults import assault_value
from policies.veteran.errands import errands, hex_shots
from policies.veteran.figures import Figure
from policies.veteran.fire_words import fire_words
from policies.veteran.harm import groups_of, mean_damage
from policies.veteran.loads import DESIGNATOR, caught_worth, heat_worth, load_worth, paint_worth, spot_odds
from policies.veteran.mind import Mind
from policies.veteran.physical import blow_here
from policies.veteran.terrain import shelter
from policies.veteran.volley import Volley, strike_odds
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


@dataclass(slots=True)
class Plan:
    """A way to fire: posture, primary target, the uses by mount, and what it all is worth.

    ``order``: what is done that is no fire at units, with its reason in ``words``.
    """

    posture: Posture
    primary: str
    uses: list[Use]
    value: float
    order: FireOrder | None = None
    words: str = ""


class FirePlan:
    """The fire of one unit. ``plans`` are the ways considered, best first, once :meth:`choose` has run."""

    def __init__(
        self,
        state: State,
        me: Figure,
        ours: list[Figure],
        theirs: list[Figure],
        legal: UnitFire,
        mind: Mind,
        *,
        held: bool = False,
    ) -> None:
        """``held``: the fire of an opportunity action, whose heat nothing sheds this turn (M-9e)."""
        self.state = state
        self.me = me
        self.unit = me.unit
        self.ours = ours
        self.legal = legal
        self.weights = mind.weights
        self.lanes = mind.lanes(state)
        self.targets = {figure.unit.id: figure for figure in theirs}
        self.frames: dict[tuple[str, str], Frame] = {(seen.target.id, ""): seen for seen in legal.solver.direct}
        if me.indirect is not None:
            for seen in legal.solver.spotted:
                assert seen.spotter is not None
                self.frames[seen.target.id, seen.spotter.id] = seen
        self.friends = self._declared(ours)
        self.slack = {id: volley.worth(self.weights) for id, volley in self.friends.items()}
        self.doomed = {id: volley.kill() for id, volley in self.friends.items()}
        unit = self.unit
        #: heat at the end of the turn if nothing is fired
        self.cool = unit.heat + unit.heat_built + engine_heat(unit) - dissipation(state, unit) if me.hot else 0
        if held and state.ruleset.opportunity_heat == "carried":
            self.cool = max(0, self.cool)
        self.held = held
        #: what the best plan is worth beyond firing nothing
        self.gain = 0.0
        #: whether fire is at one target unless more is given up for it (M-1, M-4)
        self.one_target = state.ruleset.action_budget != "standard"
        #: one simple action has gone with running: fire is the other (M-1)
        self.fire_or_blow = state.ruleset.action_budget == "mwii" and unit.mode in ("run", "jump")
        self.explosive = me.hot and worst_bin(unit) >= 0
        self.kick, self.arms = blow_here(state, me, theirs, self.weights)
        self.everybody = [*theirs, *ours]
        self._sight: dict[tuple[str, str], float] = {}
        self._worth: dict[tuple[Option, int], Use | None] = {}
        self._open_odds: dict[tuple[str, str], float] = {}
        self._aims: dict[tuple[str, str, str], float] = {}
        self.plans: list[Plan] = []

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
        if mode.ammo and not mount.one_shot and not self._spend(mode, chance):
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
        worth *= 1.0 - 0.8 * self.doomed.get(option.target, 0.0)
        if target.crippled:
            worth *= weights.crippled_target
        value = chance * worth
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

    def _spend(self, mode: FireMode, chance: float) -> bool:
        """Whether the odds are worth the rounds that are left."""
        rounds = self.unit.shots(mode.ammo) // mode.shots
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

    # -- a volley -------------------------------------------------------------------------------------------------------

    def choose(self) -> FireOrder:
        """The best fire order."""
        legal = self.legal
        hold = Plan(legal.postures[0], "", [], -self._heat_cost(0))
        plans = [hold]
        for posture in legal.postures:
            for volley in legal.unit_volleys(posture):
                if volley.primary in self.targets:
                    plans += self._plans(posture, volley.primary, volley.options)
        # what is not fire at units, as far as it is better than holding fire
        if not self.held:
            theirs = list(self.targets.values())
            other = errands(self.me, theirs, legal, self.lanes, self.weights)
            other += hex_shots(self.state, self.me, theirs, self.ours, legal, self.weights)
            plans += [Plan(legal.postures[0], "", [], value, order, words) for value, order, words in other if value > 0.0]
        plans.sort(key=lambda plan: -plan.value)
        self.plans = plans
        for plan in plans:
            order = self._order(plan)
            if not legal.why_not(order):
                self.gain = plan.value - hold.value
                return order
        return self._order(hold)

    def _plans(self, posture: Posture, primary: str, options: list[list[Option]]) -> list[Plan]:
        """The best combination against a primary target; the best at it alone as well, where several targets cost a blow."""
        plan = self._plan(posture, primary, options)
        if plan is None:
            return []
        if not self.one_target:
            return [plan]
        several = any(use.option.target != primary for use in plan.uses)
        if several or any(use.option.attack.spotter for use in plan.uses) or self.fire_or_blow:
            # fire at several targets and indirect fire leave no other action (M-4, M-5)
            plan.value -= self.kick
        if not several:
            return [plan]
        single = self._plan(posture, primary, [[o for o in row if o.target == primary] for row in options])
        if single is None:
            return [plan]
        if self.fire_or_blow:
            single.value -= self.kick
        return [plan, single]

    def kill_odds(self, target: str) -> float:
        """Chance that the best plan against a target destroys it."""
        plan = next((plan for plan in self.plans if plan.primary == target and plan.uses), None)
        return self._volley(target, plan.uses, with_friends=False).kill() if plan is not None else 0.0

    def _heat_cost(self, heat: int) -> float:
        return self.weights.heat_cost(self.cool + heat, self.explosive) if self.me.hot else 0.0

    def _plan(self, posture: Posture, primary: str, options: list[list[Option]]) -> Plan | None:
        """The best combination against one primary target; a leg or swarm attack stands for all that the unit can do."""
        ways: list[list[Use]] = []
        assault: Use | None = None
        for mount in options:
            uses = []
            for option in mount:
                use = self._use(option, option.as_primary if option.target == primary else option.as_secondary)
                if use is None:
                    continue
                if "anti_mech" not in option.mode.weapon.flags:
                    uses.append(use)
                elif option.target == primary and (assault is None or use.value > assault.value):
                    assault = use
            if uses:
                uses.sort(key=lambda use: -use.value)
                ways.append(uses)
        chosen = self._fill(ways)
        if assault is not None and assault.value > sum(use.value for use in chosen):
            return Plan(posture, primary, [assault], assault.value)
        for arm, blow in self.arms.items():
            inside = [use for use in chosen if self.unit.spec.mounts[use.option.attack.mount].location == arm]
            if inside and sum(use.value for use in inside) < blow - self.kick:
                chosen = [use for use in chosen if use not in inside]
        if not any(use.option.target == primary for use in chosen):
            return None
        heat = sum(use.heat for use in chosen)
        value = sum(use.value for use in chosen) - self._heat_cost(heat) + self._bonus(chosen)
        chosen.sort(key=lambda use: use.option.attack.mount)
        # looking ahead leaves the arms where they are of use
        return Plan(posture, primary, chosen, value - (0.05 if posture.twist or posture.flip else 0.0))

    def _fill(self, ways: list[list[Use]]) -> list[Use]:
        """Take weapons by what they do for their heat while they are worth it; then let each reconsider its mode."""
        unit = self.unit
        rounds: dict[str, int] = {}
        arm = -1
        one_arm = unit.prone and self.me.hot and not unit.spec.quad
        chosen: dict[int, Use] = {}
        heat = 0

        def fits(use: Use, instead: Use | None) -> bool:
            ammo = use.option.mode.ammo
            if ammo and not unit.spec.mounts[use.option.attack.mount].one_shot:
                left = rounds.get(ammo, unit.shots(ammo))
                if instead is not None and instead.option.mode.ammo == ammo:
                    left += instead.option.mode.shots
                if left < use.option.mode.shots:
                    return False
            location = unit.spec.mounts[use.option.attack.mount].location
            return not (one_arm and location in ARMS and arm not in (-1, location))

        def pay(use: Use, sign: int) -> None:
            ammo = use.option.mode.ammo
            if ammo:
                rounds[ammo] = rounds.get(ammo, unit.shots(ammo)) - sign * use.option.mode.shots

        ways.sort(key=lambda uses: (-uses[0].value / (uses[0].heat + 0.5), uses[0].option.attack.mount))
        for _ in range(2):
            for uses in ways:
                mount = uses[0].option.attack.mount
                now = chosen.get(mount)
                best, gain = now, 0.0
                before = self._heat_cost(heat)
                for use in uses:
                    if use is now or not fits(use, now):
                        continue
                    change = use.heat - (now.heat if now else 0)
                    better = use.value - (now.value if now else 0.0) - (self._heat_cost(heat + change) - before)
                    if better > gain + 1e-9:
                        best, gain = use, better
                if now is not None:
                    # or to hold after all
                    if self._heat_cost(heat) - self._heat_cost(heat - now.heat) > now.value and gain <= 0.0:
                        best = None
                    if best is not now:
                        pay(now, -1)
                        heat -= now.heat
                        del chosen[mount]
                if best is not None and best is not now:
                    chosen[mount] = best
                    pay(best, 1)
                    heat += best.heat
                    location = unit.spec.mounts[mount].location
                    if one_arm and location in ARMS:
                        arm = location
        return list(chosen.values())

    def _bonus(self, chosen: list[Use]) -> float:
        """What the volley may do beyond the sum of its shots, with what friends have declared."""
        total = 0.0
        for id in dict.fromkeys(use.option.target for use in chosen):
            total += self._volley(id, chosen).worth(self.weights) - self.slack.get(id, 0.0)
        return total

    def _volley(self, id: str, chosen: list[Use], *, with_friends: bool = True) -> Volley:
        """The shots at one target, after those that friends have declared."""
        before = self.friends.get(id) if with_friends else None
        volley = Volley(self.targets[id], list(before.shots) if before else [])
        for use in chosen:
            if use.option.target != id:
                continue
            seen = self.frames[id, use.option.attack.spotter]
            mount = self.unit.spec.mounts[use.option.attack.mount]
            bracket = use.option.mode.weapon.bracket(max(1, seen.distance)) or 0
            attack = use.option.attack
            groups, points = self._groups(
                self.unit, mount, use.option.mode, bracket, seen.distance, self.targets[id], bool(attack.spotter)
            )
            volley.add(use.chance, groups, points, seen.side, attack.aim)
        return volley

    # -- words ----------------------------------------------------------------------------------------------------------

    def _order(self, plan: Plan) -> FireOrder:
        if plan.order is not None:
            return replace(plan.order, reason=plan.words)
        attacks = tuple([use.option.attack for use in plan.uses])
        return FireOrder(self.unit.id, plan.posture.twist, plan.posture.flip, attacks, plan.primary, reason=self._reason(plan))

    def _reason(self, plan: Plan) -> str:
        if plan.uses:
            return fire_words(self, plan)
        if not self.targets:
            return "no enemy on the field"
        if not any(self.legal.targets(posture) for posture in self.legal.postures):
            return "no shot at anybody"
        return f"holds fire: no shot is worth its {'heat and rounds' if self.me.hot else 'rounds'}"

    def words(self) -> list[str]:
        """The ways considered, one a primary target and posture, best first."""
        return [
            f"{plan.posture.words}, {len(plan.uses)} weapons at {plan.primary}: {plan.value:+.1f}"
            if plan.uses
            else f"{plan.words or 'hold fire'}: {plan.value:+.1f}"
            for plan in self.plans
        ]
