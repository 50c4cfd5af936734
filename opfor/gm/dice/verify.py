"""Rolls that players can check: a short hash of the battle, the orders, the program's version and the seed.

What is posted with a result: the seed and the check. Whoever has the battle as it was before and the orders plays them again,
and sees the same check and the same dice. A seal, posted before the orders are known, shows that the seed was not picked to
suit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import opfor
from opfor.dice import Roll, SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.gm.running.control import Outcome, carry_out

#: figures of a check, in fours; of a seal, which has to stand against guessing
CHECK_FIGURES, SEAL_FIGURES = 16, 32
#: seeds with fewer figures can be found from their seal by trying them all
SAFE_SEED = 10**12
#: what changes nothing in play, and may differ between the game master's file and the one that players get
_LEFT_OUT = ("log", "notes", "rulings", "name", "title")


def check_of(battle: Battle, orders: Sequence[str], seed: int) -> str:
    """The check of orders played with a seed from a battle as it stands: ``1f2e-3d4c-5b6a-7980``.

    ``orders`` are those played, in the notation's own words. The same battle, orders, version and seed give the same check,
    whatever the file's comments, log and notes.
    """
    document = {key: value for key, value in battle_document(battle).items() if key not in _LEFT_OUT}
    ground = [repr(hex) for hex in battle.state.board.hexes]
    types = [unit.spec.name for unit in battle.state.units]
    parts = [document, ground, types, list(orders), opfor.__version__, seed]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    return _short(text, CHECK_FIGURES)


def seal_of(seed: int) -> str:
    """The seal of a seed: a hash that tells nothing of it beforehand, and fits no other seed."""
    return _short(f"opfor seal {seed}", SEAL_FIGURES)


def _short(text: str, figures: int) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()[:figures]
    return "-".join(digest[index : index + 4] for index in range(0, figures, 4))


def plain_hash(text: str) -> str:
    """A check or seal as people type it, for comparing."""
    return "".join(c for c in text.lower() if c.isalnum())


@dataclass(slots=True)
class Verified:
    """What replaying has shown. ``faults`` says in words what is not as it was told; none: all is."""

    check: str
    outcome: Outcome
    faults: list[str] = field(default_factory=list)
    #: what was compared and is the same
    same: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        return {
            "verified": not self.faults,
            "version": opfor.__version__,
            "check": self.check,
            "same": self.same,
            "faults": self.faults,
            "dice": [{"dice": list(roll.dice), "why": roll.why} for roll in self.outcome.rolls],
            "events": [event.as_dict() for event in self.outcome.events],
        }


def verify(
    battle: Battle,
    orders: Sequence[str],
    seed: int,
    *,
    check: str = "",
    seal: str = "",
    dice: Sequence[tuple[tuple[int, ...], str]] | None = None,
    end_phase: bool = False,
) -> Verified:
    """Play orders again with a seed, and compare with what was posted: the check, the seal, the natural dice with reasons.

    The battle is the one before the orders. Raises :class:`InputError` when the orders cannot be played.
    """
    outcome = carry_out(battle, list(orders), SeededDice(seed), end_phase=end_phase)
    found = Verified(check_of(battle, outcome.orders, seed), outcome)
    if check:
        _compare(found, "check", check, found.check, CHECK_FIGURES)
    if seal:
        _compare(found, "seal", seal, seal_of(seed), SEAL_FIGURES)
    if dice is not None:
        found.faults += _dice_faults(outcome.rolls, dice)
        if not any(fault.startswith("roll") for fault in found.faults):
            found.same.append(f"dice ({len(outcome.rolls)} rolls)")
    return found


def _compare(found: Verified, what: str, told: str, right: str, figures: int) -> None:
    plain = plain_hash(told)
    if len(plain) != figures or any(c not in "0123456789abcdef" for c in plain):
        raise InputError(f"{told!r} is no {what}: it has {figures} figures, 0 to 9 and a to f", place=f"--{what}")
    if plain == plain_hash(right):
        found.same.append(what)
    else:
        found.faults.append(f"{what}: {told} was posted, and it is {right}")


def _dice_faults(rolled: Sequence[Roll], told: Sequence[tuple[tuple[int, ...], str]]) -> list[str]:
    faults = []
    for number, (roll, (dice, _)) in enumerate(zip(rolled, told, strict=False), start=1):
        if roll.dice != dice:
            faults.append(f"roll {number}: {'+'.join(map(str, dice))} was posted, and it is {roll.words}: {roll.why}")
    if len(rolled) != len(told):
        faults.append(f"rolls: {len(told)} were posted, and there are {len(rolled)}")
    return faults
