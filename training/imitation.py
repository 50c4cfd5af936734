"""Learning to choose as recorded teachers did: what is asked and seen goes in, the option that was taken is to come out.

    python -m training.imitation CONFIG --out DIR

records play (:mod:`training.demonstrations`) and learns from it; both go on where they were stopped. The page:
docs/imitation.md.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor, nn

from envs.observation import ACTIONS
from opfor.errors import InputError
from opfor.formats.battle_file.history import write_atomic
from opfor.tables import load_yaml
from training.battles import checked
from training.demonstrations import DemonstrationConfig, record
from training.demonstrations_shards import QUESTION_NAMES
from training.imitation_data import Batch, Demonstrations
from training.imitation_state import load_state, load_weights, save_state, save_weights
from training.network import SlotScorer

STATE, BEST, LOG = "state.safetensors", "best.safetensors", "imitation.csv"
#: the row of the log that counts all questions
ALL = "all"
_COLUMNS = ("epoch", "part", "question", "steps", "loss", "accuracy", "value_loss", "seconds")


class ImitationConfig(BaseModel):
    """How it is learnt.

    ``epochs``: times that all is gone through, fewer when the choice on held-out games has not got better for ``patience``.
    ``learning_rate`` falls along a cosine to ``last_learning_rate``. ``value_weight``: how much the error of the value (win 1,
    draw 0, loss -1) counts beside that of the choice. ``held_out``: the share of games that is judged on. ``window``: files
    that steps are shuffled within, which is what the memory goes by. ``device``: auto, cpu or cuda.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    epochs: int = Field(default=10, ge=1)
    patience: int = Field(default=2, ge=1)
    batch: int = Field(default=512, ge=1)
    learning_rate: float = Field(default=2e-3, gt=0.0)
    last_learning_rate: float = Field(default=1e-4, ge=0.0)
    weight_decay: float = Field(default=1e-4, ge=0.0)
    value_weight: float = Field(default=0.25, ge=0.0)
    max_gradient: float = Field(default=1.0, gt=0.0)
    held_out: float = Field(default=0.1, gt=0.0, lt=1.0)
    window: int = Field(default=8, ge=1)
    device: str = "auto"
    tensorboard: bool = False
    seed: int = Field(default=0, ge=0)


@dataclass(frozen=True, slots=True)
class ImitationReport:
    """What was learnt. ``loss``, ``accuracy`` and ``value_loss`` are those of the best epoch on held-out games."""

    weights: str
    epochs: int
    best_epoch: int
    steps: int
    loss: float
    accuracy: float
    value_loss: float
    by_question: dict[str, float]
    seconds: float


class Tally:
    """Sums over steps: of the loss, of choices that are the teacher's, of the error of the value; by question."""

    def __init__(self) -> None:
        self._sums = np.zeros((4, len(QUESTION_NAMES)))

    def add(self, batch: Batch, losses: Tensor, right: Tensor, errors: Tensor) -> None:
        """Count a batch: a number a step of each, shape (n,)."""
        columns = (None, *(one.detach().cpu().numpy() for one in (losses, right, errors)))
        for row, column in enumerate(columns):
            self._sums[row] += np.bincount(batch.question, weights=column, minlength=len(QUESTION_NAMES))

    def rows(self) -> list[tuple[Any, ...]]:
        """(question, steps, loss, accuracy, value loss), over all questions first; those that were not asked are left out."""
        found = [(ALL, self._sums.sum(axis=1))]
        found += [(name, column) for name, column in zip(QUESTION_NAMES, self._sums.T, strict=True) if column[0]]
        return [(name, int(n), *(float(one) / max(int(n), 1) for one in sums)) for name, (n, *sums) in found]


