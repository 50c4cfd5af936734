"""Mission actions: who may start one, what that bars it from, what breaks it, and when it is completed. Rule: A-1 to A-4, A-8.

What completing an action does stands in :mod:`opfor.rules.missions.mission_effects`. An action is broken by a movement of the
unit's own (any hex entered, any turn on the spot) and by its leaving the battlefield; a torso's twist and displacement by
others break nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from opfor.missions import BROKEN, DONE, UNDERWAY, MissionAction, Start, Zone
from opfor.orders import ActionOrder
from opfor.rules.missions.engaged import advanced, battle_shocked, engaged_with, keywords_of, titanic
from opfor.rules.missions.mission_effects import carry_out_effect, places
from opfor.rules.play import Play
from opfor.rules.refusal import Refusal
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "A-1"
_NEVER = frozenset(table("keywords")["never"])
#: kind of decision asked for after fire: an action of the fire phase may still be started (A-8)
AFTER_FIRE = "action"


def _refused(why: str, rule: str = RULE) -> Refusal:
    return Refusal(why, rule)


# -- starting -----------------------------------------------------------------------------------------------------------


def may_start_any(state: State, units: Sequence[UnitState], kind: str) -> bool:
    """Whether any of the units may start some mission action in a decision of a kind."""
    return any(starts_of(state, unit, kind) for unit in units)


def starts_of(state: State, unit: UnitState, kind: str) -> list[ActionOrder]:
    """The mission actions that a unit may start now, with every hex that the effect may be given. Rule: A-1, A-4, A-6."""
    phase = _phase(kind)
    offered = [action for action in state.actions if action.starts == phase]
    if not offered or why_not_eligible(state, unit):
        return []
    found = []
    for action in offered:
        if not _why_not_this(state, unit, action):
            found += [ActionOrder(unit.id, action.name, cell) for cell in _cells(state, unit, action)]
    return found


def why_no_start(state: State, unit: UnitState, order: ActionOrder, kind: str) -> str:
    """Why a unit may not start an action, "" when it may. Rule: A-1, A-4."""
    action = action_named(state, order.action)
    if action is None:
        return _refused(
            f"the scenario has no action {order.action!r}: it has {', '.join(a.name for a in state.actions) or 'none'}"
        )
    if action.starts != _phase(kind):
        return _refused(f"{action.name} starts in the {action.starts} phase")
    why = why_not_eligible(state, unit) or _why_not_this(state, unit, action)
    if why:
        return why
    cells = _cells(state, unit, action)
    if order.cell in cells:
        return ""
    names = state.board.grid.names
    if cells == [-1]:
        return _refused(f"{action.name} takes no hex", "A-5")
    if order.cell < 0:
        return _refused(f"{action.name} needs a hex: {', '.join(names[cell] for cell in cells)}", "A-5")
    return _refused(f"{action.name} cannot go to {names[order.cell]}: {', '.join(names[cell] for cell in cells)}", "A-5")


def why_not_eligible(state: State, unit: UnitState) -> str:
    """Why a unit may start no action at all, "" when it may. Rule: A-1, A-8."""
    words = next((why for bars, why in _BARS if bars(state, unit)), "")
    if words:
        return _refused(words)
    if not titanic(unit):
        enemies = engaged_with(state, unit)
        if enemies:
            return _refused(f"is engaged with {', '.join(enemy.id for enemy in enemies)}")
    if unit.fired and state.ruleset.action_after_shooting == "barred":
        return _refused("has fired this turn", "A-8")
    return ""


#: what bars a unit from starting an action, in the order in which it is said. Rule: A-1
_BARS: tuple[tuple[Callable[[State, UnitState], bool], str], ...] = (
    (lambda s, u: not u.alive or u.cell < 0 or bool(u.aboard), "is not on the battlefield"),
    (lambda s, u: "AIRCRAFT" in _NEVER & keywords_of(s, u), "is AIRCRAFT: it is in flight"),
    (lambda s, u: bool(_NEVER & keywords_of(s, u)), "is a FORTIFICATION"),
    (lambda s, u: battle_shocked(u), "is battle-shocked"),
    (lambda s, u: u.oc is None, "has no objective control (OC is missing)"),
    (lambda s, u: u.oc == -1, 'has no objective control (OC is "-")'),
    (lambda s, u: u.oc == 0, "has no objective control (OC is 0)"),
    (lambda s, u: advanced(u), "has advanced this turn"),
    (lambda s, u: u.fell_back, "has fallen back this turn"),
    (lambda s, u: bool(u.action_started), "has started another action this turn"),
    (lambda s, u: u.complex_action == "pause" and not u.moved, "is in the middle of its movement"),
)


def _why_not_this(state: State, unit: UnitState, action: MissionAction) -> str:
    """Why a unit may not start this action, though it might start another. Rule: A-1 (UNITS), A-4, A-6."""
    if action.sides and unit.side not in action.sides:
        return _refused(f"{action.name} is not an action of {state.sides[unit.side]}")
    missing = [word for word in action.keywords if word not in keywords_of(state, unit)]
    if missing:
        return _refused(f"{action.name} is for {' '.join(action.keywords)} units: it is not {missing[0]}", "A-6")
    why = _why_not_here(state, unit, action) or _why_restricted(state, unit, action)
    if why:
        return why
    zones = _zones(state, unit, action)
    for by, most in action.limits:
        if by == "zone":
            if all(_counted(state, unit.side, action, by, zone.name if zone else "") >= most for zone in zones):
                where = zones[0].name if zones[0] else "here"
                return _refused(f"{action.name} may be started {_times(most)} per zone: {where} is used up", "A-4")
        elif _counted(state, unit.side, action, by, "") >= most:
            return _refused(f"{action.name} may be started {_times(most)} per {by}", "A-4")
    if not _cells(state, unit, action):
        placing = action.effect.placing
        assert placing is not None
        return _refused(f"{action.name} finds no hex for its {placing.name or 'effect'}", "A-5")
    return ""


def _why_not_here(state: State, unit: UnitState, action: MissionAction) -> str:
    if action.within and not any(unit.cell in state.zones[name].cells for name in action.within):
        return _refused(f"{action.name} needs a unit within {' or '.join(action.within)}", "A-6")
    for name in action.outside:
        if unit.cell in state.zones[name].cells:
            return _refused(f"{action.name} cannot be started within {name}", "A-6")
    if action.outside_own_deployment:
        for zone in state.zones.values():
            if zone.kind == "deployment" and zone.side == unit.side and unit.cell in zone.cells:
                return _refused(f"{action.name} cannot be started within its own deployment zone ({zone.name})", "A-6")
    return ""


def _why_restricted(state: State, unit: UnitState, action: MissionAction) -> str:
    """The further restrictions that an action may have."""
    if state.turn < action.first_turn:
        return _refused(f"{action.name} may be started from turn {action.first_turn} on")
    if (unit.oc or 0) < action.least_oc:
        return _refused(f"{action.name} needs OC {action.least_oc} or more: it has {unit.oc}")
    if action.stood_still and unit.moved and (unit.hexes_moved or unit.mode not in ("", "stand")):
        return _refused(f"{action.name} needs a unit that has not moved this turn")
    if action.no_enemy_within:
        distance = state.board.grid.distance
        for enemy in state.enemies(unit.side):
            if not enemy.hidden and enemy.cell >= 0 and distance(enemy.cell, unit.cell) <= action.no_enemy_within:
                return _refused(f"{action.name} needs no enemy within {action.no_enemy_within} hexes: {enemy.id} is near")
    return ""


def _phase(kind: str) -> str:
    return "fire" if kind == AFTER_FIRE else kind


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def action_named(state: State, name: str) -> MissionAction | None:
    """An action of the scenario, or None."""
    return next((action for action in state.actions if action.name == name), None)


def _zones(state: State, unit: UnitState, action: MissionAction) -> list[Zone | None]:
    """The zones of the action that the unit stands in; a None where the action names no zone."""
    if not action.within:
        return [None]
    return [state.zones[name] for name in action.within if unit.cell in state.zones[name].cells]


def _counted(state: State, side: int, action: MissionAction, by: str, zone: str) -> int:
    """Starts of a side that count towards a limit. Rule: A-4."""
    return sum(
        1
        for start in state.actions_started
        if start.side == side
        and start.action == action.name
        and (by != "turn" or start.turn == state.turn)
        and (by != "zone" or start.zone == zone)
    )


def _open_zones(state: State, unit: UnitState, action: MissionAction) -> list[Zone | None]:
    """Those of :func:`_zones` that the use limit leaves."""
    most = dict(action.limits).get("zone")
    zones = _zones(state, unit, action)
    if most is None:
        return zones
    return [zone for zone in zones if _counted(state, unit.side, action, "zone", zone.name if zone else "") < most]


def _cells(state: State, unit: UnitState, action: MissionAction) -> list[int]:
    """The hexes that the action's effect may be given, -1 alone where it needs none. Rule: A-5, A-6."""
    placing = action.effect.placing
    if placing is None:
        return [-1]
    return sorted({cell for zone in _open_zones(state, unit, action) for cell in places(state, unit, action.effect, zone)})


