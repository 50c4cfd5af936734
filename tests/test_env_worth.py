"""Observations tell what places and shots are worth: fire given and taken by where it strikes, kicks, enemies yet to move."""

from __future__ import annotations

import random
from copy import deepcopy

import numpy as np
import pytest

from envs.features.choice import question_name
from envs.features.damage import RANGES, FireTables
from envs.features.likely import Outlook
from envs.features.records import Records
from envs.features.scene import Scene
from envs.features.slots import PLACE
from envs.match import Match
from envs.observation import LAYOUT
from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.state import State
from opfor.units.catalogue import unit_named, unit_names
from opfor.units.state import UnitState
from policies.veteran.exchange import kick_value
from policies.veteran.figures import Figure
from policies.veteran.weights import weights
from policies.veteran.worth import factors, value_of
from tests.observation_sums import option_of
from tests.observations import KINDS, WEAPON, seen, steps
from tests.skirmish import skirmish
from tests.support import make_state


@pytest.mark.parametrize("ruleset", ["standard", "campaign"])
def test_a_way_of_moving_is_told_by_the_best_hex_that_it_leads_to(ruleset: str) -> None:
    """Its row has what the question for the hex will show of the one where the gain less the loss is most."""
    told = ("given", "taken", "gain", "loss", "dodge", "east", "south", "higher", "cover", "nearest", "goal")
    places = [PLACE[name] for name in told]
    compared: dict[str, int] = {}
    match = Match(Game(skirmish(6, kinds=KINDS, size=3, limit=3, ruleset=ruleset), SeededDice(6)))
    draw = random.Random(6).random
    while match.walk is not None:
        walk = match.walk
        if walk.question is not None and walk.question.name == "mode" and not any(name == "mode" for name, _ in walk.chosen):
            rows = LAYOUT.view(seen(match), "slots")
            for option, mode in enumerate(walk.question.facts["mode"]):
                ahead = deepcopy(match)
                if mode not in ("walk", "run", "jump") or ahead.step(1 + option):
                    continue
                assert ahead.walk is not None and ahead.walk.question is not None
                if ahead.walk.question.name != "hex" or ahead.walk.unit != walk.unit:
                    continue
                there = LAYOUT.view(seen(ahead), "slots")[1 : 1 + ahead.walk.options]
                best = there[int(np.argmax(there[:, PLACE["gain"]] - there[:, PLACE["loss"]]))]
                assert rows[1 + option, places] == pytest.approx(best[places]), mode
                compared[mode] = compared.get(mode, 0) + 1
        match.step(1 + int(draw() * walk.options))
    assert min(compared[mode] for mode in ("walk", "run", "jump")) >= 3, compared


def test_what_standing_is_worth_is_told() -> None:
    """A medium laser (5 points) at 3 hexes in the open, gunnery 4: 4 or more is rolled 33 times in 36."""
    state = make_state(
        units=[
            {"id": "a", "at": "0805", "facing": "S", "mech": WEAPON},
            {"id": "b", "side": 1, "at": "0808", "facing": "N", "mech": WEAPON, "moved": {"mode": "stand"}},
        ],
        phase="movement",
    )
    match = Match(Game(state, SeededDice(0)))
    assert match.walk is not None and match.walk.question is not None
    facts = match.walk.question.facts["mode"]
    row = 1 + list(facts).index("stand")
    out = seen(match)
    assert LAYOUT.read(out, "slots", "given", row) == pytest.approx(5 * 33 / 36 / 40)
    assert LAYOUT.read(out, "slots", "taken", row) == pytest.approx(5 * 33 / 36 / 40)
    assert LAYOUT.read(out, "slots", "nearest", row) == pytest.approx(3 / 32)


def face_to_face(**second: object) -> State:
    """Two 'Mechs with a medium laser each, three hexes apart in the open, the first facing the other."""
    return make_state(
        units=[
            {"id": "a", "at": "0805", "facing": "S", "mech": WEAPON},
            {"id": "b", "side": 1, "at": "0808", "mech": WEAPON, **second},
        ],
        phase="movement",
    )


def standing(state: State) -> dict[str, float]:
    """What the observation tells of standing still."""
    match = Match(Game(state, SeededDice(0)))
    assert match.walk is not None and match.walk.question is not None
    row = 1 + list(match.walk.question.facts["mode"]).index("stand")
    out = seen(match)
    return {name: LAYOUT.read(out, "slots", name, row) for name in ("given", "taken", "gain", "loss", "blows")}


