"""Worked cases of tests/cases/mission_actions: who may start an action, what that bars, what breaks it, limits and effects.

A case: ``given`` as for make_state and, in the battle file's form, ``zones``, ``actions`` (a name in :data:`ACTIONS`, of an
action that ships, or written out), ``markers``, ``scores``, ``limit``; ``do``: steps ``{operation: {arguments}}``, the result
of the last one being ``expect.result``; ``expect``: ``events`` and ``none``, ``markers`` as "name hex", ``scores``, ``winner``,
``statuses`` of the starts, and by unit id the fields to find afterwards. Dice are random but for ``dice``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from opfor.dice import FedDice, SeededDice, parse_dice
from opfor.errors import IllegalOrder, InputError
from opfor.formats.battle_file.battle import load_battle, read_battle
from opfor.formats.battle_file.battle_missions import read_missions
from opfor.formats.battle_file.battle_schema import BattleFile
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.orders import order_as_dict, order_from_dict
from opfor.formats.source import Document
from opfor.formats.words.notation import order_from_words, order_in_words
from opfor.formats.yaml_out import dump_document
from opfor.game.apply.movement import apply_movement
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.game.legal.either import Either
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.mission_actions import ActionChoices
from opfor.game.legal.movement import MovementChoices
from opfor.game.turns.common import may_fire
from opfor.orders import ActionOrder, Attack, CallOrder, FireOrder, MoveOrder, Order, PassOrder, PhysicalOrder
from opfor.report.posts.happenings import event_words
from opfor.rules.melee import charges
from opfor.rules.missions.engaged import engaged_with, keywords_of
from opfor.rules.missions.mission_actions import complete, start, starts_of, why_no_start
from opfor.rules.moving.displacement import displace
from opfor.rules.play import Play
from opfor.rules.shooting.to_hit import weapon_attack
from opfor.rules.turn.opportunity import may_fire as may_fire_breaking_in
from opfor.rules.turn.victory import check_victory
from opfor.rulesets import named_ruleset
from opfor.state import State
from tests.conformance.choices import check_choices
from tests.rule_cases import cases, check_events, check_unit
from tests.support import make_state

ROOT = Path(__file__).parent.parent
MISSION_KEYS = ("zones", "actions", "markers", "scores", "actions_started")
#: actions that cases name
ACTIONS: dict[str, dict[str, Any]] = {
    "hold": {"name": "hold", "starts": "fire", "effect": {"score": 1}},
    "raise flag": {"name": "raise flag", "starts": "fire", "effect": {"marker": {"name": "flag", "within": 0}}},
}


def put_missions(state: State, keys: dict[str, Any]) -> None:
    """Read zones, actions and so on as a battle file would."""
    rows = [ACTIONS.get(row, row) if isinstance(row, str) else row for row in keys.get("actions", [])]
    data = {**keys, "actions": rows, "board": "x", "sides": dict.fromkeys(state.sides), "units": [{"side": "x", "type": "x"}]}
    read_missions(Document(data, "case", {}), BattleFile.model_validate(data), state, state.board)


def setting(case: dict[str, Any]) -> Play:
    """The play that a case begins with."""
    given = dict(case["given"])
    keys = {key: given.pop(key) for key in MISSION_KEYS if key in given}
    limit = given.pop("limit", 0)
    # what no builder makes: a field of the type changed
    changed = {entry["id"]: entry["spec"] for entry in given["units"] if "spec" in entry}
    given["units"] = [{key: value for key, value in entry.items() if key != "spec"} for entry in given["units"]]
    state = make_state(**given)
    for id, fields in changed.items():
        state.unit(id).spec = replace(state.unit(id).spec, **fields)
    state.limit = limit
    put_missions(state, keys)
    return Play(state, FedDice(parse_dice(str(case["dice"]))) if "dice" in case else SeededDice(1))


def order_of(play: Play, a: dict[str, Any]) -> ActionOrder:
    grid = play.state.board.grid
    return ActionOrder(a["unit"], a["action"], grid.parse(a["at"]) if "at" in a else -1)


def _listed(play: Play, a: dict[str, Any]) -> list[str]:
    """The starts open to a unit, as "action hex"."""
    names = play.state.board.grid.names
    orders = starts_of(play.state, play.state.unit(a["unit"]), a.get("kind", "fire"))
    return [f"{o.action} {names[o.cell]}" if o.cell >= 0 else o.action for o in orders]


def _why(play: Play, a: dict[str, Any]) -> str:
    """Why a start is refused, with the rule."""
    why = why_no_start(play.state, play.state.unit(a["unit"]), order_of(play, a), a.get("kind", "fire"))
    return f"{why} ({why.rule})" if why else ""  # type: ignore[attr-defined]


def _start(play: Play, a: dict[str, Any]) -> None:
    order = order_of(play, a)
    assert not _why(play, a), _why(play, a)
    start(play, order)


def _move(play: Play, a: dict[str, Any]) -> None:
    """The first legal movement with these fields, carried out."""
    unit = play.state.unit(a.pop("unit"))
    a = {key: tuple(value) if key == "path" else value for key, value in a.items()}
    unit.moved, unit.mode = False, ""
    choices = MovementChoices(play.state, [unit])
    apply_movement(play, next(o for o in choices if all(getattr(o, key) == value for key, value in a.items())))


def _displace(play: Play, a: dict[str, Any]) -> None:
    state = play.state
    unit = state.unit(a["unit"])
    to = state.board.grid.parse(a["to"])
    direction = state.board.grid.direction_to(unit.cell, to)
    assert direction is not None
    displace(play, unit, to, direction, why="test")


def _set(play: Play, a: dict[str, Any]) -> None:
    unit = play.state.unit(a.pop("unit"))
    for key, value in a.items():
        setattr(unit, key, value)
    play.state.touch()


def _charge(play: Play, a: dict[str, Any]) -> str:
    state = play.state
    return str(charges.why_not_declare(state, state.unit(a["unit"]), state.unit(a["target"])))


def _shot(play: Play, a: dict[str, Any]) -> str:
    """Why a weapon may not be fired at a target; "" when it may."""
    state = play.state
    unit = state.unit(a["unit"])
    mount = unit.spec.mounts[a.get("mount", 0)]
    number = weapon_attack(state, unit, mount, mount.modes[0], state.unit(a["target"]))
    order = FireOrder(unit.id, 0, False, (Attack(mount.index, a["target"], mount.modes[0].name),), a["target"])
    assert bool(FireChoices(state, [unit]).why_not(order)) == (not number.possible)
    return f"{number.why} ({number.rule})" if number.why else ""


def _turn_over(play: Play, a: dict[str, Any]) -> None:
    from opfor.game.turns.common import end_turn, forget_initiative, forget_turn

    end_turn(play)
    for unit in play.state.units:
        forget_turn(unit)
        forget_initiative(unit)


def _play(play: Play, a: dict[str, Any]) -> list[str]:
    """Play on by the given orders, everybody else doing nothing, until the decision named; the decisions asked."""
    state = play.state
    game = Game(state, play.dice)
    watch = Invariants()
    watch.before(game)
    steps = [dict(step) for step in a.get("orders", ())]
    turn, kind = a.get("until", [state.turn + 1, ""])
    asked = []
    while (decision := game.decision()) is not None and not (
        decision.turn > turn or (decision.turn == turn and (not kind or decision.kind == kind))
    ):
        asked.append(f"{decision.kind} {decision.side_name} {'+'.join(decision.unit_ids)}")
        check_choices(decision.legal)
        order = None
        while steps and steps[0]["unit"] in decision.unit_ids and steps[0].get("due", decision.kind) == decision.kind:
            step = steps.pop(0)
            if "refused" in step:
                with pytest.raises(IllegalOrder, match=step["refused"]):
                    game.check(order_of(play, step), decision)
                continue
            order = chosen(decision, play, step)
            break
        order = order or idle(decision)
        assert order_from_words(order_in_words(order, state), state, decision.legal) == order
        watch.ordered(game, decision, order)
        events = game.apply(order)
        watch.happened(game, order, events)
        play.events += events
    play.events += game.take_events()
    assert not steps, f"never came about: {steps}; asked: {asked}"
    return asked


def chosen(decision: Decision, play: Play, step: dict[str, Any]) -> Order:
    """The legal order that a step tells."""
    if "action" in step:
        return order_of(play, step)
    kind: type = {"mode": MoveOrder, "attacks": FireOrder, "attack": PhysicalOrder}[next(k for k in step if k in _KEYS)]
    fields = {key: value for key, value in step.items() if key not in ("unit", "due")}
    if "path" in fields:
        fields["path"] = tuple(fields["path"])
    if "attacks" in fields:
        fields["attacks"] = tuple(Attack(**attack) for attack in fields["attacks"])
    return next(
        o
        for o in decision.legal
        if o.unit == step["unit"] and isinstance(o, kind) and all(getattr(o, key) == value for key, value in fields.items())
    )


_KEYS = ("mode", "attacks", "attack")


def idle(decision: Decision) -> Order:
    """To do nothing."""
    for order in decision.legal:
        if (
            isinstance(order, PassOrder)
            or (isinstance(order, MoveOrder) and order.mode == "stand" and not order.act)
            or (isinstance(order, FireOrder) and not (order.attacks or order.clear or order.twist or order.flip))
            or (isinstance(order, PhysicalOrder) and not order.attack)
            or (isinstance(order, CallOrder) and not order.what)
            or (isinstance(order, ActionOrder) and not order.action)
        ):
            return order
    raise AssertionError(f"nothing but to act: {decision}")


STEPS: dict[str, Callable[[Play, dict[str, Any]], Any]] = {
    "listed": _listed,
    "why": _why,
    "start": _start,
    "move": _move,
    "displace": _displace,
    "set": _set,
    "charge": _charge,
    "shot": _shot,
    "turn_over": _turn_over,
    "play": _play,
    "complete": lambda play, a: complete(play, a["when"]),
    "victory": lambda play, a: check_victory(play),
    "may_fire": lambda play, a: may_fire(play.state, play.state.unit(a["unit"])),
    "may_break_in": lambda play, a: may_fire_breaking_in(play.state, *(play.state.unit(a[key]) for key in ("unit", "target"))),
    "engaged": lambda play, a: [enemy.id for enemy in engaged_with(play.state, play.state.unit(a["unit"]))],
    "keywords": lambda play, a: sorted(keywords_of(play.state, play.state.unit(a["unit"]))),
    "seen": lambda play, a: [s.unit for s in Game(play.state).view(a["side"]).state.actions_started],
}


@pytest.mark.parametrize("case", cases("mission_actions"))
def test_case(case: dict[str, Any]) -> None:
    assert case["title"] and case["rule"]
    play = setting(case)
    state = play.state
    result: Any = None
    for step in case["do"]:
        ((name, arguments),) = step.items()
        result = STEPS[name](play, dict(arguments or {}))
    expect = dict(case["expect"])
    if "result" in expect:
        assert result == expect.pop("result")
    check_events(play.events, expect.pop("events", []), expect.pop("none", []))
    for event in play.events:
        assert event_words(event)
    names = state.board.grid.names
    if "markers" in expect:
        assert [f"{m.name} {names[m.cell]}" for m in state.markers] == expect.pop("markers")
    if "scores" in expect:
        assert state.scores == expect.pop("scores")
    if "statuses" in expect:
        assert [s.status for s in state.actions_started] == expect.pop("statuses")
    if "winner" in expect:
        assert state.winner == expect.pop("winner")
    for id, unit in expect.items():
        if "keywords" in unit:
            assert list(state.unit(id).keywords) == unit.pop("keywords")
        check_unit(state.unit(id), unit)


# -- the battle file ----------------------------------------------------------------------------------------------------

FILE = """opfor: 1
ruleset: standard
board: {size: 16x17, rows: ["0505 light woods", "0506 light woods", "0606 light woods"]}
turn: 2
phase: fire
zones:
  hill: ["0812", "0813"]
  ridge: {hexes: [0301-0402], kind: terrain}
  wood: {terrain: woods}
  their line: {rows: 1-3, side: opfor}
  flank: {columns: 2, rows: 4-5}
