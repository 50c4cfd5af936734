"""Commands on orders: orders, react, apply, explain, moves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from opfor.cli.common import BattleArgument, JsonOption, SeedOption, command, say, say_json, tell, tell_notes
from opfor.cli.given import orders_given

FormOption = Annotated[
    str,
    typer.Option("--format", help="A post for players: rpol, bbcode, markdown, html or text. json: data for the game master."),
]
WorkingOption = Annotated[bool, typer.Option("--working", help="In the post, every sum part by part with its rules.")]
UnitOption = Annotated[str, typer.Option("--unit", help="A unit's id or name.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("orders")(orders)
    app.command("react")(react)
    app.command("apply")(apply)
    app.command("explain")(explain)
    app.command("moves")(moves)


@command
def orders(
    battle: BattleArgument,
    policy: Annotated[str, typer.Option(help="Who decides; else each side's own policy.")] = "",
    seed: SeedOption = 0,
    think: Annotated[
        float | None, typer.Option(help="Seconds that the commander may think about a side's phase (about; 2 unless said).")
    ] = None,
    phase: Annotated[str, typer.Option(help="Another phase than the battle's: initiative, movement, fire or physical.")] = "",
    only: Annotated[list[str] | None, typer.Option(help="Tell of this unit only (may be repeated).")] = None,
    lock: Annotated[list[str] | None, typer.Option(help="Leave this UNIT alone, or give its order: 'UNIT: ...'.")] = None,
    restrain: Annotated[
        list[str] | None,
        typer.Option(help="What a UNIT or SIDE is to leave this time: 'UNIT: do not move', 'SIDE: hold fire'."),
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="A post for players: rpol, bbcode, markdown, html or text. json: data for the game master. "
            "clicks: what to click in MegaMek (with --json, as data).",
        ),
    ] = "",
    working: WorkingOption = False,
    rolls: Annotated[bool, typer.Option("--rolls", help="With the roll sheet: what to roll, what each result does.")] = False,
    out: Annotated[str, typer.Option(help="Folder for the post, orders, working, GM notes and map.")] = "",
    as_json: JsonOption = False,
) -> None:
    """The Op Force's orders for the battle's phase, with every target number added up."""
    from opfor.errors import InputError
    from opfor.formats.battle_file.battle import load_battle
    from opfor.gm.advice.advise import advise
    from opfor.report.posts.gm_text import as_json as json_text
    from opfor.report.posts.gm_text import whole_text

    clicks = form == "clicks"
    form = "json" if as_json else "" if clicks else form_named(form)
    if phase and phase not in ("initiative", "movement", "declarations", "fire", "physical"):
        raise InputError(f"nothing is ordered in a phase {phase!r}: use initiative, movement, fire or physical")
    loaded = load_battle(battle)
    tell_notes(loaded.notes)
    advice = advise(
        loaded, policy=policy, seed=seed, phase=phase, only=only or (), locked=lock or (), told=restrain or (), think=think
    )
    if out:
        from opfor.gm.advice.handout import write_handout

        for path in write_handout(loaded, advice, Path(out), form=form if form != "json" else "", working=working):
            tell(f"wrote {path}")
    sheet = None
    if rolls:
        from opfor.cli.dice import sheet_of_orders

        sheet = sheet_of_orders(loaded, advice, phase)
        advice.document["sheet"] = sheet.as_dict()
    if clicks:
        from opfor.gm.advice.click_list import click_json, click_text

        say(click_json(loaded, advice) if as_json else click_text(loaded, advice))
    elif not form:
        say(whole_text(advice))
        if sheet is not None:
            from opfor.report.posts.roll_sheet import sheet_text

            say(sheet_text(sheet))
    elif form == "json":
        say(json_text(advice))
    else:
        from opfor.gm.advice.handout import orders_post, sheet_post

        say("\n".join(orders_post(loaded, advice, form, working=working)))
        if sheet is not None:
            say("\n".join(sheet_post(sheet, form)))


@command
def react(
    battle: BattleArgument,
    to: Annotated[str, typer.Option("--to", help="The enemy's order: 'UNIT: ...', JSON, or a file that holds one.")],
    policy: Annotated[str, typer.Option(help="Who decides; else each side's own policy.")] = "",
    seed: SeedOption = 0,
    form: FormOption = "",
    working: WorkingOption = False,
    as_json: JsonOption = False,
) -> None:
    """What the Op Force does about an enemy's order: opportunity actions and preemptions, each at its best moment."""
    import json

    from opfor.errors import InputError
    from opfor.formats.battle_file.battle import load_battle
    from opfor.gm.running.react import react as reacted
    from opfor.gm.running.react import react_words

    form = "json" if as_json else form_named(form)
    loaded = load_battle(battle)
    tell_notes(loaded.notes)
    content: Any = orders_given([to])[0].strip()
    if content[:1] in ("{", "["):
        try:
            content = json.loads(content)
        except json.JSONDecodeError as error:
            raise InputError(f"is no JSON: {error.msg}", source="order", place="--to") from None
        rows = content.get("orders", [content]) if isinstance(content, dict) else content
        if len(rows) != 1 or not isinstance(rows[0], dict):
            raise InputError("one order is wanted", source="order", place="--to")
        content = rows[0]
    found = reacted(loaded, content, policy=policy, seed=seed)
    if not form:
        say(react_words(found))
    elif form == "json":
        say_json(found.document)
    else:
        from opfor.gm.advice.handout import reaction_post

        say("\n".join(reaction_post(loaded, found, form, working=working)))


