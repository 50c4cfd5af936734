"""What can be set: five behaviours by index, presets, and the fixed figures of ``configs/policies/princess.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from opfor.errors import InputError, nearest
from opfor.tables import load_yaml

#: the behaviours that have an index
BEHAVIOURS = ("bravery", "aggression", "herd", "self_preservation", "fall_shame")
USUAL = 5


@cache
def figures(section: str) -> Mapping[str, Any]:
    """A section of the file: ``values``, ``presets``, ``movement``, ``order``, ``fire`` or ``hazards``."""
    data: dict[str, Any] = load_yaml(files("configs.policies").joinpath("princess.yaml").read_text(encoding="utf-8"))
    return MappingProxyType(data[section])


@dataclass(frozen=True, slots=True)
class Settings:
    """The behaviours as indexes, 0 to 10. ``withdraws``: crippled units leave and are let leave; ``flees``: all make for
    the edge from the first turn."""

    bravery: int = USUAL
    aggression: int = USUAL
    herd: int = USUAL
    self_preservation: int = USUAL
    fall_shame: int = USUAL
    withdraws: bool = True
    flees: bool = False

    def value(self, behaviour: str) -> float:
        """What the index of a behaviour is worth."""
        return float(figures("values")[behaviour][getattr(self, behaviour)])

    @property
    def least_odds(self) -> float:
        """The least chance of making all its rolls at which a way is looked at."""
        return self.fall_shame / 10

    def least_to_hit(self, shots: int) -> float:
        """The chance to hit that a shot must beat, by the rounds that are left for it: nothing from ten on as a rule."""
        spare = 2 * (10 - self.aggression)
        return 1.0 - shots / spare if spare else 0.0


def settings(parameters: str = "") -> Settings:
    """Settings by the words after the policy's name: a preset (``berserk``), indexes (``aggression=7,bravery=2``), or both.

    Raises :class:`InputError` for a preset or behaviour that there is not, and for an index outside 0 to 10.
    """
    chosen: dict[str, Any] = {}
    for number, word in enumerate(word.strip() for word in parameters.split(",") if word.strip()):
        name, equals, index = (part.strip() for part in word.partition("="))
        if not equals and not number:
            presets = figures("presets")
            if name not in presets:
                hint = nearest(name, list(presets))
                raise InputError(f"princess has no preset {name!r}: use {', '.join(presets)}", place="policy", hint=hint)
            chosen |= presets[name]
            continue
        if name not in BEHAVIOURS:
            hint = nearest(name, list(BEHAVIOURS))
            raise InputError(f"princess has no index {name!r}: use {', '.join(BEHAVIOURS)}", place="policy", hint=hint)
        if not index.isdecimal() or int(index) > 10:
            raise InputError(f"{name} is an index from 0 to 10, not {index!r}", place="policy", hint=f"{name}=5")
        chosen[name] = int(index)
    return Settings(**chosen)
