"""The battle file: one YAML or JSON document that holds the whole battle as it stands. Read, checked, written.

:func:`load_battle` reads partial data and reports every default it took; :func:`save_battle` writes the full present
state, keeping whatever it does not own (rulings, log, keys of later rules). Reading what was written gives the same state.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from opfor.board.board import Board
from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle_blows import blow_entries, read_blows
from opfor.formats.battle_file.battle_board import board_entries, read_battle_board
from opfor.formats.battle_file.battle_directives import keep_directives, read_directives
from opfor.formats.battle_file.battle_entries import unit_entry
from opfor.formats.battle_file.battle_missions import mission_entries, read_missions
from opfor.formats.battle_file.battle_schema import (
    FORMAT_VERSION,
    KEPT_KEYS,
    LATER_KEYS,
    MODELS,
    BattleFile,
    SideEntry,
    UnitEntry,
)
from opfor.formats.battle_file.battle_shells import read_shells, shell_entries
from opfor.formats.battle_file.battle_stations import check_places, take_stations
from opfor.formats.battle_file.battle_turn import opforce_of, read_acting, read_stage, write_turn
from opfor.formats.battle_file.battle_units import UnitReader
from opfor.formats.battle_file.history import write_kept
from opfor.formats.notes import Note
from opfor.formats.orders import order_as_dict, order_from_dict
from opfor.formats.source import Document, Path_, parse, path_words, read_text
from opfor.formats.yaml_out import dump_document
from opfor.hex import DIRECTION_NAMES, HexError, parse_direction
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
    notes = _unknown_keys(document)
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
        raise document.error(_placed(document.data, error.place or "ruleset"), error.message, error.hint) from None
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


def validated(document: Document) -> BattleFile:
    """The document as a model. Raises :class:`InputError` for the first fault, counting the others."""
    data = document.data
    if not isinstance(data, dict):
        raise document.error((), "a battle file is a mapping that begins with opfor: 1")
    version = data.get("opfor", FORMAT_VERSION)
    if version != FORMAT_VERSION:
        raise document.error(("opfor",), f"{version!r} is no version of the form that this program reads: use {FORMAT_VERSION}")
    try:
        return BattleFile.model_validate(data)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=True)
        first = min(faults, key=lambda fault: document.lines.get(_known(document, fault["loc"]), 0))
        more = len({_known(document, fault["loc"]) for fault in faults}) - 1
        path, message, hint = _fault(document, first)
        if more:
            hint = "; ".join(part for part in (hint, f"and {more} more fault{'s' if more > 1 else ''} further on") if part)
        raise document.error(path, message, hint) from None


def _placed(data: Any, place: str) -> Path_:
    """The path that a place with points between its parts is; keys may have points in them."""
    path: list[int | str] = []
    words = place.split(".")
    while words:
        for count in range(len(words), 0, -1):
            key = ".".join(words[:count])
            if isinstance(data, list) and key.isdigit() and int(key) < len(data):
                path.append(int(key))
            elif isinstance(data, dict) and key in data:
                path.append(key)
            else:
                continue
            data, words = data[path[-1]], words[count:]
            break
        else:
            # the rest is not there: a key that is missing
            path.append(".".join(words))
            break
    return tuple(path)


def _known(document: Document, loc: tuple[int | str, ...]) -> Path_:
    """The part of a fault's location that stands in the document (unions add names of their branches)."""
    path: Path_ = ()
    for part in loc:
        if (*path, part) in document.lines:
            path = (*path, part)
    return path


def _fault(document: Document, fault: Any) -> tuple[Path_, str, str]:
    """A fault of the model in our words: path, message, hint."""
    path = _known(document, fault["loc"])
    kind = fault["type"]
    given = repr(fault["input"])
    given = given if len(given) <= 60 else given[:57] + "..."
    context = fault.get("ctx", {})
    if kind == "missing":
        return path, f"{fault['loc'][-1]} is missing", ""
    if kind == "literal_error":
        allowed = context["expected"].replace("'", "")
        words = allowed.replace(" or ", ", ").split(", ")
        return path, f"{given} cannot stand here: use {allowed}", nearest(str(fault["input"]), words)
    if kind in ("greater_than_equal", "less_than_equal"):
        bound = context.get("ge", context.get("le"))
        return path, f"{given} is out of bounds: {'at least' if 'ge' in context else 'at most'} {bound}", ""
    if kind == "extra_forbidden":
        return path, f"there is no key {fault['loc'][-1]!r}", ""
    if kind == "too_short":
        return path, "must not be empty", ""
    expected = {
        "int_type": "a whole number",
        "int_parsing": "a whole number",
        "string_type": "text",
        "bool_type": "true or false",
        "list_type": "a list",
        "dict_type": "a mapping of keys and values",
        "model_type": "a mapping of keys and values",
        "model_attributes_type": "a mapping of keys and values",
    }.get(kind)
    return path, f"{given} must be {expected}" if expected else f"{given}: {fault['msg']}", ""


