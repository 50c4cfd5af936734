"""Who plays: a character by name, by its dials or from a file of the game master's own, and how well it judges.

What stands behind a policy's colon is words with strokes or commas between them: a character (``raider``), a difficulty
(``green``), dials (``thrift=2``), ``roles=on``, a YAML file that describes a character (``corsair.yaml``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from opfor.errors import InputError, nearest
from opfor.formats.source import Document, parse, read_text
from policies.veteran.aspects import LEAST, MOST, USUAL, aspects, characters_file, turned
from policies.veteran.judgement import Judgement, judgements
from policies.veteran.weights import Weights, standard, weights_from

_FILES = (".yaml", ".yml")
_ROLES = {"on": True, "off": False}
_KEYS = ("what", "aspects", "weights", "difficulty")
#: most that a single weight may be, and those that must be 1 at least
_HIGHEST = 1000
_ONE_OR_MORE = ("last", "spots", "looked_at", "finalists")


@dataclass(frozen=True, slots=True)
class Character:
    """Dials that differ from the middle, single weights that go before them, and the difficulty that is part of it ("")."""

    what: str = ""
    aspects: Mapping[str, float] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    difficulty: str = ""


@dataclass(frozen=True, slots=True)
class Temper:
    """All that a policy's parameters say: a character, a difficulty by name ("" for none), whether units have roles."""

    character: Character = Character()
    difficulty: str = ""
    roles: bool = False

    @property
    def judgement(self) -> Judgement:
        """How well it judges."""
        return judgements()[self.difficulty] if self.difficulty else Judgement()

    def weights(self, shifts: Mapping[str, float] | None = None) -> Weights:
        """The weights that come of it; ``shifts`` are added to the dials (a role's)."""
        dials = dict(self.character.aspects)
        for name, shift in (shifts or {}).items():
            dials[name] = dials.get(name, USUAL) + shift
        return weights_from({**turned(standard(), dials), **self.character.weights, **self.judgement.weights})

    def dials(self) -> list[str]:
        """How it differs from the standard character, a line each in words: ``thrift 2 (usual 5)``."""
        found = [f"{name} {dial:g} (usual {USUAL:g})" for name, dial in self.character.aspects.items()]
        found += [f"{name} {value:g} (usual {standard()[name]:g})" for name, value in self.character.weights.items()]
        if self.roles:
            found.append("roles: each unit plays as what it is")
        if self.difficulty:
            found.append(f"difficulty {self.difficulty}: {self.judgement.words()}")
        return found


@cache
def characters() -> dict[str, Character]:
    """The named characters."""
    rows = characters_file()["characters"]
    return {name: character_from(Document(row, "characters.yaml", {})) for name, row in rows.items()}


def weights_of(parameters: str = "") -> Weights:
    """The weights of whoever plays by these parameters. Raises :class:`InputError`."""
    return temper_of(parameters).weights()


def temper_of(parameters: str) -> Temper:
    """What the words behind a policy's colon say. Raises :class:`InputError`, with the nearest right word."""
    known: list[Character] = []
    judged: list[str] = []
    dials: dict[str, float] = {}
    roles = False
    for word in _words(parameters):
        name, equals, value = (part.strip() for part in word.partition("="))
        if word.endswith(_FILES):
            known.append(character_from(parse(read_text(Path(word)), word)))
        elif name == "roles" and equals:
            if value not in _ROLES:
                raise InputError(f"roles={value}: use roles=on", place="policy")
            roles = _ROLES[value]
        elif equals:
            dials[name] = _dial(name, value)
        elif name in judgements():
            judged.append(name)
        elif name in characters():
            known.append(characters()[name])
        else:
            every = [*characters(), *judgements(), *[f"{aspect}=0 to 10" for aspect in aspects()]]
            hint = nearest(name, [*characters(), *judgements(), *aspects()])
            raise InputError(
                f"the veteran has no character or difficulty {name!r}: use {', '.join(every)}", place="policy", hint=hint
            )
    if len(known) > 1 or len(judged) > 1:
        raise InputError(f"{parameters!r} names two characters or two difficulties", place="policy", hint="raider/green")
    character = known[0] if known else Character()
    merged = {**character.aspects, **dials}
    character = replace(character, aspects={name: dial for name, dial in merged.items() if dial != USUAL})
    return Temper(character, judged[0] if judged else character.difficulty, roles)


def _words(parameters: str) -> list[str]:
    """The words of the parameters; strokes inside the path of a file belong to it."""
    found: list[str] = []
    for group in parameters.split(","):
        pending: list[str] = []
        for part in group.split("/"):
            word = part.strip()
            if word.endswith(_FILES):
                start = len(pending)
                while start and not _is_word(pending[start - 1]):
                    start -= 1
                found += [*pending[:start], "/".join([*pending[start:], word])]
                pending = []
            else:
                pending.append(word)
        found += pending
    return [word for word in found if word]


def _is_word(part: str) -> bool:
    return "=" in part or part in judgements() or part in characters()


def _dial(name: str, value: Any) -> float:
    """A dial's number. Raises :class:`InputError`."""
    if name not in aspects():
        raise InputError(
            f"there is no aspect {name!r}: use {', '.join(aspects())}", place="policy", hint=nearest(name, aspects())
        )
    try:
        dial = float(value) if not isinstance(value, bool) else math.nan
    except (TypeError, ValueError):
        dial = math.nan
    if not LEAST <= dial <= MOST:
        raise InputError(f"{name}={value}: use {LEAST:g} to {MOST:g}, {USUAL:g} being the usual", place="policy")
    return dial


def character_from(document: Document) -> Character:
    """A character from a file that describes one. Raises :class:`InputError` for whatever means nothing."""
    data = document.data
    if not isinstance(data, dict):
        raise document.error((), "describes no character", hint="aspects: {thrift: 2}")
    for key in data:
        if key not in _KEYS:
            raise document.error(
                (str(key),), f"a character has no {key!r}: use {', '.join(_KEYS)}", hint=nearest(str(key), _KEYS)
            )
    parts: dict[str, dict[str, float]] = {}
    for key, read in (("aspects", _dial), ("weights", _weight)):
        rows = data.get(key) or {}
        if not isinstance(rows, dict):
            raise document.error((key,), "is no mapping of names to numbers")
        parts[key] = {}
        for name, value in rows.items():
            try:
                parts[key][str(name)] = read(str(name), value)
            except InputError as error:
                raise document.error((key, str(name)), error.message, hint=error.hint) from None
    difficulty = data.get("difficulty") or ""
    if difficulty and difficulty not in judgements():
        use = ", ".join(judgements())
        raise document.error(
            ("difficulty",), f"there is no difficulty {difficulty!r}: use {use}", hint=nearest(str(difficulty), judgements())
        )
    return Character(str(data.get("what") or ""), parts["aspects"], parts["weights"], difficulty)


def _weight(name: str, value: Any) -> float:
    """A single weight. Raises :class:`InputError`."""
    lines = standard()
    if name not in lines:
        raise InputError(f"there is no weight {name!r} (configs/policies/veteran.yaml)", hint=nearest(name, lines))
    if isinstance(lines[name], list):
        raise InputError(f"{name} is a table: turn an aspect instead")
    if isinstance(value, bool) or not isinstance(value, int | float) or not (name in _ONE_OR_MORE) <= value <= _HIGHEST:
        raise InputError(f"{value!r} is no number from {int(name in _ONE_OR_MORE)} to {_HIGHEST}")
    return round(value) if isinstance(lines[name], int) else float(value)
