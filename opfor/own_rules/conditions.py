"""Modifiers of a game master's own as data: a name, a value, and when it counts. Rule ids are the game master's own.

The conditions are the fields of :class:`When` and :class:`UnitIs`; all that are given must hold. Lists mean any of their words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from opfor.errors import InputError, nearest
from opfor.own_rules.views import BLOWS, KINDS, MOVED, PHASES, RANGES, TERRAIN, WEAPON_CLASSES, PilotingRoll, Shot, UnitView
from opfor.tables import table


def _several(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _words(known: Sequence[str]) -> Any:
    """One word of some, or a list of them."""

    def check(value: Any) -> Any:
        for word in _several(value):
            if word not in known:
                raise ValueError(f"{word!r} is none of {', '.join(known)}{_hint(str(word), known)}")
        return tuple(_several(value))

    return Annotated[tuple[str, ...], BeforeValidator(check)]


def _hint(word: str, known: Sequence[str]) -> str:
    found = nearest(word, known)
    return f" ({found})" if found else ""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class UnitIs(_Strict):
    """What a unit must be."""

    moved: _words(MOVED) = Field((), description="how it moved last")  # type: ignore[valid-type]
    kind: _words(KINDS) = Field((), description="what it is; hex: a hex is fired at")  # type: ignore[valid-type]
    terrain: _words(TERRAIN) = Field((), description="what is in its hex")  # type: ignore[valid-type]
    prone: bool | None = Field(None, description="whether it lies")
    heat_at_least: int | None = Field(None, ge=0, description="heat of a 'Mech, as it stands")
    hexes_moved_at_least: int | None = Field(None, ge=0, description="hexes that it moved last")
    hexes_moved_at_most: int | None = Field(None, ge=0, description="hexes that it moved last")
    tons_at_least: int | None = Field(None, ge=0, description="its weight class in tons")
    tons_at_most: int | None = Field(None, ge=0, description="its weight class in tons")

    def holds(self, unit: UnitView) -> bool:
        """Whether a unit is so."""
        return not (
            (self.moved and unit.moved not in self.moved)
            or (self.kind and unit.kind not in self.kind)
            or (self.terrain and unit.terrain.isdisjoint(self.terrain))
            or (self.prone is not None and unit.prone is not self.prone)
            or (self.heat_at_least is not None and unit.heat < self.heat_at_least)
            or (self.hexes_moved_at_least is not None and unit.hexes_moved < self.hexes_moved_at_least)
            or (self.hexes_moved_at_most is not None and unit.hexes_moved > self.hexes_moved_at_most)
            or (self.tons_at_least is not None and unit.tons < self.tons_at_least)
            or (self.tons_at_most is not None and unit.tons > self.tons_at_most)
        )


class When(_Strict):
    """When a modifier counts."""

    attacker: UnitIs | None = Field(None, description="what the attacker must be")
    target: UnitIs | None = Field(None, description="what the target must be")
    unit: UnitIs | None = Field(None, description="what the unit that rolls must be (piloting)")
    range: _words(RANGES) = Field((), description="range of the weapon (to_hit)")  # type: ignore[valid-type]
    weapon_class: _words(WEAPON_CLASSES) = Field((), description="class of the weapon (to_hit)")  # type: ignore[valid-type]
    weapon: Annotated[tuple[str, ...], BeforeValidator(lambda value: tuple(_several(value)))] = Field(
        (), description="name of the weapon, as on the sheet (to_hit)"
    )
    blow: _words(BLOWS) = Field((), description="kind of attack (physical)")  # type: ignore[valid-type]
    reason: Annotated[tuple[str, ...], BeforeValidator(lambda value: tuple(_several(value)))] = Field(
        (), description="why the roll is made, an id of piloting_rolls.yaml (piloting)"
    )
    indirect: bool | None = Field(None, description="whether a spotter sees for it (to_hit)")
    distance_at_least: int | None = Field(None, ge=0, description="hexes between the two (to_hit)")
    distance_at_most: int | None = Field(None, ge=0, description="hexes between the two (to_hit)")
    turn_at_least: int | None = Field(None, ge=1, description="the turn")
    turn_at_most: int | None = Field(None, ge=1, description="the turn")
    phase: _words(PHASES) = Field((), description="the phase going on")  # type: ignore[valid-type]

    def holds_time(self, turn: int, phase: str) -> bool:
        """Whether it is the time for it."""
        return not (
            (self.turn_at_least is not None and turn < self.turn_at_least)
            or (self.turn_at_most is not None and turn > self.turn_at_most)
            or (self.phase and phase not in self.phase)
        )

    def holds_units(self, shot: Shot) -> bool:
        """Whether all holds that does not go by the weapon."""
        return (
            (self.attacker is None or self.attacker.holds(shot.attacker))
            and (self.target is None or self.target.holds(shot.target))
            and (self.indirect is None or shot.indirect is self.indirect)
            and (self.distance_at_least is None or shot.distance >= self.distance_at_least)
            and (self.distance_at_most is None or shot.distance <= self.distance_at_most)
            and self.holds_time(shot.turn, shot.phase)
        )

    def holds_weapon(self, shot: Shot) -> bool:
        """Whether all holds that goes by the weapon, or by the kind of blow."""
        return not (
            (self.range and shot.range not in self.range)
            or (self.weapon_class and shot.weapon_class not in self.weapon_class)
            or (self.weapon and shot.weapon not in self.weapon)
            or (self.blow and shot.attack not in self.blow)
        )

    def holds_roll(self, roll: PilotingRoll) -> bool:
        """Whether all holds that a piloting roll goes by."""
        return (
            (self.unit is None or self.unit.holds(roll.unit))
            and (not self.reason or roll.reason in self.reason)
            and self.holds_time(roll.turn, roll.phase)
        )


#: conditions that each target number goes by
CONDITIONS = {
    "to_hit": (
        "attacker", "target", "range", "weapon_class", "weapon", "indirect", "distance_at_least", "distance_at_most",
        "turn_at_least", "turn_at_most", "phase",
    ),
    "physical": ("attacker", "target", "blow", "turn_at_least", "turn_at_most", "phase"),
    "piloting": ("unit", "reason", "turn_at_least", "turn_at_most", "phase"),
}  # fmt: skip
_BY_WEAPON = frozenset({"range", "weapon_class", "weapon"})


class OwnModifier(_Strict):
    """A modifier: its name as target numbers list it, what it is added to, when, its value, and the game master's rule id."""

    name: str = Field(min_length=1, max_length=60, description="what target numbers call it")
    of: Literal["to_hit", "physical", "piloting"] = Field("to_hit", description="the number that it is added to")
    when: When = Field(default_factory=lambda: When.model_validate({}), description="the conditions; none: always")
    value: int = Field(ge=-12, le=12, description="what is added, -12 to 12, not 0")
    rule: str = Field("", max_length=40, description="the rule's id; own:NAME where none is given")
    meaning: str = Field("", description="what the rule says, in a sentence")

    @model_validator(mode="after")
    def _fits(self) -> OwnModifier:
        if not self.value:
            raise ValueError("a value of 0 changes nothing")
        if not key_of(self.name):
            raise ValueError(f"{self.name!r} has no letter or figure in it")
        for given in self.when.model_fields_set:
            if given not in CONDITIONS[self.of]:
                known = CONDITIONS[self.of]
                raise ValueError(f"{given!r} is no condition of {self.of}: use {', '.join(known)}{_hint(given, known)}")
        for reason in self.when.reason:
            reasons = table("piloting_rolls")["reasons"]
            if reason not in reasons:
                raise ValueError(f"{reason!r} is no reason of a piloting roll{_hint(reason, list(reasons))}")
        for weapon in self.when.weapon:
            if weapon not in _weapon_names():
                raise ValueError(f"there is no weapon {weapon!r}{_hint(weapon, _weapon_names())}")
        return self

    @property
    def key(self) -> str:
        """The name of its switch, without ``own.``."""
        return key_of(self.name)

    @property
    def rule_id(self) -> str:
        """What events cite."""
        return self.rule or f"own:{self.key}"

    @property
    def by_weapon(self) -> bool:
        """Whether it goes by the weapon that is fired."""
        return bool(self.when.model_fields_set & _BY_WEAPON)


