"""Positions for tests, in few words: synthetic units of every kind, boards of a few named hexes, units as they stand.

state = make_state(
    board={"0505": "level 2, light woods"},
    units=[
        {"id": "a", "at": "0404", "facing": "SE", "mech": {"weapons": {"RA": ["is_medium_laser"]}}},
        {"id": "b", "side": 1, "at": "0606", "moved": {"mode": "run", "hexes": 5}},
        {"id": "t", "at": "0303", "vehicle": {"motive": "hover", "weapons": {"TU": ["is_medium_laser"]}}},
    ],
)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from opfor.board.board import Board, Hex
from opfor.formats.words.hex_words import hex_from_words
from opfor.hex import Grid, parse_direction
from opfor.rules.pilots.wounds import NONLETHAL, Wound, set_wounds
from opfor.rulesets import Ruleset, read_ruleset
from opfor.state import State
from opfor.tables.arsenal import launchers
from opfor.units.build import build_mech
from opfor.units.build_infantry import build_battle_armor, build_infantry
from opfor.units.build_vehicle import build_vehicle
from opfor.units.sheet import BIPED, QUAD, MechSheet
from opfor.units.spec import REAR_ARMOR, UnitSpec
from opfor.units.state import UnitState
from opfor.units.vehicle_sheet import InfantrySheet, SuitsSheet, VehicleSheet

ARM = ["Shoulder", "Upper Arm Actuator", "Lower Arm Actuator", "Hand Actuator"]
LEG = ["Hip", "Upper Leg Actuator", "Lower Leg Actuator", "Foot Actuator"]
HEAD = ["Life Support", "Sensors", "Cockpit", "-Empty-", "Sensors", "Life Support"]
CENTRE = ["Fusion Engine"] * 3 + ["Gyro"] * 4 + ["Fusion Engine"] * 3
#: 200-point class armour of a 50-ton 'Mech, thick enough for most tests
ARMOR = {"HD": 9, "CT": 20, "RT": 16, "LT": 16, "RA": 14, "LA": 14, "RL": 18, "LL": 18, "CTR": 6, "RTR": 4, "LTR": 4}


def test_mech(
    *,
    name: str = "Test Mech",
    tons: int = 50,
    quad: bool = False,
    walk: int = 4,
    jump: int = 0,
    tech: str = "Inner Sphere",
    weapons: Mapping[str, Sequence[str]] | None = None,
    ammo: Mapping[str, Sequence[str]] | None = None,
    equipment: Mapping[str, Sequence[str]] | None = None,
    armor: Mapping[str, int] | None = None,
    lower_arms: bool = True,
    hands: bool = True,
    heat_sinks: int = 10,
    heat_sink_type: str = "single",
    engine: str = "fusion",
    era: int = 3050,
) -> UnitSpec:
    """A synthetic 'Mech.

    ``weapons`` by location: weapon ids (``is_medium_laser``), each with all its slots, with ``" (R)"`` behind when mounted to
    the rear; ``ammo`` and ``equipment`` by location: names as on a record sheet (``IS Ammo AC/5``, ``Targeting Computer``).
    ``jump`` jets go into the legs and side torsos. The same arguments give the same spec.
    """
    key = (
        name, tons, quad, walk, jump, tech, _frozen(weapons), _frozen(ammo), _frozen(equipment),
        tuple(sorted((armor or {}).items())), lower_arms, hands, heat_sinks, heat_sink_type, engine, era,
    )  # fmt: skip
    return _test_mech(key)


test_mech.__test__ = False  # type: ignore[attr-defined]


def _frozen(items: Mapping[str, Sequence[str]] | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((where, tuple(names)) for where, names in (items or {}).items())


@lru_cache(maxsize=512)
def _test_mech(key: tuple[Any, ...]) -> UnitSpec:
    (name, tons, quad, walk, jump, tech, weapons, ammo, equipment, armor, lower_arms, hands, sinks, sink_type, engine, era) = (
        key
    )
    front = ("FRL", "FLL") if quad else ("RA", "LA")
    rear = ("RRL", "RLL") if quad else ("RL", "LL")
    arm = ARM[: 2 + lower_arms + (hands and lower_arms)]
    slots: dict[str, list[str]] = {"HD": HEAD[:], "CT": CENTRE[:], "RT": [], "LT": []}
    for place in front:
        slots[place] = LEG[:] if quad else arm[:]
    for place in rear:
        slots[place] = LEG[:]
    for where, names in weapons:
        for item in names:
            rear_mark = item.endswith(" (R)")
            id = item.removesuffix(" (R)")
            slots[where] += [id + (" (R)" if rear_mark else "")] * launchers()[id][0].weapon.crits
    for group in (ammo, equipment):
        for where, names in group:
            slots[where] += list(names)
    for number in range(jump):
        slots[(*rear, "RT", "LT")[number % 4]].append("Jump Jet")
    if engine == "xl_is":
        for place in ("RT", "LT"):
            slots[place] = ["Fusion Engine"] * 3 + slots[place]
    if slots["HD"][3] == "-Empty-" and len(slots["HD"]) > len(HEAD):
        slots["HD"] = [*HEAD[:3], slots["HD"].pop(), *HEAD[4:]]
    points = {_quad_name(k) if quad else k: v for k, v in ARMOR.items()} | dict(armor)
    return build_mech(
        MechSheet(
            chassis=name,
            model="",
            config=QUAD if quad else BIPED,
            tons=tons,
            tech=tech,
            era=era,
            engine_rating=walk * tons,
            engine=engine,
            heat_sinks=sinks,
            heat_sink_type=sink_type,
            jump=jump,
            armor=points,
            slots=slots,
        )
    )


#: armour of test vehicles by location
VEHICLE_ARMOR = {"FR": 20, "RS": 16, "LS": 16, "RR": 12, "TU": 16}
VTOL_ARMOR = {"FR": 8, "RS": 6, "LS": 6, "RR": 6, "RO": 2}


def test_vehicle(
    *,
    name: str = "Test Tank",
    motive: str = "tracked",
    tons: int = 40,
    cruise: int = 4,
    turret: bool = True,
    engine: str = "ice",
    tech: str = "Inner Sphere",
    weapons: Mapping[str, Sequence[str]] | None = None,
    ammo: Sequence[str] = (),
    equipment: Mapping[str, Sequence[str]] | None = None,
    armor: Mapping[str, int] | None = None,
    troop_space: float = 0,
    cargo: float = 0,
) -> UnitSpec:
    """A synthetic ground vehicle (or, by ``motive``, VTOL).

    ``weapons`` by location (FR RS LS RR TU, of VTOLs RO): weapon ids; ``ammo``: names of bins in the body; ``equipment`` by
    location: names as on a record sheet (``CASE``). The same arguments give the same spec.
    """
    key = (
        name, motive, tons, cruise, turret, engine, tech, _frozen(weapons), tuple(ammo), _frozen(equipment),
        tuple(sorted((armor or {}).items())), troop_space, cargo,
    )  # fmt: skip
    return _test_vehicle(key)


def test_vtol(**arguments: Any) -> UnitSpec:
    """A synthetic VTOL of 20 tons; arguments of :func:`test_vehicle`."""
    plain: dict[str, Any] = {"name": "Test VTOL", "motive": "vtol", "tons": 20, "cruise": 8}
    return test_vehicle(**(plain | arguments))


@lru_cache(maxsize=512)
def _test_vehicle(key: tuple[Any, ...]) -> UnitSpec:
    name, motive, tons, cruise, turret, engine, tech, weapons, ammo, equipment, armor, troops, cargo = key
    points = dict(VTOL_ARMOR if motive == "vtol" else VEHICLE_ARMOR)
    if not turret:
        points.pop("TU", None)
    items: dict[str, list[str]] = {}
    for group in (weapons, (("BD", ammo),), equipment):
        for where, names in group:
            items.setdefault(where, []).extend(names)
    sheet = VehicleSheet(
        chassis=name, model="", tech=tech, motive=motive, tons=tons, engine=engine, cruise=cruise, armor=points | dict(armor),
        equipment=items, troop_space=troops, cargo=cargo,
    )  # fmt: skip
    return build_vehicle(sheet)


@lru_cache(maxsize=256)
def test_platoon(
    *,
    name: str = "Test Platoon",
    motive: str = "foot",
    weapon: str = "rifle",
    squads: int = 0,
    squad_size: int = 0,
    tech: str = "Inner Sphere",
    anti_mech: bool | None = None,
) -> UnitSpec:
    """A synthetic platoon. ``weapon``: rifle, laser, machine_gun, flamer, srm or lrm (two in each squad of the last four)."""
    support = weapon not in ("rifle", "laser")
    sheet = InfantrySheet(
        chassis=name, model="", tech=tech, motive=motive, primary="rifle" if support else weapon,
        support=weapon if support else "", support_per_squad=2 if support else 0, squads=squads, squad_size=squad_size,
        anti_mech=anti_mech,
    )  # fmt: skip
    return build_infantry(sheet)


def test_suits(
    *,
    name: str = "Test Suits",
    suits: int = 4,
    armor: int = 8,
    walk: int = 1,
    jump: int = 3,
    tech: str = "Inner Sphere",
    weapons: Sequence[str] = ("is_small_laser",),
    shots: Mapping[str, int] | None = None,
    anti_mech: bool = True,
) -> UnitSpec:
    """A synthetic squad of battle armour: what every suit carries, and the salvos that each has for a weapon."""
    return _test_suits(
        name, suits, armor, walk, jump, tech, tuple(weapons), tuple(sorted((shots or {}).items())), anti_mech
    )  # fmt: skip


@lru_cache(maxsize=256)
def _test_suits(*key: Any) -> UnitSpec:
    name, suits, armor, walk, jump, tech, weapons, shots, anti_mech = key
    sheet = SuitsSheet(
        chassis=name, model="", tech=tech, suits=suits, armor=armor, walk=walk, jump=jump, equipment=list(weapons),
        shots=dict(shots), anti_mech=anti_mech,
    )  # fmt: skip
    return build_battle_armor(sheet)


_makers: tuple[Callable[..., UnitSpec], ...] = (test_vehicle, test_vtol, test_platoon, test_suits)
for _maker in _makers:
    _maker.__test__ = False  # type: ignore[attr-defined]

#: key of a unit in :func:`make_unit`, and what its value is an argument list of
MAKERS: dict[str, Callable[..., UnitSpec]] = {
    "mech": test_mech,
    "vehicle": test_vehicle,
    "vtol": test_vtol,
    "platoon": test_platoon,
    "suits": test_suits,
}


def _quad_name(location: str) -> str:
    return {"RA": "FRL", "LA": "FLL", "RL": "RRL", "LL": "RLL"}.get(location, location)


def make_board(hexes: Mapping[str, str | Mapping[str, Any]] | None = None, size: tuple[int, int] = (16, 17)) -> Board:
    """A board that is clear but for the named hexes: words (``level 2, light woods``) or fields of :class:`Hex`.

    A range ``0505-0508`` names a stretch of a column, ``all`` every hex (named ones afterwards override it).
    """
    grid = Grid(*size)
    found: dict[int, Hex] = {}
    for where, content in (hexes or {}).items():
        record = hex_from_words(content) if isinstance(content, str) else Hex(**content)
        for cell in _cells(grid, str(where)):
            found[cell] = record
    return Board("test", grid, found)


def _cells(grid: Grid, where: str) -> list[int]:
    if where == "all":
        return list(grid.on_board)
    found = []
    for part in where.replace(",", " ").split():
        first, _, last = part.partition("-")
        start = grid.parse(first)
        if not last:
            found.append(start)
            continue
        end = grid.parse(last)
        columns = range(grid.columns[start], grid.columns[end] + 1)
        rows = range(grid.rows[start], grid.rows[end] + 1)
        found += [grid.cell(c, r) for c in columns for r in rows]
    return found


def make_state(
    *,
    board: Board | Mapping[str, Any] | None = None,
    size: Sequence[int] = (16, 17),
    units: Sequence[Mapping[str, Any]] = (),
    ruleset: Ruleset | str | Mapping[str, Any] = "standard",
    sides: Sequence[str] = ("players", "opfor"),
    phase: str = "fire",
    turn: int = 1,
) -> State:
    """A battle as it stands. Each unit is a mapping, read by :func:`make_unit`; other keys are this function's arguments."""
    if not isinstance(board, Board):
        board = make_board(board, (size[0], size[1]))
    if not isinstance(ruleset, Ruleset):
        ruleset = read_ruleset(ruleset, "standard")
    state = State(board, ruleset, tuple(sides), [make_unit(board, sides, entry) for entry in units])
    state.phase = phase
    state.turn = turn
    return state


