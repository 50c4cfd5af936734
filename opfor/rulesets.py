"""Rulesets: every house rule as a named switch, with its meaning, its ledger id and its standard value.

The switches live in ``configs/rulesets/switches.yaml``, the rulesets beside it as choices of values. A
:class:`Ruleset` is immutable; :meth:`Ruleset.changed` turns single switches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from opfor.errors import InputError, nearest
from opfor.tables import load_yaml


@dataclass(frozen=True, slots=True)
class Switch:
    """A rule that can be turned. ``values`` are its named readings (empty: any number)."""

    name: str
    rule: str
    meaning: str
    standard: Any
    values: tuple[Any, ...] = ()


class Ruleset:
    """A value for every switch, read as attributes: ``ruleset.partial_cover``.

    Raises :class:`InputError` for an unknown switch or value.
    """

    name: str
    _values: dict[str, Any]

    def __init__(self, name: str, values: Mapping[str, Any]) -> None:
        known = switches()
        settled = {switch.name: switch.standard for switch in known.values()}
        for key, value in values.items():
            if key not in known:
                raise InputError(
                    f"ruleset {name} names no known switch {key!r}", place=f"ruleset.{key}", hint=nearest(key, known)
                )
            allowed = known[key].values
            # YAML reads on and off as true and false
            if isinstance(value, bool) and allowed and value not in allowed:
                value = "on" if value else "off"
            if allowed and value not in allowed:
                raise InputError(
                    f"{value!r} is no value of the switch {key}: use {', '.join(map(str, allowed))}",
                    place=f"ruleset.{key}",
                )
            settled[key] = value
        # plain attributes: switches are read all the time, and a look-up of our own would cost ten times as much
        self.__dict__.update(settled, name=name, _values=settled)

    def __getattr__(self, key: str) -> Any:
        raise AttributeError(f"no switch {key!r}")

    def __setattr__(self, key: str, value: Any) -> None:
        raise AttributeError("a ruleset never changes: use changed()")

    def values(self) -> dict[str, Any]:
        """Every switch with its value."""
        return dict(self._values)

    def changed(self, **switches: Any) -> Ruleset:
        """A ruleset with some switches turned, named ``base+``."""
        return Ruleset(self.name.rstrip("+") + "+", {**self._values, **switches})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self._values == other._values

    def __hash__(self) -> int:
        return hash(tuple(sorted((k, str(v)) for k, v in self._values.items())))

    def __repr__(self) -> str:
        return f"Ruleset({self.name!r})"


@lru_cache(maxsize=1)
def switches() -> dict[str, Switch]:
    """Every switch by name, in the order of the file."""
    text = files("configs.rulesets").joinpath("switches.yaml").read_text(encoding="utf-8")
    found = {}
    for name, row in load_yaml(text)["switches"].items():
        values = tuple("on" if v is True else "off" if v is False else v for v in row.get("values", ()))
        standard = row["standard"]
        if isinstance(standard, bool):
            standard = "on" if standard else "off"
        found[name] = Switch(name, row["rule"], row["meaning"], standard, values)
    return found


@lru_cache(maxsize=1)
def ruleset_names() -> tuple[str, ...]:
    """Names of the rulesets that ship."""
    folder = files("configs.rulesets")
    return tuple(
        sorted(p.name.removesuffix(".yaml") for p in folder.iterdir() if p.name.endswith(".yaml") and p.name != "switches.yaml")
    )


@cache
def named_ruleset(name: str) -> Ruleset:
    """A shipped ruleset by name. Raises :class:`InputError` with the nearest name when there is none."""
    if name not in ruleset_names():
        raise InputError(
            f"there is no ruleset {name!r}: use {', '.join(ruleset_names())}",
            place="ruleset",
            hint=nearest(name, ruleset_names()),
        )
    data = load_yaml(files("configs.rulesets").joinpath(f"{name}.yaml").read_text(encoding="utf-8"))
    return Ruleset(name, data.get("switches") or {})


def read_ruleset(value: Any, base: str = "campaign") -> Ruleset:
    """A ruleset as a battle file gives it: a name, or ``{base: NAME, SWITCH: VALUE, ...}``; ``base`` where it names none.

    Raises :class:`InputError` for what is none.
    """
    if isinstance(value, str):
        return named_ruleset(value)
    if isinstance(value, Mapping):
        changes = {str(k): v for k, v in value.items() if k != "base"}
        ruleset = named_ruleset(str(value.get("base", base)))
        return ruleset.changed(**changes) if changes else ruleset
    raise InputError(f"{value!r} is no ruleset: write a name or {{base: NAME, SWITCH: VALUE}}", place="ruleset")


@lru_cache(maxsize=1)
def rules_hash() -> str:
    """What the rules' data come to in 16 hexadecimal digits: another number whenever a ruleset, a switch or a table changes."""
    digest = sha256()
    for package in ("configs.rulesets", "opfor.tables"):
        for file in sorted(files(package).iterdir(), key=lambda file: file.name):
            if file.name.endswith(".yaml"):
                # line ends differ between checkouts
                data = file.read_bytes().replace(b"\r\n", b"\n")
                digest.update(f"{package}/{file.name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]
