"""Recorded play: what is written down is what was seen and done, and a recording goes on where it was stopped."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gymnasium")

import numpy as np

from envs.match import Match
from envs.observation import LAYOUT, SIZE, Observer
from envs.scenarios import Scenarios, named_scenario, split_of
from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.game.game import Game
from opfor.orders import with_reason
from tests.skirmish import skirmish
from training.battles import Battles
from training.demonstrations import Block, DemonstrationConfig, play_block, read_manifest, record, recorded_files
from training.demonstrations_shards import QUESTION_NAMES, Pack, Shard, fill_from, read_notes, read_shard

#: two turns of one 'Mech against another
SHORT = Battles(scenario="duel", change={"limit": [2, 2]})
CONFIG = DemonstrationConfig(teachers=("veteran",), opponents=("random:tree",), scenarios=(SHORT,), games=4, block=2, seed=5)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of four short games."""
    folder = tmp_path_factory.mktemp("games")
    found = record(CONFIG, folder, jobs=1)
    assert (found.games, found.played, found.unreached, found.faults) == (4, 4, 0, 0)
    return folder


def seen(seed: int, steps: int) -> tuple[Pack, list[tuple[Any, int, int]]]:
    """The first steps of a battle played at random, packed and as they were."""
    pack, kept, pick = Pack(), [], random.Random(seed)
    match = Match(Game(skirmish(seed, size=3, kinds=("mech", "vehicle"), ruleset="campaign"), SeededDice(seed)))
    observer, flat = Observer(), np.zeros(SIZE, dtype=np.float32)
    for _ in range(steps):
        assert match.walk is not None
        legal, side = match.walk.options + 1, match.walk.decision.side
        action = pick.randrange(legal)
        observer.observe(match, flat)
        pack.add(flat, legal, action, 7, side)
        kept.append((flat.copy(), action, side))
        match.step(action)
    return pack, kept


def shard_of(pack: Pack, path: Path) -> Shard:
    path.write_bytes(pack.written())
    return read_shard(path)


def test_observations_come_back_as_they_were_in_half_precision(tmp_path: Path) -> None:
    pack, kept = seen(3, 60)
    pack.end(1, {"game": 7})
    shard = shard_of(pack, tmp_path / "games.npz")
    # in any order, some more than once
    steps = np.array([59, 0, *random.Random(1).choices(range(60), k=40)])
    out = np.full((len(steps), SIZE), 9.0, dtype=np.float32)
    shard.fill(steps, out)
    for row, step in zip(out, steps, strict=True):
        assert np.array_equal(row, kept[step][0].astype(np.float16).astype(np.float32))
    assert [int(n) for n in shard.action] == [action for _, action, _ in kept]
    # side 1 has won
    assert [int(v) for v in shard.value] == [1 if side == 1 else -1 for _, _, side in kept]
    for step in range(60):
        name = QUESTION_NAMES[shard.question[step]].replace(" ", "_")
        assert LAYOUT.read(kept[step][0], "choice", f"asks_{name}") == 1.0
    both = np.zeros((2, SIZE), dtype=np.float32)
    fill_from([shard, shard], np.array([5, 65]), both)
    assert np.array_equal(both[0], both[1])


def test_steps_of_a_game_that_failed_are_forgotten(tmp_path: Path) -> None:
    pack, kept = seen(3, 20)
    pack.end(-1, {"game": 7})
    once = pack.written()
    for flat, action, side in kept[:9]:
        pack.add(flat, 320, action, 8, side)
    pack.drop()
    assert pack.written() == once
    assert set(shard_of(pack, tmp_path / "games.npz").value) == {0}


def test_recorded_steps_are_what_the_teacher_did(recorded: Path) -> None:
    """The recorded actions, taken in the same battle with the opponent's orders between them, are the same battle."""
    from policies.registry import make

    shard = read_shard(recorded / Block(CONFIG, 1).file)
    facts = shard.games[0]
    assert facts["game"] == 2 and facts["side"] == 0 and facts["teacher"] == "veteran"
    draw = random.Random(f"demonstrations {CONFIG.seed} 2").random
    numbers = [int(draw() * 2**31) for _ in range(6)]
    # battles, teacher and opponent are drawn first
    dice, _, other = numbers[3:]
    match = Match(Game(Scenarios(SHORT.config()).draw(CONFIG.seed + 2), SeededDice(dice)))
    opponent = make("random:tree", other)
    taken = iter(int(action) for action, game in zip(shard.action, shard.game, strict=True) if game == 2)
    observer, flat, out = Observer(), np.zeros(SIZE, dtype=np.float32), np.zeros((1, SIZE), dtype=np.float32)
    step = 0
    while match.walk is not None:
        if match.side == 0:
            observer.observe(match, flat)
            shard.fill(np.array([step]), out)
            assert np.array_equal(out[0], flat.astype(np.float16).astype(np.float32))
            assert shard.legal[step] == match.walk.options + 1
            match.step(next(taken))
            step += 1
        else:
            match.give(opponent.choose(match.walk.decision, match.game.view(1)))
    assert next(taken, None) is None
    assert match.game.state.winner == facts["winner"]