def _unknown_keys(document: Document) -> list[Note]:
    """Notes for keys that no rule here reads. Raises :class:`InputError` for one that must be a known key misspelt."""
    notes: list[Note] = []

    def look(kind: str, path: Path_, data: Any) -> None:
        if not isinstance(data, dict):
            return
        fields = MODELS[kind].model_fields
        for key in data:
            if key in fields or key in KEPT_KEYS[kind]:
                continue
            at = (*path, key)
            if key in LATER_KEYS[kind]:
                message = f"{path_words(at)} is kept, and not used yet"
            else:
                slip = nearest(key, fields, cutoff=0.78)
                if slip:
                    raise document.error(at, f"there is no key {key!r}", slip)
                message = f"{path_words(at)} is not known: kept, and not used"
            notes.append(Note(document.source, document.lines.get(at, 0), "ignored", message))

    look("battle", (), document.data)
    for name, side in document.data["sides"].items():
        look("side", ("sides", name), side)
    for index, unit in enumerate(document.data["units"]):
        look("unit", ("units", index), unit)
        look("pilot", ("units", index, "pilot"), unit.get("pilot"))
    return notes


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


# -- writing ----------------------------------------------------------------------------------------------------------


def battle_document(battle: Battle) -> dict[str, Any]:
    """The whole battle as plain data in the form of the file, keys in a settled order."""
    state, former = battle.state, battle.document
    names = state.sides
    document: dict[str, Any] = {"opfor": FORMAT_VERSION}
    for key in ("name", "post", "ruleset", "board", "map_names"):
        if key in former or key == "ruleset":
            document[key] = former.get(key, state.ruleset.name)
    document.update(board_entries(battle.base_board or state.board, state.board, names))
    if state.wind >= 0:
        document["wind"] = DIRECTION_NAMES[state.wind]
    document["turn"], document["phase"] = state.turn, state.phase
    former_initiative = former.get("initiative") or {}
    document["initiative"] = {
        **former_initiative,
        "modifier": state.initiative_modifier,
        "order": [names[side] for side in state.initiative],
    }
    if state.queue:
        document["queue"] = [names[side] for side in state.queue]
    document.update(write_turn(state))
    if state.limit:
        document["limit"] = state.limit
    if state.winner is not None:
        document["winner"] = "draw" if state.winner < 0 else names[state.winner]
    document.update(mission_entries(state, former))
    document["sides"] = {}
    for index, name in enumerate(names):
        side = {k: v for k, v in (former.get("sides", {}).get(name) or {}).items() if k not in ("edge", "withdrawing")}
        side["controller"] = battle.controllers[index]
        side.update({"edge": state.edges[index]} if state.edges[index] else {})
        side.update({"withdrawing": True} if state.withdrawing[index] else {})
        document["sides"][name] = side
    entries = former.get("units", [])
    document["units"] = [
        unit_entry(unit, names, state.board, entries[unit.index] if unit.index < len(entries) else {}) for unit in state.units
    ]
    keep_directives(state, document, former)
    pending: dict[str, Any] = {
        key: [order_as_dict(order, state) for order in getattr(state, key)]
        for key in ("declared", "charges")
        if getattr(state, key)
    }
    if state.pending:
        pending["blows"] = blow_entries(state)
    pending.update(shell_entries(state))
    if pending:
        document["pending"] = pending
    owned = set(BattleFile.model_fields)
    document.update({key: value for key, value in former.items() if key not in owned})
    return document


def save_battle(battle: Battle, path: str | Path | None = None) -> Path | None:
    """Write the battle, at once or not at all; the former file is kept for :func:`opfor.formats.battle_file.history.undo`.

    Returns where the former file went (None when there was none). JSON when the name ends in ``.json``, else YAML.
    """
    where = Path(path) if path is not None else battle.path
    if where is None:
        raise InputError("this battle was not read from a file: say where to write it")
    document = battle_document(battle)
    text = dump_document(document, where.suffix.lower() == ".json", battle.head)
    kept = write_kept(where, text)
    battle.document, battle.path = document, where
    return kept


__all__ = ["Battle", "Default", "UnitEntry", "battle_document", "load_battle", "read_battle", "save_battle"]
