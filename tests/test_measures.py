"""What a game is measured by: events made up, counted by hand; and a battle played, whose sums must agree."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from opfor.dice import SeededDice
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.loop import play_out
from opfor.gm.arena.sets import draw_battle, set_named
from opfor.gm.ruletest.measures import Measures, measures
from opfor.orders import Order, PassOrder
from opfor.rules.events import Event
from policies.registry import make
from tests.support import make_state


def looking_on() -> Measures:
    """At two 'Mechs ("a", of the first side, with laser and missiles; "b"), and a tank of the second side ("tank 1")."""
    state = make_state(
        units=[
            {"id": "a", "at": "0404", "mech": {"weapons": {"RA": ["is_medium_laser"], "RT": ["is_srm4"], "LT": ["is_ac5"]}}},
            {"id": "b", "side": 1, "at": "0606", "mech": {}},
            {"id": "tank 1", "side": 1, "at": "0808", "vehicle": {"weapons": {"TU": ["is_large_laser"]}}},
        ]
    )
    found = Measures()
    found.before(Game(state, SeededDice(1)))
    return found


def hear(found: Measures, *events: tuple[str, str, dict[str, Any]]) -> dict[str, float]:
    """The row after some events: what, the unit, details."""
    made = [Event(what, unit, "S-0", data) for what, unit, data in events]
    found.happened(None, PassOrder("a"), made)  # type: ignore[arg-type]
    return found.row()


def damage(unit: str, source: str, armor: int, structure: int = 0) -> tuple[str, str, dict[str, Any]]:
    return "damage", unit, {"source": source, "armor": armor, "structure": structure}


def test_damage_by_what_does_it_and_who() -> None:
    row = hear(
        looking_on(),
        damage("b", "a Medium Laser", 5),
        damage("b", "a SRM 4", 2, 2),
        damage("b", "a Autocannon/5", 5),
        damage("b", "a kick", 10),
        damage("a", "charge at b", 3),
        damage("a", "tank 1 Large Laser", 8),
        damage("a", "fall", 6),
        damage("tank 1", "skid into higher ground", 2),
        damage("b", "SRM 4 Ammo explosion", 0, 16),
        damage("b", "a bomb", 7),
        damage("tank 1", "mines", 4),
        damage("tank 1", "fire", 1),
        damage("tank 1", "building collapse", 9),
        ("troopers_lost", "tank 1", {"source": "a leg attack", "lost": 3}),
        damage("b", "hit on somebody", 1),
    )
    by_class = {key.removeprefix("damage."): value for key, value in row.items() if key.startswith("damage.") and value}
    assert by_class == {
        "energy": 5 + 8, "missile": 4, "ballistic": 5, "physical": 10 + 3, "fall": 6 + 2, "explosion": 16, "artillery": 7,
        "mines": 4, "fire": 1, "building": 9, "infantry": 3, "other": 1,
    }  # fmt: skip
    assert row["damage"] == 84 == sum(by_class.values())
    assert (row["taken.mech"], row["taken.vehicle"]) == (3 + 8 + 6 + 5 + 4 + 5 + 10 + 16 + 7 + 1, 2 + 4 + 1 + 9 + 3)
    # who falls, burns or blows up does that to itself; nobody is put down for it
    assert (row["given.mech"], row["given.vehicle"]) == (5 + 4 + 5 + 10 + 7 + 3, 8)


@pytest.mark.parametrize(
    ("unit", "why", "source", "cause"),
    [
        ("b", "pilot killed: head destroyed", "a Medium Laser", "head"),
        ("b", "pilot killed: fall", "fall", "pilot"),
        ("b", "centre torso destroyed", "a Medium Laser", "centre_torso"),
        ("b", "centre torso destroyed", "SRM 4 Ammo explosion", "explosion"),
        ("b", "engine destroyed", "a SRM 4", "engine"),
        ("tank 1", "FR destroyed", "a SRM 4", "location"),
        ("tank 1", "RR destroyed", "ammunition explosion", "explosion"),
        ("tank 1", "fuel tank exploded", "a SRM 4", "explosion"),
        ("tank 1", "turret blown off", "a SRM 4", "location"),
        ("b", "drowned", "fall", "other"),
    ],
)
def test_causes_of_kills(unit: str, why: str, source: str, cause: str) -> None:
    row = hear(looking_on(), damage(unit, source, 1), ("destroyed", unit, {"why": why, "at": "0101"}))
    assert {key for key, value in row.items() if key.startswith("kills.") and value} == {f"kills.{cause}"}
    assert (row["kills"], row["units_lost.first"], row["units_lost.second"]) == (1, 0, 1)


def test_a_unit_is_lost_once() -> None:
    """A crew that is killed is the loss (E-21); the wreck shot up later is none, and does not leave the map either."""
    row = hear(
        looking_on(),
        ("crew_killed", "tank 1", {"why": "critical hit"}),
        ("destroyed", "tank 1", {"why": "FR destroyed", "at": "0808"}),
        ("left_map", "tank 1", {}),
        ("left_map", "b", {}),
    )
    assert (row["kills"], row["kills.crew"], row["kills.location"], row["withdrawn"]) == (1, 1, 0, 1)
    # none of the three has a Battle Value: worth is tons, 40 of the tank
    assert (row["worth_lost"], row["worth_lost.first"], row["worth_lost.second"]) == (40, 0, 40)


