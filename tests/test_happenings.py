"""What happened, in words: every event that the rules report has a phrase, filled from its own data."""

from __future__ import annotations

import pytest

from opfor.gm.rulebook.exercised import event_names
from opfor.report.posts.happenings import event_words
from opfor.rules.events import Event
from opfor.tables import load_yaml


def test_every_event_has_a_phrase() -> None:
    from importlib.resources import files

    phrases = load_yaml(files("opfor.report.posts").joinpath("happenings.yaml").read_text(encoding="utf-8"))
    assert [name for name in event_names() if name not in phrases] == []


@pytest.mark.parametrize(
    ("what", "data", "words"),
    [
        ("motive_roll", {"side": "left", "dice": [3, 4], "modifier": 2, "effect": "moderate"}, "motive damage from the left"),
        ("crew_stunned", {"turns": 1, "why": "hit"}, "stunned for 1 turn: hit"),
        ("troopers_lost", {"lost": 1, "left": 20, "source": "x SRM 6"}, "loses 1 trooper, 20 left: x SRM 6"),
        ("mounted", {"carrier": "apc", "at": "0505"}, "a gets into apc in 0505"),
        ("swarms", {"target": "b"}, "a clings to b"),
        (
            "mines",
            {"at": "0606", "tn": {"tn": 9}, "dice": [4, 5], "exploded": True},
            "they go off on 9, rolled 4+5: they explode",
        ),
        ("ice", {"at": "0606", "dice": [6], "broke": False}, "rolled 6: it holds"),
        ("smoke_drifts", {"wind": 2, "hexes": {"0505": 2, "0606": 1}}, "smoke drifts: 0505 heavy, 0606 light"),
        ("fire_declared", {"clear": "turret", "attacks": []}, "a does not fire: frees its turret"),
        ("fire_declared", {"clear": "dig in", "attacks": []}, "a does not fire: dig in"),
        (
            "unit_initiative",
            {"tn": {"tn": 7}, "dice": [4, 5], "total": 9, "won": True},
            "a: initiative, needs 7, rolled 4+5: won",
        ),
        (
            "heat",
            {"before": 0, "built": 22, "engine": 0, "outside": 0, "shed": 16, "held": 11, "after": 17},
            "0 outside - 16 shed + 11 held over = 17",
        ),
        ("waits", {}, "a has won initiative and waits"),
        ("stage", {"phase": "fire", "stage": "answer"}, "--- fire: the Op Force answers"),
        ("opportunity", {"against": "b", "at": "declared"}, "a breaks in on b, as it declares"),
        ("opportunity", {"against": "b", "at": "0709"}, "a breaks in on b, in 0709"),
        ("declares", {"turn": 2}, "a declares its turn"),
        ("paused", {"at": "0709", "mp": 3, "hexes": 1}, "a stops in 0709 for an action, 3 MP, 1 hex so far"),
        ("fire_declared", {"clear": "opportunity", "attacks": []}, "a does not fire: holds an opportunity action"),
        ("landed", {"at": "0707"}, "a lands in 0707"),
        ("landed", {"to": "0707", "why": "dropped"}, "a lands in 0707"),
        ("building_collapsed", {"at": "0404"}, "the building in 0404 collapses"),
    ],
)
def test_events_in_words(what: str, data: dict[str, object], words: str) -> None:
    assert words in event_words(Event(what, "a", "S-1", data))