@command
def apply(
    battle: BattleArgument,
    order: Annotated[
        list[str] | None, typer.Argument(metavar="ORDERS", help="A file, - for standard input, or orders.")
    ] = None,
    dice: Annotated[str, typer.Option(help="Your rolls: 3+4,6+1,5, lines of a board's roller, or a file (- is input).")] = "",
    seed: Annotated[int | None, typer.Option(help="Let the program roll, with this seed.")] = None,
    end_phase: Annotated[bool, typer.Option("--end-phase", help="Units without an order do nothing; close the phase.")] = False,
    dry: Annotated[bool, typer.Option("--dry-run", help="Play it, and write nothing.")] = False,
    form: FormOption = "",
    as_json: JsonOption = False,
) -> None:
    """Check and play orders, typed or from a file, and write the new battle. Without dice: say which rolls are wanted."""
    from opfor.cli.dice import dice_given, seed_words, sums_words
    from opfor.dice import FedDice, SeededDice
    from opfor.errors import InputError
    from opfor.formats.battle_file.battle import load_battle
    from opfor.formats.battle_file.battle_write import battle_document, save_battle
    from opfor.gm.running.control import carry_out
    from opfor.gm.running.journal import note_outcome

    form = "json" if as_json else form_named(form)
    if dice and seed is not None:
        raise InputError("give --dice or --seed, not both")
    if dice == "-" and "-" in (order or []):
        raise InputError("standard input holds either the orders or the dice", place="--dice")
    texts = orders_given(order or [])
    loaded = load_battle(battle)
    tell_notes(loaded.notes)
    source = SeededDice(seed) if seed is not None else dice_given(dice, loaded.state)
    outcome = carry_out(loaded, texts, source, end_phase=end_phase)
    kept = None
    check = ""
    before = loaded.state
    sheet = None
    if outcome.done:
        if seed is not None and outcome.rolls:
            from opfor.gm.dice.verify import check_of

            check = check_of(loaded, outcome.orders, seed)
        note_outcome(loaded, outcome, seed, check)
        loaded.state = outcome.state
        if not dry:
            kept = save_battle(loaded)
    elif not dice:
        from opfor.gm.dice.rolls import roll_sheet

        sheet = roll_sheet(loaded, texts, end_phase=end_phase)
    about = [*seed_words(seed, check), *sums_words(outcome.rolls)]
    events = [event.as_dict() for event in outcome.events]
    if form == "json":
        wanted = [roll.as_dict() for roll in outcome.wanted]
        say_json(
            {
                "applied": outcome.done and not dry,
                "events": events,
                "rolls": wanted,
                "understood": outcome.understood,
                "passed": outcome.passed,
                "unmet": outcome.unmet,
                **({"seed": seed, "check": check} if check else {}),
                **({"sheet": sheet.as_dict()} if sheet is not None else {}),
                "battle": battle_document(loaded),
            }
        )
    elif form and outcome.done:
        from opfor.gm.advice.handout import results_post

        say("\n".join(results_post(loaded, before, outcome.events, form, seed_words(seed, check))))
    elif form and sheet is not None:
        from opfor.gm.advice.handout import sheet_post

        say("\n".join(sheet_post(sheet, form)))
    else:
        _say_outcome(outcome, sheet)
        for line in about:
            say(f"# {line}")
        if not outcome.done and isinstance(source, FedDice):
            for line in source.left_words:
                say(f"# given, and not asked for so far: {line}")
    if outcome.done:
        tell(f"{battle} is now at turn {loaded.state.turn}, {loaded.state.phase}" + (f"; before: {kept}" if kept else ""))
    else:
        tell("nothing has been changed")
        if dice:
            raise typer.Exit(1)


