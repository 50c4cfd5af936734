"""What a movement order does: begun, left at the moments at which others may break in, and gone on with.

Rule: S-2, S-9 (carriers), M-9a.
"""

from __future__ import annotations

from opfor.game.apply.carrier import Carrier
from opfor.game.legal.moves import UnitMoves
from opfor.orders import MoveOrder
from opfor.rules.missions.mission_actions import break_action, moved
from opfor.rules.moving.entering import entered_hex
from opfor.rules.moving.transport import dismount, mount
from opfor.rules.pilots.heat import movement_heat
from opfor.rules.play import Play
from opfor.rules.troops.infantry import leave_cover
from opfor.state import Underway
from opfor.units.state import UnitState

RULE = "S-2"


def apply_movement(play: Play, order: MoveOrder) -> bool:
    """Carry a legal movement order out to its end. True when the unit's movement is finished.

    False when an attempt to stand up has failed, the unit has sideslipped, or it stops for a simple action (M-8), and MP are
    left: it is where it came to, its MP are counted in ``mp_spent``, and it may be given another order in the same mode.
    """
    over = advance_movement(play, Underway(play.state.by_id[order.unit], order=order), stops=False)
    assert over is not None
    return over


def advance_movement(play: Play, underway: Underway, *, stops: bool) -> bool | None:
    """Carry a movement order on, to its end or (``stops``) to the next moment at which others may break in. Rule: M-9a.

    Returns None at such a moment, the entry of a hex, with ``underway.moment`` its name; else as :func:`apply_movement`.
    """
    order = underway.order
    assert isinstance(order, MoveOrder)
    carrier: Carrier | None = underway.progress
    if carrier is not None:
        carrier.bind(play)
        carrier.disturbed = underway.disturbed
        over = carrier.go_on(stops)
    else:
        carrier = _begin(play, order, underway.disturbed)
        if carrier is None:
            return True
        underway.progress = carrier
        carrier.disturbed = underway.disturbed
        over = carrier.jump() if order.mode == "jump" else carrier.walk(stops)
    if play.state.actions:
        moved(play, carrier.unit, carrier.engaged, turned=carrier.turned, over=over is not None)
    if over is None:
        underway.moment = play.state.board.grid.names[carrier.unit.cell]
        underway.asked = frozenset()
    return over


def _begin(play: Play, order: MoveOrder, disturbed: bool) -> Carrier | None:
    """Begin a movement: the carrier of one that has a way to go, None for one that is over at once."""
    state = play.state
    unit = state.unit(order.unit)
    names = state.board.grid.names
    if order.attack == "mount" or order.mode == "dismount":
        if not disturbed or _may_change_carrier(play, order, unit):
            _change_carrier(play, order, unit)
            return None
        # who broke in has taken its carrier, or its way out
        order = MoveOrder(unit.id, "stand", (), unit.cell, unit.facing, unit.elevation)
    if order.mode == "stand" or (not order.path and not order.attack):
        if not unit.mp_spent:
            unit.mode = "stand"
            if unit.spec.is_mech:
                unit.heat_built += movement_heat("stand", 0)
        unit.moved = True
        play.emit(
            "moved", unit, RULE, mode=unit.mode, start=names[unit.cell], to=names[unit.cell], path=[], hexes=unit.hexes_moved,
            mp=unit.mp_spent,
        )  # fmt: skip
        return None
    carrier = Carrier(play, order, unit)
    if unit.stuck and not carrier.break_free():
        return None
    return carrier


def _may_change_carrier(play: Play, order: MoveOrder, unit: UnitState) -> bool:
    """Whether getting into a carrier or out of one is still listed."""
    moves = UnitMoves(play.state, unit)
    return order in (moves.mounts() if order.attack else moves.dismounts())


def _change_carrier(play: Play, order: MoveOrder, unit: UnitState) -> None:
    """Getting into a carrier or out of one takes the whole movement. Rule: S-9."""
    break_action(play, unit, "has moved")
    unit.mode = "walk"
    unit.moved = True
    if order.attack == "mount":
        mount(play, unit, play.state.unit(order.target))
    else:
        dismount(play, unit, order.to, order.elevation)
        entered_hex(play, unit, landed=True)
    leave_cover(unit)
