"""Legal fire at hexes: what is listed is what is legal, counted exactly, and it adds to the other fire."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from opfor.game.legal.fire import FireChoices, UnitFire
from opfor.orders import Attack, FireOrder
from opfor.rules.terrain.hexes import INTENTS
from opfor.units.hex_target import hex_id, names_hex
from tests.support import make_state

PLACES: dict[str, dict[str, Any]] = {
    "woods and a building": {
        "board": {"0804": "light woods", "0903": "medium building, height 2", "0703": {"mines": 10, "mines_known": 1}},
        "units": [
            {"id": "a", "at": "0801", "facing": "S", "mech": {"weapons": {"RA": ["is_medium_laser"], "LA": ["is_flamer"]}}},
            {"id": "t", "at": "0804", "side": 1},
        ],
    },
    "scarce rounds": {
        "board": {"0804": "heavy woods"},
        "units": [
            {
                "id": "a",
                "at": "0801",
                "facing": "S",
                "mech": {"weapons": {"RT": ["is_srm4", "is_srm4"], "LT": ["is_ac5"]}, "ammo": {"RT": ["IS Ammo SRM-4"]}},
                "ammo": [1],
            },
            {"id": "t", "at": "0804", "side": 1},
        ],
    },
    "special missiles": {
        "board": {"0808": "light woods"},
        "ruleset": {"base": "standard", "swarm_missiles": "all"},
        "units": [
            {
                "id": "a",
                "at": "0801",
                "facing": "S",
                "mech": {
                    "weapons": {"RT": ["is_lrm5"], "LT": ["is_mml5"]},
                    "ammo": {"RT": ["IS Ammo LRM-5 Thunder", "IS Ammo LRM-5 Swarm"], "LT": ["IS Ammo MML-5 SRM Inferno"]},
                },
            },
            {"id": "t", "at": "0808", "side": 1},
        ],
    },
    "prone": {
        "board": {"0803": "light woods", "0804": "light building"},
        "units": [
            {
                "id": "a",
                "at": "0801",
                "facing": "S",
                "prone": True,
                "mech": {"weapons": {"RA": ["is_medium_laser"], "LA": ["is_medium_laser"], "RT": ["is_lrm5"]}},
            },
            {"id": "t", "at": "0804", "side": 1},
        ],
    },
    "a tank": {
        "board": {"0804": "light woods"},
        "units": [
            {"id": "a", "at": "0801", "facing": "S", "vehicle": {"weapons": {"TU": ["is_medium_laser"], "FR": ["is_flamer"]}}},
            {"id": "t", "at": "0804", "side": 1},
        ],
    },
    "a platoon": {
        "board": {"0802": "light building", "0801": {"mines": 5, "mines_known": 1}},
        "units": [
            {"id": "a", "at": "0801", "facing": "S", "platoon": {"weapon": "flamer"}},
            {"id": "t", "at": "0803", "side": 1},
        ],
    },
}


@pytest.mark.parametrize("place", PLACES)
def test_listed_is_legal(place: str) -> None:
    """List, count, membership, samples and tree agree; combinations that are not listed are refused."""
    state = make_state(**PLACES[place])
    unit = state.unit("a")
    choices = FireChoices(state, [unit])
    listed = list(choices)
    assert len(listed) == len(set(listed)) == choices.count()
    assert all(choices.why_not(order) == "" for order in listed)
    numbers = iter(range(len(listed)))
    assert [choices.sample(lambda n: next(numbers)) for _ in listed] == listed
    assert sorted(map(str, choices.tree().leaves())) == sorted(map(str, listed))
    assert any(names_hex(order.primary) for order in listed)
    tried = brute_force(UnitFire(state, unit))
    assert {order for order in tried if not choices.why_not(order)} == {o for o in listed if names_hex(o.primary)}


def brute_force(fire: UnitFire) -> set[FireOrder]:
    """Every order at every hex around the target, to every end and with every mix of weapons, legal or not."""
    board, unit = fire.state.board, fire.unit
    target = fire.state.unit("t").cell
    cells = [target, *(target + step for step in board.grid.step)]
    found = set()
    for posture in fire.postures:
        for cell, intent in product(cells, INTENTS):
            name = hex_id(board, cell)
            ways = [[None, *(Attack(m.index, name, mode.name, "", intent) for mode in m.modes)] for m in unit.spec.mounts]
            for mix in product(*ways):
                attacks = tuple(attack for attack in mix if attack is not None)
                if attacks:
                    found.add(FireOrder(unit.id, posture.twist, posture.flip, attacks, name))
    return found


def test_hexes_add_and_do_not_multiply() -> None:
    """With the switch off the orders at units are the same."""
    on = make_state(**PLACES["woods and a building"])
    off = make_state(**PLACES["woods and a building"], ruleset={"base": "standard", "hex_targets": "off"})
    at_units = [order for order in FireChoices(on, [on.unit("a")]) if not names_hex(order.primary)]
    assert at_units == list(FireChoices(off, [off.unit("a")]))


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (FireOrder("a", 0, False, (Attack(0, "@0805"),), "@0805"), "no building"),
        (FireOrder("a", 0, False, (Attack(0, "@9999"),), "@9999"), "9999"),
        (FireOrder("a", 0, False, (Attack(0, "@0801"),), "@0801"), "itself"),
        (FireOrder("a", 0, False, (Attack(0, "@0804", "", "", "mines"),), "@0804"), "possible there: break down, ignite"),
        (FireOrder("a", 0, False, (Attack(0, "@0804", "", "t"),), "@0804"), "possible there"),
        (FireOrder("a", 0, False, (Attack(0, "@0804", "double"),), "@0804"), "no fire mode"),
        (FireOrder("a", 0, False, (Attack(0, "@0804"),), "t"), "one hex"),
        (FireOrder("a", 0, False, (Attack(0, "t"),), "@0804"), "one hex"),
    ],
)
def test_refusals_say_why(order: FireOrder, words: str) -> None:
    """What is not listed is refused with the reason."""
    state = make_state(**PLACES["woods and a building"])
    assert words in FireChoices(state, [state.unit("a")]).why_not(order)
