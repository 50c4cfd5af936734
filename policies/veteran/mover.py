"""A unit that is asked to move, and what stands around it."""

from __future__ import annotations

from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.moves import UnitMoves
from opfor.orders import MoveOrder
from opfor.state import State
from policies.veteran.figures import Figure
from policies.veteran.mind import Mind
from policies.veteran.troops import to_fetch


class Mover:
    """Who moves, friends and enemies that count, the ground, and what it may do."""

    def __init__(
        self, state: State, me: Figure, ours: list[Figure], theirs: list[Figure], choices: MovementChoices, mind: Mind
    ) -> None:
        self.state = state
        self.me = me
        self.mind = mind
        self.weights = mind.weights
        self.choices = choices
        self.moves: UnitMoves = choices.of(me.unit)
        self.ground = me.ground
        self.lanes = mind.lanes(state)
        self.friends = [figure for figure in ours if figure is not me and not figure.unit.aboard]
        #: infantry that a carrier had better fetch
        self.fetched = to_fetch(state, me, self.friends, theirs)
        # what clings to the unit is out of the reach of its own weapons
        self.theirs = [enemy for enemy in theirs if enemy.unit.swarming != me.unit.id]
        #: infantry looks all ways at once
        self.faces = not me.unit.spec.is_infantry
        #: the ways to fly the bomb run that the unit has announced
        self.flown: set[MoveOrder | None] = set()
