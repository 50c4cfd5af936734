"""The battle file: partial data with reported defaults, clear refusals with their place, and round trips. Rule: S-1, S-5."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, load_battle, read_battle
from opfor.formats.battle_file.battle_write import battle_document, save_battle
from opfor.formats.battle_file.history import history_folder, undo, versions
from opfor.gm.ruletest.invariants import differences
from opfor.orders import Attack, CallOrder, FireOrder, MoveOrder, PhysicalOrder
from opfor.rules.harm.damage import apply_damage
from opfor.rules.play import Play
from opfor.state import Shell, State, Underway
from opfor.units.state import UnitState

BAD = sorted((Path(__file__).parent / "data" / "bad_battles").glob("*.yaml"))
MINIMAL = """\
# Ridge 12, second night
opfor: 1
board: open-plain
sides: {eridani: {}, opfor: {}}
units:
  - {side: eridani, type: Wolverine WVR-6R, at: 0611}
  - {id: reaver, side: opfor, type: Marauder MAD-3R, at: "0203"}
"""


#: every kind of unit, on a board that has something of everything
COMBINED = """\
opfor: 1
board: {size: 16x17, rows: [0510 woods1, 0714 medium building cf 40, 0715 fire mines=10 mines_known=1]}
sides: {players: {}, opfor: {controller: opfor}}
units:
  - {id: alpha-1, side: players, type: Wolverine WVR-6R, at: 0611, facing: N}
  - {id: foot, side: players, type: Foot Platoon (Rifle), at: 0612}
  - {id: apc, side: players, type: Maxim Heavy Hover Transport (Standard), at: 0613, facing: NE}
  - {id: reaver, side: opfor, type: Marauder MAD-3R, at: 0203, facing: S}
  - {id: tank, side: opfor, type: Scorpion Light Tank (Standard), at: 0204, facing: S}
  - {id: hover, side: opfor, type: Saladin Assault Hover Tank (Standard), at: 0205, facing: S}
  - {id: vtol, side: opfor, type: Warrior Attack Helicopter H-7, at: 0206, facing: S, elevation: 3}
  - {id: suits, side: opfor, type: "Elemental Battle Armor [Laser](Sqd5)", at: 0207}
