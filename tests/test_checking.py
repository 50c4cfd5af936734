"""`opfor check`: what is odd, what is illegal, what is assumed; and no file, however broken, brings down the readers."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from opfor.errors import InputError
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.battle_file.battle_schema import MODELS
from opfor.formats.source import parse
from opfor.gm.starting.checking import assumptions, findings
from tests.cli_support import ROOT, opfor, opfor_json

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "typed" / "checks.yaml").read_text(encoding="utf-8"))
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))
SIDES = {
    "players": {"controller": "gm", "edge": "south"},
    "opfor": {"controller": "opfor", "policy": "veteran", "edge": "north"},
}


def battle_text(case: dict[str, Any]) -> str:
    """A small battle in its second turn, changed as the case says."""
    type_ = case.get("type", "Wolverine WVR-6R")
    who = "pilot" if "type" not in case else "crew"
    skills = {"gunnery": 4, "piloting": 5}
    unit = {"id": "alpha-1", "side": "players", "type": type_, "at": "0612", "facing": "N", who: dict(skills)}
    unit |= case.get("unit", {})
    other: dict[str, Any] = {
        "id": "reaver", "name": "Reaver", "side": "opfor", "type": "Marauder MAD-3R", "at": "0603", "facing": "S",
        "pilot": dict(skills),
    }  # fmt: skip
    if case.get("battle", {}).get("phase") == "fire":
        other["moved"] = {"mode": "stand"}
    document = {
        "opfor": 1, "ruleset": "standard", "board": "open-plain", "turn": 2, "phase": "movement",
        "initiative": {"order": ["players", "opfor"]}, "limit": 9, "sides": SIDES, "units": [unit, other],
        **case.get("battle", {}),
    }  # fmt: skip
    return yaml.safe_dump(document, sort_keys=False)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_check_says(case: dict[str, Any]) -> None:
    if "illegal" in case:
        with pytest.raises(InputError) as refusal:
            read_battle(battle_text(case))
        assert all(words in str(refusal.value) for words in case["illegal"]), str(refusal.value)
        return
    found = {row["place"]: row["message"] for row in findings(read_battle(battle_text(case)))}
    if case.get("none"):
        assert found == {}
        return
    assert case["odd"] in found.get(case["at"], ""), found


def test_a_clean_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    path.write_text(battle_text({}))
    lines = opfor("check", path).stdout.splitlines()
    assert lines[-1] == "no faults; nothing is missing"
    path.write_text(battle_text({}).replace("turn: 2\n", ""))
    assert opfor("check", path).stdout.splitlines()[-1].startswith("no faults; 1 value not given")
    path.write_text(battle_text({"unit": {"heat": 7}}))
    assert opfor("check", path).stdout.splitlines()[-1] == "1 odd thing, nothing illegal"


def test_what_the_op_force_takes_for_granted_is_told(tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    sides = {
        "players": {"controller": "gm"},
        "opfor": {"controller": "opfor", "knows": "sees", "edge": "north", "withdrawing": True},
    }
    case = {"battle": {"sides": sides, "limit": 0, "mines": {"0505": 10}}, "unit": {"hidden": True}}
    path.write_text(battle_text(case))
    told = " | ".join(opfor_json("check", path)["assumes"])
    for words in (
        "opfor is played by the policy veteran", "knows the enemy units that it sees, but for 1 hidden", "1 of the minefields",
        "players has no home edge", "opfor leaves the map over the north edge", "0 of 2 units have moved", "no last turn",
    ):  # fmt: skip
        assert words in told, (words, told)
    whole = " | ".join(assumptions(read_battle(battle_text({"battle": {"phase": "initiative"}}))))
    assert "knows every enemy unit as the file has it" in whole and "initiative has still to be rolled for" in whole
    assert "no last turn" not in whole and "home edge" not in whole


# -- broken files ---------------------------------------------------------------------------------------------------------

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 7, 99, 10**9, 1.5, float("inf"), "", "x", "gone", "0611", "9999", "N", [], {}, [1], [[]],
    {"a": 1}, ["x"], {"HD": 99}, {"mode": "walk", "hexes": 99}, "é\n", "opfor", "alpha-1", [None], {"": None}, "2026-01-01",
    {"LA": ["hand"]},
    [{"at": "0611"}], {"unit": "alpha-1"}, {"0611": 61},
)  # fmt: skip
SCRAPS = (
    ":",
    "- ",
    "\n",
    "  ",
    "{",
    "[",
    '"',
    "'",
    "&a ",
    "*a ",
    "!!python/object:os.system x",
    "\t",
    "#",
    "|",
    "? ",
    "\x00",
    "é",
)
KEYS = sorted(
    {key for model in MODELS.values() for key in model.model_fields} | {"armor", "structure", "criticals", "ammo", "shells"}
)


def paths(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document, from the top."""
    below = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(found for key, value in below for found in paths(value, (*path, key)))]


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def mangled(text: str, draw: random.Random) -> str:
    """A battle file with some of its letters, values or keys changed at random."""
    if draw.random() < 0.25:
        for _ in range(draw.randrange(1, 4)):
            place = draw.randrange(len(text))
            scrap = draw.choice(SCRAPS) if draw.random() < 0.6 else ""
            text = text[:place] + scrap + text[place + draw.randrange(3) :]
        return text
    data = copy.deepcopy(parse(text, "x").data)
    for _ in range(draw.randrange(1, 4)):
        path = draw.choice(paths(data)[1:])
        parent, kind = at(data, path[:-1]), draw.random()
        if kind < 0.2:
            parent.pop(path[-1])
        elif kind < 0.6:
            parent[path[-1]] = copy.deepcopy(draw.choice(VALUES))
        else:
            into = at(data, path) if isinstance(at(data, path), dict) else parent
            if isinstance(into, dict):
                into[draw.choice(KEYS)] = copy.deepcopy(draw.choice(VALUES))
        if not isinstance(data, dict) or len(paths(data)) < 2:
            break
    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True))


@pytest.mark.parametrize("seed", range(120))
def test_a_mangled_file_is_read_or_refused_and_never_a_crash(seed: int) -> None:
    path = EXAMPLES[seed % len(EXAMPLES)]
    text = mangled(path.read_text(encoding="utf-8"), random.Random(seed))
    try:
        battle = read_battle(text, source="mangled.yaml", path=path)
    except InputError as error:
        assert "mangled.yaml" in str(error)
        return
    assert isinstance(findings(battle), list) and isinstance(assumptions(battle), list)


@pytest.mark.parametrize(
    "text", ["", "[]", "x", "42", "- a\n- b", "{}", "opfor: 1", "\x00", "? [a]\n: b", "a: b: c", "opfor: 2\n"]
)
def test_what_is_no_battle_at_all_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "b.yaml"
    path.write_text(text, encoding="utf-8")
    assert "b.yaml" in opfor("check", path, code=1).stderr
