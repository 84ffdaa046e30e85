"""`ludus bench web`: what it measures, in a browser and without one."""

import json

import pytest

from ludus.cli.bench import web as bench_web
from ludus.cli.parser import run

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
    assert run(["bench", "web", "--runs", "1", "--json"]) == 0
    measured = json.loads(capsys.readouterr().out)["measured"]
    how = "by WebSocket" if chromium is None else "in Chromium"
    assert [how in row["what"] for row in measured] == [False, True, True, True]
    assert [row["aim"] for row in measured] == [250_000, 0.1, 0.25, 0.05]
    assert all(row["median"] > 0 for row in measured)
