"""The commander as a policy: the veteran's eye for the single unit, and a plan for the side over it."""

from __future__ import annotations

from dataclasses import replace

from opfor.game.legal.choices import Choices
from opfor.game.legal.mission_actions import ActionChoices
from opfor.orders import Order
from opfor.state import State
from policies.commander.clash import Clash
from policies.commander.lineup import Choice, Effort, LineUp
from policies.commander.stands import Piece, Stand, plan_of, settled, stands_of
from policies.veteran.figures import Figure
from policies.veteran.mind import Mind
from policies.veteran.missions import best_start
from policies.veteran.policy import VeteranPolicy
from policies.veteran.turn_order import first_to_move, patience

#: phases in which a side moves as a whole; elsewhere single units move
_PLANNED = ("initiative", "movement")


class CommanderPolicy(VeteranPolicy):
    """Plans movement for the side: see :mod:`policies.commander.lineup`. Parameters as the veteran's."""

    name = "commander"

    def __init__(self, seed: int = 0, parameters: str = "") -> None:
        self.effort = Effort()
        super().__init__(seed, parameters)
        if parameters:
            self.name = f"commander:{parameters}"

    def reset(self, seed: int) -> None:
        """Begin afresh."""
        super().reset(seed)
        #: what the enemy is taken to think
        self.rival = Mind(self.weights)
        self.rival.arsenal = self.mind.arsenal

    def _move(
        self,
        state: State,
        legal: Choices,
        able: list[Figure],
        ours: list[Figure],
        theirs: list[Figure],
        missions: ActionChoices | None = None,
    ) -> Order:
        _, start = best_start(state, missions, self.weights)
        if start is not None or state.phase not in _PLANNED or not theirs or any(f.unit.aboard for f in able):
            return super()._move(state, legal, able, ours, theirs, missions)
        if state.phase == "initiative":
            self.mind.foresee(state, able[0].unit.side, ours, theirs)
            waits = self._wait(state, legal, first_to_move(state, able, ours, theirs), theirs)
            if waits is not None:
                return waits
        choices = self._line_up(state, able, ours, theirs)
        for choice in choices:
            option = choice.stand.option
            if option is not None and option.order is not None and option.order in legal:
                plan = choice.piece.plan
                assert plan is not None
                self._note(choice.piece.figure, [self._choice_words(state, c) for c in choices[:3]])
                return replace(option.order, reason=self._move_reason(state, plan, option))
        return super()._move(state, legal, able, ours, theirs, missions)

    def _line_up(self, state: State, able: list[Figure], ours: list[Figure], theirs: list[Figure]) -> list[Choice]:
        side = able[0].unit.side
        self.mind.foresee(state, side, ours, theirs)
        pieces: list[Piece] = []
        movers: list[Piece] = []
        ids = {f.unit.id for f in able}
        for figure in ours:
            if figure.unit.aboard:
                continue
            if figure.settled or not figure.unit.active:
                pieces.append(Piece(len(pieces), 0, figure, [settled(figure)], placed=True, care=self._care(figure)))
                continue
            plan = plan_of(state, figure, ours, theirs, self.mind)
            stands = stands_of(plan, self.effort.own) or [settled(figure)]
            piece = Piece(len(pieces), 0, figure, stands, placed=False, plan=plan, care=plan.care)
            pieces.append(piece)
            if figure.unit.id in ids:
                movers.append(piece)
        pieces += self._enemies(state, side, theirs, len(pieces))
        movers.sort(key=lambda p: (patience(state, p.figure, theirs), p.figure.unit.index))
        clash = Clash(state, pieces, self.mind.lanes(state), self.weights)
        order = [0 if s == side else 1 for s in state.queue[1:]]
        # those who lost initiative move before the Op Force, those who wait after it (E-3, E-5)
        line_up = LineUp(clash, order, self.effort, last=0 if state.phase == "initiative" else 1)
        return line_up.choices(movers)

    def _care(self, figure: Figure) -> float:
        return self.weights.taken * (1.0 + self.weights.hurt * figure.hurt)

    def _enemies(self, state: State, side: int, theirs: list[Figure], first: int) -> list[Piece]:
        """The enemies as pieces: where they may go, as they would judge it themselves."""
        found: list[Piece] = []
        seen: dict[int, tuple[list[Figure], list[Figure]]] = {}
        for figure in theirs:
            number = first + len(found)
            if figure.settled or not figure.unit.active:
                found.append(Piece(number, 1, figure, [settled(figure)], placed=True))
                continue
            other = figure.unit.side
            if other not in seen:
                seen[other] = self.rival.sides(state, other)
                self.rival.foresee(state, other, *seen[other])
            friends, foes = seen[other]
            me = next(f for f in friends if f.unit is figure.unit)
            stands = stands_of(plan_of(state, me, friends, foes, self.rival), self.effort.enemy)
            found.append(Piece(number, 1, figure, [_bare(s) for s in stands] or [settled(figure)], placed=False))
        return found

    def _choice_words(self, state: State, choice: Choice) -> str:
        plan, option = choice.piece.plan, choice.stand.option
        assert plan is not None and option is not None
        return f"{choice.piece.figure.unit.id}: {self._move_words(state, plan, option)}: {choice.value:+.1f}"


def _bare(stand: Stand) -> Stand:
    return stand._replace(option=None)
