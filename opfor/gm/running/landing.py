"""What lands when a phase is closed: delayed blows, charges, shells and bombs, with the rolls that may be called for.

Rule: E-7, E-8.
"""

from __future__ import annotations

from collections.abc import Iterator

from opfor.formats.battle_file.battle import Battle
from opfor.formats.names import mount_label
from opfor.gm.running.control import Wanted, foreseen
from opfor.state import State

#: rolls that are told at most
MOST = 40


def landing(state: State) -> list[str]:
    """What is settled in the physical phase of this turn, in words, in the order in which it comes."""
    return list(_landing(state))


def _landing(state: State) -> Iterator[str]:
    names = state.board.grid.names
    for order in state.charges:
        what = "death from above" if order.attack == "dfa" else order.attack
        yield f"{order.unit}'s {what} at {order.target}, from {names[order.to]}"
    for blow in state.pending:
        words = f"{blow.attacker}'s {blow.attack.replace('_', ' ')}{f' ({blow.limb})' if blow.limb else ''} at {blow.target}"
        if not blow.hit:
            yield f"{words} has missed: a roll for {blow.attacker}"
        else:
            points = f", {blow.damage[0]} points" if blow.damage[0] else ""
            yield f"{words}{points}, if {blow.attacker} still stands and {blow.target} is still in {names[blow.cell]}"
    for shell in state.shells:
        if shell.turn > state.turn:
            continue
        call = shell.order
        where = call.target or (names[call.cell] if call.cell >= 0 else "")
        if call.what == "bomb":
            yield f"{call.unit}'s bombs on {where}" + ("" if shell.level is not None else ", if it flies the run")
        else:
            label = mount_label(state.unit(call.unit).spec, call.mount)
            yield f"{call.unit}'s {label} at {where}" + (f", spotted by {call.spotter}" if call.spotter else "")


def rolls_at_end(battle: Battle) -> list[Wanted]:
    """Rolls that closing the phase calls for, as they come on one likely course of the dice."""
    return foreseen(battle, [], end_phase=True)[:MOST]
