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
from opfor.rulesets import named_ruleset, ruleset_names, switches
from opfor.tables import load_yaml

#: packages that have no rules of their own
_NO_RULES = ("gm", "cli", "report", "formats")
_CITATION = re.compile(r"Rules?: (.*)")
_RANGE = re.compile(r"\b([MAES]-\d+[a-z]?) to ([MAES]-\d+[a-z]?)\b")
_ID = re.compile(r"\b[MAES]-\d+[a-z]?\b")


@lru_cache(maxsize=1)
def ledger() -> dict[str, Any]:
    """Sources and titles of the rules."""
    found: dict[str, Any] = load_yaml(files("opfor.gm.rulebook").joinpath("ledger.yaml").read_text(encoding="utf-8"))
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


def played_rules() -> list[str]:
    """Ids of the rules that are played, without looking for what tests them."""
    implemented = _citations()
    return [id for id in ledger()["rules"] if id in implemented]


def switch_rows() -> list[dict[str, Any]]:
    """Every switch: name, rule, meaning, the values it may have, and its value in each ruleset that ships."""
    rulesets = {name: named_ruleset(name).values() for name in ruleset_names()}
    return [
        {
            "switch": switch.name,
            "rule": switch.rule,
            "meaning": switch.meaning,
            "values": list(switch.values),
            "standard": switch.standard,
            "rulesets": {name: values[switch.name] for name, values in rulesets.items()},
        }
        for switch in switches().values()
    ]


def ruleset_diff(first: str, second: str) -> list[dict[str, Any]]:
    """The switches in which two rulesets differ, with both values. Raises :class:`InputError` for a name that is none."""
    one, other = named_ruleset(first).values(), named_ruleset(second).values()
    return [
        {
            "switch": switch.name,
            "rule": switch.rule,
            "meaning": switch.meaning,
            first: one[switch.name],
            second: other[switch.name],
        }
        for switch in switches().values()
        if one[switch.name] != other[switch.name]
    ]


def sources() -> Iterator[tuple[str, str]]:
    """The modules that play the rules: dotted name and source text."""
    yield from _sources(files("opfor"), "opfor")


@lru_cache(maxsize=1)
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
    """Ids that a docstring cites, each once; ``E-3 to E-6`` cites all between.

    >>> _cited("What it does. Rule: M-1, M-9a to M-9c, E-3 to E-5.")
    ['M-1', 'M-9a', 'M-9b', 'M-9c', 'E-3', 'E-4', 'E-5']
    """
    lines = [_RANGE.sub(_between, line) for line in _CITATION.findall(words)]
    return list(dict.fromkeys(id for line in lines for id in _ID.findall(line)))


def _between(found: re.Match[str]) -> str:
    """The ids of a range, from the first to the last in the order of the ledger."""
    known = list(ledger()["rules"])
    first, last = found[1], found[2]
    if first not in known or last not in known:
        return found[0]
    # "E-3 to E-6" passes over the parts of a rule, "M-9a to M-9f" is all of them
    inner = [id for id in known[known.index(first) : known.index(last) + 1] if id[-1].isdigit() == last[-1].isdigit()]
    return ", ".join(inner)


@lru_cache(maxsize=1)
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
