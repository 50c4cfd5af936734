"""What of the rules a set of replays has exercised, and what that can occur was never seen.

Counted from the events alone: by rule, by kind of event, and by what the tables hold (rows of the hit tables, critical
effects, motive results, crew effects, causes of driving and piloting rolls ...). What can occur is read from the tables and
from the program's sources, so that the list cannot fall behind.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from opfor.errors import InputError
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.orders import mode_word
from opfor.formats.replay import FORMAT
from opfor.gm.rulebook.exercised_rules import rules_of_events, rules_of_order
from opfor.gm.rulebook.exercised_turn import count_event, count_order, turn_groups
from opfor.gm.rulebook.ledger import rule_rows, sources
from opfor.rules.moving.modes import RUNNING
from opfor.rules.moving.paths import TOKENS
from opfor.rules.pilots.wounds import BODY
from opfor.rulesets import switches
from opfor.tables import load_yaml, table
from opfor.tables.arsenal import weapons
from opfor.units.spec import KINDS, UnitSpec

#: effects of crew events that have no ``who``
_CREW_EVENTS = {"crew_stunned": "stunned", "crew_recovered": "recovered", "crew_killed": "killed"}
_CREW = ("commander", "driver", "co-pilot", "pilot", *_CREW_EVENTS.values())
_MECH_CRITICALS = (
    "engine", "gyro", "cockpit", "life_support", "sensors", "shoulder", "upper_arm", "lower_arm", "hand", "hip", "upper_leg",
    "lower_leg", "foot", "weapon", "ammo", "heat_sink", "jump_jet", "equipment",
)  # fmt: skip
_PHYSICAL = ("punch", "kick", "push", "club", "hatchet", "sword", "charge", "dfa")
_INSTEAD = ("clear turret", "clear weapon", "dig in", "let go", "clear mines", "opportunity")
_MODES = {
    "mech": ("stand", "walk", *RUNNING, "jump"),
    "vehicle": ("stand", "walk", *RUNNING),
    "vtol": ("stand", "walk", *RUNNING),
    "infantry": ("stand", "walk", "jump"),
    "battle_armor": ("stand", "walk", "jump"),
}


@dataclass
class Group:
    """Things that can occur, and how often each was seen. What is seen beyond ``possible`` is kept too."""

    name: str
    possible: tuple[str, ...]
    seen: Counter[str] = field(default_factory=Counter)

    @property
    def never(self) -> list[str]:
        """What can occur and was not seen, in the order of the tables."""
        return [one for one in self.possible if one not in self.seen]

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        return {"name": self.name, "seen": dict(sorted(self.seen.items())), "possible": len(self.possible), "never": self.never}


class Exercised:
    """Counts over any number of replays: :meth:`read` each, then :meth:`as_dict` or :meth:`words`."""

    def __init__(self) -> None:
        self.replays = 0
        self.turns = 0
        self.events = 0
        self.groups = {group.name: group for group in _groups()}

    def read(self, text: str, *, source: str = "replay") -> None:
        """Count one replay. Raises :class:`InputError` when it is none."""
        rows = list(_rows(text, source))
        if not rows or not isinstance(rows[0], dict) or rows[0].get("opfor_replay") != FORMAT:
            raise InputError(f"is no replay of format {FORMAT}", source=source, place="line 1")
        state = read_battle(json.dumps(rows[0]["battle"]), source=source).state
        specs = {unit.id: unit.spec for unit in state.units}
        self.replays += 1
        for spec in {id(spec): spec for spec in specs.values()}.values():
            self._count("kinds of unit", f"{spec.kind} {spec.motive}")
        for switch in switches().values():
            self._count("switches", f"{switch.name}: {getattr(state.ruleset, switch.name)}")
        self._count("rules", "S-1")
        for row in rows[1:]:
            order, events = row.get("order", {}), row.get("events", [])
            for rule in (*rules_of_order(order, state.ruleset), *rules_of_events(order, events, state.ruleset)):
                self._count("rules", rule)
            count_order(self._count, order)
            for attack in row.get("order", {}).get("attacks", ()):
                if isinstance(attack, dict) and str(attack.get("target", "")).startswith("@"):
                    self._count("fire at hexes", attack.get("aim") or "break down")
            for event in row.get("events", ()):
                self._event(event, specs)

    def _count(self, group: str, what: str) -> None:
        self.groups[group].seen[what] += 1

    def _event(self, event: dict[str, Any], specs: dict[str, UnitSpec]) -> None:
        what = event["event"]
        spec = specs.get(event["unit"])
        self.events += 1
        self._count("events", what)
        count_event(self._count, event)
        number = event.get("to_hit") or event.get("tn") or {}
        for rule in {event["rule"], *(part["rule"] for part in number.get("modifiers", ()))}:
            self._count("rules", rule)
        for part in number.get("modifiers", ()):
            self._count("modifiers", "".join(c for c in part["what"] if not c.isdigit()).strip())
        if what == "phase" and event.get("phase") == "initiative":
            self.turns += 1
        if what in _CREW_EVENTS or what == "crew_hit":
            self._count("crew effects", _CREW_EVENTS.get(what) or str(event["who"]))
        elif what == "motive_roll" and spec is not None:
            self._count("motive results", f"{spec.motive}: {event['effect']}")
        elif what == "cluster":
            self._count("cluster columns", str(event["column"]))
        elif what == "roll" and event.get("reason"):
            self._count("rolls", str(event["reason"]))
        elif what == "physical_attack":
            self._count("physical attacks", str(event["attack"]))
        elif what == "wounded":
            self._count("wounds of pilots", f"{event['location']}: {'L' if event['grave'] else 'nl'}")
        elif what == "critical":
            self._count("'Mech criticals", str(event["kind"]))
        elif what == "fire_declared" and event.get("clear"):
            task = str(event["clear"])
            words = "clear turret" if task == "turret" else "clear weapon" if task.isdigit() else task
            self._count("instead of firing", words)
        if spec is None:
            return
        if what == "attack":
            self._count("weapons", str(event["weapon"]).removesuffix(" (Clan)"))
        elif what == "moved":
            self._count("movement", f"{spec.kind} {mode_word(spec, event['mode'] or 'stand')}")
            for step in event.get("path", ()):
                self._count("steps", step)
        elif what == "critical_roll" and spec.is_vehicle:
            place = _critical_column(str(event["location"]))
            self._count("vehicle criticals", f"{spec.kind} {place}: {event.get('result') or 'nothing'}")
        elif what == "critical_roll":
            self._count("'Mech critical rolls", str(sum(_flat(event["dice"]))))
        elif what == "hit_location":
            body = "quad" if spec.quad else "biped" if spec.is_mech else spec.kind
            self._count("hit table rows", f"{body} {event['table']} {event.get('side', '')}: {sum(_last(event['dice']))}")

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        return {
            "replays": self.replays,
            "turns": self.turns,
            "events": self.events,
            "groups": [group.as_dict() for group in self.groups.values()],
        }

    def words(self) -> list[str]:
        """What was seen and what never, as lines."""
        lines = [f"{self.replays} {'replay' if self.replays == 1 else 'replays'}, {self.turns} turns, {self.events} events"]
        for group in self.groups.values():
            met = len(group.possible) - len(group.never)
            head = (
                f"{group.name}: {met} of {len(group.possible)} seen"
                if group.possible
                else f"{group.name}: {len(group.seen)} seen"
            )
            lines += ["", head]
            if group.seen:
                lines.append("   " + ", ".join(f"{name} {count}" for name, count in group.seen.most_common()))
            if group.never:
                lines.append("   never: " + ", ".join(group.never))
        return lines


def _rows(text: str, source: str) -> Iterator[Any]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(f"is not JSON: {error.msg}", source=source, place=f"line {number}") from None


def _flat(dice: Any) -> list[int]:
    return [die for part in dice for die in (part if isinstance(part, list) else [part])]


def _last(dice: Any) -> list[int]:
    """The roll that counted, of several that were made again."""
    return dice[-1] if dice and isinstance(dice[-1], list) else list(dice)


def _critical_column(location: str) -> str:
    return {"FR": "front", "RS": "side", "LS": "side", "RR": "rear", "TU": "turret", "RO": "rotor"}.get(location, location)


# -- what can occur ---------------------------------------------------------------------------------------------------


def _groups() -> list[Group]:
    """Every group with what can occur in it."""
    vehicles = table("vehicles")
    effects = [name for _, name in vehicles["motive"]["results"]]
    arms = sorted({weapon.name.removesuffix(" (Clan)") for weapon in weapons().values() if weapon.is_attack})
    return [
        Group("rules", tuple(row["id"] for row in rule_rows() if row["implemented"])),
        Group("kinds of unit", tuple(f"{kind} {motive}" for kind, motives in KINDS.items() for motive in motives)),
        Group("events", event_names()),
        Group("movement", tuple(dict.fromkeys(_movements()))),
        Group("steps", (*TOKENS, "J")),
        Group("hit table rows", tuple(_hit_rows())),
        Group("'Mech critical rolls", tuple(str(number) for number in table("criticals")["roll"])),
        Group("'Mech criticals", _MECH_CRITICALS),
        Group("vehicle criticals", tuple(dict.fromkeys(_vehicle_criticals(vehicles["criticals"])))),
        Group("motive results", tuple(f"{motive}: {name}" for motive in vehicles["motive"]["type"] for name in effects)),
        Group("crew effects", _CREW),
        Group("rolls", tuple(table("piloting_rolls")["reasons"])),
        Group("physical attacks", _PHYSICAL),
        Group("wounds of pilots", tuple(f"{place}: {harm}" for place in BODY for harm in ("nl", "L"))),
        Group("fire at hexes", ("break down", "ignite", "mines", "sow", "area")),
        Group("instead of firing", _INSTEAD),
        Group("cluster columns", tuple(str(column) for column in table("cluster_hits")["columns"])),
        Group("weapons", tuple(arms)),
        *(Group(name, possible) for name, possible in turn_groups()),
        Group("modifiers", ()),
        Group("switches", tuple(f"{s.name}: {value}" for s in switches().values() for value in s.values)),
    ]


def _movements() -> Iterator[str]:
    for kind, modes in _MODES.items():
        words = {"walk": "cruise", "run": "flank"} if kind in ("vehicle", "vtol") else {}
        yield from (f"{kind} {words.get(mode, mode)}" for mode in modes)


def _hit_rows() -> Iterator[str]:
    for body in ("biped", "quad"):
        for name, sides in table("hit_locations")[body].items():
            first = 2 if name == "normal" else 1
            yield from (f"{body} {name} {side}: {first + i}" for side, row in sides.items() for i in range(len(row)))
    for body, row in table("infantry")["swarm_hits"].items():
        yield from (f"{body} swarm {'rear' if name[2:] == 'R' else 'front'}: {2 + i}" for i, name in enumerate(row))
    for kind, columns in table("vehicles")["hit_locations"].items():
        for column, row in columns.items():
            for side in ("left", "right") if column == "side" else (column,):
                yield from (f"{kind} normal {side}: {2 + i}" for i in range(len(row)))


def _vehicle_criticals(rows: dict[str, Any]) -> Iterator[str]:
    for kind in ("vehicle", "vtol"):
        for column, results in rows[kind].items():
            yield f"{kind} {column}: nothing"
            yield from (f"{kind} {column}: {result}" for result in results)


@lru_cache(maxsize=1)
def event_names() -> tuple[str, ...]:
    """Names of all events that the rules and the game report, read from their sources."""
    phrases = load_yaml(files("opfor.report.posts").joinpath("happenings.yaml").read_text(encoding="utf-8"))
    found: set[str] = set()
    for _, text in sources():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "emit" and node.args:
                found.update(_names(node.args[0], phrases))
    return tuple(sorted(found))


def _names(node: ast.expr, phrases: Iterable[str]) -> Iterator[str]:
    """The names that the first argument of ``emit`` may be; those put together are looked up among the known phrases."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from _names(node.body, phrases)
        yield from _names(node.orelse, phrases)
    elif isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "" for part in node.values]
        yield from (name for name in phrases if name.endswith(str(parts[-1])) and name.startswith(str(parts[0])))


__all__ = ["Exercised", "Group", "event_names"]
