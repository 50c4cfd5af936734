"""Named sets of battles to train and to be judged on, drawn by seed: thousands of different ones out of a few lines of data.

A set is a :class:`ScenarioConfig` in ``configs/scenarios/``, one of your own, or a battle file. Its battles are made as the
game master's drawn battles are (:mod:`opfor.gm.starting`): forces to a budget, deployed along their edges.

``train`` and ``held-out`` never share a battle. They draw from streams of chance of their own; a board belongs to one of them
by the set's list, a force to one of them by a checksum of its unit types (and a mix of
switches by its own). So a policy is judged on ground, forces and dice
that it has not met. With a battle file there is one ground and one pair of forces: only the dice are others.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from opfor.board.board import Board
from opfor.board.library import board_names, find_board
from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle import load_battle
from opfor.formats.battle_file.battle_turn import PHASES_OF
from opfor.formats.library import board_named
from opfor.gm.starting.budget import Raised, era_from, kinds_from, raise_force
from opfor.gm.starting.deployment import EDGES, STYLES, check_edge, check_style
from opfor.gm.starting.mixes import turned_ruleset
from opfor.gm.starting.new_battle import Opening, fresh_state
from opfor.gm.starting.scenarios import recruits
from opfor.rulesets import Ruleset, named_ruleset, read_ruleset
from opfor.state import State
from opfor.tables import load_yaml, table
from opfor.units.spec import KINDS, UnitSpec

SPLITS = ("train", "held-out")
#: one force in so many is held out
HELD_OUT_SHARE = 4
#: how often a force is drawn anew before the set is said to have none
TRIES = 1000
_SEEDS = 2**31

_T = TypeVar("_T")

Span = tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Mixes(_Model):
    """Rulesets mixed at random: ``count`` of them, each ``base`` with ``switches`` switches turned to other values."""

    base: str = "standard"
    switches: int = Field(default=6, ge=1)
    count: int = Field(default=64, ge=1)


class ScenarioConfig(_Model):
    """A set of battles. A pair of numbers is the least and the most; what is a list is drawn from.

    ``units`` a side, ``budget`` of the first side in Battle Value or tons (``measure``), ``odds`` what the second side gets as
    a share of the first's sum. ``kinds``: lists of kinds, one of which both forces are raised from. ``draws``: how many
    selections a force is the best of. ``boards``: () for all of one map sheet; ``held_out_boards`` are never drawn in
    training, and nothing else is drawn when held out. ``battles``: battle files, in place of all else.
    """

    name: str
    about: str = ""
    battles: tuple[str, ...] = ()
    rulesets: Annotated[tuple[str | dict[str, Any], ...], Field(min_length=1)] = ("standard",)
    mixes: Mixes | None = None
    boards: tuple[str, ...] = ()
    held_out_boards: tuple[str, ...] = ("market-town", "red-canyon")
    units: Span = (4, 4)
    measure: Literal["bv", "tons"] = "bv"
    budget: Span = (3500, 7000)
    odds: tuple[Annotated[float, Field(gt=0)], Annotated[float, Field(gt=0)]] = (0.9, 1.1)
    kinds: Annotated[tuple[tuple[str, ...], ...], Field(min_length=1)] = (("mech",),)
    era: int | str = 0
    draws: int = Field(default=2, ge=1)
    limit: Span = (12, 12)
    styles: Annotated[tuple[str, ...], Field(min_length=1)] = STYLES[:3]
    edges: Annotated[tuple[tuple[str, str], ...], Field(min_length=1)] = (
        ("south", "north"), ("north", "south"), ("west", "east"), ("east", "west"),
    )  # fmt: skip

    @model_validator(mode="after")
    def _hangs_together(self) -> ScenarioConfig:
        for key in ("units", "budget", "odds", "limit"):
            least, most = getattr(self, key)
            if least > most:
                raise ValueError(f"{key}: the least, {least}, is more than the most, {most}")
        return self


@lru_cache(maxsize=1)
def scenario_names() -> tuple[str, ...]:
    """The sets that ship."""
    folder = files("configs.scenarios")
    return tuple(sorted(p.name.removesuffix(".yaml") for p in folder.iterdir() if p.name.endswith(".yaml")))


def named_scenario(name: str) -> ScenarioConfig:
    """A set that ships, by its name. Raises :class:`InputError` with the nearest name when there is none."""
    word = "-".join(name.strip().lower().split())
    if word not in scenario_names():
        raise InputError(
            f"there is no scenario {name!r}: use {', '.join(scenario_names())}, or the path of a battle file",
            place="scenario",
            hint=nearest(word, scenario_names()),
        )
    return _checked(load_yaml(files("configs.scenarios").joinpath(f"{word}.yaml").read_text(encoding="utf-8")), name)


def scenario_from(given: str | Path | ScenarioConfig) -> ScenarioConfig:
    """A set by its name, itself, or from a file: a set's own, or a battle file. Raises :class:`InputError`."""
    if isinstance(given, ScenarioConfig):
        return given
    path = Path(given)
    if isinstance(given, str) and path.suffix.lower() not in (".yaml", ".yml", ".json"):
        return named_scenario(given)
    try:
        data = load_yaml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", source=str(path), place="scenario") from None
    if isinstance(data, dict) and not {"opfor", "sides"} & data.keys():
        return _checked(data, str(path))
    return ScenarioConfig(name=path.stem, battles=(str(path),))


