"""Saves of our own making, as battles: units of every kind, damage, sides, notes. Rules: S-1, S-5, E-1, E-16 to E-24c."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, load_battle
from opfor.formats.megamek.save import read_save_bytes
from opfor.formats.megamek.save_battle import battle_from_save, import_save, load_imported, opforce_player, write_imported
from opfor.formats.notes import Note
from opfor.rules.vehicles.crew_conditions import COMMANDER, DRIVER
from opfor.units.catalogue import unit_named, unit_names
from opfor.units.spec import CT, LA, LT, RA, RL, UnitSpec
from tests.save_maker import ENGINES, make_save
from tests.support import test_mech, test_vehicle

WOLVERINE = "Wolverine WVR-6R"


def battle_of(tmp_path: Path, *units: Any, **save: Any) -> tuple[Battle, list[Note]]:
    """The battle of a save with these units."""
    options = {key: save.pop(key) for key in ("opfor", "ruleset", "folders") if key in save}
    path = tmp_path / "game.sav.gz"
    path.write_bytes(make_save(units, **save))
    return battle_from_save(
        path, opfor=options.get("opfor", ""), ruleset=options.get("ruleset", "campaign"), units=options.get("folders", ())
    )


def said(notes: Sequence[Note], *words: str) -> bool:
    """Whether one note holds all these words."""
    return any(all(word in note.message for word in words) for note in notes)


def wolverine(owner: int = 0, at: str = "0505", **changes: Any) -> tuple[UnitSpec, int, Mapping[str, Any]]:
    """A Wolverine of the catalogue."""
    return unit_named(WOLVERINE), owner, {"at": at} | changes


def test_a_mech_as_it_stands(tmp_path: Path) -> None:
    """Place, facing, twist, heat, pilot, movement made."""
    battle, notes = battle_of(
        tmp_path,
        wolverine(
            at="0612", facing=2, sec_facing=3, heat=7, heatBuildup=4, prone=True, done=True, moved="MOVE_RUN", delta_distance=4,
            mpUsed=7, crew={"names": "Ada  Reyes", "gunnery": 3, "piloting": 6, "hits": 2},
        ),
        wolverine(1, "0101"),
    )  # fmt: skip
    unit = battle.state.units[0]
    assert battle.state.board.grid.names[unit.cell] == "0612"
    assert (unit.facing, unit.twist, unit.heat, unit.heat_built, unit.prone) == (2, 1, 7, 4, True)
    assert (unit.name, unit.gunnery, unit.piloting, unit.pilot_hits, unit.conscious) == ("Ada Reyes", 3, 6, 2, True)
    assert (unit.moved, unit.mode, unit.hexes_moved, unit.mp_spent) == (True, "run", 4, 7)
    assert not battle.state.units[1].moved
    assert unit.spec is unit_named(WOLVERINE)
    assert not notes


def test_damage(tmp_path: Path) -> None:
    """Armour, structure, lost and blown off locations, hit slots, rounds left."""
    spec = unit_named(WOLVERINE)
    battle, _ = battle_of(
        tmp_path,
        wolverine(
            armor={CT: 3, LT: -3},
            internal={CT: 9, LT: -3},
            rear={CT: 1, LT: -3},
            blown=(RL,),
            hits={RA: [1], CT: [1]},
            shots={0: 2},
        ),
        wolverine(1, "0101"),
    )
    unit = battle.state.units[0]
    assert (unit.armor[CT], unit.structure[CT], unit.armor[8]) == (3, 9, 1)
    assert unit.structure[LT] == 0, "-3 points are a lost location"
    assert unit.structure[LA] == 0, "and the arm goes with it"
    assert unit.structure[RL] == 0, "a leg blown off keeps its old numbers in the file"
    assert unit.hit(RA, "shoulder")
    assert unit.engine_hits == 1
    assert unit.ammo[0] == (2 if unit.structure[spec.bins[0].location] > 0 else 0)
    assert not unit.destroyed


def test_weapons(tmp_path: Path) -> None:
    """Jammed, fired this turn, destroyed."""
    spec = test_mech(name="Sower", weapons={"RA": ["is_uac5"], "LA": ["is_medium_laser"]}, ammo={"RT": ["IS Ultra AC/5 Ammo"]})
    battle, _ = battle_of(
        tmp_path,
        (spec, 0, {"at": "0505", "weapons": {0: {"jammed": True}, 1: {"usedThisRound": True}}}),
        wolverine(1, "0101"),
        phase="FIRING",
    )
    unit = battle.state.units[0]
    assert [unit.spec.mounts[i].id for i in range(2) if unit.jammed >> i & 1] == ["is_uac5"]
    assert [unit.spec.mounts[i].id for i in range(2) if unit.fired >> i & 1] == ["is_medium_laser"]
    assert unit.used_arms == 1 << LA


def test_a_unit_that_nothing_knows_is_built_from_the_save(tmp_path: Path) -> None:
    """Its sheet is written beside the battle file, and noted."""
    spec = test_mech(name="Nobodys Own", tons=60, walk=5, jump=3, weapons={"RA": ["is_ppc"], "CT": ["is_medium_laser (R)"]})
    (tmp_path / "game.sav.gz").write_bytes(make_save([(spec, 0, {"at": "0505"}), wolverine(1, "0101")]))
    made = import_save(tmp_path / "game.sav.gz", out=tmp_path / "ridge.yaml")
    assert list(made.files) == ["ridge.board", "ridge-units/Nobodys Own.mtf"]
    assert said(made.notes, "Nobodys Own is not known here")
    written = write_imported(made, tmp_path / "ridge.yaml")
    assert all(path.is_file() for path in written)
    built = load_battle(tmp_path / "ridge.yaml").state.units[0].spec
    for name in ("tons", "walk", "run", "jump", "armor", "structure", "engine", "sinks", "sink_rating"):
        assert getattr(built, name) == getattr(spec, name), name
    assert [[slot.kind for slot in slots] for slots in built.slots] == [[slot.kind for slot in slots] for slots in spec.slots]
    assert [(m.id, m.location, m.rear) for m in built.mounts] == [(m.id, m.location, m.rear) for m in spec.mounts]


def test_a_unit_built_otherwise_is_taken_as_saved(tmp_path: Path) -> None:
    """A custom refit under a known name is not taken for the known one."""
    spec = test_mech(name="Wolverine", tons=55, walk=5, jump=5, weapons={"RA": ["is_ppc"]})
    battle, notes = battle_of(tmp_path, (spec, 0, {"at": "0505", "model": "WVR-6R"}), wolverine(1, "0101"))
    assert [m.id for m in battle.state.units[0].spec.mounts] == ["is_ppc"]
    assert said(notes, "built otherwise", "taken as saved")


@pytest.mark.parametrize("kind", ["mech", "vehicle", "vtol", "infantry", "battle_armor"])
def test_every_unit_of_the_catalogue_is_known_again(tmp_path: Path, kind: str) -> None:
    """Undamaged, each is taken for what it is, with nothing to say of it."""
    names = [name for name in unit_names(kind) if unit_named(name).engine in ("", *ENGINES)]
    assert len(names) >= 6
    cells = [f"{column:02d}{row:02d}" for row in range(1, 18, 2) for column in range(1, 17, 2)]
    units = [(unit_named(name), number % 2, {"at": cells[number]}) for number, name in enumerate(names)]
    battle, notes = battle_of(tmp_path, *units)
    assert [str(note) for note in notes] == []
    for unit, name in zip(battle.state.units, names, strict=True):
        assert unit.spec is unit_named(name)
        assert (unit.armor, unit.structure, unit.ammo) == (
            list(unit.spec.armor),
            list(unit.spec.structure),
            [b.shots for b in unit.spec.bins],
        )


def test_other_ammunition_is_another_build(tmp_path: Path) -> None:
    """Slugs in place of cluster rounds: the sheet is made from the save."""
    spec = test_mech(name="Caster", weapons={"RA": ["is_lb10x"]}, ammo={"RT": ["IS LB 10-X Cluster Ammo"]})
    (tmp_path / "sheets").mkdir()
    (tmp_path / "game.sav.gz").write_bytes(make_save([(spec, 0, {"at": "0505"}), wolverine(1, "0101")]))
    made = import_save(tmp_path / "game.sav.gz", out=tmp_path / "a.yaml")
    (tmp_path / "sheets" / "caster.mtf").write_text(made.files["a-units/Caster.mtf"])
    other = test_mech(name="Caster", weapons={"RA": ["is_lb10x"]}, ammo={"RT": ["IS LB 10-X AC Ammo"]})
    (tmp_path / "game.sav.gz").write_bytes(make_save([(other, 0, {"at": "0505"}), wolverine(1, "0101")]))
    made = import_save(tmp_path / "game.sav.gz", out=tmp_path / "b.yaml", units=[tmp_path / "sheets"])
    assert said(made.notes, "built otherwise", "its ammunition")


def test_unit_files_of_a_folder_go_first(tmp_path: Path) -> None:
    """``--units DIR``: a sheet found there is used as it lies."""
    spec = test_mech(name="Nobodys Own", weapons={"RA": ["is_ppc"]})
    (tmp_path / "game.sav.gz").write_bytes(make_save([(spec, 0, {"at": "0505"}), wolverine(1, "0101")]))
    first = import_save(tmp_path / "game.sav.gz", out=tmp_path / "a.yaml")
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "own.mtf").write_text(first.files["a-units/Nobodys Own.mtf"])
    made = import_save(tmp_path / "game.sav.gz", out=tmp_path / "b.yaml", units=[tmp_path / "sheets"])
    assert list(made.files) == ["b.board"]
    assert "type: sheets/own.mtf" in made.text
    assert not said(made.notes, "not known here")
    battle = load_imported(made, "game")
    assert battle.state.units[0].spec.name == "Nobodys Own"


def test_a_vehicle(tmp_path: Path) -> None:
    """Turret, crew, motive system, stabilizers, sensors. Rules: E-16, E-20 to E-24c."""
    tank = test_vehicle(name="Plough", weapons={"TU": ["is_ac5"]}, ammo=["IS Ammo AC/5"])
    battle, _ = battle_of(
        tmp_path,
        (
            tank, 0,
            {
                "at": "0505", "facing": 1, "sec_facing": 3, "armor": {1: 4}, "internal": {2: 1},
                "m_bTurretJammed": True,
                "driverHit": True, "commanderHit": True, "m_nStunnedTurns": 1, "motiveDamage": 1,
                "moderateMovementDamage": True,
                "sensorHits": 2, "stabiliserHits": 2, "weapons": {0: {"jammed": True}}, "shots": {0: 7}, "crew": {"hits": 3},
            },
        ),
        wolverine(1, "0101"),
    )  # fmt: skip
    unit = battle.state.units[0]
    assert (unit.facing, unit.torso_facing, unit.turret, unit.crew) == (1, 3, 1, COMMANDER | DRIVER)
    assert (unit.stunned, unit.cruise_lost, unit.motive_hits, unit.immobilized) == (1, 1, 2, False)
    assert (unit.sensor_hits, unit.stabilizers, unit.malfunctioned) == (2, 2, 1)
    assert (unit.armor[1], unit.structure[2], unit.ammo[0], unit.pilot_hits) == (4, 1, 7, 0)


@pytest.mark.parametrize(
    "field, name", [("engineHit", "engine_dead"), ("m_bImmobile", "immobilized"), ("m_bTurretLocked", "turret")]
)
def test_what_stops_a_vehicle(tmp_path: Path, field: str, name: str) -> None:
    """Engine, motive system and turret, each with its own mark; none without."""
    tank = test_vehicle(name="Plough", weapons={"TU": ["is_medium_laser"]})
    battle, _ = battle_of(tmp_path, (tank, 0, {"at": "0505", field: True}), (tank, 1, {"at": "0707"}))
    assert getattr(battle.state.units[0], name)
    assert not getattr(battle.state.units[1], name)
    assert battle.state.units[0].immobilized is (field != "m_bTurretLocked")


def test_vtol_infantry_and_suits(tmp_path: Path) -> None:
    """Height, troopers left, suits, carried infantry, a swarm."""
    battle, _ = battle_of(
        tmp_path,
        (unit_named("Warrior Attack Helicopter H-7"), 0, {"at": "0505", "elevation": 4}),
        (unit_named("Foot Platoon (Rifle)"), 0, {"at": "0606", "activeTroopers": 11, "dugIn": 2}),
        (
            unit_named("Elemental Battle Armor [Laser](Sqd5)"),
            1,
            {"swarmTargetId": 4, "armor": {2: 3}, "internal": {1: -3}, "at": "0707"},
        ),
        wolverine(0, "0707"),
        (unit_named("Foot Platoon (Rifle)"), 1, {"conveyance": 6}),
        (unit_named("Maxim Heavy Hover Transport (Standard)"), 1, {"at": "0909"}),
    )
    vtol, foot, suits, mech, rider, carrier = battle.state.units
    assert vtol.elevation == 4
    assert (foot.structure[0], foot.dug_in) == (11, True)
    assert suits.swarming == mech.id
    assert (suits.structure[0], suits.armor[1], suits.structure[1]) == (0, 3, 1)
    assert rider.aboard == carrier.id
    assert rider.cell == carrier.cell


@pytest.mark.parametrize(
    "changes, gone, words",
    [
        ({"removalCondition": 256}, True, ""),
        ({"removalCondition": 512, "destroyed": True}, False, "salvageable wreck"),
        ({"removalCondition": 528, "crew": {"ejected": True}}, False, "ejected"),
        ({"removalCondition": 1024, "destroyed": True, "internal": {CT: -3}}, False, "devastated"),
        ({"removalCondition": 272}, False, "captured"),
    ],
)
def test_who_has_left(tmp_path: Path, changes: dict[str, Any], gone: bool, words: str) -> None:
    """Wrecks stay where they fell, with the reason; those who retreated have left the map."""
    left = wolverine(0, "0808", **changes)
    battle, _ = battle_of(tmp_path, wolverine(), wolverine(1, "0101"), out_of_game=[left])
    unit = battle.state.units[2]
    assert not unit.alive
    assert unit.gone is gone
    assert words in unit.destroyed


def test_sides_and_the_op_force(tmp_path: Path) -> None:
    """The bots' team is the Op Force unless another player is named; its team goes with it."""
    players = ({"name": "Ann", "team": 1}, {"name": "Bea", "team": 1}, {"name": "Princess", "team": 2, "bot": True})
    units = (wolverine(0, "0101"), wolverine(1, "0303"), wolverine(2, "0505"))
    battle, notes = battle_of(tmp_path, *units, players=players)
    state = battle.state
    assert [state.sides[unit.side] for unit in state.units] == ["players", "players", "opfor"]
    assert [battle.controllers[state.sides.index(name)] for name in ("players", "opfor")] == ["gm", "opfor"]
    assert not notes
    battle, _ = battle_of(tmp_path, *units, players=players, opfor="bea")
    state = battle.state
    assert [state.sides[unit.side] for unit in state.units] == ["opfor", "opfor", "players"]
    with pytest.raises(InputError, match=r"there is no player 'Bee'.*did you mean Bea"):
        battle_of(tmp_path, *units, players=players, opfor="Bee")


