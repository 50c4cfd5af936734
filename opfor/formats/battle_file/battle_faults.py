"""What is wrong with a battle file, with its place, its line and the nearest right thing; keys that nothing reads."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from opfor.errors import nearest
from opfor.formats.battle_file.battle_schema import (
    FORMAT_VERSION,
    KEPT_KEYS,
    LATER_KEYS,
    MODELS,
    BattleFile,
)
from opfor.formats.notes import Note
from opfor.formats.source import Document, Path_, path_words


def validated(document: Document) -> BattleFile:
    """The document as a model. Raises :class:`InputError` for the first fault, counting the others."""
    data = document.data
    if not isinstance(data, dict):
        raise document.error((), "a battle file is a mapping that begins with opfor: 1")
    version = data.get("opfor", FORMAT_VERSION)
    if version != FORMAT_VERSION:
        raise document.error(("opfor",), f"{version!r} is no version of the form that this program reads: use {FORMAT_VERSION}")
    try:
        return BattleFile.model_validate(data)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=True)
        first = min(faults, key=lambda fault: document.lines.get(_known(document, fault["loc"]), 0))
        more = len({_known(document, fault["loc"]) for fault in faults}) - 1
        path, message, hint = _fault(document, first)
        if more:
            hint = "; ".join(part for part in (hint, f"and {more} more fault{'s' if more > 1 else ''} further on") if part)
        raise document.error(path, message, hint) from None


def placed(data: Any, place: str) -> Path_:
    """The path that a place with points between its parts is; keys may have points in them."""
    path: list[int | str] = []
    words = place.split(".")
    while words:
        for count in range(len(words), 0, -1):
            key = ".".join(words[:count])
            if isinstance(data, list) and key.isdigit() and int(key) < len(data):
                path.append(int(key))
            elif isinstance(data, dict) and key in data:
                path.append(key)
            else:
                continue
            data, words = data[path[-1]], words[count:]
            break
        else:
            # the rest is not there: a key that is missing
            path.append(".".join(words))
            break
    return tuple(path)


def _known(document: Document, loc: tuple[int | str, ...]) -> Path_:
    """The part of a fault's location that stands in the document (unions add names of their branches)."""
    path: Path_ = ()
    for part in loc:
        if (*path, part) in document.lines:
            path = (*path, part)
    return path


def _fault(document: Document, fault: Any) -> tuple[Path_, str, str]:
    """A fault of the model in our words: path, message, hint."""
    path = _known(document, fault["loc"])
    kind = fault["type"]
    given = repr(fault["input"])
    given = given if len(given) <= 60 else given[:57] + "..."
    context = fault.get("ctx", {})
    if kind == "missing":
        return path, f"{fault['loc'][-1]} is missing", ""
    if kind == "literal_error":
        allowed = context["expected"].replace("'", "")
        words = allowed.replace(" or ", ", ").split(", ")
        return path, f"{given} cannot stand here: use {allowed}", nearest(str(fault["input"]), words)
    if kind in ("greater_than_equal", "less_than_equal"):
        bound = context.get("ge", context.get("le"))
        return path, f"{given} is out of bounds: {'at least' if 'ge' in context else 'at most'} {bound}", ""
    if kind == "extra_forbidden":
        return path, f"there is no key {fault['loc'][-1]!r}", ""
    if kind == "too_short":
        return path, "must not be empty", ""
    expected = {
        "int_type": "a whole number",
        "int_parsing": "a whole number",
        "string_type": "text",
        "bool_type": "true or false",
        "list_type": "a list",
        "dict_type": "a mapping of keys and values",
        "model_type": "a mapping of keys and values",
        "model_attributes_type": "a mapping of keys and values",
    }.get(kind)
    return path, f"{given} must be {expected}" if expected else f"{given}: {fault['msg']}", ""


def unknown_keys(document: Document) -> list[Note]:
    """Notes for keys that no rule here reads. Raises :class:`InputError` for one that must be a known key misspelt."""
    notes: list[Note] = []

    def look(kind: str, path: Path_, data: Any) -> None:
        if not isinstance(data, dict):
            return
        fields = MODELS[kind].model_fields
        for key in data:
            if key in fields or key in KEPT_KEYS[kind]:
                continue
            at = (*path, key)
            if key in LATER_KEYS[kind]:
                message = f"{path_words(at)} is kept, and not used yet"
            else:
                slip = nearest(key, fields, cutoff=0.78)
                if slip:
                    raise document.error(at, f"there is no key {key!r}", slip)
                message = f"{path_words(at)} is not known: kept, and not used"
            notes.append(Note(document.source, document.lines.get(at, 0), "ignored", message))

    look("battle", (), document.data)
    for name, side in document.data["sides"].items():
        look("side", ("sides", name), side)
    for index, unit in enumerate(document.data["units"]):
        look("unit", ("units", index), unit)
        look("pilot", ("units", index, "pilot"), unit.get("pilot"))
    return notes
