"""Resolving weapon attacks: all declared shots are rolled for, whatever the others do, as in simultaneous fire.

Target numbers, guidance and all else that an earlier hit could change are settled before the first die falls. Then each attack
in turn: to-hit roll, anti-missile fire, cluster roll, hit locations, damage. Rule: S-4, S-5, E-6 (standard).
"""

from __future__ import annotations

from collections.abc import Sequence

from opfor.orders import FireOrder
from opfor.rules.barrage.indirect import by_tag
from opfor.rules.barrage.observed_fire import observed, stray, unobserved_number
from opfor.rules.harm.damage import apply_damage
from opfor.rules.harm.hit_locations import roll_hit_location
from opfor.rules.kinds import kind_of
from opfor.rules.loads import munitions, swarm, thunder
from opfor.rules.pilots.piloting import need_roll
from opfor.rules.play import Play
from opfor.rules.shooting.aimed import aimed_location, roll_aimed
from opfor.rules.shooting.cluster import cluster_hits
from opfor.rules.shooting.electronics import artemis_works, narc_works
from opfor.rules.shooting.point_defence import PointDefence
from opfor.rules.shooting.shot import Shot
from opfor.rules.shooting.to_hit import frame, gun, weapon_attack
from opfor.rules.terrain.buildings import behind_walls, settle_weakened, strike_cover
from opfor.rules.troops import anti_mech
from opfor.rules.troops.infantry import salvo_column, squad_parts
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.munition_loads import SEMI_GUIDED, SWARM, THUNDER
from opfor.units.spec import Mount
from opfor.units.state import UnitState


def fire_mode(mount: Mount, name: str) -> FireMode:
    """The mode of a mount by name. Raises KeyError when it has none of that name."""
    for mode in mount.modes:
        if mode.name == name:
            return mode
    raise KeyError(name)


def resolve_fire(play: Play, orders: Sequence[FireOrder]) -> None:
    """Resolve declared fire orders together. Rule: S-4, S-5, E-6."""
    play.before = play.state.board
    shots = [shot for order in orders for shot in _shots(play, order)]
    if any(shot.mode.munition == SEMI_GUIDED for shot in shots):
        shots = _painted_first(play, orders, shots)
    if any(shot.mode.munition == SWARM for shot in shots):
        shots = swarm.spread(play, shots)
    for shot in shots:
        if shot.lead is None:
            _spend(shot)
    defence = PointDefence(play, shots)
    for shot in shots:
        _resolve(play, shot, defence)
        if shot.mode.munition == SWARM:
            swarm.go_on(play, shot, lambda further: _resolve(play, further, defence))
    for shot in shots:
        _recoil(shot)
    for order in orders:
        # an action that is held ready is noted as it is declared
        if order.clear and order.clear != "opportunity":
            unit = play.state.unit(order.unit)
            do_task = kind_of(unit).do_task
            if do_task is not None and unit.alive:
                do_task(play, unit, order.clear)
    settle_weakened(play)


def _painted_first(play: Play, orders: Sequence[FireOrder], shots: list[Shot]) -> list[Shot]:
    """TAG is fired before the missiles that follow it: the shots that are left, with their numbers settled anew. Rule: S-4."""
    painting = [shot for shot in shots if "designator" in shot.mode.weapon.flags]
    if not painting:
        return shots
    nobody = PointDefence(play, [])
    for shot in painting:
        _spend(shot)
        _resolve(play, shot, nobody)
    return [s for order in orders for s in _shots(play, order) if "designator" not in s.mode.weapon.flags]


