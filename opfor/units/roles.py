"""What a unit is for, told from its sheet: the role that a force is mixed by and deployed by."""

from __future__ import annotations

from opfor.tables import table
from opfor.tables.arsenal import Weapon
from opfor.units.spec import UnitSpec

ROLES = ("artillery", "missile boat", "sniper", "brawler", "striker", "scout", "transport", "infantry")


def role_of(spec: UnitSpec) -> str:
    """The role of a unit type, one of :data:`ROLES`."""
    found = spec.tables.get("role")
    if found is None:
        found = spec.tables["role"] = _role(spec)
    return str(found)


def carries_artillery(spec: UnitSpec) -> bool:
    """Whether a unit type can shell hexes far beyond its sight."""
    return any(mount.id in table("artillery")["pieces"] for mount in spec.mounts)


def _role(spec: UnitSpec) -> str:
    rows = table("starting")["roles"]
    if carries_artillery(spec):
        return "artillery"
    if spec.is_infantry:
        return "infantry"
    if spec.troop_space > 0 and _punch(spec, 0) < spec.tons / 2:
        return "transport"
    whole = _punch(spec, 0)
    far = sum(_weight(m.weapon) for m in spec.mounts if m.weapon.is_missile and m.weapon.long >= rows["missile_range"])
    if whole and far * 2 >= whole:
        return "missile boat"
    if spec.walk >= rows["scout_mp"]:
        return "scout"
    if whole and _punch(spec, rows["sniper_range"]) * 2 > whole:
        return "sniper"
    return "striker" if spec.walk >= rows["striker_mp"] or spec.jump >= rows["striker_mp"] else "brawler"


def _weight(weapon: Weapon) -> float:
    return weapon.damage[0] * (weapon.cluster or 1)


def _punch(spec: UnitSpec, reach: int) -> float:
    """Damage of all weapons that reach so far, every missile counted."""
    return sum(_weight(mount.weapon) for mount in spec.mounts if mount.weapon.long >= reach)
