"""Discs that fall in the browser: when a move is made and when a game is stepped through; and where one would land."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from ..helpers.system.browser import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
FALLS = """(calls => {
  const animate = Element.prototype.animate;
  window.falls = [];
  Element.prototype.animate = function (frames, timing) {
    const animation = animate.call(this, frames, typeof timing === "number" ? timing * (window.slowness ?? 1) : timing);
    window.falls.push([this.tagName, frames[0].translate]);
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
    assert falls(page) == [["g", "0 -382px"]]
    column(page, "d").click()
    plies(page, 2)
    assert ["g", "0 -318px"] in falls(page)


def test_a_pushed_row_slides(page: Page, host: str):
    page.goto(f"http://{host}/#game=quixo:size=3&first=you&second=you")
    for cell in ("b1", "b3"):
        page.get_by_role("button", name=f"{cell}, empty", exact=True).click()
    plies(page, 1)
    assert falls(page) == [["g", "0px 64px"]] * 3


def test_a_column_shows_where_the_disc_would_land(page: Page, host: str):
    page.goto(f"http://{host}/#game=connect_four&first=you&second=you&moves=d")
    landing = "(place) => { const it = place.nextElementSibling; return [it.getAttribute('cy'), getComputedStyle(it).stroke] }"
    place = column(page, "d")
    assert place.get_attribute("aria-label") == "column d, falls to d5 on X"
    assert place.evaluate(landing) == ["318", "none"]
    place.hover()
    assert place.evaluate(landing) == ["318", "rgb(143, 75, 201)"]
    page.mouse.move(1, 1)
    assert place.evaluate(landing) == ["318", "none"]
    place.focus()
    page.keyboard.press("ArrowRight")
    assert column(page, "e").evaluate(landing) == ["382", "rgb(143, 75, 201)"]
