"""Physical attacks made with fire that wait for the physical phase: ``pending.blows`` of the battle file. Rule: E-7.

A game master who has rolled an attack at the table needs to write attacker, attack, limb and target only: the damage is worked
out, and where it strikes is judged when it lands.
"""

from __future__ import annotations

from typing import Any

from opfor.errors import nearest
from opfor.formats.battle_file.battle_schema import BattleFile, BlowEntry
from opfor.formats.source import Document, Path_
from opfor.hex import HexError
from opfor.rules.melee.blows import damage_to, physical_damage, physical_hit_table, physical_side
from opfor.rules.melee.eligible import MULE, why_not_target
from opfor.state import Blow, State
from opfor.units.spec import ARMS
from opfor.units.state import UnitState


def read_blows(document: Document, model: BattleFile, state: State) -> None:
    """Take the attacks that wait. Raises :class:`InputError` with the place of what cannot be."""
    for index, entry in enumerate(model.pending.blows if model.pending else ()):
        state.pending.append(_blow(document, ("pending", "blows", index), entry, state))


def _blow(document: Document, at: Path_, entry: BlowEntry, state: State) -> Blow:
    units: list[UnitState] = []
    for key in ("attacker", "target"):
        id = getattr(entry, key)
        if id not in state.by_id:
            raise document.error((*at, key), f"there is no unit {id!r}", nearest(id, state.by_id))
        units.append(state.unit(id))
    attacker, target = units
    limbs = _limbs(attacker, entry.attack)
    if entry.limb not in limbs:
        words = ", ".join(limb or "no limb" for limb in limbs) or "nothing"
        raise document.error(
            (*at, "limb"), f"{attacker.id} cannot {entry.attack} with {entry.limb or 'no limb named'}: it has {words}"
        )
    damage = entry.damage
    if damage is None:
        damage = damage_to(target, physical_damage(attacker, entry.attack, entry.limb))
    side: str = entry.side
    hit_table: str = entry.table
    if not side:
        side = "front" if why_not_target(state, attacker, target) else physical_side(state, attacker, entry.attack, target)
    if not hit_table:
        hit_table = physical_hit_table(state, attacker, entry.attack, target)
    cells = []
    for key, unit in (("at", attacker), ("target_at", target)):
        name = getattr(entry, key)
        try:
            cells.append(unit.cell if name is None else state.board.grid.parse(name))
        except HexError as error:
            raise document.error((*at, key), str(error)) from None
    return Blow(
        attacker.id, entry.attack, entry.limb, target.id, side, hit_table, (damage, entry.self_damage), cells[0], cells[1],
        entry.hit,
    )  # fmt: skip


def _limbs(unit: UnitState, attack: str) -> list[str]:
    """The limbs that an attack can be made with, whatever state they are in now; "" where it takes no single one. Rule: S-8."""
    if not unit.spec.is_mech:
        return []
    if attack in ("push", "club"):
        return [""]
    names = unit.spec.locations
    if attack == "kick":
        return [names[leg] + (MULE if unit.spec.quad and leg not in ARMS else "") for leg in unit.legs]
    return [] if unit.spec.quad else [names[arm] for arm in ARMS]


def blow_entries(state: State) -> list[dict[str, Any]]:
    """The attacks that wait, as entries."""
    names = state.board.grid.names
    found = []
    for blow in state.pending:
        entry: dict[str, Any] = {"attacker": blow.attacker, "attack": blow.attack}
        if blow.limb:
            entry["limb"] = blow.limb
        entry.update(target=blow.target, damage=blow.damage[0])
        if blow.damage[1]:
            entry["self_damage"] = blow.damage[1]
        entry.update(side=blow.side, table=blow.hit_table)
        entry.update({key: names[cell] for key, cell in (("at", blow.start), ("target_at", blow.cell)) if cell >= 0})
        if not blow.hit:
            entry["hit"] = False
        found.append(entry)
    return found
