"""The XML of ``.mul`` files as elements with their lines: read without ever following an entity, and written back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from opfor.errors import InputError

#: deeper than any such file goes
_DEEPEST = 40


@dataclass(slots=True)
class Element:
    """One element: tag, attributes, the line it stands in, and the elements within. Text between them is passed over."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    line: int = 0
    children: list[Element] = field(default_factory=list)

    def get(self, name: str, default: str = "") -> str:
        """An attribute, stripped of blanks."""
        return self.attributes.get(name, default).strip()

    def all(self, *tags: str) -> Iterator[Element]:
        """Children of these tags, told without case."""
        return (child for child in self.children if child.tag.lower() in tags)

    def yes(self, name: str) -> bool:
        """Whether an attribute says true."""
        return self.get(name).lower() in ("true", "1", "yes")


def parse_xml(text: str, source: str) -> Element:
    """The root element. Raises InputError with the line for text that is no proper XML, or that declares entities."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    open_elements = [Element("", line=1)]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_elements) > _DEEPEST:
            raise InputError("elements lie too deep within each other", source=source, place=f"line {parser.CurrentLineNumber}")
        element = Element(tag, dict(attributes), parser.CurrentLineNumber)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(tag: str) -> None:
        open_elements.pop()

    def declaration(*_: object) -> None:
        raise InputError(
            "declares a document type: such files are not read", source=source, place=f"line {parser.CurrentLineNumber}"
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = declaration
    try:
        # the text is decoded already, whatever encoding it names
        parser.Parse(_without_declaration(text).encode("utf-8"), True)
    except expat.ExpatError as error:
        raise InputError(
            f"is no proper XML: {expat.ErrorString(error.code)}", source=source, place=f"line {error.lineno}"
        ) from None
    return open_elements[0].children[0]


def _without_declaration(text: str) -> str:
    """The text without ``<?xml ...?>``, its lines kept."""
    text = text.lstrip("\ufeff")
    if text.lstrip().startswith("<?xml"):
        head, end, rest = text.partition("?>")
        return "\n" * head.count("\n") + rest if end else text
    return text


def xml_lines(element: Element, depth: int = 0) -> Iterator[str]:
    """An element as lines of text, two blanks deeper for each step."""
    blanks = "  " * depth
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in element.attributes.items())
    if not element.children:
        yield f"{blanks}<{element.tag}{attributes}/>"
        return
    yield f"{blanks}<{element.tag}{attributes}>"
    for child in element.children:
        yield from xml_lines(child, depth + 1)
    yield f"{blanks}</{element.tag}>"
