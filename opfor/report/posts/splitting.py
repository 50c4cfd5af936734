"""A document in pieces that a post may hold: entries whole wherever they fit, and every tag closed in each piece."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from opfor.report.posts.document import Document, Entry, Line, Span, clean, line
from opfor.report.posts.markup import Markup

_WORD = re.compile(r"\S+\s*|\s+")
#: the widest words behind a heading that a piece may have
_WIDEST = ", piece 999 of 999"


def pieces(document: Document, markup: Markup) -> list[str]:
    """The document in the markup: one text a post, at least one, each with the heading and its number where there are several.

    An entry is broken only where it is longer than a whole piece, then at a line, and a line only where it alone is.
    """
    heading = clean(document.heading).strip()
    if not markup.limit:
        return [markup.piece(heading, [markup.entry(entry) for entry in document.entries], document)]
    bare = Document(document.heading, ())
    room = markup.limit - markup.measure(markup.piece(heading + _WIDEST, [], bare))
    if room < markup.limit // 4:
        raise ValueError("the heading leaves no room for anything")
    parts: list[list[str]] = [[]]
    used = 0
    for written, size in _blocks(document, markup, room):
        if parts[-1] and used + size > room:
            parts.append([])
            used = 0
        parts[-1].append(written)
        used += size
    if len(parts) == 1:
        return [markup.piece(heading, parts[0], document)]
    return [markup.piece(f"{heading}, piece {n} of {len(parts)}", part, document) for n, part in enumerate(parts, start=1)]


def _blocks(document: Document, markup: Markup, room: int) -> Iterator[tuple[str, int]]:
    """Entries as written, each with what it takes of the room; those that are longer than it in parts."""

    def size(entry: Entry) -> int:
        # two line feeds stand before each
        return markup.measure(markup.entry(entry)) + 2

    for entry in document.entries:
        for part in [entry] if size(entry) <= room else _broken(entry, lambda one: size(one) <= room):
            written = markup.entry(part)
            yield written, markup.measure(written) + 2


def _broken(entry: Entry, fits: Callable[[Entry], bool]) -> Iterator[Entry]:
    """An entry in parts that fit, broken between lines; each after the first is named and told to go on."""
    bare = Entry(entry.label, entry.head, order=entry.order, title=entry.title)
    goes_on = line(Span(clean(entry.label, 40), "name"), " (continued)")
    following = Entry(entry.label, goes_on)
    if fits(bare):
        part = bare
    else:
        heads = list(_broken_line(entry.head, lambda one: fits(replace(bare, head=one, title=False))))
        for head in heads[:-1]:
            yield replace(bare, head=head, title=False)
        part = replace(bare, head=heads[-1], title=False)
    for index, one in enumerate((*entry.lines, *entry.aside)):
        aside = index >= len(entry.lines)
        rows = [one]
        if not fits(_with(following, one, aside)):
            rows = list(_broken_line(one, lambda shorter: fits(_with(following, shorter, aside))))  # noqa: B023
        for row in rows:
            longer = _with(part, row, aside)
            if fits(longer):
                part = longer
            else:
                yield part
                part = _with(following, row, aside)
    yield part


def _with(entry: Entry, one: Line, aside: bool) -> Entry:
    """An entry with one more line."""
    return replace(entry, aside=(*entry.aside, one)) if aside else replace(entry, lines=(*entry.lines, one))


def _broken_line(one: Line, fits: Callable[[Line], bool]) -> Iterator[Line]:
    """A line in parts that fit, broken between words, or inside of one that is too long by itself."""
    held: list[Span] = []
    for span in one.spans:
        rest = _WORD.findall(span.text)
        while rest:
            taken = _most(lambda count: fits(Line((*held, Span("".join(rest[:count]), span.style)), one.depth)), len(rest))  # noqa: B023
            if taken:
                held.append(Span("".join(rest[:taken]), span.style))
                rest = rest[taken:]
            elif held:
                yield Line(tuple(held), one.depth)
                held = []
            else:
                word = rest[0]
                cut = max(1, _most(lambda count: fits(Line((Span(word[:count], span.style),), one.depth)), len(word)))  # noqa: B023
                rest[:1] = [part for part in (word[:cut], word[cut:]) if part]
                if cut == len(word):
                    raise ValueError("a single character does not fit into a piece")
    if held:
        yield Line(tuple(held), one.depth)


def _most(fits: Callable[[int], bool], count: int) -> int:
    """The largest number up to ``count`` that fits, 0 where not even one does."""
    low, high = 0, count
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low
