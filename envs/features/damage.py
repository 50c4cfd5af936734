"""Expected damage of a unit's whole fire as an array: by bearing from its hull, distance and sum of modifiers. Rule: S-4, S-7.

Made from the tables of :mod:`policies.veteran.firepower`: each weapon in its best mode, in the best twist, as many weapons as
the heat allows, those with the most damage for their heat first. An estimate to compare places by: ammunition that runs short
and cooler modes of a weapon are left aside.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from envs.features.geometry import Floats, Ints
from opfor.dice import chance_2d6
from opfor.rules.pilots.heat import dissipation, engine_heat
from opfor.rules.shooting.arcs import arc_bits, can_flip_arms, twists
from opfor.state import State
from opfor.units.state import UnitState
from policies.veteran.firepower import FLIPPED, Arsenal, Firepower

#: distances tabled, from 0; at the last one and beyond nothing is hit
RANGES = 34
#: sums of modifiers tabled, from LEAST; at the last one nothing is hit
SUMS, LEAST = 32, -4
#: bearings from the hull in 24ths of a circle
CIRCLE = 24
#: heat beyond what is shed that a unit is taken to build up: below every penalty to fire
COMFORTABLE = 4
#: the fire by which weapons are compared for their heat: a distance and a sum of modifiers
_TYPICAL = (6, 7 - LEAST)
#: chance to hit by number needed, from -30 on
_CHANCE = np.array([chance_2d6(n) for n in range(-30, 200)], dtype=np.float32)
#: tables kept before they are begun afresh
_MOST = 512
Posture = tuple[int, bool]


class FireTable:
    """Expected damage by bearing, distance and sum of modifiers.

    ``flat`` holds rows of RANGES times SUMS numbers; ``row_of`` is the row by bearing from the hull, 0 for straight ahead.
    """

    __slots__ = ("flat", "row_of")

    def __init__(self, flat: Floats, row_of: Ints) -> None:
        self.flat = flat
        self.row_of = row_of

    def at(self, relative: int, distance: int, common: int) -> float:
        """Expected damage to a target at a bearing relative to the hull (0 to 23), a distance and a sum of modifiers."""
        row = int(self.row_of[relative])
        distance = min(distance, RANGES - 1)
        column = min(max(common - LEAST, 0), SUMS - 1)
        return float(self.flat[(row * RANGES + distance) * SUMS + column])

    def many(self, relative: Ints, distance: Ints, common: int) -> Floats:
        """:meth:`at` for several bearings and distances, of their shape; these lie below :data:`RANGES`."""
        column = min(max(common - LEAST, 0), SUMS - 1)
        found: Floats = self.flat[(self.row_of[relative] * RANGES + distance) * SUMS + column]
        return found


class FireTables:
    """The tables of all units, kept by the weapons that they have and the heat that these may build up."""

    def __init__(self) -> None:
        self.arsenal = Arsenal()
        self._known: dict[tuple[Firepower, int, tuple[Posture, ...]], FireTable] = {}
        self._barrels: dict[Firepower, _Barrels] = {}

    def power(self, unit: UnitState, versus: str) -> Firepower:
        """The weapons of a unit against a class of target (:mod:`policies.veteran.harm`)."""
        return self.arsenal.of(unit, prone=unit.prone, versus=versus)

    def of(self, unit: UnitState, power: Firepower, heat: int) -> FireTable:
        """The table of a unit with its ``power``, building up no more than ``heat``."""
        barrels = self._barrels.get(power)
        if barrels is None:
            if len(self._barrels) >= _MOST:
                self._barrels.clear()
                self._known.clear()
            barrels = self._barrels[power] = _Barrels(power)
        kept = barrels.within(heat) if unit.spec.is_mech else len(barrels.order)
        postures = postures_of(unit)
        key = (power, kept, postures)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            found = self._known[key] = barrels.table(kept, postures)
        return found


def postures_of(unit: UnitState) -> tuple[Posture, ...]:
    """The postures open to a unit: (twist or turret facing, arms flipped)."""
    found = tuple([(twist, False) for twist in twists(unit)])
    return (*found, (0, True)) if can_flip_arms(unit) else found


def bits_of(relative: int, posture: Posture) -> int:
    """The arcs that a bearing relative to the hull lies in, as :meth:`Firepower.expected` takes them."""
    twist, flipped = posture
    bits = arc_bits(relative, 0, twist % 6)
    return bits | FLIPPED if flipped else bits


def heat_to_spare(state: State, unit: UnitState) -> int:
    """Heat that a 'Mech can build up by firing and stay as cool as is comfortable; of other kinds more than any has."""
    if not unit.spec.is_mech:
        return 999
    return dissipation(state, unit) - unit.heat - engine_heat(unit) - unit.heat_built + COMFORTABLE


