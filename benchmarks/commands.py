"""Whole commands as a game master runs them: wall time and memory of ``opfor orders``, cold and warm."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from opfor.formats.battle_file.battle import Battle
from opfor.formats.battle_file.battle_write import save_battle
from tests.skirmish import skirmish

ROOT = Path(__file__).resolve().parent.parent


def _battle(folder: Path, name: str, size: int, board: str | list[str]) -> Path:
    from opfor.formats.library import board_named
    from opfor.formats.megamek.board_join import join_boards

    ground = board_named(board) if isinstance(board, str) else join_boards([board_named(b) for b in board])
    state = skirmish(1, board=ground, size=size)
    state.phase = "movement"
    document = {"board": board, "sides": {"alpha": {"controller": "gm"}, "bravo": {"controller": "opfor"}}}
    battle = Battle(document, state, name, controllers=("gm", "opfor"), policies=("", "veteran"))
    path = folder / f"{name}.yaml"
    save_battle(battle, path)
    return path


def _run(arguments: list[str]) -> tuple[float, float]:
    """Wall seconds and peak MiB of one command (0 where the system does not tell)."""
    # the high-water mark of this very program: getrusage would give that of the process it was forked from
    code = (
        "import pathlib, sys; from opfor.cli import main; sys.argv = ['opfor'] + sys.argv[1:]\n"
        "try:\n    main()\nexcept SystemExit as e:\n    assert not e.code, e.code\n"
        "status = pathlib.Path('/proc/self/status')\n"
        "words = status.read_text().split() if status.exists() else ['VmHWM:', '0']\n"
        "print(words[words.index('VmHWM:') + 1], file=sys.stderr)"
    )
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    seconds = time.perf_counter() - start
    if done.returncode:
        raise RuntimeError(done.stderr)
    return seconds, int(done.stderr.strip().splitlines()[-1]) / 1024


def orders_command(quick: bool) -> list[dict[str, Any]]:
    """``opfor orders`` in the movement phase: 4 v 4 on one board, 12 v 12 on two, 24 v 24 with all files.

    Cold is the first run, warm the best.
    """
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for size, board, aim in ((4, "crossroads", 1.5), (12, ["crossroads", "deep-woods"], 5.0)):
            path = _battle(folder, f"battle-{size}", size, board)
            runs = [_run(["orders", str(path), "--seed", "1"]) for _ in range(2 if quick else 5)]
            label = f"opfor orders, movement, {size} v {size}"
            rows.append({"what": f"{label}, first run", "value": runs[0][0], "unit": "s"})
            warm = min(seconds for seconds, _ in runs[1:])
            rows.append({"what": f"{label}, warm", "value": warm, "unit": "s", "aim": f"under {aim}"})
            rows.append({"what": f"{label}, peak memory", "value": max(mib for _, mib in runs), "unit": "MiB"})
        path = _battle(folder, "battle-24", 24, ["crossroads", "deep-woods"])
        arguments = ["orders", str(path), "--seed", "1", "--working", "--format", "html", "--out", str(folder / "out")]
        runs = [_run(arguments) for _ in range(2 if quick else 5)]
        label = "opfor orders, movement, 24 v 24, with post, working, notes and map"
        rows.append(
            {"what": f"{label}, warm", "value": min(seconds for seconds, _ in runs[1:]), "unit": "s", "aim": "under 3.0"}
        )
        seconds, _ = min(_run(["--help"]) for _ in range(2 if quick else 5))
        rows.append({"what": "opfor --help", "value": seconds, "unit": "s"})
    return rows
