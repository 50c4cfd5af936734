"""What a training run is told: configs of ``configs/training/`` by name, or one's own files, checked before anything runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from envs.reward import RewardConfig
from opfor.errors import InputError, nearest
from opfor.tables import load_yaml
from policies.learned.sizes import NetworkSizes, named_sizes
from policies.registry import make
from training.battles import Battles, checked
from training.demonstrations import DemonstrationConfig
from training.imitation import ImitationConfig

FOLDER = "configs.training"
#: the imitation's own configs lie in the same folder
_OTHERS = "imitation"
#: from one round's battles to those of the next
_ANOTHER_SEED = 1_000_000

Share = Annotated[float, Field(gt=0.0, le=1.0)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Stage(_Model):
    """A part of the curriculum: which battles are drawn until ``until`` (a share of the run's steps) is reached."""

    until: Share = 1.0
    battles: Annotated[tuple[Battles, ...], Field(min_length=1)]


class Ppo(_Model):
    """How PPO learns; every field is explained in ``configs/training/default.yaml``."""

    steps: int = Field(default=1_000_000, ge=1)
    envs: int = Field(default=8, ge=1, le=1024)
    processes: int = Field(default=0, ge=0, le=1024)
    rollout: int = Field(default=512, ge=2)
    batch: int = Field(default=1024, ge=2)
    epochs: int = Field(default=4, ge=1)
    learning_rate: float = Field(default=3e-4, gt=0.0)
    last_learning_rate: float = Field(default=3e-5, ge=0.0)
    gamma: float = Field(default=0.999, gt=0.0, le=1.0)
    gae_lambda: float = Field(default=0.95, ge=0.0, le=1.0)
    clip: float = Field(default=0.2, gt=0.0)
    entropy: float = Field(default=0.01, ge=0.0)
    value: float = Field(default=0.5, ge=0.0)
    max_gradient: float = Field(default=0.5, gt=0.0)
    most_kl: float = Field(default=0.0, ge=0.0)
    critic_steps: int = Field(default=0, ge=0)
    pull: float = Field(default=0.0, ge=0.0)
    pull_until: Share = 1.0

    @property
    def per_rollout(self) -> int:
        """Steps of all environments together between two updates."""
        return self.envs * self.rollout


class League(_Model):
    """Whom the learner meets: policies by code, and frozen selves, each a ``snapshot_every`` steps after the last."""

    opponents: Annotated[tuple[str, ...], Field(min_length=1)] = ("random:tree",)
    snapshot_every: int = Field(default=0, ge=0)
    keep: int = Field(default=20, ge=1)
    temperature: float = Field(default=1.0, ge=0.0)


class Evaluation(_Model):
    """Battles of the held-out split against fixed opponents, each fought from both sides."""

    every: int = Field(default=100_000, ge=1)
    battles: int = Field(default=20, ge=1)
    last_battles: int = Field(default=100, ge=1)
    opponents: Annotated[tuple[str, ...], Field(min_length=1)] = ("random:tree", "veteran")
    scenarios: Annotated[tuple[Battles, ...], Field(min_length=1)]
    place: str = "local"
    processes: int = Field(default=1, ge=0)


class Again(_Model):
    """Rounds of imitation after the first.

    In each ``games`` more are recorded, in which what has been learnt so far gives a share (``noise``) of the orders of the
    teacher's side, and the teacher tells what it would have done: so it learns what to do where its own errors lead. Then it
    learns from all that has been recorded.
    """

    rounds: int = Field(default=1, ge=1)
    games: int = Field(default=500, ge=1)
    noise: float = Field(default=0.5, gt=0.0, le=1.0)


class Imitation(_Model):
    """What is learnt before PPO from recorded decisions of other policies."""

    demonstrations: DemonstrationConfig
    again: Again | None = None
    learning: ImitationConfig = ImitationConfig()
    place: str = "local"
    processes: int = Field(default=0, ge=0)

    @property
    def rounds(self) -> int:
        """How often is recorded and learnt."""
        return 1 + (self.again.rounds if self.again is not None else 0)

    def shown(self, number: int, model: Path | None) -> DemonstrationConfig:
        """What is recorded in a round. ``model``: what had been learnt by then, None before anything has."""
        first = self.demonstrations
        if self.again is None or model is None:
            return first
        own = {"games": self.again.games, "noise": self.again.noise, "noisy": f"learned:{model}"}
        # battles are drawn by the seed and the number of the game: far enough off none comes again
        return first.model_copy(update={**own, "seed": first.seed + _ANOTHER_SEED * number})


class RunConfig(_Model):
    """A whole run. ``reward`` has no ``gamma`` of its own: it is that of ``ppo``, or shaping would change what is best.

    ``command`` is what the run was begun with: the program fills it in.
    """

    name: str
    about: str = ""
    seed: int = Field(default=0, ge=0)
    threads: int = Field(default=1, ge=1)
    network: str | NetworkSizes = "default"
    start: str = ""
    imitation: Imitation | None = None
    reward: RewardConfig = RewardConfig()
    curriculum: Annotated[tuple[Stage, ...], Field(min_length=1)]
    ppo: Ppo = Ppo()
    league: League = League()
    evaluation: Evaluation
    command: str = ""
    checkpoint_every: int = Field(default=1, ge=1)
    keep_checkpoints: int = Field(default=2, ge=1)

    @model_validator(mode="after")
    def _hangs_together(self) -> RunConfig:
        if "gamma" in self.reward.model_fields_set and self.reward.gamma != self.ppo.gamma:
            raise ValueError(f"reward.gamma, {self.reward.gamma}, must be ppo.gamma, {self.ppo.gamma}: leave it out")
        ends = [stage.until for stage in self.curriculum]
        if ends != sorted(set(ends)) or ends[-1] != 1.0:
            raise ValueError("curriculum: until of the stages must rise, to 1 in the last")
        if self.start and self.imitation is not None:
            raise ValueError("start and imitation: weights come from one of them")
        return self

    @property
    def sizes(self) -> NetworkSizes:
        """Widths of the network."""
        return named_sizes(self.network) if isinstance(self.network, str) else self.network

    @property
    def rewards(self) -> RewardConfig:
        """What the learner is paid, with its own discount."""
        return self.reward.model_copy(update={"gamma": self.ppo.gamma})

    @property
    def rollouts(self) -> int:
        """How many updates the run has: as many steps as are asked for, or a little more."""
        return -(-self.ppo.steps // self.ppo.per_rollout)

    @property
    def battle_sets(self) -> tuple[Battles, ...]:
        """All sets of the curriculum, each once, in order."""
        return tuple({battles.name: battles for stage in self.curriculum for battles in stage.battles}.values())

    def check(self) -> None:
        """Raises :class:`InputError` for sets, rulesets, policies or sizes that there are not, before anything has begun."""
        _ = self.sizes
        for battles in (*self.battle_sets, *self.evaluation.scenarios):
            battles.config()
        for code in (*self.league.opponents, *self.evaluation.opponents):
            make(code)
        if self.imitation is not None:
            self.imitation.demonstrations.check()


@lru_cache(maxsize=1)
def config_names() -> tuple[str, ...]:
    """The configs that ship."""
    names = (p.name.removesuffix(".yaml") for p in files(FOLDER).iterdir() if p.name.endswith(".yaml"))
    return tuple(sorted(name for name in names if not name.startswith(_OTHERS)))


def load_config(given: str, sets: Sequence[str] = ()) -> RunConfig:
    """A config by its name or from a file, with ``KEY=VALUE`` changes. Raises :class:`InputError` for what cannot be used."""
    if given in config_names():
        text, source = files(FOLDER).joinpath(f"{given}.yaml").read_text(encoding="utf-8"), f"{given}.yaml"
    elif Path(given).suffix.lower() in (".yaml", ".yml", ".json"):
        source = given
        try:
            text = Path(given).read_text(encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", source=given, place="CONFIG") from None
    else:
        raise InputError(
            f"there is no config {given!r}: use {', '.join(config_names())}, or the path of a YAML file",
            place="CONFIG",
            hint=nearest(given, config_names()),
        )
    data = load_yaml(text)
    if not isinstance(data, dict):
        raise InputError("is no table of settings", source=source)
    for one in sets:
        change(data, one)
    config: RunConfig = checked(RunConfig, data, source=source)
    config.check()
    return config


def change(data: dict[str, Any], wish: str) -> None:
    """Change one setting in place: ``ppo.steps=50000``, ``curriculum.0.until=0.5``; the value is read as YAML.

    Raises :class:`InputError` for what is no such wish. Whether there is such a setting is seen when the config is checked.

    >>> data = {"ppo": {"steps": 1}}
    >>> change(data, "ppo.steps=50")
    >>> data
    {'ppo': {'steps': 50}}
    """
    key, sign, value = wish.partition("=")
    if not sign or not re.fullmatch(r"[\w-]+(\.[\w-]+)*", key.strip()):
        raise InputError(f"{wish!r} is no KEY=VALUE, as ppo.steps=50000", place="--set")
    *way, last = key.strip().split(".")
    inner: Any = data
    for step in way:
        if isinstance(inner, list):
            inner = inner[_place(inner, step, wish)]
        elif isinstance(inner, dict):
            if inner.get(step) is None:
                inner[step] = {}
            inner = inner[step]
        else:
            raise InputError(f"{wish!r}: there is nothing below {step}", place="--set")
    if isinstance(inner, list):
        inner[_place(inner, last, wish)] = load_yaml(value)
    elif isinstance(inner, dict):
        inner[last] = load_yaml(value)
    else:
        raise InputError(f"{wish!r}: there is nothing below {'.'.join(way)}", place="--set")


def _place(row: list[Any], word: str, wish: str) -> int:
    if not word.isdigit() or int(word) >= len(row):
        raise InputError(f"{wish!r}: {word} is no number from 0 to {len(row) - 1}", place="--set")
    return int(word)


__all__ = [
    "Battles", "Evaluation", "Imitation", "League", "Ppo", "RunConfig", "Stage", "change", "config_names", "load_config",
]  # fmt: skip
