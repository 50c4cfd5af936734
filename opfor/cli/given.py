"""What is handed to commands as text: files, standard input, or the words themselves."""

from __future__ import annotations

import sys
from pathlib import Path

from opfor.errors import InputError


def orders_given(given: list[str]) -> list[str]:
    """Orders from files, standard input or the command line itself. Raises :class:`InputError` for a word that is neither."""
    from opfor.formats.source import read_text

    parts = []
    for one in given:
        if one == "-":
            parts.append(sys.stdin.read())
        elif "\n" not in one and len(one) < 260 and Path(one).is_file():
            parts.append(read_text(Path(one)))
        elif ":" in one or one.lstrip()[:1] in ("{", "[") or len(one.split()) > 1:
            parts.append(one)
        else:
            raise InputError(f"{one!r} is no file, and no order either", source="orders", hint="write UNIT: what it does")
    return parts
