"""The commands that draw: the map, and the record sheets of units."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from opfor.cli.common import BattleArgument, JsonOption, command, say, say_json, tell
from opfor.cli.given import orders_given


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("map")(draw)
    app.command("sheet")(sheet)


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
    from opfor.formats.battle_file.battle import load_battle
    from opfor.gm.advice.drawing import FORMS, map_bytes
    from opfor.report.maps.map_look import SIZES

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
    from opfor.formats.battle_file.history import write_atomic

    write_atomic(Path(out), data)
    if as_json:
        say_json({"written": out, "bytes": len(data)})
    else:
        tell(f"wrote {out}")


@command
def sheet(
    battle: BattleArgument,
    unit: Annotated[str, typer.Argument(metavar="[UNIT]", help="The unit's id.")] = "",
    out: Annotated[str, typer.Option("--out", "-o", help="File to write: .svg, .png or .txt. None: text here.")] = "",
    all_in: Annotated[str, typer.Option("--all", metavar="DIR", help="The sheets of all units, as files in this folder.")] = "",
    side: Annotated[str, typer.Option(help="With --all: of this side's units only.")] = "",
    form: Annotated[str, typer.Option("--format", help="svg, png or text; by default the file's ending, svg with --all.")] = "",
    scale: Annotated[float, typer.Option(min=0.2, max=4.0, help="Size of a .png.")] = 1.0,
    as_json: JsonOption = False,
) -> None:
    """A unit's record sheet with its damage: armour, structure, critical slots, weapons, heat, pilot."""
    from opfor.errors import InputError, nearest
    from opfor.formats.battle_file.battle import load_battle
    from opfor.formats.battle_file.history import write_atomic
    from opfor.gm.advice.sheets import FORMS, sheet_bytes, sheet_names

    state = load_battle(battle).state
    ids = [one.id for one in state.units]
    if bool(unit) == bool(all_in):
        raise InputError("name one unit, or ask for --all DIR", hint=f"units: {', '.join(ids)}")
    if side and side not in state.sides:
        raise InputError(
            f"there is no side {side!r}: use {', '.join(state.sides)}", place="--side", hint=nearest(side, state.sides)
        )
    if unit and unit not in ids:
        raise InputError(f"there is no unit {unit!r}", hint=nearest(unit, ids))
    ending = Path(out).suffix.lower().lstrip(".") if out else ""
    wanted = {"txt": "text"}.get(form or ending, form or ending) or ("svg" if all_in else "text")
    if wanted not in FORMS:
        raise InputError(f"no sheet is drawn as {wanted!r}: use {', '.join(FORMS)}", hint=nearest(wanted, list(FORMS)))
    if unit and not out:
        if wanted == "png":
            raise InputError("a .png needs a file: add -o FILE", place="--format")
        drawn = sheet_bytes(state, state.unit(unit), wanted, scale).decode("utf-8")
        say_json({"sheet": drawn}) if as_json else say(drawn)
        return
    files: dict[Path, str] = {Path(out): unit} if unit else {}
    if all_in:
        chosen = [one.id for one in state.units if not side or state.sides[one.side] == side]
        files = {Path(all_in) / name: id for id, name in sheet_names(chosen, FORMS[wanted]).items()}
    for path, id in files.items():
        write_atomic(path, sheet_bytes(state, state.unit(id), wanted, scale))
    if as_json:
        say_json({"written": [str(path) for path in files]})
    else:
        tell(f"wrote {', '.join(str(path) for path in files)}" if files else "there is no unit to draw")
