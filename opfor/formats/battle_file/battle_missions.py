"""Zones, mission actions, markers, points and starts in the battle file: read, checked, written back. Rule: A-1 to A-6.

Zones and actions never change in play and are written as they stood; a zone by terrain is worked out on the board as the file
names it, whatever has burnt or fallen since.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from opfor.board.board import Board, Hex
from opfor.errors import nearest
from opfor.formats.battle_file.mission_schema import ActionEntry, DestroyEntry, ZoneEntry
from opfor.formats.source import Document, Path_
from opfor.hex import HexError
from opfor.missions import STARTS, Effect, Marker, MissionAction, Placing, Start, Zone
from opfor.state import State
from opfor.tables import load_yaml

if TYPE_CHECKING:
    from opfor.formats.battle_file.battle_schema import BattleFile

_OWN = "own deployment"
_TIMES = {"once": 1, "twice": 2}
_LIMIT = re.compile(r"(?:(once|twice)|(\d+) times?) (?:per|an?|each|every) (turn|battle|zone)")
_COMPLETES = re.compile(
    r"(?:at )?(?:the )?end of (?:the )?(next )?(?:(turn|enemy'?s turn)|(movement|fire|shooting|physical)(?: phase)?)"
)


def read_missions(document: Document, model: BattleFile, state: State, base: Board) -> None:
    """Read all that has to do with mission actions into the state. Raises :class:`InputError` with the place of a fault."""
    for name, zone in (model.zones or {}).items():
        state.zones[name] = _Zones(document, state, base).read(name, zone)
    actions = []
    for index, row in enumerate(model.actions or ()):
        place: Path_ = ("actions", index)
        entry = _shipped(document, place, row) if isinstance(row, str) else row
        actions.append(_action(document, place, entry, state))
        if [a.name for a in actions].count(entry.name) > 1:
            raise document.error((*place, "name"), f"two actions are called {entry.name!r}")
    state.actions = tuple(actions)
    for index, marker in enumerate(model.markers or ()):
        at = ("markers", index)
        cell = _cell(document, (*at, "at"), state, marker.at)
        state.markers.append(
            Marker(marker.name, cell, _side(document, (*at, "side"), state, marker.side) if marker.side else -1)
        )
    for name, points in (model.scores or {}).items():
        state.scores[_side(document, ("scores", name), state, name)] = points
    for index, made in enumerate(model.actions_started or ()):
        at = ("actions_started", index)
        if made.unit not in state.by_id:
            raise document.error((*at, "unit"), f"there is no unit {made.unit!r}", nearest(made.unit, state.by_id))
        names = [action.name for action in actions]
        if made.action not in names:
            raise document.error((*at, "action"), f"there is no action {made.action!r}", nearest(made.action, names))
        if made.zone and made.zone not in state.zones:
            raise document.error((*at, "zone"), f"there is no zone {made.zone!r}", nearest(made.zone, state.zones))
        cell = _cell(document, (*at, "at"), state, made.at) if made.at is not None else -1
        due = made.due or made.turn + actions[names.index(made.action)].later
        side = state.unit(made.unit).side
        state.actions_started.append(Start(made.unit, side, made.action, made.turn, due, cell, made.zone, made.status))


def mission_entries(state: State, former: dict[str, Any]) -> dict[str, Any]:
    """What :func:`read_missions` reads, as it stands. ``former`` is the document before, which gives zones and actions."""
    names = state.board.grid.names
    found: dict[str, Any] = {key: former[key] for key in ("zones", "actions") if former.get(key)}
    if state.markers:
        found["markers"] = [
            {"name": m.name, "at": names[m.cell], **({"side": state.sides[m.side]} if m.side >= 0 else {})}
            for m in state.markers
        ]
    if any(state.scores):
        found["scores"] = {name: points for name, points in zip(state.sides, state.scores, strict=True) if points}
    if state.actions_started:
        found["actions_started"] = [_start_entry(made, names) for made in state.actions_started]
    return found


def _start_entry(made: Start, names: list[str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"unit": made.unit, "action": made.action, "turn": made.turn, "due": made.due}
    entry.update({"at": names[made.cell]} if made.cell >= 0 else {})
    entry.update({"zone": made.zone} if made.zone else {})
    return {**entry, "status": made.status}


def _side(document: Document, place: Path_, state: State, name: str) -> int:
    if name not in state.sides:
        raise document.error(place, f"there is no side {name!r}: use {' or '.join(state.sides)}", nearest(name, state.sides))
    return state.sides.index(name)


def _cell(document: Document, place: Path_, state: State, number: str | int) -> int:
    try:
        return state.board.grid.parse(number)
    except HexError as error:
        raise document.error(place, str(error)) from None


# -- zones --------------------------------------------------------------------------------------------------------------


class _Zones:
    """Reads zones; a board gives their terrain."""

    def __init__(self, document: Document, state: State, board: Board) -> None:
        self.document = document
        self.state = state
        self.board = board

    def read(self, name: str, given: ZoneEntry | list[str | int]) -> Zone:
        """A zone. Raises :class:`InputError`."""
        place: Path_ = ("zones", name)
        if isinstance(given, list):
            entry = ZoneEntry.model_validate({"hexes": given})
        else:
            entry, place = given, ("zones", name, "hexes")
        board = self.board
        cells = [cell for index, words in enumerate(entry.hexes) for cell in self._hexes((*place, index), words)]
        place = ("zones", name)
        if not entry.hexes:
            cells = list(board.grid.on_board)
            if entry.rows is entry.columns is entry.terrain is None:
                raise self.document.error(place, "a zone needs hexes, rows, columns or terrain")
        rows = self._span((*place, "rows"), entry.rows, board.grid.height)
        columns = self._span((*place, "columns"), entry.columns, board.grid.width)
        found = frozenset(
            cell
            for cell in cells
            if board.grid.rows[cell] + 1 in rows
            and board.grid.columns[cell] + 1 in columns
            and (entry.terrain is None or _has(board.hexes[cell], entry.terrain))
        )
        if not found:
            raise self.document.error(place, "no hex of the board is in this zone")
        side = _side(self.document, (*place, "side"), self.state, entry.side) if entry.side is not None else -1
        kind = entry.kind if entry.kind is not None else "deployment" if side >= 0 else "terrain" if entry.terrain else ""
        if (kind == "deployment") != (side >= 0):
            raise self.document.error(place, "a deployment zone names its side, and no other zone does")
        return Zone(name, found, kind, side)

    def _hexes(self, place: Path_, words: str | int) -> list[int]:
        grid = self.board.grid
        first, dash, last = str(words if isinstance(words, str) else f"{words:04d}").partition("-")
        start = _cell(self.document, place, self.state, first)
        if not dash:
            return [start]
        end = _cell(self.document, place, self.state, last)
        columns = sorted((grid.columns[start], grid.columns[end]))
        rows = sorted((grid.rows[start], grid.rows[end]))
        return [grid.cell(c, r) for c in range(columns[0], columns[1] + 1) for r in range(rows[0], rows[1] + 1)]

    def _span(self, place: Path_, words: str | int | None, most: int) -> range:
        if words is None:
            return range(1, most + 1)
        span = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", str(words))
        if not span:
            raise self.document.error(place, f"{words!r} is no stretch of numbers: write 3, or 1-3")
        first, last = int(span[1]), int(span[2] or span[1])
        if not 1 <= first <= last <= most:
            raise self.document.error(place, f"{words} is off the board, which runs from 1 to {most}")
        return range(first, last + 1)


def _has(record: Hex, terrain: str) -> bool:
    return record.water >= 0 if terrain == "water" else bool(getattr(record, terrain))


# -- actions ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def shipped_actions() -> dict[str, ActionEntry]:
    """The actions that ship, by the name of their file."""
    folder = files("configs.scenarios.actions")
    return {
        path.name.removesuffix(".yaml"): ActionEntry.model_validate(load_yaml(path.read_text(encoding="utf-8")))
        for path in sorted(folder.iterdir(), key=lambda path: path.name)
        if path.name.endswith(".yaml")
    }


def _shipped(document: Document, place: Path_, name: str) -> ActionEntry:
    known = shipped_actions()
    key = "-".join(name.lower().split())
    if key not in known:
        raise document.error(place, f"no action {name!r} ships: use {', '.join(known)}, or write it out", nearest(key, known))
    return known[key]


def _action(document: Document, place: Path_, entry: ActionEntry, state: State) -> MissionAction:
    within = _zone_names(document, (*place, "units", "within"), entry.units.within, state)
    outside = [entry.units.outside] if isinstance(entry.units.outside, str) else entry.units.outside
    apart = [name for name in outside if name.lower() not in (_OWN, "own deployment zone")]
    starts = "fire" if entry.starts == "shooting" else entry.starts
    completes, later = _completion(document, (*place, "completes"), entry.completes, starts)
    limits = _limits(document, (*place, "use_limit"), entry.use_limit)
    if any(by == "zone" for by, _ in limits) and not within:
        raise document.error((*place, "use_limit"), "a limit per zone needs units within a zone")
    bounds = entry.restrictions
    return MissionAction(
        name=entry.name,
        starts=starts,
        effect=_effect(document, (*place, "effect"), entry, bool(within)),
        sides=tuple(_side(document, (*place, "sides", i), state, name) for i, name in enumerate(entry.sides)),
        keywords=tuple(word.strip().upper() for word in entry.units.keywords),
        within=within,
        outside=_zone_names(document, (*place, "units", "outside"), apart, state),
        outside_own_deployment=len(apart) < len(outside),
        limits=limits,
        completes=completes,
        later=later,
        stood_still=bounds.stood_still,
        least_oc=bounds.oc,
        first_turn=bounds.from_turn,
        no_enemy_within=bounds.no_enemy_within,
    )


def _zone_names(document: Document, place: Path_, given: str | list[str], state: State) -> tuple[str, ...]:
    """Zones by name; ``terrain`` and ``deployment`` are all those of the kind, where no zone is called so."""
    found: list[str] = []
    for name in [given] if isinstance(given, str) else given:
        if name in state.zones:
            found.append(name)
            continue
        of_kind = [zone.name for zone in state.zones.values() if zone.kind and zone.kind == name]
        if not of_kind:
            what = f"there is no zone of kind {name}" if name in ("terrain", "deployment") else f"there is no zone {name!r}"
            raise document.error(place, what, nearest(name, state.zones))
        found += of_kind
    return tuple(dict.fromkeys(found))


def _limits(document: Document, place: Path_, given: str | dict[Any, int]) -> tuple[tuple[str, int], ...]:
    if isinstance(given, dict):
        return tuple((str(by), most) for by, most in given.items())
    words = " ".join(given.lower().split())
    if words in ("", "none", "unlimited"):
        return ()
    found = _LIMIT.fullmatch(words)
    if not found:
        raise document.error(place, f"{given!r} is no use limit: write once per turn, 2 times per battle, once per zone")
    return ((found[3], _TIMES[found[1]] if found[1] else int(found[2])),)


def _completion(document: Document, place: Path_, given: str, starts: str) -> tuple[str, int]:
    """At the end of which phase an action completes (``end``: of the turn), and how many turns later."""
    found = _COMPLETES.fullmatch(" ".join(given.lower().split()))
    if not found:
        raise document.error(
            place,
            f"{given!r} is no time: write end of turn, end of next turn, end of the enemy's turn, end of fire phase",
        )
    next_, turn, phase = found.groups()
    if turn:
        # both sides act in one turn: the enemy has had a whole one of its own at the end of the next
        return "end", int(bool(next_) or turn != "turn")
    phase = "fire" if phase == "shooting" else phase
    return phase, int(bool(next_) or STARTS.index(phase) < STARTS.index(starts))


def _effect(document: Document, place: Path_, entry: ActionEntry, zoned: bool) -> Effect:
    given = entry.effect
    if not (given.marker or given.destroy or given.score or given.reveal or given.tag):
        raise document.error(place, "an effect is a marker, destroy, score, reveal or tag")
    if given.marker and given.destroy:
        raise document.error(place, "an effect has one hex: it cannot set a marker up and destroy something as well")
    for placed in (given.marker, given.destroy):
        if placed is not None and placed.in_zone and not zoned:
            raise document.error(place, "in_zone needs units within a zone")
    removed, building = _destroyed(document, place, given.destroy)
    marker = given.marker
    return Effect(
        marker=Placing(marker.name, marker.within, marker.in_zone) if marker else None,
        remove=removed,
        building=building,
        score=given.score,
        reveal=given.reveal,
        tag=given.tag.strip().upper(),
    )


def _destroyed(document: Document, place: Path_, given: DestroyEntry | None) -> tuple[Placing | None, Placing | None]:
    if given is None:
        return None, None
    if (given.marker is not None) is given.building:
        raise document.error((*place, "destroy"), "destroys either a marker, by its name, or a building")
    if given.building:
        return None, Placing("building", given.within, given.in_zone)
    return Placing(str(given.marker), given.within, given.in_zone), None
