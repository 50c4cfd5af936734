"""Where the rules ask a game master's own: what is told to them, and what they say as parts of target numbers.

The rules themselves and what they may look at are in :mod:`opfor.own_rules`. Nothing here is entered for a ruleset without any.
"""

from __future__ import annotations

from functools import lru_cache

from opfor.board.board import Board, Hex
from opfor.own_rules.bundle import Active, OwnItem
from opfor.own_rules.views import RANGES, PilotingRoll, Shot, Step, UnitView
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.state import State
from opfor.tables.arsenal import FireMode
from opfor.units.spec import Mount
from opfor.units.state import UnitState

#: class of a weapon by its type codes, the first that it has
_CLASSES = (("DE", "energy"), ("P", "energy"), ("M", "missile"), ("DB", "ballistic"))
_WOODS = ("", "light_woods", "heavy_woods", "ultra_heavy_woods")
_FLAGS = (
    "rough", "rubble", "swamp", "mud", "sand", "snow", "ice", "tundra", "pavement", "road", "building", "bridge", "smoke",
    "fire",
)  # fmt: skip


@lru_cache(maxsize=4096)
def terrain_words(hex: Hex) -> frozenset[str]:
    """What is in a hex, in words of :data:`opfor.own_rules.views.TERRAIN`."""
    found = {name for name in _FLAGS if getattr(hex, name)}
    if hex.woods:
        found |= {"woods", _WOODS[min(3, hex.woods)]}
    if hex.depth:
        found.add("water")
    return frozenset(found or {"clear"})


def weapon_class(mode: FireMode) -> str:
    """Class of a weapon: energy, ballistic, missile or other."""
    kinds = mode.weapon.kinds
    return next((name for code, name in _CLASSES if code in kinds), "other")


def unit_view(state: State, unit: UnitState) -> UnitView:
    """A unit as it stands, as own rules are told it."""
    return supposed_view(state, unit, unit.cell, unit.elevation, unit.mode, unit.hexes_moved, unit.prone)


def supposed_view(state: State, unit: UnitState, cell: int, elevation: int, mode: str, hexes: int, prone: bool) -> UnitView:
    """A unit as it is supposed to stand; ``cell`` -1: off the map."""
    spec, board = unit.spec, state.board
    here = board.hexes[cell] if cell >= 0 else None
    return UnitView(
        unit.id,
        state.sides[unit.side] if unit.side >= 0 else "",
        spec.name,
        spec.kind,
        spec.motive,
        int(spec.tons),
        board.grid.names[cell] if cell >= 0 else "",
        board.level[cell] + elevation if cell >= 0 else 0,
        terrain_words(here) if here is not None else frozenset(),
        mode,
        hexes,
        prone,
        unit.heat,
        unit.gunnery,
        unit.piloting,
    )


class OwnShots:
    """What own rules add to the shots of one attacker at one target, weapon by weapon; each is asked once."""

    __slots__ = ("_active", "_known", "_shot")

    def __init__(self, active: Active, shot: Shot) -> None:
        self._active = active
        self._shot = shot
        self._known: dict[tuple[str, str, int], tuple[list[Modifier], int]] = {}

    def items(self, mount: Mount, mode: FireMode, bracket: int) -> list[Modifier]:
        """What is added to a shot at a range bracket, item by item."""
        return self._of(mount, mode, bracket)[0]

    def total(self, mount: Mount, mode: FireMode, bracket: int) -> int:
        """The sum of :meth:`items`."""
        return self._of(mount, mode, bracket)[1]

    def _of(self, mount: Mount, mode: FireMode, bracket: int) -> tuple[list[Modifier], int]:
        key = (mode.weapon.name, mode.name, bracket)
        found = self._known.get(key)
        if found is None:
            shot = self._shot._replace(
                range=RANGES[bracket], weapon=mode.weapon.name, weapon_class=weapon_class(mode), mode=mode.name
            )
            parts = parts_of(self._active.of_shot(shot))
            found = self._known[key] = (parts, sum([part.value for part in parts]))
        return found


def add_to_blow(state: State, tn: TargetNumber, attacker: UnitState, target: UnitState, attack: str) -> None:
    """Add what own rules add to a physical attack."""
    active = state.ruleset.own_blows
    if active is not None:
        distance = state.board.grid.distance(attacker.cell, target.cell)
        views = unit_view(state, attacker), unit_view(state, target)
        shot = Shot(attack, *views, distance, "", "", "", "", False, state.turn, state.phase)
        tn.modifiers += parts_of(active.of_blow(shot))


def add_to_roll(state: State, tn: TargetNumber, unit: UnitState, reason: str) -> None:
    """Add what own rules add to a piloting roll."""
    active = state.ruleset.own_rolls
    if active is not None:
        tn.modifiers += parts_of(active.of_roll(PilotingRoll(unit_view(state, unit), reason, state.turn, state.phase)))


def own_cost(active: Active, motion: str, board: Board, here: int, there: int, levels: int, paved: bool, cost: int) -> int:
    """What a step from hex to hex costs by own rules; ``cost`` without them, ``levels`` up or down, in MP."""
    entered, left = board.hexes[there], board.hexes[here]
    names = board.grid.names
    return active.step_cost(Step(motion, names[there], terrain_words(entered), terrain_words(left), levels, paved, cost))


def parts_of(items: list[OwnItem]) -> list[Modifier]:
    """What own rules add, as parts of a target number."""
    return [Modifier(*item) for item in items]