def test_several_teams(tmp_path: Path) -> None:
    """Each other team is a side of its own; who fields nothing is none."""
    players = (
        {"name": "Ann", "team": 1},
        {"name": "Op For", "bot": True, "team": 2},
        {"name": "Bea", "team": 3},
        {"name": "Cy", "team": 4},
    )
    battle, notes = battle_of(tmp_path, wolverine(0, "0101"), wolverine(1, "0303"), wolverine(2, "0505"), players=players)
    assert battle.state.sides == ("players", "team-3", "opfor")
    assert said(notes, "each is a side of its own")


@pytest.mark.parametrize(
    "bots, names, found, sure",
    [
        ((False, True), ("Ann", "Zed"), "Zed", True),
        ((True, True), ("OpFor", "Zed"), "OpFor", True),
        ((True, True), ("Ann", "Zed"), "Zed", False),
        ((False, False), ("Enemy", "Zed"), "Enemy", True),
    ],
)
def test_who_is_the_op_force(bots: Sequence[bool], names: Sequence[str], found: str, sure: bool) -> None:
    """Bots first, then the name, then the last player, which is said."""
    players = [{"name": name, "bot": bot, "team": n + 1} for n, (name, bot) in enumerate(zip(names, bots, strict=True))]
    game = read_save_bytes(make_save([wolverine()], players=players))
    player, certain = opforce_player(game)
    assert (player.name, certain) == (found, sure)


