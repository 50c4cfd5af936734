"""RPoL's markup: tags in angle brackets, colours as tags, every tag closed."""

from __future__ import annotations

from opfor.report.posts.markup import Markup


class RPoL(Markup):
    """Posts for rpol.net."""

    name = "rpol"
    tags = {  # noqa: RUF012
        "name": ("<b><darkblue>", "</darkblue></b>"),
        "strong": ("<b>", "</b>"),
        "why": ("<i>", "</i>"),
        "code": ("<green>", "</green>"),
        "muted": ("<small>", "</small>"),
    }
    aside_line = ("<small>", "</small>")
    title = ("<b><u>", "</u></b>")

    def escape(self, text: str) -> str:
        """Text without a tag or an entity of its own."""
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
