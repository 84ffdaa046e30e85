"""A random walk over each game on both pages: anything that a person may do, in any order; after each step the page is checked.

The page must show the position that the rules give for the moves in its address; exactly one side is to move, or the game is
over; whoever is to move can; the board is whole in the window; and the console is silent. `make wander` goes further. A failure
names its step and what the page showed.
"""

from __future__ import annotations

import json
import os
import random
import xml.etree.ElementTree as ET
from collections import Counter
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser

from ludus.envs import Game, make_game

from ..helpers.system.browser import CHROMIUM
from ..helpers.tab import Tab

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
STEPS, SEED = (int(os.environ.get(name, default)) for name, default in (("WANDER_STEPS", 40), ("WANDER_SEED", 1)))
SIZES = [(1200, 900), (390, 844), (844, 390), (640, 400), (600, 450), (768, 1024), (360, 640)]
PLAYERS = [["you", "random"], ["random", "you"], ["you", "you"], ["greedy", "you"], ["random", "greedy"], ["you", "greedy"]]
KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", "Escape", "Home", "End", "u", "s", "p", "Tab"]
KNOWN = ("nim", "tictactoe", "quixo:size=3")
"""Games whose values a table knows: elsewhere searches would take the time of the walk."""
EAGER = """
window.later = window.setTimeout;
window.latency = 0;
const late = (Native) => class extends Native {
  addEventListener(type, act) {
    super.addEventListener(type, type === "message" ? (event) => later(() => act(event), window.latency) : act);
  }
};
window.WebSocket = late(WebSocket);
window.Worker = late(Worker);
window.setTimeout = (act, wait) => later(act, wait === 700 ? 20 : wait); // two policies play without their pause
"""
"""Lets answers come late, by `window.latency` milliseconds, and two policies play fast."""
SNAPSHOT = """async () => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const isQuiet = () => {
    const stage = document.querySelector("#stage"), players = new URLSearchParams(location.hash.slice(1));
    const isWatched = ![players.get("first"), players.get("second")].includes("you");
    const isThinking = document.querySelector("#status").textContent.includes("is thinking");
    if (document.querySelector("#puzzles").getAttribute("aria-busy") === "true") return false; // a line is shown
    return stage.dataset.plies !== undefined && stage.getAttribute("aria-busy") === "false" && (isWatched || !isThinking);
  };
  for (let waits = 0; waits < 5000 && !isQuiet(); waits++) await new Promise((done) => later(done, 5));
  const svg = document.querySelector("#board svg");
  const { top, bottom, left, right } = svg.getBoundingClientRect();
  const fits = (scrolled) => top + scrolled >= 0 && bottom + scrolled <= innerHeight + 1; // the board may be sticky
  const ours = (shape) => shape.closest(".paper, [data-place], .noted, .away, .preview");
  const drawn = all("#board svg :is(rect, circle, line, text, polygon, path)").filter((shape) => !ours(shape));
  const attributes = (shape) => shape.getAttributeNames().filter((name) => name !== "class" && name !== "style");
  const { dataset } = document.querySelector("#stage");
  return {
    hash: location.hash, plies: Number(dataset.plies), over: dataset.over, status: document.querySelector("#status").textContent,
    turn: all(".seat.turn").map((seat) => Number(seat.dataset.player)), label: svg.getAttribute("aria-label"),
    open: all(".target.open").map((place) => place.dataset.place), chosen: all(".chosen").map((place) => place.dataset.place),
    passes: all("#extra button").map((button) => button.textContent), wrong: document.querySelector("#status").className,
    shapes: drawn.map((shape) => [
      shape.closest("[data-site]")?.getAttribute("transform") ?? "",
      shape.tagName, attributes(shape).map((name) => [name, shape.getAttribute(name)]), shape.textContent,
    ]),
    moves: all("#moves button").length, stops: all("#board [tabindex='0']").length,
    whole: (fits(0) || fits(scrollY)) && left >= 0 && right <= innerWidth,
  };
}"""
"""Waits until nothing is under way but a game between two policies, and gives what the page shows."""
READ = """async () => {
  document.querySelector("#text").open = true;
  await new Promise((done) => later(done, 20));
  document.querySelector("#record").requestSubmit();
  const isReading = () => document.querySelector("#record .note").textContent !== "";
  for (let waits = 0; waits < 5000 && isReading(); waits++) await new Promise((done) => later(done, 5));
}"""
"""Reads the text of the game in its field, and waits until that is done."""
MOVED = """async (plies) => {
  const { dataset } = document.querySelector("#stage");
  for (let waits = 0; waits < 5000 && Number(dataset.plies) === plies; waits++) await new Promise((done) => later(done, 5));
  return Number(dataset.plies) !== plies;
}"""


