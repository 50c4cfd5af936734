"""Learning from recorded play: what is learnt, what is kept, and going on after being killed."""

from __future__ import annotations

import csv
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch")

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from envs.actions import ACTIONS
from envs.observation import LAYOUT, SIZE
from opfor.errors import InputError
from training.battles import Battles
from training.demonstrations import MANIFEST, DemonstrationConfig, record
from training.demonstrations_shards import QUESTION_NAMES, Pack
from training.imitation import ALL, BEST, LOG, STATE, ImitationConfig, Tally, imitate, rate_at, read_run
from training.imitation_data import Batch, Demonstrations
from training.network import SlotScorer

_CHOICE, _SLOTS = LAYOUT.groups["choice"], LAYOUT.groups["slots"]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """The same weights come of the same work on one thread alone."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def made_play(folder: Path, files: int = 4) -> Path:
    """Play that can be seen through: of hexes the one with the best odds is taken, of shots the worst; even games are won."""
    draw = np.random.default_rng(1)
    folder.mkdir()
    (folder / MANIFEST).write_text('{"opfor_demonstrations": 1, "config": {}, "version": ""}')
    for number in range(files):
        pack = Pack()
        for game in range(number * 5, number * 5 + 5):
            for _ in range(20):
                obs = np.zeros(SIZE, dtype=np.float32)
                legal = int(draw.integers(2, 12))
                slots = LAYOUT.view(obs, "slots")
                slots[:legal, 0] = 1.0
                slots[:legal, _SLOTS.index("odds")] = draw.random(legal)
                odds = slots[:legal, _SLOTS.index("odds")]
                weapon = bool(draw.integers(2))
                LAYOUT.view(obs, "choice")[0, _CHOICE.index("asks_weapon" if weapon else "asks_hex")] = 1.0
                LAYOUT.view(obs, "battle")[0, 0] = game % 2
                pack.add(obs, legal, int(odds.argmin() if weapon else odds.argmax()), game, 0)
            pack.end(game % 2, {"game": game})
        (folder / f"games-{number:06d}.npz").write_bytes(pack.written())
    return folder


def network(seed: int = 0) -> SlotScorer:
    torch.manual_seed(seed)
    return SlotScorer("small")


QUICK = ImitationConfig(epochs=3, batch=64, window=2, held_out=0.25, learning_rate=5e-3, seed=3, device="cpu")


def test_what_can_be_seen_through_is_learnt(tmp_path: Path) -> None:
    folder = made_play(tmp_path / "games")
    config = QUICK.model_copy(update={"epochs": 15, "patience": 15, "learning_rate": 1e-2})
    pupil = network()
    told: list[str] = []
    report = imitate(config, [folder], pupil, tmp_path / "out", tell=told.append)
    # of 2 to 11 options one in five or so is right by chance; who knows nothing of the end is 1 off
    assert report.accuracy > 0.9 and report.loss < 0.8 and report.value_loss < 0.8
    assert set(report.by_question) == {"weapon", "hex"}
    assert len(told) == report.epochs == 15
    best = load_file(report.weights)
    assert all(torch.equal(one, best[name]) for name, one in pupil.state_dict().items())
    rows = list(csv.DictReader((tmp_path / "out" / LOG).open()))
    assert {row["part"] for row in rows} == {"train", "held-out"}
    first, last = (
        [float(row["loss"]) for row in rows if row["question"] == ALL and row["part"] == "train"][i] for i in (0, -1)
    )
    assert last < first
    # no step is lost or counted twice
    assert sum(int(row["steps"]) for row in rows if row["epoch"] == "1" and row["question"] == ALL) == 400


def test_options_that_there_are_not_are_never_learnt_from(tmp_path: Path) -> None:
    """A network that is sure of the last action of all loses nothing by it where that is not legal."""

    class Sure(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.bias = nn.Parameter(torch.zeros(1))

        def forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
            logits = torch.zeros(len(obs), ACTIONS) + self.bias
            logits[:, -1] = 50.0
            return logits, torch.zeros(len(obs)) + 0.0 * self.bias

    folder = made_play(tmp_path / "games")
    report = imitate(QUICK.model_copy(update={"epochs": 1}), [folder], Sure(), tmp_path / "out")
    data = Demonstrations([folder], QUICK.held_out)
    legal = np.concatenate([batch.legal for batch in data.batches("held-out", 64)])
    # all legal ones are alike: the loss is the mean of log(n), and the value is always 1 off
    assert report.loss == pytest.approx(float(np.log(legal).mean()), abs=1e-4)
    assert report.value_loss == pytest.approx(1.0)


def test_a_tally_by_hand() -> None:
    weapon, hex = QUESTION_NAMES.index("weapon"), QUESTION_NAMES.index("hex")
    tally = Tally()
    empty = np.zeros(3)
    batch = Batch(np.zeros((3, 1), dtype=np.float32), empty.astype(int), empty.astype(int), empty.astype(np.float32),
                  np.array([weapon, hex, weapon]))  # fmt: skip
    tally.add(batch, torch.tensor([1.0, 4.0, 2.0]), torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.25, 0.25, 1.0]))
    rows = {name: rest for name, *rest in tally.rows()}
    assert rows["hex"] == [1, 4.0, 0.0, 0.25]
    assert rows["weapon"] == [2, 1.5, 0.5, 0.625]
    assert rows[ALL] == [3, pytest.approx(7 / 3), pytest.approx(1 / 3), 0.5]
    assert set(rows) == {"hex", "weapon", ALL}


def test_all_steps_come_once_and_games_are_held_out_whole(tmp_path: Path) -> None:
    data = Demonstrations([made_play(tmp_path / "games")], 0.25)
    assert data.steps == 400 and data.games["train"] + data.games["held-out"] == 20
    assert 0 < data.games["held-out"] < 20
    for part in ("train", "held-out"):
        plain = list(data.batches(part, 64, window=4))
        shuffled = list(data.batches(part, 64, window=4, chance=np.random.default_rng(1)))
        again = list(data.batches(part, 64, window=4, chance=np.random.default_rng(1)))
        assert sum(len(batch.action) for batch in plain) == 20 * data.games[part]
        one, two, three = (np.concatenate([batch.obs for batch in batches]) for batches in (plain, shuffled, again))
        assert np.array_equal(two, three) and not np.array_equal(one, two)
        assert np.array_equal(np.sort(one.sum(axis=1)), np.sort(two.sum(axis=1)))
        assert all(43 <= len(batch.action) <= 96 for batch in shuffled)


@pytest.mark.parametrize("epoch", [1, 2])
def test_who_goes_on_ends_with_the_same_weights(tmp_path: Path, epoch: int) -> None:
    folder = made_play(tmp_path / "games")
    whole = network()
    imitate(QUICK, [folder], whole, tmp_path / "whole")

    def stop(words: str) -> None:
        if words.startswith(f"epoch {epoch} "):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        imitate(QUICK, [folder], network(), tmp_path / "parts", tell=stop)
    # what the network was is of no matter when it goes on
    pupil = network(seed=99)
    imitate(QUICK, [folder], pupil, tmp_path / "parts")
    assert all(torch.equal(one, pupil.state_dict()[name]) for name, one in whole.state_dict().items())
    assert _without_seconds(tmp_path / "whole" / LOG) == _without_seconds(tmp_path / "parts" / LOG)


def _without_seconds(log: Path) -> list[list[str]]:
    return [row[:-1] for row in csv.reader(log.open())]


def test_it_stops_when_nothing_more_is_learnt(tmp_path: Path) -> None:
    """With a rate of next to nothing in the end the first epoch is as good as any: the patience decides."""
    folder = made_play(tmp_path / "games")
    config = QUICK.model_copy(update={"epochs": 50, "patience": 2, "learning_rate": 0.05, "last_learning_rate": 0.05})
    report = imitate(config, [folder], network(), tmp_path / "out")
    assert report.epochs == report.best_epoch + 2 < 50


def test_another_config_does_not_go_on(tmp_path: Path) -> None:
    folder = made_play(tmp_path / "games")
    imitate(QUICK.model_copy(update={"epochs": 1}), [folder], network(), tmp_path / "out")
    with pytest.raises(InputError, match="begun with other config"):
        imitate(QUICK, [folder], network(), tmp_path / "out")
    with pytest.raises(InputError, match="begun with other files, steps"):
        imitate(QUICK.model_copy(update={"epochs": 1}), [made_play(tmp_path / "more", 5)], network(), tmp_path / "out")


def test_what_is_damaged_or_missing_is_refused(tmp_path: Path) -> None:
    folder = made_play(tmp_path / "games")
    one = QUICK.model_copy(update={"epochs": 1})
    imitate(one, [folder], network(), tmp_path / "out")
    torch.manual_seed(0)
    with pytest.raises(InputError, match="another network"):
        imitate(one, [folder], SlotScorer("default"), tmp_path / "out")
    state = tmp_path / "out" / STATE
    state.write_bytes(state.read_bytes()[:100])
    with pytest.raises(InputError, match="cannot be read"):
        imitate(one, [folder], network(), tmp_path / "out")
    with pytest.raises(InputError, match="no record of recorded play"):
        imitate(one, [tmp_path / "nothing"], network(), tmp_path / "new")
    with pytest.raises(InputError, match="no device"):
        imitate(one.model_copy(update={"device": "abacus"}), [folder], network(), tmp_path / "new")


def test_the_rate_falls_along_a_cosine() -> None:
    config = ImitationConfig(learning_rate=0.4, last_learning_rate=0.0)
    # half of 1 + cos 60 degrees is 3/4
    assert rate_at(config, 1 / 3) == pytest.approx(0.3)


def test_a_config_is_told_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text("demonstrations: {teachers: [veteran], scenarios: [duel]}\nimitation: {epoch: 3}\n")
    with pytest.raises(InputError, match=r"run\.yaml, imitation\.epoch"):
        read_run(path)


COMMAND = """\
network: small
demonstrations:
  {teachers: [veteran], opponents: ["random:tree"], scenarios: [{scenario: duel, change: {limit: [2, 2]}}], games: 12}
