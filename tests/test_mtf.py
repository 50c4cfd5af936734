"""The .mtf importer: both generations of headers, what is repaired, what is refused; reference values. Rule: S-5."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opfor.errors import InputError
from opfor.formats.megamek.mtf import read_mtf
from opfor.formats.units import load_unit, unit_from_mtf
from opfor.units.names import IS, bare, understand, weapon_id
from opfor.units.spec import ARMOR_NAMES, UnitSpec

HEAD = ["Life Support", "Sensors", "Cockpit", "-Empty-", "Sensors", "Life Support"]
CENTRE = ["Fusion Engine"] * 3 + ["Gyro"] * 4 + ["Fusion Engine"] * 3
ARM = ["Shoulder", "Upper Arm Actuator", "Lower Arm Actuator", "Hand Actuator"]
LEG = ["Hip", "Upper Leg Actuator", "Lower Leg Actuator", "Foot Actuator", "Heat Sink"]

HEADER = """Version:1.0
Tester
TST-1
mul id:1

Config:Biped
TechBase:Inner Sphere
Era:3025
Source:none
Rules Level:1

Mass:50
Engine:200 Fusion Engine
Structure:Standard
Myomer:Standard

Heat Sinks:10 Single
Walk MP:4
Jump MP:0
"""
ARMOUR = """
Armor:Standard(Inner Sphere)
LA Armor:14
RA Armor:14
LT Armor:16
RT Armor:16
CT Armor:20
HD Armor:9
LL Armor:18
RL Armor:18
RTL Armor:4
RTR Armor:4
RTC Armor:6
"""
WEAPONS = """
Weapons:1
Medium Laser, Right Arm
"""


def slots(**more: list[str]) -> str:
    """Slot lists of a test 'Mech with a medium laser in the right arm; ``RT=[...]`` adds lines to a location."""
    blocks = {
        "Left Arm": ("LA", ARM),
        "Right Arm": ("RA", [*ARM, "Medium Laser"]),
        "Left Torso": ("LT", []),
        "Right Torso": ("RT", []),
        "Center Torso": ("CT", CENTRE),
        "Head": ("HD", HEAD),
        "Left Leg": ("LL", LEG),
        "Right Leg": ("RL", LEG),
    }
    text = ""
    for title, (place, lines) in blocks.items():
        lines = [*lines, *more.get(place, [])]
        text += f"\n{title}:\n" + "\n".join(lines + ["-Empty-"] * (12 - len(lines))) + "\n"
    return text


PLAIN = HEADER + ARMOUR + WEAPONS + slots()


def notes_of(text: str) -> list[str]:
    return [f"{n.line} {n.severity} {n.message}" for n in unit_from_mtf(text, "test.mtf")[1]]


def test_plain_file_has_no_notes() -> None:
    spec, notes = unit_from_mtf(PLAIN, "test.mtf")
    assert notes == []
    assert (spec.name, spec.tons, spec.walk, spec.run, spec.era) == ("Tester TST-1", 50, 4, 6, 3025)
    assert dict(zip(ARMOR_NAMES, spec.armor, strict=True))["LTR"] == 4
    assert [m.id for m in spec.mounts] == ["is_medium_laser"]


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN.upper().replace("-EMPTY-", "-Empty-").replace("TESTER", "Tester"),
        PLAIN.lower(),
        PLAIN.removeprefix("Version:1.0\n"),
        "# a comment\n" + PLAIN,
        PLAIN + "\noverview:Long prose: with colons, Left Arm and numbers 5.\nmore of it\nhistory:end\n",
        PLAIN + "\nquirk:bad_rep_is\nsystemmanufacturer:ENGINE:Core Tek\n",
    ],
)
def test_spellings_that_need_no_note(text: str) -> None:
    spec, notes = unit_from_mtf(text, "test.mtf")
    assert notes == []
    assert (spec.tons, spec.walk, len(spec.mounts)) == (50, 4, 1)