class _Barrels:
    """The weapons of a :class:`Firepower`, each as an array of shape (RANGES, SUMS), and the order in which they are fired."""

    __slots__ = ("bits", "damage", "flipped", "heats", "order")

    def __init__(self, power: Firepower) -> None:
        count = len(power.barrels)
        self.bits = [barrel.bit for barrel in power.barrels]
        self.flipped = [barrel.flipped_bit for barrel in power.barrels]
        self.damage: NDArray[np.float32] = np.zeros((count, RANGES, SUMS), dtype=np.float32)
        heats = []
        sums = np.arange(SUMS) + LEAST + 30
        for number, barrel in enumerate(power.barrels):
            best = -1.0
            heat = 0
            for mode in barrel.modes:
                needed = np.array(mode.offset[:RANGES], dtype=np.int64)[:, None] + sums
                mean = _CHANCE[np.minimum(needed, len(_CHANCE) - 1)] * np.array(mode.damage[:RANGES], dtype=np.float32)[:, None]
                np.maximum(self.damage[number], mean, out=self.damage[number])
                if mean[_TYPICAL] > best:
                    best, heat = float(mean[_TYPICAL]), mode.heat
            heats.append((best / (heat + 0.01), heat))
        self.damage[:, -1, :] = 0.0
        self.damage[:, :, -1] = 0.0
        #: places of the weapons, the most damage for the heat first, and the heat of the first so many
        self.order = sorted(range(count), key=lambda number: (-heats[number][0], number))
        self.heats = [heats[number][1] for number in self.order]

    def within(self, heat: int) -> int:
        """How many weapons, in their order, build up no more than ``heat``."""
        total = 0
        for number, one in enumerate(self.heats):
            total += one
            if total > heat:
                return number
        return len(self.heats)

    def table(self, kept: int, postures: tuple[Posture, ...]) -> FireTable:
        """The table of the first ``kept`` weapons, the best of the postures at each bearing."""
        chosen = self.order[:kept]
        rows: dict[tuple[tuple[bool, ...], ...], int] = {}
        row_of = np.zeros(CIRCLE, dtype=np.int32)
        for relative in range(CIRCLE):
            bearing = []
            for posture in postures:
                bits = bits_of(relative, posture)
                side = self.flipped if posture[1] else self.bits
                bearing.append(tuple([bits & side[number] != 0 for number in chosen]))
            row_of[relative] = rows.setdefault(tuple(dict.fromkeys(bearing)), len(rows))
        flat = np.zeros((len(rows), RANGES * SUMS), dtype=np.float32)
        guns = self.damage[chosen].reshape(len(chosen), RANGES * SUMS)
        for masks, row in rows.items():
            flat[row] = (np.array(masks, dtype=np.float32) @ guns).max(axis=0) if chosen else 0.0
        return FireTable(flat.ravel(), row_of)


__all__ = ["CIRCLE", "LEAST", "RANGES", "SUMS", "FireTable", "FireTables", "bits_of", "heat_to_spare", "postures_of"]
