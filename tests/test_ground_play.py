"""Any legal order of every kind of unit on ground that burns, blows up, breaks and comes down: the invariants hold."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from opfor.board.board import Board, Hex
from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.rulesets import read_ruleset
from opfor.state import State
from tests.support import make_board, make_unit

KINDS: tuple[dict[str, Any], ...] = (
    {"mech": {"jump": 4, "weapons": {"RA": ["is_flamer"], "LA": ["is_medium_laser"]}}},
    {"mech": {"quad": True, "weapons": {"RT": ["is_lrm10"]}, "ammo": {"LT": ["IS Ammo LRM-10"]}}},
    {"mech": {"tons": 80, "walk": 3, "weapons": {"RT": ["is_ac10"], "LT": ["is_ppc"]}, "ammo": {"RT": ["IS Ammo AC/10"]}}},
    {"vehicle": {"weapons": {"TU": ["is_medium_laser"], "FR": ["is_flamer"]}}},
    {"vehicle": {"motive": "hover", "weapons": {"FR": ["is_srm4"]}, "ammo": ["IS Ammo SRM-4"]}},
    {"vtol": {"weapons": {"FR": ["is_medium_laser"]}}},
    {"platoon": {}},
    {"platoon": {"weapon": "flamer", "motive": "jump"}},
    {"suits": {}},
)


def _content(draw: random.Random) -> Hex:
    return draw.choice(
        (
            Hex(woods=1),
            Hex(woods=2, fire=True, smoke=2),
            Hex(building=draw.randint(1, 4), building_height=draw.randint(1, 3), building_cf=draw.choice((3, 15, 40, 90))),
            Hex(mines=draw.choice((5, 15, 30)), mines_known=draw.randint(0, 3)),
            Hex(water=draw.randint(1, 2), ice=True),
            Hex(water=1),
            Hex(water=1, bridge=True, bridge_height=1, bridge_cf=draw.choice((20, 60)), bridge_exits=63),
            Hex(smoke=draw.randint(1, 2)),
            Hex(level=draw.randint(1, 2), rough=True),
        )
    )


def battle(seed: int) -> tuple[State, random.Random]:
    """A battle of eight units close together on mixed ground, its switches drawn as well."""
    draw = random.Random(seed)
    empty: Board = make_board({}, (11, 11))
    cells = list(empty.grid.on_board)
    board = empty.changed({cell: replace(_content(draw)) for cell in draw.sample(cells, 70)})
    free = [cell for cell in cells if board.hexes[cell] == Hex()]
    units = [
        make_unit(
            board,
            ("x", "y"),
            {**draw.choice(KINDS), "id": f"u{i}", "side": i % 2, "at": board.grid.names[cell], "facing": draw.randint(0, 5)},
        )
        for i, cell in enumerate(draw.sample(free, 8))
    ]
    switches = {
        "hex_targets": draw.choice(("off", "near", "any")),
        "accidental_fires": draw.choice(("on", "off")),
        "partial_cover": draw.choice(("house", "standard")),
        "mine_reduction": draw.choice(("none", "standard")),
    }
    state = State(board, read_ruleset({"base": "standard", **switches}), ("x", "y"), units)
    state.limit = 4
    state.wind = draw.randint(-1, 5)
    return state, draw


def play(seed: int) -> None:
    """Play a battle to its end, checking after every order."""
    state, draw = battle(seed)
    game, watch = Game(state, SeededDice(seed)), Invariants()
    watch.before(game)
    while (decision := game.decision()) is not None:
        order = decision.legal.sample(draw.randrange)
        watch.ordered(game, decision, order)
        watch.happened(game, order, game.apply(order))


@pytest.mark.parametrize("seed", range(6))
def test_play_on_broken_ground(seed: int) -> None:
    play(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_more_play_on_broken_ground(seed: int) -> None:
    play(seed)
