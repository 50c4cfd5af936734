"""Shells and bombs on their way, what spotters have seen, what pieces have corrected: in ``pending``. Rule: E-4, E-34, E-35.

pending:
  shells:
  - {order: {unit: tom, kind: call, what: artillery, weapon: Long Tom, at: '0812', spotter: scout}, lands: 3}
"""

from __future__ import annotations

from typing import Any

from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle_schema import BattleFile
from opfor.formats.orders import order_as_dict, order_from_dict
from opfor.formats.source import Document, Path_
from opfor.hex import HexError
from opfor.orders import CallOrder
from opfor.state import Shell, State
from opfor.units.hex_target import names_hex


def read_shells(document: Document, model: BattleFile, state: State) -> None:
    """Take shells, sightings and corrections. Raises :class:`InputError` with the place of what cannot be."""
    if model.pending is None:
        return
    for index, entry in enumerate(model.pending.shells):
        at: Path_ = ("pending", "shells", index)
        try:
            order = order_from_dict({"kind": "call", **entry.order}, state)
        except InputError as error:
            raise document.error(at, f"{error.place}: {error.message}" if error.place else error.message, error.hint) from None
        if not isinstance(order, CallOrder) or not order.what:
            raise document.error(at, "a shell is a call of artillery or of a bomb run")
        if order.what == "artillery" and order.mount < 0:
            raise document.error(at, "a shell needs the weapon that fired it")
        if order.cell < 0 and not order.target:
            raise document.error(at, "a shell needs the hex that it is aimed at")
        state.shells.append(Shell(order, entry.lands or state.turn, state.unit(order.unit).side, entry.level))

    def unit(path: Path_, id: str) -> str:
        if id not in state.by_id:
            raise document.error(path, f"there is no unit {id!r}", nearest(id, state.by_id))
        return id

    def cell(path: Path_, name: str | int) -> int:
        try:
            return state.board.grid.parse(name)
        except HexError as error:
            raise document.error(path, str(error)) from None

    for index, seen in enumerate(model.pending.sightings):
        at = ("pending", "sightings", index)
        if names_hex(seen.target):
            cell((*at, "target"), seen.target[1:])
        else:
            unit((*at, "target"), seen.target)
        state.sightings[unit((*at, "spotter"), seen.spotter), seen.target] = seen.margin
    for index, correction in enumerate(model.pending.corrections):
        at = ("pending", "corrections", index)
        key = unit((*at, "unit"), correction.unit), cell((*at, "at"), correction.at)
        state.corrections[key] = -1 if correction.hit else correction.shots


def shell_entries(state: State) -> dict[str, Any]:
    """The parts of ``pending`` that hold them; those that are empty are left out."""
    names = state.board.grid.names
    shells = []
    for shell in state.shells:
        row: dict[str, Any] = {"order": order_as_dict(shell.order, state), "lands": shell.turn}
        if shell.level is not None:
            row["level"] = shell.level
        shells.append(row)
    parts = {
        "shells": shells,
        "sightings": [
            {"spotter": spotter, "target": target, "margin": margin} for (spotter, target), margin in state.sightings.items()
        ],
        "corrections": [
            {"unit": unit, "at": names[cell], **({"hit": True} if shots < 0 else {"shots": shots})}
            for (unit, cell), shots in state.corrections.items()
        ],
    }
    return {key: rows for key, rows in parts.items() if rows}
