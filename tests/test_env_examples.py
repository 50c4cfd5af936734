"""The examples of the environments run, and do what they say."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def example(name: str) -> Any:
    """The ``main`` of an example."""
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))["main"]


def test_random_agent(capsys: pytest.CaptureFixture[str]) -> None:
    winners = example("random_agent")(battles=2)
    assert len(winners) == 2 and set(winners) <= {-1, 0, 1}
    assert capsys.readouterr().out.count("battle ") == 2


def test_two_policies(capsys: pytest.CaptureFixture[str]) -> None:
    """What one side wins the other loses."""
    paid = example("two_policies")()
    assert sorted(paid.values()) in ([-1.0, 1.0], [0.0, 0.0])
    assert "The battle is over" in capsys.readouterr().out


@pytest.mark.parametrize("number", [0, 1])
def test_the_page_as_it_is_written(number: int) -> None:
    """What docs/environments.md shows runs: one battle for one commander, one for two (duels, against who costs little)."""
    text = (EXAMPLES.parent / "docs" / "environments.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[number]
    names: dict[str, Any] = {}
    exec(code.replace("Skirmish", "Duel").replace('"veteran"', '"random:tree"'), names)
    env = names["env"]
    if number == 0:
        assert names["info"]["winner"] in (-1, 0, 1)
        assert names["info"]["is_success"] == (names["info"]["winner"] == env.unwrapped.agent)
    else:
        assert not env.agents


def test_train_ppo(tmp_path: Path) -> None:
    """A few steps of training: as many as asked for are taken, and what is learnt answers with a legal action."""
    import torch

    # many threads for a small network only wait for each other where other tests run beside
    torch.set_num_threads(1)
    learner = example("train_ppo")(steps=64, envs=2, rollout=32, save=str(tmp_path / "duel"))
    assert learner.num_timesteps == 64
    assert (tmp_path / "duel.zip").exists()
    seen = learner.env.reset()
    masks = np.stack(learner.env.env_method("action_masks"))
    actions, _ = learner.predict(seen, action_masks=masks)
    assert all(masks[row, action] for row, action in enumerate(actions))
