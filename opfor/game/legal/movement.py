"""The legal movement of the units that may move: all that walking, running and jumping reach, charges, deaths from above.

A unit's ends come from one search a mode (:mod:`opfor.rules.moving.reach`); orders are made from them when asked for. An
order with a path of its own is legal when its steps are, wherever it may stop. Rule: S-2, S-8 (charge, death from above).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from opfor.game.legal.choices import Node, Pick, Refusal
from opfor.game.legal.move_tree import unit_question
from opfor.game.legal.moves import UnitMoves
from opfor.hex import DIRECTION_NAMES
from opfor.orders import MoveOrder, Order
from opfor.rules.moving.landing import landing_place
from opfor.rules.moving.modes import GROUND
from opfor.rules.moving.path_rolls import Needed, bog_reason
from opfor.rules.moving.paths import Walked
from opfor.rules.moving.stacking import why_not_end
from opfor.rules.moving.transport import may_mount
from opfor.rules.pilots.heat import movement_heat
from opfor.rules.pilots.piloting import piloting_number, reasons
from opfor.rules.target_number import TargetNumber
from opfor.rules.turn.complex_actions import sprint_modifier
from opfor.rules.turn.initiative import why_no_wait
from opfor.state import State
from opfor.units.state import UnitState

RULE = "S-2"


@dataclass(frozen=True, slots=True)
class MoveOption:
    """A movement order with what it costs and risks: MP, hexes as counted, heat, rolls as (what for, target number).

    ``minimum``: it is the minimum move, one hex ahead whatever it costs (S-2).
    """

    order: MoveOrder
    mp: int
    hexes: int
    heat: int
    rolls: list[tuple[str, TargetNumber]] = field(default_factory=list)
    minimum: bool = False


class MovementChoices:
    """The movement orders that one of ``units`` may be given. See :class:`opfor.game.legal.choices.Choices`."""

    def __init__(self, state: State, units: list[UnitState], *, simple: bool = False) -> None:
        """``simple``: the orders of a simple action only, see :class:`~opfor.game.legal.moves.UnitMoves`."""
        self.state = state
        self.units = units
        self.simple = simple
        self._moves: dict[str, UnitMoves] = {}

    def of(self, unit: UnitState) -> UnitMoves:
        """The movement of one unit; worked out on first use."""
        found = self._moves.get(unit.id)
        if found is None:
            found = self._moves[unit.id] = UnitMoves(self.state, unit, simple=self.simple)
        return found

    def _unit(self, id: str) -> UnitState | None:
        return next((u for u in self.units if u.id == id), None)

    # -- the protocol ---------------------------------------------------------------------------------------------------

    def __contains__(self, order: object) -> bool:
        return isinstance(order, MoveOrder) and not self.why_not(order)

    def why_not(self, order: Order) -> Refusal:
        """Why an order is not legal, naming the step, with the refusing rule in ``.rule``; empty when it is legal."""
        if not isinstance(order, MoveOrder):
            return Refusal(f"a {order.kind} order where a movement order is due", "E-1")
        unit = self._unit(order.unit)
        if unit is None:
            return Refusal(f"{order.unit or 'nobody'} is not to move now", "E-1")
        moves = self.of(unit)
        if self.simple and (order.attack or order.act or order.mode not in ("walk", "run", "jump") or not order.path):
            return Refusal("an opportunity action is to walk, run or jump, and nothing more", "M-9f")
        if order.act:
            if refused := self._why_no_act(moves, order):
                return refused
            # the movement itself is judged as any other
            order = replace(order, act="")
        if order.attack:
            return self._why_no_attack(moves, order)
        if order.mode == "wait":
            why = why_no_wait(self.state, unit)
            return Refusal(why, "E-3") if why else _differs(moves, order, moves.wait())
        if order.mode == "stand":
            return _differs(moves, order, moves.stand())
        if order.mode == "dismount":
            return self._why_no_dismount(moves, order)
        if order.mode == "jump":
            return self._why_no_jump(moves, order)
        if order.mode not in GROUND:
            return Refusal(f"{order.mode!r} is no mode of movement: use stand, walk, run, jump, dismount, evade or sprint")
        if not order.path:
            stop = moves.stop()
            if stop is None or stop.mode != order.mode:
                return Refusal(f"an order to {order.mode} needs steps; one that stays where it is says stand")
            return _differs(moves, order, stop)
        return self._why_no_walk(moves, order)

    def count(self) -> int:
        """How many orders are listed."""
        return sum(self.of(unit).count() for unit in self.units)

    def sample(self, pick: Pick) -> MoveOrder:
        """One of the listed orders, each equally likely."""
        number = pick(self.count())
        for unit in self.units:
            moves = self.of(unit)
            if number < moves.count():
                return moves.order(number)
            number -= moves.count()
        raise IndexError("picked beyond the last order")

    def __iter__(self) -> Iterator[MoveOrder]:
        for unit in self.units:
            yield from self.of(unit).orders()

    def tree(self) -> Node:
        """unit, mode, hex, facing, posture (or target and place, for attacks)."""
        return unit_question(self.units, self.of)

    # -- one order ------------------------------------------------------------------------------------------------------

    def options(self, unit: UnitState | None = None) -> Iterator[MoveOption]:
        """Every listed order (of one unit, or of all) with its MP, hexes, heat and rolls."""
        for one in self.units if unit is None else [unit]:
            for order in self.of(one).orders():
                yield self.option(order)

    def option(self, order: MoveOrder) -> MoveOption:
        """What a legal order costs and risks."""
        unit = self._unit(order.unit)
        if unit is None:
            raise KeyError(order.unit)
        moves = self.of(unit)
        warm = unit.spec.is_mech
        if order.mode == "jump":
            distance = moves.jump_distance(order)
            needed = () if order.attack else moves.landing(order)
            heat = movement_heat("jump", distance) if warm else 0
            return MoveOption(order, distance, distance, heat, self.numbers(unit, needed))
        if order.attack == "mount" or order.mode == "dismount":
            return MoveOption(order, moves.points.walk, 0, 0)
        if not order.path and not order.attack:
            heat = movement_heat("stand", 0) if warm and order.mode == "stand" and not unit.mp_spent else 0
            return MoveOption(order, 0, unit.hexes_moved if unit.mp_spent else 0, heat)
        walked = moves.walk(order)
        attempts = sum(1 for token in order.path if token in ("UP", "CAREFUL"))
        heat = movement_heat(order.mode, walked.hexes, attempts) if warm else 0
        if unit.mp_spent and warm:
            heat -= movement_heat(order.mode, 0)
        rolls = self.numbers(unit, walked.rolls, order.mode)
        return MoveOption(order, walked.mp, walked.hexes, heat, rolls, walked.minimum)

    def numbers(
        self, unit: UnitState, needed: list[Needed] | tuple[Needed, ...], mode: str = ""
    ) -> list[tuple[str, TargetNumber]]:
        """Rolls of a movement in a mode with their target numbers, the one for breaking out of a swamp first."""
        sprinting = sprint_modifier(self.state, mode) if unit.mode != mode else None
        also = [] if sprinting is None else [sprinting]
        found = [*([Needed(bog_reason(unit))] if unit.stuck and needed is not None else []), *needed]
        return [
            (reasons()[n.reason].what, piloting_number(self.state, unit, n.reason, n.extra, what=n.what, also=also))
            for n in found
        ]

    # -- checks ---------------------------------------------------------------------------------------------------------

    def _why_no_act(self, moves: UnitMoves, order: MoveOrder) -> Refusal:
        """Why a complex action does not go with a movement. Rule: M-8, M-9."""
        if order.act not in ("opportunity", "pause"):
            return Refusal(f"{order.act!r} is no action that goes with a movement: use opportunity or pause", "M-1")
        rule = "M-9" if order.act == "opportunity" else "M-8"
        if why := moves.why_no_act(order.act):
            return Refusal(why, rule)
        if order.attack:
            return Refusal(f"{order.attack} takes the whole of a unit's action", "M-1")
        if "EXIT" in order.path:
            return Refusal("it leaves the map", rule)
        if order.act == "opportunity":
            begun = moves.unit.mode if moves.unit.mp_spent else ""
            if order.mode not in ("stand", "walk") or begun not in ("", "walk"):
                return Refusal("an opportunity action is a complex action: it goes with standing and walking only", rule)
            return Refusal()
        if order.mode not in ("walk", "run") or not order.path:
            return Refusal("only a unit that walks or runs stops on its way for a simple action", rule)
        walked = moves.walk(order)
        if walked.why:
            return _at_step(order, walked)
        reach = moves.reach(order.mode)
        if walked.prone:
            return Refusal("it lies prone there", rule)
        if reach is None or walked.mp >= reach.limit:
            return Refusal("it has no MP left to go on with after the action", rule)
        if walked.turning:
            return Refusal("a turn at a run is done with only as it goes on: it does not stop on it", rule)
        return Refusal()

    def _why_no_walk(self, moves: UnitMoves, order: MoveOrder) -> Refusal:
        walked = moves.walk(order)
        if walked.why:
            return _at_step(order, walked)
        if not walked.mp:
            return Refusal("it spends no MP: an order that stays where it is says stand")
        place, facing = divmod(walked.stance, 6)
        ground = moves.ground
        there = (ground.cell(place), facing, ground.elevation[place], walked.prone)
        if there != (order.to, order.facing, order.elevation, order.prone):
            return Refusal(f"its path ends at {_where(self.state, there)}, not at {_where(self.state, _end(order))}")
        if not walked.left_map and (why := why_not_end(self.state, moves.unit, ground, place)):
            return Refusal(why)
        return Refusal()

    def _why_no_dismount(self, moves: UnitMoves, order: MoveOrder) -> Refusal:
        if order in moves.dismounts():
            return Refusal()
        if not moves.unit.aboard:
            return Refusal("it is not aboard a carrier", "S-9")
        return Refusal("it gets out into the carrier's hex or one beside it, with room, on terrain that it may enter", "S-9")

    def _why_no_jump(self, moves: UnitMoves, order: MoveOrder) -> Refusal:
        if why := moves.why_no_jump():
            return Refusal(why)
        if order.path != ("J",):
            return Refusal("the path of a jump is the one step J")
        if order.to not in moves.jumps():
            return Refusal(moves.why_not_there(order.to))
        landing = moves.landing_order(order.to, order.facing)
        if landing is None:
            place = landing_place(moves.ground, order.to)
            return Refusal(why_not_end(self.state, moves.unit, moves.ground, place) or moves.why_not_there(order.to))
        return _differs(moves, order, landing)

    def _why_no_attack(self, moves: UnitMoves, order: MoveOrder) -> Refusal:
        if order.attack not in ("charge", "dfa", "mount"):
            return Refusal(f"{order.attack!r} is no attack made by moving: use charge or dfa", "S-8")
        target = next((u for u in self.state.units if u.id == order.target), None)
        if target is None:
            return Refusal(f"there is no unit {order.target!r} to {'mount' if order.attack == 'mount' else 'attack'}", "S-8")
        if order.attack == "mount":
            why = may_mount(self.state, moves.unit, target)
            if not why and order not in moves.mounts():
                why = f"to mount it says walk to the carrier's hex, {self.state.board.grid.names[target.cell]}, without steps"
            return Refusal(why, "S-9")
        if why := moves.why_no_victim(target, order.attack):
            return Refusal(why, "S-8")
        if order.attack == "dfa":
            if any(order == listed for listed in moves.deaths()):
                return Refusal()
            return Refusal(moves.why_no_jump() or "no jump comes down on it from there", "S-8")
        if order.mode not in ("walk", "run"):
            return Refusal("a charge walks or runs", "S-8")
        if order.prone:
            return Refusal("a prone 'Mech does not charge", "S-8")
        walked = moves.walk(order)
        if walked.why:
            return _at_step(order, walked)
        place, facing = divmod(walked.stance, 6)
        there = (moves.ground.cell(place), facing, moves.ground.elevation[place], False)
        if there != _end(order):
            return Refusal(f"its path ends at {_where(self.state, there)}, not at {_where(self.state, _end(order))}")
        return Refusal(why_not_end(self.state, moves.unit, moves.ground, place))


def _end(order: MoveOrder) -> tuple[int, int, int, bool]:
    return order.to, order.facing, order.elevation, order.prone


def _where(state: State, end: tuple[int, int, int, bool]) -> str:
    cell, facing, elevation, prone = end
    name = state.board.grid.names[cell] if state.board.grid.contains(cell) else "off the map"
    high = f" at {elevation:+d}" if elevation else ""
    return f"{name} facing {DIRECTION_NAMES[facing]}{high}{' prone' if prone else ''}"


def _differs(moves: UnitMoves, order: MoveOrder, listed: MoveOrder) -> Refusal:
    """Refuses an order that is not the one listed."""
    if order == listed:
        return Refusal()
    if order.path != listed.path:
        return Refusal(f"an order to {order.mode} has the path {' '.join(listed.path) or '(none)'}")
    return Refusal(f"it ends at {_where(moves.state, _end(listed))}, not at {_where(moves.state, _end(order))}")


def _at_step(order: MoveOrder, walked: Walked) -> Refusal:
    if not walked.steps and not order.path:
        return Refusal(walked.why, walked.rule)
    token = order.path[walked.wrong] if walked.wrong < len(order.path) else "attack"
    return Refusal(f"step {walked.wrong + 1} ({token}): {walked.why}", walked.rule)
