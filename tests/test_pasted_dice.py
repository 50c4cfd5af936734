"""Pasted dice given to the rolls that they were rolled for: in order, out of order, and what cannot be right."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import pytest

from opfor.dice import DiceError, RecordedDice, Roll, RollNeeded, SeededDice, split_evenly
from opfor.formats.words.dice_text import read_dice
from opfor.game.game import Game
from opfor.game.loop import play_out
from opfor.gm.dice.pasted import PastedDice, Vocabulary, reads_each_die
from opfor.orders import Order
from opfor.rules.events import Event
from opfor.state import State
from opfor.units.spec import KINDS
from policies.registry import make
from tests.dice_rollers import ROLLERS
from tests.skirmish import skirmish

GAMES = [("standard", 0), ("standard", 1), ("campaign", 2), ("campaign", 3), ("mwii", 4)]


class Recorder:
    """Keeps orders and events."""

    def __init__(self) -> None:
        self.orders: list[Order] = []
        self.events: list[Event] = []

    def before(self, game: Game) -> None: ...

    def ordered(self, game: Game, decision: Any, order: Order) -> None:
        self.orders.append(order)

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        self.events += events

    def after(self, game: Game) -> None: ...


def start_of(ruleset: str, seed: int) -> State:
    return skirmish(seed, kinds=tuple(KINDS), size=4, limit=6, ruleset=ruleset)


@lru_cache(maxsize=8)
def played(ruleset: str, seed: int) -> tuple[tuple[Order, ...], tuple[Event, ...], tuple[Roll, ...]]:
    """A game between random policies: its orders, events and rolls."""
    game = Game(start_of(ruleset, seed), SeededDice(seed))
    recorder = Recorder()
    play_out(game, [make("random", seed), make("random", seed + 1)], [recorder])
    return tuple(recorder.orders), tuple(recorder.events), tuple(game.dice.log)


def again(ruleset: str, seed: int, orders: Iterable[Order], dice: Any) -> list[Event]:
    """The same orders with other dice."""
    game = Game(start_of(ruleset, seed), dice)
    game.decision()
    return [event for order in orders for event in game.apply(order)]


def shuffled(rolls: list[Roll], draw: random.Random) -> list[Roll]:
    """The rolls in any order; those with the same reason keep theirs."""
    mixed = rolls[:]
    draw.shuffle(mixed)
    rest = {why: iter([roll for roll in rolls if roll.why == why]) for why in {roll.why for roll in rolls}}
    return [next(rest[roll.why]) for roll in mixed]


@pytest.mark.parametrize(("ruleset", "seed"), GAMES)
@pytest.mark.parametrize("roller", sorted(ROLLERS))
def test_a_game_pasted_back_gives_the_same_rolls(ruleset: str, seed: int, roller: str) -> None:
    """Each phase's worth of rolls, in any order where their reasons differ, finds back to what it was rolled for."""
    _, _, rolls = played(ruleset, seed)
    vocabulary = Vocabulary(start_of(ruleset, seed))
    draw = random.Random(seed)
    for first in range(0, min(len(rolls), 240), 30):
        part = list(rolls[first : first + 30])
        text = "\n".join(ROLLERS[roller](roll, roll.why) for roll in shuffled(part, draw))
        dice = PastedDice(read_dice(text), vocabulary)
        assert [dice.roll(len(roll.dice), roll.why) for roll in part] == part
        assert not dice.unused


@pytest.mark.parametrize(("ruleset", "seed"), GAMES)
def test_a_whole_game_comes_out_the_same(ruleset: str, seed: int) -> None:
    orders, events, rolls = played(ruleset, seed)
    text = "\n".join(ROLLERS["board"](roll, roll.why) for roll in rolls)
    dice = PastedDice(read_dice(text), Vocabulary(start_of(ruleset, seed)))
    assert again(ruleset, seed, orders, dice) == list(events)


@pytest.mark.parametrize(("ruleset", "seed"), GAMES)
def test_a_sum_stands_for_two_dice_wherever_they_are_not_read_one_by_one(ruleset: str, seed: int) -> None:
    """Any two dice with the same sum lead to the same, but for the dice that are shown."""
    orders, events, rolls = played(ruleset, seed)
    other = [Roll(split_evenly(2, r.total), r.why) if len(r.dice) == 2 and not reads_each_die(r.why) else r for r in rolls]

    def without_dice(event: Event) -> dict[str, Any]:
        return {key: value for key, value in event.as_dict().items() if key != "dice"}

    outcome = again(ruleset, seed, orders, RecordedDice(other))
    assert [without_dice(event) for event in outcome] == [without_dice(event) for event in events]


# -- a small battle, worked by hand -------------------------------------------------------------------------------------


def battle() -> State:
    state = skirmish(1, a=["Wolverine WVR-6R", "Marauder MAD-3R"], b=["Archer ARC-2R", "Warhammer WHM-6R"], size=2)
    state.units[0].name = "Night Hawk"
    return state


LRM = "bravo-1: LRM 20 at alpha-1, needs 7"
CLUSTER = "bravo-1: cluster hits of LRM 20"
WHERE = "alpha-1: hit location, front side"
PPC = "alpha-2: PPC at bravo-2, needs 8"
OTHER = "bravo-2: PPC at alpha-2, needs 8"
FALL = "alpha-1: piloting, 20 or more damage this phase, needs 5"