def test_newer_header() -> None:
    text = PLAIN.replace("Version:1.0\nTester\nTST-1\n", "generator:other\nchassis:Dasher\nclanname:Fire Moth\nmodel:Prime\n")
    spec, notes = unit_from_mtf(text, "test.mtf")
    assert notes == []
    assert (spec.chassis, spec.model) == ("Dasher (Fire Moth)", "Prime")


def test_empty_model() -> None:
    sheet, _ = read_mtf(PLAIN.replace("TST-1\n", "\n"))
    assert (sheet.chassis, sheet.model, sheet.name) == ("Tester", "", "Tester")


@pytest.mark.parametrize(
    ("engine", "tech", "kind"),
    [
        ("200 XL (Clan) Engine(IS)", "Inner Sphere", "xl_clan"),
        ("200 XL Engine", "Clan", "xl_clan"),
        ("200 XL Engine(IS)", "Inner Sphere", "xl_is"),
        ("200 XL Fusion Engine", "Inner Sphere", "xl_is"),
        ("200 Light Engine(IS)", "Inner Sphere", "light"),
        ("200 Compact Fusion Engine", "Inner Sphere", "compact"),
        ("200 XL Engine(IS)", "Mixed (Clan Chassis)", "xl_is"),
        ("200 XL Fusion Engine", "Mixed (Clan Chassis)", "xl_clan"),
        ("200 I.C.E. Engine", "Inner Sphere", "ice"),
        ("200 Fuel Cell Engine", "Inner Sphere", "fuel_cell"),
        ("200 XXL Engine(IS)", "Inner Sphere", "xxl_is"),
    ],
)
def test_engines(engine: str, tech: str, kind: str) -> None:
    text = PLAIN.replace("200 Fusion Engine", engine).replace("TechBase:Inner Sphere", f"TechBase:{tech}")
    assert read_mtf(text)[0].engine == kind


@pytest.mark.parametrize(
    ("words", "tech", "kind", "number"),
    [
        ("10 Single", "Inner Sphere", "single", 10),
        ("13 Double", "Inner Sphere", "double_is", 13),
        ("10 IS Double", "Inner Sphere", "double_is", 10),
        ("18 Clan Double", "Clan", "double_clan", 18),
        ("18 Double", "Clan", "double_clan", 18),
        ("12 IS Double", "Mixed (Clan Chassis)", "double_is", 12),
        ("12 Double", "Mixed (Clan Chassis)", "double_clan", 12),
    ],
)
def test_heat_sinks(words: str, tech: str, kind: str, number: int) -> None:
    text = PLAIN.replace("10 Single", words).replace("TechBase:Inner Sphere", f"TechBase:{tech}")
    sheet, _ = read_mtf(text)
    assert (sheet.heat_sink_type, sheet.heat_sinks) == (kind, number)


def test_gyro_cockpit_armour_and_structure() -> None:
    more = "Gyro:XL Gyro\nCockpit:Small Cockpit\n"
    text = PLAIN.replace("Structure:Standard\n", "Structure:Clan Endo Steel\n" + more)
    sheet, _ = read_mtf(text.replace("Armor:Standard(Inner Sphere)", "Armor:Light Ferro-Fibrous(Inner Sphere)"))
    assert (sheet.gyro, sheet.cockpit, sheet.structure, sheet.armor_type) == (
        "extra_light",
        "small",
        "endo_steel",
        "light_ferro_fibrous",
    )


def test_mixed_tech() -> None:
    text = PLAIN.replace("TechBase:Inner Sphere", "TechBase:Mixed (Clan Chassis)").replace("10 Single", "10 Clan Double")
    text = text.replace("Weapons:1\nMedium Laser, Right Arm\n", "Weapons:1\nER Medium Laser, Right Arm\n")
    spec, notes = unit_from_mtf(text.replace("Medium Laser\n", "ER Medium Laser (omnipod)\n"), "test.mtf")
    assert (spec.tech, [m.id for m in spec.mounts]) == ("mixed", ["clan_er_medium_laser"])
    assert [n.severity for n in notes if "heat sinks" not in n.message] == []


