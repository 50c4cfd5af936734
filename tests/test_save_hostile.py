"""Files that mean harm, or are no saves: refused with one message, in little time and room, and nothing in them acted upon."""

from __future__ import annotations

import gzip
import random
import re
from pathlib import Path

import pytest

from opfor.errors import InputError
from opfor.formats.megamek import save_xml
from opfor.formats.megamek.save import read_save_bytes
from opfor.formats.megamek.save_battle import import_save, load_imported
from opfor.formats.megamek.save_xml import load_save, parse_save
from opfor.units.catalogue import unit_named
from tests.save_maker import make_save
from tests.support import test_mech

ROOT = "megamek.common.Game"


def refused(data: bytes, words: str) -> InputError:
    """The refusal of a file, which must say these words."""
    with pytest.raises(InputError, match=words) as caught:
        read_save_bytes(data, "evil.sav.gz")
    assert caught.value.source == "evil.sav.gz"
    return caught.value


def test_zip_bomb(monkeypatch: pytest.MonkeyPatch) -> None:
    """What unpacks to more than the bound is refused while it is unpacked, not after."""
    monkeypatch.setattr(save_xml, "LARGEST", 1_000_000)
    refused(gzip.compress(b"<a>" + b" " * 50_000_000), "unpacks to more than 1000000 bytes")


def test_zip_bomb_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """So are many packed parts one after another."""
    monkeypatch.setattr(save_xml, "LARGEST", 1_000_000)
    refused(gzip.compress(b"<a>") + gzip.compress(b" " * 400_000) * 5, "unpacks to more than")


