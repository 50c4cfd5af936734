"""A page of its own: the orders and the map, no scripts, nothing fetched from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from opfor.report.posts.document import Document, Entry, Line
from opfor.report.posts.markup import Markup

_STYLE = """\
body { font: 15px/1.45 Verdana, "DejaVu Sans", Arial, sans-serif; margin: 1.5em auto; max-width: 60em; padding: 0 1em }
body { color: #222 }
h1 { font-size: 1.3em } .unit { margin: 0 0 .9em } .unit p, .unit h2 { margin: 0; overflow-wrap: anywhere }
h2 { font-size: 1.1em } b.name { color: #1f3a93 } code { color: #1e6b34 } p.in { padding-left: 1.5em }
details { padding-left: 1.5em; color: #555 } svg { max-width: 100%; height: auto }"""


class Html(Markup):
    """One page."""

    name = "html"
    suffix = "html"
    tags = {  # noqa: RUF012
        "name": ('<b class="name">', "</b>"),
        "strong": ("<b>", "</b>"),
        "why": ("<i>", "</i>"),
        "code": ("<code>", "</code>"),
        "muted": ("<small>", "</small>"),
    }
    indent = ""

    def escape(self, text: str) -> str:
        """Text without a tag or an entity of its own."""
        return escape(text)

    def words(self, text: str) -> str:
        """Escaped text; what runs from right to left turns nothing else round."""
        plain = self.escape(text)
        return plain if text.isascii() else f"<bdi>{plain}</bdi>"

    def line(self, one: Line) -> str:
        """A paragraph."""
        start = '<p class="in">' if one.depth else "<p>"
        return f"{start}{''.join(map(self.span, one.spans))}</p>"

    def aside(self, lines: Sequence[Line]) -> str:
        """The working, folded away."""
        return "\n".join(["<details><summary>working</summary>", *map(self.line, lines), "</details>"])

    def entry(self, entry: Entry) -> str:
        """A block."""
        if entry.title:
            head = f"<h2>{''.join(map(self.span, entry.head.spans))}</h2>"
        else:
            head = self.line(entry.head)
        body = [head, *map(self.line, entry.lines), *([self.aside(entry.aside)] if entry.aside else [])]
        return "\n".join(['<div class="unit">', *body, "</div>"])

    def heading(self, words: str) -> str:
        """The page's heading."""
        return f"<h1>{self.words(words)}</h1>"

    def piece(self, heading: str, entries: Sequence[str], document: Document) -> str:
        """The whole page."""
        head = f'<meta charset="utf-8">\n<title>{self.escape(heading)}</title>\n<style>\n{_STYLE}\n</style>'
        picture = [f"<figure>\n{document.map.strip()}\n</figure>"] if document.map else []
        body = "\n".join([self.heading(heading), *picture, *entries])
        return f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}\n</head>\n<body>\n{body}\n</body>\n</html>\n'