def _shots(play: Play, order: FireOrder) -> list[Shot]:
    state = play.state
    attacker = state.unit(order.unit)
    found = []
    for attack in order.attacks:
        mount = attacker.spec.mounts[attack.mount]
        mode = fire_mode(mount, attack.mode)
        target = state.target(attack.target)
        spotter = state.unit(attack.spotter) if attack.spotter else None
        primary = target if order.primary == attack.target else state.target(order.primary) if order.primary else None
        attacks = spotter is not None and _attacks_itself(play, spotter)
        seen = frame(state, attacker, target, spotter=spotter, spotter_attacks=attacks)
        tn = weapon_attack(state, attacker, mount, mode, target, primary=primary, known=seen, aim=attack.aim)
        fired = gun(attacker, mount, mode, seen)
        bracket = fired.own_bracket(seen)
        below = fired.wet and seen.cover
        guided = guidance(state, attacker, mount, mode, target, bracket, indirect=spotter is not None)
        column = salvo_column(attacker, mount, mode)
        clinging = anti_mech.swarm_damage(attacker) if anti_mech.clings(attacker, target, mount) else 0
        sure = not target.immobile
        found.append(
            Shot(order, attack, attacker, target, mount, mode, tn, seen, bracket, guided, sure, below, column, clinging)
        )
    return found


def _attacks_itself(play: Play, unit: UnitState) -> bool:
    if unit.fired and play.state.ruleset.fire_damage == "sequential":
        return True
    return any(isinstance(o, FireOrder) and o.unit == unit.id and o.attacks for o in play.state.declared)


def _spend(shot: Shot) -> None:
    """Heat and ammunition of a shot. A Streak launcher spends neither unless it locks on. Rule: S-4, S-7."""
    if "streak" not in shot.mode.weapon.flags:
        _pay(shot.attacker, shot.mount, shot.mode)


def _pay(unit: UnitState, mount: Mount, mode: FireMode) -> None:
    if unit.spec.is_mech:
        unit.heat_built += mode.heat
    rounds = mode.shots
    for bin in unit.spec.bins:
        if rounds and bin.kind == mode.ammo:
            # what the first bin cannot give comes from the next
            taken = min(rounds, unit.ammo[bin.index])
            unit.ammo[bin.index] -= taken
            rounds -= taken
    if mount.one_shot:
        unit.one_shot_used |= 1 << mount.index


def _resolve(play: Play, shot: Shot, defence: PointDefence) -> None:
    unit, target, mount, mode, tn = shot.attacker, shot.target, shot.mount, shot.mode, shot.tn
    spec = unit.spec
    state = play.state
    names = state.board.grid.names
    if shot.lead.unobserved if shot.lead is not None else not observed(play, shot):
        shot.unobserved = True
        tn = unobserved_number()
    if not tn.possible or tn.value > 12:
        dice: tuple[int, ...] = ()
        hit = False
    elif shot.clinging or (target.spec.kind == "hex" and tn.value <= 2):
        dice = ()
        hit = True
    else:
        roll = play.roll_2d6(f"{unit.id}: {mount.name} at {target.id}, needs {tn.value}")
        dice = roll.dice
        hit = roll.total >= tn.value
    play.emit(
        "attack",
        unit,
        "S-4",
        weapon=mount.name,
        mount=mount.index,
        mode=mode.name,
        location=spec.location_name(mount.location),
        at=names[unit.cell],
        target=target.id,
        target_at=names[target.cell],
        range=shot.frame.distance,
        to_hit=tn,
        dice=list(dice),
        hit=hit,
        side=shot.frame.side,
        aim=shot.attack.aim,
        heat=0 if not spec.is_mech else mode.heat if hit or "streak" not in mode.weapon.flags else 0,
    )
    if "streak" in mode.weapon.flags and hit:
        _pay(unit, mount, mode)
    if mode.jam_at and dice and sum(dice) <= mode.jam_at:
        unit.jammed |= 1 << mount.index
        play.emit("jammed", unit, "S-4", weapon=mount.name, dice=list(dice))
    if hit:
        strike(play, shot, defence)
    elif dice and shot.frame.spotter is not None and by_tag(tn):
        stray(play, shot, tn.value - sum(dice), lambda further: strike(play, further, defence))
    elif mode.munition == THUNDER and dice:
        thunder.missed(play, shot, tn.value - sum(dice))


