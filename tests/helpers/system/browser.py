"""A real browser for tests: Chromium without a window, driven by Playwright."""

from __future__ import annotations

import asyncio
import shutil
from asyncio.events import _set_running_loop
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserType, Page, expect, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 120.0
"""Seconds to wait for an answer, on a machine that does much else."""
LEFT_OUT = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "PaintHolding"),
)
"""Features of Chromium that are off. The first three are pages of its own: each window would load two, though nobody sees it, and
they cost as much as the page that is tested. The others are turned off by Playwright, whose list ours replaces."""
SWITCHES = ("--no-sandbox", "--disable-site-isolation-trials", f"--disable-features={','.join(LEFT_OUT)}")


class Browser:
    """A page, what it complained of and what it asked the network for."""

    def __init__(self, page: Page) -> None:
        self._page, self.run = page, page.evaluate
        self.complaints, self.requests = list[str](), list[str]()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        self.press, self.point, self.click, self.picture = page.keyboard.press, page.mouse.move, page.mouse.click, page.screenshot

    def open(self, file: Path, width: int = 1400, height: int = 900, dark: bool = False) -> None:
        """Opens a page of the disk and waits until it has loaded."""
        self.complaints.clear()
        self.requests.clear()
        self._page.set_viewport_size({"width": width, "height": height})
        self._page.emulate_media(color_scheme="dark" if dark else "light")
        self._page.goto(file.as_uri())


@contextmanager
def launched() -> Iterator[Chromium]:
    """Chromium, as Playwright drives it."""
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        chromium = _launch(playwright.chromium)
        yield chromium
        chromium.close()


def _launch(kind: BrowserType) -> Chromium:
    return kind.launch(executable_path=CHROMIUM, args=SWITCHES)


class Shared:
    """Chromium for all tests of a process. Playwright's event loop counts as running only while the browser is used."""

    def __init__(self, chromium: Chromium) -> None:
        self._chromium, self._loop = chromium, asyncio.get_running_loop()
        _set_running_loop(None)  # else `asyncio.run` would refuse to work in the tests that follow

    @contextmanager
    def used(self) -> Iterator[Chromium]:
        """Lends the browser; where a test has made it crash, another one."""
        _set_running_loop(self._loop)
        try:
            if not self._chromium.is_connected():
                self._chromium = _launch(self._chromium.browser_type)
            yield self._chromium
        finally:
            _set_running_loop(None)

    def end(self) -> None:
        """Gives Playwright its loop back, to stop it."""
        _set_running_loop(self._loop)


@contextmanager
def shared() -> Iterator[Shared]:
    """A browser to share."""
    with launched() as chromium:
        browser = Shared(chromium)
        yield browser
        browser.end()