def test_rear_weapon_and_patchwork_armour() -> None:
    text = PLAIN.replace("\nMedium Laser\n", "\nMedium Laser (R)\n").replace(
        "LA Armor:14", "LA Armor:Ferro-Fibrous(Inner Sphere):14"
    )
    spec, _ = unit_from_mtf(text.replace("Armor:Standard(Inner Sphere)", "Armor:Patchwork"), "test.mtf")
    assert spec.mounts[0].rear
    assert spec.unmodelled == ("patchwork armour",)
    assert dict(zip(ARMOR_NAMES, spec.armor, strict=True))["LA"] == 14


def test_quad_written_with_the_names_of_a_biped() -> None:
    text = HEADER.replace("Biped", "Quad") + ARMOUR + WEAPONS
    text += slots().replace("Shoulder\nUpper Arm Actuator\nLower Arm Actuator\nHand Actuator\n", "\n".join(LEG[:4]) + "\n")
    text = text.replace("Medium Laser\n-Empty-", "-Empty-\n-Empty-").replace("Weapons:1\nMedium Laser, Right Arm", "Weapons:0")
    spec, notes = unit_from_mtf(text, "test.mtf")
    assert spec.quad and spec.has(4, "hip")
    assert sum("on a quad" in n.message for n in notes) == 4


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        (WEAPONS, "", "1 repaired no list of weapons"),
        ("Weapons:1", "Weapons:3", "34 repaired 3 weapons announced, 1 listed"),
        ("Medium Laser, Right Arm", "Medium Laser, Left Arm", "35 repaired Medium Laser listed for Left Arm"),
        ("Jump MP:0\n", "", "1 repaired no line 'jump mp:'"),
        ("Jump MP:0", "Jump MP:4", "19 repaired jumping MP 4, but 0 jump jets: it does not jump"),
        ("TechBase:Inner Sphere\n", "", "1 repaired no line 'techbase:'"),
        ("Mass:50", "Mass:20\nMass:50", "13 repaired mass again, after line 12"),
        ("Mass:50", "Mass:50\nHello there", "13 ignored line not understood: Hello there"),
        ("200 Fusion", "210 Fusion", "13 repaired engine rating 210 is no multiple of 50 tons"),
        ("RTL Armor:4\n", "", "1 repaired no rear armour given for LT"),
        ("10 Single", "10 Wet", "17 repaired heat sinks of kind 'Wet'"),
        ("Myomer:Standard\n", "Cockpit:Command Console\n", "15 ignored Command Console: played as a standard cockpit"),
        ("Left Torso:\n", "Left Torso:\nISAPod\n", "66 ignored ISAPod (LT): kept"),
    ],
)
def test_oddities_are_noted(old: str, new: str, note: str) -> None:
    assert old in PLAIN
    notes = notes_of(PLAIN.replace(old, new, 1))
    assert any(found.startswith(note) for found in notes), notes


BAD = Path(__file__).parent / "data" / "bad"


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("lam.mtf", 6, "LAM 'Mechs are not supported"),
        ("tripod.mtf", 6, "Tripod Omnimech 'Mechs are not supported"),
        ("no_mass.mtf", 1, "no line 'mass:'"),
        ("mass_in_words.mtf", 12, "mass must be a whole number, not 'fifty'"),
        ("odd_tonnage.mtf", 12, "52 tons is no weight of a 'Mech"),
        ("too_much_armour.mtf", 27, "19 points of armour on HD"),
        ("wrong_walk.mtf", 18, "walking MP 6 do not fit"),
        ("thirteen_slots.mtf", 51, "slot 13 of LA"),
        ("half_a_ppc.mtf", 65, "PPC takes 3 slots, 2 found in LT"),
        ("head_overfull.mtf", 107, "HD has 6 slots"),
        ("engine_without_rating.mtf", 13, "engine without a rating"),
        ("location_twice.mtf", 51, "slots of left arm again"),
        ("no_engine.mtf", 93, "no engine slot in CT"),
        ("prose.mtf", 1, "no line 'config:'"),
    ],
)
def test_broken_files_are_refused(name: str, line: int, words: str) -> None:
    with pytest.raises(InputError) as caught:
        load_unit(BAD / name)
    assert (caught.value.source, caught.value.place) == (name, f"line {line}")
    assert words in str(caught.value)


