"""What a fire order does: the torso turns, the attacks are declared. They are rolled for when all have declared. Rule: S-4."""

from __future__ import annotations

from opfor.orders import FireOrder
from opfor.rules.play import Play


def declare_fire(play: Play, order: FireOrder) -> None:
    """Turn the torso, note which weapons and arms are used and who spots, and keep the order for the end of the phase."""
    state = play.state
    unit = state.unit(order.unit)
    unit.twist = order.twist
    unit.arms_flipped = order.flip
    spec = unit.spec
    for attack in order.attacks:
        mount = spec.mounts[attack.mount]
        unit.fired |= 1 << attack.mount
        if mount.location >= 0:
            unit.used_arms |= 1 << mount.location
        if mount.split_location >= 0:
            unit.used_arms |= 1 << mount.split_location
        if attack.spotter:
            state.unit(attack.spotter).spotting = True
    state.declared.append(order)
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
