"""The network: no weight belongs to a place, what is not there counts for nothing, NumPy and torch compute the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
import torch

from envs.features.slots import PLACE
from envs.layout import Flat
from envs.match import Match
from envs.observation import LAYOUT, SIZE, Observer
from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.game.game import Game
from policies.learned.network import Scorer, shapes
from policies.learned.options import OF_ENEMIES
from policies.learned.sizes import NetworkSizes, named_sizes
from tests.learned_models import NARROW, SMALL, random_weights, weights_for
from tests.skirmish import skirmish
from training.export import arrays_of
from training.network import SlotScorer


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Small networks gain nothing by more, and tests run side by side."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@cache
def observations() -> Flat:
    """What both sides see in a battle of every kind of unit and one under the campaign's rules, some questions of each."""
    found = []
    draw = random.Random(1).random
    kinds = {"standard": ("mech", "vehicle", "infantry", "vtol"), "campaign": ("mech",)}
    for number, ruleset in enumerate(kinds):
        state = skirmish(number, kinds=kinds[ruleset], ruleset=ruleset)
        match, observer = Match(Game(state, SeededDice(number))), Observer()
        for _ in range(120):
            assert match.walk is not None
            out = np.zeros(SIZE, dtype=np.float32)
            observer.observe(match, out)
            found.append(out)
            match.step(1 + int(draw() * match.walk.options))
    return np.array(found)


def network(sizes: NetworkSizes = SMALL, seed: int = 0) -> SlotScorer:
    """A network of random weights, as in :func:`random_weights`."""
    made = SlotScorer(sizes)
    made.load_state_dict({name: torch.from_numpy(array) for name, array in random_weights(sizes, seed).items()})
    return made


def run(made: SlotScorer, obs: Flat) -> tuple[Flat, Flat]:
    """Logits and values of a batch."""
    with torch.no_grad():
        logits, values = made(torch.from_numpy(obs))
    return logits.numpy(), values.numpy()


def options(obs: Flat) -> int:
    """How many actions are legal in an observation."""
    return int(LAYOUT.view(obs, "slots")[:, PLACE["present"]].sum())


@pytest.mark.parametrize("name", ["small", "default"])
def test_numpy_and_torch_compute_the_same(name: str) -> None:
    """To 1e-4 in what is scored and valued, for weights under which options differ by far more than that."""
    sizes = named_sizes(name)
    obs = observations()
    logits, values = run(network(sizes, 3), obs)
    scorer = Scorer(random_weights(sizes, 3), sizes)
    spread = 0.0
    for number, one in enumerate(obs):
        scores, value = scorer.evaluate(one)
        assert len(scores) == options(one)
        np.testing.assert_allclose(scores, logits[number, : len(scores)], atol=1e-4)
        np.testing.assert_allclose(scorer.logits(one), scores, atol=0)
        assert abs(value - values[number]) < 1e-4
        assert not logits[number, len(scores) :].any()
        spread = max(spread, float(np.ptp(scores)))
    assert spread > 0.1 and np.ptp(values) > 0.1


def test_by_hand() -> None:
    """A network one number wide, each layer worked out on paper: see :func:`tests.learned_models.weights_for`."""
    obs = np.zeros(SIZE, dtype=np.float32)
    slots = LAYOUT.view(obs, "slots")
    slots[:3, PLACE["present"]] = 1.0
    slots[1, PLACE["given"]], slots[2, PLACE["given"]] = 0.5, -0.5
    # 2 x 0.5 is 1, times 3 is 3; what is below 0 is cut, so the others are scored 0.25 alone; the mean of 0, 3 and 0 is 1
    scores, value = Scorer(weights_for(given=2.0), NARROW).evaluate(obs)
    assert scores.tolist() == [0.25, 3.25, 0.25]
    assert value == pytest.approx(2.0 * 1.0 - 1.0)
    made = SlotScorer(NARROW)
    made.load_state_dict({name: torch.from_numpy(array) for name, array in weights_for(given=2.0).items()})
    logits, values = run(made, obs[None])
    assert logits[0, :4].tolist() == [0.25, 3.25, 0.25, 0.0]
    assert values[0] == pytest.approx(1.0)


def test_no_weight_belongs_to_a_place() -> None:
    """Options, and enemies where no option stands for one, in another order: the same scores, in that order."""
    made = network()
    obs = observations()
    before, values = run(made, obs)
    turned, counts = obs.copy(), [options(one) for one in obs]
    for one, count in zip(turned, counts, strict=True):
        slots, units = LAYOUT.view(one, "slots"), LAYOUT.view(one, "units")
        slots[:count] = slots[:count][::-1].copy()
        enemies = int(units[24:, LAYOUT.groups["units"].index("present")].sum())
        if LAYOUT.view(one, "choice")[0, OF_ENEMIES].any():
            continue
        units[24 : 24 + enemies] = units[24 : 24 + enemies][::-1].copy()
    after, same = run(made, turned)
    for number, count in enumerate(counts):
        np.testing.assert_allclose(after[number, :count], before[number, :count][::-1], atol=1e-5)
    np.testing.assert_allclose(same, values, atol=1e-5)
    # the acting unit is the first of its side: which one that is does count
    units = LAYOUT.view(turned[0], "units")
    units[[0, 1]] = units[[1, 0]]
    assert abs(run(made, turned[:1])[1][0] - values[0]) > 1e-4


