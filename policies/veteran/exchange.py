"""The exchange of fire that a position makes for: damage given and taken, over every enemy, where it is or may come to be.

Each enemy fires at one unit only, so what it may do to us is shared with the friends that it sees as well. Of our own fire
the best target counts, more where friends strike it too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from opfor.dice import chance_2d6
from opfor.rules.melee.blows import damage_to
from opfor.rules.melee.physical_modifiers import base_number
from opfor.rules.shooting.arcs import side_struck
from opfor.rulesets import Ruleset
from opfor.state import State
from opfor.tables import table
from policies.veteran.assaults import can_assault, planned_assault, pounce
from policies.veteran.figures import GUESS_TARGET, INDIRECT, SPOTTED, Figure, Spot
from policies.veteran.firepower import AHEAD, Firepower
from policies.veteran.lanes import BLOCKED, Lanes
from policies.veteran.spots import PRONE, STANDING, cell_of, elevation_of
from policies.veteran.weights import Weights

#: overlap of fire at this share of what a target can take counts in full
FOCUS_AT = 0.35
#: what a blow at a prone neighbour adds to its number (S-8)
PRONE_BLOW: int = table("to_hit")["prone"]["adjacent"]
Around = Callable[[int, int, int, int], float]


class Result(NamedTuple):
    """What a position makes for: value of the damage given and taken, of blows given and taken; the best target (index into
    the enemies, -1: none) and how many enemies can fire at it; what friends may fire indirectly at those it sees; and the best
    fire at one that has yet to move, wherever it comes to."""

    given: float
    taken: float
    blows: float
    target: int
    exposed: int
    eyes: float = 0.0
    ambush: float = 0.0


class _Row(NamedTuple):
    """One enemy, flattened for the loop: per spot (key, facing, own number, number to hit it, heat, share, spotted by)."""

    figure: Figure
    spots: tuple[tuple[int, int | None, int, int, int, float, int], ...]
    #: its firepower at us; ours at it, standing and prone, and indirect
    guns: Firepower
    mine: tuple[Firepower, Firepower]
    indirect: Around | None
    #: what it can fire indirectly at us
    lobs: Around | None
    vehicle: bool
    factors: dict[tuple[str, bool], float]
    given: float
    taken: float
    pull: float
    #: one of the two may fight the other at its feet
    close: bool
    #: base numbers of our kick at it, and of its kick at us
    kicks: tuple[int, int]
    #: what friends that do not see it may fire at it indirectly
    eyes: float
    #: number of the enemy, and whether it has yet to move
    number: int
    coming: bool
    #: hexes within which it comes to fight us at our feet, 0 where it does not
    pounce: int = 0


def topple_odds(figure: Figure) -> float:
    """Chance that a 'Mech falls when kicked or staggered; nothing else does."""
    return 1.0 - chance_2d6(figure.piloting) if figure.hot else 0.0


def kick_value(attacker: Figure, target: Figure, number: int, weights: Weights) -> float:
    """What a kick with a number is worth, the risk of missing it deducted; 0 where it is not worth trying."""
    if not attacker.kick:
        return 0.0
    odds = chance_2d6(number)
    gain = damage_to(target.unit, attacker.kick) * target.factors["front", False]
    if not target.unit.prone:
        gain += weights.topple * topple_odds(target) * target.value
    risk = (1.0 - odds) * topple_odds(attacker) * weights.fall
    return max(0.0, odds * gain - risk)


def lobbed(rules: Ruleset, weights: Weights, out: int, moved: int) -> int:
    """What indirect fire adds for a spotter that sees the target so (a sum), and has moved so. Rule: S-4, M-5, E-34."""
    if rules.indirect_fire == "campaign":
        # the spotter's roll and the shooter's Mental number; what lies between counts for the spotter
        return weights.lob
    return out + INDIRECT + moved + 1 if rules.indirect_penalty == "standard" else out + int(rules.indirect_penalty)


