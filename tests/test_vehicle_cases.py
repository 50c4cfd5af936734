"""Worked cases of tests/cases/vehicles: hits on vehicles and VTOLs, motive damage, critical hits, crews, crashes, their fire.

Operations beside those of :mod:`tests.rule_cases`: ``hit_column`` (what the twelve-less-one results of a hit table name),
``critical_column`` (what those of a critical table name), ``settle`` (what a result comes to once the column is walked down),
``critical`` (apply a result), ``motive`` (the roll), ``recover`` (end of a turn for the crews), ``crash``, ``forced_down``,
``drop``, ``tn`` (an attack's number, item by item), ``postures``, ``tasks``, ``aimed_side`` (the side that an attack strikes).
"""

from __future__ import annotations

from typing import Any

import pytest

from opfor.game.turns.standard import eligible
from opfor.rules.harm.destruction import destroy
from opfor.rules.melee import blows, charges, physical
from opfor.rules.pilots import piloting
from opfor.rules.play import Play
from opfor.rules.shooting import arcs
from opfor.rules.shooting.to_hit import FireSolver, weapon_attack
from opfor.rules.vehicles import crews, motive, vehicle_criticals, vehicle_damage, vehicle_tasks, vtol
from tests.rule_cases import OPERATIONS, _located, _subject, cases, run


def _hit_column(play: Play, a: dict[str, Any]) -> list[str]:
    unit = _subject(play, a)
    hits = vehicle_damage.hit_column(unit.spec.kind, unit.spec.turret, a["side"])
    return [unit.spec.location_name(h.location) + "!" * h.critical + "+" * bool(h.motive) for h in hits]


def _critical_column(play: Play, a: dict[str, Any]) -> list[str]:
    unit, place = _located(play, a)
    return [vehicle_criticals.settle(play, unit, place, total)[0] for total in range(2, 13)]


def _settle(play: Play, a: dict[str, Any]) -> str:
    unit, place = _located(play, a)
    return vehicle_criticals.settle(play, unit, place, a["roll"])[1]


def _critical(play: Play, a: dict[str, Any]) -> None:
    unit, place = _located(play, a)
    for _ in range(a.get("times", 1)):
        vehicle_criticals.apply_critical(play, unit, place, a["result"], points=a.get("points", 0))


def _roll_critical(play: Play, a: dict[str, Any]) -> str:
    return vehicle_criticals.roll_critical(play, *_located(play, a), **a)


def _tn(play: Play, a: dict[str, Any]) -> Any:
    state = play.state
    attacker = state.unit(a.get("unit", "a"))
    mount = attacker.spec.mounts[a.get("mount", 0)]
    mode = next(m for m in mount.modes if m.name == a.get("mode", mount.modes[0].name))
    number = weapon_attack(state, attacker, mount, mode, state.unit(a.get("target", "t")), twist=a.get("twist"))
    if not number.possible:
        return number.why
    return {m.what: m.value for m in number.modifiers}


def _driving(play: Play, a: dict[str, Any]) -> Any:
    number = piloting.piloting_number(play.state, _subject(play, a), a.get("reason", "sideslip"))
    return {m.what: m.value for m in number.modifiers} if number.possible else number.why


def _physical(play: Play, a: dict[str, Any]) -> Any:
    state = play.state
    attacker, target = state.unit(a.get("unit", "a")), state.unit(a.get("target", "t"))
    number = physical.physical_attack(state, attacker, a["attack"], a.get("limb", ""), target)
    if not number.possible:
        return number.why
    found: dict[str, Any] = {m.what: m.value for m in number.modifiers}
    found["table"] = blows.physical_hit_table(state, attacker, a["attack"], target)
    found["side"] = blows.physical_side(state, attacker, a["attack"], target)
    if a["attack"] == "charge":
        found["damage"] = list(charges.charge_damage(attacker, target))
    return found


def _ram(play: Play, a: dict[str, Any]) -> None:
    attacker, target = play.state.unit(a.get("unit", "a")), play.state.unit(a.get("target", "t"))
    charges.charge_hits(play, attacker, target, a["side"], a["table"], charges.charge_damage(attacker, target))


OPERATIONS.update(
    {
        "hit_column": _hit_column,
        "critical_column": _critical_column,
        "settle": _settle,
        "critical": _critical,
        "roll_critical": _roll_critical,
        "motive": lambda p, a: motive.roll_motive(p, _subject(p, a), a["side"]),
        "motive_effects": lambda p, a: [motive.motive_effect(total) for total in range(2, 18)],
        "motive_modifiers": lambda p, a: [
            motive.motive_modifier(a["drive"], side) for side in ("front", "rear", "left", "right")
        ],
        "recover": lambda p, a: crews.recover_crews(p),
        "stun": lambda p, a: crews.stun_crew(p, _subject(p, a), "test"),
        "kill_crew": lambda p, a: crews.kill_crew(p, _subject(p, a), "test"),
        "crash": lambda p, a: vtol.crash(p, _subject(p, a), why="test"),
        "crash_damage": lambda p, a: vtol.crash_damage(a["tons"], a["levels"]),
        "forced_down": lambda p, a: vtol.forced_down(p, _subject(p, a), "test"),
        "drop": lambda p, a: vtol.roll_or_drop(p, _subject(p, a)),
        "destroy": lambda p, a: destroy(p, _subject(p, a), "test"),
        "tn": _tn,
        "postures": lambda p, a: [posture.twist for posture in FireSolver(p.state, _subject(p, a)).postures()],
        "tasks": lambda p, a: list(vehicle_tasks.tasks(p.state, _subject(p, a))),
        "task": lambda p, a: vehicle_tasks.do_task(p, _subject(p, a), a["task"]),
        "aimed_side": lambda p, a: arcs.hit_side(p.state, p.state.board.grid.parse(a["hex"]), _subject(p, a)),
        "driving": _driving,
        "physical_number": _physical,
        "ram": _ram,
        "eligible": lambda p, a: [unit.id for unit in eligible(p.state)],
    }
)


@pytest.mark.parametrize("case", cases("vehicles"))
def test_case(case: dict[str, Any]) -> None:
    run(case)