def test_an_option_is_read_with_the_unit_that_it_stands_for() -> None:
    """An enemy that gets hot changes the score of the shot at it; others know of it by the context, which is left out here."""
    made = network()
    with torch.no_grad():
        made.slot_add.weight.zero_()
        made.slot_scale.weight.zero_()
        made.slot_scale.bias.fill_(1.0)
    asks = [one for one in observations() if LAYOUT.read(one, "choice", "asks_primary_target")]
    changed, compared = 0, 0
    for one in asks:
        count = options(one)
        rows = (LAYOUT.view(one, "slots")[:count, PLACE["what"]] * 24).round().astype(int)
        for row in {int(row) for row in rows} - {0}:
            hot = one.copy()
            LAYOUT.view(hot, "units")[23 + row, LAYOUT.groups["units"].index("heat")] = 1.0
            moved = np.abs(run(made, hot[None])[0][0, :count] - run(made, one[None])[0][0, :count])
            stand, others = moved[rows == row], moved[rows != row]
            assert others.max() < 1e-6
            changed += stand.min() > 1e-4
            compared += 1
    assert changed > 0.9 * compared > 10


def test_an_observation_counts_for_itself_alone() -> None:
    """Scores do not depend on what else is in the batch: small questions beside great ones, few units beside many."""
    made = network()
    obs = observations()[::7]
    together, values = run(made, obs)
    for number, one in enumerate(obs):
        alone, value = run(made, one[None])
        np.testing.assert_allclose(alone[0], together[number], atol=1e-5)
        assert abs(value[0] - values[number]) < 1e-5


def test_a_blank_observation_is_no_trouble() -> None:
    """What an environment hands out after the end: nothing to score, a finite value, finite gradients."""
    made = network()
    blank = torch.zeros(2, SIZE)
    logits, values = made(blank)
    assert not logits.any() and torch.isfinite(values).all()
    values.sum().backward()
    assert all(weight.grad is None or torch.isfinite(weight.grad).all() for weight in made.parameters())
    scores, value = Scorer(random_weights(), SMALL).evaluate(blank[0].numpy())
    assert np.isfinite(scores).all() and np.isfinite(value)


def test_it_learns_what_depends_on_row_and_context() -> None:
    """Told to take the most damage where the board is wide and the best cover where it is narrow, it soon does."""
    torch.manual_seed(0)
    draw = np.random.default_rng(0)
    obs = np.zeros((96, SIZE), dtype=np.float32)
    wanted = []
    for number, one in enumerate(obs):
        slots = LAYOUT.view(one, "slots")
        slots[:6, PLACE["present"]] = 1.0
        slots[:6, PLACE["given"]], slots[:6, PLACE["cover"]] = draw.random((2, 6))
        LAYOUT.view(one, "battle")[0, LAYOUT.groups["battle"].index("width")] = number % 2
        wanted.append(slots[:6, PLACE["given" if number % 2 else "cover"]].argmax())
    made = SlotScorer("small")
    steps = torch.optim.Adam(made.parameters(), lr=0.01)
    inputs, targets = torch.from_numpy(obs), torch.tensor(wanted)

    def hits() -> float:
        with torch.no_grad():
            return float((made(inputs)[0][:, :6].argmax(1) == targets).float().mean())

    assert hits() < 0.6
    for _ in range(150):
        loss = torch.nn.functional.cross_entropy(made(inputs)[0][:, :6], targets)
        steps.zero_grad()
        loss.backward()
        steps.step()
    assert hits() > 0.9


def test_it_starts_alike_by_seed_and_undecided() -> None:
    """The same seed, the same weights; before it has learnt, no option is much better than another."""
    torch.manual_seed(5)
    first = arrays_of(SlotScorer("small"))
    torch.manual_seed(5)
    made = SlotScorer("small")
    second = arrays_of(made)
    assert all((first[name] == second[name]).all() for name in first)
    assert {name: array.shape for name, array in first.items()} == shapes(SMALL)
    logits, _ = run(made, observations())
    assert np.abs(logits).max() < 0.7


@pytest.mark.parametrize(("name", "most"), [("small", 30_000), ("default", 262_000)])
def test_sizes_are_plain(name: str, most: int) -> None:
    """Two cores are to train it: no more numbers than this."""
    assert sum(array.size for array in random_weights(named_sizes(name)).values()) < most


def test_sizes_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match=r"there is no network 'smal'.*did you mean small"):
        named_sizes("smal")
    with pytest.raises(ValueError, match="cannot be divided"):
        NetworkSizes(units=6, heads=4, ground=1, context=1, slots=1, value=1)
