"""Rules turned: what is compared with what, effects worked by hand, the words of the report."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from opfor.errors import InputError
from opfor.gm.arena.sets import draw_battle, set_named
from opfor.gm.rulebook.ledger import rule_rows
from opfor.gm.ruletest.effects import effects_of, pair_up, seats_for
from opfor.gm.ruletest.house_rules import HouseRule, house_rules, rule_arguments, rule_command
from opfor.gm.ruletest.measures import measures
from opfor.gm.ruletest.plays import PlayJob, play_one
from opfor.gm.ruletest.sources import source_named
from opfor.gm.ruletest.vary import Plan, plan_of, read_factor, value_of
from opfor.report.ruletest.page import report_page
from opfor.report.ruletest.words import effects_csv, findings, means_csv, measured_csv, report_words
from opfor.rulesets import named_ruleset, read_ruleset, switches

CODES = ("veteran", "random")
STANDARD, HOUSE = "partial_cover=standard", "partial_cover=house"


# -- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("switch", "word", "value"),
    [
        ("partial_cover", "house", "house"),
        ("partial_cover", "campaign", "house"),
        ("evading", "on", "on"),
        ("evading", "standard", "off"),
        ("evading", "house", "on"),
        ("water_to_hit", "-1", -1),
        ("water_to_hit", "house", -1),
        ("evade_to_hit", "skill", "skill"),
        ("evade_to_hit", "standard", "skill"),
        ("evade_to_hit", "mwii", named_ruleset("mwii").evade_to_hit),
        ("secondary_target", "1.5", 1.5),
    ],
)
def test_words_for_values(switch: str, word: str, value: Any) -> None:
    assert value_of(switches()[switch], word) == value


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ([], "name a rule and its values, as partial_cover=standard,house"),
        (["partial_cver=standard,house"], "did you mean partial_cover"),
        (["partial_cover"], "two values or more are needed, as partial_cover=standard,house"),
        (["cover=house"], "two values or more are needed, as cover=standard,house"),
        (["partial_cover=standard,hous"], "'hous' is no value of the switch partial_cover: use standard, house"),
        (["cover=standard,hous"], "'hous' is no value of the house rule cover"),
        (["evade_to_hit=skil,1"], "use a number, skill"),
        (["water_to_hit=inf,1"], "'inf' is no value"),
        (["tables.to_hit.attacker_movement.jump=3,99"], "99 is out of range"),
        (["evading=on,campaign"], "'on' and 'campaign' mean the same"),
        (["cover=standard,house", "water_to_hit=0,-1"], "water_to_hit is turned twice: by cover and by water_to_hit"),
    ],
)
def test_what_cannot_be_turned_is_said(texts: list[str], words: str) -> None:
    with pytest.raises(InputError) as caught:
        plan_of(texts)
    assert words in str(caught.value) and str(caught.value).startswith("--vary: ")


def test_too_many_variants() -> None:
    many = [f"{name}=0,1,2,3" for name in ("water_to_hit", "spotter_attack", "sprint_to_hit", "sprint_piloting")]
    with pytest.raises(InputError, match="256 variants; 64 are the most"):
        plan_of(many, "all")
    # one at a time they are the base and three of each
    assert len(plan_of(many).variants) == 13


# -- plans ------------------------------------------------------------------------------------------------------------


def test_one_rule_at_a_time() -> None:
    plan = plan_of(["partial_cover=standard,house", "evading=off,on"])
    assert [dict(variant.changes) for variant in plan.variants] == [
        {"partial_cover": "standard", "evading": "off"},
        {"partial_cover": "standard", "evading": "on"},
        {"partial_cover": "house", "evading": "off"},
    ]
    base, evading, cover = [variant.name for variant in plan.variants]
    found = [(one.rule, one.before, one.after, one.sum_before, one.sum_after) for one in plan.contrasts]
    assert found == [
        ("partial_cover", "standard", "house", {base: 1}, {cover: 1}),
        ("evading", "off", "on", {base: 1}, {evading: 1}),
    ]


def test_all_combinations() -> None:
    """Main effects are means over what the other rule is at; the interaction is one effect less the other."""
    plan = plan_of(["partial_cover=standard,house", "evading=off,on"], "all", interactions=True)
    base, evading, cover, both = [variant.name for variant in plan.variants]
    found = {one.rule: (one.sum_before, one.sum_after) for one in plan.contrasts}
    assert found == {
        "partial_cover": ({base: 0.5, evading: 0.5}, {cover: 0.5, both: 0.5}),
        "evading": ({base: 0.5, cover: 0.5}, {evading: 0.5, both: 0.5}),
        "partial_cover x evading": ({cover: 1, base: -1}, {both: 1, evading: -1}),
    }
    assert len(plan_of(["partial_cover=standard,house", "evading=off,on"], "all").contrasts) == 2
    with pytest.raises(InputError, match="interactions need several rules"):
        plan_of(["partial_cover=standard,house"], "all", interactions=True)


def test_a_policy_against_itself_plays_no_second_game() -> None:
    assert (seats_for(("veteran", "veteran")), seats_for(CODES)) == ((False,), (False, True))
    plan = plan_of(["partial_cover=standard,house"])
    # a battle of the game master's own is not played with seats changed either, whoever plays
    records = [game(variant, number, False) for variant in (STANDARD, HOUSE) for number in range(3)]
    report = effects_of(plan, pair_up(plan, records), CODES)
    assert (report["battles"], report["games"], report["seats_changed"]) == (3, 6, False)
    assert report_words(report).splitlines()[0] == (
        "6 games: 3 battles, each by 2 variants of the rules; a is veteran, b is random"
    )


# -- effects ----------------------------------------------------------------------------------------------------------


def game(variant: str, number: int, swapped: bool, winner: str = "a", **row: float) -> dict[str, Any]:
    """A record of a game."""
    first = "b" if swapped else "a"
    won = {"won.first": float(winner == first), "won.second": float(winner not in (first, "draw"))}
    return {
        "variant": variant, "set": "s", "number": number, "swapped": swapped, "a": CODES[0], "b": CODES[1], "seed": number,
        "winner": winner, "measures": {**won, "drawn": float(winner == "draw"), **row}, "violations": [],
    }  # fmt: skip


def effect_by_hand() -> dict[str, Any]:
    """Three battles: falls 1, 2, 3 by the standard rule; 2, 4, 6 by the house rule, each the mean of two games."""
    plan = plan_of(["partial_cover=standard,house"])
    records = []
    for number, falls in enumerate((1, 2, 3)):
        for swapped, off in ((False, -1), (True, 1)):
            records.append(game(STANDARD, number, swapped, falls=falls + off))
            records.append(game(HOUSE, number, swapped, falls=2 * falls + off))
    return effects_of(plan, pair_up(plan, records), CODES)


def test_an_effect_by_hand() -> None:
    """Differences 1, 2, 3: mean 2, deviation 1, error 0.57735; t(2) at 97.5 % is 4.30265: 2 -+ 2.48414."""
    report = effect_by_hand()
    falls = next(effect for effect in report["effects"] if effect["measure"] == "falls")
    assert (falls["before"], falls["after"], falls["difference"], falls["battles"]) == (2, 4, 2, 3)
    assert falls["interval"] == pytest.approx([-0.48414, 4.48414], abs=1e-5)
    # t = 3.4641 with 2 degrees of freedom: 1 - t / sqrt(t^2 + 2) = 1 - 3.4641 / 3.74166
    assert falls["p"] == pytest.approx(0.074180, abs=1e-6)
    # a tenth of 2 is 0.2: (2.80159 / 0.2)^2 = 196.2 battles of two games; the 2 found: 1.96 battles, two at least
    assert falls["needed"] == {"wished": {"effect": 0.2, "games": 394}, "found": {"effect": 2.0, "games": 4}}
    assert falls["seen_from"] == pytest.approx(2.80159 / 3**0.5, abs=1e-5)
    assert (report["battles"], report["games"], report["left_out"]) == (3, 12, 0)
    # policy a won every game, in either seat, by either rule: nothing differs, and half are won by the first side
    rates = {effect["measure"]: (effect["before"], effect["difference"], effect["p"]) for effect in report["effects"]}
    assert rates["won.a"] == (1, 0, 1) and rates["won.first"] == (0.5, 0, 1)
    assert "drawn" in report["never"]


def test_several_tests_are_corrected() -> None:
    """Falls, won by a and won by the first side are three tests; won by the second is told, but no test."""
    report = effect_by_hand()
    assert report["tests"] == 3
    falls, second = [next(e for e in report["effects"] if e["measure"] == key) for key in ("falls", "won.second")]
    assert falls["p_holm"] == pytest.approx(3 * 0.074180, abs=1e-5) and not falls["shown"]
    assert second["p_holm"] is None and not second["shown"]


def test_only_whole_battles_count() -> None:
    plan = plan_of(["partial_cover=standard,house"])
    records = [game(variant, number, seat) for variant in (STANDARD, HOUSE) for number in (0, 1, 2) for seat in (False, True)]
    records[3]["error"] = "no board"
    records[-1]["violations"] = [{"kind": "crash"}]
    pairs = pair_up(plan, records)
    assert (list(pairs.battles), pairs.left_out) == ([("s", 0)], 2)


def test_a_share_of_nothing_leaves_its_battle_out() -> None:
    """In the second battle nobody struck a blow by one of the rules: the others give the difference, 0.25."""
    plan = plan_of(["partial_cover=standard,house"])
    records = []
    for number in range(3):
        for seat in (False, True):
            records.append(game(STANDARD, number, seat, **{"blows.hit": 0.5}))
            records.append(game(HOUSE, number, seat, **({} if number == 1 else {"blows.hit": 0.75})))
    report = effects_of(plan, pair_up(plan, records), CODES)
    hit = next(effect for effect in report["effects"] if effect["measure"] == "blows.hit")
    assert (hit["before"], hit["after"], hit["difference"], hit["battles"]) == (0.5, 0.75, 0.25, 2)


# -- words ------------------------------------------------------------------------------------------------------------


def test_that_nothing_is_shown_is_said_plainly() -> None:
    plan = plan_of(["partial_cover=standard,house"])
    records = [
        game(variant, number, seat, "a" if (number + seat + (variant == HOUSE)) % 3 else "b", turns=10 + number % 3)
        for variant in (STANDARD, HOUSE)
        for number in range(30)
        for seat in (False, True)
    ]
    report = effects_of(plan, pair_up(plan, records), CODES)
    words = report_words(report).splitlines()
    assert words[:3] == [
        "120 games: 30 battles, each by 2 variants of the rules and with seats changed; a is veteran, b is random",
        "",
        "partial_cover: house in place of standard",
    ]
    assert (
        words[3] == "  Nothing is shown: no measure differs by more than chance may make it (at 95 %, corrected for 3 tests)."
    )
    # a wins two of three games by either rule; the length is always the same
    assert words[4].startswith("  won by the first side: 50.0 % -> 50.0 %, +0.0 points (")
    assert words[4].endswith(" games of each variant") and ": not shown; to see 5.0 points takes about " in words[4]
    assert words[5].startswith("  won by a, draws half: 66.7 % -> 66.7 %, +0.0 points (")
    # nothing to reckon by: no battle's length differs
    assert words[6].strip() == "length: 11.0 -> 11.0 turns, +0.00 (+0.00 to +0.00): not shown"


def shown_report(plan: Plan, battles: int = 40) -> dict[str, Any]:
    """Falls go up by one or two in every battle; the rest stays."""
    records = [
        game(variant, number, seat, falls=3 + number % 4 + (variant == HOUSE) * (1 + number % 2))
        for variant in (STANDARD, HOUSE)
        for number in range(battles)
        for seat in (False, True)
    ]
    return effects_of(plan, pair_up(plan, records), CODES)


def test_what_is_shown_is_said() -> None:
    """Differences 1, 2, 1, 2 ...: mean 1.5, deviation 0.50637, error 0.080064; t(39) at 97.5 % is 2.02269: -+ 0.16194."""
    report = shown_report(plan_of(["partial_cover=standard,house"]))
    lines = findings(report, report["effects"])
    assert lines[:2] == [
        "1 of 3 measures differ by more than chance may make it:",
        "  falls: 4.50 -> 6.00 falls, +1.50 (+1.34 to +1.66)",
    ]
    assert "Nothing is shown" not in report_words(report)


def test_page_and_tables() -> None:
    report = shown_report(plan_of(["partial_cover=standard,house"]))
    page = report_page({**report, "seed": 3, "opfor": "0"})
    assert "<svg" in page and "<script" not in page and "http-equiv" in page
    assert "* falls" in page and "partial_cover: house in place of standard" in page
    rows = list(csv.DictReader(io.StringIO(effects_csv(report))))
    falls = next(row for row in rows if row["measure"] == "falls")
    assert (falls["rule"], falls["difference"], falls["shown"], falls["method"]) == ("partial_cover", "1.5", "True", "t")
    assert len(rows) == len(report["effects"])
    means = list(csv.DictReader(io.StringIO(means_csv(report))))
    assert [row["falls"] for row in means] == ["4.5", "6.0"]


# -- house rules ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", house_rules().rules.values(), ids=lambda rule: str(rule.name))
def test_every_house_rule(rule: HouseRule) -> None:
    """Its switches differ between the two rulesets, it is in the ledger, and its battles are by the rules it belongs to."""
    base, against = named_ruleset(house_rules().base), named_ruleset(house_rules().against)
    same = [switch for switch in rule.switches if getattr(base, switch) == getattr(against, switch)]
    assert not same
    assert set(rule.rules) <= {row["id"] for row in rule_rows()}
    assert set(rule.met) <= set(measures())
    for name in rule.sets:
        assert read_ruleset(set_named(name).ruleset) == base
        assert draw_battle(set_named(name), 3).state.units
    factor = read_factor(f"{rule.name}=standard,house")
    assert [dict(level.changes) for level in factor.levels] == [rule.changes(against), rule.changes(base)]
    words = rule_arguments(rule, 400)
    assert words[:3] == ["ruletest", "--vary", f"{rule.name}=standard,house"] and words[words.index("--games") + 1] == "400"


def test_house_rules_make_up_the_campaign() -> None:
    """Nine of them; no switch is in two; what the campaign turns is in one of them."""
    turned = [switch for rule in house_rules().rules.values() for switch in rule.switches]
    assert len(house_rules().rules) == 9 and len(turned) == len(set(turned))
    base, against = named_ruleset(house_rules().base), named_ruleset(house_rules().against)
    assert set(turned) == {switch for switch in switches() if getattr(base, switch) != getattr(against, switch)}


def test_the_page_on_house_rules() -> None:
    """It has every rule with all its command, and an effect with all its keys."""
    page = (Path(__file__).resolve().parent.parent / "docs" / "house-rules.md").read_text(encoding="utf-8")
    for rule in house_rules().rules.values():
        assert f"| `{rule.name}`: " in page and rule_command(rule, 400) in page.splitlines()
    example = json.loads(re.findall(r"```json\n(.*?)```", page, re.DOTALL)[0])
    assert list(example) == list(effect_by_hand()["effects"][0])


# -- a run ------------------------------------------------------------------------------------------------------------


def played(plan: Plan, codes: tuple[str, str], source: str, battles: int) -> list[dict[str, Any]]:
    """The records of a run."""
    return [
        play_one(PlayJob(source_named(source), number, codes, seat, 1, tuple(variant.changes.items()), variant.name, False))
        for number in range(battles)
        for seat in seats_for(codes)
        for variant in plan.variants
    ]


def test_a_small_run() -> None:
    """The same run gives the same document; the battles of both variants are the same."""
    plan, codes = plan_of(["cover=standard,house"]), ("random:tree", "random:tree")
    records = played(plan, codes, "hills-4v4", 2)
    assert not any(record.get("error") or record["violations"] for record in records)
    report = effects_of(plan, pair_up(plan, records), codes, seed=1)
    assert report == effects_of(plan, pair_up(plan, records[::-1]), codes, seed=1)
    assert (report["battles"], report["games"], len(report["variants"])) == (2, 4, 2)
    assert report["rules"][0]["of"] == 4
    assert {"measure", "difference", "interval"} <= set(report["effects"][0])
    assert json.loads(json.dumps(report)) == report
    assert report_words(report).startswith("4 games: 2 battles, each by 2 variants of the rules; random:tree on both sides")
    assert len(measured_csv(records).splitlines()) == 5
