"""The .blk importer: vehicles, VTOLs, infantry, battle armour; what is repaired, what is refused. Rule: S-5, S-9, E-15."""

from __future__ import annotations

import contextlib
import csv
import math
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opfor.errors import InputError
from opfor.formats.megamek.blk import read_blk
from opfor.formats.units import load_unit, unit_from_blk
from opfor.units.names import IS, understand, weapon_id
from opfor.units.spec import BODY, FRONT, LEFT, REAR, RIGHT, SQUAD, TURRET, UnitSpec


def blocks(**values: str) -> str:
    """The text of a file: ``tonnage="50"`` is a block of that name; empty values leave the block out."""
    return "#building block data file\n" + "".join(
        f"<{name}>\n{value}\n</{name}>\n\n" for name, value in values.items() if value
    )


def tank(**more: str) -> str:
    """A tracked tank of 50 tons with a turret; block names with blanks are written with ``__``."""
    plain = {
        "BlockVersion": "1", "UnitType": "Tank", "Name": "Trial", "Model": "(Standard)", "year": "3025",
        "type": "IS Level 1", "motion_type": "Tracked", "cruiseMP": "5", "engine_type": "1", "armor": "20\n18\n18\n20\n20",
        "Body Equipment": "IS Ammo AC/5", "Front Equipment": "Machine Gun", "Turret Equipment": "Autocannon/5",
        "tonnage": "50.0",
    }  # fmt: skip
    return blocks(**plain | {name.replace("__", " "): value for name, value in more.items()})


def platoon(**more: str) -> str:
    plain = {
        "UnitType": "Infantry", "Name": "Foot Platoon", "Model": "(Test)", "type": "IS Level 1", "motion_type": "Leg",
        "squad_size": "7", "squadn": "4", "Primary": "Auto-Rifle",
    }  # fmt: skip
    return blocks(**plain | more)


def suits(**more: str) -> str:
    plain = {
        "UnitType": "BattleArmor", "Name": "Suit", "Model": "[SRM]", "type": "IS Level 2", "motion_type": "Jump",
        "Trooper Count": "4", "cruiseMP": "1", "jumpingMP": "3", "armor": "9", "weightclass": "2", "armor_type": "28",
        "Squad Equipment": "ISBASRM2:RA\nBA-SRM2 Ammo:Body:Shots3#\nSwarmMek\nLegAttack\nBABattleClaw:LA",
    }  # fmt: skip
    return blocks(**plain | {name.replace("__", " "): value for name, value in more.items()})


def built(text: str) -> tuple[UnitSpec, list[str]]:
    spec, notes = unit_from_blk(text, "trial.blk")
    return spec, [f"{note.line} {note.severity} {note.message}" for note in notes]


# -- what is read


def test_a_tank_as_its_file_says() -> None:
    spec, notes = built(tank())
    assert notes == []
    assert (spec.name, spec.kind, spec.motive, spec.tons, spec.walk, spec.run) == (
        "Trial (Standard)",
        "vehicle",
        "tracked",
        50,
        5,
        8,
    )
    assert (spec.engine, spec.engine_rating, spec.turret) == ("ice", 250, True)
    assert spec.armor == (0, 20, 18, 18, 20, 20)
    assert spec.structure == (5, 5, 5, 5, 5, 5)
    assert [(m.id, m.location) for m in spec.mounts] == [("is_mg", FRONT), ("is_ac5", TURRET)]
    assert [(b.kind, b.shots, b.location, b.explosion_per_shot) for b in spec.bins] == [("is_ac5", 20, BODY, 5)]


def test_armour_is_read_front_right_left_rear_turret() -> None:
    spec, _ = built(tank(armor="21\n16\n17\n12\n9"))
    assert [spec.armor[i] for i in (FRONT, RIGHT, LEFT, REAR, TURRET)] == [21, 16, 17, 12, 9]


def test_four_values_of_armour_mean_no_turret() -> None:
    spec, _ = built(tank(armor="20\n18\n18\n20", Turret__Equipment=""))
    assert not spec.turret
    assert (spec.armor[TURRET], spec.structure[TURRET]) == (0, 0)


def test_weapons_in_a_turret_without_armour_make_a_turret() -> None:
    spec, notes = built(tank(armor="20\n18\n18\n20"))
    assert spec.turret and spec.structure[TURRET] == 5
    assert "repaired a turret without armour: taken as 0" in notes[0]


