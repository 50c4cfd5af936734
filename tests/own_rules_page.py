"""The parts of docs/own-rules.md that are made from the program: numbers, conditions, and what hooks are told."""

from __future__ import annotations

import re
from pathlib import Path

from opfor.own_rules.conditions import CONDITIONS, UnitIs, When
from opfor.own_rules.replaceable import replaceable
from opfor.own_rules.views import (
    BLOWS,
    KINDS,
    MOVED,
    PHASES,
    RANGES,
    TERRAIN,
    WEAPON_CLASSES,
    PilotingRoll,
    Shot,
    Step,
    UnitView,
)

PAGE = Path(__file__).resolve().parent.parent / "docs" / "own-rules.md"
_WORDS = {
    "moved": MOVED,
    "kind": KINDS,
    "terrain": TERRAIN,
    "range": RANGES,
    "weapon_class": WEAPON_CLASSES,
    "blow": BLOWS,
    "phase": PHASES,
}


def _numbers() -> list[str]:
    rows: dict[str, list[tuple[str, int]]] = {}
    for number in replaceable().values():
        before, _, last = number.path.rpartition(".")
        if last == "modifier":
            before, _, last = before.rpartition(".")
            rows.setdefault(f"{before}.NAME.modifier", []).append((last, number.value))
        else:
            rows.setdefault(f"{before}.NAME", []).append((last, number.value))
    lines = ["| path | names, and the numbers as shipped |", "|---|---|"]
    for path, numbers in rows.items():
        lines.append(f"| `{path}` | {', '.join(f'`{name}` {value}' for name, value in numbers)} |")
    return lines


def _conditions() -> list[str]:
    lines = ["| condition | of | what it asks |", "|---|---|---|"]
    for name, field in When.model_fields.items():
        of = ", ".join(target for target, known in CONDITIONS.items() if name in known)
        lines.append(f"| `{name}` | {of} | {(field.description or '').partition(' (')[0]}{_named(name)} |")
    lines += ["", "Of `attacker`, `target` and `unit`:", "", "| condition | what it asks |", "|---|---|"]
    lines += [f"| `{name}` | {field.description}{_named(name)} |" for name, field in UnitIs.model_fields.items()]
    return lines


def _named(name: str) -> str:
    return f": {', '.join(f'`{word}`' for word in _WORDS[name])}" if name in _WORDS else ""


def _views() -> list[str]:
    lines = ["| what is told | fields |", "|---|---|"]
    for words, view in (("a shot or blow", Shot), ("a piloting roll", PilotingRoll), ("a step", Step), ("a unit", UnitView)):
        lines.append(f"| {words} | {', '.join(f'`{field}`' for field in view._fields)} |")
    return lines


def own_rules_page() -> str:
    """The page, its made parts as they are now."""
    text = PAGE.read_text(encoding="utf-8")
    for name, lines in (("numbers", _numbers()), ("conditions", _conditions()), ("views", _views())):
        made = "\n".join([f"<!-- {name} -->", *lines, "<!-- end -->"])
        text = re.sub(rf"<!-- {name} -->.*?<!-- end -->", lambda _, made=made: made, text, flags=re.DOTALL)  # type: ignore[misc]
    return text
