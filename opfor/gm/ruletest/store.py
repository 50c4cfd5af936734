"""The folder of a rule test: its settings, every game as it ends, and the failures worth shrinking.

``ruletest.json`` has the settings, ``games.jsonl`` a line for each game, on the disk before the next one is taken up, and
``failures/`` the games that were stopped by a violation. A run that was stopped or killed goes on with the games that are not
there; a last line that was torn is played again. Nothing but the keys of the games is kept in memory.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from opfor.errors import InputError
from opfor.formats.battle_file.history import write_atomic
from opfor.gm.ruletest.plays import Key, Record, key_of

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
        path = self.folder / SETTINGS
        if not path.exists():
            return None
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            if found["opfor_ruletest"] != FORMAT:
                raise ValueError("of another format")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"is no record of a rule test: {error}", source=str(path)) from None
        return dict(found)

    def begin(self, settings: Mapping[str, Any]) -> None:
        """Begin in the folder, or go on in it: with more games, if need be, all else as it was.

        Raises :class:`InputError` naming what is not.
        """
        former = self.settings()
        now = {"opfor_ruletest": FORMAT, **settings}
        if former is not None:
            for key, words in _FIXED.items():
                if former.get(key) != json.loads(json.dumps(now.get(key))):
                    raise InputError(
                        f"was begun with another value of {words}",
                        source=str(self.folder),
                        hint="give another --out, or delete the folder",
                    )
        elif (self.folder / GAMES).exists():
            raise InputError(f"has games, but no {SETTINGS}", source=str(self.folder), hint="give another --out")
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomic(self.folder / SETTINGS, json.dumps(now, indent=1, ensure_ascii=False) + "\n")
        self._mend()
        self.keys.clear()
        self._faults.clear()
        for record in self.records():
            if not record.get("error"):
                self.keys.add(key_of(record))
            self._count(record)

    def _mend(self) -> None:
        """Cut off a last line that was torn."""
        path = self.folder / GAMES
        if not path.exists():
            return
        with path.open("r+b") as file:
            end = place = file.seek(0, os.SEEK_END)
            while place:
                size = min(1 << 16, place)
                place -= size
                file.seek(place)
                found = file.read(size).rfind(b"\n")
                if found >= 0:
                    place += found + 1
                    break
            if place < end:
                file.truncate(place)

    def records(self) -> Iterator[Record]:
        """The games one by one as the file has them. Raises :class:`InputError` for a line that is none."""
        path = self.folder / GAMES
        if not path.exists():
            return
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    record = json.loads(line)
                    key_of(record)
                except (ValueError, KeyError, TypeError):
                    hint = "delete that line"
                    raise InputError("is no game", source=str(path), place=f"line {number}", hint=hint) from None
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
        with (self.folder / GAMES).open("ab") as file:
            file.write(json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n")
            file.flush()
            os.fsync(file.fileno())
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
