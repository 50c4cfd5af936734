"""The catalogue: every 'Mech is what its construction rules allow, and what its record sheet says. Rule: S-5."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from opfor.board.library import board_names
from opfor.errors import InputError
from opfor.formats.megamek.board import read_board
from opfor.formats.megamek.mtf import read_mtf
from opfor.formats.units import load_unit
from opfor.tables import table
from opfor.units.build import build_mech
from opfor.units.builders import AnySheet
from opfor.units.catalogue import catalogue, find_unit, unit_named, unit_names, unit_sheet
from opfor.units.other_yaml import read_any_sheet
from opfor.units.sheet import MechSheet
from opfor.units.sheet_yaml import read_sheet
from opfor.units.spec import CT, HD, LA, LL, LT, RA, REAR_ARMOR, RL, RT, UnitSpec

# -- construction facts (TechManual), to weigh the record sheets against: tons of a standard fusion engine by rating
ENGINE_TONS = {
    60: 1.5, 120: 4, 140: 5, 150: 5.5, 160: 6, 180: 7, 200: 8.5, 210: 9, 240: 11.5, 245: 12, 250: 12.5, 255: 13,
    260: 13.5, 270: 14.5, 275: 15.5, 280: 16, 300: 19, 320: 22.5, 330: 24.5, 340: 27, 375: 38.5,
}  # fmt: skip
ENGINE_SHARE = {"fusion": 1.0, "xl_is": 0.5, "xl_clan": 0.5}
COCKPIT_TONS = 3
POINTS_PER_TON = {
    ("standard", False): 16,
    ("standard", True): 16,
    ("ferro_fibrous", False): 17.92,
    ("ferro_fibrous", True): 19.2,
}
EQUIPMENT_TONS = {
    ("artemis_iv", False): 1,
    ("ecm", False): 1.5,
    ("probe", False): 1.5,
    ("c3_slave", False): 1,
    ("case", False): 0.5,
}
SINKS_WITHOUT_WEIGHT = 10
#: sinks that could hide in the engine but stand in pods outside it
SINKS_IN_PODS = {"Ryoken (Stormcrow) Prime": 3}


def mech_sheet(name: str) -> MechSheet:
    sheet = unit_sheet(name)
    assert isinstance(sheet, MechSheet)
    return sheet


def up(tons: float, step: float = 0.5) -> float:
    """Rounded up to the next half ton."""
    return math.ceil(round(tons / step, 6)) * step


def jet_tons(tons: int) -> float:
    return 0.5 if tons <= 55 else 1 if tons <= 85 else 2


def weight(sheet: MechSheet, spec: UnitSpec) -> float:
    """Tons of everything the sheet says is on board."""
    clan = sheet.tech == "Clan"
    direct_fire = sum(m.weapon.tons for m in spec.mounts if m.weapon.kinds & {"DE", "P", "DB"} and m.weapon.ammo_per_ton != 200)
    total = up(ENGINE_TONS[sheet.engine_rating] * ENGINE_SHARE[sheet.engine])
    total += math.ceil(sheet.engine_rating / 100) + COCKPIT_TONS
    total += up(sheet.tons * (0.05 if sheet.structure == "endo_steel" else 0.1))
    total += up(sum(spec.armor) / POINTS_PER_TON[sheet.armor_type, clan])
    total += sheet.heat_sinks - SINKS_WITHOUT_WEIGHT
    total += len(spec.jet_locations) * jet_tons(sheet.tons)
    total += sum(m.weapon.tons for m in spec.mounts)
    total += len(spec.bins)
    for item in spec.equipment:
        if item.kind == "hatchet":
            total += math.ceil(sheet.tons / 15)
        elif item.kind == "targeting_computer":
            total += math.ceil(direct_fire / (5 if clan else 4))
        else:
            total += EQUIPMENT_TONS[item.kind, clan]
    return total


@pytest.mark.parametrize("name", unit_names("mech"))
def test_the_weights_add_up_to_the_tonnage(name: str) -> None:
    sheet = mech_sheet(name)
    assert weight(sheet, unit_named(name)) == sheet.tons


@pytest.mark.parametrize("name", unit_names("mech"))
def test_it_builds_without_a_remark_and_nothing_goes_unused(name: str) -> None:
    remarks: list[str] = []
    spec = build_mech(mech_sheet(name), lambda *said: remarks.append(" ".join(said)))
    assert not remarks
    assert not spec.unmodelled
    assert spec.name == name.replace(".yaml", "")


@pytest.mark.parametrize("name", unit_names("mech"))
def test_armour_keeps_to_what_the_structure_carries(name: str) -> None:
    spec = unit_named(name)
    assert 0 < spec.armor[HD] <= 9
    for location in (CT, RT, LT, RA, LA, RL, LL):
        rear = spec.armor[REAR_ARMOR[location]] if location in REAR_ARMOR else 0
        assert 0 < spec.armor[location] + rear <= 2 * spec.structure[location]


@pytest.mark.parametrize("name", unit_names("mech"))
def test_armour_is_the_same_on_both_sides(name: str) -> None:
    spec = unit_named(name)
    assert [spec.armor[p] for p in (RT, RA, RL, REAR_ARMOR[RT])] == [spec.armor[p] for p in (LT, LA, LL, REAR_ARMOR[LT])]


@pytest.mark.parametrize("name", unit_names("mech"))
def test_every_weapon_that_shoots_ammunition_has_some_and_every_bin_a_weapon(name: str) -> None:
    spec = unit_named(name)
    kinds = {b.kind for b in spec.bins}
    used = set()
    for mount in spec.mounts:
        modes = {mode.ammo for mode in mount.modes if mode.ammo}
        if mount.weapon.ammo_per_ton:
            assert modes & kinds, mount.name
        used |= modes
    ams = {f"{m.id}" for m in spec.mounts if not m.weapon.is_attack}
    assert kinds <= used | ams


@pytest.mark.parametrize("name", unit_names("mech"))
def test_tonnage_engine_and_jets_agree(name: str) -> None:
    sheet, spec = mech_sheet(name), unit_named(name)
    assert sheet.walk == sheet.engine_rating / sheet.tons
    assert len(spec.jet_locations) == spec.jump <= spec.walk
    inside = sheet.engine_rating // 25
    assert spec.sinks - len(spec.sink_locations) == min(inside, spec.sinks) - SINKS_IN_PODS.get(name, 0)


@pytest.mark.parametrize("name", unit_names("mech"))
def test_material_takes_its_slots(name: str) -> None:
    sheet, spec = mech_sheet(name), unit_named(name)
    slots = [slot.kind for location in spec.slots for slot in location]
    each = 7 if sheet.tech == "Clan" else 14
    assert slots.count("structure") == (each if sheet.structure == "endo_steel" else 0)
    assert slots.count("armour") == (each if sheet.armor_type == "ferro_fibrous" else 0)


def test_there_is_something_of_everything() -> None:
    specs = [unit_named(name) for name in unit_names("mech")]
    assert len(specs) >= 32
    for weight_class in ("light", "medium", "heavy", "assault"):
        assert sum(1 for spec in specs if spec.weight_class == weight_class) >= 6
    assert sum(1 for spec in specs if spec.tech == "Clan") >= 4
    assert any(spec.quad for spec in specs)
    kinds = {item.kind for spec in specs for item in spec.equipment}
    assert {"hatchet", "artemis_iv", "case", "ecm", "probe", "c3_slave", "targeting_computer"} <= kinds
    assert {"xl_is", "xl_clan", "fusion"} <= {spec.engine for spec in specs}
    flags = {flag for spec in specs for mount in spec.mounts for flag in mount.weapon.flags}
    assert {"ultra", "lbx_slug_or_cluster", "pulse", "streak", "beacon", "point_defence", "indirect"} <= flags
    assert any(mount.weapon.explodes for spec in specs for mount in spec.mounts)
    assert {"tag", "is_narc"} <= {mount.id for spec in specs for mount in spec.mounts}
    assert any(mount.split_location >= 0 for spec in specs for mount in spec.mounts)
    assert any(mount.rear for spec in specs for mount in spec.mounts)
    assert any(spec.sink_rating == 2 for spec in specs)
    assert sum(1 for spec in specs if spec.jump) >= 12


def test_battle_values_are_left_out_only_where_the_documentation_says_so() -> None:
    unknown = [name for name in unit_names("mech") if not unit_named(name).battle_value]
    assert unknown == [
        "Atlas AS7-C",
        "Brazier BRZ-1F",
        "Fletcher FLT-4A",
        "Hatchetman HCT-5S",
        "JagerMech JM6-DD",
        "Masakari (Warhawk) Prime",
    ]


def test_the_wolverine_as_its_sheet_prints_it() -> None:
    """Every figure read from the printed sheet of the WVR-6R."""
    spec = unit_named("Wolverine WVR-6R")
    assert (spec.tons, spec.walk, spec.run, spec.jump, spec.heat_capacity) == (55, 5, 8, 5, 12)
    assert spec.armor == (8, 20, 20, 20, 16, 16, 16, 16, 8, 6, 6)
    assert spec.structure == (3, 18, 13, 13, 9, 9, 13, 13)
    assert [(m.id, spec.location_name(m.location)) for m in spec.mounts] == [
        ("is_medium_laser", "HD"),
        ("is_srm6", "LT"),
        ("is_ac5", "RA"),
    ]
    assert [(b.kind, b.shots, spec.location_name(b.location)) for b in spec.bins] == [
        ("is_srm6", 15, "LT"),
        ("is_ac5", 20, "RA"),
    ]
    assert [slot.kind for slot in spec.slots[HD]] == ["life_support", "sensors", "cockpit", "weapon", "sensors", "life_support"]
    assert [slot.kind for slot in spec.slots[CT]] == ["engine"] * 3 + ["gyro"] * 4 + ["engine"] * 3 + ["jump_jet", "empty"]
    assert [slot.kind for slot in spec.slots[RA]] == (
        ["shoulder", "upper_arm", "lower_arm", "hand"] + ["weapon"] * 4 + ["ammo"] + ["empty"] * 3
    )
    assert [slot.kind for slot in spec.slots[RL]] == ["hip", "upper_leg", "lower_leg", "foot", "jump_jet", "jump_jet"]


# -- names


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Wolverine WVR-6R", "Wolverine WVR-6R"),
        ("wolverine wvr6r", "Wolverine WVR-6R"),
        ("WVR-6R", "Wolverine WVR-6R"),
        ("wolverine", "Wolverine WVR-6R"),
        ("WVR", "Wolverine WVR-6R"),
        ("AS7-K", "Atlas AS7-K"),
        ("atlas_as7-d", "Atlas AS7-D"),
        ("Mad Cat Prime", "Mad Cat (Timber Wolf) Prime"),
        ("Timber Wolf Prime", "Mad Cat (Timber Wolf) Prime"),
        ("timber wolf", "Mad Cat (Timber Wolf) Prime"),
        ("Mad Cat (Timber Wolf) Prime", "Mad Cat (Timber Wolf) Prime"),
    ],
)
def test_names_are_forgiving(said: str, meant: str) -> None:
    assert find_unit(said) == meant


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("Atlas", "fits several units: Atlas AS7-C, Atlas AS7-D, Atlas AS7-K"),
        ("Prime", "fits several units"),
        ("Wolvrine WVR-6R", "did you mean Wolverine WVR-6R"),
        ("Zeus ZEU-6S", "there is no unit called"),
        ("", "there is no unit called"),
    ],
)
def test_names_that_fit_none_or_several_are_refused(said: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_unit(said)


def test_a_unit_is_built_once_and_shared() -> None:
    assert unit_named("Locust") is unit_named("LCT-1V")


def test_only_the_unit_asked_for_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from opfor.units import catalogue as module

    read = []

    def reading(text: str, source: str) -> AnySheet:
        read.append(source)
        return read_any_sheet(text, source)

    monkeypatch.setattr(module, "read_any_sheet", reading)
    module._built.cache_clear()
    unit_named("Griffin")
    assert read == ["Griffin GRF-1N"]


def test_files_are_named_for_their_units() -> None:
    for name in catalogue():
        assert unit_sheet(name).name == name


# -- sheets in words

SHEET = """
chassis: Trial
model: TRL-1
tons: 50
engine: 200 fusion
walk: 4
heat_sinks: 12 single
armor: {HD: 9, CT: 20, CTR: 6, RT LT: 16, RTR LTR: 5, RA LA: 14, RL LL: 18}
actuators: {RA: no hand, LA: no lower arm}
equipment:
  HD: Small Laser
  RA: Autocannon/10
  LA: [2 Medium Laser]
  RT: 2 Heat Sink, Autocannon/10 Ammo
  LT: 2 Heat Sink, Medium Laser (R)
