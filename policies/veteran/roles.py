"""What a unit is for, read from its own figures: sniper, scout, juggernaut. Data: ``configs/policies/roles.yaml``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from opfor.tables import load_yaml
from opfor.units.spec import Mount, UnitSpec

#: hexes beyond which fire is far
_FAR = 15
_OWNER = "roles"


@cache
def roles() -> dict[str, dict[str, Any]]:
    """The roles by name, the first that fits being a unit's. Treat it as read-only: it is shared."""
    text = files("configs.policies").joinpath("roles.yaml").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = load_yaml(text)["roles"]
    return found


def role_of(spec: UnitSpec) -> str:
    """The role of a unit type."""
    known: str | None = spec.tables.get(_OWNER)
    if known is None:
        seen = figures(spec)
        known = spec.tables[_OWNER] = next(
            name
            for name, row in roles().items()
            if all(least <= seen[line] <= most for line, (least, most) in row["if"].items())
        )
    return known


def figures(spec: UnitSpec) -> dict[str, float]:
    """What roles go by: tons, MP, and shares of the full damage of all its weapons."""
    total = far = lobbed = 0.0
    for mount in spec.mounts:
        points = _points(mount)
        total += points
        far += points * (mount.weapon.long > _FAR)
        lobbed += points * any("indirect" in mode.weapon.flags for mode in mount.modes)
    return {
        "tons": spec.tons,
        "walk": spec.walk,
        "fast": max(spec.run, spec.jump),
        "far": far / total if total else 0.0,
        "lobbed": lobbed / total if total else 0.0,
    }


def _points(mount: Mount) -> float:
    weapon = mount.weapon
    return max(weapon.damage) * max(1, weapon.cluster) if weapon.is_attack else 0.0
