"""Parts of a training run: planned battles, checkpoints, PPO's update, evaluation."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from gymnasium import spaces
from stable_baselines3.common.callbacks import BaseCallback

import training.evaluation
from envs.reward import RewardConfig
from envs.scenarios import scenario_from
from opfor.errors import InputError
from opfor.rulesets import named_ruleset
from policies.learned.card import new_card
from policies.learned.sizes import named_sizes
from training.battles import Battles
from training.bouts import BoutBook
from training.checkpoint import RunState, checkpoints, load_checkpoint, save_checkpoint
from training.config import Evaluation, Ppo
from training.evaluation import Bout, evaluate, fight
from training.export import export_model
from training.logs import Table
from training.network import SlotScorer
from training.planned import PlannedEnv, sampler
from training.planned_vector import PlannedEnvs
from training.ppo import CRITIC, Learner
from training.seeds import seed_of

DUEL = scenario_from("duel")
#: the checksum of the words "0 weights"
SEED_OF_WEIGHTS = 0x1B1F74D7


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(3)


def model(path: Path) -> str:
    """A small network that has learnt nothing, as a file."""
    network = SlotScorer("small")
    card = new_card("none", network.sizes, environment="none", scenarios=["duel"], rulesets=[named_ruleset("standard")])
    return str(export_model(network, path / "none.safetensors", card))


def plan(**fields: Any) -> dict[str, Any]:
    """A battle against the random player."""
    return {"battles": 0, "seed": 5, "side": 0, "opponent": "a", "code": "random:tree", **fields}


# -- planned battles -------------------------------------------------------------------------------------------------------


def test_a_battle_is_taken_up_where_it_stood(tmp_path: Path) -> None:
    """From its plan and its actions alone, as JSON has them, in an environment that knows nothing else; then both go on alike.

    In the middle of a battle against a network that draws its actions, another one planned behind it.
    """
    first, second = (PlannedEnv([DUEL], RewardConfig()) for _ in range(2))
    path = model(tmp_path)
    first.plan(plan(seed=11, side=1, code="", path=path))
    first.reset()
    first.plan(plan(seed=12))
    for _ in range(9):
        seen = first.step(int(np.flatnonzero(first.action_masks())[-1]))[0]
    found = second.take_up(json.loads(json.dumps(first.standing())))
    assert np.array_equal(found, seen)
    over = False
    for _ in range(500):
        legal = first.action_masks()
        assert np.array_equal(legal, second.action_masks())
        one, other = (env.step(int(np.flatnonzero(legal)[-1])) for env in (first, second))
        assert np.array_equal(one[0], other[0]) and one[1:4] == other[1:4]
        if one[2]:
            if over:
                break
            # the planned one is begun in both
            over = True
            assert one[4]["opponent"] == other[4]["opponent"]
            assert np.array_equal(first.reset()[0], second.reset()[0])
            for env in (first, second):
                env.plan(plan(seed=13))
    assert over


def test_no_battle_begins_unplanned() -> None:
    env = PlannedEnv([DUEL], RewardConfig())
    env.plan(plan())
    env.reset()
    with pytest.raises(RuntimeError, match="plan"):
        env.reset()


def test_a_network_draws_by_its_chances(tmp_path: Path) -> None:
    """Scores 0, ln 2 and 0 at temperature 1: chances of a quarter, a half and a quarter; at 0 always the best."""

    class Fixed:
        def logits(self, seen: Any) -> Any:
            return np.array([0.0, np.log(2.0), 0.0], dtype=np.float32)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("training.planned.load_model", lambda path: SimpleNamespace(scorer=Fixed()))
        nothing, legal = np.zeros(1, dtype=np.float32), np.ones(3, dtype=np.bool_)
        act = sampler("x", 1.0, 7)
        counts = np.bincount([act(nothing, legal) for _ in range(4000)], minlength=3) / 4000
        assert counts == pytest.approx([0.25, 0.5, 0.25], abs=0.03)
        # at half the temperature chances are squared: 1 to 4 to 1
        act = sampler("x", 0.5, 7)
        assert np.mean([act(nothing, legal) == 1 for _ in range(4000)]) == pytest.approx(4 / 6, abs=0.03)
        assert {sampler("x", 0.0, seed)(nothing, legal) for seed in range(20)} == {1}


def test_processes_share_the_environments(tmp_path: Path) -> None:
    """Three environments in two processes see, are paid and stand as three in this one do; an error in one is raised here."""
    make = partial(PlannedEnv, [DUEL], RewardConfig())
    here, apart = PlannedEnvs(make, 3), PlannedEnvs(make, 3, processes=2)
    with closing(here), closing(apart):
        for envs in (here, apart):
            for index in range(3):
                envs.env_method("plan", plan(seed=index), indices=index)
        assert np.array_equal(here.stand(), apart.stand())
        for envs in (here, apart):
            envs.env_method("plan", plan(seed=7))
        ended = 0
        for _ in range(60):
            legal = np.stack(here.env_method("action_masks"))
            assert np.array_equal(legal, np.stack(apart.env_method("action_masks")))
            actions = np.array([int(np.flatnonzero(row)[-1]) for row in legal])
            (seen, paid, over, infos), (seen_apart, paid_apart, over_apart, infos_apart) = (
                here.step(actions),
                apart.step(actions),
            )
            assert np.array_equal(seen, seen_apart) and np.array_equal(paid, paid_apart) and np.array_equal(over, over_apart)
            assert [info.get("battle_steps") for info in infos] == [info.get("battle_steps") for info in infos_apart]
            ended += int(over.sum())
            for envs in (here, apart):
                for index in np.flatnonzero(over):
                    envs.env_method("plan", plan(seed=8), indices=int(index))
        assert ended and here.env_method("standing") == apart.env_method("standing")
        with pytest.raises(ValueError, match="not legal"):
            apart.step(np.array([319, 319, 319]))


def test_a_process_that_has_ended_is_said(tmp_path: Path) -> None:
    envs = PlannedEnvs(partial(PlannedEnv, [DUEL], RewardConfig()), 1, processes=1)
    with closing(envs):
        envs._hands[0]._process.kill()
        envs._hands[0]._process.join()
        with pytest.raises(InputError, match="a process of environments has ended"):
            envs.env_method("plan", plan())


# -- checkpoints -----------------------------------------------------------------------------------------------------------


def trained() -> tuple[SlotScorer, Any]:
    """A network and its optimiser after a step."""
    network = SlotScorer("small")
    optimiser = torch.optim.Adam(network.parameters())
    for parameter in network.parameters():
        parameter.grad = torch.ones_like(parameter)
    optimiser.step()
    return network, optimiser


def test_a_checkpoint_brings_all_back(tmp_path: Path) -> None:
    """Weights and optimiser are the same bit by bit: the next step leads to the same weights. The oldest are removed."""
    network, optimiser = trained()
    for rollouts in (1, 2, 3):
        save_checkpoint(tmp_path, RunState(rollouts=rollouts, steps=10 * rollouts), network, optimiser, keep=2)
    assert [path.name for path in checkpoints(tmp_path)] == ["0000002", "0000003"]
    twin = SlotScorer("small")
    memory = torch.optim.Adam(twin.parameters())
    state = load_checkpoint(checkpoints(tmp_path)[-1], twin, memory)
    assert (state.rollouts, state.steps) == (3, 30)
    for one, own in ((network, optimiser), (twin, memory)):
        for parameter in one.parameters():
            parameter.grad = torch.full_like(parameter, -0.5)
        own.step()
    for name, weight in network.state_dict().items():
        assert torch.equal(weight, twin.state_dict()[name]), name
    kept = {path.suffix for path in checkpoints(tmp_path)[-1].iterdir()}
    assert kept == {".safetensors", ".json"}


def test_half_a_checkpoint_is_none(tmp_path: Path) -> None:
    """What was being written when the run was killed is not gone on from, and is cleared away by the next."""
    network, optimiser = trained()
    save_checkpoint(tmp_path, RunState(rollouts=1), network, optimiser, keep=2)
    (tmp_path / ".0000002").mkdir()
    (tmp_path / ".0000002" / "weights.safetensors").write_bytes(b"half")
    assert [path.name for path in checkpoints(tmp_path)] == ["0000001"]
    save_checkpoint(tmp_path, RunState(rollouts=2), network, optimiser, keep=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0000001", "0000002"]


@pytest.mark.parametrize("file", ["state.json", "weights.safetensors", "optimiser.safetensors"])
@pytest.mark.parametrize("content", [b"", b"{}x", None])
def test_a_damaged_checkpoint_is_said_to_be(tmp_path: Path, file: str, content: bytes | None) -> None:
    network, optimiser = trained()
    path = save_checkpoint(tmp_path, RunState(rollouts=1), network, optimiser, keep=1)
    if content is None:
        (path / file).unlink()
    else:
        (path / file).write_bytes(content)
    with pytest.raises(InputError, match="cannot be gone on with"):
        load_checkpoint(path, network, optimiser)


def test_rows_after_a_checkpoint_are_written_again(tmp_path: Path) -> None:
    """Rows beyond the steps gone on from are dropped, and half a row of a run that was killed."""
    table = Table(tmp_path / "progress.csv")
    for steps in (10, 20, 30):
        table.add(steps, {"won": 0.5, "battles": 2})
    with table.path.open("a", encoding="utf-8") as file:
        file.write("40,0.")
    table.keep_to(20)
    table.add(30, {"won": 0.25, "battles": 4})
    assert table.path.read_text(encoding="utf-8") == "steps,won,battles\n10,0.5,2\n20,0.5,2\n30,0.25,4\n"


def test_seeds_stay() -> None:
    """Runs begun with one version go on with the next: a seed follows from its words alone (by b2sum -l 32)."""
    assert seed_of(0, "weights") == SEED_OF_WEIGHTS >> 1


# -- PPO -------------------------------------------------------------------------------------------------------------------


def learner(**settings: Any) -> Learner:
    """A learner over two duels."""
    envs = PlannedEnvs(lambda: PlannedEnv([DUEL], RewardConfig()), 2)
    return Learner(Ppo(envs=2, rollout=8, **settings), envs, named_sizes("small"), "cpu")


@dataclass
class Samples:
    """A minibatch."""

    observations: Any
    actions: Any
    old_log_prob: Any
    advantages: Any
    returns: Any
    action_masks: Any


def samples(one: Learner, actions: list[int], advantages: list[float]) -> Samples:
    """Real observations of a battle's beginning, with what was done there and what came of it."""
    env = PlannedEnv([DUEL], RewardConfig())
    env.plan(plan())
    seen, _ = env.reset()
    n = len(actions)
    observations, masks = torch.tensor(np.stack([seen] * n)), torch.tensor(np.stack([env.action_masks()] * n)).float()
    taken = torch.tensor(actions)[:, None]
    with torch.no_grad():
        values, log_chance, _ = one.policy.evaluate_actions(observations, taken[:, 0], masks)
    return Samples(observations, taken, log_chance, torch.tensor(advantages), values + 1.0, masks)


