"""Markdown as chat programs read it, in pieces of a message each."""

from __future__ import annotations

import re

from opfor.report.posts.document import Line, Span
from opfor.report.posts.markup import Markup

_SPECIAL = re.compile(r"([\\*_~`|<>\[\]#])")
#: a name of an emoji in words, as :smile:
_SHORT = re.compile(r":(?=[\w+-]+:)")
#: what makes a list of a line that begins with it
_LIST = re.compile(r"^(\s*)([-+]|\d+(?=[.)]))")
#: seen by nobody, keeps a mention or an address from being one
_BREAK = "\u200b"


class Markdown(Markup):
    """Messages for chat."""

    name = "markdown"
    suffix = "md"
    tags = {  # noqa: RUF012
        "name": ("**", "**"),
        "strong": ("**", "**"),
        "why": ("*", "*"),
        "muted": ("*", "*"),
    }
    aside_line = ("-# ", "")
    title = ("**", "**")
    indent = "\u2003"

    def measure(self, text: str) -> int:
        """Units of UTF-16, as the strictest of these programs counts."""
        return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2

    def escape(self, text: str) -> str:
        """Text that makes no emphasis, no list, no link, no mention and no emoji."""
        text = _SPECIAL.sub(r"\\\1", text)
        text = _SHORT.sub(r"\\:", text)
        return text.replace("@", f"@{_BREAK}").replace("://", f":{_BREAK}//").replace("www.", f"www{_BREAK}.")

    def span(self, span: Span) -> str:
        """Emphasis holds only where it touches a letter; an order in words is code where no backtick is in it."""
        if span.style == "code" and span.text.strip() and "`" not in span.text:
            return f"`{self._in_code(span.text)}`"
        before, after = self.tags.get(span.style, ("", ""))
        body = span.text.strip() if before else span.text
        if not body:
            return span.text
        start, _, end = span.text.partition(body) if before else ("", "", "")
        return f"{start}{before}{self.words(body)}{after}{end}"

    def line(self, one: Line) -> str:
        """A line that begins no list."""
        body = "".join(map(self.span, one.spans))
        return self.indent * one.depth + (body if body.startswith("**") else _LIST.sub(r"\1\\\2", body))

    @staticmethod
    def _in_code(text: str) -> str:
        return text.replace("@", f"@{_BREAK}").replace("://", f":{_BREAK}//")
