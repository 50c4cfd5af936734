"""Layers of the map: where the enemy's fire is heaviest, what a unit sees, where it can go. For the game master's eyes."""

from __future__ import annotations

from opfor.board.sight import sight
from opfor.dice import chance_2d6
from opfor.errors import InputError, nearest
from opfor.formats.orders import mode_word
from opfor.game.legal.movement import MovementChoices
from opfor.gm.advice.harm import mean_harm
from opfor.report.maps.map_layers import Layer, Shade
from opfor.rules.shooting.to_hit import FireSolver
from opfor.state import State
from opfor.units.state import UnitState

LAYERS = ("threat", "sight", "moves")
#: shades of threat, as shares of the worst: from this on, colour, strength
_THREAT = ((0.75, "#7a0403", 0.66), (0.5, "#c8351c", 0.58), (0.25, "#ee7b2b", 0.5), (0.05, "#f7c35f", 0.45))
_SEEN, _UNSEEN = ("#ffe45c", 0.28), ("#1b2440", 0.5)
#: shades of movement, the slowest way first
_MOVES = {
    "stand": ("#08519c", 0.6),
    "walk": ("#2f7fc1", 0.55),
    "run": ("#8fc1e3", 0.6),
    "evade": ("#8fc1e3", 0.6),
    "sprint": ("#d9b3e6", 0.6),
    "jump": ("#f0a24a", 0.5),
}


def layer_of(state: State, words: str) -> Layer:
    """A layer by its words: ``threat`` (to the game master's side, or ``threat UNIT``), ``sight UNIT`` or ``moves UNIT``.

    Raises InputError for words that name none.
    """
    name, _, id = words.strip().partition(" ")
    id = id.strip()
    if name not in LAYERS:
        raise InputError(f"there is no layer {name!r}: use {', '.join(LAYERS)}", place="--layer", hint=nearest(name, LAYERS))
    if not id and name == "threat":
        unit = next((u for u in state.units if u.side != state.opforce and u.alive and u.cell >= 0), None)
        if unit is None:
            raise InputError("nobody is on the map to be threatened", place="--layer")
    else:
        unit = unit_on_map(state, id, "--layer", f"say which unit: --layer '{name} UNIT'")
    return {"threat": threat, "sight": seen, "moves": reachable}[name](state, unit)


def unit_on_map(state: State, id: str, place: str, without: str = "") -> UnitState:
    """A unit that is shown on the map, by its id. Raises InputError."""
    here = [u.id for u in state.units if not u.gone and state.board.grid.contains(u.cell)]
    if not id:
        raise InputError(without or "name a unit", place=place)
    if id not in here:
        raise InputError(f"there is no unit {id!r} on this map", place=place, hint=nearest(id, here))
    return state.unit(id)


def threat(state: State, unit: UnitState) -> Layer:
    """For each hex, the damage to be expected there by fire of all the unit's enemies as they stand now, were the unit there.

    Each weapon in the posture (twist, turret, flipped arms) that does most in all; the unit as it is, having moved as it has.
    """
    trial = state.copy()
    target = trial.unit(unit.id)
    grid = trial.board.grid
    enemies = [u for u in trial.enemies(unit.side) if u.active and u.cell >= 0 and not u.aboard]
    reach = {u.id: max((m.weapon.long for m in u.spec.mounts), default=0) for u in enemies}
    totals: dict[int, float] = {}
    for cell in grid.on_board:
        target.cell = cell
        target.elevation = 0 if unit.spec.kind != "vtol" else unit.elevation
        if trial.board.depth[cell] and unit.spec.is_mech:
            target.elevation = -trial.board.depth[cell]
        trial.touch()
        total = sum(_fire_at(trial, u, target) for u in enemies if grid.distance(u.cell, cell) <= reach[u.id])
        if total > 0:
            totals[cell] = total
    worst = max(totals.values(), default=0.0)
    shades = {}
    for cell, total in totals.items():
        for share, colour, opacity in _THREAT:
            if total >= share * worst:
                title = f"{total:.1f} points of damage to be expected at {unit.id}"
                shades[cell] = Shade(colour, opacity, f"{total:.0f}", title)
                break
    key = tuple((colour, opacity, f"{share * worst:.0f}+ damage") for share, colour, opacity in _THREAT) if worst else ()
    return Layer(f"threat to {unit.id}", shades, key)


def _fire_at(state: State, unit: UnitState, target: UnitState) -> float:
    """Mean damage of a unit's fire at a target, in the posture that is best for it."""
    solver = FireSolver(state, unit, target.id)
    frames = solver.direct
    if not frames or frames[0].why:
        return 0.0
    distance = frames[0].distance
    best = 0.0
    mounts = [m for m in unit.spec.mounts if not unit.mounts_lost >> m.index & 1]
    for posture in solver.postures():
        total = 0.0
        for mount in mounts:
            worth = 0.0
            for shot in solver.shots(mount, posture):
                if not shot.aim:
                    harm = mean_harm(state, unit, mount, shot.mode, target, distance)
                    worth = max(worth, chance_2d6(shot.numbers[1]) * harm)
            total += worth
        best = max(best, total)
    return best


def seen(state: State, unit: UnitState) -> Layer:
    """The hexes in which the unit sees what stands there as high as a 'Mech; the others are dark. Rule: S-3."""
    board = state.board
    shades = {}
    base, top = state.base(unit), state.top(unit)
    for cell in board.grid.on_board:
        if cell == unit.cell:
            continue
        ground = board.level[cell] - board.depth[cell]
        look = sight(board, unit.cell, base, top, cell, ground, ground + 1)
        if look.clear:
            woods = look.points
            shades[cell] = Shade(
                *_SEEN, f"+{woods}" if woods else "", f"{unit.id} sees it" + (f", woods +{woods}" if woods else "")
            )
        else:
            shades[cell] = Shade(
                *_UNSEEN, "", f"{unit.id} does not see it: {look.why}" if look.why else f"{unit.id} does not see it"
            )
    return Layer(f"what {unit.id} sees", shades, ((*_SEEN, "seen (+ through woods)"), (*_UNSEEN, "out of sight")))


def reachable(state: State, unit: UnitState) -> Layer:
    """Where the unit can go, by the slowest mode that takes it there and its cost in MP. Rule: S-2."""
    choices = MovementChoices(state, [unit])
    rank = list(_MOVES)
    found: dict[int, tuple[int, int]] = {}
    for order in choices:
        if order.mode not in _MOVES or order.attack:
            continue
        entry = (rank.index(order.mode), choices.option(order).mp)
        if order.to not in found or entry < found[order.to]:
            found[order.to] = entry
    shades = {}
    for cell, (mode, mp) in found.items():
        if cell == unit.cell:
            continue
        word = mode_word(unit.spec, rank[mode])
        shades[cell] = Shade(*_MOVES[rank[mode]], f"{word[0].upper()}{mp}", f"{word}, {mp} MP")
    used = {rank[mode] for cell, (mode, _) in found.items() if cell != unit.cell}
    key = tuple((*_MOVES[mode], mode_word(unit.spec, mode)) for mode in rank if mode in used)
    return Layer(f"where {unit.id} can go", shades, key)
