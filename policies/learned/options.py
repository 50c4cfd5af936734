"""How an observation tells which unit an option stands for: read alike by the network that learns and by the one that plays."""

from __future__ import annotations

from envs.features.choice import GROUP as CHOICE
from envs.features.slots import PLACE

#: column of the slots with the row of an option's unit among its side's, so that all of them make 1
ROW = PLACE["what"]
#: columns of the group choice for questions whose options are own units, and enemies
OF_OWN = [CHOICE.index(f"asks_{question}") for question in ("unit", "spotter")]
OF_ENEMIES = [CHOICE.index(f"asks_{question}") for question in ("primary_target", "weapon", "target")]

__all__ = ["OF_ENEMIES", "OF_OWN", "ROW"]
