"""Breaking in on a declaration: a held action used where it does most, a turn taken before the other's. Rule: M-9, M-10."""

from __future__ import annotations

from dataclasses import replace

from opfor.game.decision import Decision
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.opportunity import OpportunityChoices
from opfor.game.legal.physical import PhysicalChoices
from opfor.orders import FireOrder, MoveOrder, Order, PassOrder, PhysicalOrder, PreemptOrder
from opfor.rules.shooting.arcs import side_struck
from opfor.state import State, Underway
from policies.veteran.figures import Figure, Spot
from policies.veteran.fire import FirePlan
from policies.veteran.lanes import BLOCKED, Lanes
from policies.veteran.mind import Mind
from policies.veteran.move_plan import MovePlan
from policies.veteran.options import rank
from policies.veteran.physical import blow_value
from policies.veteran.spots import key_of

#: how much better a later hex must be than this one
_LATER = 1.1
#: share of the harm that is aimed at a unit which it keeps off by taking its turn first
_SPARED = 0.4


def nothing_to_weigh(decision: Decision) -> Order | None:
    """Letting a moment pass at which there is nothing to think about: somebody moves, and no action is held."""
    unit, moment = decision.units[0], decision.moment
    if moment is None or (not unit.opportunity and not isinstance(moment.order, FireOrder | PhysicalOrder)):
        return PassOrder(unit.id, reason="lets it pass and waits for its own turn")
    return None


