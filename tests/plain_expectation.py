"""Expected damage the long way: every roll to hit and every cluster roll played through the rules that resolve fire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from opfor.dice import Roll
from opfor.orders import Attack, FireOrder
from opfor.rules.play import Play
from opfor.rules.shooting.weapon_fire import resolve_fire
from opfor.state import State
from opfor.tables.arsenal import FireMode, launchers
from opfor.units.spec import AmmoBin, UnitSpec
from tests.support import make_state, test_mech

#: every throw of two dice, the sums apart, and how often each comes up
SUMS = {total: [pair for pair in product(range(1, 7), repeat=2) if sum(pair) == total] for total in range(2, 13)}
#: more than any weapon takes off
PLENTY = 10_000


class Told:
    """Dice that show what they are told: to hit, for the cluster, for the single missile; seven for all locations."""

    def __init__(self, to_hit: int, cluster: int, single: int) -> None:
        self.to_hit = SUMS[to_hit][0]
        self.cluster = SUMS[cluster][0]
        self.single = single
        self.log: list[Roll] = []

    def roll(self, count: int, why: str) -> Roll:
        if "anti-missile" in why:
            return Roll((self.single,), why)
        if "cluster hits" in why:
            return Roll(self.cluster, why)
        if "needs" in why:
            return Roll(self.to_hit, why)
        return Roll((3, 4)[:count], why)

    def copy(self) -> Told:
        return self


def carrier(id: str, suffix: str = "", equipment: Mapping[str, Sequence[str]] | None = None) -> UnitSpec:
    """A 'Mech with one weapon in its right torso, all its modes and a bin for each; ``suffix`` names the munition loaded."""
    spec = test_mech(tech="Clan" if id.startswith("clan") else "Inner Sphere", weapons={"RT": [id]}, equipment=equipment)
    (mount,) = spec.mounts
    modes = mount.modes if mount.one_shot else launchers()[id]
    if suffix:
        modes = tuple(replace(mode, ammo=f"{mode.ammo}:{suffix}") for mode in modes)
    kinds = dict.fromkeys(mode.ammo for mode in modes if mode.ammo)
    bins = tuple(AmmoBin(index, kind, kind, 20, 3, 0) for index, kind in enumerate(kinds))
    return replace(spec, mounts=(replace(mount, modes=modes),), bins=bins)


def position(spec: UnitSpec, distance: int, target: Mapping[str, Any]) -> State:
    """The carrier and its target, ``distance`` hexes apart on a plain."""
    return make_state(
        size=(16, 40),
        units=[
            {"id": "a", "at": "0801", "facing": 3, "spec": spec, "moved": {"mode": "stand"}},
            {"id": "t", "side": 1, "at": f"08{1 + distance:02d}", "moved": {"mode": "stand"}, **target},
        ],
    )


def played(state: State, mode: FireMode, to_hit: int, cluster: int, single: int = 1) -> tuple[int, int]:
    """The number needed and the damage done by an attack whose dice show what is said."""
    a, t = state.units
    a.ammo = [bin.shots for bin in a.spec.bins]
    a.jammed = a.one_shot_used = 0
    t.armor = [PLENTY] * len(t.armor)
    state.declared = [FireOrder("a", attacks=(Attack(0, "t", mode.name),), primary="t")]
    play = Play(state, Told(to_hit, cluster, single))
    resolve_fire(play, play.state.declared)
    (attack,) = [event for event in play.events if event.what == "attack"]
    return attack.data["to_hit"]["tn"], PLENTY * len(t.armor) - sum(t.armor)


def mean(state: State, mode: FireMode, *, met: bool = False) -> tuple[int, float]:
    """The number needed, and the damage over all 36 throws to hit, 36 for the cluster, and 6 against a missile that is ``met``.

    The throws are independent: those to hit are counted where the rest does most, the others where all hit.
    """
    singles = range(1, 7) if met else (1,)
    number, most = played(state, mode, 12, 12)
    hits = sum(len(pairs) for total, pairs in SUMS.items() if played(state, mode, total, 12)[1] == most)
    damage = sum(len(pairs) * played(state, mode, 12, total, die)[1] for total, pairs in SUMS.items() for die in singles)
    return number, hits / 36 * damage / 36 / len(singles)
