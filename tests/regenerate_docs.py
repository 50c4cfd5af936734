"""Pages of docs/ that are made from the program: ``python -m tests.regenerate_docs`` after a change of what they tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from opfor.formats.battle_file.battle_schema import BattleFile
from opfor.gm.rulebook.ledger import ledger, switch_rows
from opfor.rulesets import ruleset_names
from tests.env_docs import with_parts
from tests.observation_page import observation_page
from tests.own_rules_page import own_rules_page

_TITLES = {"E": "The Eridani campaign", "M": "MWII's actions", "A": "Mission actions", "S": "The standard game"}
_WORDS = {"integer": "a whole number", "string": "text", "boolean": "true or false", "number": "a number"}
DOCS = Path(__file__).resolve().parent.parent / "docs"


def switches_page() -> str:
    """House rules and switches, from configs/rulesets."""
    names = ruleset_names()
    lines = [
        "# House rules and switches",
        "",
        "Every rule that can be turned, made from `configs/rulesets/*.yaml` (`opfor rules --switches` prints the same).",
        "A battle file takes a ruleset by name, or one with switches changed:",
        "`ruleset: {base: campaign, partial_cover: standard, water_to_hit: 0}`. `opfor rules --diff campaign standard` shows",
        "how two rulesets differ; `opfor rules` what each rule id stands for, where it is played and tested.",
        "",
    ]
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in switch_rows():
        groups.setdefault(str(row["rule"])[0], []).append(row)
    for letter, title in (
        ("E", "The Eridani campaign"),
        ("M", "MWII's actions"),
        ("A", "Mission actions"),
        ("S", "The standard game"),
    ):
        lines += [f"## {title}", "", f"| switch | rule | {' | '.join(names)} | what it does |", "|" + "---|" * (len(names) + 3)]
        for row in sorted(groups.get(letter, ()), key=lambda row: _order(row["rule"])):
            values = " | ".join(f"`{row['rulesets'][name]}`" for name in names)
            others = f" Values: {', '.join(f'`{value}`' for value in row['values'])}." if row["values"] else " Any number."
            lines.append(f"| `{row['switch']}` | {row['rule']} | {values} | {row['meaning']}{others} |")
        lines.append("")
    return "\n".join(lines)


def _order(id: str) -> tuple[int, str]:
    return list(ledger()["rules"]).index(id), id


def reference_page() -> str:
    """Every key of the battle file, from its schema."""
    schema = BattleFile.model_json_schema()
    lines = [
        "# The battle file, key by key",
        "",
        "Made from the schema that reads it (`opfor schema battle` prints that as JSON schema). What the keys are for, with",
        "examples, is told in [the battle file](battle-file.md). A key left out takes its default.",
        "",
    ]
    for name, model in [("The file", schema), *sorted(schema["$defs"].items())]:
        if "properties" not in model:
            continue
        title = name if name == "The file" else name.removesuffix("Entry")
        lines += [f"## {title}", "", _cell(str(model.get("description", "")).split("\n")[0]), ""]
        lines += ["| key | takes | default | meaning |", "|---|---|---|---|"]
        required = set(model.get("required", ()))
        for key, field in model["properties"].items():
            default = (
                "needed"
                if key in required
                else f"`{field['default']}`"
                if field.get("default") not in (None, "", [], {})
                else ""
            )
            lines.append(f"| `{key}` | {_cell(_type(field))} | {default} | {_cell(str(field.get('description', '')))} |")
        lines.append("")
    return "\n".join(lines)


def _type(field: dict[str, Any]) -> str:
    """What a field takes, in words."""
    if "$ref" in field:
        return f"a mapping, see {field['$ref'].rpartition('/')[2].removesuffix('Entry')}"
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{value}`" if value != "" else "nothing" for value in field["enum"])
    if "anyOf" in field:
        kinds = dict.fromkeys(_type(part) for part in field["anyOf"] if part.get("type") != "null")
        return " or ".join(kinds)
    if field.get("type") == "array":
        inner = _type(field.get("items", {}))
        return f"a list of {inner}" if inner else "a list"
    if field.get("type") == "object":
        more = field.get("additionalProperties")
        return f"a mapping of names to {_type(more)}" if isinstance(more, dict) and _type(more) else "a mapping"
    return {"integer": "a whole number", "string": "text", "boolean": "true or false", "number": "a number"}.get(
        str(field.get("type")), ""
    )


def _cell(words: str) -> str:
    return words.replace("|", "\\|").replace("\n", " ")


def environments_page() -> str:
    """The page on the environments, with its tables as they are now."""
    return with_parts((DOCS / "environments.md").read_text(encoding="utf-8"))


#: the pages and what makes them
PAGES = {
    "switches.md": switches_page,
    "battle-file-reference.md": reference_page,
    "observation.md": observation_page,
    "environments.md": environments_page,
    "own-rules.md": own_rules_page,
}


def main() -> None:
    """Write every page."""
    for name, make in PAGES.items():
        (DOCS / name).write_text(make().rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
