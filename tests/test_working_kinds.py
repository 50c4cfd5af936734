"""The working of orders of every kind of unit adds up, and is told without a gap. Rule: S-4, S-9, S-10."""

from __future__ import annotations

import random

import pytest

from opfor.formats.battle_file.battle import load_battle
from opfor.formats.words.notation import order_from_words
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.movement import MovementChoices
from opfor.gm.advice.harm import harm_words, mean_harm
from opfor.gm.advice.working import advise_unit
from opfor.orders import FireOrder, MoveOrder
from opfor.report.maps.map_picture import map_drawing
from opfor.report.maps.map_svg import to_svg
from opfor.report.posts.gm_text import open_lines
from opfor.state import State
from tests.cli_support import ROOT
from tests.support import make_state


@pytest.fixture
def state() -> State:
    return load_battle(ROOT / "examples" / "town-24.yaml").state


def test_every_kind_of_order_has_its_working(state: State) -> None:
    draw = random.Random(5)
    told = []
    for unit in state.units:
        if not unit.active:
            continue
        moves = MovementChoices(state, [unit])
        told += [advise_unit(state, moves.sample(draw.randrange)) for _ in range(6)]
    state.phase = "fire"
    for unit in state.units:
        fire = FireChoices(state, [unit])
        told += [advise_unit(state, fire.sample(draw.randrange)) for _ in range(6)]
    for one in told:
        assert one.figures["words"].startswith(one.order.unit)
        for attempt in one.attempts:
            assert attempt.on_hit and "None" not in attempt.on_hit
            if attempt.sum.needs is not None:
                assert attempt.sum.needs == sum(part["value"] for part in attempt.sum.data["modifiers"])
        unit = state.unit(one.order.unit)
        heat = [fact for fact in one.facts if fact.startswith("heat")]
        assert bool(heat) is unit.spec.is_mech, one.facts
        text = "\n".join(open_lines(one))
        assert "mines" not in text or "(mines)" in text or "clear its mines" in text
    assert len(to_svg(map_drawing(state, [one.order for one in told]))) > 10_000


def test_a_post_does_not_tell_of_mines(state: State) -> None:
    """The avenue is mined at 0906, and the players do not know."""
    order = MoveOrder("reaver", "walk", ("F", "F"), state.board.grid.parse("0906"), 3)
    assert state.board.hexes[order.to].mines == 10
    assert "mines" not in " ".join(advise_unit(state, order).facts)


@pytest.mark.parametrize(
    ("unit", "weapon", "target", "words"),
    [
        ("sledge-2", "Machine Gun", "militia-1", "2 points; 2d6 troopers a hit, doubled in the open"),
        ("alpha-1", "SRM 6", "militia-1", "a trooper for 5 points, doubled in the open"),
        ("alpha-1", "Medium Laser", "reaver", "5 points, roll 2d6 for the location"),
        ("second-platoon", "Laser rifles", "reaver", "roll 2d6 for the cluster of 15 troopers, groups of 2"),
        ("longknives", "Leg attack", "reaver", "4 points to a leg"),
        ("elementals", "Swarm", "alpha-1", "12 points a turn, swarm table"),
        ("elementals", "Swarm", "reaver", "it clings to the target, 12 points a turn"),
        ("anvil-3", "SRM 6", "second-platoon", "a trooper for 5 points, 50 % of them inside the building"),
        ("anvil-1", "PPC", "longknives", "10 points, roll 2d6 for the location, less 9 each to the walls"),
    ],
)
def test_what_a_hit_does_in_words(state: State, unit: str, weapon: str, target: str, words: str) -> None:
    attacker = state.unit(unit)
    mount = next(m for m in attacker.spec.mounts if m.name == weapon)
    assert words in harm_words(state, attacker, mount, mount.modes[0], state.unit(target), 1)


def test_means_worked_by_hand(state: State) -> None:
    """Militia in the open: a medium laser's 5 points are a trooper, doubled 2. Half a trooper in the medium building is none.

    Elementals, four suits left, each with a small laser of 3 points: clinging they do 12.
    """

    def mean(unit: str, weapon: str, target: str) -> float:
        attacker = state.unit(unit)
        mount = next(m for m in attacker.spec.mounts if m.name == weapon)
        return mean_harm(state, attacker, mount, mount.modes[0], state.unit(target), 1)

    assert mean("alpha-1", "Medium Laser", "militia-1") == 2
    assert mean("alpha-1", "Medium Laser", "second-platoon") == 0
    assert mean("alpha-1", "Medium Laser", "reaver") == 5
    assert mean("elementals", "Swarm", "alpha-1") == 12
    assert mean("longknives", "Leg attack", "reaver") == 4
    assert mean("longknives", "Swarm", "reaver") == 0


def test_fire_at_a_hex_is_worked_out(state: State) -> None:
    state.phase = "fire"
    state.units = state.units
    for words, what in (
        ("fire Medium Laser at hex 0611", "to what stands there"),
        ("fire Medium Laser (ignite) at hex 0611", "to set it on fire at"),
    ):
        order = order_from_words(f"alpha-1: {words}", state)
        assert isinstance(order, FireOrder)
        one = advise_unit(state, order)
        (attempt,) = one.attempts
        assert what in f"{attempt.sum.what} at {attempt.on_hit}"
        assert attempt.target == "@0611" and attempt.distance == 1


@pytest.mark.parametrize(
    ("unit", "board", "mode", "path", "words"),
    [
        # foot: heavy woods cost 2 MP, and it has one
        ({"platoon": {"motive": "foot"}}, {"0804": "heavy woods"}, "walk", "F", "2 of 1 MP, the minimum move"),
        ({"mech": {"walk": 4}}, {}, "walk", "F F", "2 of 4 MP"),
        # three hexes of road, and the MP that a cruise along one adds
        ({"vehicle": {"cruise": 2, "motive": "wheeled"}}, {"0802 0803 0804 0805": "pavement"}, "walk", "F F F",
         "3 of 2 + 1 on pavement MP"),
    ],
)  # fmt: skip
def test_mp_beyond_those_that_there_are_is_explained(
    unit: dict[str, object], board: dict[str, str], mode: str, path: str, words: str
) -> None:
    """Rule: S-2 (one hex ahead whatever it costs), E-12 (pavement)."""
    state = make_state(units=[{"id": "a", "at": "0805", "facing": "N", **unit}], board=board, phase="movement")
    mover = state.unit("a")
    tokens = tuple(path.split())
    (order,) = [o for o in MovementChoices(state, [mover]).of(mover).orders() if o.path == tokens and o.mode == mode][:1]
    assert words in advise_unit(state, order).facts
