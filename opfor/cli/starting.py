"""Commands that begin a battle: new writes its file, check says how it was understood."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from opfor.cli.common import BattleArgument, JsonOption, SeedOption, command, say, say_json, tell, tell_notes

if TYPE_CHECKING:
    from opfor.gm.starting.opening import Wishes


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("new")(new)
    app.command("check")(check)


@command
def new(
    out: Annotated[str, typer.Option("--out", "-o", help="The file to write.")],
    board: Annotated[str, typer.Option(help="A built-in board or a .board file.")] = "",
    players: Annotated[
        str, typer.Option(help="The players' units, by commas: names (2x NAME), .mtf, .blk or .mul files.")
    ] = "",
    opfor: Annotated[str, typer.Option(help="The Op Force's units, as --players.")] = "",
    players_bv: Annotated[
        int, typer.Option("--players-bv", min=0, help="Choose the players' units for this Battle Value.")
    ] = 0,
    players_tons: Annotated[int, typer.Option("--players-tons", min=0, help="Choose the players' units for this tonnage.")] = 0,
    opfor_bv: Annotated[int, typer.Option("--opfor-bv", min=0, help="Choose the Op Force for this Battle Value.")] = 0,
    opfor_tons: Annotated[int, typer.Option("--opfor-tons", min=0, help="Choose the Op Force for this tonnage.")] = 0,
    opfor_like: Annotated[str, typer.Option(help="players: as many units, of the same kinds, as the players have.")] = "",
    match: Annotated[str, typer.Option(help="players: choose an Op Force of the players' Battle Value.")] = "",
    kinds: Annotated[str, typer.Option(help="Kinds to choose from: mech, vehicle, vtol, infantry, battle_armor.")] = "",
    era: Annotated[str, typer.Option(help="Choose only units built by then: a year, or an era's name.")] = "",
    edges: Annotated[str, typer.Option(help="Home edges of the players and of the Op Force.")] = "",
    deploy: Annotated[str, typer.Option(help="line, wedge, scattered or hidden; two by a comma: players, Op Force.")] = "",
    name: Annotated[str, typer.Option(help="The battle's name.")] = "",
    ruleset: Annotated[str, typer.Option(help="The ruleset.")] = "",
    limit: Annotated[int, typer.Option(min=-1, help="The last turn, 0 for none.", show_default=False)] = -1,
    from_text: Annotated[str, typer.Option(help="A typed list of units, map and rules: a file, or - for standard input.")] = "",
    random: Annotated[
        bool, typer.Option("--random", help="Draw what is not given: board, forces of like worth, edges.")
    ] = False,
    from_save: Annotated[
        str, typer.Option(help="A saved game of MegaMek (.sav.gz); --opfor then names the player who is the Op Force.")
    ] = "",
    units: Annotated[list[str], typer.Option(help="With --from-save: a folder of unit files; may be repeated.")] = [],  # noqa: B006
    seed: SeedOption = 0,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there; it is kept for undo.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a commented battle file to start from. Without options, on a terminal, it asks."""
    from opfor.errors import InputError
    from opfor.gm.starting.opening import Wishes, start

    path = Path(out)
    if path.exists() and not force:
        raise InputError("there is a file of that name already", source=out, hint="--force writes over it")
    if from_save:
        from opfor.cli.saves import new_from_save

        new_from_save(
            from_save, path, opfor=opfor, units=units, name=name, ruleset=ruleset, force=force, as_json=as_json
        )  # fmt: skip
        return
    wishes = Wishes(
        board=board, players=players, opfor=opfor, players_bv=players_bv, players_tons=players_tons, opfor_bv=opfor_bv,
        opfor_tons=opfor_tons, opfor_like=opfor_like, match=match, kinds=kinds, era=era, edges=edges, deploy=deploy, name=name,
        ruleset=ruleset, limit=limit, random=random, seed=seed, text=_text(from_text), text_source=from_text,
    )  # fmt: skip
    if wishes.empty and on_terminal() and not as_json:
        _ask(wishes, path)
    made = start(wishes, path)
    tell_notes(made.notes)
    for remark in made.remarks:
        tell(remark)
    made.write(path)
    if as_json:
        written = {"written": out, "files": made.files_of(path), "units": [unit.id for unit in made.battle.state.units]}
        say_json({**written, "assumed": made.assumed, "not_understood": made.unread, "remarks": made.remarks})
        return
    for words in made.assumed:
        say(f"assumed  {words}")
    for words in made.unread:
        say(f"unread   {words}")
    say(f"wrote {out}: {len(made.battle.state.units)} units on {made.board}. Edit it, then: opfor check {out}")


