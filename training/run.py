"""`opfor train`: a run from its config to a model file, from top to bottom.

Weights to begin with, perhaps learnt by imitation; then rollouts against a pool of opponents, each followed by an update of
PPO; now and then a frozen self for the pool, an evaluation, a checkpoint; at the end a model file that has been measured.

A run is a folder: ``config.json``, ``progress.csv``, ``evaluations.csv``, ``bouts.jsonl``, ``checkpoints/``,
``snapshots/``, ``best.safetensors``, ``last.safetensors`` and, once it is done, ``report.json``. Killed at any moment and
gone on with, it ends with the same weights.
"""

from __future__ import annotations

import functools
import json
import shlex
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.utils import set_random_seed

from opfor.errors import InputError
from opfor.formats.battle_file.history import write_atomic
from policies.learned.model import load_model, save_model
from training.bouts import BoutBook
from training.cards import card, rated, words_of
from training.checkpoint import RunState, checkpoints, load_checkpoint, save_checkpoint
from training.config import Imitation, RunConfig, load_config
from training.curves import write_curves
from training.demonstrations import record
from training.desk import Desk
from training.evaluation import Score, evaluate, mean_score
from training.export import export_model
from training.imitation import imitate
from training.logs import RunLog
from training.network import SlotScorer
from training.planned import PlannedEnv
from training.planned_vector import PlannedEnvs
from training.pool import Pool
from training.ppo import Learner
from training.seeds import seed_of

DEVICES = ("auto", "cpu", "cuda")
_CONFIG, _REPORT = "config.json", "report.json"
#: battles by numbers from here on are fought at the end only: no model was chosen by them
_FRESH = 1_000_000


def train(
    config: str = "", sets: Sequence[str] = (), *, out: str = "", resume: bool = False, device: str = "auto"
) -> dict[str, Any]:
    """Train as ``config`` says (a name, or a file), with ``KEY=VALUE`` changes; returns the report, in ``words`` as well.

    ``out``: the run's folder. ``resume`` goes on with the run there, with its own config. ``device``: auto, cpu or cuda.

    Raises :class:`InputError` for a config that cannot be used, a folder that has a run already, or none to go on with.
    """
    if device not in DEVICES:
        raise InputError(f"there is no device {device!r}: use {', '.join(DEVICES)}", place="--device")
    if device == "cuda" and not torch.cuda.is_available():
        raise InputError("there is no such device here", place="--device", hint="leave it out: auto takes what there is")
    folder, settings = _folder(config, sets, out, resume)
    if (folder / _REPORT).exists():
        done: dict[str, Any] = json.loads((folder / _REPORT).read_text(encoding="utf-8"))
        return done
    torch.set_num_threads(settings.threads)
    with closing(environments(settings, folder)) as envs:
        learner, state, pool = _begin(settings, folder, envs, device)
        desk = Desk(settings, pool, state)
        learner.prepare(desk)
        _stand(envs, learner, desk, state)
        with RunLog(folder, state.steps, state.evaluated, settings.rollouts * settings.ppo.per_rollout) as log:
            _evaluate(settings, folder, learner, state, log)
            while state.rollouts < settings.rollouts:
                _rollout(settings, learner, desk, state, log)
                _snapshot(settings, folder, learner, pool, state)
                _evaluate(settings, folder, learner, state, log)
                _keep(settings, folder, envs, learner, pool, state)
            return _end(settings, folder, pool, state, log)


def environments(config: RunConfig, folder: Path) -> PlannedEnvs:
    """The environments of a run."""
    make = functools.partial(PlannedEnv, [battles.config() for battles in config.battle_sets], config.rewards, str(folder))
    return PlannedEnvs(make, config.ppo.envs, config.ppo.processes)


# -- before the first step -----------------------------------------------------------------------------------------------


