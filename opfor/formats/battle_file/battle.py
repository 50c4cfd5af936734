"""The battle file: one YAML or JSON document that holds the whole battle as it stands.

:func:`load_battle` reads partial data and reports every default it took; :mod:`opfor.formats.battle_file.battle_write` writes
the full present state. Reading what was written gives the same state.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from opfor.board.board import Board
from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle_blows import read_blows
from opfor.formats.battle_file.battle_board import read_battle_board
from opfor.formats.battle_file.battle_directives import read_directives
from opfor.formats.battle_file.battle_faults import placed, unknown_keys, validated
from opfor.formats.battle_file.battle_missions import read_missions
from opfor.formats.battle_file.battle_schema import (
    BattleFile,
    SideEntry,
    UnitEntry,
)
from opfor.formats.battle_file.battle_shells import read_shells
from opfor.formats.battle_file.battle_stations import check_places, take_stations
from opfor.formats.battle_file.battle_turn import opforce_of, read_acting, read_stage
from opfor.formats.battle_file.battle_units import UnitReader
from opfor.formats.notes import Note
from opfor.formats.orders import order_from_dict
from opfor.formats.source import Document, Path_, parse, path_words, read_text
from opfor.hex import HexError, parse_direction
from opfor.orders import MoveOrder
from opfor.rulesets import read_ruleset
from opfor.state import State
from opfor.units.spec import UnitSpec


class Default(NamedTuple):
    """A value taken because the file gives none: its place, the value, and what that means in words."""

    place: str
    value: Any
    words: str

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        return {"place": self.place, "value": self.value, "words": self.words}


@dataclass
class Battle:
    """A battle file in use: the document as read, the state it means, and what was noticed on the way."""

    document: dict[str, Any]
    state: State
    source: str
    path: Path | None = None
    notes: list[Note] = field(default_factory=list)
    defaults: list[Default] = field(default_factory=list)
    #: the board as the file names it, before what changed in play
    base_board: Board | None = None
    #: who gives each side's orders: gm or opfor
    controllers: tuple[str, ...] = ()
    #: the policy of each side, "" where none is named
    policies: tuple[str, ...] = ()
    #: comment lines at the head of the file
    head: str = ""

    @property
    def name(self) -> str:
        """The battle's name."""
        return str(self.document.get("name") or (self.path.stem if self.path else "battle"))

    def sides_of(self, controller: str) -> list[int]:
        """Indices of the sides that ``gm`` or ``opfor`` gives orders to."""
        return [index for index, who in enumerate(self.controllers) if who == controller]


def load_battle(path: str | Path) -> Battle:
    """Read a battle file. Raises :class:`InputError` with file, place and line of the first thing that cannot be used."""
    where = Path(path)
    return read_battle(read_text(where), source=str(path), path=where)


def read_battle(text: str, *, source: str = "battle", path: Path | None = None) -> Battle:
    """Read a battle from text; paths in it are relative to ``path``'s folder (or the current one)."""
    document = parse(text, source)
    model = validated(document)
    notes = unknown_keys(document)
    defaults: list[Default] = []

    def default(place: Path_, value: Any, words: str) -> None:
        defaults.append(Default(path_words(place), value, words))

    folder = path.parent if path else Path()
    try:
        ruleset = read_ruleset(model.ruleset, folder=folder)
    except InputError as error:
        if error.source:
            # a file of own rules, not this one
            raise
        raise document.error(placed(document.data, error.place or "ruleset"), error.message, error.hint) from None
    for key in ("ruleset", "turn", "phase", "sides"):
        if key not in document.data:
            default((key,), getattr(model, key), f"{key} is {getattr(model, key)}")
    board, base, board_notes = read_battle_board(document, model, folder)
    notes.extend(board_notes)
    sides = tuple(model.sides)
    state = State(board, ruleset, sides, [])
    units = []
    specs: dict[str, UnitSpec] = {}
    ids = _unit_ids(document, model, default)
    for index, (entry, id) in enumerate(zip(model.units, ids, strict=True)):
        place: Path_ = ("units", index)
        if entry.type not in specs:
            specs[entry.type] = _spec(document, (*place, "type"), entry.type, folder, notes)
        spec = specs[entry.type]
        units.append(UnitReader(document, place, sides, board, default).read(entry, spec, id))
    state = State(board, ruleset, sides, units)
    take_stations(document, state)
    check_places(document, state)
    read_missions(document, model, state, base)
    _read_turn(document, model, state, default)
    battle = Battle(document.data, state, source, path, notes, defaults, base, head=document.head)
    _read_sides(document, model, battle, default)
    return battle