def test_plain_file_too_large(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The bounds hold for what is not packed, and for the packed file itself."""
    monkeypatch.setattr(save_xml, "LARGEST", 1000)
    refused(b"<a>" + b" " * 2000, "is larger than 1000 bytes")
    monkeypatch.setattr(save_xml, "LARGEST_PACKED", 10)
    (tmp_path / "x.sav.gz").write_bytes(b"\x1f\x8b" + b"0" * 20)
    with pytest.raises(InputError, match="is larger than 10 bytes"):
        load_save(tmp_path / "x.sav.gz")


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;&l;&l;&l;&l;&l;"><!ENTITY n "&m;&m;&m;&m;&m;&m;&m;&m;">]>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/x.dtd"> %x;]>',
        '<!DOCTYPE a SYSTEM "http://127.0.0.1/x.dtd">',
        '<?xml-stylesheet href="x.xsl"?>',
    ],
)
def test_document_types_and_entities(head: str) -> None:
    """Billion laughs, files and addresses: no document type is read at all."""
    refused(gzip.compress(f"{head}<{ROOT}>&n;&x;</{ROOT}>".encode()), "declares a document type, entities or instructions")


def test_too_deep() -> None:
    """Elements within each other without end."""
    refused(b"<a>" * 100_000, "too deep within each other")


def test_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements, attributes and text without end."""
    monkeypatch.setattr(save_xml, "_MOST_ELEMENTS", 100)
    refused(b"<a>" + b"<b/>" * 200, "more than 100 elements")
    attributes = " ".join(f'a{n}="1"' for n in range(50))
    refused(f"<{ROOT} {attributes}/>".encode(), "more than 16 attributes")
    monkeypatch.setattr(save_xml, "_LONGEST", 1000)
    refused(b"<a><b>" + b"x" * 5000 + b"</b></a>", "a text of more than 1000 characters")


@pytest.mark.parametrize("cut", [3, 12, 100, -9, -1])
def test_truncated(cut: int) -> None:
    """A packed file that is not whole."""
    refused(make_save([(test_mech(), 0, {"at": "0505"})])[:cut], "ends early|cannot be unpacked|no proper XML")


def test_spoilt() -> None:
    """A bit that has fallen over."""
    data = bytearray(make_save([(test_mech(), 0, {"at": "0505"})]))
    data[len(data) // 2] ^= 0xFF
    refused(bytes(data), "cannot be unpacked|no proper XML|ends early")


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "no proper XML"),
        ("hello", "no proper XML"),
        ("<html><body/></html>", "<html> is no saved game"),
        ("<megamek.common.Board/>", "is no saved game"),
        (f"<{ROOT}/>", "there is no such board"),
        (f"<{ROOT}><board><width>3</width><height>900000</height></board></{ROOT}>", "there is no such board"),
        (f"<{ROOT}><board><width>3</width><height>3</height></board></{ROOT}>", "has 0 hexes: 9 are needed"),
        (f"<{ROOT}><board><width>3x</width></board></{ROOT}>", "width must be a whole number, not '3x'"),
        (f"<{ROOT}><board><width>{'9' * 40}</width></board></{ROOT}>", "width must be a whole number"),
        (f"<{ROOT}><a></{ROOT}>", "no proper XML"),
        ("<a\0/>", "no proper XML"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_no_saves(text: str, words: str, packed: bool) -> None:
    """Other files, and saves without what a battle needs."""
    data = text.encode()
    refused(gzip.compress(data) if packed else data, words)


def test_unpacked_saves_are_read() -> None:
    """A save that somebody has unpacked by hand."""
    assert read_save_bytes(make_save([(test_mech(), 0, {"at": "0505"})], packed=False)).round == 3


def test_missing_and_unreadable(tmp_path: Path) -> None:
    """No file, a folder."""
    with pytest.raises(InputError, match="there is no such file"):
        load_save(tmp_path / "none.sav.gz")
    with pytest.raises(InputError, match="is a folder"):
        load_save(tmp_path)


# -- references -------------------------------------------------------------------------------------------------------


def test_references_in_a_circle() -> None:
    """They lead nowhere, at once."""
    root = parse_save(b'<a><b id="1" reference="2"/><c id="2" reference="1"/><d reference="../d"/></a>').root
    for name in "bcd":
        assert not root.get(name)


@pytest.mark.parametrize(
    "path", ["..", "../../..", "/", "/x", "../b[0]", "../b[9]", "../b[x]", "../" * 5000, "99", "", "../b/c/d"]
)
def test_references_to_nowhere(path: str) -> None:
    """A reference that leads nowhere, or out of the file, is nothing said."""
    node = parse_save(f'<a><b>1</b><c reference="{path}"/></a>'.encode()).root.children[1]
    assert node.real.text in ("", "1")


def test_references_that_lead_through_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Following paths has a bound for the file as a whole."""
    monkeypatch.setattr(save_xml, "_MOST_LOOKS", 1000)
    saved = parse_save(b"<a>" + b"<b/>" * 100 + b'<c reference="../b[100]"/>' * 50 + b"</a>")
    with pytest.raises(InputError, match="lead through too many elements"):
        for node in saved.root.children:
            node.real  # noqa: B018 - looking is what costs


def test_paths_lead_to_what_they_name() -> None:
    """Steps up, by name and by number, from the root, and on through another reference."""
    text = b"""<a><b><x>1</x><x>2</x></b><c><d reference="../../b/x[2]"/><e reference="/a/b/x"/><f reference="../d"/></c></a>"""
    node = parse_save(text).root.get("c")
    assert [node.get(name).text for name in "def"] == ["2", "1", "2"]


# -- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "chassis",
    [
        "../../etc/passwd",
        "C:\\Windows",
        "con: {a: b}",
        '"; rm -rf /',
        "<b>",
        "x" * 5000,
        "日本",
        "- id: evil",
        "a\nMass:100",
        "# no",
    ],
)
def test_hostile_names(tmp_path: Path, chassis: str) -> None:
    """Names of units, pilots and players go into files as names: never as paths, keys or commands."""
    spec = test_mech(name="Own", weapons={"RA": ["is_ppc"]})
    unit = (spec, 0, {"at": "0505", "chassis": chassis, "crew": {"names": chassis}})
    other = (unit_named("Wolverine WVR-6R"), 1, {"at": "0101"})
    players = ({"name": chassis, "team": 1}, {"name": "Princess", "team": 2, "bot": True})
    (tmp_path / "game.sav.gz").write_bytes(make_save([unit, other], players=players))
    made = import_save(tmp_path / "game.sav.gz", out=tmp_path / "deep" / "battle.yaml")
    for name in made.files:
        inside = (tmp_path / "deep" / name).resolve()
        assert inside.is_relative_to((tmp_path / "deep").resolve())
        assert len(inside.name) < 120
    battle = load_imported(made, "game")
    last = battle.state.units[-1]
    assert (last.spec.name, battle.state.sides[last.side]) == ("Wolverine WVR-6R", "opfor")


def test_changed_at_random(tmp_path: Path) -> None:
    """Whatever number or word is changed in a save: it is read, or refused with a message."""
    text = make_save(
        [
            (unit_named("Wolverine WVR-6R"), 0, {"at": "0505", "hits": {1: [1]}}),
            (unit_named("Vedette Medium Tank (Standard)"), 1, {"at": "0707"}),
            (unit_named("Foot Platoon (Rifle)"), 1, {"at": "0909"}),
            (unit_named("Elemental Battle Armor [Laser](Sqd5)"), 0, {"at": "1010"}),
        ],
        hexes={"0303": "0 building:2:0;bldg_cf:33;bldg_elev:2"},
        size=(12, 12),
        mines=[("0606", 0, 10, 0)],
        packed=False,
    ).decode()
    places = [found.span(1) for found in re.finditer(r">([^<]+)<", text)]
    numbers = random.Random(7)
    words = ("-1", "-3", "0", "99", "65536", "-2147483648", "true", "", "x", "NaN", "1e9", "BIPED", "§")
    path = tmp_path / "game.sav"
    read = 0
    for _ in range(120):
        changed = text
        for start, end in sorted(numbers.sample(places, 3), reverse=True):
            changed = changed[:start] + numbers.choice(words) + changed[end:]
        path.write_text(changed)
        try:
            load_imported(import_save(path), "game")
            read += 1
        except InputError as error:
            assert str(error)
    assert read > 20
