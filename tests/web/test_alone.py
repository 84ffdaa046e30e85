"""The page without a server: one file that plays by itself, as `ludus web` does, without a network."""

import json
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from ludus.envs import make_game
from ludus.web.alone import __main__ as page_main
from ludus.web.alone.building import MOST_BYTES, build_page, offers_alone
from ludus.web.questions import answer_move

from ..helpers.native.node import NODE
from ..helpers.system.browser import CHROMIUM
from ..helpers.system.processes import ROOT
from ..helpers.tab import OVER, Tab

IN_BROWSER = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

# ---- the worker gives what the server gives

DESK = """
import { readFileSync } from "node:fs";
import { Desk } from "ROOT/web/alone/desk.js";
import { loadKernels } from "ROOT/web/kernels/kernels.js";

const read = (name) => readFileSync(name);
const document = (name) => JSON.parse(read(name));
const kernels = await loadKernels(read("kernels.wasm"), document("kernels.json"), async (name) => new Uint8Array(read(name)));
const answers = {};
const hear = ({ id, ...answer }) => (answers[id] ??= []).push(answer);
const desk = new Desk(kernels, document("offers.json"), hear);
const isDone = (id) => answers[id]?.at(-1).error !== undefined || (answers[id] && !("left" in answers[id].at(-1)));
for (const message of document("messages.json")) {
  desk.hear(message);
  while (message.type !== "stop" && !message.isStopped && !isDone(message.id)) await new Promise((done) => setTimeout(done));
}
console.log(JSON.stringify(answers));
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> Path:
    """The files of the page, and a script that asks its worker."""
    place = tmp_path_factory.mktemp("desk")
    for name, content in files.items():
        (place / name).write_bytes(content)
    (place / "desk.mjs").write_text(DESK.replace("ROOT", str(ROOT)))
    return place


def answers_of(folder: Path, messages: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """All that the worker answers to each message."""
    (folder / "messages.json").write_text(json.dumps([{"id": number, **message} for number, message in enumerate(messages)]))
    done = subprocess.run([NODE, "desk.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    return [answers.get(str(number), []) for number in range(len(messages))]


def test_kernels_of_a_page_have_words_for_all_actions_of_a_game(files: dict[str, bytes]):
    described = json.loads(files["kernels.json"])["games"]
    assert {spec for spec, game in described.items() if game["actions"] > 64} >= {"othello"}
    for spec, game in described.items():
        assert game["actions"] == make_game(spec).num_actions
        assert 64 * (game["action_words"] - 1) < game["actions"] <= 64 * game["action_words"]


def test_what_is_wrong_with_a_request_is_a_sentence_and_a_stopped_one_has_no_answer(folder: Path):
    line = {"game": "tictactoe", "moves": ["a1"]}
    over = {"game": "tictactoe", "moves": ["a1", "b1", "a2", "b2", "a3"]}
    messages = [
        {"type": "offer"},
        {"type": "show", **line, "policies": ["nobody"]},
        {"type": "show", "game": "chess"},
        {"type": "show", **line, "start": "nonsense"},
        {"type": "show", "game": "tictactoe", "moves": ["a1", "a1"]},
        {"type": "answer", **over, "policy": "random"},
        {"type": "opine", **over, "policy": "random"},
        {"type": "follow", "name": "cup.sqlite"},
        {"type": "answer", **line, "policy": "mcts:simulations=100000", "isStopped": True},
        {"type": "stop", "id": 8},
        {"type": "answer", **line, "policy": "mcts:simulations=50", "seed": 1},
    ]
    offered, *refused, stopped, _, answered = answers_of(folder, messages)
    assert offered == [json.loads(json.dumps(offers_alone()))]
    assert [list(answer) for (answer,) in refused] == [["error"]] * 7
    assert refused[4][0]["error"] == "the game is over, so there is no move to play"
    assert stopped == []
    assert answered == [answer_move("tictactoe", None, ["a1"], "mcts:simulations=50", 1)]


# ---- the file


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


def test_building_writes_the_page_and_the_kernels_and_says_how_large_all_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    files = {"kernels.wasm": b"kernels", "kernels.json": b"{}", "othello.book": bytes(1000)}
    monkeypatch.setattr(page_main, "make_files", lambda: files)
    monkeypatch.setattr(page_main, "BUILT", tmp_path / "ludus.html")
    page_main.main(tmp_path / "page")
    page = (tmp_path / "ludus.html").read_bytes()
    assert page == build_page(files)
    assert {file.name: file.read_bytes() for file in (tmp_path / "page").iterdir()} == dict([*files.items()][:2])
    *parts, whole = capsys.readouterr().out.splitlines()
    assert parts[-1] == "othello.book: 1,000 bytes, 29 compressed, 40 in the page"
    assert re.fullmatch(rf"{tmp_path}/ludus.html: {len(page):,} bytes, [\d,]+ compressed", whole)


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