def _unit_ids(document: Document, model: BattleFile, default: Any) -> list[str]:
    """The units' ids; those not given are made from the type. Raises :class:`InputError` for one given twice."""
    given: dict[str, int] = {}
    for index, entry in enumerate(model.units):
        if entry.id is None:
            continue
        if not entry.id.strip() or any(c in entry.id for c in ":;+\n") or entry.id != entry.id.strip():
            raise document.error(("units", index, "id"), f"{entry.id!r} is no id: letters, figures and dashes")
        if entry.id.lower() in given:
            raise document.error(("units", index, "id"), f"{entry.id!r} is also the id of units[{given[entry.id.lower()]}]")
        given[entry.id.lower()] = index
    ids = []
    for index, entry in enumerate(model.units):
        if entry.id is not None:
            ids.append(entry.id)
            continue
        base = "-".join(Path(entry.type).stem.lower().split()[:1]) or "unit"
        number = next(n for n in range(1, 1000) if f"{base}-{n}" not in given)
        given[f"{base}-{number}"] = index
        ids.append(f"{base}-{number}")
        default(("units", index, "id"), ids[-1], f"units[{index}] is called {ids[-1]}")
    return ids


def _spec(document: Document, place: Path_, type_: str, folder: Path, notes: list[Note]) -> UnitSpec:
    """A unit's type by catalogue name or file."""
    try:
        if type_.lower().endswith((".mtf", ".blk", ".yaml", ".yml")) or "/" in type_:
            from opfor.formats.units import load_unit

            spec, found = load_unit(folder / type_)
            notes.extend(found)
            return spec
        from opfor.units.catalogue import unit_named

        return unit_named(type_)
    except InputError as error:
        detail = f"{error.place}: {error.message}" if error.place else error.message
        raise document.error(place, f"{type_}: {detail}" if type_ not in detail else detail, error.hint) from None


def _read_turn(document: Document, model: BattleFile, state: State, default: Any) -> None:
    """Turn, phase, initiative, queue, what is pending, who has won."""
    state.turn, state.phase, state.limit = model.turn, model.phase, model.limit
    if model.wind is not None:
        try:
            state.wind = parse_direction(model.wind)
        except HexError as error:
            raise document.error(("wind",), str(error)) from None

    def side(path: Path_, name: str) -> int:
        if name not in state.sides:
            raise document.error(path, f"there is no side {name!r}: use {' or '.join(state.sides)}", nearest(name, state.sides))
        return state.sides.index(name)

    initiative = model.initiative
    state.initiative_modifier = initiative.modifier if initiative else 0
    if initiative is not None and initiative.order is not None:
        order = [side(("initiative", "order", i), name) for i, name in enumerate(initiative.order)]
        if sorted(order) != list(range(len(state.sides))):
            raise document.error(("initiative", "order"), f"must name each side once: {', '.join(state.sides)}")
        state.initiative = order
    elif state.phase != "initiative":
        default(("initiative", "order"), list(state.sides), f"{state.sides[state.initiative[0]]} acts first")
    state.queue = [side(("queue", i), name) for i, name in enumerate(model.queue or ())]
    if model.winner is not None:
        state.winner = -1 if model.winner == "draw" else side(("winner",), model.winner)
    read_stage(document, model, state)
    read_acting(document, model, state)
    for key in ("declared", "charges"):
        for index, row in enumerate(getattr(model.pending, key) if model.pending else ()):
            try:
                order_read = order_from_dict(row, state)
            except InputError as error:
                at: Path_ = ("pending", key, index)
                raise document.error(
                    at, f"{error.place}: {error.message}" if error.place else error.message, error.hint
                ) from None
            if key == "charges":
                if not isinstance(order_read, MoveOrder):
                    raise document.error(("pending", key, index), "a charge is a move order")
                state.charges.append(order_read)
            else:
                state.declared.append(order_read)
    read_blows(document, model, state)
    read_shells(document, model, state)


def _read_sides(document: Document, model: BattleFile, battle: Battle, default: Any) -> None:
    """Controllers, policies, edges. A side called opfor is the Op Force's unless the file says otherwise."""
    controllers, policies = [], []
    entries = {name: entry or SideEntry.model_validate({}) for name, entry in model.sides.items()}
    named = any(entry.controller == "opfor" for entry in entries.values())
    for index, (name, entry) in enumerate(entries.items()):
        controller: str | None = entry.controller
        if controller is None:
            controller = "opfor" if name.lower().replace(" ", "") == "opfor" and not named else "gm"
            default(
                ("sides", name, "controller"),
                controller,
                f"{name} is played by the {'Op Force' if controller == 'opfor' else 'GM'}",
            )
        controllers.append(controller)
        policies.append(_policy_of(entry))
        battle.state.edges[index] = entry.edge
        battle.state.withdrawing[index] = entry.withdrawing
    battle.controllers, battle.policies = tuple(controllers), tuple(policies)
    battle.state.opforce = opforce_of(battle.controllers)
    read_directives(document, model, battle.state)


def _policy_of(entry: SideEntry) -> str:
    """The policy of a side with its character and difficulty as parameters, "" where nothing is named."""
    own = [word for word in (entry.character, entry.difficulty) if word]
    if not own:
        return entry.policy or ""
    name, colon, parameters = (entry.policy or "veteran").partition(":")
    return f"{name}:{'/'.join([parameters, *own] if colon else own)}"


__all__ = ["Battle", "Default", "UnitEntry", "load_battle", "read_battle"]
