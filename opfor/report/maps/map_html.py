"""The map as a page of its own: the picture, to move and enlarge, and the units in a table.

Nothing is fetched from elsewhere; the page forbids all scripts but its own, which is always the same.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

from opfor.formats.orders import mode_word
from opfor.game.view import seen_by
from opfor.hex import DIRECTION_NAMES
from opfor.report.drawing import Drawing
from opfor.report.maps.map_svg import to_svg
from opfor.report.maps.map_symbols import side_colour
from opfor.report.unit_words import company_words, condition_words, height_words, strength_words
from opfor.state import State
from opfor.units.state import UnitState


def to_html(drawing: Drawing, state: State, hide_from: int | None = None) -> str:
    """The page; units that ``hide_from`` does not know of are left out."""
    from jinja2 import Environment
    from markupsafe import Markup

    folder = files("opfor.report.maps").joinpath("templates")
    source = folder.joinpath("map.html.j2").read_text(encoding="utf-8")
    script = "\n" + folder.joinpath("map.js").read_text(encoding="utf-8")
    digest = b64encode(sha256(script.encode("utf-8")).digest()).decode("ascii")
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(source)
    shown = seen_by(state, hide_from) if hide_from is not None else state
    rows = [_row(shown, unit, drawing) for unit in shown.units if not unit.gone and unit.cell >= 0]
    # the drawing escapes its own text
    return template.render(
        title=drawing.title,
        svg=Markup(to_svg(drawing)),
        units=rows,
        script=Markup(script),
        digest=digest,
        width=round(max(drawing.width, 900)),
    )


def _row(state: State, unit: UnitState, drawing: Drawing) -> dict[str, Any]:
    """A unit's row of the table."""
    spec = unit.spec
    armor = f"{sum(unit.armor)} of {sum(spec.armor)}" if sum(spec.armor) else ""
    conditions = [height_words(unit), *company_words(state, unit), *condition_words(unit)]
    place = drawing.places.get(unit.cell)
    return {
        "x": round(place[0]) if place else None,
        "y": round(place[1]) if place else None,
        "id": unit.id,
        "name": unit.name,
        "side": state.sides[unit.side],
        "colour": side_colour(unit.side),
        "at": state.board.grid.names[unit.cell],
        "facing": "" if spec.is_infantry else DIRECTION_NAMES[unit.facing],
        "moved": f"{mode_word(spec, unit.mode)} {unit.hexes_moved}".strip() if unit.moved else "",
        "heat": unit.heat if spec.is_mech else "",
        "armor": ", ".join(words for words in (strength_words(unit), armor) if words),
        "state": ", ".join(word for word in conditions if word),
    }
