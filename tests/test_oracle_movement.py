"""Movement against the reference values: MP, everything reachable, explicit paths, failed rolls, facts.

Where the two differ the row falls in a category whose size is fixed here; docs/differences.md says who is right and why.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from opfor.dice import Roll, SeededDice
from opfor.game.apply.movement import apply_movement
from opfor.game.legal.moves import UnitMoves
from opfor.orders import MoveOrder
from opfor.rules.moving.ground import ROLL
from opfor.rules.moving.grounds import ground_of
from opfor.rules.moving.landing import landing_place
from opfor.rules.moving.movement import ground_reach, hip_or_gyro_damage, leg_damage, movement_points
from opfor.rules.moving.path_rolls import Needed, entry_rolls, landing_rolls, skid_modifier
from opfor.rules.moving.paths import walk
from opfor.rules.moving.reach import Reach
from opfor.rules.moving.stacking import may_end
from opfor.rules.pilots.falls import facing_after_fall, fall_damage
from opfor.rules.pilots.heat import movement_heat
from opfor.rules.pilots.piloting import piloting_number
from opfor.rules.play import Play
from opfor.state import State
from opfor.units.state import UnitState
from tests.oracle_movement import only_mechs, position, reach_entries, rows

pytestmark = pytest.mark.oracle

Row = dict[str, str]
#: names of the rolls in the tables, by reason
NAMES = {
    "water_1": "water1", "water_2": "water2", "water_3": "water3", "rubble": "rubble", "swamp": "swamp", "skid": "skid",
    "standing_up": "stand", "careful_stand": "stand", "backward_level": "back_level", "run_damaged": "run_damaged",
    "jump_damaged": "land_damaged",
}  # fmt: skip


#: a building entered at an inner floor; a jump that lands under a bridge
APART = ("r227", "r216")


def agree(total: int, differences: Counter[str], expected: dict[str, int], share: float = 0.99) -> None:
    """At least that share agrees, and every difference is of a known kind and number."""
    assert dict(differences) == expected
    assert sum(differences.values()) <= total * (1 - share), f"{sum(differences.values())} of {total} differ"


# -- reach.tsv ----------------------------------------------------------------------------------------------------------


def reached(state: State, unit: UnitState, reach: Reach | None) -> dict[tuple[str, int, bool, int], tuple[int, int]]:
    """Every end by (hex, elevation, prone, facing): MP and hexes of the cheapest way, rolls or not."""
    names = state.board.grid.names
    here = (names[unit.cell], unit.elevation, unit.prone, unit.facing)
    found = {here: (0, 0)}
    if reach is None:
        return found
    elevation = reach.ground.elevation
    cheapest = reach.cheapest()
    for end in map(reach.end, reach.keys):
        stance, prone = end.stance, end.prone
        place, facing = divmod(stance, 6)
        if prone and not unit.prone:
            continue
        mp, hexes = cheapest.get(stance, (end.mp, end.hexes)) if not prone else (end.mp, end.hexes)
        found[names[place >> 1], elevation[place], prone, facing] = (mp, hexes)
    return found


@pytest.mark.parametrize("mode", ["walk", "run"])
def test_reach(reference: Path, mode: str) -> None:
    total = 0
    differences: Counter[str] = Counter()
    for row in rows(reference, "reach"):
        if not only_mechs(row):
            continue
        state, unit = position(reference, row)
        ours = reached(state, unit, ground_reach(state, unit, mode))
        theirs = {}
        for (hex, elevation, prone), (mp, hexes) in reach_entries(row[mode]).items():
            for facing in range(6):
                if mp[facing] != ".":
                    theirs[hex, elevation, prone, facing] = (int(mp[facing], 36), int(hexes[facing], 36))
        total += len(theirs)
        for key in ours.keys() | theirs.keys():
            if ours.get(key) != theirs.get(key):
                differences[_why_reach(row, state, key)] += 1
    agree(total, differences, {"walk": {"one leg": 8}, "run": {"one leg": 15, "bridge": 1, "inner floor": 2}}[mode])


def _why_reach(row: Row, state: State, key: tuple[str, int, bool, int]) -> str:
    hex = state.board.at(key[0])
    if "legoff" in row["state"]:
        return "one leg"
    if hex.bridge and key[1] == hex.bridge_height:
        return "bridge"
    if hex.building and key[1] != hex.building_height:
        return "inner floor"
    return row["id"]


def test_movement_points(reference: Path) -> None:
    for name in ("reach", "paths", "outcomes"):
        for row in rows(reference, name):
            state, unit = position(reference, row)
            given = (int(row["walk_mp"]), int(row["run_mp"]), int(row["jump_mp"]))
            assert tuple(movement_points(state, unit)) == given, row["id"]


def test_jumps(reference: Path) -> None:
    for row in rows(reference, "reach"):
        if not only_mechs(row):
            continue
        state, unit = position(reference, row)
        moves = UnitMoves(state, unit)
        names = state.board.grid.names
        ours = {}
        for cell in moves.landings():
            elevation = moves.ground.elevation[landing_place(moves.ground, cell)]
            ours[names[cell], elevation] = moves.jumps()[cell]
        theirs = {(hex, elevation): int(mp[0], 36) for (hex, elevation, _), (mp, _) in reach_entries(row["jump"]).items()}
        # they can land a jump under a bridge as well as on it
        under = {key for key in theirs if state.board.at(key[0]).bridge and key[1] < 0}
        assert ours == {key: mp for key, mp in theirs.items() if key not in under}, row["id"]


def test_rolls_of_hexes(reference: Path) -> None:
    """The rolls that entering or landing in a hex calls for by itself. Leaving a building calls for none in either."""
    for row in rows(reference, "reach"):
        if not only_mechs(row) or "legoff" in row["state"]:
            continue
        state, unit = position(reference, row)
        for mode in ("walk", "run", "jump"):
            theirs = {part for part in row[f"{mode}_rolls"].split(";") if "leavebuilding" not in part and part != "-"}
            other = {part for part in _hex_rolls(state, unit, mode) ^ theirs if not part.startswith(row["start"])}
            assert not other or row["id"] in APART, (row["id"], mode, other)


def _hex_rolls(state: State, unit: UnitState, mode: str) -> set[str]:
    ground = ground_of(state.board)
    names = state.board.grid.names
    found: set[str] = set()
    if mode == "jump":
        for cell in UnitMoves(state, unit).landings():
            place = landing_place(ground, cell)
            for needed in landing_rolls(ground, unit, place):
                if needed.reason != "jump_damaged":
                    found.add(_hex_roll(state, unit, ground.elevation[place], names[cell], needed))
            if state.board.hexes[cell].swamp and not place & 1:
                found.add(f"{names[cell]}=swamp:stuck")
        return found
    reach = ground_reach(state, unit, mode)
    if reach is None:
        return found
    stances = {node >> 1 for node in reach.any.labels}
    stances |= {key // 2 for key in reach.keys}
    places = {stance // 6 for stance in stances}
    entered = {key // 12 for key in reach.keys if not key & 1}
    for place in places:
        for direction in range(6):
            for to, _, flags in ground.steps(place, direction):
                if to in entered and flags & ROLL:
                    for needed in entry_rolls(ground, to, flags, 1):
                        found.add(_hex_roll(state, unit, ground.elevation[to], names[to >> 1], needed))
    return found


def _hex_roll(state: State, unit: UnitState, elevation: int, name: str, needed: Needed) -> str:
    where = f"{name}@{elevation}" if elevation else name
    if needed.reason == "building":
        return f"{where}=building{state.board.at(name).building}"
    return f"{where}={NAMES[needed.reason]}:{piloting_number(state, unit, needed.reason).value}"


def test_rolls_of_turns(reference: Path) -> None:
    for row in rows(reference, "reach"):
        state, unit = position(reference, row)
        theirs = dict(part.split("(")[0].split(":") for part in row["turn_rolls"].split(";"))
        points = movement_points(state, unit)
        ours = {"base": str(piloting_number(state, unit, "fall").value)}
        if hip_or_gyro_damage(unit):
            ours["run"] = str(piloting_number(state, unit, "run_damaged").value)
        if leg_damage(unit) and unit.spec.jump and (points.jump or "jump" in theirs):
            ours["jump"] = str(piloting_number(state, unit, "jump_damaged").value)
        if unit.prone and (points.walk or "up" in theirs):
            ours["up"] = str(piloting_number(state, unit, "standing_up").value)
        assert ours == theirs, row["id"]


# -- paths.tsv ----------------------------------------------------------------------------------------------------------


def translated(path: str) -> tuple[str, ...]:
    """Their tokens in ours: the backward sidesteps go the other way."""
    return tuple({"SLB": "SRB", "SRB": "SLB"}.get(token, token) for token in path.split())


def jump_order(state: State, unit: UnitState, tokens: tuple[str, ...]) -> MoveOrder:
    """A jump's order, from where its steps lead; to nowhere when they are no shortest way."""
    grid = state.board.grid
    cell, facing = unit.cell, unit.facing
    for token in tokens[1:]:
        if token == "F":
            cell += grid.step[facing]
        elif token in ("L", "R"):
            facing = (facing + (1 if token == "R" else 5)) % 6
    ground = ground_of(state.board)
    if not grid.contains(cell) or grid.distance(unit.cell, cell) != tokens.count("F"):
        cell = unit.cell
    elevation = ground.elevation[landing_place(ground, cell)]
    return MoveOrder("u", "jump", ("J",), cell, facing, elevation)


