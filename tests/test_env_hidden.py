"""Observations tell nothing that the side does not know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from envs.match import Match
from envs.observation import LAYOUT, Observer
from opfor.dice import SeededDice
from opfor.directives import Directive, Objective
from opfor.game.game import Game
from opfor.state import State
from tests.observations import WEAPON, duel, seen
from tests.support import make_state


def test_what_was_seen_before_changes_nothing_where_units_hide() -> None:
    """Views are copies then: a 'Mech on a roof that bears it, and not two of it, is not taken for another that stands there."""
    state = make_state(
        board={"0805": {"building": 2, "building_height": 1, "building_cf": 60}},
        units=[
            {"id": "a", "at": "0805", "elevation": 1, "facing": "S", "mech": WEAPON},
            {"id": "b", "side": 1, "at": "0809", "facing": "N", "mech": WEAPON},
            {"id": "c", "side": 1, "at": "1412", "mech": WEAPON, "hidden": True},
        ],
        phase="movement",
    )
    state.directives = (Directive(knows="sees"), Directive(knows="sees"))
    state.limit = 3
    observer, stood = Observer(), 0
    match = Match(Game(state, SeededDice(0)))
    while match.walk is not None:
        question = match.walk.question
        assert question is not None
        out = seen(match, observer)
        assert out.tobytes() == seen(match).tobytes()
        if match.side == 0 and question.name == "mode":
            row = 1 + list(question.facts["mode"]).index("stand")
            assert LAYOUT.read(out, "slots", "hazard", row) == 0.0
            stood += 1
        match.step(0)
    assert stood >= 2


def spoil(state: State, id: str, cell: str) -> None:
    """Change all that there is to change of a unit."""
    unit = state.unit(id)
    unit.cell = state.board.grid.parse(cell)
    unit.facing, unit.heat, unit.hexes_moved, unit.mode, unit.moved = 4, 11, 5, "run", True
    unit.prone = True
    unit.armor = [points // 2 for points in unit.armor]
    unit.gunnery, unit.piloting, unit.pilot_hits, unit.engine_hits = 1, 2, 3, 1
    unit.mounts_lost = 1
    state.touch()


def both(state: State, change: object) -> tuple[bytes, bytes]:
    """Observations of side 0 before and after a change to what it does not know."""
    match = Match(Game(state, SeededDice(1)))
    assert match.side == 0
    before = seen(match).tobytes()
    change()  # type: ignore[operator]
    return before, seen(match).tobytes()


def test_a_hidden_unit_is_not_seen() -> None:
    state = duel()
    before, after = both(state, lambda: spoil(state, "c", "0806"))
    assert before == after
    # the same of a unit in plain sight is
    before, after = both(state, lambda: spoil(state, "b", "0810"))
    assert before != after


def test_hidden_units_and_those_that_fell_unseen_count_for_nothing() -> None:
    state = duel()

    def fall() -> None:
        state.unit("c").destroyed = "test"

    before, after = both(state, fall)
    assert before == after


@pytest.mark.parametrize("knows", ["sees", "contacts"])
def test_enemies_out_of_sight_are_not_seen(knows: str) -> None:
    """A ridge hides d; its place alone is known where it is a contact."""
    state = duel(board={f"{column:02d}12": "level 9" for column in range(1, 17)})
    contacts = (("d", state.board.grid.parse("0815")),) if knows == "contacts" else ()
    state.directives = (Directive(knows=knows, contacts=contacts), Directive())
    rows = LAYOUT.view(seen(Match(Game(state, SeededDice(1)))), "units")
    assert rows[24:, LAYOUT.groups["units"].index("present")].sum() == (2 if contacts else 1)
    assert rows[24:, LAYOUT.groups["units"].index("contact")].sum() == len(contacts)
    before, after = both(state, lambda: spoil(state, "d", "1516"))
    assert before == after


def test_mines_not_known_of_are_not_seen() -> None:
    state = duel()
    cell = state.board.grid.parse("0806")
    bare = state.board

    def lay(known: int) -> None:
        state.board = bare.changed({cell: replace(bare.hexes[cell], mines=10, mines_known=known)})

    before, after = both(state, lambda: lay(2))
    assert before == after
    before, after = both(state, lambda: lay(1))
    assert before != after


def test_what_the_other_side_has_been_told_is_not_seen() -> None:
    state = duel()
    goal = Objective("reach", "reach 0801", frozenset([state.board.grid.parse("0801")]))

    def tell(side: int) -> None:
        state.directives = tuple([Directive(objective=goal) if one == side else Directive() for one in range(2)])

    before, after = both(state, lambda: tell(1))
    assert before == after
    before, after = both(state, lambda: tell(0))
    assert before != after
    assert LAYOUT.read(np.frombuffer(after, dtype=np.float32), "unit", "goal") == 4 / 32
    assert LAYOUT.read(np.frombuffer(after, dtype=np.float32), "battle", "objective_reach") == 1
