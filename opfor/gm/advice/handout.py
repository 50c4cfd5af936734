"""Everything about a phase's orders as files: what to post, what to apply, what to keep to oneself."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from opfor.formats.battle_file.battle import Battle
from opfor.formats.battle_file.history import write_atomic
from opfor.gm.advice.drawing import fire_numbers
from opfor.gm.advice.public import common_knowledge, post_of, public_document, results_of
from opfor.gm.running.react import Reactions, react_post
from opfor.report.advice import Advice
from opfor.report.maps.map_picture import map_drawing
from opfor.report.maps.map_svg import to_svg
from opfor.report.posts.gm_text import as_json, notes_text, orders_text
from opfor.report.posts.markup import MARKUPS, markup_named
from opfor.report.posts.post import orders_document, results_document
from opfor.report.posts.published import Post
from opfor.report.posts.roll_sheet import RollSheet, sheet_document
from opfor.report.posts.splitting import pieces
from opfor.rules.events import Event
from opfor.state import State

#: markup of a post where nothing names another
USUAL_FORM = "text"
_FORMER = re.compile(r"post(-\d+)?\.(txt|md|html)")


def form_of(battle: Battle) -> str:
    """The markup that the battle file asks for: ``post`` of the Op Force's side, else of the battle; else plain text."""
    sides = battle.document.get("sides") or {}
    named = [(sides.get(battle.state.sides[side]) or {}).get("post") for side in battle.sides_of("opfor")]
    return next((form for form in [*named, battle.document.get("post")] if form in MARKUPS), USUAL_FORM)


def post_pieces(post: Post, form: str, *, working: bool = False, picture: str = "") -> list[str]:
    """A post of orders in a markup, in as many pieces as it takes. ``picture``: the players' map, for markups that show it."""
    return pieces(orders_document(post, working=working, picture=picture), markup_named(form))


def orders_post(battle: Battle, advice: Advice, form: str, *, working: bool = False) -> list[str]:
    """The post of a phase's orders in a markup, in as many pieces as it takes."""
    picture = players_map(battle, advice) if form == "html" else ""
    return post_pieces(post_of(battle, advice), form, working=working, picture=picture)


def reaction_post(battle: Battle, found: Reactions, form: str, *, working: bool = False) -> list[str]:
    """The post of orders that break in."""
    return post_pieces(react_post(battle, found), form, working=working)


def results_post(battle: Battle, before: State, events: Sequence[Event], form: str, notes: Sequence[str] = ()) -> list[str]:
    """The post of what happened, from the position ``before`` it. ``notes`` stand at its end: where the dice came from."""
    results = results_of(battle, before, events)
    return pieces(results_document(results, notes), markup_named(form))


def sheet_post(sheet: RollSheet, form: str) -> list[str]:
    """The roll sheet as a post: without the rolls of units that players do not know of."""
    return pieces(sheet_document(sheet), markup_named(form))


def players_map(battle: Battle, advice: Advice) -> str:
    """The map that players may see, as SVG, with the orders that they may know of as arrows.

    Where shells and bombs fall is nothing that it gives away.
    """
    known = common_knowledge(battle)
    orders = [bare for order in advice.orders if (bare := known.bare(order)) is not None]
    title = f"{advice.name}, turn {advice.turn}, {advice.phase}"
    numbers = fire_numbers(known.state, orders)
    drawn = map_drawing(known.state, orders, title=title, base=battle.base_board, crop=True, public=True, numbers=numbers)
    return to_svg(drawn)


def write_handout(battle: Battle, advice: Advice, folder: Path, *, form: str = "", working: bool = False) -> list[Path]:
    """Write a phase's orders into a folder; returns the paths.

    For everybody: the post (``post.txt``, or ``post-1.txt`` and so on where it takes several), ``orders.txt``,
    ``orders.json``, ``working.txt``, ``map.svg``. For the game master alone: ``gm-notes.txt``, ``gm-orders.txt`` and
    ``gm-orders.json``, with the orders of hidden units, and announcements.
    """
    markup = markup_named(form or form_of(battle))
    post = post_of(battle, advice)
    picture = players_map(battle, advice)
    posts = pieces(orders_document(post, working=working, picture=picture), markup)
    single = len(posts) == 1
    contents = {
        f"post.{markup.suffix}" if single else f"post-{n}.{markup.suffix}": text for n, text in enumerate(posts, start=1)
    }
    public = public_document(post, common_knowledge(battle))
    contents |= {
        "orders.txt": "".join(f"{one.unit}: {one.words}\n" for one in post.orders if one.order is not None),
        "orders.json": json.dumps(public, indent=1, ensure_ascii=False) + "\n",
        "working.txt": "".join(pieces(orders_document(post, working=True), markup_named("text"))),
        "map.svg": picture,
        "gm-notes.txt": notes_text(advice),
        "gm-orders.txt": orders_text(advice),
        "gm-orders.json": as_json(advice),
    }
    if folder.is_dir():
        # pieces of an earlier post would be taken for some of this one
        for path in folder.iterdir():
            if _FORMER.fullmatch(path.name) and path.name not in contents:
                path.unlink()
    paths = []
    for name, content in contents.items():
        write_atomic(folder / name, content)
        paths.append(folder / name)
    return paths