def test_a_vtol_has_a_rotor_where_tanks_have_turrets() -> None:
    text = tank(UnitType="VTOL", motion_type="VTOL", tonnage="21", cruiseMP="9", armor="6\n5\n5\n6\n2", Turret__Equipment="")
    spec, notes = built(text)
    assert (spec.kind, spec.motive, spec.turret, notes) == ("vtol", "vtol", False, [])
    assert spec.locations[TURRET] == "RO"
    assert (spec.armor[TURRET], spec.structure[TURRET]) == (2, 3)  # 21 tons over ten, rounded up


@pytest.mark.parametrize(
    ("code", "type_", "engine"),
    [
        ("0", "IS Level 1", "fusion"),
        ("1", "IS Level 1", "ice"),
        ("2", "IS Level 2", "xl_is"),
        ("2", "Clan Level 2", "xl_clan"),
        ("2", "Mixed (Clan Chassis) Advanced", "xl_clan"),
        ("2", "IS Level 3\n</type>\n<clan_engine>\ntrue", "xl_clan"),
        ("3", "IS Level 3", "xxl_is"),
        ("4", "IS Level 2", "light"),
        ("5", "IS Level 2", "compact"),
        ("6", "IS Level 2", "fuel_cell"),
        ("7", "IS Level 2", "fission"),
    ],
)
def test_engine_types(code: str, type_: str, engine: str) -> None:
    assert built(tank(engine_type=code, type=type_))[0].engine == engine


def test_clan_vehicles_have_case_and_clan_weapons() -> None:
    spec, _ = built(tank(type="Clan Level 2", Turret__Equipment="CLUltraAC5", Body__Equipment="Clan Ultra AC/5 Ammo"))
    assert spec.tech == "Clan"
    assert spec.mounts[1].id == "clan_uac5"
    assert spec.case == frozenset({BODY})


def test_case_protects_an_inner_sphere_vehicle_where_it_is_mounted() -> None:
    assert built(tank())[0].case == frozenset()
    assert built(tank(Body__Equipment="IS Ammo AC/5\nISCASE"))[0].case == frozenset({BODY})


def test_room_for_troops_and_cargo_add_up() -> None:
    spec, notes = built(tank(transporters="TroopSpace: 3\ntroopspace:1.5\ncargobay:2.0:1:1\nbattlearmorbay:1:1"))
    assert (spec.troop_space, spec.cargo) == (4.5, 2.0)
    assert built(tank(transporters="troopspace:3") + blocks(transporters="troopspace:1"))[0].troop_space == 4
    assert len(notes) == 1 and "ignored battlearmorbay: no rule here carries anything in it" in notes[0]


def test_shots_and_pods_are_told_by_their_marks() -> None:
    spec, _ = built(tank(Body__Equipment="IS Ammo AC/5:OMNI\nIS Machine Gun Ammo - Half\nIS Ammo MG - Full:Shots40#"))
    assert [(b.kind, b.shots) for b in spec.bins] == [("is_ac5", 20), ("is_mg", 100), ("is_mg", 40)]


def test_a_platoon_as_its_file_says() -> None:
    spec, notes = built(platoon())
    assert (spec.kind, spec.motive, spec.structure, spec.armor, notes) == ("infantry", "foot", (28,), (0,), [])
    assert (spec.walk, spec.run, spec.jump, spec.anti_mech) == (1, 1, 0, True)
    assert spec.arms is not None
    assert (spec.arms.weapon, spec.arms.range_class, spec.arms.damage_per_trooper) == ("rifle", "class_1", 0.52)
    assert (spec.arms.squads, spec.arms.squad_size) == (4, 7)
    assert [m.id for m in spec.mounts] == ["platoon_rifle", "leg_attack", "swarm"]


@pytest.mark.parametrize(
    ("said", "motive", "walk", "jump"),
    [
        ("Leg", "foot", 1, 0), ("Jump", "jump", 1, 3), ("Motorized", "motorized", 3, 0), 
        ("Tracked", "mechanized_tracked", 3, 0),
        ("Wheeled", "mechanized_wheeled", 4, 0), ("Hover", "mechanized_hover", 5, 0),
    ],
)  # fmt: skip
def test_motive_types_of_infantry(said: str, motive: str, walk: int, jump: int) -> None:
    spec, _ = built(platoon(motion_type=said, squad_size="5"))
    assert (spec.motive, spec.walk, spec.jump) == (motive, walk, jump)
    # only those on their own feet, or that can dismount, climb on 'Mechs
    assert spec.anti_mech == (not motive.startswith("mechanized"))


