"""Battles that a run draws from: a set by its name, with fields of it changed."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from envs.scenarios import ScenarioConfig, scenario_from
from opfor.errors import InputError, nearest


class Battles(BaseModel):
    """Battles to learn from or to be judged on: a set of ``configs/scenarios/`` (or a file), with fields of it changed.

    ``share``: how often these are drawn, beside the others of a list. ``change``: fields of the set with other values, such as
    ``{units: [2, 2], budget: [1500, 3500]}`` or ``{rulesets: [campaign]}``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    scenario: str
    share: float = Field(default=1.0, gt=0.0)
    change: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """The set in a few words: its name, and what is changed of it."""
        return self.scenario + "".join(f" {key}={value}" for key, value in sorted(self.change.items()))

    def config(self) -> ScenarioConfig:
        """The set. Raises :class:`InputError` when there is none of that name, or a change does not fit."""
        base = scenario_from(self.scenario)
        if not self.change:
            return base
        # the name is part of what battles are drawn from: these are others
        wanted = {**base.model_dump(), **self.change, "name": self.name}
        changed: ScenarioConfig = checked(ScenarioConfig, wanted, place=f"change of {self.scenario}")
        return changed


def checked(model: type[Any], data: Any, *, source: str = "", place: str = "") -> Any:
    """Data as a model. Raises :class:`InputError` saying what is wrong where."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        known = list(model.model_fields)
        hint = nearest(str(first["loc"][-1]), known) if first["type"] == "extra_forbidden" and len(first["loc"]) == 1 else ""
        raise InputError(first["msg"], source=source, place=".".join(filter(None, (place, where))), hint=hint) from None


__all__ = ["Battles", "checked"]