imitation: {epochs: 6, patience: 6, batch: 32, held_out: 0.3, device: cpu}
"""


@pytest.mark.slow
def test_the_command_killed_and_begun_again_comes_to_the_same(tmp_path: Path) -> None:
    (tmp_path / "run.yaml").write_text(COMMAND)

    def command(out: str) -> list[str]:
        return [
            sys.executable,
            "-m",
            "training.imitation",
            str(tmp_path / "run.yaml"),
            "--out",
            str(tmp_path / out),
            "--jobs",
            "1",
        ]

    subprocess.run(command("whole"), check=True, stdout=subprocess.PIPE)
    for until in (tmp_path / "parts/games/games-000000-000003.npz", tmp_path / "parts" / STATE):
        process = subprocess.Popen(command("parts"), stdout=subprocess.PIPE)
        end = time.monotonic() + 120
        while not until.exists() and time.monotonic() < end:
            time.sleep(0.001)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()  # type: ignore[union-attr]
    subprocess.run(command("parts"), check=True, stdout=subprocess.PIPE)
    for name in (BEST, "games/games-000000-000003.npz", "games/games-000008-000011.npz"):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    one, two = (load_file(tmp_path / out / STATE) for out in ("parts", "whole"))
    assert one.keys() == two.keys() and all(torch.equal(one[name], two[name]) for name in one)


@pytest.mark.slow
def test_a_veteran_s_choices_can_be_learnt(tmp_path: Path) -> None:
    """From sixty games: on games that it has not seen far better than chance, by loss and by choices alike."""
    battles = Battles(scenario="duel", change={"limit": [4, 4]})
    config = DemonstrationConfig(teachers=("veteran",), opponents=("random:tree",), scenarios=(battles,), games=60)
    record(config, tmp_path / "games", jobs=1)
    learning = ImitationConfig(epochs=20, patience=20, batch=64, held_out=0.25, device="cpu")
    report = imitate(learning, [tmp_path / "games"], network(), tmp_path / "out")
    legal = np.concatenate([batch.legal for batch in Demonstrations([tmp_path / "games"], 0.25).batches("held-out", 64)])
    assert report.loss < 0.7 * np.log(legal).mean()
    assert report.accuracy > 2.0 * (1.0 / legal).mean()


PAGE = (Path(__file__).resolve().parent.parent / "docs" / "imitation.md").read_text(encoding="utf-8")


def test_the_page_shows_a_config_that_is_read_and_explains_every_key(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "run.yaml").write_text(shown)
    run = read_run(tmp_path / "run.yaml")
    run.demonstrations.check()
    assert run.demonstrations.scenarios[1].share == 2
    for model in (DemonstrationConfig, ImitationConfig):
        for key in model.model_fields:
            assert f"`{key}`" in PAGE, key


@pytest.mark.slow
def test_the_page_s_program_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (shown,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    found: dict[str, object] = {}
    exec(shown, found)
    assert (tmp_path / "clone" / BEST).exists()
