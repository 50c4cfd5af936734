"""A recorded evening at the table: examples/evening, five turns of the campaign, made by the commands and by nothing else.

    python -m tests.evening FOLDER

plays it anew. What the players would write is chosen by a policy and stands in ``players-*.txt`` files; all else is what the
commands print and write. ``commands.txt`` lists them in order; :func:`again` runs that list, which checks the record.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from opfor.dice import SeededDice
from opfor.formats.battle_file.battle import Battle, load_battle
from opfor.formats.words.notation import order_in_words
from opfor.game.game import Game
from opfor.gm.policies import policy_named
from opfor.orders import PassOrder
from tests.cli_support import opfor

TURNS = 5
START = "start.txt"
BATTLE = "battle.yaml"
COMMANDS = "commands.txt"
#: what the players' orders are chosen by
PLAYERS = "veteran"


def run(folder: Path, line: str) -> str:
    """Run one line of the list, in the folder; what it prints is kept where the line says ``> FILE``."""
    words, _, target = line.partition(" > ")
    arguments = [
        str(folder / word) if (folder / word).exists() or word.startswith("turn") else word for word in shlex.split(words)[1:]
    ]
    arguments = [str(folder / BATTLE) if word == BATTLE else word for word in arguments]
    said = opfor(*arguments).stdout.replace(f"{folder}/", "")
    if target:
        path = folder / target.strip()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(said, encoding="utf-8")
    return said


def again(folder: Path) -> None:
    """Play the record in ``folder`` again from its start, the players' orders and the list of commands."""
    for line in (folder / COMMANDS).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            run(folder, line)


class Evening:
    """The evening while it is being made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: list[str] = []
        self.seed = 100

    def command(self, line: str) -> None:
        """Run a command and put it on the list."""
        self.lines.append(line)
        run(self.folder, line)

    def battle(self) -> Battle:
        """The battle as it stands."""
        return load_battle(self.folder / BATTLE)

    def apply(self, orders: str, target: str) -> None:
        """Apply orders with dice from a seed of their own; the account is kept."""
        self.seed += 1
        self.command(f"opfor apply {BATTLE} {orders} --seed {self.seed} --format rpol > {target}".replace("  ", " "))

    def make(self) -> None:
        """Play it."""
        self.command(f"opfor new --from-text {START} -o {BATTLE} --seed 3")
        for turn in range(1, TURNS + 1):
            if self.battle().state.winner is not None:
                break
            self.lines.append(f"\n# turn {turn}")
            self.opforce(turn, "calls")
            self.players(turn, "moves")
            self.opforce(turn, "movement")
            self.players(turn, "fire")
            self.opforce(turn, "fire")
            self.command(f"opfor orders {BATTLE} --format text > turn{turn}/lands.txt")
            self.apply("", f"turn{turn}/physical.txt")
        self.command(f"opfor log {BATTLE} > log.txt")
        self.command(f"opfor map {BATTLE} -o turn{TURNS}/end.svg")
        (self.folder / COMMANDS).write_text("\n".join(self.lines).strip() + "\n", encoding="utf-8")

    def opforce(self, turn: int, part: str) -> None:
        """The Op Force's part: its orders are asked for, posted and applied."""
        where = f"turn{turn}/opfor-{part}"
        self.command(f"opfor orders {BATTLE} --seed {turn} --format rpol --out {where}")
        if (self.folder / where / "gm-orders.txt").read_text(encoding="utf-8").strip():
            self.apply(f"{where}/gm-orders.txt", f"turn{turn}/opfor-{part}/result.txt")

    def players(self, turn: int, part: str) -> None:
        """The players' part: what they write, and what comes of it."""
        where = f"turn{turn}/players-{part}.txt"
        lines = list(self.written())
        if lines:
            path = self.folder / where
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            self.apply(where, f"turn{turn}/players-{part}-result.txt")

    def written(self) -> Iterator[str]:
        """What the players order in the part that stands at: chosen on a copy that has the dice that will be thrown."""
        battle = self.battle()
        players = battle.sides_of("gm")
        game = Game(battle.state.copy(), SeededDice(self.seed + 1))
        game.rests = True
        chooser = policy_named(PLAYERS, 0)
        stage = None
        while (decision := game.decision()) is not None:
            state = game.state
            if decision.side not in players:
                if decision.kind != "opportunity":
                    return
                game.apply(PassOrder(decision.units[0].id))
                continue
            stage = stage or (state.phase, state.stage)
            if (state.phase, state.stage) != stage and state.phase != "initiative":
                return
            order = chooser.choose(decision, game.view(decision.side))
            if not isinstance(order, PassOrder):
                yield order_in_words(order, state)
            game.apply(order)


def main() -> None:
    """Make the evening in the folder named."""
    folder = Path(sys.argv[1])
    start = Path(__file__).resolve().parent.parent / "examples" / "evening" / START
    folder.mkdir(parents=True, exist_ok=True)
    if folder / START != start:
        shutil.copy(start, folder / START)
    Evening(folder).make()


if __name__ == "__main__":
    main()