@pytest.mark.parametrize(
    ("secondary", "size", "weapon", "range_class", "damage"),
    [
        # (five rifles at 0.52 and two machine guns at 0.65) over seven
        ("Machine Gun (Portable)", "7", "machine_gun", "class_1", 0.5571),
        ("Flamer (Man-Pack)", "7", "flamer", "class_1", 0.4714),
        ("SRM Launcher (Hvy, One-Shot)", "6", "srm", "class_2", 0.5367),
        ("LRM Launcher (FarShot)", "5", "lrm", "class_3", 0.504),
    ],
)
def test_two_support_weapons_a_squad_give_the_platoon_their_range(
    secondary: str, size: str, weapon: str, range_class: str, damage: float
) -> None:
    spec, notes = built(platoon(squad_size=size, secondn="2", Secondary=secondary, motion_type="Motorized"))
    assert spec.arms is not None and notes == []
    assert (spec.arms.weapon, spec.arms.range_class, spec.arms.damage_per_trooper) == (weapon, range_class, damage)
    assert spec.walk == 2  # two heavy weapons in a squad cost one MP
    assert built(platoon(secondn="2", Secondary=secondary, motion_type="Tracked"))[0].walk == 3
    assert built(platoon(secondn="2", Secondary=secondary, motion_type="Jump"))[0].walk == 1


def test_one_support_weapon_a_squad_changes_the_damage_alone() -> None:
    spec, _ = built(platoon(secondn="1", Secondary="Machine Gun (Portable)", motion_type="Motorized"))
    assert spec.arms is not None
    assert (spec.arms.weapon, spec.arms.damage_per_trooper, spec.walk) == ("rifle", 0.5386, 3)  # (6 x 0.52 + 0.65) / 7


def test_a_squad_of_suits_as_its_file_says() -> None:
    spec, notes = built(suits())
    assert (spec.kind, spec.armor, spec.structure, notes) == ("battle_armor", (9,) * 4, (1,) * 4, [])
    assert (spec.tons, spec.walk, spec.jump, spec.anti_mech) == (4, 1, 3, True)
    assert [(m.id, m.location) for m in spec.mounts] == [("is_srm2", SQUAD), ("leg_attack", SQUAD), ("swarm", SQUAD)]
    assert [(b.kind, b.shots, b.explosion_per_shot) for b in spec.bins] == [("is_srm2", 3, 0)]
    assert spec.location_name(SQUAD) == "SQ"


def test_a_single_suit_may_carry_what_the_others_do_not() -> None:
    spec, _ = built(suits(Trooper__1__Equipment="ISBAFlamer:RA"))
    assert ("is_flamer", 0) in [(m.id, m.location) for m in spec.mounts]


def test_one_shot_launchers_of_suits() -> None:
    spec, _ = built(suits(Squad__Equipment="ISBASRM2OS:RA\nSwarmMek"))
    assert spec.mounts[0].one_shot and spec.mounts[0].modes[0].ammo == ""


@pytest.mark.parametrize(
    "text",
    [
        tank().replace("\n", "\r\n"),
        "\ufeff" + tank(),
        tank().replace("<Name>", "<name>").replace("</Name>", "</NAME>"),
        tank().replace("<Body Equipment>", "< body  equipment >"),
        tank(tonnage="50").replace("<tonnage>\n50\n</tonnage>", "<tonnage>50</tonnage>"),
        tank() + "<history>Prose that begins at once\nand goes on\n</history>\n",
        tank() + blocks(history="Prose with <b>marks</b>\nand more", overview="x") + blocks(history="again"),
        "## remark\n" + tank(source="somewhere", role="Juggernaut"),
        tank().replace("<BlockVersion>\n1\n</BlockVersion>\n", ""),
    ],
)
def test_spellings_that_need_no_note(text: str) -> None:
    spec, notes = built(text)
    assert notes == []
    assert (spec.tons, len(spec.mounts), len(spec.bins)) == (50, 2, 1)


