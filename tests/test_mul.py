"""Forces in .mul files: what a battle left of them, by name, and written back. Rule: S-5, E-16 to E-24."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opfor.errors import InputError
from opfor.formats.battle_file.battle_damage import damage_entry
from opfor.formats.megamek.mul import read_mul
from opfor.formats.megamek.mul_entity import MulUnit
from opfor.formats.megamek.mul_write import write_mul
from opfor.formats.megamek.mul_xml import parse_xml
from opfor.formats.unit_files import finder
from opfor.rules.vehicles.crew_conditions import COMMANDER, COPILOT, DRIVER, KILLED, PILOT
from opfor.units.catalogue import unit_named, unit_names
from opfor.units.spec import CT, FRONT, HD, LA, LL, LT, RA, RIGHT, TURRET
from opfor.units.state import UnitState
from tests.test_blk import tank


def force(*entities: str) -> str:
    return '<?xml version="1.0" encoding="UTF-8"?>\n\n<unit version="0.49.13" >\n' + "\n".join(entities) + "\n</unit>\n"


def entity(name: str, inside: str = "", crew: str = '<pilot name="Ann" gunnery="3" piloting="4" ejected="false"/>') -> str:
    chassis, _, model = name.rpartition(" ")
    if name.startswith(("Vedette", "Manticore", "LRM Carrier")):
        chassis, model = name, "(Standard)"
    return f'<entity chassis="{chassis}" model="{model}" type="Biped">\n{crew}\nFree text, "index=1".\n{inside}\n</entity>'


def read(text: str) -> list[MulUnit]:
    return read_mul(text, "force.mul", finder())


def one(text: str) -> tuple[UnitState, list[str]]:
    entries = read(force(text))
    assert len(entries) == 1 and entries[0].unit is not None
    return entries[0].unit, [f"{n.line} {n.severity} {n.message}" for n in entries[0].notes]


# -- reading


def test_a_fresh_unit() -> None:
    unit, notes = one(entity("Wolverine WVR-6R"))
    assert notes == []
    assert unit.spec is unit_named("Wolverine WVR-6R")
    assert (unit.id, unit.side, unit.gunnery, unit.piloting, unit.pilot_hits) == ("wolverine-1", 0, 3, 4, 0)
    assert unit.armor == list(unit.spec.armor) and unit.conscious and not unit.destroyed


def test_armour_front_rear_and_structure() -> None:
    unit, notes = one(
        entity(
            "Wolverine WVR-6R",
            '<location index="1"> Center Torso <armor points="7"/><armor points="12" type="Internal"/>'
            '<armor points="2" type="Rear"/></location>'
            '<location index="4"> Right Arm <armor points="Destroyed"/></location>'
            '<location index="0"> Head <armor points="N/A"/></location>',
        )
    )
    assert notes == []
    assert (unit.armor[CT], unit.structure[CT], unit.armor[8]) == (7, 12, 2)
    assert (unit.armor[RA], unit.structure[RA]) == (0, 9)
    assert unit.armor[HD] == 8


def test_a_lost_side_torso_takes_its_arm_along() -> None:
    unit, _ = one(entity("Wolverine WVR-6R", '<location index="3" isDestroyed="true"/> Left Torso'))
    assert unit.structure[LT] == unit.structure[LA] == 0
    assert unit.mounts_lost >> next(m.index for m in unit.spec.mounts if m.location == LT) & 1


def test_an_arm_blown_off() -> None:
    unit, _ = one(entity("Wolverine WVR-6R", '<location index="5"> Left Arm has been blown off. <blownOff/></location>'))
    assert unit.structure[LA] == 0 and unit.structure[LT] > 0


def test_slots_hit_and_shots_left() -> None:
    unit, notes = one(
        entity(
            "Wolverine WVR-6R",
            '<location index="4"> Right Arm <slot index="1" type="System" isHit="true" isDestroyed="true"/>'
            '<slot index="5" type="Autocannon/5" isHit="true" isDestroyed="true"/>'
            '<slot index="6" type="Autocannon/5" isDestroyed="true"/><slot index="9" type="IS Ammo AC/5" shots="7"/></location>'
            '<location index="1"> Center Torso <slot index="1" type="System" isHit="true" isDestroyed="true"/></location>',
        )
    )
    assert notes == []
    assert unit.slots_hit[RA] == 0b10001
    assert unit.mounts_lost == 1 << next(m.index for m in unit.spec.mounts if m.id == "is_ac5")
    assert unit.ammo == [15, 7]
    assert unit.engine_hits == 1 and unit.slots_hit[CT] == 1


def test_slots_in_another_order_are_found_by_name() -> None:
    """Our Wolverine has its SRM ammunition in slot 3 of the left torso, its autocannon in slots 5 to 8 of the right arm."""
    unit, notes = one(
        entity(
            "Wolverine WVR-6R",
            '<location index="3"> Left Torso <slot index="9" type="IS Ammo SRM-6" shots="4"/></location>'
            '<location index="4"> Right Arm <slot index="11" type="ISAC5" isHit="true" isDestroyed="true"/></location>',
        )
    )
    assert notes == []
    assert unit.ammo == [4, 20]
    assert unit.mounts_lost and unit.slots_hit[RA] == 1 << 4


def test_other_munitions_are_told_and_played_as_the_sheet_has_them() -> None:
    unit, notes = one(
        entity(
            "Archer ARC-2R", '<location index="2"><slot index="3" type="IS Ammo LRM-20 Artemis-capable" shots="3"/></location>'
        )
    )
    assert unit.ammo == [b.shots for b in unit.spec.bins]
    assert len(notes) == 1 and "holds IS Ammo LRM-20 Artemis-capable, of which its sheet knows nothing there" in notes[0]


@pytest.mark.parametrize(
    ("crew", "gunnery", "hits", "conscious", "destroyed"),
    [
        ('<pilot gunnery="3" piloting="4" hits="2"/>', 3, 2, True, ""),
        ('<pilot gunnery="3" piloting="4" hits="6"/>', 3, 6, False, "pilot killed"),
        ('<pilot gunnery="3" piloting="4" hits="Dead"/>', 3, 6, False, "pilot killed"),
        ('<pilot gunnery="3" piloting="4" ejected="true"/>', 3, 0, False, ""),
        ('<crew size="1"><crewMember slot="0" gunnery="2" piloting="3" hits="1"/></crew>', 2, 1, True, ""),
        ('<crew name="Old" gunnery="5" piloting="6"/>', 5, 0, True, ""),
        ("", 4, 0, True, ""),
    ],
)
def test_crews(crew: str, gunnery: int, hits: int, conscious: bool, destroyed: str) -> None:
    unit, _ = one(entity("Wolverine WVR-6R", crew=crew))
    assert (unit.gunnery, unit.pilot_hits, unit.conscious, unit.destroyed) == (gunnery, hits, conscious, destroyed)


def test_a_vehicle_with_all_that_can_happen_to_one() -> None:
    unit, notes = one(
        entity(
            "Vedette Medium Tank",
            "Tanks have special needs, so don't delete any ammo slots."
            '<location index="0"> Body <slot index="N/A" type="IS Ammo MG - Full" shots="120"/>'
            '<slot index="N/A" type="IS Ammo AC/5" shots="11"/></location>'
            '<location index="1"> Front <armor points="3"/><armor points="4" type="Internal"/><stabilizer isHit="true"/>'
            '<slot index="N/A" type="Machine Gun" isDestroyed="true"/></location>'
            '<motive damage="3" penalty="5"/><turretlock direction="2"/>'
            '<tcriticals sensors="2" engine="hit" driver="hit" commander="hit"/>',
        )
    )
    assert notes == []
    assert (unit.armor[FRONT], unit.structure[FRONT], unit.ammo) == (3, 4, [120, 11])
    assert unit.stabilizers == 1 << FRONT and unit.mounts_lost == 1
    assert (unit.motive_hits, unit.cruise_lost, unit.immobilized) == (6, 3, True)  # by the engine
    assert (unit.turret, unit.twist, unit.sensor_hits, unit.engine_dead) == (2, 2, 2, True)
    assert unit.crew == COMMANDER | DRIVER and unit.conscious


@pytest.mark.parametrize(
    ("damage", "penalty", "grades"),
    [(0, 0, 0), (0, 1, 1), (1, 2, 2), (1, 3, 3), (3, 3, 4), (3, 4, 5), (3, 5, 6), (3, 6, 7)],
)
def test_motive_damage_by_its_penalty(damage: int, penalty: int, grades: int) -> None:
    """Minor adds 1, moderate 2 and costs 1 MP, heavy 3 and half the MP. Rule: E-16."""
    unit, _ = one(entity("Vedette Medium Tank", f'<motive damage="{damage}" penalty="{penalty}"/>'))
    assert (unit.motive_hits, unit.cruise_lost, unit.immobilized) == (grades, damage, False)


def test_a_vehicle_that_lost_all_its_speed_is_immobile() -> None:
    assert one(entity("Vedette Medium Tank", '<motive damage="5" penalty="0"/>'))[0].immobilized


def test_a_vehicle_without_a_side_or_without_a_crew_is_out() -> None:
    assert one(entity("LRM Carrier", '<location index="2" isDestroyed="true"/>'))[0].destroyed
    unit, _ = one(entity("LRM Carrier", crew='<pilot gunnery="4" piloting="5" hits="Dead"/>'))
    assert unit.crew == KILLED and not unit.conscious and unit.pilot_hits == 0


def test_the_crew_of_a_vtol() -> None:
    unit, _ = one(entity("Warrior Attack Helicopter H-7", '<tcriticals driver="hit" commander="hit"/>'))
    assert unit.crew == PILOT | COPILOT


def test_troopers_and_suits() -> None:
    unit, _ = one(entity("Foot Platoon (Rifle)", '<location index="0"> Men <armor points="17" type="Internal"/></location>'))
    assert unit.structure == [17] and not unit.destroyed
    text = entity("Cavalier Battle Armor [SRM](Sqd4)").replace('model="[SRM](Sqd4)"', 'model="[SRM](Sqd4)"')
    inside = (
        '<location index="0"> Squad <slot index="N/A" type="BA-SRM1 Ammo" shots="2"/></location>'
        '<location index="1"> Trooper 1 <armor points="4"/></location><location index="3" isDestroyed="true"/>'
    )
    unit, notes = one(text.replace("</entity>", inside + "</entity>"))
    assert notes == []
    assert (unit.armor, unit.structure, unit.ammo) == ([4, 9, 0, 9], [1, 1, 0, 1], [2])


def test_unknown_units_are_reported_and_left_out() -> None:
    entries = read(force(entity("Nonesuch NON-1"), entity("Locust LCT-1V"), entity("Griffin GRF-1")))
    assert [entry.unit is not None for entry in entries] == [False, True, False]
    assert [(n.severity, n.message) for n in entries[0].notes] == [("error", "Nonesuch NON-1 is not known: left out")]
    assert entries[0].notes[0].line == 4


def test_units_of_one_chassis_are_numbered() -> None:
    entries = read(force(entity("Locust LCT-1V"), entity("Mad Cat (Timber Wolf) Prime"), entity("Locust LCT-1V")))
    assert [entry.unit.id for entry in entries if entry.unit] == ["locust-1", "mad-cat-1", "locust-2"]


def test_survivors_of_a_battle_record() -> None:
    text = f"<record><survivors>{entity('Locust LCT-1V')}</survivors><salvage>{entity('Wasp WSP-1A')}</salvage></record>"
    assert [entry.name for entry in read(text)] == ["Locust LCT-1V"]


@pytest.mark.parametrize(
    ("chassis", "model", "meant"),
    [
        ("Mad Cat (Timber Wolf)", "Prime", "Mad Cat (Timber Wolf) Prime"),
        ("Timber Wolf (Mad Cat)", "Prime", "Mad Cat (Timber Wolf) Prime"),
        ("Timber Wolf", "Prime", "Mad Cat (Timber Wolf) Prime"),
        ("Schrek PPC Carrier", "(Standard)", "Schrek PPC Carrier"),
        ("vedette medium tank", "", "Vedette Medium Tank (Standard)"),
        ("Griffin", "GRF-1", None),
        ("Prime", "", None),
        ("Atlas", "", None),
    ],
)
def test_names_are_those_of_whole_units(chassis: str, model: str, meant: str | None) -> None:
    spec = finder()(chassis, model)
    assert (spec.name if spec else None) == meant


def test_files_beside_come_before_the_catalogue(tmp_path: Path) -> None:
    """By the name that stands in them, or their own."""
    folder = tmp_path / "units" / "deep"
    folder.mkdir(parents=True)
    (folder / "whatever.blk").write_text(tank(Name="Vedette Medium Tank", tonnage="45"), encoding="utf-8")
    (folder / "broken.blk").write_text("nothing", encoding="utf-8")
    find = finder([tmp_path / "nowhere", tmp_path])
    spec = find("Vedette Medium Tank", "(Standard)")
    assert spec is not None and spec.tons == 45
    assert find("Vedette Medium Tank", "") is spec and find.path_of(spec) == folder / "whatever.blk"
    assert find.path_of(unit_named("Vedette")) is None
    assert finder()("Vedette Medium Tank", "(Standard)").tons == 50  # type: ignore[union-attr]
    with pytest.raises(InputError, match="holds no blocks"):
        find("broken", "")
    entries = read_mul(force(entity("Broken ").replace('model=""', "")), "force.mul", find)
    assert entries[0].unit is None and "holds no blocks" in entries[0].notes[0].message


# -- what is odd, and what is refused


@pytest.mark.parametrize(
    ("inside", "note"),
    [
        ('<location index="0"><armor points="99"/></location>', "repaired Wolverine WVR-6R: points 99: there are only 8"),
        ('<location index="12"><armor points="9"/></location>', "location 12 is none of this unit"),
        ('<location index="0"><armor points="2" type="Rear"/></location>', "HD has no rear armour"),
        ('<location index="0"><breached/></location>', "HD is breached: no rule here knows of it"),
        ('<location index="4"><slot index="99" type="ISAC20" isHit="true"/></location>', "slot 99 of RA holds ISAC20"),
        ('<location index="3"><slot index="3" type="IS Ammo SRM-6" shots="40"/></location>', "shots 40: there are only 15"),
        ('<location index="3"><slot index="3" type="IS Ammo SRM-6 Inferno" shots="4"/></location>', "played as its sheet's"),
    ],
)
def test_oddities_are_told(inside: str, note: str) -> None:
    notes = one(entity("Wolverine WVR-6R", inside))[1]
    assert len(notes) == 1 and note in notes[0], notes


@pytest.mark.parametrize(
    ("inside", "note"),
    [
        ('<turretlock direction="1"/>', "it has no turret to be locked"),
        (
            '<location index="0"><slot index="N/A" type="IS Ammo AC/20" shots="4"/></location>',
            "it carries no IS Ammo AC/20 in BD",
        ),
        (
            '<location index="1"><slot index="N/A" type="PPC" isDestroyed="true"/></location>',
            "PPC is none of what it has in FR",
        ),
    ],
)
def test_oddities_of_vehicles_are_told(inside: str, note: str) -> None:
    notes = one(entity("LRM Carrier", inside))[1]
    assert len(notes) == 1 and note in notes[0], notes


REFUSED = [
    ("", "line 1: is no proper XML"),
    ("just words", "line 1: is no proper XML"),
    ("<unit>\n<entity>\n", "line 3: is no proper XML"),
    ("<unit><entity chassis='A'></unit></entity>", "line 1: is no proper XML"),
    ("<game/>", "<game> is no list of units .*expected <unit>"),
    ("<unit>\n<entity model='x'/></unit>", "line 2: an entity without a chassis"),
    ('<!DOCTYPE unit [<!ENTITY a "b">]>\n<unit/>', "line 1: declares a document type"),
    ("<unit>" * 60 + "</unit>" * 60, "elements lie too deep"),
    (force(entity("Locust LCT-1V", crew='<pilot gunnery="good"/>')), "gunnery of Locust LCT-1V must be a whole number"),
    (force(entity("Locust LCT-1V", crew='<pilot hits="-1"/>')), "hits of Locust LCT-1V must be a whole number"),
    (force(entity("Locust LCT-1V", '<location index="1"><armor points="many"/></location>')), "line 7: points of Locust"),
    (force(entity("Locust LCT-1V", '<location index="1"><armor points="1.5"/></location>')), "not '1.5'"),
    (force(entity("Vedette Medium Tank", '<motive damage="x"/>')), "damage of Vedette Medium Tank .* must be a whole number"),
    (force(entity("Vedette Medium Tank", '<turretlock direction="N"/>')), "direction of Vedette"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_bad_files_are_refused_with_one_message(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        read(text)
    assert str(error.value).startswith("force.mul, line ") and "\n" not in str(error.value)


# -- writing

#: what a campaign keeps of a unit; all else is of one battle
KEPT = (
    "armor", "structure", "slots_hit", "ammo", "mounts_lost", "equipment_lost", "sinks_lost", "jets_lost", "engine_hits",
    "gyro_hits", "sensor_hits", "life_support_hits", "cockpit_hit", "gunnery", "piloting", "pilot_hits", "crew", "motive_hits",
    "cruise_lost", "immobilized", "engine_dead", "stabilizers", "turret", "twist", "conscious", "destroyed",
)  # fmt: skip


def kept(unit: UnitState) -> dict[str, object]:
    return {name: getattr(unit, name) for name in KEPT}


def hurt(name: str, seed: int) -> UnitState:
    """A unit with damage drawn from a seed, as reading leaves one."""
    draw = random.Random(seed)
    spec = unit_named(name)
    unit = UnitState(spec, name.split()[0].lower() + "-1", 0)
    from opfor.formats.battle_file.battle_damage import cause_of_loss, mark_damage

    structure = {i: draw.randint(0, s) for i, s in enumerate(spec.structure) if s and draw.random() < 0.3}
    slots = {}
    for place, here in enumerate(spec.slots):
        mask = sum(1 << i for i, slot in enumerate(here) if slot.hittable and draw.random() < 0.1)
        if mask and structure.get(place, 1):
            slots[place] = mask
    if spec.is_mech:
        lost = [place for place, left in structure.items() if not left]
        slots = {place: mask for place, mask in slots.items() if place not in lost}
    mark_damage(unit, structure, slots)
    for place in range(len(unit.structure)):
        if unit.structure[place] <= 0:
            unit.slots_hit[place] = (1 << len(spec.slots[place])) - 1 if spec.is_mech else 0
    unit.armor = [draw.randint(0, points) if points else 0 for points in unit.armor]
    unit.ammo = [draw.randint(0, shots) if shots else 0 for shots in unit.ammo]
    unit.gunnery, unit.piloting = draw.randint(0, 7), draw.randint(0, 8)
    if spec.is_vehicle:
        unit.motive_hits = draw.choice((0, 1, 2, 6, 7))
        unit.cruise_lost = 0 if unit.motive_hits < 2 else min(spec.walk - 1, 1 if unit.motive_hits == 2 else 3)
        if unit.motive_hits >= 6 and unit.cruise_lost < 2:
            unit.motive_hits, unit.cruise_lost = 0, 0
        unit.sensor_hits, unit.crew = draw.randint(0, 4), 0
        unit.stabilizers = draw.choice((0, 1 << FRONT, 1 << RIGHT))
        if unit.stabilizers and any(unit.stabilizers >> i & 1 and unit.structure[i] <= 0 for i in range(len(unit.structure))):
            unit.stabilizers = 0
        if spec.turret and draw.random() < 0.5:
            unit.turret, unit.twist = 2, draw.randint(-2, 3)
    else:
        unit.pilot_hits = draw.randint(0, 5) if spec.is_mech else 0
    unit.destroyed = cause_of_loss(unit)
    return unit


@pytest.mark.parametrize("name", unit_names())
def test_damaged_units_come_back_as_they_were_written(name: str) -> None:
    for seed in range(3):
        unit = hurt(name, seed)
        text = write_mul([unit])
        entries = read(text)
        assert entries[0].unit is not None and entries[0].notes == [], (text, entries[0].notes)
        again = entries[0].unit
        # what lies in a lost location is lost, however it is counted
        for state in (unit, again):
            for place, left in enumerate(state.structure):
                if left <= 0:
                    state.slots_hit[place] = 0
                    for bin in state.spec.bins:
                        state.ammo[bin.index] = 0 if bin.location == place else state.ammo[bin.index]
        first, second = kept(unit), kept(again)
        if any(left <= 0 for left in unit.structure):
            for count in ("mounts_lost", "equipment_lost", "sinks_lost", "jets_lost"):
                first.pop(count), second.pop(count)
        assert first == second, (name, seed, text)
        assert write_mul(entries) == write_mul(read(write_mul(entries)))


def test_what_a_file_says_beyond_the_rules_is_written_back() -> None:
    text = force(
        '<entity chassis="Locust" model="LCT-1V" type="Biped" externalId="a-b" quirks="no_arms::low_profile">\n'
        '<pilot size="1" name="Bo &amp; Co" nick="X" gunnery="2" piloting="3" externalId="c-d" ejected="false"/>\n'
        '<Force force="Lance"/>\n</entity>',
        entity("Nonesuch NON-1", '<location index="1"><armor points="3"/></location>'),
    )
    entries = read(text)
    assert entries[0].unit is not None
    entries[0].unit.armor[LL] -= 2
    again = read(write_mul(entries))
    element = again[0].element
    assert element is not None
    assert (element.get("externalId"), element.get("quirks")) == ("a-b", "no_arms::low_profile")
    assert (again[0].pilot, next(element.all("pilot")).get("nick")) == ("Bo & Co", "X")
    assert next(element.all("force")).get("force") == "Lance"
    assert again[0].unit is not None and again[0].unit.armor[LL] == entries[0].unit.armor[LL]
    unknown = again[1].element
    assert again[1].unit is None and unknown is not None
    assert next(next(unknown.all("location")).all("armor")).get("points") == "3"


def test_a_dead_crew_is_written_as_dead() -> None:
    for name in ("Locust LCT-1V", "LRM Carrier"):
        unit = UnitState(unit_named(name), "a", 0)
        unit.conscious = False
        unit.pilot_hits, unit.crew = (6, 0) if unit.spec.is_mech else (0, KILLED)
        again = read(write_mul([unit]))[0].unit
        assert again is not None and (again.pilot_hits, again.crew) == (unit.pilot_hits, unit.crew)


def test_damage_can_go_into_a_battle_file() -> None:
    unit, _ = one(entity("Vedette Medium Tank", '<location index="5"><armor points="1"/></location>'))
    assert damage_entry(unit) == {"armor": {"TU": unit.spec.armor[TURRET] - 1}}


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_damaged_files_are_read_or_refused(data: st.DataObject) -> None:
    text = force(
        entity(
            "Wolverine WVR-6R",
            '<location index="3"><armor points="4"/><slot index="3" type="IS Ammo SRM-6" shots="3"/></location>',
        ),
        entity("Vedette Medium Tank", '<motive damage="1" penalty="2"/><location index="1"><armor points="4"/></location>'),
    )
    start = data.draw(st.integers(0, len(text) - 1))
    cut = (
        text[:start]
        + data.draw(st.sampled_from(["", "9", "-", "<", "&", '"', "\0", "x"]))
        + text[start + data.draw(st.integers(0, 3)) :]
    )
    try:
        read(cut)
    except InputError as error:
        assert str(error).startswith("force.mul")


def test_xml_keeps_lines() -> None:
    root = parse_xml('<?xml version="1.0"?>\n<unit>\n\n<entity chassis="A"/>\n</unit>', "x")
    assert (root.line, root.children[0].line) == (2, 4)


# -- the reference files


@pytest.mark.oracle
def test_the_reference_forces_load(reference: Path) -> None:
    known = {}
    for path in sorted((reference / "mul").glob("*.mul")):
        entries = read_mul(path.read_text(encoding="utf-8"), path.name, finder([reference / "mechs"]))
        known[path.name] = (len(entries), sum(entry.unit is not None for entry in entries))
        assert all(entry.unit or entry.notes[0].severity == "error" for entry in entries)
        assert not any(entry.unit and entry.notes for entry in entries), path.name
    # of the boxed set and the oldest list most units are none whose sheets are here
    assert known == {"Bot_Alpha.mul": (3, 3), "Clan Boxset RS all.mul": (24, 3), "bob.mul": (1, 0)}


@pytest.mark.oracle
def test_the_damaged_reference_force_figure_by_figure(reference: Path) -> None:
    path = reference / "mul" / "Bot_Alpha.mul"
    marauder, griffin, wolverine = (
        entry.unit for entry in read_mul(path.read_text(encoding="utf-8"), path.name, finder([reference / "mechs"]))
    )
    assert marauder and griffin and wolverine
    assert (marauder.armor[CT], marauder.armor[2], marauder.armor[LL], marauder.ammo) == (30, 16, 7, [8])
    assert (griffin.armor[:8], griffin.ammo, griffin.pilot_hits) == ([9, 0, 0, 7, 4, 9, 7, 11], [1, 12], 1)
    assert (wolverine.structure[RA], wolverine.structure[LA], wolverine.armor[RA]) == (6, 1, 0)
    assert (wolverine.ammo, wolverine.pilot_hits) == ([3, 7], 2)
    again = read_mul(write_mul([marauder, griffin, wolverine]), "again", finder([reference / "mechs"]))
    assert [kept(entry.unit) for entry in again if entry.unit] == [kept(marauder), kept(griffin), kept(wolverine)]
