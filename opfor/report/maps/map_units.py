"""Units on the map: marks by kind and side, facing and turret, name, damage, heat, what is wrong, and how they moved."""

from __future__ import annotations

from opfor.hex import DIRECTION_NAMES
from opfor.report.drawing import Circle, Line, Point, Polygon, Shape, Text, box, plate
from opfor.report.geometry import HALF, Box, Layout, around, text_width
from opfor.report.maps.map_labels import Taken
from opfor.report.maps.map_look import Look
from opfor.report.maps.map_symbols import side_colour, unit_mark
from opfor.report.unit_words import (
    aboard,
    company_words,
    condition_words,
    height_words,
    kind_word,
    remaining_share,
    strength_words,
)
from opfor.state import State
from opfor.units.state import UnitState

_LOST = "#6f6f6f"
_HOT = "#f2a900"
_VEHICLE_LETTERS = {"walk": "C", "run": "F"}
_MODES = {"stand": "S", "walk": "W", "run": "R", "jump": "J", "evade": "E", "sprint": "P"}
#: where the units of a shared hex stand, in sixths of a circle: three or more, two
_PLACES = ((0.0, 2.0, 4.0, 1.0, 3.0, 5.0), (4.5, 1.5, 0.0, 3.0, 1.0, 5.0))


class UnitPen:
    """Draws units; names are put where they cover as little as may be."""

    def __init__(self, state: State, layout: Layout, taken: Taken, look: Look) -> None:
        self.state = state
        self.layout = layout
        self.taken = taken
        self.look = look
        self.marks: list[Shape] = []
        self.words: list[Shape] = []

    def draw(self) -> tuple[list[Shape], list[Shape]]:
        """Marks and words of every unit shown, wrecks first: side by side in a shared hex, those carried with their carrier."""
        shown = [unit for unit in self.state.units if not unit.gone and self.layout.shows(unit.cell)]
        wrecks = [unit for unit in shown if unit.destroyed and not unit.aboard]
        by_cell: dict[int, list[UnitState]] = {}
        for unit in shown:
            if not unit.destroyed and not unit.aboard:
                by_cell.setdefault(unit.cell, []).append(unit)
        for cell in by_cell:
            x, y = self.layout.centre(cell)
            self.taken.add((x - HALF * 0.6, y - HALF * 0.66, x + HALF * 0.6, y + HALF * 0.62))
        for unit in wrecks:
            self._wreck(unit, unit.cell in by_cell)
        for cell, units in by_cell.items():
            middle = self.layout.centre(cell)
            if len(units) == 1:
                self._mark(units[0], middle, 1.0)
                self._name([units[0]], middle)
                continue
            # the highest is drawn last, over those below it; the names stand below one another
            units.sort(key=lambda u: (u.elevation, u.index))
            for place, unit in enumerate(units):
                spot = around((middle[0], middle[1] - 2), _PLACES[len(units) == 2][place % 6], HALF * 0.38)
                self._mark(unit, spot, 0.7 if len(units) == 2 else 0.56)
            self._name(units, middle)
        return self.marks, self.words

    def _mark(self, unit: UnitState, centre: Point, scale: float) -> None:
        """A unit's mark, where its turret or torso points, its damage and heat, and letters for how it is and how it moved."""
        spec, colour = unit.spec, side_colour(unit.side)
        x, y = centre
        single = scale == 1.0
        scale *= min(1.25, self.look.letters)
        size = HALF * 0.58 * scale
        put = self.marks.append
        # a pale ground, so that the mark stands out from woods and water
        put(Circle(centre, size * 1.22, "#ffffff", opacity=0.6))
        self.marks += unit_mark(unit, centre, size, colour, unit_title(self.state, unit))
        if not spec.is_infantry:
            ends = (around(centre, unit.facing, size), around(centre, unit.facing, size * 1.55))
            put(Line(ends, "#ffffff", 5.0 * scale, arrow=9.0 * scale))
            put(Line(ends, colour, 3.0 * scale, arrow=7.0 * scale))
        if unit.twist or (spec.turret and spec.is_vehicle):
            put(Line((centre, around(centre, unit.torso_facing, size * 1.25)), "#1c1c1c", 4.6 * scale))
            put(Line((centre, around(centre, unit.torso_facing, size * 1.25)), "#ffd54a", 2.8 * scale))
            if spec.turret:
                put(Circle(centre, size * 0.3, "#ffd54a", "#1c1c1c", 1.0))
        self._bar(unit, (x, y + size - 0.5 * scale), 30.0 * scale, 4.6 * scale)
        k = min(1.7, self.look.letters) * (1.0 if single else 0.85)
        if spec.is_mech and unit.heat >= 5:
            self._chip(
                f"{unit.heat}\N{DEGREE SIGN}", (x + HALF * 0.72 * scale, y + HALF * 0.32 * scale), 8.5 * k, _HOT, "#1c1c1c"
            )
        moved = moved_letters(unit)
        if moved:
            self._chip(moved, (x - HALF * 0.74 * scale, y + HALF * 0.32 * scale), 8.5 * k, "#ffffff", colour)
        marks = state_marks(unit)
        if marks:
            self._chip(" ".join(marks), (x, y - HALF * 0.42 * scale), 8.5 * k, "#1c1c1c", "#ffffff")

    def _bar(self, unit: UnitState, at: Point, wide: float, high: float) -> None:
        """How much of armour and structure is left; striped red where structure has been lost."""
        armor, structure = remaining_share(unit)
        left, top = at[0] - wide / 2, at[1] - high / 2
        self.marks.append(Polygon(box(left - 1, top - 1, wide + 2, high + 2), "#1c1c1c"))
        self.marks.append(Polygon(box(left, top, wide, high), "#ffffff"))
        share = armor if armor >= 0 else structure
        colour = "#3a7d34" if share > 0.66 else "#e0a100" if share > 0.33 else "#c1271d"
        if share > 0:
            self.marks.append(Polygon(box(left, top, wide * share, high), colour))
        if armor >= 0 and structure < 1:
            # structure is hit: a notch at the far end, as wide as what is lost of it
            lost = wide * max(0.12, 1 - structure)
            self.marks.append(Polygon(box(left + wide - lost, top, lost, high), "#1c1c1c"))

    def _chip(self, text: str, at: Point, size: float, fill: str, ink: str) -> None:
        wide, high = text_width(text, size, True) + size * 0.6, size * 1.25
        x, y = at[0] - wide / 2, at[1] - high / 2
        self.words.append(Polygon(plate(x, y, wide, high, size * 0.3), fill, ink if fill == "#ffffff" else "#ffffff", 0.9))
        self.words.append(Text((at[0], y + size * 0.97), text, size, ink, bold=True, fit=wide - size * 0.3))

    def _name(self, units: list[UnitState], middle: Point) -> None:
        """The names of a hex's units, below one another: below the hex's middle where there is room, else beside or above."""
        k = self.look.letters
        size = (11.0 if len(units) == 1 else 9.5) * k
        names = [unit_label(self.state, unit) for unit in reversed(units)]
        wide = min(max(text_width(name, size, True) for name in names) + size * 0.7, HALF * 4.6 * max(1.0, k * 0.8))
        high, x, y = size * 1.25, middle[0], middle[1]
        total = high * len(names)
        left, top, right, bottom = self.layout.frame
        low = y + HALF * 0.67
        spots = [
            (x, low),
            (x - wide * 0.3, low),
            (x + wide * 0.3, low),
            (x, y - HALF * 0.7 - total),
            (x - wide / 2 - HALF * 0.62, y - total / 2),
            (x + wide / 2 + HALF * 0.62, y - total / 2),
            (x, low + HALF * 0.36),
        ]
        boxes: list[Box] = []
        for sx, sy in spots:
            bx = min(max(sx - wide / 2, left), right - wide)
            by = min(max(sy, top), bottom - total)
            boxes.append((bx, by, bx + wide, by + total))
        bx, by = boxes[self.taken.place(boxes)][:2]
        for line, unit in enumerate(reversed(units)):
            name = names[line]
            own = min(wide, text_width(name, size, True) + size * 0.7)
            colour = side_colour(unit.side)
            # every second side has pale plates, so that sides are told apart without colours
            fill, ink = (colour, "#ffffff") if unit.side % 2 == 0 else ("#ffffff", colour)
            put = (bx + (wide - own) / 2, by + line * high)
            self.words.append(
                Polygon(plate(*put, own, high, size * 0.3), fill, colour if unit.side % 2 else "#ffffff", 1.1, 0.94)
            )
            self.words.append(Text((bx + wide / 2, put[1] + size * 0.96), name, size, ink, bold=True, fit=own - size * 0.4))

    def _wreck(self, unit: UnitState, under: bool) -> None:
        x, y = self.layout.centre(unit.cell)
        arm = HALF * 0.34
        for colour, width in (("#ffffff", 7.0), (_LOST, 4.5)):
            for dx in (arm, -arm):
                self.marks.append(Line(((x - dx, y - arm), (x + dx, y + arm)), colour, width))
        if not under:
            size = 9.5 * self.look.letters
            self.marks.append(Text((x, y + HALF * 0.74), unit.id, size, "#4a4a4a", halo="#ffffff", fit=HALF * 2.4))