@pytest.mark.parametrize(
    "phase, ruleset, wanted, turn",
    [
        ("MOVEMENT", "campaign", "movement", 3),
        ("MOVEMENT_REPORT", "campaign", "fire", 3),
        ("FIRING", "standard", "fire", 3),
        ("FIRING_REPORT", "standard", "physical", 3),
        ("PHYSICAL_REPORT", "standard", "end", 3),
        ("PHYSICAL_REPORT", "campaign", "physical", 3),
        ("END_REPORT", "campaign", "initiative", 4),
        ("INITIATIVE_REPORT", "campaign", "initiative", 3),
        ("FIRING", "mwii", "declarations", 3),
        ("LOUNGE", "campaign", "initiative", 3),
        ("TEA", "campaign", "initiative", 3),
    ],
)
def test_phases(tmp_path: Path, phase: str, ruleset: str, wanted: str, turn: int) -> None:
    """The phase there is the phase here, in the turn sequence of the ruleset. Rule: E-1."""
    battle, _ = battle_of(tmp_path, wolverine(done=True), wolverine(1, "0101"), phase=phase, ruleset=ruleset)
    assert (battle.state.phase, battle.state.turn) == (wanted, turn)
    assert battle.state.units[0].moved is (wanted != "initiative")
    assert battle.state.units[0].acted is (phase == "FIRING" and wanted == "fire")