def strike(play: Play, shot: Shot, defence: PointDefence) -> None:
    """What a hit does. Rule: S-5."""
    target, mode, weapon = shot.target, shot.mode, shot.mode.weapon
    if "anti_mech" in weapon.flags:
        anti_mech.strike(play, shot)
        return
    if "designator" in weapon.flags:
        target.tagged = True
        play.emit("tagged", target, "S-4", by=shot.attacker.id)
        return
    if "beacon" in weapon.flags:
        if defence.against(play, shot) and not defence.survives_single(play, shot):
            return
        target.narc |= 1 << shot.attacker.side
        play.emit("beacon", target, "S-4", by=shot.attacker.id)
        return
    take_salvo = kind_of(target).take_salvo
    if mode.munition == THUNDER:
        thunder.lay_field(play, shot)
        return
    if take_salvo is not None and target.spec.kind == "hex" and shot.attack.aim:
        # to set a hex on fire or to clear its mines a hit is enough, however many of a salvo strike
        take_salvo(play, shot, [])
        return
    hits = _cluster(play, shot, defence)
    if hits is None:
        return
    shot.hits = hits
    each = mode.damage(shot.bracket, inside_minimum=shot.frame.distance <= weapon.minimum)
    if shot.attacker.spec.is_infantry:
        parts = squad_parts(shot.attacker, mode, hits, each)
    else:
        parts = salvo(mode, hits, each)
    if mode.munition:
        if munitions.strike(play, shot, hits, each):
            return
        parts = munitions.points_by_load(play.state, mode, target, parts)
    if take_salvo is None and not target.spec.is_mech:
        parts = _plasma(play, shot, parts)
    parts = behind_walls(play, shot.attacker, target, parts)
    if take_salvo is not None:
        if not target.destroyed:
            take_salvo(play, shot, parts)
        return
    if target.spec.is_mech:
        _heat_target(play, shot)
    for points in parts:
        if points > 0:
            _hit_location(play, shot, points)


