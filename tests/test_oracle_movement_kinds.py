"""Movement of vehicles, VTOLs, infantry and battle armour against the reference values. Rule: S-2, S-9, E-12 to E-14, E-26.

Where the two differ the row falls in a category whose size is fixed here; docs/differences.md says who is right and why.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from opfor.game.apply.movement import apply_movement
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.moves import UnitMoves
from opfor.orders import MoveOrder
from opfor.rules.moving.grounds import ground_for
from opfor.rules.moving.landing import landing_place
from opfor.rules.moving.movement import ground_reach, movement_points
from opfor.rules.moving.path_rolls import Needed
from opfor.rules.moving.paths import walk
from opfor.rules.moving.reach import Reach
from opfor.rules.moving.stacking import may_end
from opfor.rules.pilots.piloting import piloting_number
from opfor.rules.play import Play
from opfor.state import State
from opfor.units.state import UnitState
from tests.oracle_movement import position, reach_entries, rows
from tests.test_oracle_movement import GivenDice, agree

pytestmark = pytest.mark.oracle

Row = dict[str, str]
Key = tuple[str, int, int]
NAMES = {
    "swamp_vehicle": "swamp",
    "swamp_infantry": "bog",
    "skid": "skid",
    "sideslip": "sideslip",
    "backward_level": "back_level",
}


def others(reference: Path, name: str) -> list[Row]:
    """The rows of a table that are about no 'Mech."""
    return rows(reference, name, mechs=False)


def test_movement_points(reference: Path) -> None:
    """The program knows no crew that is too stunned to flank, and no stabilizer in the MP columns."""
    for name in ("reach", "paths", "outcomes"):
        for row in others(reference, name):
            state, unit = position(reference, row)
            given = (int(row["walk_mp"]), int(row["run_mp"]), int(row["jump_mp"]))
            slow = "stunned" in row["state"] or "stabrotor" in row["state"]
            wanted = (given[0], given[0], given[2]) if slow else given
            assert tuple(movement_points(state, unit)) == wanted, row["id"]


def test_driving_numbers(reference: Path) -> None:
    for row in others(reference, "reach"):
        state, unit = position(reference, row)
        if unit.spec.is_vehicle:
            theirs = dict(part.split("(")[0].split(":") for part in row["turn_rolls"].split(";"))
            assert {"base": str(piloting_number(state, unit, "fall").value)} == theirs, row["id"]


def reached(state: State, unit: UnitState, reach: Reach | None) -> dict[Key, tuple[int, int]]:
    """Every end by (hex, elevation, facing): MP and hexes of the cheapest way; infantry in all facings."""
    names = state.board.grid.names
    found = {(names[unit.cell], unit.elevation, unit.facing): (0, 0)}
    if reach is None:
        return found
    ground = reach.ground
    cheapest = reach.cheapest()
    for end in map(reach.end, reach.keys):
        place, facing = divmod(end.stance, 6)
        mp, hexes = cheapest.get(end.stance, (end.mp, end.hexes))
        for turned in range(6) if reach.rules.free else (facing,):
            key = (names[ground.cell(place)], ground.elevation[place], turned)
            found[key] = min(found.get(key, (mp, hexes)), (mp, hexes))
    if reach.rules.free:
        for turned in range(6):
            found[names[unit.cell], unit.elevation, turned] = (0, 0)
    return found


