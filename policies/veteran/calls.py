"""Artillery and bomb runs: called where the enemy will be, away from friends; runs flown as called. Rule: E-4, E-30, E-35."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from opfor.dice import chance_2d6
from opfor.game.legal.calls import CallChoices
from opfor.game.legal.moves import UnitMoves
from opfor.orders import CallOrder, MoveOrder
from opfor.rules.barrage.artillery import flight_turns
from opfor.rules.barrage.blast import rings
from opfor.rules.barrage.bombs import BOMB, blast_of
from opfor.rules.barrage.spotting import aimed_hex, spotting_number
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState
from policies.veteran.figures import Figure
from policies.veteran.loads import paints
from policies.veteran.spots import cell_of
from policies.veteran.weights import Weights

_TABLE: dict[str, Any] = table("artillery")
_INFANTRY: int = _TABLE["blast"]["infantry"]
#: modes of artillery that do no damage where they land, and those that need a target painted with TAG
_SOWS, _HOMES = "fascam", "homing"
#: hexes whose observers are looked at
_LOOKED_AT = 5
#: share of what is expected that is left when nobody observes, and for each turn of flight
_UNSEEN, _STALE = 0.4, 0.5


def blast(state: State, order: CallOrder) -> list[int]:
    """Damage of a call by distance from where it lands, all its bombs together. Rule: E-30, E-35."""
    if order.what == BOMB:
        return [points * order.count for points in blast_of(order)]
    mount = state.unit(order.unit).spec.mounts[order.mount]
    found: list[int] = _TABLE["pieces"][mount.id]["damage"][state.ruleset.artillery_damage]
    return found


class CallPlan:
    """What a side announces with one unit. ``words`` are what was considered."""

    def __init__(self, state: State, legal: CallChoices, ours: list[Figure], theirs: list[Figure], weights: Weights) -> None:
        self.state = state
        self.legal = legal
        self.ours = ours
        self.theirs = theirs
        self.weights = weights
        self.words: list[str] = []
        self._fields: dict[tuple[int, ...], dict[int, float]] = {}

    def choose(self, unit: UnitState) -> CallOrder:
        """The unit's announcement, or that it makes none."""
        homing: list[tuple[float, CallOrder]] = []
        rated: dict[tuple[str, int, str, int, int], tuple[float, list[CallOrder]]] = {}
        for order in self.legal.of(unit.id):
            if not isinstance(order, CallOrder) or not order.what or order.mode == _SOWS:
                continue
            if order.mode == _HOMES:
                homing.append((self._homing(order), order))
                continue
            key = (order.what, order.mount, order.mode, order.cell, order.count)
            if key not in rated:
                rated[key] = (self._value(order), [])
            rated[key][1].append(order)
        best: tuple[float, CallOrder] | None = None
        for value, orders in sorted(rated.values(), key=lambda item: (-item[0], item[1][0].cell))[:_LOOKED_AT]:
            worth, order = self._observed(value, orders)
            if best is None or worth > best[0]:
                best = worth, order
        for worth, order in homing:
            if best is None or worth > best[0]:
                best = worth, order
        if best is None or best[0] <= self.weights.call:
            self.words.append("announce nothing: +0.0")
            return CallOrder(unit.id, reason="nothing is worth its rounds" if rated else "announces nothing")
        worth, order = best
        if order.target:
            self.words.append(f"homing fire at {order.target}: {worth:+z.1f}")
            return replace(order, reason=f"homing fire at {order.target}, to be painted with TAG")
        where = self.state.board.grid.names[order.cell]
        self.words.append(f"{order.what} at {where}: {worth:+z.1f}")
        who = ", ".join(sorted(self._expected_at(order)))
        seen = f", observed by {order.spotter}" if order.spotter else ""
        what = "a bomb run over" if order.what == BOMB else "fire at"
        return replace(order, reason=f"{what} {where}, where {who or 'the enemy'} is expected{seen}")

    def _value(self, order: CallOrder) -> float:
        """What a call is worth if it lands where it is aimed: enemies where they may be, less friends where they stand."""
        damage = tuple(blast(self.state, order))
        field = self._fields.get(damage)
        if field is None:
            field = self._fields[damage] = self._field(damage)
        value = field.get(order.cell, 0.0)
        if order.what == BOMB:
            return self.weights.bomb_run * value
        away = self.state.board.grid.distance(self.state.unit(order.unit).cell, order.cell)
        return float(value * _STALE ** flight_turns(away))

    def _homing(self, order: CallOrder) -> float:
        """What a homing missile is worth: nothing unless somebody of the side carries TAG."""
        painters = [figure for figure in self.ours if figure.unit.active and paints(figure)]
        target = next((f for f in self.theirs if f.unit.id == order.target), None)
        if target is None or not painters:
            return 0.0
        rows = _TABLE["homing"]
        odds = chance_2d6(int(rows["number"]))
        away = self.state.board.grid.distance(self.state.unit(order.unit).cell, target.unit.cell)
        worth: float = rows["damage"] * odds * target.factors["front", False] * self.weights.painted
        return float(worth * _STALE ** flight_turns(away))

    def _field(self, damage: tuple[int, ...]) -> dict[int, float]:
        """The worth of a burst by the hex it is in."""
        state, weights = self.state, self.weights
        found: dict[int, float] = {}
        for figure in (*self.theirs, *self.ours):
            if figure.flies or figure.unit.aboard:
                continue
            worth = figure.factors["front", False] * (_INFANTRY if figure.kind == "infantry" else 1)
            enemy = figure.unit.side != self.ours[0].unit.side
            certain = figure.unit.immobile
            for spot in figure.spots:
                share = spot.share * (1.0 if certain else weights.expected_there)
                worth_here = worth * share * (1.0 if enemy else -weights.friends_in_blast)
                for away, cell in rings(state, cell_of(spot.key), len(damage) - 1):
                    found[cell] = found.get(cell, 0.0) + worth_here * damage[away]
        return found

    def _expected_at(self, order: CallOrder) -> set[str]:
        near = {cell for _, cell in rings(self.state, order.cell, len(blast(self.state, order)) - 1)}
        return {figure.unit.id for figure in self.theirs if any(cell_of(spot.key) in near for spot in figure.spots)}

    def _observed(self, value: float, orders: list[CallOrder]) -> tuple[float, CallOrder]:
        """The call with the observer that is likeliest to see it, and what it is worth so."""
        if orders[0].what == BOMB or len(orders) == 1:
            return value * (1.0 if orders[0].what == BOMB else _UNSEEN), orders[0]
        target = aimed_hex(self.state, orders[0].cell)
        best = value * _UNSEEN, orders[0]
        for order in orders:
            if order.spotter:
                odds = spotting_number(self.state, self.state.unit(order.spotter), target).odds
                worth = value * (_UNSEEN + (1.0 - _UNSEEN) * odds)
                if worth > best[0] + 1e-9:
                    best = worth, order
        return best


