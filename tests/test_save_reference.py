"""Real saves against the truth beside them, field by field, as read and as a battle. Rules: S-1, S-5, E-1."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from opfor.board.board import Hex
from opfor.formats.megamek.board import read_board
from opfor.formats.megamek.save import read_save
from opfor.formats.megamek.save_battle import battle_from_save
from opfor.rules.moving.movement import movement_points
from opfor.rules.vehicles.crew_conditions import COMMANDER, COPILOT, DRIVER, PILOT
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import REAR_ARMOR
from opfor.units.state import UnitState
from tests.save_truth import NOT_IN_FILE, cut, differences, game_as_truth

SAVES = (
    "01_battletech_fire_mines_r06_movement",
    "02_lake_area_r05_firing",
    "03_mixed_city_r04_movement",
    "04_wrecks_shutdown_r07_initiative",
)


def truth_of(reference: Path, name: str) -> tuple[Path, dict[str, Any]]:
    """A save, and its truth."""
    path = reference / "saves" / f"{name}.sav.gz"
    if not path.is_file():
        pytest.skip(f"no {path}")
    return path, json.loads(path.with_name(f"{name}.truth.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", SAVES)
def test_read_as_the_truth_says(reference: Path, name: str) -> None:
    """Everything that the file holds is read as the program itself reads it."""
    path, truth = truth_of(reference, name)
    found = game_as_truth(read_save(path))
    left_out = {"format", "program", "save", "moment", "yet_to_act"}
    units = {unit["id"]: cut(unit, NOT_IN_FILE) for unit in truth["units"]}
    for unit in units.values():
        unit.pop("tons")  # infantry weighs nothing in the file
        for item in (*unit["weapons"], *unit["ammo"]):
            item.pop("name")  # how the program shows it
        if "infantry" in unit:
            unit["locations"].pop()  # field guns: the file says 0 where the program says what the troopers were
    wanted = {key: value for key, value in truth.items() if key not in left_out} | {"units": units}
    for player in wanted["players"]:
        for key in ("starting_pos", "initial_units", "initial_bv"):
            player.pop(key)
    for unit in found["units"].values():
        if "infantry" in unit:
            unit["locations"].pop()
    for rows in (found["board"]["rows"], wanted["board"]["rows"]):
        for row in rows:
            row[:] = [_sorted(words) for words in row]
    wrong = list(differences(found, wanted))
    assert not wrong, "\n".join(wrong)


def _sorted(words: str) -> str:
    level, _, rest = words.partition(" ")
    return f"{level} {';'.join(sorted(rest.split(';')))}".strip()


# -- as a battle ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["campaign", "standard"])
@pytest.mark.parametrize("own_sheets", [False, True])
@pytest.mark.parametrize("name", SAVES)
def test_the_battle_is_as_the_truth_says(
    reference: Path, name: str, ruleset: str, own_sheets: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a battle here can hold of a save stands in it as the program itself says, whoever describes the units."""
    path, truth = truth_of(reference, name)
    if own_sheets:
        # as if no catalogue knew any of them: all are built from the save itself
        monkeypatch.setattr("opfor.formats.unit_files._catalogue_ways", dict)
    battle, notes = battle_from_save(path, ruleset=ruleset)
    state = battle.state
    wrong = list(differences(battle_as_truth(state, truth, battle.document), battle_truth(truth)))
    assert not wrong, "\n".join(wrong)
    assert board_of(state) == board_of_truth(truth)
    left_out = [u for u in truth["units"] if u["class"] == "MechWarrior"]
    assert len(state.units) == len(truth["units"]) - len(left_out)
    for unit in left_out:
        assert any(f"unit {unit['id']})" in note.message and "left out" in note.message for note in notes)
    for mine in truth["minefields"]:
        if mine["type"] != "Conventional":
            assert any(mine["type"] in note.message for note in notes)
    assert not [note for note in notes if note.severity == "error"]
    # nothing of the prose of unit files comes along
    assert "fluff" not in str(battle.document)


def battle_truth(truth: dict[str, Any]) -> dict[str, Any]:
    """The part of a truth that a battle holds."""
    phase = {"MOVEMENT": "movement", "FIRING": "fire", "INITIATIVE_REPORT": "initiative"}[truth["phase"]]
    sides = {"Eridani": "players", "OpFor": "opfor"}
    best = truth["initiative"]["winner_team"]
    teams = {player["team"]: sides[player["name"]] for player in truth["players"]}
    found: dict[str, Any] = {
        "turn": truth["round"],
        "phase": phase,
        "initiative": [*(side for team, side in teams.items() if team != best), teams[best]],
        "fires": [fire["hex"] for fire in truth["fires"]],
        "smoke": {smoke["hex"]: smoke["level"] for smoke in truth["smoke"]},
        "buildings": {row["hex"]: row["cf"] for building in truth["buildings"] for row in building["hexes"]},
        "mines": {mine["hex"]: (mine["density"], True) for mine in truth["minefields"] if mine["type"] == "Conventional"},
        "wind": -1 if truth["conditions"]["wind"] == "Calm" else truth["conditions"]["wind_direction"],
        "units": {},
    }
    for unit in truth["units"]:
        if unit["class"] != "MechWarrior":
            found["units"][unit["id"]] = unit_truth(unit, phase, sides)
    return found


