"""The server of the page when much is asked of it, when policies go wrong, and when it is interrupted."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator

import pytest

from ludus.web import thinkers

from ..helpers.site import connected, served
from ..helpers.system.processes import children

OF_OURS = "python:tests.helpers.unsteady:"


def test_it_serves_until_it_is_interrupted():
    command = [sys.executable, "-m", "ludus.cli", "web", "--no-open", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = json.loads("".join(server.stdout.readline() for _ in range(3)))["address"]
            with urllib.request.urlopen(address) as page:
                assert b"<title>Ludus</title>" in page.read()
            server.send_signal(signal.SIGINT)
            _, complaints = server.communicate(timeout=600)
        finally:
            server.kill()
    assert complaints in ("", "ludus: interrupted\n")


@pytest.fixture(scope="module")
def wrong() -> Iterator[str]:
    with served(**{name: OF_OURS + name for name in ("raises", "dies", "cheats", "hangs")}) as host:
        yield host


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("raises", "raises gave no move: raised ZeroDivisionError: no move is right (unsteady.py, line 9)"),
        ("dies", "the process that worked on it was ended by signal 9"),
        ("cheats", "is not legal here"),
        ("hangs", "no answer after 1.5 seconds; choose lighter settings"),
    ],
)
def test_a_policy_that_goes_wrong_costs_a_sentence(wrong: str, monkeypatch: pytest.MonkeyPatch, name: str, said: str):
    monkeypatch.setattr("ludus.web.server.SECONDS", 1.5 if name == "hangs" else 60.0)
    with connected(wrong) as page:
        for kind in ("answer", "opine"):
            assert said in page.ask(kind, game="tictactoe", policy=name)["error"]
        monkeypatch.setattr("ludus.web.server.SECONDS", 60.0)
        assert "move" in page.ask("answer", game="tictactoe", policy="random")


def test_a_page_may_not_have_any_number_of_open_questions():
    with served() as host, connected(host) as page:
        for _ in range(40):
            page.send("answer", game="othello", policy="minimax:depth=60")
        refused = [page.next()["error"] for _ in range(8)]
    assert set(refused) == {"32 requests of this page have no answer yet; wait for the answers"}


def started_since(before: set[str]) -> set[str]:
    """The processes of ours that were not there before: a server of other tests may have ended some of its own meanwhile."""
    return {*children(os.getpid())} - before


def test_many_quick_pages_leave_no_processes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(thinkers, "GRACE", 0.0)
    before = started_since(set())
    with served() as host:
        for _ in range(30):
            with connected(host) as page:
                page.send("answer", game="othello", policy="minimax:depth=60")
        with connected(host) as page:
            assert "move" in page.ask("answer", game="othello", policy="random")
        assert len(started_since(before)) <= thinkers.MOST
    assert started_since(before) == set()
