"""Many games of a rule test: what is to be played, playing it wherever there is room, and shrinking what failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from opfor.formats.battle_file.history import write_atomic
from opfor.gm.ruletest.cases import Case, case_of
from opfor.gm.ruletest.plays import Key, PlayJob, Record, key_of, play_one
from opfor.gm.ruletest.regression import regression_test
from opfor.gm.ruletest.shrink import TRIES, shrink
from opfor.gm.ruletest.sources import Source, folder_of
from opfor.gm.ruletest.store import Store, fault_of, name_of
from opfor.gm.workers import run_jobs

#: a variant's name, and the switches that it turns
Turned = tuple[str, tuple[tuple[str, Any], ...]]
PLAIN: tuple[Turned, ...] = (("", ()),)


@dataclass(frozen=True, slots=True)
class Programme:
    """What is played: ``battles`` of them, from the sources in turn, each by every variant, with seats changed where that is
    another game.
    """

    sources: tuple[Source, ...]
    codes: tuple[str, str]
    battles: int
    seed: int
    variants: tuple[Turned, ...] = PLAIN
    ruleset: tuple[tuple[str, Any], ...] = ()
    seats: tuple[bool, ...] = (False,)
    checked: bool = True

    def jobs(self) -> Iterator[PlayJob]:
        """Every game; those of one battle one after the other."""
        for number in range(self.battles):
            source = self.sources[number % len(self.sources)]
            for name, turned in self.variants:
                for swapped in self.seats:
                    yield PlayJob(
                        source,
                        number // len(self.sources),
                        self.codes,
                        swapped,
                        self.seed,
                        self.ruleset + turned,
                        name,
                        self.checked,
                    )

    def keys(self) -> set[Key]:
        """The keys of every game."""
        return {job.key for job in self.jobs()}

    @property
    def games(self) -> int:
        """How many games that makes."""
        return self.battles * len(self.variants) * len(self.seats)


def play_all(
    store: Store, jobs: Iterator[PlayJob], played: Callable[[Record], None], *, on: str = "local", count: int = 0
) -> None:
    """Play the games that the folder does not have, ``count`` at a time; each is written down as it ends, then ``played``.

    A game that no process survives becomes a record with an ``error``, and is tried again by the next run. On an interrupt the
    games under way are given up.
    """
    due = (job for job in jobs if job.key not in store.keys)
    with closing(run_jobs(play_one, due, on=on, count=count, lost=_lost)) as results:
        for _, record in results:
            store.add(record)
            played(record)


def _lost(job: PlayJob, why: str) -> Record:
    return {**job.key._asdict(), "winner": "", "error": why, "violations": [], "seconds": 0.0, "cpu": 0.0}


def shrink_all(
    store: Store, sources: Sequence[Source], *, on: str = "local", count: int = 0, tries: int = TRIES
) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Shrink one failure of each fault that the folder has. The regression tests are written into ``failures/``.

    Returns by fault ``{"test", "orders", "units", "words", "battle", "dice"}``, or ``{"why"}`` where a failure does not show
    again when it is played from its record.
    """
    folders = {source.name: str(folder_of(source) or "") for source in sources}
    chosen: dict[tuple[str, str, str], tuple[Record, Case]] = {}
    for record in store.records():
        if record.get("violations") and fault_of(record) not in chosen:
            whole = store.failure(record)
            if whole is not None:
                chosen[fault_of(record)] = whole, case_of(whole, folders.get(record["set"], ""))
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    jobs = [(fault, case, tries) for fault, (_, case) in chosen.items()]
    with closing(run_jobs(shrink_one, jobs, on=on, count=count)) as results:
        for (fault, _, _), small in results:
            test = small.pop("text", "")
            if test:
                path = store.failures / f"test_{small['name']}_{1 + list(chosen).index(fault)}.py"
                write_atomic(path, test)
                small["test"] = str(path.relative_to(store.folder))
                small["game"] = name_of(key_of(chosen[fault][0]))
            found[fault] = small
    return found


def shrink_one(job: tuple[tuple[str, str, str], Case, int]) -> dict[str, Any]:
    """Shrink a case: ``{"name", "text", "orders", "units", "tries"}``, or ``{"why"}``."""
    _, case, tries = job
    small = shrink(case, tries=tries)
    if small is None:
        return {"why": "does not show again when its record is played: what it depends on is not in the record"}
    text = regression_test(small.case)
    name = next(line for line in text.splitlines() if line.startswith("def test_"))
    return {
        "name": name.removeprefix("def test_").partition("(")[0],
        "text": text,
        "orders": len(small.case.steps),
        "units": len(small.case.battle["units"]),
        "tries": small.tries,
        "battle": small.case.battle,
        "steps": list(small.case.steps),
    }


__all__ = ["PLAIN", "Programme", "play_all", "shrink_all", "shrink_one"]
