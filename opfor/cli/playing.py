"""The play command: battles played out, AI against AI."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from opfor.cli.common import BattleArgument, JsonOption, SeedOption, command, say, say_json, tell


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play")(play)


@command
def play(
    battle: BattleArgument,
    policies: Annotated[str, typer.Option(help="Policies of the sides in order, separated by a comma.")] = "",
    seed: SeedOption = 0,
    games: Annotated[int, typer.Option(min=1, help="How many battles, each with the next seed.")] = 1,
    turns: Annotated[int, typer.Option(min=1, help="Last turn, where the battle sets none.")] = 30,
    replay: Annotated[str, typer.Option(help="File for the replay of the first battle (.jsonl or .jsonl.gz).")] = "",
    report: Annotated[str, typer.Option(help="File for the account of the first battle, in words.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Play the battle out, policy against policy, with a replay and an account."""
    from opfor.errors import InputError
    from opfor.formats.battle_file.battle import load_battle
    from opfor.formats.battle_file.history import write_atomic
    from opfor.gm.policies import USUAL, codes_of
    from opfor.gm.running.playing import play_battle, result_words

    loaded = load_battle(battle)
    sides = loaded.state.sides
    codes = codes_of(policies) or [own or USUAL for own in loaded.policies]
    if len(codes) == 1:
        codes *= len(sides)
    if len(codes) != len(sides):
        raise InputError(f"{len(codes)} policies for {len(sides)} sides: {', '.join(sides)}", place="--policies")
    results: list[dict[str, Any]] = []
    for number in range(games):
        result, told, recorder = play_battle(loaded, codes, seed + number, turns)
        results.append(result)
        if number == 0 and replay:
            recorder.write(replay)
            tell(f"wrote {replay}")
        if number == 0 and report:
            write_atomic(Path(report), "\n".join([*told.lines, result_words(result), ""]))
            tell(f"wrote {report}")
        if not as_json:
            say(result_words(result))
    wins = {name: sum(1 for result in results if result["winner"] == name) for name in sides}
    draws = games - sum(wins.values())
    if as_json:
        say_json({"policies": dict(zip(sides, codes, strict=True)), "games": results, "wins": wins, "draws": draws})
    elif games > 1:
        say(f"{games} battles: " + ", ".join(f"{name} ({code}) {wins[name]}" for name, code in zip(sides, codes, strict=True)))
        say(f"draws {draws}")
