"""Rolls as rollers of boards and chats would print them, for reading them back."""

from __future__ import annotations

from collections.abc import Callable

from opfor.dice import Roll


def _joined(roll: Roll, by: str) -> str:
    return by.join(map(str, roll.dice))


def _count(roll: Roll) -> str:
    return f"{len(roll.dice)}d6"


#: a line for a roll and its reason, by the name of the roller
ROLLERS: dict[str, Callable[[Roll, str], str]] = {
    "log": lambda roll, why: f"{roll.words}: {why}",
    "rolled": lambda roll, why: f"Rolled {_count(roll)}, result {roll.total} ({_joined(roll, ',')}): {why}",
    "board": lambda roll, why: f"14:45, Today: GM rolled {roll.total} using {_count(roll)}. ({_joined(roll, ', ')}) {why}",
    "board doubled": lambda roll, why: (
        f"[GM] 09:07, Mon 3: GM rolled {roll.total} using {_count(roll)} (({_joined(roll, ',')})). {why}"
    ),
    "reason first": lambda roll, why: f"{why}: {_count(roll)} ({_joined(roll, ', ')}) = `{roll.total}`",
    "bold": lambda roll, why: (
        f"**{why}** {_count(roll)}: [{', '.join(f'**{die}**' for die in roll.dice)}] Result: {roll.total}"
    ),
    "die": lambda roll, why: f"🎲 {_count(roll)}: `[{_joined(roll, ', ')}]` Result: {roll.total} {why}",
    "faces": lambda roll, why: f"{_count(roll)} {''.join('⚀⚁⚂⚃⚄⚅'[die - 1] for die in roll.dice)} {why}",
    "total below": lambda roll, why: f"@GM {why}: {_count(roll)} ({_joined(roll, ', ')})\n**Total**: {roll.total}",
}