# -- what is repaired or passed over


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (tank(engine_type=""), "repaired no <engine_type>"),
        (tank().replace("</Name>", ""), "repaired <name> is not closed: it ends here"),
        (tank() + "</Nothing>\n", "repaired </Nothing> closes nothing"),
        (tank() + blocks(tonnage="50"), "repaired <tonnage> again, after line"),
        (tank() + "words\n", "ignored line outside of any block: words"),
        (tank(Rotor__Equipment="PPC"), "ignored <rotor equipment>: it has none, left out: PPC"),
        (tank(Wings="2"), "ignored <wings> is not used"),
        (tank(Front__Equipment="ISCruiseMissile50"), "ignored ISCruiseMissile50 (FR): kept, but no rule here uses it"),
        (tank(armor_type="4"), "ignored hardened armour: kept, but no rule here uses it"),
        (tank(year="3025\n3026"), "ignored <year> holds 2 lines: the first stands"),
        (platoon(Primary="Bow"), "repaired Bow: no rule here knows it, played as rifles"),
        (platoon(secondn="2", Secondary="Grenades"), "repaired Grenades: no rule here knows it, its bearers fight as"),
        (platoon(armorKit="Ablative"), "ignored Ablative (TR): kept"),
        (platoon() + blocks(**{"Field Guns Equipment": "ISAC5"}), "ISAC5 (TR): kept"),
        (suits(Squad__Equipment="ISBASRM2:RA\nBA-SRM2 Ammo:Body\nSwarmMek"), "BA-SRM2 Ammo without a number of shots: one"),
        (suits(Squad__Equipment="ISBAFlamer:RA\nBA-SRM2 Ammo:Body:Shots3#\nSwarmMek"), "Ammo: no suit carries the weapon"),
        (suits(Squad__Equipment="ISBAFlamer:RA\nBABattleClaw:LA"), "repaired no word of leg and swarm attacks"),
        (suits(armor_type="32"), "ignored armour of kind 32: treated as standard"),
        (suits(chassis="quad"), "ignored suits on four legs"),
        (suits(Squad__Equipment="ISBACuttingTorch:RA\nSwarmMek"), "ISBACuttingTorch (squad): kept, but no rule here uses it"),
    ],
)  # fmt: skip
def test_oddities_are_told(text: str, note: str) -> None:
    notes = built(text)[1]
    assert len(notes) == 1 and note in notes[0], notes


def test_suits_without_hands_do_not_climb() -> None:
    assert not built(suits(Squad__Equipment="ISBAFlamer:RA"))[0].anti_mech


# -- what is refused, with one message that names the line

