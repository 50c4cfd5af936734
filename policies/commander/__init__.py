"""The commander: plans for the side, not the unit, and looks at the enemy's best answer."""

from policies.commander.policy import CommanderPolicy

__all__ = ["CommanderPolicy"]
