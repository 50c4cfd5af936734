"""The parts of docs/environments.md that are made from the program: the ids, the questions, what is known of their options."""

from __future__ import annotations

import re
from collections.abc import Mapping

from envs.actions import PART
from envs.registration import IDS
from envs.scenarios import named_scenario
from opfor.game.legal.choices import FACTS, QUESTIONS


def ids_table() -> str:
    """Every id with the battles that it plays."""
    rows = ["| id | battles |", "|---|---|"]
    for id, scenario in IDS.items():
        about = named_scenario(scenario).about if scenario else "one battle file, `battle=PATH`, under its own ruleset."
        rows.append(f"| `{id}` | {about} |")
    return "\n".join(rows)


def questions_table() -> str:
    """Every question that an agent may be asked."""
    return _table("question", {**QUESTIONS, PART: "which part of the options, where there are more than one step can offer"})


def facts_table() -> str:
    """Everything that may be known of an option."""
    return _table("fact", FACTS)


def _table(head: str, rows: Mapping[str, str]) -> str:
    return "\n".join([f"| {head} | what it is |", "|---|---|", *(f"| `{name}` | {what} |" for name, what in rows.items())])


#: what stands between ``<!-- made: NAME -->`` and ``<!-- end -->``
PARTS = {"ids": ids_table, "questions": questions_table, "facts": facts_table}
_PLACE = re.compile(r"<!-- made: (\w+) -->.*?<!-- end -->", re.DOTALL)


def with_parts(page: str) -> str:
    """The page with its parts as they are made now. Raises :class:`ValueError` for a page that lacks the place for one."""
    missing = PARTS.keys() - set(_PLACE.findall(page))
    if missing:
        raise ValueError(f"the page has no place for {', '.join(sorted(missing))}")
    return _PLACE.sub(lambda found: f"<!-- made: {found[1]} -->\n\n{PARTS[found[1]]()}\n\n<!-- end -->", page)


__all__ = ["PARTS", "facts_table", "ids_table", "questions_table", "with_parts"]
