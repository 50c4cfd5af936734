"""What to add to a side of a battle, or to take away, so that it comes to a wished chance: tried out by playing.

Changes come in families, each in order of its effect: a unit more, a unit less, better or worse pilots, on either side. In each
the change is found by halving; every battle is played with the same seeds, so that changes are compared like with like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle import Battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.gm.ruletest.changes import Change, families
from opfor.gm.ruletest.fair import chance_of, fits
from opfor.gm.ruletest.plays import PlayJob, Record, play_one
from opfor.gm.ruletest.running import Programme
from opfor.gm.ruletest.sources import BattleData, Given
from opfor.gm.workers import run_jobs

Row = dict[str, Any]


def read_budget(words: str, sides: Sequence[str]) -> tuple[str, float]:
    """A side and its wished chance from ``opfor=0.4`` or ``opfor=40%``. Raises :class:`InputError`."""
    side, sign, chance = (part.strip() for part in words.partition("="))
    if not sign or side not in sides:
        raise InputError(
            f"{words!r} names no side: write one of {', '.join(f'{name}=0.5' for name in sides)}",
            place="--budget",
            hint=nearest(side, sides),
        )
    found = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*(%?)", chance)
    wished = float(found[1]) / (100 if found[2] else 1) if found else 0.0
    if not 0 < wished < 1:
        raise InputError(f"{chance!r} is no chance between 0 and 1, as 0.4 or 40%", place="--budget")
    return side, wished


@dataclass(slots=True)
class _Trials:
    """Battles tried out, each once."""

    battle: Battle
    side: str
    programme: Programme
    on: str
    count: int
    told: Callable[[str], None] | None
    tried: int = 0

    def chance(self, change: Change, document: BattleData) -> Row:
        """The side's chance in a changed battle: ``{"words", "chance", "interval", "games", ...}``."""
        self.tried += 1
        source = Given(Path(self.battle.source).stem, (document,), str(Path(self.battle.source).parent))
        programme = replace(self.programme, sources=(source,))
        records: list[Record] = []
        jobs: Iterator[PlayJob] = programme.jobs()
        with closing(run_jobs(play_one, jobs, on=self.on, count=self.count)) as results:
            records += [record for _, record in results if not record.get("error") and not record["violations"]]
        row = {"words": change.words, "family": change.family, "worth": change.worth, **chance_of(records, self.side)}
        row["games"] = len(records)
        if self.told is not None:
            low, high = row["interval"]
            self.told(f"{change.words}: {row['chance']:.0%} ({low:.0%} to {high:.0%})")
        return row


def within_budget(
    battle: Battle,
    side: str,
    wished: float,
    programme: Programme,
    records: Sequence[Record],
    *,
    on: str = "local",
    count: int = 0,
    told: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Changes that bring ``side`` to the chance ``wished``; ``records`` are the games of the battle as it is.

    ``{"side", "wished", "now", "fair", "suggestions", "nearest", "tried", "games"}``. A suggestion's interval holds the wished
    chance, and there is one of a family at most; without any, ``nearest`` is the change that came nearest. ``fair``: the
    battle as it is cannot be told from it.
    """
    played = [record for record in records if not record.get("error") and not record.get("violations")]
    now = chance_of(played, side)
    found: dict[str, Any] = {
        "side": side,
        "wished": wished,
        "now": {key: now[key] for key in ("chance", "interval")},
        "fair": fits(now, wished),
        "suggestions": [],
        "nearest": None,
        "tried": 0,
        "games": programme.games,
    }
    if found["fair"] or not played:
        return found
    trials = _Trials(battle, side, programme, on, count, told)
    document = battle_document(battle)
    more = now["chance"] < wished
    rows: list[Row] = []
    for changes in families(battle, battle.state.sides.index(side), more=more):
        rows += _halved(trials, document, changes, wished, more=more)
    rows.sort(key=lambda row: (abs(row["chance"] - wished), abs(row["worth"])))
    # one of a family: the nearest
    best = {row["family"]: row for row in reversed(rows) if fits(row, wished)}
    found["suggestions"] = [row for row in rows if best.get(row["family"]) is row]
    found["nearest"] = rows[0] if rows else None
    found["tried"] = trials.tried
    return found


def _halved(trials: _Trials, document: BattleData, changes: Sequence[Change], wished: float, *, more: bool) -> list[Row]:
    """The changes of a family tried to find where it passes the wished chance; they are in order of their effect."""
    rows: list[Row] = []
    low, high = -1, len(changes)
    while high - low > 1:
        middle = (low + high) // 2
        changed = changes[middle].make(document)
        if changed is None:
            # there is no room for it: nor for what is greater
            high = middle
            continue
        row = trials.chance(changes[middle], changed)
        rows.append(row)
        if (row["chance"] < wished) is more:
            low = middle
        else:
            high = middle
    return rows


__all__ = ["read_budget", "within_budget"]
