"""Discs that fall in the browser: when a move is made and when a game is stepped through; and where one would land."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import ludus
from ludus.arena import tournament

from ..helpers.system.browser import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
FALLS = """(calls => {
  const animate = Element.prototype.animate;
  window.falls = [];
  Element.prototype.animate = function (frames, timing) {
    const animation = animate.call(this, frames, typeof timing === "number" ? timing * (window.slowness ?? 1) : timing);
    window.falls.push([this.tagName, frames[0].transform]);
    return animation;
  };
})()"""
"""Writes down what begins to fall."""


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1000, "height": 800}, reduced_motion="no-preference")
    context.add_init_script(FALLS)
    page = context.new_page()
    yield page
    context.close()


def column(page: Page, letter: str):
    return page.locator(f".target.open[aria-label^='column {letter},']")


def falls(page: Page) -> list[list[str]]:
    """What fell since the last call."""
    return page.evaluate("window.falls.splice(0)")


def plies(page: Page, count: int) -> None:
    expect(page.locator("#stage[aria-busy=false]")).to_have_attribute("data-plies", str(count))


def test_a_disc_falls_with_its_sign_and_play_does_not_wait_for_it(page: Page, host: str):
    page.goto(f"http://{host}/#game=connect_four&first=you&second=you")
    column(page, "d").click()
    plies(page, 1)
    assert falls(page) == [["circle", "translateY(-382px)"], *[["line", "translateY(-382px)"]] * 2]
    column(page, "d").click()
    plies(page, 2)
    assert [tag for tag, _ in falls(page)].count("circle") >= 2


def test_a_disc_that_falls_goes_on_when_the_answer_is_drawn(page: Page, host: str):
    page.goto(f"http://{host}/#game=connect_four&first=you&second=you")
    page.evaluate("window.slowness = 100")
    column(page, "d").click()
    plies(page, 1)
    column(page, "c").click()
    plies(page, 2)
    moving = page.evaluate(
        "document.getAnimations().map(({ effect, currentTime }) => [effect.target.getAttribute('fill'), currentTime])"
    )
    begun = {colour: time for colour, time in moving if colour not in (None, "none")}
    assert begun["#b3352f"] > begun["#e8b93a"]


def test_nothing_falls_where_less_motion_is_preferred_or_nothing_was_played(page: Page, host: str):
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"http://{host}/#game=connect_four&first=you&second=you&moves=d,c")
    plies(page, 2)
    column(page, "d").click()
    plies(page, 3)
    page.emulate_media(reduced_motion="no-preference")
    page.locator("#undo").click()
    plies(page, 2)
    assert falls(page) == []


def test_a_disc_falls_at_each_step_forward_on_the_page_of_a_game(page: Page, host: str):
    page.goto(f"http://{host}/#game=connect_four&first=you&second=you&moves=d,c,d")
    plies(page, 3)
    for key, count, number in (("ArrowLeft", 2, 0), ("ArrowRight", 3, 3)):
        page.keyboard.press(key)
        plies(page, count)
        assert len(falls(page)) == number


def test_a_disc_falls_at_each_step_forward_through_a_played_game(page: Page, tmp_path: Path):
    record = next(tournament("connect_four", ["random", "greedy"], 2, seed=1, opening_plies=0).store.records())
    (file := tmp_path / "game.html").write_text(ludus.show(record)._repr_html_())
    page.goto(file.as_uri())
    frame = page.frames[-1]
    frame.locator("[data-go=first]").click()
    frame.evaluate("window.falls.splice(0)")
    frame.locator("[data-go=on]").click()
    assert frame.evaluate("window.falls.map(([tag]) => tag)") == ["circle", "line", "line"]
    frame.locator("[data-go=back]").click()
    assert len(frame.evaluate("window.falls")) == 3


def test_a_column_shows_where_the_disc_would_land(page: Page, host: str):
    page.goto(f"http://{host}/#game=connect_four&first=you&second=you&moves=d")
    landing = "(place) => { const it = place.nextElementSibling; return [it.getAttribute('cy'), getComputedStyle(it).stroke] }"
    place = column(page, "d")
    assert place.get_attribute("aria-label") == "column d, falls to d5, on X"
    assert place.evaluate(landing) == ["318", "none"]
    place.hover()
    assert place.evaluate(landing) == ["318", "rgb(26, 111, 209)"]
    page.mouse.move(1, 1)
    assert place.evaluate(landing) == ["318", "none"]
    place.focus()
    page.keyboard.press("ArrowRight")
    assert column(page, "e").evaluate(landing) == ["382", "rgb(26, 111, 209)"]
