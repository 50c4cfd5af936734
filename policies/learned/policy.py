"""The learned policy: it answers, option by option, the questions that a learning environment would put to an agent."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from opfor.errors import InputError
from opfor.game.decision import Decision
from opfor.game.view import View
from opfor.orders import Order, with_reason

if TYPE_CHECKING:
    from policies.learned.model import Model
    from policies.learned.player import Player

_TEMPERATURE = "temperature="


class LearnedPolicy:
    """Plays what a network has learnt in the environments: `learned` the model in the box, `learned:PATH` a model file.

    It takes the option that the network scores best; with ``temperature`` above 0 (`learned:PATH,temperature=0.5`) options are
    drawn by chance, those scored better more often. Same seed, same battle: same orders. ``notes`` holds for each unit what
    was chosen and the two next best, with the shares that the network gives them, and what it has never been trained for.

    Raises :class:`InputError` where there is no such file, it does not fit the program, or (in :meth:`choose`) it was not
    trained for the battle's turn.
    """

    # what computes is imported when one is made: lists of policies are told without it

    def __init__(self, seed: int = 0, parameters: str = "", *, temperature: float = 0.0) -> None:
        from policies.learned.model import load_model, model_in_the_box

        path, told = _told(parameters)
        self.temperature = temperature if told is None else told
        self.model: Model = load_model(path) if path else model_in_the_box()
        self.name = f"learned:{parameters}" if parameters else "learned"
        #: for the game master: which model, and what it is known to do badly
        weak = [f"known weakness: {words.rstrip('.')}" for words in self.model.card.weaknesses]
        self.dials = [f"model {self.model.card.name}", *weak]
        self.notes: dict[str, list[str]] = {}
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Begin afresh."""
        from policies.learned.player import Player

        self.notes = {}
        # its random() is the method whose stream Python promises to keep across versions
        self._player: Player = Player(self.model.scorer, random.Random(seed), self.temperature)
        #: the ruleset found to fit, and what is strange to the model in this battle
        self._fits: object = None
        self._strange: list[str] = []

    def choose(self, decision: Decision, view: View) -> Order:
        """One of ``decision.legal``, with its reason."""
        from policies.learned.reasons import notes_of, reason_of

        state = view.glimpse
        if self._fits is not state.ruleset:
            if why := self.model.card.unfit(state.ruleset):
                raise InputError(why, source="policy", place=self.name, hint="use another policy, or a model trained for it")
            self._fits = state.ruleset
            self._strange = self.model.card.warnings(state.ruleset, [unit.spec.kind for unit in state.units])
        order, steps = self._player.decide(decision, view)
        self.notes[order.unit] = [*notes_of(state, decision, steps), *self._strange]
        return with_reason(order, reason_of(state, decision, steps))


def _told(parameters: str) -> tuple[str, float | None]:
    """The path and the temperature that parameters name. Raises :class:`InputError` for a temperature that is none."""
    path, _, last = parameters.rpartition(",")
    last = last.strip()
    if not last.startswith(_TEMPERATURE):
        return parameters.strip(), None
    try:
        found = float(last.removeprefix(_TEMPERATURE))
    except ValueError:
        found = -1.0
    if not 0.0 <= found <= 100.0:
        raise InputError(f"a temperature is a number from 0 to 100, not {last!r}", place="policy", hint="temperature=0.5")
    return path.strip(), found


__all__ = ["LearnedPolicy"]
