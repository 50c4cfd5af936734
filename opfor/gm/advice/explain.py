"""Every attack a unit could make as things stand, with its sum, or why not; and every movement. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opfor.board.sight import between, sight
from opfor.formats.names import mount_label
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.physical import limbs_for
from opfor.gm.advice.harm import mean_harm
from opfor.hex import DIRECTION_NAMES
from opfor.orders import Attack
from opfor.report.unit_words import company_words, height_words, kind_word, strength_words
from opfor.rules.melee.blows import physical_damage
from opfor.rules.melee.physical import physical_attack
from opfor.rules.shooting.frame import Frame
from opfor.rules.shooting.framing import frame
from opfor.rules.shooting.to_hit import FireSolver, Posture, weapon_attack
from opfor.rules.target_number import TargetNumber
from opfor.state import State
from opfor.tables.arsenal import FireMode
from opfor.units.spec import Mount
from opfor.units.state import UnitState

#: attacks explained beside weapon fire; those made by moving stand among the movements
PHYSICAL = ("punch", "kick", "push", "club", "hatchet", "sword")


def explain(state: State, unit: UnitState, target: UnitState) -> dict[str, Any]:
    """The published explanation of one unit against another."""
    seen = frame(state, unit, target)
    grid = state.board.grid
    base, top = state.base(unit), state.top(unit)
    view = sight(state.board, unit.cell, base, top, target.cell, state.base(target), state.top(target))
    crossed = between(state.board, unit.cell, target.cell, view.side)
    return {
        "unit": unit.id,
        "target": target.id,
        "at": grid.names[unit.cell],
        "target_at": grid.names[target.cell],
        "range": grid.distance(unit.cell, target.cell),
        "side": seen.side,
        "los": {
            "clear": view.clear,
            "why": view.why,
            "intervening": [f"{grid.names[cell]} {state.board.hexes[cell].describe()}" for cell in crossed],
            "target_cover": view.target_cover,
            "attacker_cover": view.attacker_cover,
        },
        **_target_facts(state, target),
        "weapons": [row for mount in unit.spec.mounts for row in _weapon_rows(state, unit, mount, target)],
        "physical": [] if target.spec.kind == "hex" else list(_physical_rows(state, unit, target)),
    }


def _target_facts(state: State, target: UnitState) -> dict[str, Any]:
    """What is to know of a target that is no 'Mech: its kind, height, strength, and who is with it."""
    if target.spec.kind == "hex":
        return {"target_is": state.board.hexes[target.cell].describe()}
    if target.spec.is_mech:
        return {}
    words = (kind_word(target.spec), height_words(target), strength_words(target), *company_words(state, target))
    return {"target_is": ", ".join(word for word in words if word)}


def _weapon_rows(state: State, unit: UnitState, mount: Mount, target: UnitState) -> Iterator[dict[str, Any]]:
    """A weapon in each of its modes, in the posture that serves it best, spotted for where it must be."""
    solver = FireSolver(state, unit)
    spotted = [seen for seen in solver.spotted if seen.target is target]
    distance = state.board.grid.distance(unit.cell, target.cell)
    for mode in mount.modes:
        tn, posture, spotter = _best_shot(state, unit, mount, mode, target, solver.postures(), spotted)
        row: dict[str, Any] = {
            "weapon": mount_label(unit.spec, mount.index),
            "mount": mount.index,
            "location": unit.spec.location_name(mount.location),
            "mode": mode.name,
            "posture": posture.words,
            **({"spotter": spotter} if spotter else {}),
            **tn.as_dict(),
        }
        if tn.possible:
            row["expected_damage"] = round(tn.odds * mean_harm(state, unit, mount, mode, target, distance), 2)
            if unit.spec.is_mech:
                row["heat"] = mode.heat
            aims = dict(_aims(state, unit, mount, mode, target, posture))
            if aims:
                row["aimed"] = aims
        if not tn.possible:
            # the solver knows of things beyond the sum, as friends in the way of a ruling
            row["why"] = tn.why or solver.why_not(mount, posture, Attack(mount.index, target.id, mode.name))
        yield row


def _aims(
    state: State, unit: UnitState, mount: Mount, mode: FireMode, target: UnitState, posture: Posture
) -> Iterator[tuple[str, int]]:
    """Numbers needed by location, where the shot can be aimed. Rule: S-5."""
    if not target.spec.is_mech or not (target.immobile or unit.has_equipment("targeting_computer")):
        return
    for name in target.spec.locations:
        tn = weapon_attack(state, unit, mount, mode, target, twist=posture.twist, flip=posture.flip, aim=name)
        if tn.possible:
            yield name, tn.value


def _best_shot(
    state: State,
    unit: UnitState,
    mount: Mount,
    mode: FireMode,
    target: UnitState,
    postures: list[Posture],
    spotted: list[Frame],
) -> tuple[TargetNumber, Posture, str]:
    first: tuple[TargetNumber, Posture, str] | None = None
    for known in (None, *spotted):
        spotter = known.spotter if known is not None else None
        for posture in postures or [Posture()]:
            tn = weapon_attack(
                state,
                unit,
                mount,
                mode,
                target,
                twist=posture.twist,
                flip=posture.flip,
                spotter=spotter,
                spotter_attacks=spotter is not None and spotter.fired != 0,
            )
            found = (tn, posture, spotter.id if spotter is not None else "")
            if tn.possible:
                return found
            first = first or found
    assert first is not None
    return first


