"""Frames of supposed positions are those of units that really stand there; the fast numbers are the itemised ones."""

from __future__ import annotations

import random
from typing import Any

import pytest

from opfor.rules.shooting.frame import Frame
from opfor.rules.shooting.framing import frame, sees
from opfor.rules.shooting.to_hit import IMPOSSIBLE, cover_and_side, gun, number, weapon_attack
from opfor.state import State
from tests.support import make_state

MECH = {
    "weapons": {"RA": ["is_medium_laser"], "LA": ["is_ppc"], "RT": ["is_lrm10"], "LL": ["is_small_laser"]},
    "ammo": {"RT": ["IS Ammo LRM-10"]},
    "equipment": {"RT": ["C3 Slave"]},
}
MASTER = {"equipment": {"LT": ["C3 Master"] * 5}}


def parts(found: Frame) -> dict[str, Any]:
    """What a frame says, without the units it is about."""
    return {name: getattr(found, name) for name in Frame.__slots__ if name not in ("attacker", "target", "spotter")}


def random_state(rng: random.Random) -> State:
    words = (
        "clear",
        "clear",
        "light woods",
        "heavy woods",
        "level 1",
        "level 2",
        "water depth 1",
        "water depth 2",
        "level 1, light woods",
    )
    board = {f"{c:02d}{r:02d}": rng.choice(words) for c in range(1, 13) for r in range(1, 13)}

    def unit(id: str, side: int, mech: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": id,
            "side": side,
            "mech": mech,
            "at": f"{rng.randrange(1, 13):02d}{rng.randrange(1, 13):02d}",
            "facing": rng.randrange(6),
            "twist": rng.choice((-1, 0, 1)),
            "moved": {"mode": rng.choice(("stand", "walk", "run", "jump")), "hexes": rng.randrange(9)},
            "prone": rng.random() < 0.2,
            "heat": rng.randrange(20),
            "shutdown": side == 1 and rng.random() < 0.1,
        }

    units = [unit("a", 0, MECH), unit("t", 1, MECH), unit("m", 0, MASTER)]
    return make_state(board=board, size=(12, 12), units=units)


@pytest.mark.parametrize("seed", range(40))
def test_supposed_positions(seed: int) -> None:
    rng = random.Random(seed)
    state = random_state(rng)
    for _ in range(10):
        there = state.copy()
        a, t = there.unit("a"), there.unit("t")
        for unit in (a, t):
            unit.cell = rng.choice(state.board.grid.on_board)
            unit.elevation = -state.board.depth[unit.cell]
            unit.facing = rng.randrange(6)
            unit.mode = rng.choice(("stand", "walk", "run", "jump"))
            unit.hexes_moved = rng.randrange(12)
            unit.prone = rng.random() < 0.2
        really = frame(there, a, t)
        supposed = frame(
            state,
            state.unit("a"),
            state.unit("t"),
            cell=a.cell,
            facing=a.facing,
            mode=a.mode,
            hexes=a.hexes_moved,
            prone=a.prone,
            t_cell=t.cell,
            t_facing=t.facing,
            t_mode=t.mode,
            t_hexes=t.hexes_moved,
            t_prone=t.prone,
        )
        assert parts(really) == parts(supposed)
        assert sees(there, a, t) == (not really.blocked)
        assert really.why or cover_and_side(there, a, t) == (really.cover, really.side)


@pytest.mark.parametrize("seed", range(40))
def test_numbers_are_sums(seed: int) -> None:
    rng = random.Random(1000 + seed)
    state = random_state(rng)
    a, t = state.unit("a"), state.unit("t")
    seen = frame(state, a, t)
    assert seen.common == sum(m.value for m in seen.modifiers)
    for mount in a.spec.mounts:
        for mode in mount.modes:
            needed = number(seen, gun(a, mount, mode, seen))
            answers = [weapon_attack(state, a, mount, mode, t, twist=twist) for twist in (-1, 0, 1)]
            for answer in answers:
                if answer.possible:
                    assert answer.value == needed
                    assert answer.modifiers[0].what == "gunnery"
                    assert all(m.value for m in answer.modifiers[1:])
                elif needed < IMPOSSIBLE:
                    assert "arc" in answer.why


def test_a_roof_is_another_level() -> None:
    state = make_state(
        board={"0803": {"building": 3, "building_height": 3, "building_cf": 90}, "0805": "level 2"},
        units=[{"id": "a", "at": "0801", "facing": 3}, {"id": "t", "side": 1, "at": "0806"}],
    )
    a, t = state.unit("a"), state.unit("t")
    assert frame(state, a, t).why == "no line of sight: building in the way"
    on_roof = frame(state, a, t, cell=state.board.grid.parse("0803"), elevation=3)
    assert on_roof.seen.clear is False  # the hill next to the target hides it still
    assert frame(state, a, t, cell=state.board.grid.parse("0803"), elevation=3, t_cell=state.board.grid.parse("0807")).why == ""


def test_unknown_targets_are_refused() -> None:
    state = make_state(units=[{"id": "a", "at": "0801"}, {"id": "t", "side": 1, "at": "0802"}])
    state.unit("t").hidden = True
    assert "does not know" in frame(state, state.unit("a"), state.unit("t")).why