"""


def combined_arms(old: str = "", new: str = "") -> Battle:
    """The combined-arms battle, one part of its text replaced."""
    assert old in COMBINED
    return read_battle(COMBINED.replace(old, new, 1) if old else COMBINED)


def same_state(a: State, b: State) -> None:
    """Assert that two states agree in everything but the identity of their parts."""
    assert differences(a, b) == []


def round_trip(battle: Battle, folder: Path, name: str = "battle.yaml") -> Battle:
    path = folder / name
    save_battle(battle, path)
    again = load_battle(path)
    same_state(battle.state, again.state)
    assert battle_document(again) == battle_document(battle)
    return again


def test_what_is_missing_takes_a_default_that_is_reported() -> None:
    battle = read_battle(MINIMAL)
    taken = {default.place: default.value for default in battle.defaults}
    assert taken["turn"] == 1
    assert taken["phase"] == "initiative"
    assert taken["ruleset"] == "campaign"
    assert taken["units[0].id"] == "wolverine-1"
    assert taken["units[0].facing"] == "N"
    assert taken["units[0].pilot"] == {"gunnery": 4, "piloting": 5}
    assert taken["sides.eridani.controller"] == "gm"
    assert taken["sides.opfor.controller"] == "opfor"
    assert battle.sides_of("opfor") == [1]


def test_an_unquoted_hex_number_is_not_octal() -> None:
    battle = read_battle(MINIMAL)
    assert battle.state.board.grid.names[battle.state.units[0].cell] == "0611"


def test_nothing_given_is_a_default() -> None:
    battle = read_battle(MINIMAL.replace('at: "0203"', 'at: "0203", facing: SE, pilot: {gunnery: 3, piloting: 4}'))
    assert not [default for default in battle.defaults if default.place.startswith("units[1]")]
    unit = battle.state.unit("reaver")
    assert (unit.facing, unit.gunnery, unit.piloting) == (2, 3, 4)


def test_the_campaigns_names_of_skills_are_understood_and_kept(tmp_path: Path) -> None:
    battle = read_battle(MINIMAL.replace("at: 0611", "at: 0611, pilot: {ranged_tn: 3, physical: 4, mental_tn: 5}"))
    unit = battle.state.units[0]
    assert (unit.gunnery, unit.piloting) == (3, 4)
    again = round_trip(battle, tmp_path)
    assert again.document["units"][0]["pilot"] == {"ranged_tn": 3, "physical": 4, "mental_tn": 5}


def test_keys_of_later_rules_are_kept_and_reported(tmp_path: Path) -> None:
    battle = read_battle(MINIMAL + 'weather: [{at: "0303", radius: 2}]\nrulings: [no shots at the ridge]\nlog: [one]\n')
    assert any("weather is kept, and not used yet" in str(note) for note in battle.notes)
    assert not any("rulings" in str(note) for note in battle.notes)
    again = round_trip(battle, tmp_path)
    assert again.document["weather"] == [{"at": "0303", "radius": 2}]
    assert again.document["rulings"] == ["no shots at the ridge"]
    assert again.document["log"] == ["one"]


def test_the_opening_comment_is_kept(tmp_path: Path) -> None:
    round_trip(read_battle(MINIMAL), tmp_path)
    assert (tmp_path / "battle.yaml").read_text().startswith("# Ridge 12, second night\nopfor: 1\n")


def test_damage_by_name_is_points_lost_and_rounds_left() -> None:
    damage = "armor: {LT: 5, CTR: 2}, structure: {LT: 2}, criticals: {LA: [lower arm actuator]}, ammo: {SRM 6: 9}"
    unit = read_battle(MINIMAL.replace("at: 0611", f"at: 0611, damage: {{{damage}}}")).state.units[0]
    spec = unit.spec
    assert spec.armor[3] - unit.armor[3] == 5
    assert spec.armor[8] - unit.armor[8] == 2
    assert spec.structure[3] - unit.structure[3] == 2
    assert unit.hit(5, "lower_arm")
    assert unit.shots("is_srm6") == 9


def test_a_lost_side_torso_takes_its_arm_and_weapons_along() -> None:
    battle = read_battle(MINIMAL.replace('at: "0203"', 'at: "0203", damage: {structure: {RT: gone}}'))
    unit = battle.state.unit("reaver")
    assert unit.lost(2) and unit.lost(4) and not unit.lost(5)
    lost = {mount.name for mount in unit.spec.mounts if unit.mounts_lost >> mount.index & 1}
    assert lost == {"Autocannon/5", "PPC", "Medium Laser"}
    assert "units[1].damage.structure.RA" in {default.place for default in battle.defaults}


def test_three_engine_hits_end_the_unit_and_say_so() -> None:
    damage = "damage: {criticals: {CT: [engine, engine, engine]}}"
    battle = read_battle(MINIMAL.replace("at: 0611", f"at: 0611, {damage}"))
    assert battle.state.units[0].destroyed == "engine destroyed"
    two = read_battle(MINIMAL.replace("at: 0611", f"at: 0611, {damage.replace(', engine]', ']')}"))
    assert not two.state.units[0].destroyed
    assert two.state.units[0].engine_hits == 2


@pytest.mark.parametrize("suffix", ["yaml", "json"])
@pytest.mark.parametrize("seed", range(6))
def test_any_damaged_state_round_trips(tmp_path: Path, seed: int, suffix: str) -> None:
    """Damage dealt by the rules themselves, then odd flags: everything comes back."""
    types = [
        "Marauder MAD-3R",
        "Goliath GOL-1H",
        "Mad Cat (Timber Wolf) Prime",
        "Hunchback HBK-5M",
        "Atlas AS7-K",
        "Archer ARC-2R",
    ]
    battle = read_battle(MINIMAL.replace("Marauder MAD-3R", types[seed]))
    state = battle.state
    play = Play(state, SeededDice(seed))
    draw = random.Random(seed)
    for _ in range(14):
        for unit in state.units:
            apply_damage(play, unit, draw.randrange(8), draw.randrange(1, 16), rear=draw.random() < 0.2, critical=True)
    for unit in state.units:
        _shake(unit, draw)
    state.turn, state.phase, state.limit, state.initiative_modifier = 4, "fire", 12, 2
    state.initiative, state.queue = [1, 0], [1, 0]
    state.edges, state.withdrawing = ["north", ""], [False, True]
    state.board = state.board.with_hex(state.board.grid.parse("0404"), woods=0, rough=True, other=("fluff:1",))
    round_trip(battle, tmp_path, f"battle.{suffix}")


def _shake(unit: UnitState, draw: random.Random) -> None:
    spec = unit.spec
    unit.facing = draw.randrange(6)
    for name in ("stuck", "spotting", "tagged", "hidden", "skidded", "fell_this_phase", "knocked_out"):
        setattr(unit, name, draw.random() < 0.4)
    if spec.is_mech:
        unit.twist = draw.choice((-1, 0, 1))
        for name in ("prone", "arms_flipped", "shutdown"):
            setattr(unit, name, draw.random() < 0.4)
        unit.heat, unit.heat_built, unit.heat_outside = draw.randrange(20), draw.randrange(9), draw.randrange(5)
        unit.club = draw.choice(("", "tree"))
        unit.engine_hits += draw.randrange(2)
    if spec.is_vehicle:
        _shake_vehicle(unit, draw)
    if spec.is_infantry:
        unit.dug_in = draw.random() < 0.5
    unit.conscious = draw.random() < 0.6
    unit.mental, unit.physical_level = draw.randrange(3, 8), draw.choice((None, draw.randrange(6)))
    unit.tactics, unit.melee, unit.hazard = draw.randrange(3), draw.randrange(3), draw.randrange(3)
    if spec.is_mech and draw.random() < 0.5:
        unit.body = (*(draw.randrange(4) for _ in range(5)), 1)
        unit.wounds = sum(n // 2 for n in unit.body)
    unit.pilot_hits, unit.gunnery, unit.piloting = draw.randrange(6), draw.randrange(2, 7), draw.randrange(2, 8)
    unit.moved = draw.random() < 0.5
    unit.mode, unit.hexes_moved, unit.mp_spent = draw.choice(("walk", "run", "jump")), draw.randrange(6), draw.randrange(6)
    mounts = 1 << len(spec.mounts)
    unit.fired, unit.jammed, unit.one_shot_used = draw.randrange(mounts), draw.randrange(mounts), draw.randrange(mounts)
    unit.mounts_lost |= draw.randrange(mounts)
    unit.used_arms = draw.randrange(1 << len(spec.locations))
    unit.ammo = [draw.randrange(shots + 1) for shots in unit.ammo]
    unit.narc = draw.randrange(4)
    unit.damage_this_phase = draw.randrange(30)
    unit.psr = [("damage_20", 1, "S-6"), ("hip_hit", 0, "S-6")][: draw.randrange(3)]
    unit.destroyed = draw.choice(("", "", "engine destroyed"))
    _shake_turn(unit, draw)


def _shake_turn(unit: UnitState, draw: random.Random) -> None:
    """The campaign's turn: initiative, waiting, opportunity, mission actions, heat that is kept."""
    unit.initiative, unit.initiative_roll = draw.choice(((None, 0), (-3, 4), (0, 7), (2, 9)))
    for name in ("waiting", "acted", "fell_back", "opportunity", "battle_shocked", "action_broken"):
        setattr(unit, name, draw.random() < 0.4)
    unit.complex_action = draw.choice(("", "opportunity", "pause", "several_targets"))
    unit.action_started = draw.choice(("", "deploy-device"))
    unit.oc, unit.keywords = draw.choice((None, -1, 0, 2)), draw.choice(((), ("CARRIER", "TITANIC")))
    unit.heat_held, unit.heat_carried = draw.randrange(9), draw.randrange(9)


