"""A browser without a window, for tests of pictures: what it makes of a page's text, and how the page looks."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--no-first-run",
    "--hide-scrollbars",
)
#: measures every text of every picture, in the units of the picture, once the page is drawn
_MEASURE = """
const found = [...document.querySelectorAll("svg")].map((svg) => ({
  box: svg.getAttribute("viewBox").split(" ").map(Number),
  texts: [...svg.querySelectorAll("text")].map((text) => {
    const b = text.getBBox();
    return { words: text.textContent, x: b.x, y: b.y, w: b.width, h: b.height };
  }),
}));
const out = document.createElement("pre");
out.id = "measured";
out.textContent = JSON.stringify(found);
document.body.append(out);
"""


def run(page: Path, *arguments: str, profile: Path) -> str:
    """The browser's output for a page."""
    assert CHROMIUM
    command = [CHROMIUM, *_FLAGS, f"--user-data-dir={profile}", *arguments, page.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=120, check=True)
    return done.stdout.decode("utf-8")


def measured(pictures: list[str], folder: Path) -> list[dict[str, Any]]:
    """The texts of SVG pictures as the browser draws them: each with its words and its box."""
    page = folder / "measure.html"
    page.write_text(
        f"<!doctype html><meta charset=utf-8><body>{''.join(pictures)}<script>{_MEASURE}</script></body>", encoding="utf-8"
    )
    shown = run(page, "--dump-dom", profile=folder / "profile-measure")
    found = re.search(r'<pre id="measured">(.*?)</pre>', shown, re.DOTALL)
    assert found
    result: list[dict[str, Any]] = json.loads(unescape(found.group(1)))
    return result


def screenshot(page: Path, picture: Path, width: int, height: int) -> None:
    """Write how a page looks as a PNG."""
    run(page, f"--screenshot={picture}", f"--window-size={width},{height}", profile=picture.parent / "profile-shot")
