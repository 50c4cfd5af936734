"""Aspects of a character: dials from 0 to 10 that turn several weights each. Data: ``configs/policies/characters.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from opfor.tables import load_yaml

#: a dial's ends, and where it turns nothing
LEAST, USUAL, MOST = 0.0, 5.0, 10.0
_NONE = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Aspect:
    """One dial: ``times`` the factors of weights at its least and at its most, ``plus`` what is added to weights there."""

    what: str
    times: Mapping[str, tuple[float, float]]
    plus: Mapping[str, tuple[float, float]]

    def factor(self, weight: str, dial: float) -> float:
        """What a weight is multiplied by: 1 in the middle, even in proportion towards each end."""
        least, most = self.times.get(weight, _NONE)
        end: float = most if dial > USUAL else least
        return float(end ** abs(_turn(dial)))

    def added(self, weight: str, dial: float) -> float:
        """What is added to a weight: nothing in the middle, even steps towards each end."""
        least, most = self.plus.get(weight, (0.0, 0.0))
        turn = _turn(dial)
        return turn * most if turn > 0 else -turn * least


def _turn(dial: float) -> float:
    """A dial as a share of the way from the middle to its end, -1 to 1; beyond its ends it goes no farther."""
    return (min(MOST, max(LEAST, dial)) - USUAL) / (MOST - USUAL)


@cache
def characters_file() -> dict[str, Any]:
    """``configs/policies/characters.yaml`` as it stands. Treat it as read-only: it is shared."""
    data: dict[str, Any] = load_yaml(files("configs.policies").joinpath("characters.yaml").read_text(encoding="utf-8"))
    return data


@cache
def aspects() -> dict[str, Aspect]:
    """All aspects by name."""
    return {
        name: Aspect(row["what"], row.get("times", {}), row.get("plus", {}))
        for name, row in characters_file()["aspects"].items()
    }


def turned(lines: Mapping[str, Any], dials: Mapping[str, float]) -> dict[str, Any]:
    """The lines of weights, as they are written, with the dials turned: multiplied by all factors, then added to.

    A weight that is a whole number stays one. Of steps (``heat``, ``thrift``) the costs are multiplied, not where they begin.
    """
    found = dict(lines)
    for name, line in lines.items():
        factor, more = 1.0, 0.0
        for aspect, dial in dials.items():
            factor *= aspects()[aspect].factor(name, dial)
            more += aspects()[aspect].added(name, dial)
        if factor != 1.0 or more:
            found[name] = _scaled(line, factor, more)
    return found


def _scaled(line: Any, factor: float, more: float) -> Any:
    if isinstance(line, list):
        return [[start, cost * factor] for start, cost in line]
    value = line * factor + more
    return round(value) if isinstance(line, int) else value
