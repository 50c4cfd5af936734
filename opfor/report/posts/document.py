"""A post as a document: a heading, and entries that stay together. Its text is plain; markups write it, and escape all of it.

Text from battle files may hold anything: :func:`clean` takes out what would break lines or turn writing round.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

#: joins emoji; every other invisible character goes
_JOINER = "\u200d"
_ELLIPSIS = "…"


def clean(text: str, most: int = 0) -> str:
    r"""One line of text: control characters and line breaks become spaces, invisible and direction marks are left out.

    ``most``: characters kept, 0 for all.

    >>> clean("Night\u202e\nHawk")
    'Night Hawk'
    """
    if text.isascii() and text.isprintable():
        found = text
    else:
        found = "".join(map(_character, text))
    return found if not most or len(found) <= most else found[: most - 1] + _ELLIPSIS


def _character(one: str) -> str:
    kind = unicodedata.category(one)
    if kind in ("Cc", "Zl", "Zp"):
        return " "
    if kind == "Cs":
        return "\ufffd"
    return "" if kind == "Cf" and one != _JOINER else one


def runs_leftward(text: str) -> bool:
    """Whether a text holds letters that are written from right to left."""
    return not text.isascii() and any(unicodedata.bidirectional(one) in ("R", "AL", "AN") for one in text)


@dataclass(frozen=True, slots=True)
class Span:
    """Text with an emphasis: "" for none, name (a unit), strong, why, code (an order in words), muted."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line; ``depth`` is how far it is set in."""

    spans: tuple[Span, ...]
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """Lines that stay together, as far as they fit in one piece. ``label`` names them where they go on in the next one.

    ``aside`` is what many readers skip (the working). ``order``: a unit's id and its order, for the markup that
    ``opfor apply`` reads; ``plain`` is what that markup writes below it in place of ``head``.
    """

    label: str
    head: Line
    lines: tuple[Line, ...] = ()
    aside: tuple[Line, ...] = ()
    order: tuple[str, str] | None = None
    plain: str = ""
    #: it begins a part of the document, with its head for a title
    title: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A heading and entries. ``map`` is a picture as SVG, which escapes its own text, for markups that can show one."""

    heading: str
    entries: tuple[Entry, ...]
    map: str = ""


def line(*parts: str | Span, depth: int = 0) -> Line:
    """A line of cleaned text: words as they are, or with an emphasis."""
    spans = (Span(part) if isinstance(part, str) else part for part in parts)
    return Line(tuple(Span(clean(span.text), span.style) for span in spans if span.text), depth)
