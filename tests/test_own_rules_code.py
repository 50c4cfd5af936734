"""Own rules as a file of Python: what its hooks change, that its faults are told by line, and that no battle alone runs it."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import load_battle
from opfor.formats.replay import ReplayRecorder, replay
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.game.loop import play_out
from opfor.gm.ruletest.vary import plan_of
from opfor.gm.workers import run_jobs
from opfor.own_rules.given import carrying, giving
from opfor.rules.events import Event
from opfor.rules.moving.compiling import use_compiled
from opfor.rules.moving.grounds import ground_for
from opfor.rules.moving.movement import ground_reach
from opfor.rules.own_phase import end_phase
from opfor.rules.pilots.piloting import piloting_number
from opfor.rules.play import Play
from opfor.rulesets import Ruleset, read_ruleset
from opfor.state import State
from policies.registry import make
from tests.cli_support import RIDGE, opfor, opfor_json, ridge
from tests.skirmish import skirmish
from tests.test_own_rules import EXAMPLES, parts, shot, two

SMOKE_AND_MUD = EXAMPLES / "smoke_and_mud.py"
LONG = """
RULES = {"long_shots": "Long shots are two harder.", "woods": "Light woods cost two more."}
def to_hit(shot):
    return [("long_shots", 2)] if shot.range == "long" else []
def movement_cost(step):
    return [("woods", 2)] if "light_woods" in step.terrain else []
"""


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def ruled(path: Path, value: Any = "standard") -> Ruleset:
    with giving(path):
        return read_ruleset(value)


def test_a_shot_lists_what_the_file_says_of_it(tmp_path: Path) -> None:
    own = ruled(written(tmp_path, LONG))
    # gunnery 4, long range 4, two more
    far = shot(two(own, apart=8))
    assert far.value == 4 + 4 + 2
    assert parts(far)["long shots"] == (2, "own:long_shots")
    assert shot(two(own, apart=6)).value == 4 + 2
    assert shot(two(own.changed(**{"own.long_shots": "off"}), apart=8)).value == 4 + 4


def test_the_example_is_as_it_says() -> None:
    own = ruled(SMOKE_AND_MUD)
    smoky = {"0510": "light smoke"}
    # smoke at the attacker's own hex hides nothing; lasers one, missiles (long from 15 hexes on) two
    assert parts(shot(two(own, apart=8, board=smoky)))["smoke discipline"] == (1, "own:smoke_discipline")
    state = two(own, board={"0509": "mud"})
    ground = ground_for(state.board, state.unit("a").spec, own)
    # one, one for mud, two more
    assert ground.steps(state.unit("a").cell * 2, 0)[0][1] == 4
    assert "wet ground" not in parts(piloting_number(state, state.unit("a"), "skid"))


def test_a_step_cost_by_own_rules_is_found_by_both_searches(tmp_path: Path) -> None:
    own = ruled(written(tmp_path, LONG))
    for seed in range(2):
        state = skirmish(seed, size=2, ruleset=own)
        found = []
        for compiled in (False, True):
            use_compiled(compiled)
            reaches = [ground_reach(state, unit, mode) for unit in state.units for mode in ("walk", "run")]
            found.append([reach.cheapest() for reach in reaches if reach is not None])
        use_compiled(False)
        assert found[0] == found[1]
        plain = skirmish(seed, size=2)
        without = [ground_reach(plain, unit, mode) for unit in plain.units for mode in ("walk", "run")]
        if any("light_woods" for hex in state.board.hexes if hex.woods == 1):
            assert found[0] != [reach.cheapest() for reach in without if reach is not None]


class Rules:
    """An observer that counts the events of own rules."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def before(self, game: Game) -> None: ...

    def ordered(self, *given: Any) -> None: ...

    def happened(self, game: Game, order: Any, events: list[Event]) -> None:
        self.seen |= {event.rule for event in events if event.rule.startswith("own:")}

    def after(self, game: Game) -> None: ...


