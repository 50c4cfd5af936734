"""What the markups share: a markup turns lines of a document into its own text, and escapes every word of it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from opfor.report.posts.document import Document, Entry, Line, Span, line, runs_leftward
from opfor.tables import table

#: markups by name: the module of :mod:`opfor.report` that writes each
MARKUPS = {
    "rpol": "rpol.RPoL",
    "bbcode": "bbcode.BBCode",
    "markdown": "markdown.Markdown",
    "html": "html.Html",
    "text": "plain.Plain",
}


class Markup:
    """A markup. Subclasses escape text and write emphasis; each line opens and closes its own tags."""

    name = ""
    suffix = "txt"
    #: pairs of tags by emphasis
    tags: dict[str, tuple[str, str]] = {}  # noqa: RUF012
    #: pair of tags around a line of an aside, and around all of it
    aside_line = ("", "")
    aside_all = ("", "")
    title = ("", "")
    indent = "   "

    @property
    def limit(self) -> int:
        """The most that a piece holds, as :meth:`measure` counts; 0 for no limit."""
        return int(table("markups")["limits"][self.name])

    def measure(self, text: str) -> int:
        """How much of the limit a text takes: its bytes, which are never fewer than its characters."""
        return len(text) if text.isascii() else len(text.encode("utf-8"))

    def escape(self, text: str) -> str:
        """Text that stands for itself in the markup."""
        raise NotImplementedError

    def words(self, text: str) -> str:
        """Escaped text; what runs from right to left is kept from turning its surroundings round."""
        return f"\u2068{self.escape(text)}\u2069" if runs_leftward(text) else self.escape(text)

    def span(self, span: Span) -> str:
        """Text with its emphasis."""
        before, after = self.tags.get(span.style, ("", ""))
        return f"{before}{self.words(span.text)}{after}"

    def line(self, one: Line) -> str:
        """A line with its tags closed."""
        return self.indent * one.depth + "".join(map(self.span, one.spans))

    def aside(self, lines: Sequence[Line]) -> str:
        """Lines that many readers skip."""
        before, after = self.aside_line
        return self.aside_all[0] + "\n".join(f"{before}{self.line(one)}{after}" for one in lines) + self.aside_all[1]

    def entry(self, entry: Entry) -> str:
        """An entry whole."""
        head = self.line(entry.head)
        if entry.title:
            head = f"{self.title[0]}{head}{self.title[1]}"
        body = [head, *map(self.line, entry.lines)]
        if entry.aside:
            body.append(self.aside(entry.aside))
        return "\n".join(body)

    def heading(self, words: str) -> str:
        """The heading of a piece."""
        return f"{self.title[0]}{self.line(line(words.strip()))}{self.title[1]}"

    def piece(self, heading: str, entries: Sequence[str], document: Document) -> str:
        """A whole piece, of entries already written."""
        return "\n\n".join([self.heading(heading), *entries]) + "\n"


def markup_named(name: str) -> Markup:
    """A markup by its name, one of :data:`MARKUPS`; its module is loaded only now."""
    module, _, kind = MARKUPS[name].partition(".")
    made: Markup = getattr(import_module(f"opfor.report.posts.{module}"), kind)()
    return made
