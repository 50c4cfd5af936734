"""Characters are dials in data, and each plays as it is called; a difficulty changes how well a side judges, nothing else."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import pytest

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.game.game import Game
from opfor.gm.policies import codes_of, dial_rows, dials_of, policy_named, presets
from opfor.orders import Order
from opfor.units.catalogue import unit_named
from policies.commander import CommanderPolicy
from policies.commander.effort import sharpened
from policies.registry import make
from policies.veteran import VeteranPolicy
from policies.veteran.aspects import aspects, characters_file
from policies.veteran.characters import characters, temper_of, weights_of
from policies.veteran.judgement import judgements
from policies.veteran.roles import figures, role_of, roles
from policies.veteran.weights import Weights, weights
from tests.cli_support import opfor, opfor_json
from tests.skirmish import skirmish
from tests.support import test_mech

# -- dials ------------------------------------------------------------------------------------------------------------


def test_a_dial_in_the_middle_turns_nothing() -> None:
    assert weights_of("/".join(f"{name}=5" for name in aspects())) == weights()
    assert weights_of("standard") == weights()
    assert dials_of("veteran:thrift=5") == dials_of("veteran") == dials_of("veteran:standard") == []


def test_dials_turn_weights_in_even_proportion() -> None:
    """Melee: what blows are worth times 0.2 at 0 and 2.5 at 10, so times the root of 2.5 halfway between 5 and 10."""
    usual = weights().melee_given
    assert weights_of("melee=10").melee_given == pytest.approx(2.5 * usual)
    assert weights_of("melee=0").melee_given == pytest.approx(0.2 * usual)
    assert weights_of("melee=7.5").melee_given == pytest.approx(2.5**0.5 * usual)


def test_dials_add_in_even_steps_and_whole_numbers_stay_whole() -> None:
    """Cool: heat that plans allow for is 4; 6 more at 0 and 4 less at 10. At 7 it is 4 - 1.6, which is 2."""
    assert [weights_of(f"cool={dial}").comfortable for dial in (0, 5, 7, 10)] == [10, 4, 2, 0]


def test_of_steps_the_costs_are_turned_not_where_they_begin() -> None:
    """Thrift at 10 asks for 2.6 times the odds at every number of rounds left."""
    for (rounds, odds), (usual_rounds, usual) in zip(weights_of("thrift=10").thrift, weights().thrift, strict=True):
        assert rounds == usual_rounds
        assert odds == pytest.approx(2.6 * usual)


def test_two_aspects_that_turn_a_weight_both_count() -> None:
    """Hexes beyond the best range cost 1.2 each with distance at 0, and 0.8 more with aggression at 10."""
    assert weights_of("distance=0").closing == pytest.approx(1.2)
    assert weights_of("distance=0,aggression=10").closing == pytest.approx(2.0)


def test_a_dial_goes_before_the_character() -> None:
    assert weights_of("sniper/melee=5").melee_given == weights().melee_given
    assert weights_of("melee=5/sniper") == weights_of("sniper/melee=5")
    assert weights_of("raider").back_turned == 4.0


def test_every_aspect_turns_weights_that_there_are() -> None:
    names = {field.name for field in fields(Weights)}
    for name, aspect in aspects().items():
        assert aspect.what, name
        assert aspect.times or aspect.plus, name
        assert {*aspect.times, *aspect.plus} <= names, name
        for least, most in aspect.times.values():
            assert min(least, most) > 0, name
        assert weights_of(f"{name}=0") != weights() or name == "withdrawal"
        assert weights_of(f"{name}=10") != weights(), name


# -- characters -------------------------------------------------------------------------------------------------------


def test_the_characters_that_there_are() -> None:
    wanted = "raider brawler sniper skirmisher guardian escort pirate professional militia berserker standard cautious bold"
    assert set(wanted.split()) <= set(characters())
    assert not set(characters()) & set(judgements())
    for name, row in characters_file()["characters"].items():
        assert row["what"] and "\n" not in row["what"], name


def test_every_character_is_a_policy_of_both_kinds() -> None:
    for name in characters():
        for code in (name, f"veteran:{name}", f"commander:{name}"):
            policy = make(code)
            assert isinstance(policy, VeteranPolicy)
            held = sharpened(weights_of(name)) if code.startswith("commander") or name == "elite" else weights_of(name)
            assert policy.weights == held, code
        assert isinstance(make(f"commander:{name}"), CommanderPolicy)
    elite = make("elite")
    assert isinstance(elite, CommanderPolicy)
    assert elite.weights == sharpened(weights_of("professional"))


def test_a_character_may_bring_its_difficulty_and_another_goes_before_it() -> None:
    assert temper_of("militia").difficulty == "green"
    assert temper_of("militia/elite").difficulty == "elite"
    assert temper_of("militia").weights().focus == 0.0
    assert any(row.startswith("difficulty green") for row in dials_of("militia"))


def test_a_character_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "corsair.yaml"
    path.write_text("what: robs and runs\naspects: {thrift: 2, withdrawal: 9}\nweights: {facing: 0.7}\ndifficulty: regular\n")
    for parameters in (f"{path}", f"{path}/melee=8", f"green/{path}", f"roles=on,{path}"):
        temper = temper_of(parameters)
        assert temper.character.aspects["thrift"] == 2
        assert temper.weights().facing == 0.7
    assert temper_of(f"{path}").difficulty == "regular"
    assert temper_of(f"green/{path}").difficulty == "green"
    assert isinstance(policy_named(f"commander:{path}/fast"), CommanderPolicy)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("aspects: {thrif: 2}", "did you mean thrift"),
        ("aspects: {thrift: 11}", "use 0 to 10"),
        ("aspects: {thrift: much}", "use 0 to 10"),
        ("aspects: {thrift: yes}", "use 0 to 10"),
        ("aspects: [thrift]", "no mapping"),
        ("weights: {facin: 1}", "did you mean facing"),
        ("weights: {heat: 3}", "is a table"),
        ("weights: {spots: 0}", "from 1 to 1000"),
        ("weights: {facing: -1}", "from 0 to 1000"),
        ("weights: {facing: .nan}", "no number"),
        ("difficulty: gren", "did you mean green"),
        ("aspect: {thrift: 2}", "did you mean aspects"),
        ("- thrift", "describes no character"),
        ("aspects: {", "is no YAML"),
        ("", "is empty"),
    ],
)
def test_faults_of_such_a_file_are_told(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as refused:
        temper_of(str(path))
    assert "odd.yaml" in str(refused.value)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("thrift=11", "use 0 to 10"),
        ("thrift=nan", "use 0 to 10"),
        ("thrift=", "use 0 to 10"),
        ("thirft=2", "did you mean thrift"),
        ("roles=maybe", "roles=on"),
        ("raider/bold", "two characters"),
        ("green/elite", "two difficulties"),
        ("raidr", "did you mean raider"),
        ("nowhere.yaml", "no such file"),
    ],
)
def test_faults_of_parameters_are_told(parameters: str, message: str) -> None:
    for name in ("veteran", "commander"):
        with pytest.raises(InputError, match=message):
            make(f"{name}:{parameters}")


def test_commas_part_policies_and_dials() -> None:
    assert codes_of("veteran:raider,random") == ["veteran:raider", "random"]
    assert codes_of("veteran:cool=8,thrift=2,random:tree, bold ,") == [
        "veteran:cool=8,thrift=2",
        "random:tree",
        "bold",
    ]
    assert codes_of("princess:bravery=2,herd=3,veteran:x=1") == ["princess:bravery=2,herd=3", "veteran:x=1"]
    assert codes_of("") == []


def test_they_are_listed() -> None:
    found = opfor_json("policies")
    assert {row["name"] for row in found["policies"]} >= set(characters()) | set(presets())
    assert {row["dial"].partition("=")[0] for row in found["dials"]} >= set(aspects())
    assert len(dial_rows()) == len(aspects()) + 2
    told = opfor("policies").stdout
    for name in (*characters(), *(f"{aspect}=0..10" for aspect in aspects())):
        assert name in told


# -- roles ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "role"),
    [
        ("Archer ARC-2R", "missile boat"),  # two LRM 20 and four medium lasers
        ("Catapult CPLT-C1", "missile boat"),
        ("Atlas AS7-D", "juggernaut"),
        ("Awesome AWS-8Q", "sniper"),  # three PPCs
        ("JagerMech JM6-DD", "sniper"),
        ("Locust LCT-1V", "scout"),
        ("Wolverine WVR-6R", "skirmisher"),
        ("Phoenix Hawk PXH-1", "skirmisher"),
        ("Hunchback HBK-4G", "brawler"),
        ("UrbanMech UM-R60", "brawler"),
    ],
)
def test_a_role_is_read_from_a_units_own_figures(unit: str, role: str) -> None:
    assert role_of(unit_named(unit)) == role


def test_the_figures_of_a_unit() -> None:
    """A large laser reaches 15 hexes, which is not beyond 15; an LRM 10 does 10 of 23 points, far and indirectly."""
    spec = test_mech(
        tons=55, walk=5, jump=5, weapons={"RT": ["is_large_laser"], "LT": ["is_lrm10"], "RA": ["is_medium_laser"]},
        ammo={"LT": ["IS Ammo LRM-10"]},
    )  # fmt: skip
    assert figures(spec) == {"tons": 55, "walk": 5, "fast": 8, "far": pytest.approx(10 / 23), "lobbed": pytest.approx(10 / 23)}
    assert figures(test_mech(weapons={}))["far"] == 0.0


def test_roles_are_data_that_holds_together() -> None:
    *_, last = roles().values()
    assert last["if"] == {}
    for name, row in roles().items():
        assert row["what"], name
        assert set(row["aspects"]) <= set(aspects()), name
        for least, most in row["if"].values():
            assert least <= most, name


def test_a_role_shifts_the_dials_of_the_character() -> None:
    """A sniper's role is 1 more of distance; the brawler has 1, and no dial goes beyond 10."""
    shifts = roles()["sniper"]["aspects"]
    assert shifts["distance"] == 1
    assert temper_of("brawler").weights(shifts).outshoot == temper_of("brawler/distance=2").weights().outshoot
    assert temper_of("sniper").weights(shifts).outshoot == temper_of("distance=10").weights().outshoot


