"""A real browser for tests: Chromium without a window, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 120.0
"""Seconds to wait for an answer, on a machine that does much else."""


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
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@contextmanager
def opened() -> Iterator[Browser]:
    """A new browser with an empty page."""
    with launched() as chromium:
        yield Browser(chromium.new_page())
