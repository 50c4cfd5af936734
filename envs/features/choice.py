"""The group ``choice``: the question that is asked now, and the steps already taken towards the order."""

from __future__ import annotations

from typing import Any

from envs.actions import PART, Walk
from envs.features.geometry import COS, FAR, SIN
from envs.features.scene import ROOM, Scene
from envs.layout import Column, Flat, Group, one_hot
from opfor.game.legal.choices import QUESTIONS
from opfor.units.hex_target import names_hex

#: ways of moving, as the trees name them
MODES = ("stand", "stop", "walk", "run", "jump", "evade", "sprint", "wait", "charge", "dfa", "pause", "mount", "dismount")
#: what the first question of a unit that may break in offers
BREAKING = ("pass", "preempt", "fire", "physical", "move")
_ASKED = (*QUESTIONS, PART)
_OPTIONS, _MP, _HEXES, _HEAT, _DAMAGE, _ORDERS = 319.0, 12.0, 12.0, 30.0, 40.0, 24.0
_SHOTS = 30.0

COLUMNS = (
    *one_hot("asks", _ASKED, "1 where the question is: {}"),
    Column("part_of_hexes", "1 where it is asked which part of the hexes (of other options: 0)"),
    Column("options", "how many options there are, 319 make 1"),
    Column("steps", "steps taken towards this order, 24 make 1"),
    *one_hot("mode", MODES, "1 where the movement chosen is: {}"),
    Column("hex", "1 where a hex has been chosen"),
    Column("east", "that hex: columns east of the acting unit, 32 make 1"),
    Column("south", "that hex: rows south of it, 32 make 1"),
    Column("mp", "MP that it takes to be there, 12 make 1"),
    Column("hexes", "hexes moved to be there, 12 make 1"),
    Column("facing", "1 where a facing has been chosen"),
    Column("facing_north", "cosine of that facing"),
    Column("facing_east", "sine of that facing"),
    Column("prone", "1 where lying prone has been chosen"),
    Column("posture", "1 where a twist, turret facing or flipping of arms has been chosen"),
    Column("twist", "twist or turret facing chosen in hexsides, 3 make 1"),
    Column("flip", "1 where the arms are to be flipped"),
    Column("target", "1 where a target has been chosen"),
    Column("target_row", "its row among the enemies in the group units, 24 make 1"),
    Column("target_east", "columns east of the acting unit, 32 make 1"),
    Column("target_south", "rows south of the acting unit, 32 make 1"),
    Column("target_is_hex", "1 where it is a hex"),
    Column("volley_damage", "expected damage of the shots chosen so far, 40 points make 1"),
    Column("volley_heat", "heat of the shots chosen so far, 30 make 1"),
    Column("shots", "weapons to be fired so far, 24 make 1"),
    Column("weapon", "1 where it is asked what a weapon does"),
    Column("weapon_place", "that weapon's place among the unit's, 24 make 1"),
    Column("weapon_damage", "the most damage that it does, 20 points make 1"),
    Column("weapon_heat", "its heat, 20 make 1"),
    Column("weapon_minimum", "minimum range, 32 makes 1"),
    Column("weapon_short", "short range, 32 makes 1"),
    Column("weapon_medium", "medium range, 32 makes 1"),
    Column("weapon_long", "long range, 32 makes 1"),
    Column("weapon_rounds", "rounds left for it, 30 make 1; 1 where it needs none"),
)
GROUP = Group("choice", "The question that is asked and what has been chosen so far.", 1, COLUMNS)
_OF_HEXES, _MODE, _HEX, _FACING, _PRONE, _TARGET, _VOLLEY, _WEAPON = (
    GROUP.index(name) for name in ("part_of_hexes", "mode_stand", "hex", "facing", "prone", "target", "volley_damage", "weapon")
)


def question_name(name: str) -> str:
    """The question as one of those listed; the last of these for any other."""
    if name in QUESTIONS or name == PART:
        return name
    head = name.partition(" ")[0]
    return head if head in QUESTIONS else "which"


