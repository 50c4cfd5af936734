"""Posts for players as documents: the orders of a phase, and what happened. Made of nothing but what players may read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opfor.report.posts.document import Document, Entry, Line, Span, clean, line
from opfor.report.posts.published import Post, Published, PublishedAttempt, PublishedSum, Results
from opfor.tables import table


def orders_document(post: Post, *, working: bool = False, picture: str = "") -> Document:
    """The post of a phase's orders. ``working``: with every sum part by part; ``picture``: the players' map as SVG."""
    entries = [_order(one, working) for one in post.orders]
    if not entries:
        entries.append(_plain("Orders", line("Nobody of the Op Force that you know of acts in this phase.")))
    if post.landing:
        lands = [line(f"Lands in the physical phase: {clean(words)}.") for words in post.landing]
        entries.append(Entry("Lands", lands[0], tuple(lands[1:])))
    house = f"{post.ruleset}; house rules here: {'; '.join(post.house)}" if post.house else post.ruleset
    last = [line(Span("Rules used:", "strong"), f" {house}.")]
    last.append(line(Span("Open:", "strong"), f" {'; '.join(post.open) or 'none'}."))
    entries.append(Entry("Rules used", last[0], tuple(last[1:])))
    heading = f"{_name(post.battle)}: Op Force, turn {post.turn}, {post.phase}"
    if post.against:
        heading += ", breaking in"
    if post.waiting:
        waiting = ", ".join(post.waiting)
        if len(waiting) > 4 * _longest():
            waiting = f"{len(post.waiting)} units"
        heading += f" (still to act: {waiting})"
    return Document(heading, tuple(entries), picture)


def results_document(results: Results, notes: Sequence[str] = ()) -> Document:
    """The post of what happened; ``notes`` about the dice stand at its end."""
    entries = []
    for title, lines in results.parts:
        rows = [line(words) for words in lines]
        if title:
            entries.append(Entry(title, line(title), title=True))
        if rows:
            entries.append(Entry(clean(lines[0], 40), rows[0], tuple(rows[1:])))
    if not entries:
        entries.append(_plain("Results", line("Nothing that everybody knows of has happened.")))
    entries += [_plain(clean(note, 40), line(note)) for note in notes]
    return Document(f"{_name(results.battle)}: what happened in turn {results.turn}, {results.phase}", tuple(entries))


def _longest() -> int:
    return int(table("markups")["longest_name"])


def _name(text: str) -> str:
    return clean(text, _longest())


def _plain(label: str, head: Line) -> Entry:
    return Entry(label, head)


def _order(one: Published, working: bool) -> Entry:
    """One unit's order: a line for it, one for why, and two for each attack."""
    name = Span(_name(one.name), "name")
    label = _name(one.name)
    about = f" ({_name(one.about)})" if one.about else ""
    if one.announced:
        return Entry(label, line(name, f"{about} announces {one.announced}."))
    facts = ", ".join(one.facts)
    head = line(name, f"{about}: ", Span(one.words, "code"), f"; {facts}" if facts else "")
    plain = clean(f"{label}{about}{f'; {facts}' if facts else ''}")
    lines: list[Line] = []
    if one.clause:
        lines.append(line(Span("Why:", "why"), f" {one.clause}."))
    for attempt in one.attempts:
        lines += _attack(attempt)
    lines += [_roll(roll) for roll in one.rolls]
    aside = tuple(row for found in _sums(one) for row in _parts(*found)) if working else ()
    return Entry(label, head, tuple(lines), aside, (clean(one.unit), clean(one.words)), plain)


def _attack(attempt: PublishedAttempt) -> Iterable[Line]:
    sum = attempt.sum
    at = f"{sum.what} at {attempt.target.replace('@', 'hex ')}, {_hexes(attempt.distance)}: "
    if sum.needs is None:
        yield line(at, "impossible, ", sum.words)
        return
    yield line(at, "needs ", Span(str(sum.needs), "strong"), sum.words.removeprefix(str(sum.needs)))
    yield line(f"roll 2d6; on a hit: {attempt.on_hit}", depth=1)


def _roll(roll: PublishedSum) -> Line:
    if roll.needs is None:
        return line(f"{roll.what}: fails, {roll.words}")
    return line(f"roll 2d6 {roll.what}: needs ", Span(str(roll.needs), "strong"), roll.words.removeprefix(str(roll.needs)))


def _sums(one: Published) -> Iterable[tuple[PublishedSum, str]]:
    for attempt in one.attempts:
        yield attempt.sum, f" at {attempt.target.replace('@', 'hex ')}, {_hexes(attempt.distance)}"
    for roll in one.rolls:
        yield roll, ""


def _parts(sum: PublishedSum, where: str) -> Iterable[Line]:
    """A sum part by part, each with its rule."""
    if sum.needs is None:
        yield line(f"{sum.what}{where}: impossible, {sum.why}")
        return
    yield line(f"{sum.what}{where}: {sum.needs}")
    for part in sum.parts:
        yield line(f"{part.value:+d} {part.what} [{part.rule}]", depth=1)


def _hexes(count: int) -> str:
    return f"{count} hex" if count == 1 else f"{count} hexes"
