"""What special missiles are worth before the dice, where it is not points of damage. Rules: E-32, E-33, E-33a.

Heat, critical rolls and mines are weighed against points of damage by the figures under ``worth`` in ``munitions.yaml``.
"""

from __future__ import annotations

from opfor.rules.terrain.buildings import share_inside
from opfor.rules.troops.infantry import in_the_open
from opfor.rules.troops.infantry_damage import is_mechanized, losses
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.munition_loads import FRAGMENTATION, INCENDIARY, INFERNO, THUNDER
from opfor.units.state import UnitState


def harm_of_hits(state: State, unit: UnitState, mode: FireMode, target: UnitState, hits: int, each: int) -> float | None:
    """What so many missiles of a load do to a target, in points of damage or troopers; None where they do plain damage.

    ``each``: points of a plain missile. Rules: E-32, E-33, E-33a.
    """
    rows = table("munitions")
    worth = rows["worth"]
    if mode.munition == THUNDER:
        return float(worth["mines"]) * mode.cluster
    if mode.munition == INFERNO:
        return _burns(state, unit, target, hits, hits * int(rows["inferno"]["heat"]))
    if mode.munition == INCENDIARY and state.ruleset.incendiary == "house":
        points, row = hits * each, rows["incendiary"]
        return _burns(state, unit, target, points // int(row["points_per_inferno"]), points // int(row["points_per_heat"]))
    if mode.munition == FRAGMENTATION and state.ruleset.fragmentation == "standard" and target.spec.kind == "infantry":
        open_ground = in_the_open(state, target)
        lost = losses("infantry", hits * each, mechanized=is_mechanized(target), open_ground=open_ground)
        return float(min(target.structure[0], share_inside(state, unit, target, lost)))
    return None


def _burns(state: State, unit: UnitState, target: UnitState, missiles: int, heat: int) -> float:
    """So many inferno missiles, ``heat`` for a 'Mech."""
    rows = table("munitions")
    kind = target.spec.kind
    if kind == "mech":
        return float(heat * rows["worth"]["heat"])
    if kind == "infantry":
        return float(min(target.structure[0], share_inside(state, unit, target, missiles * int(rows["inferno"]["troopers"]))))
    if kind == "battle_armor":
        held = [a + s for a, s in zip(target.armor, target.structure, strict=True) if s > 0]
        suits = min(len(held), missiles // int(rows["inferno"]["missiles_per_suit"]))
        return suits * sum(held) / max(1, len(held))
    if kind == "hex":
        hex = state.board.hexes[target.cell]
        return float(missiles * table("fire")["inferno_missile"]["woods" if hex.woods and not hex.building else "building"])
    return float(missiles * rows["worth"]["vehicle_missile"])