def _checked(data: Any, source: str) -> ScenarioConfig:
    try:
        return ScenarioConfig.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(first["msg"], source=source, place=".".join(map(str, first["loc"]))) from None


class Scenarios:
    """The battles of a set. The same set, split and seed give the same battle."""

    def __init__(
        self, scenario: str | Path | ScenarioConfig = "skirmish", *, ruleset: str | None = None, split: str = "train"
    ) -> None:
        """``ruleset`` in place of those of the set. Raises :class:`InputError` for anything that is not there."""
        if split not in SPLITS:
            raise InputError(f"there is no split {split!r}: use {' or '.join(SPLITS)}", place="split")
        self.config = config = scenario_from(scenario)
        self.split = split
        self.rulesets = _rulesets(config, ruleset, split)
        self.boards = _boards(config, split)
        self._kinds = [tuple(k for k in KINDS if k in kinds_from(",".join(kinds))) for kinds in config.kinds]
        self._era = era_from(config.era)
        for edges in config.edges:
            if len({check_edge(edge) for edge in edges}) < len(edges):
                raise InputError(f"both sides start at the {edges[0]} edge", place="edges")
        for style in config.styles:
            check_style(style)
        self._battles = [self._from_file(path, ruleset) for path in config.battles]

    def draw(self, seed: int) -> State:
        """A battle before its first turn (or as its file has it), the caller's own. About a millisecond or less.

        Raises :class:`InputError` when no force of the set's units can be raised for its budget.
        """
        # random() is the method whose stream Python promises to keep across versions
        draw = random.Random(f"{self.split} {self.config.name} {seed}").random
        if self._battles:
            return _one_of(self._battles, draw).copy()
        config = self.config
        board = _one_of(self.boards, draw)
        ruleset = _one_of(self.rulesets, draw)
        forces = self._forces(draw)
        opening = Opening(
            name=f"{config.name} {seed}",
            board=board.name,
            ground=board,
            forces=[recruits(force) for force in forces],
            edges=_one_of(config.edges, draw),
            styles=(_one_of(config.styles, draw), _one_of(config.styles, draw)),
            seed=int(draw() * _SEEDS),
            limit=_between(config.limit, draw),
        )
        return fresh_state(opening, ruleset)

    # -- within -----------------------------------------------------------------------------------------------------------

    def _forces(self, draw: Callable[[], float]) -> tuple[Raised, Raised]:
        """Two forces of this split, of like worth."""
        config = self.config
        kinds = _one_of(self._kinds, draw)
        count = _between(config.units, draw)
        first = self._raised(lambda: _between(config.budget, draw), kinds, count, draw)
        low, high = config.odds
        second = self._raised(lambda: round(first.total * (low + (high - low) * draw())), kinds, count, draw)
        return first, second

    def _raised(self, budget: Callable[[], int], kinds: Sequence[str], count: int, draw: Callable[[], float]) -> Raised:
        config = self.config
        for _ in range(TRIES):
            try:
                found = raise_force(
                    budget(), config.measure, seed=int(draw() * _SEEDS), kinds=kinds, era=self._era, count=count,
                    draws=config.draws,
                )  # fmt: skip
            except InputError:
                # nothing is that cheap: the next budget may be greater
                continue
            if len(found.specs) == count and split_of(found.specs) == self.split:
                return found
        raise InputError(
            f"no {count} units of {', '.join(kinds)} can be had for the budget of scenario {config.name} ({self.split})",
            place="budget",
        )

    def _from_file(self, path: str, ruleset: str | None) -> State:
        state = load_battle(path).state
        if ruleset is not None:
            state.ruleset = self.rulesets[0]
            if state.phase not in PHASES_OF[state.ruleset.turn_sequence]:
                raise InputError(f"it stands in the {state.phase} phase, which {ruleset} has not", source=path, place="ruleset")
        if state.winner is not None:
            raise InputError("the battle is over", source=path, place="scenario")
        return state


