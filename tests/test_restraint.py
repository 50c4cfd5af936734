"""What a game master forbids is not done, by any policy; what is left keeps the promises of legal orders."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from opfor.directives import NOTHING, Directive, Restraint
from opfor.errors import InputError
from opfor.formats.battle_file.battle import load_battle, read_battle
from opfor.formats.battle_file.battle_write import save_battle
from opfor.formats.words.directives import read_objective, read_restraint, with_restraints
from opfor.game.bounds import Bounds
from opfor.game.game import Game
from opfor.game.restraint import RestrainedDecision, restrained
from opfor.gm.advice.advise import advise
from opfor.missions import Zone
from opfor.orders import Attack, CallOrder, FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.state import State
from policies.random_policy import RandomPolicy
from policies.veteran import VeteranPolicy
from tests.cli_support import opfor, opfor_json, ridge
from tests.conformance.choices import check_choices
from tests.skirmish import skirmish
from tests.support import make_state

WORDS: dict[str, list[dict[str, Any]]] = yaml.safe_load((Path(__file__).parent / "cases/control/words.yaml").read_text())


def field() -> State:
    """Three of the Op Force and two players in the open, a village between them."""
    gun = {"weapons": {"RA": ["is_medium_laser"], "LT": ["is_large_laser"]}, "jump": 4}
    state = make_state(
        units=[
            {"id": "alpha-1", "side": 0, "at": "0806", "facing": "S", "mech": gun},
            {"id": "alpha-2", "side": 0, "at": "1010", "facing": "S", "mech": gun},
            {"id": "reaver", "side": 1, "at": "0810", "facing": "N", "mech": gun},
            {"id": "ogre", "side": 1, "at": "0711", "facing": "N", "mech": gun},
            {"id": "mule", "side": 1, "at": "0914", "facing": "N", "mech": gun},
        ],
        phase="movement",
    )
    state.zones["village"] = Zone("village", frozenset(cells(state, "0808", "0809")))
    return state


def cells(state: State, *names: str) -> list[int]:
    return [state.board.grid.parse(name) for name in names]


def tell(state: State, *lines: str) -> State:
    state.directives = with_restraints(state, lines)
    return state


def decision_of(state: State, id: str) -> RestrainedDecision:
    game = Game(state)
    game.call(1, {"movement": "move"}.get(state.phase, state.phase))
    decision = game.decision()
    assert decision is not None
    left = restrained(decision.narrowed([state.unit(id)]))
    assert isinstance(left, RestrainedDecision)
    return left


# -- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", WORDS["restraints"], ids=lambda case: case["words"])
def test_restraints_are_read(case: dict[str, Any]) -> None:
    state = field()
    made = read_restraint(case["words"], state)
    for key, wanted in case["means"].items():
        got: Any = getattr(made, key)
        if key in ("within", "outside"):
            assert got == tuple(frozenset(cells(state, *area)) for area in wanted)
        elif key == "shell":
            assert got == frozenset(cells(state, *wanted))
        else:
            assert got == (frozenset(wanted) if isinstance(wanted, list) else wanted)
    plain = Restraint()
    others = [k for k in Restraint.__slots__ if k not in (*case["means"], "words")]
    assert all(getattr(made, key) == getattr(plain, key) for key in others)


@pytest.mark.parametrize("case", WORDS["objectives"], ids=lambda case: case["words"])
def test_objectives_are_read(case: dict[str, Any]) -> None:
    state = field()
    made = read_objective(case["words"], state)
    for key, wanted in case["means"].items():
        got: Any = getattr(made, key)
        assert got == (frozenset(cells(state, *wanted)) if key == "cells" else wanted)
    assert made.words == case["words"]


@pytest.mark.parametrize("case", WORDS["refused_restraints"] + WORDS["refused_objectives"], ids=lambda case: case["words"])
def test_what_cannot_be_read_is_refused(case: dict[str, Any]) -> None:
    read: Any = read_restraint if case in WORDS["refused_restraints"] else read_objective
    with pytest.raises(InputError, match=case["says"].replace("(", r"\(")):
        read(case["words"], field())


@pytest.mark.parametrize("seed", range(30))
def test_hostile_words_are_refused_and_nothing_worse(seed: int) -> None:
    state, draw = field(), random.Random(seed)
    vocabulary = [
        "no",
        "hold",
        "fire",
        "not",
        "into",
        "zone",
        "village",
        "0810",
        "-",
        ",",
        "and",
        "ignore",
        "only",
        "'",
        "%",
        "☃",
    ]
    text = " ".join(draw.choice(vocabulary) for _ in range(draw.randrange(1, 7)))
    for read in (read_restraint, read_objective):
        try:
            read(text, state)
        except InputError as error:
            assert error.message


# -- movement ---------------------------------------------------------------------------------------------------------


def listed(state: State, id: str) -> list[Order]:
    return list(decision_of(state, id).legal)


def test_who_is_not_to_move_stands() -> None:
    orders = listed(tell(field(), "reaver: do not move"), "reaver")
    assert [order.mode for order in orders if isinstance(order, MoveOrder)] == ["stand"]


def test_modes_that_are_forbidden_are_gone_and_others_stay() -> None:
    modes = {order.mode for order in listed(tell(field(), "reaver: no jump"), "reaver") if isinstance(order, MoveOrder)}
    assert "jump" not in modes
    assert {"stand", "walk", "run"} <= modes
    attacks = {
        order.attack for order in listed(tell(field(), "opfor: no charge, dfa"), "reaver") if isinstance(order, MoveOrder)
    }
    assert attacks == {""}


def test_an_area_is_not_left_not_even_on_the_way() -> None:
    state = tell(field(), "reaver: do not leave 0810-0812")
    area = set(cells(state, "0810", "0811", "0812"))
    bounds = Bounds(state, state.unit("reaver"))
    orders = [order for order in listed(state, "reaver") if isinstance(order, MoveOrder)]
    assert {order.to for order in orders} == area
    assert all(set(bounds.way(order)) <= area for order in orders)
    out = next(o for o in Game(state).decision().legal if isinstance(o, MoveOrder) and o.unit == "reaver" and o.to not in area)  # type: ignore[union-attr]
    assert "is not to leave where it is" in decision_of(state, "reaver").legal.why_not(out)


def test_who_is_outside_the_area_is_free_until_it_comes_there() -> None:
    state = tell(field(), "mule: do not leave 0810-0812")
    assert len(listed(state, "mule")) == len(list(Game(state).decision().narrowed([state.unit("mule")]).legal))  # type: ignore[union-attr]


def test_a_zone_is_not_entered_but_may_be_left() -> None:
    state = tell(field(), "opfor: not into zone village")
    village = state.zones["village"].cells
    assert all(order.to not in village for order in listed(state, "reaver") if isinstance(order, MoveOrder))
    state.unit("reaver").cell = cells(state, "0809")[0]
    state.touch()
    ends = {order.to for order in listed(state, "reaver") if isinstance(order, MoveOrder)}
    assert ends - village


# -- fire and blows ---------------------------------------------------------------------------------------------------


def in_fire(state: State) -> State:
    state.phase = "fire"
    for unit in state.units:
        unit.moved, unit.mode = True, "stand"
    return state


def test_holding_fire_leaves_no_shot() -> None:
    state = in_fire(tell(field(), "opfor: hold fire"))
    assert all(isinstance(order, FireOrder) and not order.attacks for order in listed(state, "reaver"))
    assert listed(state, "reaver")


def test_holding_fire_until_fired_on_ends_with_the_first_shot_at_anybody_of_the_side() -> None:
    state = in_fire(tell(field(), "opfor: hold fire until fired on"))
    assert not any(order.attacks for order in listed(state, "reaver") if isinstance(order, FireOrder))
    game = Game(state)
    game.call(0, "fire")
    game.apply(FireOrder("alpha-1", 0, False, (Attack(0, "ogre"),), "ogre"))
    assert state.fired_on == {"ogre"}
    assert any(order.attacks for order in listed(state, "reaver") if isinstance(order, FireOrder))
    # a unit that is told so by itself waits for fire at itself
    alone = in_fire(tell(field(), "reaver: hold fire until fired on"))
    alone.fired_on = frozenset({"ogre"})
    assert not any(order.attacks for order in listed(alone, "reaver") if isinstance(order, FireOrder))
    alone.fired_on = frozenset({"reaver"})
    assert any(order.attacks for order in listed(alone, "reaver") if isinstance(order, FireOrder))


@pytest.mark.parametrize(
    ("words", "left"), [("ignore alpha-1", {"alpha-2"}), ("fire only at alpha-1", {"alpha-1"}), ("ignore players", set())]
)
def test_targets_that_are_forbidden(words: str, left: set[str]) -> None:
    state = in_fire(tell(field(), f"opfor: {words}"))
    targets = {attack.target for o in listed(state, "mule") if isinstance(o, FireOrder) for attack in o.attacks}
    assert targets == left


def test_blows_are_held_to_the_same() -> None:
    def attacks(*told: str) -> set[str]:
        state = tell(field(), *told)
        state.unit("alpha-1").cell = cells(state, "0809")[0]
        state.touch()
        state = in_fire(state)
        state.phase = "physical"
        return {order.target for order in listed(state, "reaver") if isinstance(order, PhysicalOrder) and order.attack}

    assert attacks("opfor: no jump") == {"alpha-1"}
    assert attacks("opfor: no physical attacks") == set()
    assert attacks("opfor: ignore alpha-1") == set()
    assert attacks("opfor: hold fire") == set()


def test_calls_in_a_real_decision_are_held_to_it() -> None:
    gun = {"motive": "tracked", "weapons": {"TU": ["is_long_tom"]}, "tons": 80, "ammo": ["IS Ammo Long Tom"] * 4}

    def called(*told: str) -> set[str]:
        state = make_state(
            units=[
                {"id": "alpha-1", "side": 0, "at": "0806", "mech": {}},
                {"id": "tom", "side": 1, "at": "0816", "facing": "N", "vehicle": gun},
            ],
            phase="initiative",
            ruleset="campaign",
        )
        state.stage = "calls"
        tell(state, "tom: no jump", *told)
        game = Game(state)
        game.call(1, "call")
        decision = game.decision()
        assert decision is not None
        assert decision.kind == "call"
        left = restrained(decision)
        check_choices(left.legal)
        names = state.board.grid.names
        return {names[order.cell] for order in left.legal if isinstance(order, CallOrder) and order.what}

    everywhere = called()
    assert len(everywhere) > 1
    hex = sorted(everywhere)[0]
    assert called(f"tom: shell only {hex}") == {hex}
    assert called("tom: stop shelling") == set()
    assert called("opfor: no artillery") == set()


def test_who_is_not_to_leave_an_area_does_not_leave_the_map() -> None:
    state = tell(field(), "reaver: stay in 0810-0817")
    state.edges[1], state.withdrawing[1] = "south", True
    state.unit("reaver").cell, state.unit("reaver").facing = cells(state, "0817")[0], 3
    state.touch()
    assert not any("EXIT" in order.path for order in listed(state, "reaver") if isinstance(order, MoveOrder))
    state.directives = ()
    decision = Game(state).decision()
    assert decision is not None
    assert any("EXIT" in o.path for o in decision.legal if isinstance(o, MoveOrder) and o.unit == "reaver")


# -- what is left is a set of legal orders ----------------------------------------------------------------------------

TOLD = [
    ["bravo: do not move"], ["bravo: no jump, run"], ["bravo: hold fire"], ["bravo: ignore alpha-1; no physical attacks"],
    ["bravo: not into 0601-0612", "bravo-1: stay in 0101-1612"], ["bravo: fire only at alpha-2", "bravo-2: do not move"],
    ["bravo: no opportunity, wait, charge"],
]  # fmt: skip


@pytest.mark.parametrize("seed", range(14))
def test_what_is_left_keeps_the_promises_of_legal_orders(seed: int) -> None:
    """One set told in five ways, all of it legal, all of it allowed, and nothing allowed left out."""
    ruleset = ("standard", "campaign", "mwii")[seed % 3]
    state = skirmish(seed, size=2, limit=3, ruleset=ruleset, kinds=("mech", "vehicle", "infantry"))
    state.sides = ("alpha", "bravo")
    tell(state, *TOLD[seed % len(TOLD)])
    game, policy, looked = Game(state), RandomPolicy(seed), 0
    while (decision := game.decision()) is not None and looked < 40:
        left = restrained(decision)
        if left is not decision:
            looked += 1
            check_choices(left.legal, seed=seed, at_most=300, samples=4)
            order = policy.choose(left, game.view(left.side))
            assert order in decision.legal
            assert not Bounds(state, state.unit(order.unit)).why_not(order)
            if decision.kind in ("movement", "physical") and decision.legal.count() < 1500:
                allowed = {o for o in decision.legal if not Bounds(state, state.unit(o.unit)).why_not(o)}
                assert allowed == set(left.legal)
            game.apply(order)
        else:
            game.apply(policy.choose(decision, game.view(decision.side)), trust=True)


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told[0])
def test_the_veteran_obeys_through_whole_battles(told: list[str]) -> None:
    state = skirmish(5, size=3, limit=4, ruleset="campaign")
    state.sides = ("alpha", "bravo")
    tell(state, *told)
    game, sides = Game(state), [RandomPolicy(1), VeteranPolicy(0)]
    while (decision := game.decision()) is not None:
        left = restrained(decision)
        order = sides[decision.side].choose(left, game.view(decision.side))  # type: ignore[attr-defined]
        assert order in left.legal
        if decision.side == 1:
            assert not Bounds(state, state.unit(order.unit)).why_not(order)
        game.apply(order)


def test_nothing_told_costs_nothing() -> None:
    state = field()
    decision = Game(state).decision()
    assert decision is not None
    assert restrained(decision) is decision
    tell(state, "alpha-1: do not move")
    opfor_only = Game(state)
    opfor_only.call(1, "move")
    theirs = opfor_only.decision()
    assert theirs is not None
    assert restrained(theirs) is theirs
    assert state.directives[1] == NOTHING
    assert state.directives[0] == Directive(units=(("alpha-1", read_restraint("do not move", state)),))


# -- the battle file and the commands ---------------------------------------------------------------------------------


def test_the_game_masters_own_orders_are_not_held_to_it(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    opfor("direct", path, "reaver: do not move")
    opfor("apply", path, "reaver: walk B1", "--seed", 1)


def test_restraints_are_kept_over_turns(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    opfor("direct", path, "opfor: no run, jump", "reaver: do not move")
    for _ in range(2):
        orders = opfor_json("orders", path)["orders"]
        modes = {row["unit"]: row["mode"] for row in orders}
        assert modes.pop("reaver") == "stand"
        assert set(modes.values()) <= {"stand", "walk"}
        opfor("apply", path, *[f"{row['unit']}: stand" for row in orders], "--seed", 1, "--end-phase")
        while load_battle(path).state.phase != "movement":
            opfor("apply", path, "--seed", 2, "--end-phase")
    assert opfor_json("direct", path)["told"] == ["opfor is told: no run, jump", "reaver is told: do not move"]
    opfor("direct", path, "--free", "reaver", "--free", "opfor")
    assert opfor_json("direct", path)["told"] == []


def test_a_restraint_for_this_time_changes_no_file(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    before = path.read_text(encoding="utf-8")
    document = opfor_json("orders", path, "--restrain", "opfor: do not move")
    assert {row["mode"] for row in document["orders"]} == {"stand"}
    assert "opfor is told: do not move" in document["told"]
    assert path.read_text(encoding="utf-8") == before
    opfor("orders", path, "--restrain", "opfor: dance", code=1)
    opfor("orders", path, "--restrain", "do not move", code=1)


def test_what_is_told_goes_round_through_the_file(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    opfor(
        "direct",
        path,
        "opfor: hold fire until fired on",
        "reaver: stay in 0701-0710",
        "opfor: objective hold 0706",
        "opfor: knows contacts",
    )
    battle = load_battle(path)
    battle.state.fired_on = frozenset({"reaver"})
    save_battle(battle, path)
    again = load_battle(path)
    assert again.state.directives == battle.state.directives
    assert again.state.fired_on == {"reaver"}
    text = path.read_text(encoding="utf-8")
    assert "hold fire until fired on" in text
    assert "objective: hold 0706" in text


def test_words_that_cannot_be_kept_change_no_file(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    before = path.read_bytes()
    for words in ("opfor: knows everything", "opfor: dance", "nobody: hold fire", "reaver", "opfor: objective win", "opfor:"):
        opfor("direct", path, words, code=1)
    assert path.read_bytes() == before
    opfor("direct", path, "opfor: objective hold 0812")
    opfor("direct", path, "opfor: objective none")
    assert opfor_json("direct", path)["told"] == []


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ("orders: be brave", "sides.opfor.orders"),
        ("orders: [hold fire, be brave]", "sides.opfor.orders[1]"),
        ("objective: win", "sides.opfor.objective"),
        ("contacts: {alpha-9: '0812'}", "sides.opfor.contacts.alpha-9"),
        ("contacts: {alpha-1: '9912'}", "sides.opfor.contacts.alpha-1"),
        ("knows: everything", "sides.opfor.knows"),
        ("victory: true", "sides.opfor.victory"),
    ],
)
def test_faults_are_refused_with_their_place(tmp_path: Path, change: str, place: str) -> None:
    text = ridge(tmp_path).read_text(encoding="utf-8").replace("policy: veteran,", f"policy: veteran, {change},")
    with pytest.raises(InputError) as refused:
        read_battle(text)
    assert refused.value.place.startswith(place)


def test_the_notes_tell_what_binds_whom(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    opfor("direct", path, "opfor: ignore alpha-1", "reaver: no jump", "opfor: character raider", "opfor: difficulty green")
    opfor("orders", path, "--out", tmp_path / "out")
    notes = (tmp_path / "out" / "gm-notes.txt").read_text(encoding="utf-8")
    assert "opfor is told: ignore alpha-1" in notes
    assert "reaver is told: no jump" in notes
    assert "dials of veteran:raider/green" in notes
    assert "mobility 10 (usual 5)" in notes
    post = next((tmp_path / "out").glob("post.*")).read_text(encoding="utf-8")
    assert "told" not in post
    assert "dials" not in post


def test_focus_makes_a_target_worth_more_and_binds_nobody(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    battle = load_battle(path)
    for unit in battle.state.units:
        unit.moved, unit.mode = True, unit.mode or "stand"
    plain = advise(battle, phase="fire")
    targets = {a.target for one in plain.advised for a in one.attempts}
    every = {u.id for u in battle.state.units if u.side == 0}
    moved = 0
    for target in sorted(every):
        focused = advise(battle, phase="fire", told=[f"opfor: focus {target}"])
        hits = sum(a.target == target for one in focused.advised for a in one.attempts)
        moved += hits - sum(a.target == target for one in plain.advised for a in one.attempts)
        assert hits >= sum(a.target == target for one in plain.advised for a in one.attempts)
    assert targets
    assert moved > 0
