"""The unit builder: record sheets made into specs. Values worked by hand from the construction rules. Rule: S-5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from opfor.errors import InputError
from opfor.units.build import build_mech
from opfor.units.names import understand
from opfor.units.sheet import MechSheet
from opfor.units.spec import CT, HD, LA, LL, LT, RA, RL, RT, UnitSpec

ARM = ["Shoulder", "Upper Arm Actuator", "Lower Arm Actuator", "Hand Actuator"]
LEG = ["Hip", "Upper Leg Actuator", "Lower Leg Actuator", "Foot Actuator"]
HEAD = ["Life Support", "Sensors", "Cockpit", "-Empty-", "Sensors", "Life Support"]
CENTRE = ["Fusion Engine"] * 3 + ["Gyro"] * 4 + ["Fusion Engine"] * 3
ARMOR = {"HD": 9, "CT": 20, "CTR": 6, "RT": 16, "RTR": 4, "LT": 16, "LTR": 4, "RA": 14, "LA": 14, "RL": 18, "LL": 18}


def sheet(added: Mapping[str, Sequence[str]] | None = None, **changes: Any) -> MechSheet:
    """A 50-ton 'Mech 4/6/0 with ten single heat sinks (eight in the engine of 200, two in the legs)."""
    slots = {"HD": HEAD[:], "CT": CENTRE[:], "RT": [], "LT": [], "RA": ARM[:], "LA": ARM[:], "RL": LEG[:], "LL": LEG[:]}
    if changes.get("heat_sink_type", "single") == "single":
        slots["RL"].append("Heat Sink")
        slots["LL"].append("Heat Sink")
    for place, names in (added or {}).items():
        slots[place] += names
    made = MechSheet("Test", "T-1", tons=50, engine_rating=200, armor=dict(ARMOR), slots=slots)
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def build(added: Mapping[str, Sequence[str]] | None = None, **changes: Any) -> UnitSpec:
    return build_mech(sheet(added, **changes))


def refusal(made: MechSheet) -> str:
    with pytest.raises(InputError) as caught:
        build_mech(made)
    return str(caught.value)


def test_movement_structure_and_sinks() -> None:
    spec = build()
    assert (spec.walk, spec.run, spec.jump) == (4, 6, 0)
    assert spec.structure == (3, 16, 12, 12, 8, 8, 12, 12)
    assert (spec.sinks, spec.sink_rating, spec.heat_capacity) == (10, 1, 10)
    assert spec.sink_locations == (RL, LL)
    assert (spec.weight_class, spec.tech, spec.case) == ("medium", "IS", frozenset())


def test_a_primitive_engine_gives_less() -> None:
    # 4 MP for 50 tons take a rating of 200, of a primitive engine 240
    assert (build(engine_rating=240).walk, build(engine_rating=240, primitive=True).walk) == (4, 4)
    assert build(engine_rating=200, primitive=True).walk == 3


def test_running_mp_round_up() -> None:
    assert build(engine_rating=250).run == 8


def test_slots_of_one_weapon_share_a_reference() -> None:
    spec = build({"RA": ["PPC"] * 3 + ["Medium Laser"], "LA": ["Medium Laser"] * 2})
    assert [(m.id, m.location) for m in spec.mounts] == [
        ("is_ppc", RA),
        ("is_medium_laser", RA),
        ("is_medium_laser", LA),
        ("is_medium_laser", LA),
    ]
    assert [slot.ref for slot in spec.slots[RA][4:8]] == [0, 0, 0, 1]
    assert [slot.ref for slot in spec.slots[LA][4:6]] == [2, 3]


def test_a_weapon_whose_slots_are_interrupted_is_one_weapon() -> None:
    spec = build({"RT": ["PPC", "Medium Laser", "PPC", "PPC"]})
    assert [slot.ref for slot in spec.slots[RT][:4]] == [0, 1, 0, 0]


