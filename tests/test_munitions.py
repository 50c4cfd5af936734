"""Special missiles aboard: bins of the battle file and of imported sheets, orders in words, whole games. E-32 to E-33a."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, load_battle, read_battle
from opfor.formats.battle_file.battle_write import battle_document, save_battle
from opfor.formats.words.notation import order_from_words, order_in_words
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.game.legal.fire import FireChoices
from opfor.game.loop import play_out
from opfor.gm.advice.harm import harm_words
from opfor.rules.loads.inferno import hot_bins
from opfor.units.catalogue import unit_named
from opfor.units.munition_loads import PLAIN, loads_for, munition_rows, reloaded, salvo_missiles
from opfor.units.names import understand
from opfor.units.spec import UnitSpec
from policies.random_policy import RandomPolicy
from policies.veteran.policy import VeteranPolicy
from tests.conformance.choices import check_choices
from tests.skirmish import skirmish
from tests.support import make_state

BATTLE = """
opfor: 1
ruleset: standard
board: {{size: 16x17}}
phase: fire
turn: 2
sides: {{players: {{}}, opfor: {{}}}}
units:
  - {{id: a, side: opfor, type: {type}, at: "0801", facing: S, pilot: {{gunnery: 4, piloting: 5}}{munitions}}}
  - {{id: b, side: players, type: Locust LCT-1V, at: "0807", facing: N, pilot: {{gunnery: 4, piloting: 5}}}}
