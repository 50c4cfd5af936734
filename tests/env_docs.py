"""The part of docs/environments.md that is made from the program: the questions, and what is known of their options."""

from __future__ import annotations

from envs.actions import PART
from opfor.game.legal.choices import FACTS, QUESTIONS

BEGIN = "<!-- made from the program: python -m tests.regenerate_docs -->"
END = "<!-- end -->"


def questions_section() -> str:
    """The two tables."""
    questions = {**QUESTIONS, PART: "which part of the options, where there are more than one step can offer"}
    lines = ["| question | what its options are |", "|---|---|"]
    lines += [f"| `{name}` | {what} |" for name, what in questions.items()]
    lines += ["", "Facts of options, where a question has them:", "", "| fact | what it is |", "|---|---|"]
    lines += [f"| `{name}` | {what} |" for name, what in FACTS.items()]
    return "\n".join(lines)


def with_section(page: str) -> str:
    """The page with the section as it is made now. Raises :class:`ValueError` for a page that has no place for it."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError("the page has no place for what is made from the program")
    return f"{before}{BEGIN}\n\n{questions_section()}\n\n{END}{after}"


__all__ = ["BEGIN", "END", "questions_section", "with_section"]
