"""Results noted in words, and values changed by their keys: what changes, what is refused, and that undo takes it back."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest

from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.gm.running.edit import changed_words, edit
from opfor.gm.running.noting import noted
from tests.cli_support import opfor

TEXT = (Path(__file__).parent / "cases" / "notation" / "battle.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def battle() -> Battle:
    return read_battle(TEXT)


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ("Reaver takes 5 to the left torso", ["reaver: armour of LT loses 5 (none lost -> 5 lost)"]),
        ("alpha-1 is hit in the LT for 10", ["alpha-1: armour of LT loses 10 (none lost -> 10 lost)"]),
        ("Ghost suffers 3 points of damage to the CT (rear)", ["alpha-1: armour of CTR loses 3 (none lost -> 3 lost)"]),
        ("Ghost took 4 damage in the head", ["alpha-1: armour of HD loses 4 (none lost -> 4 lost)"]),
        ("Ghost loses 3 structure in the right arm", ["alpha-1: structure of RA loses 3 (none lost -> 3 lost)"]),
        # 16 of armour and 8 of structure hold 24 of the 30; the 6 left go on to the left torso
        (
            "Ghost is hit in the left arm for 30",
            ["alpha-1: armour of LT loses 6 (none lost -> 6 lost)", "alpha-1: structure of LA gone, before none lost"],
        ),
        ("Reaver takes 2 to the CT and 3 to the RL", ["reaver: armour of CT loses 2 (none lost -> 2 lost)",
                                                    "reaver: armour of RL loses 3 (none lost -> 3 lost)"]),
        ("alpha-2 falls prone", ["alpha-2: is prone"]),
        ("alpha-2 falls", ["alpha-2: is prone"]),
        ("charger stands up", ["charger: is no longer prone"]),
        ("heat of reaver is 7", ["reaver: heat none -> 7"]),
        ("Reaver's heat is 7", ["reaver: heat none -> 7"]),
        ("Reaver gains 3 heat", ["reaver: heat none -> 3"]),
        ("Reaver heat 9. Reaver cools by 4", ["reaver: heat none -> 5"]),
        ("Reaver shuts down", ["reaver: is shutdown"]),
        ("reaver loses its AC/5", ["reaver: RA: hit: Autocannon/5"]),
        ("Reaver's medium laser is destroyed", ["reaver: HD: hit: Medium Laser"]),
        ("Lance loses its left arm", ["lance: structure of LA gone, before none lost"]),
        ("Reaver takes an engine hit", ["reaver: CT: hit: Fusion Engine"]),
        ("Reaver takes two engine hits", ["reaver: CT: hit: Fusion Engine, hit: Fusion Engine"]),
        ("Reaver's left hip is hit", ["reaver: LL: hit: Hip"]),
        ("Reaver takes a gyro hit", ["reaver: CT: hit: Gyro"]),
        ("Ghost is out of AC/20 ammo", ["alpha-1: Autocannon/20: none -> 0, 0 rounds"]),
        ("Reaver has 5 rounds of SRM 6 left", ["reaver: SRM 6: none -> 5 rounds"]),
        ("Reaver uses 2 rounds of SRM", ["reaver: SRM 6: none -> 13 rounds"]),
        ("Reaver's medium laser jams", ["reaver: damage.jammed none -> Medium Laser"]),
        ("Reaver is at 0709 facing NE", ["reaver: hex 0611 -> 0709", "reaver: facing N -> NE"]),
        ("Reaver moves to 07-09", ["reaver: hex 0611 -> 0709"]),
        ("Reaver faces south-east", ["reaver: facing N -> SE"]),
        ("Reaver's pilot takes 2 hits", ["reaver: pilot hits none -> 2"]),
        ("Ghost is destroyed", ["alpha-1: is destroyed: destroyed"]),
        ("Ghost has left the map", ["alpha-1: is gone"]),
        ("**Grim** falls, heat 12\n> alpha two is hidden",
         ["reaver: is prone", "reaver: heat none -> 12", "alpha-2: is hidden"]),
    ],
)  # fmt: skip
def test_results_in_words(battle: Battle, words: str, changes: list[str]) -> None:
    after = noted(battle, words)
    assert sorted(changed_words(battle, after)) == sorted(changes)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("Reaver takes 5 to the tail", "reaver: there is no location 'tail'"),
        ("Reaver blows up nicely", "reaver: cannot read 'blows up nicely'"),
        ("fnord", "no unit is named in 'fnord'"),
        ("the Wasp falls", "'the Wasp' fits several units: alpha-2, bravo-1"),
        ("Reaver loses its PPC", "has no weapon 'PPC'"),
        ("Lance loses its ML", "may be Medium Laser (CT rear #1)"),
        ("Reaver heat is high", "no figure in 'heat is high'"),
        ("Reaver has 99 rounds of SRM 6 left", "99 rounds left, but"),
        ("Reaver is out of LRM ammo", "carries no ammunition 'LRM'"),
        ("Reaver uses 16 rounds of SRM 6", "has not so many rounds of SRM 6 left: 15"),
        ("Reaver is at 9999", "hex 9999 is off the board"),
        ("Reaver's hip is hit", "of which side?"),
        ("Scorpion takes an engine hit", "no 'Mech: use edit"),
        ("Reaver takes 7 gyro hits", "holds only 4 of 'gyro'"),
        ("Reaver falls\nGhost sings\nBob falls", "2 things are not understood, and nothing is changed"),
    ],
)
def test_results_that_are_refused(battle: Battle, words: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        noted(battle, words)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("reaver.heat=7", "reaver: heat none -> 7"),
        ("reaver.heat+=3", "reaver: heat none -> 3"),
        ("Ghost.heat = 2", "alpha-1: heat none -> 2"),
        ("reaver.damage.armor.LT=12", "reaver: armour of LT loses 12 (none lost -> 12 lost)"),
        ("reaver.damage.armour.lt=12", "reaver: armour of LT loses 12 (none lost -> 12 lost)"),
        ("reaver.damage.ammo.SRM 6=3", "reaver: SRM 6: none -> 3 rounds"),
        ('reaver.damage.ammo["SRM 6"]=3', "reaver: SRM 6: none -> 3 rounds"),
        ("reaver.pilot.gunnery=3", "reaver: pilot.gunnery 4 -> 3"),
        ("reaver.at=0709", "reaver: hex 0611 -> 0709"),
        ("reaver.hex=0709", "reaver: hex 0611 -> 0709"),
        ("units[0].facing=SE", "reaver: facing N -> SE"),
        ("units.reaver.facing=2", "reaver: facing N -> SE"),
        ("charger.prone=", "charger: is no longer prone"),
        ("turn=4", "turn 1 -> 4"),
        ("opfor.policy=raider", "sides.opfor.policy none -> raider"),
        ("sides.players.edge=south", "sides.players.edge none -> south"),
        ("initiative.modifier=2", ""),
        ("reaver.damage.criticals.CT=[engine]", "reaver: CT: hit: Fusion Engine"),
    ],
)
def test_values_by_their_keys(battle: Battle, change: str, words: str) -> None:
    after = edit(battle, [change])
    assert changed_words(battle, after) == ([words] if words else [])
    if not words:
        assert after.state.initiative_modifier == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("reaver.het=7", "there is no key 'het' (did you mean heat?)"),
        ("revaer.heat=7", "there is no unit, side or key 'revaer' (did you mean reaver?)"),
        ("reaver.heat=-1", "reaver.heat: -1 is out of bounds: at least 0"),
        ("reaver.heat=hot", "reaver.heat: 'hot' must be a whole number"),
        ("reaver.heat-=1", "out of bounds"),
        ("reaver.facing+=1", "+= changes whole numbers only"),
        ("reaver.heat+=", "gives no number"),
        ("reaver", "is no change: write KEY=VALUE"),
        ("reaver=5", "names a unit: say what of it"),
        ("=5", "is no change"),
        ("reaver.damage.armor.XX=3", "there is no location 'XX'"),
        ("reaver.damage.armor.LT=99", "99 points lost, but there are only"),
        ("reaver.heat.x=1", "heat"),
        ("sides.opfor.edge=nroth", "did you mean north"),
        ("sides.opfro.edge=north", "did you mean opfor?"),
        ("reaver.at=9999", "reaver.at: hex 9999 is off the board"),
        ("phase=fyre", "did you mean fire?"),
        ("reaver.at=[", "cannot be read"),
        ("Wasp.heat=1", "fits several units"),
        ("units[99].heat=1", "there is no unit '99'"),
    ],
)
def test_values_that_cannot_be(battle: Battle, change: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        edit(battle, [change])
    assert message in str(refused.value)


def test_all_faults_of_an_edit_at_once(battle: Battle) -> None:
    with pytest.raises(InputError) as refused:
        edit(battle, ["reaver.het=7", "reaver.heat=3", "revaer.heat=1"])
    assert "'het'" in str(refused.value) and "'revaer'" in str(refused.value)


def test_note_and_edit_write_the_file_and_undo_takes_it_back(tmp_path: Path) -> None:
    path = tmp_path / "ridge.yaml"
    path.write_text(TEXT, encoding="utf-8")
    assert "reaver: heat none -> 7" in opfor("note", path, "heat of reaver is 7", "alpha-2 falls prone").stdout
    assert read_battle(path.read_text()).state.unit("alpha-2").prone
    assert "reaver: heat 7 -> 9" in opfor("edit", path, "reaver.heat=9").stdout
    opfor("undo", path)
    assert read_battle(path.read_text()).state.unit("reaver").heat == 7
    opfor("undo", path)
    assert path.read_text() == TEXT
    assert "nothing is written" in opfor("edit", path, "reaver.heat=9", "--dry-run").stderr
    assert path.read_text() == TEXT
    assert "did you mean heat?" in opfor("edit", path, "reaver.het=9", code=1).stderr
    assert "cannot read 'sings'" in opfor("note", path, "reaver sings", code=1).stderr
    assert path.read_text() == TEXT


WORDS = """
    reaver Ghost Wasp takes 5 99 -1 to the left torso LT LA rear heat is 7 loses AC/5 ML engine hits pilot prone = . , += [ ] {
    } damage armor units[0] sides opfor turn gone destroyed out of ammo 0709 facing NE # & * ! ' " : - null true 1e9 ٣ é
"""


def test_rubbish_raises_nothing_but_input_errors(battle: Battle) -> None:
    draw = random.Random(5)
    bits = [*WORDS.split(), "", " ", "\n"]
    for _ in range(120):
        text = draw.choice((" ", "", ".")).join(draw.choice(bits) for _ in range(draw.randrange(1, 9)))
        with suppress(InputError):
            noted(battle, text)
        with suppress(InputError):
            edit(battle, [text])
