"""Rendering: a match as text, with what has happened in words, or as a picture."""

from __future__ import annotations

from collections import deque
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from envs.match import Match
from opfor.report.maps.map_picture import map_drawing
from opfor.report.maps.map_png import to_png
from opfor.report.maps.map_text import map_text
from opfor.report.posts.happenings import account

#: a picture as environments give it: uint8, shape (height, width, 3)
Picture = NDArray[np.uint8]
#: ways of rendering; ``human`` prints what ``ansi`` gives
MODES = ("ansi", "rgb_array", "human")
#: lines of what has happened that are kept
_LINES = 12
#: most pixels of a picture's longer side
_LONGEST = 1024
#: options of the present question that are written out
_OPTIONS = 8


class Renderer:
    """Draws one match after another. The whole battle is shown, hidden units too: a picture is for who looks on.

    Matches must keep their events for their text to tell of what has happened.
    """

    def __init__(self, mode: str) -> None:
        """``mode``: one of :data:`MODES`. Raises :class:`ValueError` for another."""
        if mode not in MODES:
            raise ValueError(f"there is no render mode {mode!r}: use {', '.join(MODES)}")
        self.mode = mode
        self._told: deque[str] = deque(maxlen=_LINES)
        #: the battle's first picture: all of its pictures have that size, as a film wants it
        self._size: tuple[int, int] | None = None
        self._match: Match | None = None

    def draw(self, match: Match) -> str | Picture | None:
        """The match as it stands: text, a picture, or None where the text is printed."""
        if match is not self._match:
            self._match = match
            self._told.clear()
            self._size = None
        if self.mode == "rgb_array":
            match.take_events()
            return self._picture(match)
        self._told.extend(account(match.take_events(), short=True))
        text = self._text(match)
        if self.mode == "ansi":
            return text
        print(text)
        return None

    def _text(self, match: Match) -> str:
        parts = [map_text(match.game.state)]
        if self._told:
            parts.append("\n".join(["Lately:", *(f"  {line}" for line in self._told)]) + "\n")
        parts.append(asked_words(match) + "\n")
        return "\n".join(parts)

    def _picture(self, match: Match) -> Picture:
        drawing = map_drawing(match.game.state)
        data = to_png(drawing, min(1.0, _LONGEST / max(drawing.width, drawing.height)))
        with Image.open(BytesIO(data)) as image:
            pixels = np.asarray(image.convert("RGB"), dtype=np.uint8)
        if self._size is None:
            self._size = pixels.shape[:2]
        height, width = self._size
        if pixels.shape[:2] != self._size:
            # the key grows with the terrain: what lies beyond the frame is cut off, what is missing is white
            framed = np.full((height, width, 3), 255, dtype=np.uint8)
            framed[: pixels.shape[0], : pixels.shape[1]] = pixels[:height, :width]
            return framed
        return pixels.copy()


def asked_words(match: Match) -> str:
    """Who is asked what, with the first of the options as actions: ``alpha is asked how a unit moves (a1): 1 walk, 2 run``."""
    state = match.game.state
    walk = match.walk
    if walk is None or walk.question is None:
        winner = state.winner
        return "The battle is over: " + (f"{state.sides[winner]} wins." if winner is not None and winner >= 0 else "a draw.")
    question = walk.question
    shown = [f"{index + 1} {question.label(index)}" for index in range(min(_OPTIONS, question.options))]
    more = f", and {question.options - _OPTIONS} more" if question.options > _OPTIONS else ""
    about = f" ({question.subject})" if question.subject else ""
    return (
        f"{walk.decision.side_name}, {walk.decision.kind}, {walk.unit}, asked: {question.name}{about}: "
        f"0 nothing, {', '.join(shown)}{more}"
    )


__all__ = ["MODES", "Picture", "Renderer", "asked_words"]
