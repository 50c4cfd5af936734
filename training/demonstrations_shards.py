"""Recorded steps as files: observations packed to what is in them, written whole, read back as batches.

An observation is some 10,000 numbers, most of them 0. Of the tables of units and of options only the rows in use are kept, in
half precision; and what stays the same through the steps of an order (battle, unit, units and ground: a *scene*) is kept once.
Files are compressed NumPy archives of plain numbers: nothing in them can run.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from envs.actions import ACTIONS
from envs.layout import Flat
from envs.observation import LAYOUT, SIZE, VERSION
from opfor.errors import InputError

Half = NDArray[np.float16]
Rows = NDArray[np.int64]

_UNITS, _SLOTS = LAYOUT.groups["units"], LAYOUT.groups["slots"]
_SIDE = _UNITS.rows // 2
_PRESENT = _UNITS.index("present")
_WIDTH = len(_SLOTS.columns)
#: battle and unit lie side by side, and are kept so
_HEAD = slice(LAYOUT["battle"].start, LAYOUT["unit"].stop)
_GROUND, _CHOICE = LAYOUT["ground"], LAYOUT["choice"]
#: columns of the choice that say which question is asked
_ASKED = [place for place, column in enumerate(LAYOUT.groups["choice"].columns) if column.name.startswith("asks_")]
#: questions by their number in :attr:`Shard.question`
QUESTION_NAMES = tuple(LAYOUT.groups["choice"].columns[place].name.removeprefix("asks_").replace("_", " ") for place in _ASKED)
#: arrays of a file: type, and shape with the names of lengths that must agree
_ARRAYS: dict[str, tuple[Any, tuple[str | int, ...]]] = {
    "head": (np.float16, ("scenes", _HEAD.stop - _HEAD.start)),
    "own": (np.uint8, ("scenes",)),
    "enemies": (np.uint8, ("scenes",)),
    "units": (np.float16, ("units", len(_UNITS.columns))),
    "ground": (np.float16, ("scenes", _GROUND.stop - _GROUND.start)),
    "scene": (np.int32, ("steps",)),
    "choice": (np.float16, ("steps", _CHOICE.stop - _CHOICE.start)),
    "legal": (np.int16, ("steps",)),
    "slots": (np.float16, ("options", _WIDTH)),
    "action": (np.int16, ("steps",)),
    "value": (np.float16, ("steps",)),
    "game": (np.int32, ("steps",)),
    "side": (np.int8, ("steps",)),
}


class Pack:
    """Steps as they come, to be written as one file."""

    def __init__(self) -> None:
        self._columns: dict[str, list[Any]] = {name: [] for name in _ARRAYS}
        #: facts of each game: number, who played, how it ended, ...
        self.games: list[dict[str, Any]] = []
        self._open = 0

    def __len__(self) -> int:
        """How many steps there are."""
        return len(self._columns["action"])

    def add(self, obs: Flat, legal: int, action: int, game: int, side: int) -> None:
        """A step of a game that is going on: the observation, shape (SIZE,), how many actions are legal, and the one taken."""
        columns = self._columns
        half: Any = obs.astype(np.float16)
        head, ground = half[_HEAD], half[_GROUND]
        table: Any = LAYOUT.view(half, "units")
        own = int(np.count_nonzero(table[:_SIDE, _PRESENT]))
        enemies = int(np.count_nonzero(table[_SIDE:, _PRESENT]))
        units = np.concatenate((table[:own], table[_SIDE : _SIDE + enemies]))
        if not self._same(head, units, ground):
            columns["head"].append(head)
            columns["own"].append(own)
            columns["enemies"].append(enemies)
            columns["units"].append(units)
            columns["ground"].append(ground)
        columns["scene"].append(len(columns["head"]) - 1)
        columns["choice"].append(half[_CHOICE])
        columns["legal"].append(legal)
        columns["slots"].append(LAYOUT.view(half, "slots")[:legal])
        columns["action"].append(action)
        columns["game"].append(game)
        columns["side"].append(side)

    def _same(self, head: Half, units: Half, ground: Half) -> bool:
        """Whether this is the scene of the step before."""
        columns = self._columns
        return bool(
            columns["head"]
            and np.array_equal(columns["head"][-1], head)
            and np.array_equal(columns["units"][-1], units)
            and np.array_equal(columns["ground"][-1], ground)
        )

    def end(self, winner: int, facts: dict[str, Any]) -> None:
        """The game has ended, won by a side (-1: by none): 1 for steps of the winner, -1 for those of the loser, else 0."""
        sides = self._columns["side"][self._open :]
        self._columns["value"] += [0 if winner < 0 else 1 if side == winner else -1 for side in sides]
        self._open = len(self)
        self.games.append(facts)

    def drop(self) -> None:
        """Forget the steps of the game that is going on."""
        scene = self._columns["scene"]
        scenes = (scene[self._open - 1] + 1) if self._open else 0
        for name in ("scene", "choice", "legal", "slots", "action", "game", "side"):
            del self._columns[name][self._open :]
        for name in ("head", "own", "enemies", "units", "ground"):
            del self._columns[name][scenes:]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The steps of the games that have ended."""
        found = {}
        for name, (dtype, shape) in _ARRAYS.items():
            rows = self._columns[name]
            if not rows:
                found[name] = np.zeros([0, *(n for n in shape if isinstance(n, int))], dtype=dtype)
            else:
                found[name] = (np.concatenate(rows) if name in ("units", "slots") else np.array(rows)).astype(dtype)
        return found

    def written(self) -> bytes:
        """The file."""
        notes = {"observation": VERSION, "size": SIZE, "actions": ACTIONS, "steps": len(self), "games": self.games}
        text = np.frombuffer(json.dumps(notes, separators=(",", ":"), ensure_ascii=False).encode("utf-8"), dtype=np.uint8)
        out = io.BytesIO()
        np.savez_compressed(out, notes=text, **self.arrays())  # type: ignore[arg-type]
        return out.getvalue()