def _shake_vehicle(unit: UnitState, draw: random.Random) -> None:
    spec = unit.spec
    if spec.turret:
        unit.twist, unit.turret, unit.turret_jams = draw.randrange(-2, 4), draw.randrange(3), draw.randrange(3)
    if spec.kind == "vtol":
        unit.elevation, unit.flight_stabilizer = draw.randrange(9), draw.random() < 0.5
        unit.bombs = draw.randrange(5)
    unit.crew, unit.stunned, unit.motive_hits = draw.randrange(32), draw.randrange(3), draw.randrange(8)
    unit.stunned_next, unit.cargo_lost = draw.randrange(3), draw.random() < 0.5
    unit.cruise_lost, unit.sensor_hits = draw.randrange(spec.walk + 1), draw.randrange(5)
    unit.immobilized, unit.engine_dead = draw.random() < 0.5, draw.random() < 0.3
    unit.stabilizers, unit.malfunctioned = draw.randrange(64), draw.randrange(1 << len(spec.mounts))


@pytest.mark.parametrize("suffix", ["yaml", "json"])
@pytest.mark.parametrize("seed", range(8))
def test_every_kind_of_unit_round_trips(tmp_path: Path, seed: int, suffix: str) -> None:
    """Whatever vehicles, VTOLs, platoons and suits may suffer comes back."""
    battle = combined_arms()
    draw = random.Random(seed)
    for unit in battle.state.units:
        _shake(unit, draw)
        for index, whole in enumerate(unit.armor):
            unit.armor[index] = draw.randrange(whole + 1) if draw.random() < 0.5 else whole
        for index, whole in enumerate(unit.structure):
            unit.structure[index] = draw.randrange(whole + 1) if draw.random() < 0.3 else whole
    state = battle.state
    for carried, key, other in (("foot", "aboard", "apc"), ("suits", "swarming", "alpha-1")):
        one, two = state.unit(carried), state.unit(other)
        if seed % 2:
            setattr(one, key, two.id)
            one.cell, one.elevation = two.cell, two.elevation
    state.wind = seed % 7 - 1
    grid = state.board.grid
    state.board = state.board.changed(
        {
            grid.parse("0404"): replace(state.board.at("0404"), mines=20, mines_known=2),
            grid.parse("0405"): replace(state.board.at("0405"), fire=True, smoke=2),
            grid.parse("0406"): replace(state.board.at("0406"), fire=True),
            grid.parse("0407"): replace(state.board.at("0407"), mines=10),
            grid.parse("0510"): replace(state.board.at("0510"), woods=0, rough=True, woods_damage=12),
            grid.parse("0714"): replace(state.board.at("0714"), building_cf=11, fire=True, mines=5, mines_known=3),
            grid.parse("0715"): replace(state.board.at("0715"), fire=False, mines=0, mines_known=0),
        }
    )
    again = round_trip(battle, tmp_path, f"battle.{suffix}")
    assert {row["at"] for row in again.document["mines"]} == {"0404", "0407", "0714"}
    assert again.document["fires"] == ["0405", "0406", "0714"]
    assert "0406" not in again.document["terrain"] and "0715" in again.document["terrain"]


