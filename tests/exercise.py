"""The battles made for rare happenings (:mod:`opfor.gm.ruletest.covering`), for tests that want something of everything."""

from __future__ import annotations

from typing import Any

from opfor.gm.ruletest.covering import document, folder, made_battles


def scenarios() -> tuple[dict[str, Any], ...]:
    """The battles, as their file tells them."""
    return made_battles()


def battle(scenario: dict[str, Any]) -> dict[str, Any]:
    """The battle file of a scenario, to be read from anywhere."""
    return document(scenario, str(folder()))
