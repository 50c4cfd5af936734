"""S-9: what holds for infantry in any battle, and that expected damage is the mean of what resolving attacks does."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from opfor.dice import EXACTLY_2D6, Roll, SeededDice
from opfor.game.game import Game
from opfor.orders import Attack, FireOrder
from opfor.rules.events import Event
from opfor.rules.play import Play
from opfor.rules.shooting.expectation import harm_on_hit, outcomes
from opfor.rules.shooting.weapon_fire import resolve_fire
from opfor.rules.troops.infantry import salvo_column
from opfor.rules.troops.infantry_damage import losses, plain_losses
from opfor.state import State
from opfor.tables import table
from tests.support import make_state

SUMS = {total: next(pair for pair in product(range(1, 7), repeat=2) if sum(pair) == total) for total in range(2, 13)}
MECH = {"weapons": {"RA": ["is_medium_laser", "is_mg"], "LT": ["is_srm6", "is_flamer"]}, "jump": 3,
        "ammo": {"RT": ["IS Ammo SRM-6", "IS Ammo MG - Full"]}}  # fmt: skip
GUNS = {"weapons": {"RT": ["is_lrm10"], "LA": ["is_large_pulse_laser"]}, "ammo": {"LT": ["IS Ammo LRM-10"]}}
TANK = {"weapons": {"TU": ["is_ac5"]}, "ammo": ["IS Ammo AC/5"], "troop_space": 6}
SUITS = {"weapons": ["is_small_laser", "is_srm2"], "shots": {"SRM 2": 2}}
KINDS: list[dict[str, Any]] = [
    {"mech": MECH},
    {"mech": GUNS},
    {"vehicle": TANK},
    {"suits": SUITS},
    {"suits": {"suits": 5, "tech": "Clan"}},
    {"platoon": {}},
    {"platoon": {"motive": "jump", "weapon": "laser"}},
    {"platoon": {"motive": "motorized", "weapon": "srm"}},
    {"platoon": {"motive": "mechanized_tracked", "weapon": "machine_gun"}},
]
TERRAIN = ("light woods", "heavy woods", "rough", "water depth 1", "water depth 2", "level 1", "pavement")


def battle(seed: int) -> State:
    """A small battle in tight quarters, so that units come to share hexes."""
    chance = random.Random(seed)
    places = [f"{c:02d}{r:02d}" for c in range(2, 6) for r in range(2, 6)]
    chance.shuffle(places)
    units = [
        {"id": f"u{n}", "side": n % 2, "at": places.pop(), "facing": chance.randrange(6), "piloting": 4, **chance.choice(KINDS)}
        for n in range(chance.randint(4, 7))
    ]
    board = {place: chance.choice(TERRAIN) for place in places[:6]}
    state = make_state(board=board, size=(6, 6), units=units, phase="initiative")
    state.limit = 5
    return state


def keeps_its_numbers(state: State, events: list[Event]) -> None:
    """No losses below nothing, nobody fights on without troopers, and who clings is where its target is."""
    for event in events:
        if event.what == "troopers_lost":
            assert event.data["lost"] >= 0 <= event.data["left"]
    for unit in state.units:
        if not unit.spec.is_infantry:
            continue
        assert min(unit.structure) >= 0 and min(unit.armor) >= 0
        assert all(now <= whole for now, whole in zip(unit.structure, unit.spec.structure, strict=True))
        assert not unit.heat and not unit.prone and not unit.psr
        if unit.alive:
            assert sum(unit.structure) > 0
        if unit.swarming:
            target = state.unit(unit.swarming)
            assert target.alive and target.cell == unit.cell and target.side != unit.side


@pytest.mark.parametrize("seed", range(24))
def test_any_battle(seed: int) -> None:
    state = battle(seed)
    chance = random.Random(seed)
    game = Game(state, SeededDice(seed))
    while (decision := game.decision()) is not None:
        order = decision.legal.sample(chance.randrange)
        for _ in range(4):
            if decision.kind == "fire" and not (order.attacks or order.clear):  # type: ignore[union-attr]
                order = decision.legal.sample(chance.randrange)
        assert order in decision.legal
        keeps_its_numbers(state, game.apply(order))


@pytest.mark.parametrize("name", sorted(table("infantry")["damage_received"]))
def test_more_points_never_take_fewer(name: str) -> None:
    dice = int(table("infantry")["damage_received"][name].get("dice", 0))
    for mechanized, open_ground in product((False, True), repeat=2):
        before = 0
        for points in range(1, 41):
            plain = plain_losses(name, [points], [4] * dice)
            now = losses(name, plain, mechanized=mechanized, open_ground=open_ground)
            assert now >= before
            before = now


class Told:
    """Dice that hit, show a sum for the cluster roll, and for all else what they are told one after the other."""

    def __init__(self, cluster: int, rest: tuple[int, ...]) -> None:
        self.cluster, self.rest, self.at = SUMS[cluster], rest, 0
        self.log: list[Roll] = []

    def roll(self, count: int, why: str) -> Roll:
        if "cluster hits" in why:
            return Roll(self.cluster, why)
        if "needs" in why:
            return Roll((6, 6), why)
        if "troopers of" in why or "damage of" in why:
            return Roll(self.rest[:count], why)
        if "suit hit" in why:
            # one suit after the other
            self.at = self.at % 4 + 1
            return Roll((self.at,), why)
        return Roll((3, 4)[:count], why)

    def copy(self) -> Told:
        return self


def played(state: State, mount: int, mode: str, dice: int) -> float:
    """Mean of what the first unit's attack does, every cluster roll and every throw of the burst dice played through."""
    total = 0.0
    item = state.unit("a").spec.mounts[mount]
    one_roll = salvo_column(state.unit("a"), item, item.modes[0]) <= 1
    throws = list(product(range(1, 7), repeat=dice))
    for roll in (7,) if one_roll else range(2, 13):
        odds = 1.0 if one_roll else EXACTLY_2D6[roll]
        for throw in throws:
            copy = state.copy()
            copy.declared = [FireOrder("a", attacks=(Attack(mount, "t", mode),), primary="t")]
            play = Play(copy, Told(roll, throw))
            resolve_fire(play, play.state.declared)
            before, after = state.unit("t"), copy.unit("t")
            done = sum(before.structure) - sum(after.structure) + sum(before.armor) - sum(after.armor)
            total += odds * done / len(throws)
    return total


