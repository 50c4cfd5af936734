"""Battles made for what random ones seldom reach: small boards, little armour, short distances, rare weapons and ground.

They are data, ``configs/ruletest/coverage/battles.yaml``: each says what it ``shows``, and is passed over once all that it may
still show has been seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from opfor.formats.units import load_unit
from opfor.gm.ruletest.plays import PlayJob
from opfor.gm.ruletest.sources import Given
from opfor.tables import load_yaml
from opfor.units.catalogue import unit_named
from opfor.units.spec import ARMOR_NAMES, UnitSpec

SIDES = ("alpha", "bravo")
_FACING = ("S", "N")
_EDGES = ("north", "south")
#: what a battle's file says as it stands in ``battles.yaml``
_KEPT = ("zones", "actions", "markers", "initiative", "wind", "fires")
#: and of a unit
_ALSO = (
    "oc", "opportunity", "prone", "heat", "shutdown", "stuck", "club", "hidden", "keywords", "swarming", "dug_in", "bombs",
)  # fmt: skip


def folder() -> Path:
    """Where the battles lie, and the units made for them."""
    return Path(str(files("configs.ruletest.coverage")))


@cache
def made_battles() -> tuple[dict[str, Any], ...]:
    """The battles, as their file tells them."""
    return tuple(load_yaml((folder() / "battles.yaml").read_text(encoding="utf-8")))


def document(made: dict[str, Any], units: str = "") -> dict[str, Any]:
    """The battle file of a battle: its sides in two lines, facing each other. ``units``: the folder of units made for it."""
    split = int(made.get("split", 1))
    rows: list[dict[str, Any]] = []
    for side, entries in enumerate((made["sides"][:split], made["sides"][split:])):
        members = [entry for entry in entries for _ in range(entry.get("count", 1))]
        width = int(str(made["board"]["size"]).split("x")[0])
        for number, entry in enumerate(members):
            column = 1 + (2 * number + 1) * width // (2 * len(members))
            rows += _units(made, entry, side, f"{SIDES[side]}-{number + 1}", column, units)
    return {
        "opfor": 1,
        "name": made["name"],
        "ruleset": made["ruleset"],
        "board": _board(made["board"]),
        "mines": made.get("mines", {}),
        "phase": made.get("phase", "initiative"),
        "limit": made["limit"],
        "sides": {name: {"edge": edge, **made.get(name, {})} for name, edge in zip(SIDES, _EDGES, strict=True)},
        "units": rows,
        **{key: made[key] for key in _KEPT if key in made},
    }


def useful(left: Sequence[str]) -> list[dict[str, Any]]:
    """The battles that may show something of what is ``left`` (as ``group: entry``)."""
    return [one for one in made_battles() if any(word in entry for word in one["shows"] for entry in left)]


def jobs_of(battles: Sequence[dict[str, Any]], number: int, seed: int, *, checked: bool = True) -> list[PlayJob]:
    """A game of each battle, by its own policies; ``number`` counts the games of a battle, each with other dice."""
    found = []
    for made in battles:
        first, second = made["policies"]
        source = Given(made["name"], (document(made),), str(folder()))
        found.append(PlayJob(source, number, (first, second), seed=seed, checked=checked))
    return found


def _board(board: dict[str, Any]) -> dict[str, Any]:
    """A board; with ``fill`` every hex not named is of that terrain."""
    if "fill" not in board:
        return board
    columns, rows = map(int, str(board["size"]).split("x"))
    named = {str(row).split()[0] for row in board.get("rows", ())}
    hexes = [f"{c:02}{r:02}" for c in range(1, columns + 1) for r in range(1, rows + 1)]
    filled = [f"{hex} {board['fill']}" for hex in hexes if hex not in named]
    return {"size": board["size"], "rows": [*board.get("rows", ()), *filled]}


def _units(
    made: dict[str, Any], entry: dict[str, Any], side: int, id: str, column: int, units: str
) -> Iterator[dict[str, Any]]:
    name = str(entry["type"])
    yield {
        "id": id,
        "side": SIDES[side],
        "type": f"{units}/{name}" if units and name.endswith(".yaml") else name,
        "munitions": entry.get("munitions", {}),
        "at": entry.get("at", f"{column:02}{entry.get('row', made['rows'][side]):02}"),
        "facing": entry.get("facing", made.get("facing", _FACING)[side]),
        "elevation": entry.get("fly"),
        "pilot": {"gunnery": entry.get("gunnery", 4), **entry.get("pilot", {})},
        **{key: entry[key] for key in _ALSO if key in entry},
        "damage": {"armor": _stripped(_spec(name), made["armour"][side]), **entry.get("damage", {})},
    }
    if "ride" in entry:
        yield {"id": f"{id}-rider", "side": SIDES[side], "type": entry["ride"], "aboard": id}


@cache
def _spec(name: str) -> UnitSpec:
    return load_unit(folder() / name)[0] if name.endswith(".yaml") else unit_named(name)


def _stripped(spec: UnitSpec, share: float) -> dict[str, int]:
    """Armour points that are gone by location where a share of them is left; infantry keeps its own."""
    if spec.is_infantry:
        return {}
    names = ARMOR_NAMES if spec.is_mech else spec.locations
    if spec.quad:
        names = (*spec.locations, *ARMOR_NAMES[len(spec.locations) :])
    return {name: lost for name, points in zip(names, spec.armor, strict=True) if (lost := points - int(points * share))}


__all__ = ["SIDES", "document", "folder", "jobs_of", "made_battles", "useful"]
