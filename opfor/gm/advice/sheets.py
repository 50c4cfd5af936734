"""Record sheets in any of their forms, and the names of their files."""

from __future__ import annotations

import re
from collections.abc import Iterable

from opfor.report.sheets.sheet_picture import sheet_drawing
from opfor.report.sheets.sheet_text import sheet_text
from opfor.state import State
from opfor.units.state import UnitState

#: forms of output, with the ending of their files
FORMS = {"svg": "svg", "png": "png", "text": "txt"}


def sheet_bytes(state: State, unit: UnitState, form: str, scale: float = 1.0) -> bytes:
    """A unit's sheet as the content of a file; ``form`` is a key of :data:`FORMS`."""
    if form == "text":
        return sheet_text(state, unit).encode("utf-8")
    drawing = sheet_drawing(state, unit)
    if form == "png":
        from opfor.report.maps.map_png import to_png

        return to_png(drawing, scale)
    from opfor.report.maps.map_svg import to_svg

    return to_svg(drawing).encode("utf-8")


def sheet_names(ids: Iterable[str], ending: str) -> dict[str, str]:
    """A file name for each unit: its id as far as every system allows it in a name, a number where two would be alike."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for id in ids:
        bare = re.sub(r"[^\w-]+", "-", id).strip("-") or "unit"
        name, number = bare, 2
        while name.lower() in taken:
            name, number = f"{bare}-{number}", number + 1
        taken.add(name.lower())
        found[id] = f"{name}.{ending}"
    return found
