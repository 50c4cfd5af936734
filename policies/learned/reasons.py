"""What a network chose, in words: the chosen option against the runner-up by what the observation says of both.

A network has no reasons that it could tell. What is told is what it had before it: figures of the option taken and of the
next best one, and the share that it gave to each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from envs.actions import PASS
from envs.features.choice import question_name
from envs.features.geometry import FAR
from envs.features.slots import PLACE
from opfor.game.decision import Decision
from opfor.hex import DIRECTION_NAMES
from opfor.state import State
from policies.learned.player import Step, shares_of
from policies.veteran.reasons import MODE_WORDS

#: questions by how much their answer says of an order; the last of the first kind met is told of
_TELLING = (
    "hex", "from", "primary target", "target", "attack", "cell", "action", "what", "break in", "mode", "twist", "unit",
    "facing", "posture", "weapon",
)  # fmt: skip
#: to do nothing, by the kind of decision
_NOTHING = {
    "call": "announce nothing", "movement": "stay", "fire": "hold fire", "physical": "strike nobody", "action": "start nothing",
    "opportunity": "let it pass",
}  # fmt: skip
#: options that do nothing, as their questions call them
_IDLE = frozenset({"stand", "hold", "none", "pass", "nothing"})
#: alternatives told in notes, beside what was chosen
_OTHERS = 2


class _Figure(NamedTuple):
    """A column of the slots in words: ``scale`` makes it a plain number, from ``least`` on a difference counts."""

    column: str
    scale: float
    unit: str
    least: float
    #: what more of it, and less of it, is called: "" for what is no advantage
    more: str
    less: str


_FIGURES = (
    _Figure("given", 40.0, "deals {:.0f}", 1.0, "more damage done", ""),
    _Figure("taken", 40.0, "takes {:.0f}", 1.0, "", "less fire taken"),
    _Figure("hazard", 20.0, "risks {:.0f} on that ground", 1.0, "", "safer ground"),
    _Figure("odds", 100.0, "odds {:.0f} %", 3.0, "better odds", ""),
    _Figure("dodge", 8.0, "{:+.0f} to be hit", 1.0, "harder to hit", ""),
    _Figure("cover", 100.0, "cover {:.0f} %", 20.0, "more cover", ""),
    _Figure("goal", FAR, "{:.0f} from its objective", 1.0, "", "nearer its objective"),
    _Figure("nearest", FAR, "{:.0f} from the nearest enemy", 1.0, "farther from the enemy", "nearer the enemy"),
    _Figure("left", 100.0, "{:.0f} % left of it", 10.0, "", "more battered"),
)
#: figures that say something of the answers to a question; those of others are not told
_PLACES = ("given", "taken", "hazard", "dodge", "cover", "goal", "nearest")
_SAYS = {
    "hex": _PLACES, "from": _PLACES, "facing": ("given", "taken"), "posture": ("given", "taken"),
    "primary target": ("given", "odds", "left"), "target": ("given", "odds", "left"), "weapon": ("given", "odds"),
    "attack": ("given", "odds"), "twist": ("given",), "mode": ("dodge",), "unit": ("left",),
}  # fmt: skip
#: a movement's odds are below this where it calls for a piloting roll: how likely that is they do not say
_SURE = 0.75


def reason_of(state: State, decision: Decision, steps: Sequence[Step]) -> str:
    """Why, in one clause for the post and the game master."""
    step = _telling(steps)
    if step is None:
        return "nothing else is open to it"
    (words, action, _), *others = _rated(state, decision, step)
    told = _figure_words(step, action) or words
    if not others:
        return told
    name, other, _ = others[0]
    better = _advantages(step, action, other)
    return f"{told}, rather than {name}{f': {better}' if better else ''}"


def notes_of(state: State, decision: Decision, steps: Sequence[Step]) -> list[str]:
    """What was chosen and the next best, each with the network's share for it and what is known of it."""
    step = _telling(steps)
    if step is None:
        return []
    lines = []
    for words, action, share in _rated(state, decision, step):
        figures = _figure_words(step, action)
        lines.append(f"{words}: {100 * share:.0f} %{f' ({figures})' if figures else ''}")
    return lines


