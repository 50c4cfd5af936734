"""What comes before an indirect shot, and after a guided one: the spotter's roll, and salvos that miss. Rule: E-34, E-35."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from opfor.rules.barrage.blast import in_reach
from opfor.rules.barrage.scatter import scatter
from opfor.rules.barrage.spotting import spot
from opfor.rules.play import Play
from opfor.rules.shooting.framing import frame
from opfor.rules.shooting.shot import Shot
from opfor.rules.target_number import TargetNumber

RULE = "E-35"


def observed(play: Play, shot: Shot) -> bool:
    """Whether the spotter of an indirect shot does its part; True for any other shot. Rule: E-34."""
    spotter = shot.frame.spotter
    if spotter is None or play.state.ruleset.indirect_fire != "campaign" or not shot.tn.possible:
        return True
    return spot(play, spotter, shot.target) >= 0


def unobserved_number() -> TargetNumber:
    """The number of a shot whose spotter has failed: it misses. Rule: E-34."""
    return TargetNumber.impossible("the spotter has failed", "E-34")


def stray(play: Play, shot: Shot, missed_by: int, strike: Callable[[Shot], None]) -> None:
    """A guided salvo that misses comes down a hex away for each point: who stands there is struck. Rule: E-35.

    Of several units in that hex one is struck, by a die; a hex without any is struck itself. ``strike`` deals with a shot that
    has hit.
    """
    state = play.state
    what = f"{shot.mount.name} of {shot.attacker.id}"
    cell = scatter(play, shot.target.cell, missed_by, what)
    there = [unit for unit in state.occupants(cell) if in_reach(state, unit) and unit is not shot.attacker]
    if not there:
        return
    struck = there[0]
    if len(there) > 1:
        roll = play.roll(1, f"{what} comes down in {state.board.grid.names[cell]}: who of {len(there)} is struck")
        struck = there[(roll.total - 1) % len(there)]
    play.emit("strays", struck, RULE, by=shot.attacker.id, weapon=shot.mount.name, at=state.board.grid.names[cell])
    seen = frame(state, shot.attacker, struck)
    attack = replace(shot.attack, target=struck.id, aim="")
    strike(replace(shot, target=struck, attack=attack, frame=seen, clinging=0))
