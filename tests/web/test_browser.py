"""The page in a real browser: whole games by clicks, keys and touch, and what goes back, on, or is lost."""

import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from ludus.envs import make_game
from ludus.records import read_games, write_games
from ludus.records.only_moves import puzzles_of

from ..helpers.site import served
from ..helpers.system.browser import CHROMIUM
from ..helpers.tab import Tab

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


# ---- whole games


@pytest.mark.parametrize("spec", ["quarto", "quixo:size=3"])
def test_a_whole_game_is_played_by_keys_alone(tab: Tab, spec: str):
    tab.open(game=spec, first="you", second="perfect", seed="2")
    tab.finish(random.Random(3), how="key")


@pytest.mark.parametrize("spec", ["nim:heaps=1+2+3", "othello:size=4"])
def test_a_whole_game_is_played_by_touch_on_a_phone(phone: Tab, spec: str):
    phone.open(game=spec, first="you", second="perfect", seed="3")
    phone.finish(random.Random(4), how="tap")


def test_the_board_is_one_tab_stop_and_every_cell_can_be_read(tab: Tab):
    tab.open(game="quixo:size=3", first="you", second="you", moves="a1>a3")
    assert tab.page.locator("#board [tabindex='0']").count() == 1
    labels = "all => all.map((one) => one.getAttribute('aria-label'))"
    assert len(tab.page.locator("#board [data-place]").evaluate_all(labels)) == 9
    tab.page.locator("#board [tabindex='0']").focus()
    heard = list[str]()
    for key in ("ArrowDown", "ArrowRight", "Enter", "ArrowDown"):
        tab.page.keyboard.press(key)
        heard.append(tab.page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert heard == ["a2, empty", "b2, empty", "b2, empty", "b3, empty"]
    assert tab.page.get_by_role("img", name="a3, X, last move").count() == 1
    tab.page.keyboard.press("Shift+Tab")
    assert not tab.page.evaluate("document.activeElement.matches('#board *')")
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate("document.activeElement.getAttribute('aria-label')") == "b3, empty"


# ---- the address, and what goes back


def test_a_game_survives_a_restart_of_the_server(chromium: Browser):
    with served() as host:
        tab = Tab(chromium, host, 800, 800, touch=False)
        tab.open(game="tictactoe", first="you", second="random", seed="9")
        tab.page.get_by_role("button", name="b2, empty", exact=True).click()
        expect(tab.page.locator("#moves button")).to_have_count(2)
    expect(tab.page.locator("#connection")).to_contain_text("trying again")
    with served(port=int(host.partition(":")[2])):
        expect(tab.page.locator("#connection")).to_be_empty()
        tab.finish(random.Random(9))
        tab.complaints = [text for text in tab.complaints if "WebSocket connection" not in text]  # while nobody listened
        tab.close()


# ---- the game as a text


def read_text(tab: Tab, text: str) -> None:
    """Reads a text on the page."""
    tab.page.evaluate("document.querySelector('#text').open = true")
    tab.page.locator("#record textarea").fill(text)
    tab.page.get_by_role("button", name="Read", exact=True).click()


@pytest.mark.parametrize(
    ("spec", "tree", "start", "written"),
    [
        (
            *("quarto", "0:give 3,b2,give 4,c3,give 15;1:a1,give 5,d4;2:give 4,d2", None),
            "(2. a1 3. give 5 (3. give 4 4. d2) 4. d4)",
        ),
        ("nim:limit=3", "0:4-3,3-2,1-1;2:2-3", "1 3 5 6", "2. 3-2 3. 1-1 (3. 2-3)"),
    ],
)
def test_a_game_with_variations_goes_to_a_text_to_the_readers_of_files_and_back(
    tab: Tab, tmp_path: Path, spec: str, tree: str, start: str | None, written: str
):
    moves = tree.partition(":")[2].partition(";")[0]
    tab.open(game=spec, first="greedy", second="you", moves=moves, tree=tree, ply="1", **({"start": start} if start else {}))
    fields = tab.fields
    tab.page.locator("#text summary").click()
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="Save", exact=True).click()
    download.value.save_as(tmp_path / "game.txt")
    text = (tmp_path / "game.txt").read_text()
    assert written in " ".join(text.split())
    assert tab.page.locator("#record textarea").input_value() == text
    (record,) = read_games(tmp_path / "game.txt")
    assert (record.game, record.start, record.players) == (spec, start, ("greedy", "you"))
    assert [record.rules.move_name(action) for action in record.actions] == moves.split(",")
    write_games(tmp_path / "again.pgn", [record])
    for again, number in (
        (text, tree.count(",") + tree.count(";") + 1),
        ((tmp_path / "again.pgn").read_text(), len(record.actions)),
    ):
        tab.open(game="tictactoe", first="you", second="you")
        read_text(tab, again)
        expect(tab.page.locator("#moves button")).to_have_count(number)
        assert tab.fields["moves"] == fields["moves"]
        assert tab.fields.get("tree") == (tree if again == text else None)
        assert (tab.fields["game"], tab.fields.get("start"), tab.fields["first"]) == (spec, start, "greedy")


