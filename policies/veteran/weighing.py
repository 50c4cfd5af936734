"""What places are worth to a unit: damage given less damage taken, heat and falls, the way still to go, company, ground."""

from __future__ import annotations

from opfor.game.legal.movement import MovementChoices
from opfor.rules.troops.infantry import offers_cover
from opfor.rules.turn.victory import must_withdraw
from opfor.state import State
from policies.veteran import riding
from policies.veteran.assaults import shaking_off
from policies.veteran.calls import own_bursts
from policies.veteran.exchange import Exchange, Result
from policies.veteran.figures import Figure
from policies.veteran.mind import Mind
from policies.veteran.mishaps import mishap_cost
from policies.veteran.missions import at_work, goals, pull
from policies.veteran.mover import Mover
from policies.veteran.stance import best_range, facing_cost, falls_back
from policies.veteran.terrain import FAR, hazard, shelter, to_edge
from policies.veteran.told import Duty

#: turns before impatience grows
_PATIENT = 10
#: urge of a unit without weapons to close with armed enemies
_UNARMED = 0.2
#: toughness of a vehicle that cares no more for being missed than a 'Mech does, and how many times more the frailest do
_STURDY, _FRAIL = 120.0, 4.0
#: ways of coming to a place after which a mission action may be started, and what others lose of the place's pull
_CALM, _HASTY = ("", "stand", "walk"), 0.5
#: enemies in reach, beyond which troopers in the open do not care for one more
_MANY = 3


