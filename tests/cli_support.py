"""Running commands in this process, as a game master would type them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from opfor.cli import app

ROOT = Path(__file__).resolve().parent.parent
RIDGE = ROOT / "examples" / "ridge-12.yaml"
#: the command as a program that heeds an interrupt, even where a shell that runs the tests in the background has it ignored
INTERRUPTIBLE = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from opfor.cli import main; main()"


def opfor(*arguments: object, code: int = 0, stdin: str | None = None) -> Result:
    """Run a command and check its exit status."""
    result = CliRunner().invoke(app, [str(a) for a in arguments], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, f"exit {result.exit_code}\n{result.stdout}\n{result.stderr}"
    assert "Traceback" not in result.output
    return result


def opfor_json(*arguments: object, code: int = 0) -> Any:
    """Run a command with --json: standard output holds one JSON document and nothing else."""
    return json.loads(opfor(*arguments, "--json", code=code).stdout)


def ridge(folder: Path) -> Path:
    """A copy of the example battle to play with."""
    path = folder / "ridge.yaml"
    path.write_text(RIDGE.read_text(encoding="utf-8"), encoding="utf-8")
    return path


def listing(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its content."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
