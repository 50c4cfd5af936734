"""The movement of one unit: every place that it can reach is weighed first, then the facings of the best, then their rolls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from opfor.dice import chance_2d6
from opfor.game.legal.movement import MovementChoices
from opfor.game.restraint import RestrainedMoves
from opfor.orders import MoveOrder
from opfor.rules.moving.landing import landing_place
from opfor.rules.moving.movement import hip_or_gyro_damage, leg_damage, stands_without_roll
from opfor.rules.moving.reach import End
from opfor.rules.pilots.heat import movement_heat
from opfor.state import State
from policies.veteran import riding
from policies.veteran.figures import BY_HEXES, Figure
from policies.veteran.foresight import low_flight
from policies.veteran.mind import Mind
from policies.veteran.mishaps import path_hazard
from policies.veteran.options import Groups, Option, rank
from policies.veteran.weighing import Weighing

#: modes in which turning may call for rolls that the search does not know of
_FAST = ("run", "evade", "sprint")
#: places whose facings are weighed at once, so many times over where the ways to the first are bad
_BATCHES = 6
_FAR_WORSE = 1e9


class MovePlan(Weighing):
    """The movement of one unit. ``options`` are the ends that have been found, best first."""

    def __init__(
        self, state: State, me: Figure, ours: list[Figure], theirs: list[Figure], choices: MovementChoices, mind: Mind
    ) -> None:
        super().__init__(state, me, ours, theirs, choices, mind)
        self.options: list[Option] = []

    def search(self) -> None:
        """Find the best ends of walking, running, jumping and staying."""
        self.options = self.among(self.groups(), self._with_rolls(self.stay()))
        self.options.sort(key=rank)

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

    def _order(self, option: Option) -> MoveOrder:
        if option.end is not None:
            return self.moves.ground_order(option.mode, option.end.stance * 2 + option.end.prone)
        made = self.moves.landing_order(self.ground.cell(option.place), option.facing)
        assert made is not None
        return made