def test_lists_of_moves_and_positions_are_read_and_errors_name_what_is_wrong(tab: Tab):
    tab.open(game="othello", first="you", second="you")
    for text in ("f5d6c3", "1. f5 d6 {so far well known} 2. C3 *"):
        read_text(tab, text)
        expect(tab.page.locator("#moves button")).to_have_text(["1. f5", "2. d6", "3. c3"])
    for text, sentence in {
        "f5 d6 x9 c3": "Move 3, “x9”, cannot be read: after 2. d6 the legal moves are c3, c4, c5, c6, c7.",
        "1. f5 d6 (f4": "A parenthesis ( is not closed",
        '[Game "chess"] 1. e4': "there is no game 'chess'",
        "": "There is no game in this text.",
    }.items():
        read_text(tab, text)
        expect(tab.page.locator("#record .note.problem")).to_contain_text(sentence)
        expect(tab.page.locator("#moves button")).to_have_count(3)
    tab.open(game="tictactoe", first="you", second="you")
    read_text(tab, "XO------- X : b2 c3")
    expect(tab.page.locator("#moves button")).to_have_text(["1. b2", "2. c3"])
    read_text(tab, "XX-OO---- X")
    expect(tab.page.locator("#moves button")).to_have_count(0)
    expect(tab.page.locator("#status")).to_have_text("Your move: X to move.")
    assert tab.position == "XX-OO---- X"


def test_a_pasted_game_is_shown_and_its_picture_can_be_saved(tab: Tab, tmp_path: Path):
    tab.open(game="tictactoe", first="you", second="you")
    tab.page.evaluate("""() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", "1. b2 a1 2. c3");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }""")
    expect(tab.page.locator("#moves button")).to_have_count(3)
    for kind in ("SVG", "PNG"):
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name=f"Picture ({kind})").click()
        assert download.value.suggested_filename == f"tictactoe-3.{kind.lower()}"
        download.value.save_as(tmp_path / kind)
    assert ET.parse(tmp_path / "SVG").getroot().tag.endswith("svg")
    assert (tmp_path / "PNG").read_bytes()[:4] == b"\x89PNG"


# ---- puzzles


def test_a_puzzle_takes_back_what_does_not_win_and_shows_why_the_right_move_does(tab: Tab):
    first, *_ = (puzzle for puzzle in puzzles_of(make_game("tictactoe")) if puzzle.level == 3)
    tab.page.add_init_script("""
      const later = window.setTimeout; // lines are shown without their pauses
      window.setTimeout = (act, wait) => later(act, wait === 700 ? 20 : wait);
    """)
    tab.open(game="tictactoe", first="you", second="random")
    tab.page.get_by_label("Level").select_option("3")
    tab.page.locator("#puzzle-next").focus()
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator("#status")).to_have_text(re.compile("^Find the only move that wins: [XO] to move"))
    assert tab.position == first.position
    tab.page.get_by_role("button", name="Give a clue").click()
    expect(tab.page.locator("#status")).to_have_text(re.compile(f"^One of these wins: .*{first.move}"))
    expect(tab.page.locator(".target.lit")).to_have_count(3)
    tab.page.locator(f".target.open:not([aria-label^='{first.move},'])").first.click()
    expect(tab.page.locator("#status")).to_have_text(re.compile(r"^[abc][123] (draws|loses in \d)\. Try again\.$"))
    expect(tab.page.locator("#moves button")).to_have_count(0)
    tab.page.locator(f".target.open[aria-label^='{first.move},']").click()
    right = re.compile(rf"^Right: {first.move} wins in {first.distance}\.( [XO] wins\.)?$")  # and then how the game ended
    expect(tab.page.locator("#status")).to_have_text(right)
    expect(tab.page.locator("#stage")).to_have_attribute("data-over", "true")
    expect(tab.page.locator("#stage")).to_have_attribute("data-plies", str(first.distance))
    expect(tab.page.locator("#puzzle-text")).to_contain_text("1 solved")
