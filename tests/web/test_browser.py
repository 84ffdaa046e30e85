"""The page in a real browser: whole games by clicks, keys and touch; what it shows of perfect play; and how it takes trouble."""

import random
import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect, sync_playwright

from ludus.agents.oracles import make_oracle
from ludus.envs import game_names, make_game

from ..helpers.site import served
from ..helpers.system.browser import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
OVER = re.compile(r"^(You win!|You lose: .*|A draw\.)$")
BEST = ["win", "draw", "loss"]


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with served() as host:
        yield host


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Tab:
    """A page of the site, and what it complained about."""

    def __init__(self, browser: Browser, host: str, width: int, height: int, touch: bool) -> None:
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=touch, reduced_motion="reduce")
        self.page, self.host, self.complaints, self.foreign = context.new_page(), host, list[str](), list[str]()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.foreign.append(request.url) if f"//{host}/" not in request.url else None)
        self.page.set_default_timeout(30_000)

    def open(self, **fields: str) -> None:
        """Opens a game by its address."""
        words = "&".join(f"{name}={quote(value)}" for name, value in fields.items())
        self.page.goto("about:blank")
        self.page.goto(f"http://{self.host}/#{words}")
        expect(self.page.locator("#status")).not_to_be_empty()

    @property
    def status(self) -> str:
        return self.page.locator("#status").inner_text()

    @property
    def position(self) -> str:
        return self.page.locator("[name=position]").input_value()

    def settle(self) -> None:
        """Waits until a person is to move, or the game is over."""
        expect(self.page.locator("#status")).to_have_text(re.compile(r"^(Your move|You win|You lose|A draw)"), timeout=30_000)

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
            else:
                place.tap() if how == "tap" else place.click()

    def close(self) -> None:
        self.page.context.close()
        assert (self.complaints, self.foreign) == ([], [])


@pytest.fixture
def tab(chromium: Browser, host: str) -> Iterator[Tab]:
    tab = Tab(chromium, host, 1200, 900, touch=False)
    yield tab
    tab.close()


@pytest.fixture
def phone(chromium: Browser, host: str) -> Iterator[Tab]:
    tab = Tab(chromium, host, 390, 844, touch=True)
    yield tab
    tab.close()


# ---- whole games


@pytest.mark.parametrize("spec", ["nim", "tictactoe", "quarto", "quixo:size=3", "othello:size=4"])
def test_a_whole_game_is_played_by_clicks(tab: Tab, spec: str):
    tab.open(game=spec, first="random", second="you", seed="1")
    tab.finish(random.Random(1))
    game = make_game(spec)
    assert game.outcome(game.position(tab.position)) is not None


def test_the_best_moves_against_perfect_play_draw_tic_tac_toe(tab: Tab):
    tab.open(game="tictactoe", first="you", second="perfect", analyse="")
    while True:
        tab.settle()
        if OVER.match(tab.status):
            break
        expect(tab.page.locator(".target.open:is(.win, .draw, .loss)").first).to_be_visible()
        kinds = tab.places()
        best = next(kind for kind in BEST if any(kind in place.split() for place in kinds))
        before = tab.page.locator("#stage").get_attribute("data-plies") or ""
        tab.page.locator(f".target.open.{best}").first.click()
        expect(tab.page.locator("#stage")).not_to_have_attribute("data-plies", before)
    assert tab.status == "A draw."


def test_a_whole_game_is_played_by_keys_alone(tab: Tab):
    tab.open(game="quixo:size=3", first="you", second="random", seed="2")
    tab.finish(random.Random(3), how="key")


def test_a_whole_game_is_played_by_touch_on_a_phone(phone: Tab):
    phone.open(game="tictactoe", first="you", second="random", seed="3")
    phone.finish(random.Random(4), how="tap")