@pytest.mark.parametrize(("facing", "side"), [("N", "front"), ("S", "rear"), ("SW", "right"), ("NW", "front"), ("SE", "left")])
def test_what_damage_is_worth_goes_by_the_side_that_it_strikes(facing: str, side: str) -> None:
    """Of a whole 'Mech: from the front, the sides, the rear as the veteran has it. 40 points of damage make 1, 20 of worth."""
    state = face_to_face(facing=facing, moved={"mode": "stand"})
    told = standing(state)
    b = state.unit("b")
    power = FireTables().power(b, "")
    worth = factors(b, value_of(b, power, 10))
    assert told["given"] == pytest.approx(5 * 33 / 36 / 40)
    assert told["gain"] == pytest.approx(5 * 33 / 36 * worth[side, False] / 20, rel=1e-4)
    assert worth["rear", False] > worth["left", False] > 0


def test_an_enemy_that_has_yet_to_move_is_feared_where_it_can_get_to() -> None:
    """It faces away behind a hill: once it has moved there it does no harm, before that it may come round and fire."""
    hill = {"board": dict.fromkeys(("0706", "0806", "0906", "0807", "0707", "0907"), "level 4")}
    units = [
        {"id": "a", "at": "0805", "facing": "S", "mech": {**WEAPON, "walk": 4}},
        {"id": "b", "side": 1, "at": "0809", "facing": "S", "mech": {**WEAPON, "walk": 6}},
    ]
    waiting = standing(make_state(units=units, phase="movement", **hill))
    gone = standing(make_state(units=[units[0], {**units[1], "moved": {"mode": "stand"}}], phase="movement", **hill))
    assert gone["taken"] == 0.0 and waiting["taken"] > 0.0 and waiting["loss"] > 0.0
    state = make_state(units=units, phase="movement", **hill)
    match = Match(Game(state, SeededDice(0)))
    assert match.walk is not None
    threats = Outlook(Scene(match.walk, match.view, Records(FireTables()))).threats()
    assert sum(threat.share for threat in threats) == pytest.approx(1.0)
    first, second = [threat.cell for threat in threats]
    grid = state.board.grid
    assert grid.distance(first, second) >= 2
    # it runs nine hexes at most
    assert all(0 < grid.distance(cell, state.unit("b").cell) <= 9 for cell in (first, second))


def test_an_enemy_that_has_spent_its_mp_is_not_thought_of_farther_off() -> None:
    """Where it can get to is kept from one decision to the next; trying to stand up, or a wait on the way, shortens that."""
    units = [
        {"id": "a", "at": "0805", "facing": "S", "mech": {**WEAPON, "walk": 4}},
        {"id": "b", "side": 1, "at": "0809", "facing": "S", "mech": {**WEAPON, "walk": 6}},
    ]
    state = make_state(units=units, phase="movement")
    records, enemy = Records(FireTables()), state.unit("b")

    def places() -> int:
        return len(records.reaches.of(state, enemy, records.of(state, enemy).stamp, [state.unit("a")]).cells)

    enemy.mode, enemy.mp_spent = "run", 2
    before = places()
    enemy.mp_spent = 4
    assert 0 < places() < before


def test_what_a_friend_draws_is_feared_less() -> None:
    """The enemy's fire at the unit is as great with a friend beside it, but it fires at one of the two: with like shots at both
    half the rest, 0.4 + 0.6 / 2, is feared."""
    units = [
        {"id": "a", "at": "0805", "facing": "S", "mech": WEAPON},
        {"id": "b", "side": 1, "at": "0808", "facing": "N", "mech": WEAPON, "moved": {"mode": "stand"}},
        {"id": "c", "at": "0706", "facing": "S", "mech": WEAPON, "moved": {"mode": "stand"}},
    ]
    alone = standing(make_state(units=units[:2], phase="movement"))
    beside = standing(make_state(units=units, phase="movement"))
    assert beside["taken"] == alone["taken"] > 0
    assert beside["loss"] == pytest.approx(0.7 * alone["loss"], rel=1e-4)


