"""Checkpoints: all that a run needs to go on as if it had never stopped, as numbers and JSON. Nothing in them can run code.

A checkpoint is a folder, ``checkpoints/0000012``, named by the rollouts done. It is written under another name and renamed
when it is complete, so that one that is there is whole; the run goes on from the last. Chance needs no state: each rollout
begins with generators seeded from the run's seed and its own number.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import torch
from pydantic import BaseModel, ConfigDict, ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn
from torch.optim import Optimizer

from opfor.errors import InputError

#: raised when checkpoints change their form
FORMAT = 1
_STATE, _WEIGHTS, _OPTIMISER = "state.json", "weights.safetensors", "optimiser.safetensors"


class RunState(BaseModel):
    """How far a run has come: all but weights and optimiser.

    ``battles``: battles planned so far, of each environment; ``standing``: where each environment is
    (:meth:`training.planned.PlannedEnv.standing`); ``begun``: which battles have just begun; ``pool``: the opponents and how
    they have fared; ``evaluated``: the steps of the last evaluation, -1 before the first; ``best``: the highest score of an
    evaluation, of the weights after ``best_steps``.
    """

    model_config = ConfigDict(extra="forbid")

    format: int = FORMAT
    rollouts: int = 0
    steps: int = 0
    seconds: float = 0.0
    battles: list[int] = []
    standing: list[dict[str, Any]] = []
    begun: list[bool] = []
    pool: dict[str, Any] = {}
    evaluated: int = -1
    snapshots: int = 0
    best: float = -1.0
    best_steps: int = 0


def save_checkpoint(folder: Path, state: RunState, network: nn.Module, optimiser: Optimizer, keep: int) -> Path:
    """Write a checkpoint, and remove all but the last ``keep``. Returns its folder.

    Raises :class:`InputError` where it cannot be written.
    """
    whole = folder / f"{state.rollouts:07d}"
    begun = folder / f".{whole.name}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for stale in folder.glob(".*"):
            shutil.rmtree(stale)
        begun.mkdir()
        save_file({name: one.detach().cpu().contiguous() for name, one in network.state_dict().items()}, begun / _WEIGHTS)
        save_file(_optimiser_state(network, optimiser), begun / _OPTIMISER)
        (begun / _STATE).write_text(state.model_dump_json(), encoding="utf-8")
        for path in begun.iterdir():
            _sync(path)
        _sync(begun)
        begun.rename(whole)
        _sync(folder)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", source=str(whole)) from None
    for old in checkpoints(folder)[:-keep]:
        # renamed first: what is half removed is no checkpoint
        shutil.rmtree(old.rename(folder / f".{old.name}"))
    return whole


def checkpoints(folder: Path) -> list[Path]:
    """Whole checkpoints, the oldest first."""
    return sorted(path for path in folder.iterdir() if path.is_dir() and path.name.isdigit()) if folder.is_dir() else []


def load_checkpoint(path: Path, network: nn.Module, optimiser: Optimizer) -> RunState:
    """Take up a checkpoint: fills the network and the optimiser, returns the rest.

    Raises :class:`InputError` for one that is damaged, or of another network.
    """
    try:
        state = RunState.model_validate_json((path / _STATE).read_text(encoding="utf-8"))
        if state.format != FORMAT:
            raise InputError(f"is of the form {state.format}, and the program writes {FORMAT}", source=str(path))
        network.load_state_dict(load_file(path / _WEIGHTS))
        _fill_optimiser(network, optimiser, load_file(path / _OPTIMISER))
    except (OSError, SafetensorError, ValidationError, RuntimeError, KeyError, json.JSONDecodeError) as error:
        first = str(error).splitlines()[0]
        raise InputError(
            f"cannot be gone on with: {first}", source=str(path), hint="remove it: the run goes on from the one before"
        ) from None
    return state


def _optimiser_state(network: nn.Module, optimiser: Optimizer) -> dict[str, torch.Tensor]:
    """What the optimiser remembers of each weight, by the weight's name."""
    found = {}
    for name, parameter in network.named_parameters():
        for what, value in optimiser.state.get(parameter, {}).items():
            found[f"{name}/{what}"] = torch.as_tensor(value).detach().cpu().contiguous()
    return found


def _fill_optimiser(network: nn.Module, optimiser: Optimizer, kept: dict[str, torch.Tensor]) -> None:
    parameters = dict(network.named_parameters())
    optimiser.state.clear()
    for key, value in kept.items():
        name, _, what = key.rpartition("/")
        parameter = parameters[name]
        # counts of steps stay where they were made, beside the processor
        optimiser.state[parameter][what] = value if what == "step" else value.to(parameter.device)


def _sync(path: Path) -> None:
    """Have the system write a file or a folder out, where it can."""
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


__all__ = ["RunState", "checkpoints", "load_checkpoint", "save_checkpoint"]
