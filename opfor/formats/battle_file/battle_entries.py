"""A unit's state written as its entry in the battle file. Rule: S-5.

:mod:`opfor.formats.battle_file.battle_units` reads it back the same.
"""

from __future__ import annotations

from typing import Any

from opfor.board.board import Board
from opfor.formats.battle_file.battle_conditions import FLOATS, turret_entry
from opfor.formats.battle_file.battle_damage import cause_of_loss, damage_entry
from opfor.formats.battle_file.battle_loads import loads_entry
from opfor.formats.battle_file.battle_pilot import pilot_entry
from opfor.formats.battle_file.battle_schema import UnitEntry
from opfor.formats.battle_file.battle_turn import write_now, write_unit_turn
from opfor.formats.names import mount_labels
from opfor.hex import DIRECTION_NAMES
from opfor.units.state import UnitState

_TWIST_WORDS = {-1: "left", 1: "right"}


def unit_entry(unit: UnitState, sides: tuple[str, ...], board: Board, former: dict[str, Any]) -> dict[str, Any]:
    """The entry of a unit as it stands. ``former`` is its entry before: what the engine does not own is kept from it."""
    spec = unit.spec
    entry: dict[str, Any] = {"id": unit.id}
    if unit.name != spec.name or "name" in former:
        entry["name"] = unit.name
    entry["side"] = sides[unit.side]
    entry["type"] = former.get("type", spec.name)
    if spec.loads:
        entry["munitions"] = loads_entry(spec)
    if board.grid.contains(unit.cell):
        entry["at"] = board.grid.names[unit.cell]
        if unit.elevation != (0 if spec.motive in FLOATS else -board.hex(unit.cell).depth) or spec.kind == "vtol":
            entry["elevation"] = unit.elevation
    if not spec.is_infantry or unit.facing:
        entry["facing"] = DIRECTION_NAMES[unit.facing]
    if unit.twist and spec.is_mech:
        entry["twist"] = _TWIST_WORDS[unit.twist]
    entry.update(turret_entry(unit))
    name = "crew" if "crew" in former else "pilot"
    entry[name] = pilot_entry(unit, former.get(name) or {})
    flags = ("prone", "stuck", "arms_flipped", "shutdown", "dug_in", "gone", "hidden")
    entry.update({key: True for key in flags if getattr(unit, key)})
    entry.update({key: getattr(unit, key) for key in ("aboard", "swarming", "heat", "club", "destroyed") if getattr(unit, key)})
    if unit.oc is not None:
        entry["oc"] = unit.oc if unit.oc >= 0 else "-"
    if unit.bombs != spec.bombs:
        entry["bombs"] = unit.bombs
    if unit.keywords:
        entry["keywords"] = list(unit.keywords)
    if not unit.destroyed and cause_of_loss(unit):
        entry["destroyed"] = False
    if unit.mode or unit.moved:
        moved: dict[str, Any] = {"mode": unit.mode or "stand", "hexes": unit.hexes_moved}
        moved.update({"mp": unit.mp_spent} if unit.mp_spent else {})
        moved.update({"finished": False} if not unit.moved else {})
        moved.update({"skidded": True} if unit.skidded else {})
        entry["moved"] = moved
    entry.update(write_unit_turn(unit))
    if unit.fired:
        entry["fired"] = mount_labels(spec, unit.fired)
    if unit.narc:
        entry["narc"] = [side for index, side in enumerate(sides) if unit.narc >> index & 1]
    damage = damage_entry(unit)
    if damage:
        entry["damage"] = damage
    now = _turn_entry(unit)
    if now:
        entry["this_turn"] = now
    entry.update({key: value for key, value in former.items() if key not in UnitEntry.model_fields})
    return entry


def _turn_entry(unit: UnitState) -> dict[str, Any]:
    now: dict[str, Any] = {}
    if unit.used_arms:
        now["arms_fired"] = [name for i, name in enumerate(unit.spec.locations) if unit.used_arms >> i & 1]
    for key, value in (
        ("spotting", unit.spotting),
        ("tagged", unit.tagged),
        ("heat_built", unit.heat_built),
        ("heat_outside", unit.heat_outside),
        ("damage", unit.damage_this_phase),
        ("fell", unit.fell_this_phase),
        ("knocked_out", unit.knocked_out),
    ):
        if value:
            now[key] = value
    now.update(write_now(unit))
    if unit.psr:
        now["rolls"] = [{"reason": reason, "modifier": modifier, "rule": rule} for reason, modifier, rule in unit.psr]
    return now
