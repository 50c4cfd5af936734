"""The campaign's main house rules as data: which switches make up each, and battles in which it can occur.

``configs/ruletest/house-rules.yaml``; the values are those of the rulesets.
"""

from __future__ import annotations

import shlex
from functools import lru_cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from opfor.errors import InputError, nearest
from opfor.gm.policies import USUAL
from opfor.rulesets import Ruleset, named_ruleset
from opfor.tables import load_yaml

#: the word for the rules of the campaign, where a value is named
HOUSE = "house"


class HouseRule(BaseModel):
    """A house rule: the switches that are turned together, ledger ids, sets of battles, and measures that show it occurs."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    title: str
    rules: tuple[str, ...] = Field(min_length=1)
    switches: tuple[str, ...] = Field(min_length=1)
    sets: tuple[str, ...] = Field(min_length=1)
    met: tuple[str, ...] = Field(min_length=1)

    def changes(self, ruleset: Ruleset) -> dict[str, Any]:
        """The rule's switches with their values in a ruleset."""
        return {switch: getattr(ruleset, switch) for switch in self.switches}


class HouseRules(BaseModel):
    """All of them: ``base`` is the ruleset that has them, ``against`` the one that they are measured against."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    base: str
    against: str
    rules: dict[str, HouseRule]


@lru_cache(maxsize=1)
def house_rules() -> HouseRules:
    """The house rules that ship, by name."""
    data = load_yaml(files("configs.ruletest").joinpath("house-rules.yaml").read_text(encoding="utf-8"))
    rules = {name: {"name": name, **row} for name, row in data["rules"].items()}
    return HouseRules.model_validate({**data, "rules": rules})


def house_rule(name: str) -> HouseRule:
    """A house rule by name. Raises :class:`InputError` with the nearest name when there is none."""
    known = house_rules().rules
    if name not in known:
        raise InputError(f"there is no house rule {name!r}: use {', '.join(known)}", hint=nearest(name, known))
    return known[name]


def rule_arguments(
    rule: HouseRule, games: int, *, policies: str = f"{USUAL},{USUAL}", seed: int = 1, folder: str = "out/house-rules"
) -> list[str]:
    """The arguments of the command that measures a house rule: the standard rule stands first, effects are the house rule's."""
    chosen = house_rules()
    sets = [word for name in rule.sets for word in ("--set", name)]
    return [
        "ruletest", "--vary", f"{rule.name}={chosen.against},{HOUSE}", *sets,
        "--policies", policies, "--games", str(games), "--seed", str(seed), "--out", f"{folder}/{rule.name}",
    ]  # fmt: skip


def rule_command(rule: HouseRule, games: int, *, policies: str = f"{USUAL},{USUAL}", seed: int = 1) -> str:
    """The command line that measures a house rule."""
    return shlex.join(["opfor", *rule_arguments(rule, games, policies=policies, seed=seed)])


def ruleset_called(word: str) -> Ruleset | None:
    """The ruleset that a word for a value means: its name, or ``house`` for the campaign's. None for any other word."""
    if word == HOUSE:
        return named_ruleset(house_rules().base)
    try:
        return named_ruleset(word)
    except InputError:
        return None