@pytest.mark.parametrize("mode", ["walk", "run"])
def test_reach(reference: Path, mode: str) -> None:
    total = 0
    differences: Counter[str] = Counter()
    for row in others(reference, "reach"):
        state, unit = position(reference, row)
        if mode == "run" and (unit.spec.is_infantry or unit.stunned):
            continue
        ours = reached(state, unit, ground_reach(state, unit, mode))
        if unit.spec.kind == "vtol":
            level = state.base(unit)
            ours = {key: value for key, value in ours.items() if state.board.at(key[0]).level + key[1] == level}
        theirs = {}
        for (hex, elevation, _), (mp, hexes) in reach_entries(row[mode]).items():
            for facing in range(6):
                if mp[facing] != ".":
                    theirs[hex, elevation, facing] = (int(mp[facing], 36), int(hexes[facing], 36))
        total += len(theirs)
        for key in ours.keys() | theirs.keys():
            if ours.get(key) != theirs.get(key):
                differences[_why_reach(row, state, unit, key, ours, theirs)] += 1
    expected = {
        "walk": {"ultra-rough ground": 17, "inner floor": 12, "out of a building onto water": 5},
        "run": {"ultra-rough ground": 35, "out of a building onto water": 5},
    }
    agree(total, differences, expected[mode])


def _why_reach(
    row: Row, state: State, unit: UnitState, key: Key, ours: dict[Key, tuple[int, int]], theirs: dict[Key, tuple[int, int]]
) -> str:
    """The kind of a difference.

    Ultra-rough ground (advanced rules, which our boards read as rough) stops hover vehicles in the program, and whatever
    lies behind it is further off; one Savannah Master goes out of a light building (1109) onto the lake beside it (1110).
    """
    hex = state.board.at(key[0])
    if row["id"] == "r012" and unit.spec.motive == "hover":
        return "ultra-rough ground"
    if row["id"] == "r053":
        return "out of a building onto water"
    if hex.building and unit.spec.is_infantry:
        return "inner floor"
    return f"{row['id']} {unit.spec.motive} {key} {hex.describe()} ours {ours.get(key)} theirs {theirs.get(key)}"


def test_jumps(reference: Path) -> None:
    for row in others(reference, "reach"):
        state, unit = position(reference, row)
        moves = UnitMoves(state, unit)
        names = state.board.grid.names
        ours = {}
        for cell in moves.landings():
            elevation = moves.ground.elevation[landing_place(moves.ground, cell)]
            ours[names[cell], elevation] = moves.jumps()[cell]
        theirs = {(hex, elevation): int(mp[0], 36) for (hex, elevation, _), (mp, _) in reach_entries(row["jump"]).items()}
        assert ours == theirs, (row["id"], sorted(ours.items() ^ theirs.items()))


# -- paths.tsv ----------------------------------------------------------------------------------------------------------


def play_path(state: State, unit: UnitState, tokens: tuple[str, ...]) -> dict[str, object]:
    """What our rules make of a path: walked if it can be, else run."""
    names = state.board.grid.names
    ground = ground_for(state.board, unit.spec, state.ruleset)
    if tokens[0] == "JUMP":
        grid = state.board.grid
        moves = UnitMoves(state, unit)
        cell, facing = unit.cell, unit.facing
        for token in tokens[1:]:
            if token == "F":
                cell += grid.step[facing] if grid.contains(cell) else 0
            else:
                facing = (facing + (1 if token == "R" else 5)) % 6
        if not grid.contains(cell) or cell not in moves.landings() or grid.distance(unit.cell, cell) != tokens.count("F"):
            return {"legal": "N"}
        landed = (names[cell], ground.elevation[landing_place(ground, cell)])
        return {
            "legal": "Y",
            "mp": moves.jumps()[cell],
            "end": landed,
            "mode": "jump",
            "hexes": moves.jumps()[cell],
            "rolls": [],
        }
    for mode in ("walk", "run"):
        walked = walk(state, unit, mode, tokens)
        place, facing = divmod(walked.stance, 6)
        if walked.why or not may_end(state, unit, ground, place):
            continue
        end = (names[ground.cell(place)], facing, ground.elevation[place])
        return {"legal": "Y", "mp": walked.mp, "end": end, "mode": mode, "hexes": walked.hexes,
                "rolls": numbers(state, unit, walked.rolls)}  # fmt: skip
    return {"legal": "N"}


def numbers(state: State, unit: UnitState, needed: list[Needed]) -> list[str]:
    found = []
    for roll in needed:
        value = piloting_number(state, unit, roll.reason, roll.extra, what=roll.what).value
        name = f"building_{roll.what.split()[0]}" if roll.reason == "building" and roll.what else NAMES[roll.reason]
        found.append(f"{name}:{value}")
    return found


