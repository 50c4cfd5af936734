"""How wide the network is: named sizes of ``configs/policies/learned.yaml``, and what an observation gives it to read."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from opfor.errors import InputError, nearest
from opfor.tables import load_yaml


class NetworkSizes(BaseModel):
    """Widths of the network's layers; what each is for stands in ``configs/policies/learned.yaml``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    units: int = Field(ge=1, le=1024)
    heads: int = Field(ge=1, le=64)
    ground: int = Field(ge=1, le=1024)
    context: int = Field(ge=1, le=4096)
    slots: int = Field(ge=1, le=1024)
    value: int = Field(ge=1, le=4096)

    @model_validator(mode="after")
    def _divides(self) -> NetworkSizes:
        if self.units % self.heads:
            raise ValueError(f"units: {self.units} cannot be divided among {self.heads} heads")
        return self


@cache
def _settings() -> dict[str, Any]:
    data: dict[str, Any] = load_yaml(files("configs.policies").joinpath("learned.yaml").read_text(encoding="utf-8"))
    return data


@cache
def named_sizes(name: str = "default") -> NetworkSizes:
    """Sizes by name. Raises :class:`InputError` with the nearest name when there are none.

    >>> named_sizes("small").heads
    2
    """
    known = _settings()["sizes"]
    if name not in known:
        raise InputError(
            f"there is no network {name!r}: use {', '.join(known)}", place="network", hint=nearest(name, list(known))
        )
    return NetworkSizes.model_validate(known[name])


__all__ = ["NetworkSizes", "named_sizes"]
