"""Reading YAML and JSON that people wrote, with the line of every value, and refusing what cannot be meant.

Hex numbers stay text: plain YAML reads an unquoted ``0611`` as the octal number 393.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

from opfor.errors import InputError

#: larger files are no battle
MAX_BYTES = 8_000_000
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

#: a place in a document: keys and list indices from the top
Path_ = tuple[str | int, ...]


class _PlainLoader(_Base):  # type: ignore[misc]
    """The safe loader without octal, sexagesimal and date scalars."""


_PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rows if tag not in ("tag:yaml.org,2002:int", "tag:yaml.org,2002:timestamp")]
    for first, rows in _Base.yaml_implicit_resolvers.items()
}
_PlainLoader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789"))


class Document:
    """A parsed document: ``data`` as plain values, the ``source`` name, and the line of each value."""

    __slots__ = ("data", "head", "lines", "source")

    def __init__(self, data: Any, source: str, lines: dict[Path_, int], head: str = "") -> None:
        self.data = data
        self.source = source
        self.lines = lines
        #: the comment lines that the file opens with
        self.head = head

    def place(self, path: Path_) -> str:
        """A path in words with its line, as ``units[2].facing, line 31``."""
        known = path
        while known and known not in self.lines:
            known = known[:-1]
        line = self.lines.get(known)
        return ", ".join(part for part in (path_words(path), f"line {line}" if line and path else "") if part)

    def error(self, path: Path_, message: str, hint: str = "") -> InputError:
        """An :class:`InputError` about the value at a path."""
        return InputError(message, source=self.source, place=self.place(path), hint=hint)


def path_words(path: Path_) -> str:
    """A path as people write it.

    >>> path_words(("units", 2, "facing"))
    'units[2].facing'
    """
    words = ""
    for part in path:
        words += f"[{part}]" if isinstance(part, int) else f".{part}" if words else str(part)
    return words


def read_text(path: Path) -> str:
    """A text file's content. Raises :class:`InputError` when it is missing, too large or not UTF-8."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError("there is no such file", source=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", source=str(path)) from None
    if len(raw) > MAX_BYTES:
        raise InputError(f"is {len(raw):,} bytes long; the limit is {MAX_BYTES:,}", source=str(path))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError("is not UTF-8 text", source=str(path), place=f"line {line}") from None


def parse(text: str, source: str) -> Document:
    """Parse YAML or JSON text. Raises :class:`InputError` with the line of whatever cannot be read."""
    if text.lstrip()[:1] == "{" and source.endswith(".json"):
        try:
            json.loads(text)
        except json.JSONDecodeError as error:
            raise InputError(f"is no JSON: {error.msg}", source=source, place=f"line {error.lineno}") from None
        text = text.replace("\t", " ")
    loader = _PlainLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise InputError("is empty", source=source)
        lines: dict[Path_, int] = {}
        _walk(node, (), lines, set(), source)
        data = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}" if mark else ""
        raise InputError(f"is no YAML: {error.problem or error.context}", source=source, place=place) from None
    except (yaml.YAMLError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"is no YAML: {str(error).splitlines()[0]}", source=source) from None
    except RecursionError:
        raise InputError("is nested too deeply", source=source) from None
    finally:
        loader.dispose()
    head = "".join(re.match(r"(?:[ \t]*#[^\n]*\n|[ \t]*\n)*", text).group())  # type: ignore[union-attr]
    return Document(data, source, lines, head.strip())


def _walk(node: yaml.Node, path: Path_, lines: dict[Path_, int], seen: set[int], source: str) -> None:
    """Note the line of every value below ``node``; refuse aliases, odd keys and keys given twice."""
    line = node.start_mark.line + 1
    lines[path] = line
    if id(node) in seen and not isinstance(node, yaml.ScalarNode):
        raise InputError("YAML anchors and aliases are not used here: write it out", source=source, place=f"line {line}")
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        keys: set[str] = set()
        for key_node, value in node.value:
            at = f"line {key_node.start_mark.line + 1}"
            if not isinstance(key_node, yaml.ScalarNode) or key_node.tag == "tag:yaml.org,2002:merge":
                raise InputError("a key must be a plain word", source=source, place=at)
            key = str(key_node.value)
            if key in keys:
                raise InputError(f"{path_words((*path, key))} is given twice", source=source, place=at)
            keys.add(key)
            # hex numbers and figures as keys are words too
            key_node.tag = "tag:yaml.org,2002:str"
            _walk(value, (*path, key), lines, seen, source)
            lines[(*path, key)] = key_node.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _walk(value, (*path, index), lines, seen, source)
