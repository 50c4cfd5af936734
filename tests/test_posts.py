"""Posts in every markup: what they say, that hostile names do nothing, and that pieces keep to their limits."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opfor.dice import SeededDice
from opfor.formats.battle_file.battle import Battle, load_battle, read_battle
from opfor.formats.battle_file.battle_schema import PostForm
from opfor.gm.advice.advise import advise
from opfor.gm.advice.handout import form_of, orders_post, post_pieces, results_post, write_handout
from opfor.gm.advice.public import post_of
from opfor.gm.running.control import carry_out
from opfor.orders import MoveOrder
from opfor.report.posts.document import Document, Entry, Line, Span, clean, line
from opfor.report.posts.markup import MARKUPS, markup_named
from opfor.report.posts.published import Part, Post, Published, PublishedAttempt, PublishedSum
from opfor.report.posts.splitting import pieces
from opfor.rulesets import switches
from opfor.tables import load_yaml
from tests.cli_support import RIDGE, ROOT, opfor, ridge
from tests.post_checks import CHECKS, LIMITS
from tests.skirmish import skirmish

#: names that would do harm where they were written as they are
HOSTILE = (
    "<b>Bold", "</b></i>", "a<script>alert(1)</script>", "[b]Bracket[/b]", "[/code][/spoiler]", "**stars**", "_under_ *one",
    "`tick`", "~~gone~~", "||spoiler||", "@everyone", "<@123456789>", "# heading", "> quote", "- list", "1. first", ":smile:",
    "🦊 Fox", "👩‍🚀", "שלום", "\u202eevil", "two\nlines", "alpha-1: stand\nbravo-1: stand", "&amp; &lt;", "https://evil.example/x",
    "\\", "\\*", "tab\there", "' onload='x", '"><img src=x>', "x" * 300, "ends with *", "\u2028line", "\x00\x07", "[", "<",
    "%s {0}",
)  # fmt: skip


def battle_of(seed: int, size: int = 4, *, names: bool = True, turn: str = "campaign") -> Battle:
    """Two forces within range of each other, with hostile names where ``names``."""
    kinds = ("mech", "vehicle", "vtol", "infantry") if seed % 2 else ("mech",)
    state = skirmish(seed, size=size, kinds=kinds, ruleset=turn)
    draw = random.Random(seed)
    if names:
        for unit in state.units:
            unit.name = draw.choice(HOSTILE)
    state.phase = "movement"
    document = {"name": draw.choice(HOSTILE) if names else "Ford", "board": "crossroads", "sides": {"alpha": {}, "bravo": {}}}
    return Battle(document, state, "battle", controllers=("gm", "opfor"), policies=("", "random"))


def closer(battle: Battle, draw: random.Random) -> None:
    """Put everybody into the middle of the board, so that there is something to shoot at."""
    grid = battle.state.board.grid
    hexes = battle.state.board.hexes
    free = [
        c for c in grid.on_board if hexes[c].depth == 0 and not hexes[c].building and not hexes[c].bridge and not hexes[c].swamp
    ]
    middle = grid.cell(grid.width // 2, grid.height // 2)
    free.sort(key=lambda cell: (grid.distance(cell, middle), cell))
    places = free[: 3 * len(battle.state.units)]
    draw.shuffle(places)
    for unit, cell in zip(battle.state.units, places, strict=False):
        unit.cell = cell
        unit.moved, unit.mode = True, "stand"
    battle.state.touch()


# -- what a post says -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fire() -> Battle:
    """The example battle after everybody stood still, in its fire phase."""
    battle = load_battle(RIDGE)
    battle.state = carry_out(battle, "", SeededDice(1), end_phase=True).state
    return battle


def test_a_movement_is_a_line_and_a_clause() -> None:
    battle = load_battle(RIDGE)
    (text,) = orders_post(battle, advise(battle, seed=1, only=["reaver"], locked=["reaver: walk B3"]), "rpol")
    head, order, why = [row for row in text.split("\n") if row][:3]
    assert head.startswith("<b><u>Ridge 12: Op Force, turn 3, movement (still to act: alpha-1, alpha-2, alpha-3, alpha-4)")
    assert order == (
        "<b><darkblue>Reaver</darkblue></b> (Marauder MAD-3R, 75 t): <green>0706 S walk B3 -&gt; 0703 S</green>; "
        "3 of 3 MP, 3 hexes moved, heat 8 +1, in road"
    )
    # 0703 to 0612 of alpha-1 is ten hexes: a column aside, nine rows down and a half
    assert why == "<i>Why:</i> 10 hexes from alpha-1."
    assert text.rstrip().endswith("<b>Open:</b> none.") and "<b>Rules used:</b> standard." in text


def test_an_attack_tells_its_sum_its_roll_and_what_a_hit_does(fire: Battle) -> None:
    (text,) = orders_post(fire, advise(fire, seed=1, locked=["reaver: fire PPC (RA) at alpha-2"]), "markdown")[:1]
    rows = text.split("\n")
    at = next(i for i, row in enumerate(rows) if row.startswith("PPC (RA) at alpha-2"))
    found = re.fullmatch(r"PPC \(RA\) at alpha-2, (\d+) hexes: needs \*\*(\d+)\*\* = gunnery 4(.*)", rows[at])
    assert found
    assert int(found[2]) == 4 + sum(map(int, re.findall(r" ([+-]\d+) ", found[3])))
    assert rows[at + 1].strip() == "roll 2d6; on a hit: 10 points, roll 2d6 for the location (front table)"
    assert not any("\\[S-4\\]" in row for row in rows), "short by default"


@pytest.mark.parametrize("form", MARKUPS)
def test_the_working_adds_up_in_every_markup(fire: Battle, form: str) -> None:
    advice = advise(fire, seed=1)
    text = "".join(map(CHECKS[form], orders_post(fire, advice, form, working=True)))
    sums = [a.sum for one in advice.advised for a in one.attempts]
    assert sums
    for part in (part for sum in sums for part in sum.data["modifiers"]):
        assert f"{part['value']:+d} {part['what']} [{part['rule']}]" in text
    short = "".join(map(CHECKS[form], orders_post(fire, advice, form)))
    assert "[S-4]" not in short and len(short) < len(text)


def test_the_text_post_is_orders_that_apply_reads(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    (tmp_path / "post.txt").write_text(opfor("orders", path, "--seed", 1, "--format", "text", "--working").stdout)
    opfor("apply", path, tmp_path / "post.txt", "--seed", 1)
    assert all(unit.moved for unit in load_battle(path).state.units if unit.side == 1)


def test_a_players_post_in_brackets_is_no_json(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    opfor("apply", path, "[b]alpha-1[/b]: stand", "--seed", 1)
    assert load_battle(path).state.unit("alpha-1").moved
    assert "is no JSON" in opfor("apply", path, '[{"unit": "alpha-2"', code=1).stderr


def test_a_name_of_several_lines_gives_no_orders_on_the_terminal(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    path.write_text(path.read_text().replace("name: Reaver\n", 'name: "Reaver\\nlancer: stand"\n'))
    path.write_text(path.read_text().replace("name: Ridge 12\n", 'name: "Ridge\\nskewer: stand"\n'))
    printed = opfor("orders", path, "--seed", 1, "--only", "reaver", "--out", tmp_path / "out").stdout
    assert "\nskewer" not in (tmp_path / "out" / "gm-notes.txt").read_text()
    assert "Reaver lancer: stand (Marauder" in printed
    assert [row.partition(":")[0] for row in printed.splitlines() if row and row[0] not in " #"] == ["reaver"]


def test_house_rules_that_bear_on_the_post_are_named() -> None:
    battle = battle_of(3, names=False)
    closer(battle, random.Random(3))
    battle.state.phase = "fire"
    post = post_of(battle, advise(battle, seed=1))
    assert any(one.attempts for one in post.orders)
    assert "no modifier for second targets [M-4]" in post.house
    standard = battle_of(3, names=False, turn="standard")
    closer(standard, random.Random(3))
    standard.state.phase = "fire"
    assert post_of(standard, advise(standard, seed=1)).house == ()
    # a rule of fire has no part in a post of movements
    moving = battle_of(3, names=False)
    assert not any("[M-4]" in words for words in post_of(moving, advise(moving, seed=1)).house)


def test_every_house_rule_that_posts_may_name_is_a_switch() -> None:
    rows = load_yaml((ROOT / "opfor" / "report" / "posts" / "rules_used.yaml").read_text(encoding="utf-8"))
    assert set(rows) <= set(switches())
    kinds = {"fire", "physical", "call", "vtol", "evade", "sprint", "opportunity"}
    assert {row["when"] for row in rows.values()} == kinds


def test_open_questions_stand_at_the_end(tmp_path: Path) -> None:
    text = RIDGE.read_text(encoding="utf-8").replace("ruleset: standard", "ruleset: campaign")
    battle = read_battle(text)
    post = post_of(battle, advise(battle, seed=1))
    assert post.open == ("these have neither moved nor won initiative to wait: alpha-1, alpha-2, alpha-3, alpha-4",)
    assert "<b>Open:</b> these have neither moved" in orders_post(battle, advise(battle, seed=1), "rpol")[-1]


def test_what_happened_as_a_post(fire: Battle) -> None:
    outcome = carry_out(fire, "reaver: fire PPC (RA) at alpha-2\nalpha-2: hold fire", SeededDice(3), end_phase=True)
    for form in MARKUPS:
        made = results_post(fire, fire.state, outcome.events, form)
        text = "".join(map(CHECKS[form], made))
        assert "what happened in turn 3, fire" in text
        # natural dice are shown
        assert re.search(r"reaver \(0706\) PPC at alpha-2 \(0713\), range 7: needs \d+, rolled \d\+\d: (hit|miss)", text)


def test_nothing_to_tell_is_told() -> None:
    battle = load_battle(RIDGE)
    assert "Nothing that everybody knows of" in results_post(battle, battle.state, [], "rpol")[0]
    empty = Post("x", 1, "movement", "standard")
    assert "Nobody of the Op Force" in post_pieces(empty, "bbcode")[0]


# -- the markup that is asked for --------------------------------------------------------------------------------------


def test_the_battle_file_may_name_the_markup(tmp_path: Path) -> None:
    assert set(get_args(PostForm)) == set(MARKUPS)
    text = RIDGE.read_text(encoding="utf-8")
    assert form_of(read_battle(text)) == "text"
    battle = read_battle(text.replace("name: Ridge 12\n", "name: Ridge 12\npost: rpol\n"))
    assert form_of(battle) == "rpol"
    # the side's own goes before the battle's
    battle = read_battle(
        text.replace("name: Ridge 12\n", "name: Ridge 12\npost: rpol\n").replace(
            "controller: opfor,", "controller: opfor, post: markdown,"
        )
    )
    assert form_of(battle) == "markdown"
    paths = write_handout(battle, advise(battle, seed=1), tmp_path / "out")
    assert "post.md" in {path.name for path in paths}
    path = ridge(tmp_path)
    path.write_text(text.replace("name: Ridge 12\n", "name: Ridge 12\npost: bbcode\n"))
    opfor("apply", path, "--end-phase", "--seed", 1)
    assert form_of(load_battle(path)) == "bbcode", "kept when the battle is written"


def test_pieces_are_numbered_and_old_ones_do_not_stay(tmp_path: Path) -> None:
    battle = battle_of(1, 12, names=False)
    advice = advise(battle, seed=1)
    names = {p.name for p in write_handout(battle, advice, tmp_path, form="markdown", working=True)}
    posts = sorted(name for name in names if name.startswith("post"))
    assert len(posts) > 1 and posts[0] == "post-1.md"
    for number in range(1, len(posts) + 1):
        assert f"piece {number} of {len(posts)}" in (tmp_path / f"post-{number}.md").read_text().splitlines()[0]
    write_handout(battle, advice, tmp_path, form="rpol")
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith("post")) == ["post.txt"]


@pytest.mark.parametrize("form", MARKUPS)
def test_commands_print_posts(tmp_path: Path, form: str) -> None:
    path = ridge(tmp_path)
    printed = opfor("orders", path, "--seed", 1, "--format", form).stdout
    assert "Reaver" in printed and "why:" not in printed
    if form == "html":
        assert printed.count("<svg") == 1 and "<script" not in printed
    told = opfor("apply", path, "alpha-1: stand", "--seed", 1, "--dry-run", "--format", form).stdout
    assert "alpha-1 stands still in 0612" in told
    wanted = opfor("apply", path, "alpha-4: SU", "--format", form).stdout
    assert "2d6 for alpha-4: piloting, standing up" in wanted


def test_json_of_orders_for_everybody_has_neither_reasons_nor_odds(tmp_path: Path, fire: Battle) -> None:
    write_handout(fire, advise(fire, seed=1), tmp_path)
    document = json.loads((tmp_path / "orders.json").read_text())
    text = json.dumps(document)
    assert not any(key in text for key in ('"reason"', '"odds"', '"expected_damage"', '"policy"', '"seed"'))
    for order in document["orders"]:
        for sum in order["sums"]:
            assert sum["tn"] == sum["modifiers"][0]["value"] + sum_of(sum["modifiers"][1:])


def sum_of(parts: list[dict[str, Any]]) -> int:
    return sum(part["value"] for part in parts)


# -- hostile names -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", MARKUPS)
@pytest.mark.parametrize("seed", range(6))
def test_posts_of_random_battles_are_well_made(seed: int, form: str) -> None:
    battle = battle_of(seed)
    for phase in ("movement", "fire"):
        if phase == "fire":
            closer(battle, random.Random(seed))
        battle.state.phase = phase
        advice = advise(battle, seed=seed)
        made = orders_post(battle, advice, form, working=bool(seed % 2))
        read = "".join(map(CHECKS[form], made))
        assert read.count("Why:") <= len(advice.advised)
        for one in advice.advised:
            assert clean(one.words) in read.replace("\u2068", "").replace("\u2069", "")


@pytest.mark.parametrize("seed", range(3))
def test_the_map_in_the_page_is_well_made(seed: int) -> None:
    battle = battle_of(seed)
    (text,) = orders_post(battle, advise(battle, seed=seed), "html")
    picture = text[text.index("<svg") : text.index("</svg>") + 6]
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(picture).iter()}
    assert "text" in tags and not tags & {"script", "foreignObject", "image", "a"}


@pytest.mark.parametrize("form", LIMITS)
def test_twenty_four_units_stay_under_the_limits(form: str) -> None:
    battle = battle_of(5, 24)
    closer(battle, random.Random(5))
    battle.state.phase = "fire"
    advice = advise(battle, seed=5)
    assert len(advice.advised) >= 24
    made = orders_post(battle, advice, form, working=True)
    read = [CHECKS[form](piece) for piece in made]
    if len(made) > 1:
        assert all(f"piece {n} of {len(made)}" in text for n, text in enumerate(read, start=1))
    # short, a round of 24 units is one post on RPoL
    assert form != "rpol" or len(orders_post(battle, advice, form)) == 1


@pytest.mark.parametrize("form", MARKUPS)
@settings(max_examples=25, deadline=None)
@given(name=st.text(max_size=60), about=st.text(max_size=60), words=st.text(max_size=80), long=st.integers(1, 25))
def test_any_text_is_written_as_itself(form: str, name: str, about: str, words: str, long: int) -> None:
    parts = (Part(words or "gunnery", 4, "E-9"), Part("range", 2, "S-4"))
    attempt = PublishedAttempt(PublishedSum(name, 6, parts), about, 3, words)
    one = Published("u-1", name, about, words, MoveOrder("u-1", "stand", (), 0, 0), (words, about), words, (attempt,) * long)
    post = Post(name, 1, "fire", words, (one,), (about,), (words,), (about,), (name,))
    if form == "text":
        made = post_pieces(post, form, working=True)
        rows = [row for row in made[0].split("\n") if row and row[0] not in " #"]
        assert rows == [f"u-1: {clean(words)}"]
        return
    for piece in post_pieces(post, form, working=True):
        CHECKS[form](piece)


def test_what_is_cleaned() -> None:
    assert clean("two\nlines\x00") == "two lines "
    assert clean("\u202eevil\u2066") == "evil"
    assert clean("👩\u200d🚀") == "👩\u200d🚀"
    assert clean("a" * 20, 10) == "a" * 9 + "…"
    assert clean("\ud800") == "\ufffd"
    # a name that runs from right to left turns nothing else round
    assert markup_named("rpol").words("שלום") == "\u2068שלום\u2069"
    assert markup_named("html").words("שלום") == "<bdi>שלום</bdi>"


# -- pieces ------------------------------------------------------------------------------------------------------------


def test_an_entry_is_never_broken_where_it_fits() -> None:
    rows = tuple(line(f"line {n} ", Span("x" * 60, "strong")) for n in range(8))
    entries = tuple(Entry(f"u-{n}", line(Span(f"u-{n}", "name")), rows) for n in range(20))
    made = pieces(Document("Heading", entries), markup_named("markdown"))
    assert len(made) > 5
    for n in range(20):
        holding = [text for text in made if f"**u-{n}**" in text]
        assert len(holding) == 1 and all(f"**u-{n}**\nline 0" in text for text in holding)
    assert not any("continued" in text for text in made)
    # every piece is as full as the next entry lets it be
    size = len(markup_named("markdown").entry(entries[10])) + 2
    assert all(len(text) + size > 2000 for text in made[:-1])


@pytest.mark.parametrize("form", LIMITS)
def test_an_entry_longer_than_a_piece_is_broken_at_a_line(form: str) -> None:
    markup = markup_named(form)
    rows = tuple(line(f"row {n}: ", Span("word " * 20, "strong")) for n in range(900))
    aside = tuple(line(f"aside {n}: ", Span("[S-4] " * 10)) for n in range(900))
    made = pieces(Document("Heading", (Entry("Reaver", line(Span("Reaver", "name"), ": order"), rows, aside),)), markup)
    assert len(made) > 1
    read = [CHECKS[form](text) for text in made]
    whole = "\n".join(read)
    assert re.findall(r"row (\d+):", whole) == [str(n) for n in range(900)]
    assert re.findall(r"aside (\d+):", whole) == [str(n) for n in range(900)]
    assert all("Reaver (continued)" in text for text in read[1:])
    for text in read:
        assert text.count("word") % 20 == 0, "a line that fits is whole"


@pytest.mark.parametrize("form", LIMITS)
def test_a_line_longer_than_a_piece_is_broken_between_words(form: str) -> None:
    words = [f"w{n}" for n in range(30_000)]
    long = Entry("Reaver", line("head"), (Line((Span(" ".join(words), "strong"),)),))
    made = pieces(Document("Heading", (long,)), markup_named(form))
    read = "\n".join(CHECKS[form](text) for text in made)
    assert re.findall(r"\bw\d+\b", read) == words


def test_a_word_longer_than_a_piece_is_broken_somewhere() -> None:
    long = Entry("Reaver", line("head"), (line(Span("<*" * 5000, "strong")),))
    made = pieces(Document("Heading", (long,)), markup_named("markdown"))
    assert "".join(CHECKS["markdown"](text) for text in made).count("<*") + 0 >= 4990


def test_no_number_where_there_is_one_piece() -> None:
    (made,) = pieces(Document("Heading", (Entry("a", line("text")),)), markup_named("rpol"))
    assert made == "<b><u>Heading</u></b>\n\ntext\n"
