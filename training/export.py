"""From a network of torch to a model file that is played with NumPy alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from torch import nn

from envs.layout import Flat
from policies.learned.card import Card
from policies.learned.model import save_model
from training.network import SlotScorer


def arrays_of(network: nn.Module) -> dict[str, Flat]:
    """The weights of a network by name, copies of their own: training may go on meanwhile."""
    return {
        name: np.array(weight.detach().cpu().numpy(), dtype=np.float32, order="C")
        for name, weight in network.state_dict().items()
    }


def export_model(network: SlotScorer, path: str | Path, card: Card) -> Path:
    """Write a network as ``NAME.safetensors`` with its card, and the card's page beside it. Returns the path.

    Raises :class:`opfor.errors.InputError` where the card's sizes are not the network's, or the path cannot be written.
    """
    return save_model(path, arrays_of(network), card)


__all__ = ["arrays_of", "export_model"]
