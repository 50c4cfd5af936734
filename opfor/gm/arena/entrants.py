"""Who plays in the arena: installed policies by name, and the policy classes of the game master's own Python file.

The file given as ``--code`` is run, as Python runs any program: it is the one place where the program runs code that
it was not installed with, and only because its owner names it.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from inspect import isclass, signature
from pathlib import Path
from types import ModuleType
from typing import Any

from opfor.errors import InputError, nearest
from opfor.game.loop import Chooser
from opfor.gm.policies import policy_named, policy_points, presets


@dataclass(frozen=True, slots=True)
class Entrant:
    """A policy that plays. ``label`` is what results call it, ``code`` its name with parameters, ``file`` whose class it is."""

    label: str
    code: str
    file: str = ""


@lru_cache(maxsize=8)
def policy_classes(path: str) -> dict[str, type[Any]]:
    """The policies of a Python file, which is run for it: its classes with a ``choose`` method, by their ``name``.

    Classes that it imports, and those whose name begins with an underscore, are left out. Raises :class:`InputError` when the
    file cannot be run or holds no policy.
    """
    module = _run(path)
    found: dict[str, type[Any]] = {}
    for key, value in vars(module).items():
        if not isclass(value) or value.__module__ != module.__name__ or key.startswith("_") or not hasattr(value, "choose"):
            continue
        name = getattr(value, "name", "")
        name = name if isinstance(name, str) and name else key.lower()
        if any(sign in name for sign in ",:#/ "):
            raise InputError(f"the name {name!r} has a sign that parts names: , : # / or a blank", source=path, place=key)
        if name in found:
            raise InputError(f"two policies are called {name!r}", source=path, place=key)
        if name in policy_points() or name in presets():
            raise InputError(f"{name!r} is the name of an installed policy: give yours another", source=path, place=key)
        found[name] = value
    if not found:
        raise InputError("holds no policy: a class with a method choose(decision, view)", source=path)
    return found


def _run(path: str) -> ModuleType:
    where = Path(path).resolve()
    if not where.is_file():
        near = [p.name for p in where.parent.glob("*.py")] if where.parent.is_dir() else []
        raise InputError("there is no such file", source=path, hint=nearest(where.name, near))
    name = f"opfor_own_{sha256(str(where).encode()).hexdigest()[:8]}_{where.stem}"
    spec = importlib.util.spec_from_file_location(name, where)
    if spec is None or spec.loader is None:
        raise InputError("is no Python file", source=path)
    module = importlib.util.module_from_spec(spec)
    # dataclasses and the like look their module up by name; what lies beside the file can be imported from it
    sys.modules[name] = module
    if str(where.parent) not in sys.path:
        sys.path.append(str(where.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise InputError(f"cannot be run: {told(error)}", source=path) from None
    return module


def told(error: BaseException) -> str:
    """An error as one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def entrants(codes: Sequence[str], files: Sequence[str] = ()) -> list[Entrant]:
    """Entrants by the codes of their policies; the same one twice is told apart by a number.

    Raises :class:`InputError` for what is no policy, with the nearest name, and for one that cannot be made.
    """
    own = {name: file for file in files for name in policy_classes(file)}
    if sum(len(policy_classes(file)) for file in dict.fromkeys(files)) > len(own):
        raise InputError("two of the files have policies of one name", place="--code")
    found: list[Entrant] = []
    for code in codes:
        same = sum(1 for entrant in found if entrant.code == code)
        entrant = Entrant(f"{code}#{same + 1}" if same else code, code, own.get(code.partition(":")[0].strip(), ""))
        try:
            make(entrant, 0)
        except InputError as error:
            every = [*policy_points(), *presets(), *own]
            raise InputError(error.message, place="--policies", hint=nearest(code.partition(":")[0], every)) from None
        except (Exception, SystemExit) as error:
            raise InputError(f"the policy {code} cannot be made: {told(error)}", place="--policies") from None
        found.append(entrant)
    return found


def make(entrant: Entrant, seed: int) -> Chooser:
    """The policy of an entrant, made for one battle. Raises whatever its maker raises."""
    if not entrant.file:
        return policy_named(entrant.code, seed)
    name, _, parameters = entrant.code.partition(":")
    factory: Callable[..., Chooser] = policy_classes(entrant.file)[name.strip()]
    if not parameters:
        return factory(seed=seed)
    if "parameters" not in signature(factory).parameters:
        raise InputError(f"the policy {name} takes no parameters, and {parameters!r} is given", source=entrant.file)
    return factory(seed=seed, parameters=parameters)


def fingerprint_of(file: str) -> str:
    """What tells one state of a Python file from another."""
    return sha256(Path(file).read_bytes()).hexdigest()[:16]
