"""What all units do to one another from where they stand: a table of harm by pairs, and what a whole line-up comes to.

A line-up gives each unit one of its stands. Harm from one stand to another is worked out once; a line-up is then a few
look-ups, so that thousands can be compared.
"""

from __future__ import annotations

from opfor.rules.melee.physical_modifiers import base_number
from opfor.rules.shooting.arcs import side_struck
from opfor.state import State
from policies.commander.stands import Piece, Stand
from policies.veteran.exchange import FOCUS_AT, PRONE_BLOW, kick_value, lobbed
from policies.veteran.figures import SPOTTED
from policies.veteran.lanes import BLOCKED, Lanes
from policies.veteran.spots import PRONE, STANDING, cell_of, elevation_of
from policies.veteran.weights import Weights

#: more than a unit has stands
STANDS = 1024


class Clash:
    """The table of one battle as it stands. ``pieces`` are all units in it, ours and theirs."""

    def __init__(self, state: State, pieces: list[Piece], lanes: Lanes, weights: Weights) -> None:
        self.state = state
        self.pieces = pieces
        self.lanes = lanes
        self.weights = weights
        self.ours = [p for p in pieces if p.side == 0]
        self.theirs = [p for p in pieces if p.side == 1]
        #: by (attacker, target): harm by (stand of the attacker, stand of the target)
        self._harm: list[list[dict[int, float]]] = [[{} for _ in pieces] for _ in pieces]
        self._kicks: dict[tuple[int, int], int] = {}
        #: line-ups that were added up: the measure of effort
        self.looked = 0

    # -- pairs ----------------------------------------------------------------------------------------------------------

    def harm(self, attacker: Piece, target: Piece, a: Stand, t: Stand) -> float:
        """What an attacker does to a target from one stand to the other: expected damage by its worth, and blows."""
        known = self._harm[attacker.number][target.number]
        key = a.id * STANDS + t.id
        found = known.get(key)
        if found is None:
            found = known[key] = self._work_out(attacker, target, a, t)
        return found

    def _work_out(self, attacker: Piece, target: Piece, a: Stand, t: Stand) -> float:
        me, foe = attacker.figure, target.figure
        lane = self.lanes.lane(a.key, t.key)
        distance, bearing, out, _, cover, _, line, _ = lane
        relative = 0 if a.facing is None else (bearing - 4 * a.facing) % 24
        harm = 0.0
        if out < BLOCKED:
            if a.am < BLOCKED:
                guns = me.against(foe.versus, prone=a.key & 3 == PRONE)
                damage = guns.around(relative, distance, me.skill + a.am + out + t.tm, me.spare - a.heat)
                if damage:
                    back = (bearing + 12) % 24
                    side = "front" if t.facing is None else side_struck(back, t.facing, line, foe.unit.spec.is_vehicle)
                    harm = damage * foe.factors[side, cover]
        elif me.indirect is not None and a.am < BLOCKED:
            lob = self._lob(attacker, target, t)
            if lob < BLOCKED:
                guns = me.against(foe.versus, indirect=True)
                damage = guns.around(relative, distance, me.skill + a.am + lob + t.tm, me.spare - a.heat)
                harm = damage * foe.factors["front", False]
        harm *= t.through
        if distance == 1:
            harm += self.weights.melee_given * self._kick(attacker, target, a, t, relative)
        return harm

    def _lob(self, attacker: Piece, target: Piece, t: Stand) -> int:
        """What indirect fire adds at a stand that some friend sees from where it is likeliest to be. Rule: S-4, E-34."""
        rules = self.state.ruleset
        best = BLOCKED
        for friend in self.ours if attacker.side == 0 else self.theirs:
            if friend is attacker or not friend.figure.unit.active:
                continue
            out = self.lanes.lane(friend.stands[0].key, t.key).out
            if out >= BLOCKED:
                continue
            moved = SPOTTED.get(friend.figure.unit.mode, 0) if friend.placed else SPOTTED["walk"]
            best = min(best, lobbed(rules, self.weights, out, moved))
        return best

    def _kick(self, attacker: Piece, target: Piece, a: Stand, t: Stand, relative: int) -> float:
        """A kick between neighbours. Rule: S-8."""
        me, foe = attacker.figure, target.figure
        if not me.kick or a.key & 3 != STANDING or a.am >= BLOCKED or not (relative <= 4 or relative >= 20):
            return 0.0
        level = self.lanes.board.level
        higher = level[cell_of(a.key)] + elevation_of(a.key) - level[cell_of(t.key)] - elevation_of(t.key)
        if not 0 <= higher <= (t.key & 3 == STANDING):
            return 0.0
        pair = (attacker.number, target.number)
        base = self._kicks.get(pair)
        if base is None:
            base = self._kicks[pair] = base_number(self.state, me.unit, foe.unit, "kick").value
        return kick_value(me, foe, base + a.am + t.tm + (PRONE_BLOW if t.key & 3 == PRONE else 0), self.weights)

    # -- line-ups -------------------------------------------------------------------------------------------------------

    def worth(self, lineup: list[Stand]) -> float:
        """What a line-up is worth to us: what our fire does less what theirs does, and the ground that each side holds.

        Each of ours fires at the target that it does most to, and more willingly at one that others fire at too. Which of
        ours an enemy picks is not known: the more it can do to one, the likelier.
        """
        self.looked += 1
        weights = self.weights
        base = 0.0
        for piece in self.ours:
            stand = lineup[piece.number]
            base += stand.base + stand.gain
        other = 0.0
        for piece in self.theirs:
            stand = lineup[piece.number]
            base -= weights.taken * stand.gain
            other += stand.base
        return weights.given * self._volleys(lineup) - self._taken(lineup) + base - 0.5 * other

    def _taken(self, lineup: list[Stand]) -> float:
        """The harm that the enemy's fire does, times how much each of ours minds it."""
        floor = self.weights.share_floor
        table = self._harm
        total = 0.0
        for shooter in self.theirs:
            a = lineup[shooter.number]
            known = table[shooter.number]
            squares = cubes = plain = 0.0
            for target in self.ours:
                t = lineup[target.number]
                harm = known[target.number].get(a.id * STANDS + t.id)
                if harm is None:
                    harm = self.harm(shooter, target, a, t)
                if harm:
                    square = harm * harm
                    squares += square
                    harm *= target.care
                    plain += harm
                    cubes += square * harm
            if squares:
                total += floor * plain + (1.0 - floor) * cubes / squares
        return total

    def _volleys(self, lineup: list[Stand]) -> float:
        """The harm that our fire does: each unit picks its target, knowing what the others fire at."""
        shooters, targets = self.ours, self.theirs
        focus = self.weights.focus
        rows: list[list[float]] = []
        sums = [0.0] * len(targets)
        first: list[int] = []
        table = self._harm
        for shooter in shooters:
            a = lineup[shooter.number]
            known = table[shooter.number]
            row = []
            best, at = 0.0, -1
            for index, target in enumerate(targets):
                t = lineup[target.number]
                harm = known[target.number].get(a.id * STANDS + t.id)
                if harm is None:
                    harm = self.harm(shooter, target, a, t)
                row.append(harm)
                if harm > best:
                    best, at = harm, index
            rows.append(row)
            first.append(at)
            if at >= 0:
                sums[at] += best
        # once more, knowing what the others fire at
        total = 0.0
        second = self.weights.second_target
        for row, at in zip(rows, first, strict=True):
            if at < 0:
                continue
            best = 0.0
            for index, harm in enumerate(row):
                if harm > 0.0:
                    friends = sums[index] - (row[at] if index == at else 0.0)
                    tough = FOCUS_AT * targets[index].figure.toughness
                    value = harm * (1.0 + focus * min(1.0, friends / tough))
                    if value > best:
                        best = value
            total += best + second * (sum(row) - row[at])
        return total
