"""Golden playthroughs: short battles told in full, for people to read and for tests to compare line by line.

Each scenario of ``scenarios.yaml`` is played with fixed seeds and written as text: whose decision it is, how many orders are
legal, the order that is given, everything that happens with its dice, and from time to time where everybody stands.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opfor.board.board import Board
from opfor.board.library import board_names
from opfor.dice import SeededDice
from opfor.formats.library import board_named
from opfor.formats.words.notation import order_in_words
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.view import View
from opfor.hex import DIRECTION_NAMES
from opfor.orders import FireOrder, MoveOrder, Order
from opfor.report.posts.happenings import event_words
from opfor.rules.events import Event
from opfor.rules.shooting.electronics import carries_c3, network
from opfor.rules.target_number import TargetNumber
from opfor.state import State
from opfor.tables import load_yaml
from opfor.units.spec import ARMOR_NAMES, LOCATION_COUNT
from opfor.units.state import UnitState
from tests.support import make_board, make_unit

FOLDER = Path(__file__).resolve().parent
#: what the playthroughs cover beside the boards: each cluster of rules needs one
CLUSTERS = (
    "physical", "prone", "water", "buildings", "bridges", "heat", "ammunition", "quads", "clan", "indirect", "point_defence",
    "ecm", "narc", "tag", "c3", "withdrawal", "ground",
)  # fmt: skip
#: orders that the chooser of a scenario with preferences looks at before it takes one
_LOOKS = 40


@dataclass(frozen=True)
class Scenario:
    """One golden playthrough as ``scenarios.yaml`` gives it."""

    name: str
    title: str
    board: Any
    units: Sequence[dict[str, Any]]
    seed: int = 1
    turns: int = 3
    #: clusters of rules that it stands for, and words that its text must contain to do so
    covers: Sequence[str] = ()
    shows: Sequence[str] = ()
    #: words of orders that are chosen before others, most wanted first; without any, every legal order is as likely
    prefer: Sequence[str] = ()
    edges: Sequence[str] = ("", "")
    withdrawing: Sequence[bool] = (False, False)
    ruleset: Any = "standard"
    #: the switch hex_targets: fire at hexes would crowd out all other in random play, so that a scenario asks for it
    hexes: str = "off"
    #: direction of the wind, -1 for none
    wind: int = -1

    @property
    def path(self) -> Path:
        """Where its text is kept."""
        return FOLDER / f"{self.name}.txt"

    def ground(self) -> Board:
        """Its board: a built-in one by name, or ``{size, hexes}`` in words."""
        if isinstance(self.board, str):
            return board_named(self.board)
        return make_board(self.board.get("hexes"), tuple(self.board.get("size", (16, 17))))

    def state(self) -> State:
        """The battle before its first turn."""
        from opfor.rulesets import Ruleset, read_ruleset

        board, sides = self.ground(), ("alpha", "bravo")
        rules = read_ruleset(self.ruleset)
        rules = Ruleset(rules.name, rules.values() | {"hex_targets": self.hexes})
        state = State(board, rules, sides, [make_unit(board, sides, entry) for entry in self.units])
        state.edges = list(self.edges)
        state.withdrawing = list(self.withdrawing)
        state.limit = self.turns
        state.wind = self.wind
        return state


def scenarios() -> dict[str, Scenario]:
    """Every scenario by name, in the order of the file."""
    rows = load_yaml((FOLDER / "scenarios.yaml").read_text(encoding="utf-8"))
    return {name: Scenario(name=name, **row) for name, row in rows.items()}


def missing() -> list[str]:
    """Boards and clusters of rules that no scenario stands for."""
    found = scenarios().values()
    boards = {s.board for s in found if isinstance(s.board, str)}
    covered = {name for s in found for name in s.covers}
    return [f"board {name}" for name in board_names() if name not in boards] + [
        f"cluster {name}" for name in CLUSTERS if name not in covered
    ]


class Keen:
    """A chooser with a taste: of some orders drawn at random, the one whose words hold most of what is preferred.

    Earlier words weigh more. Movement without such words goes where an enemy is near and in front, fire where most weapons
    speak.
    """

    def __init__(self, seed: int, prefer: Sequence[str]) -> None:
        self._draw = random.Random(seed).random
        self._prefer = prefer

    def choose(self, decision: Decision, view: View) -> Order:
        """One of the legal orders."""
        if not self._prefer:
            return decision.legal.sample(self._pick)
        drawn = [decision.legal.sample(self._pick) for _ in range(_LOOKS)]
        return max(drawn, key=lambda order: self._worth(order, view.state))

    def _pick(self, count: int) -> int:
        return int(self._draw() * count)

    def _worth(self, order: Order, state: State) -> tuple[int, int]:
        words = f" {order_in_words(order, state)} ".lower()
        wanted = sum(2 ** (len(self._prefer) - rank) for rank, word in enumerate(self._prefer) if word.lower() in words)
        if isinstance(order, MoveOrder):
            return wanted, -min(self._aside(order, enemy, state) for enemy in state.units)
        return wanted, len(order.attacks) if isinstance(order, FireOrder) else bool(order.attack)

    @staticmethod
    def _aside(order: MoveOrder, other: UnitState, state: State) -> int:
        """How far off an enemy is, in hexes, with two more for each hexside to turn towards it; much for anybody else."""
        grid = state.board.grid
        if other.side == state.unit(order.unit).side or not other.alive or not grid.contains(order.to):
            return 1000
        # bearings count in 24ths of a circle, facings in sixths
        turned = abs((grid.sextant(order.to, other.cell) - 4 * order.facing + 12) % 24 - 12)
        return grid.distance(order.to, other.cell) + turned // 2


def playthrough(scenario: Scenario) -> list[str]:
    """The whole text of a scenario, line by line, played anew."""
    state = scenario.state()
    game = Game(state, SeededDice(scenario.seed))
    chooser = Keen(scenario.seed, scenario.prefer)
    told = _Telling(state)
    lines = _heading(scenario, state)
    decision = game.decision()
    lines += told.happenings(game.take_events())
    while decision is not None:
        order = chooser.choose(decision, game.view(decision.side))
        count = decision.legal.count()
        lines.append(f"{decision.side_name}, {len(decision.units)} to act, {count:,} legal order{'s' if count > 1 else ''}:")
        lines.append(f"  > {order_in_words(order, state)}")
        lines += told.happenings(game.apply(order))
        decision = game.decision()
    return [*lines, "", "at the end:", *positions(state), f"{len(game.dice.log)} rolls"]


def _heading(scenario: Scenario, state: State) -> list[str]:
    board = scenario.board if isinstance(scenario.board, str) else "made for this"
    grid = state.board.grid
    taste = f"orders with {', '.join(repr(word.strip()) for word in scenario.prefer)} first" if scenario.prefer else "any order"
    return [
        f"# {scenario.name}: {scenario.title}",
        f"# board {board}, {grid.width} x {grid.height}; ruleset {state.ruleset.name}; seed {scenario.seed}; "
        f"{scenario.turns} turns; {taste}",
        *(f"# {state.sides[unit.side]} {unit.id}: {unit.spec.name}, {unit.spec.tons} tons" for unit in state.units),
        *positions(state),
    ]


class _Telling:
    """Events as lines; positions at the beginning of the fire phase."""

    def __init__(self, state: State) -> None:
        self._state = state

    def happenings(self, events: list[Event]) -> list[str]:
        lines: list[str] = []
        for event in events:
            if event.what == "phase":
                lines += ["", f"== turn {event.data['turn']}, {event.data['phase']}"]
                # several phases may have passed: only the one that stands now has these positions
                if event.data["phase"] == "fire" == self._state.phase:
                    lines += positions(self._state)
                continue
            lines.append(f"  - {event_words(event)}  [{event.rule}]")
            number = event.data.get("to_hit") or event.data.get("tn")
            if number and number.get("tn") is not None:
                lines.append(f"      {_sum(number)}")
        return lines


def _sum(number: dict[str, Any]) -> str:
    """A target number written out."""
    tn = TargetNumber()
    for row in number["modifiers"]:
        tn.add(row["what"], row["value"], row["rule"])
    return str(tn)


def positions(state: State) -> list[str]:
    """One line a unit: where it stands and how it is."""
    return [_position(unit, state) for unit in state.units]


def _position(unit: UnitState, state: State) -> str:
    if unit.destroyed:
        return f"  | {unit.id}: {unit.destroyed}"
    if unit.gone:
        return f"  | {unit.id}: left the map"
    spec = unit.spec
    parts = [f"{state.board.grid.names[unit.cell]} {DIRECTION_NAMES[unit.facing]}"]
    if unit.elevation:
        parts.append(f"at {unit.elevation:+d}")
    parts += [word for word in ("prone", "shutdown", "stuck", "tagged") if getattr(unit, word)]
    if not unit.conscious:
        parts.append("unconscious")
    if carries_c3(unit):
        parts.append(f"linked with {' and '.join(u.id for u in network(state, unit)) or 'nobody'}")
    if unit.mode:
        parts.append(f"{unit.mode} {unit.hexes_moved}")
    if unit.heat:
        parts.append(f"heat {unit.heat}")
    if unit.pilot_hits:
        parts.append(f"pilot {unit.pilot_hits}")
    # the rear of torsos follows a 'Mech's locations; a platoon has no armour
    names = ARMOR_NAMES if spec.is_mech and not spec.quad else (*spec.locations, *ARMOR_NAMES[LOCATION_COUNT:])
    armor = [(name, have - full) for name, have, full in zip(names, unit.armor, spec.armor, strict=False)]
    inside = [(name, have - full) for name, have, full in zip(spec.locations, unit.structure, spec.structure, strict=True)]
    for what, lost in (("armour", armor), ("structure", inside)):
        if any(points for _, points in lost):
            parts.append(f"{what} " + " ".join(f"{name}{points}" for name, points in lost if points))
    shots = sum(b.shots for b in spec.bins) - sum(unit.ammo)
    if shots:
        parts.append(f"{shots} rounds spent or lost")
    return f"  | {unit.id}: {', '.join(parts)}"
