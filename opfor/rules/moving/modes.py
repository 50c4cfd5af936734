"""Modes of movement on the ground, and which of them are running to every other rule. Rule: S-2, M-2, M-3."""

from __future__ import annotations

#: a unit that evades or sprints runs (or flanks), whatever else a rule asks of running
RUNNING = ("run", "evade", "sprint")
#: every mode on the ground
GROUND = ("walk", *RUNNING)
#: the running modes that are complex actions, with the switch that allows each and the rule
HASTY = {"evade": ("evading", "M-2"), "sprint": ("sprinting", "M-3")}
