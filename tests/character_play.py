"""How a character plays, measured: short games on open ground, three 'Mechs a side, the other side the standard veteran.

The 'Mechs are all-rounders with long and short arms, rounds and jump jets among them, so that every dial has something to turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from statistics import fmean

from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.orders import FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.state import State
from opfor.units.state import UnitState
from policies.base import Policy
from policies.registry import make
from policies.veteran.worth import hurt
from tests.skirmish import skirmish

UNITS = ("Thunderbolt TDR-5S", "Warhammer WHM-6R", "Wolverine WVR-6R")
TURNS = 8
#: turn from which the sides are within reach of each other
_JOINED = 4


@dataclass(slots=True)
class Play:
    """What one side did in a game, turn by turn and order by order."""

    #: as fire begins: hexes to the nearest enemy (from turn 4 on), to its friends on the mean, moved, and from its home edge
    distance: list[float] = field(default_factory=list)
    apart: list[float] = field(default_factory=list)
    moved: list[float] = field(default_factory=list)
    advanced: list[float] = field(default_factory=list)
    #: heat at the end of a turn
    heat: list[float] = field(default_factory=list)
    #: by turn: 1 where all fire at one target, 0 where each has its own
    focus: list[float] = field(default_factory=list)
    #: damage of the primary target beyond the mean of its side, as a share of its armour and structure
    weak: list[float] = field(default_factory=list)
    #: in the game: weapons fired, shots that cost rounds, blows and charges, orders to fall back
    guns: int = 0
    rounds: int = 0
    blows: int = 0
    back: int = 0


def measured(measure: str, code: str, seeds: Sequence[int]) -> float:
    """The mean of a measure over games with these seeds: of each game's mean, or of its count."""
    values = []
    for seed in seeds:
        value = getattr(played(code, seed), measure)
        if value != []:
            values.append(fmean(value) if isinstance(value, list) else float(value))
    return fmean(values)


@cache
def played(code: str, seed: int, other: str = "veteran") -> Play:
    """A game of ``code`` against ``other``; the seat changes with the seed."""
    game = Game(skirmish(seed, "open-plain", UNITS, limit=TURNS), SeededDice(seed))
    mine = seed % 2
    choosers: list[Policy] = [make(other, seed), make(other, seed)]
    choosers[mine] = make(code, seed)
    seen = Play()
    looked = (0, "")
    targets: dict[int, list[str]] = {}
    while (decision := game.decision()) is not None:
        state = game.state
        if decision.kind == "fire" and looked != (state.turn, "fire"):
            looked = (state.turn, "fire")
            _look(seen, state, mine)
        order = choosers[decision.side].choose(decision, game.view(decision.side))
        if decision.side == mine:
            _count(seen, state, order, targets.setdefault(state.turn, []))
        turn = state.turn
        game.apply(order, trust=True)
        if game.state.turn != turn:
            seen.heat += [u.heat for u in game.state.units if u.side == mine and u.alive]
    seen.focus = [1.0 - (len(set(row)) - 1) / (len(row) - 1) for row in targets.values() if len(row) > 1]
    return seen


def _on_map(state: State, side: int) -> list[UnitState]:
    return [unit for unit in state.units if unit.side == side and unit.alive and unit.cell >= 0]


def _look(seen: Play, state: State, side: int) -> None:
    """How the sides stand as fire begins."""
    ours, theirs = _on_map(state, side), _on_map(state, 1 - side)
    grid = state.board.grid
    for unit in ours:
        if theirs and state.turn >= _JOINED:
            seen.distance.append(min(grid.distance(unit.cell, enemy.cell) for enemy in theirs))
        friends = [friend for friend in ours if friend is not unit]
        if friends:
            seen.apart.append(fmean(grid.distance(unit.cell, friend.cell) for friend in friends))
        seen.moved.append(unit.hexes_moved)
        row = grid.rows[unit.cell]
        seen.advanced.append(row if side == 0 else grid.height - 1 - row)


def _count(seen: Play, state: State, order: Order, targets: list[str]) -> None:
    if isinstance(order, FireOrder) and order.attacks:
        mounts = state.unit(order.unit).spec.mounts
        seen.guns += len(order.attacks)
        seen.rounds += sum(any(mode.ammo for mode in mounts[attack.mount].modes) for attack in order.attacks)
        targets.append(order.primary)
        enemies = {enemy.id: hurt(enemy) for enemy in _on_map(state, 1 - state.unit(order.unit).side)}
        if order.primary in enemies and len(enemies) > 1:
            seen.weak.append(enemies[order.primary] - fmean(enemies.values()))
    elif isinstance(order, PhysicalOrder):
        seen.blows += bool(order.attack)
    elif isinstance(order, MoveOrder):
        seen.blows += order.attack in ("charge", "dfa")
        seen.back += "falls back" in order.reason