def test_rear_weapon() -> None:
    spec = build({"CT": ["Medium Laser (R)"], "LT": ["Medium Laser"]})
    assert {(m.location, m.rear) for m in spec.mounts} == {(CT, True), (LT, False)}


def test_split_weapon_fires_from_the_torso() -> None:
    spec = build({"RA": ["ISAC20 (Split)"] * 4, "RT": ["ISAC20 (Split)"] * 6, "LT": ["IS Ammo AC/20"]})
    (mount,) = spec.mounts
    assert (mount.location, mount.split_location) == (RT, RA)
    assert [slot.ref for slot in spec.slots[RA][4:8]] == [0] * 4


def test_split_weapon_that_rules_do_not_use_is_one_item() -> None:
    spec = build({"RA": ["ISSniperArtCannon (Split)"] * 8, "RT": ["ISSniperArtCannon (Split)"] * 7})
    assert [(e.kind, e.location) for e in spec.equipment] == [("other", RT)]
    assert spec.unmodelled == ("ISSniperArtCannon (RT)",)


def test_modes_of_an_ultra_autocannon_share_the_ammunition() -> None:
    (mount,) = build({"RT": ["ISUltraAC5"] * 5, "LT": ["IS Ultra AC/5 Ammo"]}).mounts
    assert [(m.name, m.shots) for m in mount.modes] == [("", 1), ("double", 2)]


@pytest.mark.parametrize(
    ("ammo", "modes"),
    [
        (["IS LB 10-X AC Ammo"], [""]),
        (["IS LB 10-X Cluster Ammo"], ["cluster"]),
        (["IS LB 10-X AC Ammo", "ISLBXAC10 CL Ammo"], ["", "cluster"]),
        ([], [""]),
    ],
)
def test_lbx_fires_what_it_carries(ammo: list[str], modes: list[str]) -> None:
    (mount,) = build({"RT": ["ISLBXAC10"] * 6, "LT": ammo}).mounts
    assert [m.name for m in mount.modes] == modes


def test_mml_fires_the_missiles_it_carries() -> None:
    spec = build({"RT": ["ISMML5"] * 3, "LT": ["ISMML5 LRM Ammo", "ISMML5 SRM Ammo"]})
    assert [m.ammo for m in spec.mounts[0].modes] == ["is_mml5:lrm", "is_mml5:srm"]
    # 5 long-range missiles of 1, 5 short-range missiles of 2; 24 and 20 salvos a ton
    assert [(b.shots, b.explosion_per_shot) for b in spec.bins] == [(24, 5), (20, 10)]


def test_atm_plain_ammunition_is_the_standard_one() -> None:
    spec = build(
        {"RT": ["CLATM6"] * 3, "LT": ["Clan Ammo ATM-6", "Clan Ammo ATM-6 HE"]}, tech="Clan", heat_sink_type="double_clan"
    )
    assert [m.ammo for m in spec.mounts[0].modes] == ["clan_atm6:std", "clan_atm6:he"]
    assert [b.explosion_per_shot for b in spec.bins] == [12, 18]


