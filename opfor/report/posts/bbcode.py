"""BBCode: tags in square brackets, as most boards know them."""

from __future__ import annotations

from collections.abc import Sequence

from opfor.report.posts.document import Line
from opfor.report.posts.markup import Markup

#: breaks a word without being seen: no board takes what follows for a tag or an address
_BREAK = "\u2060"


class BBCode(Markup):
    """Posts for boards with BBCode. It has no way to escape a bracket: an invisible character keeps it from being a tag."""

    name = "bbcode"
    tags = {  # noqa: RUF012
        "name": ("[color=#1f3a93][b]", "[/b][/color]"),
        "strong": ("[b]", "[/b]"),
        "why": ("[i]", "[/i]"),
        "code": ("[color=#1e6b34]", "[/color]"),
        "muted": ("[i]", "[/i]"),
    }
    aside_all = ("[spoiler][code]", "[/code][/spoiler]")
    title = ("[b][u]", "[/u][/b]")

    def escape(self, text: str) -> str:
        """Text without a tag or an address of its own."""
        return text.replace("[", f"[{_BREAK}").replace("://", f":{_BREAK}//").replace("@", f"@{_BREAK}")

    def aside(self, lines: Sequence[Line]) -> str:
        """The working, hidden until it is asked for; no tag works inside."""
        rows = (self.indent * one.depth + "".join(self.words(span.text) for span in one.spans) for one in lines)
        return self.aside_all[0] + "\n".join(rows) + self.aside_all[1]
