"""Choosing what to fire: one plan for every target and posture, the best of them, one target only."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from opfor.dice import chance_2d6
from opfor.game.legal.fire import UnitFire
from opfor.game.legal.volleys import Option
from opfor.orders import FireOrder
from opfor.rules.shooting.framing import sees
from opfor.rules.shooting.to_hit import Posture
from opfor.state import State
from opfor.units.hex_target import names_hex
from opfor.units.state import UnitState
from policies.princess.guns import Arsenal, rack_damage, rounds_left
from policies.princess.heat import heat_limit
from policies.princess.overkill import Assigned
from policies.princess.plans import Mark, Shot
from policies.princess.settings import Settings, figures

_RAPID: int = figures("fire")["rapid_number"]


class Volley(NamedTuple):
    """A volley and what it is worth: value, expected points, how often it hits on the mean, the order."""

    value: float
    damage: float
    order: FireOrder


class FirePlan:
    """The fire of one unit. ``spares`` says of an enemy whether it is not to be fired at."""

    def __init__(
        self,
        state: State,
        me: UnitState,
        fire: UnitFire,
        arsenal: Arsenal,
        config: Settings,
        spares: Callable[[UnitState], bool] = lambda enemy: False,
    ) -> None:
        self.state = state
        self.me = me
        self.fire = fire
        self.config = config
        self.arsenal = arsenal
        self.spares = spares
        self.limit = heat_limit(state, me)
        self.assigned = Assigned(state, me.side)
        told = state.directive(me.side).of(me.id) if state.directives else ()
        self.focus = frozenset().union(*(restraint.focus for restraint in told))
        self._marks: dict[str, Mark] = {}
        self.volleys: list[Volley] = []

    def choose(self) -> Volley | None:
        """The best volley that is worth anything, None for none."""
        for posture in self.fire.postures:
            for target in self.fire.targets(posture):
                if not names_hex(target) and not self.spares(self.state.unit(target)):
                    volley = self._volley(posture, target)
                    if volley is not None:
                        self.volleys.append(volley)
        self.volleys.sort(key=lambda volley: -volley.value)
        return self.volleys[0] if self.volleys and self.volleys[0].value > 0.0 else None

    def mark(self, id: str) -> Mark:
        """A target."""
        found = self._marks.get(id)
        if found is None:
            unit = self.state.unit(id)
            most = self.arsenal.of(unit, self.me, prone=unit.prone).at_range(1)
            found = self._marks[id] = Mark(unit, most, self.config, self.assigned, priority=id in self.focus)
        return found

    def _volley(self, posture: Posture, target: str) -> Volley | None:
        legal = self.fire.volley(posture, target)
        if legal is None:
            return None
        mark = self.mark(target)
        best: dict[int, tuple[Shot, Option]] = {}
        paints: dict[int, Option] = {}
        for mount, options in zip(self.me.spec.mounts, legal.options, strict=True):
            for option in options:
                if option.target != target or option.attack.aim or not option.as_primary:
                    continue
                shot = self._shot(mark, option)
                if shot is None:
                    if "designator" in option.mode.weapon.flags:
                        paints[mount.index] = option
                elif mount.index not in best or shot.plain > best[mount.index][0].plain:
                    best[mount.index] = (shot, option)
        mounts = sorted(best)
        plan = mark.plan([best[mount][0] for mount in mounts], self.limit)
        picked = {mounts[pick]: best[mounts[pick]][1] for pick in plan.picks}
        if plan.value <= 0.0 and paints:
            picked = {}
        # a target designator costs nothing and takes its best shot with whatever else is fired
        chosen: list[Option] = []
        kept: list[Shot] = []
        walk = legal.start()
        for mount in self.me.spec.mounts:
            wanted = picked.get(mount.index) or paints.get(mount.index)
            below = legal.after(walk, wanted) if wanted is not None else None
            if below is None:
                # rounds or the propping arm do not allow it beside the others
                below = legal.after(walk, None)
            else:
                assert wanted is not None
                chosen.append(wanted)
                if mount.index in picked:
                    kept.append(best[mount.index][0])
            assert below is not None
            walk = below
        if not chosen or not walk.struck:
            return None
        value = mark.value(kept, self.limit) if kept else max(chance_2d6(o.as_primary) for o in chosen) / 1000
        return Volley(value, sum(shot.odds * shot.damage for shot in kept), legal.order(chosen))

    def _shot(self, mark: Mark, option: Option) -> Shot | None:
        """A shot as it is counted, None where it does nothing or is not worth its round."""
        mount = self.me.spec.mounts[option.attack.mount]
        mode = option.mode
        number = option.as_primary
        if mode.jam_at and number > _RAPID:
            return None
        away = self.state.board.grid.distance(self.me.cell, mark.unit.cell)
        damage = rack_damage(self.me, mount, mode, away)
        if "anti_mech" in mode.weapon.flags:
            damage = float(mode.weapon.damage[0])
        odds = chance_2d6(number)
        rounds = rounds_left(self.me, mount, mode)
        if damage <= 0.0 or (rounds is not None and odds <= self.config.least_to_hit(rounds)):
            return None
        return mark.shot(odds, damage, self._side(mark.unit.id, option.attack.spotter), mode.heat)

    def _side(self, target: str, spotter: str) -> str:
        """The side of the target that is struck."""
        solver = self.fire.solver
        frames = solver.spotted if spotter else solver.direct
        return next((seen.side for seen in frames if seen.target.id == target), "front")


def spotting(state: State, me: UnitState, enemies: list[UnitState], draw: Callable[[], float]) -> UnitState | None:
    """Whom a unit without a shot watches for others: the nearest enemy that it sees, any of them where several are as near."""
    seen = [enemy for enemy in enemies if sees(state, me, enemy)]
    away = {enemy.id: state.board.grid.distance(me.cell, enemy.cell) for enemy in seen}
    nearest = [enemy for enemy in seen if away[enemy.id] == min(away.values())]
    return nearest[int(draw() * len(nearest))] if nearest else None


def words(plan: FirePlan, volley: Volley) -> str:
    """Why a volley is fired, in one clause."""
    weapons = len(volley.order.attacks)
    return (
        f"{weapons} weapon{'s' if weapons != 1 else ''} at {volley.order.primary}: "
        f"{volley.damage:.0f} points expected, worth {volley.value:.0f}"
    )


__all__ = ["FirePlan", "Volley", "spotting", "words"]
