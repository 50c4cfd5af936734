"""The bouts that a run has fought to measure its models, kept: a run that is gone on with fights only what is left."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from envs.layout import Flat
from opfor import __version__
from opfor.formats.json_lines import add_line, bad_line, mend, read_lines

BOUTS = "bouts.jsonl"


class BoutKey(NamedTuple):
    """Which bout it is: the weights' digest, the opponent's code, the set's name, the battle's number, the model's side."""

    weights: str
    opponent: str
    scenario: str
    number: int
    side: int


class BoutBook:
    """The file ``bouts.jsonl`` of a run: a line for each, on the disk when it has ended. Other versions' are passed over."""

    def __init__(self, folder: Path) -> None:
        """Take up the file of a run's folder. Raises :class:`opfor.errors.InputError` for a line that is no bout."""
        self.path = folder / BOUTS
        self.fought: dict[BoutKey, float] = {}
        mend(self.path)
        for number, line in read_lines(self.path, "bout"):
            try:
                key = BoutKey(*(line[field] for field in BoutKey._fields))
                points = float(line["points"])
            except (KeyError, TypeError, ValueError):
                raise bad_line(self.path, number, "bout") from None
            if line.get("version") == __version__:
                self.fought[key] = points

    def add(self, key: BoutKey, points: float) -> None:
        """Write a bout down: 1 for a victory of the model, 0.5 for a draw, 0 for a defeat."""
        self.fought[key] = points
        add_line(self.path, {**key._asdict(), "points": points, "version": __version__})


def weights_digest(arrays: Mapping[str, Flat]) -> str:
    """A digest of a model's weights: the same whatever its card says, and wherever its file lies."""
    digest = sha256()
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].shape}".encode())
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()


__all__ = ["BOUTS", "BoutBook", "BoutKey", "weights_digest"]
