"""Artillery: what may be announced, when it lands, and what it does. Rule: E-4, E-34, E-35.

A shell is fired as it is announced: its round and its heat are paid then, and what becomes of the piece afterwards does not
stop it. It lands in the physical phase of the turn that its flight ends in, the same turn within one mapsheet.

By the campaign a spotter observes it as it lands, and a shell whose spotter fails drifts a hex a point; then a flat number, and
a miss scatters a hex a point. A shell that nobody observes (no spotter named, out of action, or without a line of sight to the
hex) drifts by a die. By the standard rules the piece's gunnery decides, and observed shells correct the next ones.
"""

from __future__ import annotations

from typing import Any

from opfor.board.sight import sight
from opfor.orders import CallOrder
from opfor.rules.barrage.blast import burst, in_reach, rings, strike
from opfor.rules.barrage.bombs import BOMB, bomb_calls, land_bombs
from opfor.rules.barrage.scatter import scatter
from opfor.rules.barrage.spotting import aimed_hex, painted, spot, why_not_spot
from opfor.rules.play import Play
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.rules.terrain.hexes import enemy_places
from opfor.rules.terrain.minefields import lay
from opfor.state import Shell, State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.spec import Mount, UnitSpec
from opfor.units.state import UnitState

RULE = "E-35"
ARTILLERY = "artillery"
HOMING, FASCAM = "homing", "fascam"
_TABLE: dict[str, Any] = table("artillery")
#: kept in ``corrections`` for a hex that a piece has hit
_HIT = -1


# -- announcing -------------------------------------------------------------------------------------------------------


def pieces(spec: UnitSpec) -> tuple[Mount, ...]:
    """The artillery weapons of a unit type."""
    found: tuple[Mount, ...] | None = spec.tables.get("artillery")
    if found is None:
        found = spec.tables["artillery"] = tuple(mount for mount in spec.mounts if mount.id in _TABLE["pieces"])
    return found


def calls_of(state: State, unit: UnitState) -> list[CallOrder]:
    """What a unit may announce in the initiative phase: artillery fire, a bomb run. One of them a turn. Rule: E-4."""
    guns = pieces(unit.spec)
    if not guns and not unit.bombs:
        return []
    if not unit.active or unit.stunned or unit.aboard or unit.cell < 0:
        return []
    cells = aims(state, unit.side)
    found = bomb_calls(state, unit, cells)
    if state.ruleset.artillery != "off":
        for mount in guns:
            for mode in mount.modes:
                if not why_not_fire(unit, mount, mode):
                    found += _shots(state, unit, mount, mode, cells)
    return found


def _shots(state: State, unit: UnitState, mount: Mount, mode: FireMode, cells: set[int]) -> list[CallOrder]:
    reach = int(_TABLE["pieces"][mount.id]["range"])
    away = state.board.grid.distance
    if mode.name == HOMING:
        known = [enemy for enemy in _known_enemies(state, unit.side) if away(unit.cell, enemy.cell) <= reach]
        return [CallOrder(unit.id, ARTILLERY, mount.index, mode.name, target=enemy.id) for enemy in known]
    observers = ["", *(friend.id for friend in state.friends(unit.side) if friend.active and not friend.aboard)]
    return [
        CallOrder(unit.id, ARTILLERY, mount.index, mode.name, cell=cell, spotter=observer)
        for cell in sorted(cells)
        if cell != unit.cell and away(unit.cell, cell) <= reach
        for observer in observers
    ]


def why_not_fire(unit: UnitState, mount: Mount, mode: FireMode) -> str:
    """Why a piece cannot be fired in a mode, "" when it can. Rule: E-35."""
    bit = 1 << mount.index
    places = (mount.location,) if mount.split_location < 0 else (mount.location, mount.split_location)
    if unit.mounts_lost & bit or any(unit.structure[place] <= 0 for place in places):
        return f"{mount.name} is destroyed"
    if (unit.jammed | unit.malfunctioned) & bit:
        return f"{mount.name} is jammed"
    return "" if unit.shots(mode.ammo) >= mode.shots else f"{mount.name} is out of ammunition"


def _known_enemies(state: State, side: int) -> list[UnitState]:
    return [unit for unit in state.enemies(side) if not unit.hidden and unit.cell >= 0 and not unit.aboard]


def aims(state: State, side: int) -> set[int]:
    """Hexes that a side may aim at: near enemies that it knows of, and those of small zones. Rule: E-4."""
    rows = _TABLE["aim"]
    found: set[int] = set()
    for cell in enemy_places(state, side):
        found.update(other for _, other in rings(state, cell, int(rows["around"])))
    for zone in state.zones.values():
        if len(zone.cells) <= rows["zone_hexes"]:
            found.update(zone.cells)
    return found


