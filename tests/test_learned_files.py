"""Model files: what is written is read again; what does not fit or is damaged is refused, and nothing in it runs."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError
from safetensors.numpy import save

import opfor.rulesets
from envs.layout import VERSION, Flat
from envs.observation import SIZE
from opfor.errors import InputError
from opfor.rulesets import named_ruleset, rules_hash
from policies.learned.card import Card, Rating, card_page
from policies.learned.model import load_model, save_model
from policies.learned.network import check_arrays
from policies.learned.sizes import named_sizes
from policies.registry import make
from tests.cli_support import opfor as run
from tests.cli_support import ridge
from tests.learned_models import SMALL, card_of, random_weights
from tests.test_docs import blocks

RATED = Rating(against="veteran", battles=400, score=0.55, low=0.5, high=0.6, where="skirmish, standard")


def written(folder: Path, **more: Any) -> Path:
    return save_model(folder / "m.safetensors", random_weights(), card_of(**more))


def rewritten(path: Path, change: Callable[[dict[str, Flat], dict[str, Any]], None]) -> None:
    """Change arrays and card of a file in place, as another program might have written them."""
    arrays = random_weights()
    card = card_of().model_dump(mode="json")
    change(arrays, card)
    path.write_bytes(save(arrays, {"opfor_model": json.dumps(card)}))


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    card = card_of(command="opfor train default", ratings=(RATED,), weaknesses=("sits in water",), kinds=("mech",))
    path = save_model(tmp_path / "deep" / "m.safetensors", random_weights(), card)
    model = load_model(path)
    assert model.card == card
    assert all((model.arrays[name] == array).all() for name, array in random_weights().items())
    page = path.with_suffix(".md").read_text(encoding="utf-8")
    assert page == card_page(card)
    assert "| veteran | 400 | 55.0 % | 50.0 % to 60.0 % | skirmish, standard |" in page
    assert "* sits in water" in page and "opfor train default" in page
    assert sorted(file.name for file in path.parent.iterdir()) == ["m.md", "m.safetensors"]


def test_the_same_model_is_the_same_bytes(tmp_path: Path) -> None:
    """However its arrays are ordered or laid out in memory."""
    first = written(tmp_path).read_bytes()
    turned = {name: np.asfortranarray(array) for name, array in reversed(random_weights().items())}
    assert save_model(tmp_path / "n.safetensors", turned, card_of()).read_bytes() == first


def test_a_file_that_changes_is_read_anew(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert load_model(path) is load_model(path)
    save_model(path, random_weights(seed=9), card_of(name="another"))
    assert load_model(path).card.name == "another"


@pytest.mark.parametrize(
    ("field", "there", "words"),
    [
        ("format", 2, "of the form 2, and the program has 1"),
        ("observation_version", 99, f"for observations of version 99, and the program has {VERSION}"),
        ("observation_size", 7, f"for observations of the size 7, and the program has {SIZE}"),
        ("actions", 12, "for a number of actions of 12, and the program has 320"),
        ("rules_hash", None, "card.rules_hash"),
        ("rulesets", [], "card.rulesets"),
        ("surplus", 1, "card.surplus"),
    ],
)
def test_what_the_program_has_outgrown_is_refused(tmp_path: Path, field: str, there: Any, words: str) -> None:
    path = tmp_path / "m.safetensors"
    rewritten(path, lambda arrays, card: card.update({field: there}))
    with pytest.raises(InputError, match=words) as caught:
        load_model(path)
    assert str(path) in str(caught.value)


def _set(name: str, array: Any) -> Callable[[dict[str, Flat], dict[str, Any]], None]:
    return lambda arrays, card: arrays.update({name: array})


def _nan(arrays: dict[str, Flat], card: dict[str, Any]) -> None:
    arrays["ground.bias"][3] = np.nan


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda arrays, card: arrays.pop("slot_mix.bias"), "slot_mix.bias is missing"),
        (_set("more", np.zeros(3, dtype=np.float32)), "more belongs to no network"),
        (_set("ground.bias", np.zeros(3, dtype=np.float32)), r"ground.bias has the shape \(3,\), not \(8,\)"),
        (_set("ground.bias", np.zeros(8)), "of float64, not of float32"),
        (_nan, "numbers that are none"),
        (lambda arrays, card: card.update(sizes=named_sizes("default").model_dump()), "has the shape"),
    ],
)
def test_weights_of_another_network_are_refused(tmp_path: Path, change: Any, words: str) -> None:
    path = tmp_path / "m.safetensors"
    rewritten(path, change)
    with pytest.raises(InputError, match=words):
        load_model(path)


class _Bomb:
    """Runs when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (Path("/tmp/opfor-bomb-went-off"),))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "damaged"),
        (b"a diary, not a model\n" * 40, "damaged"),
        (pickle.dumps(_Bomb()), "damaged"),
        (save({"x": np.zeros(2, dtype=np.float32)}), "no model of a policy"),
        (save(random_weights(), {"opfor_model": "{"}), "its card is damaged"),
        (save(random_weights(), {"opfor_model": "[1]"}), "of the form None"),
        (save(random_weights(), {"opfor_model": json.dumps({"format": 1})}), "version None"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "m.safetensors"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        load_model(path)
    assert not Path("/tmp/opfor-bomb-went-off").exists()


@pytest.mark.parametrize("cut", [4, 100, -5000, -1])
def test_a_torn_file_is_refused(tmp_path: Path, cut: int) -> None:
    path = written(tmp_path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InputError, match="damaged"):
        load_model(path)


def test_the_command_tells_it_in_one_line(tmp_path: Path) -> None:
    """No traceback for a file that is not there, is a folder, or is none; nor where no model is in the box."""
    battle = ridge(tmp_path)
    other = tmp_path / "note.safetensors"
    other.write_text("hello")
    for code, words in ((tmp_path / "gone", "No such file"), (tmp_path, "is no file"), (other, "damaged")):
        told = run("orders", battle, "--policy", f"learned:{code}", code=1)
        assert words in told.stderr.replace("\n", " ") and not told.stdout
    with pytest.raises(InputError, match="temperature is a number"):
        make("learned:x.safetensors,temperature=hot")


def test_none_in_the_box(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("policies.learned.model._BOX", ("model", "nothing.safetensors"))
    with pytest.raises(InputError, match=r"no trained model is in the box.*learned:PATH"):
        make("learned")


def test_nothing_is_written_that_could_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a model file is named"):
        save_model(tmp_path / "m.pt", random_weights(), card_of())
    with pytest.raises(InputError, match="has the shape"):
        save_model(tmp_path / "m.safetensors", random_weights(named_sizes("default")), card_of())
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValidationError, match="opinion"):
        card_of(opinion="good")
    check_arrays(random_weights(), SMALL)


def test_rules_that_a_model_has_not_met() -> None:
    """Another turn or budget of actions is another game; any other switch is told of, as are kinds and changed tables."""
    standard, campaign = named_ruleset("standard"), named_ruleset("campaign")
    card = card_of(rulesets=[standard], kinds=("mech",))
    assert card.unfit(standard) == "" and card.warnings(standard, ["mech"]) == []
    assert card.unfit(standard.changed(turn_sequence="mwii")) == (
        "it was trained under turn_sequence standard, and the battle has mwii"
    )
    assert card.unfit(standard.changed(action_budget="campaign")) == (
        "it was trained under action_budget standard, and the battle has campaign"
    )
    turned = standard.changed(partial_cover="house")
    assert card.unfit(turned) == ""
    assert card.warnings(turned, ["mech", "vtol", "vtol"]) == [
        "it was never trained under partial_cover house",
        "it was never trained with units of the kind vtol",
    ]
    both = card_of(rulesets=[standard, campaign])
    assert both.unfit(campaign) == both.unfit(standard) == "" and both.warnings(turned) == []
    old = Card.model_validate(card.model_dump() | {"rules_hash": "0" * 16})
    assert old.warnings(standard) == ["tables or rulesets have changed since it was trained"]


def test_the_rules_hash_follows_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another number in a table, another hash; other line ends or files beside the tables, the same."""

    def hashed(text: bytes, name: str = "heat.yaml") -> str:
        for package in ("configs.rulesets", "opfor.tables"):
            (tmp_path / package).mkdir(exist_ok=True)
        for file in (tmp_path / "opfor.tables").glob("*.yaml"):
            file.unlink()
        (tmp_path / "opfor.tables" / name).write_bytes(text)
        rules_hash.cache_clear()
        return rules_hash()

    monkeypatch.setattr(opfor.rulesets, "files", lambda package: tmp_path / package)
    try:
        first = hashed(b"walk: 1\nrun: 2\n")
        assert len(first) == 16 and int(first, 16) >= 0
        assert hashed(b"walk: 1\r\nrun: 2\r\n") == first
        (tmp_path / "opfor.tables" / "notes.txt").write_text("not a table")
        assert hashed(b"walk: 1\nrun: 2\n") == first
        assert hashed(b"walk: 1\nrun: 3\n") != first
        assert hashed(b"walk: 1\nrun: 2\n", "cold.yaml") != first
    finally:
        rules_hash.cache_clear()


def test_what_the_page_shows_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (shown,) = blocks("learned.md", "python")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(shown, "learned.md", "exec"), names)
    assert len(names["scores"]) == 1 and names["value"] == 0.0
    assert {file.name for file in tmp_path.iterdir()} == {"nothing.safetensors", "nothing.md"}
