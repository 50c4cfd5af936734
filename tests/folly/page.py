"""The page docs/folly.md, made from the folly list and from what the policies order in it."""

from __future__ import annotations

from opfor.formats.words.notation import order_in_words
from tests.folly.position import JUDGED, SHOWN, Position, answers, positions
from tests.folly.verdicts import verdict, wrong

_TITLES = {
    "movement": "Movement",
    "fire": "Fire",
    "physical": "Physical attacks",
    "kinds": "Vehicles, VTOLs, infantry",
    "objectives": "Objectives and what a side has been told",
    "campaign": "The campaign's turn and MWII's",
}
_HEAD = """# The folly list

Positions in which a sensible player does something, or leaves it, each with the reason; made from `tests/cases/folly/*.yaml`
and from what the policies order there. A dot: no folly. **folly**: the policy does what the line warns of, or leaves what it
asks for. Every position that does not name its ruleset is asked under `standard`, `campaign` and `mwii`.

The commander is held to all of them, the veteran to all but those listed as its known misses. Princess stands beside them to
compare: it plays like the bot that people know, errors included ([princess](princess.md)), so its follies are part of it.

To add one: a few lines of YAML with `id`, `why`, `given` (as in [a worked case](testing.md)), `never` or `must` with the
predicates of `tests/folly/predicates.py`; `tests/test_folly.py` holds the policies to it, and checks that both folly and sense
are legal there. `python -m tests.regenerate_docs` makes this page anew.
"""


def folly_page() -> str:
    """The whole page."""
    policies = (*JUDGED, *SHOWN)
    lines = [_HEAD]
    listed = list(positions().values())
    lines += [f"| | {' | '.join(f'`{name}`' for name in policies)} |", "|---|" + "---|" * len(policies)]
    counts = [sum(1 for position in listed if verdict(position, name)) for name in policies]
    lines += [f"| follies in {len(listed)} positions | {' | '.join(str(count) for count in counts)} |", ""]
    for family, title in _TITLES.items():
        rows = [position for position in listed if position.family == family]
        lines += [f"## {title}", "", f"| position | why | {' | '.join(f'`{name}`' for name in policies)} |"]
        lines.append("|---|---|" + "---|" * len(policies))
        for position in rows:
            found = ["**folly**" if verdict(position, name) else "·" for name in policies]
            lines.append(f"| {position.id} | {position.why} | {' | '.join(found)} |")
        lines.append("")
    for name in (*JUDGED, *SHOWN):
        said = [_told(position, name) for position in listed if verdict(position, name)]
        if said:
            lines += [f"## What `{name}` does there", "", *said, ""]
    return "\n".join(lines)


def _told(position: Position, policy: str) -> str:
    """One line on a folly: the order in words, its reason, and why it is a known miss where it is one."""
    answer = next(answer for answer in answers(position, policy) if wrong(position, answer))
    words = f"* {position.id}: `{order_in_words(answer.order, answer.state)}` ({answer.order.reason})"
    known = position.known_misses.get(policy.partition(":")[0])
    return f"{words}. Known: {known}" if known else words