MODES = {"MOVE_NONE": "stand", "MOVE_WALK": "walk", "MOVE_RUN": "run", "MOVE_JUMP": "jump", "MOVE_VTOL_RUN": "run"}


def unit_truth(unit: dict[str, Any], phase: str, sides: dict[str, str]) -> dict[str, Any]:
    """The part of a unit's truth that a battle holds."""
    mech, vehicle = "system_hits" in unit, "vehicle" in unit
    alive = unit["in_game"] and not unit["destroyed"]
    acted = alive and (phase == "fire" or (phase == "movement" and unit["done_this_phase"]))
    moved = unit["this_round"]
    found = {
        "side": sides[unit["owner"]],
        "name": unit["crew"]["name"],
        "in_game": alive,
        "position": unit["position"],
        "facing": unit["facing"],
        "secondary_facing": unit["secondary_facing"] if mech or vehicle else unit["facing"],
        "elevation": unit["elevation"] if alive else None,
        "moved": (MODES[moved["moved"]], moved["hexes"], moved["mp_used"]) if acted else None,
        "acted": alive and phase == "fire" and unit["done_this_phase"],
        "prone": unit["prone"],
        "shutdown": unit["shutdown"],
        "stuck": unit["stuck"],
        "heat": unit["heat"] if mech else 0,
        "heat_built": unit["heat_buildup"] if mech and alive and phase != "initiative" else 0,
        "skills": (unit["crew"]["gunnery"], unit["crew"]["piloting"]),
        "hits": unit["crew"]["hits"] if mech else 0,
        "conscious": unit["crew"]["active"],
        "mp": unit["mp_now"] if alive and mech and not unit["shutdown"] and unit["crew"]["active"] else None,
        "immobile": unit["immobile"] if alive else None,
        "locations": {},
        # a bin in a lost location holds nothing
        "ammo": [(a["loc"], 0 if place_lost(unit, a["loc"]) else a["usable"]) for a in unit["ammo"] if not a["one_shot"]],
        "weapons_lost": sorted(
            (w["loc"], w["rear"])
            for w in unit["weapons"]
            if (w["destroyed"] or w["hit"] or w["missing"] or place_lost(unit, w["loc"])) and alive
        ),
    }
    for row in unit["locations"]:
        if row["loc"] in ("FGUN", "BD"):
            continue
        name = "TR" if row["loc"] == "TPRS" else row["loc"]
        found["locations"][name] = (row["armor"], row.get("rear"), row["structure"])
    if mech:
        gone = {row["loc"] for row in unit["locations"] if row["destroyed"]}
        found["slots"] = sorted((h["loc"], h["slot"]) for h in unit["critical_hits"] if h["loc"] not in gone)
        live = {"engine": 0, "gyro": 0, "sensors": 0}
        if alive:
            found["systems"] = {key: unit["system_hits"][key] for key in live}
    if vehicle:
        v = unit["vehicle"]
        found["vehicle"] = {
            "cruise_lost": v["motive_damage_mp"],
            "motive": [v["minor"], v["moderate"], v["heavy"]],
            "immobilised": v["immobilised"] or v["engine_hit"],
            "stunned": v["crew_stunned_turns"],
            "sensors": v["sensor_hits"],
            "engine_hit": v["engine_hit"],
            "turret": 2 if v["turret_locked"] else 1 if v["turret_jammed"] else 0,
            "has_turret": v["has_turret"],
            "stabilisers": v["stabilisers_hit"],
            "crew": (v["driver_hit"], v["commander_hit"]),
        }
    return found


def place_lost(unit: dict[str, Any], name: str) -> bool:
    """Whether a location is gone."""
    return any(row["loc"] == name and row["destroyed"] for row in unit["locations"])


