"""How a battle ends, and who must leave it. Rule: S-11.

A side whose objective decides the battle (``victory`` in the battle file) wins by reaching it. A side that alone has units on
the map wins; when none has any, the battle is drawn. At the turn limit the side with the
most points of mission actions wins, where there are any (A-5), else that with the most strength on the map (:func:`strength`);
equal strength is a draw. Under the switch ``forced_withdrawal`` crippled
units must make for their side's home edge; a side may also be ordered to withdraw as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opfor.rules.kinds import kind_of
from opfor.rules.pilots.piloting import gyro_steps
from opfor.rules.play import Play
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import ARMS, LEGS, LT, RT, TORSOS, UnitSpec
from opfor.units.state import UnitState

RULE = "S-11"
DRAW = -1


def crippled(state: State, unit: UnitState) -> str:
    """Why the unit counts as crippled, in words, or "" while it does not. Rule: S-11.

    A lost side torso, damage inside three limbs or two torsos, two engine hits or one with a gyro hit, blind sensors, a
    badly hurt pilot, or no weapons worth the name (:func:`disarmed`).
    """
    otherwise = kind_of(unit).crippled
    if otherwise is not None:
        return otherwise(state, unit)
    rules = table("withdrawal")
    spec = unit.spec
    if unit.lost(RT) or unit.lost(LT):
        return "side torso lost"
    hurt = [a < b for a, b in zip(unit.structure, spec.structure, strict=True)]
    if sum([hurt[i] for i in (*ARMS, *LEGS)]) >= rules["limbs_damaged"]:
        return f"structure of {rules['limbs_damaged']} limbs damaged"
    if sum([hurt[i] for i in TORSOS]) >= rules["torsos_damaged"]:
        return f"structure of {rules['torsos_damaged']} torsos damaged"
    if unit.engine_hits >= rules["engine_hits"]:
        return f"{unit.engine_hits} engine hits"
    if unit.engine_hits and gyro_steps(unit):
        return "engine and gyro hit"
    if unit.sensor_hits >= rules["sensor_hits"]:
        return "sensors destroyed"
    if unit.pilot_hits >= rules["pilot_hits"]:
        return f"pilot hit {unit.pilot_hits} times"
    if unit.wounds >= rules["pilot_hits"]:
        return f"pilot has {unit.wounds} L wounds"
    return "no weapons left" if disarmed(unit) else ""


def disarmed(unit: UnitState) -> bool:
    """Whether a unit built with weapons has lost them: none that reaches far, and next to no damage in all. Rule: S-11.

    A weapon that is destroyed, or has fired off its ammunition, counts for nothing.
    """
    spec = unit.spec
    return _armed(spec, None) and not _armed(spec, unit)


def _armed(spec: UnitSpec, unit: UnitState | None) -> bool:
    rules = table("withdrawal")
    total = 0
    for mount in spec.mounts:
        weapon = mount.weapon
        if not weapon.is_attack or not (unit is None or usable(unit, mount.index)):
            continue
        points = max(weapon.damage) * max(1, weapon.cluster)
        total += points
        if points and weapon.long >= rules["weapon_range"]:
            return True
    return total >= int(rules["weapon_damage"])


def usable(unit: UnitState, mount: int) -> bool:
    """Whether a weapon still works and has something to fire. Rule: S-11."""
    item = unit.spec.mounts[mount]
    if unit.mounts_lost >> mount & 1 or unit.one_shot_used >> mount & 1:
        return False
    return item.one_shot or any(not mode.ammo or unit.shots(mode.ammo) >= mode.shots for mode in item.modes)


def must_withdraw(state: State, unit: UnitState) -> str:
    """Why the unit must make for its home edge, or "": its side withdraws, or it is crippled under the switch. Rule: S-11."""
    if not unit.alive:
        return ""
    if state.withdrawing[unit.side]:
        return "its side withdraws"
    if state.directives and (why := told_to_withdraw(state, unit.side)):
        return why
    return crippled(state, unit) if state.ruleset.forced_withdrawal == "on" else ""


def told_to_withdraw(state: State, side: int) -> str:
    """Why a side withdraws by its objective ("withdraw at 40%"), or "" while it does not. Rule: S-11."""
    objective = state.directives[side].objective
    if objective is None or objective.kind != "withdraw":
        return ""
    if objective.number >= 100:
        return "its side withdraws"
    left = strength_left(state, side)
    return f"its side is down to {left}% of its strength" if left <= objective.number else ""


def strength_left(state: State, side: int) -> int:
    """The share of a side's strength that is left on the map, in hundredths: :func:`strength` by that of its units whole."""
    valued = any(unit.spec.battle_value for unit in state.units)
    whole = sum(unit.spec.battle_value if valued else unit.spec.tons for unit in state.units if unit.side == side)
    return strength(state, side) // whole if whole else 0


