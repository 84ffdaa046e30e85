"""The page in a real browser: whole games by clicks, keys and touch, and what goes back, on, or is lost."""

import random

import pytest
from playwright.sync_api import Browser, expect

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


def test_arrow_keys_reach_every_place(tab: Tab):
    tab.open(game="tictactoe", first="you", second="you")
    tab.page.locator(".target.open").first.focus()
    names = list[str]()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowRight"):
        tab.page.keyboard.press(key)
        names.append(tab.page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert names == [f"{cell}, empty" for cell in ("b1", "c1", "c2", "b2", "a2", "a3", "b3", "c3")]


# ---- the address, and what goes back


def test_a_position_is_set_up_by_its_text(tab: Tab):
    tab.open(game="tictactoe", first="you", second="you")
    tab.page.locator("[name=position]").fill("XX-OO---- X")
    tab.page.get_by_role("button", name="Set up").click()
    tab.page.get_by_role("button", name="c1, empty", exact=True).click()
    expect(tab.page.locator("#status")).to_have_text("X wins.")
    tab.page.locator("[name=position]").fill("nonsense")
    tab.page.get_by_role("button", name="Set up").click()
    expect(tab.page.locator("#placing .problem")).to_contain_text("'nonsense' is not a position of Tic-tac-toe")
    expect(tab.page.locator("#status")).to_have_text("X wins.")


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