def play_path(state: State, unit: UnitState, tokens: tuple[str, ...]) -> dict[str, object]:
    """What our rules make of a path: walked if it can be, else run."""
    names = state.board.grid.names
    if tokens[0] == "JUMP":
        moves = UnitMoves(state, unit)
        order = jump_order(state, unit, tokens)
        if moves.why_no_jump() or order.to not in moves.landings():
            return {"legal": "N"}
        rolls = moves.landing(order)
        distance = moves.jump_distance(order)
        end = (names[order.to], order.facing, order.elevation, 0)
        return {"legal": "Y", "mp": distance, "end": end, "mode": "jump", "hexes": distance,
                "heat": movement_heat("jump", distance), "rolls": numbers(state, unit, rolls)}  # fmt: skip
    for mode in ("walk", "run"):
        walked = walk(state, unit, mode, tokens)
        place, facing = divmod(walked.stance, 6)
        ground = ground_of(state.board)
        if walked.why or (not may_end(state, unit, ground, place)):
            continue
        attempts = sum(1 for token in tokens if token in ("UP", "CAREFUL"))
        end = (names[place >> 1], facing, ground.elevation[place], int(walked.prone))
        return {"legal": "Y", "mp": walked.mp, "end": end, "mode": mode, "hexes": walked.hexes,
                "heat": movement_heat(mode, walked.hexes, attempts), "rolls": numbers(state, unit, walked.rolls)}  # fmt: skip
    return {"legal": "N"}