def unit_title(state: State, unit: UnitState) -> str:
    """All that a pointer on the unit tells."""
    spec = unit.spec
    facts = [unit.name, "" if spec.is_mech else kind_word(spec)]
    facts.append("" if spec.is_infantry else f"facing {DIRECTION_NAMES[unit.facing]}")
    facts += [height_words(unit), strength_words(unit), f"heat {unit.heat}" if spec.is_mech else ""]
    if sum(spec.armor):
        facts.append(f"armour {sum(unit.armor)} of {sum(spec.armor)}")
    facts += company_words(state, unit) + condition_words(unit)
    return f"{unit.id}: {', '.join(fact for fact in facts if fact)}"


def unit_label(state: State, unit: UnitState) -> str:
    """The unit's id, with how high it flies, how many are left of it, and how many it carries."""
    words = unit.id
    if unit.spec.kind == "vtol":
        words += f" +{unit.elevation}" if unit.elevation else " landed"
    if unit.spec.kind == "infantry":
        words += f" ({unit.structure[0]})"
    carried = aboard(state, unit)
    return words + (f" [{'+'.join(other.id for other in carried)}]" if carried else "")


def state_marks(unit: UnitState) -> list[str]:
    """Words on a unit's mark: what is wrong with it."""
    return [
        word
        for word, so in (
            ("hidden", unit.hidden),
            ("prone", unit.prone),
            ("off", unit.shutdown),
            ("out", not unit.conscious),
            ("stun", unit.stunned > 0),
            ("immobile", unit.immobilized),
            ("stuck", unit.stuck),
            ("swarm", bool(unit.swarming)),
            ("wait", unit.waiting and not unit.moved),
            ("opp", unit.opportunity),
        )
        if so
    ]


def moved_letters(unit: UnitState) -> str:
    """How it moved, as ``W3``; empty before it has."""
    if not unit.moved or not unit.mode:
        return ""
    letters = _VEHICLE_LETTERS if unit.spec.is_vehicle else _MODES
    return f"{letters.get(unit.mode, _MODES.get(unit.mode, unit.mode))}{unit.hexes_moved or ''}"
