"""The rules by id: where each stands in the code, by which switch it turns, and which cases test it.

Read from the sources themselves, so that the list cannot fall behind: where a docstring cites a rule, it is implemented.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import opfor
from opfor.rulesets import switches
from opfor.tables import load_yaml

#: packages that have no rules of their own
_NO_RULES = ("gm", "cli", "report", "formats")
_CITATION = re.compile(r"Rules?: (.*)")
_ID = re.compile(r"\b[MAES]-\d+[a-z]?\b")


@lru_cache(maxsize=1)
def ledger() -> dict[str, Any]:
    """Sources and titles of the rules."""
    found: dict[str, Any] = load_yaml(files("opfor.gm").joinpath("ledger.yaml").read_text(encoding="utf-8"))
    return found


def rule_rows() -> list[dict[str, Any]]:
    """Every rule: id, title, source, switches, where it is implemented, and the test cases that name it."""
    implemented = _citations()
    tested = _cases()
    rows = []
    for id, title in ledger()["rules"].items():
        rows.append(
            {
                "id": id,
                "title": title,
                "source": ledger()["sources"][id[0]],
                "switch": [switch.name for switch in switches().values() if switch.rule == id],
                "implemented": implemented.get(id, []),
                "tested": tested.get(id, []),
            }
        )
    return rows


def sources() -> Iterator[tuple[str, str]]:
    """The modules that play the rules: dotted name and source text."""
    yield from _sources(files("opfor"), "opfor")


def _citations() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, text in sources():
        for where, words in _docstrings(ast.parse(text), name):
            for id in _cited(words):
                found.setdefault(id, []).append(where)
    return found


def _sources(folder: Traversable, name: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.is_dir() and entry.name not in _NO_RULES and not entry.name.startswith(("_", ".")):
            yield from _sources(entry, f"{name}.{entry.name}")
        elif entry.name.endswith(".py"):
            yield f"{name}.{entry.name.removesuffix('.py')}".removesuffix(".__init__"), entry.read_text(encoding="utf-8")


def _docstrings(tree: ast.Module, name: str) -> Iterator[tuple[str, str]]:
    """Docstrings with the dotted names of what they belong to."""
    stack: list[tuple[str, ast.Module | ast.ClassDef | ast.FunctionDef]] = [(name, tree)]
    while stack:
        where, node = stack.pop()
        words = ast.get_docstring(node)
        if words:
            yield where, words
        for child in node.body:
            if isinstance(child, ast.ClassDef | ast.FunctionDef):
                stack.append((f"{where}.{child.name}", child))


def _cited(words: str) -> list[str]:
    """Ids that a docstring cites, each once."""
    found = [id for line in _CITATION.findall(words) for id in _ID.findall(line)]
    return list(dict.fromkeys(found))


def _cases() -> dict[str, list[str]]:
    """Test cases by rule; empty where the program was installed without its tests."""
    folder = Path(opfor.__file__).resolve().parent.parent / "tests" / "cases"
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*.yaml")):
        place = path.relative_to(folder).as_posix()
        for id, rule in _walk(load_yaml(path.read_text(encoding="utf-8"))):
            for cited in _ID.findall(rule):
                found.setdefault(cited, []).append(f"{place}: {id}")
    return found


def _walk(data: Any) -> Iterator[tuple[str, str]]:
    """(id, rule) of every case in a file, however the cases are grouped."""
    if isinstance(data, dict):
        if "rule" in data and "id" in data:
            yield str(data["id"]), str(data["rule"])
            return
        data = list(data.values())
    if isinstance(data, list):
        for item in data:
            yield from _walk(item)
