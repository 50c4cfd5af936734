"""The conformance suites, held against all that ships: policies, legal orders in every phase, catalogue units."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from opfor.game.decision import Decision
from opfor.game.legal.choices import Pick
from opfor.game.legal.physical import PhysicalChoices
from opfor.game.view import View
from opfor.orders import Order, PhysicalOrder
from opfor.units.catalogue import unit_named, unit_names
from opfor.units.spec import AmmoBin, Slot, UnitSpec
from policies.random_policy import RandomPolicy
from policies.registry import make, policy_names
from tests.conformance import NonConforming
from tests.conformance.choices import check_choices
from tests.conformance.policy import check_policy
from tests.conformance.positions import close_battle, positions
from tests.conformance.unit import check_unit
from tests.learned_models import playable
from tests.support import make_state, test_mech

# -- policies ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", policy_names())
def test_every_policy(name: str) -> None:
    """Legal, repeatable, leaves the game alone, copes with every phase and corner."""
    check_policy(lambda seed: make(playable(name), seed), battles=2, decisions=14)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(0, 40, 10))
@pytest.mark.parametrize("name", policy_names())
def test_every_policy_at_length(name: str, seed: int) -> None:
    """The same over many battles."""
    check_policy(lambda seed: make(playable(name), seed), battles=10, decisions=60, seed=seed + 100)


class _Policy(RandomPolicy):
    """A random policy, for others to spoil."""


class _Meddler(_Policy):
    def choose(self, decision: Decision, view: View) -> Order:
        decision.units[0].heat += 1
        return super().choose(decision, view)


class _Cheat(_Policy):
    def choose(self, decision: Decision, view: View) -> Order:
        return replace(super().choose(decision, view), unit="nobody")


class _Forgetful(_Policy):
    def reset(self, seed: int) -> None:
        if not hasattr(self, "_draw"):
            super().reset(seed)


class _Faint(_Policy):
    def choose(self, decision: Decision, view: View) -> Order:
        if decision.kind == "physical":
            raise ValueError("no idea")
        return super().choose(decision, view)


@pytest.mark.parametrize(
    ("policy", "words"),
    [(_Meddler, "changed the game"), (_Cheat, "not legal"), (_Forgetful, "after reset"), (_Faint, "raises ValueError")],
)
def test_a_policy_that_breaks_its_promises_is_found(policy: type[_Policy], words: str) -> None:
    """Each promise of the protocol has somebody who breaks it."""
    with pytest.raises(NonConforming, match=words):
        check_policy(policy)


# -- legal orders -----------------------------------------------------------------------------------------------------

#: positions looked at by default, over all boards and phases
_POSITIONS = 240


@pytest.mark.parametrize("part", range(6))
def test_legal_orders_in_many_positions(part: int) -> None:
    """Count, list, tree, samples, membership and refusals tell of one set, wherever a battle may stand."""
    kinds = set()
    for number, game in enumerate(positions(1000 * part, _POSITIONS // 6)):
        decision = game.decision()
        assert decision is not None
        kinds.add(decision.kind)
        # one unit's orders are listed in full in some positions, all units' in others
        check_choices(decision.legal, seed=number, at_most=400 if number % 8 else 2500, samples=4)
    assert kinds - {"call"} == {"movement", "fire", "physical"}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_legal_orders_in_thousands_of_positions(part: int) -> None:
    """The same, more of it, and nearly always in full."""
    for number, game in enumerate(positions(50_000 + 1000 * part, 300, size=3)):
        decision = game.decision()
        assert decision is not None
        check_choices(decision.legal, seed=number, at_most=6000)


class _Spoilt(PhysicalChoices):
    """Physical choices that miscount, or list what they refuse, as told."""

    fault = ""

    def count(self) -> int:
        return super().count() + (self.fault == "count")

    def sample(self, pick: Pick) -> PhysicalOrder:
        order = super().sample(lambda count: pick(super(_Spoilt, self).count()))
        return replace(order, limb="tail") if self.fault == "sample" else order

    def why_not(self, order: Order) -> str:
        return "because" if self.fault == "refusal" else "" if self.fault == "silence" else super().why_not(order)


@pytest.mark.parametrize(
    ("fault", "words"), [("count", "count"), ("sample", "tail"), ("refusal", "refused"), ("silence", "without a word")]
)
def test_choices_that_break_their_promises_are_found(fault: str, words: str) -> None:
    """Each promise of the protocol has somebody who breaks it."""
    units: list[dict[str, Any]] = [{"id": "a", "at": "0505", "facing": "S"}, {"id": "b", "side": 1, "at": "0506"}]
    state = make_state(phase="physical", units=units)
    check_choices(PhysicalChoices(state, [state.units[0]]))
    spoilt = _Spoilt(state, [state.units[0]])
    spoilt.fault = fault
    with pytest.raises(NonConforming, match=words):
        check_choices(spoilt)


def test_positions_are_the_same_each_time() -> None:
    """What is checked today is checked tomorrow."""
    first, second = ([repr(g.decision()) for g in positions(7, 20)] for _ in range(2))
    assert first == second
    assert close_battle(3, damaged=True).units[0].armor == close_battle(3, damaged=True).units[0].armor


# -- units ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", unit_names("mech"))
def test_every_catalogue_unit(name: str) -> None:
    """Armour, slots and all that refers to them hold together."""
    check_unit(unit_named(name))


def test_made_units() -> None:
    """The 'Mechs that tests are made of keep to it as well."""
    check_unit(test_mech(heat_sinks=8))
    check_unit(test_mech(heat_sinks=8, quad=True, jump=4, weapons={"RT": ["is_ppc"]}))
    check_unit(test_mech(heat_sinks=8, engine="xl_is", weapons={"RA": ["is_srm6"]}, ammo={"LT": ["IS Ammo SRM-6"]}))


