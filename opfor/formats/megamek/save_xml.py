"""Saved games of MegaMek as a tree of nodes: unpacked and parsed within bounds, nothing in them ever acted upon.

A save is gzip'd XML as XStream writes it: an object stands in full where it is met first, later uses are empty elements that
refer to it, by its number (``reference="12"``) or by a path (``reference="../../position"``). :class:`Node` follows both.
A document type, entities, processing instructions and anything beyond the bounds are refused.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from opfor.errors import InputError

#: most bytes of a save, packed and unpacked; those of long games with many units take some ten million
LARGEST_PACKED, LARGEST = 32_000_000, 96_000_000
#: most elements, steps into each other, attributes of one, and characters of one text
_MOST_ELEMENTS, _DEEPEST, _MOST_ATTRIBUTES, _LONGEST = 2_000_000, 120, 16, 1_000_000
#: references that lead to references, and steps of one path
_HOPS, _STEPS = 16, 64
#: most characters of a name
_LABEL = 100
#: elements looked at in following all paths of a save
_MOST_LOOKS = 50_000_000
_CHUNK = 1 << 16
_GZIP = b"\x1f\x8b"


class Node:
    """One element: its tag without dots of a package, its attributes, text and children.

    Reading is forgiving: what is missing is an empty node, so that a chain of names never fails; a reference is followed.
    """

    __slots__ = ("attributes", "children", "document", "parent", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], parent: Node | None, document: Saved) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.document = document
        self.children: list[Node] = []
        self.text = ""

    @property
    def kind(self) -> str:
        """The class of the object, without its package: ``BipedMech``. A field's is in an attribute, else its tag is."""
        return self.attributes.get("class", self.tag).rpartition(".")[2]

    @property
    def real(self) -> Node:
        """What the node refers to, itself when it is no reference, an empty node for a reference that leads nowhere."""
        node = self
        for _ in range(_HOPS):
            reference = node.attributes.get("reference")
            if reference is None:
                return node
            node = self.document.find(node, reference)
        return self.document.nothing

    def get(self, name: str) -> Node:
        """The first child of that name, followed; an empty node when there is none (false in a condition)."""
        for child in self.children:
            if child.tag == name:
                return child.real
        return self.document.nothing

    def all(self) -> Iterator[Node]:
        """The children, followed."""
        return (child.real for child in self.children)

    def pairs(self) -> Iterator[tuple[Node, Node]]:
        """Keys and values of a map."""
        for entry in self.children:
            if len(entry.children) == 2:
                yield entry.children[0].real, entry.children[1].real

    def within(self, kind: str) -> Iterator[Node]:
        """Objects of a class among the children, and the children of wrapper elements two steps down (custom lists)."""
        level = list(self.children)
        for _ in range(3):
            found = [child.real for child in level if child.real.kind == kind]
            if found:
                yield from found
                return
            level = [inner for child in level for inner in child.children]

    def __bool__(self) -> bool:
        return self is not self.document.nothing

    # -- values --------------------------------------------------------------------------------------------------------

    def word(self, name: str, default: str = "") -> str:
        """Text of a child."""
        found = self.get(name)
        return found.text.strip() if found else default

    def number(self, name: str, default: int = 0) -> int:
        """A whole number of a child."""
        found = self.get(name)
        return found.integer(name) if found else default

    def fraction(self, name: str, default: float = 0.0) -> float:
        """A number of a child."""
        found = self.get(name)
        if not found:
            return default
        try:
            value = float(found.text)
        except ValueError:
            value = float("nan")
        if not abs(value) < 1e9:
            raise self.document.refuse(f"{name} must be a number, not {found.text.strip()[:40]!r}")
        return value

    def label(self, name: str) -> str:
        """Text of a child as a name to show: one line, and not too long."""
        return " ".join(self.word(name).split())[:_LABEL]

    def yes(self, name: str) -> bool:
        """Whether a child says true."""
        return self.word(name).lower() == "true"

    def integer(self, what: str = "") -> int:
        """The node's own text as a whole number."""
        text = self.text.strip()
        if not text.lstrip("-").isascii() or not text.lstrip("-").isdigit() or len(text) > 20:
            raise self.document.refuse(f"{what or self.tag} must be a whole number, not {text[:40]!r}")
        return int(text)

    def numbers(self, name: str) -> list[int]:
        """A list of whole numbers."""
        return [child.integer(name) for child in self.get(name).all()]

    def flags(self, name: str) -> list[bool]:
        """A list of yes and no."""
        return [child.text.strip().lower() == "true" for child in self.get(name).all()]


