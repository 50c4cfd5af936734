"""What postures, targets and single shots are worth: expected damage of the acting unit's fire as it stands. Rule: S-4, S-5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from envs.features.choice import Steps
from envs.features.damage import RANGES, Posture, bits_of
from envs.features.places import DAMAGE, WORTH
from envs.features.scene import ROOM, WEIGHED, Scene
from envs.layout import Flat
from opfor.dice import chance_2d6
from policies.veteran.firepower import Firepower
from policies.veteran.lanes import BLOCKED

_HEAT, _TWIST = 12.0, 3.0
Facts = Mapping[str, Sequence[Any]]


class Aim(NamedTuple):
    """A line of fire from the acting unit: weapons against that target, bearing from its hull, distance, modifiers, heat, and
    what a point of damage to that target is worth on the side that is struck."""

    power: Firepower
    relative: int
    distance: int
    common: int
    heat: int
    point: float

    def worth(self, posture: Posture) -> float:
        """Expected damage of the whole fire in a posture."""
        bits = bits_of(self.relative, posture) if self.distance else _EVERY
        return self.power.expected(bits, self.distance, self.common, self.heat)


_EVERY = (1 << 20) - 1


def aim_at(scene: Scene, place: int) -> Aim | None:
    """The acting unit's line of fire at a unit of the scene, None where there is none."""
    me, them = scene.records[scene.acting], scene.records[place]
    distance = scene.far[place]
    if distance >= RANGES:
        return None
    out, _ = scene.lines.shots(me.key, them.key)
    if out >= BLOCKED:
        return None
    bearing = scene.board.grid.sextant(me.unit.cell, them.unit.cell)
    common = me.skill + me.fire + out + them.dodge
    power = scene.store.power(me, them.unit.spec)
    return Aim(power, (bearing - 4 * me.unit.facing) % 24, distance, common, me.heat, _point(scene, place))


def _point(scene: Scene, place: int) -> float:
    """What a point of damage to an enemy is worth on the side that the acting unit strikes. Rule: S-3."""
    them = scene.records[place]
    bearing = scene.board.grid.sextant(scene.me.cell, them.unit.cell)
    return float(scene.store.worths(scene.state, them)[(bearing + 12 - 4 * them.unit.facing) % 24])


def weigh_postures(scene: Scene, facts: Facts, rows: Flat, place: Mapping[str, int]) -> None:
    """Write what each twist is, and the best fire in it."""
    flips = facts.get("flip")
    aims = [aim for enemy in scene.enemies[:WEIGHED] if (aim := aim_at(scene, enemy)) is not None]
    for option, twist in enumerate(facts["twist"]):
        flip = bool(flips[option]) if flips is not None else False
        rows[option, place["what"]] = twist / _TWIST if not flip else -1.0
        found = [(aim.worth((int(twist), flip)), aim.point) for aim in aims]
        rows[option, place["given"]] = max([damage for damage, _ in found], default=0.0) / DAMAGE
        rows[option, place["gain"]] = max([damage * point for damage, point in found], default=0.0) / WORTH


def weigh_targets(scene: Scene, steps: Steps, asked: str, facts: Facts, rows: Flat, place: Mapping[str, int]) -> None:
    """Write the expected damage at each target: of the whole fire at a primary target, of one weapon's shot else."""
    targets = facts["target"]
    if asked == "primary target":
        for option, target in enumerate(targets):
            row = scene.row_of.get(target)
            if row is not None and row >= ROOM:
                aim = aim_at(scene, scene.enemies[row - ROOM])
                if aim is not None:
                    damage = aim.worth((steps.twist, steps.flip))
                    rows[option, place["given"]] = damage / DAMAGE
                    rows[option, place["gain"]] = damage * aim.point / WORTH
        return
    mounts, modes, numbers = facts.get("mount"), facts.get("mode"), facts.get("number")
    if mounts is None or modes is None or numbers is None:
        return
    points: dict[str, float] = {}
    for option, target in enumerate(targets):
        if target:
            damage, heat = shot(scene, int(mounts[option]), target, int(numbers[option]), modes[option])
            rows[option, place["given"]] = damage / DAMAGE
            rows[option, place["cost"]] = heat / _HEAT
            if damage:
                if target not in points:
                    points[target] = _point(scene, scene.enemies[scene.row_of[target] - ROOM])
                rows[option, place["gain"]] = damage * points[target] / WORTH


def shot(scene: Scene, mount: int, target: str, number: int, mode: str) -> tuple[float, float]:
    """Expected damage and heat of one weapon's shot at a target that it needs ``number`` to hit; of a hex no damage is told."""
    unit = scene.me
    if not 0 <= mount < len(unit.spec.mounts):
        return 0.0, 0.0
    heat = next((float(one.heat) for one in unit.spec.mounts[mount].modes if one.name == mode), 0.0)
    row = scene.row_of.get(target)
    if row is None or row < ROOM:
        return 0.0, heat
    place = scene.enemies[row - ROOM]
    distance = min(scene.far[place], RANGES - 1)
    for barrel in scene.store.power(scene.records[scene.acting], scene.units[place].spec).barrels:
        if barrel.mount.index == mount:
            for one in barrel.modes:
                if one.mode.name == mode:
                    return chance_2d6(number) * one.damage[distance], heat
    return 0.0, heat


def volley(scene: Scene, steps: Steps) -> tuple[float, float]:
    """Expected damage and heat of the shots chosen so far."""
    damage = heat = 0.0
    for mount, target, number, mode in steps.volley:
        one, warm = shot(scene, mount, target, number, mode)
        damage += one
        heat += warm
    return damage, heat
