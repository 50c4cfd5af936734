"""What hits on a hex do: walls and woods are broken down, fires lit, mines cleared. Rule: S-10."""

from __future__ import annotations

from opfor.rules.kinds import Kind
from opfor.rules.play import Play
from opfor.rules.shooting.shot import Shot
from opfor.rules.terrain.buildings import damage_building
from opfor.rules.terrain.fire import ignite, igniter, ignition_number
from opfor.rules.terrain.hexes import IGNITE, MINES
from opfor.rules.terrain.minefields import clear_by_fire
from opfor.rules.terrain.woods import damage_woods
from opfor.tables import table

RULE = "S-10"


def take_salvo(play: Play, shot: Shot, parts: list[int]) -> None:
    """A weapon's whole hit on a hex, by what was meant with it. Rule: S-10.

    Buildings that are shot to pieces come down when all fire of the phase has struck.
    """
    cell, unit = shot.target.cell, shot.attacker
    intent = shot.attack.aim
    if intent == IGNITE:
        _try_to_light(play, shot)
        return
    if intent == MINES:
        if play.state.board.hexes[cell].mines:
            clear_by_fire(play, unit, cell)
        return
    points = sum(parts)
    hex = play.state.board.hexes[cell]
    if hex.building or hex.bridge:
        damage_building(play, unit, cell, points, hold=True)
    elif hex.woods:
        damage_woods(play, unit, cell, points, source=f"{unit.id} {shot.mount.name}")
    by_accident(play, shot)


def _try_to_light(play: Play, shot: Shot) -> None:
    state = play.state
    cell = shot.target.cell
    number = ignition_number(shot.mode, state.board.hexes[cell])
    name = state.board.grid.names[cell]
    if not number.possible:
        # an earlier shot of the phase has lit it, or taken what burns
        play.emit("ignition", shot.attacker, RULE, at=name, tn=number.as_dict(), dice=[], success=False)
        return
    roll = play.roll_2d6(f"{shot.attacker.id}: {shot.mount.name} sets {name} on fire, needs {number.value}")
    success = roll.total >= number.value
    play.emit("ignition", shot.attacker, RULE, at=name, tn=number.as_dict(), dice=list(roll.dice), success=success)
    if success:
        ignite(play, shot.attacker, cell, "set on fire")


def by_accident(play: Play, shot: Shot) -> None:
    """With the switch ``accidental_fires`` a weapon that can light a fire may do so where it was not meant to. Rule: S-10."""
    state = play.state
    cell = shot.target.cell
    if state.ruleset.accidental_fires != "on" or not igniter(shot.mode):
        return
    if not ignition_number(shot.mode, state.board.hexes[cell]).possible:
        return
    most = int(table("fire")["accidental"])
    name = state.board.grid.names[cell]
    roll = play.roll_2d6(f"{shot.attacker.id}: {name} catches fire by accident on {most} or less")
    play.emit("accidental_fire", shot.attacker, RULE, at=name, dice=list(roll.dice), success=roll.total <= most)
    if roll.total <= most:
        ignite(play, shot.attacker, cell, "by accident")


KIND = Kind(take_salvo=take_salvo)
