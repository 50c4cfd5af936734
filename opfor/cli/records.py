"""Commands on what a battle file remembers, and on plans: log, rule-that, direct, diff, compare."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from opfor.cli.common import BattleArgument, JsonOption, SeedOption, command, say, say_json, tell, tell_notes


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("log")(log)
    app.command("rule-that")(rule_that)
    app.command("ruling", hidden=True)(rule_that)
    app.command("direct")(direct)
    app.command("diff")(diff)
    app.command("compare")(compare)


@command
def log(
    battle: BattleArgument,
    turn: Annotated[int, typer.Option(min=0, help="One turn only.")] = 0,
    unit: Annotated[str, typer.Option(help="Only orders and rolls that name this unit.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Who did what, with every roll of the dice, turn by turn; and the rulings made."""
    from dataclasses import replace

    from opfor.formats.battle_file.battle import load_battle
    from opfor.gm.dice.dice_log import log_steps, log_words
    from opfor.gm.running.rulings import ruling_words, rulings_of

    loaded = load_battle(battle)
    tell_notes(loaded.notes)
    steps = [step for step in log_steps(loaded.document.get("log")) if not turn or step.turn == turn]
    if unit:
        named = unit.lower()
        steps = [
            replace(
                step,
                orders=tuple(line for line in step.orders if named in line.lower()),
                dice=tuple(line for line in step.dice if named in line.lower()),
            )
            for step in steps
        ]
        steps = [step for step in steps if step.orders or step.dice]
    rulings = [row for row in rulings_of(loaded) if not turn or row["turn"] == turn]
    if as_json:
        rows: list[dict[str, Any]] = []
        for step in steps:
            row: dict[str, Any] = {"turn": step.turn, "phase": step.phase, "orders": [*step.orders], "dice": [*step.dice]}
            row.update({"seed": step.seed} if step.seed is not None else {})
            row.update({"note": step.note} if step.note else {})
            rows.append(row)
        say_json({"battle": battle, "log": rows, "rulings": rulings})
        return
    lines = log_words(steps)
    lines += [f"ruling, {ruling_words(row)}" for row in rulings] if not unit else []
    say("\n".join(lines) if lines else "nothing has been done yet")


@command
def rule_that(
    battle: BattleArgument,
    words: Annotated[str, typer.Argument(metavar="RULING", help="The ruling; without it, those made so far are listed.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Keep a ruling in the battle file, with the turn it is made in; or list those made so far."""
    from opfor.formats.battle_file.battle import load_battle
    from opfor.formats.battle_file.battle_write import save_battle
    from opfor.gm.running.rulings import rule_that as ruled
    from opfor.gm.running.rulings import ruling_words, rulings_of

    loaded = load_battle(battle)
    tell_notes(loaded.notes)
    if words:
        row = ruled(loaded, words)
        save_battle(loaded)
        tell(f"kept in {battle} as a ruling of turn {row['turn']}")
    rows = rulings_of(loaded)
    if as_json:
        say_json({"battle": battle, "rulings": rows})
        return
    say("\n".join(ruling_words(row) for row in rows) if rows else "no rulings so far")


@command
def direct(
    battle: BattleArgument,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORDS", help="'UNIT: do not move', 'SIDE: hold fire', 'SIDE: objective hold 0812'."),
    ] = None,
    free: Annotated[
        list[str] | None, typer.Option(help="Take back all restraints of a UNIT or SIDE (may be repeated).")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Tell a side or a unit what to do and what to leave, until it is told otherwise; or list what they have been told."""
    from opfor.formats.battle_file.battle import load_battle
    from opfor.formats.battle_file.battle_write import save_battle
    from opfor.gm.running.directing import direct as told
    from opfor.gm.running.directing import release
    from opfor.gm.running.told import side_lines

    loaded = load_battle(battle)
    tell_notes(loaded.notes)
    for who in free or ():
        release(loaded, who)
    for line in words or ():
        told(loaded, line)
    if words or free:
        save_battle(loaded)
        tell(f"written into {battle}")
    lines = [line for side in range(len(loaded.state.sides)) for line in side_lines(loaded.state, side)]
    if as_json:
        say_json({"battle": battle, "told": lines})
        return
    say("\n".join(lines) if lines else "nobody has been told anything")


@command
def diff(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="A battle file; alone: it is compared with its last former version.")
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The battle file to compare with.")] = "",
    as_json: JsonOption = False,
) -> None:
    """What differs between two battle files, unit by unit."""
    from opfor.errors import InputError
    from opfor.formats.battle_file.battle import load_battle, read_battle
    from opfor.formats.battle_file.history import versions
    from opfor.formats.source import read_text
    from opfor.gm.running.battle_diff import battle_diff, diff_words

    if new:
        before, after = load_battle(old), load_battle(new)
    else:
        past = versions(Path(old))
        if not past:
            raise InputError("there is no former version to compare with", source=old, hint="opfor diff OLD NEW")
        # paths in a former version are those of the file itself
        after, before = load_battle(old), read_battle(read_text(past[-1]), source=str(past[-1]), path=Path(old))
    found = battle_diff(before, after)
    if as_json:
        say_json({"old": before.source, "new": after.source, **found})
        return
    say("\n".join(diff_words(found)))


@command
def compare(
    battle: BattleArgument,
    plans: Annotated[str, typer.Option(help="Files with orders, by commas: each is a plan.")] = "",
    policies: Annotated[str, typer.Option(help="Policies, by commas: what each would do is a plan.")] = "",
    restrain: Annotated[list[str] | None, typer.Option(help="UNIT or SIDE: what it is to leave, for all plans.")] = None,
    samples: Annotated[int, typer.Option(help="Courses of the dice played for each plan; 0 for none.")] = 20,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Plans for the phase side by side: expected damage given and taken, heat, falls, and what the dice made of them."""
    from opfor.formats.battle_file.battle import load_battle
    from opfor.formats.source import read_text
    from opfor.gm.advice.compare import compare as compared
    from opfor.gm.advice.compare import compare_words
    from opfor.gm.policies import codes_of

    loaded = load_battle(battle)
    tell_notes(loaded.notes)
    files = [name.strip() for name in plans.split(",") if name.strip()]
    codes = codes_of(policies)
    texts = [(Path(name).stem if files.count(name) == 1 else name, read_text(Path(name))) for name in files]
    found = compared(loaded, plans=texts, policies=codes, seed=seed, samples=samples, told=restrain or ())
    if as_json:
        say_json({"turn": loaded.state.turn, "phase": loaded.state.phase, "seed": seed, "plans": [r.as_dict() for r in found]})
        return
    say("\n".join(compare_words(found, seed)))
