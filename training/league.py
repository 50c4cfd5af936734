"""A league: policies and frozen selves that play each other on and on, whoever comes in and leaves.

Rounds of matches are drawn from what is known: who has played least plays most, against opponents that it does not beat. A
match is a battle that both play from both seats, as in the arena. While it runs, members have skills (openskill); its report
has ratings fitted to all games, with intervals, on the Elo scale.

The folder holds ``log.jsonl``, from which everything is made again (:mod:`training.league_book`), and ``members/`` with the
model files. Two programs must not play in one folder at the same time.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import opfor
from opfor.errors import InputError, nearest
from opfor.formats.battle_file.history import write_atomic
from opfor.formats.json_lines import add_line, bad_line, mend, read_lines
from opfor.gm.arena.entrants import Entrant, told
from opfor.gm.arena.match import Fixture, Record, play_fixture, unplayed
from opfor.gm.arena.sets import BattleSet
from opfor.gm.workers import run_jobs
from opfor.rules.moving.compiling import use_compiled
from policies.learned.model import load_model
from policies.registry import make
from training.league_book import Book, Entry, Event, Round, dropped_event, game_event, member_event
from training.league_report import report, words
from training.pool import drawn, expected, keepers, urgency, win_rate

LOG, MEMBERS = "log.jsonl", "members"
#: games of a round: the next one is drawn from what all of them have told
ROUND = 32
_MODEL, _BY_PATH = ".safetensors", "learned:"


class League:
    """The league of a folder, which is made when somebody comes in."""

    def __init__(self, folder: str | Path) -> None:
        """Raises :class:`InputError` for a log that is none."""
        self.folder = Path(folder)
        self.book = Book()
        mend(self._log)
        for number, event in read_lines(self._log, "entry of a league"):
            try:
                self.book.apply(event)
            except (KeyError, TypeError, ValueError, IndexError):
                raise bad_line(self._log, number, "entry of a league") from None

    @property
    def _log(self) -> Path:
        return self.folder / LOG

    def _write(self, event: Event) -> None:
        add_line(self._log, event)
        self.book.apply(event)

    # -- members ----------------------------------------------------------------------------------------------------------

    def add(self, given: Sequence[str]) -> list[dict[str, Any]]:
        """Take in policies by code, and model files, which are copied. Returns a row for each.

        Raises :class:`InputError`, before anybody has come in, for what cannot play, or is in the league already.
        """
        fresh: list[tuple[str, str]] = []
        for one in given:
            found = self._from_file(one) if _is_file(one) else self._from_code(one)
            here = [entry.name for entry in self.book.active if (entry.checksum or entry.code) == found]
            if here or found in [other for other, _ in fresh]:
                raise InputError(f"{one} is in the league already" + (f", as {here[0]}" if here else ""), place="MEMBER")
            fresh.append((found, one))
        (self.folder / MEMBERS).mkdir(parents=True, exist_ok=True)
        return [self._entered(found, one) for found, one in fresh]

    def _from_code(self, code: str) -> str:
        if code.startswith(_BY_PATH):
            raise InputError(f"{code}: a model comes in by its file", place="MEMBER", hint=code.removeprefix(_BY_PATH))
        try:
            make(code)
        except InputError as error:
            raise InputError(error.message, place="MEMBER", hint=error.hint) from None
        except Exception as error:
            raise InputError(f"the policy {code} cannot be made: {told(error)}", place="MEMBER") from None
        return code

    def _from_file(self, path: str) -> str:
        """The checksum of a model that can play."""
        load_model(path)
        return _checksum(Path(path))

    def _entered(self, found: str, one: str) -> dict[str, Any]:
        model = _is_file(one)
        stem = name = Path(one).stem if model else one
        number = 1
        while name in self.book.entries:
            number += 1
            name = f"{stem}#{number}"
        if model:
            file = f"{MEMBERS}/{name}{_MODEL}"
            write_atomic(self.folder / file, Path(one).read_bytes())
            self._write(member_event(name, "", file, found))
        else:
            self._write(member_event(name, found))
        return {"name": name, "code": self._code(self.book.entries[name])}

    def _code(self, entry: Entry) -> str:
        """The code that plays a member."""
        return f"{_BY_PATH}{self.folder / entry.file}" if entry.file else entry.code

    def prune(self, keep: int) -> list[str]:
        """Keep ``keep`` models: the best, the latest, and a spread over age; policies by code all stay. Returns who has left.

        Their files are deleted, their games still count. What is left of a round that was being played is given up.
        """
        models = [entry for entry in self.book.active if entry.file]
        kept = keepers([entry.skill.surely for entry in models], keep)
        gone = [entry.name for place, entry in enumerate(models) if place not in kept]
        return self._dismiss(gone)

    def drop(self, names: Sequence[str]) -> list[str]:
        """Let members go, as by :meth:`prune`, policies by code as well. Raises :class:`InputError` for who is not there."""
        active = [entry.name for entry in self.book.active]
        for name in names:
            if name not in active:
                raise InputError(f"{name} is not in the league", source=str(self.folder), hint=nearest(name, active))
        return self._dismiss(list(dict.fromkeys(names)))

    def _dismiss(self, names: list[str]) -> list[str]:
        for name in names:
            self._write(dropped_event(name))
        # files, too, of members that had been written down as gone when the program stopped
        for entry in self.book.entries.values():
            if entry.dropped and entry.file:
                (self.folder / entry.file).unlink(missing_ok=True)
        return names

    # -- play -------------------------------------------------------------------------------------------------------------

    def play(
        self,
        games: int,
        sets: Sequence[BattleSet],
        *,
        seed: int = 0,
        size: int = ROUND,
        on: str = "local",
        jobs: int = 0,
        played: Callable[[Record], None] = lambda record: None,
    ) -> int:
        """Play ``games`` more, in rounds of ``size`` games; returns how many were. ``played`` gets each as it ends.

        A round that was left by a program of the same version is ended first, as it was drawn. Raises :class:`InputError` where
        there is nobody to play, or a model's file is not what it was.
        """
        self._check()
        # the same games, sooner, where what compiles is installed
        use_compiled()
        left = games
        while left > 0:
            if self.book.open is None or self.book.open.version != opfor.__version__:
                self._write(self._draw_round(min(left, size), sets, seed))
            left -= self._play_round(on, jobs, played)
        return games - left

    def _check(self) -> None:
        active = self.book.active
        if len(active) < 2:
            raise InputError("a league needs two members at least", source=str(self.folder), hint="opfor league DIR add CODE")
        for entry in active:
            path = self.folder / entry.file
            if entry.file and (not path.is_file() or _checksum(path) != entry.checksum):
                raise InputError("is missing, or is not the model that came in", source=str(path), hint=f"drop {entry.name}")

    def _draw_round(self, games: int, sets: Sequence[BattleSet], seed: int) -> Event:
        """Matches for a round, drawn from the skills and games so far."""
        book, active = self.book, self.book.active
        number = book.rounds + 1
        draw = random.Random(f"league {seed} {number}")
        planned: Counter[int] = Counter()
        matches = []
        for match in range(max(1, games // 2)):
            # of who has played least there is most to be learnt
            first = drawn([1 / (1 + entry.games + 2 * planned[place]) for place, entry in enumerate(active)], draw)
            rates = [self._rate(active[first], entry) for entry in active]
            second = drawn([0.0 if place == first else urgency(rate) for place, rate in enumerate(rates)], draw)
            planned.update((first, second))
            a, b = sorted((first, second))
            matches.append([active[a].name, active[b].name, (book.matches + match) % len(sets)])
        return {
            "event": "round",
            "number": number,
            "version": opfor.__version__,
            "seed": seed,
            "first": book.matches,
            "sets": [one.model_dump(mode="json") for one in sets],
            "matches": matches,
        }

    def _rate(self, a: Entry, b: Entry) -> float:
        """The share of points that a may hope for against b."""
        points, games = self.book.score(a.name, b.name)
        return win_rate(points, games, expected(a.skill, b.skill))

    def _play_round(self, on: str, jobs: int, played: Callable[[Record], None]) -> int:
        current = self.book.open
        assert current is not None
        fixtures = [self._fixture(current, match, swapped) for match, swapped in current.due]
        with closing(run_jobs(play_fixture, fixtures, on=on, count=jobs, lost=unplayed)) as games:
            for fixture, record in games:
                self._write(game_event(current.number, fixture.number - current.first, record))
                played(record)
        return len(fixtures)

    def _fixture(self, current: Round, match: int, swapped: bool) -> Fixture:
        a, b, place = current.matches[match]
        first, second = (Entrant(name, self._code(self.book.entries[name])) for name in (a, b))
        return Fixture(first, second, BattleSet(**current.sets[place]), current.first + match, swapped, current.seed)

    # -- report -----------------------------------------------------------------------------------------------------------

    def report(self) -> dict[str, Any]:
        """The published report: see :func:`training.league_report.report`."""
        if not self.book.entries:
            raise InputError("there is no league", source=str(self.folder), hint="opfor league DIR add CODE begins one")
        return report(self.book)

    def words(self, document: dict[str, Any]) -> str:
        """The report as text."""
        return words(document)


def _is_file(given: str) -> bool:
    return given.endswith(_MODEL) and not given.startswith(_BY_PATH)


def _checksum(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


__all__ = ["LOG", "MEMBERS", "ROUND", "League"]
