"""S-4, S-5: what an attack is expected to do is the mean of what resolving it does, for every weapon, mode and range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from opfor.dice import EXACTLY_2D6
from opfor.rules.shooting.expectation import critical_odds, damage_on_hit, expected_damage, location_odds, mean_cluster
from opfor.tables.arsenal import BRACKETS, FireMode, launchers
from tests.plain_expectation import carrier, mean, position

ECM = {"mech": {"equipment": {"RT": ["Guardian ECM Suite", "Guardian ECM Suite"]}}}
AMS = {"mech": {"weapons": {"RT": ["is_laser_ams"]}}}


def ranges(mode: FireMode) -> Iterator[tuple[int, int, bool]]:
    """The farthest hex of each bracket, and the farthest inside the minimum range: (distance, bracket, inside)."""
    weapon = mode.weapon
    for bracket, reach in enumerate((weapon.short, weapon.medium, weapon.long)):
        if weapon.bracket(reach) == bracket:
            yield reach, bracket, reach <= weapon.minimum
    if weapon.minimum and weapon.minimum != weapon.short:
        yield weapon.minimum, weapon.bracket(weapon.minimum) or 0, True


def weapons(*, missiles: bool = False, flag: str = "") -> list[str]:
    return [
        id
        for id, modes in launchers().items()
        if modes[0].weapon.is_attack
        and (not missiles or modes[0].weapon.is_missile)
        and (not flag or flag in modes[0].weapon.flags)
    ]


def agree(id: str, target: dict[str, Any], *, suffix: str = "", modifier: int = 0, met: bool = False, **more: Any) -> int:
    """Compare every mode and range of a weapon; how many there were."""
    compared = 0
    spec = carrier(id, suffix, more.get("equipment"))
    for mode in spec.mounts[0].modes:
        for distance, bracket, inside in ranges(mode):
            state = position(spec, distance, target)
            number, damage = mean(state, mode, met=met)
            bonus = modifier
            if "cluster_plus2_short_minus2_long" in mode.weapon.flags:
                bonus += (2, 0, -2)[bracket]
            told = expected_damage(mode, number, bracket, bonus, inside_minimum=inside, met=met)
            assert told == pytest.approx(damage), (id, mode.name, BRACKETS[bracket], distance)
            compared += 1
    return compared


@pytest.mark.parametrize("id", weapons())
def test_every_weapon_mode_and_range(id: str) -> None:
    assert agree(id, {}) >= 2


@pytest.mark.parametrize("id", weapons(flag="artemis_capable"))
def test_guidance(id: str) -> None:
    """Artemis IV and Narc are worth 2 each to the cluster roll."""
    agree(id, {}, suffix="artemis", modifier=2, equipment={"RT": ["Artemis IV"]})
    agree(id, {"narc": 1}, suffix="narc", modifier=2)


@pytest.mark.parametrize("id", weapons(flag="built_in_artemis"))
def test_built_in_guidance_under_ecm(id: str) -> None:
    agree(id, ECM, modifier=-2)


@pytest.mark.parametrize(
    "id", ["is_lrm20", "is_ssrm6", "is_ssrm4", "is_thunderbolt15", "clan_atm9", "is_mml7", "is_rl10", "is_mrm40"]
)
def test_against_an_anti_missile_system(id: str) -> None:
    assert agree(id, AMS, met=True) >= 3


def test_by_hand() -> None:
    """A few means worked out with the tables in hand."""
    laser, lrm5, srm2, thunderbolt = (launchers()[id][0] for id in ("is_medium_laser", "is_lrm5", "is_srm2", "is_thunderbolt5"))
    # 8 or more: 15 of 36
    assert expected_damage(laser, 8, 0) == pytest.approx(5 * 15 / 36)
    # two missiles: 1 on 2 to 7 (21 of 36), 2 on 8 to 12 (15)
    assert damage_on_hit(srm2, 0) == pytest.approx(2 * (21 + 30) / 36)
    # five: 1, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5 on 2 to 12, with 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1 throws
    assert damage_on_hit(lrm5, 0) == pytest.approx((1 + 4 + 6 + 12 + 15 + 18 + 15 + 16 + 12 + 10 + 5) / 36)
    assert mean_cluster(5, 20) == pytest.approx(5)
    assert mean_cluster(5, -20) == pytest.approx(1)
    assert damage_on_hit(thunderbolt, 0, inside_minimum=True) == 2
    # stopped on 4 to 6 of a die
    assert damage_on_hit(thunderbolt, 0, met=True) == 2.5
    assert damage_on_hit(laser, 2) == 5
    # Streak missiles all hit; met by an anti-missile system 6 with a roll of 7 are 4
    assert damage_on_hit(launchers()["is_ssrm6"][0], 0) == 12
    assert damage_on_hit(launchers()["is_ssrm6"][0], 0, met=True) == 8


def test_heat_is_no_damage() -> None:
    damage, heat = launchers()["is_flamer"]
    assert expected_damage(damage, 2, 0) == 2
    assert expected_damage(heat, 2, 0) == 0


def test_location_and_critical_odds() -> None:
    """S-5: from the front the head is struck once in 36, the right torso on 6; criticals come on 8."""
    front = location_odds(False, "front", "normal")
    assert sum(front) == pytest.approx(1)
    assert front[0] == pytest.approx(1 / 36)
    assert front[1] == pytest.approx(7 / 36)
    assert front[2] == pytest.approx(5 / 36)
    assert location_odds(False, "left", "kick")[7] == pytest.approx(1)
    odds = critical_odds()
    assert sum(odds) == pytest.approx(1)
    assert odds[0] == pytest.approx(sum(EXACTLY_2D6[2:8]))
    assert odds[1] == pytest.approx((5 + 4) / 36)
    assert odds[2] == pytest.approx((3 + 2) / 36)
    assert odds[3] == pytest.approx(1 / 36)