actions:
  - deploy-device
  - name: hold the hill
    starts: shooting
    sides: [players]
    units: {keywords: [infantry], within: hill, outside: own deployment}
    use_limit: {turn: 1, battle: 3}
    completes: end of the enemy's turn
    effect: {score: 2, tag: hero}
    restrictions: {stood_still: true, oc: 2, from_turn: 2, no_enemy_within: 3}
markers: [{name: device, at: "0505", side: players}, {name: well, at: "0101"}]
scores: {players: 2}
actions_started:
  - {unit: foot, action: deploy device, turn: 1, at: "0505", zone: wood, status: done}
  - {unit: foot, action: hold the hill, turn: 2}
sides: {players: {}, opfor: {}}
units:
  - {id: foot, side: players, type: Foot Platoon (Rifle), at: "0812", oc: 2, keywords: [hero]}
  - {id: mad, side: opfor, type: Marauder MAD-3R, at: "0101", facing: S, oc: "-"}
"""


def test_the_file_holds_zones_actions_markers_and_points() -> None:
    battle = read_battle(FILE)
    state = battle.state
    grid = state.board.grid

    def names(zone: str) -> list[str]:
        return sorted(grid.names[cell] for cell in state.zones[zone].cells)

    assert names("hill") == ["0812", "0813"]
    assert names("ridge") == ["0301", "0302", "0401", "0402"]
    assert names("wood") == ["0505", "0506", "0606"]
    assert names("flank") == ["0204", "0205"]
    assert len(state.zones["their line"].cells) == 3 * 16
    kinds = [(zone.kind, zone.side) for zone in state.zones.values()]
    assert kinds == [("", -1), ("terrain", -1), ("terrain", -1), ("deployment", 1), ("", -1)]
    device, hold = state.actions
    assert (device.starts, device.keywords, device.limits) == ("fire", ("INFANTRY",), (("turn", 1),))
    assert (device.within, device.outside_own_deployment) == (("ridge", "wood"), True)
    assert (device.completes, device.later) == ("end", 0)
    assert (hold.starts, hold.sides, hold.within) == ("fire", (0,), ("hill",))
    assert (hold.limits, hold.completes, hold.later) == ((("turn", 1), ("battle", 3)), "end", 1)
    assert (hold.effect.score, hold.effect.tag) == (2, "HERO")
    assert (hold.stood_still, hold.least_oc, hold.first_turn, hold.no_enemy_within) == (True, 2, 2, 3)
    assert state.scores == [2, 0]
    assert [(m.name, m.side) for m in state.markers] == [("device", 0), ("well", -1)]
    assert [(s.due, s.status) for s in state.actions_started] == [(1, "done"), (3, "underway")]
    assert [(u.oc, u.keywords) for u in state.units] == [(2, ("HERO",)), (-1, ())]


def test_the_file_is_written_back_the_same() -> None:
    battle = read_battle(FILE)
    # what has burnt down since is in the zone all the same
    cell = battle.state.board.grid.parse("0606")
    battle.state.board = battle.state.board.changed({cell: battle.state.board.hexes[battle.state.board.grid.parse("0101")]})
    again = read_battle(dump_document(battle_document(battle), False, ""))
    one, two = battle.state, again.state
    for key in ("zones", "actions", "markers", "scores", "actions_started"):
        assert getattr(one, key) == getattr(two, key), key
    assert [(u.oc, u.keywords) for u in one.units] == [(u.oc, u.keywords) for u in two.units]
    assert battle_document(again) == battle_document(battle)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("within: hill", "within: hil", "there is no zone 'hil' (did you mean hill?)"),
        ("rows: 1-3, side", "rows: 1-30, side", "1-30 is off the board, which runs from 1 to 17"),
        ("rows: 1-3, side: opfor", "rows: 1-3, kind: deployment", "a deployment zone names its side"),
        ("rows: 1-3, side: opfor", "side: opfor", "a zone needs hexes, rows, columns or terrain"),
        ("terrain: woods", "terrain: swamp", "no hex of the board is in this zone"),
        ("terrain: woods", "terrain: wood", "'wood' cannot stand here"),
        ('["0812", "0813"]', '["0812", "9999"]', "hex 9999 is off the board"),
        ("- deploy-device", "- deploy-devise", "no action 'deploy-devise' ships"),
        ("starts: shooting", "starts: end", "'end' cannot stand here"),
        ("{turn: 1, battle: 3}", "sometimes", "'sometimes' is no use limit"),
        ("within: hill, ", "", "in_zone needs units within a zone"),
        ("end of the enemy's turn", "soon", "'soon' is no time"),
        ("{score: 2, tag: hero}", "{}", "an effect is a marker, destroy, score, reveal or tag"),
        ("{score: 2, tag: hero}", "{points: 2}", "there is no key 'points'"),
        ("{score: 2, tag: hero}", "{destroy: {within: 1}}", "destroys either a marker, by its name, or a building"),
        ("{score: 2, tag: hero}", "{marker: {name: a}, destroy: {building: true}}", "an effect has one hex"),
        ("name: hold the hill", "name: deploy device", "two actions are called 'deploy device'"),
        ("sides: [players]\n", "sides: [player]\n", "there is no side 'player'"),
        ("side: players}, {name: well", "side: player}, {name: well", "there is no side 'player'"),
        ("scores: {players: 2}", "scores: {nobody: 2}", "there is no side 'nobody'"),
        ("unit: foot, action: hold", "unit: foo, action: hold", "there is no unit 'foo'"),
        ("action: hold the hill, turn: 2", "action: hold, turn: 2", "there is no action 'hold'"),
        ("oc: 2, keywords", "oc: many, keywords", "oc"),
    ],
)
def test_faults_of_the_file_are_told_with_their_place(old: str, new: str, message: str) -> None:
    assert old in FILE
    text = FILE.replace(old, new)
    if old == "within: hill, ":
        text = text.replace("{score: 2, tag: hero}", "{marker: {name: a, in_zone: true}}")
    with pytest.raises(InputError) as refused:
        read_battle(text)
    assert message in str(refused.value)
    assert "line " in str(refused.value)


def test_a_limit_per_zone_needs_a_zone() -> None:
    text = FILE.replace("{turn: 1, battle: 3}", "once per zone").replace("within: hill, ", "")
    with pytest.raises(InputError, match="a limit per zone needs units within a zone"):
        read_battle(text)


@pytest.mark.parametrize(
    ("starts", "words", "completes", "later"),
    [
        ("fire", "end of turn", "end", 0),
        ("fire", "at the end of the next turn", "end", 1),
        ("fire", "End of the enemy's turn", "end", 1),
        ("fire", "end of fire phase", "fire", 0),
        ("fire", "end of the shooting phase", "fire", 0),
        ("movement", "end of physical", "physical", 0),
        ("fire", "end of the movement phase", "movement", 1),
        ("movement", "end of the next movement phase", "movement", 1),
    ],
)
def test_times_of_completion(starts: str, words: str, completes: str, later: int) -> None:
    text = FILE.replace("starts: shooting", f"starts: {starts}").replace("end of the enemy's turn", words)
    action = read_battle(text).state.actions[1]
    assert (action.completes, action.later) == (completes, later)


# -- the example --------------------------------------------------------------------------------------------------------


def test_the_example_battle_is_played_to_its_end() -> None:
    """The Op Force's troopers set their device up, and the side with more points wins at the limit."""
    battle = load_battle(ROOT / "examples" / "beacon-3.yaml")
    assert not battle.notes
    game = Game(battle.state, SeededDice(3))
    events = []
    words = [
        "sappers: action deploy device at 0808",
        "scouts: action hold the crossroads",
    ]
    while (decision := game.decision()) is not None:
        order = idle(decision)
        for line in words:
            told = order_from_words(line, battle.state, decision.legal)
            if told in decision.legal:
                order = told
                words.remove(line)
                break
        events += game.apply(order)
    assert not words
    what = [event.what for event in events]
    assert what.count("action_started") == 2 and what.count("action_completed") == 2
    assert "marker_set" in what and "scored" in what
    assert events[-1].what == "ended" and "points" in events[-1].data["why"]


