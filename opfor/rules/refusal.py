"""Why something may not be done, in words that carry the rule."""

from __future__ import annotations


class Refusal(str):
    """Why an order is not legal, with the ledger id of the rule that refuses it. Empty when it is legal."""

    rule: str

    def __new__(cls, why: str = "", rule: str = "S-2") -> Refusal:
        made = super().__new__(cls, why)
        made.rule = rule
        return made
