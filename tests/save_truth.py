"""A save as read, put into the form of the truth files beside the reference saves, and every difference between the two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opfor.formats.megamek.save import as_at
from opfor.formats.megamek.save_data import SavedGame, SavedItem, SavedUnit
from opfor.tables import table

#: what the program works out and does not write: not in the file
NOT_IN_FILE = {"mp_now", "mp_start", "immobile", "eligible_this_phase", "unit_type", "what", "mode", "shots_start", "initial"}


def differences(found: Any, truth: Any, path: str = "") -> Iterator[str]:
    """Every place where what was read is not the truth."""
    if isinstance(truth, dict) and isinstance(found, dict):
        for key in truth:
            if key in found:
                yield from differences(found[key], truth[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}: not read, the truth is {truth[key]!r}"
        for key in found:
            if key not in truth:
                yield f"{path}.{key}: {found[key]!r} was read, and is not in the truth"
    elif isinstance(truth, list) and isinstance(found, list):
        if len(truth) != len(found):
            yield f"{path}: {len(found)} entries, the truth has {len(truth)}: {found!r} / {truth!r}"
        for index, (one, other) in enumerate(zip(found, truth, strict=False)):
            yield from differences(one, other, f"{path}[{index}]")
    elif found != truth or isinstance(found, bool) is not isinstance(truth, bool):
        yield f"{path}: {found!r}, the truth is {truth!r}"


def cut(value: Any, keys: set[str]) -> Any:
    """A truth without some keys, at any depth."""
    if isinstance(value, dict):
        return {key: cut(inner, keys) for key, inner in value.items() if key not in keys}
    return [cut(inner, keys) for inner in value] if isinstance(value, list) else value


def game_as_truth(game: SavedGame) -> dict[str, Any]:
    """The whole save in the form of its truth."""
    names = {player.id: player.name for player in game.players}
    index = max(game.turn_index, 0)
    hexes = {hex.at: hex for hex in game.hexes}
    factors = table("mm_names")["terrain_factors"]
    smoke_order = sorted((h for h in game.hexes if h.find("smoke")), key=lambda h: (h.at[1], h.at[0]))
    best = max(game.teams.values()) if game.teams else ()
    return {
        "round": game.round,
        "phase": game.phase,
        "last_phase": game.last_phase,
        "players": [{"id": p.id, "name": p.name, "team": p.team, "bot": p.bot, "observer": p.observer} for p in game.players],
        "initiative": {
            "teams": [{"team": team, "rolls": list(rolls)} for team, rolls in game.teams.items()],
            "winner_team": next(team for team, rolls in game.teams.items() if rolls == best),
        },
        "turns": {
            "index": game.turn_index,
            "count": len(game.turns),
            "remaining_including_current": [names[player] for player in game.turns[index:]],
        },
        "board": {
            "width": game.width,
            "height": game.height,
            "boards_joined": list(game.boards),
            "rows": [[hexes[(x, y)].words() for x in range(game.width)] for y in range(game.height)],
        },
        "fires": [
            {"hex": as_at(h.at), "level": fire.level, "turns": h.fire_turns} for h in game.hexes if (fire := h.find("fire"))
        ],
        "smoke": [{"hex": as_at(h.at), "level": h.find("smoke").level} for h in smoke_order],  # type: ignore[union-attr]
        "smoke_clouds": [
            {"level": c.level, "duration": c.duration, "from_round": c.round, "hexes": [as_at(at) for at in c.hexes]}
            for c in game.smoke
        ],
        "terrain_factors_changed": [
            {"hex": as_at(h.at), "terrain": t.name, "factor": t.factor}
            for h in game.hexes
            for t in h.terrain
            if t.name in factors and t.factor != factors[t.name].get(t.level)
        ],
        "buildings": [
            {
                "name_type": b.kind,
                "class": b.building_class,
                "original_hexes": b.original_hexes,
                "collapsed_hexes": b.collapsed_hexes,
                "hexes": [
                    {"hex": as_at(at), "cf": cf, "phase_cf": phase, "armor": armor, "burning": burning}
                    for at, cf, phase, armor, burning in sorted(b.hexes)
                ],
            }
            for b in sorted(game.buildings, key=lambda b: min(as_at(h[0]) for h in b.hexes))
        ],
        "minefields": [
            {
                "hex": as_at(m.at),
                "type": {"conventional": "Conventional"}.get(
                    table("mm_names")["mines"][m.kind], table("mm_names")["mines"][m.kind]
                ),
                "type_code": m.kind,
                "density": m.density,
                "player": names[m.player],
                "detonated": m.detonated,
            }
            for m in sorted(game.mines, key=lambda m: as_at(m.at))
        ],
        "conditions": game.conditions,
        "options_not_default": game.options,
        "declared_actions": [action_as_truth(a.kind, a.values, game) for a in game.actions],
        "units": {unit.id: unit_as_truth(unit, names) for unit in game.units},
    }


def action_as_truth(kind: str, values: dict[str, int], game: SavedGame) -> dict[str, Any]:
    """A declared action."""
    found: dict[str, Any] = {"kind": kind, "unit": values["entityId"]}
    if kind == "WeaponAttackAction":
        found["target_type"], found["target_id"] = values["targetType"], values["targetId"]
        if values["targetType"] == 0:
            found["target_unit"] = values["targetId"]
        found.update(weapon_eq=values["weaponId"], ammo_eq=values["ammoId"], aimed_location=values["aimedLocation"])
    elif "facing" in values:
        found["facing"] = values["facing"]
    return found


def unit_as_truth(unit: SavedUnit, players: dict[int, str]) -> dict[str, Any]:
    """One unit."""
    flags, numbers, crew = unit.flags, unit.numbers, unit.crew
    words = table("mm_names")["removal"]
    found: dict[str, Any] = {
        "id": unit.id,
        "owner": players[unit.owner],
        "chassis": unit.chassis,
        "model": unit.model,
        "class": unit.kind,
        "movement_mode": unit.movement_mode,
        "in_game": unit.in_game,
        "destroyed": flags["destroyed"],
        "doomed": flags["doomed"],
        "deployed": flags["deployed"],
        "off_board": numbers["offBoardDistance"] > 0,
        "position": as_at(unit.at) if unit.at else None,
        "facing": unit.facing,
        "secondary_facing": unit.secondary_facing,
        "elevation": unit.elevation,
        "this_round": {"moved": unit.moved, "hexes": unit.hexes, "mp_used": unit.mp_used},
        "last_round": {"moved": unit.moved_last, "mp_used": unit.mp_used_last},
        "done_this_phase": flags["done"],
        "prone": flags["prone"],
        "hull_down": flags["hullDown"],
        "shutdown": flags["shutDown"],
        "stuck": flags["stuckInSwamp"],
        "heat": unit.heat,
        "heat_buildup": unit.heat_buildup,
        "crew": {
            "name": crew.name,
            "gunnery": crew.gunnery,
            "piloting": crew.piloting,
            "hits": crew.hits,
            "unconscious": crew.unconscious,
            "dead": crew.dead,
            "ejected": crew.ejected,
            "active": crew.active,
        },
        "transport": {
            "carried_by": numbers["conveyance"],
            "swarming": numbers["swarmTargetId"],
            "swarmed_by": numbers["swarmAttackerId"],
        },
        "locations": [],
        "critical_hits": [],
    }
    if not unit.in_game:
        found["removal"] = {"condition": words[unit.removal], "code": unit.removal}
    for one in unit.locations:
        if unit.layout in ("vehicle", "vtol") and one.index and not one.structure_start:
            continue  # a turret that it does not have
        row: dict[str, Any] = {
            "loc": one.name, "index": one.index, "armor": one.armor, "armor_start": one.armor_start, "structure": one.structure,
            "structure_start": one.structure_start, "destroyed": one.destroyed, "blown_off": one.blown_off,
            "breached": one.breached,
        }  # fmt: skip
        if one.rear_start is not None:
            row.update(rear=one.rear, rear_start=one.rear_start)
        row.update({k: getattr(one, k) for k in ("file_armor", "file_rear", "file_structure") if getattr(one, k) is not None})
        found["locations"].append(row)
    names = [one.name for one in unit.locations]
    for location, slots in enumerate(unit.slots):
        for slot in slots:
            if slot.damaged:
                found["critical_hits"].append(
                    {"loc": names[location], "slot": slot.number, "hit": slot.hit, "destroyed": slot.destroyed,
                     "missing": slot.missing, "breached": slot.breached}
                )  # fmt: skip
    found["ammo"] = [ammo_as_truth(i, names) for i in unit.items if i.kind == "ammo"]
    found["weapons"] = [weapon_as_truth(i, names) for i in unit.items if i.kind == "weapon"]
    found["misc_damaged"] = [
        {"eq": i.index, "loc": names[i.location] if i.location >= 0 else None, "type": i.type, "destroyed": i.destroyed,
         "hit": i.hit, "missing": i.missing}
        for i in unit.items
        if i.kind == "other" and (i.destroyed or i.hit or i.missing)
    ]  # fmt: skip
    if unit.layout in ("vehicle", "vtol"):
        found["vehicle"] = {
            "motive_damage_mp": numbers["motiveDamage"],
            "motive_penalty": numbers["motivePenalty"],
            "minor": flags["minorMovementDamage"],
            "moderate": flags["moderateMovementDamage"],
            "heavy": flags["heavyMovementDamage"],
            "immobilised": flags["m_bImmobile"],
            "driver_hit": flags["driverHit"],
            "commander_hit": flags["commanderHit"],
            "crew_stunned_turns": numbers["m_nStunnedTurns"],
            "sensor_hits": numbers["sensorHits"],
            "engine_hit": flags["engineHit"],
            "has_turret": not flags["m_bHasNoTurret"],
            "turret_locked": flags["m_bTurretLocked"],
            "turret_jammed": flags["m_bTurretJammed"],
            "stabilisers_hit": [name for bit, name in enumerate(names) if numbers["stabiliserHits"] >> bit & 1],
            "burning": [name for bit, name in enumerate(names) if numbers["burningLocations"] >> bit & 1],
        }
    if unit.layout == "infantry" or unit.kind == "MechWarrior":
        found["infantry"] = {
            "troopers": numbers["activeTroopers"],
            "troopers_start": numbers["originalTrooperCount"],
            "shooting_strength": numbers["troopersShooting"],
            "squads": numbers["squadCount"],
            "squad_size": numbers["squadSize"],
            "dug_in": numbers["dugIn"],
        }
    if unit.kind == "MechWarrior":
        found["ejected_pilot"] = {"of_unit": numbers["originalRideId"], "picked_up_by": numbers["pickedUpById"]}
    if unit.layout in ("biped", "quad"):
        hits = {"engine": 0, "gyro": 0, "sensors": 0, "life_support": 0}
        for slots in unit.slots:
            for slot in slots:
                key = slot.system.lower().replace(" ", "_")
                # the program counts the engine's slots that are hit, of the others those out of order at a phase's end
                if key in hits and (slot.hit if key == "engine" else slot.destroyed or slot.missing):
                    hits[key] += 1
        found["system_hits"] = hits
    return found


def ammo_as_truth(item: SavedItem, names: list[str]) -> dict[str, Any]:
    """A bin."""
    usable = 0 if item.destroyed or item.missing or item.breached else item.shots
    return {
        "eq": item.index, "loc": names[item.location], "type": item.type, "shots": item.shots, "usable": usable,
        "destroyed": item.destroyed, "hit": item.hit, "missing": item.missing, "one_shot": item.one_shot,
    }  # fmt: skip


def weapon_as_truth(item: SavedItem, names: list[str]) -> dict[str, Any]:
    """A weapon."""
    return {
        "eq": item.index, "loc": names[item.location], "rear": item.rear, "type": item.type, "destroyed": item.destroyed,
        "hit": item.hit, "missing": item.missing, "breached": item.breached, "jammed": item.jammed,
        "used_this_round": item.used, "fired_one_shot": item.fired, "ammo_eq": item.linked if item.linked >= 0 else None,
    }  # fmt: skip