def salvo(mode: FireMode, hits: int, each: int) -> list[int]:
    """Points of damage by hit location roll: ``hits`` shots of ``each`` points, in the groups of the weapon. Rule: S-5.

    >>> from opfor.tables.arsenal import launchers
    >>> salvo(launchers()["is_lrm20"][0], 12, 1), salvo(launchers()["is_srm6"][0], 4, 2)
    ([5, 5, 2], [2, 2, 2, 2])
    """
    if mode.each_hit_separate or not mode.cluster:
        return [each] * hits
    total = hits * each
    group = max(mode.group, 1)
    return [group] * (total // group) + ([total % group] if total % group else [])


def _cluster(play: Play, shot: Shot, defence: PointDefence) -> int | None:
    """How many shots of a salvo hit; 1 for a single shot. None when point defence stopped it. Rule: S-5."""
    mode, weapon = shot.mode, shot.mode.weapon
    against = defence.against(play, shot)
    if shot.column <= 1:
        return None if against and not defence.survives_single(play, shot) else min(1, shot.column or 1)
    modifier = mode.cluster_mod + shot.guidance + against
    why = f"{shot.attacker.id}: cluster hits of {shot.mount.name}"
    if "streak" in weapon.flags:
        if not against:
            return shot.column
        dice: list[int] = []
        natural = table("combat")["streak_cluster_roll"]
    else:
        roll = play.roll_2d6(why)
        dice, natural = list(roll.dice), roll.total
    hits = cluster_hits(shot.column, natural, modifier)
    play.emit(
        "cluster", shot.attacker, "S-5", weapon=shot.mount.name, column=shot.column, dice=dice, modifier=modifier, hits=hits
    )
    return hits


def guidance(
    state: State, attacker: UnitState, mount: Mount, mode: FireMode, target: UnitState, bracket: int, *, indirect: bool = False
) -> int:
    """Modifier of the cluster roll by fire control: Artemis, Narc, hyper-assault range. Rule: S-4, S-5."""
    flags = mode.weapon.flags
    if indirect or not mode.cluster:
        return 0
    rules = table("combat")["cluster"]
    modifier = 0
    if artemis_works(state, attacker, mount, target, mode=mode):
        modifier += rules["artemis_iv"]
    elif narc_works(state, attacker, mode, target):
        modifier += rules["narc"]
    if "built_in_artemis" in flags and not artemis_works(state, attacker, mount, target, built_in=True):
        # the mode counts it in already: hostile ECM takes it away
        modifier -= mode.cluster_mod
    if "cluster_plus2_short_minus2_long" in flags:
        modifier += rules["hag"][bracket]
    return modifier


def _plasma(play: Play, shot: Shot, parts: list[int]) -> list[int]:
    """What heats 'Mechs burns what has no heat to build up: further damage by dice, all of it in groups. Rule: S-4, S-9."""
    rules = table("combat")["plasma"]
    for flag, count in rules["dice"].items():
        if flag in shot.mode.weapon.flags:
            roll = play.roll(count, f"{shot.attacker.id}: damage of {shot.mount.name} at {shot.target.id}")
            total, group = sum(parts) + roll.total, int(rules["group"])
            play.emit(
                "burned", shot.target, "S-4", by=shot.attacker.id, weapon=shot.mount.name, dice=list(roll.dice), damage=total
            )
            return [group] * (total // group) + ([total % group] if total % group else [])
    return parts


def _heat_target(play: Play, shot: Shot) -> None:
    """Heat that a weapon puts into its target instead of, or beside, damage. Rule: S-7."""
    target, mode, flags = shot.target, shot.mode, shot.mode.weapon.flags
    heat = mode.target_heat
    dice: list[int] = []
    for flag, count in (("heat_1d6_vs_mech", 1), ("heat_2d6_vs_mech", 2)):
        if flag in flags:
            roll = play.roll(count, f"{shot.attacker.id}: heat from {shot.mount.name} at {target.id}")
            dice = list(roll.dice)
            heat += roll.total
    if heat:
        target.heat_outside += heat
        play.emit("heated", target, "S-7", by=shot.attacker.id, weapon=shot.mount.name, heat=heat, dice=dice)


def _hit_location(play: Play, shot: Shot, points: int) -> None:
    side = shot.frame.side
    if not shot.frame.distance and not shot.target.spec.is_infantry:
        side = anti_mech.random_side(play, shot.target)
    aim = aimed_location(shot.target, shot.attack.aim) if shot.attack.aim else None
    if aim is not None:
        hit = roll_aimed(play, shot.target, aim, side, sure=shot.sure, cover=shot.frame.cover)
    else:
        hit = roll_hit_location(play, shot.target, side, "normal", cover=shot.frame.cover and not shot.below)
    if hit.covered or (shot.below and hit.location not in shot.target.legs):
        play.emit("cover_struck", shot.target, "S-4", location=shot.target.spec.location_name(hit.location), damage=points)
        strike_cover(play, shot.attacker, shot.frame, points)
        return
    apply_damage(
        play,
        shot.target,
        hit.location,
        points,
        rear=hit.rear,
        critical=hit.critical,
        motive=hit.motive,
        rule="S-5",
        source=f"{shot.attacker.id} {shot.mount.name}",
    )


def _recoil(shot: Shot) -> None:
    """A heavy Gauss rifle fired on the move calls for a piloting roll at the end of the phase. Rule: S-6."""
    unit = shot.attacker
    if "psr_if_moved_when_fired" in shot.mode.weapon.flags and unit.mode not in ("", "stand"):
        need_roll(unit, f"heavy_gauss_{unit.spec.weight_class}")
