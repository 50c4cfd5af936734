"""The yardstick: our own imitation of the bot that people play BattleTech against today. See docs/princess.md."""

from policies.princess.policy import PrincessPolicy

__all__ = ["PrincessPolicy"]