class Shard:
    """Steps read back. ``action``, ``value``, ``game``, ``side``, ``legal``, ``question``: an array each, one row a step."""

    def __init__(self, arrays: dict[str, NDArray[Any]], games: list[dict[str, Any]]) -> None:
        self.games = games
        self.action: NDArray[np.int16] = arrays["action"]
        self.value: NDArray[np.float16] = arrays["value"]
        self.game: NDArray[np.int32] = arrays["game"]
        self.side: NDArray[np.int8] = arrays["side"]
        self.legal: NDArray[np.int16] = arrays["legal"]
        self._arrays = arrays
        self._first_slot = _starts(self.legal)
        self._own = arrays["own"].astype(np.int64)
        self._first_unit = _starts(arrays["own"].astype(np.int64) + arrays["enemies"])
        self.question: Rows = arrays["choice"][:, _ASKED].argmax(axis=1) if len(self) else np.zeros(0, dtype=np.int64)

    def __len__(self) -> int:
        """How many steps there are."""
        return len(self.action)

    def fill(self, steps: Rows, out: Flat) -> None:
        """Write the observations of some steps, shape (len(steps), SIZE)."""
        arrays = self._arrays
        scene = arrays["scene"][steps]
        out[:] = 0.0
        out[:, _HEAD] = arrays["head"][scene]
        out[:, _CHOICE] = arrays["choice"][steps]
        out[:, _GROUND] = arrays["ground"][scene]
        own = self._own[scene]
        count = own + arrays["enemies"][scene]
        step, row = _within(count)
        # a part of a row divided into rows of a table is a view: what is written goes into ``out``
        table = out[:, LAYOUT["units"]].reshape(len(steps), _UNITS.rows, -1)
        # enemies have rows of their own, from the middle of the table on
        place = np.where(row < own[step], row, row - own[step] + _SIDE)
        table[step, place] = arrays["units"][self._first_unit[scene][step] + row]
        step, row = _within(self.legal[steps].astype(np.int64))
        slots = out[:, LAYOUT["slots"]].reshape(len(steps), _SLOTS.rows, -1)
        slots[step, row] = arrays["slots"][self._first_slot[steps][step] + row]


