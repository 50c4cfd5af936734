"""Coverage: how much of what can occur has occurred in games, what never did, and what would reach it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from opfor.errors import InputError, nearest
from opfor.gm.rulebook.exercised_possible import possible
from opfor.gm.rulebook.exercised_tally import Counts, merge
from opfor.gm.rulebook.hints import coverage_data, excuse, hint
from opfor.gm.ruletest.covering import jobs_of, made_battles, useful
from opfor.gm.ruletest.plays import Key, Record
from opfor.gm.ruletest.running import play_all
from opfor.gm.ruletest.store import GAMES, Store

#: the name under which everything is summed up
ALL = "all"
#: what a report in words names of a group at most
_NAMED = 12


def counts_of(folders: Iterable[Path]) -> tuple[int, Counts]:
    """The games of some runs, and what they exercised together. Raises :class:`InputError` for a folder without games."""
    games, found = 0, Counts()
    for folder in folders:
        if not (folder / GAMES).is_file():
            raise InputError("has no games of a rule test", source=str(folder), hint="`opfor ruletest --out FOLDER` plays some")
        for record in Store(folder).records():
            if not record.get("error"):
                games += 1
                found = merge(found, record.get("exercised") or {})
    return games, found


def coverage_document(counts: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The published form: ``{"families": [...], "groups": [...], "unread": [{"table", "why"}]}``.

    A family is ``{"name", "seen", "possible", "percent", "excused"}``, numbers of entries; ``all`` is the sum of the others.
    A group is ``{"name", "family", "seen": {ENTRY: COUNT}, "possible", "never": [{"name", "hint"}], "excused": [{"name",
    "why"}]}``; ``possible`` leaves out what is excused.
    """
    families = {group: family for family, groups in coverage_data()["families"].items() for group in groups}
    groups = []
    sums = {name: [0, 0, 0] for name in (*coverage_data()["families"], ALL)}
    for name, entries in possible().items():
        seen = dict(counts.get(name, {}))
        excused = [{"name": entry, "why": why} for entry in entries if entry not in seen and (why := excuse(name, entry))]
        left_out = {row["name"] for row in excused}
        never = [entry for entry in entries if entry not in seen and entry not in left_out]
        groups.append(
            {
                "name": name,
                "family": families[name],
                "seen": dict(sorted(seen.items())),
                "possible": len(entries) - len(excused),
                "never": [{"name": entry, "hint": hint(name, entry, battles_for(name, entry))} for entry in never],
                "excused": excused,
            }
        )
        for family in (families[name], ALL):
            sums[family][0] += len(entries) - len(excused) - len(never)
            sums[family][1] += len(entries) - len(excused)
            sums[family][2] += len(excused)
    return {
        "families": [
            {"name": name, "seen": seen, "possible": most, "percent": _percent(seen, most), "excused": excused}
            for name, (seen, most, excused) in sums.items()
        ],
        "groups": groups,
        "unread": [{"table": table, "why": why} for table, why in coverage_data()["unread"].items()],
    }


def battles_for(group: str, entry: str) -> list[str]:
    """Names of the battles made for an entry, three at most; those that name it most closely come first."""
    words = f"{group}: {entry}"
    close = []
    for made in made_battles():
        # a word for a whole group names nothing closely
        lengths = [1 if one.endswith(":") else len(one) for one in made["shows"] if one in words]
        close.append((max(lengths, default=0), str(made["name"])))
    return [name for length, name in sorted(close, key=lambda row: -row[0]) if length][:3]


def missing(counts: Mapping[str, Mapping[str, int]]) -> list[str]:
    """All that can occur in play and has not, as ``group: entry``."""
    return [
        f"{name}: {entry}"
        for name, entries in possible().items()
        for entry in entries
        if entry not in counts.get(name, {}) and not excuse(name, entry)
    ]


def cover(
    store: Store,
    rounds: int,
    seed: int,
    played: Callable[[Record], None],
    *,
    checked: bool = True,
    on: str = "local",
    count: int = 0,
) -> set[Key]:
    """Play the battles made for what is rare, ``rounds`` games of each at most, each as long as it may show something new.

    Games that the folder has are not played again. Returns the keys of all that were due: the same for the same seed,
    however many processes play and however often a run was stopped.
    """  # fmt: skip
    found: Counts = {}
    keys: set[Key] = set()
    for number in range(rounds):
        battles = useful(missing(found))
        if not battles:
            break
        jobs = jobs_of(battles, number, seed, checked=checked)
        play_all(store, iter(jobs), played, on=on, count=count)
        due = {job.key for job in jobs}
        keys |= due
        for record in store.wanted(due):
            found = merge(found, record.get("exercised") or {})
    return keys


def wanted_percent(words: str) -> dict[str, float]:
    """Thresholds by family: ``95`` is for all together, ``rules=100,events=95`` for families. Raises :class:`InputError`."""
    known = (*coverage_data()["families"], ALL)
    found: dict[str, float] = {}
    for part in words.split(","):
        name, sign, number = part.strip().rpartition("=")
        name = name.strip().replace("-", " ") if sign else ALL
        if name not in known:
            raise InputError(
                f"there is no family {name!r}: use {', '.join(known)}", place="--fail-under", hint=nearest(name, known)
            )
        try:
            found[name] = float(number)
        except ValueError:
            raise InputError(
                f"{number!r} is no percentage", place="--fail-under", hint="as 95, or rules=100,events=95"
            ) from None
    return found


def short_of(document: Mapping[str, Any], wanted: Mapping[str, float]) -> list[str]:
    """The families that miss their threshold, in words, each with all that never occurred in it."""
    rows = {row["name"]: row for row in document["families"]}
    lines = []
    for name, percent in wanted.items():
        row = rows[name]
        # 99.96 is printed as 100.0, and is not all
        if row["seen"] * 100 < percent * row["possible"]:
            lines.append(f"{name}: {row['seen']} of {row['possible']} ({row['percent']:.1f}%), below {percent:g}%; never:")
            for group in document["groups"]:
                if name in (group["family"], ALL):
                    lines += [f"   {group['name']}: {one['name']}" for one in group["never"]]
    return lines


def coverage_words(document: Mapping[str, Any]) -> Iterator[str]:
    """The report in words: families, then group by group what never occurred, with hints."""
    yield f"{document['games']} games"
    for row in document["families"]:
        also = f", {row['excused']} more cannot occur in play" if row["excused"] else ""
        yield f"{row['name']:18}{row['seen']:5} of {row['possible']:4}  {row['percent']:5.1f}%{also}"
    for group in document["groups"]:
        never = group["never"]
        if never:
            yield f"\n{group['name']}: never {len(never)} of {group['possible']}"
            for one in never[:_NAMED]:
                yield f"   {one['name']}: {one['hint']}"
            if len(never) > _NAMED:
                yield f"   and {len(never) - _NAMED} more; --json names them all"
    excused = [(group["name"], row) for group in document["groups"] for row in group["excused"]]
    if excused:
        yield "\ncannot occur in play"
        yield from (f"   {name}: {row['name']}: {row['why']}" for name, row in excused)


def _percent(seen: int, most: int) -> float:
    return round(100 * seen / most, 2) if most else 100.0


__all__ = [
    "ALL", "battles_for", "counts_of", "cover", "coverage_document", "coverage_words", "missing", "short_of", "wanted_percent",
]  # fmt: skip
