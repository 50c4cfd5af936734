"""The blocks of a ``.blk`` file: ``<Name>`` on a line, lines, ``</Name>``. Rule: S-5."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from opfor.errors import InputError
from opfor.formats.notes import Note
from opfor.tables import table

_LINE_END = re.compile(r"\r\n|\n|\r")
#: an opening tag, with the first line of the block behind it now and then
_OPEN = re.compile(r"^<\s*([^/<>][^<>]*)>([^<>]*)(</[^<>]*>)?$")
_CLOSE = re.compile(r"^<\s*/\s*([^<>]*)>$")
_NUMBER = re.compile(r"^[+-]?[0-9]{1,6}(?:\.[0-9]+)?$")


@dataclass(slots=True)
class Block:
    """One block: its lines with their numbers, and the line it opens in."""

    name: str
    line: int
    lines: list[tuple[str, int]] = field(default_factory=list)


@dataclass(slots=True)
class Blocks:
    """All blocks of a file by their names in small letters, and what was odd about it so far."""

    source: str
    found: dict[str, Block] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)

    def refuse(self, message: str, line: int = 1, hint: str = "") -> InputError:
        return InputError(message, source=self.source, place=f"line {line}", hint=hint)

    def note(self, severity: str, message: str, line: int = 1) -> None:
        self.notes.append(Note(self.source, line, severity, message))

    def line_of(self, name: str) -> int:
        return self.found[name].line + 1 if name in self.found else 1

    def lines(self, name: str) -> list[tuple[str, int]]:
        """Lines of a block with their numbers; none if it is not there."""
        return self.found[name].lines if name in self.found else []

    def text(self, name: str, default: str | None = None) -> str:
        """The one line of a block. Raises InputError when it is missing and there is no default."""
        lines = self.lines(name)
        if len(lines) > 1:
            self.note("ignored", f"<{name}> holds {len(lines)} lines: the first stands", lines[1][1])
        if lines:
            return lines[0][0]
        if default is None:
            raise self.refuse(f"no <{name}> in the file", self.line_of(name))
        return default

    def whole(self, name: str, default: str | None = None) -> int:
        """A block's number, which must be whole (``60.0`` is)."""
        value = self.number(name, default)
        if value != int(value):
            raise self.refuse(f"{name} must be a whole number, not {value:g}", self.line_of(name))
        return int(value)

    def number(self, name: str, default: str | None = None) -> float:
        value = self.text(name, default)
        if not _NUMBER.match(value):
            raise self.refuse(f"{name} must be a number, not {value!r}", self.line_of(name))
        return float(value)

    def numbers(self, name: str) -> list[int]:
        """Whole numbers, one a line."""
        values = []
        for text, line in self.lines(name):
            if not _NUMBER.match(text) or float(text) != int(float(text)):
                raise self.refuse(f"{name} must be whole numbers, not {text!r}", line)
            values.append(int(float(text)))
        return values


def _enter(blocks: Blocks, block: Block, passed: list[str]) -> None:
    """A block that begins: of several with one name the last stands, of those that list things all do."""
    before = blocks.found.get(block.name)
    if before is not None and block.name in table("blk_keys")["joined"]:
        block.lines = before.lines
    elif before is not None and before.lines and block.name not in passed:
        blocks.note("repaired", f"<{block.name}> again, after line {before.line}: the later one stands", block.line)
    blocks.found[block.name] = block


def _tag(found: re.Match[str]) -> str:
    return " ".join(found.group(1).lower().replace(":", " ").split())


def read_blocks(text: str, source: str) -> Blocks:
    """The blocks of a text. Raises InputError for a text without any; a block that is not closed ends where the next begins."""
    blocks = Blocks(source)
    passed = table("blk_keys")["passed"]
    current: Block | None = None
    for number, raw in enumerate(_LINE_END.split(text.lstrip("\ufeff")), start=1):
        line = raw.strip()
        opened, closed = _OPEN.match(line), _CLOSE.match(line)
        if opened:
            if current is not None:
                blocks.note("repaired", f"<{current.name}> is not closed: it ends here", number)
            current = Block(_tag(opened), number)
            _enter(blocks, current, passed)
            if opened.group(2).strip():
                current.lines.append((opened.group(2).strip(), number))
            if opened.group(3):
                current = None
        elif closed:
            if current is None or current.name != _tag(closed):
                blocks.note("repaired", f"</{closed.group(1).strip()}> closes nothing: passed over", number)
            else:
                current = None
        elif line and not line.startswith("#"):
            if current is not None:
                current.lines.append((line, number))
            else:
                blocks.note("ignored", f"line outside of any block: {line[:40]}", number)
    if current is not None:
        blocks.note("repaired", f"<{current.name}> is not closed: it ends with the file", current.line)
    if not blocks.found:
        raise blocks.refuse("holds no blocks: expected lines such as <UnitType>")
    return blocks
