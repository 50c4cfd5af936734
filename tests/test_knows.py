"""What a side knows: all, what it sees, what it sees and where it last saw the others. Hidden is hidden."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from opfor.dice import SeededDice
from opfor.directives import NOTHING
from opfor.formats.battle_file.battle import load_battle
from opfor.formats.battle_file.battle_write import save_battle
from opfor.formats.words.directives import read_objective, read_restraint
from opfor.game.bounds import Bounds
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.restraint import restrained
from opfor.game.view import View, unseen
from opfor.gm.running.contacts import note_contacts
from opfor.orders import CallOrder, Order
from opfor.state import State
from policies.veteran import VeteranPolicy
from tests.cli_support import opfor, opfor_json, ridge
from tests.skirmish import skirmish
from tests.support import make_state

GUN = {"weapons": {"RA": ["is_medium_laser"], "LT": ["is_large_laser"]}}
#: a ridge across the map that nobody sees over: north of it beta is out of sight, alpha stands south of it
RIDGE = {f"{column:02}08": "level 5" for column in range(1, 17)}


def field(knows: str, **others: Any) -> State:
    state = make_state(
        board=RIDGE,
        units=[
            {"id": "alpha", "side": 0, "at": "0610", "facing": "S", "mech": GUN},
            {"id": "beta", "side": 0, "at": "0803", "facing": "S", "mech": GUN},
            {"id": "reaver", "side": 1, "at": "0815", "facing": "N", "mech": GUN},
            {"id": "ogre", "side": 1, "at": "1015", "facing": "N", "mech": GUN},
        ],
        phase="movement",
    )
    state.directives = (NOTHING, replace(NOTHING, knows=knows, **others))
    return state


def cell(state: State, name: str) -> int:
    return state.board.grid.parse(name)


def test_out_of_sight_is_told_by_lines_of_sight_and_sensors() -> None:
    state = field("sees")
    assert unseen(state, 1) == {"beta"}
    assert unseen(state, 0) == set()
    state.unit("beta").cell = cell(state, "0808")
    assert unseen(state, 1) == set()
    # sensors: a hex away behind a wall it is noticed all the same
    state.unit("reaver").cell, state.unit("beta").cell = cell(state, "0809"), cell(state, "0808")
    assert unseen(state, 1) == set()


def test_the_view_of_who_sees_holds_nothing_of_the_others() -> None:
    state = field("sees")
    beta = state.unit("beta")
    beta.heat, beta.moved, beta.mode, beta.hexes_moved, beta.prone, beta.facing = 9, True, "run", 6, True, 4
    seen = View(state, 1).state.unit("beta")
    assert (seen.gone, seen.cell, seen.heat, seen.moved, seen.mode, seen.hexes_moved, seen.prone) == (
        True, -1, 0, False, "", 0, False,
    )  # fmt: skip
    assert seen.facing == 0
    assert not View(state, 1).state.unit("alpha").gone
    assert state.unit("beta").cell == cell(state, "0803")
    # who knows all, and the other side, lose nothing
    assert not View(field("all"), 1).state.unit("beta").gone
    assert not View(state, 0).state.unit("ogre").gone


def test_contacts_stand_where_they_were_last_seen() -> None:
    state = field("contacts")
    contact = ("beta", cell(state, "0306"))
    state.directives = (NOTHING, replace(state.directives[1], contacts=(contact, ("alpha", cell(state, "0101")))))
    seen = View(state, 1).state
    assert seen.unit("beta").cell == contact[1]
    assert not seen.unit("beta").gone
    # who is in sight stands where it stands, whatever was noted
    assert seen.unit("alpha").cell == cell(state, "0610")
    state.unit("beta").hidden = True
    assert View(state, 1).state.unit("beta").gone


def test_nobody_is_told_what_the_other_side_has_been_told() -> None:
    state = field("sees")
    state.directives = (
        replace(NOTHING, objective=read_objective("hold 0812", state), restraint=read_restraint("hold fire", state)),
        replace(state.directives[1], objective=read_objective("reach north", state)),
    )
    state.fired_on = frozenset({"alpha", "reaver"})
    assert View(state, 1).state.directives == (NOTHING, state.directives[1])
    assert View(state, 0).state.directives == (state.directives[0], NOTHING)
    assert View(state, 1).state.fired_on == {"reaver"}


def orders(state: State) -> list[Order]:
    """Orders of the Op Force for its movement."""
    game, policy, found = Game(state.copy(), SeededDice(0)), VeteranPolicy(0), list[Order]()
    game.call(1, "move")
    while (decision := game.decision()) is not None and decision.side == 1 and game.state.phase == "movement":
        found.append(policy.choose(decision, game.view(1)))
        game.apply(found[-1])
        game.call(1, "move")
    return found


HIDDEN = [("0803", "S"), ("0101", "N"), ("1502", "SE"), ("0806", "N")]


@pytest.mark.parametrize("knows", ["sees", "contacts"])
def test_orders_do_not_change_with_what_is_out_of_sight(knows: str) -> None:
    """beta stands in four places behind the ridge, hot and cold, moved and not: the orders are the same, word for word."""
    plans = []
    for at, facing in HIDDEN:
        state = field(knows, contacts=(("beta", cell(field(knows), "0504")),) if knows == "contacts" else ())
        beta = state.unit("beta")
        beta.cell, beta.facing = cell(state, at), ["N", "NE", "SE", "S", "SW", "NW"].index(facing)
        beta.heat, beta.moved, beta.mode = 7 * (at == "0101"), True, "walk"
        assert "beta" in unseen(state, 1)
        plans.append([(order, order.reason) for order in orders(state)])
    assert all(plan == plans[0] for plan in plans)
    assert len(plans[0]) == 2


def test_who_knows_all_plans_by_it() -> None:
    """The counter-test: with all known, where beta stands makes a difference somewhere."""
    plans = []
    for at in ("0806", "1602"):
        state = field("all")
        state.unit("alpha").destroyed = "test"
        state.unit("beta").cell = cell(state, at)
        plans.append(orders(state))
    assert plans[0] != plans[1]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("knows", ["sees", "contacts"])
def test_whole_battles_are_played_by_sight(seed: int, knows: str) -> None:
    state = skirmish(seed, size=3, limit=5, ruleset=("standard", "campaign", "mwii")[seed])
    state.directives = tuple(replace(NOTHING, knows=knows, objective=read_objective("advance", state)) for _ in state.sides)
    game, sides = Game(state, SeededDice(seed)), [VeteranPolicy(0), VeteranPolicy(1)]
    while (decision := game.decision()) is not None:
        note_contacts(state)
        order = sides[decision.side].choose(decision, game.view(decision.side))
        game.apply(order)


def test_contacts_are_kept_up_as_orders_are_played(tmp_path: Path) -> None:
    state = field("contacts")
    note_contacts(state)
    assert dict(state.directives[1].contacts) == {"alpha": cell(state, "0610")}
    # alpha slips behind the ridge: what is known is where it was
    state.unit("alpha").cell = cell(state, "0404")
    note_contacts(state)
    assert dict(state.directives[1].contacts) == {"alpha": cell(state, "0610")}
    state.unit("alpha").destroyed = "test"
    note_contacts(state)
    assert state.directives[1].contacts == ()


def test_contacts_go_through_the_file_and_the_commands(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    opfor("direct", path, "opfor: knows contacts")
    rows = opfor_json("orders", path)["orders"]
    opfor("apply", path, *[f"{row['unit']}: stand" for row in rows], "--seed", 1)
    battle = load_battle(path)
    contacts = dict(battle.state.directives[1].contacts)
    assert contacts
    assert all(battle.state.unit(id).cell == where for id, where in contacts.items())
    assert "contacts:" in path.read_text(encoding="utf-8")
    save_battle(battle, path)
    assert load_battle(path).state.directives == battle.state.directives
    assert any("last saw the others" in line for line in opfor_json("orders", path)["told"])


# -- what lies open to fire for the enemies there ---------------------------------------------------------------------


def gunners(knows: str, **others: Any) -> State:
    """An artillery piece of the side that sees alpha and not beta; woods at both."""
    state = make_state(
        board={**RIDGE, "0610 0803": "light woods"},
        ruleset="campaign",
        units=[
            {"id": "alpha", "side": 0, "at": "0610", "facing": "S", "mech": GUN},
            {"id": "beta", "side": 0, "at": "0803", "facing": "S", "mech": GUN},
            {"id": "reaver", "side": 1, "at": "0815", "facing": "N", "mech": GUN},
            {"id": "gun", "side": 1, "at": "0616", "facing": "N",
             "vehicle": {"weapons": {"FR": ["is_thumper"]}, "ammo": ["Thumper Ammo"]}},
        ],
        phase="initiative",
    )  # fmt: skip
    state.directives = (NOTHING, replace(NOTHING, knows=knows, **others))
    return state


def shelled(state: State, *, told: bool = True) -> set[str]:
    """Where the piece may aim, by the orders listed for it: those left to its side, or all that are legal."""
    decision = Decision(state, 1, [state.unit("gun")], "call")
    orders = [order for order in (restrained(decision) if told else decision).legal if isinstance(order, CallOrder)]
    return {state.board.grid.names[order.cell] for order in orders if order.what}


def test_shells_are_called_for_where_a_side_knows_of_enemies() -> None:
    assert {"0610", "0803"} <= shelled(gunners("all"))
    sees = shelled(gunners("sees"))
    assert "0610" in sees and not {"0803", "0802", "0804"} & sees
    state = gunners("contacts")
    state.directives = (NOTHING, replace(state.directives[1], contacts=(("beta", cell(state, "1205")),)))
    assert {"0610", "1205"} <= shelled(state) and "0803" not in shelled(state)


def test_the_game_masters_own_calls_are_not_held_to_that() -> None:
    state = gunners("contacts")
    state.directives = (NOTHING, replace(state.directives[1], contacts=(("beta", cell(state, "1205")),)))
    assert {"0610", "0803", "1205"} <= shelled(state, told=False)
    call = CallOrder("gun", "artillery", 0, cell=cell(state, "1205"))
    decision = Decision(state, 1, [state.unit("gun")], "call")
    assert call in decision.legal and call in restrained(decision).legal
    call = replace(call, cell=cell(state, "0803"))
    assert call in decision.legal and call not in restrained(decision).legal
    assert "knows of no enemy there" in str(restrained(decision).legal.why_not(call))


@pytest.mark.parametrize(("knows", "open_to"), [("all", {"@0610", "@0803"}), ("sees", {"@0610"})])
def test_woods_are_fired_at_where_a_side_knows_of_enemies(knows: str, open_to: set[str]) -> None:
    """By the campaign's switch ``hex_targets: near``."""
    state = gunners(knows)
    assert state.ruleset.hex_targets == "near"
    bounds = Bounds(state, state.unit("reaver"))
    barred = {target for target in ("@0610", "@0803") if bounds.why_not_attack(target)}
    assert {"@0610", "@0803"} - barred == open_to