def test_no_part_of_a_unit_is_forgotten() -> None:
    """Every field that a unit's state has is changed somewhere in the round trips above; a new one must be added there."""
    changed = {"spec", "id", "index", "side", "cell", "armor", "structure", "slots_hit", "name", "gone", "elevation"}
    changed |= {"gyro_hits", "sensor_hits", "life_support_hits", "sinks_lost", "jets_lost", "cockpit_hit", "equipment_lost"}
    changed |= {"aboard", "swarming"}
    for unit in combined_arms().state.units:
        for seed in range(20):
            fresh, shaken = unit.copy(), unit.copy()
            _shake(shaken, random.Random(seed))
            changed |= {name for name in UnitState.__slots__ if getattr(fresh, name) != getattr(shaken, name)}
    assert changed >= set(UnitState.__slots__)
    parts = {"board", "by_id", "occupants_cache", "ruleset", "sides", "units", "declared", "charges", "current", "winner"}
    parts |= {
        "directives",
        "fired_on",
        "wind",
        "turn",
        "phase",
        "limit",
        "initiative_modifier",
        "initiative",
        "queue",
        "edges",
        "withdrawing",
        "stage",
        "pending",
        "shells",
        "sightings",
        "corrections",
        "opforce",
        "underway",
    }
    # tests/test_mission_actions.py writes and reads these
    parts |= {"zones", "actions", "markers", "scores", "actions_started"}
    assert parts >= set(State.__slots__)


