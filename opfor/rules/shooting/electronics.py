"""Electronics in their plain form: ECM, C3 networks, Artemis and Narc guidance, active probes. Rule: S-4.

A working ECM suite covers every hex within its radius and jams what its enemies carry: an Artemis link whose line touches
the field, a beacon on a target inside it, a network link that runs through it.
"""

from __future__ import annotations

from opfor.board.sight import between, sight
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.spec import Mount
from opfor.units.state import UnitState

C3_KINDS = ("c3_slave", "c3_master", "c3i")


def hostile_ecm(state: State, side: int) -> list[UnitState]:
    """Units whose ECM suites work against a side: enemies with a suite that is whole and powered. Rule: S-4."""
    return [
        unit
        for unit in state.units
        if unit.side != side and unit.alive and unit.cell >= 0 and not unit.shutdown and _has_ecm(unit)
    ]


def _has_ecm(unit: UnitState) -> bool:
    return bool(unit.spec.equipment) and unit.has_equipment("ecm")


def jammed_at(state: State, cell: int, side: int) -> bool:
    """Whether a hex lies in an ECM field hostile to a side. Rule: S-4."""
    radius = table("electronics")["ecm"]["radius"]
    distance = state.board.grid.distance
    return any(distance(unit.cell, cell) <= radius for unit in hostile_ecm(state, side))


def jammed_between(state: State, a_cell: int, b_cell: int, side: int) -> bool:
    """Whether the line between two hexes, ends included, touches an ECM field hostile to a side. Rule: S-4."""
    jammers = hostile_ecm(state, side)
    if not jammers:
        return False
    radius = table("electronics")["ecm"]["radius"]
    distance = state.board.grid.distance
    line = (a_cell, b_cell, *between(state.board, a_cell, b_cell))
    return any(distance(unit.cell, cell) <= radius for unit in jammers for cell in line)


def artemis_works(
    state: State,
    attacker: UnitState,
    mount: Mount,
    target: UnitState,
    *,
    mode: FireMode | None = None,
    built_in: bool = False,
) -> bool:
    """Whether an Artemis IV system guides a salvo: linked, whole, its line free of hostile ECM. Rule: S-4.

    ``mode`` given: the missiles must be Artemis-capable ones. ``built_in``: the launcher is an Artemis system itself.
    """
    if not built_in:
        if mount.artemis < 0 or attacker.equipment_lost >> mount.artemis & 1:
            return False
        if mode is not None and mode.ammo and not mode.ammo.endswith(":artemis"):
            return False
    return not jammed_between(state, attacker.cell, target.cell, attacker.side)


def narc_works(state: State, attacker: UnitState, mode: FireMode, target: UnitState) -> bool:
    """Whether Narc-capable missiles home on a beacon of their own side on the target, free of hostile ECM. Rule: S-4."""
    if not target.narc >> attacker.side & 1 or not mode.ammo.endswith(":narc"):
        return False
    return not jammed_at(state, target.cell, attacker.side)


def network(state: State, unit: UnitState, cell: int | None = None) -> list[UnitState]:
    """The other members of a unit's C3 network that it can exchange data with now, in the order of the units. Rule: S-4.

    All working C3i units of a side make one network, and so do its C3 slaves with a working master; in both the first ones
    up to the network's size count. A link through hostile ECM is cut: of C3i units to each other, of slaves to a master.
    ``cell`` is where the unit is supposed to stand.
    """
    sizes = table("electronics")["network"]
    here = unit.cell if cell is None else cell
    members = [u for u in _powered(state, unit.side) if u.has_equipment("c3i")][: sizes["c3i"]]
    if unit in members:
        return [u for u in members if u is not unit and not jammed_between(state, here, u.cell, unit.side)]
    members = [u for u in _powered(state, unit.side) if u.has_equipment("c3_slave") or u.has_equipment("c3_master")]
    members = members[: sizes["c3"]]
    masters = [u for u in members if u.has_equipment("c3_master")]
    if unit not in members:
        return []

    def at(member: UnitState) -> int:
        return here if member is unit else member.cell

    def linked(member: UnitState) -> bool:
        # a master is its own link, unless it stands in the field itself
        return any(not jammed_between(state, at(member), at(master), unit.side) for master in masters)

    return [u for u in members if u is not unit and linked(u)] if linked(unit) else []


def _powered(state: State, side: int) -> list[UnitState]:
    return [u for u in state.units if u.side == side and u.cell >= 0 and u.alive and not u.shutdown and u.spec.equipment]


def c3_distance(state: State, attacker: UnitState, a_cell: int, t_cell: int, t_base: int, t_top: int) -> int | None:
    """Distance to a target of the network member nearest to it that sees it, None without one. Rule: S-4.

    The attacker stands at ``a_cell``, the target fills ``t_base`` to ``t_top``. The distance stands in for the attacker's own
    in choosing the range bracket, never for minimum or greatest range.
    """
    if not carries_c3(attacker):
        return None
    distance = state.board.grid.distance
    best = None
    for member in network(state, attacker, a_cell):
        away = distance(member.cell, t_cell)
        if not member.conscious or (best is not None and away >= best):
            continue
        if sight(state.board, member.cell, state.base(member), state.top(member), t_cell, t_base, t_top).clear:
            best = away
    return best


def carries_c3(unit: UnitState) -> bool:
    """Whether the unit was built with C3 equipment of any kind."""
    return any(e.kind in C3_KINDS for e in unit.spec.equipment)


def probe_range(unit: UnitState) -> int:
    """Reach of a unit's best working active probe in hexes, 0 without one. Rule: S-4."""
    rows = table("electronics")["probe"]
    best = 0
    for item in unit.spec.equipment:
        if item.kind != "probe" or unit.equipment_lost >> item.index & 1:
            continue
        light = "light" in item.name.lower()
        reach = rows["light"] if light else rows["clan" if _is_clan(unit, item.name) else "inner_sphere"]
        best = max(best, int(reach))
    return best


def _is_clan(unit: UnitState, name: str) -> bool:
    word = name.lower()
    return word.startswith(("cl", "clan")) or ("beagle" not in word and unit.spec.tech == "Clan")


def probed(state: State, unit: UnitState, cell: int) -> bool:
    """Whether a hex lies within reach of the unit's active probe, itself outside hostile ECM. Rule: S-4."""
    reach = probe_range(unit)
    if not reach or state.board.grid.distance(unit.cell, cell) > reach:
        return False
    return not jammed_at(state, unit.cell, unit.side)
