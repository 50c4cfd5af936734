"""Candidates of the commander played on: checks come out as is likelier, every attack counts once."""

from __future__ import annotations

from dataclasses import replace

from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.game.legal.movement import MovementChoices
from opfor.game.restraint import restrained
from policies.commander.likely_dice import LikelyDice
from policies.commander.playing_on import PlayingOn
from policies.veteran.mind import Mind
from policies.veteran.policy import VeteranPolicy
from policies.veteran.weights import weights
from tests.skirmish import skirmish


def test_likely_checks_pass_and_no_shot_hits() -> None:
    dice = LikelyDice()
    assert dice.roll(2, "a: piloting, stands up, needs 7").total == 12
    assert dice.roll(2, "a: piloting, stands up, needs 8").total == 2
    assert dice.roll(2, "a: PPC at b, needs 3").total == 2
    assert dice.roll(2, "a: kick at b, needs 3").total == 2
    assert dice.roll(3, "a: damage").dice == (3, 4, 3)


def _campaign(turns: int = 4) -> tuple[Game, Mind, list[VeteranPolicy]]:
    """A battle by the campaign's rules in which the enemy waits (E-3) when the Op Force is asked to move, a few turns on."""
    sides = [VeteranPolicy(1), VeteranPolicy(1)]
    game = Game(skirmish(6204, size=4, limit=15, ruleset="campaign"), SeededDice(6204))
    while (decision := game.decision()) is not None:
        state = game.state
        waits = any(unit.waiting for unit in state.units if unit.active)
        if state.turn >= turns and state.phase == "movement" and decision.side == 1 and waits:
            return game, Mind(weights()), sides
        game.apply(sides[decision.side].choose(restrained(decision), game.view(decision.side)))
    raise AssertionError("nobody waited")


def test_who_fires_before_the_movement_is_over_fires_once() -> None:
    """Those who wait fire as soon as they have moved (E-3, E-4): their fire is in the sum by then, not once more at the end."""
    game, mind, policies = _campaign()
    state = game.view(1).state
    trial = PlayingOn(state, 1, mind, policies)
    both = trial.balance(state.copy())
    trial._spent = {unit.id for unit in state.units if unit.side == 0}
    ours_alone = trial.balance(state.copy())
    trial._spent = {unit.id for unit in state.units}
    assert trial.balance(state.copy()) == 0.0
    # what the enemy's fire takes from us is all the difference
    assert both < ours_alone
    assert ours_alone >= 0.0


def test_all_who_wait_have_moved_when_the_sum_is_made() -> None:
    """Also where a unit of one's own holds an action and may break in on them (M-9)."""
    game, mind, policies = _campaign()
    decision = game.decision()
    assert decision is not None
    held = 0
    for unit in decision.units:
        order = replace(MovementChoices(game.state, [unit]).of(unit).stand(), act="opportunity")
        if order not in decision.legal:
            continue
        trial = PlayingOn(game.view(1).state, 1, mind, policies)
        played = Game(trial.state.copy(), LikelyDice())
        played.apply(order)
        asked = set()
        while True:
            due = played.decision()
            if due is not None:
                asked.add((due.kind, due.side, played.state.phase))
            if not trial._go_on(played):
                break
        held += ("opportunity", 1, "fire") in asked
        assert not [other for other in played.state.units if other.active and other.waiting and not other.moved]
        # what is left is the Op Force's answer
        following = played.decision()
        assert following is None or (following.kind, following.side) == ("fire", 1)
    assert held