def test_what_kicks_are_worth_next_to_an_enemy() -> None:
    """Two 50-ton 'Mechs stand face to face: each kicks at 5 less 2, theirs as if it had moved by 1 more."""
    units = [
        {"id": "a", "at": "0805", "facing": "S", "mech": {"walk": 3}},
        {"id": "b", "side": 1, "at": "0806", "facing": "N", "moved": {"mode": "stand"}},
    ]
    state = make_state(units=units, phase="movement")
    weigh = weights()
    me, enemy = (Figure(state, state.unit(one), FireTables().arsenal, weigh) for one in "ab")
    ours, theirs = kick_value(me, enemy, 3, weigh), kick_value(enemy, me, 4, weigh)
    assert ours > theirs > 0
    assert standing(state)["blows"] == pytest.approx(0.6 * (ours - theirs) / 20, rel=1e-4)
    # with one's back to it one cannot kick; two hexes off nobody does
    state = make_state(units=[{**units[0], "facing": "N"}, units[1]], phase="movement")
    assert standing(state)["blows"] == pytest.approx(-0.6 * theirs / 20, rel=1e-4)
    state = make_state(units=[{**units[0], "at": "0804"}, units[1]], phase="movement")
    assert standing(state)["blows"] == 0.0


def test_who_sprints_kicks_nobody() -> None:
    """Sprinting leaves no attack (M-3): there are the enemy's kicks alone, that cannot miss, from two places it may come to:
    half of 0.85 of 0.6 of what a kick is worth for either."""
    units = [
        {"id": "a", "at": "0805", "facing": "S", "piloting": 1, "mech": {"walk": 5}},
        {"id": "b", "side": 1, "at": "0808", "facing": "N", "piloting": 1},
    ]
    state = make_state(units=units, phase="movement", ruleset="mwii")
    me, enemy = (Figure(state, state.unit(one), FireTables().arsenal, weights()) for one in "ab")
    kicked = 0.5 * 0.85 * 0.6 * kick_value(enemy, me, 2, weights()) / 20
    match = Match(Game(state, SeededDice(0)))
    match.step(option_of(match, "sprint"))
    blows = LAYOUT.view(seen(match), "slots")[:, PLACE["blows"]]
    assert blows.max() == 0.0
    assert blows[blows < 0.0] == pytest.approx(-kicked * np.round(-blows[blows < 0.0] / kicked), rel=1e-4)
    assert -2.01 * kicked < blows.min() < -0.99 * kicked


def test_the_best_option_has_no_edge_against_it() -> None:
    """Where options are weighed the best has 0 and all others less, ten points making 1."""
    weighed = 0
    for match in steps(skirmish(3, size=2, limit=3), 3, most=200):
        assert match.walk is not None and match.walk.question is not None
        rows = LAYOUT.view(seen(match), "slots")[1 : 1 + match.walk.options]
        if question_name(match.walk.question.name) in ("hex", "facing", "weapon", "primary target"):
            net = rows[:, PLACE["gain"]] - rows[:, PLACE["loss"]]
            assert rows[:, PLACE["edge"]] == pytest.approx(np.maximum((net - net.max()) * 2, -1.0), abs=1e-5)
            weighed += 1
    assert weighed > 20


@pytest.mark.parametrize("kind", ["mech", "vehicle", "infantry", "battle_armor"])
def test_tabled_fire_is_that_of_the_weapons(kind: str) -> None:
    """With heat to spare the table tells what the weapons do one by one, at every bearing, distance and sum. Rule: S-4."""
    tables = FireTables()
    draw = random.Random(kind)
    for name in draw.sample(unit_names(kind), 6):
        unit = UnitState(unit_named(name), "u", 0)
        power = tables.power(unit, "")
        table = tables.of(unit, power, 999)
        for _ in range(120):
            bearing, distance, common = draw.randrange(24), draw.randrange(1, RANGES + 3), draw.randrange(0, 14)
            wanted = power.around(bearing, distance, common, 999) if not power.rounds and distance < RANGES - 1 else None
            if wanted is not None:
                assert table.at(bearing, distance, common) == pytest.approx(wanted, abs=1e-3), (name, bearing, distance, common)


def test_a_hot_unit_fires_what_its_heat_allows() -> None:
    """Two medium lasers of 3 heat: both at 6, one at 5, none at 2. At 4 for gunnery and 3 hexes each does 5 * 33/36."""
    lasers = {"CT": ["is_medium_laser"], "RT": ["is_medium_laser"]}
    unit = make_state(units=[{"id": "a", "at": "0805", "mech": {"weapons": lasers}}]).units[0]
    tables = FireTables()
    power = tables.power(unit, "")
    found = [tables.of(unit, power, heat).at(0, 3, 4) for heat in (6, 5, 2)]
    assert found == pytest.approx([2 * 5 * 33 / 36, 5 * 33 / 36, 0.0], abs=1e-5)
