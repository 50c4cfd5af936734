"""What physical attacks do: declared one by one, rolled for together, then carried out in order. Rule: S-8, E-1, E-7.

Every target number, roll and amount of damage is settled before the first blow has an effect, so that the attacks of a phase
are simultaneous. Piloting rolls they call for are noted on the units and made at the end of the phase. Attacks made with fire
are rolled for at once and wait; in the physical phase those that can still land are carried out like the others.
"""

from __future__ import annotations

from dataclasses import dataclass

from opfor.orders import MoveOrder, PhysicalOrder
from opfor.rules.harm.damage import apply_damage
from opfor.rules.harm.hit_locations import roll_hit_location
from opfor.rules.melee import charges
from opfor.rules.melee.blows import damage_to, physical_damage, physical_hit_table, physical_side
from opfor.rules.melee.clubs import breaks
from opfor.rules.melee.eligible import adjacent_direction, why_not_landed
from opfor.rules.melee.figures import RULE
from opfor.rules.melee.physical import physical_attack
from opfor.rules.moving.displacement import displace, may_be_displaced
from opfor.rules.pilots.piloting import need_roll
from opfor.rules.play import Play
from opfor.state import Blow
from opfor.units.state import UnitState

WORDS = {"dfa": "death from above"}
BOTH = "both"


@dataclass(slots=True)
class Strike:
    """One attack with its dice thrown. ``damage`` is what it does to the target, and what it costs the attacker."""

    attacker: UnitState
    attack: str
    limb: str
    target: UnitState
    #: hexes of attacker and target when the dice were thrown, and the target's elevation
    start: int
    cell: int
    elevation: int
    direction: int
    side: str
    hit_table: str
    damage: tuple[int, int]
    hit: bool


def declare_physical(play: Play, order: PhysicalOrder) -> None:
    """Note a physical attack (or that a unit makes none) for the end of the phase. Rule: S-8."""
    play.state.declared.append(order)
    if order.attack:
        _attacked(play, order)
        unit = play.state.unit(order.unit)
        play.emit("physical_declared", unit, RULE, attack=order.attack, limb=order.limb, target=order.target)


def resolve_physical(play: Play) -> None:
    """Resolve the attacks that waited, those declared in this phase, and charges declared in movement; forget them. S-8, E-7.

    The piloting rolls that they call for stay due: :func:`opfor.rules.pilots.piloting_rolls.resolve_phase_rolls` makes them.
    """
    state = play.state
    orders = [order for order in state.declared if isinstance(order, PhysicalOrder) and order.attack]
    strikes = _landing(play)
    strikes.extend(strike for order in orders for strike in _thrown(play, order))
    strikes.extend(strike for order in state.charges if (strike := _charge_thrown(play, order)) is not None)
    for strike in strikes:
        _carry_out(play, strike, strikes)
    state.declared.clear()
    state.charges.clear()


def _attacked(play: Play, order: PhysicalOrder) -> None:
    """Note who is struck at, for units that hold their fire until then."""
    if play.state.directives and order.target in play.state.by_id:
        play.state.fired_on |= {order.target}


def strike_at_once(play: Play, order: PhysicalOrder) -> None:
    """Roll a physical attack and let its damage count now: breaking in, in mid-movement, in one's own turn. Rule: M-8, M-9."""
    _attacked(play, order)
    strikes = _thrown(play, order) if order.attack else []
    for strike in strikes:
        _carry_out(play, strike, strikes)


def strike_later(play: Play, order: PhysicalOrder) -> None:
    """Roll a physical attack that is made with fire; what it does waits for the physical phase. Rule: E-7."""
    if not order.attack:
        return
    _attacked(play, order)
    for strike in _thrown(play, order):
        if strike.hit or strike.attack == "kick":
            play.state.pending.append(
                Blow(
                    strike.attacker.id, strike.attack, strike.limb, strike.target.id, strike.side, strike.hit_table,
                    strike.damage, strike.start, strike.cell, strike.hit,
                )
            )  # fmt: skip
            play.emit("blow_waits", strike.attacker, "E-7", attack=strike.attack, target=strike.target.id, hit=strike.hit)


