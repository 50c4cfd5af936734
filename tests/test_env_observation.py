"""Observations over whole battles: of one size, within bounds, of what the side knows alone, the same whoever looks."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from envs.actions import ACTIONS
from envs.features.choice import question_name
from envs.features.damage import RANGES, FireTables
from envs.features.likely import Outlook
from envs.features.lines import Lines, lines_of
from envs.features.records import Records
from envs.features.scene import Scene
from envs.features.slots import PLACE
from envs.features.units import GROUP as UNITS
from envs.layout import Column, Flat, Group, Layout
from envs.match import Match
from envs.observation import LAYOUT, SIZE, Observer
from opfor.dice import SeededDice
from opfor.directives import Directive, Objective
from opfor.game.game import Game
from opfor.game.legal.choices import QUESTIONS
from opfor.gm.starting.mixes import mixed_ruleset
from opfor.rulesets import named_ruleset
from opfor.state import State
from opfor.units.catalogue import unit_named, unit_names
from opfor.units.state import UnitState
from policies.veteran.exchange import kick_value
from policies.veteran.figures import Figure
from policies.veteran.spots import STANDING, key_of
from policies.veteran.weights import weights
from policies.veteran.worth import factors, value_of
from tests.observation_sums import option_of
from tests.skirmish import skirmish
from tests.support import make_board, make_state

KINDS = ("mech", "vehicle", "infantry", "vtol", "battle_armor")
WEAPON = {"weapons": {"RA": ["is_medium_laser"]}}


def steps(state: State, seed: int, most: int = 10_000) -> Iterator[Match]:
    """A battle at every question, options drawn by seed."""
    match = Match(Game(state, SeededDice(seed)))
    draw = random.Random(seed).random
    for _ in range(most):
        if match.walk is None:
            return
        yield match
        match.step(1 + int(draw() * match.walk.options))


def seen(match: Match, observer: Observer | None = None) -> Flat:
    out = np.full(SIZE, np.nan, dtype=np.float32)
    (observer or Observer()).observe(match, out)
    return out


def sound(match: Match, out: Flat, observer: Observer) -> None:
    """An observation is within its space and its rows are those of the actions."""
    assert observer.space.contains(out)
    assert np.isfinite(out).all()
    mask = np.zeros(ACTIONS, dtype=np.bool_)
    observer.mask(match, mask)
    assert match.walk is not None and match.walk.question is not None
    assert mask.sum() == match.walk.question.options + 1 and mask[: match.walk.question.options + 1].all()
    slots = LAYOUT.view(out, "slots")
    assert (slots[:, 0] == mask).all()
    assert not slots[~mask].any()
    assert LAYOUT.read(out, "choice", f"asks_{question_name(match.walk.question.name).replace(' ', '_')}") == 1.0


def rulesets() -> Sequence[object]:
    return ("standard", "mwii", "campaign", mixed_ruleset(5))


@pytest.mark.parametrize("number", range(4))
def test_battles_of_all_kinds(number: int) -> None:
    """Whoever has looked on from the start sees what one sees who looks for the first time."""
    observer = Observer()
    state = skirmish(number, kinds=KINDS, size=3, limit=3, ruleset=rulesets()[number])  # type: ignore[arg-type]
    count = 0
    for match in steps(state, number):
        out = seen(match, observer)
        sound(match, out, observer)
        if count % 5 == 0:
            assert out.tobytes() == seen(match).tobytes()
            assert out.tobytes() == seen(match, observer).tobytes()
        count += 1
    assert count > 20


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


def test_fire_that_friends_have_declared_shows_on_its_target() -> None:
    """A medium laser at three hexes, gunnery 4: 33 in 36 for 5 points; nothing at the other enemy."""
    state = make_state(
        units=[
            {"id": "a", "at": "0805", "facing": "S", "mech": WEAPON},
            {"id": "c", "at": "0806", "facing": "S", "mech": WEAPON},
            {"id": "b", "side": 1, "at": "0808", "facing": "N"},
            {"id": "d", "side": 1, "at": "0811", "facing": "N"},
        ]
    )
    match = Match(Game(state, SeededDice(0)))
    shown = []
    for label in ("a", "straight ahead", "b"):
        assert match.walk is not None and match.walk.question is not None
        question = match.walk.question
        labels = [question.label(option) for option in range(question.options)]
        shown.append(LAYOUT.view(seen(match), "units")[:, UNITS.index("declared")].sum())
        match.step(1 + labels.index(label))
    assert shown == [0.0] * 3
    declared = LAYOUT.view(seen(match), "units")[:, UNITS.index("declared")]
    # the other side sees it, too: b stands first among its own
    assert declared[0] == pytest.approx(5 * 33 / 36 / 40) and declared.sum() == declared[0]
    while match.side == 1:
        match.step(0)
    declared = LAYOUT.view(seen(match), "units")[:, UNITS.index("declared")]
    # c acts: b is the nearer of its enemies
    assert declared[24] == pytest.approx(5 * 33 / 36 / 40) and declared.sum() == declared[24]


def test_passing_is_told_apart_from_every_option() -> None:
    for match in steps(skirmish(2, size=2, limit=2), 2, most=60):
        slots = LAYOUT.view(seen(match), "slots")
        assert slots[0, PLACE["passes"]] == 1.0 and not slots[1:, PLACE["passes"]].any()


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


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_many_battles(seed: int) -> None:
    observer = Observer()
    kinds = KINDS if seed % 2 else ("mech",)
    ruleset = mixed_ruleset(seed) if seed % 3 == 0 else rulesets()[seed % 3]
    for match in steps(skirmish(seed, kinds=kinds, limit=6, ruleset=ruleset), seed):  # type: ignore[arg-type]
        sound(match, seen(match, observer), observer)


def test_the_largest_board_and_the_most_units() -> None:
    """64 x 64 hexes, 24 a side: all are shown."""
    state = skirmish(3, board=make_board(size=(64, 64)), size=24, limit=1)
    observer = Observer()
    for match in steps(state, 3, most=60):
        out = seen(match, observer)
        sound(match, out, observer)
        assert LAYOUT.view(out, "units")[:, LAYOUT.groups["units"].index("present")].sum() == 48


def test_more_units_than_there_is_room_for() -> None:
    """30 a side: the nearest 24 are shown, the acting unit first."""
    state = skirmish(4, board=make_board(size=(40, 40)), size=30, limit=1)
    grid = state.board.grid
    for match in steps(state, 4, most=20):
        out = seen(match)
        sound(match, out, Observer())
        units = LAYOUT.view(out, "units")
        assert units[:, LAYOUT.groups["units"].index("present")].sum() == 48
        assert match.walk is not None
        acting = state.unit(match.walk.unit)
        distances = units[24:, LAYOUT.groups["units"].index("distance")] * 32
        nearest = sorted([grid.distance(acting.cell, u.cell) for u in state.enemies(acting.side)])[:24]
        assert distances.tolist() == pytest.approx([min(32, n) for n in nearest], abs=1e-3)


def test_a_board_beyond_the_largest() -> None:
    state = skirmish(5, board=make_board(size=(90, 120)), size=2, limit=1)
    observer = Observer()
    for match in steps(state, 5, most=30):
        sound(match, seen(match, observer), observer)


def test_slots_follow_the_facts_of_their_options() -> None:
    """Row i + 1 is option i: where it lies, what it costs, who it is."""
    state = skirmish(6, limit=2)
    grid = state.board.grid
    checked = set()
    for match in steps(state, 6):
        assert match.walk is not None and match.walk.question is not None
        facts, here = match.walk.question.facts, state.unit(match.walk.unit).cell
        slots = LAYOUT.view(seen(match), "slots")
        if "cell" in facts:
            for option, cell in enumerate(facts["cell"]):
                dq, dr = grid.offset(here, int(cell))
                assert slots[option + 1, PLACE["east"]] == pytest.approx(dq / 32, abs=1e-5)
                assert slots[option + 1, PLACE["south"]] == pytest.approx((dr + dq / 2) / 32, abs=1e-5)
                assert slots[option + 1, PLACE["cost"]] == pytest.approx(min(1.0, facts["mp"][option] / 12), abs=1e-5)
                checked.add("cell")
        if match.walk.question.name == "unit":
            rows = LAYOUT.view(seen(match), "units")
            for option, id in enumerate(facts["unit"]):
                row = round(float(slots[option + 1, PLACE["what"]] * 24)) - 1
                tons = rows[row, LAYOUT.groups["units"].index("tons")]
                assert tons == pytest.approx(state.unit(id).spec.tons / 100)
                checked.add("unit")
    assert checked == {"cell", "unit"}


def duel(**arguments: object) -> State:
    """One unit of side 0 against three, one of which is hidden."""
    units = [
        {"id": "a", "at": "0805", "facing": "S", "mech": WEAPON},
        {"id": "b", "side": 1, "at": "0809", "mech": WEAPON},
        {"id": "c", "side": 1, "at": "1412", "mech": WEAPON, "hidden": True},
        {"id": "d", "side": 1, "at": "0816", "mech": WEAPON},
    ]
    return make_state(units=units, **{"phase": "movement", **arguments})  # type: ignore[arg-type]


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


def test_a_changed_board_is_seen_as_it_is() -> None:
    """Woods that burn down, smoke that drifts: an observer that knew the board before sees what a new one sees."""
    state = duel(board={"0807": "heavy woods"})
    observer = Observer()
    match = Match(Game(state, SeededDice(1)))
    before = seen(match, observer)
    bare = state.board
    state.board = bare.changed({bare.grid.parse("0807"): replace(bare.at("0807"), woods=0, smoke=2, fire=True)})
    match = Match(Game(state, SeededDice(1)))
    after = seen(match, observer)
    assert after.tobytes() == seen(match).tobytes() != before.tobytes()
    state.board = bare
    assert seen(Match(Game(state, SeededDice(1))), observer).tobytes() == before.tobytes()


def test_copies_of_an_observer_begin_afresh_and_see_the_same() -> None:
    match = Match(Game(duel(), SeededDice(1)))
    observer = Observer()
    first = seen(match, observer)
    assert first.tobytes() == seen(match, deepcopy(observer)).tobytes()


def test_nothing_is_seen_of_a_battle_that_is_over() -> None:
    state = duel()
    state.winner = 0
    match = Match(Game(state, SeededDice(1)))
    with pytest.raises(ValueError, match="over"):
        seen(match)
    mask = np.ones(ACTIONS, dtype=np.bool_)
    Observer().mask(match, mask)
    assert not mask.any()


def test_the_layout_is_groups_in_a_row() -> None:
    layout = Layout((Group("one", "", 1, (Column("x", ""), Column("y", ""))), Group("two", "", 2, (Column("x", ""),))))
    flat = np.zeros(layout.size, dtype=np.float32)
    layout.view(flat, "two")[1, 0] = 3.0
    layout.view(flat, "one")[0, 1] = 2.0
    assert flat.tolist() == [0.0, 2.0, 0.0, 3.0]
    assert layout["two"] == slice(2, 4) and layout.read(flat, "two", "x", 1) == 3.0
    with pytest.raises(KeyError):
        layout.groups["one"].index("z")


def test_every_column_has_a_name_of_its_own_and_says_what_it_is() -> None:
    assert sum(group.size for group in LAYOUT.groups.values()) == SIZE
    for group in LAYOUT.groups.values():
        names = [column.name for column in group.columns]
        assert len(set(names)) == len(names), group.name
        assert all(len(column.what) > 3 for column in group.columns)
    assert all(f"asks_{name.replace(' ', '_')}" in {c.name for c in LAYOUT.groups["choice"].columns} for name in QUESTIONS)


@pytest.mark.parametrize("seed", range(3))
def test_lines_taken_over_from_a_board_before_are_those_of_the_board(seed: int) -> None:
    """Woods and smoke come and go in places; every line is as if nothing had been known before. Rule: S-3."""
    draw = random.Random(seed)
    words = ("clear", "light woods", "heavy woods", "level 2", "level 1, light smoke", "heavy smoke")
    board = make_board({f"{c:02d}{r:02d}": draw.choice(words) for c in range(1, 13) for r in range(1, 13)}, size=(12, 12))
    cells = np.array(board.grid.on_board, dtype=np.int32)
    ends = draw.sample(board.grid.on_board, 6)
    lines = lines_of(board, named_ruleset("standard"))
    for _ in range(6):
        lines.between([key_of(end, 0, STANDING) for end in ends], cells, STANDING)
        changes = {cell: replace(board.hexes[cell], smoke=draw.randrange(3)) for cell in draw.sample(board.grid.on_board, 4)}
        board = board.changed(changes)
        lines = lines_of(board, named_ruleset("standard"), lines)
        fresh = Lines(board, named_ruleset("standard"))
        keys = [key_of(end, 0, STANDING) for end in ends[:4]]
        ours = lines.between(keys, cells, STANDING)
        theirs = fresh.between(keys, cells, STANDING)
        assert (ours[0] == theirs[0]).all() and (ours[1] == theirs[1]).all()


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
