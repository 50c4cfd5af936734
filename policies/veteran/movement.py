"""Choosing a movement: every place a unit can reach is weighed first, then the facings of the best, then their rolls.

What a position is worth: damage given less damage taken, heat and falls, the way still to go, company, ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from opfor.dice import chance_2d6
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.moves import UnitMoves
from opfor.game.restraint import RestrainedMoves
from opfor.orders import MoveOrder
from opfor.rules.moving.movement import hip_or_gyro_damage, leg_damage, stands_without_roll
from opfor.rules.moving.reach import End, landing_place
from opfor.rules.pilots.heat import movement_heat
from opfor.rules.troops.infantry import offers_cover
from opfor.rules.turn.victory import must_withdraw
from opfor.state import State
from policies.veteran import riding
from policies.veteran.assaults import shaking_off
from policies.veteran.calls import own_bursts
from policies.veteran.charges import best_charge
from policies.veteran.duties import falls_back, fly_run, leave
from policies.veteran.exchange import Exchange, Result
from policies.veteran.figures import BY_HEXES, Figure
from policies.veteran.foresight import low_flight
from policies.veteran.manoeuvres import consider
from policies.veteran.mind import Mind
from policies.veteran.mishaps import mishap_cost, path_hazard
from policies.veteran.missions import at_work, goals, pull
from policies.veteran.stance import best_range, facing_cost
from policies.veteran.terrain import FAR, hazard, shelter, to_edge
from policies.veteran.told import Duty

#: turns before impatience grows
_PATIENT = 10
#: urge of a unit without weapons to close with armed enemies
_UNARMED = 0.2
#: toughness of a vehicle that cares no more for being missed than a 'Mech does, and how many times more the frailest do
_STURDY, _FRAIL = 120.0, 4.0
#: modes in which turning may call for rolls that the search does not know of
_FAST = ("run", "evade", "sprint")
#: ways of coming to a place after which a mission action may be started, and what others lose of the place's pull
_CALM, _HASTY = ("", "stand", "walk"), 0.5
#: enemies in reach, beyond which troopers in the open do not care for one more
_MANY = 3


#: places whose facings are weighed at once, so many times over where the ways to the first are bad
_BATCHES = 6
_FAR_WORSE = 1e9


#: ends by mode and place: most hexes moved, the ends (for a jump: facings), whether all call for a roll
Groups = dict[tuple[str, int], tuple[int, list[End | int], bool]]


@dataclass(slots=True)
class Option:
    """A way to end the movement: where, how, what it is worth and why. ``odds``: chance of all its rolls."""

    mode: str
    place: int
    facing: int
    prone: bool
    hexes: int
    heat: int
    #: the end of a ground movement, None for a jump or for standing still
    end: End | None
    value: float
    result: Result | None = None
    odds: float = 1.0
    order: MoveOrder | None = None
    #: of a stop for an action on the way: where it is to end
    onward: Option | None = None


def rank(option: Option) -> tuple[float, str, int, int]:
    return -option.value, option.mode, option.place, option.facing


class MovePlan:
    """The movement of one unit. ``options`` are the best ends, best first, once :meth:`choose` has run."""

    def __init__(
        self, state: State, me: Figure, ours: list[Figure], theirs: list[Figure], choices: MovementChoices, mind: Mind
    ) -> None:
        self.state = state
        self.me = me
        self.mind = mind
        self.weights = mind.weights
        self.choices = choices
        self.moves: UnitMoves = choices.of(me.unit)
        self.friends = [figure for figure in ours if figure is not me and not figure.unit.aboard]
        #: infantry that a carrier had better fetch
        self.fetched = riding.to_fetch(state, me, self.friends, theirs)
        #: infantry looks all ways at once
        self.faces = not me.unit.spec.is_infantry
        # what clings to the unit is out of the reach of its own weapons
        self.theirs = theirs = [enemy for enemy in theirs if enemy.unit.swarming != me.unit.id]
        self.lanes = mind.lanes(state)
        self.exchange = Exchange(state, me, self.friends, theirs, self.lanes, self.weights)
        self.ground = me.ground
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
        #: whether it has shot on the way (M-8), and whether there are complex actions beside moving and fire (M-1)
        self.acted = me.unit.complex_action == "pause"
        self.actions = state.ruleset.action_budget != "standard"
        #: where own shells come down, and where mission actions may be started (E-4, A-1)
        self.bursts = own_bursts(state, me.unit.side) if state.shells else {}
        self.goals = goals(state, me.unit) if state.actions else frozenset()
        self.at_work = bool(state.actions_started) and at_work(state, me.unit)
        #: the ways to fly the bomb run that the unit has announced
        self.flown: set[MoveOrder | None] = set()
        self.options: list[Option] = []
        self._ground: dict[int, float] = {}
        self._through: dict[int, float] = {}
        self._fallen: float | None = None

    # -- places ---------------------------------------------------------------------------------------------------------

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

    # -- the search -----------------------------------------------------------------------------------------------------

    def choose(self) -> Option:
        """The best way to move."""
        if self.me.unit.aboard:
            self.options = riding.options_inside(self)
            return self.options[0]
        options = self.among(self.groups(), self._with_rolls(self.stay()))
        options.sort(key=rank)
        self.options = options
        if self.leaving:
            leave(self)
        self.options += riding.mounting(self)
        self.options.sort(key=rank)
        fly_run(self)
        charge = None if self.retiring else best_charge(self)
        if charge is not None and charge.value > self.options[0].value:
            self.options.insert(0, charge)
        if self.actions:
            consider(self)
        return self.options[0]

    def among(self, groups: Groups, options: list[Option]) -> list[Option]:
        """``options`` and the best ends of the groups, with their facings and rolls."""
        lie = self.me.unit.prone
        stand_odds = self._stand_odds()
        rated = []
        for (mode, place), (hexes, ends, risky) in groups.items():
            heat = self._heat(mode, hexes, lie)
            value, _ = self.weigh(place, False, None, mode, hexes, heat)
            odds = stand_odds * (chance_2d6(self.me.piloting) if risky else 1.0)
            value = self.risked(value, odds)
            rated.append((value, mode, place, hexes, ends))
        rated.sort(key=lambda item: (-item[0], item[1], item[2]))
        batch = self.weights.finalists
        for start in range(0, min(len(rated), _BATCHES * batch), batch):
            # what is wrong with the way to the best places leaves those that looked worse
            if start and options and max([o.value for o in options]) >= rated[start][0]:
                break
            looked: list[Option] = []
            for _, mode, place, _, ends in rated[start : start + batch]:
                looked += self._facings(mode, place, ends, lie)
            looked.sort(key=rank)
            options += self._with_rolls(looked)
        return options

    def _heat(self, mode: str, hexes: int, stands: bool) -> int:
        if not self.me.hot:
            return 0
        heat = movement_heat(mode, hexes, int(stands))
        return heat - movement_heat(mode, 0) if self.me.unit.mp_spent else heat

    def _stand_odds(self) -> float:
        unit = self.me.unit
        if not unit.prone or stands_without_roll(unit):
            return 1.0
        return chance_2d6(self.me.piloting)

    def groups(self, modes: Sequence[str] = ("walk", "run")) -> Groups:
        """Ends by mode and place: most hexes moved, the ends (for a jump: facings), whether all call for a roll."""
        found: dict[tuple[str, int], tuple[int, list[End | int], bool]] = {}
        moves = self.moves
        damaged = hip_or_gyro_damage(self.me.unit)
        for mode in modes:
            for end in self._ends(mode, prone=False):
                place = end.stance // 6
                known = found.get((mode, place))
                risky = end.rolls or (mode == "run" and damaged)
                if known is None:
                    found[mode, place] = (end.hexes, [end], risky)
                else:
                    known[1].append(end)
                    if end.hexes > known[0] or (known[2] and not risky):
                        found[mode, place] = (max(end.hexes, known[0]), known[1], known[2] and risky)
        # running pays where it makes a harder target or gets to places and facings that walking does not
        for (mode, place), (hexes, ends, _) in list(found.items()):
            if mode == "run" and ("walk", place) in found:
                walked = found["walk", place]
                if BY_HEXES[min(hexes, 63)] <= BY_HEXES[min(walked[0], 63)] and len(walked[1]) >= len(ends):
                    del found[mode, place]
        if modes != ("walk", "run"):
            return self._left(found)
        risky = leg_damage(self.me.unit)
        ground = moves.ground
        for cell in moves.landings():
            place = landing_place(ground, cell)
            hexes = moves.jumps()[cell]
            hex = ground.board.hexes[cell]
            rolls = risky or (self.me.hot and not place & 1 and (hex.depth > 0 or hex.rubble))
            found["jump", place] = (hexes, list(range(6)) if self.faces else [self.me.unit.facing], rolls)
        return self._left(found)

    def _left(self, groups: Groups) -> Groups:
        """The groups less the ends that the game master has barred."""
        moves = self.moves
        if not isinstance(moves, RestrainedMoves):
            return groups
        left: dict[str, set[int]] = {}
        for mode in {mode for mode, _ in groups}:
            reach = moves.reach(mode) if mode != "jump" else None
            if reach is not None:
                left[mode] = {reach.end(key).stance // 6 for key in moves.ends(mode)}
            else:
                left[mode] = {landing_place(self.ground, cell) for cell in moves.landings()}
        return {key: group for key, group in groups.items() if key[1] in left[key[0]]}

    def _ends(self, mode: str, *, prone: bool) -> list[End]:
        """The ends of walking or running, standing or prone."""
        reach = self.moves.reach(mode)
        if reach is None:
            return []
        if self.me.kind == "vtol":
            wanted = low_flight(self.state.board, self.me)
            return [reach.end(key) for key in reach.keys if (place := key // 12) in wanted or riding.lands(self, place)]
        return [reach.end(key) for key in reach.keys if key & 1 == prone]

    def stay(self) -> list[Option]:
        """Not moving, and turning on the spot while prone."""
        unit = self.me.unit
        moves = self.moves
        order = moves.stop() or moves.stand()
        place = moves.place
        heat = 0
        value, result = self.weigh(place, unit.prone, unit.facing, order.mode, unit.hexes_moved, heat)
        found = [Option(order.mode, place, unit.facing, unit.prone, unit.hexes_moved, heat, None, value, result, 1.0, order)]
        if unit.prone:
            for end in self._ends("walk", prone=True):
                heat = self._heat("walk", 0, False)
                value, result = self.weigh(place, True, end.stance % 6, "walk", 0, heat)
                found.append(Option("walk", place, end.stance % 6, True, 0, heat, end, value, result))
        return found

    def _facings(self, mode: str, place: int, ends: list[End | int], stands: bool) -> list[Option]:
        found = []
        jump = self.moves.jumps().get(self.ground.cell(place), 0) if mode == "jump" else 0
        for end in ends:
            facing, hexes = (end, jump) if isinstance(end, int) else (end.stance % 6, end.hexes)
            heat = self._heat(mode, hexes, stands)
            value, result = self.weigh(place, False, facing, mode, hexes, heat)
            found.append(Option(mode, place, facing, False, hexes, heat, None if isinstance(end, int) else end, value, result))
        return found

    def _with_rolls(self, options: list[Option]) -> list[Option]:
        """The best of options in order of value, each with its order and its true odds."""
        done: list[Option] = []
        best = -_FAR_WORSE
        for position, option in enumerate(options):
            # rolls and dangers only take away
            if position >= 2 * self.weights.finalists and best >= option.value:
                break
            order = option.order or self._order(option)
            odds = 1.0
            risky = option.mode == "jump" or self.me.unit.prone or self.me.unit.stuck
            if order.path and (risky or (option.end is not None and option.end.rolls) or option.mode in _FAST):
                for _, number in self.choices.option(order).rolls:
                    odds *= number.odds
            value = self.risked(option.value, odds) - path_hazard(self, order)
            best = max(best, value)
            done.append(replace(option, order=order, odds=odds, value=value))
        return done

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

    def _order(self, option: Option) -> MoveOrder:
        if option.end is not None:
            return self.moves.ground_order(option.mode, option.end.stance * 2 + option.end.prone)
        made = self.moves.landing_order(self.ground.cell(option.place), option.facing)
        assert made is not None
        return made