def _swap(spec: UnitSpec, place: int, index: int, slot: Slot) -> tuple[tuple[Slot, ...], ...]:
    slots = [list(row) for row in spec.slots]
    slots[place][index] = slot
    return tuple(tuple(row) for row in slots)


def _spoilt_specs() -> list[tuple[dict[str, Any], str]]:
    spec = unit_named("Wolverine WVR-6R")
    head, *rest = spec.armor
    mount, *others = spec.mounts
    bin = spec.bins[0]
    empty_bin = AmmoBin(bin.index, bin.kind, bin.name, 0, bin.location, bin.explosion_per_shot)
    return [
        ({"armor": (head + 90, *rest)}, "armour on HD"),
        ({"armor": (-1, *rest)}, "negative armour"),
        ({"tons": 52}, "no weight"),
        ({"run": spec.run + 1}, "runs"),
        ({"slots": _swap(spec, 4, 0, Slot("hip", "Hip"))}, "not shoulder"),
        ({"slots": _swap(spec, 2, 11, Slot("weapon", "Ghost", 77))}, "refers to weapon 77"),
        ({"mounts": (replace(mount, location=7), *others)}, "stands in"),
        ({"mounts": (replace(mount, index=5), *others)}, "calls itself"),
        ({"mounts": (replace(mount, modes=()), *others)}, "cannot be fired"),
        ({"bins": (empty_bin, *spec.bins[1:])}, "holds 0 shots"),
        ({"sinks": 60}, "heat sinks"),
        ({"jump": spec.jump - 1}, "jumping MP"),
    ]


@pytest.mark.parametrize(("fault", "words"), _spoilt_specs(), ids=lambda v: v if isinstance(v, str) else "")
def test_a_unit_that_does_not_hold_together_is_found(fault: dict[str, Any], words: str) -> None:
    """Each thing checked has a unit that breaks it."""
    spec = unit_named("Wolverine WVR-6R")
    # the bits are worked out again, so that only the fault itself is wrong
    with pytest.raises(NonConforming, match=words):
        check_unit(replace(spec, **fault, slot_bits={}))