def _telling(steps: Sequence[Step]) -> Step | None:
    """The step that says most of the order."""
    if not steps:
        return None
    if steps[-1].action == PASS:
        return steps[-1]
    rank = {name: place for place, name in enumerate(_TELLING)}
    found: Step = min(reversed(steps), key=lambda step: rank.get(question_name(step.question.name), len(rank)))
    return found


def _rated(state: State, decision: Decision, step: Step) -> list[tuple[str, int, float]]:
    """The option taken, then the next best: words, action and share. Of options with the same words the best is told."""
    shares = shares_of(step.logits)
    # no more are put into words than may be told, with room for some that are the same
    order = sorted(range(len(shares)), key=lambda action: (action != step.action, -float(shares[action])))
    found: dict[str, tuple[str, int, float]] = {}
    for action in order[: 4 * (1 + _OTHERS)]:
        words = _option_words(state, decision, step, action)
        found.setdefault(words, (words, action, float(shares[action])))
    return list(found.values())[: 1 + _OTHERS]


def _option_words(state: State, decision: Decision, step: Step, action: int) -> str:
    """An option in a word or two."""
    if action == PASS:
        return _NOTHING[decision.kind]
    question, index = step.question, action - 1
    name = question_name(question.name)
    facts = {fact: column[index] for fact, column in question.facts.items()}
    if name in ("hex", "from") and facts.get("cell", -1) >= 0:
        ways = MODE_WORDS[state.unit(str(facts.get("unit") or step.before.get("unit") or decision.unit_ids[0])).spec.kind]
        mode = str(facts.get("mode") or step.before.get("mode") or "move")
        facing = f" {DIRECTION_NAMES[facts['facing']]}" if name == "from" and "facing" in facts else ""
        return f"{ways.get(mode, mode)} to {state.board.grid.names[facts['cell']]}{facing}"
    if name == "facing" and "facing" in facts:
        return f"face {DIRECTION_NAMES[facts['facing']]}"
    if name == "unit" and facts.get("unit"):
        return f"act with {facts['unit']}"
    if name in ("primary target", "target") and facts.get("target"):
        verb = "fire at" if decision.kind == "fire" else "attack"
        return f"{verb} {str(facts['target']).removeprefix('@')}"
    if name == "weapon" and "target" in facts:
        target = str(facts["target"] or "").removeprefix("@")
        return f"fire {question.subject} at {target}" if target else f"hold {question.subject}"
    label = question.label(index)
    return _NOTHING[decision.kind] if label in _IDLE or name == "primary target" else label


def _value(step: Step, action: int, figure: _Figure) -> float:
    return float(step.rows[action, PLACE[figure.column]]) * figure.scale


def _told_of(step: Step) -> list[_Figure]:
    says = _SAYS.get(question_name(step.question.name), ())
    return [figure for figure in _FIGURES if figure.column in says]


def _figure_words(step: Step, action: int) -> str:
    """What is known of an option: "deals 12, takes 5". Nothing is known of doing nothing."""
    if action == PASS:
        return ""
    told = [(figure, _value(step, action, figure)) for figure in _told_of(step)]
    # what is 0 is not there, and a unit that is whole is not worth a word
    words = [
        figure.unit.format(value)
        for figure, value in told
        if round(value) not in ((0, 100) if figure.column == "left" else (0,))
    ]
    return ", ".join([*words, *(["on a piloting roll"] if _rolls(step, action) else [])])


def _rolls(step: Step, action: int) -> bool:
    """Whether a movement calls for a piloting roll."""
    return question_name(step.question.name) in ("hex", "from") and float(step.rows[action, PLACE["odds"]]) < _SURE


def _advantages(step: Step, action: int, other: int) -> str:
    """In what an option is ahead of another, the two greatest matters."""
    if PASS in (action, other):
        return ""
    found = [(100.0, "no piloting roll")] if _rolls(step, other) and not _rolls(step, action) else []
    for figure in _told_of(step):
        mine, theirs = _value(step, action, figure), _value(step, other, figure)
        words = figure.more if mine > theirs else figure.less
        if words and abs(mine - theirs) >= figure.least:
            found.append((abs(mine - theirs) / figure.least, f"{words} ({mine:.0f}, not {theirs:.0f})"))
    found.sort(key=lambda one: -one[0])
    return " and ".join(words for _, words in found[:2])


__all__ = ["notes_of", "reason_of"]