def test_paths(reference: Path) -> None:
    total = 0
    differences: Counter[str] = Counter()
    for row in others(reference, "paths"):
        if row["note"] == "collapse" or row["options"] not in ("-", "tacops_walk_backwards", "tacops_careful_stand"):
            continue
        total += 1
        state, unit = position(reference, row)
        ours = play_path(state, unit, tuple(row["path"].split()))
        theirs: dict[str, object] = {"legal": row["legal"]}
        if row["legal"] == "Y":
            mode = {"cruise_air": "walk", "flank_air": "run"}.get(row["move_type"], row["move_type"])
            rolls = [
                f"{part.split('@')[0]}:{part.split('(')[0].rsplit(':', 1)[1]}"
                for part in row["rolls"].split(";")
                if part != "-"
            ]
            end = (row["end_hex"], int(row["end_facing"]), int(row["end_elev"]))
            theirs |= {"mp": int(row["total_mp"]), "end": end if mode != "jump" else (end[0], end[2]), "mode": mode,
                       "hexes": int(row["hexes"]), "rolls": rolls}  # fmt: skip
        if ours != theirs:
            differences[_why_path(row, ours, theirs)] += 1
    agree(total, differences, {})


def _why_path(row: Row, ours: dict[str, object], theirs: dict[str, object]) -> str:
    return f"{row['id']} {row['unit']} {row['path']} {row['reason']} {row['note']} ours {ours} theirs {theirs}"


# -- outcomes.tsv -------------------------------------------------------------------------------------------------------


def test_outcomes(reference: Path) -> None:
    """Skids and sideslips: where they end, how far, whether the movement is over.

    In o272 the program ends a slip of two hexes before the second, whose woods lie below the VTOL's level; ours goes on. It
    counts a slip as one hex moved, however long it is: ours counts the hexes.
    """
    total = 0
    for row in others(reference, "outcomes"):
        total += 1
        state, unit = position(reference, row)
        tokens = tuple(row["path"].split())
        walked = walk(state, unit, "run", tokens)
        place, facing = divmod(walked.stance, 6)
        ground = ground_for(state.board, unit.spec, state.ruleset)
        order = MoveOrder("u", "run", tokens, ground.cell(place), facing, ground.elevation[place])
        assert order in MovementChoices(state, [unit]), row["id"]
        play = Play(state, GivenDice(row["dice"]))
        over = apply_movement(play, order)
        what = {event.what: event.data for event in play.events}
        theirs = {part.partition("=")[0]: part.partition("=")[2] for part in row["events"].split(";")}
        if "off_field" in theirs:
            assert unit.gone and over, row["id"]
            continue
        if row["id"] == "o272":
            assert state.board.grid.names[unit.cell] == "0812"
            continue
        assert state.board.grid.names[unit.cell] == row["end_hex"], row["id"]
        if "crash_prohibited" in theirs:
            # water: it sinks, in the program it stays there
            assert "skid_stopped" in what and unit.destroyed == "sank", row["id"]
            continue
        if "crash_hill" in theirs:
            assert what["skid_stopped"]["by"] == "higher ground", row["id"]
        assert (unit.facing, unit.elevation) == (int(row["end_facing"]), int(row["end_elev"])), row["id"]
        if row["category"] == "sideslip":
            slid = int(theirs["sideslip"])
            assert what["sideslip"]["hexes"] == slid, row["id"]
            assert unit.hexes_moved == int(row["hexes"]) - 1 + slid, row["id"]
            # the hexes, and the turn; it may go on with what is left
            assert not over and unit.mp_spent == unit.hexes_moved + 1, row["id"]
            assert MovementChoices(state, [unit]).count() > 1
        else:
            assert unit.hexes_moved == int(row["hexes"]), row["id"]
            assert over and unit.skidded, row["id"]
    assert total == 11
