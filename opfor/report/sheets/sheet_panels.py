"""The panels of a record sheet: heading, movement, crew, heat scale, weapons, critical slots."""

from __future__ import annotations

from collections.abc import Iterator

from opfor.report.drawing import Circle, Line, Point, Polygon, Shape, Text, box, plate
from opfor.report.geometry import text_width
from opfor.report.maps.map_symbols import side_colour
from opfor.report.sheets import sheet_facts as facts
from opfor.report.sheets.sheet_bubbles import GONE, INK, LOST, boxes
from opfor.rules.vehicles.crew_conditions import CREW, KILLED
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

FRAME, SOFT = "#8a8678", "#5b584f"
#: colours of the heat scale from this heat on, light to dark
_HEAT = ((0, "#fff4c2"), (5, "#ffe08a"), (10, "#fdbf5a"), (15, "#f79646"), (20, "#e4632d"), (25, "#c8351c"))


def panel(left: float, top: float, wide: float, high: float, title: str) -> Iterator[Shape]:
    """A frame with its title on the upper edge."""
    yield Polygon(plate(left, top, wide, high, 7), "#ffffff", FRAME, 1.4)
    room = text_width(title, 12.0, True)
    yield Polygon(box(left + 12, top - 8, room + 10, 16), "#ffffff")
    yield Text((left + 17, top + 4.5), title, 12.0, INK, bold=True, anchor="start", fit=room)


def words(at: Point, text: str, size: float = 11.5, fill: str = INK, *, bold: bool = False, room: float = 0.0) -> Text:
    """A line of text from a point on, within ``room``."""
    wide = text_width(text, size, bold)
    return Text(at, text, size, fill, bold=bold, anchor="start", fit=min(wide, room) if room else wide)


def heading(state: State, unit: UnitState, wide: float) -> Iterator[Shape]:
    """Name, type, side and what is the matter."""
    colour = side_colour(unit.side)
    yield Polygon(box(0, 0, wide, 58), colour)
    name = unit.id + (f" - {unit.name}" if unit.name not in (unit.id, unit.spec.name) else "")
    yield words((20, 27), name, 21.0, "#ffffff", bold=True, room=wide - 40)
    yield words((20, 48), facts.headline(unit), 13.0, "#ffffff", room=wide - 40)
    standing = facts.standing_words(state, unit)
    grave = bool(unit.destroyed)
    yield words((20, 78), ", ".join(standing), 12.5, LOST if grave else INK, bold=grave, room=wide - 40)


def movement(state: State, unit: UnitState, left: float, top: float, wide: float) -> Iterator[Shape]:
    """MP as they are, and as built where that differs."""
    rows = facts.movement_rows(state, unit)
    yield from panel(left, top, wide, 56, "Movement")
    step = (wide - 20) / max(1, len(rows))
    for index, (name, built, now) in enumerate(rows):
        x = left + 12 + index * step
        yield words((x, top + 25), name, 11.0, SOFT)
        yield words((x, top + 45), str(now), 17.0, LOST if now < built else INK, bold=True)
        if now != built:
            yield words((x + 24, top + 45), f"of {built}", 11.0, SOFT, room=step - 26)


def crew(state: State, unit: UnitState, left: float, top: float, wide: float, high: float = 118.0) -> Iterator[Shape]:
    """Skills, and what has been done to pilot or crew."""
    spec = unit.spec
    title = "Pilot" if spec.is_mech else "Crew" if spec.is_vehicle else "Troopers"
    yield from panel(left, top, wide, high, title)
    listed = facts.crew_facts(unit)
    step = (wide - 20) / max(3, len(listed))
    for index, (name, value) in enumerate(listed):
        x = left + 12 + index * step
        yield words((x, top + 24), name, 10.5, SOFT, room=step - 6)
        yield words((x, top + 43), value, 16.0, INK, bold=True)
    y = top + 58
    if spec.is_mech and facts.wounded_by_location(state, unit):
        yield from _body(unit, left, y, wide)
    elif spec.is_mech:
        numbers = table("pilots")["consciousness"]
        most = int(table("pilots")["dead_at"])
        yield words((left + 12, y + 14), "Hits", 11.0, SOFT)
        awake = [f"{numbers[n]}+" if n in numbers else "dead" for n in range(1, most + 1)]
        yield from boxes(most, unit.pilot_hits, (left + 52, y + 3), 16.0, awake)
        yield words((left + 12, y + 50), "below: needed to stay conscious", 9.5, SOFT, room=wide - 24)
    elif spec.is_vehicle:
        flies = spec.kind == "vtol"
        men = [bit for bit, (name, _) in CREW.items() if bit == KILLED or (name in ("co-pilot", "pilot")) == flies]
        for index, bit in enumerate(men):
            at = left + 12 + index * 88
            yield from boxes(1, 1 if unit.crew & bit else 0, (at, y + 6))
            yield words((at + 19, y + 17), CREW[bit][0] if bit != KILLED else "killed", 11.0, room=66)
        for index, (name, bit) in enumerate((("minor", 1), ("moderate", 2), ("heavy", 4))):
            at = left + 284 + index * 84
            if not index:
                yield words((at, y - 6), "Motive damage", 10.5, SOFT)
            yield from boxes(1, 1 if unit.motive_hits & bit else 0, (at, y + 6))
            yield words((at + 19, y + 17), name, 11.0, room=62)


