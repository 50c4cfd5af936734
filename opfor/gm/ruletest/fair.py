"""Is this battle fair: what many games from where it stands say of each side's chances, its length, and who comes home."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from opfor.formats.battle_file.battle import Battle
from opfor.gm.arena.match import sides_of
from opfor.gm.arena.statistics import wilson
from opfor.gm.ruletest.plays import Record
from opfor.state import State

#: the part of games that a likely range holds
LIKELY = 0.8


def outlook(battle: Battle, codes: Sequence[str], records: Iterable[Record]) -> dict[str, Any]:
    """The published document of games played from a battle.

    ``{"battle", "turn", "phase", "games", "policies", "chances", "length", "losses", "units"}``: chances are shares of games
    with their 95 % intervals (Wilson's), a draw among them; ranges hold the middle 80 % of games; units are those that the
    battle still has, the likeliest to be lost first.
    """
    games = [record for record in records if not record.get("error") and not record.get("violations")]
    state = battle.state
    living = [unit for unit in state.units if unit.alive]
    return {
        "battle": battle.name,
        "turn": state.turn,
        "phase": state.phase,
        "games": len(games),
        "policies": dict(zip(state.sides, codes, strict=True)),
        "chances": [{"side": name, **chance_of(games, name)} for name in (*state.sides, "draw")],
        "length": {"turns": _spread([record["turns"] for record in games]), "last_turn": state.limit},
        "losses": [_losses(games, state, side) for side in range(len(state.sides))],
        "units": sorted(
            [_unit(games, unit.id, unit.name, state.sides[unit.side]) for unit in living],
            key=lambda row: -row["lost"]["chance"],
        ),
    }


def chance_of(games: Sequence[Record], side: str) -> dict[str, Any]:
    """How often a side (or ``draw``) came out of the games: ``{"games", "chance", "interval"}``."""
    return _share(sum(1 for record in games if record["side"] == side), len(games))


def _share(count: int, games: int) -> dict[str, Any]:
    rate = count / games if games else 0.0
    return {"games": count, "chance": round(rate, 4), "interval": [round(edge, 4) for edge in wilson(rate, games)]}


def _losses(games: Sequence[Record], state: State, side: int) -> dict[str, Any]:
    """Units and worth that a side loses from here on."""
    name = state.sides[side]
    living = {unit.id for unit in state.units if unit.alive and unit.side == side}
    before = sides_of(state)[side]["bv_lost"]
    lost = [sum(1 for row in record["units"] if row["unit"] in living and row["lost"]) for record in games]
    worth = [row["bv_lost"] - before for record in games for row in record["sides"] if row["side"] == name]
    return {"side": name, "units": len(living), "lost": _spread(lost), "worth_lost": _spread(worth)}


def _unit(games: Sequence[Record], id: str, name: str, side: str) -> dict[str, Any]:
    rows = [row for record in games for row in record["units"] if row["unit"] == id]
    lost, gone = sum(1 for row in rows if row["lost"]), sum(1 for row in rows if row["gone"] and not row["lost"])
    return {"unit": id, "name": name, "side": side, "lost": _share(lost, len(games)), "left_map": _share(gone, len(games))}


def _spread(values: Sequence[float]) -> dict[str, Any]:
    """The middle of some numbers, and the range of the middle 80 %: both ends are numbers that there are."""
    if not values:
        return {"median": 0, "likely": [0, 0]}
    ordered = sorted(values)
    cut = round((1 - LIKELY) / 2 * (len(ordered) - 1))
    return {"median": median(ordered), "likely": [ordered[cut], ordered[-1 - cut]]}


def fits(row: Mapping[str, Any], wished: float) -> bool:
    """Whether a chance cannot be told from the wished one by its games."""
    low, high = row["interval"]
    return bool(low <= wished <= high)


__all__ = ["LIKELY", "chance_of", "fits", "outlook"]
