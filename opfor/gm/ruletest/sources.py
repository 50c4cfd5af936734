"""Where the battles of a rule test come from: a set of the arena, a battle file, battles given as data, or drawn at random.

A source gives the document of a battle (the form of the battle file) for a number; the same number gives the same battle.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from opfor.errors import InputError, nearest
from opfor.formats.source import parse, read_text
from opfor.gm.arena.sets import BattleSet, drawn_document, read_set, set_named, set_names
from opfor.gm.starting.budget import MEASURES
from opfor.gm.starting.mixes import mixed_ruleset
from opfor.gm.starting.new_battle import new_battle
from opfor.gm.starting.scenarios import random_opening
from opfor.rulesets import ruleset_names
from opfor.tables import load_yaml
from opfor.units.spec import KINDS

#: a battle in the form of its file
BattleData = dict[str, Any]
RANDOM = "random"
#: in the place of a ruleset: each battle has its own mix of switches
MIXES = "mixes"
#: what a unit may cost, from the least to the most
_BUDGETS = {"bv": (150, 1650), "tons": (5, 80)}
#: how often forces are drawn anew before a random battle is given up
TRIES = 50


@dataclass(frozen=True, slots=True)
class DrawnSet:
    """Battles of a set of the arena."""

    set: BattleSet

    @property
    def name(self) -> str:
        """The set's name."""
        return self.set.name

    def document(self, number: int, seed: int) -> BattleData:
        """The battle that ``seed`` draws; ``number`` counts them."""
        return drawn_document(self.set, seed, f"{self.set.name} {number}")


@dataclass(frozen=True, slots=True)
class BattleFile:
    """The one battle of a file, from where it stands; only the dice and what policies draw differ from game to game."""

    path: str

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return Path(self.path).stem

    def document(self, number: int, seed: int) -> BattleData:
        """The file's battle, whatever the seed."""
        return dict(_file(self.path))


@dataclass(frozen=True, slots=True)
class Given:
    """Battles given as data, one after the other, from the first again when they are through.

    ``folder``: what paths in them are relative to.
    """

    name: str
    battles: tuple[BattleData, ...]
    folder: str = ""

    def document(self, number: int, seed: int) -> BattleData:
        """The battle of that number, whatever the seed."""
        return dict(self.battles[number % len(self.battles)])


@dataclass(frozen=True, slots=True)
class RandomBattles:
    """Battles drawn over everything there is: boards, forces of all kinds, home edges, ways to deploy.

    Rulesets are those that ship. ``units``: the least and the most a side; ``kinds`` that may come together.
    """

    units: tuple[int, int] = (1, 4)
    kinds: tuple[str, ...] = tuple(KINDS)
    limit: tuple[int, int] = (6, 14)
    name: str = RANDOM

    def document(self, number: int, seed: int) -> BattleData:
        """The battle that ``seed`` draws. Raises :class:`InputError` when no forces can be raised from ``kinds``."""
        draw = random.Random(f"random battle {seed}").random
        kinds = [kind for kind in self.kinds if draw() < 0.5] or [self.kinds[int(draw() * len(self.kinds))]]
        count = self.units[0] + int(draw() * (self.units[1] - self.units[0] + 1))
        limit = self.limit[0] + int(draw() * (self.limit[1] - self.limit[0] + 1))
        names = ruleset_names()
        ruleset = names[int(draw() * len(names))]
        # some sheets give no Battle Value: by tons they come in as well
        measure = MEASURES[int(draw() * len(MEASURES))]
        low, high = _BUDGETS[measure]
        for attempt in range(TRIES):
            try:
                opening = random_opening(
                    seed + attempt,
                    budget=int(count * (low + (high - low) * draw())),
                    measure=measure,
                    kinds=kinds,
                    count=count,
                    limit=limit,
                    name=f"{self.name} {number}",
                )
                text = new_battle(opening)
            except InputError as error:
                # no such force is that cheap, or the board has no room for it: the next draw has
                why = error
                continue
            document: BattleData = load_yaml(text)
            document["ruleset"] = ruleset
            return document
        raise InputError(f"no battle of {', '.join(kinds)} could be drawn: {why.message}", place="units")


Source = DrawnSet | BattleFile | Given | RandomBattles


@lru_cache(maxsize=1)
def own_sets() -> tuple[str, ...]:
    """Names of the sets of battles that ship for rule tests alone."""
    folder = files("configs.ruletest.sets")
    return tuple(sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml")))


def source_named(name: str) -> Source:
    """A source by name: ``random``, a set of the arena or of the rule tests, or a YAML file of a set or of a battle.

    Raises :class:`InputError` with the nearest name.
    """
    if name == RANDOM:
        return RandomBattles()
    if name in set_names():
        return DrawnSet(set_named(name))
    if name in own_sets():
        text = files("configs.ruletest.sets").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
        return DrawnSet(read_set(text, name, source=name))
    if not name.endswith((".yaml", ".yml", ".json")):
        known = (RANDOM, *set_names(), *own_sets())
        raise InputError(
            f"there is no set of battles {name!r}: use {', '.join(known)}, or a file", place="--set", hint=nearest(name, known)
        )
    data = _file(name)
    return BattleFile(name) if {"opfor", "sides"} & data.keys() else DrawnSet(set_named(name))


def with_ruleset(document: BattleData, changes: Mapping[str, Any], seed: int = 0) -> BattleData:
    """A battle with switches of its ruleset turned. The change ``ruleset`` puts another ruleset in the place of its own.

    That is a name or a mapping, or :data:`MIXES`: every switch at any value that it can have, by ``seed``.
    """
    turned = {key: value for key, value in changes.items() if key != "ruleset"}
    ruleset = changes.get("ruleset", document.get("ruleset", "campaign"))
    if ruleset == MIXES:
        ruleset = {"base": "standard", **mixed_ruleset(seed).values()}
    if turned:
        ruleset = {**({"base": ruleset} if isinstance(ruleset, str) else ruleset), **turned}
    return {**document, "ruleset": ruleset}


def folder_of(source: Source) -> Path | None:
    """The folder that paths in a source's battles are relative to, None for the present one."""
    if isinstance(source, BattleFile):
        return Path(source.path).parent
    return Path(source.folder) if isinstance(source, Given) and source.folder else None


@lru_cache(maxsize=8)
def _file(path: str) -> BattleData:
    data = parse(read_text(Path(path)), path).data
    if not isinstance(data, dict):
        raise InputError("is neither a battle nor a set of battles: a mapping is expected", source=path)
    return data


__all__ = [
    "MIXES", "RANDOM", "BattleData", "BattleFile", "DrawnSet", "Given", "RandomBattles", "Source", "folder_of", "own_sets",
    "source_named", "with_ruleset",
]  # fmt: skip
