"""The server of the page when much is asked of it, when policies go wrong, and when it is killed."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludus.web import thinkers

from ..helpers.site import connected, served
from ..helpers.system.processes import children

OF_OURS = "python:tests.helpers.unsteady:"


@contextmanager
def process(port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`ludus web` in a process of its own, and its host."""
    command = [sys.executable, "-m", "ludus.cli", "web", "--no-open", "--port", str(port), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        text = ""
        while not text.endswith("}\n"):
            text += server.stdout.readline()
        try:
            yield server, json.loads(text)["address"].split("/")[2]
        finally:
            server.kill()


def play(host: str, seed: int, spec: str, policy: str, plies: int, moves: list[str]) -> list[str]:
    """Plays a game on, so many plies, the first legal move against a policy; gives its moves."""
    with connected(host) as page:
        for _ in range(plies):
            view = page.ask("show", game=spec, moves=moves)
            assert "error" not in view
            if view["player"] is None:
                break
            mine = len(moves) % 2 == 0
            answer = (
                {"move": view["legal"][0]["move"]} if mine else page.ask("answer", game=spec, moves=moves, policy=policy, seed=seed)
            )
            moves = [*moves, answer["move"]]
    return moves


def test_games_go_on_from_their_last_moves_when_the_server_was_killed():
    with process() as (server, host):
        begun = [play(host, seed, "othello:size=4", "greedy", 4, []) for seed in range(3)]
        thinkers = {pid: started(pid) for pid in children(server.pid)}
        assert thinkers
        server.send_signal(signal.SIGKILL)
        server.wait()
    with process(int(host.partition(":")[2])) as (_, again):
        assert again == host
        ended = [play(host, seed, "othello:size=4", "greedy", 30, moves) for seed, moves in enumerate(begun)]
        for before, after in zip(begun, ended, strict=True):
            assert len(before) == 4
            assert len(after) > 4
            assert after[:4] == before
            with connected(host) as page:
                assert page.ask("show", game="othello:size=4", moves=after)["player"] is None
    deadline = time.monotonic() + 600
    while any(when and started(pid) == when for pid, when in thinkers.items()):
        assert time.monotonic() < deadline, "thinkers outlived their server"
        time.sleep(0.1)


def test_it_serves_until_it_is_interrupted():
    with process() as (server, host):
        with urllib.request.urlopen(f"http://{host}") as page:
            assert b"<title>Ludus</title>" in page.read()
        server.send_signal(signal.SIGINT)
        _, complaints = server.communicate(timeout=600)
        assert complaints in ("", "ludus: interrupted\n")


def started(pid: str) -> str | None:
    """When a process began, by the system's clock: its number alone may have passed to another; None of one that has ended."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if state == "Z" else fields[18]


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


def test_a_page_may_not_have_any_number_of_open_questions(wrong: str):
    with connected(wrong) as page:
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
