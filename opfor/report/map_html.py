"""The map as a page of its own: the picture, and the units in a table. No scripts, nothing fetched from elsewhere."""

from __future__ import annotations

from importlib.resources import files

from opfor.hex import DIRECTION_NAMES
from opfor.report.drawing import Drawing
from opfor.report.map_svg import to_svg
from opfor.report.map_units import side_colour
from opfor.state import State


def to_html(drawing: Drawing, state: State, hide_from: int | None = None) -> str:
    """The page; units that ``hide_from`` does not know of are left out."""
    from jinja2 import Environment
    from markupsafe import Markup

    source = files("opfor.report").joinpath("templates").joinpath("map.html.j2").read_text(encoding="utf-8")
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(source)
    rows = [
        {
            "id": unit.id,
            "name": unit.name,
            "side": state.sides[unit.side],
            "colour": side_colour(unit.side),
            "at": state.board.grid.names[unit.cell],
            "facing": DIRECTION_NAMES[unit.facing],
            "moved": f"{unit.mode} {unit.hexes_moved}".strip() if unit.moved else "",
            "heat": unit.heat,
            "armor": f"{sum(unit.armor)} of {sum(unit.spec.armor)}",
            "state": ", ".join(
                word
                for word, so in (
                    ("prone", unit.prone),
                    ("shut down", unit.shutdown),
                    ("pilot unconscious", not unit.conscious),
                    (f"destroyed: {unit.destroyed}", bool(unit.destroyed)),
                )
                if so
            ),
        }
        for unit in state.units
        if not unit.gone and unit.cell >= 0 and not (unit.hidden and hide_from is not None and unit.side != hide_from)
    ]
    # the drawing escapes its own text
    return template.render(title=drawing.title, svg=Markup(to_svg(drawing)), units=rows)