def test_arrow_keys_reach_every_place(tab: Tab):
    tab.open(game="tictactoe", first="you", second="you")
    tab.page.locator(".target.open").first.focus()
    names = list[str]()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowRight", "ArrowRight"):
        tab.page.keyboard.press(key)
        names.append(tab.page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert names == [f"{cell}, empty" for cell in ("b1", "c1", "c2", "b2", "a2", "a3", "b3", "c3")]


def test_two_policies_play_each_other_and_can_be_paused(tab: Tab):
    tab.open(game="tictactoe", first="random", second="random", seed="5")
    tab.page.locator("#pause").click()
    moves = tab.page.locator("#moves button")
    count = moves.count()
    tab.page.wait_for_timeout(900)
    assert moves.count() <= count + 1
    tab.page.locator("#pause").click()
    expect(tab.page.locator("#status")).to_have_text(re.compile(r"wins\.|A draw\."), timeout=30_000)


# ---- the address, and what goes back


def test_a_reload_goes_on_where_the_game_stands(tab: Tab):
    tab.open(game="quixo:size=4", first="you", second="greedy", seed="6")
    tab.choose(random.Random(0), "click")
    tab.settle()
    before = tab.position
    tab.page.reload()
    tab.settle()
    assert tab.position == before


def test_undo_takes_back_my_move_and_the_answer(tab: Tab):
    tab.open(game="tictactoe", first="you", second="random", seed="7")
    tab.page.get_by_role("button", name="b2, empty", exact=True).click()
    expect(tab.page.locator("#moves button")).to_have_count(2)
    tab.page.locator("#undo").click()
    expect(tab.page.locator("[name=position]")).to_have_value("--------- X")


def test_another_move_begins_a_variation_and_the_first_line_stays(tab: Tab):
    tab.open(game="tictactoe", first="you", second="you")
    for move in ("a1", "b2"):
        tab.page.get_by_role("button", name=f"{move}, empty", exact=True).click()
        expect(tab.page.locator("#moves [aria-current]")).to_contain_text(move)
    tab.page.get_by_role("button", name="1. a1").click()
    expect(tab.page.locator("#moves [aria-current]")).to_contain_text("a1")
    tab.page.get_by_role("button", name="c3, empty", exact=True).click()
    expect(tab.page.locator(".variation")).to_contain_text("2. c3")
    expect(tab.page.locator("#moves")).to_contain_text("2. b2")


def test_a_position_is_set_up_by_its_text(tab: Tab):
    tab.open(game="tictactoe", first="you", second="you")
    tab.page.locator("[name=position]").fill("XX-OO---- X")
    tab.page.get_by_role("button", name="Set up").click()
    tab.page.get_by_role("button", name="c1, empty", exact=True).click()
    expect(tab.page.locator("#status")).to_have_text("X wins.")
    tab.page.locator("[name=position]").fill("nonsense")
    tab.page.get_by_role("button", name="Set up").click()
    expect(tab.page.locator("#status.wrong")).to_contain_text("nonsense")


def test_two_tabs_play_side_by_side(chromium: Browser, host: str):
    tabs = [Tab(chromium, host, 800, 800, touch=False) for _ in range(2)]
    for number, tab in enumerate(tabs):
        tab.open(game="tictactoe", first="you", second="random", seed=str(number))
    for tab in tabs:
        tab.finish(random.Random(8))
        tab.close()


def test_a_game_survives_a_restart_of_the_server(chromium: Browser):
    with served() as host:
        tab = Tab(chromium, host, 800, 800, touch=False)
        tab.open(game="tictactoe", first="you", second="random", seed="9")
        tab.page.get_by_role("button", name="b2, empty", exact=True).click()
        expect(tab.page.locator("#moves button")).to_have_count(2)
    expect(tab.page.locator("#connection")).to_contain_text("trying again")
    with served(port=int(host.partition(":")[2])):
        expect(tab.page.locator("#connection")).to_be_empty(timeout=30_000)
        tab.finish(random.Random(9))
        tab.complaints = [text for text in tab.complaints if "WebSocket connection" not in text]  # while nobody listened
        tab.close()


# ---- what it shows


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:size=3"])
def test_the_colour_of_each_move_is_what_the_oracle_says(tab: Tab, spec: str):
    game, oracle, rng = make_game(spec), make_oracle(spec), random.Random(10)
    for _ in range(6):
        state = game.start
        for _ in range(rng.randrange(5)):
            if game.outcome(state) is None:
                state = game.play(state, rng.choice(game.legal_actions(state)))
        if game.outcome(state) is not None:
            continue
        tab.open(game=spec, start=game.text(state), first="you", second="you", analyse="")
        worth = dict[str, int]()
        for action, solution in oracle.after(state).items():
            x, y, *_ = game.clicks(state, action)[0]
            assert solution.value is not None
            worth[f"{x + 2:g},{y + 2:g}"] = max(solution.value, worth.get(f"{x + 2:g},{y + 2:g}", -1))
        expect(tab.page.locator(".target:is(.win, .draw, .loss)")).to_have_count(len(worth))
        for shape in tab.page.locator(".target").all():
            place = f"{shape.get_attribute('x')},{shape.get_attribute('y')}"
            assert BEST[1 - worth[place]] in (shape.get_attribute("class") or "").split()


def test_a_place_says_what_its_move_leads_to(tab: Tab):
    tab.open(game="tictactoe", start="XX-OO---- X", first="you", second="you", analyse="")
    expect(tab.page.get_by_role("button", name="c1, empty, wins in 1")).to_be_visible()


def test_policies_say_side_by_side_what_they_would_play(tab: Tab):
    tab.open(game="tictactoe", start="XX-OO---- X", first="you", second="you")
    for policy in ("greedy", "random"):
        tab.page.locator("#asking select").select_option(policy)
        tab.page.get_by_role("button", name="Ask").click()
    expect(tab.page.locator("#opinions thead")).to_have_text(re.compile("Movegreedy×random×"))
    expect(tab.page.locator("#opinions tbody tr").first).to_have_text(re.compile("^c1100 %20 %"))
    tab.page.get_by_role("button", name="Remove greedy").click()
    expect(tab.page.locator("#opinions thead")).to_have_text("Moverandom×")


def test_a_hostile_name_in_the_address_is_shown_as_text(tab: Tab):
    hostile = "<img src=x onerror=alert(1)>"
    tab.open(game="tictactoe", first="you", second=hostile, moves="b2")
    expect(tab.page.locator("#status.wrong")).to_contain_text(hostile)
    tab.open(game=hostile)
    expect(tab.page.locator("#status.wrong")).to_contain_text(hostile)
    assert tab.page.locator("img:not([src='/page/icon.svg'])").count() == 0


@pytest.mark.parametrize("width", [390, 768, 1400])
def test_nothing_is_wider_than_the_page(chromium: Browser, host: str, width: int):
    tab = Tab(chromium, host, width, 900, touch=False)
    for name in game_names():
        tab.open(game=name, first="you", second="minimax:depth=2", analyse="")
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    tab.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(chromium: Browser, host: str, scheme: str):
    context = chromium.new_context(bypass_csp=True, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"http://{host}/#game=quixo:size%3D3&first=you&second=minimax&analyse=&moves=a1%3Ea3")
    expect(page.locator(".target.win, .target.loss, .target.draw").first).to_be_attached()
    found = Axe().run(page).response["violations"]
    context.close()
    assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")] == []
