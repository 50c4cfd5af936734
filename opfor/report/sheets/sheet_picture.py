"""A unit's record sheet as a drawing: what is left of it, location by location. One layout for each kind of unit."""

from __future__ import annotations

from collections.abc import Iterator

from opfor.report.drawing import Drawing, Shape, Text, box
from opfor.report.sheets import sheet_panels as panels
from opfor.report.sheets.sheet_bubbles import INK, LOST, location
from opfor.report.sheets.sheet_outlines import parts_of, placed
from opfor.state import State
from opfor.units.spec import BODY, REAR_ARMOR, UnitSpec
from opfor.units.state import UnitState

_WIDE = 940.0
_TOP = 100.0


def sheet_drawing(state: State, unit: UnitState) -> Drawing:
    """The record sheet of a unit as it stands."""
    drawing = Drawing(_WIDE, 0.0, f"{unit.id}, {unit.spec.name}", "#ffffff")
    drawing.add(*panels.heading(state, unit, _WIDE))
    if unit.spec.is_mech:
        drawing.height = _mech(drawing, state, unit)
    elif unit.spec.is_vehicle:
        drawing.height = _vehicle(drawing, state, unit)
    else:
        drawing.height = _infantry(drawing, state, unit)
    return drawing


def _mech(drawing: Drawing, state: State, unit: UnitState) -> float:
    """Armour, structure and heat above; movement, pilot and weapons on the left below, slots on the right."""
    drawing.add(*panels.panel(14, _TOP, 366, 530, "Armour"))
    drawing.add(*_front(unit, 32, _TOP + 4), *_rear(unit, 32, _TOP + 408))
    drawing.add(*panels.panel(392, _TOP, 320, 332, "Internal structure"))
    drawing.add(*_structure(unit, 424, _TOP + 8, 0.78))
    drawing.add(*panels.movement(state, unit, 392, _TOP + 344, 320))
    drawing.add(*panels.crew(state, unit, 392, _TOP + 412, 320, 118))
    drawing.add(*panels.heat_scale(unit, 724, _TOP, 202, 530))
    top = _TOP + 546
    drawing.add(*panels.weapons(unit, 14, top, _WIDE - 28))
    top += panels.weapons_height(unit) + 16
    drawing.add(*panels.slots(unit, 14, top, _WIDE - 28))
    return top + panels.slots_height(unit) + 14


def _front(unit: UnitState, x: float, y: float) -> Iterator[Shape]:
    spec = unit.spec
    for at, part in enumerate(parts_of(spec)):
        outline, label = placed(part, (x, y))
        yield from location(outline, spec.locations[at], unit.armor[at], spec.armor[at], label, whole=not unit.lost(at))


def _rear(unit: UnitState, x: float, y: float) -> Iterator[Shape]:
    """Rear armour of the three torsos in a row: left, centre, right."""
    spec = unit.spec
    for place, at in enumerate((3, 1, 2)):
        index = REAR_ARMOR[at]
        outline = box(x + 8 + place * 106, y + 24, 98, 84)
        label = (x + 57 + place * 106, y + 19)
        name = f"{spec.locations[at]} rear"
        yield from location(outline, name, unit.armor[index], spec.armor[index], label, whole=not unit.lost(at))


def _structure(unit: UnitState, x: float, y: float, scale: float) -> Iterator[Shape]:
    spec = unit.spec
    for at, part in enumerate(parts_of(spec)):
        if not spec.structure[at] or (spec.is_vehicle and at == BODY):
            continue
        outline, label = placed(part, (x, y), scale)
        left = unit.structure[at]
        yield from location(outline, spec.locations[at], left, spec.structure[at], label, whole=left > 0, fill="#eef1f4")


def _vehicle(drawing: Drawing, state: State, unit: UnitState) -> float:
    """Armour and structure as seen from above, the rest beside and below."""
    spec = unit.spec
    drawing.add(*panels.panel(14, _TOP, 366, 430, "Armour, from above"))
    drawing.add(*_hull(unit, spec, 32, _TOP + 8))
    drawing.add(*panels.panel(392, _TOP, 274, 324, "Internal structure"))
    drawing.add(*_structure(unit, 410, _TOP + 18, 0.72))
    drawing.add(*panels.movement(state, unit, 678, _TOP, 248))
    drawing.add(*_systems(unit, 678, _TOP + 72, 248))
    drawing.add(*panels.crew(state, unit, 392, _TOP + 338, 534, 92))
    top = _TOP + 446
    drawing.add(*panels.weapons(unit, 14, top, _WIDE - 28))
    return top + panels.weapons_height(unit) + 14