@pytest.mark.parametrize(
    ("name", "kind", "shots", "per_shot"),
    [
        ("IS Ammo LRM-20", "is_lrm20", 6, 20),
        ("LRM 15 Ammo", "is_lrm15", 8, 15),
        ("IS Ammo SRM-6", "is_srm6", 15, 12),
        ("IS Ammo SRM-6 Narc-capable", "is_srm6:narc", 15, 12),
        ("IS Ammo LRM-10 Artemis-capable", "is_lrm10:artemis", 12, 10),
        ("IS Streak SRM 2 Ammo", "is_ssrm2", 50, 4),
        ("IS Ammo AC/20", "is_ac20", 5, 20),
        ("IS Ammo MG - Full", "is_mg", 200, 2),
        ("IS Ammo MG - Half", "is_mg", 100, 2),
        ("Half Machine Gun Ammo", "is_mg", 100, 2),
        ("IS LB 10-X Cluster Ammo", "is_lb10x:cluster", 10, 10),
        ("IS Ultra AC/5 Ammo", "is_uac5", 20, 5),
        ("IS Ammo MRM-30", "is_mrm30", 8, 30),
        ("IS Thunderbolt-10 Ammo", "is_thunderbolt10", 6, 10),
        ("ISPlasmaRifleAmmo", "is_plasma_rifle", 10, 0),
        ("IS Gauss Ammo", "is_gauss", 8, 0),
        ("ISAMS Ammo", "is_ams", 12, 2),
        ("ISNarc Pods", "is_narc", 6, 2),
        ("ISNarc Explosive Pods", "is_narc:explosive_pods", 6, 4),
        ("ISiNarc Pods", "is_inarc", 4, 3),
        ("IS Machine Gun Ammo (1/2 ton)", "is_mg", 100, 2),
        ("IS LB 10-X AC Ammo - Slug", "is_lb10x", 10, 10),
        ("IS Ammo 10-X (CL)", "is_lb10x:cluster", 10, 10),
        ("Clan Ammo LRM-20", "clan_lrm20", 6, 20),
        ("Clan Machine Gun Ammo - Full", "clan_mg", 200, 2),
        ("IS Ammo LRM-10 Semi-guided", "is_lrm10:semi_guided", 12, 10),
        ("Clan Ammo LRM-20 (Clan) Artemis V-capable", "clan_lrm20", 6, 20),
        ("IS Ammo SRM-6 Inferno", "is_srm6:inferno", 15, 12),
        ("ISMG Ammo (100)", "is_mg", 100, 2),
        ("IS Ammo MML-5 LRM Artemis-capable", "is_mml5:lrm:artemis", 24, 5),
        ("Clan Rotary AC/5 Ammo", "other:clanrotaryac5ammo", 0, 0),
        ("IS Arrow IV Ammo", "is_arrow_iv", 5, 20),
        ("IS Arrow IV Homing Ammo", "is_arrow_iv:homing", 5, 20),
        ("Clan Arrow IV Non-Homing Ammo", "clan_arrow_iv", 5, 20),
        ("Clan Arrow IV FASCAM Ammo", "clan_arrow_iv:fascam", 5, 20),
        ("IS Long Tom Ammo", "is_long_tom", 5, 25),
        ("IS Cruise Missile/50 Ammo", "other:Cruise Missile/50", 1, 50),
    ],
)
def test_ammunition(name: str, kind: str, shots: int, per_shot: int) -> None:
    (found,) = build({"LT": [name]}).bins
    assert (found.kind, found.shots, found.explosion_per_shot, found.location) == (kind, shots, per_shot, LT)


def test_munition_is_a_mode_of_its_own() -> None:
    (mount,) = build({"RT": ["ISLRM10"] * 2, "LT": ["IS Ammo LRM-10", "IS Ammo LRM-10 Narc-capable"]}).mounts
    assert [(m.name, m.ammo) for m in mount.modes] == [("", "is_lrm10"), ("narc", "is_lrm10:narc")]


def test_munition_that_no_rule_uses_explodes_but_is_not_fired() -> None:
    spec = build({"RT": ["ISSRM6"] * 2, "LT": ["IS Ammo SRM-6 Tandem-Charge"]})
    assert [m.ammo for m in spec.mounts[0].modes] == ["is_srm6"]
    assert spec.bins[0].explosion_per_shot == 12
    assert spec.unmodelled == ("IS Ammo SRM-6 Tandem-Charge (LT)",)