# -- what is under way --------------------------------------------------------------------------------------------------


def own_bursts(state: State, side: int) -> dict[int, float]:
    """Points that a side's own shells may do this turn, by hex: where its units had better not be."""
    found: dict[int, float] = {}
    for shell in state.shells:
        order = shell.order
        if shell.side != side or shell.turn > state.turn or order.cell < 0 or order.mode in (_SOWS, _HOMES):
            continue
        damage = blast(state, order)
        for away, cell in rings(state, order.cell, len(damage) - 1):
            found[cell] = found.get(cell, 0.0) + damage[away]
    return found


def runs(state: State, moves: UnitMoves) -> list[MoveOrder]:
    """The movements that fly the bomb run which a unit has announced: flanking, straight ahead, over the target. Rule: E-30."""
    unit = moves.unit
    call = next((s.order for s in state.shells if s.order.unit == unit.id and s.order.what == BOMB and s.level is None), None)
    reach = moves.reach("run") if call is not None else None
    if call is None or reach is None:
        return []
    grid = state.board.grid
    ahead, cell = {}, unit.cell
    for hexes in range(1, reach.limit + 1):
        cell = grid.neighbour(cell, unit.facing)
        if not grid.contains(cell):
            break
        ahead[cell] = hexes
    least = ahead.get(call.cell)
    if least is None:
        return []
    found = []
    for key in moves.ends("run"):
        stance = key // 2
        if stance % 6 == unit.facing and ahead.get(moves.ground.cell(stance // 6), 0) >= least:
            order = moves.ground_order("run", key)
            if set(order.path) == {"F"}:
                found.append(order)
    return found