def numbers(state: State, unit: UnitState, needed: list[Needed] | tuple[Needed, ...]) -> list[str]:
    found = []
    for roll in needed:
        value = piloting_number(state, unit, roll.reason, roll.extra, what=roll.what).value
        name = f"building_{roll.what.split()[0]}" if roll.reason == "building" and roll.what else NAMES[roll.reason]
        found.append(f"{name}:{value}")
    return found


def test_paths(reference: Path) -> None:
    total = 0
    differences: Counter[str] = Counter()
    for row in rows(reference, "paths"):
        if (
            row["note"] == "collapse"
            or row["options"] not in ("-", "tacops_walk_backwards", "tacops_careful_stand")
            or not only_mechs(row)
        ):
            continue
        total += 1
        state, unit = position(reference, row)
        ours = play_path(state, unit, translated(row["path"]))
        theirs: dict[str, object] = {"legal": row["legal"]}
        if row["legal"] == "Y":
            mode = row["move_type"] if row["move_type"] != "careful_stand" else "walk"
            rolls = [
                f"{part.split('@')[0]}:{part.split('(')[0].rsplit(':', 1)[1]}"
                for part in row["rolls"].split(";")
                if part != "-"
            ]
            end = (row["end_hex"], int(row["end_facing"]), int(row["end_elev"]), int(row["end_prone"]))
            theirs |= {"mp": int(row["total_mp"]), "end": end, "mode": mode, "hexes": int(row["hexes"]),
                       "heat": int(row["heat"]), "rolls": rolls}  # fmt: skip
        if ours != theirs:
            differences[_why_path(row, ours, theirs)] += 1
    # their climb mode also decides whether a wall or a bridge can be passed below; ours only chooses between two ways
    agree(total, differences, {"climb mode": 4, "one leg": 1, "walks, then jumps": 1}, share=0.98)


def _why_path(row: Row, ours: dict[str, object], theirs: dict[str, object]) -> str:
    if "elevation_not_valid" in row["reason"]:
        return "climb mode"
    if "legoff" in row["state"] and ours == theirs | {"mode": "walk", "heat": 1}:
        return "one leg"
    if "JUMP" in row["path"].split()[1:]:
        return "walks, then jumps"
    return f"{row['id']} {row['path']} {row['note']} ours {ours} theirs {theirs}"


