"""Thunder missiles: they sow a minefield as dense as their salvo in the hex they are fired at. Rule: E-33a.

The side that laid a field knows of it; how long it lasts is the matter of the switch ``mine_reduction``. A salvo that misses
comes down a hex away for each point it missed by, and lays a thinner field there.
"""

from __future__ import annotations

from opfor.board.board import Hex
from opfor.rules.play import Play
from opfor.rules.shooting.shot import Shot
from opfor.rules.terrain.minefields import lay
from opfor.tables import table

RULE = "E-33a"


def takes_mines(hex: Hex) -> bool:
    """Whether mines can lie in a hex: not in water, nor on a building. Rule: E-33a."""
    return not hex.depth and not hex.building


def lay_field(play: Play, shot: Shot, cell: int = -1, thinner: int = 0) -> None:
    """The salvo comes down in its hex (or ``cell``) and lays its mines there. Rule: E-33a."""
    state = play.state
    at = shot.target.cell if cell < 0 else cell
    hex = state.board.hexes[at]
    density = max(0, shot.mode.cluster * int(table("munitions")["thunder"]["density"]) - thinner)
    name = state.board.grid.names[at]
    if not takes_mines(hex) or not density:
        play.emit("mines_lost", shot.attacker, RULE, at=name, weapon=shot.mount.name)
        return
    lay(play, at, density, 1 << shot.attacker.side)
    play.emit("mines_laid", shot.attacker, RULE, at=name, weapon=shot.mount.name, density=state.board.hexes[at].mines)


def missed(play: Play, shot: Shot, points: int) -> None:
    """The salvo has missed its hex by so many points: it scatters as far, and less of it is left. Rule: E-33a."""
    state = play.state
    grid = state.board.grid
    name = grid.names[shot.target.cell]
    roll = play.roll(1, f"{shot.attacker.id}: direction in which {shot.mount.name} at {name} scatters, 1 is north, clockwise")
    cell = shot.target.cell
    for _ in range(points):
        cell += grid.step[roll.total - 1]
        if not grid.contains(cell):
            play.emit("mines_scatter", shot.attacker, RULE, weapon=shot.mount.name, dice=list(roll.dice), hexes=points, at="")
            return
    play.emit(
        "mines_scatter", shot.attacker, RULE, weapon=shot.mount.name, dice=list(roll.dice), hexes=points, at=grid.names[cell]
    )
    lay_field(play, shot, cell, int(table("munitions")["thunder"]["missed"]))