def test_ground(tmp_path: Path) -> None:
    """Levels, woods worn down, buildings, water, fire, smoke, mines of one's own, wind. Rule: S-10, E-33a."""
    battle, notes = battle_of(
        tmp_path,
        wolverine(),
        wolverine(1, "0101"),
        hexes={
            "0202": "2 woods:1;foliage_elev:2",
            "0303": "0 building:2:0;bldg_cf:33;bldg_elev:2;incline_top:1:3",
            "0404": "-1 water:2",
            "0606": "1 fire:1;smoke:2",
            "0707": "0 99:1",
        },
        mines=[("0808", 0, 15, 1), ("0809", 4, 10, 0)],
        conditions={"windStrength": 2, "windDirection": 4, "weatherConditions": 3},
    )
    board = battle.state.board
    assert (board.at("0202").level, board.at("0202").woods, board.at("0202").woods_damage) == (2, 1, 10)
    assert (board.at("0303").building, board.at("0303").building_cf) == (2, 33)
    assert (board.at("0404").level, board.at("0404").depth) == (-1, 2)
    assert (board.at("0606").fire, board.at("0606").smoke) == (True, 2)
    assert (board.at("0808").mines, board.at("0808").mines_known) == (15, 1 << battle.state.sides.index("opfor"))
    assert board.at("0809").mines == 0
    assert battle.state.wind == 4
    for words in (("1 EMP minefield",), ("Moderate Gale",), ("Heavy Rain",), ("terrain_99",)):
        assert said(notes, *words), words
    assert not said(notes, "incline"), "worked out on loading a board: no loss"