def battle_as_truth(state: State, truth: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """The battle in the same form."""
    grid, hexes = state.board.grid, state.board.hexes
    cells = [grid.cell(x, y) for y in range(grid.height) for x in range(grid.width)]
    numbers = {entry["id"]: int(entry["notes"].rpartition(" ")[2]) for entry in document["units"]}
    return {
        "turn": state.turn,
        "phase": state.phase,
        "initiative": [state.sides[side] for side in state.initiative],
        "fires": [grid.names[cell] for cell in cells if hexes[cell].fire],
        "smoke": {grid.names[cell]: hexes[cell].smoke for cell in cells if hexes[cell].smoke},
        "buildings": {grid.names[cell]: hexes[cell].building_cf for cell in cells if hexes[cell].building},
        "mines": {
            # who laid it knows of it
            grid.names[cell]: (hexes[cell].mines, layer_knows(truth, grid.names[cell], hexes[cell].mines_known, state.sides))
            for cell in cells
            if hexes[cell].mines
        },
        "wind": state.wind,
        "units": {numbers[unit.id]: unit_found(state, unit, numbers[unit.id], truth) for unit in state.units},
    }


def layer_knows(truth: dict[str, Any], name: str, known: int, sides: tuple[str, ...]) -> bool:
    """Whether the side that laid a minefield is among those who know of it."""
    layer = next(mine["player"] for mine in truth["minefields"] if mine["hex"] == name)
    return bool(known >> sides.index("opfor" if layer == "OpFor" else "players") & 1)


def unit_found(state: State, unit: UnitState, number: int, truth: dict[str, Any]) -> dict[str, Any]:
    """A unit of the battle in the form of :func:`unit_truth`."""
    spec = unit.spec
    said = next(u for u in truth["units"] if u["id"] == number)
    found: dict[str, Any] = {
        "side": state.sides[unit.side],
        "name": unit.name,
        "in_game": unit.alive,
        "position": state.board.grid.names[unit.cell],
        "facing": unit.facing,
        "secondary_facing": unit.torso_facing,
        "elevation": unit.elevation if unit.alive else None,
        "moved": (unit.mode, unit.hexes_moved, unit.mp_spent) if unit.moved else None,
        "acted": unit.acted,
        "prone": unit.prone,
        "shutdown": unit.shutdown,
        "stuck": unit.stuck,
        "heat": unit.heat,
        "heat_built": unit.heat_built,
        "skills": (unit.gunnery, unit.piloting),
        "hits": unit.pilot_hits,
        "conscious": unit.conscious,
        "mp": mp_found(state, unit) if unit.active and spec.is_mech else None,
        "immobile": unit.immobile if unit.alive else None,
        "locations": {},
        # bins in the order of the truth, which is that of the equipment
        "ammo": in_order([(spec.location_name(b.location), unit.ammo[b.index]) for b in spec.bins], said),
        "weapons_lost": sorted(
            (spec.location_name(m.location), m.rear) for m in spec.mounts if unit.mounts_lost >> m.index & 1 and unit.alive
        ),
    }
    for index, name in enumerate(spec.locations):
        if name != "BD" and spec.structure[index]:
            rear = unit.armor[REAR_ARMOR[index]] if spec.is_mech and index in REAR_ARMOR else None
            found["locations"][name] = (unit.armor[index], rear, unit.structure[index])
    if spec.is_mech:
        found["slots"] = sorted(
            (spec.locations[location], slot + 1)
            for location, mask in enumerate(unit.slots_hit)
            for slot in range(12)
            if mask >> slot & 1 and unit.structure[location] > 0
        )
        if unit.alive:
            found["systems"] = {"engine": unit.engine_hits, "gyro": unit.gyro_hits, "sensors": unit.sensor_hits}
    if spec.is_vehicle:
        found["vehicle"] = {
            "cruise_lost": unit.cruise_lost,
            "motive": [bool(unit.motive_hits >> bit & 1) for bit in range(3)],
            "immobilised": unit.immobilized,
            "stunned": unit.stunned,
            "sensors": unit.sensor_hits,
            "engine_hit": unit.engine_dead,
            "turret": unit.turret,
            "has_turret": spec.turret,
            "stabilisers": [name for bit, name in enumerate(spec.locations) if unit.stabilizers >> bit & 1],
            "crew": (bool(unit.crew & (DRIVER | PILOT)), bool(unit.crew & (COMMANDER | COPILOT))),
        }
    return found


def mp_found(state: State, unit: UnitState) -> dict[str, int]:
    """Walking, running and jumping MP by the rules here."""
    points = movement_points(state, unit)
    return {"walk": points.walk, "run": points.run, "jump": points.jump}


def in_order(bins: list[tuple[str, int]], said: dict[str, Any]) -> list[tuple[str, int]]:
    """Bins as the truth lists them: by location in its order."""
    order = [row["loc"] for row in said["ammo"]]
    return sorted(bins, key=lambda row: order.index(row[0]) if row[0] in order else 99)


def board_of(state: State) -> list[Hex]:
    """The hexes without mines, which stand in no board file."""
    grid = state.board.grid
    cells = [grid.cell(x, y) for y in range(grid.height) for x in range(grid.width)]
    return [replace(state.board.hexes[cell], mines=0, mines_known=0) for cell in cells]


def board_of_truth(truth: dict[str, Any]) -> list[Hex]:
    """The same of the truth's rows, read as a board file without what the program works out."""
    skip = set(table("mm_names")["worked_out"])
    lines = [f"size {truth['board']['width']} {truth['board']['height']}", "option exit_roads_to_pavement false"]
    for y, row in enumerate(truth["board"]["rows"]):
        for x, words in enumerate(row):
            level, _, rest = words.partition(" ")
            kept = ";".join(part for part in rest.split(";") if part.partition(":")[0] not in skip)
            lines.append(f'hex {x + 1:02d}{y + 1:02d} {level} "{kept}" ""')
    board, _ = read_board("\n".join([*lines, "end", ""]), "truth")
    grid = board.grid
    return [board.hexes[grid.cell(x, y)] for y in range(grid.height) for x in range(grid.width)]