def _folder(config: str, sets: Sequence[str], out: str, resume: bool) -> tuple[Path, RunConfig]:
    """The run's folder and its config, which is written there when it begins."""
    wanted = load_config(config, sets) if config else None
    if wanted is not None:
        changes = [part for one in sets for part in ("--set", one)]
        wanted = wanted.model_copy(update={"command": shlex.join(["opfor", "train", config, *changes])})
    if wanted is None and (sets or not resume):
        raise InputError("name a config to train by: tiny, default, large, or a YAML file", place="CONFIG")
    if wanted is None and not out:
        raise InputError("name the folder of the run to go on with, or its config", place="--out")
    folder = Path(out) if out else Path("out") / "train" / (wanted.name if wanted else "")
    kept = folder / _CONFIG
    if not kept.exists():
        if resume:
            raise InputError("there is no run to go on with", source=str(folder), hint="without --resume one begins")
        assert wanted is not None
        write_atomic(kept, wanted.model_dump_json(indent=1, exclude={"reward": {"gamma"}}) + "\n")
        return folder, wanted
    if not resume:
        raise InputError(
            "there is a run in it already", source=str(folder), hint="--resume goes on with it; --out names another"
        )
    former = load_config(str(kept))
    if wanted is not None and wanted != former.model_copy(update={"command": wanted.command}):
        raise InputError("the run was begun with other settings", source=str(kept), hint="leave CONFIG and --set out to go on")
    return folder, former


def _begin(config: RunConfig, folder: Path, envs: PlannedEnvs, device: str) -> tuple[Learner, RunState, Pool]:
    """Learner, state and pool as the last checkpoint has them, or as a run begins."""
    set_random_seed(seed_of(config.seed, "weights"))
    learner = Learner(config.ppo, envs, config.sizes, device)
    first = folder / "first.safetensors"
    if not first.exists():
        export_model(_first_weights(config, folder), first, card(config, f"{config.name} before PPO"))
    _fill(learner.network, first)
    if config.ppo.pull:
        learner.keep_reference()
    kept = checkpoints(folder / "checkpoints")
    if not kept:
        return learner, RunState(battles=[0] * config.ppo.envs), Pool(config.league.opponents, config.league.keep)
    state = load_checkpoint(kept[-1], learner.network, learner.policy.optimizer)
    learner.num_timesteps = state.steps
    return learner, state, Pool.from_state(state.pool)


def _first_weights(config: RunConfig, folder: Path) -> SlotScorer:
    """A network to begin with: its weights as they are drawn, of a model file, or learnt by imitation."""
    network = SlotScorer(config.sizes)
    if config.start:
        if load_model(config.start).card.sizes != config.sizes:
            raise InputError("this model has a network of other sizes than the run", source=config.start, place="start")
        _fill(network, Path(config.start))
    if config.imitation is not None:
        _imitated(config, config.imitation, folder, network)
    return network


def _imitated(config: RunConfig, how: Imitation, folder: Path, network: SlotScorer) -> None:
    """Teach a network by what others do; in rounds after the first also by what they would do where it comes to itself."""
    model: Path | None = None
    played: list[Path] = []
    for number in range(how.rounds):
        played.append(folder / ("demonstrations" if not number else f"demonstrations-{number}"))
        record(how.shown(number, model), played[-1], jobs=how.processes, on=how.place, tell=_tell)
        imitate(how.learning, played, network, folder / ("imitation" if not number else f"imitation-{number}"), tell=_tell)
        model = folder / f"imitated-{number}.safetensors"
        if number + 1 < how.rounds and not model.exists():
            export_model(network, model, card(config, f"{config.name} imitated {number}"))


def _fill(network: SlotScorer, path: Path) -> None:
    network.load_state_dict({name: torch.from_numpy(np.array(one)) for name, one in load_model(path).arrays.items()})


def _stand(envs: PlannedEnvs, learner: Learner, desk: Desk, state: RunState) -> None:
    """Bring every environment to where it stands: to its first battle, or into the middle of the one that was going on."""
    if state.standing:
        learner.stand_at(envs.stand(state.standing), np.array(state.begun))
        return
    for index in range(envs.num_envs):
        envs.env_method("plan", desk.plan(index, state.steps), indices=index)
    seen = envs.stand()
    for index in range(envs.num_envs):
        envs.env_method("plan", desk.plan(index, state.steps), indices=index)
    learner.stand_at(seen, np.ones(envs.num_envs, dtype=bool))


# -- each time round ------------------------------------------------------------------------------------------------------


