"""Where a unit can get to, over the ground and through the air. Rule: S-2, S-9, E-12, E-26.

Two passes of the search (:mod:`opfor.rules.moving.search`): first the paths that call for no roll, then all; an end's own
path is the safest, then the cheapest, then the one that enters most hexes. Vehicles that keep to pavement have two passes
more.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from opfor.rules.moving.by_place import Places, Row, by_place
from opfor.rules.moving.ground import HEXES, ROLL, Ground
from opfor.rules.moving.search import FULL, Found, Rules, on_road, search
from opfor.rules.moving.search_cache import SEARCHES
from opfor.tables import table

FAR = 1 << 40
#: nodes of ends outside the search: the minimum move, turning while prone
_MINIMUM, _TURNED = -1, -2
PRONE_COST: int = table("movement")["manoeuvres"]["go_prone"]
_TURN_COST: int = table("movement")["manoeuvres"]["turn"]


class End(NamedTuple):
    """Where a movement ends: the stance, whether prone there, MP spent, hexes moved (for the target modifier), and whether
    every way there calls for a roll. ``node`` is the search's, or negative for an end outside the search; ``road``: it keeps
    to road and pavement all the way."""

    stance: int
    prone: bool
    mp: int
    hexes: int
    rolls: bool
    node: int
    road: bool = False


class Start(NamedTuple):
    """Where a search starts: the stance, whether prone, MP for standing up (-1: cannot), tokens that stand it up.

    ``drops``: it may go prone. ``hexes``: moved already this turn, before a sideslip.
    """

    stance: int
    prone: bool = False
    stand_mp: int = 0
    stand: tuple[str, ...] = ()
    drops: bool = True
    hexes: int = 0


class Reach:
    """All that one unit can reach in one mode of movement on the ground.

    ``keys`` lists the ends as integers, ``stance * 2`` standing and ``stance * 2 + 1`` prone; :meth:`end` says what an end
    takes and :meth:`path` writes the steps that lead there.
    """

    __slots__ = (
        "_by_key", "_keys", "_passes", "_special", "bonus", "enemies", "friends", "ground", "held", "limit", "mode",
        "rules", "start",
    )  # fmt: skip

    def __init__(
        self,
        ground: Ground,
        start: Start,
        mode: str,
        limit: int,
        rules: Rules,
        enemies: list[int],
        friends: list[int],
        minimum_limit: int = 0,
        held: frozenset[int] = frozenset(),
        bonus: int = 0,
    ) -> None:
        """``minimum_limit`` above 0 allows the minimum move: one hex ahead that costs more than ``limit`` MP, or that
        is water dearer than ``minimum_limit`` MP in running. ``held`` places are entered and not left. ``bonus`` MP are
        there for who keeps to road and pavement all the way."""
        self.ground = ground
        self.start = start
        self.mode = mode
        self.limit = limit
        self.rules = rules
        self.enemies = enemies
        self.friends = frozenset(friends)
        self.held = held
        self.bonus = bonus
        self._work_out(self.near(enemies), frozenset(self.near(held)))
        self._special = self._specials(enemies, minimum_limit)
        self._keys: list[int] | None = None

    def near(self, places: Collection[int]) -> list[int]:
        """Those of the places that lie within the movement."""
        if not places:
            return []
        cell_of = self.ground.cell
        grid = self.ground.board.grid
        here = cell_of(self.start.stance // 6)
        most = self.limit + self.bonus
        q, r = grid.q, grid.r
        column, row = q[here], r[here]
        found = []
        for place in places:
            cell = cell_of(place)
            dq, dr = q[cell] - column, r[cell] - row
            if -most <= dq <= most and -most <= dr <= most and -most <= dq + dr <= most:
                found.append(place)
        return found

    def _work_out(self, near: list[int], near_held: frozenset[int]) -> None:
        """Make the passes and gather their ends, or take them from what is kept of earlier searches."""
        ground, start, limit, rules, bonus = self.ground, self.start, self.limit, self.rules, self.bonus
        key = (ground, start, limit, rules, bonus, near_held, *sorted(near))
        known: tuple[Found, Found, tuple[Found, Found] | None, dict[int, int]] | None = SEARCHES.get(key)
        if known is None:
            seeds = self._seeds(start, limit)
            safe = search(ground, seeds, limit, rules, ROLL, near, near_held)
            some = search(ground, seeds, limit, rules, 0, near, near_held) if safe.refused else safe
            found = self._collect(safe, some, limit)
            roads = None
            if bonus:
                # the extra MP is for who never leaves the road
                paved = on_road(rules)
                safe_road = search(ground, seeds, limit + bonus, paved, ROLL, near, near_held)
                some_road = safe_road
                if safe_road.refused:
                    some_road = search(ground, seeds, limit + bonus, paved, 0, near, near_held)
                roads = (safe_road, some_road)
                # an end without a roll is better than one with it; found without one within the MP is better still
                for stance, code in self._collect(safe_road, some_road, limit + bonus).items():
                    if stance not in found or (found[stance] & 1 and not code & 1):
                        found[stance] = code | 2
            known = (safe, some, roads, found)
            passes = {id(one): one for one in (safe, some, *(roads or ()))}
            SEARCHES.put(key, known, sum(len(one.labels) for one in passes.values()) + len(found))
        safe, some, roads, found = known
        #: safe, any, and both again on the road
        self._passes: tuple[Found, ...] = (safe, some, *(roads or ()))
        #: by key: label, bit of the node, whether it is a pass on the road, and whether one with rolls, packed into one integer
        self._by_key: dict[int, int] | None = self._without(found)

    @property
    def _found(self) -> dict[int, int]:
        assert self._by_key is not None
        return self._by_key

    @property
    def safe(self) -> Found:
        """The pass that calls for no roll."""
        return self._passes[0]

    @property
    def any(self) -> Found:
        """The pass that may call for rolls."""
        return self._passes[1]

    @property
    def roads(self) -> tuple[Found, Found] | None:
        """Both passes again for who keeps to road and pavement; None where that brings nothing."""
        return (self._passes[2], self._passes[3]) if self.bonus else None

    @staticmethod
    def _seeds(start: Start, limit: int) -> list[tuple[int, int]]:
        if not start.prone:
            return [(start.stance * 2, FULL - start.hexes)]
        if start.stand_mp < 0 or start.stand_mp > limit:
            return []
        # turning while standing up is free, and no turn on the run
        return [((start.stance // 6 * 6 + facing) * 2, start.stand_mp * HEXES + FULL) for facing in range(6)]

    @property
    def seeds(self) -> list[tuple[int, int]]:
        """The nodes that movement starts from, and the MP spent by then (on standing up)."""
        return [(node, label // HEXES) for node, label in self._seeds(self.start, self.limit)]

    def _collect(self, safe: Found, some: Found, limit: int) -> dict[int, int]:
        """Every end that the two passes found, those where a friend stands included."""
        found: dict[int, int] = {}
        prone = self.start.prone
        # whoever starts prone has stood up by then: dropping again brings nothing
        ceiling = 0 if prone or not self.start.drops else (limit + 1 - PRONE_COST) * HEXES * 2
        floor = 0 if prone else HEXES * 2
        passes = (safe,) if some is safe else (safe, some)
        here = self.start.stance // 6
        seen: dict[int, bool] = {}
        listed = self.ground.listed if self.ground.motion.name == "vtol" else None
        for rolls, one in enumerate(passes):
            best: dict[int, int] = {}
            get = best.get
            for node, label in one.labels.items():
                code = label * 2 + (node & 1)
                stance = node >> 1
                if code < get(stance, FAR):
                    best[stance] = code
            for stance, code in best.items():
                if listed is not None:
                    place = stance // 6
                    lists = seen.get(place)
                    if lists is None:
                        lists = seen[place] = listed(place, here)
                    if not lists:
                        continue
                key = stance * 2
                if code >= floor and key not in found:
                    found[key] = code * 4 + rolls
                key += 1
                if code < ceiling and key not in found:
                    found[key] = code * 4 + rolls
        return found

    def _without(self, found: dict[int, int]) -> dict[int, int]:
        """The ends that are left where friends stand; the dictionary itself where none does (it is shared)."""
        here = self.start.stance // 6
        shared = True
        for place in self.friends:
            if place == here:
                continue
            for key in range(place * 12, place * 12 + 12):
                if key in found:
                    if shared:
                        found = found.copy()
                        shared = False
                    del found[key]
        return found

    def _specials(self, enemies: list[int], minimum_limit: int) -> dict[int, End]:
        """The minimum move, and turning while prone."""
        start = self.start
        found: dict[int, End] = {}
        if start.prone:
            place, facing = divmod(start.stance, 6)
            for turn in range(1, 6):
                cost = min(turn, 6 - turn) * _TURN_COST
                if cost <= self.limit:
                    stance = place * 6 + (facing + turn) % 6
                    found[stance * 2 + 1] = End(stance, True, cost, 0, False, _TURNED)
        elif minimum_limit > 0 and self.limit > 0:
            place = start.stance // 6
            # infantry: not where it can walk anyhow
            known = {key // 12 for key in self._found} if self.rules.free else set()
            starts = range(place * 6, place * 6 + 6) if self.rules.free else (start.stance,)
            for stance, _, flags, cost in [edge for one in starts for edge in self.ground.ahead(one)]:
                dear = cost > self.limit or (flags & self.rules.barred and cost > minimum_limit)
                if dear and stance // 6 not in self.friends and stance // 6 not in enemies and stance // 6 not in known:
                    found[stance * 2] = End(stance, False, cost, 1, bool(flags & ROLL), _MINIMUM)
        return found

    @property
    def keys(self) -> Sequence[int]:
        """Every end, in a stable order."""
        if self._keys is None:
            self._keys = [*self._found, *(key for key in self._special if key not in self._found)]
        return self._keys

    def end(self, key: int) -> End:
        """What an end takes. Raises KeyError where there is none."""
        found = self._found.get(key)
        return self._special[key] if found is None else self._end(key, found)

    def end_at(self, number: int) -> End:
        """The end of that number among :attr:`keys`."""
        return self.end(self.keys[number])

    def row(self, number: int, standing: bool, always: bool) -> Row:
        """The end of that number as a row: it also calls for a roll ``always``, or where it ends ``standing``."""
        end = self.end_at(number)
        rolls = end.rolls or always or (standing and not end.prone)
        return Row(number, end.stance, end.prone, end.mp, end.hexes, rolls)

    def places(self, standing: bool, always: bool) -> Places:
        """The ends by place; see :meth:`row`."""
        return by_place(self.ground, [self.row(number, standing, always) for number in range(len(self.keys))])

    @staticmethod
    def _end(key: int, found: int) -> End:
        code, passed = divmod(found, 4)
        label, bit = divmod(code, 2)
        mp, rest = divmod(label, HEXES)
        stance, prone = divmod(key, 2)
        return End(stance, bool(prone), mp + prone * PRONE_COST, FULL - rest, bool(passed & 1), stance * 2 + bit, passed > 1)

    def unfinished(self) -> list[int]:
        """Keys of the ends that stand and leave MP to go on with; without turns on the spot and the minimum move."""
        all_spent = self.limit * HEXES * 2 * 4
        found = [key for key, code in self._found.items() if code < all_spent and not key & 1]
        for key in self._special:
            end = self.end(key)
            if key not in self._found and not (end.prone or end.mp >= self.limit or end.node < 0):
                found.append(key)
        return found

    def path(self, end: End) -> tuple[str, ...]:
        """The steps that lead to an end."""
        if end.node == _TURNED:
            return tuple(turns(self.start.stance % 6, end.stance % 6))
        if end.node == _MINIMUM:
            place = self.start.stance // 6
            turned = place * 6 + end.stance % 6 if self.rules.free else self.start.stance
            return (*turns(self.start.stance % 6, turned % 6), *self.ground.tokens(turned, end.stance, "+")[0])
        way = self._way(end.road * 2 + end.rolls, end.node)
        return (*self.write([n >> 1 for n in way]), *(("PRONE",) if end.prone else ()))

    def _way(self, number: int, node: int) -> list[int]:
        """The nodes of the way to a node of a pass, from the start on."""
        parents = self._passes[number].parents
        nodes = [node]
        while (before := parents.get(nodes[-1])) is not None:
            nodes.append(before)
        nodes.reverse()
        return nodes

    def _label(self, number: int, node: int) -> int:
        """The label of a node in a pass, a high one where it has none."""
        return self._passes[number].labels.get(node, FAR)

    def turned(self, end: End) -> bool:
        """Whether the way to an end turns in its last hex."""
        cell_of = self.ground.cell
        cell = cell_of(end.stance // 6)
        entered = end.node
        for node in reversed(self._way(end.road * 2 + end.rolls, end.node)):
            if cell_of(node // 12) != cell:
                break
            entered = node
        return (entered >> 1) % 6 != end.stance % 6

    def cheapest(self) -> dict[int, tuple[int, int]]:
        """By stance, the (MP, hexes) of the cheapest way standing, whatever it calls for."""
        labels: dict[int, int] = {}
        for found in (self.any, *(self.roads or ())):
            for node, label in found.labels.items():
                stance = node >> 1
                if label < labels.get(stance, label + 1):
                    labels[stance] = label
        return {stance: (label // HEXES, FULL - label % HEXES) for stance, label in labels.items()}

    def mp_at(self, stances: list[int], *, road: bool = False) -> list[int]:
        """The fewest MP to come standing to each stance, a great number where no way leads; ``road``: by road and pavement."""
        passes = range(2, 4) if road else range(2)
        return [
            min([self._label(number, node) for number in passes for node in (stance * 2, stance * 2 + 1)]) // HEXES
            for stance in stances
        ]

    def path_within(self, stance: int, budget: int, *, road: bool = False) -> tuple[str, ...] | None:
        """The steps that bring it standing to a stance for at most ``budget`` MP, without a roll if it can be; else None.

        ``road``: by road and pavement only.
        """
        for rolls in (False, True) if self.bonus or not road else ():
            for node in (stance * 2, stance * 2 + 1):
                if self._label(road * 2 + rolls, node) // HEXES <= budget:
                    return self.path(End(stance, False, 0, 0, rolls, node, road))
        return None

    def write(self, stances: list[int]) -> list[str]:
        """The tokens of a walk over stances, standing up first where the start is prone."""
        tokens: list[str] = []
        if self.start.prone:
            tokens += self.start.stand
            tokens += turns(self.start.stance % 6, stances[0] % 6)
        climb = "+"
        for a, b in pairwise(stances):
            if a // 6 == b // 6:
                tokens += turns(a % 6, b % 6)
            else:
                more, climb = self.ground.tokens(a, b, climb)
                tokens += more
        return tokens


def turns(facing: int, wanted: int) -> list[str]:
    """The fewest turns from one facing to another, to the right when both ways are as long."""
    right = (wanted - facing) % 6
    return ["R"] * right if right <= 3 else ["L"] * (6 - right)