def form_named(form: str) -> str:
    """A format by name, "" where none is asked for. Raises :class:`InputError` for one that there is not."""
    from opfor.errors import InputError, nearest
    from opfor.report.posts.markup import MARKUPS

    known = (*MARKUPS, "json")
    if form and form not in known:
        raise InputError(f"there is no format {form!r}: use {', '.join(known)}", hint=nearest(form, known))
    return form


def _say_outcome(outcome: Any, sheet: Any) -> None:
    from opfor.gm.running.breaking_in import passed_in_words
    from opfor.report.posts.happenings import account

    for line in outcome.understood:
        say(f"# {line}")
    for line in account(outcome.events):
        say(line)
    for line in passed_in_words(outcome.passed):
        say(f"# {line}")
    if outcome.done:
        for line in outcome.unmet:
            say(f"# its moment has not come, and it is not kept: {line}")
        return
    first, *later = outcome.wanted
    say(f"# wanted now: {first.dice}d6 for {first.why}")
    if sheet is not None:
        from opfor.report.posts.roll_sheet import sheet_text

        say(sheet_text(sheet))
    elif later:
        say("# and then, as the dice may fall:")
        for roll in later:
            say(f"#   {roll.dice}d6 for {roll.why}")
    given = ",".join("+".join(map(str, roll.dice)) for roll in outcome.rolls)
    example = "+".join(["N"] * first.dice)
    say(f"# give them as --dice {given + ',' if given else ''}{example},... or paste your roller's lines with what each is for")
    say("# or let the program roll with --seed NUMBER")


@command
def explain(
    battle: BattleArgument,
    unit: UnitOption,
    target: Annotated[str, typer.Option("--target", help="One target, a unit or a hex (0512); else every enemy.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Line of sight, and every attack a unit could make now: the sum, the odds, or why not."""
    from opfor.errors import InputError
    from opfor.formats.battle_file.battle import load_battle
    from opfor.formats.orders import find_target, find_unit
    from opfor.gm.advice.explain import explain as explained
    from opfor.gm.advice.explain import explain_words

    loaded = load_battle(battle)
    tell_notes(loaded.notes)
    state = loaded.state
    attacker = find_unit(state, unit, place="--unit")
    if target:
        targets = [state.target(find_target(state, target, place="--target"))]
    else:
        targets = [enemy for enemy in state.enemies(attacker.side) if not enemy.aboard]
    for one in (attacker, *targets):
        if not one.alive:
            raise InputError(f"{one.id} is out of the battle: {one.destroyed or 'it has left the map'}", source=battle)
    if attacker in targets:
        raise InputError("a unit does not attack itself", source=battle, place="--target")
    found = [explained(state, attacker, one) for one in targets]
    if as_json:
        say_json(found[0] if target else {"unit": attacker.id, "targets": found})
        return
    for one_found in found:
        say("\n".join(explain_words(one_found)))


@command
def moves(
    battle: BattleArgument,
    unit: UnitOption,
    to: Annotated[str, typer.Option("--to", help="Only movements that end in this hex.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Every legal movement of a unit, with its cost, the hexes moved and the rolls it would call for."""
    from opfor.errors import InputError
    from opfor.formats.battle_file.battle import load_battle
    from opfor.formats.orders import find_unit
    from opfor.gm.advice.explain import moves as listed
    from opfor.gm.advice.explain import moves_words

    loaded = load_battle(battle)
    tell_notes(loaded.notes)
    mover = find_unit(loaded.state, unit, place="--unit")
    if not mover.active:
        raise InputError(f"{mover.id} cannot move: it is out of action", source=battle)
    if mover.moved:
        tell(f"{mover.id} has moved this turn; these are the movements it would have from where it stands")
    found = listed(loaded.state, mover, loaded.state.board.grid.parse(to) if to else -1)
    if as_json:
        say_json(found)
        return
    say("\n".join(moves_words(found)))
