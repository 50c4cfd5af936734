"""Distances and bearings of many hexes at once, as arrays over the cells of a board.

Cells are axial coordinates in one number (:mod:`opfor.hex`), so all of it follows from a division.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from opfor.hex import Grid, bearing12

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]

#: hexes that make 1 in a relative position or a distance
FAR = 32.0
#: offsets for which bearings are tabled; farther ones take the bearing of the edge of the table
_Q, _R = 66, 100
#: bearings are 24ths of a circle
COS = np.cos(np.arange(24) * np.pi / 12).astype(np.float32)
SIN = np.sin(np.arange(24) * np.pi / 12).astype(np.float32)


@lru_cache(maxsize=256)
def axes(size: int, stride: int) -> tuple[Ints, Ints]:
    """Axial coordinates (q, r) of every cell of a grid, each of shape (size,)."""
    cells = np.arange(size, dtype=np.int32)
    return cells // stride, cells % stride


def axes_of(grid: Grid) -> tuple[Ints, Ints]:
    """:func:`axes` of a grid."""
    return axes(grid.size, grid.stride)


def distances(dq: Ints, dr: Ints) -> Ints:
    """Distances in hexes of axial offsets, of their shape."""
    found: Ints = np.maximum(np.maximum(np.abs(dq), np.abs(dr)), np.abs(dq + dr))
    return found


def bearings(dq: Ints, dr: Ints) -> Ints:
    """Bearings of axial offsets in 24ths of a circle, clockwise from north, as :func:`opfor.hex.bearing12` has them."""
    q = np.minimum(np.maximum(dq, -_Q), _Q) + _Q
    r = np.minimum(np.maximum(dr, -_R), _R) + _R
    found: Ints = _bearings()[q, r]
    return found


@cache
def _bearings() -> Ints:
    work = bearing12.__wrapped__
    return np.array([[work(q, r) for r in range(-_R, _R + 1)] for q in range(-_Q, _Q + 1)], dtype=np.int32)


class Compass(NamedTuple):
    """Distance and bearing between cells of a grid as look-ups: both stand at ``place[to] - place[from] + middle``."""

    place: Ints
    middle: int
    distance: Ints
    bearing: Ints


@lru_cache(maxsize=64)
def compass(size: int, stride: int) -> Compass:
    """The tables of a grid. Places leave room for every difference of rows between two columns."""
    q, r = axes(size, stride)
    place = q * (2 * stride) + r
    middle = int(place[-1])
    apart = np.arange(-middle, middle + 1, dtype=np.int32)
    dq = (apart + stride) // (2 * stride)
    dr = apart - dq * (2 * stride)
    return Compass(place, middle, distances(dq, dr), bearings(dq, dr))


@cache
def window(radius: int) -> tuple[Ints, Ints]:
    """Axial offsets of the hexes within ``radius``, in a stable order: column by column from the west, each from the north."""
    pairs = [(q, r) for q in range(-radius, radius + 1) for r in range(max(-radius, -q - radius), min(radius, -q + radius) + 1)]
    found = np.array(pairs, dtype=np.int32)
    return found[:, 0].copy(), found[:, 1].copy()