def test_artemis_serves_the_launchers_of_its_location_in_order() -> None:
    spec = build({"RT": ["ISSRM6"] * 4 + ["ISArtemisIV"] * 2, "LT": ["ISLRM5", "ISArtemisIV"], "RA": ["ISSRM4"]})
    by_id = {(m.id, m.location, m.index): m.artemis for m in spec.mounts}
    artemis = [e.index for e in spec.equipment if e.kind == "artemis_iv" and e.location == RT]
    assert [by_id[k] for k in sorted(by_id, key=lambda k: k[2]) if k[1] == RT] == artemis
    assert next(v for k, v in by_id.items() if k[0] == "is_srm4") == -1
    assert next(v for k, v in by_id.items() if k[0] == "is_lrm5") >= 0


def test_artemis_without_launcher_is_reported() -> None:
    told: list[tuple[str, str]] = []
    build_mech(sheet({"RT": ["ISArtemisIV"]}), lambda message, place: told.append((message, place)))
    assert told == [("ISArtemisIV in RT has no launcher to serve", "slots.RT")]


@pytest.mark.parametrize("name", ["ISSRM2OS", "ISSRM2IOS", "SRM 2 (I-OS)", "SRM 2 (OS)", "SRM 2 OS"])
def test_one_shot_launcher_needs_no_ammunition(name: str) -> None:
    (mount,) = build({"RT": [name]}).mounts
    assert (mount.id, mount.one_shot, mount.modes[0].ammo, mount.modes[0].shots) == ("is_srm2", True, "", 0)


def test_rocket_launcher_is_one_shot() -> None:
    assert build({"RT": ["Rocket Launcher 10"]}).mounts[0].one_shot


@pytest.mark.parametrize(
    ("name", "tech", "clan_chassis", "id"),
    [
        ("CLERLargeLaser", "Clan", False, "clan_er_large_laser"),
        ("ER Large Laser", "Clan", False, "clan_er_large_laser"),
        ("ER Large Laser", "Inner Sphere", False, "is_er_large_laser"),
        ("ER Large Laser", "Mixed", False, "is_er_large_laser"),
        ("ER Large Laser", "Mixed", True, "clan_er_large_laser"),
        ("Clan ER Large Laser", "Mixed", False, "clan_er_large_laser"),
        ("ER Large Laser [Clan]", "Mixed", False, "clan_er_large_laser"),
        ("ISERLargeLaser", "Mixed", True, "is_er_large_laser"),
        ("ISERLargeLaser", "Clan", False, "is_er_large_laser"),
        ("Large Laser", "Clan", False, "is_large_laser"),
        ("Heavy Large Laser", "Inner Sphere", False, "clan_heavy_large_laser"),
    ],
)
def test_tech_base_of_a_weapon(name: str, tech: str, clan_chassis: bool, id: str) -> None:
    size = 1 if id == "clan_er_large_laser" else 3 if "heavy" in id else 2
    (mount,) = build({"RT": [name] * size}, tech=tech, clan_chassis=clan_chassis).mounts
    assert mount.id == id


def test_plain_ammunition_on_a_mixed_unit_fits_the_launcher_aboard() -> None:
    spec = build({"RT": ["CLLRM20"] * 4, "LT": ["LRM 20 Ammo"]}, tech="Mixed")
    assert spec.bins[0].kind == "clan_lrm20"
    assert spec.mounts[0].modes[0].ammo == "clan_lrm20"


def test_case_of_the_inner_sphere_stands_where_its_slot_is() -> None:
    assert build({"LT": ["IS Ammo AC/20", "ISCASE"], "RT": ["IS Ammo AC/20"]}).case == {LT}


def test_case_of_the_clans_is_wherever_something_explodes() -> None:
    added = {"LT": ["Clan Ammo LRM-20"], "RT": ["CLGaussRifle"] * 6, "RA": ["Clan Gauss Ammo"], "LA": ["CLERPPC"] * 2}
    assert build(added, tech="Clan", heat_sink_type="double_clan").case == {LT, RT}


def test_double_heat_sinks() -> None:
    inner = build({"LT": ["ISDoubleHeatSink"] * 3}, heat_sink_type="double_is", heat_sinks=9)
    assert (inner.heat_capacity, inner.sink_locations) == (18, (LT,))
    clan = build({"LT": ["CLDoubleHeatSink"] * 4}, heat_sink_type="double_clan", tech="Clan")
    assert (clan.heat_capacity, clan.sink_locations) == (20, (LT, LT))


