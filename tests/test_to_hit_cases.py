"""Worked cases of tests/cases/to_hit: target numbers with every modifier, and refusals.

A case: ``given``: ``board``, ``size``, ``ruleset``, unit ``a`` (the attacker, at 0801 facing south with a medium laser in
the right arm unless told otherwise), unit ``t`` (the target, side 1, at 0804), ``others`` (more units); ``shot``: ``mount``,
``mode``, ``primary``, ``twist``, ``flip``, ``spotter``, ``spotter_attacks``; ``expect``: ``tn`` and ``mods`` (all but gunnery),
or part of the words ``why``; ``cover``, ``side``. Numbers are worked from the rules.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from opfor.rules.shooting.framing import frame
from opfor.rules.shooting.to_hit import FireSolver, Posture, gun, number, weapon_attack
from opfor.state import State
from opfor.tables import load_yaml
from tests.support import make_state

CASES = [
    case
    for path in sorted((Path(__file__).parent / "cases" / "to_hit").glob("*.yaml"))
    for case in load_yaml(path.read_text(encoding="utf-8"))
]
STANDING = {"mode": "stand", "hexes": 0}


def position(given: dict[str, Any]) -> State:
    """The state that a case gives."""
    a = {"id": "a", "at": "0801", "facing": 3, "moved": STANDING, **given.get("a", {})}
    t = {"id": "t", "side": 1, "at": "0804", "moved": STANDING, **given.get("t", {})}
    if "type" not in a:
        a.setdefault("mech", {"weapons": {"RA": ["is_medium_laser"]}})
    return make_state(
        board=given.get("board"),
        size=given.get("size", (16, 17)),
        ruleset=given.get("ruleset", "standard"),
        units=[a, t, *given.get("others", ())],
    )


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    assert case["rule"] and case["title"]
    state = position(case.get("given", {}))
    shot, expect = case.get("shot", {}), case["expect"]
    a = state.unit("a")
    target = state.unit(shot.get("target", "t"))
    mount = a.spec.mounts[shot.get("mount", 0)]
    mode = next(m for m in mount.modes if m.name == shot.get("mode", mount.modes[0].name))
    spotter = state.unit(shot["spotter"]) if "spotter" in shot else None
    primary = state.unit(shot["primary"]) if "primary" in shot else None
    found = weapon_attack(
        state,
        a,
        mount,
        mode,
        target,
        primary=primary,
        twist=shot.get("twist"),
        flip=shot.get("flip"),
        spotter=spotter,
        spotter_attacks=shot.get("spotter_attacks", False),
    )
    if "why" in expect:
        assert not found.possible, str(found)
        assert expect["why"] in found.why
    else:
        assert found.possible, found.why
        assert found.modifiers[0].what == "gunnery"
        assert {m.what: m.value for m in found.modifiers[1:]} == expect.get("mods", {})
        assert found.value == expect["tn"]
        for what, rule in expect.get("rules", {}).items():
            assert next(m for m in found.modifiers if m.what == what).rule == rule
    seen = frame(state, a, target, spotter=spotter, spotter_attacks=shot.get("spotter_attacks", False))
    if "cover" in expect:
        assert seen.cover == expect["cover"]
    if "side" in expect:
        assert seen.side == expect["side"]
    if found.possible and primary in (None, target):
        # the sums of the fast path are those of the itemised one
        assert number(seen, gun(a, mount, mode, seen)) == found.value
        assert seen.common == sum(m.value for m in seen.modifiers)


def test_ids_are_unique() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)


def test_solver_lists_what_weapon_attack_allows() -> None:
    """Every shot of a solver has the number that weapon_attack gives, and no possible shot is missing."""
    state = position(
        {
            "board": {"0803": "level 1", "1005-1007": "heavy woods", "0808-0810": "level 3"},
            "a": {
                "mech": {
                    "weapons": {
                        "RA": ["is_medium_laser"],
                        "LA": ["is_ppc"],
                        "RT": ["is_lrm10"],
                        "LT": ["is_small_laser (R)"],
                    },
                    "ammo": {"RT": ["IS Ammo LRM-10"]},
                    "hands": False,
                    "lower_arms": False,
                }
            },
            "others": [
                {"id": "u", "side": 1, "at": "1208", "moved": {"mode": "jump", "hexes": 5}},
                {"id": "v", "side": 1, "at": "0802", "prone": True},
                {"id": "w", "side": 1, "at": "0401"},
                {"id": "x", "side": 1, "at": "0814"},
                {"id": "b", "side": 0, "at": "0816", "facing": 1},
            ],
        }
    )
    a = state.unit("a")
    solver = FireSolver(state, a)
    assert [p.words for p in solver.postures()] == ["straight ahead", "twisted left", "twisted right", "arms flipped"]
    listed = 0
    for posture in solver.postures():
        for mount in a.spec.mounts:
            shots = {(s.target.id, s.mode.name, s.spotter): s.numbers for s in solver.shots(mount, posture)}
            listed += len(shots)
            for target in state.enemies(0):
                for mode in mount.modes:
                    for spotter in (None, state.unit("b")):
                        given = {"twist": posture.twist, "flip": posture.flip, "spotter": spotter}
                        first = weapon_attack(state, a, mount, mode, target, primary=target, **given)
                        second = weapon_attack(state, a, mount, mode, target, primary=a, **given)
                        key = (target.id, mode.name, spotter.id if spotter else "")
                        if first.possible and first.value <= 12:
                            front, as_primary, as_secondary = shots.pop(key)
                            assert as_primary == max(2, first.value)
                            assert as_secondary == (max(2, second.value) if second.value <= 12 else 0)
                            assert second.value - first.value == (1 if front else 2)
                        else:
                            assert key not in shots
            assert not shots
    assert listed > 20
    assert Posture(0, False) in solver.postures()
