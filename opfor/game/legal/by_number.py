"""One combination of attacks by its number, made without making the options that it was not. Rule: S-4.

The numbers are those of :class:`opfor.game.legal.volleys.Volley` where nothing but the primary target ties the weapons
together: weapon by weapon, held first, then mode by mode and lane by lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from opfor.orders import Attack
from opfor.rules.shooting.battery import Battery


class Aim(NamedTuple):
    """One thing to fire at and the guns (bits) that may; ``primary``: it is the primary target."""

    target: str
    guns: int
    primary: bool
    spotter: str = ""
    aim: str = ""


def attacks_by_number(guns: Battery, aims: Sequence[Aim], number: int) -> tuple[Attack, ...]:
    """The combination of that number, counted from 0, of those in which the primary target is fired at."""
    size = len(guns.rows)
    # combinations of the mounts from one on: all, and those without the primary target
    every = [1] * (size + 1)
    without = [1] * (size + 1)
    by_aim = [guns.by_mount(aim.guns) for aim in aims]
    for mount in range(size - 1, -1, -1):
        others = firsts = 1
        for aim, column in zip(aims, by_aim, strict=True):
            firsts += column[mount]
            if not aim.primary:
                others += column[mount]
        every[mount] = every[mount + 1] * firsts
        without[mount] = without[mount + 1] * others
    chosen: list[Attack] = []
    struck = False
    for mount, (first, end) in enumerate(guns.rows):
        # ways to go on, and those that still have to strike the primary target
        free = every[mount + 1]
        bound = free if struck else free - without[mount + 1]
        if number < bound:
            continue
        number -= bound
        number, fired, aim = _nth(aims, first, end, number, free, bound)
        mode = guns.guns[fired].mode
        chosen.append(Attack(mount, aim.target, mode.name, aim.spotter, aim.aim))
        struck = struck or aim.primary
    return tuple(chosen)


def _nth(aims: Sequence[Aim], first: int, end: int, number: int, free: int, bound: int) -> tuple[int, int, Aim]:
    """Which of a mount's guns is fired at what, and what is left of the number. Raises IndexError where it is too high."""
    for fired in range(first, end):
        for aim in aims:
            if aim.guns >> fired & 1:
                ways = free if aim.primary else bound
                if number < ways:
                    return number, fired, aim
                number -= ways
    raise IndexError("no combination has that number")
