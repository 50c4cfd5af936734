"""What a learner of recorded play has come to, in one file: it goes on from there as if it had never stopped.

Weights, what the optimiser remembers and torch's chance are arrays, all else is JSON: nothing in the file can run.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn
from torch.optim import Optimizer

from opfor.errors import InputError
from opfor.formats.battle_file.history import write_atomic

#: raised when the file changes its form
FORMAT = 1
_NETWORK, _OPTIMISER, _CHANCE = "network.", "optimiser.", "chance"


def save_weights(network: nn.Module, path: Path) -> None:
    """Write the weights by name, all or nothing. Raises :class:`InputError` where that cannot be."""
    write_atomic(path, save(_arrays(network)))


def load_weights(network: nn.Module, path: Path) -> None:
    """Take weights up. Raises :class:`InputError` for a file that is none, or is of another network."""
    arrays, _ = _read(path)
    _fill(network, arrays, path)


def save_state(path: Path, network: nn.Module, optimiser: Optimizer, facts: dict[str, Any]) -> None:
    """Write all that is needed to go on, all or nothing; ``facts`` is JSON."""
    arrays = {_NETWORK + name: one for name, one in _arrays(network).items()}
    for number, held in optimiser.state_dict()["state"].items():
        arrays |= {f"{_OPTIMISER}{number}.{name}": one.detach().cpu().clone() for name, one in held.items()}
    arrays[_CHANCE] = torch.get_rng_state()
    write_atomic(path, save(arrays, {"format": str(FORMAT), "facts": json.dumps(facts)}))


def load_state(path: Path, network: nn.Module, optimiser: Optimizer) -> dict[str, Any]:
    """Go on from a file: fills network and optimiser, sets torch's chance, returns the facts.

    Raises :class:`InputError` for a file that is damaged, or of another network.
    """
    arrays, notes = _read(path)
    try:
        if notes["format"] != str(FORMAT):
            raise InputError(f"is of the form {notes['format']}, and the program writes {FORMAT}", source=str(path))
        facts: dict[str, Any] = json.loads(notes["facts"])
        chance = arrays.pop(_CHANCE)
        _fill(network, {n.removeprefix(_NETWORK): one for n, one in arrays.items() if n.startswith(_NETWORK)}, path)
        held: dict[int, dict[str, Tensor]] = {}
        for name, one in arrays.items():
            if name.startswith(_OPTIMISER):
                number, _, what = name.removeprefix(_OPTIMISER).partition(".")
                held.setdefault(int(number), {})[what] = one
        optimiser.load_state_dict({"state": held, "param_groups": optimiser.state_dict()["param_groups"]})
        torch.set_rng_state(chance)
    except (KeyError, ValueError, RuntimeError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(path, error) from None
    return facts


def _arrays(network: nn.Module) -> dict[str, Tensor]:
    return {name: one.detach().cpu().contiguous() for name, one in network.state_dict().items()}


def _fill(network: nn.Module, arrays: dict[str, Tensor], path: Path) -> None:
    try:
        network.load_state_dict(arrays)
    except RuntimeError as error:
        raise InputError(
            f"holds the weights of another network: {str(error).splitlines()[-1].strip()}", source=str(path)
        ) from None


def _read(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    try:
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118 - no mapping
    except (OSError, SafetensorError) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> InputError:
    words = str(error).splitlines()[0] if str(error) else type(error).__name__
    return InputError(f"cannot be read: {words}", source=str(path), hint="delete it to begin anew")


__all__ = ["load_state", "load_weights", "save_state", "save_weights"]