def chances(one: Learner, batch: Samples) -> Any:
    with torch.no_grad():
        return one.policy.read(batch.observations, batch.action_masks)[0].distribution.probs[0]


def test_what_gained_more_becomes_likelier() -> None:
    """Two options taken in one position: the better one gains on the worse one; the value follows the return."""
    one = learner(entropy=0.0)
    batch = samples(one, [1, 2], [1.0, -1.0])
    before, value = chances(one, batch), one.policy.predict_values(batch.observations)[0].item()
    mark = one._learn(batch, False, 0.0)
    after = chances(one, batch)
    assert after[1] / after[2] > before[1] / before[2]
    assert one.policy.predict_values(batch.observations)[0].item() > value
    # nothing has moved before the first step: ratios are 1, gains of mean 0 cancel out, and the value is one short
    assert mark.tolist()[:2] == pytest.approx([0.0, 1.0], abs=1e-5)
    assert mark.tolist()[4:] == pytest.approx([0.0, 0.0], abs=1e-6)


def test_a_ratio_beyond_the_clip_gains_no_more() -> None:
    """Chances e times what they were: of two gains, 1 and -1 (0.7071 by their deviation), the first is cut at 1.2."""
    one = learner(entropy=0.0)
    batch = samples(one, [1, 2], [1.0, -1.0])
    batch.old_log_prob = batch.old_log_prob - 1.0
    mark = one._learn(batch, False, 0.0)
    gain = 2.0**-0.5
    assert mark[0].item() == pytest.approx(-(1.2 * gain - 2.718282 * gain) / 2, abs=1e-4)
    assert mark[4].item() == pytest.approx(1.718282 - 1.0, abs=1e-5)
    assert mark[5].item() == 1.0


