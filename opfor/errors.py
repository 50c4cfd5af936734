"""What goes wrong with what people hand in, said so that they can mend it.

Every error a game master can cause is an :class:`InputError`: it names the file, the place in it, what was found, what
was expected and, where there is one, the nearest right thing. The command line prints it as one message and exits 1.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """A file, an order or an argument that cannot be used.

    ``source`` is the file (or ``"order"``), ``place`` where in it (``"line 12"``, ``"units[2].facing"``).
    """

    def __init__(self, message: str, *, source: str = "", place: str = "", hint: str = "") -> None:
        self.message = message
        self.source = source
        self.place = place
        self.hint = hint
        super().__init__(str(self))

    def __str__(self) -> str:
        where = ", ".join(part for part in (self.source, self.place) if part)
        text = f"{where}: {self.message}" if where else self.message
        return f"{text} ({self.hint})" if self.hint else text


class IllegalOrder(InputError):
    """An order that is not among the legal ones; ``rule`` is the ledger id of the rule that refuses it."""

    def __init__(self, message: str, *, rule: str = "", place: str = "", hint: str = "") -> None:
        self.rule = rule
        super().__init__(message, source="order", place=place, hint=hint)


def nearest(word: str, known: Iterable[str], *, cutoff: float = 0.5) -> str:
    """A hint naming the known words closest to ``word``; empty when none is close.

    >>> nearest("Wolvrine", ["Wolverine", "Wasp"])
    'did you mean Wolverine?'
    """
    by_lower = {k.lower(): k for k in known}
    close = difflib.get_close_matches(word.lower(), by_lower, n=3, cutoff=cutoff)
    return f"did you mean {' or '.join(by_lower[c] for c in close)}?" if close else ""
