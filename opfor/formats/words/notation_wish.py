"""What one unit is to do, gathered from clauses, and written in the order notation."""

from __future__ import annotations

from dataclasses import dataclass, field

from opfor.formats.orders import mode_word
from opfor.hex import DIRECTION_NAMES
from opfor.state import State
from opfor.units.state import UnitState


class Problem(Exception):
    """Words that are not understood: what is wrong, and the nearest reading."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and self.args == other.args

    def __hash__(self) -> int:
        return hash(self.args)


@dataclass(slots=True)
class Wish:
    """A unit's clauses. Movement in parts, fire and physical attacks as words of the notation."""

    unit: UnitState
    mode: str = ""
    start: str = ""
    to: str = ""
    facing: str = ""
    steps: list[str] = field(default_factory=list)
    #: movement in the notation already
    written: str = ""
    rises: bool = False
    drops: bool = False
    stays: bool = False
    attack: str = ""
    act: str = ""
    shots: list[str] = field(default_factory=list)
    pose: list[str] = field(default_factory=list)
    blows: list[str] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    #: something of it is not understood
    faulty: bool = False
    #: the unit last named as a target
    last: str = ""

    @property
    def moves(self) -> bool:
        """Whether anything is said of movement."""
        parts = (
            self.mode,
            self.to,
            self.facing,
            self.steps,
            self.written,
            self.rises,
            self.drops,
            self.stays,
            self.attack,
            self.act,
        )
        return any(parts)

    def lines(self, state: State) -> list[str]:
        """The orders as lines of the notation: movement, fire, physical attacks. Raises :class:`Problem`."""
        id = self.unit.id
        found = [f"{id}: {self.movement(state)}"] if self.moves else []
        if self.shots or self.pose:
            found.append(f"{id}: {', '.join([*self.pose, *self.shots])}")
        return [*found, *(f"{id}: {blow}" for blow in self.blows), *self.raw]

    def movement(self, state: State) -> str:
        """The movement in words."""
        tail = f", {self.act}" if self.act else ""
        start = f"{self.start} " if self.start else ""
        if self.written:
            return f"{self.written}{tail}"
        here = state.board.grid.names[self.unit.cell] if self.unit.cell >= 0 else ""
        mode = mode_word(self.unit.spec, self.mode) if self.mode else ""
        prone = " prone" if self.drops else ""
        if self.mode == "wait" or (self.stays and not (self.to or self.facing or self.steps)):
            word = "wait" if self.mode == "wait" else "stand"
            if self.drops or self.attack:
                raise Problem(f"{self.unit.id}: both stays where it is and moves")
            return f"{start}{word}{tail}"
        if self.steps:
            if self.to or self.facing:
                end = f" -> {self.to or here} {self.facing}".rstrip()
                return f"{start}{mode or 'walk'} {self._path()}{end if self.to and self.facing else ''}{prone}{tail}".strip()
            return f"{start}{mode or 'walk'} {self._path()}{tail}"
        if self.attack:
            end = f" to {self.to} {self.facing}".rstrip() if self.to else ""
            mode = "" if self.attack.startswith("DFA") else mode
            return f"{start}{mode}{end} {self.attack}".strip() + tail
        if self.to or self.facing:
            if self.facing and not self.to and self.unit.prone and not self.rises and not self.drops:
                prone = " prone"
            if not self.to and self.facing == DIRECTION_NAMES[self.unit.facing] and not (self.rises or self.drops or self.mode):
                return f"{start}stand{tail}"
            return f"{start}{mode} to {self.to or here} {self.facing}".strip().replace("  ", " ") + prone + tail
        if self.rises or self.drops:
            return f"{start}{mode or mode_word(self.unit.spec, 'walk')} {self._path()}{tail}"
        if self.act and not self.mode:
            return f"{start}stand{tail}"
        if self.mode in ("evade", "sprint"):
            raise Problem(f"{self.unit.id}: {self.mode}s, and it is not said where to", f"write {self.mode}s to 0709 NE")
        raise Problem(
            f"{self.unit.id}: {mode or 'moves'}, and it is not said where to", "write walks to 0709 facing NE, or walks F2 R1"
        )

    def _path(self) -> str:
        steps = [*(["SU"] if self.rises else []), *self.steps, *(["PRONE"] if self.drops else [])]
        return " ".join(steps)
