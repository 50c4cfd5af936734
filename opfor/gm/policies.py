"""Policies by name, found as entry points: the game master's side looks them up and imports none.

A policy is a factory taken by keyword: ``factory(seed=..., parameters=...)``; see :mod:`opfor.game.loop` for what it gives.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from inspect import signature
from typing import Any

from opfor.errors import InputError, nearest
from opfor.game.loop import Chooser
from opfor.tables import load_yaml

GROUP = "opfor.policies"
#: who plays a side that names no policy
USUAL = "veteran"
#: who plans for the whole side within an effort
THINKER = "commander"


@lru_cache(maxsize=1)
def policy_points() -> dict[str, EntryPoint]:
    """Entry points of policies by name."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda p: p.name)}


@lru_cache(maxsize=1)
def presets() -> dict[str, dict[str, str]]:
    """Policies by a name of their own: ``policy`` stands for what, ``what`` is it.

    They are the characters of ``configs/policies/characters.yaml``, played by the usual policy, and what ``presets.yaml`` adds.
    """
    rows = _read("characters")["characters"]
    found = {name: {"policy": f"{USUAL}:{name}", "what": row["what"]} for name, row in rows.items()}
    found.update(_read("presets"))
    return found


def _read(name: str) -> dict[str, Any]:
    data: dict[str, Any] = load_yaml(files("configs.policies").joinpath(f"{name}.yaml").read_text(encoding="utf-8"))
    return data


def codes_of(words: str) -> list[str]:
    """Policies by code, as a list with commas between names them; ``veteran:thrift=2,cool=8,random`` names two.

    A part with "=" before any colon is a parameter of the policy before it.
    """
    found: list[str] = []
    for part in (part.strip() for part in words.split(",")):
        if found and "=" in part.partition(":")[0]:
            found[-1] += f",{part}"
        elif part:
            found.append(part)
    return found


def dial_rows() -> list[dict[str, str]]:
    """The dials that a character is made of, and how well a side may judge, each with what it turns."""
    rows = [{"dial": f"{name}=0..10", "what": row["what"]} for name, row in _read("characters")["aspects"].items()]
    roles = ", ".join(_read("roles")["roles"])
    rows.append({"dial": "roles=on", "what": f"each unit plays as what it is, by its own figures: {roles}"})
    rows.append({"dial": "|".join(_read("difficulty")), "what": "how well it judges: never better or worse dice"})
    return rows


def spelled_out(code: str) -> str:
    """A policy's code with a preset's name spelled out: ``raider:green`` is ``veteran:raider/green``."""
    name, _, parameters = code.partition(":")
    preset = presets().get(name.strip())
    if preset is None or name.strip() in policy_points():
        return code
    return "/".join(part for part in (preset["policy"], parameters) if part)


def with_thought(code: str, seconds: float) -> str:
    """A policy's code with the effort that it is to make, for the policy that has one.

    Raises :class:`InputError` for any other, and for less than no time.
    """
    if seconds < 0:
        raise InputError(f"nobody thinks for {seconds:g} seconds", source="think", hint="--think 2")
    whole = spelled_out(code)
    name, _, parameters = whole.partition(":")
    if name.strip() != THINKER:
        raise InputError(
            f"how long to think is for the policy {THINKER}, and {code} is to play", source="think", hint=f"--policy {THINKER}"
        )
    rest = [word for word in parameters.split("/") if word and not word.strip().startswith("think")]
    return f"{name}:{'/'.join([*rest, f'think={seconds:g}'])}"


def policy_named(code: str, seed: int = 0) -> Chooser:
    """A policy by name, with parameters behind a colon where it takes some (``veteran:cautious``), or a preset (``raider``).

    Raises :class:`InputError` with the nearest name when there is none.
    """
    name, _, parameters = spelled_out(code).partition(":")
    point = policy_points().get(name.strip())
    if point is None:
        every = [*policy_points(), *presets()]
        known = ", ".join(every) if policy_points() else "none is installed"
        raise InputError(f"there is no policy {name!r}: use {known}", source="policy", hint=nearest(name, every))
    factory: Any = point.load()
    if parameters and "parameters" not in signature(factory).parameters:
        raise InputError(f"the policy {name} takes no parameters, and {parameters!r} is given", source="policy")
    made: Chooser = factory(seed=seed, parameters=parameters) if parameters else factory(seed=seed)
    return made


def dials_of(code: str) -> list[str]:
    """The dials of a policy for the game master's notes, empty for one that has none or is as usual."""
    return list(getattr(policy_named(code), "dials", ()))


def policy_rows() -> list[dict[str, Any]]:
    """Every policy with the first line of its description."""
    rows = []
    for name, point in policy_points().items():
        try:
            words = (point.load().__doc__ or "").strip().splitlines()
        except Exception as error:
            words = [f"cannot be loaded: {error}"]
        rows.append({"name": name, "what": words[0] if words else "", "from": point.value})
    rows += [{"name": name, "what": row["what"], "from": row["policy"]} for name, row in presets().items()]
    return rows
