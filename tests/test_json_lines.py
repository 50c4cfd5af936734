"""Files that are only added to: a torn last line is cut off, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from opfor.errors import InputError
from opfor.formats import json_lines
from opfor.formats.json_lines import add_line, mend, read_lines


@pytest.mark.parametrize("block", [1, 4, 7, 1 << 16])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b""),
        (b'{"a":1}\n', b'{"a":1}\n'),
        (b'{"a":1}\n{"a":2}\n{"a', b'{"a":1}\n{"a":2}\n'),
        (b'{"a":1', b""),
        (b"\n\n", b"\n\n"),
    ],
)
def test_a_torn_line_is_cut_off(
    before: bytes, after: bytes, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_lines, "_BLOCK", block)
    path = tmp_path / "log.jsonl"
    path.write_bytes(before)
    mend(path)
    assert path.read_bytes() == after


def test_what_is_added_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    mend(path)
    assert list(read_lines(path, "line")) == [] and not path.exists()
    add_line(path, {"name": "Größe"})
    add_line(path, {"list": [1, 2.5, None]})
    assert list(read_lines(path, "line")) == [(1, {"name": "Größe"}), (2, {"list": [1, 2.5, None]})]
    with path.open("ab") as file:
        file.write(b'{"torn')
    assert len(list(read_lines(path, "line"))) == 2
    path.write_bytes(path.read_bytes().replace(b"torn", b"[1]\n"))
    with pytest.raises(InputError, match="line 3: is no line"):
        list(read_lines(path, "line"))
