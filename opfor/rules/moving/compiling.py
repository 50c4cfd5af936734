"""Whether movement searches are made by compiled code."""

from __future__ import annotations

from types import ModuleType


def use_compiled(on: bool = True) -> bool:
    """Let searches be made by compiled code (:mod:`opfor.rules.moving.compiled`) from now on, or not: they find the same.

    For play by the thousand: loading it takes a second, so that a command that searches a few times is better off without.
    Returns whether it is on: numba may be missing.
    """
    global _compiled
    if on and _compiled is None:
        try:
            from opfor.rules.moving import compiled
        except ModuleNotFoundError as missing:
            if missing.name not in ("numba", "numpy", "llvmlite"):
                raise
            return False
        _compiled = compiled
    elif not on:
        _compiled = None
    return on


#: the module of the compiled search, None where it is not used
_compiled: ModuleType | None = None


def compiled_search() -> ModuleType | None:
    """The module of the compiled search where it is used."""
    return _compiled