def shot(number: int | None, hit: bool, *modifiers: str) -> tuple[str, str, dict[str, Any]]:
    return "attack", "a", {"to_hit": {"tn": number, "modifiers": [{"what": what} for what in modifiers]}, "hit": hit}


def test_shots() -> None:
    declared = {"primary": "b", "attacks": [{"target": "b", "spotter": ""}] * 3 + [{"target": "tank 1", "spotter": "x"}]}
    row = hear(
        looking_on(),
        ("fire_declared", "a", declared),
        shot(7, True, "gunnery", "partial cover"),
        shot(9, False),
        shot(1, True),
        shot(None, False),
        shot(13, False),
    )
    assert row["shots"] == 5 and row["shots.hit"] == pytest.approx(2 / 5)
    # 7, 9 and 1: the two that cannot hit have no number
    assert row["shots.number"] == pytest.approx(17 / 3)
    assert (row["at.7"], row["at.9"], row["at.2"], row["at.13"]) == pytest.approx((0.2, 0.2, 0.2, 0.4))
    assert (row["shots.indirect"], row["shots.at_second"], row["cover.modifier"]) == pytest.approx((0.25, 0.25, 0.2))


def test_rolls_falls_and_heat() -> None:
    found = looking_on()
    row = hear(
        found,
        ("roll", "b", {"reason": "kicked", "success": False}),
        ("roll", "b", {"reason": "damage_20", "success": True}),
        # of a pilot's mind and an engine's heat, not of the feet
        ("roll", "b", {"why": "to stay conscious", "success": False}),
        ("fall", "b", {}),
        ("pilot_hit", "b", {"hits": 1}),
        ("wounded", "a", {}),
        ("heat", "b", {"before": 0, "built": 12, "outside": 0, "shed": 10, "after": 2}),
        ("explosion", "b", {"shots": 4, "name": "SRM 4 Ammo"}),
        ("explosion", "b", {"shots": 0, "name": "Gauss Rifle"}),
        ("explosion", "tank 1", {"shots": 0, "name": "ammunition"}),
        ("location_lost", "b", {"location": "LL"}),
        ("location_lost", "b", {"location": "LA"}),
        ("immobilized", "tank 1", {"why": "motive system destroyed"}),
        # the second turn: both 'Mechs again, of four 'Mech turns in all
        ("phase", "", {"phase": "movement", "turn": 2}),
        ("phase", "", {"phase": "fire", "turn": 2}),
        ("heat", "b", {"before": 2, "built": 8, "outside": 5, "shed": 10, "after": 5}),
    )
    assert (row["piloting.rolls"], row["piloting.failed"], row["falls"], row["pilots.hurt"]) == (2, 0.5, 1, 2)
    assert (row["heat.mean"], row["heat.built"], row["heat.outside"]) == (7 / 4, 20 / 4, 5)
    assert (row["explosions.ammunition"], row["motion_lost"], row["turns"]) == (2, 2, 2)


def test_who_has_won() -> None:
    sides = make_state(units=[{"id": "a", "at": "0404", "mech": {}}]).sides
    unfinished = hear(looking_on())
    assert "won.first" not in unfinished
    won = hear(looking_on(), ("ended", "", {"winner": sides[1], "why": ""}))
    assert (won["won.first"], won["won.second"], won["drawn"]) == (0, 1, 0)
    drawn = hear(looking_on(), ("ended", "", {"winner": "", "why": ""}))
    assert (drawn["won.first"], drawn["won.second"], drawn["drawn"]) == (0, 0, 1)


class Events:
    """Counts the events of a game by name."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def before(self, game: Game) -> None: ...

    def ordered(self, game: Game, decision: Decision, order: Order) -> None: ...

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        self.counts.update(event.what for event in events)

    def after(self, game: Game) -> None: ...


def test_a_battle_adds_up() -> None:
    """What is measured of a battle of all kinds agrees with itself, with the state at the end, and with what happened."""
    state = draw_battle(set_named("mixed-4v4"), 4).state
    found, events = Measures(), Events()
    play_out(Game(state, SeededDice(4)), [make("random:tree", 1), make("random:tree", 2)], [found, events], trust=True)
    row = found.row()
    assert set(row) <= set(measures())
    assert row["damage"] == sum(value for key, value in row.items() if key.startswith("damage."))
    assert row["damage"] == sum(value for key, value in row.items() if key.startswith("taken.")) > 0
    assert row["damage.other"] == row["kills.other"] == 0
    assert row["kills"] == sum(value for key, value in row.items() if key.startswith("kills."))
    lost = [unit for unit in state.units if unit.destroyed]
    assert row["kills"] >= len(lost) and row["worth_lost"] >= sum(unit.spec.battle_value for unit in lost)
    assert row["turns"] == state.turn
    assert (row["shots"], row["falls"]) == (events.counts["attack"], events.counts["fall"])
    assert sum(row[f"at.{number}"] for number in range(2, 14)) == pytest.approx(1)
    assert row["won.first"] + row["won.second"] + row["drawn"] == 1
