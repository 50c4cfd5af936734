"""A small case as a test to keep: its battle, its orders in words and their dice, in a file that pytest runs as it is."""

from __future__ import annotations

import json
import re
from textwrap import wrap
from typing import Any

from opfor.formats.yaml_out import dump_document
from opfor.gm.ruletest.cases import Case, Run, run_case

_HEAD = '''"""{title}.

{told}
"""

{imports}

BATTLE = """
{battle}"""
#: orders as they were given, and all dice in the order in which they are asked for
ORDERS = {orders}
DICE = "{dice}"


def test_{name}() -> None:
{body}'''
_PLAY = """    battle = read_battle(BATTLE)
    game = Game(battle.state, FedDice(parse_dice(DICE)))
    watchers = {watchers}
    for watcher in watchers:
        watcher.before(game)
    try:
        for words in ORDERS:
            decision = game.decision()
            assert decision is not None
            order = {read}
{listed}            for watcher in watchers:
                watcher.ordered(game, decision, order)
            events = game.apply(order)
            for watcher in watchers:
                watcher.happened(game, order, events)
{asked}    except (RollNeeded, DiceError, InputError):
        # the battle takes another course than the one that failed: other dice are asked for
        return
"""
_BY_WORDS = "order_from_words(words, game.state, decision.legal)"
_BY_EITHER = f"{_BY_WORDS} if isinstance(words, str) else order_from_dict(words, game.state)"
_LISTED = """            if order not in decision.legal:
                legal = decision.narrowed([game.state.unit(order.unit)]).legal
                assert order not in islice(legal.tree().leaves(), MOST_LEAVES), "what is offered is not listed"
                return
"""
_ASK = """        decision = game.decision()
        if decision is not None and decision.legal.count():
            assert decision.legal.sample(lambda count: 0) in decision.legal
"""
_CHOOSE = """        decision = game.decision()
        assert decision is not None
        choosers = [policy_named(code, {seed} + side) for side, code in enumerate({codes!r})]
        assert choosers[decision.side].choose(decision, game.view(decision.side)) in decision.legal
"""
_REPLAY = """    for watcher in watchers:
        watcher.after(game)
    text = recorder.text()
    assert replay(text) == text
"""
_IMPORTS = {
    "islice": "itertools",
    "DiceError": "opfor.dice",
    "FedDice": "opfor.dice",
    "RollNeeded": "opfor.dice",
    "parse_dice": "opfor.dice",
    "InputError": "opfor.errors",
    "read_battle": "opfor.formats.battle_file.battle",
    "ReplayRecorder": "opfor.formats.replay",
    "replay": "opfor.formats.replay",
    "order_from_dict": "opfor.formats.orders",
    "order_from_words": "opfor.formats.words.notation",
    "Game": "opfor.game.game",
    "Invariants": "opfor.game.invariants",
    "policy_named": "opfor.gm.policies",
    "MOST_LEAVES": "opfor.gm.ruletest.cases",
    "Outside": "opfor.gm.ruletest.invariants",
}


def regression_test(case: Case, name: str = "") -> str:
    """The text of a test file that fails with the fault of ``case`` and passes without it. Raises ValueError for a case
    that does not show its fault.

    The test uses the program's public interface only: a battle is read, orders are given in words, dice are those of the table.
    Once the fault is gone the battle may take another course, for which these dice are not enough: then it has passed.
    """
    run = run_case(case, words=True)
    if run is None or run.violation is None:
        raise ValueError("the case shows no fault")
    violation = run.violation
    kind, what, place = case.fault
    body = _PLAY + (_REPLAY if kind == "replay" else "")
    watchers = {"replay": "(recorder, Invariants())"}.get(kind, "(Invariants(), Outside(battle, every=1))")
    body = body.format(
        watchers=watchers,
        read=_BY_WORDS if all(run.words) else _BY_EITHER,
        listed=_LISTED if what == "listed" else "",
        asked=_asked(case),
    )
    if kind == "replay":
        body = body.replace("    watchers =", "    recorder = ReplayRecorder(battle)\n    watchers =", 1)
    rule = f" [{violation.rule}]" if violation.rule else ""
    told = "\n".join(wrap(f"{_plain(violation.message)}{rule}", 120)) + (f"\nRaised in {place}." if place else "")
    return _HEAD.format(
        title=_plain(f"Found in play: {'the invariant' if kind == 'invariant' else kind} {what}"),
        told=told,
        imports=_imports(body),
        battle=_battle(case.battle),
        orders=_orders(run),
        dice=", ".join("+".join(map(str, roll)) for roll in run.dice),
        name=_identifier(name or f"{kind} {what} {place.rpartition(', ')[2]}"),
        body=body,
    )


def _asked(case: Case) -> str:
    """The lines that ask for what is due at the end, where the fault may be in that."""
    kind = case.fault[0]
    if kind == "policy":
        return _CHOOSE.format(codes=case.codes, seed=case.seed)
    return _ASK if kind == "crash" else ""


def _imports(body: str) -> str:
    """The import lines of what a test's text uses."""
    used: dict[str, list[str]] = {}
    for name, module in _IMPORTS.items():
        if re.search(rf"\b{name}\b", body):
            used.setdefault(module, []).append(name)
    lines = [f"from {module} import {', '.join(names)}" for module, names in used.items()]
    return "\n".join((*lines[:1], "", *lines[1:]) if "itertools" in used else lines)


def _battle(battle: dict[str, Any]) -> str:
    # the text stands between three quotes
    return dump_document(battle, False).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


def _orders(run: Run) -> str:
    """The orders as a tuple: in words, or as data where words would not tell all."""
    rows = []
    for step, words in zip(run.steps, run.words, strict=True):
        order = {key: value for key, value in step["order"].items() if key != "reason"}
        # text between double quotes is the same in JSON and in Python
        rows.append(json.dumps(words, ensure_ascii=False) if words else repr(order))
    if not rows:
        return "()"
    one = f"({rows[0]},)"
    return one if len(rows) == 1 and len(one) < 110 else "(" + "".join(f"\n    {row}," for row in rows) + "\n)"


def _plain(words: str) -> str:
    """Words that can stand in a docstring."""
    line = " ".join(words.split()).replace("\\", "/").replace('"', "'")
    return line if len(line) <= 200 else line[:197] + "..."


def _identifier(words: str) -> str:
    return "_".join(re.findall(r"[a-z0-9]+", words.lower())) or "found_in_play"


__all__ = ["regression_test"]
