"""Orders as text for the game master alone: the notes, the bare orders, and all of it for the terminal.

Every order stands at the beginning of a line, in the notation that ``opfor apply`` reads; all else is indented or begins
with ``#``, which it passes over. So each of these texts can be applied as it is. Posts for players:
:mod:`opfor.report.posts.post`.
"""

from __future__ import annotations

import json

from opfor.report.advice import Advice, Advised
from opfor.report.posts.document import clean

PAD = "   "


def heading(advice: Advice) -> str:
    """The headline of a phase."""
    line = f"# {advice.name}: Op Force, turn {advice.turn}, {advice.phase}"
    if advice.waiting:
        line += f" (still to act: {', '.join(advice.waiting)})"
    return line


def notes_text(advice: Advice) -> str:
    """For the game master alone: reasons, odds, doubts."""
    lines = [
        f"# {advice.name}, turn {advice.turn}, {advice.phase}: for the game master, not for players",
        f"# policy {advice.policy}, seed {advice.seed}, rules {advice.rules}",
        *(f"# {words}" for words in advice.told),
    ]
    for one in advice.advised:
        lines += ["", f"{one.order.unit}: {one.words}", *private_lines(one)]
    lines += [
        "",
        *(f"# default: {words}" for words in advice.defaults),
        *(f"# open: {words}" for words in advice.questions),
        "",
    ]
    return "\n".join(map(clean, lines))


def orders_text(advice: Advice) -> str:
    """The bare orders, one a line."""
    return "".join(f"{one.order.unit}: {one.words}\n" for one in advice.advised)


def whole_text(advice: Advice) -> str:
    """Everything the game master wants to see at once: what the terminal shows."""
    lines = [heading(advice)]
    for one in advice.advised:
        lines += [
            "",
            f"{one.order.unit}: {one.words}",
            *open_lines(one),
            *([f"{PAD}note: hidden from the players"] if one.hidden else []),
            *private_lines(one),
        ]
    if not advice.advised:
        lines.append("# nobody of the Op Force has anything to do in this phase")
    lines += [f"# lands in the physical phase: {words}" for words in advice.landing]
    rolls = advice.document.get("rolls")
    if advice.landing and isinstance(rolls, list):
        lines += [f"#   {row['dice']} for {row['why']}" for row in rolls if not row["unit"]]
    lines.append("")
    if advice.defaults:
        lines.append(f"# taken as default: {'; '.join(advice.defaults)}")
    lines += [f"# open: {question}" for question in advice.questions]
    lines += [f"# {words}" for words in advice.told]
    lines.append(f"# policy {advice.policy}, seed {advice.seed}, rules {advice.rules}")
    return "\n".join([*map(clean, lines), ""])


def open_lines(one: Advised) -> list[str]:
    """Movement, heat, target numbers and rolls of an order, without the order itself."""
    lines = [f"{PAD}{one.title}; {', '.join(one.facts)}"] if one.facts else []
    for attempt in one.attempts:
        need = f"needs {attempt.sum.words}" if attempt.sum.needs is not None else f"impossible: {attempt.sum.words}"
        lines.append(f"{PAD}{attempt.sum.what} at {attempt.target}, {hexes(attempt.distance)}: {need}")
        lines.append(f"{PAD}  on a hit: {attempt.on_hit}")
    for roll in one.rolls:
        need = f"roll 2d6 {roll.what}: needs {roll.needs}" if roll.needs is not None else f"{roll.what}: fails"
        lines.append(f"{PAD}{need}: {roll.words}")
    return lines


def private_lines(one: Advised) -> list[str]:
    """Odds, reason and notes of an order: for the game master alone."""
    lines = []
    if one.attempts:
        odds = ", ".join(f"{a.sum.what.partition(' aimed')[0]} {a.odds:.0%}" for a in one.attempts)
        lines.append(f"{PAD}odds: {odds}; expected damage {sum(a.expected for a in one.attempts):.1f}")
    if one.reason:
        lines.append(f"{PAD}why: {one.reason}")
    if one.outlook:
        first = one.outlook[0]
        lines.append(f"{PAD}from there, at {first.target}, {hexes(first.distance)}:")
        lines += [f"{PAD}  {a.sum.what} needs {a.sum.words}; {a.odds:.0%}" for a in one.outlook]
    lines += [f"{PAD}note: {note}" for note in one.notes]
    return lines


def hexes(count: int) -> str:
    """A distance in words."""
    return f"{count} hex" if count == 1 else f"{count} hexes"


def as_json(advice: Advice) -> str:
    """The JSON document, with odds and reasons."""
    return json.dumps(advice.document, indent=1, ensure_ascii=False) + "\n"
