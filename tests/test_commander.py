"""The commander: a plan for the side over what single units can do, within an effort that is counted in work."""

from __future__ import annotations

from typing import Any, cast

import pytest

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.game.game import Game
from opfor.game.loop import play_out
from opfor.gm.policies import with_thought
from policies.commander import CommanderPolicy
from policies.commander.clash import Clash
from policies.commander.effort import Effort, effort_for, efforts, shared_out
from policies.commander.lineup import LineUp
from policies.commander.stands import Piece, Stand
from policies.registry import make
from policies.veteran.characters import weights_of
from tests.skirmish import skirmish

ALL_KINDS = ("mech", "vehicle", "vtol", "infantry", "battle_armor")


# -- effort -------------------------------------------------------------------------------------------------------------


def test_effort_is_the_greatest_that_fits_into_the_seconds() -> None:
    assert [e.seconds for e in efforts()] == sorted(e.seconds for e in efforts())
    assert effort_for(0.0) == efforts()[0]
    assert effort_for(2.0).seconds == 2.0
    assert effort_for(9.9).seconds == 2.0
    assert effort_for(1000.0) == efforts()[-1]


def test_more_units_share_the_effort() -> None:
    """What four units get in orders played on, sixteen get a quarter of each, and half as many ends of each unit."""
    usual = effort_for(2.0)
    assert shared_out(usual, 4) == usual
    assert shared_out(usual, 2) == usual
    shared = shared_out(usual, 16)
    assert (shared.orders, shared.lineups, shared.plans) == (round(usual.orders / 4), usual.lineups // 4, usual.plans // 4)
    assert (shared.own, shared.enemy, shared.candidates) == (usual.own // 2, usual.enemy // 2, usual.candidates // 2)


def test_effort_is_told_behind_the_colon() -> None:
    assert CommanderPolicy().effort.seconds == 2.0
    assert CommanderPolicy(parameters="think=10").effort.seconds == 10.0
    assert CommanderPolicy(parameters="raider/fast").effort == efforts()[0]
    with pytest.raises(InputError, match="no number of seconds"):
        CommanderPolicy(parameters="think=long")


def test_think_on_the_command_line_is_for_the_commander() -> None:
    assert with_thought("commander", 5) == "commander:think=5"
    assert with_thought("commander:raider/think=1", 0.5) == "commander:raider/think=0.5"
    with pytest.raises(InputError, match="veteran is to play") as refused:
        with_thought("veteran", 5)
    assert "commander" in str(refused.value)
    with pytest.raises(InputError, match="-1 seconds"):
        with_thought("commander", -1)


# -- line-ups -----------------------------------------------------------------------------------------------------------


class _Figure:
    """As much of a figure as a line-up asks for."""

    def __init__(self, toughness: float = 100.0) -> None:
        self.toughness = toughness


def _piece(number: int, side: int, stands: int, *, placed: bool = False, base: tuple[float, ...] = ()) -> Piece:
    made = [
        Stand(i, (number * 10 + i) * 4, None, 0, 0, 0, base[i] if base else 0.0, seen=float(stands - i)) for i in range(stands)
    ]
    return Piece(number, side, cast(Any, _Figure()), made, placed=placed)


def _clash(pieces: list[Piece], harm: dict[tuple[int, int], dict[tuple[int, int], float]]) -> Clash:
    """A clash whose harm is given: by (attacker, target), by (stand of the attacker, of the target); 0 where nothing is."""
    clash = Clash(cast(Any, None), pieces, cast(Any, None), weights_of("standard"))

    def given(attacker: Piece, target: Piece, a: Stand, t: Stand) -> float:
        return harm.get((attacker.number, target.number), {}).get((a.id, t.id), 0.0)

    clash.harm = given  # type: ignore[method-assign]
    return clash


def _effort(**changes: Any) -> Effort:
    plain: dict[str, Any] = {
        "seconds": 1.0, "own": 9, "enemy": 9, "candidates": 9, "movers": 9, "lineups": 9999, "stale": 0, "ways": 9,
        "followers": 9, "own_eye": 0.0, "out_of_turn": 0.0, "played": 0, "orders": 0, "plans": 9, "feared": 0.0,
    }  # fmt: skip
    return Effort(**{**plain, **changes})


def test_a_line_up_is_worth_harm_done_less_harm_taken_and_the_ground() -> None:
    """One against one: 10 done, 4 taken at the weight 0.9 for whoever minds it once, ground 2 of ours, 3 of theirs by half:
    10 - 4 * 1 + 2 - 1.5 = 6.5 (how much harm matters is the piece's: 1 here)."""
    ours, theirs = _piece(0, 0, 1, base=(2.0,)), _piece(1, 1, 1, base=(3.0,))
    clash = _clash([ours, theirs], {(0, 1): {(0, 0): 10.0}, (1, 0): {(0, 0): 4.0}})
    assert clash.worth([ours.stands[0], theirs.stands[0]]) == pytest.approx(6.5)
    ours.care = 2.0
    clash = _clash([ours, theirs], {(0, 1): {(0, 0): 10.0}, (1, 0): {(0, 0): 4.0}})
    assert clash.worth([ours.stands[0], theirs.stands[0]]) == pytest.approx(2.5)


def test_an_enemy_that_may_fire_at_two_is_taken_to_fire_at_the_likelier() -> None:
    """8 at the one, 4 at the other. Likeliness goes by squares, 64 to 16: (64 * 8 + 16 * 4) / 80 = 7.2 with the share 0.6, and
    all 12 with the share 0.4 that is taken for granted: 0.6 * 7.2 + 0.4 * 12 = 9.12."""
    a, b, enemy = _piece(0, 0, 1), _piece(1, 0, 1), _piece(2, 1, 1)
    assert weights_of("standard").share_floor == 0.4
    clash = _clash([a, b, enemy], {(2, 0): {(0, 0): 8.0}, (2, 1): {(0, 0): 4.0}})
    assert clash.worth([p.stands[0] for p in (a, b, enemy)]) == pytest.approx(-9.12)


def test_the_enemy_s_best_answer_decides() -> None:
    """The first end does 10 where the enemy stands; but the enemy steps aside, takes nothing there and does 12. The second does
    only 6 and has nothing to fear."""
    ours = _piece(0, 0, 2)
    enemy = _piece(1, 1, 2)
    harm = {(0, 1): {(0, 0): 10.0, (1, 0): 6.0, (1, 1): 6.0}, (1, 0): {(1, 0): 12.0}}
    moved = _piece(1, 1, 1, placed=True)
    here = LineUp(_clash([ours, moved], harm), [], _effort()).choices([ours])
    assert here[0].stand.id == 0, "an enemy that has moved can do nothing about it"
    answered = LineUp(_clash([ours, enemy], harm), [1], _effort()).choices([ours])
    assert answered[0].stand.id == 1
    assert answered[0].value == pytest.approx(6.0)
    assert answered[1].value == pytest.approx(-12.0)


def test_two_of_a_side_do_not_plan_for_one_place() -> None:
    """Both would like the same hex; who moves second finds it taken, and goes to its next best."""
    first, second, enemy = _piece(0, 0, 2), _piece(1, 0, 2), _piece(2, 1, 1, placed=True)
    shared = first.stands[0].key
    second.stands[0] = second.stands[0]._replace(key=shared)
    harm = {(0, 2): {(0, 0): 10.0, (1, 0): 1.0}, (1, 2): {(0, 0): 10.0, (1, 0): 1.0}}
    clash = _clash([first, second, enemy], harm)
    # 10 and 1, and 0.35 of each more where the other's fire at the target counts in full, at 35 % of its toughness of 100
    value = LineUp(clash, [0], _effort()).play_on(first, first.stands[0])
    assert value == pytest.approx(10 * (1 + 0.35 * 1 / 35) + 1 * (1 + 0.35 * 10 / 35))


def test_what_a_unit_sees_for_itself_counts_where_enemies_wait() -> None:
    """The two ends are alike in the one line that is played on; by its own eye over all that the enemy may do the unit
    thinks 1 less of the second, of which 0.6 counts, with the one enemy to move when it likes (E-3). Where sides take turns
    the order is known, and the line that is played on is all there is."""
    ours, enemy = _piece(0, 0, 2), _piece(1, 1, 1)
    found = LineUp(_clash([ours, enemy], {}), [], _effort(own_eye=0.6)).choices([ours])
    assert [c.value for c in found] == pytest.approx([0.0, -0.6])
    found = LineUp(_clash([ours, enemy], {}), [1], _effort(own_eye=0.6)).choices([ours])
    assert [c.value for c in found] == [0.0, 0.0]
    settled = LineUp(_clash([ours, _piece(1, 1, 1, placed=True)], {}), [], _effort(own_eye=0.6)).choices([ours])
    assert [c.value for c in settled] == [0.0, 0.0]


# -- whole battles ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
def test_it_plays_by_every_turn_sequence_with_reasons_and_alternatives(ruleset: str) -> None:
    game = Game(skirmish(4, size=3, kinds=ALL_KINDS, ruleset=ruleset, limit=2), SeededDice(4))
    policies = [make("commander:fast", 4), make("commander:fast", 4)]
    noted = 0
    while (decision := game.decision()) is not None:
        policy = policies[decision.side]
        order = policy.choose(decision, game.view(decision.side))
        assert order in decision.legal
        assert order.reason
        noted += len(cast(Any, policy).notes.get(order.unit, [])) >= 2
        game.apply(order, trust=True)
    assert noted


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
@pytest.mark.parametrize("seed", range(4))
def test_it_plays_whole_battles_the_same_twice(ruleset: str, seed: int) -> None:
    ends = []
    for _ in range(2):
        game = Game(skirmish(seed, size=3, kinds=ALL_KINDS, ruleset=ruleset, limit=6), SeededDice(seed))
        play_out(game, [make("commander", seed), make("veteran", seed)])
        ends.append([(u.cell, u.facing, u.heat, u.armor, u.structure, u.ammo) for u in game.state.units])
    assert ends[0] == ends[1]
