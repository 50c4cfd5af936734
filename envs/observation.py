"""Observations: what the side that is asked sees, as one flat float32 vector, and which actions it may take.

Everything comes from ``game.view(side)`` and from the question that is asked: nothing that the side does not know of is in it.
That needs neither gymnasium nor a game that is stepped: a policy sees by it what an environment shows.
What depends on the decision is worked out once a decision, what depends on the acting unit when that changes, and in every step
only the question, the steps taken and the options. The tables of columns: docs/observation.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from envs.actions import ACTIONS, Walk
from envs.features import battle, choice, ground, slots, unit, units
from envs.features.choice import Steps
from envs.features.damage import FireTables
from envs.features.geometry import Ints
from envs.features.goals import NOWHERE, Goals
from envs.features.records import Records
from envs.features.scene import Scene
from envs.features.shots import volley
from envs.layout import VERSION, Flat, Layout, cut
from opfor.game.view import View

if TYPE_CHECKING:
    from gymnasium import spaces

LAYOUT = Layout((battle.GROUP, unit.GROUP, choice.GROUP, units.GROUP, ground.GROUP, slots.GROUP))
#: how many numbers an observation has
SIZE = LAYOUT.size


class Asked(Protocol):
    """Where a side is asked something: a battle in small steps (:class:`envs.match.Match`), or a policy's present decision."""

    @property
    def walk(self) -> Walk | None:
        """The decision being answered; None when the battle is over."""
        ...

    @property
    def view(self) -> View:
        """What the side that is asked knows."""
        ...

    @property
    def battle(self) -> object:
        """An object that stands for the battle: the same one throughout, another one in another."""
        ...


class Observer:
    """Writes observations and masks. It remembers the decision that it has seen last, so use one for each battle played.

    A copy, and one that has been pickled, begins afresh: what is remembered saves work and changes nothing.
    """

    def __init__(self) -> None:
        self.layout = LAYOUT
        self.size = SIZE
        self._flat: Flat = np.zeros(SIZE, dtype=np.float32)
        self._views = {name: LAYOUT.view(self._flat, name) for name in LAYOUT.groups}
        self._records = Records(FireTables())
        self._battle = battle.BattleFeatures()
        self._units = units.UnitsFeatures()
        self._sheet = unit.UnitFeatures()
        self._ground = ground.GroundFeatures()
        self._slots = slots.SlotsFeatures()
        self._goals = Goals()
        self._goal: Ints = NOWHERE
        self._walk: Walk | None = None
        self._unit = ""
        self._scene: Scene | None = None

    @property
    def space(self) -> spaces.Box:
        """The space of observations: all numbers lie in -1 to 1. This alone needs gymnasium."""
        from gymnasium import spaces

        return spaces.Box(-1.0, 1.0, (SIZE,), np.float32)

    def observe(self, match: Asked, out: Flat) -> None:
        """Write what the side that is asked sees, shape (:data:`SIZE`,). Raises :class:`ValueError` when the battle is over."""
        walk = match.walk
        if walk is None:
            raise ValueError("the battle is over: nobody is asked anything")
        views = self._views
        scene = self._scene
        if scene is None or walk is not self._walk:
            self._records.begin(match.battle)
            scene = self._scene = Scene(walk, match.view, self._records, scene)
            self._walk = walk
            self._units.stand(scene)
            self._goal = self._goals.field(scene)
            self._battle.write(scene, views["battle"])
            cut(views["battle"])
            self._see_from(scene)
        elif walk.unit != self._unit:
            scene.turn_to(walk.unit)
            self._see_from(scene)
        steps = Steps(walk)
        choice.write_choice(scene, steps, volley(scene, steps), views["choice"])
        cut(views["choice"])
        self._slots.write(scene, steps, self._ground.table(scene.board), self._goal, views["units"], views["slots"])
        cut(views["slots"][: walk.options + 1])
        out[:] = self._flat

    def mask(self, match: Asked, out: NDArray[np.bool_]) -> None:
        """Write which actions are legal, shape (ACTIONS,): none once the battle is over."""
        out[:] = False
        if match.walk is not None:
            out[: match.walk.options + 1] = True

    def _see_from(self, scene: Scene) -> None:
        """Write what depends on who acts."""
        self._unit = scene.walk.unit
        views = self._views
        self._units.write(scene, views["units"])
        self._sheet.write(scene, self._goal, views["unit"])
        self._ground.write(scene, views["ground"])
        cut(views["unit"])

    def __deepcopy__(self, memo: dict[int, Any]) -> Observer:
        return Observer()

    def __reduce__(self) -> tuple[type[Observer], tuple[()]]:
        return Observer, ()


__all__ = ["ACTIONS", "LAYOUT", "SIZE", "VERSION", "Observer"]
