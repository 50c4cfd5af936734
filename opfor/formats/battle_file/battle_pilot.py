"""The pilot or crew in the battle file: skills, options and wounds, read and written under the names used. Rule: E-9, E-38.

``gunnery`` is the campaign's ``ranged_tn``, ``piloting`` its ``physical_tn``; a ``physical`` level alone gives the number as 8
less the level. Beside a number it is a level of its own, and the two need not agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle_conditions import CREW, kind_words
from opfor.formats.battle_file.battle_schema import OptionsEntry, PilotEntry
from opfor.formats.source import Path_
from opfor.rules.melee.levels import LEVEL_FROM
from opfor.rules.pilots.wounds import BODY, NONLETHAL, Wound, set_wounds, wounds_of
from opfor.units.state import UnitState

Refuse = Callable[..., InputError]
Taken = Callable[[Path_, Any, str], None]

OPTIONS = tuple(OptionsEntry.model_fields)
#: other names of piloting in the file
_PILOTING_NAMES = ("piloting", "driving", "anti_mech", "physical_tn")
#: keys that show that a pilot is described in the campaign's terms
_CAMPAIGN_KEYS = ("ranged_tn", "physical", "physical_tn", "options")


def read_pilot(unit: UnitState, pilot: PilotEntry | None, key: str, refuse: Refuse, taken: Taken) -> None:
    """Set skills, options and wounds. Rule: E-9, E-38.

    ``refuse(path, message, hint)`` makes an error, ``taken(path, value, words)`` reports a default.
    """
    killed = bool(unit.crew >> CREW.index("killed") & 1)
    unit.conscious = not killed
    if pilot is None:
        who = "pilot" if unit.spec.is_mech else "crew" if unit.spec.is_vehicle else "skill"
        taken((key,), {"gunnery": 4, "piloting": 5}, f"{unit.id}'s {who} is 4/5")
        return
    _check_names(unit, pilot, key, refuse)
    numbers = [value for name in _PILOTING_NAMES if (value := getattr(pilot, name)) is not None]
    if pilot.physical is not None:
        if numbers:
            unit.physical_level = pilot.physical
        else:
            numbers = [LEVEL_FROM - pilot.physical]
    ranged = [value for value in (pilot.gunnery, pilot.ranged_tn) if value is not None]
    for name, values in (("gunnery", ranged), ("piloting", numbers)):
        if values:
            setattr(unit, name, values[0])
        else:
            value = getattr(unit, name)
            taken((key, name), value, f"{unit.id}'s {name} is {value}")
    if pilot.mental_tn is not None:
        unit.mental = pilot.mental_tn
    elif any(getattr(pilot, name) is not None for name in _CAMPAIGN_KEYS):
        taken((key, "mental_tn"), unit.mental, f"{unit.id}'s mental number is {unit.mental}")
    if pilot.options is not None:
        for name in OPTIONS:
            setattr(unit, name, getattr(pilot.options, name))
    unit.pilot_hits = pilot.hits
    if "conscious" in pilot.model_fields_set:
        unit.conscious = pilot.conscious
    _read_wounds(unit, pilot, key, refuse)


def _check_names(unit: UnitState, pilot: PilotEntry, key: str, refuse: Refuse) -> None:
    """Refuse skills that the unit cannot have, and two names of one skill that do not agree."""
    for name in ("driving", "anti_mech"):
        if getattr(pilot, name) is not None:
            if not (unit.spec.is_vehicle if name == "driving" else unit.spec.is_infantry):
                what = name.replace("_", "-")
                raise refuse((key, name), f"{unit.id} is {kind_words(unit.spec)}, and has no {what} skill")
            if pilot.piloting is not None:
                raise refuse((key, name), f"{name} and piloting are two names of one skill: give one of them")
    if pilot.gunnery is not None and pilot.ranged_tn not in (None, pilot.gunnery):
        raise refuse((key, "gunnery"), f"gunnery is given as {pilot.gunnery} and as ranged_tn {pilot.ranged_tn}")
    for name in ("piloting", "driving", "anti_mech"):
        value = getattr(pilot, name)
        if value is not None and pilot.physical_tn not in (None, value):
            raise refuse((key, name), f"{name} is given as {value} and as physical_tn {pilot.physical_tn}")


def _read_wounds(unit: UnitState, pilot: PilotEntry, key: str, refuse: Refuse) -> None:
    """Wounds by body location. Rule: E-38."""
    if not pilot.wounds:
        return
    if not unit.spec.is_mech:
        raise refuse((key, "wounds"), f"{unit.id} is {kind_words(unit.spec)}: only the pilots of 'Mechs are wounded")
    found: dict[str, Wound] = {}
    for name, entry in pilot.wounds.items():
        place = name.strip().lower().replace(" ", "_").replace("-", "_")
        if place not in BODY:
            raise refuse(
                (key, "wounds", name), f"there is no body location {name!r}: use {', '.join(BODY)}", nearest(place, BODY)
            )
        if entry.nl not in (0, NONLETHAL):
            raise refuse(
                (key, "wounds", name, "nl"), f"{entry.nl} nl cannot be: {NONLETHAL} to a location, and twice that is an L wound"
            )
        found[place] = Wound(entry.nl, entry.L)
    set_wounds(unit, found)


# -- writing ----------------------------------------------------------------------------------------------------------


def pilot_entry(unit: UnitState, former: dict[str, Any]) -> dict[str, Any]:
    """Skills under the names the file used, then options and wounds, then what the engine does not own."""
    pilot: dict[str, Any] = {"ranged_tn" if "ranged_tn" in former else "gunnery": unit.gunnery}
    level = unit.physical_level
    if level is not None:
        pilot["physical"] = level
    elif former.get("physical") is not None and not any(name in former for name in _PILOTING_NAMES):
        derived = LEVEL_FROM - unit.piloting
        if -4 <= derived <= LEVEL_FROM:
            pilot["physical"] = derived
    if level is not None or "physical" not in pilot:
        pilot[next((name for name in ("physical_tn", "driving", "anti_mech") if name in former), "piloting")] = unit.piloting
    if unit.mental != 5 or "mental_tn" in former:
        pilot["mental_tn"] = unit.mental
    kept = former.get("options")
    options = {name: getattr(unit, name) for name in OPTIONS if getattr(unit, name)}
    if isinstance(kept, dict):
        options = {name: getattr(unit, name) for name in OPTIONS if name in kept or name in options} | {
            name: value for name, value in kept.items() if name not in OPTIONS
        }
    if options:
        pilot["options"] = options
    if unit.pilot_hits:
        pilot["hits"] = unit.pilot_hits
    if unit.conscious is bool(unit.crew >> CREW.index("killed") & 1):
        pilot["conscious"] = unit.conscious
    wounds = {
        name: {key: points for key, points in (("nl", wound.nonlethal), ("L", wound.lethal)) if points}
        for name, wound in wounds_of(unit).items()
    }
    if wounds:
        pilot["wounds"] = wounds
    pilot.update({key: value for key, value in former.items() if key not in PilotEntry.model_fields})
    return pilot
