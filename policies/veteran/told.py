"""What the game master has told the side, as the veteran reckons with it: objectives as a pull, targets as worth.

What is barred is no concern of this module: it is not among the legal orders.
"""

from __future__ import annotations

from opfor.directives import Directive
from opfor.state import State
from policies.veteran.figures import Figure
from policies.veteran.mover import Mover
from policies.veteran.terrain import FAR, to_edge
from policies.veteran.weights import Weights

#: MP beyond which a place is no farther
_FARTHEST = 40
#: objectives that keep a side from running after the enemy, and those that send it there
_STAYS, _SEEKS = ("hold", "escort", "reach", "delay"), ("patrol", "advance")


def heed(state: State, side: int, ours: list[Figure], theirs: list[Figure], weights: Weights) -> list[Figure]:
    """The enemies that count, those worth more that are to be focused on or destroyed; those to be ignored left out."""
    directive = state.directive(side)
    left = [enemy for enemy in theirs if enemy.unit.id not in directive.restraint.ignore]
    for enemy in left:
        if enemy.unit.id in marked(directive, ours):
            enemy.value *= weights.marked
            enemy.factors = {key: weights.marked * worth for key, worth in enemy.factors.items()}
    return left


def marked(directive: Directive, ours: list[Figure]) -> set[str]:
    """The enemies that somebody of the side is to focus on, or to destroy."""
    found = set(directive.restraint.focus)
    for figure in ours:
        for restraint in directive.of(figure.unit.id):
            found |= restraint.focus
    if directive.objective is not None and directive.objective.kind == "destroy":
        found.add(directive.objective.unit)
    return found


class Duty:
    """What an objective makes of one unit's movement: a pull to places, the urge to close in, the care for its skin."""

    def __init__(self, mover: Mover) -> None:
        weights = mover.weights
        state = mover.state
        directive = state.directive(mover.me.unit.side)
        objective = directive.objective
        kind = objective.kind if objective is not None else ""
        self.done = weights.duty_done
        self.each = weights.duty
        self.slack = 0
        #: what is left of the urge to close in, and times that damage taken counts
        self.approach = weights.stays if kind in _STAYS else weights.seeks if kind in _SEEKS else 1.0
        self.care = weights.delays if kind == "delay" else 1.0
        #: whom the way to the enemy leads to, where it is not the nearest
        self.hunted = [enemy for enemy in mover.theirs if kind == "destroy" and objective and enemy.unit.id == objective.unit]
        cells: frozenset[int] = frozenset()
        if objective is not None and kind in ("hold", "reach"):
            cells = objective.cells
        elif objective is not None and kind == "escort":
            cells = self._escorted(mover, objective.unit)
            self.slack = weights.escort if cells else 0
        elif not mover.theirs:
            cells = self._sought(mover, directive)
        self._field = mover.mind.way(state, mover.me, cells) if cells else None

    def _escorted(self, mover: Mover, id: str) -> frozenset[int]:
        unit = mover.state.unit(id)
        return frozenset() if unit is mover.me.unit or not unit.alive or unit.cell < 0 else frozenset((unit.cell,))

    def _sought(self, mover: Mover, directive: Directive) -> frozenset[int]:
        """Where to look for enemies that nobody sees: where they were last seen, the beat of a patrol, the far edge."""
        state, objective = mover.state, directive.objective
        known = [cell for id, cell in directive.contacts if state.unit(id).alive or state.unit(id).gone]
        if known and objective is not None and objective.kind in (*_SEEKS, "destroy"):
            return frozenset(known)
        if objective is None or objective.kind not in _SEEKS:
            return frozenset()
        if objective.cells:
            # on a beat one goes to its far end, and back
            far = sorted(objective.cells)
            return frozenset(far[: len(far) // 2 + 1] if state.turn // 4 % 2 else far[len(far) // 2 :])
        away = {"north": "south", "south": "north", "east": "west", "west": "east"}.get(state.edges[mover.me.unit.side], "")
        on_board = state.board.grid.on_board
        if away:
            return frozenset(cell for cell in on_board if to_edge(state, cell, away) == 0)
        return frozenset((on_board[len(on_board) // 2],))

    def clause(self, cell: int) -> str:
        """What a place has to do with the objective, in a clause."""
        if self._field is None:
            return ""
        return "is where it is told to be" if self._field[cell] <= self.slack else "makes for where it is told to be"

    def worth(self, cell: int) -> float:
        """What the objective adds to a place."""
        if self._field is None:
            return 0.0
        away = self._field[cell]
        if away >= FAR:
            away = _FARTHEST
        away = max(0, away - self.slack)
        return self.done if away <= 0 else -self.each * min(away, _FARTHEST)