#: keys of a unit that are set on the state as they are
PLAIN = (
    "heat", "gunnery", "piloting", "pilot_hits", "prone", "stuck", "shutdown", "conscious", "skidded", "spotting", "tagged",
    "narc", "twist", "arms_flipped", "mp_spent", "engine_hits", "gyro_hits", "sensor_hits", "life_support_hits", "destroyed",
    "gone", "jets_lost", "sinks_lost", "club", "heat_built", "heat_outside", "damage_this_phase", "fired",
    "crew", "stunned", "motive_hits", "cruise_lost", "immobilized", "engine_dead", "flight_stabilizer", "stabilizers",
    "malfunctioned", "turret", "turret_jams", "stunned_next", "cargo_lost", "aboard", "swarming", "dug_in", "hidden",
    "waiting", "initiative", "initiative_roll", "opportunity", "complex_action", "acted", "heat_held", "heat_carried", "mental",
    "physical_level", "tactics", "melee", "hazard", "bombs", "battle_shocked", "mode", "hexes_moved",
    "oc", "keywords", "action_started", "action_broken", "fell_back",
)  # fmt: skip


def make_unit(board: Board, sides: Sequence[str], entry: Mapping[str, Any]) -> UnitState:
    """One unit of :func:`make_state`.

    ``id``; ``side`` (number or name, default 0); what it is: ``spec`` (a UnitSpec), ``type`` (a catalogue name) or a key of
    :data:`MAKERS` with arguments (``mech: {tons: 50}``, ``platoon: {weapon: srm}``);
    ``at`` (CCRR), ``facing`` (letters or number), ``elevation`` (default: on the ground or
    the bottom); ``moved: {mode, hexes}``; ``lost: [RA, ...]`` locations destroyed; ``hits: ["RA:shoulder", ...]`` systems hit
    (all slots of that kind there); ``weapons_lost``, ``jammed``, ``one_shot_used``, ``equipment_lost``, ``used_arms``:
    lists of indices (of locations by name for used_arms); ``ammo``: shots left in each bin; ``armor``, ``structure``:
    points by location name; ``body``: hits of its pilot by body location (E-38); and the plain fields of :data:`PLAIN`.
    """
    entry = dict(entry)
    spec = _spec(entry)
    side = entry.pop("side", 0)
    unit = UnitState(spec, str(entry.pop("id")), sides.index(side) if isinstance(side, str) else side)
    at = entry.pop("at", None)
    if at is not None:
        unit.cell = board.grid.parse(at)
        unit.elevation = -board.depth[unit.cell]
    unit.elevation = entry.pop("elevation", unit.elevation)
    unit.facing = parse_direction(entry.pop("facing", 0))
    moved = entry.pop("moved", None)
    if moved:
        unit.mode = moved.get("mode", "walk")
        unit.hexes_moved = moved.get("hexes", 0)
        unit.moved = True
    places = {name: index for index, name in enumerate(spec.locations)}
    if spec.is_mech:
        places |= {f"{spec.locations[place]}R": index for place, index in REAR_ARMOR.items()}
    for name in entry.pop("lost", ()):
        unit.structure[places[name]] = 0
        unit.armor[places[name]] = 0
        unit.slots_hit[places[name]] = (1 << len(spec.slots[places[name]])) - 1
        for mount in spec.mounts:
            if places[name] in (mount.location, mount.split_location):
                unit.mounts_lost |= 1 << mount.index
    for hit in entry.pop("hits", ()):
        name, _, kind = hit.partition(":")
        unit.slots_hit[places[name]] |= spec.slot_bits[places[name], kind]
    for key, field in (("weapons_lost", "mounts_lost"), ("jammed", "jammed"), ("one_shot_used", "one_shot_used"),
                       ("equipment_lost", "equipment_lost")):  # fmt: skip
        mask = sum(1 << index for index in entry.pop(key, ()))
        setattr(unit, field, getattr(unit, field) | mask)
    unit.used_arms = sum(1 << places[name] for name in entry.pop("used_arms", ()))
    if "ammo" in entry:
        unit.ammo = list(entry.pop("ammo"))
    for key in ("armor", "structure"):
        for name, points in entry.pop(key, {}).items():
            getattr(unit, key)[places[name]] = points
    hurt = entry.pop("body", {})
    set_wounds(unit, {name: Wound(hits % 2 * NONLETHAL, hits // 2) for name, hits in hurt.items()})
    for key in PLAIN:
        if key in entry:
            setattr(unit, key, entry.pop(key))
    if entry:
        raise ValueError(f"unit {unit.id}: unknown keys {sorted(entry)}")
    return unit


def _spec(entry: dict[str, Any]) -> UnitSpec:
    given: UnitSpec | None = entry.pop("spec", None)
    name = entry.pop("type", None)
    made = {kind: entry.pop(kind) for kind in MAKERS if kind in entry}
    if given is not None:
        return given
    if name is not None:
        from opfor.units.catalogue import unit_named

        return unit_named(name)
    kind, arguments = next(iter(made.items()), ("mech", None))
    return MAKERS[kind](**(arguments or {}))
