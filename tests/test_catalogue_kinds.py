"""Vehicles, VTOLs, platoons and battle armour of the catalogue: weighed, complete, and as the reference has them. S-5, S-9."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

from opfor.errors import InputError
from opfor.formats.units import load_unit, unit_from_sheet
from opfor.units.builders import build
from opfor.units.catalogue import catalogue, find_unit, unit_kind, unit_named, unit_names, unit_sheet
from opfor.units.other_yaml import read_any_sheet
from opfor.units.spec import BODY, FRONT, KINDS, LEFT, REAR, RIGHT, SQUAD, TURRET, UnitSpec
from opfor.units.vehicle_sheet import InfantrySheet, SuitsSheet, VehicleSheet
from tests.skirmish import skirmish

# -- construction facts (TechManual), to weigh the record sheets against: tons of a standard fusion engine by rating
ENGINE_TONS = {
    25: 0.5, 50: 1.5, 60: 1.5, 100: 3, 105: 3.5, 120: 4, 140: 5, 155: 5.5, 165: 6, 175: 7, 180: 7, 190: 7.5, 210: 9, 220: 10,
    240: 11.5, 250: 12.5, 285: 16.5,
}  # fmt: skip
#: an internal combustion engine weighs twice as much; a fusion engine in a vehicle is shielded with half as much again
ENGINE_SHARE = {"ice": 2.0, "fusion": 1.5}
POINTS_PER_TON = {"standard": 16, "ferro_fibrous": 17.92}
EQUIPMENT_TONS = {"case": 0.5, "ecm": 1.5, "probe": 1.5}
#: heat that a fusion engine's own sinks take from energy weapons
FREE_SINKS = 10

VEHICLES = (*unit_names("vehicle"), *unit_names("vtol"))


def up(tons: float) -> float:
    """Rounded up to the next half ton."""
    return math.ceil(round(tons * 2, 6)) / 2


def vehicle_sheet(name: str) -> VehicleSheet:
    sheet = unit_sheet(name)
    assert isinstance(sheet, VehicleSheet)
    return sheet


def weight(sheet: VehicleSheet, spec: UnitSpec) -> float:
    """Tons of everything the sheet says is on board."""
    total = up(ENGINE_TONS[spec.engine_rating] * ENGINE_SHARE[spec.engine])
    total += up(0.05 * spec.tons) + up(0.1 * spec.tons)  # controls, structure
    if spec.motive in ("hover", "vtol"):
        total += up(0.1 * spec.tons)  # lift equipment, rotor
    total += up(sum(spec.armor) / POINTS_PER_TON[sheet.armor_type])
    total += sum(mount.weapon.tons for mount in spec.mounts)
    total += up(0.1 * sum(mount.weapon.tons for mount in spec.mounts if mount.location == TURRET))
    total += sum(0.5 if "half" in bin.name else 1 for bin in spec.bins)
    energy = [mount.weapon for mount in spec.mounts if mount.weapon.kinds & {"DE", "P"} and not mount.weapon.ammo_per_ton]
    heat = sum(weapon.heat for weapon in energy)
    total += heat if spec.engine == "ice" else max(0, heat - FREE_SINKS)
    if spec.engine == "ice":
        total += up(0.1 * sum(weapon.tons for weapon in energy))  # power amplifiers
    total += sum(EQUIPMENT_TONS[item.kind] for item in spec.equipment)
    return total + spec.troop_space + spec.cargo + spec.bombs


@pytest.mark.parametrize("name", VEHICLES)
def test_the_weights_add_up_to_the_tonnage(name: str) -> None:
    assert weight(vehicle_sheet(name), unit_named(name)) == unit_named(name).tons


@pytest.mark.parametrize("name", VEHICLES)
def test_vehicles_are_what_their_sheets_say(name: str) -> None:
    sheet, spec = vehicle_sheet(name), unit_named(name)
    remarks: list[str] = []
    again = build(sheet, lambda *said: remarks.append(" ".join(said)))
    assert not remarks and not spec.unmodelled
    assert again.armor == spec.armor
    assert spec.structure[FRONT] == spec.structure[RIGHT] == spec.structure[LEFT] == spec.structure[REAR] == -(-spec.tons // 10)
    assert spec.armor[BODY] == 0
    assert sum(spec.armor) <= 3.5 * spec.tons + 40
    assert (spec.structure[TURRET] > 0) == (spec.turret or spec.kind == "vtol")
    assert spec.kind != "vtol" or spec.armor[TURRET] <= 2
    assert spec.run == math.ceil(spec.walk * 1.5)
    assert all(mount.location != BODY for mount in spec.mounts)
    assert all(bin.location == BODY for bin in spec.bins)
    for mount in spec.mounts:
        for mode in mount.modes:
            assert not mode.ammo or any(bin.kind == mode.ammo for bin in spec.bins), (name, mount.name)
    used = {mode.ammo for mount in spec.mounts for mode in mount.modes}
    assert {bin.kind for bin in spec.bins} <= used
    # five items and one for each five tons (TechManual), all that we list counted
    assert len(spec.mounts) + len({b.kind for b in spec.bins}) + len(spec.equipment) <= 5 + spec.tons // 5


@pytest.mark.parametrize("name", unit_names("infantry"))
def test_platoons_are_what_the_tables_say(name: str) -> None:
    sheet, spec = unit_sheet(name), unit_named(name)
    assert isinstance(sheet, InfantrySheet) and spec.arms is not None
    assert spec.structure == (spec.arms.squads * spec.arms.squad_size,)
    assert 1 <= spec.structure[0] <= 30
    assert spec.mounts[0].id == f"platoon_{spec.arms.weapon}"
    assert [m.id for m in spec.mounts[1:]] == (["leg_attack", "swarm"] if spec.anti_mech else [])
    assert (spec.walk == spec.run) and (spec.jump > 0) == (spec.motive == "jump")


@pytest.mark.parametrize("name", unit_names("battle_armor"))
def test_squads_are_whole(name: str) -> None:
    sheet, spec = unit_sheet(name), unit_named(name)
    assert isinstance(sheet, SuitsSheet) and not spec.unmodelled
    assert len(spec.armor) == len(spec.structure) == (5 if spec.tech == "Clan" else 4)
    assert set(spec.structure) == {1} and len(set(spec.armor)) == 1
    assert {"leg_attack", "swarm"} <= {m.id for m in spec.mounts}
    assert all(m.location == SQUAD for m in spec.mounts)
    for mount in spec.mounts:
        for mode in mount.modes:
            assert not mode.ammo or any(bin.kind == mode.ammo for bin in spec.bins), (name, mount.name)


def test_there_is_something_of_everything() -> None:
    vehicles = [unit_named(name) for name in unit_names("vehicle")]
    assert len(vehicles) >= 14
    assert {spec.motive for spec in vehicles} == {"tracked", "wheeled", "hover"}
    assert {spec.weight_class for spec in vehicles} == {"light", "medium", "heavy", "assault"}
    assert {spec.engine for spec in vehicles} == {"ice", "fusion"}
    assert {spec.turret for spec in vehicles} == {True, False}
    assert any(spec.troop_space >= 3 for spec in vehicles)
    assert any(spec.case for spec in vehicles)
    assert any(mount.location == REAR for spec in vehicles for mount in spec.mounts)
    assert len(unit_names("vtol")) >= 4
    assert any(unit_named(name).troop_space >= 6 for name in unit_names("vtol"))
    foot = [unit_named(name) for name in unit_names("infantry")]
    assert {spec.motive for spec in foot} == set(KINDS["infantry"])
    assert {spec.arms.weapon for spec in foot if spec.arms} == {"rifle", "laser", "machine_gun", "flamer", "srm", "lrm"}
    suits = [unit_named(name) for name in unit_names("battle_armor")]
    assert {spec.tech for spec in suits} == {"IS", "Clan"}
    assert len(foot) + len(suits) >= 8


def test_the_listing_knows_kinds() -> None:
    assert len(unit_names()) == sum(len(unit_names(kind)) for kind in KINDS) == len(catalogue())
    assert unit_names() == tuple(sorted(unit_names()))
    for kind in KINDS:
        for name in unit_names(kind):
            assert unit_kind(name) == unit_named(name).kind == kind
            assert unit_named(name).name == name


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Vedette", "Vedette Medium Tank (Standard)"),
        ("Vedette Medium Tank", "Vedette Medium Tank (Standard)"),
        ("warrior", "Warrior Attack Helicopter H-7"),
        ("H-7", "Warrior Attack Helicopter H-7"),
        ("foot platoon rifle", "Foot Platoon (Rifle)"),
        ("elemental battle armor laser", "Elemental Battle Armor [Laser](Sqd5)"),
        ("Schrek", "Schrek PPC Carrier"),
    ],
)
def test_names_are_forgiving(said: str, meant: str) -> None:
    assert find_unit(said) == meant


def test_skirmishes_draw_mechs_unless_told_otherwise() -> None:
    assert all(unit.spec.is_mech for unit in skirmish(3, size=6).units)
    kinds = {unit.spec.kind for seed in range(4) for unit in skirmish(seed, size=6, kinds=("vehicle", "infantry")).units}
    assert kinds == {"vehicle", "infantry"}


# -- sheets in words

TANK = """
chassis: Trial
model: TRL-2
motive: hover
tons: 35
engine: 105 ice
cruise: 8
armor: {FR: 26, RS LS: 19, RR: 19, TU: 21}
troops: 1.5
equipment:
  BD: SRM 6 Ammo, CASE
  FR: Medium Laser
  TU: [2 SRM 6]