class Wanderer:
    """Wanders about in one tab.

    Args:
        browser: the browser.
        host: the server, or the address of the page without one.
        spec: the game.
        rng: chooses each step.
    """

    def __init__(self, browser: Browser, host: str, spec: str, rng: random.Random) -> None:
        self.tab, self.spec, self.rng = Tab(browser, host, 1200, 900, touch=False), spec, rng
        self.page = self.tab.page
        self.page.add_init_script(EAGER)
        first, second = rng.choice(PLAYERS)
        self.tab.open(game=spec, first=first, second=second, seed=str(rng.randrange(1000)))
        buttons = ["undo", "undo", "undo", "swap", "pause", "first", "back", "on", "last", "mistake-before", "mistake-after"]
        self.buttons = [*buttons, *(["analyse", "puzzle-solution"] if spec in KNOWN else [])]
        self.steps = [
            *[self.click] * 8,
            *[self.double_click] * 2,
            *[self.press] * 5,
            *[self.push] * 8,
            self.new_game,
            self.choose,
            self.read_again,
            self.choose_move,
            self.reload,
            self.go_back,
            self.go_on,
            self.resize,
            self.slow_down,
            self.break_address,
            *[self.learn] * 2,
            self.puzzle,
        ]

    def step(self) -> str:
        """Does something, waits for its end, and checks the page; gives what it was."""
        step = self.rng.choice(self.steps)
        step()
        self.check(step.__name__)
        return step.__name__

    def close(self) -> None:
        """Closes the tab, which must have complained of nothing."""
        self.tab.close()

    # ---- what a person may do

    def click(self) -> None:
        """Clicks a place of the board, or beside the places."""
        self._mouse(1)

    def double_click(self) -> None:
        self._mouse(2)

    def _mouse(self, count: int) -> None:
        boxes = self.page.evaluate("""() => {
          scrollTo(0, 0);
          const places = document.querySelectorAll(".target.open, .chosen, #extra button");
          const boxes = [...places].map((place) => place.getBoundingClientRect());
          return (boxes.length ? boxes : [document.querySelector("#board svg").getBoundingClientRect()])
            .map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
        }""")
        self.page.mouse.click(*self.rng.choice(boxes), click_count=count, delay=self.rng.choice([0, 0, 30]))

    def press(self) -> None:
        """Presses keys, with the focus on a place of the board or on nothing."""
        if self.rng.random() < 0.6:
            self._do_to_one(".open", "focus")
        else:
            self.page.evaluate("document.activeElement.blur()")
        for _ in range(self.rng.randrange(1, 4)):
            self.page.keyboard.press(self.rng.choice(KEYS))

    def push(self) -> None:
        """Pushes a button at once, whatever is under way; of the solution of a puzzle, perhaps another one meanwhile."""
        name = self.rng.choice(self.buttons)
        self._push(name)
        if name == "puzzle-solution" and self.rng.random() < 0.3:
            self._push(self.rng.choice(["undo", "back", "puzzle-next"]))

    def _push(self, name: str) -> None:
        self.page.evaluate("(name) => { const it = document.getElementById(name); if (!it.closest('[hidden]')) it.click() }", name)

    def _do_to_one(self, selector: str, act: str) -> None:
        """Clicks or focuses one of the elements that are seen, if there is any."""
        self.page.evaluate(
            """([selector, act, part]) => {
              const all = [...document.querySelectorAll(selector)].filter((each) => each.getClientRects().length);
              all[Math.floor(part * all.length)]?.[act]();
            }""",
            [selector, act, self.rng.random()],
        )

    def new_game(self) -> None:
        """Begins another game, with other players."""
        self.page.evaluate("document.querySelector('#more').open = true")
        first, second = self.rng.choice(PLAYERS)
        selects = self.page.locator("#setup .player > select")
        selects.nth(0).select_option(first)
        selects.nth(1).select_option(second)
        self.page.evaluate("document.querySelector('#setup button[type=submit]').click()")

    def choose(self) -> None:
        """Chooses a level, a side or a variant, which counts at once while no move is made."""
        self._do_to_one("#setup .chip", "click")

    def read_again(self) -> None:
        """Reads the text of the game: all its moves stay."""
        before = self._snapshot()
        self.page.evaluate(READ)
        if not self._is_playing(before):
            assert self._snapshot()["moves"] == before["moves"]

    def puzzle(self) -> None:
        """Asks for a puzzle, and perhaps for a clue."""
        self._push("puzzle-next")
        if self.rng.random() < 0.5:
            self._snapshot()
            self._push("puzzle-clue")

    def choose_move(self) -> None:
        """Goes to a move of the list."""
        self._do_to_one("#moves button", "click")

    def reload(self) -> None:
        before = self._snapshot()
        self.page.reload()
        after = self._snapshot()
        if not self._is_playing(before):
            assert [after[name] for name in ("hash", "moves", "label")] == [before[name] for name in ("hash", "moves", "label")]

    def go_back(self) -> None:
        self.page.evaluate("navigation.currentEntry.index > 1 && history.back()")

    def go_on(self) -> None:
        self.page.evaluate("navigation.canGoForward && history.forward()")

    def resize(self) -> None:
        width, height = self.rng.choice(SIZES)
        self.page.set_viewport_size({"width": width, "height": height})

    def slow_down(self) -> None:
        self.page.evaluate("(wait) => { window.latency = wait }", self.rng.choice([0, 0, 5, 30]))

    def break_address(self) -> None:
        """Opens an address that the server refuses."""
        fields = self._fields()
        moves = [*fields["moves"], self.rng.choice(["nonsense", *fields["moves"][:1]])]
        self.page.evaluate("(hash) => { location.hash = hash }", urlencode({"game": fields["game"], "moves": ",".join(moves)}))

    def learn(self) -> None:
        """Begins a guided game, goes on in it or leaves it."""
        self._do_to_one("#learn, #guide button", "click")

    # ---- what must hold

    def check(self, step: str) -> None:
        """Waits until all is quiet, and checks the page."""
        snapshot = self._snapshot()
        where = f"after {step}: {json.dumps({name: value for name, value in snapshot.items() if name != 'shapes'})}"
        game, state = self._position(snapshot)
        fields = self._fields(snapshot)
        moves = fields["moves"][: snapshot["plies"]]
        over = game.outcome(state, len(moves)) is not None
        assert snapshot["label"] == f"{game.title}, {game.text(state)}", where
        assert Counter(map(repr, snapshot["shapes"])) == Counter(map(repr, shapes_of(game, state, moves))), where
        assert snapshot["over"] == str(over).lower(), where
        assert snapshot["turn"] == ([] if over else [game.player(state)]), where
        assert snapshot["whole"], where
        assert snapshot["stops"] <= 1, where
        if (lesson := fields["lesson"]) is not None:
            mine = not over and len(moves) == int(lesson.partition(".")[2])  # no more after the move that an exercise asks for
        else:
            mine = not over and fields["players"][game.player(state)] == "you"
        self.check_places(snapshot, game, state, mine, where)
        if not over and not mine and lesson is None:
            self.check_answer(snapshot, where)
        assert self.tab.complaints == [], f"{self.tab.complaints} {where}"

    @staticmethod
    def check_places(snapshot: dict[str, Any], game: Game, state: Any, mine: bool, where: str) -> None:
        """Checks that the places of the legal moves are open where a person is to move, and none otherwise."""
        chosen = snapshot["chosen"]
        paths = {
            action: [",".join(f"{part:g}" for part in box) for box in game.clicks(state, action)]
            for action in game.legal_actions(state)
        }
        ends = {path[len(chosen)] for path in paths.values() if path[: len(chosen)] == chosen and len(path) > len(chosen)}
        assert set(snapshot["open"]) == (ends if mine else set()), where
        passes = [game.move_name(action) for action, path in paths.items() if not path]
        assert snapshot["passes"] == (passes if mine else []), where

    def check_answer(self, snapshot: dict[str, Any], where: str) -> None:
        """Checks that where a policy is to move, it does, unless the user looks back, or two policies are paused."""
        if self._is_playing(snapshot):
            assert self.page.evaluate(MOVED, snapshot["plies"]), where
            return
        fields = self._fields(snapshot)
        if fields["paused"] and "you" not in fields["players"]:
            assert snapshot["status"].startswith(("Paused", "Move")) or snapshot["wrong"], where
        elif snapshot["wrong"] and len(fields["moves"]) <= snapshot["plies"]:
            assert self.page.evaluate(MOVED, snapshot["plies"]), where  # an error stands where it would say that it is thinking
        else:
            assert len(fields["moves"]) > snapshot["plies"], where
            assert snapshot["status"].startswith("Move ") or snapshot["wrong"], where

    def _is_playing(self, snapshot: dict[str, Any]) -> bool:
        """Whether two policies play each other now."""
        fields = self._fields(snapshot)
        waits = fields["paused"] or fields["lesson"] is not None
        return "you" not in fields["players"] and not waits and snapshot["over"] != "true"

    def _snapshot(self) -> dict[str, Any]:
        return self.page.evaluate(SNAPSHOT)

    def _fields(self, snapshot: dict[str, Any] | None = None) -> dict[str, Any]:
        """The game as the address says it."""
        hash = snapshot["hash"][1:] if snapshot else urlsplit(self.page.url).fragment
        fields = {name: values[0] for name, values in parse_qs(hash, keep_blank_values=True).items()}
        return {
            "game": fields.get("game", "tictactoe"),
            "start": fields.get("start"),
            "moves": [move for move in fields.get("moves", "").split(",") if move],
            "players": [fields.get("first", "you"), fields.get("second", "random")],
            "paused": "paused" in fields,
            "ply": fields.get("ply"),
            "lesson": fields.get("lesson"),
        }

    def _position(self, snapshot: dict[str, Any]) -> tuple[Game, Any]:
        """The position that the rules give for the address."""
        fields = self._fields(snapshot)
        game = make_game(fields["game"])
        shown = fields["moves"] if fields["ply"] is None else fields["moves"][: int(fields["ply"])]
        assert snapshot["plies"] == len(shown), snapshot["hash"]
        start = None if fields["start"] is None else game.position(fields["start"])
        return game, game.play_line([game.action(move) for move in shown], start)[-1]


def shapes_of(game: Game, state: Any, moves: list[str]) -> list[Any]:
    """What the rules draw of a position, without the paper and the line of text below: where it lies, if on a site, and itself."""
    drawing = ET.fromstring(game.svg(state, game.action(moves[-1]) if moves else None))
    shapes = [
        [part.get("transform", ""), one.tag.rpartition("}")[2], [list(item) for item in one.attrib.items()], one.text or ""]
        for part in list(drawing)[1:]
        for one in (part if part.tag.endswith("}g") else (part,))
    ]
    return [shape for shape in shapes if shape[3] != game.status(state)]


@pytest.mark.parametrize("spec", ["nim", "tictactoe", "quarto", "quixo:size=3", "othello:size=4", "connect_four:rows=4,columns=4"])
def test_whatever_a_person_does_the_page_follows_the_rules_and_whoever_is_to_move_can(
    chromium: Browser, host: str, alone: str, spec: str
):
    rng = random.Random(f"{SEED} {spec}")
    tabs = [Wanderer(chromium, page, spec, rng) for page in (host, alone)]
    for _ in range(STEPS):
        rng.choice(tabs).step()
    for tab in tabs:
        tab.close()
