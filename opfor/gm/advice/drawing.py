"""The map in any of its forms, with orders as arrows."""

from __future__ import annotations

from collections.abc import Sequence

from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle
from opfor.formats.orders import order_from_dict
from opfor.formats.words.notation import order_from_words
from opfor.game.legal.movement import MovementChoices
from opfor.game.view import seen_by
from opfor.gm.running.control import read_items
from opfor.orders import FireOrder, MoveOrder, Order
from opfor.report.maps.map_picture import map_drawing
from opfor.report.maps.map_text import map_text
from opfor.state import State

#: forms of output by the ending of the file's name
FORMS = ("svg", "png", "html", "txt")


def map_bytes(
    battle: Battle,
    form: str,
    *,
    orders: str | Sequence[str] = (),
    hide_from: int | None = None,
    scale: float | None = None,
    around: str = "",
    whole: bool = False,
    size: str = "screen",
    layer: str = "",
) -> bytes:
    """The map as the content of a file. ``orders`` in words or JSON are drawn as arrows, whether legal or not.

    ``hide_from``: leave out what that side does not know of. ``around``: a unit, and only what is near it; else, unless the
    ``whole`` board is wanted, the part where something is, when that is a small part. ``layer``: see
    :func:`opfor.gm.advice.layers.layer_of`. Raises InputError for orders that cannot be read, and for what is not on the map.
    """
    state = battle.state
    if form == "txt":
        if layer or around:
            raise InputError("a map in text shows no layers and no parts", hint="write a .svg, .png or .html with -o")
        return map_text(state, hide_from=hide_from).encode("utf-8")
    title = f"{battle.name}, turn {state.turn}, {state.phase}"
    known = seen_by(state, hide_from) if hide_from is not None else state
    shades = None
    if layer:
        from opfor.gm.advice.layers import layer_of

        shades = layer_of(known, layer)
        title += f": {shades.name}"
    if around:
        from opfor.gm.advice.layers import unit_on_map

        around = unit_on_map(known, around, "--around").id
    given = read_all(battle, orders)
    drawing = map_drawing(
        state,
        given,
        title=title,
        hide_from=hide_from,
        base=battle.base_board,
        crop=not whole,
        around_unit=around,
        size=size,
        layer=shades,
        numbers=fire_numbers(state, given),
    )
    if form == "png":
        from opfor.report.maps.map_png import to_png

        return to_png(drawing, scale if scale is not None else drawing.scale)
    if form == "html":
        from opfor.report.maps.map_html import to_html

        return to_html(drawing, state, hide_from).encode("utf-8")
    from opfor.report.maps.map_svg import to_svg

    return to_svg(drawing).encode("utf-8")


def fire_numbers(state: State, orders: Sequence[Order]) -> dict[tuple[str, str], str]:
    """The target numbers of fire by unit and target, as words for a line: ``7+``, or ``6-8+`` where weapons differ."""
    found: dict[tuple[str, str], str] = {}
    trial = state.copy()
    for order in orders:
        follow(trial, order)
        if not isinstance(order, FireOrder) or not order.attacks:
            continue
        from opfor.gm.advice.working import advise_unit

        needed: dict[str, list[int]] = {}
        for row in advise_unit(trial, order).figures["attacks"]:
            if row["tn"] is not None:
                needed.setdefault(str(row["target"]), []).append(int(row["tn"]))
        for target, numbers in needed.items():
            low, high = min(numbers), max(numbers)
            found[order.unit, target] = f"{low}+" if low == high else f"{low}-{high}+"
    return found


def read_all(battle: Battle, text: str | Sequence[str]) -> list[Order]:
    """Every order of a text, read one after another: a unit's second order begins where its first has taken it."""
    state = battle.state
    if not text:
        return []
    trial = state.copy()
    moving = state.phase in ("movement", "declarations")
    choices = MovementChoices(state, [u for u in state.units if u.active]) if moving else None
    found: list[Order] = []
    for item in read_items(text, state):
        if isinstance(item.content, dict):
            order = order_from_dict(item.content, trial, place=item.place)
        else:
            gone_on = item.content.partition(":")[0].strip() in {one.unit for one in found if isinstance(one, MoveOrder)}
            order = order_from_words(item.content, trial, None if gone_on else choices)
        found.append(order)
        follow(trial, order)
    return found


def follow(state: State, order: Order) -> None:
    """Put a unit where its order to move leads, and no more: nothing is played."""
    if isinstance(order, MoveOrder) and state.board.grid.contains(order.to):
        unit = state.unit(order.unit)
        unit.cell, unit.facing, unit.elevation, unit.prone = order.to, order.facing, order.elevation, order.prone
        state.touch()