class Exchange:
    """The exchange of one unit with all its enemies; ask :meth:`at` for each position."""

    def __init__(
        self, state: State, me: Figure, friends: list[Figure], enemies: list[Figure], lanes: Lanes, weights: Weights
    ) -> None:
        self.state = state
        self.me = me
        self.lanes = lanes
        self.weights = weights
        self.enemies = enemies
        self.vehicle = me.unit.spec.is_vehicle
        self.rows: list[_Row] = []
        for index, enemy in enumerate(enemies):
            row = self._row(index, enemy, friends)
            if enemy.menace is None:
                self.rows.append(row)
            else:
                self.rows.append(row._replace(taken=0.0))
                later = self._spots(enemy, enemy.menace, friends)
                row = row._replace(spots=later, given=0.0, taken=weights.unmoved_taken, eyes=0.0, coming=False)
                self.rows.append(row._replace(pounce=pounce(enemy, me)) if row.close else row)

    def _row(self, index: int, enemy: Figure, friends: list[Figure]) -> _Row:
        weights = self.weights
        lanes = self.lanes
        me = self.me
        indirect = me.indirect is not None
        top = max(enemy.spots, key=lambda s: s.share)
        pull = support = 0.0
        for friend in friends:
            spot = friend.spots[0]
            lane = lanes.lane(friend.key, top.key)
            # a friend that has yet to move will still look for a shot
            tm = spot.tm if friend.settled else GUESS_TARGET
            if lane.back < BLOCKED:
                common = enemy.skill + top.am + lane.back + tm
                relative = 0 if top.facing is None else (lane.bearing + 12 - 4 * top.facing) % 24
                damage = enemy.against(friend.versus).around(relative, lane.distance, common, enemy.spare - top.heat)
                pull += (damage * friend.factors["front", lane.cover_back]) ** 2
            if friend.settled and lane.out < BLOCKED:
                relative = (lane.bearing - 4 * (spot.facing or 0)) % 24
                common = friend.skill + spot.am + lane.out + top.tm
                support += friend.against(enemy.versus).around(relative, lane.distance, common, friend.spare - spot.heat)
        focus = 1.0 + weights.focus * min(1.0, support / (FOCUS_AT * enemy.toughness))
        if enemy.crippled:
            focus *= weights.crippled_target
        settled = enemy.settled or enemy.menace is not None
        standing = me.against(enemy.versus, prone=False)
        return _Row(
            enemy,
            self._spots(enemy, enemy.spots, friends),
            enemy.against(me.versus),
            (standing, me.against(enemy.versus, prone=True) if me.hot else standing),
            me.against(enemy.versus, indirect=True).around if indirect else None,
            enemy.against(me.versus, indirect=True).around if enemy.indirect is not None else None,
            enemy.unit.spec.is_vehicle,
            enemy.factors,
            (1.0 if settled else weights.unmoved_given) * focus,
            1.0 if settled else weights.unmoved_taken,
            pull,
            can_assault(me, enemy) or can_assault(enemy, me),
            (self._kick(me, enemy), self._kick(enemy, me)),
            self._eyes(enemy, friends) if weights.eyes else 0.0,
            index,
            not enemy.settled,
        )

    def _spots(
        self, enemy: Figure, spots: tuple[Spot, ...], friends: list[Figure]
    ) -> tuple[tuple[int, int | None, int, int, int, float, int], ...]:
        indirect = self.me.indirect is not None
        return tuple(
            [
                (
                    s.key,
                    s.facing,
                    enemy.skill + s.am,
                    s.tm,
                    enemy.spare - s.heat,
                    s.share,
                    self._spotted(s.key, friends) if indirect else BLOCKED,
                )
                for s in spots
            ]
        )

    def _kick(self, attacker: Figure, target: Figure) -> int:
        """The base number of a kick. Rule: S-8, E-10, E-11."""
        return base_number(self.state, attacker.unit, target.unit, "kick").value if attacker.kick else BLOCKED

    def _eyes(self, enemy: Figure, friends: list[Figure]) -> float:
        """What friends who carry weapons for it, and do not see an enemy, may fire at it indirectly once somebody does."""
        top = max(enemy.spots, key=lambda s: s.share)
        total = 0.0
        for friend in friends:
            lane = self.lanes.lane(friend.key, top.key)
            if lane.out < BLOCKED and friend.settled:
                # somebody sees it as it is
                return 0.0
            if friend.indirect is None or friend.kind == "infantry" or lane.out < BLOCKED:
                continue
            guns = friend.against(enemy.versus, indirect=True)
            number = friend.skill + friend.moved["walk"] + INDIRECT + top.tm
            total += guns.expected(AHEAD, lane.distance, number, friend.spare) * enemy.factors["front", False]
        return total

    def _spotted(self, key: int, friends: list[Figure]) -> int:
        """The best sum of modifiers for indirect fire at a spot that a friend sees."""
        best = BLOCKED
        for friend in friends:
            out = self.lanes.lane(friend.key, key).out
            if out < BLOCKED and friend.unit.active:
                moved = SPOTTED.get(friend.unit.mode, 0) if friend.settled else SPOTTED["walk"]
                best = min(best, lobbed(self.state.ruleset, self.weights, out, moved))
        return best

    def at(self, key: int, facing: int | None, mode: str, tm: int, heat: int, through: float = 1.0) -> Result:
        """The exchange from a spot key; ``facing`` None: whichever suits. ``tm``: what the own movement adds to being hit,
        ``heat``: of the movement, ``through``: share of the fire that the walls around let through."""
        weights = self.weights
        me = self.me
        prone = key & 3 == PRONE
        am = me.moved[mode] + (me.prone_fire if prone else 0)
        mine = me.skill + am
        budget = me.spare - heat
        factors = me.factors
        vehicle = self.vehicle
        lanes = self.lanes
        known = lanes.known
        base = key * lanes.keys
        turned = 0 if facing is None else 4 * facing
        floor = weights.share_floor
        total = best = taken = blows = struck = seen = ambush = 0.0
        target = -1
        exposed = 0
        hidden: list[tuple[_Row, int, int, float, int]] = []
        spotted = BLOCKED
        for row in self.rows:
            given = mean = worst = 0.0
            least = 999.0
            guns = row.mine[prone]
            theirs = row.guns
            reach, their_reach = guns.reach, theirs.reach
            factors_there, pull, eyes = row.factors, row.pull, row.eyes
            for spot_key, spot_facing, skilled, hit, spare, share, by in row.spots:
                lane = known.get(base + spot_key)
                if lane is None:
                    lane = lanes.lane(key, spot_key)
                distance, bearing, out, back, cover_out, cover_back, line_out, line_back = lane
                harm = 0.0
                if out < BLOCKED:
                    seen += share * eyes
                    if distance <= reach:
                        relative = 0 if facing is None else (bearing - turned) % 24
                        damage = guns.around(relative, distance, mine + out + hit, budget)
                        if damage:
                            side = (
                                "front"
                                if spot_facing is None
                                else side_struck((bearing + 12) % 24, spot_facing, line_out, row.vehicle)
                            )
                            harm = damage * factors_there[side, cover_out]
                elif by < BLOCKED and row.indirect is not None:
                    relative = 0 if facing is None else (bearing - turned) % 24
                    harm = row.indirect(relative, distance, mine + by + hit, budget) * factors_there["front", False]
                given += share * harm
                if harm < least:
                    least = harm
                if back < BLOCKED:
                    if back < spotted:
                        spotted = back
                    if distance <= their_reach:
                        bore = 0 if spot_facing is None else (bearing + 12 - 4 * spot_facing) % 24
                        damage = theirs.around(bore, distance, skilled + back + tm, spare)
                        if damage:
                            side = "front" if facing is None else side_struck(bearing, facing, line_back, vehicle)
                            harm = damage * factors[side, cover_back]
                            friend_pull = harm * harm
                            harm *= floor + (1.0 - floor) * friend_pull / (friend_pull + pull)
                            mean += share * harm
                            if harm > worst:
                                worst = harm
                elif row.lobs is not None:
                    hidden.append((row, distance, skilled, share, spare))
                if distance <= 1:
                    if distance == 1:
                        relative = 0 if facing is None else (bearing - turned) % 24
                        gain, loss = self._blows(row, key, spot_key, facing, spot_facing, relative, bearing, am, hit, tm)
                        # where given or taken is left to another row, so are blows
                        blows += share * gain * (row.given > 0.0)
                        struck += share * loss * (row.taken > 0.0)
                    elif row.close:
                        blows += share * row.given * planned_assault(me, row.figure, hit, weights)
                        struck += share * planned_assault(row.figure, me, tm, weights)
            if row.pounce and lanes.board.grid.distance(cell_of(key), row.figure.unit.cell) <= row.pounce:
                struck += row.taken * planned_assault(row.figure, me, tm, weights)
            if mean and row.taken:
                exposed += 1
                taken += row.taken * (0.5 * (mean + worst))
            if given:
                if row.coming and given > ambush:
                    ambush = given
                # an enemy that moves after us picks what suits it
                given = row.given * (given + weights.elusive * (least - given))
                total += given
                if given > best:
                    best = given
                    target = row.number
        if spotted < BLOCKED:
            for row, distance, skilled, share, spare in hidden:
                assert row.lobs is not None
                damage = row.lobs(0, distance, skilled + lobbed(self.state.ruleset, self.weights, spotted, 0) + tm, spare)
                taken += row.taken * share * damage * factors["front", False] * weights.share_floor
        return Result(
            best + weights.second_target * (total - best),
            taken * through,
            weights.melee_given * blows - weights.melee_taken * struck,
            target,
            exposed,
            seen,
            ambush,
        )

    def _blows(
        self,
        row: _Row,
        key: int,
        spot_key: int,
        facing: int | None,
        spot_facing: int | None,
        relative: int,
        bearing: int,
        am: int,
        hit: int,
        tm: int,
    ) -> tuple[float, float]:
        """Kicks between neighbours: what ours is worth, what theirs is. Prone 'Mechs kick nobody, nor does anything else."""
        enemy = row.figure
        if not self.me.kick and not enemy.kick:
            return 0.0, 0.0
        level = self.lanes.board.level
        mine = level[cell_of(key)] + elevation_of(key)
        theirs = level[cell_of(spot_key)] + elevation_of(spot_key)
        gain = loss = 0.0
        ahead = facing is None or relative <= 4 or relative >= 20
        if self.me.kick and key & 3 == STANDING and ahead and 0 <= mine - theirs <= (spot_key & 3 == STANDING):
            bonus = PRONE_BLOW if spot_key & 3 == PRONE else 0
            gain = kick_value(self.me, enemy, row.kicks[0] + am + hit + bonus, self.weights)
        if spot_key & 3 == STANDING and enemy.kick and enemy.unit.active and 0 <= theirs - mine <= (key & 3 == STANDING):
            relative = 0 if spot_facing is None else (bearing + 12 - 4 * spot_facing) % 24
            if relative <= 4 or relative >= 20:
                bonus = PRONE_BLOW if key & 3 == PRONE else 0
                loss = kick_value(enemy, self.me, row.kicks[1] + 1 + tm + bonus, self.weights)
        return gain, loss