"""
PLATOON = """
chassis: Trial
motive: jump
weapon: srm
"""
SUITS = """
chassis: Trial
motive: suits
tech: Clan
armor: 10
jump: 3
equipment: Small Laser, SRM 2
shots: {SRM 2: 2}
"""


def test_a_vehicle_in_words() -> None:
    spec, notes = unit_from_sheet(TANK, "trial.yaml")
    assert (spec.name, spec.kind, spec.motive, spec.tons, spec.walk, spec.run, notes) == (
        "Trial TRL-2",
        "vehicle",
        "hover",
        35,
        8,
        12,
        [],
    )
    assert [(m.id, m.location) for m in spec.mounts] == [("is_medium_laser", FRONT), ("is_srm6", TURRET), ("is_srm6", TURRET)]
    assert (spec.troop_space, spec.case, spec.engine_rating) == (1.5, frozenset({BODY}), 105)
    assert spec.armor == (0, 26, 19, 19, 19, 21)


def test_an_engine_is_found_where_only_its_kind_is_said() -> None:
    assert unit_from_sheet(TANK.replace("105 ice", "fusion"), "t")[0].engine_rating == 105  # 8 x 35 less 175
    assert unit_from_sheet(TANK.replace("105 ice", "xl"), "t")[0].engine == "xl_is"


def test_a_platoon_and_a_squad_in_words() -> None:
    spec, _ = unit_from_sheet(PLATOON, "trial.yaml")
    assert (spec.motive, spec.structure, spec.walk, spec.jump) == ("jump", (18,), 1, 3)
    assert unit_from_sheet(PLATOON + "squads: 2\nsquad_size: 5\nsupport_per_squad: 1\n", "t")[0].structure == (10,)
    assert not unit_from_sheet(PLATOON + "anti_mech: no\n", "t")[0].anti_mech
    spec, _ = unit_from_sheet(SUITS, "trial.yaml")
    assert (len(spec.structure), spec.bins[0].kind, spec.bins[0].shots) == (5, "clan_srm2", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TANK.replace("tons: 35", ""), "tons is missing"),
        (TANK.replace("motive: hover", "motive: hoover"), "motive: 'hoover' is not known .did you mean hover"),
        (TANK.replace("cruise: 8", "cruise: fast"), "cruise: 'fast' is no whole number"),
        (TANK.replace("cruise: 8", "cruise: -1"), "cruising MP cannot be -1"),
        (TANK.replace("cruise: 8", "speed: 8"), "'speed' is no entry of a record sheet"),
        (TANK.replace("105 ice", "90 ice"), "cruising MP 8 need an engine of rating 105, not 90"),
        (TANK.replace("105 ice", "105 steam"), "'105 steam' is no engine made with Inner Sphere technology"),
        (TANK.replace("FR: 26,", "FR: 260,"), "338 points of armour: a vehicle of 35 tons carries at most 162"),
        (TANK.replace("FR: 26,", ""), "no armour given for FR: write 0 if it has none"),
        (TANK.replace("FR: 26,", "FR: -1,"), "armour on FR cannot be negative"),
        (TANK.replace("FR: 26,", "FR: 26, HD: 9,"), "armour given for unknown location 'HD'"),
        (TANK.replace("  FR: Medium", "  RA: Medium"), "'RA' is no location .known: BD, FR, RS, LS, RR, TU"),
        (TANK.replace("Medium Laser", "Medium Lasre"), "'Medium Lasre' is not known as equipment .did you mean Medium Laser"),
        (TANK.replace("troops: 1.5", "troops: many"), "troops: 'many' is no number of tons"),
        (TANK.replace("tons: 35", "tons: 70"), "70 tons is no weight of a hover vehicle: 1 to 50"),
        (PLATOON.replace("srm", "bow"), "weapon: 'bow' is not known"),
        (PLATOON + "squads: 9\n", "9 squads of 6: a platoon has 1 to 30 troopers"),
        (PLATOON + "support_per_squad: 9\n", "9 support weapons in a squad of 6"),
        (PLATOON.replace("srm", "laser") + "support_per_squad: 1\n", "every trooper carries the laser"),
        (PLATOON.replace("jump", "mechanized hover") + "anti_mech: yes\n", "mechanized_hover infantry cannot attack 'Mechs"),
        (PLATOON + "anti_mech: maybe\n", "anti_mech: 'maybe' is neither yes nor no"),
        (SUITS + "suits: 9\n", "9 suits: a squad has 1 to 6"),
        (SUITS.replace("armor: 10", "armor: 40"), "40 points of armour on a suit: 0 to 20 are possible"),
        (SUITS.replace("jump: 3", "walk: 0"), "ground MP 0 and jumping MP 0 do not move a suit"),
        (SUITS.replace("{SRM 2: 2}", "{Flamer: 2}"), "salvos for 'Flamer', which no suit carries"),
        (SUITS.replace("{SRM 2: 2}", "{Small Laser: 2}"), "a Small Laser needs no ammunition"),
        (SUITS.replace("{SRM 2: 2}", "2"), "salvos by weapon are expected"),
        (SUITS.replace("Small Laser", "Smal Laser"), "'Smal Laser' is not known as equipment"),
    ],
)
def test_bad_sheets_are_refused_with_one_message(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        build(read_any_sheet(text, "trial.yaml"))
    assert str(error.value).startswith("trial.yaml") and "\n" not in str(error.value)


def test_equipment_without_rules_is_carried_when_its_slots_are_stated(tmp_path: Path) -> None:
    path = tmp_path / "trial.yaml"
    path.write_text(TANK.replace("CASE", "Bridge Layer (2 slots)"), encoding="utf-8")
    spec, notes = load_unit(path)
    assert spec.unmodelled == ("Bridge Layer (BD)",)
    assert [note.severity for note in notes] == ["ignored"]


# -- the reference


def reference_files(reference: Path) -> dict[str, Path]:
    found = {}
    for folder in ("vehicles", "infantry", "battlearmor"):
        for path in (reference / folder).glob("*.blk"):
            found[load_unit(path)[0].name] = path
    return found


@pytest.mark.oracle
def test_the_same_designs_are_the_same_as_imported(reference: Path) -> None:
    files = reference_files(reference)
    compared = Counter[str]()
    for name in unit_names():
        if name not in files:
            continue
        ours, theirs = unit_named(name), load_unit(files[name])[0]
        compared[ours.kind] += 1
        for field in ("kind", "motive", "tons", "tech", "era", "walk", "run", "jump", "armor", "structure", "engine", "turret",
                      "engine_rating", "troop_space", "cargo", "arms", "anti_mech", "case"):  # fmt: skip
            assert getattr(ours, field) == getattr(theirs, field), (name, field)
        mine, other = (sorted((m.id, m.location, m.one_shot) for m in spec.mounts) for spec in (ours, theirs))
        assert mine == other, name
        assert sorted((b.kind, b.shots, b.location) for b in ours.bins) == sorted(
            (b.kind, b.shots, b.location) for b in theirs.bins
        )
    # all of the reference but the Mobile Long Tom
    assert compared == {"vehicle": 11, "vtol": 1, "infantry": 4, "battle_armor": 2}


@pytest.mark.oracle
def test_battle_values_are_those_of_the_reference(reference: Path) -> None:
    lines = (reference / "reference_values.tsv").read_text(encoding="utf-8").splitlines()
    columns = lines[0].split("\t")
    rows = [dict(zip(columns, line.split("\t"), strict=True)) for line in lines[1:]]
    values = {f"{row['chassis']} {row['model']}": int(row["bv2_skill4_5"]) for row in rows if row["file"].endswith(".blk")}
    named = {name: unit_named(name).battle_value for kind in KINDS if kind != "mech" for name in unit_names(kind)}
    assert {name: value for name, value in named.items() if value} == {n: v for n, v in values.items() if n in named}


# -- the examples of docs/content.md


def example(name: str) -> str:
    text = (Path(__file__).parent.parent / "docs" / "content.md").read_text(encoding="utf-8")
    after = text.split(f"<!-- example: {name} -->\n", 1)[1]
    return after.split("\n", 1)[1].split("```", 1)[0]


def test_the_documented_vehicle_builds_and_weighs_what_it_says() -> None:
    sheet = read_any_sheet(example("rampart.yaml"), "rampart.yaml")
    assert isinstance(sheet, VehicleSheet)
    spec = build(sheet)
    assert (weight(sheet, spec), spec.turret, spec.troop_space, spec.walk, spec.run) == (60, True, 4, 4, 6)


def test_the_documented_infantry_is_what_the_text_says() -> None:
    spec, notes = unit_from_sheet(example("pioneers.yaml"), "pioneers.yaml")
    assert (spec.motive, spec.structure, spec.anti_mech, notes) == ("motorized", (21,), False, [])
    spec, notes = unit_from_sheet(example("breachers.yaml"), "breachers.yaml")
    assert (spec.structure, [b.shots for b in spec.bins], notes) == ((1, 1, 1, 1), [3], [])


def test_the_documentation_counts_right() -> None:
    text = (Path(__file__).parent.parent / "docs" / "content.md").read_text(encoding="utf-8")
    numbers = [len(unit_names(kind)) for kind in ("vehicle", "vtol", "infantry", "battle_armor")]
    assert "{} vehicles, {} VTOLs, {} platoons and {} squads of battle armour".format(*numbers) in text
