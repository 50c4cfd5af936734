"""Configs of training runs: those that ship can be run, and what is wrong in one is said where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envs.scenarios import Scenarios
from opfor.errors import InputError
from training.battles import Battles
from training.config import Evaluation, Imitation, League, Ppo, RunConfig, Stage, change, config_names, load_config


@pytest.mark.parametrize("name", config_names())
def test_every_config_that_ships_can_be_run(name: str) -> None:
    """Its policies, sizes and sets are there, and battles of both splits can be drawn from each set."""
    config = load_config(name)
    assert config.name == name and config.rewards.gamma == config.ppo.gamma
    for battles in (*config.battle_sets, *config.evaluation.scenarios):
        for split in ("train", "held-out"):
            drawn = Scenarios(battles.config(), split=split)
            for seed in range(3):
                drawn.draw(seed)


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("ppo.stepz=5", "ppo.stepz: Extra inputs are not permitted"),
        ("leage={}", "did you mean league"),
        ("ppo.steps=few", "ppo.steps: Input should be a valid integer"),
        ("reward.gamma=0.5", "must be ppo.gamma"),
        ("curriculum.0.until=0.5", "must rise, to 1"),
        ("curriculum.7.until=0.5", "7 is no number from 0 to 0"),
        ("curriculum.0.battles.0.scenario=dual", "did you mean duel"),
        ("network=huge", "there is no network 'huge'"),
        ("evaluation.opponents=[veterann]", "did you mean veteran"),
        ("steps", "is no KEY=VALUE"),
        ("name.first=a", "there is nothing below name"),
        ("start=model.safetensors", ""),
    ],
)
def test_a_setting_that_cannot_be_is_said_in_words(wish: str, said: str) -> None:
    if not said:
        assert load_config("tiny", [wish]).start == "model.safetensors"
        return
    with pytest.raises(InputError, match=said.replace("(", r"\(")):
        load_config("tiny", [wish])


def test_a_config_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean tiny"):
        load_config("tinny")
    with pytest.raises(InputError, match="cannot be read"):
        load_config(str(tmp_path / "none.yaml"))
    empty = tmp_path / "empty.yaml"
    empty.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="no table of settings"):
        load_config(str(empty))


def test_a_file_with_changes(tmp_path: Path) -> None:
    """A file of one's own is read as those that ship are; changes go into tables that it does not have, and into lists."""
    data: dict[str, Any] = {"a": [{"b": 1}, {"b": 2}]}
    change(data, "a.1.b=3")
    change(data, "c.d.e=[1, x]")
    assert data == {"a": [{"b": 1}, {"b": 3}], "c": {"d": {"e": [1, "x"]}}}


def test_every_setting_is_shown() -> None:
    """The config that explains the settings has every one of them; what the program fills in is none."""
    text = (Path(__file__).resolve().parent.parent / "configs" / "training" / "default.yaml").read_text(encoding="utf-8")
    for model in (RunConfig, Imitation, Stage, Battles, Ppo, League, Evaluation):
        for key in model.model_fields.keys() - {"command"}:
            assert f"{key}:" in text, f"{model.__name__}.{key}"


def test_changed_battles_are_others() -> None:
    """Fields are replaced, the rest stays; the name, from which battles are drawn, tells the change."""
    plain, changed = (
        Battles(scenario="skirmish"),
        Battles(scenario="skirmish", change={"units": [2, 2], "budget": [1500, 3500]}),
    )
    assert plain.config().units == (4, 4) and changed.config().units == (2, 2)
    assert changed.config().limit == plain.config().limit
    assert changed.config().name != plain.config().name
    state = Scenarios(changed.config()).draw(1)
    assert [len([unit for unit in state.units if unit.side == side]) for side in (0, 1)] == [2, 2]
    with pytest.raises(InputError, match="change of skirmish"):
        Battles(scenario="skirmish", change={"unitz": [2, 2]}).config()
