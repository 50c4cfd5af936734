"""The map command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from opfor.cli.common import BattleArgument, JsonOption, command, say, say_json, tell


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("map")(draw)


@command
def draw(
    battle: BattleArgument,
    out: Annotated[str, typer.Option("--out", "-o", help="File to write: .svg, .png, .html or .txt. None: text here.")] = "",
    orders: Annotated[str, typer.Option(help="Orders to draw as arrows: a file, or in words.")] = "",
    side: Annotated[str, typer.Option(help="Only what this side knows of.")] = "",
    layer: Annotated[str, typer.Option(help="Shade the hexes: threat, 'threat UNIT', 'sight UNIT' or 'moves UNIT'.")] = "",
    around: Annotated[str, typer.Option(help="Only what is near this unit.")] = "",
    whole: Annotated[bool, typer.Option("--whole", help="The whole board, though the battle fills a corner of it.")] = False,
    size: Annotated[str, typer.Option(help="screen, phone or print.")] = "screen",
    scale: Annotated[float, typer.Option(min=0.2, max=4.0, help="Size of a .png.")] = 1.0,
    as_json: JsonOption = False,
) -> None:
    """The map with hex numbers, units, facings, and orders as arrows."""
    from opfor.errors import InputError, nearest
    from opfor.formats.battle import load_battle
    from opfor.gm.drawing import FORMS, map_bytes
    from opfor.report.map_look import SIZES

    loaded = load_battle(battle)
    state = loaded.state
    if side and side not in state.sides:
        raise InputError(
            f"there is no side {side!r}: use {', '.join(state.sides)}", place="--side", hint=nearest(side, state.sides)
        )
    form = Path(out).suffix.lower().lstrip(".") if out else "txt"
    if form not in FORMS:
        raise InputError(f"no map is drawn as {form!r}: use {', '.join(FORMS)}", source=out, hint=nearest(form, FORMS))
    texts: list[str] = []
    if orders:
        from opfor.cli.orders import orders_given

        texts = orders_given([orders])
    if size not in SIZES:
        raise InputError(f"no map is drawn for {size!r}: use {', '.join(SIZES)}", place="--size", hint=nearest(size, SIZES))
    data = map_bytes(
        loaded,
        form,
        orders=texts,
        hide_from=state.sides.index(side) if side else None,
        scale=scale if scale != 1.0 or size == "screen" else None,
        around=around,
        whole=whole,
        size=size,
        layer=layer,
    )
    if not out:
        drawn = data.decode("utf-8")
        say_json({"map": drawn}) if as_json else say(drawn)
        return
    from opfor.formats.history import write_atomic

    write_atomic(Path(out), data)
    if as_json:
        say_json({"written": out, "bytes": len(data)})
    else:
        tell(f"wrote {out}")