def test_declared_orders_and_charges_round_trip(tmp_path: Path) -> None:
    battle = read_battle(MINIMAL)
    state = battle.state
    cell = state.units[1].cell
    state.declared = [
        FireOrder("wolverine-1", 1, False, (Attack(0, "reaver"), Attack(1, "reaver", "", "reaver")), "reaver"),
        PhysicalOrder("reaver", "kick", "LL", "wolverine-1"),
    ]
    state.charges = [MoveOrder("reaver", "run", ("F", "F", "R"), cell, 2, attack="charge", target="wolverine-1")]
    for due in ("movement", "fire", "physical"):
        state.underway = [Underway(1, due)]
        round_trip(battle, tmp_path)
        words = battle_document(battle)["acting"]
        assert words == ("reaver" if due == "movement" else {"unit": "reaver", "due": due})


def test_the_part_of_a_phase_round_trips(tmp_path: Path) -> None:
    """Calls and what is rolled, the players' part and the answer."""
    battle = read_battle(MINIMAL)
    for phase, stage in (("initiative", "calls"), ("initiative", "rolled"), ("fire", "players"), ("fire", "answer")):
        battle.state.phase, battle.state.stage = phase, stage
        round_trip(battle, tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "board:",
            "phase: declarations\nboard:",
            "phase, line 3: there is no phase 'declarations' in the turn of ruleset campaign",
        ),
        ("board:", "ruleset: mwii\nphase: fire\nboard:", "use initiative, declarations"),
        (
            "board:",
            "phase: fire\nstage: rolled\nboard:",
            "there is no part 'rolled' of the fire phase here: use players, answer",
        ),
        ("board:", "ruleset: standard\nphase: fire\nstage: answer\nboard:", "here: it has no parts"),
        ("board:", "acting: revear\nboard:", "there is no unit 'revear' (did you mean reaver?)"),
    ],
)
def test_a_turn_that_cannot_be_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read_battle(MINIMAL.replace(old, new, 1))
    assert message in str(refused.value)


def test_the_campaigns_turn_in_short_words() -> None:
    """Initiative as a margin alone; the Op Force is the side that the program plays, wherever it stands. Rule: E-2."""
    state = read_battle(MINIMAL.replace("at: 0611", "at: 0611, initiative: 2, waiting: true, opportunity: true")).state
    unit = state.units[0]
    assert (unit.initiative, unit.initiative_roll, unit.waiting, unit.opportunity) == (2, 0, True, True)
    assert state.opforce == 1
    turned = read_battle(MINIMAL.replace("{eridani: {}, opfor: {}}", "{opfor: {}, eridani: {}}")).state
    assert turned.sides[turned.opforce] == "opfor"