class Saved:
    """A parsed save: its root, its objects by number, and how errors name it."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.by_id: dict[str, Node] = {}
        self.nothing = Node("", {}, None, self)
        self.root = self.nothing
        self.looks = 0

    def refuse(self, message: str, *, line: int = 0, hint: str = "") -> InputError:
        """An error about the save."""
        return InputError(message, source=self.source, place=f"line {line}" if line else "", hint=hint)

    def find(self, node: Node, reference: str) -> Node:
        """What a reference means: a number, a path from the node, or a path from the root."""
        found = self.by_id.get(reference)
        if found is not None:
            return found
        if "/" not in reference and reference != "..":
            return self.nothing
        here: Node | None = None if reference.startswith("/") else node
        steps = [step for step in reference.split("/") if step and step != "."]
        if len(steps) > _STEPS + _DEEPEST:
            return self.nothing
        for position, step in enumerate(steps):
            if step == "..":
                here = here.parent if here is not None else None
                if here is None:
                    return self.nothing
                continue
            name, _, rest = step.partition("[")
            name = _tag(name)
            number = int(rest[:-1]) if rest.endswith("]") and rest[:-1].isdigit() and len(rest) < 9 else 1
            if here is None:
                if position or name != self.root.tag:
                    return self.nothing
                here = self.root
                continue
            self.looks += len(here.children)
            if self.looks > _MOST_LOOKS:
                raise self.refuse("its references lead through too many elements: no saved game")
            same = [child for child in here.children if child.tag == name]
            if not 1 <= number <= len(same):
                return self.nothing
            here = same[number - 1]
        return here if here is not None else self.nothing


def _tag(name: str) -> str:
    """A tag as used here: XStream's escapes undone, packages kept."""
    return name.replace("_-", "$").replace("__", "_") if "_" in name else name


def load_save(path: str | Path) -> Saved:
    """Unpack and parse a save file (``.sav.gz``, or ``.sav``, its text as it is). Raises :class:`InputError`."""
    where = Path(path)
    try:
        if where.is_dir():
            raise InputError("is a folder, not a saved game", source=str(path))
        if not where.exists():
            raise InputError("there is no such file", source=str(path))
        if where.stat().st_size > LARGEST_PACKED:
            raise InputError(f"is larger than {LARGEST_PACKED} bytes: no saved game", source=str(path))
        data = where.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=str(path)) from None
    return parse_save(data, where.name)


def parse_save(data: bytes, source: str = "save") -> Saved:
    """Parse the bytes of a save, packed or not. Raises :class:`InputError` for what is no save, or goes beyond the bounds."""
    return _Parser(source).parse(_unpacked(data, source))


def _unpacked(data: bytes, source: str) -> Iterator[bytes]:
    """The text in pieces. A file that ends early, or unpacks to more than the bound, is refused."""
    if not data.startswith(_GZIP):
        if len(data) > LARGEST:
            raise InputError(f"is larger than {LARGEST} bytes: no saved game", source=source)
        yield data
        return
    total = 0
    rest = data
    while rest:
        if not rest.startswith(_GZIP):
            return  # padding behind the packed part
        unpacker = zlib.decompressobj(wbits=31)
        feed = rest
        try:
            while not unpacker.eof:
                piece = unpacker.decompress(feed, _CHUNK)
                feed = unpacker.unconsumed_tail
                if not piece and not feed and not unpacker.eof:
                    raise InputError("ends early: the packed file is not whole", source=source, hint="copy the save again")
                total += len(piece)
                if total > LARGEST:
                    raise InputError(f"unpacks to more than {LARGEST} bytes: no saved game", source=source)
                yield piece
        except zlib.error as error:
            raise InputError(f"cannot be unpacked: {error}", source=source, hint="copy the save again") from None
        rest = unpacker.unused_data


class _Parser:
    """One run of the parser."""

    def __init__(self, source: str) -> None:
        self.saved = Saved(source)
        self.expat = expat.ParserCreate()
        self.expat.buffer_text = True
        self.expat.StartElementHandler = self.start
        self.expat.EndElementHandler = self.end
        self.expat.CharacterDataHandler = self.characters
        self.expat.StartDoctypeDeclHandler = self.declared
        self.expat.EntityDeclHandler = self.declared
        self.expat.ProcessingInstructionHandler = self.declared
        self.expat.SkippedEntityHandler = self.declared
        self.open: list[Node] = []
        self.names: dict[str, str] = {}
        self.count = 0

    def parse(self, pieces: Iterator[bytes]) -> Saved:
        try:
            for piece in pieces:
                self.expat.Parse(piece, False)
            self.expat.Parse(b"", True)
        except expat.ExpatError as error:
            raise self.saved.refuse(f"is no proper XML: {expat.ErrorString(error.code)}", line=error.lineno) from None
        return self.saved

    def refuse(self, message: str) -> InputError:
        return self.saved.refuse(message, line=self.expat.CurrentLineNumber)

    def declared(self, *_: object) -> None:
        raise self.refuse("declares a document type, entities or instructions: no saved game holds such, it is not read")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > _MOST_ELEMENTS:
            raise self.refuse(f"holds more than {_MOST_ELEMENTS} elements: no saved game")
        if len(self.open) >= _DEEPEST:
            raise self.refuse("elements lie too deep within each other: no saved game")
        if len(attributes) > _MOST_ATTRIBUTES:
            raise self.refuse(f"an element with more than {_MOST_ATTRIBUTES} attributes: no saved game")
        name = self.names.get(tag)
        if name is None:
            name = self.names[tag] = _tag(tag)
        parent = self.open[-1] if self.open else None
        node = Node(name, attributes, parent, self.saved)
        if parent is not None:
            parent.children.append(node)
        else:
            self.saved.root = node
        id = attributes.get("id")
        if id is not None:
            self.saved.by_id.setdefault(id, node)
        self.open.append(node)

    def end(self, tag: str) -> None:
        self.open.pop()

    def characters(self, text: str) -> None:
        node = self.open[-1]
        if node.children or (not node.text and not text.strip()):
            return  # the blanks between elements
        if len(node.text) + len(text) > _LONGEST:
            raise self.refuse(f"a text of more than {_LONGEST} characters: no saved game")
        node.text += text
