"""Whether a text is well made in a markup: tags nested and closed, nothing of the text taken for one, limits kept.

Each check raises AssertionError with the place. ``read`` gives the text that a reader sees.
"""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

LIMITS = {"rpol": 51_200, "bbcode": 60_000, "markdown": 2_000}

_RPOL = re.compile(r"<(/?)([a-z]+)>")
_RPOL_TAGS = {"b", "i", "u", "small", "darkblue", "green"}
_BB = re.compile(r"\[(/?)(b|i|u|color|code|spoiler)((?:=#[0-9a-f]{6})?)\]")
_VOID = {"meta", "br", "line", "circle", "path", "polygon", "polyline", "rect", "ellipse", "use"}
_HTML_TAGS = {
    "html", "head", "title", "meta", "style", "body", "h1", "h2", "div", "p", "b", "i", "u", "code", "small", "bdi", "details",
    "summary", "figure", "svg",
}  # fmt: skip


def _nested(tokens: list[tuple[bool, str]], where: str) -> None:
    stack: list[str] = []
    for closes, tag in tokens:
        if not closes:
            stack.append(tag)
        else:
            assert stack and stack[-1] == tag, f"{tag} closed inside {stack}: {where}"
            stack.pop()
    assert not stack, f"{stack} left open: {where}"


def rpol(text: str) -> str:
    """RPoL."""
    assert len(text) <= LIMITS["rpol"]
    for row in text.split("\n"):
        found = list(_RPOL.finditer(row))
        assert all(m[2] in _RPOL_TAGS for m in found), row
        _nested([(bool(m[1]), m[2]) for m in found], row)
        rest = _RPOL.sub("", row)
        assert "<" not in rest and ">" not in rest, row
        assert not re.search(r"&(?!amp;|lt;|gt;)", rest), row
    return unescape(_RPOL.sub("", text))


def bbcode(text: str) -> str:
    """BBCode."""
    assert len(text) <= LIMITS["bbcode"]
    found = list(_BB.finditer(text))
    _nested([(bool(m[1]), m[2]) for m in found], text[:200])
    rest = _BB.sub("", text)
    assert not re.search("\\[(?!\u2060)", rest), rest
    for block in re.findall(r"\[code\](.*?)\[/code\]", text, re.DOTALL):
        assert not _BB.search(block)
    assert "://" not in rest
    return rest.replace("\u2060", "")


def markdown(text: str) -> str:
    """Markdown of a chat program: emphasis closed in its line, no list, no heading, no mention."""
    assert len(text) <= LIMITS["markdown"]
    assert len(text.encode("utf-16-le")) // 2 <= LIMITS["markdown"]
    seen = []
    for row in text.split("\n"):
        body = row.removeprefix("-# ")
        assert not re.match(r"\s*([-+*] |#|>|\d+[.)])", body), row
        seen.append(_markdown_row(body))
    plain = "\n".join(seen)
    assert not re.search("@(?!\u200b)", plain)
    return plain.replace("\u200b", "")


def _markdown_row(row: str) -> str:
    stack: list[str] = []
    plain = ""
    at = 0
    while at < len(row):
        one = row[at]
        if stack and stack[-1] == "`":
            if one == "`":
                stack.pop()
            else:
                plain += one
        elif one == "\\":
            at += 1
            assert row[at] in "\\*_~`|<>[]#:-+" or row[at].isdigit(), row
            plain += row[at]
        elif one == "`":
            stack.append("`")
        elif one == "*":
            mark = "**" if row.startswith("**", at) else "*"
            at += len(mark) - 1
            if stack and stack[-1] == mark:
                assert row[at - len(mark)] not in " \t", f"no end of emphasis: {row}"
                stack.pop()
            else:
                assert not stack and at + 1 < len(row) and not row[at + 1].isspace(), f"no beginning of emphasis: {row}"
                stack.append(mark)
        else:
            assert one not in "_~|<>[]#", f"{one} is not escaped: {row}"
            plain += one
        at += 1
    assert not stack, f"{stack} left open: {row}"
    return plain


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if "svg" not in self.stack and tag != "svg":
            assert tag in _HTML_TAGS, tag
            assert all(key in ("class", "lang", "charset") for key, _ in attrs), attrs
        else:
            assert tag not in ("script", "foreignobject", "image", "a"), tag
            assert not [key for key, value in attrs if key.startswith("on") or "javascript" in (value or "")]
        if tag not in _VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self.stack and self.stack[-1] == tag, f"{tag} closed inside {self.stack}"
            self.stack.pop()

    def handle_data(self, data: str) -> None:
        if "svg" not in self.stack and "style" not in self.stack:
            self.text.append(data)


def html(text: str) -> str:
    """A page."""
    page = _Page()
    page.feed(text)
    page.close()
    assert not page.stack
    return "".join(page.text)


def plain(text: str) -> str:
    """Plain text."""
    for row in text.splitlines():
        assert not row or row[0] in " #" or ": " in row, row
    return text


CHECKS = {"rpol": rpol, "bbcode": bbcode, "markdown": markdown, "html": html, "text": plain}
