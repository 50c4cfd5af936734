"""How much the commander thinks through. Counted in work, not in time, so that the same battle gets the same orders."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from typing import Any

from opfor.tables import load_yaml
from policies.veteran.weights import Weights


@dataclass(frozen=True, slots=True)
class Effort:
    """One section of ``efforts`` in ``configs/policies/commander.yaml``; see there for what the lines mean."""

    seconds: float
    own: int
    enemy: int
    candidates: int
    movers: int
    lineups: int
    stale: int
    ways: int
    followers: int
    own_eye: float
    out_of_turn: float
    played: int
    orders: int
    plans: int
    feared: float


@cache
def commanders_file() -> dict[str, Any]:
    """The file as it stands."""
    data: dict[str, Any] = load_yaml(files("configs.policies").joinpath("commander.yaml").read_text(encoding="utf-8"))
    return data


#: units a side that the file's figures are for
_UNITS = 4


def shared_out(effort: Effort, units: int) -> Effort:
    """The effort for one order where ``units`` are to share what the file allows four of them, so that a phase takes no longer.

    What a unit's order costs grows with their number as well: fewer ends of each are reckoned with.
    """
    if units <= _UNITS:
        return effort
    share = _UNITS / units
    fewer = share**0.5
    return replace(
        effort,
        own=max(4, round(effort.own * fewer)),
        enemy=max(4, round(effort.enemy * fewer)),
        candidates=max(3, round(effort.candidates * fewer)),
        lineups=round(effort.lineups * share),
        orders=round(effort.orders * share),
        plans=max(1, round(effort.plans * share)),
    )


def sharpened(weights: Weights) -> Weights:
    """The weights of a character, as the commander holds them: some times a factor of the file."""
    factors: dict[str, float] = commanders_file()["weights"]
    return replace(weights, **{name: getattr(weights, name) * factor for name, factor in factors.items()})


@cache
def efforts() -> tuple[Effort, ...]:
    """All efforts, the least first."""
    usual = commanders_file()["judgement"]
    names = {field.name for field in fields(Effort)}
    rows = [Effort(**{k: v for k, v in {**usual, **row}.items() if k in names}) for row in commanders_file()["efforts"]]
    return tuple(sorted(rows, key=lambda row: row.seconds))


def effort_for(seconds: float) -> Effort:
    """The greatest effort that is meant to take at most so many seconds for a side's phase; the least where none is."""
    found = efforts()[0]
    for row in efforts():
        if row.seconds <= seconds:
            found = row
    return found
