"""Plans for a phase side by side: what each promises on paper, and what becomes of it over so many courses of the dice.

On paper: expected damage of its own shots, that of the best shots each enemy would have at it as all stand afterwards, heat,
and the chance that a movement's rolls fail. By sampling: the plan's orders are played on copies with seeded dice, and the turn
is played to its end by policies on both sides. The battle itself is not touched; the same seed gives the same figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle
from opfor.formats.words.notation import order_lines
from opfor.game.game import Game
from opfor.game.loop import Chooser
from opfor.game.restraint import restrained
from opfor.gm.advice.advise import advise
from opfor.gm.advice.outlook import outlook
from opfor.gm.policies import USUAL, policy_named
from opfor.orders import MoveOrder, Order
from opfor.report.advice import Advice
from opfor.rules.events import Event
from opfor.state import State

#: courses of the dice that are played unless said otherwise, and the most that may be asked for
SAMPLES, MOST = 20, 1000
#: orders that one course may take
_ENDLESS = 2000


@dataclass(slots=True)
class Course:
    """What one course of the dice came to, in points of armour and structure (troopers count as points)."""

    given: int = 0
    taken: int = 0
    falls: int = 0
    killed: int = 0
    lost: int = 0
    heat: int = 0
    left_out: int = 0


@dataclass(slots=True)
class PlanResult:
    """One plan: its orders and figures."""

    name: str
    advice: Advice
    given: float
    taken: float
    risk: float
    courses: list[Course] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        count = max(1, len(self.courses))

        def mean(key: str) -> float:
            return round(float(sum(getattr(course, key) for course in self.courses)) / count, 2)

        def chance(key: str) -> float:
            return round(float(sum(getattr(course, key) > 0 for course in self.courses)) / count, 3)

        return {
            "plan": self.name,
            "orders": [f"{one.order.unit}: {one.words}" for one in self.advice.advised],
            "expected_given": round(self.given, 2),
            "expected_taken": round(self.taken, 2),
            "fall_risk": round(self.risk, 3),
            "samples": len(self.courses),
            "given": mean("given"),
            "taken": mean("taken"),
            "falls": mean("falls"),
            "heat": mean("heat"),
            "chance_enemy_destroyed": chance("killed"),
            "chance_own_lost": chance("lost"),
            "orders_overtaken": mean("left_out"),
        }


def compare(
    battle: Battle,
    *,
    plans: Sequence[tuple[str, str]] = (),
    policies: Sequence[str] = (),
    seed: int = 0,
    samples: int = SAMPLES,
    told: Sequence[str] = (),
) -> list[PlanResult]:
    """Plans (name, orders in words) and the plans of policies, in that order. Raises :class:`InputError`.

    Units that a plan says nothing of are ordered by their side's own policy.
    """
    if not 0 <= samples <= MOST:
        raise InputError(f"{samples} samples: use 0 to {MOST}", place="--samples")
    if len(plans) + len(policies) < 2:
        raise InputError("two plans or policies are wanted", hint="--plans a.txt,b.txt or --policies veteran,raider")
    if battle.state.winner is not None:
        raise InputError("the battle is over", source=battle.source)
    made = []
    for name, text in plans:
        lines = [line for _, line in order_lines(text)]
        if not lines:
            raise InputError("holds no order", source=name)
        made.append((name, advise(battle, seed=seed, locked=lines, told=told)))
    made += [(code, advise(battle, seed=seed, policy=code, told=told)) for code in policies]
    return [_result(battle, name, advice, seed, samples) for name, advice in made]


def _result(battle: Battle, name: str, advice: Advice, seed: int, samples: int) -> PlanResult:
    mine = battle.sides_of("opfor")
    after = _as_meant(battle.state, advice)
    given = sum(attempt.expected for one in advice.advised for attempt in one.attempts)
    if not any(one.attempts for one in advice.advised):
        given = sum(attempt.expected for one in advice.advised for attempt in one.outlook)
    taken = 0.0
    for enemy in after.units:
        if enemy.side not in mine and enemy.active and not enemy.aboard:
            taken += sum(attempt.expected for attempt in outlook(after, enemy) if after.target(attempt.target).side in mine)
    safe = 1.0
    for one in advice.advised:
        for roll in one.rolls:
            safe *= float(roll.data.get("odds") or 0.0)
    found = PlanResult(name, advice, given, taken, 1.0 - safe)
    found.courses = [_course(battle, advice.orders, seed + number, mine) for number in range(samples)]
    return found


def _as_meant(state: State, advice: Advice) -> State:
    """The battle with every unit where its movement is meant to take it."""
    after = state.copy()
    for order in advice.orders:
        if isinstance(order, MoveOrder):
            unit = after.unit(order.unit)
            unit.cell, unit.facing, unit.elevation, unit.prone = order.to, order.facing, order.elevation, order.prone
            row = next(one.figures for one in advice.advised if one.order is order)
            unit.mode, unit.hexes_moved, unit.moved = order.mode, int(row.get("hexes") or 0), True
            unit.gone = unit.gone or "EXIT" in order.path
    after.touch()
    return after


def _course(battle: Battle, orders: Sequence[Order], seed: int, mine: Sequence[int]) -> Course:
    """Play the orders, then the turn to its end by policies, with one course of the dice."""
    game = Game(battle.state.copy(), SeededDice(seed))
    state = game.state
    choosers = [policy_named(code or USUAL, seed) for code in battle.policies]
    turn, found, events = state.turn, Course(), list[Event]()
    before = _points(state)
    whole = {unit.id for unit in state.units if unit.alive}
    for order in orders:
        if state.winner is not None or state.turn != turn:
            break
        game.call(state.unit(order.unit).side, order.kind)
        _let_pass(game, choosers, mine, events)
        decision = game.decision()
        if decision is None or order.unit not in decision.unit_ids or order not in decision.legal:
            # the dice, or somebody breaking in, have made it impossible
            found.left_out += 1
            continue
        events += game.apply(order, trust=True)
    for _ in range(_ENDLESS):
        decision = game.decision()
        if decision is None or state.turn != turn:
            break
        order = choosers[decision.side].choose(restrained(decision), game.view(decision.side))
        events += game.apply(order, trust=True)
    events += game.take_events()
    after = _points(state)
    for unit in state.units:
        gone = before[unit.id] - after[unit.id]
        if unit.side in mine:
            found.taken += gone
            found.heat = max(found.heat, unit.heat)
            found.lost += unit.id in whole and bool(unit.destroyed)
        else:
            found.given += gone
            found.killed += unit.id in whole and bool(unit.destroyed)
    found.falls = sum(
        event.what == "fall" and event.unit in state.by_id and state.unit(event.unit).side in mine for event in events
    )
    return found


def _let_pass(game: Game, choosers: Sequence[Chooser], mine: Sequence[int], events: list[Event]) -> None:
    """Moments at which somebody may break in are answered by the policies."""
    while (decision := game.decision()) is not None and decision.kind == "opportunity":
        order = choosers[decision.side].choose(restrained(decision), game.view(decision.side))
        events += game.apply(order, trust=True)


def _points(state: State) -> dict[str, int]:
    return {unit.id: sum(max(0, n) for n in unit.armor) + sum(max(0, n) for n in unit.structure) for unit in state.units}


#: rows of the table: key, heading, form
ROWS = (
    ("expected_given", "expected damage, own shots", "{:.1f}"),
    ("expected_taken", "expected damage, enemies' best shots at it as all stand", "{:.1f}"),
    ("fall_risk", "chance that a roll of its movement fails", "{:.0%}"),
    ("given", "damage given by the end of the turn, mean", "{:.1f}"),
    ("taken", "damage taken, mean", "{:.1f}"),
    ("falls", "own falls, mean", "{:.2f}"),
    ("heat", "highest heat of its units at the end, mean", "{:.1f}"),
    ("chance_enemy_destroyed", "chance that an enemy is destroyed", "{:.0%}"),
    ("chance_own_lost", "chance that an own unit is lost", "{:.0%}"),
    ("orders_overtaken", "orders that the dice made impossible, mean", "{:.2f}"),
)


def compare_words(results: Sequence[PlanResult], seed: int) -> list[str]:
    """The plans as a table, then what each orders that the first does not."""
    rows = [result.as_dict() for result in results]
    head = max(len(words) for _, words, _ in ROWS)
    width = [max(9, len(row["plan"])) for row in rows]
    lines = [" " * head + "".join(f"  {row['plan']:>{w}}" for row, w in zip(rows, width, strict=True))]
    for key, words, form in ROWS:
        if not rows[0]["samples"] and key not in ("expected_given", "expected_taken", "fall_risk"):
            continue
        lines.append(
            f"{words:<{head}}" + "".join(f"  {form.format(row[key]):>{w}}" for row, w in zip(rows, width, strict=True))
        )
    if count := rows[0]["samples"]:
        courses = f"{count} {'course' if count == 1 else 'courses'} of the dice, seeds from {seed} on"
        lines.append(f"# means and chances of what is destroyed or lost: {courses}, the turn played to its end by policies")
    for row in rows:
        lines += ["", f"# {row['plan']}", *row["orders"]]
    return lines
