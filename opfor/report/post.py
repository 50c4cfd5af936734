"""Orders as text: the post for players, the working, the game master's notes, and all of it for the terminal.

Every order stands at the beginning of a line, in the notation that ``opfor apply`` reads; all else is indented or begins
with ``#``, which it passes over. So each of these texts can be applied as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from opfor.report.advice import Advice, Advised, Published, publish

PAD = "   "


def heading(advice: Advice) -> str:
    """The headline of a phase."""
    line = f"# {advice.name}: Op Force, turn {advice.turn}, {advice.phase}"
    if advice.waiting:
        line += f" (still to act: {', '.join(advice.waiting)})"
    return line


def post_text(head: str, orders: Iterable[Published], rules: str) -> str:
    """The post: orders, movement and target numbers. Given only what players may read."""
    lines = [head]
    for one in orders:
        if one.announced:
            lines += ["", f"# {one.unit} announces {one.announced}"]
            continue
        lines += ["", f"{one.unit}: {one.words}"]
        if one.facts:
            lines.append(f"{PAD}{one.title}; {', '.join(one.facts)}")
        for attempt in one.attempts:
            need = f"needs {attempt.words}" if attempt.needs is not None else f"impossible: {attempt.words}"
            lines.append(f"{PAD}{attempt.what} at {attempt.target}, {_hexes(attempt.distance)}: {need}")
            lines.append(f"{PAD}  on a hit: {attempt.on_hit}")
        for what, needs, words in one.rolls:
            lines.append(
                f"{PAD}roll 2d6 {what}: needs {needs}: {words}" if needs is not None else f"{PAD}{what}: fails: {words}"
            )
    return "\n".join([*lines, "", f"# Rules: {rules}", ""])


def working_text(advice: Advice) -> str:
    """Every sum, part by part, each with its rule; nothing of units that the players do not know of."""
    lines = [heading(advice), "# each part of a sum with the rule that makes it"]
    for one in advice.advised:
        if one.hidden or one.announced:
            continue
        lines += ["", f"{one.order.unit}: {one.words}"]
        sums = [(a.sum, f" at {a.target}, {_hexes(a.distance)}") for a in one.attempts] + [(roll, "") for roll in one.rolls]
        for found, where in sums:
            lines.append(f"{PAD}{found.what}{where}")
            if found.needs is None:
                lines.append(f"{PAD}{PAD}impossible: {found.words}")
                continue
            for part in found.data["modifiers"]:
                lines.append(f"{PAD}{PAD}{part['value']:+d}  {part['what']} [{part['rule']}]")
            lines.append(f"{PAD}{PAD}={found.needs}")
    return "\n".join([*lines, ""])


def notes_text(advice: Advice) -> str:
    """For the game master alone: reasons, odds, doubts."""
    lines = [
        f"# {advice.name}, turn {advice.turn}, {advice.phase}: for the game master, not for players",
        f"# policy {advice.policy}, seed {advice.seed}, rules {advice.rules}",
    ]
    for one in advice.advised:
        lines += ["", f"{one.order.unit}: {one.words}", *private_lines(one)]
    lines += [
        "",
        *(f"# default: {words}" for words in advice.defaults),
        *(f"# open: {words}" for words in advice.questions),
        "",
    ]
    return "\n".join(lines)


def orders_text(advice: Advice) -> str:
    """The bare orders, one a line."""
    return "".join(f"{one.order.unit}: {one.words}\n" for one in advice.advised)


def whole_text(advice: Advice) -> str:
    """Everything the game master wants to see at once: what the terminal shows."""
    lines = [heading(advice)]
    for one in advice.advised:
        shown = post_text("", [publish(one)], "").splitlines()[2:-2]
        if one.announced:
            shown = [f"{one.order.unit}: {one.words}", f"{PAD}{one.title}; {', '.join(one.facts)}"]
        lines += ["", *shown, *([f"{PAD}note: hidden from the players"] if one.hidden else []), *private_lines(one)]
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
    lines.append(f"# policy {advice.policy}, seed {advice.seed}, rules {advice.rules}")
    return "\n".join([*lines, ""])


def public_lines(one: Advised) -> list[str]:
    """What anybody may read of an order, without the order itself."""
    return post_text("", [publish(one)], "").splitlines()[3:-2]


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
        lines.append(f"{PAD}from there, at {first.target}, {_hexes(first.distance)}:")
        lines += [f"{PAD}  {a.sum.what} needs {a.sum.words}; {a.odds:.0%}" for a in one.outlook]
    lines += [f"{PAD}note: {note}" for note in one.notes]
    return lines


def _hexes(count: int) -> str:
    return f"{count} hex" if count == 1 else f"{count} hexes"


def as_json(advice: Advice) -> str:
    """The published JSON document."""
    return json.dumps(advice.document, indent=1, ensure_ascii=False) + "\n"


#: forms that ``opfor orders --format`` knows: each turns an advice into text. Add a form by adding a line.
RENDERERS: dict[str, Callable[[Advice], str]] = {"text": whole_text, "json": as_json}
