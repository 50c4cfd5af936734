"""Every switch is worked in every position: by the rulesets of the worked cases, and of those that ship."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from opfor.errors import InputError
from opfor.gm.starting.mixes import values_of
from opfor.rulesets import read_ruleset, switches
from opfor.tables import load_yaml

HERE = Path(__file__).parent
#: where the standard twin of a house rule is worked under the standard game's own row
TWINS = {"physical_base": "S-8", "pilot_damage": "S-6", "water_to_hit": "S-4"}


def worked() -> dict[str, set[Any]]:
    """The values of each switch that worked cases turn it to by name, or leave at its standard or campaign value.

    A case counts for the rule that it cites: where it says nothing of a switch it proves that switch's value only if the
    switch's rule is the case's own.
    """
    found: dict[str, set[Any]] = defaultdict(set)
    for path in sorted((HERE / "cases").rglob("*.yaml")):
        usual = "campaign" if path.parent.name.startswith("campaign") else "standard"
        content = load_yaml(path.read_text(encoding="utf-8")) or []
        cases = content.get("cases", []) if isinstance(content, dict) else content
        shared = content.get("given", {}) if isinstance(content, dict) else {}
        for case in (one for one in cases if isinstance(one, dict)):
            given = case.get("given") if isinstance(case.get("given"), dict) else {}
            named = case.get("ruleset") or given.get("ruleset") or shared.get("ruleset") or usual
            turned = set(named) if isinstance(named, dict) else set(switches()) if named != usual else set()
            try:
                ruleset = read_ruleset(named)
            except InputError:
                continue  # the case is that it is refused
            for switch in switches().values():
                rules = (switch.rule, TWINS.get(switch.name, switch.rule))
                if switch.name in turned or any(rule in str(case.get("rule")) for rule in rules):
                    found[switch.name].add(getattr(ruleset, switch.name))
    return found


WORKED = worked()


@pytest.mark.parametrize("name", list(switches()))
def test_a_switch_is_worked_in_every_position(name: str) -> None:
    missing = [value for value in values_of(name) if value not in WORKED[name]]
    assert not missing, f"{name}: no worked case turns it to {missing}"
