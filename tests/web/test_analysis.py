"""What the page shows in a real browser: perfect play, estimates, what policies would play; and that everybody can use it."""

import random
import re
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from ludus.envs import game_names, make_game
from ludus.oracles import make_oracle

from ..helpers.system.browser import CHROMIUM
from ..helpers.tab import Tab

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
BEST = ["win", "draw", "loss"]


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:size=3"])
def test_the_colour_of_each_move_is_what_the_oracle_says(tab: Tab, spec: str):
    game, oracle, rng = make_game(spec), make_oracle(spec), random.Random(10)
    for _ in range(2):
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


def test_the_graph_stays_while_one_looks_back_and_mistakes_are_found_with_the_better_move(tab: Tab):
    tab.open(game="tictactoe", first="you", second="you", moves="a1,b1,b2,c1,a2", ply="0", analyse="")
    expect(tab.page.locator("#graph .level")).to_have_count(6)
    expect(tab.page.locator("#graph .slip")).to_have_count(1)
    expect(tab.page.locator("#better")).to_be_empty()
    tab.page.get_by_role("button", name="Next mistake").click()
    expect(tab.page.locator("#stage")).to_have_attribute("data-plies", "2")
    expect(tab.page.locator("#better")).to_have_text("b1 loses in 6. b2 was better: it draws.")
    expect(tab.page.locator("#graph .level")).to_have_count(6)
    expect(tab.page.get_by_role("button", name="Next mistake")).to_have_attribute("aria-disabled", "true")
    tab.page.keyboard.press("End")
    expect(tab.page.locator("#better")).to_be_empty()
    tab.page.keyboard.press(",")
    expect(tab.page.locator("#stage")).to_have_attribute("data-plies", "2")
    tab.page.keyboard.press("a")
    expect(tab.page.locator("#mistakes")).to_be_hidden()


def test_policies_say_side_by_side_what_they_would_play(tab: Tab):
    tab.open(game="tictactoe", start="XX-OO---- X", first="you", second="you")
    for policy in ("greedy", "random"):
        tab.page.locator("#asking select").select_option(policy)
        tab.page.get_by_role("button", name="Ask").click()
    expect(tab.page.locator("#opinions thead")).to_have_text(re.compile("Movegreedy×random×"))
    expect(tab.page.locator("#opinions tbody tr").first).to_have_text(re.compile("^c1100 %20 %"))
    tab.page.get_by_role("button", name="Remove greedy").click()
    expect(tab.page.locator("#opinions thead")).to_have_text("Moverandom×")


def test_nothing_is_wider_than_a_phone_or_smaller_than_a_finger(chromium: Browser, host: str):
    tab = Tab(chromium, host, 390, 900, touch=False)
    tab.open()
    for spec in [variant for name in game_names() for variant in type(make_game(name)).variants]:
        tab.page.evaluate("(hash) => { location.hash = hash }", f"game={quote(spec)}&first=you&second=you")
        expect(tab.page.locator("#setup [name=game]")).to_have_value(spec)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= 390
        small = tab.page.evaluate("""() => {
          const fits = ({ width, height }) => Math.min(width, height) >= 24 || !width;
          const named = document.querySelector("#names").hidden ? ", .target.open" : "";
          const all = document.querySelectorAll("button, select, summary, nav a, .chip" + named);
          return [...all].filter((one) => !fits(one.getBoundingClientRect())).map((one) => one.outerHTML);
        }""")
        assert small == [], spec
    tab.open(game="nim:heaps=12+40", first="you", second="you")
    tab.page.locator("#names select").select_option("2-40")
    tab.page.get_by_role("button", name="Play", exact=True).click()
    expect(tab.page.locator("#stage")).to_have_attribute("data-plies", "1")
    tab.close()


@pytest.mark.parametrize(
    ("scheme", "fields", "shown"),
    [
        ("light", "game=quixo:size%3D3&first=you&second=minimax&analyse=&moves=a1%3Ea3", ".target:is(.win, .draw, .loss)"),
        ("dark", "game=quixo:size%3D3&first=you&second=minimax&analyse=&moves=a1%3Ea3", ".target:is(.win, .draw, .loss)"),
        ("dark", "game=quarto&first=you&second=you&ask=random", ".target.open"),
        ("light", "game=tictactoe&first=you&second=greedy&moves=a1,b1,a2,b2,a3", "#rematch:not([hidden])"),
    ],
)
def test_axe_finds_nothing_serious(chromium: Browser, host: str, scheme: str, fields: str, shown: str):
    context = chromium.new_context(bypass_csp=True, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"http://{host}/#{fields}")
    expect(page.locator(shown).first).to_be_attached()
    found = Axe().run(page).response["violations"]
    context.close()
    assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] != "minor"] == []
