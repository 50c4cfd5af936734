"""A game master's own rules in one file of Python: loading it, calling its hooks, and checking what they say.

The file runs as code of the person at the table: it is read only where it was named on the command line, or where a battle's
file was allowed to name it (:mod:`opfor.own_rules.given`). What goes wrong in it is an :class:`InputError` with its line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import PurePath
from types import ModuleType, TracebackType
from typing import Any

from opfor.errors import InputError, nearest
from opfor.own_rules.conditions import key_of

#: functions that a file may define
HOOKS = ("to_hit", "physical", "piloting", "movement_cost", "end_of_phase")
#: hooks whose rule is called like them where the file gives it no name
_NAMELESS = ("movement_cost", "end_of_phase")
#: the most that a rule adds to a number or a cost
MOST = 20


class Plugin:
    """A file of rules: ``name`` of the file, ``rules`` by name with their meanings, ``hooks`` that it has."""

    __slots__ = ("digest", "hooks", "name", "rules", "source", "text")

    def __init__(self, source: str, text: str) -> None:
        self.source = source
        self.text = text
        self.name = PurePath(source).name
        self.digest = sha256(text.encode()).hexdigest()[:16]
        module = _executed(source, text)
        self.hooks: dict[str, Callable[..., Any]] = {}
        for hook in HOOKS:
            found = getattr(module, hook, None)
            if found is None:
                continue
            if not callable(found):
                raise InputError(f"{hook} is no function", source=source)
            self.hooks[hook] = found
        if not self.hooks:
            raise InputError(f"has no hook: a function called {', '.join(HOOKS)} is expected", source=source)
        self.rules = self._declared(getattr(module, "RULES", {}))

    def __reduce__(self) -> tuple[Callable[[str, str], Plugin], tuple[str, str]]:
        # to a process of the same program, begun by this one; what is read from files of others is never a pickle
        return plugin_of, (self.source, self.text)

    def __deepcopy__(self, memo: dict[int, Any]) -> Plugin:
        return self

    def _declared(self, rules: Any) -> dict[str, str]:
        if not isinstance(rules, Mapping) or not all(isinstance(x, str) for row in rules.items() for x in row):
            raise InputError("RULES is a mapping from each rule's name to what it says", source=self.source)
        for name in rules:
            if name != key_of(name):
                raise InputError(f"{name!r} is no name of a rule", source=self.source, hint=f"write {key_of(name) or 'a word'}")
        found = dict(rules)
        for hook in _NAMELESS:
            if hook in self.hooks and not rules:
                found[hook] = f"{hook} of {self.name}"
        if not found:
            raise InputError("names no rules: RULES = {name: meaning} is expected", source=self.source)
        return found

    def call(self, hook: str, *given: Any) -> Any:
        """Call a hook. Raises :class:`InputError` with the line for whatever goes wrong in it."""
        try:
            return self.hooks[hook](*given)
        except (Exception, SystemExit) as error:
            raise self._fault(hook, error) from None

    def named(self, hook: str, said: Any) -> list[tuple[str, int]]:
        """What a hook said as pairs of a rule's name and a value. Raises :class:`InputError` for anything else."""
        if said is None:
            return []
        if hook == "movement_cost" and isinstance(said, int) and not isinstance(said, bool):
            said = [(self._only(hook), said)]
        if not isinstance(said, list | tuple):
            raise self._wrong(hook, f"a list of (name, value) is expected, not {said!r}")
        found = []
        for pair in said:
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise self._wrong(hook, f"(name, value) is expected, not {pair!r}")
            name, value = pair
            if name not in self.rules:
                hint = nearest(str(name), self.rules) or f"they are {', '.join(self.rules)}"
                raise self._wrong(hook, f"{name!r} is none of the names in RULES", hint)
            if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MOST:
                raise self._wrong(hook, f"{name}: a whole number from -{MOST} to {MOST} is expected, not {value!r}")
            found.append((name, value))
        return found

    def _only(self, hook: str) -> str:
        """The rule that a bare number is of."""
        if hook in self.rules:
            return hook
        if len(self.rules) == 1:
            return next(iter(self.rules))
        raise self._wrong(hook, f"says a number of no rule: write [(name, number)], or call a rule {hook}")

    def _wrong(self, hook: str, words: str, hint: str = "") -> InputError:
        line = self.hooks[hook].__code__.co_firstlineno if hasattr(self.hooks[hook], "__code__") else 0
        return InputError(f"{hook}: {words}", source=self.source, place=f"line {line}" if line else "", hint=hint)

    def _fault(self, hook: str, error: BaseException) -> InputError:
        return _fault(self.source, error, f"{hook}: ")


@lru_cache(maxsize=32)
def plugin_of(source: str, text: str) -> Plugin:
    """The file of rules of that text, executed once. Raises :class:`InputError` with the line that cannot be used."""
    return Plugin(source, text)


def _executed(source: str, text: str) -> ModuleType:
    module = ModuleType(f"own_rules_{key_of(PurePath(source).stem)}")
    module.__file__ = source
    try:
        exec(compile(text, source, "exec"), module.__dict__)
    except SyntaxError as error:
        raise InputError(f"is no Python: {error.msg}", source=source, place=f"line {error.lineno}") from None
    except (Exception, SystemExit) as error:
        raise _fault(source, error, "") from None
    return module


def _fault(source: str, error: BaseException, before: str) -> InputError:
    """An error in the file as one message with the line that it came from."""
    line = 0
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == source:
            line = trace.tb_lineno
        trace = trace.tb_next
    words = error.message if isinstance(error, InputError) else f"{type(error).__name__}: {error}"
    hint = error.hint if isinstance(error, InputError) else ""
    return InputError(f"{before}{words}", source=source, place=f"line {line}" if line else "", hint=hint)


__all__ = ["HOOKS", "MOST", "Plugin", "plugin_of"]
