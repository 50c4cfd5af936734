"""The folder of a rule test: its settings, every game as it ends, and the failures worth shrinking.

``ruletest.json`` has the settings, ``games.jsonl`` a line for each game, on the disk before the next one is taken up, and
``failures/`` the games that were stopped by a violation. A run that was stopped or killed goes on with the games that are not
there; a last line that was torn is played again. Nothing but the keys of the games is kept in memory.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from opfor.formats.battle_file.history import write_atomic
from opfor.formats.json_lines import add_line, bad_line, mend, read_lines
from opfor.gm.ruletest.plays import Key, Record, key_of
from opfor.gm.run_folder import begin_folder, read_settings

FORMAT = 1
SETTINGS, GAMES, FAILURES = "ruletest.json", "games.jsonl", "failures"
#: games kept of one fault: the others are counted, and can be played again by their keys
KEPT = 3
#: settings that must be as they were for a run to go on, in words
_FIXED = {
    "version": "the program's version", "seed": "--seed", "sets": "--set", "files": "the battle's file",
    "policies": "--policies", "own": "--rules", "ruleset": "--ruleset", "vary": "--vary", "design": "--design",
    "checked": "--check",
}  # fmt: skip


class Store:
    """The folder of one run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.keys: set[Key] = set()
        self._faults: Counter[tuple[str, str, str]] = Counter()

    @property
    def failures(self) -> Path:
        """The folder of the games that were stopped by a violation."""
        return self.folder / FAILURES

    def settings(self) -> dict[str, Any] | None:
        """The settings that the folder was begun with, None for a new one. Raises :class:`InputError` for what is none."""
        return read_settings(self.folder / SETTINGS, "opfor_ruletest", FORMAT, "a rule test")

    def begin(self, settings: Mapping[str, Any]) -> None:
        """Begin in the folder, or go on in it: with more games, if need be, all else as it was.

        Raises :class:`InputError` naming what is not.
        """
        now = {"opfor_ruletest": FORMAT, **settings}
        begin_folder(self.folder / SETTINGS, self.folder / GAMES, self.settings(), now, _FIXED)
        mend(self.folder / GAMES)
        self.keys.clear()
        self._faults.clear()
        for record in self.records():
            if not record.get("error"):
                self.keys.add(key_of(record))
            self._count(record)

    def records(self) -> Iterator[Record]:
        """The games one by one as the file has them. Raises :class:`InputError` for a line that is none."""
        path = self.folder / GAMES
        for number, record in read_lines(path, "game"):
            try:
                key_of(record)
            except (KeyError, TypeError):
                raise bad_line(path, number, "game") from None
            yield record

    def wanted(self, keys: Collection[Key]) -> Iterator[Record]:
        """The games of some keys, each once; one that could not be played only where it has not been played since."""
        failed: dict[Key, Record] = {}
        for record in self.records():
            key = key_of(record)
            if key in keys and not record.get("error"):
                yield record
            elif key in keys and key not in self.keys:
                failed[key] = record
        yield from failed.values()

    def add(self, record: Record) -> None:
        """Write a game down; when this returns it is on the disk."""
        failure = record.get("failure")
        kept = {key: value for key, value in record.items() if key != "failure"}
        if failure is not None and self._count(record) <= KEPT:
            self.failures.mkdir(exist_ok=True)
            kept["kept"] = f"{FAILURES}/{name_of(key_of(record))}.json"
            write_atomic(self.folder / kept["kept"], json.dumps({**kept, "failure": failure}, ensure_ascii=False) + "\n")
        add_line(self.folder / GAMES, kept)
        if not record.get("error"):
            self.keys.add(key_of(record))

    def _count(self, record: Record) -> int:
        """How many games with the fault of this one there are by now, 0 where it has none."""
        if not record.get("violations"):
            return 0
        fault = fault_of(record)
        self._faults[fault] += 1
        return self._faults[fault]

    def failure(self, record: Record) -> Record | None:
        """The whole record of a game that was stopped, None where it is not kept."""
        path = self.folder / str(record.get("kept") or "-")
        return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def fault_of(record: Record) -> tuple[str, str, str]:
    """The fault that a game was stopped by."""
    first = record["violations"][0]
    return str(first["kind"]), str(first["what"]), str(first["place"])


def name_of(key: Key) -> str:
    """A game's key as a file's name."""
    words = "-".join(str(part) for part in (key.set, key.number, key.variant, key.a, key.b) if part != "")
    clean = "".join(sign if sign.isalnum() or sign in "-." else "_" for sign in words)
    return f"{clean[:120]}{'-swapped' if key.swapped else ''}"


__all__ = ["FAILURES", "GAMES", "KEPT", "SETTINGS", "Store", "fault_of", "name_of"]
