"""What benchmarks measure of the board in a browser, with a server and without one."""

from pathlib import Path

import pytest

from benchmarks.speed import alone as bench_alone
from benchmarks.speed import web as bench_web
from ludus.cli.bench.measuring import take_measurements

from ..helpers.system.browser import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


def test_answers_and_colours_are_measured(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bench_web, "CLICKS", 3)
    monkeypatch.setattr(bench_web, "ANSWERED", ("tictactoe",))
    monkeypatch.setattr(bench_web, "COLOURED", ("nim",))
    measured = take_measurements(bench_web.measures, 1)
    assert [row["aim"] for row in measured] == [250_000, 0.1, 0.25, 0.05]
    assert all(row["median"] > 0 for row in measured)


def test_the_page_in_one_file_is_measured(monkeypatch: pytest.MonkeyPatch, alone: str):
    monkeypatch.setattr(bench_alone, "read_built", lambda: Path(alone.removeprefix("file://")).read_bytes())
    monkeypatch.setattr(bench_alone, "game_names", list)
    measured = take_measurements(bench_alone.measures, 1)
    assert [(row["unit"], row["aim"]) for row in measured] == [("bytes", 1_500_000), ("s", 0.3)]
    assert measured[0]["median"] == len(Path(alone.removeprefix("file://")).read_bytes())
    assert measured[1]["median"] > 0


def test_no_task_of_the_page_holds_a_processor_for_over_50_ms_while_a_game_is_played_and_analysed(alone: str):
    with bench_alone.open_page(Path(alone.removeprefix("file://"))) as tab:
        assert 0 < tab.longest_task("tictactoe", clock="tdur") <= 0.05
