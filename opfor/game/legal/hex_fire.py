"""Legal weapon fire at hexes: all weapons that a unit fires are at one hex, so that these orders add up. Rule: S-10."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from opfor.game.legal.volleys import Option
from opfor.orders import Attack
from opfor.rules.shooting.arcs import arc_bits
from opfor.rules.shooting.hex_lanes import SURE, HexLane, hex_lanes
from opfor.rules.shooting.to_hit import FireSolver, Posture, weapon_attack
from opfor.rules.terrain.hexes import intents, why_not_hex
from opfor.state import State
from opfor.units.hex_target import KIND
from opfor.units.spec import Mount
from opfor.units.state import UnitState


class HexFire:
    """The shots of one unit at hexes. ``may`` says which hexes it may fire at at all (None: any)."""

    def __init__(self, state: State, unit: UnitState, solver: FireSolver, may: Callable[[str], bool] | None = None) -> None:
        self.state = state
        self.unit = unit
        self._solver = solver
        self._may = may

    @cached_property
    def lanes(self) -> dict[str, HexLane]:
        """By target id, every hex that can be fired at at all, in the order of the board."""
        return {lane.target: lane for lane in hex_lanes(self.state, self.unit, self._solver.guns, self._may)}

    def _arcs(self, posture: Posture, lane: HexLane) -> int:
        facing = self.unit.facing
        return arc_bits(lane.bearing, facing, facing + posture.twist)

    def open(self, posture: Posture) -> list[tuple[str, str, int]]:
        """Hexes and ends that can be fired at in a posture, with the guns for it (bits). One entry for each order's aim.

        Ends: see :data:`opfor.rules.terrain.hexes.INTENTS`.
        """
        guns, flip = self._solver.guns, posture.flip
        found = []
        for lane in self.lanes.values():
            bears = guns.bears(self._arcs(posture, lane), flip)
            for intent, usable in lane.meant:
                if usable & bears:
                    found.append((lane.target, intent, usable & bears))
        return found

    def options(self, posture: Posture, target: str, intent: str) -> list[list[Option]]:
        """By mount, the attacks open at a hex to one end in a posture, with the number that each needs."""
        guns, lane = self._solver.guns, self.lanes[target]
        usable = dict(lane.meant).get(intent, 0) & guns.bears(self._arcs(posture, lane), posture.flip)
        return [
            [
                Option(
                    Attack(fired.mount.index, target, fired.mode.name, "", intent),
                    fired.mode,
                    target,
                    True,
                    lane.number(fired),
                    0,
                    KIND,
                )
                for i, fired in enumerate(guns.guns[first:end], start=first)
                if usable >> i & 1
            ]
            for first, end in guns.rows
        ]

    def best(self, target: str, usable: int) -> int:
        """The lowest number that any of some guns needs against a hex."""
        lane = self.lanes[target]
        if lane.seen is None and lane.common != SURE:
            return max(2, lane.common + self._solver.guns.lowest(usable, lane.distance))
        return min([lane.number(fired) for i, fired in enumerate(self._solver.guns.guns) if usable >> i & 1])

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