class BreakIn:
    """What one unit does at a moment of an enemy's declaration. ``words`` are what was considered."""

    def __init__(self, state: State, decision: Decision, ours: list[Figure], theirs: list[Figure], mind: Mind) -> None:
        self.state = state
        self.mind = mind
        self.weights = mind.weights
        self.ours = ours
        self.theirs = theirs
        legal = decision.legal
        assert decision.moment is not None and isinstance(legal, OpportunityChoices)
        self.legal = legal
        self.moment: Underway = decision.moment
        self.me = next(figure for figure in ours if figure.unit.id == decision.units[0].id)
        self.lanes: Lanes = mind.lanes(state)
        self.enemy = next((figure for figure in theirs if figure.unit.index == decision.moment.unit), None)
        self.words: list[str] = []

    def choose(self) -> Order:
        """The order, with its reason."""
        me, enemy = self.me, self.enemy
        if enemy is None:
            self.words.append("let it pass: +0.0")
            return PassOrder(me.unit.id, reason="sees nobody to break in on")
        value, order = self._now(enemy)
        saved, away = self._out_of_sight(enemy)
        if away is not None and saved > max(value, self.weights.break_in):
            self.words.append(f"move out of its sight: {saved:+z.1f}")
            return away
        if order is not None:
            self.words.append(f"break in on {enemy.unit.id}: {value:+z.1f}")
            why = self._better_later(enemy)
            if not why and value > self.weights.break_in:
                return order
            if why:
                self.words.append(f"wait: {why}")
                return PassOrder(me.unit.id, reason=why)
        if PreemptOrder(me.unit.id) in self.legal and (why := self._why_first(enemy)):
            return PreemptOrder(me.unit.id, reason=why)
        holds = "keeps its action for a better moment" if me.unit.opportunity else "waits for its own turn"
        self.words.append("let it pass: +0.0")
        return PassOrder(me.unit.id, reason=holds)

    # -- the held action ------------------------------------------------------------------------------------------------

    def _now(self, enemy: Figure) -> tuple[float, Order | None]:
        """The best action against the declaring unit as it stands, and what it is worth."""
        best: tuple[float, Order | None] = (0.0, None)
        for part in self.legal.parts:
            if isinstance(part, FireChoices):
                plan = FirePlan(self.state, self.me, self.ours, self.theirs, part.unit(self.me.unit.id), self.mind, held=True)
                fire = plan.choose()
                if fire.attacks and plan.gain > best[0]:
                    best = plan.gain, replace(fire, reason=f"breaks in: {fire.reason}")
            elif isinstance(part, PhysicalChoices):
                for order in part.unit(self.me.unit.id):
                    if order.target == enemy.unit.id:
                        value, words = blow_value(self.state, self.me, enemy, order, self.weights)
                        if value > best[0]:
                            best = value, replace(order, reason=f"breaks in: {words}")
        return best

    def _out_of_sight(self, enemy: Figure) -> tuple[float, Order | None]:
        """Moving out of the sight of an enemy that fires at it, for a unit that has stood still; and what that spares. M-9f."""
        order = self.moment.order
        part = next((part for part in self.legal.parts if isinstance(part, MovementChoices)), None)
        if part is None or not isinstance(order, FireOrder) or all(a.target != self.me.unit.id for a in order.attacks):
            return 0.0, None
        harm = self.weights.taken * self._harm(enemy)
        if harm <= self.weights.break_in:
            return 0.0, None
        choices = MovementChoices(self.state, [self.me.unit], simple=True)
        plan = MovePlan(self.state, self.me, self.ours, self.theirs, choices, self.mind)
        hidden = {
            key: group
            for key, group in plan.groups().items()
            if self.lanes.lane(enemy.key, self.me.spot_key(key[1])).out >= BLOCKED
        }
        options = sorted(plan.among(hidden, []), key=rank)
        best = next((o for o in options if o.order is not None and o.odds >= self.weights.least_odds and o.order in part), None)
        if best is None or best.order is None:
            return 0.0, None
        return best.odds * harm, replace(
            best.order, reason=f"breaks in: gets out of the sight of {enemy.unit.id}, which fires at it"
        )

    def _better_later(self, enemy: Figure) -> str:
        """Why the action is better kept, "" when now is the time: a hex to come on this way, or somebody else to come."""
        now = self.reckon(enemy, self._as_it_is(enemy))
        best, where = now * _LATER, ""
        for spot, cell in self._to_come(enemy):
            value = self.reckon(enemy, spot)
            if value > best:
                best, where = value, self.state.board.grid.names[cell]
        if where:
            return f"waits for {enemy.unit.id} to reach {where}"
        for other in self.theirs:
            if other is not enemy and not other.settled:
                spots = other.menace or other.spots
                value = self.weights.unmoved_given * sum([s.share * self.reckon(other, s) for s in spots])
                if value > best:
                    best, where = value, other.unit.id
        return f"keeps its action for {where}" if where else ""

    def _as_it_is(self, enemy: Figure) -> Spot:
        unit = enemy.unit
        here = enemy.here()
        return here._replace(facing=None if unit.spec.is_infantry else unit.facing)

    def _to_come(self, enemy: Figure) -> list[tuple[Spot, int]]:
        """The hexes that the enemy has yet to enter by its declared path, as spots."""
        order = self.moment.order
        if not isinstance(order, MoveOrder) or order.mode == "wait":
            return []
        unit = enemy.unit
        found = []
        hexes = unit.hexes_moved if unit.mode == order.mode else 0
        for cell, facing in path_ahead(self.state, order, unit.cell):
            hexes += 1
            last = cell == order.to
            elevation = order.elevation if last else self._elevation(enemy, cell)
            tm = enemy.elusiveness(order.mode, hexes)
            key = key_of(cell, elevation, 1 if last and order.prone else 0 if enemy.hot else enemy.posture)
            found.append((Spot(key, None if unit.spec.is_infantry else facing, 0, tm, 0, 1.0), cell))
        return found

    def _elevation(self, enemy: Figure, cell: int) -> int:
        if enemy.kind == "vtol":
            return enemy.unit.elevation
        floats = enemy.ground.motion.name in ("hover", "naval")
        return 0 if floats else -self.state.board.depth[cell]

    def reckon(self, enemy: Figure, spot: Spot) -> float:
        """The worth of our fire at an enemy in a spot, from where we stand now."""
        me = self.me
        lane = self.lanes.lane(me.key, spot.key)
        if lane.out >= BLOCKED:
            return 0.0
        relative = 0 if me.unit.spec.is_infantry else (lane.bearing - 4 * me.unit.facing) % 24
        here = me.here()
        damage = me.against(enemy.versus).around(relative, lane.distance, me.skill + here.am + lane.out + spot.tm, me.spare)
        side = "front"
        if spot.facing is not None:
            side = side_struck((lane.bearing + 12) % 24, spot.facing, lane.line_out, enemy.unit.spec.is_vehicle)
        return damage * enemy.factors[side, lane.cover_out]

    # -- taking the turn first ------------------------------------------------------------------------------------------

    def _why_first(self, enemy: Figure) -> str:
        """Why the unit had better take its own turn before the enemy goes on, "" when it had not. Rule: M-10.

        Before fire at itself, or at a friend where it may well destroy whoever fires; the fewer enemies have yet to move, the
        sooner.
        """
        order = self.moment.order
        if not isinstance(order, FireOrder) or not order.attacks:
            return ""
        me, weights = self.me, self.weights
        at_me = any(attack.target == me.unit.id for attack in order.attacks)
        harm = self._harm(enemy) if at_me else 0.0
        plan = FirePlan(self.state, me, self.ours, self.theirs, FireChoices(self.state, [me.unit]).unit(me.unit.id), self.mind)
        plan.choose()
        kill = plan.kill_odds(enemy.unit.id)
        grid = self.state.board.grid
        cost = 0.0
        for other in self.theirs:
            if other is not enemy and not other.settled:
                cost += weights.patience * other.value * 6.0 / (2.0 + grid.distance(me.unit.cell, other.unit.cell))
        gain = _SPARED * harm + kill * weights.kill * enemy.value
        self.words.append(f"take its turn first: {gain - cost:+z.1f}")
        if gain <= cost + weights.break_in:
            return ""
        return f"takes its turn before {enemy.unit.id} fires" + (" at it" if at_me else "")

    def _harm(self, enemy: Figure) -> float:
        me = self.me
        lane = self.lanes.lane(enemy.key, me.key)
        if lane.out >= BLOCKED:
            return 0.0
        spot = enemy.here()
        relative = 0 if enemy.unit.spec.is_infantry else (lane.bearing - 4 * enemy.unit.facing) % 24
        tm = me.here().tm
        damage = enemy.against(me.versus).around(relative, lane.distance, enemy.skill + spot.am + lane.out + tm, enemy.spare)
        return damage * me.factors["front", lane.cover_out]


_TURNS = {"L": -1, "R": 1}
#: direction of a step from the facing: backward is three hexsides round
_STEPS = {"F": 0, "B": 3, "SL": -1, "SR": 1, "SLB": -2, "SRB": 2}


def path_ahead(state: State, order: MoveOrder, here: int) -> list[tuple[int, int]]:
    """The hexes that a declared path still enters after ``here``, each with the facing in it; empty where it cannot be read.

    Read from its end, which the order names, back to where the unit is now.
    """
    grid = state.board.grid
    if order.mode == "jump" or order.attack:
        return [(order.to, order.facing)] if order.to != here else []
    cell, facing = order.to, order.facing
    found: list[tuple[int, int]] = []
    for token in reversed(order.path):
        if cell == here:
            break
        if token in _TURNS:
            facing = (facing - _TURNS[token]) % 6
        elif token in _STEPS:
            found.append((cell, facing))
            cell -= grid.step[(facing + _STEPS[token]) % 6]
    return found[::-1] if cell == here else []
