"""Physical attacks in words: ``kick alpha-2 left``, ``punch alpha-1 both``. Written and read back. Rule: S-8."""

from __future__ import annotations

import re

from opfor.errors import InputError
from opfor.formats.orders import find_unit
from opfor.game.legal.physical import limbs_for
from opfor.orders import PhysicalOrder
from opfor.rules.melee.blows import physical_damage
from opfor.rules.melee.physical import physical_attack
from opfor.state import State
from opfor.units.state import UnitState

PHYSICAL_WORDS = ("kick", "punch", "push", "club", "hatchet", "sword", "pick up", "no physical")
_LIMBS = {"punch": ("LA", "RA"), "kick": ("LL", "RL")}


def physical_in_words(order: PhysicalOrder, unit: UnitState) -> str:
    if not order.attack:
        return "no physical attack"
    words = order.attack.replace("_", " ")
    if order.target:
        words += f" {order.target}"
    if order.limb:
        words += f" {_limb_in_words(order, unit)}"
    return words


def _limb_in_words(order: PhysicalOrder, unit: UnitState) -> str:
    limbs = _limbs(order.attack, unit)
    return ("left", "right")[limbs.index(order.limb)] if order.limb in limbs else order.limb


def _limbs(attack: str, unit: UnitState) -> tuple[str, ...]:
    """The limbs that ``left`` and ``right`` mean; a quad's legs are always named."""
    return () if unit.spec.quad else _LIMBS.get(attack, ("LA", "RA"))


def read_physical(words: str, unit: UnitState, state: State, notes: list[str] | None = None) -> PhysicalOrder:
    found = re.fullmatch(r"(?i)(?:no physical(?: attacks?)?|no attacks?)\.?", words)
    if found:
        return PhysicalOrder(unit.id)
    found = re.match(r"(?i)(pick ?up|kick|punch|push|club|hatchet|sword)(?:es|s)?\b\s*", words)
    if not found:
        raise _error(f"{unit.id}: cannot read {words!r}", f"attacks: {', '.join(PHYSICAL_WORDS)}")
    attack = re.sub(r"pick ?up", "pick_up", found[1].lower())
    rest = re.sub(r"(?i)\b(?:with|the|at|his|her|its|arms?|legs?|foot|fist|a)\b", " ", words[found.end() :]).split()
    limb = ""
    if attack == "pick_up":
        return PhysicalOrder(unit.id, attack, " ".join(rest).strip(" .,").lower())
    if rest:
        last = rest[-1].strip(" .,()")
        limbs = _limbs(attack, unit)
        if last.lower() in ("left", "right", "l", "r") and limbs:
            limb = limbs["lr".index(last[0].lower())]
        elif last.lower() == "both":
            limb = "both"
        elif re.fullmatch(r"(?i)(?:[lr][al]|[fr][lr]l)(?:_mule)?", last):
            limb = re.sub(r"^[A-Za-z]+", lambda m: m[0].upper(), last, count=1).replace("_MULE", "_mule")
        if limb:
            rest = rest[:-1]
    target = " ".join(rest).strip(" .,")
    if not target:
        raise _error(f"{unit.id}: {words!r} names no target", f"write {attack} UNIT")
    struck = find_unit(state, target)
    limb = limb or _only_limb(attack, unit, struck, state, notes)
    return PhysicalOrder(unit.id, attack, limb, struck.id)


def _only_limb(attack: str, unit: UnitState, target: UnitState, state: State, notes: list[str] | None) -> str:
    """The limb where none is said: the one that can strike. Raises :class:`InputError` where several can, and differ."""
    limbs = limbs_for(unit, attack)
    if len(limbs) < 2 or not target.alive or target.cell < 0 or target is unit:
        return limbs[0] if limbs else ""
    numbers = {limb: physical_attack(state, unit, attack, limb, target) for limb in limbs}
    fits = [limb for limb, tn in numbers.items() if tn.possible]
    if len(fits) > 1 and (
        attack == "punch" or len({(numbers[limb].value, physical_damage(unit, attack, limb)) for limb in fits}) > 1
    ):
        words = [_limb_in_words(PhysicalOrder(unit.id, attack, limb, target.id), unit) for limb in fits]
        words += ["both"] if attack == "punch" and len(fits) == 2 else []
        needs = ", ".join(f"{limb} needs {numbers[limb].value}" for limb in fits)
        raise _error(
            f"{unit.id}: {attack} {target.id} with which: {' or '.join(words)}? ({needs})",
            f"write {attack} {target.id} {words[0]}",
        )
    if len(fits) > 1 and notes is not None:
        notes.append(f"{unit.id}: {attack} {target.id} is taken as with the {fits[0]}; the others do the same")
    return fits[0] if fits else limbs[0]


def _error(message: str, hint: str = "") -> InputError:
    return InputError(message, source="order", hint=hint)
