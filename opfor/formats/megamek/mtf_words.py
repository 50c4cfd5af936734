"""Kinds of engine, gyro, cockpit, armour and structure in the words of ``.mtf`` files. Rule: S-5."""

from __future__ import annotations

import re

from opfor.units.names import bare

_BRACKETS = re.compile(r"\([^)]*\)")


def engine_kind(text: str, clan: bool) -> str:
    """Kind of engine from the words after its rating; empty when not known.

    ``clan``: the unit's tech base, for files that do not say whose engine it is.

    >>> engine_kind("XL (Clan) Engine(IS)", clan=True), engine_kind("Fusion Engine", clan=False)
    ('xl_clan', 'fusion')
    """
    said_clan = "(clan)" in text.lower()
    said_is = "(inner sphere)" in text.lower() or "(is)" in text.lower()
    word = (
        bare(_BRACKETS.sub(" ", text))
        .removeprefix("large")
        .removeprefix("primitive")
        .removesuffix("engine")
        .replace("fusion", "")
    )
    whose = "clan" if said_clan or (clan and not said_is) else "is"
    kinds = {
        "": "fusion",
        "standard": "fusion",
        "xl": f"xl_{whose}",
        "xxl": f"xxl_{whose}",
        "light": "light",
        "compact": "compact",
        "ice": "ice",
        "fuelcell": "fuel_cell",
        "fission": "fission",
    }
    return kinds.get(word, "")


def gyro_kind(text: str) -> str:
    """Kind of gyro, empty when not known."""
    kinds = {"": "standard", "standard": "standard", "xl": "extra_light", "extralight": "extra_light"}
    kinds |= {"compact": "compact", "heavyduty": "heavy_duty"}
    return kinds.get(bare(_BRACKETS.sub(" ", text)).removesuffix("gyro"), "")


def cockpit_kind(text: str) -> tuple[str, bool] | None:
    """Kind of cockpit and whether that says all about it; None when not known."""
    word = bare(_BRACKETS.sub(" ", text)).removesuffix("cockpit")
    if word in ("", "standard"):
        return "standard", True
    if word == "small":
        return "small", True
    if word == "torsomounted":
        return "torso_mounted", True
    if word in ("commandconsole", "industrial", "primitive", "primitiveindustrial", "cruiser"):
        return "standard", False
    return None


def structure_kind(text: str) -> str:
    """Kind of internal structure: standard, endo_steel, or its name in small letters."""
    name = re.sub(r"^(is|clan)\s+", "", _BRACKETS.sub(" ", text).strip().lower())
    word = bare(name)
    return "standard" if word in ("", "standard") else "endo_steel" if word == "endosteel" else _small(name)


def armor_kind(text: str) -> str:
    """Kind of armour: standard, ferro_fibrous, light_ferro_fibrous, heavy_ferro_fibrous, or its name in small letters."""
    name = re.sub(r"^(is|clan)\s+|\s+armou?r$", "", _BRACKETS.sub(" ", text).strip().lower())
    word = bare(name)
    plain = {
        "ferrofibrous": "ferro_fibrous",
        "lightferrofibrous": "light_ferro_fibrous",
        "heavyferrofibrous": "heavy_ferro_fibrous",
    }
    return "standard" if word in ("", "standard", "armor") else plain.get(word, _small(name))


def sink_kind(text: str, clan: bool) -> tuple[str, bool]:
    """Kind of heat sinks and whether the words were clear."""
    words = text.lower().split()
    double = "double_clan" if "clan" in words or (clan and "is" not in words) else "double_is"
    if "laser" in words:
        return "double_clan", False
    if "double" in words:
        return double, True
    return "single", words in (["single"], ["is", "single"], ["clan", "single"])


def _small(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", name).strip()
