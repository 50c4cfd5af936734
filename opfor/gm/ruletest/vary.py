"""What is compared with what: rules that are turned, the variants that come of it, and which of them make up an effect.

``partial_cover=standard,house`` turns a switch; so may a house rule of several switches be turned by its name
(:mod:`opfor.gm.ruletest.house_rules`). The first value is what the others are compared with.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Literal

from opfor.errors import InputError, nearest
from opfor.gm.ruletest.house_rules import HOUSE, house_rules, ruleset_called
from opfor.own_rules.bundle import PREFIX
from opfor.own_rules.given import given
from opfor.own_rules.replaceable import replaceable
from opfor.rulesets import TABLES, Ruleset, Switch, named_ruleset, ruleset_names, switch_named, switches

#: ``one``: each rule alone is turned, the others at their first values; ``all``: every combination
Design = Literal["one", "all"]
DESIGNS: tuple[Design, ...] = ("one", "all")
PLACE = "--vary"
#: variants of one run
MOST = 64


@dataclass(frozen=True, slots=True)
class Level:
    """One value of a rule: what it is called, and the switches that it sets."""

    name: str
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Factor:
    """A rule that is turned, and its levels; the first is the base."""

    name: str
    levels: tuple[Level, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """One combination of levels, by their places in the factors."""

    name: str
    places: tuple[int, ...]
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Contrast:
    """What is told as one effect: ``rule`` from one level to another, each a weighted sum of variants by name.

    Of an interaction the sums are effects themselves: that of one rule at one and at another level of a second.
    """

    rule: str
    before: str
    after: str
    sum_before: Mapping[str, float]
    sum_after: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is compared in a run."""

    factors: tuple[Factor, ...]
    design: Design
    variants: tuple[Variant, ...]
    contrasts: tuple[Contrast, ...]


def plan_of(texts: Sequence[str], design: Design = "one", *, interactions: bool = False) -> Plan:
    """The plan of ``RULE=VALUE,VALUE`` texts, each a rule. Raises :class:`InputError` for what cannot be turned so."""
    factors = tuple(read_factor(text) for text in texts)
    _check_apart(factors)
    if interactions and (design != "all" or len(factors) < 2):
        raise InputError("interactions need several rules in all combinations", place=PLACE, hint="--design all")
    if design == "all":
        count = math.prod(len(factor.levels) for factor in factors)
    else:
        count = 1 + sum(len(factor.levels) - 1 for factor in factors)
    if count > MOST:
        raise InputError(f"that makes {count} variants; {MOST} are the most", place=PLACE, hint="fewer rules, or --design one")
    spans = [range(len(factor.levels)) for factor in factors]
    places = [each for each in product(*spans) if design == "all" or sum(map(bool, each)) <= 1]
    variants = tuple(_variant(factors, each) for each in places)
    for variant in variants:
        # said now, not by every game
        _check_values(variant)
    names = {variant.places: variant.name for variant in variants}
    contrasts = [_main(factors, names, which, place) for which, span in enumerate(spans) for place in span[1:]]
    if interactions:
        contrasts += [
            _interaction(factors, names, (one, other), (first, second))
            for one, other in combinations(range(len(factors)), 2)
            for first in spans[one][1:]
            for second in spans[other][1:]
        ]
    return Plan(factors, design, variants, tuple(contrasts))


def _variant(factors: Sequence[Factor], places: tuple[int, ...]) -> Variant:
    levels = [(factor.name, factor.levels[place]) for factor, place in zip(factors, places, strict=True)]
    changes = {switch: value for _, level in levels for switch, value in level.changes.items()}
    return Variant(", ".join(f"{name}={level.name}" for name, level in levels), places, changes)


def _check_values(variant: Variant) -> None:
    """Numbers in the place of shipped ones have a range. Raises :class:`InputError`."""
    try:
        Ruleset(variant.name, variant.changes, given().own())
    except InputError as error:
        raise InputError(error.message, place=PLACE, hint=error.hint) from None


def _main(factors: Sequence[Factor], names: Mapping[tuple[int, ...], str], which: int, place: int) -> Contrast:
    """A level against the base, the mean over all that the other rules are at."""
    after = [each for each in names if each[which] == place]
    part = 1 / len(after)
    factor = factors[which]
    return Contrast(
        factor.name,
        factor.levels[0].name,
        factor.levels[place].name,
        {names[_at(each, which, 0)]: part for each in after},
        {names[each]: part for each in after},
    )


