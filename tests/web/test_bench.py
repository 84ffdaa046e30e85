"""`ludus bench web` and `ludus bench page`: what they measure, in a browser and without one."""

import json
from pathlib import Path

import pytest

from ludus.cli.bench import page as bench_page
from ludus.cli.bench import web as bench_web
from ludus.cli.parser import run as run_command

from ..helpers.system.browser import CHROMIUM


@pytest.mark.parametrize(
    "chromium", [None, pytest.param(CHROMIUM, marks=pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"))]
)
def test_answers_and_colours_are_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], chromium: str | None
):
    monkeypatch.setattr(bench_web, "CHROMIUM", chromium)
    monkeypatch.setattr(bench_web, "CLICKS", 3)
    monkeypatch.setattr(bench_web, "ANSWERED", ("tictactoe",))
    monkeypatch.setattr(bench_web, "COLOURED", ("nim",))
    assert run_command(["bench", "web", "--runs", "1", "--json"]) == 0
    measured = json.loads(capsys.readouterr().out)["measured"]
    how = "by WebSocket" if chromium is None else "in Chromium"
    assert [how in row["what"] for row in measured] == [False, True, True, True]
    assert [row["aim"] for row in measured] == [250_000, 0.1, 0.25, 0.05]
    assert all(row["median"] > 0 for row in measured)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_the_page_in_one_file_is_measured(monkeypatch: pytest.MonkeyPatch, document, alone: str):
    monkeypatch.setattr(bench_page, "read_built", lambda: Path(alone.removeprefix("file://")).read_bytes())
    monkeypatch.setattr(bench_page, "game_names", list)
    measured = document("bench", "page", "--runs", "1")["measured"]
    assert [(row["unit"], row["aim"]) for row in measured] == [("bytes", 1_500_000), ("s", 0.3)]
    assert measured[0]["median"] == len(Path(alone.removeprefix("file://")).read_bytes())
    assert measured[1]["median"] > 0


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_no_task_of_the_page_holds_a_processor_for_over_50_ms_while_a_game_is_played_and_analysed(alone: str):
    with bench_page.open_page(Path(alone.removeprefix("file://"))) as tab:
        assert 0 < tab.longest_task("tictactoe", clock="tdur") <= 0.05


def test_what_the_page_needs_to_be_measured_is_named(monkeypatch: pytest.MonkeyPatch, run):
    monkeypatch.setattr(bench_page, "CHROMIUM", None)
    monkeypatch.setattr(bench_page, "read_built", lambda: b"")
    said = "ludus: ludus bench page measures in Chromium, driven by Playwright; install both\n"
    assert run("bench", "page") == (2, "", said)