REFUSED = [
    ("", "line 1: holds no blocks"),
    ("just words\nand more\n", "line 1: holds no blocks"),
    (tank(UnitType=""), "line 1: no <unittype> in the file"),
    (tank(UnitType="SupportTank"), r"line 7: support vehicles are not supported \(SupportTank\)"),
    (tank(UnitType="Aero"), r"line 7: aerospace units are not supported \(Aero\)"),
    (tank(UnitType="Dropship"), "aerospace units are not supported"),
    (tank(UnitType="ProtoMek"), "ProtoMechs are not supported"),
    (tank(UnitType="GunEmplacement"), "gun emplacements are not supported"),
    (tank(UnitType="Thank"), "unit type 'Thank' is not supported .did you mean Tank"),
    (tank(motion_type="Naval"), "line 27: naval vessels are not supported"),
    (tank(motion_type="Hydrofoil"), "naval vessels are not supported"),
    (tank(motion_type="Submarine"), "naval vessels are not supported"),
    (tank(motion_type="WiGE"), "wing-in-ground-effect vehicles are not supported"),
    (tank(motion_type="Rail"), "trains are not supported"),
    (tank(motion_type="Legs"), "motion type 'Legs' is not known"),
    (tank(trailer="1"), "trailers are not supported"),
    (tank(tonnage=""), "no <tonnage> in the file"),
    (tank(tonnage="heavy"), "tonnage must be a number, not 'heavy'"),
    (tank(tonnage="12.5"), "tonnage must be a whole number, not 12.5"),
    (tank(tonnage="150"), "150 tons is no weight of a tracked vehicle: 1 to 100"),
    (tank(motion_type="Hover", tonnage="60"), "60 tons is no weight of a hover vehicle: 1 to 50"),
    (tank(engine_type="8"), "trailers are not supported: it has no engine"),
    (tank(engine_type="9"), "engine type 9 is not supported"),
    (tank(armor="20\n18\n18"), "3 values of armour: front, right, left, rear are expected, and turret if it has one"),
    (tank(armor="20\n18\n18\n20\n20\n20"), "a second turret is not supported"),
    (tank(armor="20\n18\nx\n20"), "armor must be whole numbers, not 'x'"),
    (tank(armor="200\n18\n18\n20\n20"), "276 points of armour: a vehicle of 50 tons carries at most 215"),
    (tank(Front__Turret__Equipment="PPC"), "a second turret is not supported"),
    (tank(Wing__Equipment="PPC"), "equipment for unknown location 'wing'"),
    (tank(type="Martian"), "type 'Martian' names no tech base"),
    (tank(transporters="troopspace:many"), "room without tons: 'troopspace:many'"),
    (tank(transporters="troopspace:80"), "80 tons of room for troops in a vehicle of 50"),
    (tank(Body__Equipment="Medium Laser Ammo"), "needs no ammunition"),
    (tank(UnitType="VTOL", motion_type="VTOL", tonnage="20", armor="6\n5\n5\n6"), "4 values of armour: .* rear and rotor"),
    (platoon(squadn="0"), "0 squads of 7 are no platoon"),
    (platoon(squadn="9"), "9 squads of 7: a platoon has 1 to 30 troopers"),
    (platoon(motion_type="UMU"), "underwater units are not supported"),
    (platoon(motion_type="Beast"), "mounted infantry are not supported"),
    (suits(Trooper__Count="9"), "9 suits: a squad has 1 to 6"),
    (suits(weightclass="7"), "weight class 7 is not known"),
    (suits(armor=""), "no <armor> in the file"),
    (suits(motion_type="UMU"), "underwater units are not supported"),
    (suits(Turret__Equipment="ISBASRM2"), "equipment for 'turret', which is no part of a squad"),
    (suits(Trooper__6__Equipment="ISBAFlamer"), "equipment of suit 6, but there are 4"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_bad_files_are_refused_with_one_message(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        built(text)
    assert str(error.value).startswith("trial.blk, line ")
    assert "\n" not in str(error.value)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_files_are_read_or_refused(data: st.DataObject) -> None:
    """No text makes anything but a unit or one InputError."""
    text = data.draw(st.sampled_from((tank(), platoon(), suits())))
    lines = text.splitlines()
    for _ in range(data.draw(st.integers(1, 4))):
        index = data.draw(st.integers(0, len(lines) - 1))
        lines[index] = data.draw(
            st.sampled_from(["", "<", "</x>", "-1", "99999999", "\u0663", "<armor>", "\0", "a:b:c", lines[index] * 3])
        )
    with contextlib.suppress(InputError):
        built("\n".join(lines))


# -- reference values


def files(reference: Path) -> list[Path]:
    return [path for folder in ("vehicles", "infantry", "battlearmor") for path in sorted((reference / folder).glob("*.blk"))]


@pytest.mark.oracle
def test_every_reference_file_loads(reference: Path) -> None:
    kinds: Counter[str] = Counter()
    for path in files(reference):
        spec, notes = load_unit(path)
        kinds[spec.kind] += 1
        assert not any(note.severity == "error" for note in notes)
        # all that is not understood is named: what the Long Tom tows
        assert bool(spec.unmodelled) == ("Long Tom" in path.name), (path.name, spec.unmodelled)
    assert kinds == {"vehicle": 12, "vtol": 1, "infantry": 4, "battle_armor": 2}


#: weapons that the reference lists by these names; what suits and platoons have by others
ATTACKS = {"Attack Swarmed Mek": None, "Stop Swarm Attack": None, "Swarm Mek": "swarm", "Leg Attack": "leg_attack"}
PLATOON = {
    "Auto-Rifle (Modern, Generic)": "platoon_rifle", "Laser Rifle": "platoon_laser",
    "Machine Gun (Portable)": "platoon_machine_gun", "SRM Launcher (Hvy, One-Shot)": "platoon_srm",
}  # fmt: skip


def weapon_ids(names: list[str], tech: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for name in names:
        if name in ATTACKS:
            if ATTACKS[name]:
                found[str(ATTACKS[name])] += 1
        elif name in PLATOON:
            found[PLATOON[name]] += 1
        else:
            item = understand(name)
            assert item.kind == "weapon", name
            found[weapon_id(item.key, item.tech or tech)] += 1
    return found


@pytest.mark.oracle
def test_reference_totals(reference: Path) -> None:
    with (reference / "reference_values.tsv").open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["file"].endswith(".blk")]
    assert len(rows) == 19
    differing = []
    for row in rows:
        spec, _ = load_unit(reference / row["file"])
        assert (spec.chassis, spec.model) == (row["chassis"], row["model"])
        assert (spec.walk, spec.run, spec.jump) == (int(row["walk"]), int(row["run"]), int(row["jump"])), row["file"]
        assert sum(spec.armor) == int(row["armor_total"]), row["file"]
        # the reference counts troopers twice over, and no body of a vehicle
        whole = (
            sum(spec.structure) * 2 if spec.kind == "infantry" else sum(spec.structure) - spec.structure[BODY] * spec.is_vehicle
        )
        assert whole == int(row["internal_total"]), row["file"]
        tech = IS if spec.tech == "IS" else "clan"
        names = [name for part in row["weapons"].split("; ") for name in [part.split("x ", 1)[1]] * int(part.split("x ", 1)[0])]
        assert Counter(m.id for m in spec.mounts) == weapon_ids(names, tech), row["file"]
        if spec.tons != float(row["tons"]):
            differing.append((spec.kind, spec.tons - float(row["tons"])))
    # platoons weigh half tons there, whole ones here (docs/differences.md)
    assert differing and all(kind == "infantry" and 0 < more <= 1 for kind, more in differing), differing


@pytest.mark.oracle
def test_reference_units(reference: Path) -> None:
    """Every location, weapon and bin of the table of units."""
    with (reference / "oracle" / "units.tsv").open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["file"].endswith(".blk")]
    assert len(rows) == 8
    for row in rows:
        spec, _ = load_unit(reference / row["file"])
        armor = dict(part.split("=") for part in row["armor"].split("; "))
        structure = dict(part.split("=") for part in row["structure"].split("; "))
        if spec.kind == "infantry":
            assert spec.structure[0] == int(structure["TPRS"])
        elif spec.kind == "battle_armor":
            assert [str(points) for points in spec.armor] == list(armor.values())
            assert [str(points) for points in spec.structure] == list(structure.values())
        else:
            for name, points in armor.items():
                assert spec.armor[spec.locations.index(name)] == int(points), (row["file"], name)
            for name, points in structure.items():
                assert spec.structure[spec.locations.index(name)] == int(points), (row["file"], name)
            mounted: Counter[tuple[str, str]] = Counter()
            for part in row["weapons"].split("; "):
                name, place = re.fullmatch(r"(.*)\{.*\}@(\w+)", part).groups()  # type: ignore[union-attr]
                mounted[next(iter(weapon_ids([name], IS))), place] += 1
            assert Counter((m.id, spec.location_name(m.location)) for m in spec.mounts) == mounted, row["file"]
        bins = [int(part.rpartition("=")[2]) for part in row["ammo"].split("; ") if part != "-"]
        assert [b.shots for b in spec.bins] == bins, row["file"]
        assert spec.tons >= math.floor(float(row["tons"]))


@pytest.mark.oracle
def test_the_long_tom_is_artillery(reference: Path) -> None:
    spec, notes = load_unit(reference / "vehicles" / "Mobile Long Tom LT-MOB-25.blk")
    assert sorted(m.id for m in spec.mounts) == ["is_long_tom"] + ["is_mg"] * 4
    # four tons of five shells, 25 points each when they go off
    assert [(b.shots, b.explosion_per_shot) for b in spec.bins if b.kind == "is_long_tom"] == [(5, 25)] * 4
    assert {note.severity for note in notes} == {"ignored"}


def test_only_files_of_units_are_loaded(tmp_path: Path) -> None:
    path = tmp_path / "trial.blk"
    path.write_text(tank(), encoding="utf-8")
    assert load_unit(path)[0].name == "Trial (Standard)"
    other = tmp_path / "trial.txt"
    other.write_text(tank(), encoding="utf-8")
    with pytest.raises(InputError, match=r"only \.mtf and \.blk files and \.yaml sheets"):
        load_unit(other)


def test_the_sheet_knows_its_lines() -> None:
    sheet, _ = read_blk(tank(), "trial.blk")
    lines = tank().splitlines()
    assert lines[sheet.line_of("equipment.TU") - 1] == "<Turret Equipment>"
    assert lines[sheet.line_of("tons") - 1] == "50.0"
    assert lines[sheet.line_of("armor.RR") - 1] == "20"
