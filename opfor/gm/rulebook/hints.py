"""What would bring about something that has not occurred: the switch that turns it, who carries it, the battle made for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files
from typing import Any

from opfor.gm.rulebook.exercised_tally import weapon_name
from opfor.rulesets import named_ruleset, ruleset_names, switches
from opfor.tables import load_yaml
from opfor.units.catalogue import unit_named, unit_names
from opfor.units.spec import KINDS, UnitSpec


@lru_cache(maxsize=1)
def coverage_data() -> dict[str, Any]:
    """Families, what is excused, hints and tables that are not read, as ``coverage.yaml`` has them."""
    data: dict[str, Any] = load_yaml(files("opfor.gm.rulebook").joinpath("coverage.yaml").read_text(encoding="utf-8"))
    return data


def excuse(group: str, entry: str) -> str:
    """Why an entry cannot occur in play, "" where it can."""
    return _matching(coverage_data()["excused"].get(group, {}), entry)


def hint(group: str, entry: str, battles: Sequence[str] = ()) -> str:
    """What would reach an entry, in words. ``battles``: names of battles made for it."""
    parts = [_matching(coverage_data()["hints"].get(group, {}), entry)]
    if group in _FOUND:
        parts.append(_FOUND[group](entry))
    if battles:
        parts.append(f"made for it: {', '.join(battles)}")
    return "; ".join(part for part in parts if part) or "more games, of every ruleset and kind of unit"


def _matching(rows: dict[str, str], entry: str) -> str:
    if entry in rows:
        return rows[entry]
    return next((words for pattern, words in rows.items() if "*" in pattern and fnmatchcase(entry, pattern)), "")


def _switch_of(rule: str) -> str:
    """The switches of a rule with the rulesets in which they are not at the standard."""
    found = []
    for switch in switches().values():
        if switch.rule == rule:
            values = {str(named_ruleset(name).values()[switch.name]): name for name in ruleset_names()}
            turned = [f"{value} as in {name}" for value, name in values.items() if value != str(switch.standard)]
            found.append(f"switch {switch.name}" + (f": {', '.join(turned)}" if turned else ""))
    return "; ".join(found)


def _carrier(weapon: str) -> str:
    """A unit of the catalogue that has a weapon."""
    found = next((spec.name for spec in _catalogue() if any(weapon_name(mount.name) == weapon for mount in spec.mounts)), "")
    return f"carried by {found}" if found else "no unit of the catalogue carries it"


def _kind(entry: str) -> str:
    """A unit of the catalogue of a kind and motive type."""
    for spec in _catalogue():
        if entry == f"{spec.kind} {'quad' if spec.quad else spec.motive}":
            return f"as {spec.name}"
    return ""


def _motive(entry: str) -> str:
    motive = entry.partition(":")[0]
    found = next((spec.name for spec in _catalogue() if spec.is_vehicle and spec.motive == motive), "")
    return f"hits on a unit such as {found}" if found else ""


def _value(entry: str) -> str:
    name, _, value = entry.partition(": ")
    return f"a ruleset with {name}: {value}, or --mixes"


@lru_cache(maxsize=1)
def _catalogue() -> tuple[UnitSpec, ...]:
    return tuple(unit_named(name) for kind in KINDS for name in unit_names(kind))


_FOUND: dict[str, Callable[[str], str]] = {
    "rules": _switch_of,
    "weapons": _carrier,
    "kinds of unit": _kind,
    "motive results": _motive,
    "switches": _value,
}

__all__ = ["coverage_data", "excuse", "hint"]
