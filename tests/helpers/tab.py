"""A page of `ludus web`, or the page without a server, in a real browser, used as a person would."""

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

DOUBLE = 600
"""Milliseconds within which two taps in one place are a double tap, whose second half makes no move."""
OVER = re.compile(r"^(You win!|You lose: .*|A draw\.)$")


class Tab:
    """A page, and what it complained about. The host is a server, as `127.0.0.1:8000`, or the address of a file, which is opened
    without a network."""

    def __init__(self, browser: Browser, host: str, width: int, height: int, touch: bool) -> None:
        size, is_file = {"width": width, "height": height}, host.startswith("file:")
        context = browser.new_context(viewport=size, has_touch=touch, reduced_motion="reduce", offline=is_file)
        self.page = context.new_page()
        self.address = host if is_file else f"http://{host}/"
        own = self.address, self.address.replace("http:", "ws:"), "data:", "blob:"
        self.tapped: str | None = None
        self.complaints, self.foreign = listen(self.page, own)
        self.page.set_default_timeout(30_000)

    def open(self, **fields: str) -> None:
        """Opens a game by its address."""
        words = "&".join(f"{name}={quote(value)}" for name, value in fields.items())
        if self.page.url != "about:blank":
            self.page.goto("about:blank")  # so that the page is loaded anew
        self.page.goto(f"{self.address}#{words}")
        expect(self.page.locator("#status")).not_to_be_empty()

    @property
    def status(self) -> str:
        return self.page.locator("#status").inner_text()

    @property
    def fields(self) -> dict[str, str]:
        """What the address says of the game."""
        return dict(parse_qsl(urlsplit(self.page.url).fragment, keep_blank_values=True))

    @property
    def position(self) -> str:
        return self.page.locator("[name=position]").input_value()

    def player(self, seat: int) -> Locator:
        """The field that says which policy plays a seat in the next game."""
        self.page.evaluate("document.querySelector('#more').open = true")
        return self.page.locator(".player").nth(seat)

    def settle(self) -> None:
        """Waits until a person is to move, or the game is over."""
        expect(self.page.locator("#status")).to_have_text(re.compile(r"^(Your move|You win|You lose|A draw)"))

    def places(self) -> list[str]:
        """The classes of what can be chosen now."""
        return [shape.get_attribute("class") or "" for shape in self.page.locator(".target.open").all()]

    def finish(self, rng: random.Random, how: str = "click") -> None:
        """Plays to the end of the game, by random choices."""
        for _ in range(400):
            self.settle()
            if OVER.match(self.status):
                return
            self.choose(rng, how)
        pytest.fail("the game does not end")

    def choose(self, rng: random.Random, how: str) -> None:
        """Chooses a move, by its places or by the button of one that has none, and waits until it is shown."""
        stage = self.page.locator("#stage")
        before = stage.get_attribute("data-plies") or ""
        self._click(rng, how)
        expect(stage).not_to_have_attribute("data-plies", before)

    def _click(self, rng: random.Random, how: str) -> None:
        places = self.page.locator(".target.open")
        if not places.count():
            self.page.locator("#extra button").first.click()
            return
        done = False
        while not done:
            place = places.nth(rng.randrange(places.count()))
            done = place.get_attribute("data-last") == "true"  # else it is the first part of a move that takes two clicks
            if how == "key":
                place.focus()
                self.page.keyboard.press("Enter")
            elif how == "click":
                place.click()
            else:
                if (name := place.get_attribute("data-place")) == self.tapped:
                    self.page.wait_for_timeout(DOUBLE)
                self.tapped = name
                shows_first = done and "end" in (place.get_attribute("class") or "").split()  # what the move would do
                place.tap()
                if shows_first:
                    place.tap()

    def close(self) -> None:
        self.page.context.close()
        assert (self.complaints, self.foreign) == ([], [])


def listen(page: Page, own: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """What a page will complain of, and what it will ask others for: what does not begin with one of its own addresses."""
    complaints, foreign = list[str](), list[str]()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith(own) else foreign.append(request.url))
    return complaints, foreign


# ---- the page of stores and runs


@contextmanager
def watching(chromium: Browser, host: str, width: int = 1200) -> Iterator[Page]:
    """A tab of the browser. At its end it must have complained of nothing, and asked nobody but the server."""
    context = chromium.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(15_000)
    complaints, foreign = listen(page, (f"http://{host}/", f"ws://{host}/", f"file://{host}/"))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    yield page
    context.close()
    assert (complaints, foreign) == ([], [])


def address(host: str, name: object, **fields: object) -> str:
    """The address of a store's or a run's page."""
    return f"http://{host}/watch#{urlencode({'name': str(name), **fields})}"
