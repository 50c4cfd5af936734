"""The yardstick's figures one by one, against sums worked by hand from the description (tests/cases/princess)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from opfor.errors import InputError
from opfor.hex import Grid
from opfor.orders import Attack, CallOrder, FireOrder, MoveOrder
from opfor.rules.moving.grounds import ground_for
from opfor.state import Shell, State
from opfor.tables import load_yaml
from opfor.units.state import UnitState
from policies.princess import utility
from policies.princess.ends import End
from policies.princess.estimates import Moved, Unmoved, settled
from policies.princess.guns import Arsenal, rack_damage
from policies.princess.hazards import at_end, on_the_way, own_bursts, water, way_of
from policies.princess.heat import heat_limit
from policies.princess.hulls import Hull
from policies.princess.overkill import Assigned
from policies.princess.plans import Mark, criticals_of_a_breach, rank_of
from policies.princess.routes import ways
from policies.princess.settings import Settings, settings
from policies.princess.turn_order import index_of, next_to_fire, next_to_move
from tests.support import make_state

LASER: dict[str, Any] = {"weapons": {"RT": ["is_medium_laser"]}}
LAUNCHER: dict[str, Any] = {"weapons": {"LT": ["is_lrm20"]}, "ammo": {"RT": ["IS Ammo LRM-20"]}}
#: slots of equipment that gives a target rank
RANKS = {"c3_master": ["C3 Master"] * 5, "ecm": ["Guardian ECM"] * 2}


def cases(name: str) -> list[Any]:
    """The cases of one file."""
    text = (Path(__file__).parent / "cases" / "princess" / f"{name}.yaml").read_text(encoding="utf-8")
    return [pytest.param(case, id=case["id"]) for case in load_yaml(text)]


def close(value: float) -> Any:
    return pytest.approx(value, abs=1e-5)


# -- settings and terms --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("settings"))
def test_words_after_the_name_set_indexes_and_these_have_their_worth(case: dict[str, Any]) -> None:
    config = settings(case["give"])
    for key in ("bravery", "aggression", "herd", "self_preservation", "fall_shame"):
        if key in case:
            assert config.value(key) == case[key], key
    for key in ("withdraws", "flees"):
        if key in case:
            assert getattr(config, key) is case[key], key


@pytest.mark.parametrize("given", ["beserk", "agression=3", "aggression=11", "aggression=high", "herd=2,berserk", "bravery="])
def test_words_that_mean_nothing_are_refused(given: str) -> None:
    with pytest.raises(InputError):
        settings(given)


@pytest.mark.parametrize("case", cases("terms"))
def test_term(case: dict[str, Any]) -> None:
    assert getattr(utility, case["term"])(*case["of"]) == close(case["expect"])


@pytest.mark.parametrize(("shots", "aggression", "least"), [(10, 5, 0), (3, 5, 0.7), (1, 0, 0.95), (1, 9, 0.5), (1, 10, 0)])
def test_a_shot_must_beat_a_chance_by_the_rounds_that_are_left(shots: int, aggression: int, least: float) -> None:
    # 1 - shots / (2 x (10 - aggression)); nothing holds the fully aggressive back
    assert Settings(aggression=aggression).least_to_hit(shots) == close(least)


def test_the_chance_asked_of_a_path_is_a_tenth_of_the_index_of_fall_shame() -> None:
    assert [Settings(fall_shame=index).least_odds for index in (0, 2, 5, 10)] == [0.0, 0.2, 0.5, 1.0]


def test_facing_is_counted_in_hexsides_from_the_closest_enemy() -> None:
    grid = Grid(12, 12)
    here, north = grid.parse("0606"), grid.parse("0602")
    assert [utility.hexsides_off(grid, here, facing, north) for facing in range(6)] == [0, 1, 2, 3, 2, 1]
    assert utility.hexsides_off(grid, here, 3, here) == 0


def test_the_middle_of_the_friends_is_the_mean_column_and_row() -> None:
    grid = Grid(12, 12)
    assert utility.middle(grid, [grid.parse("0202"), grid.parse("0602"), grid.parse("0408")]) == grid.parse("0404")
    assert utility.middle(grid, []) is None


# -- fire plans ----------------------------------------------------------------------------------------------------------


def target(given: dict[str, Any] | None = None, equipment: str = "") -> UnitState:
    mech = {**LASER, "equipment": {"LT": RANKS[equipment]}} if equipment else LASER
    return make_state(units=[{"id": "t", "at": "0505", "mech": mech, **(given or {})}]).unit("t")


@pytest.mark.parametrize("case", cases("breaches"))
def test_breach(case: dict[str, Any]) -> None:
    mark = Mark(target(case.get("given")), 0, Settings(), Assigned())
    assert mark.breach(case["side"], case["points"]) == (close(case["criticals"]), close(case["kill"]))


def test_a_breach_brings_22_criticals_in_36() -> None:
    # 8 and 9 one (9/36), 10 and 11 two (5/36), 12 three (1/36)
    assert criticals_of_a_breach() == close((9 + 10 + 3) / 36)


@pytest.mark.parametrize("case", cases("plans"))
def test_plan(case: dict[str, Any]) -> None:
    unit = target(equipment=case.get("equipment", ""))
    assigned = Assigned()
    assigned.add(unit, case.get("assigned", 0))
    mark = Mark(unit, case["most"], settings(case.get("give", "")), assigned)
    shots = [mark.shot(odds, damage, "front", heat) for odds, damage, heat in case["shots"]]
    plan = mark.plan(shots, case.get("limit"))
    assert plan.value == close(case["value"])
    assert plan.picks == tuple(case["picks"])


def test_no_other_kind_than_a_mech_has_criticals_or_kills_and_troopers_no_overkill() -> None:
    state = make_state(units=[{"id": "v", "at": "0505", "vehicle": {}}, {"id": "p", "at": "0606", "platoon": {}}])
    assert Mark(state.unit("v"), 0, Settings(), Assigned()).breach("front", 100) == (0, 0)
    assigned = Assigned()
    assigned.add(state.unit("p"), 1000)
    mark = Mark(state.unit("p"), 0, Settings(), assigned)
    assert mark.plan([mark.shot(0.5, 6, "front", 0)], None).value == close(3)


def test_those_who_carry_tag_help() -> None:
    assert rank_of(target()) == 0
    state = make_state(units=[{"id": "t", "at": "0505", "mech": {"weapons": {"HD": ["tag"]}}}])
    assert rank_of(state.unit("t")) == 0.25


def test_a_rack_counts_at_its_whole_size() -> None:
    mech = {"weapons": {"LT": ["is_lrm20"], "RT": ["is_srm6"]}, "ammo": {"RT": ["IS Ammo LRM-20", "IS Ammo SRM-6"]}}
    unit = make_state(units=[{"id": "a", "at": "0505", "mech": mech}]).unit("a")
    points = {mount.id: rack_damage(unit, mount, mount.modes[0], 7) for mount in unit.spec.mounts}
    # LRM 20: twenty missiles of one point (12.7 hit on the mean); SRM 6: six of two (8 points on the mean)
    assert points == {"is_lrm20": 20, "is_srm6": 12}


def test_five_points_of_heat_over_the_sinks_are_free_and_movement_is_left_out() -> None:
    state = make_state(units=[{"id": "a", "at": "0505", "mech": LASER, "heat": 4, "heat_built": 2}])
    # 10 sinks - 4 + 5
    assert heat_limit(state, state.unit("a")) == 11


def test_fire_declared_and_not_resolved_is_what_overkill_remembers() -> None:
    state = make_state(
        units=[
            {"id": "a", "at": "0501", "facing": 3, "mech": LASER, "moved": {"mode": "stand"}},
            {"id": "t", "side": 1, "at": "0504", "mech": LASER, "moved": {"mode": "stand"}},
        ]
    )
    assert Assigned(state, 0).at(state.unit("t")) == 0
    state.declared.append(FireOrder("a", 0, False, (Attack(0, "t"),), "t"))
    # gunnery 4 at short range: 4+, 33 of 36, times 5 points
    assert Assigned(state, 0).at(state.unit("t")) == close(5 * 33 / 36)
    assert Assigned(state, 1).at(state.unit("t")) == 0


# -- enemies that have moved, and those that have not ---------------------------------------------------------------------


def facing_off(moved: bool, board: dict[str, str] | None = None, **enemy: Any) -> State:
    """``a`` at 0808 faces north; ``t`` at 0804 faces south, four hexes away."""
    foe = {"id": "t", "side": 1, "at": "0804", "facing": 3, "mech": LASER, **enemy}
    if moved:
        foe["moved"] = {"mode": "stand", "hexes": 0}
    return make_state(board=board, phase="movement", units=[{"id": "a", "at": "0808", "mech": LASER}, foe])


def end(state: State, at: str, mode: str, hexes: int, facing: int = 0) -> End:
    cell = state.board.grid.parse(at)
    return End(mode, cell, -state.board.depth[cell], facing, False, hexes)


def test_an_enemy_that_has_moved_is_met_with_plans_both_ways() -> None:
    state = facing_off(moved=True)
    foe = Moved(state, state.unit("a"), state.unit("t"), Arsenal(), Settings(), Assigned())
    worth = foe.worth(end(state, "0807", "walk", 1))
    # mine: 4 + 1 for walking = 5+, 30/36 x 5 points x log10(10 + 5 x 2); theirs: 4+, 33/36, as one hex makes no harder target
    assert worth.mine == close(30 / 36 * 5 * 1.30103)
    assert worth.theirs == close(33 / 36 * 5 * 1.30103)
    # after three hexes: 5+ for it as well
    assert foe.worth(end(state, "0807", "walk", 3)).theirs == close(30 / 36 * 5 * 1.30103)
    # with the back to it: no shot of mine, even twisted
    assert foe.worth(end(state, "0807", "walk", 1, facing=3)).mine == 0


def test_a_hill_protects_from_an_enemy_that_has_moved() -> None:
    state = facing_off(moved=True, board={"0806": "level 5"})
    worth = Moved(state, state.unit("a"), state.unit("t"), Arsenal(), Settings(), Assigned()).worth(
        end(state, "0807", "walk", 1)
    )
    assert worth == (0, 0, 0, 0)


def test_a_kick_counts_above_even_odds_only() -> None:
    state = facing_off(moved=True)
    me, enemy = state.unit("a"), state.unit("t")
    foe = Moved(state, me, enemy, Arsenal(), Settings(), Assigned())
    # a kick of 50 tons: 10 points. Piloting 5 - 2, 1 for walking: 4+ (33/36); the enemy 3+ (35/36)
    worth = foe.worth(end(state, "0805", "walk", 1))
    assert worth.my_kick == close(33 / 36 * 10)
    assert worth.their_kick == close(35 / 36 * 10)
    # piloting 8: 6 + 1 = 7+, 21/36, counts; piloting 9: 8+, 15/36, does not
    me.piloting = 8
    assert Moved(state, me, enemy, Arsenal(), Settings(), Assigned()).worth(end(state, "0805", "walk", 1)).my_kick == close(
        21 / 36 * 10
    )
    me.piloting = 9
    assert Moved(state, me, enemy, Arsenal(), Settings(), Assigned()).worth(end(state, "0805", "walk", 1)).my_kick == 0


@pytest.mark.parametrize("board", [None, {"0806": "level 5", "0807": "heavy woods"}])
def test_an_enemy_still_to_move_is_charged_a_quarter_of_everything_whatever_the_ground(board: dict[str, str] | None) -> None:
    # it can walk nowhere: its hull is its own hex, three hexes from 0807, straight ahead
    state = facing_off(
        moved=False,
        board=board,
        hits=["RL:hip", "LL:hip"],
        mech={**LASER, **LAUNCHER, "weapons": {"RT": ["is_medium_laser"], "LT": ["is_lrm20"]}},
    )
    foe = Unmoved(state, state.unit("a"), state.unit("t"), Arsenal())
    for mode, hexes in (("stand", 0), ("run", 6)):
        worth = foe.worth(end(state, "0807", mode, hexes))
        # 5 of the laser and the 20 missiles of the rack, inside their minimum range or not
        assert worth == (0.25 * 5, 0.25 * 25, 0, 0)


def test_a_quarter_of_my_own_counts_only_with_the_whole_hull_ahead() -> None:
    state = facing_off(moved=False, hits=["RL:hip", "LL:hip"])
    foe = Unmoved(state, state.unit("a"), state.unit("t"), Arsenal())
    by_facing = [foe.worth(end(state, "0807", "walk", 1, facing)).mine for facing in range(6)]
    assert by_facing == [1.25, 1.25, 0, 0, 0, 1.25]
    # all of its reach around me: no arc holds it
    state = facing_off(moved=False)
    foe = Unmoved(state, state.unit("a"), state.unit("t"), Arsenal())
    assert foe.worth(end(state, "0805", "walk", 3)).mine == 0


def test_a_quarter_of_a_kick_is_feared_where_an_enemy_can_come_behind() -> None:
    state = facing_off(moved=False)
    foe = Unmoved(state, state.unit("a"), state.unit("t"), Arsenal())
    # three hexes south of it, facing away: the hex behind me (0806) is two hexes ahead of it
    assert foe.worth(end(state, "0807", "walk", 1, facing=3)).their_kick == 0.25 * 10
    # far out of its reach
    assert foe.worth(end(state, "0817", "walk", 1, facing=3)).their_kick == 0


def test_a_unit_that_cannot_act_is_found_where_it_stands() -> None:
    state = facing_off(moved=False)
    assert not settled(state, state.unit("t"))
    state.unit("t").shutdown = True
    assert settled(state, state.unit("t"))


def test_distance_to_a_hull_is_that_to_its_nearest_hex() -> None:
    grid = Grid(20, 20)
    corners = [grid.parse(name) for name in ("0505", "0905", "0709")]
    hull = Hull(grid, corners)
    low = [min(cube[axis] for cube in _cubes(grid, corners)) for axis in range(3)]
    high = [max(cube[axis] for cube in _cubes(grid, corners)) for axis in range(3)]
    inside = [cell for cell in grid.on_board if all(low[i] <= c <= high[i] for i, c in enumerate(_cubes(grid, [cell])[0]))]
    assert set(corners) < set(inside)
    for cell in grid.on_board:
        assert hull.distance(cell) == min(grid.distance(cell, other) for other in inside)


def _cubes(grid: Grid, cells: list[int]) -> list[tuple[int, int, int]]:
    return [(q, r, -q - r) for q, r in map(grid.axial, cells)]


# -- dangers, and who goes first ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "depth", "points"),
    [
        ({}, 2, 0),
        ({"armor": {"RL": 0}}, 1, 50),
        ({"armor": {"HD": 0}}, 1, 0),
        ({"armor": {"HD": 0}}, 2, 1000),
        ({"armor": {"RL": 0, "CT": 0}}, 2, 1050),
    ],
)
def test_water_is_feared_only_where_it_gets_in(given: dict[str, Any], depth: int, points: float) -> None:
    assert water(target(given), depth, prone=False) == points


def test_dangers_of_a_way_and_of_its_end() -> None:
    board = {
        "0507": {"fire": True},
        "0506": {"building": 2, "building_height": 1, "building_cf": 60},
        "0505": {"mines": 10, "mines_known": 1},
    }
    state = make_state(board=board, units=[{"id": "a", "at": "0508", "mech": LASER}])
    me, grid = state.unit("a"), state.board.grid
    order = MoveOrder("a", "walk", ("F", "F", "F"), grid.parse("0505"), 0)
    cells = way_of(state, me, order)
    assert cells == [grid.parse(name) for name in ("0507", "0506", "0505")]
    # fire 2, a tenth of 60 times the chance to fail of a half, mines 10
    assert on_the_way(state, me, cells, 0.5) == 2 + 3 + 10
    # mines that the side has not learnt of are no danger to it
    me.side = 1
    assert on_the_way(state, me, cells, 0.5) == 2 + 3
    assert at_end(state, me, grid.parse("0507"), 0, prone=False, bursts={}) == 5
    assert way_of(state, me, MoveOrder("a", "jump", ("J",), grid.parse("0505"), 0)) == [grid.parse("0505")]


def test_own_shells_of_this_turn_are_a_danger_where_they_come_down() -> None:
    gun = {"weapons": {"FR": ["is_thumper"]}, "ammo": ["IS Ammo Thumper"]}
    state = make_state(units=[{"id": "a", "at": "0808", "vehicle": gun}])
    cell = state.board.grid.parse("0404")
    order = CallOrder("a", "artillery", 0, "", cell)
    state.shells = [Shell(order, 1, 0), Shell(order, 2, 0), Shell(order, 1, 1)]
    found = own_bursts(state, 0)
    # 15 points in the hex and 5 in the six around it; later shells and those of others count nothing
    assert found[cell] == 15
    assert sorted(found.values()) == [5] * 6 + [15]


def test_a_long_way_goes_round_what_cannot_be_climbed() -> None:
    wall = {f"{column:02d}03": "level 9" for column in range(1, 5)}
    state = make_state(board=wall, size=(5, 5), units=[{"id": "a", "at": "0105", "mech": LASER}])
    ground, grid = ground_for(state.board, state.unit("a").spec, state.ruleset), state.board.grid
    found = ways(ground, [grid.parse("0101")])
    assert found[ground.place(grid.parse("0101"), 0)] == 0
    assert found[ground.place(grid.parse("0102"), 0)] == 1
    # by way of 0503, the only gap: four hexes there, on to 0504 and four back
    assert found[ground.place(grid.parse("0503"), 0)] == 4
    assert found[ground.place(grid.parse("0105"), 0)] == 9


def test_slow_and_far_units_move_first() -> None:
    state = make_state(
        phase="movement",
        units=[
            {"id": "slow", "at": "0101", "mech": {**LASER, "walk": 2}},
            {"id": "fast", "at": "0201", "mech": {**LASER, "walk": 6}},
            {"id": "tank", "at": "0301", "vehicle": {"cruise": 4}},
            {"id": "foe", "side": 1, "at": "0113", "mech": LASER},
        ],
    )
    foe = [state.unit("foe")]
    # 12 hexes by 3 running MP; 12 by 9; 13 by 6, times 1.5
    assert index_of(state, state.unit("slow"), foe) == 4
    assert index_of(state, state.unit("fast"), foe) == close(12 / 9)
    assert index_of(state, state.unit("tank"), foe) == close(13 / 6 * 1.5)
    state.unit("slow").prone = True
    assert index_of(state, state.unit("slow"), foe) == close(4.4)
    assert index_of(state, state.unit("slow"), foe, falling_back=True) == close(8.8)
    able = [state.unit(id) for id in ("fast", "tank", "slow")]
    assert next_to_move(state, able, foe).id == "slow"
    state.unit("fast").shutdown = True
    assert next_to_move(state, able, foe).id == "fast"


def test_carriers_of_indirect_fire_shoot_last() -> None:
    state = make_state(units=[{"id": "lrm", "at": "0101", "mech": LAUNCHER}, {"id": "laser", "at": "0301", "mech": LASER}])
    assert next_to_fire([state.unit("lrm"), state.unit("laser")]).id == "laser"