class Weighing(Mover):
    """A unit that moves, and what it would make of each place."""

    def __init__(
        self, state: State, me: Figure, ours: list[Figure], theirs: list[Figure], choices: MovementChoices, mind: Mind
    ) -> None:
        super().__init__(state, me, ours, theirs, choices, mind)
        theirs = self.theirs
        self.exchange = Exchange(state, me, self.friends, theirs, self.lanes, self.weights)
        #: what the game master has told the side
        self.duty = Duty(self) if state.directives else None
        self.edges = mind.edges(state)
        self.leaving = bool(must_withdraw(state, me.unit)) and bool(state.edges[me.unit.side])
        #: falls back and goes on fighting, by its own judgement
        self.retiring = not self.leaving and falls_back(state, me, self.weights)
        hunted = (self.duty and self.duty.hunted) or theirs
        self.field = mind.field(state, me, hunted) if theirs and not self.retiring else None
        self.best_range, self.best_damage = best_range(me, theirs, self.weights.outshoot)
        self.care = self.weights.taken * (1.0 + self.weights.hurt * me.hurt)
        if self.leaving:
            self.care *= 1.5
        #: the urge to close in
        self.approach = self.weights.approach
        if self.duty is not None:
            self.care *= self.duty.care
            self.approach *= self.duty.approach
        #: what a point of target modifier is worth: most to those whom few hits stop
        self.evasion = self.weights.evasion
        if me.unit.spec.is_vehicle:
            self.evasion *= max(1.0, min(_FRAIL, _STURDY / me.toughness))
        #: whether it has shot on the way (M-8)
        self.acted = me.unit.complex_action == "pause"
        #: where own shells come down, and where mission actions may be started (E-4, A-1)
        self.bursts = own_bursts(state, me.unit.side) if state.shells else {}
        self.goals = goals(state, me.unit) if state.actions else frozenset()
        self.at_work = bool(state.actions_started) and at_work(state, me.unit)
        self._ground: dict[int, float] = {}
        self._through: dict[int, float] = {}
        self._fallen: float | None = None

    def ground_value(self, place: int) -> float:
        """What a place is worth whatever the exchange: hazards, edges, company, range."""
        known = self._ground.get(place)
        if known is not None:
            return known
        weights = self.weights
        state = self.state
        unit = self.me.unit
        cell = self.ground.cell(place)
        value = -hazard(state, self.me, place, weights)
        if self.leaving:
            value -= weights.withdraw * to_edge(state, cell, state.edges[unit.side])
        else:
            if self.retiring:
                value -= weights.retreat * to_edge(state, cell, state.edges[unit.side])
            distance = state.board.grid.distance
            if self.theirs:
                value -= weights.edge * self.edges[cell]
                nearest = min([distance(cell, enemy.unit.cell) for enemy in self.theirs])
                value -= weights.range_keeping * max(0, self.best_range - nearest)
                value -= weights.closing * max(0, nearest - self.best_range)
                value += riding.place_value(self, place, nearest)
            if self.friends:
                apart = sum([distance(cell, friend.unit.cell) for friend in self.friends]) / len(self.friends)
                value -= weights.cohesion * max(0.0, apart - weights.loose)
        if self.bursts and not self.me.flies:
            value -= weights.expected_there * self.bursts.get(cell, 0.0) * self.me.factors["front", False]
        if self.goals and not self.leaving:
            value += weights.objective * pull(state, self.goals, cell)
        if self.duty is not None and not self.leaving:
            value += self.duty.worth(cell)
        self._ground[place] = value
        return value

    def weigh(self, place: int, prone: bool, facing: int | None, mode: str, hexes: int, heat: int) -> tuple[float, Result]:
        """The worth of an end of movement, and the exchange there."""
        weights = self.weights
        me = self.me
        tm = me.elusiveness(mode, hexes)
        through = self._through.get(place)
        if through is None:
            through = self._through[place] = shelter(self.state, me, place)
        key = me.spot_key(place, prone=prone)
        result = self.exchange.at(key, facing if self.faces else None, mode, tm, heat, through)
        given = 0.0 if self.leaving else weights.given * result.given
        value = given - self.care * result.taken + result.blows + self.ground_value(place) + self.evasion * tm
        if result.eyes:
            value += weights.eyes * result.eyes
        if result.exposed and me.kind == "infantry" and self._bare(place):
            value -= weights.bare * min(result.exposed, _MANY)
        if self.goals and mode not in _CALM and self.ground.cell(place) in self.goals:
            # who comes at a run may start nothing yet
            value -= _HASTY * weights.objective
        if self.at_work and mode != "stand":
            # moving breaks what it is at
            value -= weights.mission
        if me.swarmer:
            value += shaking_off(self.state, me, mode, weights)
        # whoever is on its way to fetch infantry closes in with it, not without
        if self.field is not None and not self.leaving and not self.acted and not (self.fetched and result.given <= 0.0):
            damage = result.given
            useless = self._useless(damage)
            if useless > 0:
                away = self.away(self.ground.cell(place))
                patience = 1.0 + weights.impatience * max(0, self.state.turn - _PATIENT)
                value -= useless * patience * self.approach * away
                if damage <= 0.0:
                    value -= weights.idle * patience
        # what is left at the end of the turn even if nothing is fired
        hot = heat + weights.comfortable - me.spare
        if hot > 0:
            value -= weights.heat_cost(hot)
        if facing is not None and self.faces and self.theirs:
            value -= facing_cost(self.lanes, self.theirs, key, facing, weights)
        return value, result

    def _bare(self, place: int) -> bool:
        """Whether troopers have no cover in a place."""
        cell = self.ground.cell(place)
        dug_in = self.me.unit.dug_in and cell == self.me.unit.cell
        return not dug_in and not offers_cover(self.state.board, cell)

    def away(self, cell: int) -> int:
        """MP of ground from a hex to where the weapons like to be; hexes where no way leads there."""
        assert self.field is not None
        far = self.field[cell]
        if far >= FAR:
            distance = self.state.board.grid.distance
            far = min([distance(cell, enemy.unit.cell) for enemy in self.theirs])
        return max(0, far - self.best_range)

    def _useless(self, damage: float) -> float:
        """How little a position does with the damage that it promises: 0 for enough, 1 for nothing at all."""
        if self.best_damage > 0:
            return 1.0 - min(1.0, damage / (0.5 * self.best_damage))
        if not self.me.hot and not self.me.power.reach:
            # what carries no weapon has nothing to do near the enemy
            return 0.0
        # without weapons there are still fists and feet, but not against guns
        return _UNARMED if any(enemy.power.reach for enemy in self.theirs) else 1.0

    def value(self, place: int, mode: str) -> tuple[float, Result]:
        """The worth of being in a place after a movement of no hexes, looking any way."""
        return self.weigh(place, False, None, mode, 0, 0)

    def risked(self, value: float, odds: float) -> float:
        """What a move is worth that is only made with some odds: failing it leaves the unit on the ground, or adrift."""
        if odds >= 1.0:
            return value
        if self._fallen is None:
            unit = self.me.unit
            prone = self.me.hot
            failed, _ = self.weigh(self.moves.place, prone, unit.facing, "walk", 0, 0)
            self._fallen = failed - mishap_cost(self.state, self.me, self.weights)
        value = odds * value + (1.0 - odds) * min(value, self._fallen)
        return value - self.weights.fall if odds < self.weights.least_odds else value
