"""Artillery: the hexes on and around each enemy, by what it does there; slow targets first, friends against. Rule: E-35.

    value = damage x chance to hit / (running MP + 1), over enemies, less the same over friends

Plain shells only: no mines, no homing missiles, no bomb runs.
"""

from __future__ import annotations

from dataclasses import replace

from opfor.dice import chance_2d6
from opfor.game.legal.calls import CallChoices
from opfor.orders import CallOrder
from opfor.rules.barrage.artillery import ARTILLERY, FASCAM, HOMING, standard_number
from opfor.rules.barrage.blast import rings
from opfor.rules.barrage.spotting import aimed_hex, spotting_number
from opfor.rules.moving.movement import movement_points
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

_TABLE = table("artillery")


def blast(state: State, order: CallOrder) -> list[int]:
    """Points by distance from where a shell lands."""
    found: list[int] = _TABLE["pieces"][state.unit(order.unit).spec.mounts[order.mount].id]["damage"][
        state.ruleset.artillery_damage
    ]
    return found


def odds_of(state: State, order: CallOrder) -> float:
    """Chance that a shell lands where it is aimed. Rule: E-34, E-35.

    By the campaign's rules the spotter's roll times the flat number; a shell that nobody observes drifts, and counts nothing.
    """
    if state.ruleset.artillery != "campaign":
        return chance_2d6(standard_number(state, order).value)
    if not order.spotter:
        return 0.0
    number = spotting_number(state, state.unit(order.spotter), aimed_hex(state, order.cell))
    return number.odds * chance_2d6(int(_TABLE["campaign"]["number"])) if number.possible else 0.0


def burst_value(state: State, side: int, cell: int, damage: list[int]) -> float:
    """What a burst in a hex is worth before the chance to hit: points by target, the less the faster it is."""
    value = 0.0
    for away, near in rings(state, cell, len(damage) - 1):
        for unit in state.occupants(near):
            speed = movement_points(state, unit)
            points = damage[away] / (max(speed.walk, speed.run) + 1)
            value += points if unit.side != side else -points
    return value


def choose_call(state: State, legal: CallChoices, unit: UnitState) -> CallOrder:
    """The unit's announcement, or that it makes none."""
    best: tuple[float, CallOrder | None] = (0.0, None)
    worth: dict[tuple[int, int], float] = {}
    for order in legal.of(unit.id):
        if not isinstance(order, CallOrder) or order.what != ARTILLERY or order.mode in (HOMING, FASCAM):
            continue
        key = (order.mount, order.cell)
        if key not in worth:
            worth[key] = burst_value(state, unit.side, order.cell, blast(state, order))
        if worth[key] <= best[0]:
            continue
        value = worth[key] * odds_of(state, order)
        if value > best[0]:
            best = (value, order)
    value, call = best
    if call is None:
        return CallOrder(unit.id, reason="announces nothing: no shell is worth its round")
    seen = f", observed by {call.spotter}" if call.spotter else ""
    return replace(call, reason=f"fire at {state.board.grid.names[call.cell]}{seen}, worth {value:.1f}")