def strength(state: State, side: int) -> int:
    """What a side has left on the map, for the turn limit: the sum over its living units, in hundredths. Rule: S-11.

    Each counts its battle value (its tonnage if no unit of the battle has a battle value) times the share of its armour
    and structure points that remains. Units that have left the map count nothing.
    """
    valued = any(unit.spec.battle_value for unit in state.units)
    total = 0
    for unit in state.friends(side):
        spec = unit.spec
        worth = spec.battle_value if valued else spec.tons
        otherwise = kind_of(unit).remaining
        if otherwise is not None:
            left, full = otherwise(unit)
        else:
            left, full = sum(unit.armor) + sum(unit.structure), sum(spec.armor) + sum(spec.structure)
        total += 100 * worth * left // full
    return total


def last_side_standing(state: State) -> tuple[int, str] | None:
    """The only side with units on the map, a draw when there is none left, None while the battle goes on. Rule: S-11."""
    # a vehicle without a crew counts as destroyed: E-21
    standing = sorted({unit.side for unit in state.units if unit.alive and (unit.conscious or unit.spec.is_mech)})
    if len(standing) > 1:
        return None
    return (standing[0], "alone on the field") if standing else (DRAW, "no unit left on either side")


def turn_limit(state: State) -> tuple[int, str] | None:
    """The stronger side once the last turn is over, a draw for equal strength. Rule: S-11."""
    if not state.limit or state.turn < state.limit:
        return None
    strengths = [strength(state, side) for side in range(len(state.sides))]
    best = max(strengths)
    winners = [side for side, value in enumerate(strengths) if value == best]
    why = f"turn {state.turn} was the last; strength " + ", ".join(
        f"{name} {value // 100}" for name, value in zip(state.sides, strengths, strict=True)
    )
    return (winners[0] if len(winners) == 1 else DRAW), why


def points_at_limit(state: State) -> tuple[int, str] | None:
    """The side with the most points of mission actions once the last turn is over; equal points decide nothing. Rule: A-5."""
    if not state.limit or state.turn < state.limit or not any(state.scores):
        return None
    best = max(state.scores)
    winners = [side for side, points in enumerate(state.scores) if points == best]
    if len(winners) != 1:
        return None
    listed = ", ".join(f"{name} {points}" for name, points in zip(state.sides, state.scores, strict=True))
    return winners[0], f"turn {state.turn} was the last; points {listed}"


def by_objective(state: State) -> tuple[int, str] | None:
    """The side that has reached the objective which the scenario makes decide the battle; a draw where several have. S-11."""
    if not state.directives:
        return None
    won = [(side, why) for side, told in enumerate(state.directives) if told.victory and (why := _reached(state, side))]
    if not won:
        return None
    return won[0] if len(won) == 1 else (DRAW, "; ".join(why for _, why in won))


def _reached(state: State, side: int) -> str:
    """Why a side has reached its objective at the end of a turn, "" while it has not."""
    objective = state.directives[side].objective
    assert objective is not None
    name, kind = state.sides[side], objective.kind
    last = bool(state.limit) and state.turn >= state.limit
    there = {unit.side for unit in state.units if unit.alive and unit.cell in objective.cells}
    if kind == "reach" and side in there:
        return f"{name} has reached its objective ({objective.words})"
    if kind == "hold" and last and there == {side}:
        return f"{name} holds its objective alone ({objective.words})"
    if kind == "delay" and state.turn >= objective.number and any(True for _ in state.friends(side)):
        return f"{name} has won {objective.number} turns"
    if kind == "escort" and last and state.unit(objective.unit).alive:
        return f"{objective.unit} has come through"
    if kind == "destroy" and objective.unit != "all" and state.unit(objective.unit).destroyed:
        return f"{objective.unit} is destroyed, as {name} was to do"
    return ""


#: ways for a battle to end, asked in this order; each gives (winner or -1, why) or None
ENDINGS: list[Callable[[State], tuple[int, str] | None]] = [by_objective, last_side_standing, points_at_limit, turn_limit]


def check_victory(play: Play) -> bool:
    """At the end of a turn: say who must withdraw, and end the battle if it is over. True when it is. Rule: S-11.

    Sets ``state.winner`` (a side, or -1 for a draw) and reports an ``ended`` event.
    """
    state = play.state
    if state.winner is not None:
        return True
    for unit in state.units:
        why = must_withdraw(state, unit)
        if why:
            play.emit("must_withdraw", unit, RULE, why=why, edge=state.edges[unit.side])
    for ending in ENDINGS:
        found = ending(state)
        if found is not None:
            state.winner, why = found
            data: dict[str, Any] = {"winner": state.sides[state.winner] if state.winner >= 0 else "", "why": why}
            play.emit("ended", None, RULE, **data)
            return True
    return False
