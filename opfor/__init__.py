"""The Op Force for a BattleTech game master."""

__version__ = "0.1.0"