def test_a_recording_goes_on_with_what_is_missing(recorded: Path, tmp_path: Path) -> None:
    again = tmp_path / "games"
    record(CONFIG.model_copy(update={"games": 2}), again, jobs=1)
    first = recorded_files(again)
    assert [path.name for path in first] == ["games-000000-000001.npz"]
    at = first[0].stat().st_mtime_ns
    found = record(CONFIG, again, jobs=1)
    assert (found.played, found.games) == (2, 4)
    assert first[0].stat().st_mtime_ns == at
    for path in recorded_files(recorded):
        assert (again / path.name).read_bytes() == path.read_bytes()
    assert read_manifest(again)["config"]["games"] == 4


def test_a_folder_of_other_play_is_refused(recorded: Path) -> None:
    with pytest.raises(InputError, match="another value of noise, seed"):
        record(CONFIG.model_copy(update={"seed": 6, "noise": 0.5}), recorded)


def test_play_under_other_rules_is_not_gone_on_with(recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.demonstrations.rules_hash", lambda: "others")
    with pytest.raises(InputError, match="another value of the rules' data"):
        record(CONFIG, recorded)


@pytest.mark.parametrize("cut", ["half", "text", "pickle"])
def test_a_damaged_file_is_refused(recorded: Path, tmp_path: Path, cut: str) -> None:
    path = tmp_path / "games.npz"
    data = recorded_files(recorded)[0].read_bytes()
    path.write_bytes({"half": data[: len(data) // 2], "text": b"not a recording", "pickle": b"\x80\x04N."}[cut])
    with pytest.raises(InputError, match="damaged"):
        read_shard(path)


def test_objects_in_a_file_are_refused(recorded: Path, tmp_path: Path) -> None:
    """They would be made by running what the file says."""
    path = tmp_path / "games.npz"
    with np.load(recorded_files(recorded)[0]) as found:
        arrays = dict(found)
    arrays["action"] = np.array([print] * len(arrays["action"]), dtype=object)
    np.savez(path, **arrays)
    with pytest.raises(InputError, match="damaged"):
        read_shard(path)


def test_rows_that_do_not_hang_together_are_refused(tmp_path: Path) -> None:
    pack, _ = seen(3, 5)
    pack.end(0, {"game": 7})
    pack._columns["action"][2] = 320
    with pytest.raises(InputError, match="not there"):
        shard_of(pack, tmp_path / "games.npz")


def test_steps_for_another_observation_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack, _ = seen(3, 5)
    pack.end(0, {"game": 7})
    path = tmp_path / "games.npz"
    monkeypatch.setattr("training.demonstrations_shards.VERSION", 999)
    path.write_bytes(pack.written())
    monkeypatch.undo()
    with pytest.raises(InputError, match="version 999"):
        read_notes(path)


def test_with_noise_other_orders_are_played_and_the_teacher_s_are_recorded() -> None:
    """Each order played is the noisy policy's: the games go elsewhere, and what is recorded is still the teacher's choice."""
    config = CONFIG.model_copy(update={"noise": 1.0, "games": 2})
    shard = _read(play_block(Block(config, 0))[0])
    plain = _read(play_block(Block(CONFIG, 0))[0])
    # the same battle up to the first decision
    first, other = np.zeros((2, 1, SIZE), dtype=np.float32)
    shard.fill(np.array([0]), first)
    plain.fill(np.array([0]), other)
    assert np.array_equal(first, other) and shard.action[0] == plain.action[0]
    assert shard.action.tolist() != plain.action.tolist()


def test_both_sides_may_be_recorded() -> None:
    shard = _read(play_block(Block(CONFIG.model_copy(update={"both": True}), 0))[0])
    assert set(shard.side) == {0, 1}
    for game in shard.games:
        mine = shard.game == game["game"]
        won = {int(side): set(shard.value[mine & (shard.side == side)].tolist()) for side in (0, 1)}
        assert won == ({0: {0.0}, 1: {0.0}} if game["winner"] < 0 else {game["winner"]: {1.0}, 1 - game["winner"]: {-1.0}})


def test_a_game_that_a_policy_fails_in_is_noted_and_the_others_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from policies.veteran import VeteranPolicy

    choose, asked = VeteranPolicy.choose, []

    def failing(self: Any, decision: Any, view: Any) -> Any:
        asked.append(decision)
        if len(asked) == 3:
            raise RuntimeError("lost its head")
        return with_reason(choose(self, decision, view), "")

    monkeypatch.setattr(VeteranPolicy, "choose", failing)
    shard = _read(play_block(Block(CONFIG, 0))[0])
    assert shard.games[0]["fault"] == "RuntimeError: lost its head"
    assert "fault" not in shard.games[1] and set(shard.game) == {1}


def test_sets_and_policies_that_there_are_not_are_told_at_once(tmp_path: Path) -> None:
    for change in ({"teachers": ("veterann",)}, {"scenarios": (Battles(scenario="duell"),)}, {"split": "test"}):
        with pytest.raises(InputError):
            record(CONFIG.model_copy(update=change), tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_training_battles_are_recorded_unless_others_are_asked_for() -> None:
    draw = Scenarios(named_scenario("duel"), split=CONFIG.split).draw
    assert all(split_of([unit.spec for unit in draw(seed).units if unit.side == 0]) == "train" for seed in range(5))


def _read(data: bytes) -> Shard:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.npz"
        path.write_bytes(data)
        return read_shard(path)