@pytest.mark.parametrize("code", ["veteran:roles=on", "commander:raider/roles=on/fast"])
def test_orders_with_roles_are_legal_and_the_same_each_time(code: str) -> None:
    found: list[list[Order]] = []
    for _ in range(2):
        game, policy, other = Game(skirmish(5, limit=3), SeededDice(5)), make(code), make("random", 5)
        orders = []
        while (decision := game.decision()) is not None:
            chooser = other if decision.side else policy
            order = chooser.choose(decision, game.view(decision.side))
            assert order in decision.legal
            orders.append(order)
            game.apply(order, trust=True)
        found.append(orders)
    assert found[0] == found[1]


# -- difficulty -------------------------------------------------------------------------------------------------------


def test_difficulties_think_less_the_lower_they_are() -> None:
    ladder = [judgements()[name] for name in ("green", "regular", "veteran", "elite")]
    for lower, higher in pairwise(ladder):
        assert lower.second_best > higher.second_best
        assert lower.within > higher.within
        assert lower.together <= higher.together
    assert weights_of("green").spots < weights_of("regular").spots < weights_of("elite").spots
    assert weights_of("elite") == weights()


def test_the_commanders_effort_goes_with_the_difficulty_and_words_go_before_it() -> None:
    def effort(parameters: str) -> float:
        return CommanderPolicy(0, parameters).effort.seconds

    assert effort("green") == effort("veteran") < effort("elite") == effort("")
    assert effort("green/think=10") > effort("elite")
    assert effort("elite/fast") == effort("veteran")


def test_green_units_think_for_themselves() -> None:
    """Of a commander that judges as green troops do, each unit moves as a veteran of that judgement would move it."""
    state = skirmish(4, size=3)
    game = Game(state, SeededDice(4))
    decision = game.decision()
    while decision is not None and decision.kind != "movement":
        game.apply(next(iter(decision.legal)))
        decision = game.decision()
    assert decision is not None
    alone = make("veteran:green").choose(decision, game.view(decision.side))
    assert make("commander:green").choose(decision, game.view(decision.side)) == alone
