"""The page without a server: one file that plays by itself, as `ludus web` does, without a network."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from ludus.envs import make_game
from ludus.web.alone.building import MOST_BYTES, offers_alone

from ..helpers.system.browser import CHROMIUM
from ..helpers.tab import OVER, Tab

IN_BROWSER = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

# ---- the file


def test_kernels_of_a_page_have_words_for_all_actions_of_a_game(files: dict[str, bytes]):
    described = json.loads(files["kernels.json"])["games"]
    assert {spec for spec, game in described.items() if game["actions"] > 64} >= {"othello"}
    for spec, game in described.items():
        assert game["actions"] == make_game(spec).num_actions
        assert 64 * (game["action_words"] - 1) < game["actions"] <= 64 * game["action_words"]


@pytest.fixture
def file_tab(chromium: Browser, alone: str) -> Iterator[Tab]:
    tab = Tab(chromium, alone, 1200, 900, touch=False)
    yield tab
    tab.close()


@IN_BROWSER
def test_a_game_is_played_to_its_end_from_a_file_without_a_network(file_tab: Tab):
    file_tab.open(game="quixo:size=3", first="you", second="greedy")
    file_tab.finish(random.Random(1))
    assert OVER.match(file_tab.status)
    assert not file_tab.page.locator("#watched a").count()


@IN_BROWSER
def test_a_search_that_hears_nothing_gives_way_to_another_game(file_tab: Tab):
    file_tab.open(game="othello", first="minimax:depth=40", second="you")
    file_tab.page.locator("#games a[data-game=nim]").click()
    expect(file_tab.page).to_have_title(re.compile("^Nim"))
    file_tab.settle()


def test_the_first_boards_are_in_the_html_before_all_that_is_loaded(alone: str):
    html = Path(alone.removeprefix("file://")).read_text()
    board, scripts = html.index('<svg xmlns="http://www.w3.org/2000/svg" data-first="tictactoe"'), html.index("data-file=")
    assert html.index('<div id="board"') < board < scripts
    assert re.findall(r'data-first="(\w+)" viewBox', html) == [game["name"] for game in offers_alone()["games"]]


def test_the_file_names_nothing_to_load_and_is_small_enough(alone: str):
    page = Path(alone.removeprefix("file://")).read_bytes()
    assert set(re.findall(rb"https?://[^\s\"'`)]+", page)) == {b"http://www.w3.org/2000/svg"}
    assert not re.findall(rb"(?:src|href)=\"(?!data:|#)[^$\"]", page)
    assert len(page) <= MOST_BYTES == 1_500_000


# ---- the command


def test_the_command_writes_the_page_that_was_built(run, document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ludus.web.alone.BUILT", tmp_path / "built.html")
    out = tmp_path / "ludus.html"
    refusal = "ludus: the page is not built yet in this clone of Ludus; build it with `make page`, which needs the extra `page`\n"
    assert run("page", "--out", out) == (2, "", refusal)
    assert not out.exists()
    (tmp_path / "built.html").write_text("<!doctype html>")
    status, said, _ = run("page", "--out", out)
    assert (status, out.read_text()) == (0, "<!doctype html>")
    assert said == f"The page is in {out} (15 bytes). Open it in a browser; it needs no server and no network.\n"
    assert document("page", "--out", out) == {"file": str(out), "bytes": 15}
    assert run("page", "--out", tmp_path / "nowhere" / "x.html")[0] == 2
