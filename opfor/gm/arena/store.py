"""The folder of an arena: what is played, every game as it ends, the replays worth looking at.

``arena.json`` has the settings, ``games.jsonl`` a line for each game, written through to the disk as the game ends. A run
that was stopped or killed goes on with the games that are not there; a last line that was torn is played again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import opfor
from opfor.errors import InputError
from opfor.formats.json_lines import add_line, bad_line, mend, read_lines
from opfor.gm.arena.entrants import Entrant, fingerprint_of
from opfor.gm.arena.match import Key, Record, key_of, margin
from opfor.gm.arena.sets import BattleSet
from opfor.gm.run_folder import begin_folder, held_to, read_settings

FORMAT = 1
SETTINGS, GAMES, REPLAYS = "arena.json", "games.jsonl", "replays"
#: settings that must be as they were for a run to go on, in words
_FIXED = {"version": "the program's version", "seed": "--seed", "sets": "--set", "files": "--code"}


def settings_of(
    players: Sequence[Entrant], sets: Sequence[BattleSet], games: int, seed: int, files: Sequence[str]
) -> dict[str, Any]:
    """The settings of a run, as ``arena.json`` has them."""
    return {
        "opfor_arena": FORMAT,
        "version": opfor.__version__,
        "policies": [player.code for player in players],
        "games": games,
        "seed": seed,
        "sets": [chosen.model_dump(mode="json") for chosen in sets],
        "files": {file: fingerprint_of(file) for file in files},
    }


class Store:
    """The folder of one run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records: dict[Key, Record] = {}

    @property
    def replays(self) -> Path:
        """The folder of the replays."""
        return self.folder / REPLAYS

    def settings(self) -> dict[str, Any] | None:
        """The settings that the folder was begun with, None for a new one. Raises :class:`InputError` for what is none."""
        path = self.folder / SETTINGS
        found = read_settings(path, "opfor_arena", FORMAT, "an arena")
        if found is not None and not isinstance(found.get("files"), dict):
            raise InputError("is no record of an arena: files", source=str(path))
        return found

    def begin(self, settings: dict[str, Any]) -> None:
        """Begin in the folder, or go on in it: with more games and other policies than before, if need be, all else the same.

        Raises :class:`InputError` naming what is not.
        """
        former = self.settings()
        if former is not None:
            # another file may come in, the same one must be as it was
            held = {file: settings["files"].get(file, mark) for file, mark in former["files"].items()}
            held_to(self.folder, former, {**settings, "files": held}, _FIXED)
        begin_folder(self.folder / SETTINGS, self.folder / GAMES, former, settings, {})
        self.records = self._read()

    def _read(self) -> dict[Key, Record]:
        """The games played so far; a torn last line is cut off. Raises :class:`InputError` for any other line that is none."""
        path = self.folder / GAMES
        mend(path)
        found = {}
        for number, record in read_lines(path, "game"):
            try:
                found[key_of(record)] = record
            except (KeyError, TypeError):
                raise bad_line(path, number, "game") from None
        return found

    def add(self, record: Record) -> None:
        """Write a game down; when this returns it is on the disk."""
        add_line(self.folder / GAMES, record)
        self.records[key_of(record)] = record

    def prune(self, keep: int) -> list[dict[str, Any]]:
        """Keep the replays of the ``keep`` most lopsided and the ``keep`` closest games, and of games that a policy failed in.

        Returns the replays kept: ``{"file", "why", "game", "margin"}``. Replays of games that are not yet written down stay.
        """
        present = {path.name for path in self.replays.glob("*.jsonl.gz")} if self.replays.is_dir() else set()
        there = [one for one in self.records.values() if not one.get("error") and self._replay(one) in present]
        decided = sorted((one for one in there if not one["fault"]), key=lambda one: (margin(one), key_of(one)))
        failed = sorted((one for one in there if one["fault"]), key=key_of)
        kept: dict[str, dict[str, Any]] = {}
        groups = {"most lopsided": decided[::-1][:keep], "closest": decided[:keep], "a policy failed": failed[:keep]}
        for why, ones in groups.items():
            for one in ones:
                name = self._replay(one)
                row = {"file": f"{REPLAYS}/{name}", "why": why, "game": key_of(one).words, "margin": round(margin(one), 3)}
                kept.setdefault(name, row)
        for one in there:
            if self._replay(one) not in kept:
                (self.replays / self._replay(one)).unlink()
        return list(kept.values())

    @staticmethod
    def _replay(record: Record) -> str:
        return f"{key_of(record).words}.jsonl.gz"
