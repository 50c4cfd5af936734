"""Commands on dice: verify, seal; and what other commands do with dice that people hand in."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from opfor.cli.common import JsonOption, command, say, say_json, tell, tell_notes
from opfor.cli.given import orders_given

if TYPE_CHECKING:
    from opfor.dice import FedDice, Roll
    from opfor.formats.battle_file.battle import Battle
    from opfor.formats.words.dice_text import PastedRoll
    from opfor.report.advice import Advice
    from opfor.report.posts.roll_sheet import RollSheet
    from opfor.state import State


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("verify")(verify)
    app.command("seal")(seal)


@command
def verify(
    battle: Annotated[str, typer.Argument(metavar="BEFORE", help="The battle file as it was before the orders.")],
    seed: Annotated[int, typer.Option("--seed", help="The seed that was posted.")],
    order: Annotated[
        list[str] | None, typer.Argument(metavar="ORDERS", help="The orders: a file, - for standard input, or in words.")
    ] = None,
    check: Annotated[str, typer.Option(help="The check that was posted.")] = "",
    seal: Annotated[str, typer.Option(help="The seal that was posted beforehand.")] = "",
    dice: Annotated[str, typer.Option(help="The dice that were posted: a list, lines with reasons, or a file.")] = "",
    end_phase: Annotated[bool, typer.Option("--end-phase", help="As it was applied.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play orders again with the seed of a post: is the check the same, and are the dice? Exit status 1 when not."""
    from opfor.formats.battle_file.battle import load_battle
    from opfor.gm.dice.verify import verify as verified

    loaded = load_battle(battle)
    tell_notes(loaded.notes)
    told = [(roll.dice, roll.reason) for roll in rolls_given(dice)] if dice else None
    found = verified(loaded, orders_given(order or []), seed, check=check, seal=seal, dice=told, end_phase=end_phase)
    if as_json:
        say_json(found.as_dict())
    else:
        for roll in found.outcome.rolls:
            say(f"{roll.words}: {roll.why}")
        if not found.outcome.rolls:
            say("# no dice were rolled")
        for line in seed_words(seed, found.check):
            say(f"# {line}")
        for fault in found.faults:
            say(f"# not the same: {fault}")
        if found.same:
            say(f"# the same: {', '.join(found.same)}")
    if found.faults:
        tell("opfor: this is not what was posted: another battle, orders, version of the program, or seed")
        raise typer.Exit(1)


@command
def seal(
    seed: Annotated[int | None, typer.Option("--seed", help="The seed to seal; else one is drawn.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Seal a seed: post the seal before the orders are known, and the seed with the result (`opfor verify --seal`)."""
    import secrets

    from opfor.gm.dice.verify import SAFE_SEED, seal_of

    # a secret that nobody could guess is no roll of a battle: it comes from the machine, once
    drawn = secrets.randbelow(9 * 10**17) + 10**17 if seed is None else seed
    if abs(drawn) < SAFE_SEED:
        tell(f"opfor: a seed of so few figures can be found from its seal by trying: take {len(str(SAFE_SEED))}, or none")
    if as_json:
        say_json({"seed": drawn, "seal": seal_of(drawn)})
        return
    say(f"seal {seal_of(drawn)}")
    say(f"# post the seal now, and keep the seed to yourself until it is used: opfor apply ... --seed {drawn}")


def text_given(given: str) -> str:
    """A text from a file, from standard input (``-``), or as it stands."""
    from opfor.formats.source import read_text

    if given == "-":
        return sys.stdin.read()
    file = False
    with suppress(OSError, ValueError):
        file = "\n" not in given and Path(given).is_file()
    return read_text(Path(given)) if file else given


def rolls_given(given: str) -> list[PastedRoll]:
    """The rolls of a text, a file, or standard input (``-``). Raises :class:`InputError`."""
    from opfor.dice import DiceError
    from opfor.errors import InputError
    from opfor.formats.words.dice_text import read_dice

    try:
        return read_dice(text_given(given))
    except DiceError as error:
        raise InputError(str(error), source="dice", hint=error.hint) from None


def dice_given(given: str, state: State) -> FedDice:
    """Dice as handed in: a list in the order asked for, or lines of a roller with reasons. Raises :class:`InputError`."""
    from opfor.dice import FedDice

    if not given:
        return FedDice(())
    rolls = rolls_given(given)
    if all(roll.shown and not roll.reason for roll in rolls):
        return FedDice([roll.dice for roll in rolls])
    from opfor.gm.dice.pasted import PastedDice, Vocabulary

    return PastedDice(rolls, Vocabulary(state))


def seed_words(seed: int | None, check: str) -> list[str]:
    """The line that players need to check rolls of the program: seed, check and version."""
    import opfor

    return [f"seed {seed}, check {check} (opfor {opfor.__version__})"] if check else []


def sums_words(rolls: Iterable[Roll]) -> list[str]:
    """The rolls of which only the sums were told: the dice shown for them are not those that fell."""
    return [f"only the sum is known, its dice are made up: {roll.words}: {roll.why}" for roll in rolls if not roll.shown]


def sheet_of_orders(battle: Battle, advice: Advice, phase: str) -> RollSheet:
    """The roll sheet of the Op Force's orders; in the physical phase, of all that lands."""
    from opfor.errors import InputError
    from opfor.gm.dice.rolls import roll_sheet
    from opfor.report.posts.gm_text import orders_text

    if phase and advice.phase != battle.state.phase:
        raise InputError(f"the rolls of a phase are known when it has come: now it is {battle.state.phase}", place="--rolls")
    text = orders_text(advice)
    sheet = roll_sheet(battle, text)
    # where attacks are declared first and resolved together, nothing is rolled before everybody has declared
    return sheet if sheet.rolls else roll_sheet(battle, text, end_phase=True)