"""
#: carries every kind of missile launcher there is to load
CARRIERS = ("Commando COM-2D", "Archer ARC-2R", "SRM Carrier (Standard)", "LRM Carrier (Standard)")


def battle(munitions: str = "", type: str = "Commando COM-2D") -> Battle:
    """Unit a with loads, as the file writes them."""
    words = f", munitions: {munitions}" if munitions else ""
    return read_battle(BATTLE.format(munitions=words, type=type), source="battle.yaml")


def kinds(spec: UnitSpec) -> list[str]:
    """What the bins of a type hold."""
    return [bin.kind for bin in spec.bins]


@pytest.mark.parametrize(
    ("munitions", "found"),
    [
        ("", ["is_srm4", "is_srm6"]),
        ("{SRM 6: inferno}", ["is_srm4", "is_srm6:inferno"]),
        ("{srm6: Inferno}", ["is_srm4", "is_srm6:inferno"]),
        ("{SRM 6: [inferno], SRM 4: fragmentation}", ["is_srm4:fragmentation", "is_srm6:inferno"]),
        ("[incendiary, plain]", ["is_srm4:incendiary", "is_srm6"]),
        ("['', inferno]", ["is_srm4", "is_srm6:inferno"]),
        ("{SRM 6: plain}", ["is_srm4", "is_srm6"]),
    ],
)
def test_the_battle_file_names_the_loads_of_bins(munitions: str, found: list[str], tmp_path: Path) -> None:
    """Rule: E-32, E-33. What is read is written back and read again the same, the rounds left with it."""
    first = battle(munitions)
    unit = first.state.unit("a")
    assert kinds(unit.spec) == found
    assert unit.spec.name == "Commando COM-2D"
    unit.ammo[1] = 3
    save_battle(first, tmp_path / "battle.yaml")
    again = load_battle(tmp_path / "battle.yaml")
    assert again.state.unit("a").spec is unit.spec
    assert again.state.unit("a").ammo == unit.ammo
    assert battle_document(again) == battle_document(first)
    assert ("munitions" in battle_document(again)["units"][0]) is (":" in "".join(found))


def test_bins_of_one_kind_may_hold_different_loads(tmp_path: Path) -> None:
    """Rule: E-33a. Each load is a fire mode of every launcher of the kind."""
    first = battle("{LRM 20: [thunder, swarm, plain, semi-guided]}", "Archer ARC-2R")
    spec = first.state.unit("a").spec
    assert kinds(spec) == ["is_lrm20:thunder", "is_lrm20:swarm", "is_lrm20", "is_lrm20:semi_guided"]
    launcher = next(mount for mount in spec.mounts if mount.id == "is_lrm20")
    assert [mode.name for mode in launcher.modes] == ["", "semi_guided", "swarm", "thunder"]
    save_battle(first, tmp_path / "battle.yaml")
    again = load_battle(tmp_path / "battle.yaml")
    assert battle_document(again)["units"][0]["munitions"] == {"LRM 20": ["thunder", "swarm", "plain", "semi_guided"]}
    assert again.state.unit("a").spec is spec


@pytest.mark.parametrize(
    ("munitions", "words"),
    [
        ("{SRM 6: thunder}", "cannot hold 'thunder'"),
        ("{SRM 6: napalm}", "cannot hold 'napalm'"),
        ("{LRM 20: thunder}", "no ammunition"),
        ("[inferno]", "1 loads for 2 bins"),
        ("{SRM 6: [inferno, inferno]}", "2 loads for 1 bins"),
    ],
)
def test_loads_that_cannot_be_are_refused_with_their_place(munitions: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as found:
        battle(munitions)
    assert "munitions" in found.value.place


def test_loads_change_nothing_else_of_a_type() -> None:
    """Shots, places and what a bin does when it explodes stay; infernos and incendiary missiles burn. Rules: E-32, E-33."""
    for name in CARRIERS:
        base = unit_named(name)
        for load in munition_rows():
            if any(load not in loads_for(base, bin) for bin in base.bins):
                continue
            spec = reloaded(base, (load,) * len(base.bins))
            assert reloaded(spec, (load,) * len(base.bins)) is spec
            assert reloaded(spec, (PLAIN,) * len(base.bins)) is base
            for bin, was in zip(spec.bins, base.bins, strict=True):
                assert (bin.shots, bin.location, bin.explosion_per_shot) == (was.shots, was.location, was.explosion_per_shot)
                assert bin.explosion_per_shot == salvo_missiles(bin) * (2 if "srm" in bin.kind else 1)
            for mount, other in zip(spec.mounts, base.mounts, strict=True):
                modes = [mode.munition for mode in mount.modes]
                assert modes == ([load] if other.modes[0].ammo else [""])
            assert bool(hot_bins(spec)) is (load in ("inferno", "incendiary"))
    with pytest.raises(ValueError, match="cannot hold"):
        reloaded(unit_named("Archer ARC-2R"), ("inferno",) * 4)


@pytest.mark.parametrize(
    ("line", "key", "munition"),
    [
        ("IS Ammo SRM-6 Inferno", "srm6", "inferno"),
        ("SRM 6 Inferno Ammo", "srm6", "inferno"),
        ("ISSRM2 Inferno Ammo", "srm2", "inferno"),
        ("Clan Ammo SRM-4 Inferno", "srm4", "inferno"),
        ("ISMML5 SRM Inferno Ammo", "mml5", "srm:inferno"),
        ("IS Ammo LRM-20 Fragmentation", "lrm20", "fragmentation"),
        ("ISLRM15 Incendiary Ammo", "lrm15", "incendiary"),
        ("IS LRM 10 Swarm Ammo", "lrm10", "swarm"),
        ("ISLRM5 Thunder Ammo", "lrm5", "thunder"),
        ("IS Ammo LRM-10 Semi-guided", "lrm10", "semi_guided"),
        ("ISThunderbolt10 Ammo", "thunderbolt10", ""),
        ("IS Ammo LRM-10", "lrm10", ""),
    ],
)
def test_names_of_imported_sheets(line: str, key: str, munition: str) -> None:
    """Rule: E-32. What .mtf, .blk and catalogue files call their bins."""
    item = understand(line)
    assert (item.kind, item.key, item.munition, item.modelled) == ("ammo", key, munition, True)


@pytest.mark.parametrize("line", ["ISLRM5 Thunder-Augmented Ammo", "LRM 20 Swarm-I Ammo", "LRM 10 Thunder-Inferno Ammo"])
def test_other_missiles_are_still_not_modelled(line: str) -> None:
    item = understand(line)
    assert item.kind == "ammo" and not item.modelled


MODES = {
    "id": "a",
    "at": "0801",
    "facing": "S",
    "mech": {
        "weapons": {"RT": ["is_lrm5"], "LT": ["is_srm6"]},
        "ammo": {"RT": ["IS Ammo LRM-5 Thunder", "IS Ammo LRM-5 Swarm"], "LT": ["IS Ammo SRM-6 Inferno", "IS Ammo SRM-6"]},
    },
}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("a: fire SRM 6 (inferno) at t", "a: fire SRM 6 (inferno) at t"),
        ("a: fire LRM 5 (thunder, lay mines) at 0806", "a: fire LRM 5 (thunder, sow) at hex 0806"),
        ("a: fire LRM 5 (swarm, area) at 0806", "a: fire LRM 5 (swarm, area) at hex 0806"),
    ],
)
def test_orders_in_words(words: str, expected: str) -> None:
    """Rule: E-33. A load is named as any other fire mode."""
    state = make_state(units=[MODES, {"id": "t", "side": 1, "at": "0806"}])
    order = order_from_words(words, state)
    assert order_in_words(order, state) == expected
    assert order_from_words(order_in_words(order, state), state) == order


@pytest.mark.parametrize("swarm", ["all", "divided"])
@pytest.mark.parametrize("hexes", ["near", "off"])
def test_listed_fire_keeps_its_promises(swarm: str, hexes: str) -> None:
    ruleset = {"base": "standard", "swarm_missiles": swarm, "hex_targets": hexes}
    state = make_state(ruleset=ruleset, units=[MODES, {"id": "t", "side": 1, "at": "0807"}], board={"0807": "light woods"})
    check_choices(FireChoices(state, [state.unit("a")]))


def test_every_load_has_words_for_what_it_does() -> None:
    """Rule: E-32 to E-33a. What a hit does stands in the working, whatever the target."""
    targets = [
        {"id": "m"}, {"id": "v", "vehicle": {}}, {"id": "p", "platoon": {}}, {"id": "s", "suits": {}},
    ]  # fmt: skip
    for load in munition_rows():
        kind = "srm6" if load == "inferno" else "lrm10"
        ammo = f"IS Ammo {kind[:3].upper()}-{kind[3:]} {load.replace('_', '-')}"
        launcher = {"weapons": {"RT": [f"is_{kind}"]}, "ammo": {"LT": [ammo]}}
        units = [{"id": "a", "at": "0801", "mech": launcher}]
        units += [{"side": 1, "at": "0804", **target} for target in targets]
        for base in ("standard", "campaign"):
            state = make_state(ruleset=base, units=units)
            unit = state.unit("a")
            mount = unit.spec.mounts[0]
            for target in state.units[1:]:
                words = harm_words(state, unit, mount, mount.modes[0], target, 3)
                assert "roll 2d6 for the cluster" in words or (load == "thunder" and "mines" in words)


@pytest.mark.parametrize(("ruleset", "seed"), [("standard", 1), ("campaign", 2), ("mwii", 3), ("campaign", 4)])
def test_games_with_every_load(ruleset: str, seed: int) -> None:
    """Whole games, checked at every step, between units whose bins are loaded by chance. Rules: E-32 to E-33a."""
    draw = random.Random(seed)
    members = ("SRM Carrier (Standard)", "Archer ARC-2R", "Commando COM-2D", "Foot Platoon (Rifle)")

    def loaded() -> list[UnitSpec]:
        found = []
        for name in members:
            base = unit_named(name)
            found.append(reloaded(base, tuple(draw.choice(("", *loads_for(base, bin))) for bin in base.bins)))
        return found

    state = skirmish(seed, a=loaded(), b=loaded(), limit=8, ruleset=ruleset)
    policies = [RandomPolicy(seed), VeteranPolicy(seed)]
    play_out(Game(state, SeededDice(seed)), policies, [Invariants()])
