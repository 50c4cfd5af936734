"""A scripted opponent that a game master need not be ashamed of: see ``docs/policies.md``."""

from policies.veteran.policy import VeteranPolicy

__all__ = ["VeteranPolicy"]
