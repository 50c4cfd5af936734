"""The ids under which gymnasium knows the environments.

``import envs`` registers them; ``gymnasium.make("envs:opfor/Skirmish-v0")`` imports it on the way. A change of what an id
plays, sees or rewards makes a new version.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium

if TYPE_CHECKING:
    from envs.opfor_env import OpForEnv

#: every id with its scenario set, "" where the battle file has to be named
IDS: dict[str, str] = {
    "opfor/Skirmish-v0": "skirmish",
    "opfor/Duel-v0": "duel",
    "opfor/Campaign-v0": "campaign",
    "opfor/Mwii-v0": "mwii",
    "opfor/Mixed-v0": "mixed",
    "opfor/Battle-v0": "",
}


def register_all() -> None:
    """Register every id that is not registered yet."""
    for id, scenario in IDS.items():
        if id in gymnasium.registry:
            continue
        if scenario:
            gymnasium.register(id, entry_point="envs.opfor_env:OpForEnv", kwargs={"scenario": scenario})
        else:
            gymnasium.register(id, entry_point="envs.registration:battle_env")


def battle_env(battle: str | Path, **settings: Any) -> OpForEnv:
    """The environment of one battle file, ``settings`` being those of :class:`envs.opfor_env.OpForEnv`.

    Raises :class:`opfor.errors.InputError` for a file that cannot be read.
    """
    from envs.opfor_env import OpForEnv

    return OpForEnv(Path(battle), **settings)


__all__ = ["IDS", "battle_env", "register_all"]
