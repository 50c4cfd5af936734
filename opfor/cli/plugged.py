"""Commands that live above this package: what they do is found as an ``opfor.commands`` entry point when they run."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from opfor.errors import InputError

GROUP = "opfor.commands"


def plugged(name: str, extra: str = "train") -> Callable[..., Any]:
    """The function of a command.

    Raises :class:`InputError` where it, or a package that it needs, is not installed: ``extra`` is what to install.
    """
    hint = f'pip install "opfor[{extra}]"'
    for point in entry_points(group=GROUP, name=name):
        try:
            found: Callable[..., Any] = point.load()
        except ModuleNotFoundError as error:
            raise InputError(f"`opfor {name}` needs the package {error.name}, which is not installed", hint=hint) from None
        return found
    raise InputError(f"`opfor {name}` is not installed", hint=hint)
