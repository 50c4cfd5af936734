"""Starting a battle: every battle that is made checks clean and plays; forces to a budget; stations that units may stand in."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
import yaml

from opfor.board.library import board_names
from opfor.errors import InputError
from opfor.formats.battle_file.battle import load_battle, read_battle
from opfor.formats.library import board_named
from opfor.gm.running.playing import play_battle
from opfor.gm.starting.budget import candidates, cost_of, era_from, kinds_from, raise_force
from opfor.gm.starting.checking import findings
from opfor.gm.starting.deployment import EDGES, STYLES, deploy, passengers
from opfor.gm.starting.scenarios import scenario
from opfor.rules.moving.flight import lowest_flight
from opfor.rules.moving.motions import motion_of
from opfor.units.catalogue import unit_named, unit_names
from opfor.units.roles import role_of
from opfor.units.spec import KINDS
from tests.cli_support import listing, opfor, opfor_json

ALL = tuple(KINDS)
FORCE = tuple(
    unit_named(name)
    for name in (
        "Battery Long Tom Carrier", "Foot Platoon (Rifle)", "Maxim Heavy Hover Transport (Standard)", "Jump Platoon (Laser)",
        "Locust LCT-1V", "Atlas AS7-D", "Scorpion Light Tank (Standard)", "Hetzer Wheeled Assault Gun (Standard)",
        "Warrior Attack Helicopter H-7", "Savannah Master Hovercraft (Standard)", "Archer ARC-2R",
        "Elemental Battle Armor [Laser](Sqd5)",
    )
)  # fmt: skip


def sound(path: Path) -> None:
    """A battle that was made: nothing odd, no default, and two turns of it can be played."""
    battle = load_battle(path)
    assert findings(battle) == []
    assert battle.defaults == [] and battle.notes == []
    last = battle.state.limit = battle.state.turn + 1
    result, _, _ = play_battle(battle, ["random", "random"], 5, last)
    assert result["turns"] <= last


# -- forces to a budget ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("measure", "budget"), [("bv", 3000), ("bv", 5000), ("bv", 11000), ("tons", 100), ("tons", 205)])
def test_a_force_comes_within_a_hundredth_of_its_budget_and_never_beyond(measure: str, budget: int) -> None:
    for seed in range(8):
        raised = raise_force(budget, measure, seed=seed, kinds=("mech", "vehicle"))
        assert raised.total == sum(cost_of(spec, measure) for spec in raised.specs)
        assert budget * 0.99 <= raised.total <= budget
        assert str(budget - raised.total) + " left over" in raised.remarks[0]


def test_a_force_is_the_same_for_the_same_seed_and_varies_with_it() -> None:
    drawn = {seed: tuple(spec.name for spec in raise_force(6000, seed=seed).specs) for seed in range(12)}
    assert drawn[3] == tuple(spec.name for spec in raise_force(6000, seed=3).specs)
    assert len(set(drawn.values())) >= 8


def test_a_force_is_of_mixed_roles() -> None:
    roles = [len({role_of(spec) for spec in raise_force(7000, seed=seed, kinds=ALL).specs}) for seed in range(10)]
    assert sum(roles) / len(roles) >= 3


def test_units_without_a_battle_value_are_left_out_of_such_budgets_and_that_is_said() -> None:
    raised = raise_force(5000, seed=1, kinds=("vehicle",))
    assert all(spec.battle_value for spec in raised.specs)
    assert any("no Battle Value" in words for words in raised.remarks)
    assert any(
        not spec.battle_value for seed in range(6) for spec in raise_force(200, "tons", seed=seed, kinds=("vehicle",)).specs
    )


def test_the_era_bounds_the_choice_and_keeps_the_clans_out_before_they_came() -> None:
    assert all(spec.era <= 3025 and spec.tech != "Clan" for spec in candidates(("mech",), 3025))
    assert any(spec.tech == "Clan" for spec in candidates(("mech",), 3055))
    assert era_from("Clan Invasion") == 3061 and era_from("3025") == 3025 and era_from("") == 0
    with pytest.raises(InputError, match="did you mean clan invasion"):
        era_from("clan invasoin")


def test_a_force_like_another_has_as_many_units_of_its_kinds() -> None:
    other = [unit_named("Atlas AS7-D"), unit_named("Scorpion Light Tank (Standard)"), unit_named("Locust LCT-1V")]
    raised = raise_force(3000, seed=2, like=other)
    assert len(raised.specs) == 3 and {spec.kind for spec in raised.specs} <= {"mech", "vehicle"}


def test_what_cannot_be_raised_is_refused() -> None:
    with pytest.raises(InputError, match="no unit costs 10 Battle Value"):
        raise_force(10)
    with pytest.raises(InputError, match="built by 1800"):
        raise_force(1000, era=1800)
    with pytest.raises(InputError, match="no kind of unit 'aerospace'"):
        kinds_from("mech, aerospace")
    assert kinds_from("Mechs, tanks, battle armor") == ("mech", "vehicle", "battle_armor")


# -- stations -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", board_names())
def test_everybody_stands_on_ground_of_his_own_facing_the_enemy(name: str) -> None:
    board = board_named(name)
    grid = board.grid
    for style, (own, other) in zip(itertools.cycle(STYLES), itertools.permutations(EDGES, 2), strict=False):
        placed = deploy(board, [FORCE, FORCE[:6]], (own, other), (style, style), 4)
        cells = [s.cell for deployment in placed for s in deployment.stations if s.aboard < 0]
        assert len(cells) == len(set(cells))
        for force, deployment, enemy in zip((FORCE, FORCE[:6]), placed, (other, own), strict=True):
            ends = {
                "north": (grid.width // 2, 0), "south": (grid.width // 2, grid.height - 1),
                "west": (0, grid.height // 2), "east": (grid.width - 1, grid.height // 2),
            }  # fmt: skip
            goal = grid.cell(*ends[enemy])
            for spec, station in zip(force, deployment.stations, strict=True):
                hex = board.hexes[station.cell]
                if station.aboard >= 0:
                    assert spec.is_infantry and station.cell == deployment.stations[station.aboard].cell
                    continue
                if spec.kind == "vtol":
                    assert station.elevation >= lowest_flight(hex) and not station.hidden
                else:
                    assert motion_of(spec).terrain_cost(hex) is not None
                    assert not hex.depth or spec.motive == "hover"
                    assert not hex.building or spec.is_infantry
                    assert station.hidden is (style == "hidden")
                ahead = station.cell + grid.step[station.facing]
                if not spec.is_infantry and grid.contains(ahead):
                    assert grid.distance(ahead, goal) <= grid.distance(station.cell, goal)


def test_artillery_stands_at_the_back_and_scouts_in_front() -> None:
    board = board_named("open-plain")
    (placed, _) = deploy(board, [FORCE, ()], ("south", "north"))
    rows = {spec.name: board.grid.rows[s.cell] for spec, s in zip(FORCE, placed.stations, strict=True)}
    assert rows["Battery Long Tom Carrier"] == 16 and rows["Locust LCT-1V"] <= rows["Archer ARC-2R"] <= 16
    assert placed.zone_entry(board, "players") == {"rows": "15-17", "kind": "deployment", "side": "players"}


def test_infantry_rides_where_there_is_room_and_starts_in_cover_where_there_is_some() -> None:
    karnov, foot = unit_named("Karnov UR Transport"), unit_named("Foot Platoon (Rifle)")
    # 6 tons of room take two platoons of 3 tons, not three
    assert passengers([karnov, foot, foot, foot]) == {1: 0, 2: 0}
    board = board_named("deep-woods")
    (placed, _) = deploy(board, [[foot], ()], ("south", "north"))
    assert board.hexes[placed.stations[0].cell].woods


def test_a_wedge_has_its_point_in_the_middle() -> None:
    board = board_named("open-plain")
    (placed, _) = deploy(board, [[unit_named("Atlas AS7-D")] * 5, ()], ("south", "north"), ("wedge", "line"))
    grid = board.grid
    by_column = sorted((grid.columns[s.cell], grid.rows[s.cell]) for s in placed.stations)
    rows = [row for _, row in by_column]
    assert rows[2] < rows[0] and rows[2] < rows[4]


def test_two_sides_at_one_edge_and_boards_without_room_are_refused() -> None:
    board = board_named("open-plain")
    with pytest.raises(InputError, match="both sides start at the north edge"):
        deploy(board, [FORCE, FORCE], ("north", "north"))
    with pytest.raises(InputError, match="there is no room on the board"):
        deploy(board, [FORCE * 20, ()])


# -- the command ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("--players", "2x Wasp WSP-1A, atlas as7-d", "--match", "players"),
        ("--players-tons", "150", "--opfor-tons", "200", "--kinds", "mech,vehicle,vtol", "--era", "3025"),
        ("--players", "Wasp WSP-1A, Scorpion Light Tank (Standard)", "--opfor-bv", "2000", "--opfor-like", "players"),
        ("--edges", "east,west", "--deploy", "wedge,hidden", "--board", "market-town", "--opfor-bv", "5000"),
        ("--board", "city-blocks", "--players", "Maxim, Foot Platoon (Rifle), Cyrano Gunship", "--deploy", "scattered"),
        ("--random", "--seed", "11"),
        ("--random", "--seed", "12", "--kinds", "mech,vehicle,infantry,battle_armor,vtol", "--ruleset", "standard"),
        ("--random", "--seed", "13", "--players", "Locust LCT-1V, Wasp WSP-1A", "--board", "frontier"),
        ("--ruleset", "mwii", "--limit", "9", "--name", "Odd: a \"name\" # here"),
    ],
    ids=lambda flags: " ".join(flags)[:40] or "nothing",
)  # fmt: skip
def test_what_new_writes_checks_clean_and_plays(tmp_path: Path, flags: tuple[str, ...]) -> None:
    path = tmp_path / "b.yaml"
    opfor("new", "-o", path, *flags)
    sound(path)
    # every section is explained, and nothing stands in for what is not written
    text = path.read_text()
    for word in ("# The rules", "# The map", "# The clock", "# The sides", "# The units"):
        assert word in text


def test_the_same_seed_writes_the_same_file(tmp_path: Path) -> None:
    texts = []
    for seed in (7, 7, 8):
        opfor("new", "-o", tmp_path / "b.yaml", "--random", "--seed", seed, "--force")
        texts.append((tmp_path / "b.yaml").read_text())
    assert texts[0] == texts[1] != texts[2]


def test_match_brings_the_players_battle_value(tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    result = opfor("new", "-o", path, "--players", "Atlas AS7-D, Fletcher FLT-4A", "--match", "players")
    assert "Not counted, as their sheets give no Battle Value: Fletcher FLT-4A" in result.stderr
    state = load_battle(path).state
    # the Atlas alone counts: 1897
    assert 1800 <= sum(unit.spec.battle_value for unit in state.units if unit.side == 1) <= 1897


def test_edges_and_hidden_units_are_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    opfor("new", "-o", path, "--edges", "north", "--deploy", "hidden", "--board", "deep-woods")
    data = yaml.safe_load(path.read_text())
    assert (data["sides"]["players"]["edge"], data["sides"]["opfor"]["edge"]) == ("north", "south")
    # one word alone hides the Op Force, and nobody else
    assert [unit.get("hidden", False) for unit in data["units"]] == [False, False, True, True]
    assert data["zones"]["players deployment"] == {"rows": "1-3", "kind": "deployment", "side": "players"}


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--opfor-bv", "9"), "no unit costs 9 Battle Value"),
        (("--opfor-bv", "5000", "--opfor-tons", "100"), "give one of them"),
        (("--edges", "north,north"), "both sides start at the north edge"),
        (("--edges", "up"), "there is no edge 'up'"),
        (("--edges", "north,south,east"), "two edges"),
        (("--deploy", "phalanx"), "there is no way to deploy 'phalanx'"),
        (("--kinds", "dropship", "--opfor-bv", "5000"), "there is no kind of unit 'dropship'"),
        (("--era", "stone age", "--opfor-bv", "5000"), "there is no era"),
        (("--match", "everybody"), "use players"),
        (("--players", "Fletcher FLT-4A", "--match", "players"), "no unit of the players has a Battle Value"),
        (("--players", "99x Atlas AS7-D, 99x Atlas AS7-D"), "there is no room on the board"),
        (("--from-text", "missing.txt"), "there is no such file"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, tuple) else "",
)  # fmt: skip
def test_what_cannot_be_made_is_refused_and_nothing_is_left(tmp_path: Path, flags: tuple[str, ...], message: str) -> None:
    assert message in opfor("new", "-o", tmp_path / "b.yaml", *flags, code=1).stderr
    assert listing(tmp_path) == {}


def test_on_a_terminal_it_asks_and_enter_takes_what_stands_in_brackets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opfor.cli.starting.on_terminal", lambda: True)
    path = tmp_path / "ridge.yaml"
    result = opfor("new", "-o", path, stdin="\n\n\n\n\n\n")
    assert "Board (a number" in result.stderr
    sound(path)
    battle = load_battle(path)
    assert (battle.name, battle.state.board.name, battle.state.ruleset.name) == ("ridge", "crossroads", "campaign")
    opfor("new", "-o", tmp_path / "b.yaml", stdin="Ford\n1\n200 t\n4000\nstandard\n12\n")
    battle = load_battle(tmp_path / "b.yaml")
    assert (battle.name, battle.state.board.name, battle.state.limit) == ("Ford", board_names()[0], 12)
    assert sum(unit.spec.tons for unit in battle.state.units if unit.side == 0) == 200


def test_an_answer_that_cannot_be_used_is_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opfor.cli.starting.on_terminal", lambda: True)
    answers = "Ford\nnowhere\nfrontier\nAtlus AS7-D\nAtlas AS7-D\nmatch\nstandart\nstandard\n9\n"
    said = opfor("new", "-o", tmp_path / "b.yaml", stdin=answers).stderr
    for words in ("there is no board called 'nowhere'", "did you mean Atlas AS7-D", "did you mean standard"):
        assert words in said
    battle = load_battle(tmp_path / "b.yaml")
    assert (battle.state.board.name, battle.state.ruleset.name, battle.state.limit) == ("frontier", "standard", 9)


def test_breaking_off_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opfor.cli.starting.on_terminal", lambda: True)
    opfor("new", "-o", tmp_path / "b.yaml", stdin="Ford\n1\n", code=1)
    assert listing(tmp_path) == {}


def test_the_document_lists_what_was_written_and_assumed(tmp_path: Path) -> None:
    text = tmp_path / "list.txt"
    text.write_text("Players:\nReaver: 45 tons, walk 5, 2 medium lasers\nGhost rider\n")
    document = opfor_json("new", "-o", tmp_path / "b.yaml", "--from-text", text)
    assert document["files"] == [str(tmp_path / "b-units" / "reaver.yaml")]
    assert any("10 single heat sinks" in words for words in document["assumed"])
    assert any("Ghost rider" in words for words in document["not_understood"])


# -- scenarios ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kinds", [("mech",), ("mech", "vehicle"), ALL], ids="+".join)
def test_scenarios_are_even_legal_and_repeat(kinds: tuple[str, ...]) -> None:
    for seed in range(6):
        battle = scenario(seed, kinds=kinds, ruleset="standard" if seed % 2 else "campaign")
        state = battle.state
        assert findings(battle) == [] and battle.defaults == []
        worth = [sum(unit.spec.battle_value for unit in state.units if unit.side == side) for side in (0, 1)]
        assert 0.97 * worth[0] <= worth[1] <= worth[0]
        again = scenario(seed, kinds=tuple(reversed(kinds)), ruleset="standard" if seed % 2 else "campaign").state
        assert [(u.id, u.spec.name, u.cell, u.facing) for u in again.units] == [
            (u.id, u.spec.name, u.cell, u.facing) for u in state.units
        ]


def test_scenarios_take_what_they_are_given() -> None:
    battle = scenario(3, board="red-canyon", budget=160, measure="tons", ruleset="mwii", limit=5)
    state = battle.state
    assert (state.board.name, state.ruleset.name, state.limit) == ("red-canyon", "mwii", 5)
    assert [sum(unit.spec.tons for unit in state.units if unit.side == side) for side in (0, 1)] == [160, 160]


def test_every_unit_of_the_catalogue_has_a_role() -> None:
    roles = {name: role_of(unit_named(name)) for name in unit_names()}
    assert roles["Battery Long Tom Carrier"] == "artillery" and roles["LRM Carrier (Standard)"] == "missile boat"
    assert roles["Foot Platoon (Rifle)"] == "infantry" and roles["Karnov UR Transport"] == "transport"
    assert roles["Locust LCT-1V"] == "scout" and roles["Hunchback HBK-4G"] == "brawler"


def test_reading_a_scenario_back_from_its_text_is_the_same_battle(tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    opfor("new", "-o", path, "--random", "--seed", 5)
    state, other = read_battle(path.read_text()).state, scenario(5).state
    assert [(u.spec.name, u.cell) for u in state.units] == [(u.spec.name, u.cell) for u in other.units]
