"""A battle's whole state as one value that can be compared: has anything changed, are two copies the same?"""

from __future__ import annotations

from typing import Any

from opfor.state import State
from opfor.units.state import UnitState

#: parts of a state that are caches, or objects compared by what they hold
_CACHES = ("by_id", "occupants_cache", "units", "board")


def fingerprint(state: State) -> dict[str, Any]:
    """Every field of the state and of its units by name; lists as they are now, not as they may become."""
    found: dict[str, Any] = {"board": state.board.hexes}
    for name in State.__slots__:
        if name not in _CACHES:
            found[name] = _frozen(getattr(state, name))
    for unit in state.units:
        for name in UnitState.__slots__:
            found[f"{unit.id}.{name}"] = id(unit.spec) if name == "spec" else _frozen(getattr(unit, name))
    return found


def changed(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Names of what differs between two fingerprints."""
    return [name for name in {**before, **after} if before.get(name) != after.get(name)]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
