"""Golden playthroughs: every shipped board and every cluster of rules played out, line by line as it was read and kept."""

from __future__ import annotations

import pytest

from tests.golden.scenarios import FOLDER, Scenario, missing, playthrough, scenarios

SCENARIOS = scenarios()
#: a text longer than this is not read by anybody
LONGEST = 400
_AROUND = 4


def difference(name: str, kept: list[str], played: list[str]) -> str:
    """Where two texts part, with the lines that led there; empty when they agree."""
    if kept == played:
        return ""
    at = next((i for i, (a, b) in enumerate(zip(kept, played, strict=False)) if a != b), min(len(kept), len(played)))
    lines = [f"{name}: line {at + 1} of tests/golden/{name}.txt is not what is played now"]
    lines += [f"    {line}" for line in kept[max(0, at - _AROUND) : at]]
    lines += [f"  - {line}" for line in kept[at : at + _AROUND]] or ["  - (the text ends)"]
    lines += [f"  + {line}" for line in played[at : at + _AROUND]] or ["  + (the playthrough ends)"]
    lines.append(f"if that is meant: python -m tests.regenerate_golden {name}, and read the difference before committing it")
    return "\n".join(lines)


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=lambda s: s.name)
def test_playthrough(scenario: Scenario) -> None:
    """The scenario plays as its text says, and its text shows what it stands for."""
    assert scenario.path.exists(), f"write it first: python -m tests.regenerate_golden {scenario.name}"
    text = scenario.path.read_text(encoding="utf-8")
    # the message is the whole report: no comparison of long lists below it
    if wrong := difference(scenario.name, text.splitlines(), playthrough(scenario)):
        pytest.fail(wrong, pytrace=False)
    assert len(text.splitlines()) <= LONGEST
    for words in scenario.shows:
        assert words in text, f"{scenario.name} does not show {words!r}: choose another seed or other preferences"


def test_every_board_and_cluster_of_rules_has_a_playthrough() -> None:
    """A board or cluster that nobody plays is one whose changes nobody sees."""
    assert not missing()


def test_no_text_is_left_over() -> None:
    """Every text belongs to a scenario."""
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SCENARIOS)


def test_a_playthrough_is_the_same_each_time() -> None:
    """Same scenario, same text: nothing but the seeds decides."""
    scenario = SCENARIOS["brawl"]
    assert playthrough(scenario) == playthrough(scenario)


def test_the_report_names_the_first_line_that_differs() -> None:
    """What a reader sees: the line, what led to it, both readings, and the command."""
    words = difference("x", ["a", "b", "c"], ["a", "b", "d"])
    assert "line 3" in words and "  - c" in words and "  + d" in words and "regenerate_golden x" in words
    assert "(the playthrough ends)" in difference("x", ["a", "b"], ["a"])
    assert not difference("x", ["a"], ["a"])