@pytest.mark.parametrize("code", ["random:tree", pytest.param("veteran", marks=pytest.mark.slow)])
def test_whole_battles_hold_and_are_replayed_under_the_same_rules_alone(tmp_path: Path, code: str) -> None:
    path = ridge(tmp_path)
    rules = Rules()
    with giving(SMOKE_AND_MUD):
        battle = load_battle(path)
        battle.state.limit = battle.state.turn + 2
        game, recorder = Game(battle.state, SeededDice(1)), ReplayRecorder(battle)
        play_out(game, [make(code, 1), make(code, 2)], [recorder, Invariants(), rules])
        text = recorder.text()
        assert replay(text) == text
    assert "own:winded" in rules.seen
    header = json.loads(text.splitlines()[0])
    assert set(header["own_rules"]["rules"]) == {"smoke_discipline", "deep_mud", "winded", "wet_ground"}
    with pytest.raises(InputError, match=r"smoke_discipline.*not given"):
        replay(text)
    other = written(tmp_path, SMOKE_AND_MUD.read_text(encoding="utf-8").replace('"winded")', '"winded")  # x'), "other.py")
    with giving(other), pytest.raises(InputError, match="changed since"):
        replay(text)


def play_of(text: str, folder: Path) -> Play:
    state = two(ruled(written(folder, text)), mode="run", hexes=3)
    return Play(state, SeededDice(1))


def test_what_happens_at_the_end_of_a_phase(tmp_path: Path) -> None:
    play = play_of(SMOKE_AND_MUD.read_text(encoding="utf-8"), tmp_path)
    end_phase(play, "fire")
    assert not play.events
    end_phase(play, "movement")
    a, b = play.state.unit("a"), play.state.unit("b")
    assert (a.heat_outside, b.heat_outside) == (2, 0)
    assert [(e.what, e.unit, e.rule) for e in play.events] == [("own_rule", "a", "own:winded")]


def test_damage_and_falls_of_own_rules_are_those_of_the_game(tmp_path: Path) -> None:
    text = """
RULES = {"quake": "The ground shakes.", "never": "Switched off below."}
def end_of_phase(play, phase):
    play.damage("b", 12, "quake")
    play.piloting("b", "fall", "quake")
    play.damage("a", 50, "never")
"""
    play = play_of(text, tmp_path)
    play.state.ruleset = play.state.ruleset.changed(**{"own.never": "off"})
    end_phase(play, "movement")
    # groups of five: 5, 5 and 2
    assert [e.data["armor"] for e in play.events if e.what == "damage" and e.unit == "b"][:3] == [5, 5, 2]
    assert not [e for e in play.events if e.unit == "a"]
    assert any(e.what == "roll" and e.unit == "b" for e in play.events)


HOOK = "RULES = {'x': 'y'}\ndef to_hit(shot):\n    "


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HOOK + "return 1 / 0", "line 3: to_hit: ZeroDivisionError"),
        (HOOK + "return [('z', 1)]", "'z' is none of the names in RULES"),
        (HOOK + "return [('x', 1.5)]", "a whole number"),
        (HOOK + "return [('x', 99)]", "from -20 to 20"),
        (HOOK + "return 3", "a list of (name, value)"),
        (HOOK + "return ['x']", "(name, value) is expected"),
        (HOOK + "raise SystemExit(3)", "SystemExit"),
        (HOOK + "shot.attacker.heat = 3", "AttributeError"),
        (HOOK + "return [", "line 3: is no Python"),
        ("import nothing_of_that_name", "line 1: ModuleNotFoundError"),
        ("RULES = {}", "has no hook"),
        ("def to_hit(shot): return []", "names no rules"),
        ("RULES = {'A b': 'c'}\ndef to_hit(shot): return []", "write a_b"),
        ("RULES = {'x': 'y'}\nto_hit = 3", "to_hit is no function"),
    ],
)
def test_faults_in_the_file_are_told_with_their_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        shot(two(ruled(written(tmp_path, text))))
    assert words in str(caught.value)
    assert str(tmp_path / "mine.py") in str(caught.value)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("play.heat('nobody', 1, 'x')", "no unit 'nobody'"),
        ("play.heat('a', -1, 'x')", "no whole number"),
        ("play.heat('a', 1, 'z')", "none of the names"),
        ("play.piloting('a', 'kickd', 'x')", "did you mean kicked"),
        ("play.state", "AttributeError"),
    ],
)
def test_what_the_workbench_does_not_do(tmp_path: Path, call: str, words: str) -> None:
    play = play_of(f"RULES = {{'x': 'y'}}\ndef end_of_phase(play, phase):\n    {call}\n", tmp_path)
    with pytest.raises(InputError, match=r"line 3") as caught:
        end_phase(play, "movement")
    assert words in str(caught.value)


# -- at the command line ------------------------------------------------------------------------------------------------


