"""Sets of battles: a YAML file says what they have in common, a seed draws each battle of the set.

The sets that ship lie in ``configs/arena/``, those for testing rules in ``configs/ruletest/sets/``. What a set does not say is
drawn as for ``opfor new --random``.
"""

from __future__ import annotations

import json
import random
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, ValidationError, model_serializer

from opfor.board.library import find_board
from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.gm.starting.budget import candidates, kinds_from
from opfor.gm.starting.muster import Recruit
from opfor.gm.starting.new_battle import new_battle
from opfor.gm.starting.scenarios import random_opening
from opfor.rulesets import read_ruleset
from opfor.tables import load_yaml
from opfor.units.catalogue import unit_named
from opfor.units.munition_loads import PLAIN, loads_for, munition_rows

_FOLDERS = ("configs.arena", "configs.ruletest.sets")
#: keys that a set is not told with while they say nothing
_RARE = ("types", "special_missiles")


class BattleSet(BaseModel):
    """A set of battles as its file has it, with the name it goes by."""

    model_config = ConfigDict(extra="forbid")

    name: str
    about: str = ""
    #: a name, or ``{base: NAME, SWITCH: VALUE}``
    ruleset: str | dict[str, Any] = "campaign"
    #: built-in boards to draw from; none: every board of one map sheet
    boards: list[str] = Field(default_factory=list)
    #: units a side, 0 for as many as the budget suggests
    units: int = Field(default=4, ge=0, le=40)
    kinds: list[str] = Field(default_factory=lambda: ["mech"], min_length=1)
    #: the worth of the first force: least and most, in the measure
    budget: tuple[int, int] = (4500, 6500)
    measure: Literal["bv", "tons"] = "bv"
    #: ``matched``: two forces of like worth; ``same``: the same units on both sides
    forces: Literal["matched", "same"] = "matched"
    #: units built by that year only, 0 for any
    year: int = Field(default=0, ge=0)
    turn_limit: int = Field(default=20, ge=1, le=200)
    #: unit types that forces are drawn from, in place of kinds and budget
    types: list[str] = Field(default_factory=list)
    #: loads that are drawn, beside plain ones, for the bins that take them
    special_missiles: list[str] = Field(default_factory=list)

    @model_serializer(mode="wrap")
    def _told(self, told: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {key: value for key, value in told(self).items() if value or key not in _RARE}


@lru_cache(maxsize=1)
def _folders() -> dict[str, str]:
    """The folder of each set that ships, by name."""
    found: dict[str, str] = {}
    for folder in _FOLDERS:
        names = [entry.name for entry in files(folder).iterdir()]
        found |= {name.removesuffix(".yaml"): folder for name in sorted(names) if name.endswith(".yaml")}
    return found


def set_names() -> tuple[str, ...]:
    """Names of the sets that ship: those of the arena, then those for testing rules."""
    return tuple(_folders())


def set_named(name: str) -> BattleSet:
    """A set that ships, or the set of a YAML file. Raises :class:`InputError`: the nearest name, or where in the file."""
    if name in set_names():
        text = files(_folders()[name]).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
        return read_set(text, name, source=name)
    if not name.endswith((".yaml", ".yml")):
        raise InputError(
            f"there is no set of battles {name!r}: use {', '.join(set_names())}, or a YAML file",
            place="--set",
            hint=nearest(name, set_names()),
        )
    path = Path(name)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        words = error.strerror if isinstance(error, OSError) else "is not UTF-8 text"
        raise InputError(f"cannot be read as a set of battles: {words}", source=name) from None
    return read_set(text, path.stem, source=name)


def read_set(text: str, name: str, *, source: str) -> BattleSet:
    """A set from its text. Raises :class:`InputError` naming the key that cannot be used."""
    try:
        data = load_yaml(text)
    except yaml.YAMLError as error:
        raise InputError(f"is not YAML: {' '.join(str(error).split())}", source=source) from None
    if not isinstance(data, dict):
        raise InputError("is no set of battles: keys with values are expected", source=source)
    try:
        found = BattleSet(**{"name": name, **{str(key): value for key, value in data.items()}})
    except ValidationError as error:
        fault = error.errors()[0]
        key = ".".join(map(str, fault["loc"]))
        if fault["type"] == "extra_forbidden":
            raise InputError(
                "is no key of a set", source=source, place=key, hint=nearest(key, BattleSet.model_fields)
            ) from None
        raise InputError(fault["msg"], source=source, place=key) from None
    try:
        read_ruleset(found.ruleset)
        found.boards = [find_board(board) for board in found.boards]
        found.kinds = list(kinds_from(",".join(found.kinds)))
        if not candidates(tuple(found.kinds), found.year):
            raise InputError(f"no unit of the catalogue is {' or '.join(found.kinds)} and built by {found.year}")
    except InputError as error:
        raise InputError(error.message, source=source, place=error.place, hint=error.hint) from None
    _check_words(found, source)
    if not 0 < found.budget[0] <= found.budget[1]:
        raise InputError("two numbers, the least and the most", source=source, place="budget")
    return found


def _check_words(found: BattleSet, source: str) -> None:
    for name in found.types:
        try:
            unit_named(name)
        except InputError as error:
            raise InputError(error.message, source=source, place="types", hint=error.hint) from None
    for load in found.special_missiles:
        if load not in munition_rows():
            raise InputError(
                f"there are no special missiles {load!r}: use {', '.join(munition_rows())}",
                source=source,
                place="special_missiles",
                hint=nearest(load, munition_rows()),
            )


def battle_seed(seed: int, name: str, number: int) -> int:
    """The seed of a battle of a set: its forces, its dice and what its policies draw. Runs of other seeds share none of it."""
    return random.Random(f"arena {seed} {name} {number}").getrandbits(31)


def draw_battle(chosen: BattleSet, seed: int, title: str = "") -> Battle:
    """The battle of a set that a seed draws, before its first turn. The same for the same arguments.

    Raises :class:`InputError` where the catalogue or the board has no such battle.
    """
    return read_battle(json.dumps(drawn_document(chosen, seed, title)), source=chosen.name)


def drawn_document(chosen: BattleSet, seed: int, title: str = "") -> dict[str, Any]:
    """The battle of :func:`draw_battle` in the form of its file."""
    draw = random.Random(f"arena battle {seed}").random
    low, high = chosen.budget
    budget = low + int(draw() * (high - low + 1))
    board = chosen.boards[int(draw() * len(chosen.boards))] if chosen.boards else ""
    opening = random_opening(
        seed,
        board=board,
        budget=budget,
        measure=chosen.measure,
        kinds=chosen.kinds,
        era=chosen.year,
        count=chosen.units,
        limit=chosen.turn_limit,
        name=title or f"{chosen.name} {seed}",
    )
    if chosen.types:
        opening.forces = [_of_types(chosen, random.Random(f"arena types {seed} {side}")) for side in range(2)]
    if chosen.forces == "same":
        opening.forces = [opening.forces[0], opening.forces[0]]
    document: dict[str, Any] = load_yaml(new_battle(opening))
    document["ruleset"] = chosen.ruleset
    if chosen.special_missiles:
        _load(document, chosen, seed)
    return document


def _of_types(chosen: BattleSet, draw: random.Random) -> list[Recruit]:
    """As many units as the set says, no type more often than need be."""
    count = chosen.units or len(chosen.types)
    names: list[str] = []
    while len(names) < count:
        names += draw.sample(chosen.types, min(len(chosen.types), count - len(names)))
    return [Recruit(unit_named(name).name, unit_named(name)) for name in names]


def _load(document: dict[str, Any], chosen: BattleSet, seed: int) -> None:
    """Draw loads for bins of missiles; units of a type are loaded alike where both sides have the same units."""
    for number, entry in enumerate(document["units"]):
        spec = unit_named(entry["type"])
        place = number % chosen.units if chosen.forces == "same" and chosen.units else number
        draw = random.Random(f"arena loads {seed} {place}")
        possible = [[load for load in loads_for(spec, bin) if load in chosen.special_missiles] for bin in spec.bins]
        if any(possible):
            entry["munitions"] = [draw.choice([PLAIN, *loads]) if loads else "" for loads in possible]
