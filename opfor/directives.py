"""What a game master tells a side to do and to leave, as plain data: restraints, objectives, what it knows, how well it judges.

Directives bind whoever plays the side, never the rules: what is legal stays so, and the game master's own orders are not
held to them. How they are written is said by :mod:`opfor.formats.words.directives`, how orders are held to them by
:mod:`opfor.game.restraint`. They never change; a battle has a new one when the game master says so.
"""

from __future__ import annotations

from dataclasses import dataclass

#: what a side may know of its enemies: all that is not hidden, what it sees, what it sees and where it last saw the others
KNOWS = ("all", "sees", "contacts")
#: kinds of objective
OBJECTIVES = ("hold", "escort", "reach", "destroy", "delay", "withdraw", "patrol", "advance")
#: a unit holds its fire: never mind what, or until somebody has fired on it or on a unit of its side
ALWAYS, UNTIL_FIRED_ON = "always", "until fired on"


@dataclass(frozen=True, slots=True)
class Restraint:
    """What one unit, or every unit of a side, is to leave. Empty parts bind nothing.

    ``barred``: ways of moving (``run``, ``jump`` ...), attacks (``charge``, ``dfa``, ``physical``) and ``artillery``.
    ``within``: areas not to be left once inside; ``outside``: areas not to be entered. ``only`` and ``ignore`` name units to
    attack alone and never; ``focus`` those to attack by preference, which binds nobody. ``shell``: the only hexes to shell,
    None for any.
    """

    words: tuple[str, ...] = ()
    still: bool = False
    barred: frozenset[str] = frozenset()
    within: tuple[frozenset[int], ...] = ()
    outside: tuple[frozenset[int], ...] = ()
    hold_fire: str = ""
    only: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    focus: frozenset[str] = frozenset()
    shell: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class Objective:
    """What a side is there for. ``kind``: one of :data:`OBJECTIVES`; ``cells`` where, ``edge`` an edge of the map, ``unit``
    whom ("all" for everybody), ``number`` turns (delay) or the share of strength left in hundredths (withdraw)."""

    kind: str
    words: str
    cells: frozenset[int] = frozenset()
    edge: str = ""
    unit: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Directive:
    """All that a side has been told. ``units``: restraints of single units by id. ``contacts``: where an enemy out of sight
    was last seen, as pairs of id and cell. ``victory``: reaching the objective decides the battle."""

    restraint: Restraint = Restraint()
    units: tuple[tuple[str, Restraint], ...] = ()
    objective: Objective | None = None
    knows: str = "all"
    contacts: tuple[tuple[str, int], ...] = ()
    victory: bool = False

    def of(self, id: str) -> tuple[Restraint, ...]:
        """The restraints on a unit: those of its side, and its own."""
        own = [restraint for unit, restraint in self.units if unit == id]
        return tuple([r for r in (self.restraint, *own) if r.words])

    @property
    def restrains(self) -> bool:
        """Whether anything binds anybody."""
        return bool(self.restraint.words or self.units)


#: a side that has been told nothing
NOTHING = Directive()