def with_rules(folder: Path, file: str) -> Path:
    """The example battle with a file of own rules named in it."""
    text = RIDGE.read_text(encoding="utf-8").replace("ruleset: standard", f"ruleset: {{base: standard, rules: {file}}}")
    return written(folder, text, "named.yaml")


def test_a_battle_file_alone_runs_nothing(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    written(tmp_path, f"open({str(ran)!r}, 'w').close()\n{LONG}")
    path = with_rules(tmp_path, "mine.py")
    refused = opfor("check", path, code=1)
    assert "is code, and a battle's file alone runs none" in refused.stderr and "--allow-code" in refused.stderr
    assert not ran.exists()
    opfor("check", path, "--allow-code")
    assert ran.exists()
    opfor("check", path, "--rules", tmp_path / "mine.py")


def test_data_is_read_from_the_battles_folder(tmp_path: Path) -> None:
    written(tmp_path, (EXAMPLES / "gunnery.yaml").read_text(encoding="utf-8"), "gunnery.yaml")
    own = load_battle(with_rules(tmp_path, "gunnery.yaml")).state.ruleset
    assert own.replaced is not None and dict(own.replaced.numbers)["to_hit.attacker_movement.jump"] == 4
    assert own.values()["own.run_and_gun"] == "on"


def test_a_fault_is_told_on_the_line_of_the_battle_file(tmp_path: Path) -> None:
    text = RIDGE.read_text(encoding="utf-8").replace(
        "ruleset: standard", "ruleset:\n  base: standard\n  tables:\n    to_hit.immobil: 3"
    )
    line = text.splitlines().index("    to_hit.immobil: 3") + 1
    refused = opfor_json("check", written(tmp_path, text, "b.yaml"), code=1)
    assert f"line {line}" in refused["error"]["place"]
    assert refused["error"]["hint"].startswith("did you mean to_hit.immobile ")


def test_explain_lists_own_modifiers(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    every = written(tmp_path, "RULES = {'odd': 'x'}\ndef to_hit(shot): return [('odd', 1)]\n")
    state: State = load_battle(path).state
    one, other = state.units[0].id, next(unit.id for unit in state.units if unit.side != state.units[0].side)
    told = opfor("explain", path, "--unit", one, "--target", other, "--rules", every).stdout
    assert "odd" in told and "odd" not in opfor("explain", path, "--unit", one, "--target", other).stdout


def test_own_rules_are_compared_like_any_other(tmp_path: Path) -> None:
    with giving(written(tmp_path, LONG)):
        plan = plan_of(["own.long_shots=off,on"])
    assert [dict(variant.changes) for variant in plan.variants] == [{"own.long_shots": "off"}, {"own.long_shots": "on"}]
    numbers = plan_of(["tables.to_hit.attacker_movement.jump=standard,4"])
    assert [list(variant.changes.values()) for variant in numbers.variants] == [[3], [4]]
    with pytest.raises(InputError, match="--rules"):
        plan_of(["own.long_shots=off,on"])


def ruleset_here(value: str) -> dict[str, Any]:
    return read_ruleset(value).values()


def test_work_takes_along_what_this_process_was_given(tmp_path: Path) -> None:
    with giving(written(tmp_path, LONG)):
        work = pickle.loads(pickle.dumps(carrying(ruleset_here)))  # noqa: S301 - our own
    assert carrying(ruleset_here) is ruleset_here
    with giving():
        assert work("standard")["own.long_shots"] == "on"


@pytest.mark.slow
def test_other_processes_go_by_what_this_one_was_given(tmp_path: Path) -> None:
    with giving(written(tmp_path, LONG)):
        results = dict(run_jobs(ruleset_here, ["standard"], count=2, apart=True))
    assert results["standard"]["own.long_shots"] == "on"
    assert "own.long_shots" not in ruleset_here("standard")


@pytest.mark.slow
@pytest.mark.parametrize("base", ["standard", "campaign", "mwii"])
def test_battles_of_all_kinds_hold_under_own_rules_of_every_sort(base: str) -> None:
    numbers = {"movement.terrain.light_woods": 2, "heat.shutdown.14": 2}
    with giving(SMOKE_AND_MUD, EXAMPLES / "gunnery.yaml"):
        own = read_ruleset({"base": base, "hex_targets": "any", "tables": numbers})
    for seed in range(3):
        state = skirmish(seed, size=3, limit=3, ruleset=own, kinds=("mech", "vehicle", "vtol", "infantry", "battle_armor"))
        play_out(Game(state, SeededDice(seed)), [make("random:tree", 1), make("random", 2)], [Invariants()])
