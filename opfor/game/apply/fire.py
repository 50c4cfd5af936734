"""What a fire order does: the torso turns, the attacks are declared; they are rolled for at once, or when all have declared.

Rule: S-4, E-6.
"""

from __future__ import annotations

from opfor.orders import FireOrder
from opfor.rules.play import Play
from opfor.rules.shooting.weapon_fire import resolve_fire
from opfor.rules.turn.complex_actions import declared_fire


def declare_fire(play: Play, order: FireOrder) -> None:
    """Turn the torso, note which weapons and arms are used and who spots, and keep the order for the end of the phase."""
    play.state.declared.append(order)
    _declare(play, order)


def fire_at_once(play: Play, order: FireOrder) -> None:
    """Declare a unit's fire and resolve it: its damage counts from now on. Rule: E-6 (sequential), M-9."""
    _declare(play, order)
    resolve_fire(play, [order])


def resolve_declared(play: Play) -> None:
    """Resolve the fire that was declared in the phase, all of it together. Rule: E-6 (simultaneous)."""
    resolve_fire(play, [order for order in play.state.declared if isinstance(order, FireOrder)])


def _declare(play: Play, order: FireOrder) -> None:
    state = play.state
    unit = state.unit(order.unit)
    unit.twist = order.twist
    unit.arms_flipped = order.flip
    spec = unit.spec
    if state.directives:
        state.fired_on |= {attack.target for attack in order.attacks if attack.target in state.by_id}
    for attack in order.attacks:
        mount = spec.mounts[attack.mount]
        unit.fired |= 1 << attack.mount
        if mount.location >= 0:
            unit.used_arms |= 1 << mount.location
        if mount.split_location >= 0:
            unit.used_arms |= 1 << mount.split_location
        if attack.spotter:
            state.unit(attack.spotter).spotting = True
    if order.clear == "opportunity":
        unit.complex_action = "opportunity"
        unit.opportunity = True
    else:
        declared_fire(state, unit, order)
    play.emit(
        "fire_declared",
        unit,
        "S-4",
        twist=order.twist,
        flip=order.flip,
        primary=order.primary,
        clear=order.clear,
        attacks=[
            {"weapon": spec.mounts[a.mount].name, "mount": a.mount, "target": a.target, "mode": a.mode, "spotter": a.spotter}
            for a in order.attacks
        ],
    )