def test_heat_sinks_that_do_not_add_up_are_reported() -> None:
    told: list[str] = []
    build_mech(sheet(heat_sinks=14), lambda message, place: told.append(place))
    assert told == ["heat_sinks"]


def test_jump_jets() -> None:
    spec = build({"RL": ["Jump Jet"], "LL": ["Jump Jet"], "CT": ["Jump Jet"]}, jump=3)
    assert (spec.jump, spec.jet_locations) == (3, (CT, RL, LL))


@pytest.mark.parametrize(
    ("name", "count", "kind"),
    [
        ("Hatchet", 4, "hatchet"),
        ("Sword", 3, "sword"),
        ("ISTargeting Computer", 4, "targeting_computer"),
        ("ISGuardianECMSuite", 2, "ecm"),
        ("BeagleActiveProbe", 2, "probe"),
        ("CLActiveProbe", 1, "probe"),
        ("CLLightActiveProbe", 1, "probe"),
        ("CLECMSuite", 1, "ecm"),
        ("ISC3SlaveUnit", 1, "c3_slave"),
        ("ISC3MasterUnit", 5, "c3_master"),
        ("ISC3iUnit", 2, "c3i"),
        ("ISMASC", 3, "masc"),
        ("Supercharger", 2, "supercharger"),
    ],
)
def test_equipment(name: str, count: int, kind: str) -> None:
    spec = build({"RA": [name] * count})
    (found,) = spec.equipment
    assert (found.kind, found.location, spec.unmodelled) == (kind, RA, ())
    assert [s.ref for s in spec.slots[RA][4 : 4 + count]] == [0] * count


def test_triple_strength_myomer_fills_slots_that_are_not_hit() -> None:
    spec = build({"LT": ["TSM"] * 3, "RT": ["TSM"] * 3})
    assert [e.kind for e in spec.equipment] == ["tsm"]
    assert not any(slot.hittable for slot in spec.slots[LT])


def test_armour_and_structure_slots_are_not_hit() -> None:
    spec = build({"LT": ["Ferro-Fibrous", "IS Endo Steel", "Clan Ferro-Fibrous"]})
    assert [slot.kind for slot in spec.slots[LT][:3]] == ["armour", "structure", "armour"]


def test_point_defence_tag_and_narc_are_mounts() -> None:
    spec = build({"LT": ["ISTAG", "ISNarcBeacon", "ISNarcBeacon", "ISAntiMissileSystem"]})
    assert [m.id for m in spec.mounts] == ["tag", "is_narc", "is_ams"]


def test_what_no_rule_uses_is_listed() -> None:
    spec = build({"LT": ["ISAPod", "Widget Projector"]})
    assert spec.unmodelled == ("ISAPod (LT)", "Widget Projector (LT)")
    assert [e.kind for e in spec.equipment] == ["other", "other"]
    assert build(armor_type="stealth", structure="reinforced").unmodelled == ("stealth armour", "reinforced structure")


