"""What every policy promises, checked choice by choice in battles: ``opfor arena --check FILE.py``.

A choice is legal and repeatable, has a reason of one line, leaves the battle, its dice and the shared random generator alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from opfor.dice import SeededDice
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.restraint import restrained
from opfor.gm.arena.entrants import policy_classes, told
from opfor.gm.arena.sets import battle_seed, draw_battle, set_named
from opfor.orders import Order
from opfor.state import State
from opfor.units.state import UnitState

#: makes a policy from a seed
Factory = Callable[[int], Any]
#: sets of battles that a check plays in, and their rules: a turn of each kind, units of each kind
SETS = (("standard-4v4", "standard"), ("mixed-4v4", "campaign"), ("mixed-4v4", "mwii"))
#: parts of a state that are caches, or objects compared by what they hold
_CACHES = ("by_id", "occupants_cache", "units", "board")


class NonConforming(AssertionError):
    """Something does not keep the promises of its kind."""


def demand(holds: bool, *words: object) -> None:
    """Raise :class:`NonConforming` with the words unless it holds."""
    if not holds:
        raise NonConforming(" ".join(str(word) for word in words))


def fingerprint(state: State) -> dict[str, Any]:
    """Every field of the state and of its units by name; lists as they are now, not as they may become."""
    found: dict[str, Any] = {"board": state.board.hexes}
    for name in State.__slots__:
        if name not in _CACHES:
            found[name] = _frozen(getattr(state, name))
    for unit in state.units:
        for name in UnitState.__slots__:
            found[f"{unit.id}.{name}"] = id(unit.spec) if name == "spec" else _frozen(getattr(unit, name))
    return found


def changed(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Names of what differs between two fingerprints."""
    return [name for name in {**before, **after} if before.get(name) != after.get(name)]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def check_choice(game: Game, decision: Decision, policy: Any, twin: Any) -> Order:
    """Let a policy choose, and ``twin``, made or reset with the same seed, as well; the order, if all promises are kept.

    Raises :class:`NonConforming` naming turn, kind and units.
    """
    where = f"{policy.name}, turn {decision.turn}, {decision.kind} of {', '.join(decision.unit_ids)}"
    before, rolls = fingerprint(game.state), len(game.dice.log)
    generator = random.getstate()
    try:
        order: Order = policy.choose(decision, game.view(decision.side))
        other = twin.choose(decision, game.view(decision.side))
    except Exception as error:
        raise NonConforming(f"{where}: raises {error!r}") from error
    demand(order in decision.legal, f"{where}: not legal: {order}: {decision.legal.why_not(order)}")
    demand(order == other, f"{where}: the same seed gives {order} and, after reset, {other}")
    demand(isinstance(order.reason, str) and "\n" not in order.reason, f"{where}: a reason is one clause: {order.reason!r}")
    demand(order.reason == other.reason, f"{where}: the same seed gives two reasons: {order.reason!r}, {other.reason!r}")
    differs = changed(before, fingerprint(game.state))
    demand(not differs, f"{where}: changed the game: {differs}")
    demand(len(game.dice.log) == rolls, f"{where}: rolled the game's dice")
    demand(random.getstate() == generator, f"{where}: drew from the shared random generator")
    return order


def check_name(policy: Any) -> None:
    """A policy has a name. Raises :class:`NonConforming`."""
    demand(isinstance(getattr(policy, "name", None), str) and bool(policy.name), "a policy has a name")


def check_in_battles(factory: Factory, *, battles: int = 2, seed: int = 1, most: int = 400) -> Counter[str]:
    """Play both sides of ``battles`` battles of each of :data:`SETS` with a policy, at most ``most`` orders each.

    Returns how many decisions of each kind were checked. Raises :class:`NonConforming`.
    """
    met: Counter[str] = Counter()
    for name, ruleset in SETS:
        chosen = set_named(name).model_copy(update={"ruleset": ruleset})
        for number in range(battles):
            drawn = battle_seed(seed, f"{name} {ruleset}", number)
            game = Game(draw_battle(chosen, drawn).state, SeededDice(drawn))
            sides = [_made(factory, drawn + side) for side in range(2)]
            twins = [_made(factory, drawn + side + 100) for side in range(2)]
            for side, twin in enumerate(twins):
                check_name(sides[side])
                twin.reset(drawn + side)
            for _ in range(most):
                decision = game.decision()
                if decision is None:
                    break
                met[decision.kind] += 1
                game.apply(check_choice(game, restrained(decision), sides[decision.side], twins[decision.side]), trust=True)
    return met


def _made(factory: Factory, seed: int) -> Any:
    try:
        made = factory(seed)
    except Exception as error:
        raise NonConforming(f"cannot be made with a seed: {told(error)}") from error
    demand(callable(getattr(made, "reset", None)), "a policy has a method reset(seed)")
    return made


def _by_seed(made: type[Any]) -> Factory:
    return lambda seed: made(seed=seed)


def check_file(path: str, *, battles: int = 2, seed: int = 1) -> list[dict[str, Any]]:
    """Check every policy of a Python file: ``{"policy", "conforms", "message", "decisions"}`` for each.

    Raises :class:`opfor.errors.InputError` as :func:`opfor.gm.arena.entrants.policy_classes`.
    """
    found = []
    for name, made in policy_classes(path).items():
        row: dict[str, Any] = {"policy": name, "conforms": True, "message": "", "decisions": {}}
        try:
            met = check_in_battles(_by_seed(made), battles=battles, seed=seed)
            row["decisions"] = dict(sorted(met.items()))
        except NonConforming as error:
            row |= {"conforms": False, "message": str(error)}
        found.append(row)
    return found