def test_what_cannot_be_carried_is_said(tmp_path: Path) -> None:
    """Nothing is dropped without a word, and the battle file keeps the words."""
    battle, notes = battle_of(
        tmp_path,
        wolverine(hullDown=True),
        wolverine(1, "0101"),
        (unit_named(WOLVERINE), 1, {"class": "LandAirMech", "at": "0202"}),
        (unit_named(WOLVERINE), 1, {"class": "Kraken", "at": "0202"}),
        (unit_named(WOLVERINE), 0, {"deployed": False, "deployRound": 5}),
        (unit_named("Foot Platoon (Rifle)"), 0, {"class": "MechWarrior", "at": "0909"}),
        (unit_named(WOLVERINE), 7, {"at": "0202"}),
        (unit_named(WOLVERINE), 0, {}),
        extra="<vibrabombs><a/><b/></vibrabombs><options><optionsHash><entry><string>x</string><o><name>double_blind</name>"
        "<value>true</value><defaultValue>false</defaultValue></o></entry></optionsHash></options>",
    )
    for words in (
        ("hull down",), ("land-air 'Mech", "left out"), ("1 units of class Kraken",), ("has not come in yet (round 5)",),
        ("pilot on foot in 0909",), ("belongs to no player",), ("stands nowhere",), ("2 vibrabombs",), ("double_blind: true",),
    ):  # fmt: skip
        assert said(notes, *words), words
    assert len(battle.state.units) == 2
    assert len(battle.document["notes"]) == 9


