"""All own rules of a ruleset, and what those that are on say of a shot, a blow, a roll or a step.

Each rule is a switch ``own.NAME``, on where nothing is said, so that it can be turned and compared like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from opfor.errors import InputError
from opfor.own_rules.replaceable import Replaced
from opfor.own_rules.views import PilotingRoll, Shot, Step

if TYPE_CHECKING:
    from opfor.own_rules.conditions import OwnModifier
    from opfor.own_rules.plugin import Plugin

#: what the switches of own rules begin with
PREFIX = "own."
#: least that a step costs, whatever own rules say
LEAST_STEP = 1


class OwnItem(NamedTuple):
    """A part of a target number: its words, its value, the rule's id."""

    what: str
    value: int
    rule: str


@dataclass(frozen=True, slots=True)
class OwnRules:
    """The own rules that a ruleset knows, on or off: modifiers as data and files of Python."""

    modifiers: tuple[OwnModifier, ...] = ()
    plugins: tuple[Plugin, ...] = ()

    def __post_init__(self) -> None:
        seen: dict[str, str] = {}
        for name, where in [(m.key, "the modifiers") for m in self.modifiers] + [
            (name, plugin.source) for plugin in self.plugins for name in plugin.rules
        ]:
            if name in seen:
                raise InputError(f"two own rules are called {name}: in {seen[name]} and in {where}", place="rules")
            seen[name] = where

    def rules(self) -> dict[str, tuple[str, str]]:
        """Every rule by its name: the id that events cite, and what it says."""
        found = {m.key: (m.rule_id, m.meaning or f"{m.value:+d} to {m.of.replace('_', ' ')}: {m.name}") for m in self.modifiers}
        for plugin in self.plugins:
            found.update({name: (f"own:{name}", meaning) for name, meaning in plugin.rules.items()})
        return found

    def with_more(self, other: OwnRules) -> OwnRules:
        """These and others; the same rule or file twice counts once. Raises :class:`InputError` for two of one name."""
        modifiers = [m for m in other.modifiers if m not in self.modifiers]
        digests = {plugin.digest for plugin in self.plugins}
        plugins = [plugin for plugin in other.plugins if plugin.digest not in digests]
        if not modifiers and not plugins:
            return self
        return OwnRules((*self.modifiers, *modifiers), (*self.plugins, *plugins))

    @property
    def digest(self) -> str:
        """Another number whenever a rule changes."""
        text = "\n".join([m.model_dump_json() for m in self.modifiers] + [plugin.digest for plugin in self.plugins])
        return sha256(text.encode()).hexdigest()[:16]


class Active:
    """The own rules that are on, by what they are asked. Equal where the same rules are on."""

    __slots__ = ("_hash", "blows", "by_shot", "by_units", "key", "off", "plugins", "rolls")

    def __init__(self, own: OwnRules, off: frozenset[str]) -> None:
        self.key = (own.digest, tuple(sorted(off)))
        self._hash = hash(self.key)
        self.off = off
        on = [m for m in own.modifiers if m.key not in off]
        #: modifiers of fire: those that go by the units alone, and those that go by the weapon
        self.by_units = [m for m in on if m.of == "to_hit" and not m.by_weapon]
        self.by_shot = [m for m in on if m.of == "to_hit" and m.by_weapon]
        self.blows = [m for m in on if m.of == "physical"]
        self.rolls = [m for m in on if m.of == "piloting"]
        self.plugins = [plugin for plugin in own.plugins if not off.issuperset(plugin.rules)]

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Active) and self.key == other.key

    def with_hook(self, hook: str) -> list[Plugin]:
        """The files that have a hook."""
        return [plugin for plugin in self.plugins if hook in plugin.hooks]

    @property
    def weighs_shots(self) -> bool:
        """Whether any rule goes by the weapon of a shot."""
        return bool(self.by_shot or self.with_hook("to_hit"))

    @property
    def weighs_fire(self) -> bool:
        """Whether any rule modifies fire."""
        return bool(self.by_units) or self.weighs_shots

    def of_units(self, shot: Shot) -> list[OwnItem]:
        """What the rules that go by the units alone add to fire."""
        return [_item(m) for m in self.by_units if m.when.holds_units(shot)]

    def of_shot(self, shot: Shot) -> list[OwnItem]:
        """What the rules that go by the weapon as well add to fire."""
        found = [_item(m) for m in self.by_shot if m.when.holds_units(shot) and m.when.holds_weapon(shot)]
        return found + self._said("to_hit", shot)

    def of_blow(self, shot: Shot) -> list[OwnItem]:
        """What is added to a physical attack."""
        found = [_item(m) for m in self.blows if m.when.holds_units(shot) and m.when.holds_weapon(shot)]
        return found + self._said("physical", shot)

    def of_roll(self, roll: PilotingRoll) -> list[OwnItem]:
        """What is added to a piloting roll."""
        return [_item(m) for m in self.rolls if m.when.holds_roll(roll)] + self._said("piloting", roll)

    def step_cost(self, step: Step) -> int:
        """The cost of a step, own rules counted; never below :data:`LEAST_STEP`."""
        extra = sum([item.value for item in self._said("movement_cost", step)])
        return max(LEAST_STEP, step.cost + extra) if extra else step.cost

    def _said(self, hook: str, asked: Any) -> list[OwnItem]:
        return [
            OwnItem(name.replace("_", " "), value, f"own:{name}")
            for plugin in self.plugins
            if hook in plugin.hooks
            for name, value in plugin.named(hook, plugin.call(hook, asked))
            if value and name not in self.off
        ]


def _item(m: OwnModifier) -> OwnItem:
    return OwnItem(m.name, m.value, m.rule_id)


@dataclass(frozen=True)
class OwnGround:
    """What of a ruleset makes the ground cost other than as shipped: numbers replaced, rules on the cost of a step."""

    replaced: Replaced | None
    steps: Active | None


__all__ = ["LEAST_STEP", "PREFIX", "Active", "OwnGround", "OwnItem", "OwnRules"]