def test_shells_sightings_and_corrections_round_trip(tmp_path: Path) -> None:
    battle = read_battle(MINIMAL)
    state = battle.state
    cell = state.units[1].cell
    first, second = (unit.id for unit in state.units[:2])
    state.shells = [
        Shell(CallOrder(first, "artillery", 0, "", cell, spotter=second), 3, 0),
        Shell(CallOrder(second, "artillery", 1, "homing", target=first), 2, 1),
        Shell(CallOrder(first, "bomb", cell=cell, count=2), 1, 0, 5),
    ]
    state.sightings = {(first, second): -2, (second, "@0101"): 0}
    state.corrections = {(first, cell): 2, (second, cell): -1}
    for shell in state.shells:
        assert shell.side == state.unit(shell.order.unit).side
    round_trip(battle, tmp_path)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("shells: [{order: {unit: nobody, what: artillery}}]", "nobody"),
        ("shells: [{order: {unit: wolverine-1}}]", "a call of artillery or of a bomb run"),
        ("shells: [{order: {unit: wolverine-1, what: artillery, at: '0101'}}]", "needs the weapon"),
        ("shells: [{order: {unit: wolverine-1, what: bomb, count: 1}}]", "needs the hex"),
        ("sightings: [{spotter: nobody, target: '@0101', margin: 1}]", "nobody"),
        ("sightings: [{spotter: wolverine-1, target: '@9999', margin: 1}]", "9999"),
        ("corrections: [{unit: wolverine-1, at: '9999'}]", "9999"),
    ],
)
def test_shells_that_cannot_be_are_refused(rows: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_battle(f"{MINIMAL}\npending: {{{rows}}}\n")


def test_a_finished_battle_round_trips(tmp_path: Path) -> None:
    battle = read_battle(MINIMAL)
    for winner in (-1, 0, 1):
        battle.state.winner = winner
        round_trip(battle, tmp_path)


def test_saving_keeps_the_former_file_and_undo_brings_it_back(tmp_path: Path) -> None:
    path = tmp_path / "ridge.yaml"
    path.write_text(MINIMAL)
    battle = load_battle(path)
    for turn in (2, 3):
        battle.state.turn = turn
        save_battle(battle)
    assert [p.name for p in versions(path)] == ["0001.yaml", "0002.yaml"]
    assert versions(path)[0].read_text() == MINIMAL
    undo(path)
    assert load_battle(path).state.turn == 2
    undo(path)
    assert path.read_text() == MINIMAL
    with pytest.raises(InputError, match="no former version"):
        undo(path)
    assert not list(tmp_path.glob(".ridge*")), "no temporary files stay behind"
    assert history_folder(path) == tmp_path / ".opfor" / "ridge.yaml"


def test_a_failed_save_leaves_the_file_alone(tmp_path: Path) -> None:
    battle = read_battle(MINIMAL)
    (tmp_path / "battle.yaml").mkdir()
    with pytest.raises(InputError):
        save_battle(battle, tmp_path / "battle.yaml")
    assert [p.name for p in tmp_path.iterdir()] == ["battle.yaml"]


def test_boards_typed_in_or_joined() -> None:
    typed = read_battle(MINIMAL.replace("open-plain", '{size: 12x20, rows: ["0510 woods1 level2", "0605 water 2"]}'))
    board = typed.state.board
    assert (board.grid.width, board.grid.height) == (12, 20)
    assert (board.at("0510").woods, board.at("0510").level, board.at("0605").depth) == (1, 2, 2)
    joined = read_battle(MINIMAL.replace("open-plain", "[open-plain, crossroads]")).state.board
    assert joined.grid.width == 32
    stacked = read_battle(MINIMAL.replace("open-plain", "[[open-plain], [crossroads]]")).state.board
    assert stacked.grid.height == 34


def test_a_unit_in_water_stands_on_the_bottom_unless_told_otherwise() -> None:
    text = MINIMAL.replace("open-plain", '{size: 16x17, rows: ["0611 water 2"]}')
    assert read_battle(text).state.units[0].elevation == -2


def test_json_is_read_as_well(tmp_path: Path) -> None:
    data: dict[str, Any] = {
        "opfor": 1,
        "board": "open-plain",
        "sides": {"a": {}, "b": {}},
        "units": [{"side": "a", "type": "Wasp WSP-1A", "at": "0101"}],
    }
    path = tmp_path / "b.json"
    path.write_text(json.dumps(data, indent="\t"))
    assert load_battle(path).state.units[0].id == "wasp-1"
    path.write_text('{"opfor": 1,\n "board" "x"}')
    with pytest.raises(InputError, match="line 2"):
        load_battle(path)


@pytest.mark.parametrize("path", BAD, ids=lambda p: p.stem)
def test_a_broken_file_is_refused_with_its_place(path: Path) -> None:
    """The first line of each file says what the message must contain."""
    expected = path.read_text().splitlines()[0].removeprefix("# expect: ")
    with pytest.raises(InputError) as refused:
        load_battle(path)
    message = str(refused.value)
    assert expected in message
    assert message.startswith(str(path))
    assert "\n" not in message


def test_there_are_enough_broken_files() -> None:
    assert len(BAD) >= 18
