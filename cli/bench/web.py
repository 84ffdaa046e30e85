"""`ludus bench web`: measures the board in the browser: from a click to the answer on the board, and until moves are coloured.

In Chromium, by Playwright, where both are installed; otherwise over the page's WebSocket alone, without drawing.
"""

from __future__ import annotations

import itertools
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlencode

import numpy as np

from ...arena.pages.single import SHARED
from ...envs import make_game
from ...web.server import PAGE
from .measuring import Measurement, seconds

CLICKS = 50
"""Moves, or positions, of a sample."""
ANSWERED = ("tictactoe", "quixo:size=4")
"""Games in which the policy `perfect` plays by a table."""
COLOURED = ("nim", "tictactoe", "quixo:size=4", "quarto")
"""Games whose first positions a table or a book knows."""
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CLICK = """async () => {
  const { dataset } = document.querySelector("#stage");
  const plies = Number(dataset.plies), began = performance.now();
  const click = () => document.querySelector(".target.open").dispatchEvent(new MouseEvent("click"));
  click();
  if (document.querySelector(".chosen")) click();
  while (Number(dataset.plies) < plies + 2 && dataset.over !== "true") await new Promise((next) => requestAnimationFrame(next));
  return { seconds: (performance.now() - began) / 1000, over: dataset.over === "true" };
}"""
COLOUR = """async ([start, position]) => {
  const coloured = () => document.querySelector(".target:is(.win, .draw, .loss)");
  const frame = () => new Promise((next) => requestAnimationFrame(next));
  location.hash = start;
  while (coloured()) await frame();
  await new Promise((done) => setTimeout(done, 100)); // the board before is drawn
  const began = performance.now();
  location.hash = position;
  while (!coloured()) await frame();
  return (performance.now() - began) / 1000;
}"""


def measures(threads: int) -> Iterator[Measurement]:
    """All measurements."""
    yield Measurement("the page: HTML, CSS and code", "bytes", size, 250_000)
    with run_server() as host, visitor(host) as page:
        for spec in ANSWERED:
            what = f"{spec}: from a click to the board with the answer of perfect, {page.how}"
            yield Measurement(f"{what}, median", "s", partial(of_sample, 50, partial(answers, page, spec)), 0.1)
            yield Measurement(f"{what}, 99th percentile", "s", partial(of_sample, 99, partial(answers, page, spec)), 0.25)
        for spec in COLOURED:
            what = f"{spec}: until all moves are coloured, {page.how}, median"
            yield Measurement(what, "s", partial(of_sample, 50, partial(colours, page, spec)), 0.05)


def size() -> float:
    """Bytes of all files that a browser may load."""
    return sum(file.stat().st_size for folder in (PAGE, SHARED) for file in folder.iterdir() if file.is_file())


def of_sample(percent: float, sample: Callable[[], Iterator[float]]) -> float:
    """A percentile of the first CLICKS numbers of a sample."""
    return float(np.percentile([*itertools.islice(sample(), CLICKS)], percent))


def answers(page: Browser | Caller, spec: str) -> Iterator[float]:
    """Seconds for each answer of game after game."""
    for seed in itertools.count():
        yield from page.play(spec, seed)


def colours(page: Browser | Caller, spec: str) -> Iterator[float]:
    """Seconds for each of many different positions near the start of a game."""
    game, rng, seen = make_game(spec), random.Random(0), set[str]()
    page.begin(spec, 0)
    while True:
        state, moves = game.start, list[str]()
        for _ in range(3):
            action = rng.choice(game.legal_actions(state))
            moves, state = [*moves, game.move_name(action)], game.play(state, action)
        if game.outcome(state) is None and str(moves) not in seen:
            seen.add(str(moves))
            yield page.colour(spec, moves)


@contextmanager
def run_server() -> Generator[str]:
    """Runs `ludus web` in its own process; yields its host, for example `127.0.0.1:8000`."""
    command = [sys.executable, "-m", "ludus.cli", "web", "--no-open", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            lines = itertools.takewhile(bool, server.stdout)
            document = "".join(itertools.chain(itertools.takewhile(lambda line: line != "}\n", lines), ["}"]))
            yield json.loads(document)["address"].split("/")[2]
        finally:
            server.terminate()


@contextmanager
def visitor(host: str) -> Generator[Browser | Caller]:
    """A user of the page: a browser where Chromium and Playwright are installed, else a WebSocket."""
    if CHROMIUM is None or find_spec("playwright") is None:
        from websockets.sync.client import connect

        with connect(f"ws://{host}/socket", origin=f"http://{host}") as socket:  # pyright: ignore[reportArgumentType]
            yield Caller(socket)
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield Browser(browser.new_page(), host)
        browser.close()


class Browser:
    """A user of the page in Chromium.

    Args:
        page: the page.
        host: of the server.
    """

    how = "in Chromium"

    def __init__(self, page: Any, host: str) -> None:
        self._page, self._address = page, f"http://{host}/#"

    def begin(self, game: str, seed: int) -> None:
        """Begins a game on a new page, which remembers no other game."""
        self._page.goto("about:blank")
        self._page.goto(self._address + urlencode({"game": game, "first": "you", "second": "perfect", "seed": seed}))
        self._page.wait_for_selector(".target.open")

    def play(self, game: str, seed: int) -> Iterator[float]:
        """Plays a game against `perfect`; yields the seconds from each move to the board with the answer."""
        self.begin(game, seed)
        over = False
        while not over:
            answer = self._page.evaluate(CLICK)
            over = answer["over"]
            yield answer["seconds"]

    def colour(self, game: str, moves: list[str]) -> float:
        """Seconds until the moves of a position that was not shown before are coloured."""
        start = {"game": game, "first": "you", "second": "you"}
        position = {**start, "moves": ",".join(moves), "analyse": ""}
        return self._page.evaluate(COLOUR, [urlencode(start), urlencode(position)])


class Caller:
    """A user of the page's WebSocket alone.

    Args:
        socket: the connection.
    """

    how = "by WebSocket"

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)

    def begin(self, game: str, seed: int) -> None:
        """A WebSocket remembers no game."""

    def play(self, game: str, seed: int) -> Iterator[float]:
        """As for `Browser`."""
        moves = list[str]()
        while (view := self._ask("show", game=game, moves=moves))["player"] == 0:
            moves.append(view["legal"][0]["move"])
            yield seconds(partial(self._show_answer, game, moves, seed))

    def colour(self, game: str, moves: list[str]) -> float:
        """As for `Browser`, until the values are here."""
        return seconds(lambda: (self._ask("show", game=game, moves=moves), self._ask("judge", game=game, moves=moves)))

    def _show_answer(self, game: str, moves: list[str], seed: int) -> None:
        """Shows a move, and the answer to it."""
        if self._ask("show", game=game, moves=moves)["player"] is None:
            return
        moves.append(self._ask("answer", game=game, moves=moves, policy="perfect", seed=seed)["move"])
        self._ask("show", game=game, moves=moves)

    def _ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._socket.send(json.dumps({"type": kind, "id": number, **fields}))
        while (answer := json.loads(self._socket.recv()))["id"] != number or "left" in answer:
            pass
        return answer
