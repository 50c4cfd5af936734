"""Choosing weapon fire: posture, targets, weapons, modes by what they may do, for the heat they are worth. Rule: S-4, S-7.

Each weapon has its best use against each primary target; heat costs more the hotter it gets, so that weapons are taken in
the order of what they do for their heat until the next is no longer worth it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from opfor.game.legal.fire import Option, UnitFire
from opfor.orders import FireOrder
from opfor.rules.harm.explosions import worst_bin
from opfor.rules.pilots.heat import dissipation, engine_heat
from opfor.rules.shooting.to_hit import Posture
from opfor.state import State
from opfor.units.spec import ARMS
from policies.veteran.assaults import assault_words
from policies.veteran.errands import errands, hex_shots
from policies.veteran.figures import Figure
from policies.veteran.mind import Mind
from policies.veteran.physical import blow_here
from policies.veteran.shots import Shots, Use
from policies.veteran.volley import Volley


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


class FirePlan(Shots):
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
        super().__init__(state, me, ours, theirs, legal, mind.weights)
        self.legal = legal
        self.lanes = mind.lanes(state)
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
        self.plans: list[Plan] = []

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

    def second(self, within: float) -> FireOrder | None:
        """The next best way to fire at somebody, if it is worth at most so much less; after :meth:`choose`."""
        shots = [plan for plan in self.plans if plan.uses]
        best = self.plans[0]
        for plan in shots:
            other = plan.primary != best.primary and best.value - plan.value <= within
            if other and not self.legal.why_not(order := self._order(plan)):
                return order
        return None

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
            return _fire_words(self, plan)
        if not self.targets:
            return "no enemy on the field"
        if not any(self.legal.targets(posture) for posture in self.legal.postures):
            return "no shot at anybody"
        return f"holds fire: no shot is worth its {'heat and rounds' if self.me.hot else 'rounds'}"

    def words(self) -> list[str]:
        """The ways considered, one a primary target and posture, best first."""
        return [
            f"{plan.posture.words}, {len(plan.uses)} weapon{'s' * (len(plan.uses) != 1)} at {plan.primary}: {plan.value:+z.1f}"
            if plan.uses
            else f"{plan.words or 'hold fire'}: {plan.value:+z.1f}"
            for plan in self.plans
        ]


def _fire_words(of: FirePlan, plan: Plan) -> str:
    """The target of a plan, the odds, what is to be expected, who helps, what else is shot at."""
    first = [use for use in plan.uses if use.option.target == plan.primary]
    best = max(use.chance for use in first)
    if "anti_mech" in first[0].option.mode.weapon.flags:
        return assault_words(of.unit, plan.primary, of.unit.spec.mounts[first[0].option.attack.mount], best)
    damage = sum(use.chance * use.damage for use in first)
    seen = of.frames[plan.primary, first[0].option.attack.spotter]
    troops = of.targets[plan.primary].unit.spec.is_infantry
    side = "" if seen.side == "front" or troops else f"'s {seen.side}"
    what = "troopers" if of.targets[plan.primary].kind == "infantry" else "points"
    where = f"at {seen.distance} hex{'es' if seen.distance != 1 else ''}" if seen.distance else "in its own hex"
    words = f"{plan.primary}{side} {where}, odds up to {round(100 * best)} %, {damage:.0f} {what} to be expected"
    if plan.primary in of.friends:
        words += ", with friends"
    if first[0].option.attack.spotter:
        words += f", spotted by {first[0].option.attack.spotter}"
    others = sorted({use.option.target for use in plan.uses} - {plan.primary})
    if others:
        words += f", the rest at {', '.join(others)}"
    heat = sum(use.heat for use in plan.uses)
    if of.me.hot and of.cool + heat >= of.weights.comfortable:
        words += f", heat to {max(0, of.cool + heat)}"
    return words
