"""The commander as a policy: the veteran's eye for the single unit, and a plan for the side over it."""

from __future__ import annotations

from dataclasses import replace

from opfor.errors import InputError
from opfor.game.legal.choices import Choices
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.mission_actions import ActionChoices
from opfor.orders import FireOrder, Order
from opfor.state import State
from policies.commander.clash import Clash
from policies.commander.effort import effort_for, shared_out, sharpened
from policies.commander.lineup import Choice, LineUp
from policies.commander.playing_on import PlayingOn
from policies.commander.stands import Piece, Stand, plan_of, settled, stands_of
from policies.commander.volleys import SideFire
from policies.veteran.duties import bound
from policies.veteran.figures import Figure
from policies.veteran.fire import FirePlan
from policies.veteran.mind import Mind
from policies.veteran.missions import best_start
from policies.veteran.move_plan import MovePlan
from policies.veteran.policy import VeteranPolicy
from policies.veteran.turn_order import first_to_move, in_turn

#: seconds meant for a side's phase where nothing is said
_USUAL = 2.0
#: phases in which a side moves as a whole; elsewhere single units move
_PLANNED = ("initiative", "movement")


class CommanderPolicy(VeteranPolicy):
    """Plans movement and fire for the side: see :mod:`policies.commander.lineup` and :mod:`policies.commander.volleys`.

    Parameters as the veteran's, and ``think=SECONDS`` for the effort (``fast`` is the least), with strokes between:
    ``commander:raider/think=5``.
    """

    name = "commander"

    def __init__(self, seed: int = 0, parameters: str = "") -> None:
        rest, told = _told_to_think(parameters)
        self.effort = effort_for(_USUAL if told is None else told)
        super().__init__(seed, rest)
        if told is None and self.judgement.think is not None:
            self.effort = effort_for(self.judgement.think)
        self.weights = sharpened(self.weights)
        if parameters:
            self.name = f"commander:{parameters}"
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Begin afresh."""
        super().reset(seed)
        #: what the enemy is taken to think
        self.rival = Mind(self.weights)
        self.rival.arsenal = self.mind.arsenal
        #: plans of units by id: the turn, how many units had moved by then, the plan
        self._plans: dict[str, tuple[int, int, MovePlan]] = {}
        #: what of the effort falls to one order, with so many units in the battle
        self._share = self.effort
        #: who plays the sides where candidates are played on
        self._others: list[VeteranPolicy] = []

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
        alone = start is not None or not self.judgement.together
        # who has waited moves when all enemies have (E-3)
        late = state.phase == "fire"
        if alone or not (late or state.phase in _PLANNED) or not theirs or any(f.unit.aboard for f in able):
            return super()._move(state, legal, able, ours, theirs, missions)
        if state.phase == "initiative":
            self.mind.foresee(state, able[0].unit.side, ours, theirs)
            waits = self._wait(state, legal, first_to_move(state, able, ours, theirs), theirs)
            if waits is not None:
                return waits
        self._share = shared_out(self.effort, max(len(ours), len(theirs)))
        found = self._each_alone(state, able, ours, theirs) if late else self._line_up(state, able, ours, theirs)
        choices = self._in_doubt(state, self._played_on(state, able, found, legal))
        for choice in choices:
            plan = choice.piece.plan
            assert plan is not None
            option = plan.options[0] if bound(plan) else choice.stand.option
            if option is not None and option.order is not None and option.order in legal:
                self._note(choice.piece.figure, self._alternatives(state, choice, choices))
                return replace(option.order, reason=self._move_reason(state, plan, option))
        return super()._move(state, legal, able, ours, theirs, missions)

    def _played_on(self, state: State, able: list[Figure], choices: list[Choice], legal: Choices) -> list[Choice]:
        """The choices with the best few played on, and put in order by what they come to."""
        if state.phase == "initiative" or not choices:
            return choices
        played = min(self._share.played, self._share.orders // max(1, _still_to_move(state) - 1))
        if played < 2:
            return choices
        if choices[0].piece.figure.kind == "infantry":
            # what troopers have of cover is worth more than the fire of one turn tells
            return choices
        side = able[0].unit.side
        if not self._others:
            self._others = [VeteranPolicy(self.seed) for _ in state.sides]
            for other in self._others:
                other.mind.arsenal = self.mind.arsenal
        trial = PlayingOn(state, side, self.mind, self._others)
        tried = [c for c in choices if c.stand.option is not None and c.stand.option.order in legal][:played]
        if len(tried) < 2 or any(bound(c.piece.plan) for c in tried if c.piece.plan is not None):
            return choices
        feared = self._share.feared if state.phase == "movement" else 0.0
        found = [replace(c, value=(1.0 - feared) * trial.weigh(c) + feared * c.value) for c in tried]
        found.sort(key=lambda c: -c.value)
        return [*found, *(c for c in choices if c not in tried)]

    def _alternatives(self, state: State, choice: Choice, choices: list[Choice]) -> list[str]:
        """The choice and the two best others for the unit, with what the side's whole line-up comes to by each."""
        same = [c for c in choices if c.piece is choice.piece and c is not choice]
        plan = choice.piece.plan
        assert plan is not None
        found = []
        for one in [choice, *same][:3]:
            assert one.stand.option is not None
            found.append(f"{self._move_words(state, plan, one.stand.option)}: side {one.value:+z.1f}")
        return found

    def _in_doubt(self, state: State, choices: list[Choice]) -> list[Choice]:
        """The choices, best first, or with another place of the best one's unit before it, as who judges less well takes it."""
        if not choices:
            return choices
        best = choices[0]
        id = best.piece.figure.unit.id
        if not self.judgement.errs(self.seed, id, state.turn, "movement"):
            return choices
        least = best.value - self.judgement.within
        others = [c for c in choices if c.piece is best.piece and c.stand.key != best.stand.key and c.value >= least]
        other = self.judgement.slip(self.seed, id, state.turn, others)
        return [other, *choices] if other is not None else choices

    def _line_up(self, state: State, able: list[Figure], ours: list[Figure], theirs: list[Figure]) -> list[Choice]:
        """What the units that may move now had better do, best first."""
        side = able[0].unit.side
        self.mind.foresee(state, side, ours, theirs)
        movers = in_turn(state, able, ours, theirs)[: self._share.movers]
        pieces: list[Piece] = []
        for figure in ours:
            if figure.unit.aboard:
                continue
            if figure.settled or not figure.unit.active:
                pieces.append(Piece(len(pieces), 0, figure, [settled(state, figure)], placed=True, care=self._care(figure)))
                continue
            plan = self._plan(state, figure, ours, theirs, self._mind_of(state, figure), fresh=figure in movers)
            stands = stands_of(plan, self._share.own) or [settled(state, figure)]
            pieces.append(Piece(len(pieces), 0, figure, stands, placed=False, plan=plan, care=plan.care))
        pieces += self._enemies(state, theirs, len(pieces))
        by_figure = {id(piece.figure): piece for piece in pieces}
        clash = Clash(state, pieces, self.mind.lanes(state), self.weights)
        order = [0 if s == side else 1 for s in state.queue[1:]]
        # those who lost initiative move before the Op Force, those who wait after it (E-3, E-5)
        line_up = LineUp(clash, order, self._share, last=0 if state.phase == "initiative" else 1)
        return line_up.choices([by_figure[id(figure)] for figure in movers])

    def _each_alone(self, state: State, able: list[Figure], ours: list[Figure], theirs: list[Figure]) -> list[Choice]:
        """What units that have waited make of their own ends, best first: all enemies have moved. Rule: E-3."""
        self.mind.foresee(state, able[0].unit.side, ours, theirs)
        found: list[Choice] = []
        for rank, figure in enumerate(in_turn(state, able, ours, theirs)[: self._share.movers]):
            plan = self._plan(state, figure, ours, theirs, self._mind_of(state, figure), fresh=True)
            stands = stands_of(plan, self._share.own)
            piece = Piece(rank, 0, figure, stands, placed=False, plan=plan, care=plan.care)
            handicap = self.effort.out_of_turn * rank
            found += [Choice(piece, stand, stand.seen - stands[0].seen - handicap, handicap) for stand in stands]
        found.sort(key=lambda c: (-c.value, c.piece.number, c.stand.id))
        return found

    def _plan(self, state: State, me: Figure, ours: list[Figure], theirs: list[Figure], mind: Mind, *, fresh: bool) -> MovePlan:
        """The plan of a unit by itself, an earlier one of the turn where that is not too old."""
        moved = sum(1 for unit in state.units if unit.moved)
        known = self._plans.get(me.unit.id)
        if known is not None and not fresh and known[0] == state.turn and moved - known[1] <= self._stale(state):
            return known[2]
        plan = plan_of(state, me, ours, theirs, mind)
        self._plans[me.unit.id] = (state.turn, moved, plan)
        return plan

    def _stale(self, state: State) -> int:
        """Moves that may be made before a unit's ends are looked for afresh: the more, the more units there are."""
        return max(self._share.stale, _still_to_move(state) // self._share.plans - 1)

    def _enemies(self, state: State, theirs: list[Figure], first: int) -> list[Piece]:
        """The enemies as pieces: where they may go, as they would judge it themselves."""
        found: list[Piece] = []
        seen: dict[int, tuple[list[Figure], list[Figure]]] = {}
        for figure in theirs:
            number = first + len(found)
            if figure.settled or not figure.unit.active:
                found.append(Piece(number, 1, figure, [settled(state, figure)], placed=True))
                continue
            other = figure.unit.side
            if other not in seen:
                seen[other] = self.rival.sides(state, other)
                self.rival.foresee(state, other, *seen[other])
            friends, foes = seen[other]
            me = next(f for f in friends if f.unit is figure.unit)
            stands = stands_of(self._plan(state, me, friends, foes, self.rival, fresh=False), self._share.enemy)
            found.append(Piece(number, 1, figure, [_bare(s) for s in stands] or [settled(state, figure)], placed=False))
        return found

    def _care(self, figure: Figure) -> float:
        """How much harm to a unit that has moved counts."""
        return self.weights.taken * (1.0 + self.weights.hurt * figure.hurt)

    # -- fire -----------------------------------------------------------------------------------------------------------

    def _fire_plan(
        self, state: State, legal: FireChoices, me: Figure, able: list[Figure], ours: list[Figure], theirs: list[Figure]
    ) -> tuple[FirePlan, FireOrder]:
        if not self.judgement.together:
            return super()._fire_plan(state, legal, me, able, ours, theirs)
        others = [f for f in able if f is not me]
        fire = SideFire(state, legal, ours, theirs, self._mind_of(state, me), self.effort.ways)
        plan, order, _ = fire.choose(me, others[: self.effort.followers])
        return plan, order


def _told_to_think(parameters: str) -> tuple[str, float | None]:
    """The parameters without what says how much to think, and that in seconds, None where nothing does.

    Raises :class:`InputError`.
    """
    seconds: float | None = None
    rest = []
    for word in parameters.replace(",", "/").split("/"):
        name, _, value = word.strip().partition("=")
        if name == "fast":
            seconds = 0.0
        elif name == "think":
            try:
                seconds = float(value)
            except ValueError:
                raise InputError(f"think={value!r} is no number of seconds", place="policy", hint="think=2") from None
        else:
            rest.append(word)
    return "/".join(rest), seconds


def _still_to_move(state: State) -> int:
    return sum(1 for unit in state.units if unit.active and not unit.moved and unit.cell >= 0)


def _bare(stand: Stand) -> Stand:
    return stand._replace(option=None)