def flight_turns(distance: int) -> int:
    """Turns that a shell flies after the one in which it is fired, by hexes. Rule: E-35.

    >>> flight_turns(5), flight_turns(17), flight_turns(18), flight_turns(136), flight_turns(137), flight_turns(510)
    (0, 0, 1, 1, 2, 5)
    """
    sheets = -(-distance // int(_TABLE["hexes_per_mapsheet"]))
    return next((int(turns) for most, turns in _TABLE["flight_turns"] if sheets <= most), int(_TABLE["flight_turns"][-1][1]))


def announce(play: Play, order: CallOrder) -> None:
    """Note an announcement: the shell is under way, its round and heat are paid; a bomb run is still to be flown. Rule: E-4.

    The event tells the table that artillery is used, and not where it will land: that is the side's secret.
    """
    if not order.what:
        return
    state = play.state
    unit = state.unit(order.unit)
    if order.what == BOMB:
        state.shells.append(Shell(order, state.turn, unit.side))
        play.emit("announced", unit, "E-4", call="a bomb run")
        return
    mount = unit.spec.mounts[order.mount]
    mode = next(mode for mode in mount.modes if mode.name == order.mode)
    if unit.spec.is_mech:
        unit.heat_built += mode.heat
    rounds = mode.shots
    for bin in unit.spec.bins:
        if bin.kind == mode.ammo and rounds:
            taken = min(rounds, unit.ammo[bin.index])
            unit.ammo[bin.index] -= taken
            rounds -= taken
    aim = state.unit(order.target).cell if order.target else order.cell
    lands = state.turn + flight_turns(state.board.grid.distance(unit.cell, aim))
    state.shells.append(Shell(order, lands, unit.side))
    play.emit("announced", unit, "E-4", call=f"{mount.name} fire")


# -- landing ----------------------------------------------------------------------------------------------------------


def land_shells(play: Play) -> None:
    """Resolve the shells and bombs that land in this turn's physical phase. Rule: E-8, E-35."""
    state = play.state
    if not state.shells:
        return
    landing = [shell for shell in state.shells if shell.turn <= state.turn]
    state.shells = [shell for shell in state.shells if shell.turn > state.turn]
    for shell in landing:
        if shell.order.what == BOMB:
            land_bombs(play, shell)
        elif shell.order.mode == HOMING:
            _land_homing(play, shell)
        else:
            cell = (_by_campaign if state.ruleset.artillery == "campaign" else _by_standard)(play, shell)
            _land(play, shell, cell)


def _by_campaign(play: Play, shell: Shell) -> int:
    """The hex that a shell comes down in: the spotter's part, then the flat number. Rule: E-34, E-35."""
    state, order = play.state, shell.order
    aim = order.cell
    what = _words(state, order)
    target = aimed_hex(state, aim)
    observer = _observer(state, shell, target)
    if observer is not None:
        aim = scatter(play, aim, -spot(play, observer, target), what, "E-34")
    elif painted(state, target, shell.side):
        play.emit("painted", None, "E-34", target=target.id)
    else:
        count = int(_TABLE["unobserved_dice"])
        roll = play.roll(count, f"{what}: nobody observes {target.id[1:]}, hexes that it drifts")
        play.emit("unobserved", state.unit(order.unit), "E-34", at=target.id[1:], dice=list(roll.dice), hexes=roll.total)
        aim = scatter(play, aim, roll.total, what, "E-34")
    number = TargetNumber([Modifier("artillery", int(_TABLE["campaign"]["number"]), RULE)])
    return _roll(play, shell, aim, number)


def _by_standard(play: Play, shell: Shell) -> int:
    """The hex that a shell comes down in by the piece's gunnery; what is observed corrects the next one. Rule: E-35."""
    state, order = play.state, shell.order
    number = standard_number(state, order)
    before = state.corrections.get((order.unit, order.cell), 0)
    target = aimed_hex(state, order.cell)
    if before == _HIT:
        play.emit("shell", state.unit(order.unit), RULE, weapon=_weapon(state, order).name, at=target.id[1:],
                  to_hit=number.as_dict(), dice=[], hit=True)  # fmt: skip
        return order.cell
    cell = _roll(play, shell, order.cell, number)
    if cell == order.cell:
        state.corrections[order.unit, order.cell] = _HIT
    elif _observer(state, shell, target) is not None:
        state.corrections[order.unit, order.cell] = before + 1
    return cell


def standard_number(state: State, order: CallOrder) -> TargetNumber:
    """What a shell needs by the standard rules. Rule: E-35 (standard)."""
    rows = _TABLE["standard"]
    unit = state.unit(order.unit)
    before = state.corrections.get((order.unit, order.cell), 0)
    if before == _HIT:
        return TargetNumber([Modifier("this piece has hit the hex before", 2, RULE)])
    number = TargetNumber([Modifier("gunnery", unit.gunnery, RULE)])
    if _direct(state, unit, order.cell):
        number.add("direct artillery fire", int(rows["direct"]), RULE)
    else:
        number.add("indirect artillery fire", int(rows["indirect"]), RULE)
    number.add("earlier shots, observed", before * int(rows["earlier_shot"]), RULE)
    return number


def _direct(state: State, unit: UnitState, cell: int) -> bool:
    """Whether a piece sees the hex itself, at a distance for direct fire."""
    least, most = _TABLE["standard"]["direct_hexes"]
    if not unit.active or unit.cell < 0 or not least <= state.board.grid.distance(unit.cell, cell) <= most:
        return False
    target = aimed_hex(state, cell)
    ends = (unit.cell, state.base(unit), state.top(unit), cell, state.base(target), state.top(target))
    return sight(state.board, *ends).clear


def _observer(state: State, shell: Shell, target: UnitState) -> UnitState | None:
    """The spotter of a shell, where it can observe the hex now. Rule: E-34."""
    name = shell.order.spotter
    if not name or why_not_spot(state, state.unit(name), target):
        return None
    return state.unit(name)


def _roll(play: Play, shell: Shell, aim: int, number: TargetNumber) -> int:
    """Roll for a shell at a hex: where it comes down, a hex away for each point that it misses by. Rule: E-35."""
    state, order = play.state, shell.order
    names = state.board.grid.names
    what = _words(state, order)
    roll = play.roll_2d6(f"{what} at {names[aim]}, needs {number.value}")
    hit = roll.total >= number.value
    play.emit("shell", state.unit(order.unit), RULE, weapon=_weapon(state, order).name, at=names[aim],
              to_hit=number.as_dict(), dice=list(roll.dice), hit=hit)  # fmt: skip
    return aim if hit else scatter(play, aim, number.value - roll.total, what, RULE)


def _land(play: Play, shell: Shell, cell: int) -> None:
    """A shell bursts, or scatters its mines: a field that all sides see fall. Rule: E-35."""
    state, order = play.state, shell.order
    unit = state.unit(order.unit)
    if order.mode == FASCAM:
        density = int(_TABLE["fascam"]["density"])
        lay(play, cell, density, (1 << len(state.sides)) - 1)
        laid = state.board.hexes[cell].mines
        weapon = _weapon(state, order).name
        play.emit("mines_laid", unit, RULE, at=state.board.grid.names[cell], weapon=weapon, density=laid)
        return
    damage = _TABLE["pieces"][_weapon(state, order).id]["damage"][state.ruleset.artillery_damage]
    burst(play, cell, damage, _words(state, order), origin=unit.cell)


def _land_homing(play: Play, shell: Shell) -> None:
    """A homing missile: a flat number at a target painted this turn, all its damage on one place; nothing without a beam. E-35.

    What else is in the hex takes the splash. A miss scatters by the campaign, and by the standard rules leaves the splash.
    """
    state, order = play.state, shell.order
    unit, target = state.unit(order.unit), state.unit(order.target)
    what = _words(state, order)
    if not target.alive or target.aboard or not target.tagged:
        play.emit("no_beam", unit, RULE, target=target.id)
        return
    rows = _TABLE["homing"]
    aim, splash = target.cell, int(rows["splash"])
    number = TargetNumber([Modifier("homing on TAG", int(rows["number"]), RULE)])
    names = state.board.grid.names
    roll = play.roll_2d6(f"{what} at {target.id}, needs {number.value}")
    hit = roll.total >= number.value
    play.emit("shell", unit, RULE, weapon=_weapon(state, order).name, at=names[aim], to_hit=number.as_dict(),
              dice=list(roll.dice), hit=hit)  # fmt: skip
    cell = aim
    if not hit and state.ruleset.artillery == "campaign":
        cell = scatter(play, aim, number.value - roll.total, what)
    others = [other for other in state.occupants(cell) if in_reach(state, other) and not (hit and other is target)]
    play.emit("burst", None, RULE, at=names[cell], source=what, damage=[splash])
    if hit:
        strike(play, target, int(rows["damage"]), aim, what, origin=unit.cell, whole=True)
    for other in others:
        strike(play, other, splash, cell, what, origin=unit.cell)


def _weapon(state: State, order: CallOrder) -> Mount:
    return state.unit(order.unit).spec.mounts[order.mount]


def _words(state: State, order: CallOrder) -> str:
    return f"{order.unit} {_weapon(state, order).name}"