def test_special_missiles(tmp_path: Path) -> None:
    """Loads that a bin holds there are loaded here; those that nothing here knows are said. Rule: E-32."""
    spec = test_mech(name="Thrower", weapons={"RA": ["is_srm6"]}, ammo={"RT": ["IS Ammo SRM-6 Inferno"]})
    battle, _ = battle_of(tmp_path, (spec, 0, {"at": "0505"}), wolverine(1, "0101"))
    assert battle.state.units[0].spec.bins[0].kind == "is_srm6:inferno"


def test_references_by_path(tmp_path: Path) -> None:
    """Older saves refer by path: ``../../entry/...``; both lead to the same object."""
    path = '<position reference="../../../entry/megamek.common.BipedMech/position"/>'
    flier = unit_named("Warrior Attack Helicopter H-7")
    battle, _ = battle_of(tmp_path, wolverine(0, "0612"), (flier, 1, {"position": path, "elevation": 5}))
    grid = battle.state.board.grid
    assert [grid.names[unit.cell] for unit in battle.state.units] == ["0612", "0612"]


def test_stands_where_nothing_is(tmp_path: Path) -> None:
    """A height that the hex does not have is taken as the ground, and said."""
    battle, notes = battle_of(tmp_path, wolverine(elevation=3), wolverine(1, "0101"))
    assert battle.state.units[0].elevation == 0
    assert said(notes, "elevation 3", "taken as 0")


def test_what_cannot_stand_is_left_out(tmp_path: Path) -> None:
    """Two 'Mechs in a hex, a platoon aboard what has no room here: told, and the rest is a battle."""
    foot, tank = unit_named("Foot Platoon (Rifle)"), unit_named("Vedette Medium Tank (Standard)")
    battle, notes = battle_of(
        tmp_path,
        wolverine(0, "0612"),
        wolverine(1, "0612"),
        (foot, 1, {"conveyance": 4}),
        (tank, 1, {"at": "0707"}),
        wolverine(1, "0101"),
    )
    assert said(notes, "wolverine-2 (MegaMek unit 2)", "stands already", "left out, add it by hand")
    assert said(notes, "foot-1: ", "no room for infantry", "taken as beside it")
    assert [unit.id for unit in battle.state.units] == ["wolverine-1", "foot-1", "vedette-1", "wolverine-3"]
    assert battle.state.unit("foot-1").cell == battle.state.unit("vedette-1").cell


def test_queue_of_the_standard_turn(tmp_path: Path) -> None:
    """The turns that are left, where that ruleset takes them so."""
    turns = "<turnVector>" + "".join(f"<t><playerId>{player}</playerId></t>" for player in (0, 1, 1)) + "</turnVector>"
    units = (wolverine(0, "0101"), wolverine(1, "0303"), wolverine(1, "0505"))
    battle, _ = battle_of(tmp_path, *units, ruleset="standard", extra=turns)
    assert battle.state.queue == [0, 1, 1]
    battle, _ = battle_of(tmp_path, *units, ruleset="campaign", extra=turns)
    assert battle.state.queue == []


def test_attacks_declared(tmp_path: Path) -> None:
    """Orders where fire is resolved at the end of the phase, words in the notes where it is not. Rule: S-4."""
    action = (
        "<actions><megamek.common.actions.TorsoTwistAction><entityId>2</entityId><facing>1</facing></megamek.common.actions.TorsoTwistAction>"
        "<megamek.common.actions.WeaponAttackAction><entityId>2</entityId><targetType>0</targetType><targetId>1</targetId>"
        "<weaponId>0</weaponId><ammoId>-1</ammoId></megamek.common.actions.WeaponAttackAction></actions>"
    )
    units = (wolverine(0, "0101"), wolverine(1, "0303", done=True))
    battle, notes = battle_of(tmp_path, *units, ruleset="standard", phase="FIRING", extra=action)
    (order,) = battle.state.declared
    assert (order.unit, order.twist, [(a.mount, a.target) for a in order.attacks]) == ("wolverine-2", 1, [(0, "wolverine-1")])  # type: ignore[union-attr]
    battle, notes = battle_of(tmp_path, *units, phase="FIRING", extra=action)
    assert not battle.state.declared
    assert said(notes, "wolverine-2 has declared", "at wolverine-1", "twist to NE")
