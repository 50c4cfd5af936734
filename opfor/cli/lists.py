"""Commands that say what there is: units, boards, rules, policies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from opfor.cli.common import JsonOption, command, say, say_json, tell, tell_notes


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("units")(units)
    app.command("boards")(boards)
    app.command("rules")(rules)
    app.command("policies")(policies)


@command
def units(
    name: Annotated[
        list[str] | None, typer.Argument(metavar="NAME_OR_FILE", help="Units of the catalogue, or .mtf and .blk files.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """The catalogue's units, or what a unit is."""
    from opfor.gm.starting.stock import unit_row, unit_with_notes, unit_words

    if not name:
        from opfor.units.catalogue import unit_named, unit_names

        rows = [unit_row(unit_named(known)) for known in unit_names()]
        if as_json:
            say_json({"units": rows})
            return
        for row in rows:
            kind = row["motive"] if row["kind"] != "infantry" else f"{row['motive']} platoon"
            say(f"{row['name']:40} {row['tons']:3} t  {row['walk']}/{row['run']}/{row['jump']}  {row['tech']:5}  {kind}")
        return
    found = []
    for one in name:
        spec, notes = unit_with_notes(one, Path())
        tell_notes(notes)
        found.append(spec)
    if as_json:
        say_json({"units": [unit_row(spec) for spec in found]})
        return
    for spec in found:
        say("\n".join(unit_words(spec)))


@command
def boards(
    name: Annotated[
        str, typer.Argument(metavar="NAME_OR_FILE", help="A built-in board or a .board file, to draw as text.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """The built-in boards, or what one looks like."""
    from opfor.board.library import board_about, board_names
    from opfor.gm.starting.stock import board_from
    from opfor.report.maps.map_text import board_text_map

    if name:
        board = board_from(name, Path())
        row = {"name": board.name, "width": board.grid.width, "height": board.grid.height, "map": board_text_map(board)}
        say_json({"boards": [row]}) if as_json else say(board_text_map(board))
        return
    rows = []
    for known in board_names():
        board = board_from(known, Path())
        rows.append({"name": known, "width": board.grid.width, "height": board.grid.height, "about": board_about(known)})
    if as_json:
        say_json({"boards": rows})
        return
    for row in rows:
        say(f"{row['name']:16} {row['width']} x {row['height']}  {row['about']}")


@command
def rules(
    id: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Rules to tell of, else all; replay files with --exercised.")
    ] = None,
    diff: Annotated[
        bool, typer.Option("--diff", help="The switches in which two rulesets differ: rules --diff campaign standard.")
    ] = False,
    switches: Annotated[bool, typer.Option("--switches", help="Every switch, with its value in each ruleset.")] = False,
    exercised: Annotated[
        bool, typer.Option("--exercised", help="Count what the replays named have exercised, and what was never seen.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """The rules by id: title, source, switches, where each is implemented and tested; switches; what replays have exercised."""
    from opfor.errors import InputError, nearest
    from opfor.gm.rulebook.ledger import rule_rows

    if exercised:
        _exercised(id or [], as_json)
        return
    if diff:
        _diff(id or [], as_json)
        return
    if switches:
        _switches(id or [], as_json)
        return
    rows = rule_rows()
    known = [row["id"] for row in rows]
    for wanted in id or ():
        if wanted.upper() not in (k.upper() for k in known):
            raise InputError(f"there is no rule {wanted!r}", hint=nearest(wanted, known) or f"ids: {known[0]} to {known[-1]}")
    if id:
        rows = [row for row in rows if row["id"].upper() in {wanted.upper() for wanted in id}]
    if as_json:
        say_json({"rules": rows})
        return
    for row in rows:
        state = f"{len(row['implemented'])} places, {len(row['tested'])} cases" if row["implemented"] else "not played yet"
        switch = f"  switch {', '.join(row['switch'])}" if row["switch"] else ""
        say(f"{row['id']:6} {row['title']}  [{row['source']}; {state}]{switch}")
        if id:
            for place in row["implemented"]:
                say(f"         {place}")
    if not id:
        tell(f"{sum(1 for row in rows if row['implemented'])} of {len(rows)} rules are played")


def _diff(names: list[str], as_json: bool) -> None:
    """The switches in which two rulesets differ."""
    from opfor.errors import InputError
    from opfor.gm.rulebook.ledger import ruleset_diff
    from opfor.rulesets import ruleset_names

    if len(names) != 2:
        raise InputError("name two rulesets", place="--diff", hint=f"rulesets: {', '.join(ruleset_names())}")
    first, second = names
    rows = ruleset_diff(first, second)
    if as_json:
        say_json({"first": first, "second": second, "switches": rows})
        return
    widths = [max(len(title), *(len(str(row[key])) for row in rows)) if rows else len(title) for key, title in
              (("switch", "switch"), ("rule", "rule"), (first, first), (second, second))]  # fmt: skip
    for row in [{"switch": "switch", "rule": "rule", first: first, second: second, "meaning": "meaning"}, *rows]:
        cells = (row["switch"], row["rule"], row[first], row[second])
        say("  ".join(str(cell).ljust(width) for cell, width in zip(cells, widths, strict=True)) + f"  {row['meaning']}")
    tell(f"{len(rows)} switches differ")


def _switches(names: list[str], as_json: bool) -> None:
    """Every switch, or those named."""
    from opfor.errors import InputError, nearest
    from opfor.gm.rulebook.ledger import switch_rows

    rows = switch_rows()
    known = [row["switch"] for row in rows]
    for name in names:
        if name not in known:
            raise InputError(f"there is no switch {name!r}", hint=nearest(name, known) or f"switches: {', '.join(known)}")
    rows = [row for row in rows if not names or row["switch"] in names]
    if as_json:
        say_json({"switches": rows})
        return
    for row in rows:
        values = ", ".join(f"{name} {value}" for name, value in row["rulesets"].items())
        allowed = f" (of {', '.join(row['values'])})" if row["values"] else ""
        say(f"{row['switch']}  [{row['rule']}]  {values}{allowed}")
        say(f"         {row['meaning']}")


def _exercised(paths: list[str], as_json: bool) -> None:
    """What replays have exercised, and what was never seen."""
    from opfor.errors import InputError
    from opfor.formats.replay import read_replay
    from opfor.gm.rulebook.exercised import Exercised

    if not paths:
        raise InputError("name the replays to count", place="--exercised", hint="`opfor play BATTLE --replay FILE` writes one")
    found = Exercised()
    for path in paths:
        found.read(read_replay(path), source=path)
    say_json(found.as_dict()) if as_json else say("\n".join(found.words()))


@command
def policies(as_json: JsonOption = False) -> None:
    """Who can play the Op Force."""
    from opfor.gm.policies import dial_rows, policy_rows

    rows, dials = policy_rows(), dial_rows()
    if as_json:
        say_json({"policies": rows, "dials": dials})
        return
    for row in rows:
        say(f"{row['name']:12} {row['what']}")
    say("\nDials of veteran and commander, after a colon with strokes between (veteran:raider/thrift=2/green); 5 is the usual:")
    for row in dials:
        say(f"{row['dial']:28} {row['what']}")
