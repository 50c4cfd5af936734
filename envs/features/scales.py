"""Numbers that plain and compiled features work with alike."""

from __future__ import annotations

import numpy as np

from policies.veteran.weights import weights

#: added to modifiers of lines of fire as they are kept
ZERO = 100
#: of an enemy's fire, what is feared even where friends draw it; and the rest
FLOOR, REST = np.float32(weights().share_floor), np.float32(1.0 - weights().share_floor)
#: keeps what is divided by from being 0
TINY = np.float32(1e-12)

__all__ = ["FLOOR", "REST", "TINY", "ZERO"]