def on_terminal() -> bool:
    """Whether somebody sits there who can answer questions."""
    return sys.stdin.isatty()


def _text(source: str) -> str:
    """The text of a file, or of standard input for ``-``."""
    if not source:
        return ""
    if source == "-":
        return sys.stdin.read()
    from opfor.formats.source import read_text

    return read_text(Path(source))


def _ask(wishes: Wishes, path: Path) -> None:
    """The questions of a new battle; Enter takes what stands in brackets. Ctrl-C ends it all, and nothing is written."""
    from opfor.board.library import board_names
    from opfor.gm.starting.muster import muster
    from opfor.gm.starting.opening import Wishes as Fresh
    from opfor.gm.starting.stock import board_from
    from opfor.rulesets import named_ruleset, ruleset_names

    tell("A new battle. Enter takes what stands in brackets; Ctrl-C stops, and nothing is written.")
    wishes.name = typer.prompt("Name", default=path.stem, err=True)
    boards = board_names()
    for number, known in enumerate(boards, start=1):
        tell(f"  {number:2d} {known}")

    def board(given: str) -> None:
        wishes.board = boards[int(given) - 1] if given.isdigit() and 1 <= int(given) <= len(boards) else given
        board_from(wishes.board, path.parent)

    def force(side: str) -> Callable[[str], None]:
        def take(given: str) -> None:
            trial = Fresh()
            trial.take_force(side, given)
            muster(getattr(trial, side), path.parent, [])
            wishes.take_force(side, given)

        return take

    def ruleset(given: str) -> None:
        wishes.ruleset = named_ruleset(given).name

    _until_understood("Board (a number, a name or a .board file)", str(boards.index("crossroads") + 1), board)
    tell('Forces: names or files by commas ("2x Wasp WSP-1A, force.mul"), or a Battle Value (5000), or tons (200 t).')
    _until_understood("The players' force", "Wolverine WVR-6R, Hunchback HBK-4G", force("players"))
    _until_understood("The Op Force (match: as much Battle Value as the players)", "match", force("opfor"))
    _until_understood(f"Ruleset ({', '.join(ruleset_names())})", "campaign", ruleset)
    wishes.limit = max(0, typer.prompt("Last turn (0: none)", default=0, type=int, err=True))


def _until_understood(question: str, usual: str, take: Callable[[str], None]) -> None:
    """Ask, and ask again as long as the answer cannot be used."""
    from opfor.errors import InputError

    while True:
        try:
            take(typer.prompt(question, default=usual, err=True).strip())
            return
        except InputError as error:
            tell(str(error))


@command
def check(battle: BattleArgument, as_json: JsonOption = False) -> None:
    """Say what is missing, odd or illegal in a battle file, each with its place, and what the Op Force takes for granted."""
    from opfor.formats.battle_file.battle import load_battle
    from opfor.gm.running.told import side_lines
    from opfor.gm.starting.checking import assumptions, findings

    loaded = load_battle(battle)
    told = [line for side in range(len(loaded.state.sides)) for line in side_lines(loaded.state, side)]
    odd = findings(loaded)
    assumed = assumptions(loaded)
    if as_json:
        notes = [{"line": n.line, "severity": n.severity, "message": n.message, "source": n.source} for n in loaded.notes]
        defaults = [default.as_dict() for default in loaded.defaults]
        say_json(
            {"battle": battle, "ok": True, "notes": notes, "defaults": defaults, "odd": odd, "assumes": assumed, "told": told}
        )
        return
    state = loaded.state
    say(f"{battle}: {loaded.name}, turn {state.turn}, {state.phase}, {len(state.units)} units, rules {state.ruleset.name}")
    for default in loaded.defaults:
        say(f"default  {default.place}: {default.words}")
    for note in loaded.notes:
        say(f"note     {note}")
    for line in told:
        say(f"told     {line}")
    for found in odd:
        say(f"odd      {found['place']}: {found['message']}")
    for words in assumed:
        say(f"assumes  {words}")
    missing = len(loaded.defaults)
    stand_in = f"; {missing} {'value' if missing == 1 else 'values'} not given, what stands in is told above" if missing else ""
    faults = "no faults" if not odd else f"{len(odd)} odd {'thing' if len(odd) == 1 else 'things'}, nothing illegal"
    say(f"{faults}{stand_in or ('; nothing is missing' if not odd else '')}")
