"""The working behind an order: what a movement costs, what each attack needs and may do, what is to be rolled.

Pure questions to the rules: nothing is decided and nothing is rolled here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from opfor.formats.names import mount_label
from opfor.formats.orders import instead_word, order_as_dict
from opfor.formats.words.notation import order_in_words
from opfor.game.legal.movement import MovementChoices
from opfor.gm.advice.harm import harm_words, mean_harm
from opfor.hex import DIRECTION_NAMES
from opfor.orders import CallOrder, FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.report.advice import Advised, Attempt, Sum
from opfor.report.posts.document import clean
from opfor.report.unit_words import strength_words
from opfor.rules.barrage.artillery import flight_turns
from opfor.rules.melee.blows import damage_to, physical_damage
from opfor.rules.melee.charges import charge_damage, dfa_damage
from opfor.rules.melee.physical import physical_attack
from opfor.rules.moving.modes import GROUND
from opfor.rules.moving.movement import mode_points, movement_points
from opfor.rules.pilots.heat import dissipation, engine_heat, outside_heat
from opfor.rules.shooting.to_hit import cover_and_side, weapon_attack
from opfor.rules.target_number import TargetNumber
from opfor.rules.terrain.hexes import AREA, IGNITE, MINES, SOW
from opfor.rules.troops.infantry import in_the_open
from opfor.state import State
from opfor.units.hex_target import names_hex
from opfor.units.spec import ARMS
from opfor.units.state import UnitState


def advise_unit(state: State, order: Order) -> Advised:
    """The working of an order, before it is applied to ``state``."""
    unit = state.unit(order.unit)
    name = clean(unit.name)
    own_name = name.lower() not in (unit.spec.name.lower(), unit.id.lower())
    what = strength_words(unit) or f"{unit.spec.tons} t"
    title = f"{name} ({unit.spec.name}, {what})" if own_name else f"{unit.spec.name}, {what}"
    words = order_in_words(order, state).partition(": ")[2]
    one = Advised(order, words, title, hidden=unit.hidden, reason=order.reason)
    if isinstance(order, MoveOrder):
        _movement(one, state, unit, order)
    elif isinstance(order, FireOrder):
        _fire(one, state, unit, order)
    elif isinstance(order, PhysicalOrder):
        _physical(one, state, unit, order)
    elif isinstance(order, CallOrder):
        _call(one, state, unit, order)
    one.figures = {**order_as_dict(order, state), "words": f"{order.unit}: {one.words}", **one.figures}
    return one


def _call(one: Advised, state: State, unit: UnitState, order: CallOrder) -> None:
    """An announcement: players learn that it is made, and not where it falls. Rule: E-4, E-30, E-35."""
    if not order.what:
        return
    cell = state.unit(order.target).cell if order.target and order.cell < 0 else order.cell
    distance = state.board.grid.distance(unit.cell, cell)
    weapon = "" if order.what == "bomb" else mount_label(unit.spec, order.mount)
    one.announced = "a bomb run" if order.what == "bomb" else f"{weapon} fire"
    one.facts.append(f"{distance} {'hex' if distance == 1 else 'hexes'} away")
    if weapon:
        later = flight_turns(distance)
        one.facts.append("lands in this turn's physical phase" if not later else f"lands in turn {state.turn + later}")
        one.facts.append(f"spotted by {order.spotter}" if order.spotter else "unobserved" if not order.target else "homing")
    one.figures = {"range": distance}


def target_sum(what: str, tn: TargetNumber) -> Sum:
    """A target number to publish."""
    return Sum(what, tn.value if tn.possible else None, str(tn) if tn.possible else tn.why, tn.as_dict())


# -- movement ---------------------------------------------------------------------------------------------------------


def _movement(one: Advised, state: State, unit: UnitState, order: MoveOrder) -> None:
    option = MovementChoices(state, [unit]).option(order)
    points = movement_points(state, unit)
    most = points.jump if order.mode == "jump" else mode_points(points, order.mode) if order.mode in GROUND else 0
    if order.mode == "stand":
        one.facts.append("stands still")
    elif order.mode == "wait":
        one.facts.append("waits with its movement until the fire phase")
    elif order.attack == "mount" or order.mode == "dismount":
        one.facts.append(f"gets into {order.target}" if order.target else f"gets out of {unit.aboard}")
    else:
        # Rule: E-12, a point more on pavement all the way
        more = f" + {option.mp - most} on pavement" if option.mp > most and not option.minimum else ""
        spent = f"{option.mp} of {most}{more} MP" + (", the minimum move" if option.minimum else "")
        one.facts += [spent, f"{option.hexes} {'hex' if option.hexes == 1 else 'hexes'} moved"]
    if order.act:
        one.facts.append(_ACTS[order.act])
    if unit.spec.is_mech:
        one.facts.append(f"heat {unit.heat} {option.heat:+d}")
    # mines are nothing that the post gives away
    ground = replace(state.board.hexes[order.to], mines=0, mines_known=0)
    one.facts.append(f"in {ground.describe()}" if unit.spec.kind != "vtol" else f"over {ground.describe()}")
    one.rolls = [target_sum(f"for {what}", tn) for what, tn in option.rolls]
    one.figures = {
        "mp": option.mp,
        "mp_available": most,
        "hexes": option.hexes,
        "heat": option.heat,
        "rolls": [{"why": what, **tn.as_dict()} for what, tn in option.rolls],
    }


#: what goes with a movement, in words
_ACTS = {"opportunity": "holds an opportunity action", "pause": "stops for a simple action, and may go on"}


def charge_attempt(state: State, order: MoveOrder) -> Attempt:
    """The attack that a movement ends in, as the units stand after it. Rule: S-8."""
    unit, target = state.unit(order.unit), state.unit(order.target)
    tn = physical_attack(state, unit, order.attack, "", target)
    damage = charge_damage(unit, target)[0] if order.attack == "charge" else dfa_damage(unit)[0]
    name = "charge" if order.attack == "charge" else "death from above"
    return Attempt(target_sum(name, tn), target.id, 1, f"{damage} points in groups of 5", tn.odds * damage, tn.odds)


# -- weapon fire ------------------------------------------------------------------------------------------------------


def _fire(one: Advised, state: State, unit: UnitState, order: FireOrder) -> None:
    spec = unit.spec
    built = 0
    rows = []
    for attack in order.attacks:
        mount = spec.mounts[attack.mount]
        mode = next(m for m in mount.modes if m.name == attack.mode)
        target = state.target(attack.target)
        spotter = state.unit(attack.spotter) if attack.spotter else None
        tn = weapon_attack(
            state,
            unit,
            mount,
            mode,
            target,
            primary=state.target(order.primary) if order.primary else None,
            twist=order.twist,
            flip=order.flip,
            spotter=spotter,
            spotter_attacks=spotter is not None and spotter.fired != 0,
            aim=attack.aim,
        )
        distance = state.board.grid.distance(unit.cell, target.cell)
        mean = mean_harm(state, unit, mount, mode, target, distance)
        what = mount_label(spec, mount.index) + (f" ({mode.name})" if mode.name else "")
        if attack.aim:
            what += f" to {_MEANT[attack.aim]}" if names_hex(attack.target) else f" aimed at the {attack.aim}"
        hit = harm_words(state, unit, mount, mode, target, distance)
        if target.spec.is_mech or target.spec.is_vehicle:
            hit += _where_it_strikes(state, unit, target, spotter)
        one.attempts.append(Attempt(target_sum(what, tn), target.id, distance, hit, tn.odds * mean, tn.odds))
        rows.append(
            {
                "weapon": mount_label(spec, mount.index),
                "mount": mount.index,
                "target": target.id,
                **({"mode": mode.name} if mode.name else {}),
                **({"spotter": attack.spotter} if attack.spotter else {}),
                **({"aim": attack.aim} if attack.aim else {}),
                "range": distance,
                **tn.as_dict(),
                "expected_damage": round(tn.odds * mean, 2),
            }
        )
        built += mode.heat
    one.figures = {"attacks": rows, "expected_damage": round(sum(a.expected for a in one.attempts), 2)}
    one.facts = [instead_word(spec, order.clear)] if order.clear else []
    if spec.is_mech:
        heat = heat_figures(state, unit, built)
        one.figures["heat_expected"] = heat
        one.facts += [
            {-1: "torso twisted left", 1: "torso twisted right"}.get(order.twist, "torso straight ahead"),
            *(["arms flipped"] if order.flip else []),
            f"heat {heat['before']} + {heat['built']} - {heat['shed']}"
            f"{f' + {unit.heat_held} held over' if unit.heat_held else ''} = {heat['after']}",
        ]
    elif spec.turret:
        one.facts.append(f"turret {DIRECTION_NAMES[(unit.facing + order.twist) % 6]}")


#: what fire at a hex is meant to do, by the aim of its attacks
_MEANT = {IGNITE: "set it on fire", MINES: "clear its mines", SOW: "lay mines there", AREA: "strike all around"}


def _where_it_strikes(state: State, unit: UnitState, target: UnitState, spotter: UnitState | None) -> str:
    """The table for the location, and what the cover takes. Rule: S-4, S-5."""
    cover, side = cover_and_side(state, unit, target, spotter)
    return f" ({side} table{', leg hits strike the cover' if cover else ''})"


def heat_figures(state: State, unit: UnitState, firing: int = 0) -> dict[str, int]:
    """Heat now, what the turn builds (with ``firing`` on top), what is shed, what the heat phase leaves. Rule: S-7."""
    built = unit.heat_built + outside_heat(state, unit) + firing + engine_heat(unit)
    shed = dissipation(state, unit)
    after = max(0, unit.heat + built - shed) + unit.heat_held
    return {"before": unit.heat, "built": built, "shed": shed, "after": after}


# -- physical attacks -------------------------------------------------------------------------------------------------


def _physical(one: Advised, state: State, unit: UnitState, order: PhysicalOrder) -> None:
    if not order.attack or not order.target:
        return
    target = state.unit(order.target)
    limbs = [unit.spec.locations[arm] for arm in ARMS] if order.limb == "both" else [order.limb]
    rows = []
    for limb in limbs:
        tn = physical_attack(state, unit, order.attack, limb, target)
        damage = physical_damage(unit, order.attack, limb)
        what = f"{order.attack} {limb}".strip()
        words = f"{damage} points" if damage else "the target is pushed back"
        if damage and target.spec.kind == "infantry":
            damage = min(damage_to(target, damage) * (2 if in_the_open(state, target) else 1), target.structure[0])
            words = f"{damage} {'trooper' if damage == 1 else 'troopers'}"
        distance = state.board.grid.distance(unit.cell, target.cell)
        one.attempts.append(Attempt(target_sum(what, tn), target.id, distance, words, tn.odds * damage, tn.odds))
        rows.append({"attack": order.attack, "limb": limb, "target": target.id, "damage": damage, **tn.as_dict()})
    one.figures = {"attempts": rows, "expected_damage": round(sum(a.expected for a in one.attempts), 2)}


def rolls_of(one: Advised) -> list[dict[str, Any]]:
    """Every 2d6 roll that an order asks for at once, as published."""
    found = [(f"{one.order.unit}: {a.sum.what} at {a.target}", a.sum) for a in one.attempts]
    found += [(f"{one.order.unit}: {roll.what}", roll) for roll in one.rolls]
    return [{"unit": one.order.unit, "why": why, "dice": "2d6", "needs": made.needs} for why, made in found if made.needs]
