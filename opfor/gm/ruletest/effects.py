"""What turned rules change: the games of a plan compared battle by battle, as the published document.

Only whole battles count: those of which every game of every variant was played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from opfor.gm.ruletest.house_rules import house_rules
from opfor.gm.ruletest.measures import Measure, Row, measures
from opfor.gm.ruletest.paired_statistics import CONFIDENCE, battles_needed, holm, paired, smallest_seen
from opfor.gm.ruletest.vary import Contrast, Factor, Plan

#: an effect on a share of games that one would want to see, in parts of one, and one on anything else, as part of what it was
WISHED_SHARE, WISHED_PART = 0.05, 0.1
#: points for policy a by who has won
_POINTS = {"a": 1.0, "draw": 0.5, "b": 0.0}
#: decimals of published numbers
_DIGITS = 6

#: which battle: its set and its number
Battle = tuple[str, int]
#: the rows of one battle's games, by variant
Rows = Mapping[str, Sequence[Row]]


def seats_for(codes: Sequence[str]) -> tuple[bool, ...]:
    """Whether seats are changed, for each game of a battle. A policy against itself plays one game, the same in both seats."""
    return (False,) if codes[0] == codes[1] else (False, True)


def row_of(record: Mapping[str, Any]) -> Row:
    """The numbers of a game: its measures, and what policy a gets for it where two policies play."""
    row = dict(record["measures"])
    if record["a"] != record["b"]:
        row["won.a"] = _POINTS[record["winner"]]
    return row


@dataclass(frozen=True, slots=True)
class Paired:
    """The rows of a run by battle and variant. ``seats``: games of a battle by one variant; ``left_out``: battles not whole."""

    battles: Mapping[Battle, Rows]
    seats: int
    left_out: int

    def values(self, variant: str, key: str) -> list[float]:
        """One mean a battle, of the battles that have the measure."""
        return [value for rows in self.battles.values() if (value := _mean(rows[variant], key)) is not None]

    def sides(self, contrast: Contrast, key: str) -> list[tuple[float, float]]:
        """Both sums of a contrast for each battle in which every variant of it has the measure."""
        found = []
        for rows in self.battles.values():
            sums = [_weighted(rows, part, key) for part in (contrast.sum_before, contrast.sum_after)]
            if sums[0] is not None and sums[1] is not None:
                found.append((sums[0], sums[1]))
        return found


def _weighted(rows: Rows, weights: Mapping[str, float], key: str) -> float | None:
    total = 0.0
    for variant, weight in weights.items():
        value = _mean(rows[variant], key)
        if value is None:
            return None
        total += weight * value
    return total


def _mean(rows: Sequence[Row], key: str) -> float | None:
    found = [row[key] for row in rows if key in row]
    return fmean(found) if found else None


def pair_up(plan: Plan, records: Iterable[Mapping[str, Any]]) -> Paired:
    """Sort records of games (:func:`opfor.gm.ruletest.plays.play_one`) by battle and variant.

    A game that could not be played, or was stopped, does not count, nor does its battle.
    """
    games: dict[Battle, dict[tuple[str, bool], Row]] = {}
    seats: set[bool] = set()
    for record in records:
        seats.add(record["swapped"])
        played = games.setdefault((record["set"], record["number"]), {})
        if not record.get("error") and not record.get("violations"):
            played[record["variant"], record["swapped"]] = row_of(record)
    wanted = {variant.name: [(variant.name, swapped) for swapped in sorted(seats)] for variant in plan.variants}
    whole = {
        battle: {name: [played[key] for key in keys] for name, keys in wanted.items()}
        for battle, played in sorted(games.items())
        if all(key in played for keys in wanted.values() for key in keys)
    }
    return Paired(whole, len(seats), len(games) - len(whole))


def effects_of(plan: Plan, pairs: Paired, codes: Sequence[str], *, seed: int = 0) -> dict[str, Any]:
    """The published document of a comparison.

    ``{"design", "policies", "battles", "left_out", "games", "seats_changed", "variants", "effects", "tests", "never",
    "rules"}``; an effect is ``{"rule", "from", "to", "measure", "group", "words", "unit", "before", "after", "difference",
    "interval", "method", "p", "p_holm", "shown", "battles", "seen_from", "needed"}``.

    Raises :class:`opfor.errors.InputError` where scipy is not installed.
    """
    met = [measure for measure in measures().values() if _ever(plan, pairs, measure.key)]
    found = [_effect(pairs, contrast, measure, seed) for contrast in plan.contrasts for measure in met]
    effects = [effect for effect in found if effect is not None]
    tested = [effect for effect in effects if not measures()[effect["measure"]].told]
    for effect, chance in zip(tested, holm([effect["p"] for effect in tested]), strict=True):
        effect["p_holm"] = round(chance, _DIGITS)
        effect["shown"] = chance < 1 - CONFIDENCE
    known = {measure.key for measure in met}
    return {
        "design": plan.design,
        "policies": list(codes),
        "battles": len(pairs.battles),
        "left_out": pairs.left_out,
        "games": len(pairs.battles) * pairs.seats * len(plan.variants),
        "seats_changed": pairs.seats > 1,
        "variants": [_variant(pairs, variant.name, variant.changes) for variant in plan.variants],
        "effects": effects,
        "tests": len(tested),
        "never": [key for key in measures() if key not in known and _there(plan, pairs, key)],
        "rules": [_factor(plan, pairs, factor) for factor in plan.factors],
    }


def _there(plan: Plan, pairs: Paired, key: str) -> bool:
    return any(pairs.values(variant.name, key) for variant in plan.variants)


def _ever(plan: Plan, pairs: Paired, key: str) -> bool:
    return any(value for variant in plan.variants for value in pairs.values(variant.name, key))


def _variant(pairs: Paired, name: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    means = {key: round(fmean(values), _DIGITS) for key in measures() if (values := pairs.values(name, key))}
    return {"name": name, "changes": dict(changes), "games": len(pairs.battles) * pairs.seats, "means": means}


def _factor(plan: Plan, pairs: Paired, factor: Factor) -> dict[str, Any]:
    """A rule that was turned; of a house rule also in how many games it occurred, by the measures that tell."""
    found: dict[str, Any] = {
        "rule": factor.name,
        "levels": [{"name": level.name, "changes": dict(level.changes)} for level in factor.levels],
    }
    rule = house_rules().rules.get(factor.name)
    if rule is not None:
        rows = [row for battle in pairs.battles.values() for some in battle.values() for row in some]
        occurred = sum(1 for row in rows if any(row.get(key) for key in rule.met))
        found |= {"title": rule.title, "ledger": list(rule.rules), "occurred": occurred, "of": len(rows)}
    return found


def _effect(pairs: Paired, contrast: Contrast, measure: Measure, seed: int) -> dict[str, Any] | None:
    sides = pairs.sides(contrast, measure.key)
    if len(sides) < 2:
        return None
    found = paired([after - before for before, after in sides], heavy=measure.heavy, seed=seed)
    before, after = [fmean(values) for values in zip(*sides, strict=True)]
    wished = WISHED_SHARE if measure.key.startswith(("won.", "drawn")) else WISHED_PART * abs(before)
    needed = {
        name: {"effect": round(effect, _DIGITS), "games": None if count is None else count * pairs.seats}
        for name, effect in (("wished", wished), ("found", found.difference))
        for count in [battles_needed(found.deviation, effect)]
    }
    return {
        "rule": contrast.rule,
        "from": contrast.before,
        "to": contrast.after,
        "measure": measure.key,
        "group": measure.group,
        "words": measure.words,
        "unit": measure.unit,
        "before": round(before, _DIGITS),
        "after": round(after, _DIGITS),
        "difference": round(found.difference, _DIGITS),
        "interval": [round(found.low, _DIGITS), round(found.high, _DIGITS)],
        "method": found.method,
        "p": round(found.p, _DIGITS),
        "p_holm": None,
        "shown": False,
        "battles": found.battles,
        "seen_from": round(smallest_seen(found.deviation, found.battles), _DIGITS),
        "needed": needed,
    }
