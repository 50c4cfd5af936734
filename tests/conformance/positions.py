"""Battles to check things in: small ones at close quarters, some units damaged, down, hot or out, in every phase."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from opfor.board.board import Board
from opfor.board.library import board_names
from opfor.dice import SeededDice
from opfor.formats.library import board_named
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.orders import Order
from opfor.rules.harm.damage import apply_damage
from opfor.rules.play import Play
from opfor.rulesets import Ruleset, named_ruleset
from opfor.state import State
from opfor.units.catalogue import unit_named, unit_names
from opfor.units.state import UnitState

#: chooses an order of the game's decision
Chooser = Callable[[Game], Order]


def close_battle(
    seed: int, *, size: int = 2, damaged: bool = False, spread: int = 24, ruleset: Ruleset | str = "standard"
) -> State:
    """A battle before its first turn whose units stand on ``spread`` hexes about one place, all by ``seed``."""
    draw = random.Random(seed)
    boards = board_names()
    board = board_named(boards[seed % len(boards)])
    every = unit_names("mech")
    units = []
    cells = _cells(board, draw, 2 * size, spread)
    for number, cell in enumerate(cells):
        side = number % 2
        unit = UnitState(unit_named(every[draw.randrange(len(every))]), f"{'ab'[side]}{number // 2 + 1}", side)
        unit.cell, unit.facing = cell, draw.randrange(6)
        unit.elevation = -board.depth[cell]
        units.append(unit)
    rules = named_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    state = State(board, rules, ("alpha", "bravo"), units)
    state.edges = ["north", "south"]
    state.limit = 12
    if damaged:
        _batter(state, draw)
    return state


def _cells(board: Board, draw: random.Random, count: int, spread: int) -> list[int]:
    """Distinct hexes around one place, none in a building or on a bridge's hex, where height needs a choice."""
    grid = board.grid
    middle = draw.choice(grid.on_board)
    plain = [c for c in grid.on_board if not board.hexes[c].building and not board.hexes[c].bridge]
    plain.sort(key=lambda cell: (grid.distance(middle, cell), cell))
    return draw.sample(plain[: max(count, spread)], count)


def _batter(state: State, draw: random.Random) -> None:
    """Damage by the rules themselves, then what a battle leaves behind: prone, hot, shut down, out of ammunition."""
    play = Play(state, SeededDice(draw.randrange(1000)))
    for unit in state.units:
        for _ in range(draw.randrange(6)):
            apply_damage(play, unit, draw.randrange(1, 8), draw.randrange(1, 12), rear=draw.random() < 0.2)
        unit.damage_this_phase = 0
        unit.psr.clear()
        unit.prone = draw.random() < 0.3
        unit.heat = draw.choice((0, 0, 6, 11, 17, 24))
        unit.shutdown = draw.random() < 0.1
        unit.ammo = [draw.choice((shots, shots, 1, 0)) for shots in unit.ammo]
        unit.gunnery, unit.piloting = draw.randrange(2, 6), draw.randrange(3, 7)
        unit.club = draw.choice(("", "", "", "tree")) if not unit.spec.quad else ""


def in_physical_phase(state: State, seed: int) -> State:
    """The battle as it would stand when the physical phase of the turn begins: everybody has moved, some have fired."""
    draw = random.Random(seed)
    for unit in state.units:
        unit.mode, unit.hexes_moved = draw.choice((("stand", 0), ("walk", 2), ("run", 4)))
        unit.moved = True
        unit.used_arms = draw.choice((0, 0, 1 << 4, 1 << 5))
    state.phase = "physical"
    return state


def at_random(seed: int) -> Chooser:
    """Chooses any of the legal orders, each as likely."""
    draw = random.Random(seed).random
    return lambda game: _due(game).legal.sample(lambda count: int(draw() * count))


def _due(game: Game) -> Decision:
    decision = game.decision()
    assert decision is not None
    return decision


def positions(seed: int, count: int, *, damaged: bool = True, size: int = 2, each: int = 12) -> Iterator[Game]:
    """``count`` games, each at a decision; one battle after another played on at random, ``each`` for so many orders.

    The game plays on when the next one is asked for.
    """
    given = 0
    while given < count:
        # every third battle begins at arm's length in the physical phase
        brawl = seed % 3 == 2
        state = close_battle(seed, size=size, damaged=damaged, spread=8 if brawl else 24)
        game = Game(in_physical_phase(state, seed) if brawl else state, SeededDice(seed))
        choose = at_random(seed)
        for _ in range(min(each, count - given)):
            if game.decision() is None:
                break
            yield game
            given += 1
            game.apply(choose(game), trust=True)
        seed += 1