def split_of(force: Sequence[UnitSpec]) -> str:
    """The split that a force belongs to: by its unit types, in whatever order. One in :data:`HELD_OUT_SHARE` is held out."""
    return _split_by("\n".join(sorted([spec.name for spec in force])))


def _split_by(words: str) -> str:
    """One of so many texts is held out, always the same ones."""
    return SPLITS[zlib.crc32(words.encode()) % HELD_OUT_SHARE == 0]


def _one_of(these: Sequence[_T], draw: Callable[[], float]) -> _T:
    return these[int(draw() * len(these))]


def _between(span: tuple[int, int], draw: Callable[[], float]) -> int:
    return span[0] + int(draw() * (span[1] - span[0] + 1))


def _boards(config: ScenarioConfig, split: str) -> list[Board]:
    """The boards of a split."""
    held_out = {find_board(name) for name in config.held_out_boards}
    if split == "held-out":
        if not held_out and not config.battles:
            raise InputError(f"scenario {config.name} holds no boards out", place="held_out_boards")
        return [board_named(name) for name in sorted(held_out)]
    both = held_out.intersection(find_board(name) for name in config.boards)
    if both:
        raise InputError(f"{', '.join(sorted(both))} cannot be both drawn and held out", place="boards")
    if config.boards:
        return [board_named(name) for name in config.boards]
    most = int(table("starting")["random_board"])
    boards = [board_named(name) for name in board_names() if name not in held_out]
    return [board for board in boards if max(board.grid.width, board.grid.height) <= most]


def _rulesets(config: ScenarioConfig, given: str | None, split: str) -> list[Ruleset]:
    """The rulesets of a split: a mix that is held out is met there alone."""
    if given is not None:
        return [named_ruleset(given)]
    if config.mixes is None:
        return [read_ruleset(ruleset, base="standard") for ruleset in config.rulesets]
    found: dict[Ruleset, None] = {}
    draw = random.Random(f"mixes {config.name}").random
    for _ in range(TRIES * config.mixes.count):
        mixed = turned_ruleset(config.mixes.base, config.mixes.switches, draw)
        if _split_by(f"{sorted(mixed.values().items())}") == split:
            found[mixed] = None
        if len(found) == config.mixes.count:
            return list(found)
    raise InputError(f"there are no {config.mixes.count} mixes of {config.mixes.switches} switches", place="mixes.count")


__all__ = [
    "EDGES", "HELD_OUT_SHARE", "SPLITS", "STYLES", "Mixes", "ScenarioConfig", "Scenarios", "named_scenario", "scenario_from",
    "scenario_names", "split_of",
]  # fmt: skip
