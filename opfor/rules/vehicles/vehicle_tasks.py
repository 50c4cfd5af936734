"""What a vehicle's crew does in the fire phase instead of firing: free a jammed turret, mend a weapon. Rules: E-24b, E-24c."""

from __future__ import annotations

from opfor.rules.play import Play
from opfor.state import State
from opfor.units.state import UnitState

TURRET_TASK = "turret"


def tasks(state: State, unit: UnitState) -> tuple[str, ...]:
    """What may be mended: ``turret``, or the index of a weapon that malfunctions. One thing a phase. Rules: E-24b, E-24c."""
    if not unit.active or unit.stunned:
        return ()
    found = [TURRET_TASK] if unit.turret == 1 else []
    found += [str(m.index) for m in unit.spec.mounts if unit.malfunctioned & ~unit.mounts_lost & 1 << m.index]
    return tuple(found)


def do_task(play: Play, unit: UnitState, task: str) -> None:
    """Mend it. Raises ValueError for what is no task. Rules: E-24b, E-24c."""
    if task == TURRET_TASK:
        # locked for good by a hit of the same phase: nothing is gained
        if unit.turret == 1:
            unit.turret = 0
            play.emit("turret_freed", unit, "E-24b")
        return
    index = int(task)
    unit.malfunctioned &= ~(1 << index)
    play.emit("malfunction_cleared", unit, "E-24c", weapon=unit.spec.mounts[index].name, mount=index)
