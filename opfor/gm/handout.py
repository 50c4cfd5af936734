"""Everything about a phase's orders as files: what to post, what to apply, what to keep to oneself."""

from __future__ import annotations

from pathlib import Path

from opfor.formats.battle import Battle
from opfor.formats.history import write_atomic
from opfor.orders import CallOrder
from opfor.report.advice import Advice
from opfor.report.map_picture import map_drawing
from opfor.report.map_svg import to_svg
from opfor.report.post import as_json, heading, notes_text, orders_text, post_text, working_text


def write_handout(battle: Battle, advice: Advice, folder: Path) -> list[Path]:
    """Write post.txt, orders.txt, orders.json, working.txt, gm-notes.txt and map.svg; returns their paths.

    Post and map are for the players, and leave out what they do not know of.
    """
    title = f"{advice.name}, turn {advice.turn}, {advice.phase}"
    players = battle.sides_of("gm")
    viewer = players[0] if players else None
    # where shells and bombs fall is nothing that a map gives away
    orders = [order for order in advice.orders if not isinstance(order, CallOrder)]
    shown = map_drawing(battle.state, orders, title=title, hide_from=viewer, base=battle.base_board)
    contents = {
        "post.txt": post_text(heading(advice), advice.published(), advice.rules),
        "orders.txt": orders_text(advice),
        "orders.json": as_json(advice),
        "working.txt": working_text(advice),
        "gm-notes.txt": notes_text(advice),
        "map.svg": to_svg(shown),
    }
    paths = []
    for name, content in contents.items():
        write_atomic(folder / name, content)
        paths.append(folder / name)
    return paths
