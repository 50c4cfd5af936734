"""Whether a policy keeps the promises of :class:`policies.base.Policy`, in every phase and in odd corners of a battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.gm.arena.promises import check_choice, check_name
from opfor.state import State
from policies.base import Policy
from tests.conformance import demand
from tests.conformance.positions import at_random, close_battle

#: makes a policy from a seed
Factory = Callable[[int], Policy]
KINDS = ("movement", "fire", "physical")


def check_policy(factory: Factory, *, battles: int = 3, decisions: int = 24, seed: int = 1, ruleset: str = "standard") -> None:
    """Hold a policy against the protocol. Raises :class:`tests.conformance.NonConforming`.

    It plays both sides of ``battles`` small battles for at most ``decisions`` orders each, then corners: one unit left on each
    side, everybody shut down but one, a lone unit with nobody to fight in reach, everything broken.
    """
    policy = factory(seed)
    check_name(policy)
    seen: set[str] = set()
    for number in range(battles):
        state = close_battle(seed + number, damaged=number % 2 == 1, ruleset=ruleset)
        seen |= _check_game(factory, state, seed + number, decisions)
    for state in corners(seed, ruleset):
        seen |= _check_game(factory, state, seed, min(decisions, 12))
    missed = [kind for kind in KINDS if kind not in seen and (kind != "physical" or ruleset == "standard")]
    demand(not missed, "the battles never came to the phases", missed)


def corners(seed: int, ruleset: str = "standard") -> Iterable[State]:
    """Battles at their edges: few units, few options, little that works."""
    lone = close_battle(seed, size=1, ruleset=ruleset)
    yield lone
    still = close_battle(seed + 1, ruleset=ruleset)
    for unit in still.units[2:]:
        unit.shutdown, unit.heat = True, 20
    yield still
    far = close_battle(seed + 2, size=1, ruleset=ruleset)
    grid = far.board.grid
    far.units[1].cell = max(grid.on_board, key=lambda cell: grid.distance(far.units[0].cell, cell))
    far.units[1].elevation = -far.board.depth[far.units[1].cell]
    yield far
    # nothing to choose: prone, legs gone, every weapon broken
    broken = close_battle(seed + 3, size=1, ruleset=ruleset)
    for unit in broken.units:
        unit.prone = True
        unit.mounts_lost = (1 << len(unit.spec.mounts)) - 1
        unit.gyro_hits = 2
    yield broken
    dry = close_battle(seed + 4, ruleset=ruleset)
    for unit in dry.units:
        unit.ammo = [0] * len(unit.ammo)
        unit.heat = 13
    yield dry
    hidden = close_battle(seed + 5, ruleset=ruleset)
    hidden.units[1].hidden = True
    yield hidden
    # withdrawing, with the dead still in the list
    leaving = close_battle(seed + 6, ruleset=ruleset)
    leaving.withdrawing[0] = True
    leaving.units[2].destroyed, leaving.units[3].gone = "engine destroyed", True
    leaving.touch()
    yield leaving


def _check_game(factory: Factory, state: State, seed: int, decisions: int) -> set[str]:
    """Play a battle with the policy on both sides, checking each choice; the kinds of decision met."""
    game = Game(state, SeededDice(seed))
    sides = [factory(seed + side) for side in range(len(state.sides))]
    twins = [factory(seed + side + 100) for side in range(len(state.sides))]
    for side, twin in enumerate(twins):
        # used before and reset, a policy is as one newly made
        _use(twin, seed)
        twin.reset(seed + side)
    met: set[str] = set()
    for _ in range(decisions):
        decision = game.decision()
        if decision is None:
            break
        met.add(decision.kind)
        order = check_choice(game, decision, sides[decision.side], twins[decision.side])
        game.apply(order)
    return met


def _use(policy: Policy, seed: int) -> None:
    game = Game(close_battle(seed + 50), SeededDice(seed))
    decision = game.decision()
    assert decision is not None
    policy.choose(decision, game.view(decision.side))


__all__ = ["KINDS", "Factory", "at_random", "check_policy", "corners"]
