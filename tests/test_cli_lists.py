"""The commands that say what there is, draw, and play out: units, boards, rules, policies, map, play."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

import opfor as package
from opfor.formats.replay import read_replay, replay
from opfor.gm.rulebook.ledger import ledger
from tests.cli_support import RIDGE, ROOT, opfor, opfor_json, ridge

KEYS = {
    "name",
    "kind",
    "tons",
    "walk",
    "run",
    "jump",
    "armor_total",
    "internal_total",
    "heat_capacity",
    "weapons",
    "unmodelled",
}


def test_units_lists_the_catalogue_and_tells_of_one() -> None:
    rows = opfor_json("units")["units"]
    assert len(rows) >= 40 and all(set(row) >= KEYS for row in rows)
    row = opfor_json("units", "wvr-6r")["units"][0]
    # a 55-ton 'Mech on its record sheet: 5/8/5, 91 points of structure, 12 heat sinks
    assert (row["tons"], row["walk"], row["run"], row["jump"]) == (55, 5, 8, 5)
    assert (row["internal_total"], row["heat_capacity"]) == (91, 12)
    assert [weapon["name"] for weapon in row["weapons"]] == ["Medium Laser", "SRM 6", "Autocannon/5"]
    assert "ammunition SRM 6: 15" in opfor("units", "Wolverine WVR-6R").stdout
    assert "did you mean Wolverine" in opfor("units", "Wolverin WVR-6R", code=1).stderr
    assert "no such file" in opfor("units", "mine.mtf", code=1).stderr


def test_boards_lists_and_draws() -> None:
    rows = opfor_json("boards")["boards"]
    assert {"name", "width", "height", "about"} <= set(rows[0])
    assert "16" in opfor("boards", "crossroads").stdout
    assert "did you mean crossroads" in opfor("boards", "crosroads", code=1).stderr


def test_rules_know_where_they_are_played_and_tested() -> None:
    rows = {row["id"]: row for row in opfor_json("rules")["rules"]}
    assert len(rows) == len(ledger()["rules"])
    for id in ("S-1", "S-2", "S-3", "S-4", "S-5", "S-6", "S-7", "S-8", "S-11"):
        assert rows[id]["implemented"], id
    assert "opfor.rules.pilots.heat" in rows["S-7"]["implemented"]
    assert any(case.startswith("heat/") for case in rows["S-7"]["tested"])
    assert "opfor.rules.pilots.wounds.wound" in rows["E-38"]["implemented"] and rows["E-16"]["source"] == "Eridani campaign"
    assert "partial_cover" in rows["E-36"]["switch"]
    assert [row["id"] for row in opfor_json("rules", "s-4")["rules"]] == ["S-4"]
    assert "there is no rule" in opfor("rules", "S-44", code=1).stderr


def test_policies() -> None:
    rows = opfor_json("policies")["policies"]
    assert {"random", "veteran"} <= {row["name"] for row in rows}
    assert all(row["what"] for row in rows)


def test_map_in_every_form(tmp_path: Path) -> None:
    orders = tmp_path / "o.json"
    orders.write_text(opfor("orders", RIDGE, "--json").stdout)
    for name in ("m.svg", "m.png", "m.html", "m.txt"):
        assert opfor("map", RIDGE, "-o", tmp_path / name, "--orders", orders, "--scale", "0.4").stdout == ""
    assert (tmp_path / "m.svg").read_text().startswith("<svg")
    assert Image.open(tmp_path / "m.png").format == "PNG"
    assert "<!doctype html>" in (tmp_path / "m.html").read_text()
    assert opfor("map", RIDGE).stdout == (tmp_path / "m.txt").read_text()
    assert "reaver" in opfor_json("map", RIDGE)["map"]
    assert opfor_json("map", RIDGE, "-o", tmp_path / "n.svg", "--orders", "reaver: walk F1")["bytes"] > 10_000
    assert "no map is drawn as 'gif'" in opfor("map", RIDGE, "-o", tmp_path / "m.gif", code=1).stderr
    assert "did you mean opfor" in opfor("map", RIDGE, "--side", "opfr", code=1).stderr


def test_play_gives_a_result_a_replay_and_an_account(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    arguments = ("play", path, "--policies", "random,veteran", "--seed", "3", "--games", "2", "--turns", "5")
    document = opfor_json(*arguments, "--replay", tmp_path / "r.jsonl.gz", "--report", tmp_path / "r.txt")
    assert document["policies"] == {"players": "random", "opfor": "veteran"}
    assert [game["seed"] for game in document["games"]] == [3, 4]
    assert sum(document["wins"].values()) + document["draws"] == 2
    assert document == opfor_json(*arguments)
    text = read_replay(tmp_path / "r.jsonl.gz")
    assert replay(text) == text
    assert "the battle is over" in (tmp_path / "r.txt").read_text()
    assert "wins" in opfor(*arguments).stdout
    assert "3 policies for 2 sides" in opfor("play", path, "--policies", "random,random,random", code=1).stderr
    assert "did you mean random" in opfor("play", path, "--policies", "randon", code=1).stderr


def test_help_and_version() -> None:
    text = opfor("--help").stdout
    for name in ("new", "check", "orders", "apply", "undo", "explain", "moves", "map", "play", "units", "boards", "rules"):
        assert name in text
        assert opfor(name, "--help").stdout
    assert opfor("--version").stdout == f"opfor {package.__version__}\n"


def test_the_program_starts_without_loading_what_a_command_does_not_use() -> None:
    """``opfor --help`` needs neither the rules nor pydantic, Pillow or Jinja."""
    heavy = ("pydantic", "PIL", "jinja2", "yaml", "opfor.rules", "numpy")
    code = (
        "import json, sys; sys.argv = ['opfor', '--help']\nfrom opfor.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print(json.dumps([m for m in {heavy!r} if m in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert json.loads(done.stdout.splitlines()[-1]) == []


@pytest.mark.parametrize("broken", ["reaver", ""])
def test_an_unexpected_error_is_one_message(broken: str) -> None:
    """A fault of the program is told as such, without a traceback, unless -v asks for it."""
    code = (
        "import sys, opfor.cli.lists as lists\nfrom opfor.cli import app, main\n"
        f"import opfor.gm.policies as p\ndef bad(): raise KeyError({broken!r})\np.policy_rows = bad\n"
        "sys.argv = ['opfor', 'policies']\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr and "a fault of the program" in done.stderr