def _landing(play: Play) -> list[Strike]:
    """The waiting attacks that can still land, judged together before the first of them has an effect. Rule: E-7.

    Hits and misses stand as rolled, and so does the damage; where a hit goes is judged as the target stands or lies now.
    """
    state = play.state
    found = []
    for blow in state.pending:
        attacker, target = state.unit(blow.attacker), state.unit(blow.target)
        why = why_not_landed(state, attacker, blow.attack, blow.limb, target)
        if why:
            words = {"attack": blow.attack, "limb": blow.limb, "target": blow.target}
            play.emit("physical_lost", attacker, "E-7", **words, why=why)
            continue
        direction = adjacent_direction(state, attacker, target)
        found.append(
            Strike(
                attacker, blow.attack, blow.limb, target, attacker.cell, target.cell, target.elevation,
                attacker.facing if direction is None else direction,
                physical_side(state, attacker, blow.attack, target),
                physical_hit_table(state, attacker, blow.attack, target), blow.damage, blow.hit,
            )
        )  # fmt: skip
        if blow.hit:
            play.emit("blow_lands", attacker, "E-7", attack=blow.attack, limb=blow.limb, target=blow.target)
    state.pending.clear()
    return found


# -- the dice ---------------------------------------------------------------------------------------------------------


def _thrown(play: Play, order: PhysicalOrder) -> list[Strike]:
    state = play.state
    attacker = state.unit(order.unit)
    if order.attack == "pick_up":
        _pick_up(play, attacker, order.limb)
        return []
    target = state.unit(order.target)
    limbs = ("RA", "LA") if order.limb == BOTH else (order.limb,)
    found = []
    for limb in limbs:
        strike = _throw(
            play, attacker, order.attack, limb, target, (damage_to(target, physical_damage(attacker, order.attack, limb)), 0)
        )
        if strike is not None:
            found.append(strike)
    return found


def _charge_thrown(play: Play, order: MoveOrder) -> Strike | None:
    """The dice of a charge or death from above. Rule: S-8.

    Called off, a charger stays where it is; a 'Mech in the air comes down all the same: on its feet where its target has
    been destroyed, falling when it can no longer act itself.
    """
    state = play.state
    attacker, target = state.unit(order.unit), state.unit(order.target)
    dfa = order.attack == "dfa"
    damage = charges.dfa_damage(attacker) if dfa else charges.charge_damage(attacker, target)
    damage = damage_to(target, damage[0]), damage[1]
    strike = _throw(play, attacker, order.attack, "", target, damage)
    direction = adjacent_direction(state, attacker, target)
    if strike is None and dfa and attacker.alive and not attacker.prone and direction is not None:
        attack = "landing" if attacker.active else "dfa"
        return Strike(
            attacker, attack, "", target, attacker.cell, target.cell, target.elevation, direction, "", "", damage, False
        )
    return strike


def _throw(
    play: Play, attacker: UnitState, attack: str, limb: str, target: UnitState, damage: tuple[int, int]
) -> Strike | None:
    """Roll an attack to hit and report it; None when it cannot be made any more."""
    state = play.state
    names = state.board.grid.names
    words = f"{WORDS.get(attack, attack)}{' ' + limb if limb else ''} at {target.id}"
    tn = physical_attack(state, attacker, attack, limb, target)
    if not tn.possible or tn.value > 12:
        why = tn.why or "needs more than 12"
        play.emit("physical_lost", attacker, RULE, attack=attack, limb=limb, target=target.id, to_hit=tn, why=why)
        return None
    dice: tuple[int, ...] = ()
    hit = True
    if tn.value > 2:
        roll = play.roll_2d6(f"{attacker.id}: {words}, needs {tn.value}")
        dice = roll.dice
        hit = roll.total >= tn.value
    direction = adjacent_direction(state, attacker, target)
    if direction is None:
        # infantry between its own feet
        direction = attacker.facing
    side = physical_side(state, attacker, attack, target)
    hit_table = physical_hit_table(state, attacker, attack, target)
    play.emit(
        "physical_attack",
        attacker,
        RULE,
        attack=attack,
        limb=limb,
        at=names[attacker.cell],
        target=target.id,
        target_at=names[target.cell],
        to_hit=tn,
        dice=list(dice),
        hit=hit,
        side=side,
        hit_table=hit_table,
        damage=damage[0],
        self_damage=damage[1],
    )
    return Strike(
        attacker, attack, limb, target, attacker.cell, target.cell, target.elevation, direction, side, hit_table, damage, hit
    )