MACHINE_GUNS = {"platoon": {"weapon": "machine_gun"}}
GUNNER, GUNSHIP = {"mech": MECH, "facing": 3}, {"mech": GUNS, "facing": 3}
#: what it is, attacker, target, weapon, burst dice
CASES: list[tuple[str, dict[str, Any], dict[str, Any], str, int]] = [
    ("rifles at a 'Mech", {"platoon": {}}, {"mech": {}}, "platoon_rifle", 0),
    ("few rifles", {"platoon": {}, "structure": {"TR": 5}}, {"mech": {}}, "platoon_rifle", 0),
    ("SRM platoon", {"platoon": {"motive": "motorized", "weapon": "srm"}}, {"mech": {}}, "platoon_srm", 0),
    ("rifles at a platoon inside", {"platoon": {}}, {"platoon": {}, "at": "0904"}, "platoon_rifle", 0),
    ("machine gun at a platoon inside", GUNNER, {"platoon": {}, "at": "0904"}, "is_mg", 2),
    ("rifles at a platoon", {"platoon": {}}, {"platoon": {}}, "platoon_rifle", 0),
    ("machine guns at a platoon", MACHINE_GUNS, {"platoon": {}}, "platoon_machine_gun", 1),
    ("machine guns at a mechanized one", MACHINE_GUNS, {"platoon": {"motive": "mechanized_hover"}}, "platoon_machine_gun", 1),
    ("lasers of suits", {"suits": SUITS}, {"mech": {}}, "is_small_laser", 0),
    ("missiles of suits", {"suits": SUITS}, {"mech": {}}, "is_srm2", 0),
    ("missiles of suits at a platoon", {"suits": SUITS}, {"platoon": {}}, "is_srm2", 0),
    ("laser at a platoon", GUNNER, {"platoon": {}}, "is_medium_laser", 0),
    ("machine gun at a platoon", GUNNER, {"platoon": {}}, "is_mg", 2),
    ("machine gun at a few", GUNNER, {"platoon": {}, "structure": {"TR": 9}}, "is_mg", 2),
    ("flamer at a mechanized one", GUNNER, {"platoon": {"motive": "mechanized_hover"}}, "is_flamer", 4),
    ("SRMs at a platoon", GUNNER, {"platoon": {}}, "is_srm6", 0),
    ("LRMs at a mechanized one", GUNSHIP, {"platoon": {"motive": "mechanized_tracked"}}, "is_lrm10", 0),
    ("pulse laser at one dug in", GUNSHIP, {"platoon": {}, "dug_in": True}, "is_large_pulse_laser", 0),
    (
        "plasma at suits",
        {"mech": {"weapons": {"RT": ["is_plasma_rifle"]}, "ammo": {"LT": ["IS Plasma Rifle Ammo"]}}, "facing": 3},
        {"suits": {"armor": 10}},
        "is_plasma_rifle",
        2,
    ),
    ("large laser at suits", GUNSHIP, {"suits": {"armor": 5}}, "is_large_pulse_laser", 0),
]


