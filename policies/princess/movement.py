"""Choosing a movement: every end is weighed by itself, one unit at a time, without the enemy's answer.

    fall + bravery + aggression + herd + facing, and while leaving self-preservation

Rolls and dangers of the way are worked out for the best ends only, in order, until none that is left can be better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opfor.game.legal.movement import MovementChoices
from opfor.orders import MoveOrder
from opfor.rules.moving.grounds import ground_for
from opfor.rules.pilots.piloting import reasons
from opfor.state import State
from opfor.units.state import UnitState
from policies.princess import utility
from policies.princess.ends import End, ends_of, order_to
from policies.princess.estimates import Moved, Unmoved, settled
from policies.princess.guns import Arsenal
from policies.princess.hazards import at_end, on_the_way, own_bursts, way_of
from policies.princess.overkill import Assigned
from policies.princess.routes import ways
from policies.princess.settings import BEHAVIOURS, Settings, figures

_MOVEMENT = figures("movement")
_STANDING = frozenset({"standing_up", "careful_stand"})


@dataclass(slots=True)
class Path:
    """An end with what it is worth. ``mine`` and ``theirs``: points of fire and kicks; ``odds``: chance of all its rolls.

    ``value`` is an upper bound until ``order`` is set. ``sound``: it passes what is asked of every path.
    """

    end: End
    mine: float
    theirs: float
    distance: int
    rest: float
    value: float
    odds: float = 1.0
    order: MoveOrder | None = None
    sound: bool = True


class MovePlan:
    """The movement of one unit. ``leaving``: it makes for the edge."""

    def __init__(
        self,
        state: State,
        me: UnitState,
        enemies: Sequence[UnitState],
        choices: MovementChoices,
        arsenal: Arsenal,
        config: Settings,
        *,
        leaving: bool = False,
    ) -> None:
        self.state = state
        self.me = me
        self.config = config
        self.leaving = leaving
        self.choices = choices
        self.moves = choices.of(next(unit for unit in choices.units if unit.id == me.id))
        self.enemies = enemies
        fire = Assigned(state, me.side)
        self.foes = [
            Moved(state, me, enemy, arsenal, config, fire) if settled(state, enemy) else Unmoved(state, me, enemy, arsenal)
            for enemy in enemies
        ]
        self.reach = max((arsenal.of(me, enemy).reach for enemy in enemies), default=0)
        grid = self.grid = state.board.grid
        friends = [u.cell for u in state.friends(me.side) if u is not me and u.cell >= 0 and not u.aboard]
        self.middle = utility.middle(grid, friends)
        self.bursts = own_bursts(state, me.side) if state.shells else {}
        self.values = {behaviour: config.value(behaviour) for behaviour in BEHAVIOURS}
        #: nothing can be done from anywhere in reach: the way over the ground counts
        self.far = False
        self.paths: list[Path] = []
        self._nearest: dict[int, tuple[int, int]] = {}

    # -- the search -----------------------------------------------------------------------------------------------------

    def choose(self) -> Path:
        """The best path: of those that pass the filters, or of all where none does."""
        ends = ends_of(self.moves)
        paths = [self._weighed(end) for end in ends]
        if not self.leaving and self.enemies and not self.me.aboard and max(path.mine for path in paths) <= 0.0:
            self._take_the_long_way(paths)
        self.paths = paths
        for allowed in (self._filtered(paths), paths):
            best: Path | None = None
            for path in sorted(allowed, key=lambda path: -path.value):
                if best is not None and best.value >= path.value:
                    break
                self._finish(path)
                if (path.sound or allowed is paths) and (best is None or path.value > best.value):
                    best = path
            if best is not None:
                return best
        raise AssertionError("staying where it is is always a path")

    def _weighed(self, end: End) -> Path:
        """An end with all but its rolls and the dangers of the way."""
        mine = theirs = kick = 0.0
        if not (self.me.aboard and end.mode == "stand"):
            for foe in self.foes:
                worth = foe.worth(end)
                mine = max(mine, worth.mine)
                kick = max(kick, worth.my_kick)
                theirs += worth.theirs + worth.their_kick
        theirs += at_end(self.state, self.me, end.cell, end.elevation, prone=end.prone, bursts=self.bursts)
        away, closest = self.nearest(end.cell)
        rest = utility.aggression(away, self.values["aggression"]) if closest >= 0 else 0.0
        if self.middle is not None:
            rest += utility.herd(self.grid.distance(end.cell, self.middle), self.values["herd"])
        if closest >= 0 and not self.me.spec.is_infantry:
            rest += utility.facing(utility.hexsides_off(self.grid, end.cell, end.facing, closest))
        if self.leaving:
            edge = utility.to_edge(self.grid, end.cell, self.state.edges[self.me.side])
            rest += utility.self_preservation(edge, self.values["self_preservation"])
        path = Path(end, mine + kick, theirs, away, rest, 0.0)
        path.value = max(self._total(path, 1.0), self._total(path, self.config.least_odds or 1.0))
        return path

    def _total(self, path: Path, odds: float) -> float:
        value = utility.bravery(odds, path.mine, path.theirs, self.values["bravery"])
        return path.rest + value + utility.fall(odds, self.values["fall_shame"])

    def nearest(self, cell: int) -> tuple[int, int]:
        """Hexes to the closest enemy from a cell, and that enemy's cell; (0, -1) where there is none."""
        found = self._nearest.get(cell)
        if found is None:
            away = self.grid.distance
            found = min(((away(cell, enemy.cell), enemy.cell) for enemy in self.enemies), default=(0, -1))
            self._nearest[cell] = found
        return found

    def _take_the_long_way(self, paths: list[Path]) -> None:
        """Nothing can be done from anywhere: the way over the ground counts in place of the distance."""
        if self.me.spec.kind == "vtol":
            return
        self.far = True
        ground = ground_for(self.state.board, self.me.spec, self.state.ruleset)
        found = ways(ground, [enemy.cell for enemy in self.enemies])
        pull = self.values["aggression"]
        for path in paths:
            mp = found.get(ground.place(path.end.cell, path.end.elevation))
            if mp is not None:
                more = utility.aggression(mp, pull) - utility.aggression(path.distance, pull)
                path.rest += more
                path.value += more

    # -- what is asked of every path ------------------------------------------------------------------------------------

    def _filtered(self, paths: list[Path]) -> list[Path]:
        """The paths that keep their range (on a long way any), and end in no building too weak."""
        now, _ = self.nearest(self.me.cell)
        most = now if now > self.reach else self.reach
        ranged = self.enemies and not self.leaving and not self.far
        return [path for path in paths if (not ranged or path.distance <= most) and self.carries(path.end.cell)]

    def carries(self, cell: int) -> bool:
        """Whether a building bears the unit and ten tons more."""
        hex = self.state.board.hexes[cell]
        if not hex.building or self.me.spec.is_infantry or self.me.spec.kind == "vtol" or cell == self.me.cell:
            return True
        return bool(hex.building_cf >= self.me.spec.tons + _MOVEMENT["spare_tons"])

    def _finish(self, path: Path) -> None:
        """Work out the order, its rolls and the dangers of its way."""
        if path.order is not None:
            return
        order = path.order = order_to(self.moves, path.end)
        asked = 1.0
        standing = {row.what for id, row in reasons().items() if id in _STANDING}
        if order.path:
            for what, number in self.choices.option(order).rolls:
                path.odds *= number.odds
                if what not in standing:
                    asked *= number.odds
            cells = way_of(self.state, self.me, order)
            path.theirs += on_the_way(self.state, self.me, cells, 1.0 - path.odds)
            path.sound = asked >= self.config.least_odds and all(self.carries(cell) for cell in cells)
        path.value = self._total(path, path.odds)


# -- words ---------------------------------------------------------------------------------------------------------------

_MODES = {"walk": "walks", "run": "runs", "jump": "jumps", "dismount": "gets out", "stand": "stays"}
_VEHICLES = {"walk": "cruises", "run": "flanks"}


def reason(plan: MovePlan, path: Path) -> str:
    """Why a path was taken, in one clause."""
    order = path.order
    assert order is not None
    if "EXIT" in order.path:
        return "leaves the field"
    kind = plan.me.spec.kind
    verb = _VEHICLES.get(order.mode, "") if kind in ("vehicle", "vtol") else ""
    verb = verb or _MODES.get(order.mode, order.mode)
    if plan.me.prone:
        verb = "gets up" if not order.prone else "stays down"
    if plan.leaving:
        return f"{verb} towards the edge"
    if not plan.enemies:
        return f"{verb}: no enemy is known"
    hopes = f"hopes for {path.mine:.0f} points, fears {path.theirs:.0f}"
    return f"{verb}, {path.distance} hexes from the closest enemy: {hopes}"
