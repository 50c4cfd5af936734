"""The battle's log: what was ordered and rolled, step by step, kept in the battle file for weeks of play."""

from __future__ import annotations

from typing import Any

import opfor
from opfor.formats.battle_file.battle import Battle
from opfor.gm.running.contacts import note_contacts
from opfor.gm.running.control import Outcome


def note_outcome(battle: Battle, outcome: Outcome, seed: int | None, check: str = "") -> None:
    """Add a step to the log of the battle: turn, phase, orders, natural dice with what each was for, seed and check.

    What is written is read back by :func:`opfor.gm.dice.dice_log.log_steps`.
    """
    before = battle.state
    step: dict[str, Any] = {"turn": before.turn, "phase": before.phase}
    if outcome.orders:
        step["orders"] = outcome.orders
    if outcome.rolls:
        step["dice"] = [f"{roll.words}: {roll.why}" for roll in outcome.rolls]
    if seed is not None and outcome.rolls:
        step["seed"] = seed
        if check:
            step["check"], step["version"] = check, opfor.__version__
    log = battle.document.get("log")
    battle.document["log"] = [*(log if isinstance(log, list) else [] if log is None else [log]), step]
    note_contacts(outcome.state)
