"""Whatever people hand in, the answer is a battle, an order, or one clear refusal: never a crash. Rule: S-1, S-9."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from opfor.errors import InputError
from opfor.formats.battle_file.battle import load_battle, read_battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.orders import order_from_dict
from opfor.formats.words.notation import order_from_words
from opfor.gm.starting.checking import findings
from opfor.report.maps.map_text import map_text
from tests.cli_support import ROOT

TOWN = ROOT / "examples" / "town-24.yaml"
#: one of each kind, on little ground
FEW = """\
opfor: 1
board: {size: 6x6}
sides: {a: {}, b: {}}
units:
  - {id: mech, side: a, type: Wasp WSP-1A, at: "0101", facing: N}
  - {id: tank, side: a, type: Scorpion Light Tank (Standard), at: "0202", facing: N}
  - {id: maxim, side: a, type: Maxim Heavy Hover Transport (Standard), at: "0303", facing: N}
  - {id: foot, side: a, type: Foot Platoon (Rifle), at: "0404"}
  - {id: heli, side: b, type: Warrior Attack Helicopter H-7, at: "0505", facing: N, elevation: 2}
  - {id: suits, side: b, type: "Elemental Battle Armor [Laser](Sqd5)", at: "0606"}
"""
ODD: tuple[Any, ...] = ("", "x", "gone", -1, 0, 99, True, None, [], ["x"], {}, {"x": 1}, {"S1": 99}, [1], "0611", 1.5)
KEYS = (
    "turret", "crew", "aboard", "swarming", "dug_in", "elevation", "facing", "at", "type", "moved", "damage", "heat", "twist",
    "side", "id", "destroyed", "gone",
)  # fmt: skip
DAMAGE = (
    "armor", "structure", "criticals", "ammo", "weapons", "systems", "crew", "stunned", "stunned_next", "motive", "cruise_lost",
    "immobilized", "engine", "sensors", "flight_stabilizer", "stabilizers", "malfunctions", "turret", "turret_jams",
    "cargo_lost", "troopers", "suits",
)  # fmt: skip


def few() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FEW)
    return found


def odd_documents(unit: int) -> Iterator[dict[str, Any]]:
    for value in ODD:
        for key in KEYS:
            document = few()
            document["units"][unit][key] = value
            yield document
        for key in DAMAGE:
            document = few()
            document["units"][unit]["damage"] = {key: value}
            yield document
        for key in ("mines", "fires", "wind", "terrain"):
            document = few()
            document[key] = value
            yield document


def test_odd_values_are_read_or_refused() -> None:
    """Each key of a unit of each kind, and of what lies on the board, with values of every sort."""
    draw = random.Random(9)
    read = refused = 0
    for unit in range(6):
        for document in odd_documents(unit):
            if draw.random() > 0.03:
                continue
            try:
                battle = read_battle(json.dumps(document))
            except InputError as error:
                refused += 1
                assert "\n" not in str(error) and str(error).startswith("battle")
                continue
            read += 1
            findings(battle)
            again = read_battle(json.dumps(battle_document(battle)))
            assert battle_document(again) == battle_document(battle)
            map_text(battle.state)
    assert read > 8 and refused > 30


WORDS = re.split(
    " ",
    "walk cruise flank run jump stand F2 L1 R B1 SL CLIMB2 DIVE1 -> to 0611 0807 @0807 hex N NE 3 +2 -1 prone mount dismount "
    "board maxim fire at Medium Laser Autocannon/5 + , ; (ignite) (mines) (aim head) (spotter lance-1) turret twist left clear "
    "turret LRM 20 hold primary none swarm leg attack alpha-1 reaver charge ram dfa kick punch left both let go dig in ( ) : x",
)


@pytest.mark.parametrize(
    "unit", ["alpha-1", "sledge-2", "kestrel", "first-platoon", "second-platoon", "longknives", "elementals"]
)
def test_odd_orders_are_read_or_refused(unit: str) -> None:
    state = load_battle(TOWN).state
    draw = random.Random(unit)
    read = 0
    for _ in range(150):
        words = " ".join(draw.choice(WORDS) for _ in range(draw.randrange(1, 8)))
        try:
            order_from_words(f"{unit}: {words}", state)
            read += 1
        except InputError as error:
            assert "\n" not in str(error)
    assert read > 1


def test_odd_json_orders_are_read_or_refused() -> None:
    state = load_battle(TOWN).state
    draw = random.Random(2)
    keys = (
        "unit", "kind", "mode", "path", "to", "facing", "elevation", "prone", "attack", "target", "twist", "turret", "attacks",
        "primary", "instead", "limb", "flip",
    )  # fmt: skip
    hexed = [{"weapon": "Medium Laser", "target": "@0807", "aim": "IGNITE"}]
    values: tuple[Any, ...] = (
        *ODD, "move", "fire", "walk", ["F"], "NE", "@0807", "alpha-1", "clear turret", "clear x", hexed,
        [{"mount": 0, "target": 3}],
    )  # fmt: skip
    for _ in range(1200):
        data = {key: draw.choice(values) for key in keys if draw.random() < 0.5}
        data["unit"] = draw.choice(("sledge-2", "alpha-1", "kestrel", "longknives"))
        try:
            order_from_dict(data, state)
        except InputError:
            continue