def _physical_rows(state: State, unit: UnitState, target: UnitState) -> Iterator[dict[str, Any]]:
    for attack in PHYSICAL:
        for limb in limbs_for(unit, attack):
            tn = physical_attack(state, unit, attack, limb, target)
            row = {"attack": f"{attack} {limb}".strip(), **tn.as_dict()}
            if tn.possible:
                row["damage"] = physical_damage(unit, attack, limb)
            yield row


def explain_words(found: dict[str, Any]) -> list[str]:
    """An explanation as lines."""
    los = found["los"]
    lines = [
        f"{found['unit']} ({found['at']}) at {found['target']} ({found['target_at']}): "
        f"{found['range']} {'hex' if found['range'] == 1 else 'hexes'}"
        + (f", {found['target_is']}" if "target_is" in found else "")
        + ("" if found["target"].startswith("@") else f", strikes its {found['side']}")
    ]
    crossed = "; ".join(los["intervening"])
    sight_words = "clear" if los["clear"] else f"blocked: {los['why']}"
    lines.append(f"   line of sight {sight_words}{f' (over {crossed})' if crossed else ''}")
    for row in found["weapons"]:
        name = row["weapon"] + (f" ({row['mode']})" if row["mode"] else "")
        lines.append(f"   {name}: {_sum_words(row)}")
    if not found["physical"]:
        return lines
    refused = {row["why"] for row in found["physical"] if row["tn"] is None}
    if len(refused) == 1 and all(row["tn"] is None for row in found["physical"]):
        lines.append(f"   physical attacks: no: {refused.pop()}")
    else:
        lines += [f"   {row['attack']}: {_sum_words(row)}" for row in found["physical"]]
    return lines


def _sum_words(row: dict[str, Any]) -> str:
    if row["tn"] is None:
        return f"no: {row['why']}"
    parts = " ".join(
        f"{m['what']} {m['value']}" if i == 0 else f"{m['value']:+d} {m['what']}" for i, m in enumerate(row["modifiers"])
    )
    words = f"needs {row['tn']} = {parts}; {row['odds']:.0%}"
    if "expected_damage" in row:
        words += f", expected damage {row['expected_damage']:.1f}"
    if row.get("damage"):
        words += f", {row['damage']} points"
    if row.get("posture", "straight ahead") != "straight ahead":
        words += f", {row['posture']}"
    if row.get("aimed"):
        words += f"; aimed: {', '.join(f'{name} {needs}' for name, needs in row['aimed'].items())}"
    if row.get("spotter"):
        words += f", spotted by {row['spotter']}"
    return words


# -- movements --------------------------------------------------------------------------------------------------------


def moves(state: State, unit: UnitState, to: int = -1) -> dict[str, Any]:
    """The published list of a unit's legal movements; ``to``: those that end in one hex."""
    choices = MovementChoices(state, [unit])
    names = state.board.grid.names
    rows = []
    for order in choices:
        if to >= 0 and order.to != to:
            continue
        option = choices.option(order)
        row = {
            "mode": order.mode,
            "to": names[order.to],
            "facing": DIRECTION_NAMES[order.facing],
            "mp": option.mp,
            "hexes": option.hexes,
            "heat": option.heat,
            "path": list(order.path),
            "rolls": [{"why": what, **tn.as_dict()} for what, tn in option.rolls],
        }
        for key in ("prone", "attack", "target", "elevation"):
            if getattr(order, key):
                row[key] = getattr(order, key)
        rows.append(row)
    return {"unit": unit.id, "kind": unit.spec.kind, "options": rows}


def moves_words(found: dict[str, Any]) -> list[str]:
    """Movements as lines: a line for each mode and hex, with the cheapest way and the facings open there."""
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in found["options"]:
        height = f"{row['elevation']:+d}" if row.get("elevation") else ""
        key = (
            row["mode"],
            row["to"],
            height,
            row.get("attack", ""),
            row.get("target", ""),
            "prone" if row.get("prone") else "",
        )
        groups.setdefault(key, []).append(row)
    lines = [f"{found['unit']}: {len(found['options'])} legal movements"]
    words_of = {"walk": "cruise", "run": "flank"} if found["kind"] in ("vehicle", "vtol") else {}
    for (mode, to, height, attack, target, prone), rows in groups.items():
        best = min(rows, key=lambda row: (row["mp"], len(row["rolls"])))
        cheapest: dict[str, int] = {}
        for row in sorted(rows, key=lambda row: (DIRECTION_NAMES.index(row["facing"]), row["mp"])):
            cheapest.setdefault(row["facing"], row["mp"])
        facings = " ".join(f"{facing}({mp})" for facing, mp in cheapest.items())
        fewest, most = min(row["hexes"] for row in rows), max(row["hexes"] for row in rows)
        hexes = f"{fewest} to {most} hexes" if most > fewest else "1 hex" if most == 1 else f"{most} hexes"
        words = " ".join(
            word
            for word in (f"   {words_of.get(mode, mode)}", to, height, prone, f"{attack} {target}" if attack else "")
            if word
        )
        words += (
            f": {hexes}, {best['mp']} MP"
            if found["kind"] in ("infantry", "battle_armor")
            else f": {hexes}, facing (MP) {facings}"
        )
        if best["rolls"]:
            words += "; rolls: " + ", ".join(f"{roll['why']} {_needs(roll)}" for roll in best["rolls"])
        lines.append(words)
    return lines


def _needs(roll: dict[str, Any]) -> str:
    return f"{roll['tn']}+" if roll["tn"] is not None else "fails"