def key_of(name: str) -> str:
    """A rule's name as its switch has it.

    >>> key_of("Smoke discipline")
    'smoke_discipline'
    """
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


@lru_cache(maxsize=1)
def _weapon_names() -> tuple[str, ...]:
    from opfor.tables.arsenal import weapons

    return tuple(dict.fromkeys(weapon.name for weapon in weapons().values()))


def read_modifiers(rows: Any, place: str = "own_modifiers") -> tuple[OwnModifier, ...]:
    """Modifiers from data. Raises :class:`InputError` naming the place of the first that cannot be used."""
    if not isinstance(rows, list):
        raise InputError("own modifiers are a list, each with name, when and value", place=place)
    found: list[OwnModifier] = []
    for index, row in enumerate(rows):
        at = f"{place}.{index}"
        if not isinstance(row, Mapping):
            raise InputError(f"{row!r} is no modifier: name, when and value are expected", place=at)
        try:
            made = OwnModifier.model_validate(dict(row))
        except ValidationError as error:
            raise _refused(error, at) from None
        if any(other.key == made.key for other in found):
            raise InputError(f"two modifiers are called {made.key}", place=f"{at}.name")
        found.append(made)
    return tuple(found)


def _refused(error: ValidationError, at: str) -> InputError:
    """The first fault of a modifier, said in our words."""
    fault = error.errors(include_url=False)[0]
    where = [str(part) for part in fault["loc"]]
    place = ".".join([at, *where])
    last = where[-1] if where else ""
    if fault["type"] == "extra_forbidden":
        known = UnitIs.model_fields if len(where) > 2 else When.model_fields if len(where) > 1 else OwnModifier.model_fields
        return InputError(f"{last!r} is not known here: use {', '.join(known)}", place=place, hint=nearest(last, known))
    if fault["type"] == "missing":
        return InputError(f"{last} is missing", place=place)
    if fault["type"] == "literal_error":
        return InputError(f"{fault['input']!r} is none of {', '.join(CONDITIONS)}", place=place)
    message = fault["msg"].removeprefix("Value error, ")
    return InputError(message if fault["type"] == "value_error" else f"{fault['input']!r}: {message}", place=place)


__all__ = ["CONDITIONS", "OwnModifier", "UnitIs", "When", "key_of", "read_modifiers"]
