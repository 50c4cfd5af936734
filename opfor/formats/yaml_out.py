"""Writing a battle document: YAML that people can read and edit, or JSON."""

from __future__ import annotations

import json
from typing import Any

import yaml

#: longest value written on one line
_WIDTH = 118


class _Dumper(yaml.SafeDumper):
    """Short collections on one line, hex numbers and other figures that are text in quotes, no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_str(self, data: str) -> yaml.ScalarNode:
        """Text; quoted when another reader could take it for a number."""
        style = '"' if data[:1].isdigit() and data.replace(",", "").isdigit() else "|" if "\n" in data else None
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=style)


_Dumper.add_representer(str, _Dumper.represent_str)


def _one_line(value: Any) -> str:
    return yaml.dump(value, Dumper=_Dumper, default_flow_style=True, sort_keys=False, width=10_000, allow_unicode=True).strip()


def one_line(value: Any) -> str:
    """A value as YAML on one line, as :func:`dump_document` would write it."""
    return _one_line(value).removesuffix("\n...").strip()


def _short(value: Any, room: int) -> str | None:
    """The value on one line, None when it does not fit or holds long text."""
    text = _one_line(value)
    text = text.removesuffix("\n...").strip()
    return text if "\n" not in text and len(text) <= room else None


def _lines(value: Any, indent: int) -> list[str]:
    """A collection as block lines, each of its values on one line where that fits."""
    pad = " " * indent
    lines: list[str] = []
    if isinstance(value, dict):
        for key, below in value.items():
            name = _one_line(key).removesuffix("\n...").strip()
            if isinstance(below, dict | list) and below:
                short = _short(below, _WIDTH - indent - len(name) - 2)
                if short is not None and not (indent == 0 and key in ("units", "sides")):
                    lines.append(f"{pad}{name}: {short}")
                else:
                    lines.append(f"{pad}{name}:")
                    lines.extend(_lines(below, indent + 2))
            else:
                lines.extend(_scalar_lines(f"{pad}{name}: ", below, indent + 2))
        return lines
    for below in value:
        if isinstance(below, dict | list) and below:
            short = _short(below, _WIDTH - indent - 2)
            if short is not None and not (isinstance(below, dict) and "id" in below):
                lines.append(f"{pad}- {short}")
            else:
                inner = _lines(below, indent + 2)
                lines.append(f"{pad}- {inner[0].lstrip()}")
                lines.extend(inner[1:])
        else:
            lines.extend(_scalar_lines(f"{pad}- ", below, indent + 2))
    return lines


def _scalar_lines(lead: str, value: Any, indent: int) -> list[str]:
    if isinstance(value, str) and "\n" in value:
        return [lead + json.dumps(value, ensure_ascii=False)]
    return [lead + _one_line(value).removesuffix("\n...").strip()]


def dump_document(document: dict[str, Any], as_json: bool, head: str = "") -> str:
    """The document as text, opening with ``head`` (comment lines) in YAML."""
    if as_json:
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    text = "\n".join(_lines(document, 0)) + "\n"
    return f"{head}\n{text}" if head else text