class _Learner:
    """A network being taught: batches in, sums out."""

    def __init__(self, config: ImitationConfig, network: nn.Module) -> None:
        self.config = config
        self.device = device_named(config.device)
        self.network = network.to(self.device)
        self.optimiser = torch.optim.AdamW(network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
        self._places = torch.arange(ACTIONS, device=self.device)

    def _judged(self, batch: Batch, tally: Tally) -> Tensor:
        """The loss of a batch, counted."""
        obs, legal, action, value = (
            torch.from_numpy(one).to(self.device) for one in (batch.obs, batch.legal, batch.action, batch.value)
        )
        logits, told = self.network(obs)
        logits = logits.masked_fill(self._places >= legal[:, None], -math.inf)
        losses = nn.functional.cross_entropy(logits, action, reduction="none")
        errors = (told - value).square()
        tally.add(batch, losses, (logits.argmax(dim=1) == action).float(), errors)
        loss: Tensor = losses.mean() + self.config.value_weight * errors.mean()
        return loss

    def learn(self, batch: Batch, rate: float, tally: Tally) -> None:
        """Take one step downhill."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.network.train()
        self.optimiser.zero_grad(set_to_none=True)
        self._judged(batch, tally).backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), self.config.max_gradient)
        self.optimiser.step()

    def judge(self, data: Demonstrations) -> Tally:
        """How it does on the games held out."""
        tally = Tally()
        self.network.eval()
        with torch.no_grad():
            for batch in data.batches("held-out", self.config.batch, window=self.config.window):
                self._judged(batch, tally)
        return tally


def imitate(
    config: ImitationConfig,
    folders: Sequence[str | Path],
    network: nn.Module,
    out: str | Path,
    *,
    tell: Callable[[str], None] | None = None,
) -> ImitationReport:
    """Teach a network by the recorded play in ``folders``; in the end it has the weights that did best on held-out games.

    ``network``: observations, shape (n, SIZE), in; logits, shape (n, ACTIONS), and values, shape (n,), out. ``out`` takes the
    log (``imitation.csv``), the best weights (``best.safetensors``) and, after each epoch, all that is needed to go on: a run
    that is killed and begun again ends with the same weights as one that was not, on one thread of the same machine. ``tell``
    is given a line for each epoch.

    Raises :class:`InputError` for recorded play that cannot be used, or an ``out`` that was begun with other settings.
    """
    out = Path(out)
    data = Demonstrations(folders, config.held_out)
    if not data.games["held-out"]:
        source = ", ".join(map(str, folders))
        raise InputError("none of its games is held out", source=source, hint="record more games, or raise held_out")
    torch.manual_seed(config.seed)
    learner = _Learner(config, network)
    begun = {"config": json.loads(config.model_dump_json()), "files": len(data.files), "steps": data.steps}
    facts: dict[str, Any] = {**begun, "epochs": 0, "best": None, "best_epoch": 0, "log": [], "seconds": 0.0}
    if (out / STATE).exists():
        facts = load_state(out / STATE, network, learner.optimiser)
        if differing := [name for name, value in begun.items() if facts.get(name) != value]:
            raise InputError(
                f"was begun with other {', '.join(differing)}", source=str(out), hint="give another folder, or delete it"
            )
    out.mkdir(parents=True, exist_ok=True)
    board = _board(out) if config.tensorboard else None
    while facts["epochs"] < config.epochs and facts["epochs"] - facts["best_epoch"] < config.patience:
        started = time.perf_counter()
        epoch = facts["epochs"] + 1
        tallies = {"train": _epoch(learner, data, facts["epochs"]), "held-out": learner.judge(data)}
        seconds = round(time.perf_counter() - started, 1)
        rows = [[epoch, part, *_rounded(row), seconds] for part, tally in tallies.items() for row in tally.rows()]
        # the choice alone: games held out are few, and how they end is mostly luck
        score = tallies["held-out"].rows()[0][2]
        if not math.isfinite(score):
            raise InputError(f"the loss of epoch {epoch} is no number", source=str(out), hint="a lower learning_rate")
        facts |= {"epochs": epoch, "log": facts["log"] + rows, "seconds": facts["seconds"] + seconds}
        if facts["best"] is None or score < facts["best"]:
            facts |= {"best": score, "best_epoch": epoch}
            save_weights(network, out / BEST)
        # the state comes last: an epoch that it does not know of is gone through again, and comes to the same
        write_atomic(out / LOG, _csv(facts["log"]))
        save_state(out / STATE, network, learner.optimiser, facts)
        if board is not None:
            _show(board, epoch, rows)
        if tell is not None:
            tell(_words(epoch, config.epochs, rows))
    load_weights(network, out / BEST)
    return _report(out, facts)


def _epoch(learner: _Learner, data: Demonstrations, number: int) -> Tally:
    """Go through all games to learn from once, in an order of its own."""
    config = learner.config
    tally = Tally()
    done = 0
    chance = np.random.default_rng([config.seed, number])
    for batch in data.batches("train", config.batch, window=config.window, chance=chance):
        learner.learn(batch, rate_at(config, (number + min(1.0, done / data.steps)) / config.epochs), tally)
        done += len(batch.action)
    return tally


def rate_at(config: ImitationConfig, share: float) -> float:
    """The learning rate when that share of all epochs is done, 0 to 1.

    >>> config = ImitationConfig(learning_rate=0.5, last_learning_rate=0.25)
    >>> rate_at(config, 0.0), rate_at(config, 0.5), rate_at(config, 1.0)
    (0.5, 0.375, 0.25)
    """
    first, last = config.learning_rate, config.last_learning_rate
    return last + (first - last) * (1.0 + math.cos(math.pi * share)) / 2.0


def device_named(name: str) -> torch.device:
    """A device to reckon on; ``auto`` is a graphics card where there is one.

    Raises :class:`InputError` for one that is not there.
    """
    try:
        device = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise InputError(f"there is no device {name!r}: {str(error).splitlines()[0]}", place="device") from None
    return device


# -- what is written ---------------------------------------------------------------------------------------------------------


def _rounded(row: tuple[Any, ...]) -> list[Any]:
    name, steps, *numbers = row
    return [name, steps, *(round(number, 5) for number in numbers)]


def _csv(rows: list[list[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(rows)
    return out.getvalue()


def _words(epoch: int, epochs: int, rows: list[list[Any]]) -> str:
    told = [f"{row[1]} loss {row[4]:.3f}, as the teacher {row[5]:.1%}, value {row[6]:.3f}" for row in rows if row[2] == ALL]
    return f"epoch {epoch} of {epochs}: {'; '.join(told)}; {rows[0][-1]:.0f} s"


def _report(out: Path, facts: dict[str, Any]) -> ImitationReport:
    best = [row for row in facts["log"] if row[0] == facts["best_epoch"] and row[1] == "held-out"]
    _, _, _, _, loss, accuracy, error, _ = best[0]
    return ImitationReport(
        weights=str(out / BEST),
        epochs=facts["epochs"],
        best_epoch=facts["best_epoch"],
        steps=facts["steps"],
        loss=loss,
        accuracy=accuracy,
        value_loss=error,
        by_question={row[2]: row[5] for row in best[1:]},
        seconds=round(facts["seconds"], 1),
    )


def _board(out: Path) -> Any:
    """Curves for tensorboard. Raises :class:`InputError` where that is not installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise InputError("tensorboard is not installed", place="tensorboard", hint="pip install tensorboard") from None
    return SummaryWriter(str(out / "tensorboard"))


def _show(board: Any, epoch: int, rows: list[list[Any]]) -> None:
    for _, part, question, _, loss, accuracy, error, _ in rows:
        for what, value in (("loss", loss), ("accuracy", accuracy), ("value_loss", error)):
            board.add_scalar(f"{part}/{what}/{question}", value, epoch)
    board.flush()


# -- the command -------------------------------------------------------------------------------------------------------------


class ImitationRun(BaseModel):
    """A config file: what is recorded, how it is learnt, and the network's sizes by name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    network: str = "default"
    demonstrations: DemonstrationConfig = DemonstrationConfig()
    imitation: ImitationConfig = ImitationConfig()


def read_run(path: str | Path) -> ImitationRun:
    """A config from a YAML file. Raises :class:`InputError` saying what is wrong where."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", source=str(path)) from None
    run: ImitationRun = checked(ImitationRun, load_yaml(text), source=str(path))
    return run


