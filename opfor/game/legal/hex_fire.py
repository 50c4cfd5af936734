"""Legal weapon fire at hexes: all weapons that a unit fires are at one hex, so that these orders add up. Rule: S-10."""

from __future__ import annotations

from opfor.orders import Attack
from opfor.rules.shooting.frame import Frame, frame
from opfor.rules.shooting.guns import Gun, gun
from opfor.rules.shooting.to_hit import HIGHEST, IMPOSSIBLE, Posture, bits_towards, number, weapon_attack
from opfor.rules.terrain.hexes import certain, hex_targets, intents, why_not_hex
from opfor.state import State
from opfor.tables.arsenal import FireMode
from opfor.units.hex_target import hex_id
from opfor.units.spec import Mount
from opfor.units.state import UnitState


class HexFire:
    """The shots of one unit at hexes. Frames are worked out once a hex."""

    def __init__(self, state: State, unit: UnitState) -> None:
        self.state = state
        self.unit = unit
        self._seen: dict[str, Frame] | None = None
        self._open: dict[str, list[list[tuple[Attack, Gun, int]]]] = {}

    @property
    def seen(self) -> dict[str, Frame]:
        """By target id, the frame of every hex that can be fired at at all."""
        if self._seen is None:
            state, unit = self.state, self.unit
            reach = max((m.weapon.long for m in unit.spec.mounts if not unit.mounts_lost >> m.index & 1), default=0)
            self._seen = {}
            for cell in hex_targets(state, unit) if reach and unit.cell >= 0 else ():
                if state.board.grid.distance(unit.cell, cell) <= reach:
                    found = frame(state, unit, state.target(hex_id(state.board, cell)))
                    if not found.why:
                        self._seen[found.target.id] = found
        return self._seen

    def options(self, posture: Posture, target: str) -> list[list[tuple[Attack, FireMode, int]]]:
        """By mount, the attacks open at a hex in a posture with the number that each needs, at most what dice show.

        Those of all intents: an order has one, see :data:`opfor.rules.terrain.hexes.INTENTS`.
        """
        open_to = self._open.get(target)
        if open_to is None:
            open_to = self._open[target] = [self._mount(mount, self.seen[target]) for mount in self.unit.spec.mounts]
        bits = bits_towards(self.seen[target], posture.twist)
        flip = posture.flip
        return [
            [(attack, fired.mode, needed) for attack, fired, needed in row if bits & (fired.flipped_bit if flip else fired.bit)]
            for row in open_to
        ]

    def _mount(self, mount: Mount, seen: Frame) -> list[tuple[Attack, Gun, int]]:
        """What a weapon may do to a hex, arcs apart."""
        found: list[tuple[Attack, Gun, int]] = []
        for mode in mount.modes:
            meant = intents(self.state, self.unit, seen.target.cell, mode)
            if not meant:
                continue
            fired = gun(self.unit, mount, mode, seen)
            needed = number(seen, fired)
            if needed == IMPOSSIBLE:
                continue
            if certain(self.state, seen.target, seen.distance):
                needed = 2
            if needed <= HIGHEST:
                found += [(Attack(mount.index, seen.target.id, mode.name, "", i), fired, max(2, needed)) for i in meant]
        return found

    def why_not(self, mount: Mount, posture: Posture, attack: Attack) -> str:
        """Why an attack on a hex is not among those of the posture, in words."""
        why = why_not_hex(self.state, self.unit, attack.target)
        if why:
            return f"{attack.target}: {why}"
        mode = next((m for m in mount.modes if m.name == attack.mode), None)
        if mode is None:
            return f"{mount.name} has no fire mode {attack.mode!r}: use {', '.join(repr(m.name) for m in mount.modes)}"
        target = self.state.target(attack.target)
        meant = intents(self.state, self.unit, target.cell, mode)
        if attack.aim not in meant or attack.spotter:
            listed = ", ".join(intent or "break down" for intent in meant) or "nothing"
            return f"{mount.name} at {attack.target}: possible there: {listed}"
        answer = weapon_attack(self.state, self.unit, mount, mode, target, twist=posture.twist, flip=posture.flip)
        if not answer.possible:
            return f"{mount.name} at {attack.target}: {answer.why}"
        return f"{mount.name} at {attack.target} needs {answer.value}, more than two dice show"