@pytest.mark.parametrize(("a", "t", "weapon", "dice"), [pytest.param(*row[1:], id=row[0]) for row in CASES])
def test_expected_harm_is_the_mean(a: dict[str, Any], t: dict[str, Any], weapon: str, dice: int) -> None:
    still = {"mode": "stand", "hexes": 0}
    state = make_state(
        board={"0904": {"building": 2, "building_height": 1, "building_cf": 40}},
        units=[{"id": "a", "at": "0803", "moved": still, **a}, {"id": "t", "side": 1, "at": "0804", "moved": still, **t}],
    )
    unit, target = state.unit("a"), state.unit("t")
    item = next(m for m in unit.spec.mounts if m.id == weapon)
    fired = item.modes[0]
    told = harm_on_hit(state, unit, item, fired, target, 1)
    assert told == pytest.approx(played(state, item.index, fired.name, dice))
    ways = outcomes(unit, item, fired, fired.damage(0))
    assert sum(odds for odds, _ in ways) == pytest.approx(1)
    assert salvo_column(unit, item, fired) <= 1 or len(ways) > 1


class Fixed:
    """Dice that pass every roll to hit and fail every other check, or the other way round."""

    def __init__(self, shaken: bool) -> None:
        self.shaken = shaken
        self.log: list[Roll] = []

    def roll(self, count: int, why: str) -> Roll:
        if "shake off" in why:
            return Roll((6, 6) if self.shaken else (1, 1), why)
        if "initiative" in why:
            return Roll((1, 2) if "players" in why else (3, 3), why)
        return Roll((4, 4)[:count] if "needs" in why else (3, 4)[:count], why)

    def copy(self) -> Fixed:
        return self


@pytest.mark.parametrize("shaken", [False, True])
def test_swarming_through_the_turns(shaken: bool) -> None:
    still = {"mode": "", "hexes": 0}
    state = make_state(
        units=[{"id": "a", "at": "0805", "platoon": {}, "moved": still}, {"id": "t", "side": 1, "at": "0804", "mech": {}}],
        phase="initiative",
    )
    state.unit("a").moved = False
    game = Game(state, Fixed(shaken))
    a, t = state.unit("a"), state.unit("t")
    while (decision := game.decision()) is not None and state.turn <= 2:
        orders = list(decision.legal)
        id = decision.unit_ids[0]
        order = next(o for o in orders if o.unit == id)
        if decision.kind == "movement" and id == "a" and not a.swarming:
            order = next(o for o in orders if o.mode == "walk" and o.to == t.cell)  # type: ignore[union-attr]
        elif decision.kind == "movement" and id == "t" and state.turn == 2:
            order = next(o for o in orders if o.mode == "run" and o.to != t.cell)  # type: ignore[union-attr]
        elif decision.kind == "fire" and id == "a":
            order = next(o for o in orders if any(a.spec.mounts[x.mount].id == "swarm" for x in o.attacks))  # type: ignore[union-attr]
        game.apply(order)
        if state.turn == 2 and t.moved:
            break
    assert state.turn == 2 and t.moved and t.hexes_moved
    assert a.cell == t.cell
    assert a.swarming == ("" if shaken else "t")
