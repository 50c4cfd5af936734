"""What a league's log says: members, rounds, games, skills. The log is all there is: whatever stops, this is made of it again.

A line is an event: a ``member`` comes in, or is ``dropped``; a ``round`` of matches is drawn, a ``game`` of it has ended. The
games of a round are weighed when all have ended, in the order of its matches, so that skills (and with them the next round) do
not depend on which game ended first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from opfor.gm.arena.summary import points
from training.pool import Skill, after

#: what a line is called in the file's form
Event = dict[str, Any]
MEMBER, ROUND, GAME, DROPPED = "member", "round", "game", "dropped"

_UNKNOWN = Skill()


@dataclass(slots=True)
class Entry:
    """A member: a policy's ``code``, or a model's ``file`` within the folder with the checksum it came with."""

    name: str
    code: str
    file: str = ""
    checksum: str = ""
    skill: Skill = _UNKNOWN
    games: int = 0
    wins: int = 0
    draws: int = 0
    faults: int = 0
    dropped: bool = False

    @property
    def losses(self) -> int:
        """Games that were neither won nor drawn."""
        return self.games - self.wins - self.draws


@dataclass(slots=True)
class Round:
    """A round: its matches ``(a, b, place of the set)``, the older member first, numbered on from ``first``.

    ``ended`` are the games that have ended, by (match, swapped).
    """

    number: int
    version: str
    seed: int
    first: int
    sets: list[dict[str, Any]]
    matches: list[tuple[str, str, int]]
    ended: dict[tuple[int, bool], Event] = field(default_factory=dict)

    @property
    def due(self) -> list[tuple[int, bool]]:
        """Games that have not ended, by (match, swapped)."""
        every = [(match, swapped) for match in range(len(self.matches)) for swapped in (False, True)]
        return [one for one in every if one not in self.ended]


class Book:
    """The league as its log has it, event by event."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        #: by pair, the older first, the mean score of the first in each whole mirrored pair of games
        self.pairs: dict[tuple[str, str], list[float]] = {}
        #: rounds and matches drawn so far, games ended, games that could not be played
        self.rounds = self.matches = self.games = 0
        self.errors: list[str] = []
        #: versions of the program that have played
        self.versions: list[str] = []
        #: the round that is being played, None between rounds
        self.open: Round | None = None

    @property
    def active(self) -> list[Entry]:
        """Members that play, the oldest first."""
        return [entry for entry in self.entries.values() if not entry.dropped]

    def apply(self, event: Event) -> None:
        """Take in an event. Raises KeyError, TypeError or ValueError for what is none."""
        what = event["event"]
        if what == MEMBER:
            entry = Entry(event["name"], event["code"], event["file"], event["checksum"])
            self.entries[entry.name] = entry
        elif what == DROPPED:
            self._close()
            self.entries[event["name"]].dropped = True
        elif what == ROUND:
            self._close()
            self._begin(event)
        elif what == GAME:
            self._game(event)
        else:
            raise ValueError(f"there is no event {what!r}")

    def _begin(self, event: Event) -> None:
        matches = [(str(a), str(b), int(place)) for a, b, place in event["matches"]]
        self.open = Round(event["number"], event["version"], event["seed"], event["first"], event["sets"], matches)
        self.rounds = self.open.number
        self.matches = self.open.first + len(matches)
        if self.open.version not in self.versions:
            self.versions.append(self.open.version)

    def _game(self, event: Event) -> None:
        played = self.open
        if played is None or event["round"] != played.number:
            raise ValueError("a game of a round that is not being played")
        key = (int(event["match"]), bool(event["swapped"]))
        a, b, _ = played.matches[key[0]]
        if key in played.ended:
            raise ValueError("a game that has been played")
        played.ended[key] = event
        if event.get("error"):
            self.errors.append(f"round {played.number}, {a} against {b}: {event['error']}")
        else:
            self.games += 1
            self._count(a, points(event), event)
            self._count(b, 1.0 - points(event), event)
        if not played.due:
            self._close()

    def _count(self, name: str, score: float, event: Event) -> None:
        entry = self.entries[name]
        entry.games += 1
        entry.wins += score == 1.0
        entry.draws += score == 0.5
        entry.faults += bool(event["fault"]) and event["fault"]["policy"] == name

    def _close(self) -> None:
        """End the round that is being played, with all its games or without some, and weigh those that there are."""
        if self.open is None:
            return
        played, self.open = self.open, None
        for match, (a, b, _) in enumerate(played.matches):
            games = [played.ended.get((match, swapped)) for swapped in (False, True)]
            whole = [points(game) for game in games if game is not None and not game.get("error")]
            for score in whole:
                first, second = self.entries[a], self.entries[b]
                first.skill, second.skill = after(first.skill, second.skill, score)
            if len(whole) == 2:
                self.pairs.setdefault((a, b), []).append(sum(whole) / 2)

    def score(self, a: str, b: str) -> tuple[float, float]:
        """Points of a against b, and games, of those that have been weighed."""
        if (a, b) in self.pairs:
            one = self.pairs[a, b]
            return 2 * sum(one), 2.0 * len(one)
        one = self.pairs.get((b, a), [])
        return 2.0 * len(one) - 2 * sum(one), 2.0 * len(one)


def member_event(name: str, code: str, file: str = "", checksum: str = "") -> Event:
    """A member comes in."""
    return {"event": MEMBER, "name": name, "code": code, "file": file, "checksum": checksum}


def dropped_event(name: str) -> Event:
    """A member leaves."""
    return {"event": DROPPED, "name": name}


def game_event(number: int, match: int, record: Mapping[str, Any]) -> Event:
    """A game of a round has ended; ``record`` is the arena's."""
    return {"event": GAME, "round": number, "match": match, **record}


__all__ = ["Book", "Entry", "Event", "Round", "dropped_event", "game_event", "member_event"]
