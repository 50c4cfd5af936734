"""A policy that has learnt: a network chooses, option by option, what the learning environments would ask an agent."""

from policies.learned.policy import LearnedPolicy

__all__ = ["LearnedPolicy"]
