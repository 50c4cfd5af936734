"""The form of zones, mission actions and markers in the battle file. Rule: A-1 to A-6."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

Count = Annotated[int, Field(strict=True, ge=0)]
Flag = Annotated[bool, Field(strict=True)]
Number = Annotated[str | int, Field(description='CCRR as "0611": column first, even columns half a hex lower')]


class MissionEntry(BaseModel):
    """A mapping that holds nothing but declared keys."""

    model_config = ConfigDict(extra="forbid")


class ZoneEntry(MissionEntry):
    """A named set of hexes: those listed (all of the board, if none are), as far as rows, columns and terrain allow."""

    hexes: list[Number] = Field([], description='hexes, and ranges as "0503-0705" (columns 5 to 7, rows 3 to 5)')
    rows: str | int | None = Field(None, description="rows, as 1-3")
    columns: str | int | None = Field(None, description="columns, as 1-3")
    terrain: (
        Literal["woods", "rough", "rubble", "swamp", "mud", "sand", "snow", "ice", "tundra", "pavement", "road", "water"]
        | Literal["building", "bridge"]
        | None
    ) = Field(None, description="only hexes of this terrain")
    kind: Literal["", "terrain", "deployment"] | None = Field(None, description="terrain, or the deployment zone of a side")
    side: str | None = Field(None, description="the side whose deployment zone it is")


class ActionUnits(MissionEntry):
    """Which units may start an action: UNITS."""

    keywords: list[str] = Field([], description="keywords that the unit must all have, as INFANTRY")
    within: str | list[str] = Field([], description="zones in one of which it must stand; terrain: any zone of that kind")
    outside: str | list[str] = Field([], description="zones in none of which it may stand; own deployment: those of its side")


class MarkerPlacing(MissionEntry):
    """A marker, and where it may be set up."""

    name: str
    within: Count = Field(0, description="hexes from the unit; 0: its own hex")
    in_zone: Flag = Field(False, description="only in the zone that the unit was within")


class DestroyEntry(MissionEntry):
    """What is destroyed: a marker by its name, or a building."""

    marker: str | None = None
    building: Flag = False
    within: Count = Field(0, description="hexes from the unit; 0: its own hex")
    in_zone: Flag = False


class EffectEntry(MissionEntry):
    """EFFECT: one or more of these."""

    marker: MarkerPlacing | None = None
    destroy: DestroyEntry | None = None
    score: Annotated[int, Field(strict=True)] = Field(0, description="points for the side")
    reveal: Count = Field(0, description="hidden enemies within so many hexes are found")
    tag: str = Field("", description="a keyword that the unit has from then on")


class RestrictionsEntry(MissionEntry):
    """Further restrictions."""

    stood_still: Flag = Field(False, description="the unit has not moved this turn")
    oc: Count = Field(1, description="least objective control")
    from_turn: Annotated[int, Field(strict=True, ge=1)] = 1
    no_enemy_within: Count = Field(0, description="no known enemy within so many hexes")


class ActionEntry(MissionEntry):
    """A mission action."""

    name: str = Field(min_length=1)
    starts: Literal["movement", "fire", "shooting", "physical"] = Field(description="phase in which it starts")
    sides: list[str] = Field([], description="sides that may start it; all when missing")
    units: ActionUnits = ActionUnits.model_validate({})
    use_limit: str | dict[Literal["turn", "battle", "zone"], Annotated[int, Field(strict=True, ge=1)]] = Field(
        "", description="starts of a side: once per turn, twice per battle, 3 times per zone, or {turn: 1, battle: 4}"
    )
    completes: str = Field(
        "end of turn", description="end of turn, end of next turn, end of the enemy's turn, end of fire phase ..."
    )
    effect: EffectEntry
    restrictions: RestrictionsEntry = RestrictionsEntry.model_validate({})
    note: str = Field("", description="for the game master")


class MarkerEntry(MissionEntry):
    """A marker on the map."""

    name: str
    at: Number
    side: str | None = Field(None, description="the side that set it up; nobody's when missing")


class StartEntry(MissionEntry):
    """One start of an action: it counts towards the use limit, and may be under way."""

    unit: str
    action: str
    turn: Annotated[int, Field(strict=True, ge=1)]
    due: Annotated[int, Field(strict=True, ge=1)] | None = Field(None, description="turn in which it completes")
    at: Number | None = Field(None, description="hex that its effect was given")
    zone: str = Field("", description="zone that the unit stood in")
    status: Literal["underway", "broken", "done"] = "underway"


def _written(value: Any) -> str:
    """In which of its two forms something is written, so that a fault is told of that form alone."""
    return "short" if isinstance(value, str | list) else "long"


#: a zone written out, or the list of its hexes
AnyZone = Annotated[Annotated[ZoneEntry, Tag("long")] | Annotated[list[Number], Tag("short")], Discriminator(_written)]
#: an action written out, or the name of one that ships
AnyAction = Annotated[Annotated[ActionEntry, Tag("long")] | Annotated[str, Tag("short")], Discriminator(_written)]
