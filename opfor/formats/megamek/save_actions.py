"""Attacks that a saved game of MegaMek holds declared and not resolved: as orders, and in words. Rule: S-4."""

from __future__ import annotations

from typing import Any

from opfor.formats.megamek.save_convert import Converter
from opfor.formats.megamek.save_data import SavedAction, SavedGame, SavedUnit
from opfor.formats.names import mount_label
from opfor.hex import DIRECTION_NAMES
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

_TWISTS = {-1: "left", 0: "none", 1: "right"}


def declared_attacks(game: SavedGame, state: State, ids: dict[int, str]) -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """Fire orders in their JSON form, and by unit in words all that it has declared.

    ``ids``: the units here by their numbers there. An attack by what is not here, or at what is not, stands in the words alone.
    """
    orders: dict[str, dict[str, Any]] = {}
    told: dict[str, list[str]] = {}
    units = {unit.id: unit for unit in game.units}
    mounts: dict[int, dict[int, int]] = {}
    for action in game.actions:
        number = action.values.get("entityId", -1)
        saved, id = units.get(number), ids.get(number)
        kind = table("mm_names")["attacks"].get(action.kind, action.kind)
        if saved is None or id is None:
            told.setdefault(f"unit {number}", []).append(kind)
            continue
        unit = state.unit(id)
        if number not in mounts:
            mounts[number] = mounts_of(saved, unit, state)
        told.setdefault(id, []).append(_words(kind, action, saved, unit, mounts[number], ids))
        order = orders.setdefault(id, {"unit": id, "kind": "fire", "attacks": []})
        if kind == "twist":
            order.update(_twist(unit, action.values.get("facing", unit.facing)))
        elif kind == "flip":
            order["flip"] = True
        elif kind == "fire":
            mount, target = mounts[number].get(action.values.get("weaponId", -1)), ids.get(action.values.get("targetId", -1))
            if mount is not None and target is not None and not action.values.get("targetType"):
                order["attacks"].append({"weapon": mount_label(unit.spec, mount), "mount": mount, "target": target})
    return [order for order in orders.values() if order["attacks"] or len(order) > 3], told


def mounts_of(saved: SavedUnit, unit: UnitState, state: State) -> dict[int, int]:
    """Our weapon by the number of the piece of equipment there."""
    converter = Converter(saved, unit.spec, state.board, lambda message: None)
    converter.match_slots()
    converter.match_items()
    return converter.mounts


def _twist(unit: UnitState, facing: int) -> dict[str, Any]:
    if unit.spec.turret:
        return {"turret": DIRECTION_NAMES[facing % 6]}
    return {"twist": _TWISTS[max(-1, min(1, (facing - unit.facing + 3) % 6 - 3))]}


def _words(
    kind: str, action: SavedAction, saved: SavedUnit, unit: UnitState, mounts: dict[int, int], ids: dict[int, str]
) -> str:
    """An action in words."""
    values = action.values
    if kind in ("twist", "flip"):
        return f"{kind} to {DIRECTION_NAMES[values.get('facing', 0) % 6]}" if "facing" in values else kind
    target = ids.get(values.get("targetId", -1), "a hex")
    index = values.get("weaponId", -1)
    if index in mounts:
        return f"{mount_label(unit.spec, mounts[index])} at {target}"
    return f"{saved.items[index].type if 0 <= index < len(saved.items) else kind} at {target}"