def _body(unit: UnitState, left: float, top: float, wide: float) -> Iterator[Shape]:
    """The pilot's body, darker where it is hurt, with points nl and L wounds. Rule: E-38."""
    parts = {
        "head": box(26, -2, 14, 13),
        "torso": box(22, 13, 22, 22),
        "left arm": box(12, 13, 8, 24),
        "right arm": box(46, 13, 8, 24),
        "left leg": box(22, 37, 10, 19),
        "right leg": box(34, 37, 10, 19),
    }
    hurt = []
    for part, points, lethal in facts.body_rows(unit):
        fill = LOST if lethal else "#f0b429" if points else "#ffffff"
        yield Polygon(tuple((left + x, top + y) for x, y in parts[part]), fill, INK, 1.2)
        if points or lethal:
            told = [f"{lethal} L" if lethal else "", f"{points} nl" if points else ""]
            hurt.append(f"{part}: {' '.join(word for word in told if word)}")
    room = (wide - 90) / 2
    for index, line in enumerate(hurt or ["no wounds"]):
        yield words(
            (left + 76 + index % 2 * room, top + 10 + index // 2 * 16), line, 11.0, LOST if hurt else SOFT, room=room - 6
        )


def heat_scale(unit: UnitState, left: float, top: float, wide: float, high: float) -> Iterator[Shape]:
    """The scale from the automatic shutdown down to 0, what each step does, and the unit's heat on it. Rule: S-7."""
    effects = facts.heat_effects()
    most = int(table("heat")["shutdown_automatic"])
    yield from panel(left, top, wide, high, "Heat")
    step = (high - 62) / (most + 1)
    for heat in range(most, -1, -1):
        y = top + 14 + (most - heat) * step
        colour = next(fill for start, fill in reversed(_HEAT) if heat >= start)
        reached = heat <= unit.heat
        yield Polygon(box(left + 12, y, 26, step), colour if reached else "#ffffff", FRAME, 0.8)
        ink = "#ffffff" if reached and heat >= 20 else INK
        yield Text((left + 25, y + step * 0.72), str(heat), min(10.0, step * 0.8), ink, bold=heat in effects)
        if heat in effects:
            told = ", ".join(effects[heat])
            strong = reached
            yield words(
                (left + 48, y + step * 0.74),
                told,
                min(10.0, step * 0.85),
                LOST if strong else SOFT,
                bold=strong,
                room=wide - 56,
            )
        if heat == min(unit.heat, most):
            tip, half = left + 39, step * 0.6
            yield Polygon(((tip, y + step / 2), (tip + 8, y + step / 2 - half), (tip + 8, y + step / 2 + half)), INK)
    y = top + high - 34
    sinks = unit.spec.sinks - unit.sinks_lost
    yield words((left + 12, y + 8), f"Heat {unit.heat}", 13.0, LOST if unit.heat >= 5 else INK, bold=True, room=wide - 20)
    shed = f"{sinks} of {unit.spec.sinks} sinks, shed {sinks * unit.spec.sink_rating}"
    yield words((left + 12, y + 24), shed, 10.5, SOFT, room=wide - 20)


_COLUMNS = (("Weapon", 0.0), ("At", 0.37), ("Heat", 0.46), ("Damage", 0.53), ("Range", 0.65), ("Shots", 0.78), ("State", 0.86))


def weapons_height(unit: UnitState) -> float:
    """Room that :func:`weapons` takes."""
    return 40.0 + 15.0 * (len(unit.spec.mounts) + len(unit.spec.bins) + len(unit.spec.equipment))


def weapons(unit: UnitState, left: float, top: float, wide: float) -> Iterator[Shape]:
    """Weapons, ammunition and equipment, a line each; what is out of action is struck through."""
    rows = facts.weapon_rows(unit)
    yield from panel(left, top, wide, weapons_height(unit), "Weapons and ammunition")
    inner = wide - 24
    edges = [left + 12 + inner * share for _, share in _COLUMNS] + [left + wide - 6]
    y = top + 24
    for (name, _), x in zip(_COLUMNS, edges, strict=False):
        yield words((x, y), name, 10.0, SOFT)
    for row in rows:
        y += 15
        ink = SOFT if row.out else INK
        for index, told in enumerate((row.name, row.place, row.heat, row.damage, row.ranges, row.ammo, row.state)):
            fill = LOST if index == 6 else ink
            if told:
                yield words(
                    (edges[index], y),
                    told,
                    11.0,
                    fill,
                    bold=not index and not row.out,
                    room=edges[index + 1] - edges[index] - 5,
                )
        if row.out:
            yield Line(((edges[0], y - 4), (edges[6] - 8, y - 4)), LOST, 1.2)
    for name, place, shots, built in facts.ammunition_rows(unit):
        y += 15
        yield words((edges[0], y), name, 11.0, SOFT if not shots else INK, room=edges[1] - edges[0] - 5)
        yield words((edges[1], y), place, 11.0)
        yield Polygon(box(edges[2], y - 8, inner * 0.24, 8), "#ffffff", FRAME, 0.9)
        if built and shots:
            yield Polygon(box(edges[2], y - 8, inner * 0.24 * min(1.0, shots / built), 8), "#4d7ea8")
        yield words((edges[5] - 20, y), f"{shots} of {built}", 11.0, LOST if not shots else INK)
    for name, place, lost in facts.equipment_rows(unit):
        y += 15
        yield words((edges[0], y), name, 11.0, SOFT if lost else INK, room=edges[1] - edges[0] - 5)
        yield words((edges[1], y), place, 11.0)
        if lost:
            yield Line(((edges[0], y - 4), (edges[2], y - 4)), LOST, 1.2)
            yield words((edges[6], y), "destroyed", 11.0, LOST, room=edges[7] - edges[6] - 5)


#: columns of the table of critical slots, as on every sheet: left, middle, right
SLOT_COLUMNS = ((5, 3, 7), (0, 1), (4, 2, 6))


def slots_height(unit: UnitState) -> float:
    """Room that :func:`slots` takes."""
    return 28.0 + max(sum(20 + 13 * len(unit.spec.slots[at]) for at in column) for column in SLOT_COLUMNS)


def slots(unit: UnitState, left: float, top: float, wide: float) -> Iterator[Shape]:
    """The critical slots by location; hits are crossed out."""
    spec = unit.spec
    yield from panel(left, top, wide, slots_height(unit), "Critical slots")
    step = (wide - 16) / 3
    for index, column in enumerate(SLOT_COLUMNS):
        x, y = left + 12 + index * step, top + 12.0
        if index == 1:
            y += 24
        for location in column:
            gone = unit.lost(location)
            y += 16
            name = spec.locations[location] + (" - gone" if gone else "")
            yield words((x, y), name, 11.5, LOST if gone else INK, bold=True)
            for number, row in enumerate(facts.slot_rows(unit, location)):
                y += 13
                if row.hit:
                    yield Polygon(box(x - 2, y - 10, step - 10, 13), "#f3d9d2" if not gone else GONE)
                label = f"{number % 6 + 1}"
                yield Text((x + 6, y), label, 9.0, SOFT)
                ink = SOFT if row.empty or row.hit else INK
                yield words((x + 16, y), row.name, 10.5, ink, room=step - 34)
                if row.hit:
                    yield Line(((x + 14, y - 3.5), (x + step - 12, y - 3.5)), LOST, 1.5)
                if number == 5 and len(spec.slots[location]) > 6:
                    yield Line(((x, y + 3), (x + step - 14, y + 3)), "#c9c5b8", 0.8)
            y += 4


def trooper(at: Point, size: float, lost: bool) -> Iterator[Shape]:
    """A figure for a trooper or a suit."""
    x, y = at
    fill = GONE if lost else "#4d6b3c"
    yield Circle((x, y - size * 0.62), size * 0.24, fill, INK, 1.0)
    body = (
        (-0.34, -0.34),
        (0.34, -0.34),
        (0.3, 0.2),
        (0.22, 0.9),
        (0.04, 0.9),
        (0, 0.3),
        (-0.04, 0.9),
        (-0.22, 0.9),
        (-0.3, 0.2),
    )
    yield Polygon(tuple((x + size * dx, y + size * dy) for dx, dy in body), fill, INK, 1.0)
    if lost:
        for sign in (1, -1):
            yield Line(((x - size * 0.5, y - sign * size * 0.8), (x + size * 0.5, y + sign * size * 0.8)), LOST, 2.2)