def _pick_up(play: Play, unit: UnitState, kind: str) -> None:
    if unit.active and not unit.prone:
        unit.club = kind
        play.emit("picked_up", unit, RULE, club=kind)


# -- the effects ------------------------------------------------------------------------------------------------------


def _carry_out(play: Play, strike: Strike, strikes: list[Strike]) -> None:
    if strike.attack == "push":
        _push(play, strike, strikes)
    elif strike.attack == "charge":
        _charge(play, strike)
    elif strike.attack in ("dfa", "landing"):
        _death_from_above(play, strike)
    else:
        _blow(play, strike)


def _blow(play: Play, strike: Strike) -> None:
    """A punch, kick or armed blow. Rule: S-8."""
    attacker, target = strike.attacker, strike.target
    if not strike.hit:
        if strike.attack == "kick":
            _roll_due(attacker, "missed_kick")
        return
    if target.alive:
        source = f"{attacker.id} {strike.attack}"
        hit = roll_hit_location(play, target, strike.side, strike.hit_table, source=source)
        apply_damage(
            play,
            target,
            hit.location,
            strike.damage[0],
            rear=hit.rear,
            critical=hit.critical,
            motive=hit.motive,
            rule=RULE,
            source=source,
        )
    if strike.attack == "kick":
        _roll_due(target, "kicked")
    elif strike.attack == "club" and attacker.club and breaks(attacker.club):
        play.emit("club_broken", attacker, RULE, club=attacker.club)
        attacker.club = ""


def _push(play: Play, strike: Strike, strikes: list[Strike]) -> None:
    """A push that hits drives the target back a hex, and the attacker follows. Rule: S-8.

    Two 'Mechs that push each other, and both succeed, stand fast.
    """
    attacker, target = strike.attacker, strike.target
    if not strike.hit or not target.alive:
        return
    state = play.state
    countered = any(s.hit and s.attack == "push" and s.attacker is target and s.target is attacker for s in strikes)
    start, elevation = target.cell, target.elevation
    if countered or start != strike.cell or not may_be_displaced(state, target, start, strike.direction):
        _roll_due(target, "pushed")
        return
    to = start + state.board.grid.step[strike.direction]
    displace(play, target, to, strike.direction, why="pushed", rule=RULE, reason="pushed")
    stayed = target.alive and target.cell == start
    if attacker.alive and not attacker.prone and not stayed and attacker.cell == strike.start:
        displace(play, attacker, start, strike.direction, why="follows its push", rule=RULE, elevation=elevation)


def _charge(play: Play, strike: Strike) -> None:
    attacker, target = strike.attacker, strike.target
    why = _parted(strike)
    if why:
        _called_off(play, strike, why)
    elif strike.hit:
        charges.charge_hits(play, attacker, target, strike.side, strike.hit_table, strike.damage)
    else:
        charges.charge_misses(play, attacker, strike.direction)


def _death_from_above(play: Play, strike: Strike) -> None:
    attacker, target = strike.attacker, strike.target
    why = _parted(strike)
    if why or strike.attack == "landing":
        if why:
            _called_off(play, strike, why)
        if attacker.alive and attacker.cell == strike.start and not attacker.prone:
            charges.land(play, attacker, strike.cell, strike.elevation)
    elif strike.hit:
        charges.dfa_hits(play, attacker, target, strike.side, strike.hit_table, strike.damage)
    else:
        charges.dfa_misses(play, attacker, target)


def _parted(strike: Strike) -> str:
    """Why a charge or death from above comes to nothing after all: other attacks of the phase came between, or ""."""
    if not strike.attacker.alive:
        return "is out of the battle"
    if strike.attacker.cell != strike.start or strike.attacker.prone:
        return "has itself been moved or has fallen"
    moved = strike.target.gone or strike.target.cell != strike.cell
    return "the target has been moved" if moved else ""


def _called_off(play: Play, strike: Strike, why: str) -> None:
    play.emit("physical_lost", strike.attacker, RULE, attack=strike.attack, limb=strike.limb, target=strike.target.id, why=why)


def _roll_due(unit: UnitState, reason: str) -> None:
    if unit.alive and not unit.prone and unit.spec.is_mech:
        need_roll(unit, reason)
