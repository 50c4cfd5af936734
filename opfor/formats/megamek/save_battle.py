"""A battle file made of a saved game of MegaMek: board, sides, units as they stand, round and phase. Rule: S-1, S-5, E-1.

:func:`import_save` gives the texts to write (the battle file, its board, sheets of units that nothing else describes) and
notes of all that cannot be carried over; :func:`battle_from_save` the battle itself. See ``docs/from-megamek.md``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from opfor.board.board import Board
from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle import Battle
from opfor.formats.battle_file.battle_board import board_entries
from opfor.formats.battle_file.battle_entries import unit_entry
from opfor.formats.battle_file.battle_schema import FORMAT_VERSION
from opfor.formats.battle_file.battle_turn import PHASES_OF
from opfor.formats.megamek.board import read_board
from opfor.formats.megamek.save import as_at, count_words, read_save
from opfor.formats.megamek.save_actions import declared_attacks
from opfor.formats.megamek.save_convert import Converter
from opfor.formats.megamek.save_data import SavedGame, SavedPlayer, SavedUnit
from opfor.formats.megamek.save_ground import board_text, ground_changes, wind_of
from opfor.formats.megamek.save_result import Imported, load_imported, read_unwritten, write_imported
from opfor.formats.megamek.save_types import Types
from opfor.formats.notes import Note
from opfor.formats.yaml_out import dump_document
from opfor.game.turns.standard import eligible
from opfor.rulesets import Ruleset, named_ruleset
from opfor.state import State
from opfor.tables import table
from opfor.units.names import bare
from opfor.units.state import UnitState

PLAYERS, OPFOR = "players", "opfor"
#: where an error points at a unit: its index, and the key
_PLACE = re.compile(r"units\[(\d+)\](?:\.(\w+))?")


def battle_from_save(
    path: str | Path, *, opfor: str = "", units: Iterable[str | Path] = (), ruleset: str = "campaign"
) -> tuple[Battle, list[Note]]:
    """The battle of a save, and notes of what could not be carried over. Raises :class:`InputError`."""
    made = import_save(path, opfor=opfor, units=units, ruleset=ruleset)
    return load_imported(made, Path(path).name), made.notes


def import_save(
    path: str | Path,
    *,
    opfor: str = "",
    units: Iterable[str | Path] = (),
    ruleset: str = "campaign",
    name: str = "",
    out: str | Path = "battle.yaml",
) -> Imported:
    """Read a save into the texts of a battle file.

    ``opfor``: name of the player who is the Op Force (else the bots' team, see :func:`opforce_player`). ``units``: folders with
    unit files, looked through before the catalogue. ``out``: where the battle file is to be, for the paths in it. Raises
    :class:`InputError` for a file that is no save, for an unknown player, and for a save without a unit that can be played.
    """
    return _Importer(read_save(path), opfor, [Path(folder) for folder in units], named_ruleset(ruleset), name, Path(out)).run()


def opforce_player(game: SavedGame, wanted: str = "") -> tuple[SavedPlayer, bool]:
    """The player who is the Op Force, and whether that is sure.

    The one named; else, of the bots (or of all, where all or none are bots), the one whose name says so, else the last.
    """
    players = [player for player in game.players if not player.observer] or game.players
    if not players:
        raise InputError("it has no players", source=game.source)
    if wanted:
        found = next((player for player in game.players if bare(player.name) == bare(wanted)), None)
        if found is None:
            names = [player.name for player in game.players]
            raise InputError(
                f"there is no player {wanted!r}",
                source=game.source,
                hint=nearest(wanted, names) or f"it has {', '.join(names)}",
            )
        return found, True
    bots = [player for player in players if player.bot]
    some = bots if bots and len(bots) < len(players) else players
    named = [player for player in some if bare(player.name) in table("mm_names")["opforce_names"]]
    teams = {(player.team or -player.id - 1) for player in some}
    return (named or some)[-1], bool(named) or (some is bots and len(teams) == 1)


class _Importer:
    """One import."""

    def __init__(self, game: SavedGame, opfor: str, folders: list[Path], ruleset: Ruleset, name: str, out: Path) -> None:
        self.game = game
        self.ruleset = ruleset
        self.name = name or out.stem
        self.out = out
        self.notes: list[Note] = []
        self.types = Types(folders, out, self.notes, self.say)
        self.ids: dict[int, str] = {}
        self.words: dict[str, str] = {}
        self.opfor, sure = opforce_player(game, opfor)
        if not sure:
            self.say("repaired", f"{self.opfor.name} is taken as the Op Force: say another with --opfor PLAYER")
        self.sides = self.side_names()

    def say(self, severity: str, message: str) -> None:
        self.notes.append(Note(self.game.source, 0, severity, message))

    # -- sides ---------------------------------------------------------------------------------------------------------

    def side_names(self) -> dict[int, str]:
        """The side of each player: the Op Force and its team; of the others, each team is a side of its own."""
        sides = {}
        others: dict[int, str] = {}
        for player in self.game.players:
            team = player.team or -player.id - 1
            if player.id == self.opfor.id or (player.team and player.team == self.opfor.team):
                sides[player.id] = OPFOR
                continue
            if team not in others:
                fielded = any(unit.owner == player.id for unit in self.game.units)
                if not fielded and not any(
                    u.owner == p.id for p in self.game.players if p.team == team for u in self.game.units
                ):
                    continue
                others[team] = PLAYERS if not others else f"team-{team}" if team > 0 else f"player-{player.id}"
            sides[player.id] = others[team]
        if len(others) > 1:
            self.say("repaired", f"{len(others)} teams against {self.opfor.name}: each is a side of its own")
        return sides

    def order(self) -> list[str]:
        """Names of the sides, the players' first."""
        names = [name for name in dict.fromkeys(self.sides.values()) if name != OPFOR]
        return [*(names or [PLAYERS]), OPFOR]

    # -- the whole -----------------------------------------------------------------------------------------------------

    def run(self) -> Imported:
        game = self.game
        names = tuple(self.order())
        base = self.board()
        changes = ground_changes(game, base, self.sides, names, self.say)
        board = base.changed(changes) if changes else base
        phase, turn = self.phase()
        units = self.units(board, names, phase)
        if not units:
            raise InputError("none of its units can be played here", source=game.source, hint="see docs/from-megamek.md")
        state = State(board, self.ruleset, names, units)
        state.turn, state.phase = turn, phase
        document: dict[str, Any] = {
            "opfor": FORMAT_VERSION,
            "name": self.name,
            "ruleset": self.ruleset.name,
            "board": f"{self.out.stem}.board",
            **board_entries(base, board, names),
        }
        wind = wind_of(game, self.say)
        if wind is not None:
            document["wind"] = wind
        document.update(turn=turn, phase=phase)
        order = self.initiative(names)
        document["initiative"] = {"modifier": 0, "order": order}
        state.initiative = [names.index(side) for side in order]
        queue = self.queue(state)
        if queue:
            document["queue"] = queue
        document["sides"] = {name: self.side_entry(name) for name in names}
        document["units"] = [
            unit_entry(unit, names, board, {"type": self.words[unit.id], "notes": f"MegaMek unit {number}"})
            for number, unit in ((n, state.unit(i)) for n, i in self.ids.items())
        ]
        declared = self.declared(state)
        if declared:
            document["pending"] = {"declared": declared}
        self.what_is_left_out()
        files = {f"{self.out.stem}.board": board_text(game), **self.types.files}
        self.settle(document, files)
        left_out = [note.message for note in self.notes if note.source == game.source]
        if left_out:
            document["notes"] = left_out
        phase_words = game.phase.lower().replace("_", " ")
        head = (
            f"# {self.name}: from {game.source}, a save of MegaMek {game.version}, round {game.round}, {phase_words}.\n"
            f"# The Op Force is {self.opfor.name}. What could not be carried over stands under notes."
        )
        text = dump_document(document, self.out.suffix.lower() == ".json", head)
        count = len(document["units"])
        return Imported(text, files, self.notes, self.opfor.name, count, self.ids, document, self.types.outside)

    def settle(self, document: dict[str, Any], files: dict[str, str]) -> None:
        """Leave out, and tell, what cannot stand so under the rules here: first the ride, then the unit. Raises InputError."""
        units = document["units"]
        for _ in range(2 * len(units) + 2):
            try:
                read_unwritten(document, files, self.types.outside, self.game.source, self.out.name)
                return
            except InputError as error:
                found = _PLACE.match(error.place)
                part = error.place.partition("[")[0].partition(".")[0]
                if found is not None:
                    entry, key = units[int(found[1])], found[2]
                    if key in ("aboard", "swarming") and entry.pop(key, None):
                        self.say("repaired", f"{entry['id']}: {error.message}: taken as beside it")
                        continue
                    self.say("error", f"{entry['id']} ({entry['notes']}): {error.message}: left out, add it by hand")
                    units.remove(entry)
                    self.ids = {number: id for number, id in self.ids.items() if id != entry["id"]}
                elif part in ("pending", "queue") and document.pop(part, None):
                    self.say("ignored", f"{part}: {error.message}: left out")
                else:
                    raise
                if not units:
                    raise

    def board(self) -> Board:
        """The board as it stands."""
        board, notes = read_board(board_text(self.game), f"{self.out.stem}.board")
        self.notes += notes
        return board

    # -- where the turn stands -------------------------------------------------------------------------------------------

    def phase(self) -> tuple[str, int]:
        """Phase and turn, in the turn sequence of the ruleset. Rule: E-1."""
        game, names = self.game, table("mm_names")
        turn = max(1, game.round)
        if game.phase in names["not_begun"]:
            return "initiative", turn
        if game.phase not in names["phases"]:
            self.say("repaired", f"phase {game.phase or 'unknown'} is not known: taken as the beginning of the turn")
            return "initiative", turn
        phase = names["phases"][game.phase]
        if phase == "next":
            return "initiative", turn + 1
        known = PHASES_OF[self.ruleset.turn_sequence]
        if phase in known:
            if phase == "initiative" and game.phase == "INITIATIVE_REPORT":
                self.say("ignored", "initiative of the round has been rolled there: it is rolled again here")
            return phase, turn
        other = "declarations" if "declarations" in known and phase != "initiative" else known[-1]
        self.say("repaired", f"phase {game.phase}: the turn of ruleset {self.ruleset.name} has none such, taken as {other}")
        return other, turn

    @property
    def acting(self) -> bool:
        """Whether units that are done have had their turn in the phase that goes on."""
        return self.game.phase in table("mm_names")["acting_phases"]

    def initiative(self, names: tuple[str, ...]) -> list[str]:
        """The sides from the lowest roll up."""
        best: dict[str, tuple[int, ...]] = {}
        for player in self.game.players:
            side = self.sides.get(player.id)
            if side is not None:
                roll = self.game.teams.get(player.team) or player.initiative
                best[side] = max(best.get(side, ()), roll)
        return sorted(names, key=lambda side: (best.get(side, ()), names.index(side)))

    def queue(self, state: State) -> list[str]:
        """The turns left in the phase, where the turn sequence takes them so and they fit the units that are to act."""
        if self.ruleset.turn_sequence != "standard" or not self.acting or self.game.turn_index < 0:
            return []
        left = [self.sides.get(player, "") for player in self.game.turns[self.game.turn_index :]]
        waiting = Counter(state.sides[unit.side] for unit in eligible(state))
        for side, count in (Counter(left) - waiting).items():
            # turns of units that are not played here
            for _ in range(count):
                del left[len(left) - 1 - left[::-1].index(side)]
        if Counter(left) == waiting:
            return left
        self.say("repaired", "the turns left in the phase do not fit the units that are to act here: worked out anew")
        return []

    def side_entry(self, name: str) -> dict[str, Any]:
        """Who plays a side, and its home edge: where its players came in."""
        entry: dict[str, Any] = {"controller": "opfor", "policy": "veteran"} if name == OPFOR else {"controller": "gm"}
        starts = {player.start for player in self.game.players if self.sides.get(player.id) == name}
        edge = table("mm_names")["edges"].get(starts.pop()) if len(starts) == 1 else None
        return entry | ({"edge": edge} if edge else {})

    # -- units ---------------------------------------------------------------------------------------------------------

    def units(self, board: Board, names: tuple[str, ...], phase: str) -> list[UnitState]:
        """The units that can be played, in the order of the save: those in the battle, then those out of it."""
        taken: Counter[str] = Counter()
        made: list[tuple[SavedUnit, UnitState]] = []
        for saved in self.game.units:
            why = self.why_not(saved)
            if why:
                self.say("ignored", f"{saved.name} (unit {saved.id}) {why}: left out")
                continue
            spec, type_ = self.types.of(saved)
            base = "-".join(bare(word) for word in saved.chassis.partition("(")[0].split()[:1] if bare(word))[:20] or "unit"
            taken[base] += 1
            id = f"{base}-{taken[base]}"

            def say(message: str, saved: SavedUnit = saved, id: str = id) -> None:
                self.say("ignored", f"{id} ({saved.name}) {message}")

            unit = Converter(saved, spec, board, say).convert(id, names.index(self.sides[saved.owner]))
            self.ids[saved.id], self.words[id] = id, type_
            self.turn(saved, unit, phase)
            made.append((saved, unit))
        self.carriers(made)
        return [unit for _, unit in made]

    def why_not(self, saved: SavedUnit) -> str:
        """Why a unit cannot be carried over."""
        names = table("mm_names")
        if saved.layout == "pilot":
            where = f" in {as_at(saved.at)}" if saved.at else ""
            picked = saved.numbers["pickedUpById"]
            by = next((unit for unit in self.game.units if unit.id == picked), None)
            carried = f", picked up by {by.name} (unit {by.id})" if by is not None else ""
            return f"is a pilot on foot{where}{carried}, and none are played here"
        if saved.layout == "unplayed":
            return f"is {names['unplayed'][saved.kind]}, and none are played here"
        if saved.owner not in self.sides:
            return f"belongs to no player (number {saved.owner})"
        if saved.in_game and not saved.flags["deployed"]:
            return f"has not come in yet (round {saved.numbers['deployRound']}): add it when it does"
        if saved.in_game and saved.numbers["offBoardDistance"] > 0:
            return "is off the board"
        rides = saved.numbers["conveyance"] >= 0 or saved.numbers["swarmTargetId"] >= 0
        if saved.in_game and not saved.at and not rides:
            return "stands nowhere"
        try:
            self.types.of(saved)
        except InputError as error:
            return f"cannot be played: {error.message}"
        return ""

    def turn(self, saved: SavedUnit, unit: UnitState, phase: str) -> None:
        """What it has done this turn."""
        names = table("mm_names")
        if phase == "initiative" or unit.destroyed or unit.gone:
            unit.heat_built = unit.heat_outside = 0
            unit.fired = unit.used_arms = 0
            return
        if phase == "movement" and not (self.acting and saved.flags["done"]):
            return
        mode = names["moves"].get(saved.moved)
        if mode is None:
            self.say("repaired", f"{unit.id} moved by {saved.moved}: taken as walking")
            mode = "walk"
        unit.mode = "evade" if saved.flags["evading"] and mode == "run" else mode
        unit.hexes_moved = max(0, saved.hexes) if mode != "stand" else 0
        unit.mp_spent = max(0, saved.mp_used)
        unit.skidded = saved.moved in names["skids"]
        unit.moved = True
        unit.spotting = saved.flags["spotting"]
        unit.damage_this_phase = max(0, saved.numbers["damageThisPhase"])
        unit.fell_this_phase = saved.flags["fell"] and self.acting
        unit.acted = phase in ("fire", "physical") and self.acting and saved.flags["done"]

    def carriers(self, made: list[tuple[SavedUnit, UnitState]]) -> None:
        """Who is aboard whom, who clings to whom."""
        by_number = {saved.id: unit for saved, unit in made}
        for saved, unit in made:
            for key, field_name in (("conveyance", "aboard"), ("swarmTargetId", "swarming")):
                other = by_number.get(saved.numbers[key])
                if other is not None and saved.in_game:
                    setattr(unit, field_name, other.id)
                    unit.cell, unit.elevation = other.cell, other.elevation

    # -- what is left --------------------------------------------------------------------------------------------------

    def declared(self, state: State) -> list[dict[str, Any]]:
        """Attacks declared and not resolved, as orders where the ruleset resolves fire so; the others are noted."""
        orders, told = declared_attacks(self.game, state, self.ids)
        if state.phase == "fire" and self.ruleset.fire_damage != "sequential":
            return orders
        for id, words in told.items():
            what = f"{id} has declared, and not resolved: {', '.join(words)}"
            self.say("ignored", f"{what}. Give it as its order, or resolve it there first")
        return []

    def what_is_left_out(self) -> None:
        """What flies, options, and what nobody here reads."""
        for unread in count_words(self.game.unread):
            self.say("ignored", f"{unread}: not carried over")
        options = self.game.options
        if options:
            listed = ", ".join(f"{key}: {str(value).lower()}" for key, value in sorted(options.items()))
            self.say("ignored", f"options of that program, which change no rule here: {listed}")


__all__ = ["Imported", "battle_from_save", "import_save", "load_imported", "opforce_player", "write_imported"]
