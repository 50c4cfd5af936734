"""PPO: Stable-Baselines3 plays the battles and keeps what was seen, and this learns from it.

The update is that of PPO with clipped ratios, with two things added for a network that has imitated somebody before. At first
only the critic learns: its values are of another policy's battles, and advantages made of them would spoil what has been
imitated. And the policy is pulled to what it has imitated, ever less, by the divergence of its chances from those.
"""

from __future__ import annotations

import copy
from collections import deque
from dataclasses import asdict, dataclass
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import explained_variance
from stable_baselines3.common.vec_env import VecEnv
from torch import Tensor
from torch.nn import functional

from policies.learned.sizes import NetworkSizes
from training.config import Ppo
from training.network import SlotScorer
from training.sb3_policy import SlotPolicy

#: layers that only the critic has
CRITIC = "value_layers"
#: an update ends early once the chances have moved by more than so many times what is wanted
_TOO_FAR = 1.5
#: the score of what is not legal: its chance is 0
_NEVER = -1e8


@dataclass(frozen=True, slots=True)
class Update:
    """What an update came to: means over its minibatches."""

    policy_loss: float
    value_loss: float
    entropy: float
    pull: float
    kl: float
    clipped: float
    explained: float
    learning_rate: float

    def row(self) -> dict[str, float]:
        """By name."""
        return asdict(self)


class Learner(MaskablePPO):
    """PPO over a :class:`training.network.SlotScorer`.

    :meth:`play` a rollout, then :meth:`update`. ``env``: environments of :class:`training.planned.PlannedEnv`.
    """

    policy: SlotPolicy

    def __init__(self, config: Ppo, env: VecEnv, sizes: NetworkSizes, device: str = "auto") -> None:
        super().__init__(
            SlotPolicy,
            env,
            learning_rate=config.learning_rate,
            n_steps=config.rollout,
            batch_size=config.batch,
            n_epochs=config.epochs,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip,
            policy_kwargs={"sizes": sizes},
            device=device,
        )
        self.settings = config
        #: whom the policy is pulled to
        self.reference: SlotScorer | None = None
        # what it would tell of its own accord is told by the run
        self.set_logger(Logger(None, []))
        self.ep_info_buffer, self.ep_success_buffer = deque(maxlen=1), deque(maxlen=1)

    @property
    def network(self) -> SlotScorer:
        """What learns."""
        return self.policy.network

    def keep_reference(self) -> None:
        """From now on the policy is pulled to what it is now."""
        self.reference = copy.deepcopy(self.network).requires_grad_(False)

    def stand_at(self, seen: Any, begun: Any) -> None:
        """Where the environments are: observations, shape (envs, SIZE), and which battles have just begun, (envs,)."""
        self._last_obs, self._last_episode_starts = seen, begun

    def prepare(self, callback: BaseCallback) -> None:
        """Tell a callback whose it is, before it is first called."""
        callback.init_callback(self)

    @property
    def begun(self) -> list[bool]:
        """Which battles have just begun."""
        assert self._last_episode_starts is not None
        return [bool(one) for one in self._last_episode_starts]

    def play(self, callback: BaseCallback) -> None:
        """Play a rollout."""
        assert self.env is not None
        self.collect_rollouts(self.env, callback, self.rollout_buffer, self.n_steps)

    def update(self) -> Update:
        """Learn from the rollout."""
        settings, policy = self.settings, self.policy
        policy.set_training_mode(True)
        done = min(1.0, (self.num_timesteps - settings.per_rollout) / settings.steps)
        critic_only = self.num_timesteps <= settings.critic_steps
        rate = settings.learning_rate + (settings.last_learning_rate - settings.learning_rate) * done
        for group in policy.optimizer.param_groups:
            group["lr"] = rate
        for name, parameter in self.network.named_parameters():
            parameter.requires_grad_(not critic_only or name.startswith(CRITIC))
        pull = 0.0
        if self.reference is not None and not critic_only:
            pull = settings.pull * max(0.0, 1.0 - done / settings.pull_until)
        marks: list[Tensor] = []
        for _ in range(settings.epochs):
            far = []
            for batch in self.rollout_buffer.get(settings.batch):
                mark = self._learn(batch, critic_only, pull)
                marks.append(mark)
                far.append(float(mark[4]))
            if settings.most_kl and sum(far) / len(far) > _TOO_FAR * settings.most_kl:
                break
        self._n_updates += settings.epochs
        kept = self.rollout_buffer
        policy_loss, value_loss, entropy, pulled, kl, clipped = torch.stack(marks).mean(0).tolist()
        return Update(
            policy_loss=policy_loss,
            value_loss=value_loss,
            entropy=entropy,
            pull=pulled,
            kl=kl,
            clipped=clipped,
            explained=float(explained_variance(kept.values.flatten(), kept.returns.flatten())),
            learning_rate=rate,
        )

    def _learn(self, batch: Any, critic_only: bool, pull: float) -> Tensor:
        """One step down the slope; losses, entropy, divergences and the share of clipped ratios, shape (6,)."""
        settings, policy = self.settings, self.policy
        chances, values = policy.read(batch.observations, batch.action_masks)
        log_chance = chances.log_prob(batch.actions.long().flatten())
        gain = batch.advantages
        if len(gain) > 1:
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        change = log_chance - batch.old_log_prob
        ratio = change.exp()
        within = ratio.clamp(1.0 - settings.clip, 1.0 + settings.clip)
        policy_loss = -torch.minimum(gain * ratio, gain * within).mean()
        value_loss = functional.mse_loss(values, batch.returns)
        entropies = chances.entropy()
        assert entropies is not None
        entropy = entropies.mean()
        pulled = self._divergence(chances, batch) if pull else torch.zeros(())
        loss = settings.value * value_loss
        if not critic_only:
            loss = loss + policy_loss - settings.entropy * entropy + pull * pulled
        policy.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(policy.parameters(), settings.max_gradient)
        policy.optimizer.step()
        with torch.no_grad():
            # the mean of (ratio - 1) - log ratio is never negative, and is the divergence in the limit of small changes
            kl = ((ratio - 1.0) - change).mean()
            clipped = ((ratio - 1.0).abs() > settings.clip).float().mean()
            return torch.stack([one.detach().cpu() for one in (policy_loss, value_loss, entropy, pulled, kl, clipped)])

    def _divergence(self, chances: Any, batch: Any) -> Tensor:
        """How far the chances are from those of the reference: Kullback and Leibler's divergence, mean over the batch."""
        assert self.reference is not None
        with torch.no_grad():
            scores = self.reference(batch.observations)[0].masked_fill(batch.action_masks == 0, _NEVER)
            wanted = functional.log_softmax(scores, dim=1)
        found: Tensor = (wanted.exp() * (wanted - chances.distribution.logits)).sum(1).mean()
        return found


__all__ = ["CRITIC", "Learner", "Update"]
