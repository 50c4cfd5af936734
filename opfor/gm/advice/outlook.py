"""What a unit could shoot at from where its movement ends: for the game master's eyes, while the others have still to move."""

from __future__ import annotations

from opfor.dice import chance_2d6
from opfor.formats.names import mount_label
from opfor.gm.advice.harm import harm_words, mean_harm
from opfor.gm.advice.working import target_sum
from opfor.report.advice import Attempt
from opfor.rules.shooting.to_hit import FireSolver, Posture, Shot, weapon_attack
from opfor.state import State
from opfor.units.spec import Mount
from opfor.units.state import UnitState


def outlook(state: State, unit: UnitState) -> list[Attempt]:
    """The shots at the one enemy that promises most damage as things stand, each weapon in its best mode; heat left aside."""
    solver = FireSolver(state, unit)
    best: list[tuple[Mount, Shot, float]] = []
    posture = Posture()
    worth = 0.0
    for way in solver.postures():
        by_target: dict[str, list[tuple[Mount, Shot, float]]] = {}
        for mount in unit.spec.mounts:
            for target, found in _best_shots(state, unit, solver, mount, way).items():
                by_target.setdefault(target, []).append(found)
        for shots in by_target.values():
            total = sum(mean for _, _, mean in shots)
            if total > worth:
                best, posture, worth = shots, way, total
    attempts = []
    for mount, shot, mean in best:
        spotter = state.unit(shot.spotter) if shot.spotter else None
        tn = weapon_attack(
            state,
            unit,
            mount,
            shot.mode,
            shot.target,
            twist=posture.twist,
            flip=posture.flip,
            spotter=spotter,
            spotter_attacks=spotter is not None and spotter.fired != 0,
        )
        distance = state.board.grid.distance(unit.cell, shot.target.cell)
        what = mount_label(unit.spec, mount.index) + (f" ({shot.mode.name})" if shot.mode.name else "")
        hit = harm_words(state, unit, mount, shot.mode, shot.target, distance)
        attempts.append(Attempt(target_sum(what, tn), shot.target.id, distance, hit, mean, tn.odds))
    return attempts


def _best_shots(
    state: State, unit: UnitState, solver: FireSolver, mount: Mount, posture: Posture
) -> dict[str, tuple[Mount, Shot, float]]:
    """A weapon's best mode at each target in a posture, with its mean damage."""
    found: dict[str, tuple[Mount, Shot, float]] = {}
    for shot in solver.shots(mount, posture):
        if shot.aim:
            continue
        distance = state.board.grid.distance(unit.cell, shot.target.cell)
        mean = chance_2d6(shot.numbers[1]) * mean_harm(state, unit, mount, shot.mode, shot.target, distance)
        if mean > found.get(shot.target.id, (mount, shot, 0.0))[2]:
            found[shot.target.id] = (mount, shot, mean)
    return found