class Steps:
    """What the steps taken in a walk come to. ``mode``, ``cell`` and ``elevation`` there, ``facing`` (-1: none), ``prone``,
    ``twist``, ``flip``, ``target``; ``damage`` and ``heat`` of the volley so far are told by whoever knows the weapons."""

    __slots__ = ("cell", "elevation", "facing", "flip", "hexes", "mode", "mp", "posture", "prone", "target", "twist", "volley")

    def __init__(self, walk: Walk) -> None:
        self.mode = self.target = ""
        self.cell = self.facing = -1
        self.elevation = self.mp = self.hexes = self.twist = 0
        self.prone = self.flip = self.posture = False
        #: (mount, target, number needed, fire mode) of every weapon that is to be fired
        self.volley: list[tuple[int, str, int, str]] = []
        for name, facts in walk.chosen:
            self._take(question_name(name), facts)

    def _take(self, name: str, facts: dict[str, Any]) -> None:
        if name == "weapon":
            if facts.get("target"):
                self.volley.append(
                    (int(facts.get("mount", -1)), facts["target"], int(facts.get("number", 0)), facts.get("mode", ""))
                )
            return
        if name == PART:
            # the part of a question says nothing of the option that will be chosen
            return
        mode = facts.get("mode")
        if mode and name in ("mode", "hex", "from", "unit"):
            self.mode = str(mode)
        cell = facts.get("cell", -1)
        if name in ("hex", "from", "cell") and cell is not None and cell >= 0:
            self.cell = int(cell)
            self.elevation = int(facts.get("elevation", 0))
        if name in ("hex", "facing", "from", "posture") and "mp" in facts:
            self.mp, self.hexes = int(facts["mp"]), int(facts.get("hexes", 0))
        if name in ("facing", "from") and "facing" in facts:
            self.facing = int(facts["facing"])
        if name == "posture" and "prone" in facts:
            self.prone = bool(facts["prone"])
        if name == "twist":
            self.posture = True
            self.twist, self.flip = int(facts.get("twist", 0)), bool(facts.get("flip", False))
        if facts.get("target"):
            self.target = str(facts["target"])


def write_choice(scene: Scene, steps: Steps, volley: tuple[float, float], out: Flat) -> None:
    """Fill the group, shape (1, columns). ``volley``: expected damage and heat of the shots chosen so far."""
    walk = scene.walk
    question = walk.question
    assert question is not None
    name = question_name(question.name)
    row = [0.0] * len(COLUMNS)
    row[_ASKED.index(name)] = 1.0
    row[_OF_HEXES] = float(name == PART and question.subject == "hex")
    row[_OF_HEXES + 1] = question.options / _OPTIONS
    row[_OF_HEXES + 2] = len(walk.chosen) / _ORDERS
    if steps.mode in MODES:
        row[_MODE + MODES.index(steps.mode)] = 1.0
    if steps.cell >= 0:
        row[_HEX : _HEX + 5] = [1.0, *offset(scene, steps.cell), steps.mp / _MP, steps.hexes / _HEXES]
    if steps.facing >= 0:
        row[_FACING : _FACING + 3] = [1.0, float(COS[4 * steps.facing]), float(SIN[4 * steps.facing])]
    row[_PRONE : _PRONE + 4] = [float(steps.prone), float(steps.posture), steps.twist / 3.0, float(steps.flip)]
    if steps.target:
        row[_TARGET : _TARGET + 5] = _target(scene, steps.target)
    if steps.volley:
        row[_VOLLEY : _VOLLEY + 3] = [volley[0] / _DAMAGE, volley[1] / _HEAT, len(steps.volley) / _ORDERS]
    if name in ("weapon", "fire mode"):
        row[_WEAPON:] = _weapon(scene)
    out[0] = row


def offset(scene: Scene, cell: int) -> tuple[float, float]:
    """Where a cell lies from the acting unit: east and south, scaled."""
    here = scene.me.cell
    dq, dr = int(scene.q[cell] - scene.q[here]), int(scene.r[cell] - scene.r[here])
    return dq / FAR, (dr + 0.5 * dq) / FAR


def _target(scene: Scene, target: str) -> list[float]:
    row = scene.row_of.get(target)
    if row is not None:
        east, south = offset(scene, scene.state.unit(target).cell)
        return [1.0, max(0, row - ROOM) / ROOM, east, south, 0.0]
    if names_hex(target):
        return [1.0, 0.0, *offset(scene, scene.state.target(target).cell), 1.0]
    return [1.0, 0.0, 0.0, 0.0, 0.0]


def _weapon(scene: Scene) -> list[float]:
    question = scene.walk.question
    mounts = question.facts.get("mount") if question is not None else None
    if mounts is None or not len(mounts):
        return [0.0] * 9
    unit = scene.me
    number = max(int(mounts[0]), int(mounts[-1]))
    if not 0 <= number < len(unit.spec.mounts):
        return [0.0] * 9
    mount = unit.spec.mounts[number]
    weapon = mount.weapon
    most = max([max(weapon.damage) * max(1, weapon.cluster), 0])
    kinds = {mode.ammo for mode in mount.modes if mode.ammo}
    rounds = sum([unit.shots(kind) for kind in kinds]) / _SHOTS if kinds else 1.0
    return [
        1.0,
        number / _ORDERS,
        most / 20.0,
        max([mode.heat for mode in mount.modes], default=0) / 20.0,
        max(0, weapon.minimum) / FAR,
        weapon.short / FAR,
        weapon.medium / FAR,
        weapon.long / FAR,
        rounds,
    ]
