"""A commented battle file to start from: board, sides, zones, units placed along their home edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opfor.board.board import Board
from opfor.formats.battle_file.battle_damage import damage_entry
from opfor.formats.battle_file.battle_turn import PHASES_OF
from opfor.formats.notes import Note
from opfor.formats.yaml_out import one_line
from opfor.gm.starting.deployment import Deployment, Station, deploy
from opfor.gm.starting.muster import Recruit, muster
from opfor.hex import DIRECTION_NAMES
from opfor.missions import Zone
from opfor.rulesets import Ruleset, read_ruleset
from opfor.state import State
from opfor.units.state import UnitState

#: a small even fight, for a battle that names no forces
USUAL = (("Wolverine WVR-6R", "Hunchback HBK-4G"), ("Thunderbolt TDR-5S", "Phoenix Hawk PXH-1"))
SIDES = ("players", "opfor")
#: ids of units that are not told otherwise, by side
PREFIX = ("alpha", "opfor")
_REMARK = 40


@dataclass(slots=True)
class Opening:
    """All that a new battle is made of. ``board`` is its value in the file (a name, a path, or ``{size, rows}``).

    ``forces``: the recruits of the players and of the Op Force. ``remarks`` are lines for the head of the file, ``turn`` and
    ``phase`` where the battle is already under way. ``terrain`` are hexes that differ from the board, by number.
    """

    name: str
    board: Any
    ground: Board
    forces: Sequence[Sequence[Recruit]]
    ruleset: str = "campaign"
    edges: tuple[str, str] = ("south", "north")
    styles: tuple[str, str] = ("line", "line")
    seed: int = 0
    limit: int = 0
    policy: str = "veteran"
    turn: int = 1
    phase: str = "initiative"
    terrain: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def usual_forces(given: Sequence[str], folder: Path, notes: list[Note]) -> list[list[Recruit]]:
    """The forces that two lists name, a small even fight for a list that is empty."""
    return [muster(words or ", ".join(usual), folder, notes) for words, usual in zip(given, USUAL, strict=True)]


def new_battle(opening: Opening) -> str:
    """The text of a new battle file. Raises :class:`opfor.errors.InputError` when the board has no room for the forces."""
    placed = _stations(opening)
    ruleset = read_ruleset(opening.ruleset)
    lines = [
        f"# {_one(opening.name)}: a battle for opfor. Lines that begin with # are remarks; `opfor check` says what is missing.",
        *[f"# {_one(remark)}" for remark in opening.remarks],
        _line("opfor: 1", "version of this form"),
        f"name: {text(opening.name)}",
        "",
        "# The rules: a name, or {base: campaign, SWITCH: VALUE}. `opfor rules --switches` lists the switches.",
        f"ruleset: {opening.ruleset}",
        "",
        "# The map: a built-in board (`opfor boards`), a .board file, a list of these to join, or {size: 16x17, rows: [...]}.",
        *_board(opening),
        "",
        "# The clock. limit: the last turn, 0 for none. modifier: the battle's initiative modifier.",
        f"turn: {opening.turn}",
        _line(f"phase: {opening.phase}", ", ".join(PHASES_OF[ruleset.turn_sequence])),
        "initiative: {modifier: 0}",
        f"limit: {opening.limit}",
        "",
        "# The sides. controller: gm (you hand in its orders) or opfor (the program decides). policy: see `opfor policies`.",
        "# edge: the side's home edge, to which its units withdraw.",
        "sides:",
        f"  players: {{controller: gm, edge: {opening.edges[0]}}}",
        f"  opfor: {{controller: opfor, policy: {text(opening.policy)}, edge: {opening.edges[1]}}}",
    ]
    zones = [(side, deployment) for side, deployment in zip(SIDES, placed, strict=True) if deployment.depth]
    if zones:
        lines += ["", "# Where each side sets up its units; nothing holds them there once the battle has begun.", "zones:"]
        lines += [f"  {side} deployment: {one_line(d.zone_entry(opening.ground, side))}" for side, d in zones]
    lines += [
        "",
        "# The units, in any order. at: column and row as on the map. facing: N NE SE S SW NW, or 0 to 5. Skills are target",
        "# numbers on 2d6 (usual: 4 and 5). elevation: levels above the ground of a VTOL, a unit on a roof or in water.",
        "# As the battle goes on: moved: {mode: walk, hexes: 3}, heat: 4, prone: true,",
        "# damage: {armor: {LT: 5}, structure: {LT: 2}, criticals: {LA: [lower arm actuator]}, ammo: {SRM 6: 9}}",
        "# (armour and structure are points lost, ammo is rounds left). The campaign's turn: waiting: true (has won initiative",
        "# and moves in the fire phase), opportunity: true (holds an opportunity action), initiative: {margin: 2, roll: 9}.",
        "# Vehicles: turret: NE, damage: {crew: [driver], motive: [minor]}. Infantry: damage: {troopers: 9}, aboard: UNIT.",
        "# Battle armour: damage: {suits: {S1: gone}}. hidden: true is not known to the other side.",
        "units:",
    ]
    ids = _ids(opening.forces)
    for side, (force, deployment) in enumerate(zip(opening.forces, placed, strict=True)):
        lines.append(f"  # {'the players' if side == 0 else 'the Op Force'}")
        for number, (recruit, station) in enumerate(zip(force, deployment.stations, strict=True)):
            lines += _unit(opening, side, recruit, station, ids[side], number)
    return "\n".join([*lines, ""])


def fresh_state(opening: Opening, ruleset: Ruleset | None = None) -> State:
    """The battle that the text of :func:`new_battle` tells of, without the text: the same state as reading it gives.

    For openings before their first turn, of whole units that no file tells more of. ``ruleset``: in place of the opening's.
    Raises :class:`opfor.errors.InputError` when the board has no room for the forces.
    """
    board, placed, ids = opening.ground, _stations(opening), _ids(opening.forces)
    units = []
    for side, (force, deployment) in enumerate(zip(opening.forces, placed, strict=True)):
        for recruit, station, id in zip(force, deployment.stations, ids[side], strict=True):
            unit = UnitState(recruit.spec, id, side)
            unit.name = recruit.name or recruit.spec.name
            unit.cell, unit.elevation = station.cell, station.elevation
            unit.facing = 0 if recruit.spec.is_infantry else station.facing
            if station.aboard >= 0:
                unit.aboard = ids[side][station.aboard]
            else:
                unit.hidden = station.hidden
            units.append(unit)
    state = State(board, ruleset or read_ruleset(opening.ruleset), SIDES, units)
    state.edges, state.limit = list(opening.edges), opening.limit
    state.turn, state.phase = opening.turn, opening.phase
    for side, (name, deployment) in enumerate(zip(SIDES, placed, strict=True)):
        if deployment.depth:
            words = f"{name} deployment"
            state.zones[words] = Zone(words, deployment.zone(board), "deployment", side)
    return state


def _stations(opening: Opening) -> list[Deployment]:
    """Where everybody stands; a unit whose hex is given stays there. A force all of whose hexes are given has no zone."""
    to_place = [[r for r in force if not _placed(r)] for force in opening.forces]
    taken = {opening.ground.grid.parse(r.entry["at"]) for force in opening.forces for r in force if "at" in r.entry}
    specs = [[r.spec for r in force] for force in to_place]
    placed = deploy(opening.ground, specs, opening.edges, opening.styles, opening.seed, taken)
    found = []
    for force, free, deployment in zip(opening.forces, to_place, placed, strict=True):
        stations = iter(deployment.stations)
        where = {id(recruit): station for recruit, station in zip(free, stations, strict=True)}
        numbers = dict(enumerate(i for i, r in enumerate(force) if id(r) in where))
        whole = []
        for recruit in force:
            station = where.get(id(recruit))
            if station is None:
                station = Station(-1, 0)
            elif station.aboard >= 0:
                station = Station(station.cell, station.facing, station.elevation, numbers[station.aboard], station.hidden)
            whole.append(station)
        found.append(Deployment(deployment.edge, deployment.depth if free else 0, whole))
    return found


def _placed(recruit: Recruit) -> bool:
    """Whether it is said where a unit is, or that it is nowhere."""
    return "at" in recruit.entry or "aboard" in recruit.entry or _out(recruit)


def _out(recruit: Recruit) -> bool:
    """Whether a unit comes into the battle destroyed or gone: it stands nowhere."""
    return bool(recruit.entry.get("destroyed") or recruit.entry.get("gone") or (recruit.state and recruit.state.destroyed))


def _ids(forces: Sequence[Sequence[Recruit]]) -> list[list[str]]:
    """An id for every unit: its own where it has one, ``alpha-1`` and so on where not; none twice."""
    taken = {recruit.id.lower() for force in forces for recruit in force if recruit.id}
    found = []
    for side, force in enumerate(forces):
        ids, number = [], 0
        for recruit in force:
            id = recruit.id
            while not id:
                number += 1
                id = f"{PREFIX[side]}-{number}"
                if id in taken:
                    id = ""
            ids.append(id)
        found.append(ids)
    return found


def _board(opening: Opening) -> list[str]:
    board = opening.board
    lines = [f"board: {text(board)}"] if isinstance(board, str) else []
    if isinstance(board, dict):
        lines = ["board:", f"  size: {board['size']}", *(["  rows:"] if board.get("rows") else [])]
        lines += [f"    - {text(row)}" for row in board.get("rows", ())]
    elif not lines:
        lines = [f"board: {one_line(board)}"]
    if opening.terrain:
        lines += ["terrain:", *[f'  "{number}": {text(words)}' for number, words in opening.terrain.items()]]
    return lines


def _unit(opening: Opening, side: int, recruit: Recruit, station: Station, ids: list[str], number: int) -> list[str]:
    """The lines of a unit."""
    spec, entry = recruit.spec, dict(recruit.entry)
    lines = [f"  - id: {text(ids[number])}"]
    if recruit.name:
        lines.append(f"    name: {text(recruit.name)}")
    lines += [f"    side: {SIDES[side]}", f"    type: {text(recruit.type)}"]
    grid = opening.ground.grid
    if station.aboard >= 0:
        lines.append(f"    aboard: {text(ids[station.aboard])}")
    elif "at" in entry:
        lines.append(f'    at: "{entry.pop("at")}"')
    elif station.cell >= 0:
        lines.append(f'    at: "{grid.names[station.cell]}"')
    if not _out(recruit) and station.aboard < 0 and "aboard" not in entry:
        if spec.kind == "vtol" or station.elevation:
            lines.append(f"    elevation: {entry.pop('elevation', station.elevation)}")
        if not spec.is_infantry:
            facing = entry.pop("facing", None)
            if facing is None:
                facing = DIRECTION_NAMES[station.facing] if station.cell >= 0 else ("N", "S")[side]
            lines.append(f"    facing: {facing}")
    if station.hidden and station.aboard < 0:
        lines.append("    hidden: true")
    return lines + [f"    {key}: {one_line(value)}" for key, value in {**_condition(recruit), **entry}.items()]


def _condition(recruit: Recruit) -> dict[str, Any]:
    """Skills, and what a force file says of the unit's damage."""
    spec, unit = recruit.spec, recruit.state
    who, skill = ("pilot", "piloting") if spec.is_mech else ("crew", "driving" if spec.is_vehicle else "anti_mech")
    if "pilot" in recruit.entry or "crew" in recruit.entry:
        return {}
    if unit is None:
        return {who: {"gunnery": 4, skill: 5}}
    found: dict[str, Any] = {who: {"gunnery": unit.gunnery, skill: unit.piloting}}
    if unit.pilot_hits:
        found[who]["hits"] = unit.pilot_hits
    damage = damage_entry(unit)
    if damage:
        found["damage"] = damage
    if unit.destroyed:
        found["destroyed"] = unit.destroyed
    return found


def _line(words: str, remark: str) -> str:
    return f"{words.ljust(_REMARK)} # {remark}"


def _one(words: str) -> str:
    """Words that stay on one line."""
    return " ".join(words.split())


def text(value: str) -> str:
    """A value as YAML text, in quotes where it needs them."""
    return one_line(str(value)) if value else '""'
