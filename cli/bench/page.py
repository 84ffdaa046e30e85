"""`ludus bench page`: measures the page without a server in Chromium: its size, its first board, and how long it holds a window up.

The page is opened from the disk, without a network. It needs Playwright and Chromium.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from ...core.files.writing import write_whole
from ...envs import game_names
from ...web.alone.built import read_built
from .measuring import Measurement
from .web import CHROMIUM

SLOWER = 4
"""How much slower the processor is while the first board is drawn."""
MOVES = 6
"""Moves of a game that is played and analysed, those of the policy included."""
FIRST_BOARD = """
window.drawn = new Promise((done) => {
  const isThere = () => [...document.querySelectorAll("#board svg")].some((board) => board.getBoundingClientRect().width);
  const look = () => requestAnimationFrame(isThere() ? () => done(performance.now()) : look);
  requestAnimationFrame(look);
});
"""
"""Notes the time of the frame after the first one in which there is a board, which is on the screen by then."""
ARRIVED = "performance.getEntriesByType('navigation')[0].responseEnd"
PLAY = """async (moves) => {
  const { dataset } = document.querySelector("#stage");
  const frame = () => new Promise((next) => requestAnimationFrame(next));
  const click = (place) => place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const coloured = () => document.querySelector(".target:is(.win, .draw, .loss, .estimate)");
  while (Number(dataset.plies) < moves && dataset.over !== "true") {
    const place = document.querySelector(".target.open:not(.chosen), #extra button");
    if (place) click(place);
    await frame();
    if (place && dataset.over !== "true") for (let frames = 0; frames < 60 && !coloured(); frames++) await frame();
  }
}"""
"""Plays the first move that is open, again and again, and waits up to a second for colours before each."""


def measures(threads: int) -> Iterator[Measurement]:
    """All measurements.

    Raises:
        ValueError: the page has not been built, or Playwright or Chromium is missing.
    """
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "ludus.html")
        write_whole(page, read_built())
        yield Measurement("the page in one file", "bytes", lambda: float(page.stat().st_size), 1_500_000)
        with open_page(page) as tab:
            what = f"from the file's arrival to its first board, processor {SLOWER} × slower"
            yield Measurement(what, "s", tab.first_board, 0.3)
            for name in game_names():
                what = f"{name}: longest task of the page's main thread while a game is played and analysed"
                yield Measurement(what, "s", partial(tab.longest_task, name), 0.05)


class FileTab:
    """A browser that shows the page from the disk, without a network.

    Args:
        browser: Playwright's.
        address: of the page.
    """

    def __init__(self, browser: Any, address: str) -> None:
        self._browser, self._address = browser, address

    def first_board(self) -> float:
        """Seconds from the arrival of the file to a board on the screen."""
        with self._new_page() as page:
            page.add_init_script(FIRST_BOARD)
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            page.goto(self._address)
            return page.evaluate(f"async () => (await window.drawn) - {ARRIVED}") / 1000

    def longest_task(self, game: str, clock: str = "dur") -> float:
        """Seconds of the longest task of the main thread, by the browser's own trace, while a game is played and analysed.

        Args:
            game: its spec.
            clock: `dur` for seconds of the clock, `tdur` for those of the processor alone.
        """
        fields = {"game": game, "first": "you", "second": "mcts", "analyse": ""}
        with self._new_page() as page:
            self._browser.start_tracing(page=page, categories=["toplevel", "__metadata"])
            page.goto(f"{self._address}#{urlencode(fields)}")
            page.wait_for_selector(".target.open")
            page.evaluate(PLAY, MOVES)
            events = json.loads(self._browser.stop_tracing())["traceEvents"]
        names = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
        tasks = (event for event in events if event["name"] == "ThreadControllerImpl::RunTask")
        return max(event.get(clock, 0) for event in tasks if names.get((event["pid"], event["tid"])) == "CrRendererMain") / 1e6

    @contextmanager
    def _new_page(self) -> Generator[Any]:
        context = self._browser.new_context(offline=True)
        yield context.new_page()
        context.close()


@contextmanager
def open_page(page: Path) -> Generator[FileTab]:
    """The page in a new Chromium.

    Raises:
        ValueError: Playwright or Chromium is missing.
    """
    if CHROMIUM is None or find_spec("playwright") is None:
        raise ValueError("ludus bench page measures in Chromium, driven by Playwright; install both")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield FileTab(browser, page.as_uri())
        browser.close()
