"""Changes of a battle that make a side stronger or weaker, in families, each from the least to the greatest."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.gm.ruletest.sources import BattleData
from opfor.gm.starting.budget import candidates, cost_of, era_from
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

#: units of the catalogue that are tried as one more, at most
_MORE = 15
_ERA = "succession wars"
#: by how much the skills of a whole side are changed, at most; skills stay within these bounds
_SKILLS = 3
_BEST, _WORST = 0, 7
#: skills of a pilot's entry that are target numbers, and the one that is a level: higher is better
_NUMBERS = frozenset({"gunnery", "piloting", "driving", "anti_mech", "ranged_tn", "physical_tn"})
_LEVEL = "physical"
#: hexes looked at for one more unit
_ROOM = 80


@dataclass(frozen=True, slots=True)
class Change:
    """One change. ``worth``: Battle Value that comes or goes, 0 where that is not told.

    ``make`` gives the battle with it, None where there is no room.
    """

    family: str
    words: str
    worth: int
    make: Callable[[BattleData], BattleData | None]


def families(battle: Battle, side: int, *, more: bool) -> Iterator[list[Change]]:
    """Changes that make a side stronger (``more``) or weaker, family by family; those of the side itself come first."""
    state = battle.state
    for who in (side, 1 - side):
        stronger = more is (who == side)
        name = state.sides[who]
        units = sorted([u for u in state.units if u.side == who and u.alive], key=lambda u: (_worth(u), u.id))
        if not units:
            continue
        if stronger:
            yield _one_more(battle, name, units)
        elif len(units) > 1:
            yield [_one_less(name, unit) for unit in units]
        yield [_skills(name, {u.id for u in units}, -points if stronger else points) for points in range(1, _SKILLS + 1)]


def _worth(unit: UnitState) -> int:
    return cost_of(unit.spec, "bv") or unit.spec.tons


# -- a unit more, a unit less -----------------------------------------------------------------------------------------


def _one_more(battle: Battle, side: str, units: list[UnitState]) -> list[Change]:
    """Types of the catalogue of the kinds that the side has, evenly over their Battle Value, by the greatest."""
    kinds = tuple(dict.fromkeys(unit.spec.kind for unit in units))
    # what nobody in the battle could have is not offered, but for what is as old as the wars that most are fought in
    era = max([era_from(_ERA), *[unit.spec.era for unit in battle.state.units]])
    specs = [spec for spec in candidates(kinds, era) if cost_of(spec, "bv")]
    specs.sort(key=lambda spec: (cost_of(spec, "bv"), spec.name))
    count = min(_MORE, len(specs))
    chosen = [specs[(2 * number + 1) * len(specs) // (2 * count)] for number in range(count)]
    beside = units[-1]
    return [_adding(battle, side, spec, beside) for spec in chosen]


def _adding(battle: Battle, side: str, spec: UnitSpec, beside: UnitState) -> Change:
    worth = cost_of(spec, "bv")
    state = battle.state

    def make(document: BattleData) -> BattleData | None:
        number = 1 + sum(1 for entry in document["units"] if str(entry["id"]).startswith("added-"))
        beside_it = next(entry for entry in document["units"] if entry["id"] == beside.id)
        for at in _near(battle, beside.cell):
            entry: dict[str, Any] = {"id": f"added-{number}", "side": side, "type": spec.name, "at": at}
            entry |= {key: beside_it[key] for key in ("pilot", "crew") if key in beside_it and spec.kind == beside.spec.kind}
            if "facing" in beside_it and not spec.is_infantry:
                entry["facing"] = beside_it["facing"]
            if spec.kind == "vtol":
                entry["elevation"] = max(1, beside.elevation)
            changed = {**document, "units": [*document["units"], entry]}
            if _reads(changed, battle):
                return changed
        return None

    return Change(
        f"{side}: one more",
        f"{side}: one {spec.name} more ({worth} Battle Value), beside {state.units[beside.index].id}",
        worth,
        make,
    )


def _near(battle: Battle, cell: int) -> Iterator[str]:
    """Free hexes of open, dry ground by their distance from a hex, the nearest first."""
    state = battle.state
    board, grid = state.board, state.board.grid
    taken = {unit.cell for unit in state.units if unit.alive}
    free = [
        other
        for other in grid.on_board
        if other not in taken and not (board.hexes[other].depth or board.hexes[other].building or board.hexes[other].bridge)
    ]
    free.sort(key=lambda other: (grid.distance(cell, other), other))
    yield from (grid.names[other] for other in free[:_ROOM])


def _reads(document: BattleData, battle: Battle) -> bool:
    try:
        read_battle(json.dumps(document), source="changed", path=battle.path)
    except InputError:
        return False
    return True


def _one_less(side: str, unit: UnitState) -> Change:
    worth = _worth(unit)

    def make(document: BattleData) -> BattleData | None:
        changed = copy.deepcopy(document)
        for entry in changed["units"]:
            if entry["id"] == unit.id or entry.get("aboard") == unit.id or entry.get("swarming") == unit.id:
                entry["gone"] = True
        return changed

    return Change(f"{side}: one less", f"{side}: without {unit.id} ({unit.name}, {worth} Battle Value)", -worth, make)


# -- pilots -----------------------------------------------------------------------------------------------------------


def _skills(side: str, units: set[str], points: int) -> Change:
    """All skills of a side's pilots and crews better (fewer points) or worse."""

    def make(document: BattleData) -> BattleData | None:
        changed = copy.deepcopy(document)
        for entry in changed["units"]:
            if entry["id"] not in units:
                continue
            for key in ("pilot", "crew"):
                skills = entry.get(key) or {}
                for name, value in skills.items():
                    if name in _NUMBERS:
                        skills[name] = max(_BEST, min(_WORST, value + points))
                    elif name == _LEVEL:
                        skills[name] = value - points
        return changed

    words = "better" if points < 0 else "worse"
    return Change(f"{side}: pilots", f"{side}: gunnery and piloting of all {abs(points)} {words}", 0, make)


__all__ = ["Change", "families"]
