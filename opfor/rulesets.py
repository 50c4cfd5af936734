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
from pathlib import Path
from typing import Any

from opfor.errors import InputError, nearest
from opfor.own_rules.bundle import PREFIX, Active, OwnGround, OwnRules
from opfor.own_rules.given import file_named, given, read_own
from opfor.own_rules.replaceable import Replaced, check_number, replaceable
from opfor.tables import load_yaml, table

#: what replaced numbers begin with among the values of a ruleset
TABLES = "tables."
#: switch positions of own rules
ON_OFF = ("on", "off")


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

    ``own`` are a game master's own rules, each a switch ``own.NAME``; a value ``tables.PATH`` replaces a number of the shipped
    tables (:mod:`opfor.own_rules`). Where there are none of either, ``replaced`` and all that begins with ``own`` are None.

    Raises :class:`InputError` for an unknown switch or value.
    """

    name: str
    own: OwnRules | None
    #: numbers in the place of shipped ones
    replaced: Replaced | None
    #: own rules that are on: on fire, on physical attacks, on piloting rolls, on the cost of steps, at the end of phases
    own_fire: Active | None
    own_blows: Active | None
    own_rolls: Active | None
    own_ground: OwnGround | None
    own_ends: Active | None
    _values: dict[str, Any]

    def __init__(self, name: str, values: Mapping[str, Any], own: OwnRules | None = None) -> None:
        known = switches()
        own = own if own is not None and (own.modifiers or own.plugins) else None
        settled = {switch.name: switch.standard for switch in known.values()}
        settled |= {PREFIX + key: "on" for key in (own.rules() if own is not None else ())}
        numbers: dict[str, int] = {}
        for key, value in values.items():
            if key.startswith(TABLES):
                path = key.removeprefix(TABLES)
                number = check_number(path, value, f"ruleset.{key}")
                if number != replaceable()[path].value:
                    numbers[path] = settled[key] = number
                continue
            if key.startswith(PREFIX):
                settled[key] = _own_value(key, value, own)
                continue
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
        self.__dict__.update(settled, name=name, _values=settled, own=own, **_asked(own, settled, numbers))

    def __getattr__(self, key: str) -> Any:
        raise AttributeError(f"no switch {key!r}")

    def __setattr__(self, key: str, value: Any) -> None:
        raise AttributeError("a ruleset never changes: use changed()")

    def values(self) -> dict[str, Any]:
        """Every switch with its value."""
        return dict(self._values)

    def changed(self, **switches: Any) -> Ruleset:
        """A ruleset with some switches turned, named ``base+``."""
        return Ruleset(self.name.rstrip("+") + "+", {**self._values, **switches}, self.own)

    def table(self, name: str) -> Any:
        """A table with the numbers that this ruleset replaces. Treat it as read-only: it is shared."""
        return table(name) if self.replaced is None else self.replaced.table(name)

    def own_record(self) -> dict[str, Any] | None:
        """What a record of a battle says of own rules and numbers, None where there are none.

        ``digest`` is another whenever a rule or a switch is.
        """
        if self.own is None and self.replaced is None:
            return None
        rules = {name: rule for name, (rule, _) in self.own.rules().items()} if self.own is not None else {}
        values = [f"{key}={value}" for key, value in sorted(self._values.items())]
        text = "\n".join([self.own.digest if self.own is not None else "", *values])
        numbers = dict(self.replaced.numbers) if self.replaced is not None else {}
        return {"digest": sha256(text.encode()).hexdigest()[:16], "rules": rules, "tables": numbers}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self._values == other._values and self.own == other.own

    def __hash__(self) -> int:
        return hash(tuple(sorted((k, str(v)) for k, v in self._values.items())))

    def __repr__(self) -> str:
        return f"Ruleset({self.name!r})"


def _own_value(key: str, value: Any, own: OwnRules | None) -> str:
    """An own rule on or off. Raises :class:`InputError` for a rule that there is not, and for any other value."""
    names = [PREFIX + name for name in (own.rules() if own is not None else ())]
    if key not in names:
        known = f"those here are {', '.join(names)}" if names else "none is given: --rules FILE, or own_modifiers"
        raise InputError(f"there is no own rule {key!r}; {known}", place=f"ruleset.{key}", hint=nearest(key, names))
    # YAML reads on and off as true and false
    word = ("on" if value else "off") if isinstance(value, bool) else value
    if word not in ON_OFF:
        raise InputError(f"{value!r} is no value of {key}: use on, off", place=f"ruleset.{key}")
    return str(word)


def _asked(own: OwnRules | None, settled: Mapping[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    """By whom own rules and numbers are asked: None for whoever need not."""
    replaced = Replaced(numbers) if numbers else None
    found: dict[str, Any] = {"replaced": replaced, **dict.fromkeys(("own_fire", "own_blows", "own_rolls", "own_ends"))}
    active = None
    if own is not None:
        active = Active(own, frozenset([name for name in own.rules() if settled[PREFIX + name] == "off"]))
        found["own_fire"] = active if active.weighs_fire else None
        found["own_blows"] = active if active.blows or active.with_hook("physical") else None
        found["own_rolls"] = active if active.rolls or active.with_hook("piloting") else None
        found["own_ends"] = active if active.with_hook("end_of_phase") else None
    steps = active if active is not None and active.with_hook("movement_cost") else None
    costs = dict(replaced.within("movement")) if replaced is not None else {}
    found["own_ground"] = OwnGround(Replaced(costs) if costs else None, steps) if costs or steps is not None else None
    return found


def switch_named(name: str) -> Switch | None:
    """A switch by name, an own rule that the program was given (``own.NAME``) or a number (``tables.PATH``) too; else None."""
    found = switches().get(name)
    if found is None and name.startswith(PREFIX):
        own = given().own().rules().get(name.removeprefix(PREFIX))
        return Switch(name, own[0], own[1], "off", ON_OFF) if own is not None else None
    if found is None and name.startswith(TABLES):
        number = replaceable().get(name.removeprefix(TABLES))
        return Switch(name, "table", f"A number of the table {number.path}.", number.value) if number is not None else None
    return found


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


def read_ruleset(value: Any, base: str = "campaign", folder: Path | None = None) -> Ruleset:
    """A ruleset as a battle file gives it: a name, or ``{base: NAME, SWITCH: VALUE, ...}``; ``base`` where it names none.

    ``tables``, ``own_modifiers`` and ``rules`` (files, relative to ``folder``) are own rules; so are those that the program was
    given, whatever the ruleset. Of a switch set in several places, the ruleset's own word counts most, then what was given.

    Raises :class:`InputError` for what is none.
    """
    if not isinstance(value, str | Mapping):
        raise InputError(f"{value!r} is no ruleset: write a name or {{base: NAME, SWITCH: VALUE}}", place="ruleset")
    mapping: Mapping[str, Any] = {"base": value} if isinstance(value, str) else value
    ruleset = named_ruleset(str(mapping.get("base", base)))
    own, changes = OwnRules(), dict[str, Any]()
    named = mapping.get("rules") or ()
    for path in [named] if isinstance(named, str) else named:
        file = file_named(str(path), folder)
        if file is not None:
            own = own.with_more(file.own)
            changes |= file.values
    own = own.with_more(given().own())
    changes |= given().values()
    inline, numbers = read_own(mapping, "ruleset")
    own = own.with_more(inline)
    changes |= numbers
    changes |= {str(k): v for k, v in mapping.items() if k not in ("base", "rules", "tables", "own_modifiers")}
    if not changes and not own.modifiers and not own.plugins:
        return ruleset
    return Ruleset(ruleset.name + "+", {**ruleset.values(), **changes}, own)


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