def test_quad() -> None:
    slots = dict.fromkeys(("FRL", "FLL", "RRL", "RLL"), LEG[:]) | {"HD": HEAD[:], "CT": CENTRE[:], "RT": [], "LT": []}
    names = {"RA": "FRL", "LA": "FLL", "RL": "RRL", "LL": "RLL"}
    armor = {names.get(place, place): points for place, points in ARMOR.items()}
    spec = build_mech(sheet(config="Quad", slots=slots, armor=armor))
    # all four legs have the structure of legs
    assert spec.structure == (3, 16, 12, 12, 12, 12, 12, 12)
    assert spec.has(RA, "hip") and len(spec.slots[RA]) == 6


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("-Empty-", "empty"),
        ("", "empty"),
        ("hip", "hip"),
        ("Fusion Engine", "engine"),
        ("CLDoubleHeatSink (omnipod)", "heat_sink"),
    ],
)
def test_names(line: str, kind: str) -> None:
    assert understand(line).kind == kind


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tons": 53}, "53 tons is no weight"),
        ({"config": "Tripod"}, "'Tripod' is not supported"),
        ({"engine_rating": 40}, "does not move 50 tons"),
        ({"walk": 5}, "walking MP 5 do not fit"),
        ({"jump": -1}, "jumping MP cannot be -1"),
        ({"engine": "steam"}, "engine of kind 'steam'"),
        ({"gyro": "loose"}, "gyro of kind 'loose'"),
        ({"cockpit": "sofa"}, "cockpit of kind 'sofa'"),
        ({"heat_sink_type": "triple"}, "no kind of heat sink"),
        ({"armor": {**ARMOR, "XX": 3}}, "unknown location 'XX'"),
        ({"armor": {**ARMOR, "HD": 10}}, "10 points of armour on HD: a 'Mech of 50 tons carries at most 9"),
        ({"armor": {**ARMOR, "CT": 27}}, "33 points of armour on CT: a 'Mech of 50 tons carries at most 32"),
        ({"armor": {**ARMOR, "RA": -1}}, "cannot be negative"),
        ({"armor": {k: v for k, v in ARMOR.items() if k != "LL"}}, "no armour given for LL"),
    ],
)
def test_impossible_sheets_are_refused(changes: dict[str, Any], words: str) -> None:
    assert words in refusal(sheet(**changes))


@pytest.mark.parametrize(
    ("added", "words"),
    [
        ({"HD": ["Medium Laser"]}, "HD has 6 slots"),
        ({"RL": ["Heat Sink"] * 2}, "RL has 6 slots"),
        ({"RT": ["PPC"] * 2}, "PPC takes 3 slots, 2 found in RT"),
        ({"RT": ["PPC"], "LT": ["PPC"] * 2}, "PPC takes 3 slots, 1 found in RT"),
        ({"LT": ["PPC Ammo"]}, "needs no ammunition"),
    ],
)
def test_impossible_slots_are_refused(added: dict[str, list[str]], words: str) -> None:
    made = sheet(added)
    made.slots["RL"] = [*made.slots["RL"], "Heat Sink"] if "RL" in added else made.slots["RL"]
    assert words in refusal(made)


def test_missing_and_unknown_slots_are_refused() -> None:
    made = sheet()
    del made.slots["LT"]
    assert "no slots given for LT" in refusal(made)
    made = sheet()
    made.slots["LTT"] = []
    assert "unknown location 'LTT'" in refusal(made)
    made = sheet()
    made.slots["HD"][2] = "-Empty-"
    assert "no cockpit slot" in refusal(made)


def test_rounded_walking_mp_and_missing_rear_armour_are_reported() -> None:
    told: list[str] = []
    made = sheet(engine_rating=215, armor={k: v for k, v in ARMOR.items() if k != "LTR"})
    spec = build_mech(made, lambda message, place: told.append(message))
    assert spec.walk == 4
    assert len(told) == 2


def test_a_message_names_the_line_of_the_source() -> None:
    made = sheet(source="broken.mtf", lines={"mass": 12}, tons=7)
    assert refusal(made).startswith("broken.mtf, line 12: 7 tons")


def test_engine_slots_that_do_not_fit_are_reported() -> None:
    told: list[str] = []
    build_mech(sheet(engine="xl_is"), lambda message, place: told.append(place))
    assert told == ["slots.RT", "slots.LT"]


def test_head_and_leg_mounts() -> None:
    made = sheet({"LL": ["Medium Laser"]})
    made.slots["HD"][3] = "Small Laser"
    assert {m.location for m in build_mech(made).mounts} == {HD, LL}
    assert build_mech(made).has(LA, "hand")