def _rollout(config: RunConfig, learner: Learner, desk: Desk, state: RunState, log: RunLog) -> None:
    """Play a rollout and learn from it. All chance in it follows from the run's seed and the rollout's number."""
    set_random_seed(seed_of(config.seed, "rollout", state.rollouts))
    began = time.perf_counter()
    learner.play(desk)
    played = time.perf_counter()
    update = learner.update()
    ended = time.perf_counter()
    state.rollouts += 1
    state.steps = learner.num_timesteps
    state.seconds += ended - began
    tally = desk.fresh_tally().row()
    speed = {
        "playing": played - began,
        "learning": ended - played,
        "steps_per_second": config.ppo.per_rollout / (ended - began),
    }
    log.updated(state.steps, {"rollouts": state.rollouts, **tally, **update.row(), **speed})
    log.stepped(state.steps, f"won {tally['won']:.0%} of {tally['battles']:.0f}")


def _snapshot(config: RunConfig, folder: Path, learner: Learner, pool: Pool, state: RunState) -> None:
    """Freeze what is learnt so far as an opponent, when it is time."""
    every = config.league.snapshot_every
    if every and state.steps // every > state.snapshots:
        state.snapshots = state.steps // every
        # named from the run's folder: that may be moved
        path = Path("snapshots") / f"{state.steps:010d}.safetensors"
        export_model(learner.network, folder / path, card(config, f"{config.name} {state.steps}"))
        pool.add_snapshot(path.as_posix())


def _evaluate(config: RunConfig, folder: Path, learner: Learner, state: RunState, log: RunLog) -> None:
    """Measure what is learnt so far, when it is time, and keep it if it is the best: what a run begins with counts, too."""
    every, former = config.evaluation.every, state.evaluated
    ended = state.rollouts == config.rollouts and former < state.steps
    if former >= 0 and state.steps // every <= former // every and not ended:
        return
    state.evaluated = state.steps
    last = export_model(learner.network, folder / "last.safetensors", card(config, f"{config.name} {state.steps}"))
    scores = []
    numbers = range(config.evaluation.battles)
    for score in evaluate(str(last), config.evaluation, numbers, log.waiting("evaluating"), BoutBook(folder)):
        scores.append(score)
        log.evaluated(state.steps, asdict(score))
    write_curves(folder)
    if mean_score(scores) > state.best:
        state.best, state.best_steps = mean_score(scores), state.steps
        export_model(learner.network, folder / "best.safetensors", rated(config, state.steps, scores))


def _keep(config: RunConfig, folder: Path, envs: PlannedEnvs, learner: Learner, pool: Pool, state: RunState) -> None:
    """Write a checkpoint, when it is time."""
    if state.rollouts % config.checkpoint_every and state.rollouts < config.rollouts:
        return
    state.standing = envs.env_method("standing")
    state.begun = learner.begun
    state.pool = pool.state()
    save_checkpoint(folder / "checkpoints", state, learner.network, learner.policy.optimizer, config.keep_checkpoints)


# -- at the end -----------------------------------------------------------------------------------------------------------


def _end(config: RunConfig, folder: Path, pool: Pool, state: RunState, log: RunLog) -> dict[str, Any]:
    """Measure the last weights and the best on battles that nothing was chosen by, and write them out with what came of it."""
    models = {"last": state.steps, "best": state.best_steps}
    report: dict[str, Any] = {
        "name": config.name,
        "folder": str(folder),
        "steps": state.steps,
        "seconds": round(state.seconds, 1),
        "steps_per_second": round(state.steps / state.seconds, 1) if state.seconds else 0.0,
        "opponents": pool.standings(),
        "models": {},
    }
    fresh = range(_FRESH, _FRESH + config.evaluation.last_battles)
    scores: dict[int, list[Score]] = {}
    for name, steps in models.items():
        path = folder / f"{name}.safetensors"
        if steps not in scores:
            scores[steps] = list(evaluate(str(path), config.evaluation, fresh, log.waiting("measuring"), BoutBook(folder)))
        save_model(path, load_model(path).arrays, rated(config, steps, scores[steps]))
        report["models"][name] = {"path": str(path), "steps": steps, "scores": [asdict(one) for one in scores[steps]]}
    report["words"] = words_of(report)
    write_atomic(folder / _REPORT, json.dumps(report, indent=1) + "\n")
    return report


def _tell(words: str) -> None:
    sys.stderr.write(words + "\n")


__all__ = ["DEVICES", "environments", "train"]
