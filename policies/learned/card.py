"""The card of a model: what it was trained for, on what and how, what it is known to be worth; as data and as a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

import opfor
from envs.actions import ACTIONS
from envs.layout import VERSION
from envs.observation import SIZE
from opfor.rulesets import Ruleset, rules_hash
from policies.learned.sizes import NetworkSizes

#: raised when a model file changes its form
FORMAT = 1
#: switches that shape what is asked: a battle is played where each has a value that was trained on
SHAPING = ("turn_sequence", "action_budget")


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TrainedRules(_Entry):
    """A ruleset trained on, with the value of every switch."""

    name: str
    switches: dict[str, Any]


class Rating(_Entry):
    """What was reached against an opponent: the share of points won (a draw counts half), with its 95 % interval."""

    against: str
    battles: int = Field(ge=1)
    score: float = Field(ge=0.0, le=1.0)
    low: float = Field(ge=0.0, le=1.0)
    high: float = Field(ge=0.0, le=1.0)
    #: the set of battles, and its rules
    where: str


class Card(_Entry):
    """What stands in a model file beside its weights. All but what names the network and the rules is for people."""

    format: int = FORMAT
    name: str
    opfor: str
    #: id of the environment (``opfor/Skirmish-v0``), the scenarios trained in
    environment: str
    scenarios: tuple[str, ...]
    observation_version: int
    observation_size: int
    actions: int
    sizes: NetworkSizes
    rules_hash: str
    rulesets: tuple[TrainedRules, ...] = Field(min_length=1)
    #: kinds of unit trained with
    kinds: tuple[str, ...] = ()
    #: the command that trained it, and on what in words: recorded decisions, steps of self-play, opponents
    command: str = ""
    data: str = ""
    ratings: tuple[Rating, ...] = ()
    weaknesses: tuple[str, ...] = ()

    def trained_values(self, switch: str) -> list[Any]:
        """The values of a switch in the rulesets trained on, each once; empty for a switch that there was not."""
        found: list[Any] = []
        for rules in self.rulesets:
            if switch in rules.switches and rules.switches[switch] not in found:
                found.append(rules.switches[switch])
        return found

    def unfit(self, ruleset: Ruleset) -> str:
        """Why a battle under these rules cannot be played, "" where it can."""
        for switch in SHAPING:
            trained, here = self.trained_values(switch), getattr(ruleset, switch)
            if here not in trained:
                return f"it was trained under {switch} {' and '.join(map(str, trained))}, and the battle has {here}"
        return ""

    def warnings(self, ruleset: Ruleset, kinds: Sequence[str] = ()) -> list[str]:
        """What in a battle it has never met, in words: values of switches, ``kinds`` of unit, another state of the rules."""
        found = []
        strange = [f"{switch} {here}" for switch, here in ruleset.values().items() if here not in self.trained_values(switch)]
        if strange:
            found.append(f"it was never trained under {', '.join(strange)}")
        if new := [kind for kind in dict.fromkeys(kinds) if self.kinds and kind not in self.kinds]:
            found.append(f"it was never trained with units of the kind {', '.join(new)}")
        if self.rules_hash != rules_hash():
            found.append("tables or rulesets have changed since it was trained")
        return found


def new_card(
    name: str, sizes: NetworkSizes, *, environment: str, scenarios: Sequence[str], rulesets: Sequence[Ruleset], **more: Any
) -> Card:
    """The card of a model trained with the program as it is. ``more``: further fields of :class:`Card`.

    Raises :class:`pydantic.ValidationError` for fields that there are not.
    """
    return Card(
        name=name,
        opfor=opfor.__version__,
        environment=environment,
        scenarios=tuple(scenarios),
        observation_version=VERSION,
        observation_size=SIZE,
        actions=ACTIONS,
        sizes=sizes,
        rules_hash=rules_hash(),
        rulesets=tuple(TrainedRules(name=one.name, switches=one.values()) for one in dict.fromkeys(rulesets)),
        **more,
    )


def card_page(card: Card) -> str:
    """The card as a page in Markdown."""
    lines = [f"# {card.name}", "", "A model for the policy `learned`. " + _rules_words(card), ""]
    if card.ratings:
        lines += ["| against | battles | score | 95 % | where |", "|---|---|---|---|---|"]
        lines += [
            f"| {one.against} | {one.battles} | {_share(one.score)} | {_share(one.low)} to {_share(one.high)} | {one.where} |"
            for one in card.ratings
        ]
        lines += ["", "Score: battles won, drawn ones counting half.", ""]
    else:
        lines += ["It has not been rated.", ""]
    lines += ["## Known weaknesses", ""]
    lines += [f"* {words}" for words in card.weaknesses] or ["None are written down."]
    lines += ["", "## How it was made", ""]
    if card.data:
        lines += [card.data, ""]
    if card.command:
        lines += ["```text", card.command, "```", ""]
    sizes = ", ".join(f"{name} {width}" for name, width in card.sizes.model_dump().items())
    lines += [
        f"* opfor {card.opfor}, rules {card.rules_hash}",
        f"* environment {card.environment}, scenarios {', '.join(card.scenarios)}",
        f"* observation version {card.observation_version} of {card.observation_size} numbers, {card.actions} actions",
        f"* network: {sizes}",
    ]
    return "\n".join(lines) + "\n"


def _rules_words(card: Card) -> str:
    names = ", ".join(one.name for one in card.rulesets[:6])
    more = f" and {len(card.rulesets) - 6} more" if len(card.rulesets) > 6 else ""
    shaping = "; ".join(f"{switch} {', '.join(map(str, card.trained_values(switch)))}" for switch in SHAPING)
    kinds = f" Units: {', '.join(card.kinds)}." if card.kinds else ""
    return f"Trained under the rulesets {names}{more} ({shaping}).{kinds}"


def _share(score: float) -> str:
    return f"{100 * score:.1f} %"


__all__ = ["FORMAT", "SHAPING", "Card", "Rating", "TrainedRules", "card_page", "new_card"]