def test_the_critic_learns_alone_at_first() -> None:
    """The critic's own layers move, nothing else does, so that the policy is bit by bit what it was."""
    one = learner(critic_steps=1000)
    before = {name: weight.clone() for name, weight in one.network.state_dict().items()}
    play(one)
    update = one.update()
    moved = {name for name, weight in one.network.state_dict().items() if not torch.equal(weight, before[name])}
    assert moved and all(name.startswith(CRITIC) for name in moved)
    assert update.kl == pytest.approx(0.0, abs=1e-6)
    one.num_timesteps = 2000
    play(one)
    one.update()
    assert not torch.equal(one.network.slot_score.weight, before["slot_score.weight"])


def play(one: Learner) -> None:
    """A rollout of battles that follow each other."""

    class Replan(BaseCallback):
        def _on_step(self) -> bool:
            self.training_env.env_method("plan", plan(seed=self.num_timesteps))
            return True

    replan = Replan()
    one.prepare(replan)
    assert one.env is not None
    one.env.env_method("plan", plan())
    one.stand_at(one.env.reset(), np.ones(2, dtype=bool))
    one.env.env_method("plan", plan())
    one.play(replan)


def test_the_pull_is_the_divergence_from_what_it_was() -> None:
    """Two options that were equal and are 3 to 1: ln 2 / 2 + ln (2/3) / 2 = 0.143841."""
    one = learner()
    one.keep_reference()
    scores = torch.zeros(1, int(one.action_space.n))  # type: ignore[attr-defined]
    mask = torch.zeros_like(scores)
    mask[0, :2] = 1.0
    assert isinstance(one.action_space, spaces.Discrete)

    class Even(torch.nn.Module):
        def forward(self, seen: Any) -> Any:
            return scores, None

    one.reference = Even()  # type: ignore[assignment]
    skewed = scores.clone()
    skewed[0, 0] = np.log(3.0)
    held = one.policy.action_dist.proba_distribution(action_logits=skewed)
    held.apply_masking(mask)
    batch = Samples(scores, None, None, None, None, mask)
    assert one._divergence(held, batch).item() == pytest.approx(0.143841, abs=1e-6)