def test_collapses(reference: Path) -> None:
    """Rows in which a roof gives way under the one that lands on it."""
    found = 0
    for row in rows(reference, "paths"):
        if row["note"] != "collapse" or not only_mechs(row):
            continue
        found += 1
        state, unit = position(reference, row)
        play = Play(state, GivenDice("6,6"))
        apply_movement(play, jump_order(state, unit, translated(row["path"])))
        where = (state.board.grid.names[unit.cell], str(unit.elevation), str(int(unit.prone)))
        assert where == (row["end_hex"], row["end_elev"], row["end_prone"]), row["id"]
        assert state.board.hexes[unit.cell].rubble
    assert found == 2


# -- outcomes.tsv -------------------------------------------------------------------------------------------------------


class GivenDice(SeededDice):
    """The dice of a row first, then others."""

    def __init__(self, given: str) -> None:
        super().__init__(1)
        self.given = [int(d) for d in given.split(",")]

    def roll(self, count: int, why: str) -> Roll:
        if self.given:
            dice, self.given = tuple(self.given[:count]), self.given[count:]
            self.log.append(Roll(dice, why))
            return self.log[-1]
        return super().roll(count, why)


def test_outcomes(reference: Path) -> None:
    total = 0
    differences: Counter[str] = Counter()
    for row in rows(reference, "outcomes"):
        state, unit = position(reference, row)
        tokens = translated(row["path"])
        total += 1
        if tokens[0] == "JUMP":
            order = jump_order(state, unit, tokens)
        else:
            points = movement_points(state, unit)
            mode = "walk" if int(row["total_mp"]) <= points.walk and row["move_type"] == "walk" else "run"
            walked = walk(state, unit, mode, tokens)
            assert not walked.why, (row["id"], walked.why)
            place, facing = divmod(walked.stance, 6)
            order = MoveOrder("u", mode, tokens, place >> 1, facing, ground_of(state.board).elevation[place])
        play = Play(state, GivenDice(row["dice"]))
        apply_movement(play, order)
        ours = _outcome(play, unit)
        theirs = {key: row[key] for key in ("end_hex", "end_facing", "end_elev", "hexes", "end_prone", "end_stuck")}
        theirs |= {"events": row["events"]}
        if ours != theirs:
            differences[f"{row['id']} {row['path']} {ours} {theirs}"] += 1
    agree(total, differences, {})


def _outcome(play: Play, unit: UnitState) -> dict[str, str]:
    words = []
    for event in play.events:
        data = event.data
        if event.what == "fall":
            if data["reason"] not in ("standing_up", "run_damaged", "jump_damaged"):
                words.append(f"fall:levels={data['levels']},hex={data['at']}")
            damage = f"{data['damage']}+{data['damage_bottom']}" if data["damage_bottom"] else str(data["damage"])
            words.append(f"fall_damage={damage},side={data['side']}")
        elif event.what == "roll" and "avoid injury" in data["why"]:
            words.append(f"pilot_tn={data['tn']['tn']}")
        elif event.what == "skidded":
            words.append(f"skid_hex={data['to']}")
        elif event.what == "skid_damage":
            words.append(f"skid_damage={data['damage']}")
        elif event.what == "bogged_down":
            words.append("bogged")
    return {
        "end_hex": play.state.board.grid.names[unit.cell],
        "end_facing": str(unit.facing),
        "end_elev": str(unit.elevation),
        "hexes": str(unit.hexes_moved),
        "end_prone": str(int(unit.prone)),
        "end_stuck": str(int(unit.stuck)),
        "events": ";".join(words) or "-",
    }


# -- facts_movement.tsv -------------------------------------------------------------------------------------------------


def test_facts(reference: Path) -> None:
    with (reference / "oracle" / "facts_movement.tsv").open(encoding="utf-8", newline="") as file:
        facts = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    checked: Counter[str] = Counter()
    for fact in facts:
        key = dict(part.split("=") for part in fact["key"].replace(",", ";").split(";"))
        value = dict(part.split("=") for part in fact["value"].replace(",", ";").split(";"))
        if fact["kind"] == "hexes_mod":
            assert skid_modifier(int(key["hexes"])) == int(value["skid_mod"]), fact
        elif fact["kind"] == "fall":
            damage = fall_damage(int(key["tons"]), int(key["height"]), int(key["water_depth"]))
            assert tuple(damage) == (int(value["damage_surface"]), int(value["damage_bottom"])), fact
        elif fact["kind"] == "fall_facing":
            assert facing_after_fall(int(key["facing"]), int(key["die"])) == (int(value["facing_after"]), value["side_hit"])
        checked[fact["kind"]] += 1
    assert checked == {"hexes_mod": 12, "fall": 204, "fall_facing": 20}