def start(play: Play, order: ActionOrder) -> None:
    """Start an action; an order without a name starts none. Rule: A-2, A-4."""
    state = play.state
    unit = state.unit(order.unit)
    action = action_named(state, order.action)
    if action is None:
        return
    zone = next(
        (
            zone
            for zone in _open_zones(state, unit, action)
            if order.cell < 0 or order.cell in places(state, unit, action.effect, zone)
        ),
        None,
    )
    due = state.turn + action.later
    made = Start(unit.id, unit.side, action.name, state.turn, due, order.cell, zone.name if zone else "")
    state.actions_started.append(made)
    unit.action_started = action.name
    unit.action_broken = False
    if not unit.moved and action.starts == "movement":
        # it stays where it is for it
        unit.moved = True
        unit.mode = "stand"
        unit.hexes_moved = 0
    names = state.board.grid.names
    play.emit(
        "action_started", unit, "A-2", action=action.name, at=names[unit.cell], zone=made.zone,
        place=names[order.cell] if order.cell >= 0 else "", completes=action.completes, due=due,
    )  # fmt: skip


# -- the locks ----------------------------------------------------------------------------------------------------------


def why_no_shooting(unit: UnitState) -> str:
    """Why a unit may not shoot after what it has started this turn; a TITANIC one may. Rule: A-2."""
    if unit.action_started and not titanic(unit):
        return _refused(f"has started an action this turn ({unit.action_started})", "A-2")
    return ""


