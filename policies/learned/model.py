"""A model file: the weights of a network and its card in one safetensors file, which holds numbers and text and runs nothing.

Beside ``NAME.safetensors`` the card is written once more for people, as ``NAME.md``; only the file itself is read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from pydantic import ValidationError
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from envs.actions import ACTIONS
from envs.layout import VERSION, Flat
from envs.observation import SIZE
from opfor.errors import InputError
from opfor.formats.battle_file.history import write_atomic
from policies.learned.card import FORMAT, Card, card_page
from policies.learned.network import Scorer, check_arrays

#: the one key of the file's own text: several would be written in any order
_KEY = "opfor_model"
#: no model of ours is larger, in bytes
LARGEST = 64_000_000
#: the model in the box, within this package
_BOX = ("model", "default.safetensors")


@dataclass(frozen=True)
class Model:
    """A network that has learnt: its card, its weights by name, and what computes with them."""

    card: Card
    arrays: Mapping[str, Flat]
    scorer: Scorer


def save_model(path: str | Path, arrays: Mapping[str, Flat], card: Card) -> Path:
    """Write a model and its page; the file is whole or not there at all. Returns its path.

    Raises :class:`InputError` when the weights are not those of the card's network, or the path cannot be written.
    """
    path = Path(path)
    if path.suffix != ".safetensors":
        raise InputError("a model file is named NAME.safetensors", source=str(path))
    check_arrays(arrays, card.sizes, str(path))
    text = json.dumps(card.model_dump(mode="json"), sort_keys=True)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # the format takes memory as it lies
        laid_out = {name: np.ascontiguousarray(arrays[name]) for name in sorted(arrays)}
        write_atomic(path, save(laid_out, {_KEY: text}))
        write_atomic(path.with_suffix(".md"), card_page(card))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", source=str(path)) from None
    return path


def load_model(path: str | Path) -> Model:
    """Read a model. Kept in memory while the file stays as it is.

    Raises :class:`InputError` for a file that is missing, damaged or none, and for one that the program has outgrown: of
    another observation version or size, or another number of actions.
    """
    path = Path(path)
    try:
        about = path.stat()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", source=str(path), place="policy") from None
    if not path.is_file():
        raise InputError("is no file", source=str(path), place="policy", hint="learned:PATH names a model file")
    if about.st_size > LARGEST:
        raise InputError(f"is larger than {LARGEST} bytes: no model", source=str(path), place="policy")
    return _loaded(str(path.resolve()), str(path), about.st_mtime_ns, about.st_size)


def model_in_the_box() -> Model:
    """The model that ships. Raises :class:`InputError` where none does."""
    path = Path(str(files("policies.learned").joinpath(*_BOX)))
    if not path.is_file():
        raise InputError("no trained model is in the box", place="policy", hint="learned:PATH plays a model file of your own")
    return load_model(path)


@lru_cache(maxsize=8)
def _loaded(real: str, named: str, changed: int, size: int) -> Model:
    try:
        with safe_open(real, framework="numpy") as file:
            about = file.metadata() or {}
            if _KEY not in about:
                raise InputError("is a safetensors file, but no model of a policy", source=named)
            card = _card(about[_KEY], named)
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no dict, it has only keys()
    except InputError:
        raise
    except (SafetensorError, OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"is no model file, or is damaged: {first}", source=named) from None
    check_arrays(arrays, card.sizes, named)
    return Model(card, arrays, Scorer(arrays, card.sizes))


def _card(text: str, source: str) -> Card:
    try:
        data = json.loads(text)
    except ValueError:
        raise InputError("its card is damaged", source=source) from None
    # what decides whether it fits is asked first: a card of another form may have other fields
    for name, here, words in (
        ("format", FORMAT, "of the form"),
        ("observation_version", VERSION, "for observations of version"),
        ("observation_size", SIZE, "for observations of the size"),
        ("actions", ACTIONS, "for a number of actions of"),
    ):
        there = data.get(name) if isinstance(data, dict) else None
        if there != here:
            raise InputError(f"this model is {words} {there}, and the program has {here}", source=source, hint="train it anew")
    try:
        return Card.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(first["msg"], source=source, place="card." + ".".join(map(str, first["loc"]))) from None


__all__ = ["LARGEST", "Model", "load_model", "model_in_the_box", "save_model"]