def test_a_pulled_policy_stays_nearer() -> None:
    """The same gains move the chances less when the policy is pulled hard to what it was."""
    moved = []
    for pull in (0.0, 200.0):
        torch.manual_seed(3)
        one = learner(entropy=0.0, learning_rate=1e-2)
        one.keep_reference()
        batch = samples(one, [1, 2], [1.0, -1.0])
        before = chances(one, batch)
        for _ in range(40):
            one._learn(batch, False, pull)
        moved.append((chances(one, batch) - before).abs().sum().item())
    assert moved[1] < moved[0] / 2, moved


# -- evaluation ------------------------------------------------------------------------------------------------------------


def test_both_sides_fight_the_same_held_out_battles(tmp_path: Path) -> None:
    """As many as asked for, each from both sides; the same answer each time, and a score that is the mean of the bouts."""
    path = model(tmp_path)
    where = Battles(scenario="duel")
    config = Evaluation(opponents=("random:tree",), scenarios=(where,), processes=1)
    (score,) = evaluate(path, config, range(3))
    bouts = [fight(Bout(path, where, "random:tree", number, side)) for number in range(3) for side in (0, 1)]
    assert score.battles == 6 and score.score == pytest.approx(sum(bouts) / 6)
    assert score.low < score.score < score.high or score.score in (0.0, 1.0)


def test_a_bout_that_has_been_fought_is_not_fought_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped after four bouts of six, torn in the middle of a line: the same score, and the other three are fought."""
    path = model(tmp_path)
    config = Evaluation(opponents=("random:tree",), scenarios=(Battles(scenario="duel"),), processes=1)
    whole = list(evaluate(path, config, range(3)))
    calls: list[tuple[int, int]] = []

    def fought(bout: Bout) -> float:
        calls.append((bout.number, bout.side))
        return fight(bout)

    monkeypatch.setattr(training.evaluation, "fight", fought)
    list(evaluate(path, config, range(2), book=BoutBook(tmp_path)))
    book = tmp_path / "bouts.jsonl"
    book.write_bytes(book.read_bytes()[:-10])
    assert list(evaluate(path, config, range(3), book=BoutBook(tmp_path))) == whole
    assert calls == [(0, 0), (0, 1), (1, 0), (1, 1), (1, 1), (2, 0), (2, 1)]
    # other weights have fought nothing yet, whatever their file is called
    assert model(tmp_path) == path
    list(evaluate(path, config, range(1), book=BoutBook(tmp_path)))
    assert calls[7:] == [(0, 0), (0, 1)]


def test_a_line_that_is_no_bout_is_named(tmp_path: Path) -> None:
    """By file and number, with what to do."""
    (tmp_path / "bouts.jsonl").write_text('{"weights": "0", "points": 1}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 1: is no bout") as error:
        BoutBook(tmp_path)
    assert "delete that line" in str(error.value)
