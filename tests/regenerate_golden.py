"""Write the golden playthroughs anew: ``python -m tests.regenerate_golden [NAME ...]``.

Run it on purpose only, after a change that was meant to change what happens, and read the difference before committing it.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence

from tests.golden.scenarios import FOLDER, missing, playthrough, scenarios


def main(names: Sequence[str]) -> int:
    """Write the named playthroughs (all without names) and say what changed."""
    found = scenarios()
    unknown = [name for name in names if name not in found]
    if unknown:
        print(f"no scenario {', '.join(unknown)}; known: {', '.join(found)}", file=sys.stderr)
        return 2
    for name in names or found:
        path = found[name].path
        before = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        after = playthrough(found[name])
        if before == after:
            continue
        changes = [line for line in difflib.unified_diff(before, after, lineterm="", n=0) if line[:1] in "+-"][2:]
        path.write_text("\n".join(after) + "\n", encoding="utf-8")
        gone = sum(line[0] == "-" for line in changes)
        print(f"{name}: {len(after)} lines, {gone} gone, {len(changes) - gone} new")
    if not names:
        for path in sorted(FOLDER.glob("*.txt")):
            if path.stem not in found:
                print(f"{path.name} belongs to no scenario: delete it")
    for what in missing():
        print(f"no playthrough for {what}: add one to {FOLDER.name}/scenarios.yaml")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
