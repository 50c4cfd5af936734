"""Falls and piloting numbers against reference values: every row agrees, there are no excepted categories."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from opfor.rules.moving.path_rolls import skid_modifier
from opfor.rules.pilots.falls import facing_after_fall, fall_damage
from opfor.rules.pilots.piloting import injury_number, piloting_number
from opfor.state import State
from opfor.units.state import UnitState
from tests.support import make_state

pytestmark = pytest.mark.oracle

#: our reasons by the reference's words; the modifiers of these words are the reason's own
REASONS = {
    "stand": "standing_up",
    "water1": "water_1",
    "water2": "water_2",
    "water3": "water_3",
    "rubble": "rubble",
    "swamp": "swamp",
    "skid": "skid",
    "run_damaged": "run_damaged",
    "land_damaged": "jump_damaged",
    "back_level": "backward_level",
}
ACTUATORS = {"hip": "hip", "upleg": "upper_leg", "loleg": "lower_leg", "foot": "foot"}


def rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def facts(reference: Path, kind: str) -> list[tuple[dict[str, str], dict[str, str]]]:
    found = []
    for row in rows(reference / "oracle" / "facts_movement.tsv"):
        if row["kind"] == kind:
            key, value = (dict(part.split("=") for part in row[column].split(";")) for column in ("key", "value"))
            found.append((key, value))
    return found


def mech_line(reference: Path, unit: str, name: str) -> str:
    text = (reference / unit).read_text(encoding="utf-8")
    found = re.search(rf"^{name}:\s*(.+)$", text, re.MULTILINE | re.IGNORECASE)
    assert found, f"{unit} has no {name}"
    return found[1].strip()


def unit_of(reference: Path, unit: str, state: str = "-") -> tuple[State, UnitState]:
    """A stand-in with the legs and the damage of a row's unit, pilot 5."""
    quad = mech_line(reference, unit, "config").lower().startswith("quad")
    entry: dict[str, Any] = {"id": "a", "at": "0805", "mech": {"quad": quad}, "hits": [], "lost": []}
    for part in state.split(",") if state != "-" else ():
        word, _, value = part.partition(":")
        if word in ACTUATORS:
            entry["hits"].append(f"{value}:{ACTUATORS[word]}")
        elif word == "legoff":
            entry["lost"].append(value)
        elif word == "gyro":
            entry["gyro_hits"] = int(value)
        elif word == "piloting":
            entry["piloting"] = int(value)
    battle = make_state(units=[entry])
    return battle, battle.units[0]


def test_fall_damage_and_pilot(reference: Path) -> None:
    found = facts(reference, "fall")
    assert len(found) > 100
    for key, value in found:
        state, unit = unit_of(reference, key["unit"])
        damage = fall_damage(int(key["tons"]), int(key["height"]), int(key["water_depth"]))
        assert damage == (int(value["damage_surface"]), int(value["damage_bottom"])), key
        assert injury_number(state, unit, "fall", 0, int(key["height"])).value == int(value["pilot_tn"]), key


def test_fall_facing(reference: Path) -> None:
    found = facts(reference, "fall_facing")
    assert len(found) > 10
    for key, value in found:
        assert facing_after_fall(int(key["facing"]), int(key["die"])) == (int(value["facing_after"]), value["side_hit"]), key


def test_skid_modifiers(reference: Path) -> None:
    for key, value in facts(reference, "hexes_mod"):
        assert skid_modifier(int(key["hexes"])) == int(value["skid_mod"]), key


def failed_rolls(reference: Path, table: str) -> Iterator[tuple[dict[str, str], str, int, dict[str, int]]]:
    """Rolls of 'Mechs in a table: row, reason, target number, modifiers by the reference's words."""
    for row in rows(reference / "oracle" / table):
        if not row["unit"].startswith("mechs/") or row["options"] != "-":
            continue
        for roll in row["rolls"].split(";"):
            found = re.fullmatch(r"(\w+)@[^:]*:(\d+)\((.*)\)", roll)
            if found is None:
                continue
            parts = dict(re.findall(r"(\w+?)(?:=|(?=[+-]))([+-]?\d+)(?:,|$)", found[3]))
            yield row, found[1], int(found[2]), {word: int(value) for word, value in parts.items()}


@pytest.mark.parametrize("table", ["paths.tsv", "outcomes.tsv"])
def test_piloting_numbers(reference: Path, table: str) -> None:
    count = 0
    for row, word, target, parts in failed_rolls(reference, table):
        state, unit = unit_of(reference, row["unit"], row["state"])
        if word.startswith("building"):
            reason, extra = "building", sum(value for part, value in parts.items() if part.startswith(("building", "moved")))
        else:
            reason, extra = REASONS[word], parts["skid"] if word == "skid" else 0
        number = piloting_number(state, unit, reason, extra)
        assert number.value == target, (row["id"], word, str(number))
        count += 1
    assert count > 20


def test_falls_in_play(reference: Path) -> None:
    count = 0
    for row, word, target, parts in failed_rolls(reference, "outcomes.tsv"):
        events = dict(part.split("=", 1) for part in row["events"].split(";") if "=" in part)
        if "fall_damage" not in events:
            continue
        text = row["events"]
        levels = int(re.search(r"levels=(\d+)", text)[1]) if "levels=" in text else 0  # type: ignore[index]
        points, _, side = events["fall_damage"].partition(",side=")
        tons = int(mech_line(reference, row["unit"], "mass"))
        damage = fall_damage(tons, levels, max(0, -int(row["end_elev"])))
        assert [n for n in damage if n] == [int(n) for n in points.split("+")], row["id"]
        die = int(row["dice"].split(",")[2])
        assert facing_after_fall(0, die)[1] == side, row["id"]
        state, unit = unit_of(reference, row["unit"], row["state"])
        number = injury_number(state, unit, REASONS[word], parts.get("skid", 0), levels)
        assert number.value == int(events["pilot_tn"]), (row["id"], target, str(number))
        count += 1
    assert count > 40
