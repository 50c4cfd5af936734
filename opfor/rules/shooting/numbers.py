"""The numbers of to-hit modifiers as a ruleset has them: those of the tables, or a GM's in their place. Rule: S-4, S-7.

Nearly every battle goes by the tables as they ship, whose numbers are :data:`PLAIN`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from opfor.own_rules.replaceable import Replaced
from opfor.rulesets import Ruleset
from opfor.tables import table


def steps_at(steps: list[list[int]], number: int) -> int:
    """The value of the last step that starts at or below a number; 0 below the first."""
    found = 0
    for start, value in steps:
        if number >= start:
            found = value
    return found


#: levels that smoke rises above the ground
SMOKE_HEIGHT: int = table("to_hit")["smoke_height"]


class Numbers:
    """To-hit modifiers, the rows of ``opfor/tables/to_hit.yaml`` by their names; told apart by being other objects.

    ``moved`` and ``spotter_moved`` go by the mode of movement.
    """

    __slots__ = (
        "_by_heat", "_by_hexes", "attacker_skidded", "immobile", "indirect", "jumped", "moved", "partial_cover", "prone",
        "same_building", "secondary", "skidded", "smoke_between", "spotter_moved", "stuck", "target_smoke", "target_woods",
        "vtol_moved", "woods_between",
    )  # fmt: skip

    def __init__(self, to_hit: dict[str, Any], heat: dict[str, Any]) -> None:
        movement = to_hit["target_movement"]
        self.moved: dict[str, int] = {"": 0} | to_hit["attacker_movement"]
        self.spotter_moved: dict[str, int] = {"": 0} | to_hit["spotter_movement"]
        self.attacker_skidded: int = to_hit["attacker_skidded"]
        self.prone: dict[str, int] = to_hit["prone"]
        self.jumped: int = movement["jumped"]
        self.skidded: int = movement["skidded"]
        self.vtol_moved: int = movement["vtol_moved"]
        self.immobile: int = to_hit["immobile"]
        self.stuck: int = to_hit["stuck"]
        self.woods_between: list[int] = to_hit["woods_between"]
        self.smoke_between: list[int] = to_hit["smoke_between"]
        self.target_woods: list[int] = to_hit["target_woods"]
        self.target_smoke: list[int] = to_hit["target_smoke"]
        self.same_building: int = to_hit["same_building"]
        self.partial_cover: dict[str, int] = to_hit["partial_cover"]
        self.indirect: int = to_hit["indirect"]
        self.secondary: dict[str, int] = to_hit["secondary"]
        # the last of each counts for all that is more
        self._by_hexes = tuple([steps_at(movement["by_hexes"], n) for n in range(movement["by_hexes"][-1][0] + 1)])
        self._by_heat = tuple([steps_at(heat["to_hit"], n) for n in range(heat["to_hit"][-1][0] + 1)])

    def by_hexes(self, hexes: int) -> int:
        """What a target's movement over so many hexes adds."""
        return self._by_hexes[hexes] if hexes < len(self._by_hexes) else self._by_hexes[-1]

    def by_heat(self, heat: int) -> int:
        """What the attacker's heat adds."""
        return self._by_heat[heat] if heat < len(self._by_heat) else self._by_heat[-1]


PLAIN = Numbers(table("to_hit"), table("heat"))


def numbers_of(ruleset: Ruleset) -> Numbers:
    """The to-hit modifiers of a ruleset."""
    replaced = ruleset.replaced
    return PLAIN if replaced is None else _numbers(replaced)


@lru_cache(maxsize=64)
def _numbers(replaced: Replaced) -> Numbers:
    return Numbers(replaced.table("to_hit"), replaced.table("heat"))
