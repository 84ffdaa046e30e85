"""The site as `make site` has built it, in a real browser: it is quiet and complete, and a reader finds what questions.json asks.

Each question is answered after clicks on links that can be seen, at most two, or by one search and a click on a result.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from ..helpers.system.browser import PATIENCE, launched
from ..helpers.system.processes import ROOT

HTML = ROOT / "build" / "site" / "html"
Scheme = Literal["light", "dark"]
PAGES = sorted(page.relative_to(HTML).as_posix() for page in HTML.rglob("*.html")) if HTML.exists() else []
READ = [page for page in PAGES if not page.startswith(("_modules/", "sources/"))]
"""The pages that people read: without those that show code."""
QUESTIONS = json.loads(Path(__file__).with_name("questions.json").read_text(encoding="utf-8"))

pytestmark = pytest.mark.skipif(not PAGES, reason="`make site` builds it")


ADDRESS = "http://site.test/"
"""Where the browser finds the files of the site, without a server."""


class Reader:
    """A person with a browser; what its pages complain of, and what they ask others for."""

    def __init__(self, page: Page) -> None:
        self.page, self.complaints = page, list[str]()
        page.route(f"{ADDRESS}**", self.serve)
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "request",
            lambda request: None if request.url.startswith((ADDRESS, "data:", "blob:")) else self.complaints.append(request.url),
        )
        page.on("response", lambda answer: self.complaints.append(answer.url) if answer.status >= 400 else None)

    @staticmethod
    def serve(route: Route) -> None:
        path = HTML / unquote(urlsplit(route.request.url).path).lstrip("/")
        route.fulfill(path=path) if path.is_file() else route.fulfill(status=404)

    def open(self, path: str) -> None:
        self.page.goto(ADDRESS + path)

    def follow(self, link: str) -> None:
        """Clicks on a link that can be seen."""
        self.page.get_by_role("link", name=link, exact=True).locator("visible=true").first.click()
        self.page.wait_for_load_state()

    def search(self, words: str, page: str) -> None:
        """Asks the search, and clicks on one of the first five results."""
        self.page.get_by_role("textbox", name="Search").locator("visible=true").first.fill(words)
        self.page.keyboard.press("Enter")
        results = self.page.locator("#search-results ul.search > li > a")
        expect(self.page.locator("#search-results .search-summary")).to_contain_text(re.compile(r"found|did not match"))
        assert page in results.all_inner_texts()[:5]
        results.get_by_text(page, exact=True).first.click()
        self.page.wait_for_load_state()


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with launched() as chromium:
        yield Reader(chromium.new_page(viewport={"width": 1400, "height": 900}))


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1400, "light")])
def test_no_page_complains_asks_elsewhere_or_scrolls_sideways(reader: Reader, width: int, scheme: Scheme):
    reader.page.set_viewport_size({"width": width, "height": 900})
    reader.page.emulate_media(color_scheme=scheme)
    reader.complaints.clear()
    wide = []
    for page in READ:
        reader.open(page)
        if reader.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(page)
    assert (wide, reader.complaints) == ([], [])


@pytest.mark.parametrize("page", ["index.html", "games/nim.html"])
def test_a_reader_plays_on_the_board_of_a_page(reader: Reader, page: str):
    reader.complaints.clear()
    reader.open(page)
    reader.page.locator("iframe.board").scroll_into_view_if_needed()  # it is loaded then
    board = reader.page.frame_locator("iframe.board")
    board.locator(".target.open").first.click()
    if board.locator(".chosen").count():  # the first part of a move that takes two clicks
        board.locator(".target.open").first.click()
    expect(board.locator("#stage")).to_have_attribute("data-plies", "2")
    expect(board.locator("header")).to_be_hidden()
    assert reader.complaints == []


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked["question"])
def test_a_reader_finds(reader: Reader, asked: dict[str, str | list[str]]):
    reader.page.set_viewport_size({"width": 1400, "height": 900})
    reader.open("index.html")
    if "search" in asked:
        reader.search(str(asked["search"]), str(asked["page"]))
    else:
        assert 1 <= len(asked["clicks"]) <= 2
        for link in asked["clicks"]:
            reader.follow(link)
    expect(reader.page.locator("article")).to_contain_text(str(asked["answer"]))