def _interaction(
    factors: Sequence[Factor], names: Mapping[tuple[int, ...], str], which: tuple[int, int], places: tuple[int, int]
) -> Contrast:
    """By how much the effect of one rule is another where a second is turned too, the mean over the rest."""
    (one, other), (first, second) = which, places
    both = [each for each in names if each[one] == first and each[other] == second]
    part = 1 / len(both)
    sums: list[dict[str, float]] = []
    for at in (0, second):
        turned = [_at(each, other, at) for each in both]
        sums.append({names[each]: part for each in turned} | {names[_at(each, one, 0)]: -part for each in turned})
    effect = f"{factors[one].name}={factors[one].levels[first].name}"
    before, after = [f"{effect} at {factors[other].name}={factors[other].levels[at].name}" for at in (0, second)]
    return Contrast(f"{factors[one].name} x {factors[other].name}", before, after, *sums)


def _at(places: tuple[int, ...], which: int, place: int) -> tuple[int, ...]:
    return (*places[:which], place, *places[which + 1 :])


def _check_apart(factors: Sequence[Factor]) -> None:
    """No switch may be turned by two rules. Raises :class:`InputError`."""
    if not factors:
        raise InputError("name a rule and its values, as partial_cover=standard,house", place=PLACE)
    turned: dict[str, str] = {}
    for factor in factors:
        for switch in factor.levels[0].changes:
            if switch in turned:
                raise InputError(f"{switch} is turned twice: by {turned[switch]} and by {factor.name}", place=PLACE)
            turned[switch] = factor.name


# -- reading ----------------------------------------------------------------------------------------------------------


def read_factor(text: str) -> Factor:
    """A rule with its values from ``RULE=VALUE,VALUE``. Raises :class:`InputError` naming the nearest right word."""
    name, sign, given = (part.strip() for part in text.partition("="))
    words = [word.strip() for word in given.split(",") if word.strip()]
    switch = switch_named(name)
    if switch is None and name not in house_rules().rules:
        known = [*switches(), *house_rules().rules, *own_names(), *numbered()]
        raise InputError(
            f"there is no switch or house rule {name!r}; `opfor rules --switches` lists the switches, --rules brings own rules",
            place=PLACE,
            hint=nearest(name, known),
        )
    if not sign or len(words) < 2:
        usual = "standard,house" if switch is None else ",".join(map(str, _usual(switch)[:2]))
        raise InputError(f"{text!r}: two values or more are needed, as {name}={usual}", place=PLACE)
    levels = tuple(_level(name, word) for word in words)
    for index, level in enumerate(levels):
        for other in levels[:index]:
            if level.changes == other.changes:
                same = f"{words[levels.index(other)]!r} and {words[index]!r}"
                raise InputError(f"{name}: {same} mean the same, so that there is nothing to compare", place=PLACE)
    return Factor(name, levels)


def _level(name: str, word: str) -> Level:
    if name in house_rules().rules:
        ruleset = ruleset_called(word)
        if ruleset is None:
            known = (HOUSE, *ruleset_names())
            raise InputError(
                f"{word!r} is no value of the house rule {name}: use {', '.join(known)}", place=PLACE, hint=nearest(word, known)
            )
        return Level(word, house_rules().rules[name].changes(ruleset))
    switch = switch_named(name)
    assert switch is not None
    value = value_of(switch, word)
    return Level(str(value), {name: value})


def value_of(switch: Switch, word: str) -> Any:
    """The value of a switch that a word means: its own name, a number, or the value in a ruleset (``standard``, ``house``).

    >>> value_of(switches()["evading"], "campaign"), value_of(switches()["water_to_hit"], "-2")
    ('on', -2)

    Raises :class:`InputError` for any other word, naming the nearest that is right.
    """
    for value in switch.values:
        if word == str(value):
            return value
    usual = _usual(switch)
    if not switch.values:
        number = _number(word)
        if number is not None:
            return number
        if word in [value for value in usual if isinstance(value, str)]:
            return word
    ruleset = ruleset_called(word)
    if ruleset is not None:
        return getattr(ruleset, switch.name, switch.standard)
    known = [*(switch.values or [value for value in usual if isinstance(value, str)]), HOUSE, *ruleset_names()]
    words = list(dict.fromkeys(map(str, known)))
    numbers = "" if switch.values else "a number, "
    raise InputError(
        f"{word!r} is no value of the switch {switch.name}: use {numbers}{', '.join(words)}",
        place=PLACE,
        hint=nearest(word, words),
    )


def _usual(switch: Switch) -> list[Any]:
    """A switch's values: its named ones, or those of the rulesets that ship."""
    found = [switch.standard, *(getattr(named_ruleset(name), switch.name, switch.standard) for name in ruleset_names())]
    return list(switch.values) or list(dict.fromkeys(found))


def own_names() -> list[str]:
    """The switches of own rules that the program was given."""
    return [PREFIX + name for name in given().own().rules()]


def numbered() -> list[str]:
    """The numbers of tables that may be turned, as switches."""
    return [TABLES + path for path in replaceable()]


def _number(word: str) -> int | float | None:
    try:
        value = float(word)
    except ValueError:
        return None
    if not math.isfinite(value):
        return None
    return int(value) if value == int(value) else value