def _hull(unit: UnitState, spec: UnitSpec, x: float, y: float) -> Iterator[Shape]:
    for at, part in enumerate(parts_of(spec)):
        if at == BODY or not spec.armor[at]:
            continue
        outline, label = placed(part, (x, y))
        yield from location(outline, spec.locations[at], unit.armor[at], spec.armor[at], label, whole=not unit.lost(at))


def _systems(unit: UnitState, x: float, y: float, wide: float) -> Iterator[Shape]:
    """What has been hit of a vehicle besides armour."""
    yield from panels.panel(x, y, wide, 252, "Systems")
    spec = unit.spec
    listed = [
        ("engine", unit.engine_dead, "dead"),
        ("immobile", unit.immobilized, "yes"),
        ("cruising MP lost", unit.cruise_lost > 0, str(unit.cruise_lost)),
        ("sensors", unit.sensor_hits > 0, f"{unit.sensor_hits} hit"),
        ("stabilizers", unit.stabilizers > 0, ", ".join(spec.locations[i] for i in range(6) if unit.stabilizers >> i & 1)),
        ("cargo", unit.cargo_lost, "lost"),
        ("crew stunned", unit.stunned > 0, f"{unit.stunned} turns"),
    ]
    if spec.turret:
        listed.insert(0, ("turret", unit.turret > 0, ("turns", "jammed", "locked")[unit.turret]))
    if spec.kind == "vtol":
        listed.insert(0, ("flight stabilizer", unit.flight_stabilizer, "hit"))
        if spec.bombs:
            listed.append(("bombs", False, ""))
    for index, (name, hit, told) in enumerate(listed):
        at = y + 28 + index * 25
        yield panels.words((x + 14, at), name, 11.5)
        if name == "bombs":
            yield panels.words((x + 130, at), f"{unit.bombs} of {spec.bombs}", 11.5, bold=True)
        else:
            yield panels.words(
                (x + 130, at), told if hit else "ok", 11.5, LOST if hit else "#3a6b34", bold=hit, room=wide - 140
            )


def _infantry(drawing: Drawing, state: State, unit: UnitState) -> float:
    """A figure for each trooper of a platoon; a row of bubbles for each suit."""
    spec = unit.spec
    drawing.add(*panels.movement(state, unit, 660, _TOP, 266))
    drawing.add(*panels.crew(state, unit, 660, _TOP + 72, 266, 60))
    if spec.kind == "infantry":
        count, left = spec.structure[0], max(0, unit.structure[0])
        rows = -(-count // 10)
        high = max(132.0, 44.0 + rows * 54)
        drawing.add(*panels.panel(14, _TOP, 634, high, f"Troopers: {left} of {count}"))
        for index in range(count):
            at = (52 + index % 10 * 60, _TOP + 46 + index // 10 * 54)
            drawing.add(*panels.trooper(at, 22, index >= left))
    else:
        count = len(spec.structure)
        high = max(132.0, 26.0 + count * 48)
        alive = sum(1 for points in unit.structure if points > 0)
        drawing.add(*panels.panel(14, _TOP, 634, high, f"Suits: {alive} of {count}"))
        for index in range(count):
            y = _TOP + 18 + index * 48
            lost = unit.structure[index] <= 0
            drawing.add(*panels.trooper((46, y + 22), 19, lost))
            outline = box(76, y + 8, min(490.0, 30.0 + 20.0 * spec.armor[index]), 30)
            label = (outline[1][0] + 46, y + 28)
            name = spec.locations[index]
            drawing.add(*location(outline, name, unit.armor[index], spec.armor[index], label, whole=not lost))
    top = _TOP + high + 16
    drawing.add(*panels.weapons(unit, 14, top, _WIDE - 28))
    top += panels.weapons_height(unit) + 10
    if unit.dug_in:
        drawing.add(Text((20, top + 12), "dug in", 12.0, INK, anchor="start"))
    return top + 22
