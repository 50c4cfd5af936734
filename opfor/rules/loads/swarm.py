"""Swarm missiles: they attack every unit, friend or enemy, in a hex and the six around it. Rule: E-33a.

By the switch ``swarm_missiles`` each of those units suffers a full attack of the whole salvo, with its own roll to hit and its
own cluster roll (``all``); or, as printed, the missiles that miss their target go on to the next unit in its hex or beside
it, and so on until all have struck or nobody is left (``divided``). The launcher's own unit is never among them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from opfor.orders import Attack
from opfor.rules.play import Play
from opfor.rules.shooting.common_modifiers import modifier
from opfor.rules.shooting.frame import Frame
from opfor.rules.shooting.framing import frame
from opfor.rules.shooting.guns import gun
from opfor.rules.shooting.shot import Shot
from opfor.rules.target_number import TargetNumber
from opfor.state import State
from opfor.tables import table
from opfor.units.munition_loads import SWARM
from opfor.units.state import UnitState

RULE = "E-33a"
_RANGE = table("to_hit")["range"]
_RANGE_WORDS = ("short range", "medium range", "long range")


def caught(state: State, attacker: UnitState, cell: int) -> list[UnitState]:
    """Units that swarm missiles at a hex strike, in the order of the units; not who is carried inside another. Rule: E-33a."""
    radius = int(table("munitions")["swarm"]["radius"])
    distance = state.board.grid.distance
    return [
        unit
        for unit in state.units
        if unit is not attacker and unit.alive and unit.cell >= 0 and not unit.aboard and distance(unit.cell, cell) <= radius
    ]


def swarm_number(shot: Shot, seen: Frame) -> TargetNumber:
    """The number against a unit that the salvo was not aimed at: as of an attack at it, out of sight as well. Rule: E-33a.

    Neither arc nor a secondary target counts; beyond long range it is long range. Fired indirectly it is so for all.
    """
    if seen.why:
        return TargetNumber.impossible(seen.why, seen.rule)
    fired = gun(shot.attacker, shot.mount, shot.mode, seen)
    items = seen.modifiers + fired.modifiers
    bracket = 2 if (found := fired.bracket(seen)) is None else found
    if _RANGE[bracket]:
        items.append(modifier(_RANGE_WORDS[bracket], _RANGE[bracket]))
    if seen.distance <= fired.minimum > 0:
        items.append(modifier("minimum range", fired.minimum - seen.distance + 1))
    return TargetNumber(items)


def spread(play: Play, shots: list[Shot]) -> list[Shot]:
    """The shots of a phase with one for every unit that swarm missiles strike; a salvo is paid for once. Rule: E-33a."""
    if play.state.ruleset.swarm_missiles != "all":
        return shots
    found: list[Shot] = []
    for shot in shots:
        if shot.mode.munition != SWARM:
            found.append(shot)
            continue
        at_unit = shot.target.spec.kind != "hex"
        around = [unit for unit in caught(play.state, shot.attacker, shot.target.cell) if unit is not shot.target]
        lead = shot
        if not at_unit and around:
            # at a hex: nothing is rolled for the hex itself
            lead = replace(_at(play.state, shot, around.pop(0)), lead=None)
        found += [lead, *(_at(play.state, lead, unit) for unit in around)]
    return found


def go_on(play: Play, shot: Shot, resolve: Callable[[Shot], None]) -> None:
    """As printed: missiles that have missed go on to the next unit, with a new roll to hit. Rule: E-33a.

    ``resolve`` rolls for a shot.
    """
    state = play.state
    if state.ruleset.swarm_missiles != "divided" or not shot.tn.possible or shot.unobserved or shot.lead is not None:
        return
    left, at = shot.column - shot.hits, shot.target.cell
    tried = {shot.target.id}
    while left > 0:
        distance = state.board.grid.distance
        open_to = [unit for unit in caught(state, shot.attacker, at) if unit.id not in tried]
        if not open_to:
            return
        # the nearest: who shares the hex before who stands beside it
        target = min(open_to, key=lambda unit: distance(unit.cell, at))
        tried.add(target.id)
        further = _at(state, shot, target)
        further.column = left
        play.emit("swarm_goes_on", shot.attacker, RULE, weapon=shot.mount.name, target=target.id, missiles=left)
        resolve(further)
        left -= further.hits
        at = target.cell


def _at(state: State, shot: Shot, target: UnitState) -> Shot:
    """The salvo's attack at another unit."""
    seen = frame(state, shot.attacker, target, spotter=shot.frame.spotter, area=True)
    attack = Attack(shot.attack.mount, target.id, shot.attack.mode, shot.attack.spotter)
    fired = gun(shot.attacker, shot.mount, shot.mode, seen)
    return replace(
        shot, attack=attack, target=target, frame=seen, tn=swarm_number(shot, seen), bracket=fired.own_bracket(seen),
        guidance=0, sure=not target.immobile, below=fired.wet and seen.cover, lead=shot, hits=0,
    )  # fmt: skip
