"""Maps and sheets in a real browser: every number is there, labels keep apart, nothing leaves the picture."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from opfor.formats.battle_file.battle import Battle, load_battle, read_battle
from opfor.gm.advice.drawing import map_bytes
from opfor.gm.advice.sheets import sheet_bytes
from opfor.orders import FireOrder
from opfor.report.maps.map_picture import map_drawing
from opfor.report.maps.map_svg import to_svg
from tests.browser import CHROMIUM, measured, run, screenshot
from tests.pictures import BATTLES, battle_of, orders_of

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="there is no browser here")]
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
#: most of a label's area that others may cover, over all labels of a picture
SHARE = 0.01
_NUMBER = re.compile(r"\d{4}$")


def battle(name: str) -> Battle:
    return load_battle(EXAMPLES / f"{name}.yaml") if name in ("town-24", "ridge-12") else read_battle(battle_of(name))


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Each battle's map as the browser measures it, all in one page."""
    names = ["town-24", "ridge-12", *BATTLES]
    pictures = [map_bytes(battle(name), "svg", whole=True).decode() for name in names]
    pictures.append(map_bytes(battle("town-24"), "svg", size="phone").decode())
    crossroads = battle("crossroads").state
    orders = orders_of(crossroads)
    numbers = {(order.unit, order.primary): "4-11+" for order in orders if isinstance(order, FireOrder)}
    pictures.append(to_svg(map_drawing(crossroads, orders, numbers=numbers)))
    found = measured(pictures, tmp_path_factory.mktemp("maps"))
    return dict(zip([*names, "phone", "orders"], found, strict=True))


@pytest.mark.parametrize("name", ["town-24", "ridge-12", *BATTLES])
def test_every_hex_number_is_drawn(maps: dict[str, dict[str, Any]], name: str) -> None:
    grid = battle(name).state.board.grid
    shown = {word for text in maps[name]["texts"] for word in text["words"].split()[:1] if _NUMBER.match(word)}
    assert shown >= {grid.names[cell] for cell in grid.on_board}


@pytest.mark.parametrize("name", ["town-24", "ridge-12", *BATTLES, "phone", "orders"])
def test_nothing_is_written_outside_the_picture(maps: dict[str, dict[str, Any]], name: str) -> None:
    left, top, width, height = maps[name]["box"]
    for text in maps[name]["texts"]:
        assert text["x"] >= left - 0.5 and text["x"] + text["w"] <= left + width + 0.5, text
        assert text["y"] >= top - 0.5 and text["y"] + text["h"] <= top + height + 0.5, text


@pytest.mark.parametrize("name", ["town-24", "ridge-12", *BATTLES, "phone", "orders"])
def test_labels_keep_apart(maps: dict[str, dict[str, Any]], name: str) -> None:
    """Two texts of a picture cover each other by little: by the inner part of their boxes, which letters fill."""
    texts = [text for text in maps[name]["texts"] if text["w"] and text["words"].strip()]
    inner = [(t["x"] + 1, t["y"] + t["h"] * 0.25, t["x"] + t["w"] - 1, t["y"] + t["h"] * 0.8) for t in texts]
    area = sum(max(0, b[2] - b[0]) * (b[3] - b[1]) for b in inner)
    covered = 0.0
    for a, b in combinations(sorted(inner), 2):
        wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        if wide > 0 and high > 0:
            covered += wide * high
    # eighteen units that all move and fire at two targets leave less room
    assert covered <= (SHARE if name != "orders" else 3 * SHARE) * area, f"{covered / area:.3f}"


def test_a_sheet_of_every_kind_keeps_within_its_page(tmp_path: Path) -> None:
    state = battle("town-24").state
    kinds = {(unit.spec.kind, unit.spec.quad): unit for unit in state.units}
    for unit, found in zip(
        kinds.values(), measured([sheet_bytes(state, u, "svg").decode() for u in kinds.values()], tmp_path), strict=True
    ):
        _, _, width, height = found["box"]
        for text in found["texts"]:
            assert text["x"] >= 0 and text["x"] + text["w"] <= width, (unit.id, text)
            assert text["y"] >= 0 and text["y"] + text["h"] <= height, (unit.id, text)


def test_the_page_is_drawn_with_its_own_script_alone(tmp_path: Path) -> None:
    """The map fills the page's width in the colours of the board, and the script, which the page's policy allows, has run."""
    page = tmp_path / "map.html"
    page.write_bytes(map_bytes(battle("town-24"), "html"))
    picture = tmp_path / "map.png"
    screenshot(page, picture, 1000, 1300)
    image = Image.open(picture).convert("RGB")
    assert image.size == (1000, 1300)
    colours = image.getcolors(1 << 24) or []
    counted = {colour: count for count, colour in colours}
    assert counted.get((0xE6, 0xEE, 0xD2), 0) > 20_000  # level 0
    assert counted.get((0xD2, 0xD2, 0xCF), 0) > 20_000  # pavement
    assert counted.get((0x12, 0x50, 0x9B), 0) > 500  # the players
    assert counted.get((0xB3, 0x31, 0x1A), 0) > 500  # the Op Force


def test_the_page_moves_and_enlarges_and_runs_nothing_else(tmp_path: Path) -> None:
    """A button enlarges, a click on a unit's row goes to it; a script that is not the page's own is kept from running."""
    source = map_bytes(battle("town-24"), "html").decode()
    whole = re.findall(r'viewBox="([^"]+)"', source)
    click = """<script>
document.getElementById("in").click();
const near = document.querySelector("svg").getAttribute("viewBox");
document.querySelectorAll("tr[data-x]")[3].click();
document.body.dataset.seen = near + "|" + document.querySelector("svg").getAttribute("viewBox");
</script>"""
    page = tmp_path / "click.html"
    page.write_text(source.replace("</body>", f"{click}</body>"), encoding="utf-8")
    assert "data-seen" not in run(page, "--dump-dom", profile=tmp_path / "a").split("<script")[0]
    free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", source)
    page.write_text(free.replace("</body>", f"{click}</body>"), encoding="utf-8")
    shown = run(page, "--dump-dom", profile=tmp_path / "b")
    found = re.search(r'data-seen="([^|]+)\|([^"]+)"', shown)
    assert found
    width, near, row = (float(words.split()[2]) for words in (whole[0], found.group(1), found.group(2)))
    assert near == pytest.approx(width / 1.4, rel=0.01) and row == 640
    x, y, w, h = map(float, found.group(2).split())
    at = re.findall(r'data-x="(\d+)" data-y="(\d+)"', source)[3]
    assert (x + w / 2, y + h / 2) == pytest.approx((float(at[0]), float(at[1])), abs=1)