def main(arguments: list[str] | None = None) -> int:
    """Record, learn, report: one JSON document on standard output, all else on standard error."""
    parser = argparse.ArgumentParser(prog="python -m training.imitation", description=__doc__.splitlines()[0])
    parser.add_argument("config", help="YAML file: network, demonstrations, imitation")
    parser.add_argument("--out", default="imitation", help="folder for recorded play and weights (imitation)")
    parser.add_argument("--jobs", type=int, default=0, help="blocks of games recorded at a time (0: one for each core)")
    parser.add_argument("--on", default="local", help="where games are played: local or ray")
    parser.add_argument("--threads", type=int, default=1, help="threads to learn with (1: always the same weights)")
    options = parser.parse_args(arguments)
    try:
        run = read_run(options.config)
        out = Path(options.out)
        recorded = record(run.demonstrations, out / "games", jobs=options.jobs, on=options.on, tell=_tell)
        torch.set_num_threads(options.threads)
        torch.manual_seed(run.imitation.seed)
        report = imitate(run.imitation, [out / "games"], SlotScorer(run.network), out, tell=_tell)
    except InputError as error:
        _tell(f"error: {error}")
        return 1
    except KeyboardInterrupt:
        _tell("stopped: the same command goes on")
        return 130
    print(json.dumps({"recorded": asdict(recorded), "learnt": asdict(report)}, indent=1))
    return 0


def _tell(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())


__all__ = ["ImitationConfig", "ImitationReport", "ImitationRun", "imitate", "rate_at", "read_run"]
