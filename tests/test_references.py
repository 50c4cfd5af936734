"""What docstrings and pages point to by name is there: modules, functions, classes, files of the project."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from tests.cli_support import ROOT

PACKAGES = "opfor|policies|envs|training|tests|benchmarks"
#: as `:func:` and its like name things in docstrings
NAMED = re.compile(rf":(?:mod|func|class|data|meth|attr):`~?((?:{PACKAGES})(?:\.\w+)+)`")
#: as pages and comments name files; names in capitals stand for any
FILE = re.compile(rf"`((?:{PACKAGES}|configs|docs|examples)/[a-z0-9_./]+\.(?:py|yaml|md))`")


def sources() -> Iterator[tuple[str, str]]:
    """Every module and every page, by its path, with its text."""
    folders = (*PACKAGES.split("|"), "docs", "examples")
    for path in [*ROOT.glob("*.md"), *[one for folder in folders for one in sorted((ROOT / folder).rglob("*"))]]:
        if path.suffix in (".py", ".md"):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def leads_somewhere(name: str) -> bool:
    """Whether a dotted name is that of a module, or of something in one."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        return _has(found, parts[count:])
    return False


def _has(found: object, rest: list[str]) -> bool:
    for part in rest:
        if part in getattr(found, "__annotations__", ()) or part in getattr(found, "__slots__", ()):
            return True
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


def test_names_in_docstrings_lead_somewhere() -> None:
    named = {name: path for path, text in sources() for name in NAMED.findall(text)}
    assert len(named) > 100
    assert not {name: path for name, path in named.items() if not leads_somewhere(name)}
    assert not leads_somewhere("opfor.dice.Dice.no_such") and not leads_somewhere("opfor.no_such")


def test_files_named_in_pages_are_there() -> None:
    named = {name: path for path, text in sources() for name in FILE.findall(text)}
    assert len(named) > 100
    assert not {name: path for name, path in named.items() if not Path(ROOT / name).exists()}
