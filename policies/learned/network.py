"""The network that has learnt, computed with NumPy alone: one observation at a time, as fast as that goes.

:mod:`training.network` says what is computed and why; arrays bear the names that its layers have there. Only rows in use are
computed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from envs.layout import Flat
from envs.observation import LAYOUT
from opfor.errors import InputError
from policies.learned.options import OF_ENEMIES, OF_OWN, ROW
from policies.learned.sizes import NetworkSizes

_UNITS, _SLOTS = LAYOUT.groups["units"], LAYOUT.groups["slots"]
_SIDE = _UNITS.rows // 2
_PRESENT = _UNITS.index("present")
_BATTLE_TO_CHOICE = slice(LAYOUT["battle"].start, LAYOUT["choice"].stop)


def shapes(sizes: NetworkSizes) -> dict[str, tuple[int, ...]]:
    """Every array of a network of these sizes, with its shape."""
    columns = {name: len(group.columns) for name, group in LAYOUT.groups.items()}
    seen = columns["battle"] + columns["unit"] + columns["choice"] + 6 * sizes.units + sizes.ground + 2 * sizes.slots
    layers = {
        "unit_layers.0": (columns["units"], sizes.units),
        "unit_layers.1": (sizes.units, sizes.units),
        "unit_query": (sizes.units + columns["choice"], sizes.units),
        "unit_key": (sizes.units, sizes.units),
        "unit_read": (sizes.units, sizes.units),
        "ground": (LAYOUT.groups["ground"].size, sizes.ground),
        "slot_row": (columns["slots"], sizes.slots),
        "slot_asked": (columns["choice"] + columns["slots"], sizes.slots),
        "slot_unit": (sizes.units, sizes.slots),
        "context_layers.0": (seen, sizes.context),
        "context_layers.1": (sizes.context, sizes.context),
        "slot_mix": (sizes.slots, sizes.slots),
        "slot_add": (sizes.context, sizes.slots),
        "slot_scale": (sizes.context, sizes.slots),
        "slot_score": (sizes.slots, 1),
        "value_layers.0": (sizes.context + sizes.slots, sizes.value),
        "value_layers.1": (sizes.value, 1),
    }
    found: dict[str, tuple[int, ...]] = {}
    for name, (read, told) in layers.items():
        found[f"{name}.weight"] = (told, read)
        if name not in _PLAIN:
            found[f"{name}.bias"] = (told,)
    return found


#: layers without a bias
_PLAIN = frozenset({"unit_key", "unit_read", "slot_add", "slot_asked", "slot_unit"})


def check_arrays(arrays: Mapping[str, Flat], sizes: NetworkSizes, source: str = "") -> None:
    """Raises :class:`InputError` unless the arrays are exactly those of a network of these sizes, all of them finite."""
    wanted = shapes(sizes)
    if missing := sorted(wanted.keys() - arrays.keys()):
        raise InputError(f"the array {missing[0]} is missing", source=source)
    if extra := sorted(arrays.keys() - wanted.keys()):
        raise InputError(f"the array {extra[0]} belongs to no network of this kind", source=source)
    for name, shape in wanted.items():
        array = arrays[name]
        if array.shape != shape:
            raise InputError(f"the array {name} has the shape {array.shape}, not {shape}", source=source)
        if array.dtype != np.float32:
            raise InputError(f"the array {name} is of {array.dtype}, not of float32", source=source)
        if not np.isfinite(array).all():
            raise InputError(f"the array {name} holds numbers that are none", source=source)


def _laid_out(array: Flat) -> Flat:
    return np.array(array, dtype=np.float32, order="C")


class Scorer:
    """Scores actions from an observation.

    ``arrays``: weights by name, as :func:`shapes` has them. Raises :class:`InputError` when they are not those of ``sizes``.
    """

    def __init__(self, arrays: Mapping[str, Flat], sizes: NetworkSizes) -> None:
        check_arrays(arrays, sizes)
        self.sizes = sizes
        # laid out as they are multiplied: what is read by rows
        self._weights = {name.removesuffix(".weight"): _laid_out(a.T) for name, a in arrays.items() if name.endswith(".weight")}
        self._biases = {name.removesuffix(".bias"): _laid_out(a) for name, a in arrays.items() if name.endswith(".bias")}
        heads, width = sizes.heads, sizes.units
        self._key = _laid_out(arrays["unit_key.weight"].reshape(heads, -1, width))
        self._told = _laid_out(arrays["unit_read.weight"].reshape(heads, -1, width).transpose(0, 2, 1))
        self._sharpness = np.float32(1.0 / math.sqrt(width / heads))

    def logits(self, obs: Flat) -> Flat:
        """Scores of the legal actions, from action 0 on: shape (legal actions,). ``obs``: shape (SIZE,)."""
        return self._mixed(obs)[1]

    def evaluate(self, obs: Flat) -> tuple[Flat, float]:
        """Scores of the legal actions, shape (legal actions,), and the value of the position for the side that is asked."""
        context, scores, mixed = self._mixed(obs)
        first, last = "value_layers.0", "value_layers.1"
        hidden = self._layer(first, np.concatenate((context, _mean(mixed))))
        return scores, float(self._linear(last, hidden)[0])

    def _linear(self, name: str, read: Flat) -> Flat:
        told: Flat = np.dot(read, self._weights[name])
        if name not in _PLAIN:
            told += self._biases[name]
        return told

    def _layer(self, name: str, read: Flat) -> Flat:
        told = self._linear(name, read)
        np.maximum(told, 0.0, out=told)
        return told

    def _mixed(self, obs: Flat) -> tuple[Flat, Flat, Flat]:
        """What is seen, shape (context,), the scores, shape (legal actions,), and what the options come to by then."""
        units, own = self._read_units(obs)
        rows = self._read_options(obs, units, own)
        ground = self._layer("ground", obs[LAYOUT["ground"]])
        context = np.concatenate(
            (obs[_BATTLE_TO_CHOICE], *self._pool_units(obs, units, own), ground, _mean(rows), rows.max(axis=0))
        )
        context = self._layer("context_layers.0", context)
        context = self._layer("context_layers.1", context)
        mixed = self._linear("slot_mix", rows)
        mixed += self._linear("slot_add", context)
        np.maximum(mixed, 0.0, out=mixed)
        mixed *= self._linear("slot_scale", context)
        return context, self._linear("slot_score", mixed)[:, 0], mixed

    def _read_units(self, obs: Flat) -> tuple[Flat, int]:
        """What each unit comes to, the own ones first, shape (units there are, units), and how many are own."""
        table = obs[LAYOUT["units"]].reshape(_UNITS.rows, -1)
        there = table[:, _PRESENT]
        own = int(np.count_nonzero(there[:_SIDE]))
        enemies = int(np.count_nonzero(there[_SIDE:]))
        used = np.concatenate((table[:own], table[_SIDE : _SIDE + enemies]))
        return self._layer("unit_layers.1", self._layer("unit_layers.0", used)), own

    def _read_options(self, obs: Flat, units: Flat, own: int) -> Flat:
        """What each option comes to beside the others, shape (legal actions, slots)."""
        slots = obs[LAYOUT["slots"]].reshape(_SLOTS.rows, -1)
        rows = slots[: max(1, int(np.count_nonzero(slots[:, 0])))]
        choice = obs[LAYOUT["choice"]]
        read = self._linear("slot_row", rows)
        read += self._linear("slot_asked", np.concatenate((choice, rows.max(axis=0))))
        enemies = bool(choice[OF_ENEMIES].any())
        if enemies or choice[OF_OWN].any():
            # those that stand for a unit: their row tells which one of its side
            side = units[own:] if enemies else units[:own]
            row = np.rint(rows[:, ROW] * np.float32(_SIDE)).astype(np.int64) - 1
            stands = (row >= 0) & (row < len(side))
            read[stands] += self._linear("slot_unit", side[row[stands]])
        np.maximum(read, 0.0, out=read)
        return read

    def _pool_units(self, obs: Flat, rows: Flat, own: int) -> tuple[Flat, ...]:
        """What the units come to: the acting one, what it sees of all, the mean and the most of each side."""
        none: Flat = np.zeros(self.sizes.units, dtype=np.float32)
        acting = rows[0] if own else none
        (own_mean, own_most), (enemy_mean, enemy_most) = [
            (_mean(side), side.max(axis=0)) if len(side) else (none, none) for side in (rows[:own], rows[own:])
        ]
        query = self._linear("unit_query", np.concatenate((acting, obs[LAYOUT["choice"]])))
        return acting, self._read(query, rows) if len(rows) else none, own_mean, enemy_mean, own_most, enemy_most

    def _read(self, query: Flat, rows: Flat) -> Flat:
        """What the acting unit sees when it looks at all units, shape (units,)."""
        asked = np.matmul(query.reshape(self.sizes.heads, 1, -1), self._key)[:, 0]
        weights: Flat = np.dot(asked, rows.T) * self._sharpness
        weights -= weights.max(axis=1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=1, keepdims=True)
        found: Flat = np.matmul(np.dot(weights, rows)[:, None], self._told).reshape(-1)
        return found


def _mean(rows: Flat) -> Flat:
    # a division by a plain number would go through float64
    found: Flat = rows.sum(axis=0) / np.float32(len(rows))
    return found


__all__ = ["Scorer", "check_arrays", "shapes"]
