"""Battles drawn by seed: two forces of like worth on a board, deployed and ready for the first turn."""

from __future__ import annotations

import random
from collections.abc import Sequence

from opfor.board.library import board_names
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.library import board_named
from opfor.gm.starting.budget import Raised, raise_force
from opfor.gm.starting.deployment import STYLES
from opfor.gm.starting.muster import Recruit
from opfor.gm.starting.new_battle import Opening, new_battle
from opfor.tables import table
from opfor.units.spec import KINDS


def recruits(raised: Raised) -> list[Recruit]:
    """A force that was raised, as recruits."""
    return [Recruit(spec.name, spec) for spec in raised.specs]


def random_opening(
    seed: int,
    *,
    board: str = "",
    budget: int = 0,
    measure: str = "bv",
    kinds: Sequence[str] = ("mech",),
    ruleset: str = "campaign",
    era: int = 0,
    count: int = 0,
    limit: int | None = None,
    edges: tuple[str, str] | None = None,
    styles: tuple[str, str] | None = None,
    name: str = "",
) -> Opening:
    """The makings of a battle drawn by ``seed``; what is given is not drawn.

    ``board`` is the name of a built-in board, ``budget`` in Battle Value or tons (``measure``), ``count`` how many
    units a side has (0: as the budget suggests). The Op Force gets what the players' force comes to, with as many units.
    Raises :class:`opfor.errors.InputError`.
    """
    draw = random.Random(f"scenario {seed}")
    rows = table("starting")
    most = int(rows["random_board"])
    grounds = {known: board_named(known).grid for known in board_names()}
    drawn_board = draw.choice([known for known, grid in grounds.items() if max(grid.width, grid.height) <= most])
    low, high = rows["random_budget"][measure]
    drawn_budget = draw.randrange(low, high + 1)
    drawn_edges = draw.choice((("south", "north"), ("north", "south"), ("west", "east"), ("east", "west")))
    drawn_styles = (draw.choice(STYLES[:3]), draw.choice(STYLES[:3]))
    chosen = board_named(board or drawn_board)
    # so that the order in which kinds are named does not matter
    kinds = [kind for kind in KINDS if kind in kinds]
    first = raise_force(budget or drawn_budget, measure, seed=seed, kinds=kinds, era=era, count=count)
    second = raise_force(first.total, measure, seed=seed + 1, kinds=kinds, era=era, count=len(first.specs))
    return Opening(
        name=name or f"Battle {seed}",
        board=chosen.name,
        ground=chosen,
        forces=[recruits(first), recruits(second)],
        ruleset=ruleset,
        edges=edges or drawn_edges,
        styles=styles or drawn_styles,
        seed=seed,
        limit=int(rows["random_limit"]) if limit is None else limit,
        remarks=[f"Drawn at random, seed {seed}.", f"The players: {first.remarks[0]}.", f"The Op Force: {second.remarks[0]}."],
    )


def scenario(
    seed: int,
    *,
    board: str = "",
    budget: int = 0,
    measure: str = "bv",
    kinds: Sequence[str] = ("mech",),
    ruleset: str = "campaign",
    era: int = 0,
    limit: int | None = None,
) -> Battle:
    """A battle drawn by ``seed``, ready for its first turn; ``scenario(1).state`` is what policies play.

    See :func:`random_opening`.
    """
    opening = random_opening(
        seed, board=board, budget=budget, measure=measure, kinds=kinds, ruleset=ruleset, era=era, limit=limit
    )
    return read_battle(new_battle(opening), source=opening.name)