def test_missing_files_folders_and_other_kinds(tmp_path: Path) -> None:
    (tmp_path / "Atlas.mtf").write_text("x")
    (tmp_path / "tank.txt").write_text("x")
    (tmp_path / "zero.mtf").write_bytes(b"a\0b")
    for name, words in (
        ("Atlsa.mtf", "did you mean Atlas.mtf?"),
        ("", "is a folder"),
        ("tank.txt", "only .mtf and .blk files"),
        ("zero.mtf", "is no text"),
        ("nowhere/x.mtf", "no such file"),
        ("x\0.mtf", "no such file"),
    ):
        with pytest.raises(InputError, match=re.escape(words)):
            load_unit(tmp_path / name)


@pytest.mark.parametrize("data", [b"\xff\xfea\x00b", b"\xff\xfe", b"", b"\xff\xff\xff", b"\n\r\n\r", b"Config:Biped\x00"])
def test_bytes_that_are_no_file_of_a_mech(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "odd.mtf").write_bytes(data)
    with pytest.raises(InputError, match=r"odd\.mtf"):
        load_unit(tmp_path / "odd.mtf")


def test_encodings(tmp_path: Path) -> None:
    text = PLAIN.replace("Tester", "Bär")
    for encoding, notes in (("utf-8", 0), ("utf-8-sig", 0), ("latin-1", 1), ("utf-16", 1)):
        path = tmp_path / f"{encoding}.mtf"
        path.write_bytes(text.encode(encoding))
        spec, found = load_unit(path)
        assert (spec.chassis, len(found)) == ("Bär", notes)


LINES = [line for line in PLAIN.splitlines() if line] + [
    "Jump MP:x",
    "Weapons:",
    "Engine:",
    "LAM Armor:3",
    ":",
    "Left Arm:Standard",
]


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(), st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=12)), max_size=60).map("\n".join)))
def test_arbitrary_text_raises_nothing_but_input_errors(text: str) -> None:
    try:
        unit_from_mtf(text, "any.mtf")
    except InputError as error:
        assert error.source == "any.mtf"


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_file_raises_nothing_but_input_errors(data: st.DataObject) -> None:
    lines = PLAIN.splitlines()
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at] = data.draw(st.one_of(st.sampled_from(LINES), st.text(max_size=10), st.just(lines[at][:-1])))
    try:
        unit_from_mtf("\n".join(lines), "any.mtf")
    except InputError as error:
        assert error.place.startswith("line ")


# -- reference values -----------------------------------------------------------------------------------------------------


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if row["file"].startswith("mechs/")]


def listed(cell: str) -> list[str]:
    return [] if cell in ("-", "") else cell.split("; ")


def counted(items: list[str]) -> Counter[str]:
    """``Heat Sink@LL x2`` as two."""
    found: Counter[str] = Counter()
    for item in items:
        name, _, times = item.partition(" x")
        found[name] += int(times or 1)
    return found


@pytest.mark.oracle
def test_every_file_loads(reference: Path) -> None:
    refused = []
    for path in sorted((reference / "mechs").glob("*.mtf")):
        try:
            _, notes = load_unit(path)
        except InputError as error:
            refused.append(str(error))
            continue
        assert not [n for n in notes if n.severity != "ignored"], path.name
    assert len(refused) == 1
    assert "LAM 'Mechs are not supported" in refused[0]


