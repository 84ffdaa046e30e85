"""The processes that think for pages: how many there are, and how they end."""

import asyncio
import os
import time

import pytest

from ludus.web import thinkers
from ludus.web.thinkers import MOST, Thinkers

from ..helpers.site import connected, served
from ..helpers.system.processes import children


def started_since(before: set[str]) -> set[str]:
    """The processes of ours that were not there before: a server of other tests may have ended some of its own meanwhile."""
    return {*children(os.getpid())} - before


def test_a_question_that_is_given_up_while_its_process_starts_leaves_none_behind(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(thinkers, "GRACE", 0.0)
    before = started_since(set())

    async def ask_and_give_up() -> None:
        asked = Thinkers(1)
        for _ in range(10):
            asking = asyncio.create_task(asked.ask(60.0, time.sleep, 60.0))
            for _ in range(3):  # turns of the loop, in which the process has begun to start
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.sleep(0.01)
        assert len(started_since(before)) <= 1
        asked.close()

    asyncio.run(ask_and_give_up())
    assert started_since(before) == set()


def test_many_quick_pages_leave_no_processes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(thinkers, "GRACE", 0.0)
    before = started_since(set())
    with served() as host:
        for _ in range(30):
            with connected(host) as page:
                page.send("answer", game="othello", policy="minimax:depth=60")
        with connected(host) as page:
            assert "move" in page.ask("answer", game="othello", policy="random")
        assert len(started_since(before)) <= MOST
    assert started_since(before) == set()
