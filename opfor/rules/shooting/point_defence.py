"""Anti-missile systems: each fires on its own at one salvo a turn that comes in through its arc. Rule: S-4."""

from __future__ import annotations

from opfor.rules.play import Play
from opfor.rules.shooting.arcs import mount_bears_on
from opfor.rules.shooting.shot import Shot
from opfor.tables import table
from opfor.units.spec import Mount
from opfor.units.state import UnitState


class PointDefence:
    """Which anti-missile system meets which salvo: of the missile attacks declared at its unit, the one that may hurt most.

    A round is set aside for each system; it is spent, and heat built, when the salvo hits.
    """

    def __init__(self, play: Play, shots: list[Shot]) -> None:
        self._by_shot: dict[int, tuple[UnitState, Mount]] = {}
        state = play.state
        for unit in state.units:
            if not unit.active:
                continue
            assigned: dict[str, int] = {}
            for mount in unit.spec.mounts:
                if "point_defence" not in mount.weapon.flags or not _ready(unit, mount, assigned):
                    continue
                best: Shot | None = None
                for shot in shots:
                    if shot.target is not unit or not shot.mode.weapon.is_missile or id(shot) in self._by_shot:
                        continue
                    if not mount_bears_on(state, unit, mount, shot.attacker.cell):
                        continue
                    if best is None or _size(shot) > _size(best):
                        best = shot
                if best is not None:
                    self._by_shot[id(best)] = (unit, mount)
                    assigned[mount.weapon.id] = assigned.get(mount.weapon.id, 0) + table("combat")["anti_missile"]["shots"]

    def against(self, play: Play, shot: Shot) -> int:
        """Modifier of the cluster roll by the system that meets this salvo, which then pays heat and ammunition; 0 for none."""
        meeting = self._by_shot.get(id(shot))
        if meeting is None:
            return 0
        unit, mount = meeting
        unit.heat_built += mount.weapon.heat
        for bin in unit.spec.bins:
            if bin.kind == mount.weapon.id and unit.ammo[bin.index] > 0:
                unit.ammo[bin.index] -= table("combat")["anti_missile"]["shots"]
                break
        modifier: int = table("combat")["anti_missile"]["cluster"]
        play.emit("anti_missile", unit, "S-4", weapon=mount.name, against=shot.attacker.id, modifier=modifier)
        return modifier

    def survives_single(self, play: Play, shot: Shot) -> bool:
        """Whether a single missile gets through the system that met it: 1d6. Rule: S-4."""
        roll = play.roll(1, f"{shot.target.id}: anti-missile system against {shot.mount.name}")
        stopped = roll.total >= table("combat")["anti_missile"]["single_destroyed_at"]
        play.emit("anti_missile_single", shot.target, "S-4", dice=list(roll.dice), stopped=stopped)
        return not stopped


def _ready(unit: UnitState, mount: Mount, assigned: dict[str, int]) -> bool:
    """Whether a system works and has a round that no other one has been given."""
    if unit.mounts_lost >> mount.index & 1 or (unit.jammed | unit.malfunctioned) >> mount.index & 1:
        return False
    return not mount.weapon.ammo_per_ton or unit.shots(mount.weapon.id) > assigned.get(mount.weapon.id, 0)


def _size(shot: Shot) -> int:
    return max(1, shot.mode.cluster) * shot.mode.damage(0)
