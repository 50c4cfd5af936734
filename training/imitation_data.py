"""Batches out of recorded play: files are read a few at a time, so that a recording of any length takes the same memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from envs.layout import Flat
from envs.observation import SIZE
from opfor.errors import InputError
from training.demonstrations import read_manifest, recorded_files
from training.demonstrations_shards import Rows, Shard, fill_from, read_notes, read_shard

PARTS = ("train", "held-out")
_WHOLE = 2**32


@dataclass(frozen=True, slots=True)
class Batch:
    """Steps to learn from: observations, shape (n, SIZE), and a number a step of all else, shape (n,).

    ``legal``: how many actions are legal; ``action``: the one taken; ``value``: how the game ended for that side; ``question``:
    what was asked, by its place in :data:`training.demonstrations_shards.QUESTION_NAMES`.
    """

    obs: Flat
    legal: Rows
    action: Rows
    value: Flat
    question: Rows


class Demonstrations:
    """Folders of recorded play. A share of the games is held out: always the same ones, all of their steps."""

    def __init__(self, folders: Sequence[str | Path], held_out: float) -> None:
        """Raises :class:`InputError` for a folder without recorded play, or for files that are none."""
        for folder in folders:
            read_manifest(folder)
        self.files = [path for folder in folders for path in recorded_files(folder)]
        self.held_out = held_out
        notes = [read_notes(path) for path in self.files]
        games = [game["game"] for one in notes for game in one["games"] if "fault" not in game]
        self.steps = sum(one["steps"] for one in notes)
        self.games = {part: sum(self._part(game) == part for game in games) for part in PARTS}
        if not self.steps or not self.games["train"]:
            source = ", ".join(map(str, folders))
            raise InputError("has no games to learn from", source=source, hint="record more of them")

    def _part(self, game: int) -> str:
        return PARTS[zlib.crc32(f"game {game}".encode()) < self.held_out * _WHOLE]

    def batches(self, part: str, size: int, *, window: int = 8, chance: np.random.Generator | None = None) -> Iterator[Batch]:
        """All steps of a part once, about ``size`` at a time; shuffled within ``window`` files where there is ``chance``.

        Files are taken in an order drawn from ``chance``, too. Raises :class:`InputError` for a damaged file.
        """
        order = np.arange(len(self.files)) if chance is None else chance.permutation(len(self.files))
        for first in range(0, len(order), window):
            shards = [read_shard(self.files[place]) for place in order[first : first + window]]
            yield from self._of(shards, part, size, chance)

    def _of(self, shards: list[Shard], part: str, size: int, chance: np.random.Generator | None) -> Iterator[Batch]:
        games = np.concatenate([shard.game for shard in shards])
        known = {int(game): self._part(int(game)) == part for game in np.unique(games)}
        steps = np.flatnonzero([known[int(game)] for game in games])
        if not len(steps):
            return
        if chance is not None:
            steps = chance.permutation(steps)
        columns: dict[str, NDArray[Any]] = {
            name: np.concatenate([getattr(shard, name) for shard in shards])
            for name in ("legal", "action", "value", "question")
        }
        # of like size: a few steps left over would make an update of their own
        for drawn in np.array_split(steps, max(1, round(len(steps) / size))):
            # within a batch the order is of no matter, and file by file they are read sooner
            chosen = np.sort(drawn)
            obs = np.empty((len(chosen), SIZE), dtype=np.float32)
            fill_from(shards, chosen, obs)
            yield Batch(
                obs,
                columns["legal"][chosen].astype(np.int64),
                columns["action"][chosen].astype(np.int64),
                columns["value"][chosen].astype(np.float32),
                columns["question"][chosen].astype(np.int64),
            )


__all__ = ["PARTS", "Batch", "Demonstrations"]
