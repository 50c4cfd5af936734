"""What a result of a roll does, in a few words, told by the events that follow it; and tables that need no roll to be known."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from opfor.hex import DIRECTION_NAMES
from opfor.report.posts.happenings import event_words
from opfor.report.posts.roll_sheet import RollTable, joined
from opfor.rules.events import Event
from opfor.rules.vehicles.motive import motive_effect, motive_modifier
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

#: events that report an attack
ATTACKS = frozenset({"attack", "physical_attack", "shell", "bombs"})
_DICE = re.compile(r",? rolled [\d+]+( = \d+)?( \+ -?\d+)?")


#: what else a hit location tells
_MARKS = {"rear": "rear armour", "critical": "critical roll", "covered": "the cover takes it", "motive": "motive roll"}


def _location(data: dict[str, Any]) -> str:
    marks = [words for key, words in _MARKS.items() if data.get(key)]
    return str(data["location"]) + (f" ({', '.join(marks)})" if marks else "")


def _critical(data: dict[str, Any]) -> str:
    if data.get("blown_off"):
        return f"the {data['location']} is blown off"
    if data.get("result"):
        return str(data["result"]).replace("_", " ")
    hits = data.get("hits", 0)
    return "nothing" if not hits else f"{hits} critical hit{'s' if hits > 1 else ''}"


def _hits(data: dict[str, Any]) -> str:
    return "hits" if data["hit"] else "misses"


_PHRASES: dict[str, Callable[[dict[str, Any]], str]] = {
    "attack": _hits,
    "physical_attack": _hits,
    "shell": _hits,
    "bombs": _hits,
    "roll": lambda data: "succeeds" if data["success"] else "fails",
    "spotting": lambda data: "succeeds" if data["success"] else "fails",
    "cluster": lambda data: f"{data['hits']} hit",
    "hit_location": _location,
    "aimed": lambda data: "as aimed" if data["success"] else "by the table",
    "critical_roll": _critical,
    "motive_roll": lambda data: f"{data['effect']} damage" if data["effect"] != "none" else "nothing",
    "wounded": lambda data: f"{data['where']}: {data['harm']}",
    "unit_initiative": lambda data: "wins, may wait" if data["won"] else "loses, moves now",
    "initiative": lambda data: f"{data['total']}",
    "fall": lambda data: f"ends facing {DIRECTION_NAMES[data['facing'] % 6]}, struck on the {data['side']}",
    "jammed": lambda data: "the weapon jams",
}


def result_words(events: Sequence[Event]) -> str:
    """What a roll has done, by the events from it to the next roll; empty when nothing tells."""
    if not events:
        return ""
    first = events[0]
    phrase = _PHRASES.get(first.what)
    words = phrase(first.data) if phrase is not None else _DICE.sub("", event_words(first)).removeprefix(f"{first.unit} ")
    if first.what == "attack" and len(events) > 1 and events[1].what == "jammed":
        words += " and jams"
    if first.what == "hit_location" and isinstance(first.data.get("dice"), list) and first.data["dice"][:1] == []:
        return ""
    return words


def standing_tables(state: State, tables: Sequence[RollTable]) -> list[RollTable]:
    """Tables of rolls that damage may call for, for the units that the other tables are about. Rule: S-5, E-16, E-17."""
    struck = {one.title.partition(":")[0] for one in tables if "hit location" in one.title}
    units = [unit for unit in state.units if unit.id in struck]
    found: list[RollTable] = []
    if any(unit.spec.is_mech for unit in units):
        found.append(RollTable("", "critical hits of a 'Mech", 2, joined(_mech_criticals())))
    for unit in units:
        if unit.spec.is_vehicle:
            found += _vehicle_tables(unit)
    return found


def _mech_criticals() -> list[tuple[int, str]]:
    rules = table("criticals")
    rows = []
    for total in range(2, 13):
        words = _critical({"hits": int(rules["roll"][total])})
        if total >= rules["blown_off"]:
            words += ", or head or limb blown off"
        rows.append((total, words))
    return rows


def _vehicle_tables(unit: UnitState) -> list[RollTable]:
    rules = table("vehicles")["criticals"]
    found = []
    for side, column in rules[unit.spec.kind].items():
        if side == "turret" and not unit.spec.turret:
            continue
        rows = [(t, column[t - rules["first"]].replace("_", " ") if t >= rules["first"] else "nothing") for t in range(2, 13)]
        found.append(RollTable("", f"{unit.id}: critical hits, {side}", 2, joined(rows)))
    if unit.spec.kind == "vehicle":
        for side in ("front", "left", "rear"):
            add = motive_modifier(unit.spec.motive, side)
            effects = [(t, motive_effect(t + add)) for t in range(2, 13)]
            named = [(t, f"{effect} damage" if effect != "none" else "nothing") for t, effect in effects]
            shown = "left or right" if side == "left" else side
            found.append(RollTable("", f"{unit.id}: motive damage, {shown} side", 2, joined(named)))
    return found
