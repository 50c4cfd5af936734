"""Counting what a battle exercises, from its orders and events: the one place that knows what shows what.

Fed by an observer while a battle is played, or by the rows of a replay. Target numbers are counted part by part as they are and
named afterwards, so that the counting costs a battle little.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from opfor.formats.orders import mode_word
from opfor.gm.rulebook.exercised_modifiers import modifier_name
from opfor.gm.rulebook.exercised_rules import rules_of_events, rules_of_order
from opfor.gm.rulebook.exercised_tables import PLAIN_MODE, SHOWING, count_rows, rows_of_modifier
from opfor.gm.rulebook.exercised_turn import TOLD, count_event, count_order
from opfor.orders import CallOrder, FireOrder, MoveOrder, Order
from opfor.rules.events import Event
from opfor.rules.target_number import TargetNumber
from opfor.rulesets import switches
from opfor.state import State
from opfor.units.spec import UnitSpec

#: by category, how often each of its entries occurred
Counts = dict[str, dict[str, int]]

#: events of crews that have no ``who``
CREW_EVENTS = {"crew_stunned": "stunned", "crew_recovered": "recovered", "crew_killed": "killed"}
_COLUMNS = {"FR": "front", "RS": "side", "LS": "side", "RR": "rear", "TU": "turret", "RO": "rotor"}
#: the step that leaves the map
EXIT = "EXIT"
#: keys of events that hold a target number
_NUMBERS = ("to_hit", "tn")


class Tally:
    """Counts of one battle: :meth:`begin`, then :meth:`ordered` and :meth:`happened` in turn, then :meth:`counts`."""

    def __init__(self) -> None:
        self.turns = 0
        self.events = 0
        self._seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        #: parts of target numbers: (what, value, rule)
        self._parts: Counter[tuple[str, int, str]] = Counter()
        self._specs: dict[str, UnitSpec] = {}

    def begin(self, state: State) -> None:
        """What the battle is fought with: its units, its ruleset, its board."""
        self._specs = {unit.id: unit.spec for unit in state.units}
        self._ruleset = state.ruleset
        for spec in {id(spec): spec for spec in self._specs.values()}.values():
            self._count("kinds of unit", f"{spec.kind} {'quad' if spec.quad else spec.motive}")
        for switch in switches().values():
            self._count("switches", f"{switch.name}: {getattr(state.ruleset, switch.name)}")
        self._count("rules", "S-1")

    def ordered(self, order: Order) -> None:
        """Count an order."""
        for rule in rules_of_order(order, self._ruleset):
            self._count("rules", rule)
        count_order(self._count, order)
        if isinstance(order, FireOrder):
            for attack in order.attacks:
                if attack.target.startswith("@"):
                    self._count("fire at hexes", attack.aim or "break down")
        elif isinstance(order, MoveOrder):
            if EXIT in order.path:
                # what happens then tells of the way as far as the edge
                self._count("steps", EXIT)
        elif isinstance(order, CallOrder) and order.what == "artillery":
            self._count("fire modes", order.mode or PLAIN_MODE)

    def happened(self, order: Order | None, events: Sequence[Event]) -> None:
        """Count what an order (None: nobody's) led to."""
        for rule in rules_of_events(order, events, self._ruleset):
            self._count("rules", rule)
        named, cited = self._seen["events"], self._seen["rules"]
        self.events += len(events)
        for event in events:
            what, data = event.what, event.raw
            named[what] += 1
            cited[event.rule] += 1
            for key in _NUMBERS:
                if key in data:
                    self._number(data[key])
            if what in TOLD:
                count_event(self._count, what, event.rule, data)
            if what in SHOWING:
                spec = self._specs.get(event.unit)
                count_rows(self._count, what, data, spec.kind if spec is not None else "")
            if what in _DETAILS:
                self._details(what, data, self._specs.get(event.unit))

    def counts(self) -> Counts:
        """How often each entry of each category occurred, both in the order of the alphabet."""
        seen = {name: Counter(entries) for name, entries in self._seen.items()}
        for name in ("rules", "modifiers"):
            seen.setdefault(name, Counter())
        for (what, value, rule), count in self._parts.items():
            seen["rules"][rule] += count
            seen["modifiers"][modifier_name(what)] += count
            for group, row in rows_of_modifier(what, value):
                seen.setdefault(group, Counter())[row] += count
        return {name: dict(sorted(seen[name].items())) for name in sorted(seen)}

    # -- within -----------------------------------------------------------------------------------------------------------

    def _count(self, group: str, what: str) -> None:
        self._seen[group][what] += 1

    def _number(self, number: Any) -> None:
        """Count the parts of a target number, as it is or published."""
        if number.__class__ is TargetNumber:
            for part in number.modifiers:
                self._parts[part] += 1
        elif number:
            for row in number.get("modifiers", ()):
                self._parts[row["what"], row["value"], row["rule"]] += 1

    def _details(self, what: str, data: dict[str, Any], spec: UnitSpec | None) -> None:
        count = self._count
        if what == "phase":
            self.turns += data.get("phase") == "initiative"
        elif what in CREW_EVENTS or what == "crew_hit":
            count("crew effects", CREW_EVENTS.get(what) or str(data["who"]))
        elif what in ("roll", "fall"):
            # some falls come without a roll
            if data.get("reason"):
                count("rolls", str(data["reason"]))
        elif what == "physical_attack":
            count("physical attacks", str(data["attack"]))
        elif what == "wounded":
            count("wounds of pilots", f"{data['location']}: {'L' if data['grave'] else 'nl'}")
        elif what == "critical":
            count("'Mech criticals", str(data["kind"]))
        elif what == "fire_declared":
            if data.get("clear"):
                task = str(data["clear"])
                words = "clear turret" if task == "turret" else "clear weapon" if task.isdigit() else task
                count("instead of firing", words)
        elif spec is not None:
            self._of_unit(what, data, spec)

    def _of_unit(self, what: str, data: dict[str, Any], spec: UnitSpec) -> None:
        """What goes by the kind of the unit."""
        count = self._count
        if what == "attack":
            count("weapons", weapon_name(str(data["weapon"])))
        elif what == "moved":
            count("movement", f"{spec.kind} {mode_word(spec, data['mode'] or 'stand')}")
            steps = self._seen["steps"]
            for step in data.get("path", ()):
                steps[step] += 1
        elif what == "motive_roll":
            count("motive results", f"{spec.motive}: {data['effect']}")
        elif what == "critical_roll" and spec.is_vehicle:
            location = str(data["location"])
            count("vehicle criticals", f"{spec.kind} {_COLUMNS.get(location, location)}: {data.get('result') or 'nothing'}")
        elif what == "critical_roll":
            count("'Mech critical rolls", str(sum(_flat(data["dice"]))))
        elif what == "hit_location":
            body = "quad" if spec.quad else "biped" if spec.is_mech else spec.kind
            # squads have no sides
            side = "" if spec.is_infantry else f" {data.get('side', '')}"
            count("hit table rows", f"{body} {data['table']}{side}: {sum(_last(data['dice']))}")


#: events whose details are counted
_DETAILS = frozenset({
    "phase", "crew_hit", *CREW_EVENTS, "roll", "fall", "physical_attack", "wounded", "critical", "fire_declared",
    "attack", "moved", "motive_roll", "critical_roll", "hit_location",
})  # fmt: skip


def merge(first: Counts, second: Counts) -> Counts:
    """The sum of two counts; neither is changed.

    >>> merge({"rules": {"S-1": 1}}, {"rules": {"S-1": 2, "S-2": 1}, "events": {"fall": 1}})
    {'events': {'fall': 1}, 'rules': {'S-1': 3, 'S-2': 1}}
    """
    found: Counts = {}
    for name in sorted({*first, *second}):
        one, other = first.get(name, {}), second.get(name, {})
        found[name] = {entry: one.get(entry, 0) + other.get(entry, 0) for entry in sorted({*one, *other})}
    return found


def weapon_name(name: str) -> str:
    """A weapon's name whatever it is built or loaded with.

    >>> weapon_name("LRM 20 (Clan)"), weapon_name("MML 5 (LRM ammunition)"), weapon_name("SRM 6 (R)")
    ('LRM 20', 'MML 5', 'SRM 6')
    """
    return name.partition(" (")[0]


def _flat(dice: Any) -> list[int]:
    return [die for part in dice for die in (part if isinstance(part, list) else [part])]


def _last(dice: Any) -> list[int]:
    """The roll that counted, of several that were made again."""
    return dice[-1] if dice and isinstance(dice[-1], list) else list(dice)


__all__ = ["CREW_EVENTS", "Counts", "Tally", "merge", "weapon_name"]
