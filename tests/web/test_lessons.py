"""The page teaches the game: guided games, rules, why one passes, and what a move would do."""

import random

import pytest
from playwright.sync_api import expect

from ludus.envs import Game, make_game
from ludus.games.lesson import Exercise, load_lesson
from ludus.rules import FIRST

from ..helpers.system.browser import CHROMIUM
from ..helpers.tab import Tab

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


def choose(tab: Tab, game: Game, shown: Exercise, move: str, how: str) -> None:
    """Makes a move in the position of an exercise."""
    start = None if shown.position is None else game.parse(shown.position)
    state = game.play_line([game.action(name) for name in shown.moves], start)[-1]
    for box in game.clicks(state, game.action(move)):
        place = tab.page.locator(f"[data-place='{','.join(f'{part:g}' for part in box)}']")
        if how == "key":
            place.focus()
            tab.page.keyboard.press("Enter")
        else:
            place.tap()


def follow_lesson(tab: Tab, spec: str, how: str) -> None:
    """Plays a guided game to its end, with a wrong move where the exercise says which are wrong."""
    game = make_game(spec)
    lesson = load_lesson(game)
    assert lesson is not None
    guide = tab.page.locator("#guide")
    for number, shown in enumerate(lesson.exercises, 1):
        expect(guide).to_contain_text(f"step {number} of {len(lesson.exercises)}")
        expect(guide).to_contain_text(shown.text)
        for wrong in shown.avoid:
            choose(tab, game, shown, wrong, how)
            expect(guide.locator(".wrong")).to_have_text(shown.wrong)
        choose(tab, game, shown, shown.asked[0] if shown.asked else "a4>d4", how)
        expect(guide.locator(".right")).to_have_text(shown.right)
        expect(tab.page.locator(".target.open")).to_have_count(0)
        assert shown.right in tab.page.locator("#heard").inner_text()
        tab.page.keyboard.press("Enter")  # the focus has gone to the button that goes on
    expect(guide).to_contain_text(lesson.farewell)


def test_a_guided_game_is_played_by_keys_and_gives_back_the_game_before(tab: Tab):
    tab.open(game="quixo:size=4", first="you", second="random", moves="a1>a4,b1>a1")
    before = tab.position
    tab.page.get_by_role("button", name="Guided game").press("Enter")
    follow_lesson(tab, "quixo:size=4", "key")
    tab.page.locator("#guide").get_by_role("button", name="Play").press("Enter")
    expect(tab.page.locator("#guide")).to_be_hidden()
    assert tab.position == before
    expect(tab.page.locator("#invitation")).to_be_hidden()  # it is offered once


def test_a_guided_game_is_played_by_touch_and_survives_a_reload(phone: Tab):
    phone.open(game="quarto", first="you", second="random", seed="1")
    phone.page.locator("#learn").tap()
    phone.page.get_by_role("button", name="Show me").tap()
    expect(phone.page.locator(".lit")).to_have_count(1)
    phone.page.reload()
    follow_lesson(phone, "quarto", "tap")
    phone.page.locator("#guide").get_by_role("button", name="Play").tap()
    expect(phone.page.locator("#guide")).to_be_hidden()
    phone.settle()
    phone.choose(random.Random(0), "tap")  # a game of its own, with the opponent of before
    phone.settle()


def test_a_pass_is_explained_before_and_after(tab: Tab):
    tab.open(game="othello:size=4", start="O---OXX-OXX---X- X", first="you", second="you")
    expect(tab.page.locator("#passing")).to_contain_text("so you pass")
    tab.page.get_by_role("button", name="pass").click()
    expect(tab.page.locator("#passing")).to_have_text("Black had no cell to play on and passed.")


def test_a_push_is_shown_before_it_is_made(tab: Tab, phone: Tab):
    for page, touch in ((tab.page, False), (phone.page, True)):
        (phone if touch else tab).open(game="quixo:size=3", start="X-------- X", first="you", second="you")
        cube = page.get_by_role("button", name="a2, empty", exact=True)
        cube.tap() if touch else cube.click()
        end, shown = page.locator("[aria-label='a1, X']"), page.locator(f".preview line[stroke='{FIRST}']")
        end.tap() if touch else end.hover()
        expect(shown).to_have_count(4)  # two crosses: that of a1 went down
        expect(page.locator("#stage")).to_have_attribute("data-plies", "0")
        end.tap() if touch else end.click()
        expect(page.locator("#stage")).to_have_attribute("data-plies", "1")
        expect(shown).to_have_count(0)


def test_a_column_shows_where_the_disc_would_land(tab: Tab):
    tab.open(game="connect_four", first="you", second="you", moves="d")
    landing = "(place) => { const it = place.nextElementSibling; return [it.getAttribute('cy'), getComputedStyle(it).stroke] }"
    place = tab.page.locator(".target.open[aria-label^='column d,']")
    expect(place).to_have_attribute("aria-label", "column d, falls to d5 on X")
    assert place.evaluate(landing) == ["318", "none"]
    place.hover()
    assert place.evaluate(landing) == ["318", "rgb(143, 75, 201)"]
