"""Repeating and timing: the fastest of several repeats in processor time, so that a busy neighbour disturbs least."""

from __future__ import annotations

import time
from collections.abc import Callable


def fastest(work: Callable[[], object], *, calls: int, repeats: int = 5) -> float:
    """Seconds of processor time for one call of ``work``: the best of ``repeats`` rounds of ``calls`` calls."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        for _ in range(calls):
            work()
        best = min(best, (time.process_time() - start) / calls)
    return best