def _starts(counts: NDArray[Any]) -> Rows:
    """Where the rows of each begin, when they lie one after the other."""
    counts = counts.astype(np.int64)
    starts: Rows = np.cumsum(counts) - counts
    return starts


def _within(counts: Rows) -> tuple[Rows, Rows]:
    """For rows that lie one after the other: whose each is, and its place among them."""
    of = np.repeat(np.arange(len(counts)), counts)
    return of, np.arange(len(of)) - _starts(counts)[of]


def read_shard(path: Path) -> Shard:
    """Steps from a file.

    Raises :class:`InputError` for what is no such file, is damaged, or was made for another observation.
    """
    with _opened(path) as found:
        notes = _notes(found, path)
        arrays = {name: found[name] for name in _ARRAYS}
        _check(arrays)
        return Shard(arrays, list(notes["games"]))


def read_notes(path: Path) -> dict[str, Any]:
    """What a file says of itself: ``steps``, and facts of its ``games``. Raises :class:`InputError` as :func:`read_shard`."""
    with _opened(path) as found:
        return _notes(found, path)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        with np.load(path, allow_pickle=False) as found:
            yield found
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=str(path)) from None
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(
            f"is no recorded play, or is damaged: {error}", source=str(path), hint="delete it, and record again"
        ) from None


def _notes(found: Any, path: Path) -> dict[str, Any]:
    notes: dict[str, Any] = json.loads(bytes(found["notes"]).decode("utf-8"))
    versions = (notes["observation"], notes["size"], notes["actions"])
    if versions != (VERSION, SIZE, ACTIONS):
        raise InputError(
            f"holds observations of version {versions[0]} ({versions[1]} numbers, {versions[2]} actions), and this is "
            f"version {VERSION} ({SIZE}, {ACTIONS})",
            source=str(path),
            hint="record anew",
        )
    return notes


def _check(arrays: dict[str, NDArray[Any]]) -> None:
    """Raises :class:`ValueError` unless the arrays hang together."""
    lengths: dict[str | int, int] = {}
    for name, (dtype, shape) in _ARRAYS.items():
        array = arrays[name]
        if array.dtype != dtype or array.ndim != len(shape):
            raise ValueError(f"{name} is of {array.dtype} in {array.ndim} dimensions")
        for length, wanted in zip(array.shape, shape, strict=True):
            if length != (wanted if isinstance(wanted, int) else lengths.setdefault(wanted, length)):
                raise ValueError(f"{name} has the shape {array.shape}")
    legal, action, scene = arrays["legal"], arrays["action"], arrays["scene"]
    own, enemies = arrays["own"].astype(int), arrays["enemies"].astype(int)
    if own.sum() + enemies.sum() != lengths["units"] or legal.astype(int).sum() != lengths["options"]:
        raise ValueError("rows are missing")
    if (own > _SIDE).any() or (enemies > _SIDE).any() or (legal < 1).any() or (legal > ACTIONS).any():
        raise ValueError("there are too many rows")
    if (action < 0).any() or (action >= legal).any() or (scene < 0).any() or (scene >= lengths["scenes"]).any():
        raise ValueError("a step has an action or a scene that is not there")


def fill_from(shards: Sequence[Shard], steps: Rows, out: Flat) -> None:
    """Write observations of steps counted over several files one after the other, shape (len(steps), SIZE).

    ``steps`` rise.
    """
    first = 0
    for shard in shards:
        begin, end = np.searchsorted(steps, (first, first + len(shard)))
        if begin < end:
            shard.fill(steps[begin:end] - first, out[begin:end])
        first += len(shard)


__all__ = ["QUESTION_NAMES", "Pack", "Shard", "fill_from", "read_notes", "read_shard"]