"""


def test_slots_follow_from_the_sheet() -> None:
    sheet = read_sheet(SHEET)
    assert sheet.slots["HD"] == ["Life Support", "Sensors", "Cockpit", "Small Laser", "Sensors", "Life Support"]
    assert (
        sheet.slots["RA"] == ["Shoulder", "Upper Arm Actuator", "Lower Arm Actuator"] + ["Autocannon/10"] * 7 + ["-Empty-"] * 2
    )
    assert sheet.slots["LA"] == ["Shoulder", "Upper Arm Actuator"] + ["Medium Laser"] * 2 + ["-Empty-"] * 8
    assert sheet.slots["LT"][:4] == ["Heat Sink", "Heat Sink", "Medium Laser (R)", "-Empty-"]
    assert sheet.slots["CT"] == ["Fusion Engine"] * 3 + ["Gyro"] * 4 + ["Fusion Engine"] * 3 + ["-Empty-"] * 2
    assert sheet.slots["RL"] == ["Hip", "Upper Leg Actuator", "Lower Leg Actuator", "Foot Actuator", "-Empty-", "-Empty-"]
    assert (sheet.armor["RT"], sheet.armor["LTR"], sheet.armor["LL"]) == (16, 5, 18)
    assert [m.rear for m in build_mech(sheet).mounts] == [False, True, False, False, False]


def test_material_that_is_not_placed_fills_the_free_slots() -> None:
    sheet = read_sheet(SHEET.replace("walk: 4", "structure: endo steel"))
    placed = {place: lines.count("Endo Steel") for place, lines in sheet.slots.items()}
    assert sum(placed.values()) == 14
    # legs first (two free slots each), then the left arm's eight and two of the right arm's
    assert placed == {"HD": 0, "CT": 0, "RT": 0, "LT": 0, "RA": 2, "LA": 8, "RL": 2, "LL": 2}


@pytest.mark.parametrize(
    ("engine", "tech", "side", "kind"),
    [
        ("200 XL", "Inner Sphere", 3, "xl_is"),
        ("200 XL", "Clan", 2, "xl_clan"),
        ("200 light", "Inner Sphere", 2, "light"),
        ("200 fusion", "Clan", 0, "fusion"),
        ("200", "Inner Sphere", 0, "fusion"),
    ],
)
def test_engines_take_their_slots(engine: str, tech: str, side: int, kind: str) -> None:
    text = SHEET.replace("200 fusion", engine).replace("walk: 4", f"tech: {tech}").replace("Autocannon/10", "Ultra AC/5")
    sheet = read_sheet(text)
    assert sheet.engine == kind
    assert sheet.slots["RT"].count("Fusion Engine") == sheet.slots["LT"].count("Fusion Engine") == side


@pytest.mark.parametrize(
    ("gyro", "engine", "slots"),
    [
        ("compact", "200 fusion", ["Fusion Engine"] * 3 + ["Gyro"] * 2 + ["Fusion Engine"] * 3),
        ("extra light", "200 fusion", ["Fusion Engine"] * 3 + ["Gyro"] * 6 + ["Fusion Engine"] * 3),
        ("heavy duty", "200 compact", ["Fusion Engine"] * 3 + ["Gyro"] * 4),
    ],
)
def test_gyros_and_compact_engines_take_their_slots(gyro: str, engine: str, slots: list[str]) -> None:
    sheet = read_sheet(SHEET.replace("200 fusion", engine).replace("walk: 4", f"gyro: {gyro}"))
    assert sheet.slots["CT"] == slots + ["-Empty-"] * (12 - len(slots))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tons: 50", "", "tons is missing"),
        ("tons: 50", "tons: heavy", "tons: 'heavy' is no whole number"),
        ("walk: 4", "wakl: 4", "'wakl' is no entry of a record sheet .did you mean walk"),
        ("walk: 4", "tech: Klan", "tech: 'Klan' is not known .did you mean Clan"),
        ("200 fusion", "200 steam", "engine: 'steam' is not known"),
        ("200 fusion", "fast", "engine: 'fast': a number and a kind are expected"),
        ("12 single", "12 triple", "heat_sinks: 'triple' is not known"),
        ("HD: Small Laser", "HD: Smal Lazer", "equipment.HD: 'Smal Lazer' is not known as equipment .did you mean Small Laser"),
        ("HD: Small Laser", "HD: 2 Small Laser", "equipment.HD: 2 slots of equipment, 1 are free"),
        ("HD: Small Laser", "XX: Small Laser", "equipment: 'XX' is no location"),
        ("HD: Small Laser", "HD: {a: 1}", "equipment.HD: equipment is a list of names"),
        ("HD: Small Laser", "HD: Targeting Computer", "the slots of 'Targeting Computer' depend on the unit: state them"),
        ("no hand", "none", "actuators.RA: 'none' is not known .known: no hand, no lower arm"),
        ("RA LA: 14", "RA LA: many", "armor.RA: 'many' is no number"),
        ("walk: 4", "structure: endo steel\nconfig: Tripod", "config: 'Tripod' is not known"),
        ("HD: Small Laser", "CT: 2 Endo Steel", ""),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(old: str, new: str, message: str) -> None:
    text = SHEET.replace(old, new)
    if not message:
        text = text.replace("walk: 4", "structure: endo steel")
        message = "2 slots of Endo Steel are placed, it takes 14"
    with pytest.raises(InputError, match=f"^trial.yaml.*{message}"):
        read_sheet(text, "trial.yaml")


def test_a_sheet_must_be_keys_and_values() -> None:
    with pytest.raises(InputError, match="a list of keys and values"):
        read_sheet("- a\n- b", "x")


def test_material_that_finds_no_room_is_refused() -> None:
    full = SHEET.replace("walk: 4", "structure: endo steel\narmor_type: ferro-fibrous\nheat_sinks: 30 single")
    full = (
        full.replace("heat_sinks: 12 single\n", "")
        .replace("2 Heat Sink", "9 Heat Sink")
        .replace("[2 Medium Laser]", "10 Heat Sink")
    )
    with pytest.raises(InputError, match="too few are free"):
        read_sheet(full)


# -- the same designs as other files have them


def mtf_files(reference: Path) -> dict[str, Path]:
    return {path.stem: path for path in (reference / "mechs").glob("*.mtf") if path.stem in catalogue()}


@pytest.mark.oracle
def test_the_same_designs_are_the_same_as_imported(reference: Path) -> None:
    files = mtf_files(reference)
    assert len(files) >= 28
    for name, path in files.items():
        sheet, _ = read_mtf(path.read_text(encoding="utf-8"), path.name)
        theirs, ours = build_mech(sheet), unit_named(name)
        assert ours.armor == theirs.armor, name
        assert ours.structure == theirs.structure, name
        assert (ours.walk, ours.run, ours.jump, ours.tons, ours.engine) == (
            theirs.walk,
            theirs.run,
            theirs.jump,
            theirs.tons,
            theirs.engine,
        ), name
        assert (ours.heat_capacity, ours.sinks, ours.case, ours.era) == (
            theirs.heat_capacity,
            theirs.sinks,
            theirs.case,
            theirs.era,
        ), name
        assert [(m.id, m.location, m.rear, m.split_location, m.artemis, [x.ammo for x in m.modes]) for m in ours.mounts] == [
            (m.id, m.location, m.rear, m.split_location, m.artemis, [x.ammo for x in m.modes]) for m in theirs.mounts
        ], name
        assert [(b.kind, b.shots, b.location) for b in ours.bins] == [(b.kind, b.shots, b.location) for b in theirs.bins], name
        assert [(e.kind, e.location) for e in ours.equipment] == [(e.kind, e.location) for e in theirs.equipment], name
        for place in range(8):
            mine, other = ([(s.kind, s.ref) for s in spec.slots[place] if s.hittable] for spec in (ours, theirs))
            assert mine == other, (name, ours.location_name(place))
            mine, other = ([(s.kind, s.ref) for s in spec.slots[place]] for spec in (ours, theirs))
            assert mine == other, (name, ours.location_name(place))


@pytest.mark.oracle
def test_totals_and_battle_values_agree_with_the_reference_table(reference: Path) -> None:
    lines = (reference / "reference_values.tsv").read_text(encoding="utf-8").splitlines()
    columns = lines[0].split("\t")
    compared = 0
    for line in lines[1:]:
        row = dict(zip(columns, line.split("\t"), strict=True))
        name = Path(row["file"]).stem
        if not row["file"].startswith("mechs/") or name not in catalogue():
            continue
        spec = unit_named(name)
        compared += 1
        assert sum(spec.armor) == int(row["armor_total"]), name
        assert sum(spec.structure) == int(row["internal_total"]), name
        assert spec.heat_capacity == int(row["heat_capacity"]), name
        assert spec.battle_value == int(row["bv2_skill4_5"]), name
    assert compared >= 28


def test_the_rows_that_the_layout_rests_on_agree_with_the_structure_table() -> None:
    """A fixed slot more or less would show in the sizes of the locations."""
    sheet_rules, sizes = table("record_sheet"), table("structure")["slots"]
    assert all(len(head) == sizes["head"] for head in sheet_rules["head"].values())
    assert len(sheet_rules["arm"]) == len(sheet_rules["leg"]) == 4
    assert set(sheet_rules["gyro_slots"]) == set(table("structure")["gyros"])


# -- sheets from files


def test_a_sheet_from_a_file_is_a_unit(tmp_path: Path) -> None:
    path = tmp_path / "trial.yaml"
    path.write_text(SHEET, encoding="utf-8")
    spec, notes = load_unit(path)
    assert (spec.name, spec.tons, len(spec.mounts), notes) == ("Trial TRL-1", 50, 5, [])


def test_equipment_without_rules_is_carried_when_its_slots_are_stated(tmp_path: Path) -> None:
    path = tmp_path / "trial.yaml"
    path.write_text(SHEET.replace("RT: 2 Heat Sink", "RT: Bridge Layer (2 slots), 2 Heat Sink"), encoding="utf-8")
    spec, notes = load_unit(path)
    assert spec.unmodelled == ("Bridge Layer (RT)",)
    line = SHEET.splitlines().index("  RT: 2 Heat Sink, Autocannon/10 Ammo") + 1
    assert [(note.line, note.severity) for note in notes] == [(line, "ignored")]
    path.write_text(SHEET.replace("RT: 2 Heat Sink", "RT: Bridge Layer, 2 Heat Sink"), encoding="utf-8")
    with pytest.raises(InputError, match=r"state its slots: Bridge Layer \(2 slots\)"):
        load_unit(path)


def test_broken_yaml_is_refused_with_its_line() -> None:
    with pytest.raises(InputError, match=r"trial\.yaml, line 3: no proper YAML"):
        read_sheet("chassis: A\nmodel: B\narmor: {HD: 9: 3}\n", "trial.yaml")


# -- the examples of docs/content.md


def example(name: str) -> str:
    text = (Path(__file__).parent.parent / "docs" / "content.md").read_text(encoding="utf-8")
    after = text.split(f"<!-- example: {name} -->\n", 1)[1]
    return after.split("\n", 1)[1].split("```", 1)[0]


def test_the_documented_mech_builds_and_weighs_what_it_says() -> None:
    sheet = read_sheet(example("hammer.yaml"), "hammer.yaml")
    remarks: list[str] = []
    spec = build_mech(sheet, lambda *said: remarks.append(" ".join(said)))
    assert not remarks and not spec.unmodelled
    assert weight(sheet, spec) == sheet.tons
    assert [m.artemis >= 0 for m in spec.mounts if m.id == "is_srm6"] == [True]


def test_the_documented_board_reads_without_a_remark() -> None:
    board, notes = read_board(example("pass.board"), "pass.board")
    assert not notes
    assert board.at("0303").bridge and board.at("0202").building == 2 and board.at("0103").depth == 2


def test_the_documentation_counts_right() -> None:
    text = (Path(__file__).parent.parent / "docs" / "content.md").read_text(encoding="utf-8")
    assert f"{len(unit_names('mech'))} 'Mechs and {len(board_names())} boards" in text
    assert all(f"`{name}`" in text for name in board_names())