def why_no_charge(unit: UnitState) -> str:
    """Why a unit may declare no charge and no death from above after what it has started this turn. Rule: A-2."""
    if unit.action_started:
        return _refused(f"has started an action this turn ({unit.action_started})", "A-2")
    return ""


def may_start_after_fire(state: State, unit: UnitState) -> bool:
    """Whether a unit that has just fired is asked for an action of the fire phase. Rule: A-8 (``action_after_shooting``)."""
    return bool(state.actions) and unit.active and may_start_any(state, [unit], AFTER_FIRE)


def leaves_fire(state: State, order: ActionOrder) -> bool:
    """Whether a started action comes before the unit's fire: one of the movement or fire phase. Rule: A-2."""
    action = action_named(state, order.action)
    return action is not None and action.starts != "physical"


# -- breaking -----------------------------------------------------------------------------------------------------------


def enemies_before(state: State, unit: UnitState) -> tuple[UnitState, ...]:
    """The enemies that a unit is engaged with as it begins to move, for :func:`moved`; none in battles without actions."""
    return tuple(engaged_with(state, unit)) if state.actions else ()


def moved(play: Play, unit: UnitState, before: tuple[UnitState, ...], *, turned: bool, over: bool) -> None:
    """A unit moves by its own order: that breaks its action and, once it is ``over``, may be a falling back. Rule: A-1, A-3.

    ``before``: whom it was engaged with; ``turned``: it entered a hex, or turned on the spot. It has fallen back when one of
    those enemies is no longer beside it.
    """
    if turned:
        break_action(play, unit, "has moved" if unit.alive else "has left the battlefield")
    if over and before and unit.alive:
        distance = play.state.board.grid.distance
        if any(enemy.cell >= 0 and distance(unit.cell, enemy.cell) > 1 for enemy in before):
            unit.fell_back = True


def break_action(play: Play, unit: UnitState, why: str) -> None:
    """The action that a unit has under way will not be completed. Its locks stay. Rule: A-3, A-2."""
    starts = play.state.actions_started
    for index, made in enumerate(starts):
        if made.unit == unit.id and made.status == UNDERWAY:
            starts[index] = replace(made, status=BROKEN)
            unit.action_broken = unit.action_broken or bool(unit.action_started)
            play.emit("action_broken", unit, "A-3", action=made.action, why=why)


# -- completing ---------------------------------------------------------------------------------------------------------


def complete(play: Play, when: str) -> None:
    """Complete the actions due at the end of a phase, by its name, or of the turn (``end``). Rule: A-3, A-5."""
    state = play.state
    if not state.actions_started:
        return
    for index, made in enumerate(list(state.actions_started)):
        if made.status != UNDERWAY:
            continue
        unit = state.unit(made.unit)
        if not unit.alive or unit.aboard:
            break_action(play, unit, "has left the battlefield" if unit.alive or unit.gone else "is destroyed")
            continue
        action = action_named(state, made.action)
        if action is None or not _is_due(made, action, state.turn, when):
            continue
        if battle_shocked(unit) and state.ruleset.action_when_shocked == "broken":
            break_action(play, unit, "is battle-shocked")
            continue
        state.actions_started[index] = replace(made, status=DONE)
        play.emit("action_completed", unit, "A-3", action=action.name, turn=state.turn)
        carry_out_effect(play, unit, made, action)


def _is_due(made: Start, action: MissionAction, turn: int, when: str) -> bool:
    """Whether a start completes now; what has been passed over completes at the end of the turn."""
    if turn < made.due:
        return False
    return action.completes == when or when == "end"
