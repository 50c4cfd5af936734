"""Plain text that ``opfor apply`` reads: orders at the beginning of lines, all else set in or behind a ``#``."""

from __future__ import annotations

from opfor.report.posts.document import Entry
from opfor.report.posts.markup import Markup


class Plain(Markup):
    """Text without any marks."""

    name = "text"
    title = ("# ", "")

    def escape(self, text: str) -> str:
        """Text as it is."""
        return text

    def words(self, text: str) -> str:
        """Text as it is, whichever way it runs: a unit's name must stay what it is."""
        return text

    def entry(self, entry: Entry) -> str:
        """An entry; an order stands where it is looked for."""
        if entry.order is None:
            lines = [f"# {self.line(entry.head)}"]
        else:
            lines = [f"{entry.order[0]}: {entry.order[1]}", *([f"{self.indent}{entry.plain}"] if entry.plain else [])]
        lines += [self.indent + self.line(one) for one in entry.lines]
        lines += [self.indent * 2 + self.line(one) for one in entry.aside]
        return "\n".join(lines)
