"""The group ``slots``: a row for each action, with what makes the options of the present question comparable.

Row 0 is the action ``pass``; row i is option i - 1. Written from the question's columns of facts, many options at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from envs.actions import ACTIONS, Question
from envs.features import places, shots
from envs.features.choice import BREAKING, MODES, Steps, question_name
from envs.features.figures import Figures
from envs.features.geometry import FAR, Floats, Ints
from envs.features.hazards import Hazards
from envs.features.likely import Outlook
from envs.features.melee import Melee, Stand
from envs.features.modifiers import dodge_by_mode
from envs.features.scene import ROOM, Scene
from envs.features.units import GROUP as UNITS
from envs.layout import Column, Flat, Group
from opfor.dice import chance_2d6
from opfor.rules.melee.blows import physical_damage
from opfor.rules.pilots.heat import movement_heat
from opfor.units.hex_target import names_hex

COLUMNS = (
    Column("present", "1 for every action that is legal"),
    Column("passes", "1 for action 0"),
    Column(
        "what",
        "which: a way of moving (place among the modes of the group choice, over their number), a unit (row of the group "
        "units among its side's, 24 make 1), hexsides turned (3 make 1), a twist (3 make 1), lying prone 1, a physical attack "
        "(place among punch, kick, push, club, hatchet and sword, over 6); where none of these tells the options apart, the "
        "place among them",
    ),
    Column("odds", "chance that it comes off: of hitting; 0.5 for a movement that calls for a piloting roll, else 1"),
    Column(
        "given",
        "expected damage of the acting unit's fire: from there at its best target, or of that shot; 40 points make 1. "
        "Of walking, running, jumping and standing this and what follows, the cost apart, is told of the best hex that it "
        "leads to: the most gain less loss",
    ),
    Column(
        "taken",
        "expected damage of the fire of the six nearest enemies at that place, 40 points make 1: of each from where it stands, "
        "or, as long as it has yet to move, from where it will probably go",
    ),
    Column(
        "gain",
        "what the damage given is worth, by what is left of the target on the side that it strikes; 20 points to a sound "
        "55-ton 'Mech from the front make 1",
    ),
    Column("loss", "what the damage taken is worth, in the same way"),
    Column(
        "hazard",
        "what may happen to the unit that ends there: water, floors that may give way, swamp, ice, fire, mines, as the veteran "
        "reckons; 20 points make 1",
    ),
    Column("blows", "next to enemies: what kicks are worth there, one's own less theirs; 20 points make 1"),
    Column(
        "edge",
        "gain and blows less loss and hazard, less that of the best of the options; 10 points make 1, so that the best has 0",
    ),
    Column("cost", "MP of the movement, 12 make 1; heat of a shot or a way of moving, 12 make 1"),
    Column("dodge", "modifier to hit the unit for that movement, 8 make 1"),
    Column("east", "the hex or the target's: columns east of the acting unit, 32 make 1"),
    Column("south", "rows south of it, 32 make 1"),
    Column("higher", "levels above the acting unit's hex, 10 make 1"),
    Column("cover", "woods, smoke or walls there, 0 to 1"),
    Column("nearest", "hexes from there to the nearest enemy, 32 make 1"),
    Column("close", "1 over those hexes: 1 next to it, or in its hex"),
    Column(
        "fronts",
        "where the facing there is known: the mean cosine of the bearings of the six nearest enemies from it, nearer ones for "
        "more (by one over two more than the hexes): 1 where all are ahead, -1 where all are behind",
    ),
    Column("goal", "hexes from there to the side's objective, 32 make 1"),
    Column("left", "of a unit or target: the share of its armour and structure left"),
)
GROUP = Group("slots", "A row for each action; row 0 is to pass.", ACTIONS, COLUMNS)
PLACE = {column.name: place for place, column in enumerate(COLUMNS)}
_WHAT, _GAIN, _LOSS, _HAZARD, _BLOWS, _EDGE, _DODGE, _EAST, _COVER, _NEAREST, _CLOSE, _GOAL, _LEFT = (
    PLACE[name]
    for name in (
        "what",
        "gain",
        "loss",
        "hazard",
        "blows",
        "edge",
        "dodge",
        "east",
        "cover",
        "nearest",
        "close",
        "goal",
        "left",
    )
)
#: columns that tell of a way of moving what the best of its hexes has
_OF_THE_BEST = [PLACE[name] for name in ("given", "taken", "gain", "loss", "hazard", "blows", "dodge")]
#: questions whose options are weighed against one another by what they gain and lose
_WEIGHED = frozenset(("hex", "facing", "from", "posture", "twist", "primary target", "weapon"))
#: ways of moving that are told by the best hex that they lead to: those from which there is fire
_WAYS = frozenset(("walk", "run", "jump"))
#: columns of the group units that stand in a row from dodge on here
_TOLD = np.array([UNITS.index(name) for name in ("dodge", "east", "south", "higher")])
_U_LEFT = UNITS.index("left")
_MODIFIERS, _COST, _DAMAGE = 8.0, 12.0, 40.0
#: physical attacks, as their question names them
BLOWS = ("punch", "kick", "push", "club", "hatchet", "sword")
_MODE_CODES = {mode: (place + 1) / len(MODES) for place, mode in enumerate(MODES)} | {
    kind: (place + 1) / len(BREAKING) for place, kind in enumerate(BREAKING)
}
#: chance to hit by number needed; numbers of 0 need no roll and do nothing
_ODDS = np.array([0.0, *(chance_2d6(number) for number in range(1, 14))], dtype=np.float32)
Facts = Mapping[str, Sequence[Any]]


class SlotsFeatures:
    """Writes the group, and clears only what was written before."""

    def __init__(self) -> None:
        self._written = ACTIONS
        figures = Figures()
        self._hazards, self._melee = Hazards(figures), Melee(figures)
        self._outlook: Outlook | None = None

    def write(self, scene: Scene, steps: Steps, ground: Floats, goal: Ints, units: Flat, out: Flat) -> None:
        """Fill the group, shape (320, columns).

        ``ground``: :meth:`GroundFeatures.table`; ``goal``: :meth:`Goals.field`; ``units``: the group ``units`` as written.
        """
        question = scene.walk.question
        assert question is not None
        count = question.options
        out[: self._written] = 0.0
        self._written = count + 1
        out[: count + 1, 0] = 1.0
        out[0, PLACE["passes"]] = 1.0
        rows = out[1 : count + 1]
        facts = question.facts
        name = question_name(question.name)
        asked = question_name(question.subject) if name == "part" else name
        told = False
        if "number" in facts:
            numbers = np.minimum(np.maximum(np.asarray(facts["number"], dtype=np.int64), 0), len(_ODDS) - 1)
            rows[:, PLACE["odds"]] = _ODDS[numbers]
        if "cell" in facts or (asked == "posture" and "prone" in facts):
            self._places(scene, steps, asked, facts, ground, goal, rows)
        if "unit" in facts and asked in ("unit", "spotter"):
            told = self._units(scene, facts["unit"], goal, units, rows)
        if "mode" in facts and asked in ("mode", "break in", "unit"):
            told = self._modes(scene, facts["mode"], rows) or told
        if asked == "mode" and not steps.mode and isinstance(question, Question):
            self._ways(scene, question, ground, goal, rows)
        if "facing" in facts and asked == "facing":
            turned = (np.asarray(facts["facing"], dtype=np.int32) - scene.me.facing + 2) % 6 - 2
            rows[:, PLACE["what"]] = turned / 3.0
            told = True
        if "prone" in facts and asked == "posture":
            rows[:, PLACE["what"]] = np.asarray(facts["prone"], dtype=np.float32)
            told = True
        if "twist" in facts and asked == "twist":
            shots.weigh_postures(scene, facts, rows, PLACE)
            told = True
        if asked == "attack":
            told = self._blows(scene, rows)
        if "target" in facts:
            told = self._targets(scene, facts["target"], goal, units, rows) or told
            if asked in ("primary target", "weapon"):
                shots.weigh_targets(scene, steps, asked, facts, rows, PLACE)
        if asked in _WEIGHED:
            _compare(rows, slice(None))
        if not told:
            rows[:, PLACE["what"]] = (
                np.arange(1, count + 1, dtype=np.float32) / ACTIONS if count > 24 else np.arange(1, count + 1) / 24
            )

    def _cells(self, scene: Scene, cells: Ints, away: Ints | None, ground: Floats, goal: Ints, rows: Flat) -> None:
        """Where hexes lie and what is there. ``away``: hexes from the nearest enemies, None without any."""
        here = scene.me.cell
        dq = scene.q[cells] - scene.q[here]
        rows[:, _EAST] = dq
        rows[:, _EAST + 1] = scene.r[cells] - scene.r[here] + 0.5 * dq
        rows[:, _EAST : _EAST + 2] /= FAR
        places.lie_of(ground, cells, here, rows, PLACE)
        if away is not None:
            near = away.min(axis=0)
            rows[:, _NEAREST] = near / FAR
            rows[:, _CLOSE] = np.float32(1.0) / np.maximum(near, 1)
        if len(goal):
            rows[:, _GOAL] = goal[cells] / FAR

    def _places(self, scene: Scene, steps: Steps, asked: str, facts: Facts, ground: Floats, goal: Ints, rows: Flat) -> None:
        """Hexes, and facings and postures there: where they lie, what they cost, what they are worth."""
        if "mp" in facts:
            rows[:, PLACE["cost"]] = facts["mp"]
            rows[:, PLACE["cost"]] /= _COST
        if "rolls" in facts:
            rows[:, PLACE["odds"]] = 1.0
            rows[:, PLACE["odds"]] -= 0.5 * np.asarray(facts["rolls"], dtype=np.float32)
        unit = scene.me
        # those without a hex stay where they are
        stays = steps.cell if steps.cell >= 0 else unit.cell
        if asked in ("facing", "posture"):
            one = int(facts["cell"][0]) if "cell" in facts else stays
            cells = np.array([one if one >= 0 else stays], dtype=np.int32)
        else:
            cells = np.asarray(facts["cell"], dtype=np.int32)
            cells = np.where(cells >= 0, cells, stays)
        where = places.Where(cells, self._elevations(scene, steps, cells, facts), steps.facing)
        from_enemies = scene.from_enemies(cells) if scene.enemies else None
        self._cells(scene, cells, from_enemies[0] if from_enemies is not None else None, ground, goal, rows)
        if asked in ("hex", "facing", "from", "posture"):
            self._weigh(scene, steps.mode or unit.mode, where, facts, rows)

    def _weigh(self, scene: Scene, mode: str, where: places.Where, facts: Facts, rows: Flat) -> None:
        """What places are worth: fire given and taken, hazards, kicks."""
        outlook = self._outlook
        if outlook is None or outlook.scene is not scene:
            outlook = self._outlook = Outlook(scene)
        places.weigh(outlook, mode, where, facts, rows, PLACE)
        rows[:, _HAZARD] = self._hazards.of(scene, where.cells, where.elevations) / np.float32(places.WORTH)
        threats = outlook.threats()
        if not threats or scene.me.spec.is_infantry:
            return
        beside = outlook.to_threats(where.cells)[0] == 1
        one = len(where.cells) == 1
        dodges = np.rint(rows[:, _DODGE] * _MODIFIERS).astype(np.int32).tolist()
        for option in range(len(rows)) if one and beside.any() else np.flatnonzero(beside.any(axis=0)).tolist():
            at = 0 if one else option
            near = [threat for threat, close in zip(threats, beside[:, at].tolist(), strict=True) if close]
            facing = int(facts["facing"][option]) if "facing" in facts else where.facing
            prone = bool(facts["prone"][option]) if "prone" in facts else False
            stand = Stand(int(where.cells[at]), int(where.elevations[at]), facing, prone, dodges[option])
            rows[option, _BLOWS] = self._melee.worth(scene, near, mode, stand) / places.WORTH

    @staticmethod
    def _elevations(scene: Scene, steps: Steps, cells: Ints, facts: Facts) -> Ints:
        """The elevations of options: as they tell, as has been chosen, or as the unit stands; shape of ``cells``."""
        if "elevation" in facts and len(cells) > 1:
            return np.asarray(facts["elevation"], dtype=np.int32)
        chosen = steps.elevation if steps.cell >= 0 else scene.me.elevation
        one = int(facts["elevation"][0]) if "elevation" in facts else chosen
        return np.full(len(cells), one, dtype=np.int32)

    def _units(self, scene: Scene, ids: Sequence[Any], goal: Ints, units: Flat, rows: Flat) -> bool:
        """Units by their rows in the group units; options that are none of those shown are left out."""
        row_of = scene.row_of
        options = [option for option, id in enumerate(ids) if id in row_of]
        if not options:
            return False
        shown = np.array([row_of[ids[option]] for option in options], dtype=np.int64)
        told = units[shown]
        cells = scene.cells[[scene.own[row] if row < ROOM else scene.enemies[row - ROOM] for row in shown.tolist()]]
        # most often all options but the first, or none, are units that are shown: their rows are written in place
        first, end = options[0], options[-1] + 1
        at_once = end - first == len(options)
        found = rows[first:end] if at_once else rows[options]
        found[:, _WHAT] = (shown % ROOM + 1) / ROOM
        found[:, _DODGE:_COVER] = told[:, _TOLD]
        found[:, _LEFT] = told[:, _U_LEFT]
        if scene.enemies:
            # of an enemy it is of no use how near it is to itself
            found[:, _NEAREST] = scene.from_enemies(cells)[0].min(axis=0) / FAR * (shown < ROOM)
        if len(goal):
            found[:, _GOAL] = goal[cells] / FAR
        if not at_once:
            rows[options] = found
        return True

    def _modes(self, scene: Scene, modes: Sequence[Any], rows: Flat) -> bool:
        """Ways of moving: what they are, their heat, and how hard they make the unit to hit beside the hexes moved."""
        found = False
        unit = scene.me
        for option, mode in enumerate(modes):
            code = _MODE_CODES.get(mode)
            if code is None:
                continue
            found = True
            rows[option, PLACE["what"]] = code
            if mode in ("stand", "walk", "run", "jump", "evade", "sprint"):
                if unit.spec.is_mech:
                    rows[option, PLACE["cost"]] = movement_heat(mode, 0) / _COST
                rows[option, PLACE["dodge"]] = dodge_by_mode(scene.state, unit, mode) / _MODIFIERS
        return found

    def _ways(self, scene: Scene, question: Question, ground: Floats, goal: Ints, rows: Flat) -> None:
        """Where ways of moving lead to: of the hexes that each reaches, how the best one lies and what it is worth.

        The best is where the gain less the loss is most, the first of such; without enemies the nearest to the objective.
        """
        unit = scene.me
        ways: list[int] = []
        for option, mode in enumerate(question.facts["mode"]):
            facts: Facts = question.ahead(option) if mode in _WAYS else {}
            if mode == "stand":
                facts = {
                    "cell": [unit.cell], "elevation": [unit.elevation], "hexes": [unit.hexes_moved], "facing": [unit.facing],
                    "prone": [unit.prone],
                }  # fmt: skip
            if not len(facts.get("cell", ())):
                continue
            cells = np.asarray(facts["cell"], dtype=np.int32)
            seen = np.zeros((len(cells), len(COLUMNS)), dtype=np.float32)
            where = places.Where(cells, np.asarray(facts["elevation"], dtype=np.int32), -1)
            self._weigh(scene, mode, where, facts, seen)
            away = None
            if scene.enemies:
                best = int(np.argmax(_net(seen)))
                away = scene.from_enemies(cells[best : best + 1])[0]
            else:
                best = int(np.argmin(goal[cells])) if len(goal) else 0
            row = rows[option : option + 1]
            self._cells(scene, cells[best : best + 1], away, ground, goal, row)
            row[0, _OF_THE_BEST] = seen[best, _OF_THE_BEST]
            row[0, PLACE["odds"]] = 1.0 - 0.5 * bool(facts["rolls"][best] if "rolls" in facts else 0)
            ways.append(option)
        if ways:
            _compare(rows, ways)

    def _blows(self, scene: Scene, rows: Flat) -> bool:
        """Physical attacks, by the names that their options bear: which, and what they do. Rule: S-8."""
        question = scene.walk.question
        assert question is not None
        for option in range(question.options):
            name = question.label(option)
            if name in BLOWS:
                rows[option, _WHAT] = (BLOWS.index(name) + 1) / len(BLOWS)
                rows[option, PLACE["given"]] = rows[option, PLACE["odds"]] * physical_damage(scene.me, name) / _DAMAGE
        return True

    def _targets(self, scene: Scene, targets: Sequence[Any], goal: Ints, units: Flat, rows: Flat) -> bool:
        """Targets by their rows in the group units; hexes by where they lie."""
        found = self._units(scene, targets, goal, units, rows)
        here = scene.me.cell
        known: dict[str, tuple[float, float]] = {}
        for option, target in enumerate(targets):
            if target and names_hex(target):
                found = True
                lies = known.get(target)
                if lies is None:
                    cell = scene.board.grid.parse(target[1:])
                    dq, dr = int(scene.q[cell] - scene.q[here]), int(scene.r[cell] - scene.r[here])
                    lies = known[target] = (dq / FAR, (dr + 0.5 * dq) / FAR)
                rows[option, _EAST], rows[option, _EAST + 1] = lies
        return found


def _compare(rows: Flat, options: list[int] | slice) -> None:
    """Write by how much options are worse than the best of them."""
    net = _net(rows[options])
    rows[options, _EDGE] = (net - net.max()) * np.float32(places.WORTH / places.EDGE)


def _net(rows: Flat) -> Floats:
    """What options are worth by what they gain and lose."""
    found: Floats = rows[:, _GAIN] + rows[:, _BLOWS] - rows[:, _LOSS] - rows[:, _HAZARD]
    return found


__all__ = ["COLUMNS", "GROUP", "PLACE", "SlotsFeatures"]
