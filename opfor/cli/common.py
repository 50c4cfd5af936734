"""What every command shares: options, output that keeps data and messages apart, and errors as one clear message."""

from __future__ import annotations

import functools
import inspect
import json
import sys
from collections.abc import Callable
from typing import Annotated, Any, ParamSpec

import typer

BattleArgument = Annotated[str, typer.Argument(metavar="BATTLE", help="The battle file (YAML or JSON).")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
JobsOption = Annotated[int, typer.Option(min=0, help="Games at a time; 0: one for each core.")]
OnOption = Annotated[
    str,
    typer.Option("--on", help="Where games are played: local processes, or ray, a cluster (RAY_ADDRESS, else one here)."),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of all chance: the same seed gives the same answer.")]

OwnRulesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--rules", metavar="FILE", help="Own rules of yours: a YAML file, or a Python file, which is run. Several are allowed."
    ),
]
AllowCodeOption = Annotated[
    bool, typer.Option("--allow-code", help="Run Python files of own rules that battle files name themselves.")
]
#: options of every command that plays battles or reads them, by the name that their value comes under
_OWN_RULES = {"own_rules": OwnRulesOption, "allow_code": AllowCodeOption}
#: a command with one of these plays or reads battles
_OF_BATTLES = ("battle", "policies", "old")

P = ParamSpec("P")
#: set by `opfor -v`: notes about files are told, and unexpected errors keep their traceback
verbose = False


def say(text: str) -> None:
    """Print a result on standard output."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def say_json(document: Any) -> None:
    """Print the one JSON document."""
    say(json.dumps(document, indent=1, ensure_ascii=False))


def tell(text: str) -> None:
    """Print a message on standard error."""
    sys.stderr.write(text + "\n")


def tell_notes(notes: Any) -> None:
    """Tell what was noticed while reading: all of it with -v, else how much there is."""
    shown = [note for note in notes if verbose or note.severity != "ignored"]
    for note in shown:
        tell(str(note))


def command(function: Callable[P, None]) -> Callable[P, None]:
    """Make input errors one message on standard error and exit status 1; with ``as_json`` also a JSON document.

    A command that plays or reads battles is given the options of own rules.
    """

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        files: Any = kwargs.pop("own_rules", None)
        allowed: Any = kwargs.pop("allow_code", False)
        from opfor.dice import DiceError
        from opfor.errors import InputError
        from opfor.hex import HexError

        try:
            if not files and not allowed:
                function(*args, **kwargs)
                return
            from opfor.own_rules.given import giving

            with giving(*(files or ()), allow_code=allowed):
                function(*args, **kwargs)
        except InputError as error:
            data = {"message": error.message, "source": error.source, "place": error.place, "hint": error.hint}
            rule = getattr(error, "rule", "")
            if rule:
                data["rule"] = rule
            _refuse(str(error) + (f" [{rule}]" if rule else ""), data, kwargs)
        except (HexError, DiceError) as error:
            _refuse(str(error), {"message": str(error)}, kwargs)
        except BrokenPipeError:
            sys.stderr.close()
            raise typer.Exit(0) from None
        except OSError as error:
            _refuse(f"{error.filename or 'file'}: {error.strerror}", {"message": str(error)}, kwargs)

    # evaluated here: who reads a signature that is given takes it as it stands
    signature = inspect.signature(function, eval_str=True)
    if not signature.parameters.keys().isdisjoint(_OF_BATTLES):
        more = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None if name == "own_rules" else False, annotation=kind
            )
            for name, kind in _OWN_RULES.items()
        ]
        run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *more])  # type: ignore[attr-defined]
        run.__annotations__ = {**function.__annotations__, **_OWN_RULES}
    return run


def _refuse(message: str, data: dict[str, Any], kwargs: dict[str, Any]) -> None:
    tell(f"opfor: {message}")
    if kwargs.get("as_json") or kwargs.get("form") == "json":
        say_json({"error": data})
    raise typer.Exit(1)
