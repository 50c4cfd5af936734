"""A battle begun: what was asked for, made into the files that are written, and read back before anything stays."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.battle_file.history import write_atomic, write_kept
from opfor.formats.notes import Note
from opfor.gm.starting.budget import Raised, era_from, kinds_from, raise_force
from opfor.gm.starting.deployment import check_edge, check_style
from opfor.gm.starting.from_text import TypedBattle, read_typed, settle
from opfor.gm.starting.muster import Recruit, muster
from opfor.gm.starting.new_battle import USUAL, Opening, new_battle
from opfor.gm.starting.scenarios import random_opening, recruits
from opfor.gm.starting.stock import board_from
from opfor.hex import DIRECTION_NAMES
from opfor.rulesets import named_ruleset

_BOARD = "crossroads"
_OTHER_EDGE = {"north": "south", "south": "north", "east": "west", "west": "east"}


@dataclass(slots=True)
class Wishes:
    """What a new battle is to be, as asked for; "" and 0: nothing was said. ``text``: a typed list, from ``text_source``."""

    board: str = ""
    players: str = ""
    opfor: str = ""
    players_bv: int = 0
    players_tons: int = 0
    opfor_bv: int = 0
    opfor_tons: int = 0
    opfor_like: str = ""
    match: str = ""
    kinds: str = ""
    era: str = ""
    edges: str = ""
    deploy: str = ""
    name: str = ""
    ruleset: str = ""
    limit: int = -1
    random: bool = False
    seed: int = 0
    text: str = ""
    text_source: str = ""

    @property
    def empty(self) -> bool:
        """Whether nothing was asked for."""
        return self == Wishes(seed=self.seed)

    def take_force(self, side: str, words: str) -> None:
        """An answer about a force: ``match``, a Battle Value, tons, or units."""
        given = words.strip()
        number = re.fullmatch(r"(\d+)\s*(bv|t|tons?)?", given, re.IGNORECASE)
        if given.lower() == "match" and side == "opfor":
            self.match = "players"
        elif number:
            measure = "tons" if (number[2] or "bv")[0].lower() == "t" else "bv"
            setattr(self, f"{side}_{measure}", int(number[1]))
        else:
            setattr(self, side, given)

    def budget(self, side: str) -> tuple[int, str]:
        """Budget of a side and what it counts; 0 for none."""
        bv, tons = getattr(self, f"{side}_bv"), getattr(self, f"{side}_tons")
        if bv and tons:
            raise InputError(f"--{side}-bv and --{side}-tons: give one of them")
        return (bv, "bv") if bv else (tons, "tons")


@dataclass(slots=True)
class Made:
    """A new battle, read back and not yet written. ``sheets``: units' own sheets, by path relative to the battle file."""

    text: str
    battle: Battle
    board: str
    sheets: dict[str, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def files_of(self, path: Path) -> list[str]:
        """The files beside the battle file itself."""
        return [str(path.parent / name) for name in self.sheets]

    def write(self, path: Path) -> None:
        """Write the battle and the sheets that it names."""
        for name, sheet in self.sheets.items():
            write_kept(path.parent / name, sheet)
        write_kept(path, self.text)


def start(wishes: Wishes, path: Path) -> Made:
    """The battle asked for, to be written to ``path``. Raises :class:`InputError`, and leaves no file behind then."""
    notes: list[Note] = []
    typed = read_typed(wishes.text, path.parent, f"{path.stem}-units") if wishes.text_source else TypedBattle()
    if wishes.text_source and not any(typed.forces):
        first = typed.unread[0] if typed.unread else "it is empty"
        raise InputError(f"no unit was understood: {first}", source=wishes.text_source)
    remarks: list[str] = []
    opening = _opening(wishes, typed, path, notes, remarks)
    if wishes.text_source:
        opening.remarks += [f"Assumed: {words}" for words in typed.assumed]
        opening.remarks += [f"Not understood: {words}" for words in typed.unread]
    text = new_battle(opening)
    sheets = {f"{path.stem}-units/{name}": sheet for name, sheet in typed.sheets.items()}
    battle = _read_back(text, sheets, path)
    if wishes.text_source:
        typed.assumed += _placed(opening, battle)
    board = opening.board if isinstance(opening.board, str) else "the map told"
    return Made(text, battle, board, sheets, notes, remarks, typed.assumed, typed.unread)


def _placed(opening: Opening, battle: Battle) -> list[str]:
    """Where those stand whose hex or facing was not told."""
    state = battle.state
    everyone = [recruit for force in opening.forces for recruit in force]
    found = []
    for recruit, unit in zip(everyone, state.units, strict=True):
        if not unit.alive or unit.gone:
            continue
        facing = "" if unit.spec.is_infantry else f" facing {DIRECTION_NAMES[unit.facing]}"
        if unit.aboard:
            found.append(f"{unit.id}: aboard {unit.aboard}")
        elif "at" not in recruit.entry:
            found.append(f"{unit.id}: no hex is told, at {state.board.grid.names[unit.cell]}{facing}")
        elif facing and "facing" not in recruit.entry:
            found.append(f"{unit.id}: no facing is told,{facing.removeprefix(' facing')}")
    return found


def _read_back(text: str, sheets: dict[str, str], path: Path) -> Battle:
    """The battle as it will be read. The sheets that it names must lie there for that; all is as it was afterwards."""
    before = {name: (path.parent / name).read_bytes() for name in sheets if (path.parent / name).exists()}
    folders = [folder for folder in {(path.parent / name).parent for name in sheets} if not folder.exists()]
    try:
        for name, sheet in sheets.items():
            write_atomic(path.parent / name, sheet)
        return read_battle(text, source=str(path), path=path)
    finally:
        for name in sheets:
            if name in before:
                write_atomic(path.parent / name, before[name])
            else:
                (path.parent / name).unlink(missing_ok=True)
        for folder in folders:
            if folder.exists():
                folder.rmdir()


def _opening(wishes: Wishes, typed: TypedBattle, path: Path, notes: list[Note], remarks: list[str]) -> Opening:
    folder = path.parent
    name = wishes.name or typed.name or path.stem
    ruleset = named_ruleset(wishes.ruleset or typed.ruleset or "campaign").name
    edges = _edges(wishes.edges, typed)
    styles = _styles(wishes.deploy)
    kinds = kinds_from(wishes.kinds) or ("mech",)
    limit = wishes.limit if wishes.limit >= 0 else typed.limit
    if wishes.random:
        budget, measure = wishes.budget("players")
        board = board_from(wishes.board, folder).name if wishes.board else ""
        opening = random_opening(
            wishes.seed, board=board, budget=budget, measure=measure if budget else "bv", kinds=kinds, ruleset=ruleset,
            era=era_from(wishes.era), limit=None if limit < 0 else limit, edges=edges if wishes.edges else None,
            styles=styles if wishes.deploy else None, name=name,
        )  # fmt: skip
        _draw_rest(wishes, opening, folder, notes, remarks)
        return opening
    value = wishes.board or typed.board or _BOARD
    ground = board_from(wishes.board, folder) if wishes.board else typed.ground or board_from(_BOARD, folder)
    if wishes.text_source:
        settle(typed, ground)
    if wishes.text_source and not wishes.board and typed.board is None:
        typed.assumed.append(f"no map is given: the built-in board {_BOARD}")
    if wishes.text_source and not (wishes.ruleset or typed.ruleset):
        typed.assumed.append(f"no rules are given: {ruleset}")
    forces = _forces(wishes, typed, folder, notes, remarks)
    return Opening(
        name=name, board=value, ground=ground, forces=forces, ruleset=ruleset, edges=edges, styles=styles, seed=wishes.seed,
        limit=max(0, limit), turn=typed.turn or 1, phase=typed.phase or "initiative",
        terrain={} if wishes.board else typed.terrain, remarks=list(remarks),
    )  # fmt: skip


def _draw_rest(wishes: Wishes, opening: Opening, folder: Path, notes: list[Note], remarks: list[str]) -> None:
    """What is asked for of a battle drawn at random beyond the drawing."""
    forces = [list(force) for force in opening.forces]
    for side, words in enumerate((wishes.players, wishes.opfor)):
        if words:
            forces[side] = muster(words, folder, notes)
    if wishes.players and not wishes.opfor and not any(wishes.budget("opfor")[:1]):
        wishes.match = wishes.match or "players"
    if not wishes.opfor and (wishes.match or wishes.budget("opfor")[0]):
        forces[1] = _raised(wishes, forces[0], remarks)
    opening.forces = forces
    if wishes.players or wishes.opfor or remarks:
        opening.remarks = [opening.remarks[0], *remarks]
    else:
        remarks += opening.remarks


def _forces(wishes: Wishes, typed: TypedBattle, folder: Path, notes: list[Note], remarks: list[str]) -> list[list[Recruit]]:
    """Both forces: as typed, as listed, or chosen to a budget; the usual ones where nothing is said."""
    found: list[list[Recruit]] = []
    players = typed.forces[0]
    budget, measure = wishes.budget("players")
    if wishes.players:
        players = muster(wishes.players, folder, notes)
    elif budget:
        raised = raise_force(
            budget, measure, seed=wishes.seed, kinds=kinds_from(wishes.kinds) or ("mech",), era=era_from(wishes.era)
        )
        remarks += [f"The players: {words}." for words in raised.remarks]
        players = recruits(raised)
    found.append(players or muster(", ".join(USUAL[0]), folder, notes))
    opfor = typed.forces[1]
    if wishes.opfor:
        opfor = muster(wishes.opfor, folder, notes)
    elif wishes.match or wishes.opfor_like or wishes.budget("opfor")[0]:
        opfor = _raised(wishes, found[0], remarks)
    found.append(opfor or muster(", ".join(USUAL[1]), folder, notes))
    if wishes.text_source:
        for side, title in enumerate(("the players", "the Op Force")):
            if not typed.forces[side] and not (wishes.players, wishes.opfor)[side] and not remarks:
                typed.assumed.append(f"{title} are told no units: {', '.join(r.spec.name for r in found[side])}")
    return found


def _raised(wishes: Wishes, players: list[Recruit], remarks: list[str]) -> list[Recruit]:
    """The Op Force that is chosen to a budget, or to the players' measure."""
    for option, value in (("--match", wishes.match), ("--opfor-like", wishes.opfor_like)):
        if value and value.strip().lower() != "players":
            raise InputError(f"{option} {value!r} cannot be: use players")
    specs = [recruit.spec for recruit in players]
    budget, measure = wishes.budget("opfor")
    if not budget:
        measure = "bv"
        without = [spec.name for spec in specs if not spec.battle_value]
        budget = sum(spec.battle_value for spec in specs)
        if without:
            remarks.append(f"Not counted, as their sheets give no Battle Value: {', '.join(dict.fromkeys(without))}.")
        if not budget:
            raise InputError("no unit of the players has a Battle Value to be matched", hint="say --opfor-bv or --opfor-tons")
    like = specs if wishes.opfor_like else ()
    kinds = kinds_from(wishes.kinds)
    if wishes.match and not kinds and not like:
        kinds = tuple(dict.fromkeys(spec.kind for spec in specs if spec.battle_value))
    raised: Raised = raise_force(
        budget, measure, seed=wishes.seed, kinds=kinds or ("mech",), era=era_from(wishes.era), like=like,
        count=len(specs) if wishes.match and not like and not wishes.kinds else 0,
    )  # fmt: skip
    remarks += [f"The Op Force: {words}." for words in raised.remarks]
    return recruits(raised)


def _edges(words: str, typed: TypedBattle) -> tuple[str, str]:
    """Home edges of the players and of the Op Force; the second lies opposite where one alone is named."""
    given = [check_edge(part) for part in words.split(",") if part.strip()]
    if len(given) > 2:
        raise InputError(f"{words!r}: two edges, the players' and the Op Force's", hint="as --edges south,north")
    first = given[0] if given else typed.edges.get(0, "")
    second = given[1] if len(given) > 1 else "" if given else typed.edges.get(1, "")
    first = first or (_OTHER_EDGE[second] if second else "south")
    return first, second or _OTHER_EDGE[first]


def _styles(words: str) -> tuple[str, str]:
    given = [check_style(part) for part in words.split(",") if part.strip()]
    if len(given) > 2:
        raise InputError(f"{words!r}: two ways to deploy, the players' and the Op Force's", hint="as --deploy line,hidden")
    if not given:
        return "line", "line"
    # nobody means to hide the players from the program that plays against them
    return given[0] if len(given) > 1 or given[0] != "hidden" else "line", given[-1]
