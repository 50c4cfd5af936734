"""The learned policy: what it sees, takes and says of it, and that it plays where nothing to train with is installed."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from envs.layout import Flat
from envs.match import Match
from envs.observation import LAYOUT, SIZE, Observer
from opfor.dice import SeededDice
from opfor.directives import Directive
from opfor.errors import InputError
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.view import View
from opfor.gm.arena.promises import check_in_battles
from opfor.orders import FireOrder, MoveOrder, Order
from opfor.rulesets import named_ruleset
from opfor.state import State
from policies.learned import LearnedPolicy
from policies.learned.model import load_model, save_model
from policies.learned.network import Scorer
from policies.learned.player import Player, shares_of
from tests.cli_support import RIDGE, opfor_json
from tests.conformance.policy import check_policy
from tests.learned_models import NARROW, card_of, playable, random_model, random_weights, weights_for
from tests.skirmish import skirmish
from tests.support import make_state

ROOT = Path(__file__).parent.parent
KINDS = ("mech", "vehicle", "infantry", "vtol", "battle_armor")
LASER = {"weapons": {"RA": ["is_medium_laser"]}}
STOOD = {"mode": "stand", "hexes": 0}


def learned(seed: int = 0, **more: Any) -> LearnedPolicy:
    """The policy with a small network of random weights."""
    return LearnedPolicy(seed, str(random_model()), **more)


def scoring(folder: Path, rulesets: Sequence[str] = (), **columns: float) -> LearnedPolicy:
    """The policy with a network that scores options by these columns."""
    path = save_model(folder / "m.safetensors", weights_for(**columns), card_of(NARROW, rulesets))
    return LearnedPolicy(0, str(path))


def order_of(policy: LearnedPolicy, state: State, unit: str = "a") -> Order:
    me = state.unit(unit)
    decision = Decision(state, me.side, [me])
    order = policy.choose(decision, View(state, me.side))
    assert order in decision.legal, decision.legal.why_not(order)
    return order


# -- what it sees -----------------------------------------------------------------------------------------------------


class _Watch(Scorer):
    """A scorer that remembers what it was shown."""

    def __init__(self) -> None:
        model = load_model(random_model())
        super().__init__(model.arrays, model.card.sizes)
        self.shown: list[Flat] = []

    def logits(self, obs: Flat) -> Flat:
        self.shown.append(obs.copy())
        return super().logits(obs)


class _Told(Match):
    """A battle that remembers its orders."""

    def __init__(self, game: Game) -> None:
        self.told: list[Order] = []
        super().__init__(game)
        self.told.clear()

    def _apply(self, order: Order) -> None:
        self.told.append(order)
        super()._apply(order)


def ridge(knows: str) -> State:
    """Side 0 has a ridge before it, an enemy in sight and one behind the ridge; of the other side one unit is hidden, and there
    are mines that only it knows of."""
    board: dict[str, Any] = {f"{column:02d}12": "level 9" for column in range(1, 17)}
    units = [
        {"id": "a", "at": "0805", "facing": "S", "mech": LASER},
        {"id": "e", "at": "0604", "facing": "S", "mech": LASER},
        {"id": "b", "side": 1, "at": "0809", "mech": LASER},
        {"id": "c", "side": 1, "at": "1008", "mech": LASER, "hidden": True},
        {"id": "d", "side": 1, "at": "0816", "mech": LASER},
    ]
    state = make_state(board=board, units=units, phase="movement")
    contacts = (("d", state.board.grid.parse("0815")),) if knows == "contacts" else ()
    state.directives = (Directive(knows=knows, contacts=contacts), Directive(knows="sees"))
    state.limit = 3
    return state


BATTLES: dict[str, Callable[[], State]] = {
    "standard": lambda: skirmish(5, kinds=KINDS, size=4, limit=3),
    "campaign": lambda: skirmish(6, kinds=KINDS, size=3, limit=3, ruleset="campaign"),
    "mwii": lambda: skirmish(7, kinds=("mech", "vehicle"), size=3, limit=3, ruleset="mwii"),
    "sees": lambda: ridge("sees"),
    "contacts": lambda: ridge("contacts"),
}


@pytest.mark.parametrize("battle", BATTLES)
def test_it_sees_what_an_environment_shows(battle: str) -> None:
    """At every question of a battle, to the last bit; and its steps are those of an environment that give the same order."""
    match, observer = _Told(Game(BATTLES[battle](), SeededDice(2))), Observer()
    watch = [_Watch(), _Watch()]
    players = [Player(scorer, random.Random(side), temperature=3.0) for side, scorer in enumerate(watch)]
    questions = set()
    while match.walk is not None:
        side = match.side
        order, steps = players[side].decide(match.walk.decision, match.view)
        assert len(watch[side].shown) == len(steps) > 0
        for step, shown in zip(steps, watch[side].shown, strict=True):
            assert match.walk is not None and match.walk.question is not None
            questions.add(match.walk.question.name)
            out = np.zeros(SIZE, dtype=np.float32)
            observer.observe(match, out)
            if step.question.name == "mode" and battle in ("sees", "contacts"):
                # a way of moving is told by its best hex: in the environment those where somebody hides are not among them
                other = np.flatnonzero(out != shown)
                assert all(LAYOUT["slots"].start <= place < LAYOUT["slots"].stop for place in other)
            else:
                assert out.tobytes() == shown.tobytes(), step.question.name
            match.step(step.action)
        watch[side].shown.clear()
        assert match.told[0] == order
        match.told.clear()
    assert len(questions) > 3


# -- what it takes and says -------------------------------------------------------------------------------------------


def two_targets(**arguments: Any) -> State:
    """``a`` has an enemy two hexes ahead and one eight hexes ahead; all have stood."""
    units = [
        {"id": "a", "at": "0814", "facing": "N", "mech": LASER, "moved": STOOD},
        {"id": "near", "side": 1, "at": "0812", "facing": "S", "mech": LASER, "moved": STOOD},
        {"id": "far", "side": 1, "at": "0906", "facing": "S", "mech": LASER, "moved": STOOD},
    ]
    return make_state(units=units, **arguments)


def test_the_best_scored_option_is_taken_and_told_of(tmp_path: Path) -> None:
    """Scored by damage: 5 points at 4+ (33 in 36) against 5 at 8+ (15 in 36), long range of a laser being 7 to 9 hexes."""
    policy = scoring(tmp_path, given=2.0)
    order = order_of(policy, two_targets())
    assert isinstance(order, FireOrder)
    assert [attack.target for attack in order.attacks] == ["near"]
    assert order.reason == (
        "deals 5, odds 92 %, rather than fire at far: better odds (92, not 42) and more damage done (5, not 2)"
    )
    chosen, other, *_ = policy.notes["a"]
    # given counts 40 points as 1: scores of 6 x 4.58 / 40 and 6 x 2.08 / 40 beside 0 for holding fire
    shares = [math.exp(6 * 5 * odds / 36 / 40) for odds in (33, 15, 0)]
    assert chosen.startswith("fire at near: ") and chosen.endswith("(deals 5, odds 92 %)")
    assert other.startswith("fire at far: ")
    assert float(chosen.split()[3]) / float(other.split()[3]) == pytest.approx(shares[0] / shares[1], abs=0.05)


def test_nothing_is_preferred_where_nothing_scores(tmp_path: Path) -> None:
    """All options alike: the first, which is to do nothing."""
    policy = scoring(tmp_path, goal=2.0)
    order = order_of(policy, two_targets())
    assert isinstance(order, FireOrder) and not order.attacks
    assert order.reason.startswith("hold fire, rather than ")
    assert policy.notes["a"][0].startswith("hold fire: ")


def test_movements_are_told_by_their_hex(tmp_path: Path) -> None:
    """Told to move as fast, then as far from the enemy as it can, it runs to a hex than which none in reach is farther."""
    units = [
        {"id": "a", "at": "0808", "facing": "S", "mech": LASER},
        {"id": "b", "side": 1, "at": "0801", "facing": "S", "mech": LASER},
    ]
    state = make_state(units=units, phase="movement", board={"0808": "woods 1"})
    # a hex farther is worth more than any place among the modes or the options
    policy = scoring(tmp_path, nearest=64.0, what=1.0)
    order = order_of(policy, state)
    assert isinstance(order, MoveOrder) and order.mode == "run"
    me, enemy = state.units
    legal = Decision(state, 0, [me]).legal
    grid = state.board.grid
    reach = [grid.distance(enemy.cell, one.to) for one in legal if isinstance(one, MoveOrder) and one.mode == "run"]
    assert grid.distance(enemy.cell, order.to) == max(reach) > 10
    assert f"{max(reach)} from the nearest enemy" in order.reason
    assert policy.notes["a"][0].startswith(f"run to {grid.names[order.to]}: ")
    assert len(policy.notes["a"]) == 3


def test_a_risky_hex_is_told_of(tmp_path: Path) -> None:
    """Made to love danger it jumps onto a roof that cannot bear it: more than 20 points at stake are told as 20."""
    units = [
        {"id": "a", "at": "0808", "facing": "S", "mech": {**LASER, "jump": 3}},
        {"id": "b", "side": 1, "at": "0801", "facing": "S", "mech": LASER},
    ]
    roof = {"0809": {"building": 2, "building_height": 2, "building_cf": 40}}
    state = make_state(units=units, phase="movement", board=roof)
    order = order_of(scoring(tmp_path, hazard=64.0, what=1.0), state)
    assert isinstance(order, MoveOrder) and order.mode == "jump" and state.board.grid.names[order.to] == "0809"
    assert "risks 20 on that ground" in order.reason


def test_shares_by_hand() -> None:
    logits = np.log(np.array([1.0, 3.0], dtype=np.float32))
    assert shares_of(logits).tolist() == pytest.approx([0.25, 0.75])
    # at temperature 2 the odds are the root: 1 to 1.732
    assert shares_of(logits, 2.0).tolist() == pytest.approx([0.366, 0.634], abs=1e-3)
    player = Player(Scorer(random_weights(), card_of().sizes), random.Random(4), 1.0)
    taken = [player._take(logits) for _ in range(2000)]
    # four standard deviations of 2000 draws
    assert sum(taken) / 2000 == pytest.approx(0.75, abs=4 * math.sqrt(0.75 * 0.25 / 2000))


def test_chance_comes_from_the_seed_alone() -> None:
    """With a temperature one seed gives one choice, seeds differ; without one they do not."""
    state = skirmish(3, limit=2)
    decision = Game(state, SeededDice(1)).decision()
    assert decision is not None

    def first(seed: int, temperature: float) -> Order:
        return learned(seed, temperature=temperature).choose(decision, View(state, decision.side))

    assert len({first(seed, 3.0) for seed in range(8)}) > 3
    assert first(5, 3.0) == first(5, 3.0)
    assert len({first(seed, 0.0) for seed in range(4)}) == 1
    assert LearnedPolicy(0, f"{random_model()},temperature=3").temperature == 3.0
    assert LearnedPolicy(0, str(random_model())).temperature == 0.0


def test_a_battle_that_it_was_not_trained_for_is_refused(tmp_path: Path) -> None:
    """Another turn, with the reason; a switch turned is played, and told of."""
    policy = scoring(tmp_path, ["standard"], given=2.0)
    with pytest.raises(InputError, match=r"trained under turn_sequence standard, and the battle has eridani"):
        order_of(policy, two_targets(ruleset="campaign"))
    turned = named_ruleset("standard").changed(partial_cover="house")
    order_of(policy, two_targets(ruleset=turned))
    assert policy.notes["a"][-1] == "it was never trained under partial_cover house"
    order_of(policy, two_targets())
    assert not any("trained" in line for line in policy.notes["a"])


# -- what every policy promises ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["standard", "campaign"])
def test_it_conforms(ruleset: str) -> None:
    check_policy(lambda seed: learned(seed), battles=2, decisions=14, ruleset=ruleset)


@pytest.mark.slow
def test_it_conforms_with_every_kind_of_unit() -> None:
    """Options drawn by chance, so that odd ones come up."""
    met = check_in_battles(lambda seed: learned(seed, temperature=4.0), battles=2, most=250)
    assert met.keys() >= {"movement", "fire", "physical", "opportunity"}


# -- where nothing else is installed ----------------------------------------------------------------------------------


def without(blocked: tuple[str, ...], *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a program that cannot import some packages."""
    code = (
        "import sys\n"
        "class Blocked:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {blocked!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Blocked())\n"
        f"sys.argv = {['opfor', *map(str, arguments)]!r}\n"
        "from opfor.cli import main\nmain()\n"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.slow
@pytest.mark.parametrize("numba", [True, False])
def test_orders_without_what_training_needs(numba: bool) -> None:
    """The same orders, to the last figure, with neither torch nor gymnasium, and with or without numba."""
    blocked = ("torch", "gymnasium", "pettingzoo", "stable_baselines3", "sb3_contrib", *([] if numba else ["numba"]))
    asked = ("orders", RIDGE, "--policy", playable("learned"), "--seed", "5")
    done = without(blocked, *asked, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == opfor_json(*asked)


def test_other_policies_need_no_numpy() -> None:
    """Nor does the list of policies, which names this one."""
    done = without(("numpy", "safetensors", "envs"), "policies", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = [row for row in json.loads(done.stdout)["policies"] if row["name"] == "learned"]
    assert row["what"].startswith("Plays what a network has learnt")
    done = without(("numpy", "safetensors", "envs"), "orders", RIDGE, "--policy", "veteran", "--only", "reaver", "--json")
    assert done.returncode == 0, done.stderr