@pytest.mark.oracle
def test_reference_values(reference: Path) -> None:
    checked = 0
    for row in rows(reference / "reference_values.tsv"):
        if row["type"] == "LandAirMech":
            continue
        spec, _ = load_unit(reference / row["file"])
        mine = (spec.chassis, spec.model, spec.tons, spec.walk, spec.run, spec.jump, spec.heat_capacity)
        numbers = (int(float(row[k])) for k in ("tons", "walk", "run", "jump", "heat_capacity"))
        assert mine == (row["chassis"], row["model"], *numbers)
        assert (sum(spec.armor), sum(spec.structure)) == (int(row["armor_total"]), int(row["internal_total"]))
        tech = "clan" if spec.tech == "Clan" else IS
        weapons: Counter[str] = Counter()
        for entry in listed(row["weapons"]):
            count, _, name = entry.partition("x ")
            id = weapon_id(understand(name).key, tech)
            if id:
                weapons[id] += int(count)
            else:  # no weapon of the rules here: must be named as not modelled
                assert any(bare(name) in bare(what) for what in spec.unmodelled), (spec.name, name)
        assert Counter(m.id for m in spec.mounts) == weapons, spec.name
        checked += 1
    assert checked >= 31


def places(spec: UnitSpec, values: tuple[int, ...]) -> dict[str, int]:
    names = [*spec.locations, "CTR", "RTR", "LTR"]
    return dict(zip(names, values, strict=False))


def numbers(cell: str) -> dict[str, int]:
    return {name: int(value) for name, _, value in (entry.partition("=") for entry in listed(cell))}


@pytest.mark.oracle
def test_oracle_units(reference: Path) -> None:
    checked = 0
    for row in rows(reference / "oracle" / "units.tsv"):
        if row["type"] == "LandAirMech":
            continue
        spec, _ = load_unit(reference / row["file"])
        assert places(spec, spec.armor) == numbers(row["armor"])
        assert places(spec, spec.structure) == numbers(row["structure"])
        weapons = Counter()
        for entry in listed(row["weapons"]):
            inner = re.search(r"\{([^}]*)\}@(.*)$", entry)
            assert inner
            item = understand(inner[1])
            if item.kind != "weapon":
                assert f"{inner[1]}System ({inner[2]})" in spec.unmodelled, (spec.name, entry)
                continue
            weapons[weapon_id(item.key, item.tech or IS), inner[2]] += 1
        mine = Counter((m.id, spec.location_name(m.location) + ("(R)" if m.rear else "")) for m in spec.mounts)
        assert mine == weapons, spec.name
        ammo: Counter[tuple[str, str]] = Counter()
        for entry in listed(row["ammo"]):
            inner = re.search(r"\{([^}]*)\}(@.*)$", entry)
            assert inner
            item = understand(inner[1])
            kind = weapon_id(item.key, item.tech or IS) or item.key
            ammo[kind + (f":{item.munition}" if item.munition else ""), inner[2]] += 1
        assert Counter((b.kind, f"@{spec.location_name(b.location)}={b.shots}") for b in spec.bins) == ammo, spec.name
        assert spec.sinks == int(row["heat_sinks"])
        assert spec.heat_capacity == int(row["heat_capacity"])
        others = counted(listed(row["other_equipment"]))
        sinks = Counter(
            f"{'Double ' if spec.sink_rating == 2 else ''}Heat Sink@{spec.location_name(p)}" for p in spec.sink_locations
        )
        jets = Counter(f"Jump Jet@{spec.location_name(p)}" for p in spec.jet_locations)
        case = Counter(f"CASE@{spec.location_name(p)}" for p in spec.case)
        for name in ("Heat Sink@", "Double Heat Sink@", "Jump Jet@", "CASE@"):
            theirs = {k: v for k, v in others.items() if k.startswith(name) and not k.endswith("@-")}
            assert {k: v for k, v in (sinks + jets + case).items() if k.startswith(name)} == theirs, spec.name
        checked += 1
    assert checked >= 14
