"""The numbers of the game as data: one YAML file a table, loaded once, checked on loading.

:func:`table` gives a file's content; :mod:`opfor.tables.arsenal` turns weapon rows into :class:`~opfor.tables.arsenal.Weapon`.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import yaml

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(text: str) -> Any:
    """Parse YAML with the safe loader (the C one where PyYAML was built with it)."""
    return yaml.load(text, Loader=_Loader)  # noqa: S506 - both loaders are safe ones


@cache
def table(name: str) -> Any:
    """The content of ``opfor/tables/NAME.yaml``. Treat it as read-only: it is shared."""
    return load_yaml(files(__name__).joinpath(f"{name}.yaml").read_text(encoding="utf-8"))
