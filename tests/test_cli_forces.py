"""Forces in and out on the command line: `opfor new` from a .mul file, `opfor muster` back into one. Rule: S-11."""

from __future__ import annotations

from pathlib import Path

from opfor.formats.megamek.mul import read_mul
from opfor.formats.unit_files import finder
from tests.cli_support import opfor, opfor_json, ridge

FORCE = """<?xml version="1.0" encoding="UTF-8"?>
<unit version="0.49.13">
 <entity chassis="Wolverine" model="WVR-6R" type="Biped" externalId="w-1">
  <pilot name="Ann" gunnery="3" piloting="4"/>
  <location index="1"> Center Torso <armor points="12"/></location>
 </entity>
 <entity chassis="Vedette Medium Tank" model="(Standard)" type="Tracked" externalId="v-1">
  <pilot name="Bo" gunnery="4" piloting="5"/>
 </entity>
 <entity chassis="Vedette Medium Tank" model="(Standard)" type="Tracked" externalId="v-2">
  <pilot name="Cy" gunnery="4" piloting="5"/>
 </entity>
 <entity chassis="Nonesuch" model="N-1" type="Biped"/>
</unit>
"""


def test_a_force_goes_into_a_battle_and_comes_out_again(tmp_path: Path) -> None:
    (tmp_path / "force.mul").write_text(FORCE, encoding="utf-8")
    battle, out = tmp_path / "battle.yaml", tmp_path / "after.mul"
    opfor("new", "-o", battle, "--players", "force.mul", "--opfor", "Foot Platoon (Rifle)", "--board", "market-town")
    text = battle.read_text(encoding="utf-8")
    # the second tank is hit: five points from its turret
    head, mark, tail = text.rpartition("    name: Cy\n")
    battle.write_text(head + mark + "    damage: {armor: {TU: 5}}\n" + tail, encoding="utf-8")
    said = opfor_json("muster", battle, "-o", out, "--side", "players", "--onto", tmp_path / "force.mul")
    assert said["remarks"] == ["Nonesuch N-1 of force.mul is not in the battle: left as it was"]
    entries = read_mul(out.read_text(encoding="utf-8"), "after.mul", finder())
    assert [entry.element.get("externalId") for entry in entries if entry.element] == ["w-1", "v-1", "v-2", ""]
    wolverine, first, second, unknown = (entry.unit for entry in entries)
    assert wolverine and first and second and unknown is None
    assert wolverine.armor[1] == 12 and wolverine.gunnery == 3
    assert (first.armor[5], second.armor[5]) == (20, 15)


def test_a_battle_makes_a_force_of_its_own(tmp_path: Path) -> None:
    out = tmp_path / "all.mul"
    result = opfor("muster", ridge(tmp_path), "-o", out)
    entries = read_mul(out.read_text(encoding="utf-8"), "all.mul", finder())
    assert f"{len(entries)} units" in result.stdout and all(entry.unit for entry in entries)


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    battle = ridge(tmp_path)
    assert "ends in .mul" in opfor("muster", battle, "-o", tmp_path / "x.txt", code=1).stderr
    assert "there is no side 'moon'" in opfor("muster", battle, "-o", tmp_path / "x.mul", "--side", "moon", code=1).stderr
    assert "no such file" in opfor("muster", battle, "-o", tmp_path / "x.mul", "--onto", tmp_path / "y.mul", code=1).stderr


def test_a_unit_that_the_force_lacks_is_added(tmp_path: Path) -> None:
    (tmp_path / "force.mul").write_text("<unit/>", encoding="utf-8")
    result = opfor("muster", ridge(tmp_path), "-o", tmp_path / "x.mul", "--onto", tmp_path / "force.mul")
    assert "is not in force.mul: added" in result.stderr
