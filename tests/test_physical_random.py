"""Brawls at random: whatever is declared, everybody ends somewhere lawful. Rule: S-2, S-8."""

from __future__ import annotations

import random

import pytest

from opfor.board.board import Board, Hex
from opfor.dice import SeededDice
from opfor.game.apply.physical import declare_physical, resolve_physical
from opfor.game.legal.physical import PhysicalChoices
from opfor.hex import Grid
from opfor.orders import MoveOrder
from opfor.rules.melee.charges import why_not_declare
from opfor.rules.melee.physical import physical_attack
from opfor.rules.pilots.piloting_rolls import resolve_phase_rolls
from opfor.rules.play import Play
from opfor.rulesets import read_ruleset
from opfor.state import State
from opfor.units.state import UnitState
from tests.support import test_mech


def brawl(seed: int) -> State:
    """Nine 'Mechs close together on broken ground."""
    chance = random.Random(seed)
    grid = Grid(4, 4)
    hexes = {}
    for cell in grid.on_board:
        level = chance.choice((0, 0, 0, 1, 2, 4))
        hexes[cell] = Hex(
            level=level,
            woods=chance.choice((0, 0, 1, 2)),
            water=chance.choice((-1, -1, -1, 1, 2)) if level == 0 else -1,
            rubble=chance.random() < 0.1,
        )
    board = Board("brawl", grid, hexes)
    units = []
    for number, cell in enumerate(chance.sample(grid.on_board, 9)):
        spec = test_mech(
            quad=number == 4,
            jump=4,
            equipment={"RA": ["Hatchet"] * 3} if number == 2 else {"LA": ["Sword"] * 3} if number == 3 else None,
        )
        unit = UnitState(spec, f"u{number}", number % 3 % 2)
        unit.cell, unit.facing, unit.elevation = cell, chance.randrange(6), -board.depth[cell]
        unit.mode, unit.hexes_moved, unit.moved = (*chance.choice((("stand", 0), ("walk", 3), ("run", 5), ("jump", 4))), True)
        unit.prone = chance.random() < 0.15
        unit.club = "tree" if chance.random() < 0.2 else ""
        units.append(unit)
    state = State(board, read_ruleset("standard"), ("a", "b"), units)
    state.phase = "physical"
    return state


def declare(play: Play, chance: random.Random) -> None:
    """Charges and deaths from above as far as they are possible, then an attack of every other unit."""
    state = play.state
    for unit in state.units:
        attack = {"run": "charge", "jump": "dfa"}.get(unit.mode, "")
        for target in state.enemies(unit.side):
            possible = attack and not why_not_declare(state, unit, target)
            if possible and physical_attack(state, unit, attack, "", target).possible:
                state.charges.append(MoveOrder(unit.id, unit.mode, (), unit.cell, unit.facing, attack=attack, target=target.id))
                break
    for unit in chance.sample(state.units, len(state.units)):
        choices = PhysicalChoices(state, [unit])
        order = choices.sample(chance.randrange)
        assert choices.why_not(order) == ""
        declare_physical(play, order)


@pytest.mark.parametrize("part", range(4))
def test_brawls(part: int) -> None:
    # 1444: a target leaves the map by domino before a death from above comes down where it stood
    for seed in (*range(part * 50, part * 50 + 50), 1444):
        state = brawl(seed)
        play = Play(state, SeededDice(seed))
        declare(play, random.Random(seed))
        resolve_physical(play)
        resolve_phase_rolls(play)
        assert not state.declared and not state.charges
        places = [(u.cell, u.elevation) for u in state.units if u.alive]
        assert len(places) == len(set(places)), seed
        for unit in state.units:
            if unit.alive:
                assert state.board.grid.contains(unit.cell)
                assert unit.elevation == -state.board.depth[unit.cell], seed
                assert not unit.psr


def test_the_same_dice_give_the_same_brawl() -> None:
    logs = []
    for _ in range(2):
        play = Play(brawl(11), SeededDice(5))
        declare(play, random.Random(3))
        resolve_physical(play)
        logs.append([event.as_dict() for event in play.events])
    assert logs[0] == logs[1]
    assert logs[0]
