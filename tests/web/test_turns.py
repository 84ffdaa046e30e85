"""Whose turn it is on the page, whatever came before: new games, moves taken back, addresses that are refused, clicks and keys."""

import re

import pytest
from playwright.sync_api import Browser, Locator, expect

from ..helpers.system.browser import CHROMIUM
from ..helpers.tab import Tab

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


def place(tab: Tab, cell: str) -> Locator:
    """A place of the board by the name of its cell."""
    return tab.page.locator(f".target.open[aria-label^='{cell},']")


def expect_plies(tab: Tab, count: int) -> None:
    expect(tab.page.locator("#stage[aria-busy=false]")).to_have_attribute("data-plies", str(count))


# ---- a policy answers whenever it is its turn on the line that is played


def test_a_late_answer_does_not_move_a_reader_who_looks_back(tab: Tab):
    tab.page.add_init_script("""
      const send = WebSocket.prototype.send; // questions to policies are sent when the test says so
      window.held = [];
      WebSocket.prototype.send = function (text) {
        if (text.includes('"type":"answer"')) held.push(() => send.call(this, text));
        else send.call(this, text);
      };
    """)
    tab.open(game="tictactoe", first="you", second="random", moves="a1,b2")
    place(tab, "c3").click()
    expect(tab.page.locator("#status")).to_have_text("random is thinking …")
    tab.page.evaluate("document.activeElement.blur()")
    tab.page.keyboard.press("ArrowLeft")
    expect_plies(tab, 2)
    tab.page.evaluate("held.forEach((send) => send())")
    expect(tab.page.locator("#moves button")).to_have_count(4)
    expect_plies(tab, 2)
    expect(tab.page.locator("#status")).to_have_text("Your move: X to move.")


# ---- clicks, touch and keys


@pytest.mark.parametrize("how", ["click", "tap"])
def test_a_chosen_cube_can_be_given_back_or_exchanged(chromium: Browser, host: str, how: str):
    tab = Tab(chromium, host, 390, 844, touch=True)
    tab.open(game="quixo:size=4", first="you", second="you")
    chosen = tab.page.locator(".chosen")
    getattr(place(tab, "a1"), how)()
    expect(chosen).to_have_count(1)
    getattr(chosen, how)()
    expect(chosen).to_have_count(0)
    getattr(place(tab, "a1"), how)()
    expect(chosen).to_have_count(1)
    box = tab.page.locator("#board svg").bounding_box()
    assert box is not None
    across, down = box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.42  # d2, which is no end of a1
    tab.page.touchscreen.tap(across, down) if how == "tap" else tab.page.mouse.click(across, down)
    expect(chosen).to_have_attribute("aria-label", re.compile("^d2"))
    expect_plies(tab, 0)
    tab.close()


def test_the_focus_stays_on_the_board_and_an_arrow_key_takes_no_move_back(tab: Tab):
    tab.open(game="tictactoe", first="you", second="random")
    for count in (2, 4):
        tab.page.locator(".target.open").first.focus()
        tab.page.keyboard.press("Enter")
        tab.page.keyboard.press("ArrowLeft")
        expect_plies(tab, count)
        assert tab.page.evaluate("document.activeElement.matches('#board [tabindex=\"0\"]')")
    tab.page.locator("#moves button").first.click()
    expect_plies(tab, 1)
    assert tab.page.evaluate("document.activeElement.textContent").startswith("1.")


# ---- what is kept, said and seen


def test_moves_and_the_end_are_told_to_screen_readers(tab: Tab):
    tab.open(game="tictactoe", first="you", second="random", moves="a1,b1")
    heard = tab.page.get_by_role("log")
    place(tab, "b2").click()
    expect(heard).to_contain_text("You play b2. O to move.")
    expect(heard).to_contain_text(re.compile(r"random \(O\) plays [abc][123]\."))
    tab.open(game="tictactoe", first="you", second="random", moves="a1,c1,a2,c2")
    place(tab, "a3").click()
    expect(heard).to_contain_text("You play a3. You win! Three X: a1, a2, a3.")
