"""Physical attacks between 'Mechs against reference values. Rule: S-8."""

from __future__ import annotations

import csv
from functools import lru_cache
from pathlib import Path

import pytest

from opfor.board.board import Board
from opfor.formats.boards import load_board
from opfor.formats.units import load_unit
from opfor.rules.melee.blows import physical_damage, physical_hit_table, physical_side
from opfor.rules.melee.charges import charge_damage, dfa_damage
from opfor.rules.melee.physical import physical_attack
from opfor.rulesets import read_ruleset
from opfor.state import State
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

pytestmark = pytest.mark.oracle
MODES = {"none": "stand", "walk": "walk", "run": "run", "jump": "jump"}
ATTACKS = {"tree_club": "club"}
#: modifiers here, by a part of their words, and the reference's names for them
PARTS = (
    ("target moved", "t_moved"),
    ("target jumped", "t_jump"),
    ("VTOL moved", "t_vtol_moved"),
    ("target prone", "t_prone_adjacent"),
    ("target immobile", "t_immobile"),
    ("target in light woods", "t_light_woods"),
    ("target in heavy woods", "t_heavy_woods"),
    ("partial cover", "partial_cover"),
    ("upper arm", "upper_arm"),
    ("lower arm", "lower_arm"),
    ("hand", "hand"),
    ("upper leg", "upper_leg"),
    ("lower leg", "lower_leg"),
    ("foot", "foot"),
    ("backward", "mule_kick"),
    ("spotting", "a_spotting"),
    ("walked", "a_walk"),
    ("ran", "a_run"),
    ("cruised", "a_walk"),
    ("flanked", "a_run"),
    ("jumped", "a_jump"),
    ("against the target's", "skill_difference"),
    ("shoulder", "shoulder"),
)
BASE = ("piloting", "driving", "kick", "push", "club", "hatchet", "sword", "charge", "death from above")


@lru_cache(maxsize=64)
def board_of(path: Path) -> Board:
    return load_board(path)[0]


@lru_cache(maxsize=64)
def spec_of(path: Path) -> UnitSpec:
    return load_unit(path)[0]


def is_mech(file: str) -> bool:
    """Two-legged or four-legged: the reference also has a 'Mech that can fly."""
    return file.startswith("mechs/") and " LAM " not in file


def unit_of(reference: Path, row: dict[str, str], who: str, board: Board, side: int) -> UnitState:
    """The attacker (``a``) or target (``t``) of a row."""
    unit = UnitState(spec_of(reference / row[f"{who}_file"]), who, side)
    unit.cell = board.grid.parse(row[f"{who}_hex"])
    unit.facing = int(row[f"{who}_facing"])
    unit.elevation = int(row[f"{who}_elev"])
    unit.mode = MODES[row[f"{who}_move"]]
    unit.hexes_moved = int(row[f"{who}_hexes"])
    unit.piloting = int(row[f"{who}_piloting"])
    unit.moved = True
    if who == "a":
        unit.twist = (int(row["a_torso"]) - unit.facing + 1) % 6 - 1
    for part in row[f"{who}_state"].split(","):
        key, _, value = part.partition("=")
        if part in ("prone", "shutdown", "spotting", "immobilized"):
            setattr(unit, part, True)
        elif key == "heat":
            unit.heat = int(value)
        elif key == "fired":
            unit.used_arms |= 1 << unit.spec.locations.index(value)
        elif ":" in part:
            name, kind = part.split(":")
            location = unit.spec.locations.index(name)
            unit.slots_hit[location] |= unit.spec.slot_bits.get((location, kind), 0)
        else:
            assert part == "-", part
    return unit


def itemised(words: str) -> str:
    if words in BASE:
        return "base"
    return next(name for part, name in PARTS if part in words)


def explain(row: dict[str, str], state: State) -> str:
    """Why a row may differ from the rules as printed."""
    attacker, target = state.units
    if row["attack"] == "push" and "partial_cover:+3" in row["mods"]:
        return "push in water: +3 of older books"
    if row["attack"] == "charge" and abs(state.base(attacker) - state.base(target)) > 1:
        return "charge: the reference does not look at levels"
    return ""


def mine(state: State, row: dict[str, str]) -> dict[str, object]:
    attacker, target = state.units
    attack = ATTACKS.get(row["attack"], row["attack"])
    limb = "" if row["limb"] in ("-", "both_arms") else row["limb"]
    if attack == "club":
        attacker.club = "tree"
    tn = physical_attack(state, attacker, attack, limb, target)
    if not tn.possible:
        return {"tn": "X"}
    parts: dict[str, int] = {}
    for what, value, _ in tn.modifiers:
        name = itemised(what)
        parts[name] = parts.get(name, 0) + value
    if attack == "charge":
        damage = charge_damage(attacker, target)
    elif attack == "dfa":
        damage = dfa_damage(attacker)
    else:
        damage = (physical_damage(attacker, attack, limb), 0)
    found: dict[str, object] = {"tn": str(tn.value), "mods": parts, "damage": str(damage[0]), "self_damage": str(damage[1])}
    # a push strikes no location
    if attack != "push":
        found["side"] = physical_side(state, attacker, attack, target)
        found["table"] = physical_hit_table(state, attacker, attack, target)
    return found


def theirs(row: dict[str, str]) -> dict[str, object]:
    if row["tn"] == "X":
        return {"tn": "X"}
    found: dict[str, object] = {key: row[key] for key in ("tn", "damage", "self_damage")}
    found["mods"] = {name: int(value) for name, value in (part.split(":") for part in row["mods"].split("; "))}
    if row["attack"] != "push":
        found |= {"side": row["side"], "table": row["table"]}
    return found


def test_physical_attacks(reference: Path) -> None:
    with (reference / "oracle" / "physical.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    rows = [row for row in rows if is_mech(row["a_file"]) and is_mech(row["t_file"])]
    assert len(rows) > 200
    standard = read_ruleset("standard")
    differing = []
    for row in rows:
        board = board_of(reference / "boards" / row["board"])
        units = [unit_of(reference, row, "a", board, 0), unit_of(reference, row, "t", board, 1)]
        state = State(board, standard, ("a", "t"), units)
        if mine(state, row) != theirs(row):
            differing.append((row, mine(state, row), explain(row, state)))
    unexplained = [(row, found) for row, found, why in differing if not why]
    assert not unexplained, "\n".join(f"{row}\n  found {found}" for row, found in unexplained)
    assert len(differing) <= len(rows) / 100
