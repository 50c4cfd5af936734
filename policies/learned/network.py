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
_PLAIN = frozenset({"unit_key", "unit_read", "slot_add"})


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


class Scorer:
    """Scores actions from an observation.

    ``arrays``: weights by name, as :func:`shapes` has them. Raises :class:`InputError` when they are not those of ``sizes``.
    """

    def __init__(self, arrays: Mapping[str, Flat], sizes: NetworkSizes) -> None:
        check_arrays(arrays, sizes)
        self.sizes = sizes
        heads, width = sizes.heads, sizes.units
        # laid out as they are multiplied: what is read by rows
        of = {name: np.ascontiguousarray(array.T) for name, array in arrays.items()}
        self._w = of
        self._key = np.ascontiguousarray(arrays["unit_key.weight"].reshape(heads, -1, width))
        self._read = np.ascontiguousarray(arrays["unit_read.weight"].reshape(heads, -1, width).transpose(0, 2, 1))
        self._sharpness = np.float32(1.0 / math.sqrt(width / heads))
        self._score = np.ascontiguousarray(arrays["slot_score.weight"][0])
        self._score_bias = arrays["slot_score.bias"][0]

    def logits(self, obs: Flat) -> Flat:
        """Scores of the legal actions, from action 0 on: shape (legal actions,). ``obs``: shape (SIZE,)."""
        return self._mixed(obs)[1]

    def evaluate(self, obs: Flat) -> tuple[Flat, float]:
        """Scores of the legal actions, shape (legal actions,), and the value of the position for the side that is asked."""
        context, scores, mixed = self._mixed(obs)
        w = self._w
        width = len(context)
        first = w["value_layers.0.weight"]
        hidden = context @ first[:width] + mixed.mean(axis=0) @ first[width:] + w["value_layers.0.bias"]
        np.maximum(hidden, 0.0, out=hidden)
        value = hidden @ w["value_layers.1.weight"] + w["value_layers.1.bias"]
        return scores, float(value[0])

    def _mixed(self, obs: Flat) -> tuple[Flat, Flat, Flat]:
        """What is seen, shape (context,), the scores, shape (legal actions,), and what the options come to by then."""
        w = self._w
        slots = obs[LAYOUT["slots"]].reshape(_SLOTS.rows, -1)
        rows = slots[: max(1, int(np.count_nonzero(slots[:, 0])))] @ w["slot_row.weight"]
        rows += w["slot_row.bias"]
        np.maximum(rows, 0.0, out=rows)
        ground = obs[LAYOUT["ground"]] @ w["ground.weight"]
        ground += w["ground.bias"]
        np.maximum(ground, 0.0, out=ground)
        seen = np.concatenate(
            (obs[_BATTLE_TO_CHOICE], *self._units(obs), ground, rows.sum(axis=0) / np.float32(len(rows)), rows.max(axis=0))
        )
        context = seen @ w["context_layers.0.weight"]
        context += w["context_layers.0.bias"]
        np.maximum(context, 0.0, out=context)
        context = context @ w["context_layers.1.weight"]
        context += w["context_layers.1.bias"]
        np.maximum(context, 0.0, out=context)
        mixed: Flat = rows @ w["slot_mix.weight"]
        mixed += context @ w["slot_add.weight"] + w["slot_mix.bias"]
        np.maximum(mixed, 0.0, out=mixed)
        mixed *= context @ w["slot_scale.weight"] + w["slot_scale.bias"]
        scores: Flat = mixed @ self._score
        scores += self._score_bias
        return context, scores, mixed

    def _units(self, obs: Flat) -> tuple[Flat, ...]:
        """What the units come to: the acting one, what it sees of all, the mean and the most of each side."""
        w = self._w
        table = obs[LAYOUT["units"]].reshape(_UNITS.rows, -1)
        there = table[:, _PRESENT]
        own = int(np.count_nonzero(there[:_SIDE]))
        enemies = int(np.count_nonzero(there[_SIDE:]))
        used = np.concatenate((table[:own], table[_SIDE : _SIDE + enemies]))
        rows = used @ w["unit_layers.0.weight"]
        rows += w["unit_layers.0.bias"]
        np.maximum(rows, 0.0, out=rows)
        rows = rows @ w["unit_layers.1.weight"]
        rows += w["unit_layers.1.bias"]
        np.maximum(rows, 0.0, out=rows)
        none: Flat = np.zeros(self.sizes.units, dtype=np.float32)
        acting = rows[0] if own else none
        pools: list[tuple[Flat, Flat]] = []
        for side in (rows[:own], rows[own:]):
            pools.append((side.sum(axis=0) / np.float32(len(side)), side.max(axis=0)) if len(side) else (none, none))
        (own_mean, own_most), (enemy_mean, enemy_most) = pools
        read = none
        if len(rows):
            query = np.concatenate((acting, obs[LAYOUT["choice"]])) @ w["unit_query.weight"]
            query += w["unit_query.bias"]
            heads = self.sizes.heads
            asked = (query.reshape(heads, 1, -1) @ self._key)[:, 0]
            weights = (asked @ rows.T) * self._sharpness
            weights -= weights.max(axis=1, keepdims=True)
            np.exp(weights, out=weights)
            weights /= weights.sum(axis=1, keepdims=True)
            read = ((weights @ rows)[:, None] @ self._read).reshape(-1)
        return acting, read, own_mean, enemy_mean, own_most, enemy_most


__all__ = ["Scorer", "check_arrays", "shapes"]
