"""A battle's whole state as one value that can be compared: has anything changed, are two copies the same?"""

from opfor.gm.arena.promises import changed, fingerprint

__all__ = ["changed", "fingerprint"]
