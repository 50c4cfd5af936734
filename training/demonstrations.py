"""Recorded play to learn from: teachers command one side, and every small step of their decisions is written down.

A folder of games, ``demonstrations.json`` saying what they are. Each game follows from the seed and its number, so that a
recording that was stopped goes on with the blocks of games that are not there, and another machine records the same.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator

import opfor
from envs.layout import Flat
from envs.match import Match
from envs.observation import SIZE, VERSION, Observer
from envs.scenarios import Scenarios
from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.history import write_atomic
from opfor.game.game import Game
from opfor.gm.workers import run_jobs
from opfor.orders import Order
from opfor.rules.moving.compiling import use_compiled
from opfor.rulesets import rules_hash
from policies.base import Policy
from policies.registry import make
from training.battles import Battles
from training.demonstrations_shards import Pack, read_notes
from training.paths import actions_to

FORMAT = 1
MANIFEST = "demonstrations.json"
_SEEDS = 2**31


class DemonstrationConfig(BaseModel):
    """What is recorded. Lists are drawn from, game by game; sets of battles by their ``share``.

    ``teachers`` give the orders that are recorded, against ``opponents``; both are policies by their codes. With the chance
    ``noise`` of each decision the order that is played is that of the policy ``noisy``, and the teacher's is recorded all the
    same: so it is seen what a teacher does in positions that it would not have come to. ``both``: the opponent's orders are
    recorded, too. ``games`` are played in files of ``block`` games each, the last one filled up.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    teachers: Annotated[tuple[str, ...], Field(min_length=1)] = ("commander:fast",)
    opponents: Annotated[tuple[str, ...], Field(min_length=1)] = ("veteran",)
    scenarios: Annotated[tuple[Battles, ...], Field(min_length=1)] = (Battles(scenario="skirmish"),)
    split: str = "train"
    games: int = Field(default=1000, ge=1)
    block: int = Field(default=4, ge=1, le=256)
    noise: float = Field(default=0.0, ge=0.0, le=1.0)
    noisy: str = "random:tree"
    both: bool = False
    seed: int = Field(default=0, ge=0)

    @field_validator("scenarios", mode="before")
    @classmethod
    def _by_name(cls, given: Any) -> Any:
        """A set may be given by its name alone."""
        return (
            [{"scenario": one} if isinstance(one, str) else one for one in given] if isinstance(given, list | tuple) else given
        )

    @property
    def blocks(self) -> int:
        """How many files there are."""
        return -(-self.games // self.block)

    def check(self) -> None:
        """Raises :class:`InputError` for policies and sets of battles that there are not."""
        for code in (*self.teachers, *self.opponents, self.noisy):
            make(code)
        for battles in self.scenarios:
            Scenarios(battles.config(), split=self.split)


@dataclass(frozen=True, slots=True)
class Block:
    """Games that are recorded into one file."""

    config: DemonstrationConfig
    number: int

    @property
    def games(self) -> range:
        """The numbers of its games."""
        size = self.config.block
        return range(self.number * size, (self.number + 1) * size)

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"games-{self.games[0]:06d}-{self.games[-1]:06d}.npz"


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a recording came to. ``seconds`` and ``played`` are of this time alone, the rest of the whole folder."""

    folder: str
    games: int
    steps: int
    unreached: int
    faults: int
    bytes: int
    played: int
    seconds: float


# -- one game ----------------------------------------------------------------------------------------------------------------


class _Recorder:
    """Plays the games of a block and keeps their steps."""

    def __init__(self, config: DemonstrationConfig) -> None:
        self.config = config
        self.pack = Pack()
        self._flat: Flat = np.zeros(SIZE, dtype=np.float32)

    def play(self, number: int) -> None:
        """Play a game; one that a policy fails in is noted and left out."""
        config = self.config
        # random() is the method whose stream Python promises to keep across versions
        draw = random.Random(f"demonstrations {config.seed} {number}").random
        battles = _drawn(config, draw)
        teacher, opponent = (codes[int(draw() * len(codes))] for codes in (config.teachers, config.opponents))
        facts: dict[str, Any] = {"game": number, "scenario": battles.name, "teacher": teacher, "opponent": opponent}
        side = number % 2
        facts["side"] = side
        try:
            state = _scenarios(battles.model_dump_json(), config.split).draw(config.seed + number)
            match = Match(Game(state, SeededDice(int(draw() * _SEEDS))))
            seats = [make(code, int(draw() * _SEEDS)) for code in ((teacher, opponent) if side == 0 else (opponent, teacher))]
            noisy = make(config.noisy, int(draw() * _SEEDS)) if config.noise else None
            facts["unreached"] = self._fought(match, seats, side, noisy, draw, number)
        except (Exception, SystemExit) as error:
            # a night of games must not end with one that a policy fails in
            self.pack.drop()
            facts["fault"] = f"{type(error).__name__}: {error}"
            self.pack.end(-1, facts)
            return
        winner = -1 if state.winner is None else state.winner
        self.pack.end(winner, {**facts, "winner": winner, "turns": state.turn})

    def _fought(
        self, match: Match, seats: list[Policy], side: int, noisy: Policy | None, draw: Callable[[], float], number: int
    ) -> int:
        """Play to the end; returns how many orders could not be taken apart."""
        unreached = 0
        observer = Observer()
        while match.walk is not None:
            decision = match.walk.decision
            order = played = seats[decision.side].choose(decision, match.game.view(decision.side))
            if decision.side == side and noisy is not None and draw() < self.config.noise:
                played = noisy.choose(decision, match.game.view(decision.side))
            if decision.side == side or self.config.both:
                unreached += not self._kept(match, observer, order, number)
            match.give(played)
        return unreached

    def _kept(self, match: Match, observer: Observer, order: Order, number: int) -> bool:
        """Take the steps to an order, all but the last, and keep each with what is seen before it."""
        walk = match.walk
        assert walk is not None and walk.question is not None
        actions = actions_to(walk.question, order)
        if actions is None:
            return False
        for place, action in enumerate(actions, start=1):
            observer.observe(match, self._flat)
            self.pack.add(self._flat, walk.options + 1, action, number, walk.decision.side)
            if place < len(actions):
                match.step(action)
        return True


def _drawn(config: DemonstrationConfig, draw: Callable[[], float]) -> Battles:
    left = draw() * sum(battles.share for battles in config.scenarios)
    for battles in config.scenarios:
        left -= battles.share
        if left < 0:
            return battles
    return config.scenarios[-1]


@lru_cache(maxsize=16)
def _scenarios(battles: str, split: str) -> Scenarios:
    return Scenarios(Battles.model_validate_json(battles).config(), split=split)


def play_block(block: Block) -> tuple[bytes, int]:
    """Play the games of a block. Returns the file, and how many steps there are."""
    use_compiled()
    recorder = _Recorder(block.config)
    for number in block.games:
        recorder.play(number)
    return recorder.pack.written(), len(recorder.pack)


# -- the folder --------------------------------------------------------------------------------------------------------------


def record(
    config: DemonstrationConfig,
    folder: str | Path,
    *,
    jobs: int = 0,
    on: str = "local",
    tell: Callable[[str], None] | None = None,
) -> Recorded:
    """Record games into a folder, ``jobs`` blocks at a time (0: as many as there are cores), see :mod:`opfor.gm.workers`.

    What is there already is not played again. ``tell`` is given a line for each block.

    Raises :class:`InputError` for a folder that holds other play, or policies and battles that there are not.
    """
    folder = Path(folder)
    config.check()
    _begin(folder, config)
    missing = [block for block in map(partial(Block, config), range(config.blocks)) if not (folder / block.file).exists()]
    begun = time.perf_counter()
    played = steps = 0
    with closing(run_jobs(play_block, missing, on=on, count=jobs)) as done:
        for block, (data, found) in done:
            write_atomic(folder / block.file, data)
            played += config.block
            steps += found
            if tell is not None:
                minutes = (time.perf_counter() - begun) / 60.0
                tell(f"{played} of {len(missing) * config.block} games, {steps} steps, {played / minutes:.1f} games a minute")
    seconds = time.perf_counter() - begun
    files = recorded_files(folder)
    notes = [read_notes(path) for path in files]
    games = [game for one in notes for game in one["games"]]
    return Recorded(
        folder=str(folder),
        games=len(games),
        steps=sum(one["steps"] for one in notes),
        unreached=sum(game.get("unreached", 0) for game in games),
        faults=sum("fault" in game for game in games),
        bytes=sum(path.stat().st_size for path in files),
        played=played,
        seconds=seconds,
    )


def recorded_files(folder: str | Path) -> list[Path]:
    """The files of a recording, in order."""
    return sorted(Path(folder).glob("games-*.npz"))


def _begin(folder: Path, config: DemonstrationConfig) -> None:
    """Begin a recording, or go on with one. Raises :class:`InputError` where the folder holds other play."""
    if not (folder / MANIFEST).exists():
        folder.mkdir(parents=True, exist_ok=True)
        if recorded_files(folder):
            raise InputError(f"has games, but no {MANIFEST}", source=str(folder), hint="give another folder")
    else:
        manifest = read_manifest(folder)
        now = json.loads(config.model_dump_json())
        # more games may be added
        differing = [key for key in now if key != "games" and manifest["config"].get(key) != now[key]]
        if manifest["version"] != opfor.__version__:
            differing.append(f"the program's version ({manifest['version']})")
        if manifest.get("rules") != rules_hash():
            differing.append("the rules' data")
        if differing:
            raise InputError(
                f"was recorded with another value of {', '.join(differing)}", source=str(folder), hint="give another folder"
            )
    manifest = {
        "opfor_demonstrations": FORMAT,
        "version": opfor.__version__,
        "rules": rules_hash(),
        "observation": VERSION,
        "config": json.loads(config.model_dump_json()),
    }
    write_atomic(folder / MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """What a folder says of itself. Raises :class:`InputError` for one that holds no recorded play."""
    path = Path(folder) / MANIFEST
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["opfor_demonstrations"] != FORMAT or not isinstance(found["config"], dict):
            raise ValueError("of another format")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"is no record of recorded play: {error}", source=str(path)) from None
    return dict(found)


__all__ = [
    "MANIFEST", "Block", "DemonstrationConfig", "Recorded", "play_block", "read_manifest", "record",
    "recorded_files",
]  # fmt: skip