def dice(text: str) -> PastedDice:
    return PastedDice(read_dice(text), Vocabulary(battle()))


def taken(text: str, *whys: str) -> list[tuple[int, ...]]:
    source = dice(text)
    return [source.roll(2, why).dice for why in whys]


@pytest.mark.parametrize(
    ("text", "whys", "expected"),
    [
        ("2d6 (1,1)\n2d6 (2,2)", [LRM, PPC], [(1, 1), (2, 2)]),
        ("2d6 (1,1) alpha-2 PPC\n2d6 (2,2) bravo-1 LRM", [LRM, PPC], [(2, 2), (1, 1)]),
        ("2d6 (1,1) PPC at bravo-2\n2d6 (2,2) PPC at alpha-2", [OTHER, PPC], [(2, 2), (1, 1)]),
        ("2d6 (1,1) LRM 20\n2d6 (2,2) LRM 20", [LRM, CLUSTER], [(1, 1), (2, 2)]),
        ("2d6 (1,1) cluster LRM 20\n2d6 (2,2) LRM 20 at alpha-1", [LRM, CLUSTER], [(2, 2), (1, 1)]),
        ("2d6 (1,1) location LRM\n2d6 (2,2) bravo-1 LRM\n2d6 (3,3) cluster", [LRM, CLUSTER, WHERE], [(2, 2), (3, 3), (1, 1)]),
        ("2d6 (1,1) bravo-1\n2d6 (2,2) bravo-1\n2d6 (3,3) bravo-1", [LRM, CLUSTER, WHERE], [(1, 1), (2, 2), (3, 3)]),
        ("2d6 (1,1) Night Hawk PSR\n2d6 (2,2)", [LRM, FALL], [(2, 2), (1, 1)]),
        ("2d6 (1,1) alpha-1 piloting, needs 5\n2d6 (2,2) alpha-1 hit location", [WHERE, FALL], [(2, 2), (1, 1)]),
        ("2d6 (1,1) nice weather\n2d6 (2,2) and again", [PPC, LRM], [(1, 1), (2, 2)]),
        ("2d6 (1,1) PPC\n2d6 (2,2) PPC", [PPC, OTHER], [(1, 1), (2, 2)]),
    ],
)
def test_a_reason_names_its_roll(text: str, whys: list[str], expected: list[tuple[int, ...]]) -> None:
    assert taken(text, *whys) == expected


def test_a_line_for_another_roll_waits_for_it() -> None:
    source = dice("2d6 (1,1) alpha-2 PPC at bravo-2")
    with pytest.raises(RollNeeded):
        source.roll(2, LRM)
    assert source.left_words == ["line 1, 1+1 (alpha-2 PPC at bravo-2)"]
    assert source.roll(2, PPC).dice == (1, 1)


def test_an_attack_of_another_weapon_is_no_hit_location() -> None:
    """A second attack by the same launcher is not taken for what follows the first one."""
    source = dice("2d6 (5,5) bravo-1 LRM 20 at alpha-1\n2d6 (2,2) bravo-1 LRM 20 at alpha-1")
    assert source.roll(2, LRM).dice == (5, 5)
    for why in (CLUSTER, WHERE):
        with pytest.raises(RollNeeded):
            source.roll(2, why)
    assert source.roll(2, LRM).dice == (2, 2)


def test_a_wrong_number_of_dice_is_refused_with_the_line_and_the_nearest() -> None:
    with pytest.raises(DiceError, match=r"line 1, 3 \(bravo-1 LRM\): 1 die, but 2 six-sided dice are needed there") as refused:
        dice("1d6 (3) bravo-1 LRM\n2d6 (4,4) alpha-2 PPC").roll(2, LRM)
    assert refused.value.hint == "nearest: line 2, 4+4 (alpha-2 PPC)"
    with pytest.raises(DiceError, match="2 dice, but 1 six-sided die is needed") as refused:
        dice("2d6 (3,1)").roll(1, "alpha-1: facing after the fall")
    assert refused.value.hint == "no line shows 1d6"


def test_a_sum_is_kept_as_a_sum() -> None:
    roll = dice("GM rolled 9 using 2d6. bravo-1 LRM").roll(2, LRM)
    assert (roll.total, roll.shown, roll.words) == (9, False, "9 (sum of 2d6)")


def test_a_sum_does_not_do_where_dice_are_read_one_by_one() -> None:
    for why in ("alpha-1: weapon that malfunctions, 1 of 7", "alpha-1 in 0507: infernos that reach it, each on 5 or more"):
        assert reads_each_die(why)
        with pytest.raises(DiceError, match="the dice are read one by one"):
            dice("2d6 = 9").roll(2, why)
        assert dice("2d6 (4,5)").roll(2, why).dice == (4, 5)


def test_a_copy_gives_the_same_and_takes_nothing() -> None:
    source = dice("2d6 (1,1) alpha-2 PPC\n2d6 (2,2) bravo-1 LRM")
    assert source.copy().roll(2, LRM).dice == (2, 2)
    assert source.unused == 2


def test_names_that_break_patterns_name_units_all_the_same() -> None:
    state = battle()
    state.units[0].name, state.units[1].name, state.units[2].name = "(.*", "", "[Hawk|"
    vocabulary = Vocabulary(state)
    source = PastedDice(read_dice("2d6 (1,1) x\n2d6 (2,2) [hawk| lrm"), vocabulary)
    assert source.roll(2, LRM).dice == (2, 2)
