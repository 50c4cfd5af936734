"""Who a learner plays against: policies by code and frozen selves, drawn the more often the less it wins against them.

:class:`Pool` is that within a training run. What it is made of (how well somebody plays, how urgent an opponent is, whom to
keep) serves the league as well (:mod:`training.league`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from openskill.models import PlackettLuce

#: how much rarer an opponent is drawn that is often beaten: the weight is (1 - win rate) to this power
SHARPNESS = 2.0
#: the least weight: nobody is lost sight of
FLOOR = 0.05
#: a win rate begins as the skills have it, and counts as so many battles
PRIOR = 4.0
#: what a battle counts for once another has been fought against that opponent: the learner is not who it was
FADING = 0.98

_MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True)
class Skill:
    """How well somebody plays: ``mu``, and how sure that is, ``sigma``, on openskill's scale (25 and 8.33 to begin with)."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0

    @property
    def surely(self) -> float:
        """What it is at least, as good as surely."""
        return self.mu - 3.0 * self.sigma


def after(a: Skill, b: Skill, points: float) -> tuple[Skill, Skill]:
    """Two skills after a battle of which a got ``points``: 1 won, 0.5 drawn, 0 lost."""
    teams = [[_MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in (a, b)]
    (new_a,), (new_b,) = _MODEL.rate(teams, ranks=[1.0 - points, points])
    return Skill(new_a.mu, new_a.sigma), Skill(new_b.mu, new_b.sigma)


def expected(a: Skill, b: Skill) -> float:
    """The share of points that a may hope for against b, by their skills."""
    return float(_MODEL.predict_win([[_MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in (a, b)])[0])


def win_rate(points: float, battles: float, prior: float) -> float:
    """A win rate from battles fought and what was thought before, which counts as :data:`PRIOR` battles.

    >>> win_rate(6.0, 6.0, 0.5)
    0.8
    """
    return (points + PRIOR * prior) / (battles + PRIOR)


def urgency(rate: float) -> float:
    """The weight of an opponent that is beaten at this rate.

    >>> urgency(0.0), urgency(0.5), urgency(1.0)
    (1.0, 0.25, 0.05)
    """
    return float(max(FLOOR, (1.0 - rate) ** SHARPNESS))


def drawn(weights: Sequence[float], draw: random.Random) -> int:
    """A place in a list, each as often as its weight."""
    # random() is the method whose stream Python promises to keep across versions
    left = draw.random() * sum(weights)
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0.0:
            return place
    return len(weights) - 1


def keepers(worth: Sequence[float], keep: int) -> list[int]:
    """Which to keep of a row from the oldest to the latest: the best, the latest, and those that lie farthest from any kept.

    >>> keepers([1, 9, 2, 3, 4, 5, 6], 4)
    [1, 4, 5, 6]
    """
    count = len(worth)
    if keep >= count:
        return list(range(count))
    kept: list[int] = []
    for place in (max(range(count), key=lambda one: (worth[one], one)), count - 1)[:keep]:
        if place not in kept:
            kept.append(place)
    while len(kept) < keep:
        # of those as far away the better one
        rest = [place for place in range(count) if place not in kept]
        kept.append(max(rest, key=lambda one: (min(abs(one - other) for other in kept), worth[one])))
    return sorted(kept)


@dataclass(frozen=True, slots=True)
class Member:
    """An opponent: a policy by its ``code``, or a frozen self by the ``path`` of its model file."""

    name: str
    code: str = ""
    path: str = ""


@dataclass(slots=True)
class _Standing:
    """How the learner fares against a member; battles of long ago have faded."""

    member: Member
    skill: Skill
    battles: float = 0.0
    points: float = 0.0


@dataclass(slots=True)
class Pool:
    """The opponents of a learner, with how it fares against each. ``keep``: how many frozen selves at most.

    What is drawn follows from the draws, and from what has been reported, alone; :meth:`state` and :meth:`from_state` keep it
    all.
    """

    codes: Sequence[str] = ()
    keep: int = 20
    learner: Skill = Skill()
    _rows: dict[str, _Standing] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for code in self.codes:
            self._rows.setdefault(code, _Standing(Member(code, code), Skill()))

    @property
    def members(self) -> list[Member]:
        """Who is in it, the oldest first."""
        return [row.member for row in self._rows.values()]

    def rate(self, name: str) -> float:
        """The share of points that the learner may hope for against a member."""
        row = self._rows[name]
        return win_rate(row.points, row.battles, expected(self.learner, row.skill))

    def draw(self, draw: random.Random) -> Member:
        """An opponent: those more often that are beaten less. Raises :class:`ValueError` when nobody is in the pool."""
        if not self._rows:
            raise ValueError("nobody is in the pool")
        return self.members[drawn([urgency(self.rate(name)) for name in self._rows], draw)]

    def report(self, name: str, result: float) -> None:
        """A battle of the learner against a member: 1 won, 0.5 drawn, 0 lost. Members that have left since count no more."""
        row = self._rows.get(name)
        if row is None:
            return
        row.battles = FADING * row.battles + 1.0
        row.points = FADING * row.points + result
        self.learner, row.skill = after(self.learner, row.skill, result)

    def add_snapshot(self, path: str | Path) -> list[Member]:
        """Take in the learner as it is, by its model file. Returns who left for it: no new battle needs their files."""
        stem = name = Path(path).stem
        number = 1
        while name in self._rows:
            number += 1
            name = f"{stem}#{number}"
        self._rows[name] = _Standing(Member(name, path=str(path)), self.learner)
        return self.prune(self.keep)

    def prune(self, keep: int) -> list[Member]:
        """Keep so many frozen selves (see :func:`keepers`); policies by code all stay. Returns who left."""
        frozen = [name for name, row in self._rows.items() if row.member.path]
        kept = {frozen[place] for place in keepers([self._rows[name].skill.surely for name in frozen], keep)}
        return [self._rows.pop(name).member for name in frozen if name not in kept]

    def standings(self) -> list[dict[str, Any]]:
        """A row for each member: its name, the win rate against it, battles (faded), skill."""
        return [
            {"name": name, "win_rate": self.rate(name), "battles": row.battles, "mu": row.skill.mu, "sigma": row.skill.sigma}
            for name, row in self._rows.items()
        ]

    def state(self) -> dict[str, Any]:
        """All of it as JSON has it; numbers come back as they were."""
        rows = [
            [row.member.name, row.member.code, row.member.path, row.skill.mu, row.skill.sigma, row.battles, row.points]
            for row in self._rows.values()
        ]
        return {"keep": self.keep, "learner": [self.learner.mu, self.learner.sigma], "members": rows}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Pool:
        """The pool of a state. Raises KeyError, TypeError or ValueError for what is none."""
        pool = cls(keep=state["keep"], learner=Skill(*state["learner"]))
        for name, code, path, mu, sigma, battles, points in state["members"]:
            pool._rows[name] = _Standing(Member(name, code, path), Skill(mu, sigma), battles, points)
        return pool


__all__ = [
    "FLOOR", "PRIOR", "SHARPNESS", "Member", "Pool", "Skill", "after", "drawn", "expected", "keepers", "urgency", "win_rate",
]  # fmt: skip
