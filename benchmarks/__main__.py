"""Measure and print: ``python -m benchmarks [--json] [--quick] [NAME ...]``.

Times are processor time of this process where a rate is given, wall time for whole commands. A run measures everything
in one go on one machine, so that its figures can be compared with each other; across machines only their ratios mean anything.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable
from typing import Any

from benchmarks import commands, environments, kernels, learned, play, step_parts

GROUPS: dict[str, Callable[[bool], list[dict[str, Any]]]] = {
    "state": kernels.state_copy,
    "sight": kernels.line_of_sight,
    "reach": kernels.reachability,
    "compiled": kernels.compiled_kernels,
    "fire": kernels.legal_fire,
    "play": play.self_play,
    "veteran": play.veteran_decisions,
    "commander": play.commander_phases,
    "environments": environments.environments,
    "step": step_parts.step_parts,
    "learned": learned.learned,
    "commands": commands.orders_command,
}


def main() -> int:
    """Run the benchmarks named on the command line, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(GROUPS)}")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--quick", action="store_true", help="fewer repeats: a glance, not a measurement")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in GROUPS]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}: use {', '.join(GROUPS)}")
    rows: list[dict[str, Any]] = []
    for name in arguments.names or GROUPS:
        print(f"measuring {name} ...", file=sys.stderr)
        rows.extend(GROUPS[name](arguments.quick))
    if arguments.json:
        print(json.dumps({"python": platform.python_version(), "machine": platform.machine(), "rows": rows}, indent=1))
        return 0
    print(f"Python {platform.python_version()} on {platform.machine()}\n")
    print(f"| {'what':<58} | {'measured':>14} | {'aim':<18} |")
    print(f"|{'-' * 60}|{'-' * 15}:|{'-' * 20}|")
    for row in rows:
        print(f"| {row['what']:<58} | {row['value']:>8,.6g} {row['unit']:<5} | {row.get('aim', ''):<18} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
