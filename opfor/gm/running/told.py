"""What the Op Force plays by beside the rules, for the game master's notes: what it has been told, its dials, rulings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opfor.formats.battle_file.battle import Battle
from opfor.game.view import unseen
from opfor.gm.policies import dials_of
from opfor.gm.running.rulings import ruling_words, rulings_of
from opfor.state import State

_KNOWS = {
    "sees": "knows only what it sees",
    "contacts": "knows what it sees, and where it last saw the others",
}


def told_lines(battle: Battle, state: State, mine: Sequence[int], codes: Iterable[str]) -> list[str]:
    """One line a matter: sides and units that have been told something, dials of policies, rulings."""
    lines = [line for side in mine for line in side_lines(state, side)]
    for code in dict.fromkeys(codes):
        dials = dials_of(code)
        if dials:
            lines.append(f"dials of {code}: {'; '.join(dials)}")
    lines += [f"ruling, {ruling_words(row)}" for row in rulings_of(battle)]
    return lines


def side_lines(state: State, side: int) -> list[str]:
    """What one side has been told."""
    directive, name = state.directive(side), state.sides[side]
    lines = []
    if directive.restraint.words:
        lines.append(f"{name} is told: {'; '.join(directive.restraint.words)}")
    lines += [f"{id} is told: {'; '.join(restraint.words)}" for id, restraint in directive.units if restraint.words]
    if directive.objective is not None:
        decides = " (decides the battle)" if directive.victory else ""
        lines.append(f"objective of {name}: {directive.objective.words}{decides}")
    if directive.knows != "all":
        out = sorted(unseen(state, side))
        lines.append(f"{name} {_KNOWS[directive.knows]}: {'out of sight now: ' + ', '.join(out) if out else 'all in sight'}")
    return lines
