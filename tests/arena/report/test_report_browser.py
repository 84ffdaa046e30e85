"""The page of a tournament in a real browser: no complaint in its console, nothing asked of the network, games stepped through.

Without Chromium these tests are skipped; .ci/run installs it.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium

from ludus.arena.pages import frames
from ludus.arena.report.data import Report, report_of
from ludus.arena.report.page import page

from ...helpers.arena.played import contest_in
from ...helpers.system.browser import Browser

GAMES = ("nim", "tictactoe", "quarto")


@pytest.fixture(scope="module")
def report() -> Report:
    return report_of(contest_in(*GAMES), graded=10)


@pytest.fixture
def browser(chromium: Chromium) -> Browser:
    return Browser(chromium.new_page())


@pytest.fixture(scope="module")
def file(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("page") / "page.html"
    place.write_text(page(report), encoding="utf-8")
    return place


@pytest.mark.parametrize(("width", "dark"), [(400, True), (1400, False)])
def test_it_opens_without_complaint_and_asks_nobody(browser: Browser, file: Path, width: int, dark: bool):
    browser.open(file, width, dark=dark)
    assert browser.run("document.title").endswith("ludus")
    assert browser.run("document.querySelectorAll('.plot').length") >= 4 * len(GAMES)
    assert browser.complaints == []
    assert [address for address in browser.requests if not address.startswith("data:")] == [file.as_uri()]
    assert browser.run("document.documentElement.scrollWidth") == width  # nothing sticks out
    overhang = "table => table.parentElement.scrollWidth - table.parentElement.clientWidth"
    assert browser.run(f"[...document.querySelectorAll('.standing')].map({overhang})") == [0] * len(GAMES)
    paper = browser.run("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", paper))) < 200) == dark


def test_no_script_of_others_runs(browser: Browser, file: Path, tmp_path: Path):
    browser.open(file)
    assert browser.run("document.scripts.length") == len(GAMES) + 1
    assert browser.run("document.images.length") == 0
    harmed = tmp_path / "harmed.html"  # even where a script got into the page, it would not run
    harmed.write_text(
        file.read_text(encoding="utf-8").replace("<main>", "<main><script>document.title = 'harm'</script>"), encoding="utf-8"
    )
    browser.open(harmed)
    assert browser.run("document.title") != "harm"


class Stage:
    """The games of one section of a page that is open."""

    def __init__(self, browser: Browser, section: str) -> None:
        self.browser, self.section = browser, section
        browser.run("document.documentElement.style.scrollBehavior = 'auto'")
        self.find(".stage", ".scrollIntoView({block: 'center'})")

    def find(self, selector: str, rest: str) -> Any:
        return self.browser.run(f"document.querySelector({json.dumps(f'#{self.section} {selector}')}){rest}")

    def go(self, where: str) -> None:
        self.find(f"[data-go={where}]", ".click()")

    @property
    def ply(self) -> int:
        return int(self.find("input", ".value"))

    def shows(self, drawing: str) -> bool:
        made = f"Object.assign(document.createElement('div'), {{innerHTML: {json.dumps(drawing)}}})"
        return self.find(".stage .board svg", f".innerHTML === {made}.firstChild.innerHTML")


def test_a_game_is_stepped_through_by_keys_buttons_and_the_graph(browser: Browser, file: Path, report: Report):
    browser.open(file)
    (game,) = (one for one in report.games if one.game.name == "tictactoe")
    sample = game.samples[-1]
    record = sample.record
    drawings = [game.game.svg(*at) for at in zip(game.game.play_line(record.actions), (None, *record.actions), strict=True)]
    stage = Stage(browser, "tictactoe")
    stage.find(".choice button:last-child", ".click()")
    stage.go("first")
    for ply in (1, 2, 3):
        browser.press("ArrowRight")
        assert (stage.ply, stage.shows(drawings[ply])) == (ply, True)
    browser.press("ArrowLeft")
    stage.go("back")
    assert (stage.ply, stage.shows(drawings[1])) == (1, True)
    stage.go("last")
    assert (stage.ply, stage.shows(drawings[-1])) == (len(record.actions), True)
    assert frames.describe_ending(record) in stage.find(".verdict", ".textContent")
    box = stage.find(".graph [data-ply='4']", ".getBoundingClientRect().toJSON()")
    browser.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert (stage.ply, stage.shows(drawings[4])) == (4, True)
    stage.find(".moves li:nth-child(3) button", ".click()")
    assert stage.ply == 3
    blunders = [ply for ply, verdict in enumerate(sample.verdicts, 1) if verdict.value_lost and ply > record.opening]
    assert stage.find("[data-go=blunder]", ".disabled") == (not blunders)
    found = [stage.go("blunder") or stage.ply for _ in blunders]
    assert sorted(found) == blunders
    assert browser.complaints == []


def test_a_mark_tells_what_it_shows(browser: Browser, file: Path):
    browser.open(file)
    browser.run("document.documentElement.style.scrollBehavior = 'auto'")
    for mark in ("#nim td.ahead", '#nim .plot [role="graphics-symbol"]:is(path, line):not([aria-roledescription="axis"])'):
        found = f"document.querySelector({json.dumps(mark)})"
        browser.run(f"{found}.scrollIntoView({{block: 'center'}})")
        browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")  # it has scrolled
        box = browser.run(f"{found}.getBoundingClientRect().toJSON()")
        browser.point(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert browser.run(f"[tip.hidden, tip.textContent === ({found}.dataset.tip ?? {found}.ariaLabel)]") == [False, True]
