"""What of the rules a set of replays has exercised, and what that can occur was never seen.

Counted from orders and events alone (:mod:`opfor.gm.rulebook.exercised_tally`): by rule, by kind of event, by named row of
target numbers, and by what the tables hold. What can occur stands in :mod:`opfor.gm.rulebook.exercised_possible`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from opfor.errors import InputError
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.orders import order_from_dict
from opfor.formats.replay import FORMAT
from opfor.gm.rulebook.exercised_possible import event_names, possible
from opfor.gm.rulebook.exercised_tally import Counts, Tally
from opfor.rules.events import Event


@dataclass
class Group:
    """Things that can occur, and how often each was seen. What is seen beyond ``possible`` is kept too."""

    name: str
    possible: tuple[str, ...]
    seen: Counter[str] = field(default_factory=Counter)

    @property
    def never(self) -> list[str]:
        """What can occur and was not seen, in the order of the tables."""
        return [one for one in self.possible if one not in self.seen]

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        return {"name": self.name, "seen": dict(sorted(self.seen.items())), "possible": len(self.possible), "never": self.never}


class Exercised:
    """Counts over any number of replays: :meth:`read` each (or :meth:`add` counts), then :meth:`as_dict` or :meth:`words`."""

    def __init__(self) -> None:
        self.replays = 0
        self.turns = 0
        self.events = 0
        self.groups = {name: Group(name, entries) for name, entries in possible().items()}

    def read(self, text: str, *, source: str = "replay") -> None:
        """Count one replay. Raises :class:`InputError` when it is none."""
        rows = list(_rows(text, source))
        if not rows or not isinstance(rows[0][1], dict) or rows[0][1].get("opfor_replay") != FORMAT:
            raise InputError(f"is no replay of format {FORMAT}", source=source, place="line 1")
        state = read_battle(json.dumps(rows[0][1]["battle"]), source=source).state
        tally = Tally()
        tally.begin(state)
        for number, row in rows[1:]:
            if "order" not in row:
                continue
            try:
                order = order_from_dict(row["order"], state)
            except InputError as error:
                raise InputError(error.message, source=source, place=f"line {number}", hint=error.hint) from None
            tally.ordered(order)
            tally.happened(order, [_event(event) for event in row.get("events", ())])
        self.replays += 1
        self.turns += tally.turns
        self.events += tally.events
        self.add(tally.counts())

    def add(self, counts: Counts) -> None:
        """Add what was counted elsewhere."""
        for name, entries in counts.items():
            self.groups.setdefault(name, Group(name, ())).seen.update(entries)

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        return {
            "replays": self.replays,
            "turns": self.turns,
            "events": self.events,
            "groups": [group.as_dict() for group in self.groups.values()],
        }

    def words(self) -> list[str]:
        """What was seen and what never, as lines."""
        lines = [f"{self.replays} {'replay' if self.replays == 1 else 'replays'}, {self.turns} turns, {self.events} events"]
        for group in self.groups.values():
            met = len(group.possible) - len(group.never)
            head = (
                f"{group.name}: {met} of {len(group.possible)} seen"
                if group.possible
                else f"{group.name}: {len(group.seen)} seen"
            )
            lines += ["", head]
            if group.seen:
                lines.append("   " + ", ".join(f"{name} {count}" for name, count in group.seen.most_common()))
            if group.never:
                lines.append("   never: " + ", ".join(group.never))
        return lines


def _rows(text: str, source: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(f"is not JSON: {error.msg}", source=source, place=f"line {number}") from None


def _event(row: dict[str, Any]) -> Event:
    return Event(row["event"], row["unit"], row["rule"], row)


__all__ = ["Exercised", "Group", "event_names"]