@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
def test_any_play_of_the_example_keeps_to_the_rules(ruleset: str) -> None:
    """Random orders, actions more often than by chance: what is listed holds together, words and JSON read back."""
    battle = load_battle(ROOT / "examples" / "beacon-3.yaml")
    state = battle.state
    state.ruleset = named_ruleset(ruleset)
    battle.document["ruleset"] = ruleset
    state.phase, state.limit = "initiative", 2
    for unit in state.units:
        unit.moved, unit.mode = False, ""
    draw = random.Random(4)
    game = Game(state, SeededDice(4))
    watch = Invariants()
    watch.before(game)
    started = 0
    while (decision := game.decision()) is not None:
        orders = [order for order in _actions(decision) if order.action]
        order: Order = decision.legal.sample(draw.randrange)
        if orders:
            order = draw.choice(orders)
            check_choices(decision.legal)
            assert order_from_dict(order_as_dict(order, state), state) == order
            assert order_from_words(order_in_words(order, state), state, decision.legal) == order
            assert not decision.legal.why_not(order)
        elif decision.kind == "movement":
            order = idle(decision)
        started += isinstance(order, ActionOrder) and bool(order.action)
        watch.ordered(game, decision, order)
        watch.happened(game, order, game.apply(order))
        if state.underway:
            continue
        again = read_battle(dump_document(battle_document(battle), False, "")).state
        assert (again.actions_started, again.markers, again.scores) == (state.actions_started, state.markers, state.scores)
    assert started >= 2


def _actions(decision: Decision) -> list[ActionOrder]:
    part = decision.legal.part(ActionChoices) if isinstance(decision.legal, Either) else decision.legal
    return [order for order in part if isinstance(order, ActionOrder)] if isinstance(part, ActionChoices) else []
