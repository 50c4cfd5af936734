"""What can occur in battles, group by group: read from the tables and the sources, so that the list cannot fall behind."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any

from opfor.gm.rulebook.exercised_modifiers import modifier_names
from opfor.gm.rulebook.exercised_tables import table_groups
from opfor.gm.rulebook.exercised_tally import CREW_EVENTS, weapon_name
from opfor.gm.rulebook.exercised_turn import turn_groups
from opfor.gm.rulebook.ledger import played_rules, sources
from opfor.rules.moving.modes import RUNNING
from opfor.rules.moving.paths import TOKENS
from opfor.rules.pilots.wounds import BODY
from opfor.rulesets import switches
from opfor.tables import load_yaml, table
from opfor.tables.arsenal import weapons
from opfor.units.spec import KINDS

_CREW = ("commander", "driver", "co-pilot", "pilot", *CREW_EVENTS.values())
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


@lru_cache(maxsize=1)
def possible() -> dict[str, tuple[str, ...]]:
    """By group, all that can occur in it; empty where that is open."""
    vehicles = table("vehicles")
    effects = [name for _, name in vehicles["motive"]["results"]]
    arms = {weapon_name(weapon.name) for weapon in weapons().values() if weapon.is_attack}
    arms |= {row["name"] for row in table("infantry_units")["platoon_weapons"].values()}
    groups: list[tuple[str, tuple[str, ...]]] = [
        ("rules", tuple(played_rules())),
        ("kinds of unit", tuple(f"{kind} {motive}" for kind, motives in KINDS.items() for motive in motives)),
        ("events", event_names()),
        ("movement", tuple(dict.fromkeys(_movements()))),
        ("steps", (*TOKENS, "J")),
        ("hit table rows", tuple(_hit_rows())),
        ("'Mech critical rolls", tuple(str(number) for number in table("criticals")["roll"])),
        ("'Mech criticals", _MECH_CRITICALS),
        ("vehicle criticals", tuple(dict.fromkeys(_vehicle_criticals(vehicles["criticals"])))),
        ("motive results", tuple(f"{motive}: {name}" for motive in vehicles["motive"]["type"] for name in effects)),
        ("crew effects", _CREW),
        ("rolls", tuple(table("piloting_rolls")["reasons"])),
        ("physical attacks", _PHYSICAL),
        ("wounds of pilots", tuple(f"{place}: {harm}" for place in BODY for harm in ("nl", "L"))),
        ("fire at hexes", ("break down", "ignite", "mines", "sow", "area")),
        ("instead of firing", _INSTEAD),
        ("weapons", tuple(sorted(arms))),
        *turn_groups(),
        *table_groups(),
        ("modifiers", modifier_names()),
        ("switches", tuple(f"{s.name}: {value}" for s in switches().values() for value in s.values)),
    ]
    return dict(groups)


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
    yield from (f"battle_armor suits: {1 + i}" for i in range(table("infantry_units")["suits"]["most"]))
    for kind, columns in table("vehicles")["hit_locations"].items():
        for column, row in columns.items():
            for side in ("left", "right") if column == "side" else (column,):
                yield from (f"{kind} normal {side}: {2 + i}" for i in range(len(row)))


def _vehicle_criticals(rows: dict[str, Any]) -> Iterator[str]:
    for kind in ("vehicle", "vtol"):
        for column, results in rows[kind].items():
            yield f"{kind} {column}: nothing"
            yield from (f"{kind} {column}: {result}" for result in results)


#: what game masters' own rules do: no battle is expected to show it
_OWN = ("opfor.rules.own_phase",)


@lru_cache(maxsize=1)
def event_names() -> tuple[str, ...]:
    """Names of all events that the rules and the game report, read from their sources."""
    phrases = load_yaml(files("opfor.report.posts").joinpath("happenings.yaml").read_text(encoding="utf-8"))
    found: set[str] = set()
    for name, text in sources():
        if ".emit(" not in text or name in _OWN:
            continue
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


__all__ = ["event_names", "possible"]
