"""The map in any of its forms, with orders as arrows."""

from __future__ import annotations

from collections.abc import Sequence

from opfor.formats.battle import Battle
from opfor.formats.notation import order_from_words
from opfor.formats.orders import order_from_dict
from opfor.game.legal.movement import MovementChoices
from opfor.gm.control import read_items
from opfor.orders import Order
from opfor.report.map_picture import map_drawing
from opfor.report.map_text import map_text

#: forms of output by the ending of the file's name
FORMS = ("svg", "png", "html", "txt")


def map_bytes(
    battle: Battle, form: str, *, orders: str | Sequence[str] = (), hide_from: int | None = None, scale: float = 1.0
) -> bytes:
    """The map as the content of a file. ``orders`` in words or JSON are drawn as arrows, whether legal or not.

    ``hide_from``: leave out what that side does not know of. Raises InputError for orders that cannot be read.
    """
    state = battle.state
    if form == "txt":
        return map_text(state, hide_from=hide_from).encode("utf-8")
    title = f"{battle.name}, turn {state.turn}, {state.phase}"
    drawing = map_drawing(state, read_all(battle, orders), title=title, hide_from=hide_from, base=battle.base_board)
    if form == "png":
        from opfor.report.map_png import to_png

        return to_png(drawing, scale)
    if form == "html":
        from opfor.report.map_html import to_html

        return to_html(drawing, state, hide_from).encode("utf-8")
    from opfor.report.map_svg import to_svg

    return to_svg(drawing).encode("utf-8")


def read_all(battle: Battle, text: str | Sequence[str]) -> list[Order]:
    """Every order of a text, read against the battle as it stands."""
    state = battle.state
    moving = state.phase in ("movement", "declarations")
    found: list[Order] = []
    for item in read_items(text) if text else ():
        if isinstance(item.content, dict):
            found.append(order_from_dict(item.content, state, place=item.place))
        else:
            choices = MovementChoices(state, [u for u in state.units if u.active]) if moving else None
            found.append(order_from_words(item.content, state, choices))
    return found
