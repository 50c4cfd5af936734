"""The network as Stable-Baselines3 wants a policy: its scores are the logits, its value the critic's, nothing in between."""

from __future__ import annotations

from typing import Any

import numpy as np
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import PyTorchObs, Schedule
from torch import Tensor
from torch.optim import Adam

from policies.learned.sizes import NetworkSizes
from training.network import SlotScorer

#: keeps small gradients from making large steps, as is usual for PPO
_EPSILON = 1e-7


class SlotPolicy(MaskableActorCriticPolicy):
    """Actor and critic in one :class:`training.network.SlotScorer`, ``network``. Observations are float32, shape (n, SIZE)."""

    def __init__(self, *args: Any, sizes: NetworkSizes, **settings: Any) -> None:
        self.sizes = sizes
        super().__init__(*args, **settings)

    def _build(self, lr_schedule: Schedule) -> None:
        self.network = SlotScorer(self.sizes)
        self.optimizer = Adam(self.parameters(), lr=lr_schedule(1), eps=_EPSILON)

    def read(self, obs: Tensor, masks: Any = None) -> tuple[MaskableDistribution, Tensor]:
        """The chances of the actions and the values, shape (n,). ``masks``: which actions are legal, shape (n, 320)."""
        logits, values = self.network(obs)
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        if masks is not None:
            distribution.apply_masking(masks)
        return distribution, values

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: np.ndarray[Any, Any] | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, shape (n,), values (n,), and the logarithm of the actions' chances, (n,)."""
        distribution, values = self.read(obs, action_masks)
        actions = distribution.get_actions(deterministic=deterministic)
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Values, the logarithm of the actions' chances, and the entropy: shape (n,) each."""
        distribution, values = self.read(obs, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def get_distribution(self, obs: PyTorchObs, action_masks: Any = None) -> MaskableDistribution:
        """The chances of the actions."""
        assert isinstance(obs, Tensor)
        return self.read(obs, action_masks)[0]

    def predict_values(self, obs: PyTorchObs) -> Tensor:
        """Values of positions, shape (n,)."""
        assert isinstance(obs, Tensor)
        return self.network(obs)[1]  # type: ignore[no-any-return]


__all__ = ["SlotPolicy"]
