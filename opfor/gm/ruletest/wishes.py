"""What a run of ``opfor ruletest`` is asked for, checked: its battles, policies and rules, and the settings it is known by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import opfor
from opfor.errors import InputError
from opfor.formats.battle_file.battle import load_battle
from opfor.gm.policies import USUAL, codes_of, policy_named
from opfor.gm.ruletest.effects import seats_for
from opfor.gm.ruletest.paired_statistics import need_scipy
from opfor.gm.ruletest.running import PLAIN, Programme
from opfor.gm.ruletest.sources import MIXES, RANDOM, BattleFile, Source, source_named
from opfor.gm.ruletest.vary import Design, Plan, plan_of
from opfor.own_rules.given import given
from opfor.rulesets import named_ruleset

#: battles of a comparison that names none
COMPARED = "standard-4v4"
#: the policies of games that look for faults: they reach odd corners
LOOKING = "random:tree,random:tree"


@dataclass(frozen=True, slots=True)
class Wishes:
    """A run as its options have it; "" and () where nothing is said. ``checked`` None: where no rules are compared."""

    battle: str = ""
    policies: str = ""
    games: int = 100
    seed: int = 0
    sets: tuple[str, ...] = ()
    ruleset: str = ""
    mixes: bool = False
    vary: tuple[str, ...] = ()
    design: Design = "one"
    interactions: bool = False
    checked: bool | None = None

    def as_dict(self) -> dict[str, Any]:
        """As the folder of a run keeps it."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self._items()}

    def _items(self) -> list[tuple[str, Any]]:
        return [(name, getattr(self, name)) for name in self.__dataclass_fields__]


def wishes_from(kept: Mapping[str, Any]) -> Wishes:
    """The wishes that a folder keeps."""
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()}
    return Wishes(**values)


@dataclass(frozen=True, slots=True)
class Asked:
    """A run made out: what is played, what is compared (None: nothing), and the settings that the folder keeps."""

    wishes: Wishes
    programme: Programme
    plan: Plan | None
    settings: dict[str, Any]


def asked_for(wishes: Wishes) -> Asked:
    """Make out what is wished for. Raises :class:`InputError` naming the option that cannot be used."""
    if wishes.battle and wishes.sets:
        raise InputError("a battle of its own, and sets of battles: give one of the two", place="--set")
    if wishes.ruleset and wishes.mixes:
        raise InputError("one ruleset, and mixes of all: give one of the two", place="--mixes")
    plan = plan_of(wishes.vary, wishes.design, interactions=wishes.interactions) if wishes.vary else None
    if plan:
        # said before hours of games, not after
        need_scipy()
    checked = wishes.checked if wishes.checked is not None else not (plan or wishes.battle)
    if wishes.battle:
        codes = battle_codes(wishes.battle, wishes.policies)
        sources: tuple[Source, ...] = (BattleFile(wishes.battle),)
        # a comparison takes whatever the seats may do out of it
        seats: tuple[bool, ...] = seats_for(codes) if plan else (False,)
    else:
        words = wishes.policies or (f"{USUAL},{USUAL}" if plan else LOOKING)
        codes = _two(codes_of(words), words)
        names = tuple(dict.fromkeys(wishes.sets or ((COMPARED,) if plan else (RANDOM,))))
        sources = tuple(source_named(name) for name in names)
        seats = seats_for(codes)
    if len({source.name for source in sources}) < len(sources):
        raise InputError("two sets of battles have one name", place="--set")
    if wishes.games % len(seats):
        raise InputError(f"{wishes.games} is odd: every battle is played twice, with seats changed", place="--games")
    variants = tuple((variant.name, tuple(variant.changes.items())) for variant in plan.variants) if plan else PLAIN
    programme = Programme(
        sources, codes, wishes.games // len(seats), wishes.seed, variants, _ruleset(wishes), seats, checked=checked
    )
    settings = {
        "version": opfor.__version__,
        "policies": list(codes),
        "seed": wishes.seed,
        "sets": [repr(source) for source in sources],
        "files": {path: _checksum(path) for path in (*wishes.sets, wishes.battle) if path and Path(path).is_file()},
        "own": {file.path: _checksum(file.path) for file in given().files},
        "ruleset": MIXES if wishes.mixes else wishes.ruleset,
        "vary": list(wishes.vary),
        "design": [wishes.design, wishes.interactions],
        "checked": checked,
        **_own_rules(),
        "wishes": wishes.as_dict(),
    }
    return Asked(wishes, programme, plan, settings)


def battle_codes(path: str, policies: str) -> tuple[str, str]:
    """The policies that play a battle file: those named, its own, or the usual one. Raises :class:`InputError`."""
    battle = load_battle(path)
    if battle.state.winner is not None:
        raise InputError("the battle is over", source=path)
    if len(battle.state.sides) != 2:
        raise InputError(f"has {len(battle.state.sides)} sides: a rule test plays two", source=path, place="sides")
    codes = codes_of(policies) or [own or USUAL for own in battle.policies]
    return _two(codes * 2 if len(codes) == 1 else codes, policies)


def _two(codes: Sequence[str], words: str) -> tuple[str, str]:
    if len(codes) != 2:
        raise InputError(f"{words!r} is not two policies, as veteran,random", place="--policies")
    for code in codes:
        try:
            policy_named(code, 0)
        except InputError as error:
            raise InputError(error.message, place="--policies", hint=error.hint) from None
    return codes[0], codes[1]


def _ruleset(wishes: Wishes) -> tuple[tuple[str, Any], ...]:
    if wishes.mixes:
        return (("ruleset", MIXES),)
    if not wishes.ruleset:
        return ()
    return (("ruleset", named_ruleset(wishes.ruleset).name),)


def _own_rules() -> dict[str, Any]:
    """The own rules that the program was given: another file is another run."""
    files = given().files
    return {"own_rules": {file.name: _checksum(file.path) for file in files}} if files else {}


def _checksum(path: str) -> str:
    return sha256(Path(path).read_bytes()).hexdigest()[:16]


__all__ = ["COMPARED", "LOOKING", "Asked", "Wishes", "asked_for", "battle_codes", "wishes_from"]
