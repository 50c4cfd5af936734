"""What fire that has been declared, and is yet to be resolved, will probably do to its targets. Rule: S-1, S-4."""

from __future__ import annotations

from envs.features.damage import RANGES
from envs.features.records import Record
from envs.features.scene import Scene
from opfor.dice import chance_2d6
from opfor.orders import Attack, FireOrder
from opfor.tables import table
from policies.veteran.figures import INDIRECT
from policies.veteran.lanes import BLOCKED

#: what a target beside the primary one adds to a number to hit
_SECONDARY: int = table("to_hit")["secondary"]["front"]


def declared_damage(scene: Scene) -> dict[int, float]:
    """Expected damage of the fire declared at each unit that the side knows, by its place in the scene."""
    orders = [order for order in scene.state.declared if isinstance(order, FireOrder) and order.attacks]
    found: dict[int, float] = {}
    if not orders:
        return found
    places = {unit.id: place for place, unit in enumerate(scene.units)}
    for order in orders:
        if order.unit not in places:
            continue
        me = scene.records[places[order.unit]]
        for attack in order.attacks:
            place = places.get(attack.target)
            if place is not None:
                more = _SECONDARY if attack.target != order.primary else 0
                found[place] = found.get(place, 0.0) + _expected(scene, me, scene.records[place], attack, more, places)
    return found


def _expected(scene: Scene, me: Record, them: Record, attack: Attack, more: int, places: dict[str, int]) -> float:
    """Expected damage of one shot, of which ``more`` is known to be added to its number."""
    out, _ = scene.lines.shots(me.key, them.key)
    if out >= BLOCKED and attack.spotter in places:
        out, _ = scene.lines.shots(scene.records[places[attack.spotter]].key, them.key)
        more += INDIRECT
    if out >= BLOCKED:
        return 0.0
    distance = min(scene.board.grid.distance(me.unit.cell, them.unit.cell), RANGES - 1)
    common = me.skill + me.fire + out + them.dodge + more
    for barrel in scene.store.power(me, them.unit.spec).barrels:
        if barrel.mount.index == attack.mount:
            for mode in barrel.modes:
                if mode.mode.name == attack.mode:
                    return chance_2d6(mode.offset[distance] + common) * mode.damage[distance]
    return 0.0


__all__ = ["declared_damage"]
