"""A tournament that is being played by another process: the page follows it."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from ludus.arena.store.store import Store

from ..helpers.arena.played import plan_of, random_games
from ..helpers.arena.stored import child
from ..helpers.site import connected, served
from ..helpers.system.browser import CHROMIUM
from ..helpers.watching import address, watching

PLAN = plan_of("tictactoe", "nim", count=20)
WRITER = """
    import sys
    import numpy as np
    from ludus.arena.store.store import Store
    from tests.helpers.arena.played import random_games

    with Store.open(sys.argv[1]) as store, store.session():
        print("ready", flush=True)
        for line in sys.stdin:
            place, start, stop = map(int, line.split())
            pairing = store.plan.pairings[place]
            store.add(pairing, random_games(pairing.game, np.arange(start, stop)))
            print("added", flush=True)
"""
Add = Callable[[int, int, int], None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "live.sqlite"
    Store.create(path, PLAN).close()
    return path


@pytest.fixture
def add(path: Path) -> Iterator[Add]:
    """Has another process add games: those of a pairing, from a number on, to another."""
    with child(WRITER, path, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout
        assert stdout.readline() == "ready\n"

        def add(pairing: int, start: int, stop: int) -> None:
            print(pairing, start, stop, file=stdin, flush=True)
            assert stdout.readline() == "added\n"

        yield add
        stdin.close()


def test_a_follower_gets_news_when_games_are_added_and_none_otherwise(path: Path, add: Add):
    with served(watched=[str(path)]) as host, connected(host) as page:
        page.send("follow", name=str(path))
        assert page.next()["done"] == 0
        add(0, 0, 6)
        news = page.next()
        assert (news["done"], news["total"], news["newest"]["pairing"], news["newest"]["number"]) == (6, 40, 0, 5)
        add(1, 0, 20)
        add(0, 6, 8)
        while (news := page.next())["done"] < 28:
            pass
        with pytest.raises(TimeoutError):
            page.next(3)


def test_a_store_that_is_deleted_or_replaced_is_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ludus.web.watch_list.PAUSE", 0.02)
    path, other = tmp_path / "cup.sqlite", tmp_path / "other.sqlite"
    Store.create(path, PLAN).close()
    with Store.create(other, plan_of("nim", count=10)) as store:
        store.add(store.plan.pairings[0], random_games("nim", [0, 1, 2]))
    with served(watched=[str(path)]) as host, connected(host) as page:
        page.send("follow", name=str(path))
        assert page.next()["total"] == 40
        path.unlink()
        assert str(path) in page.next()["problem"]
        other.rename(path)
        while "problem" in (news := page.next()):  # there may be two: it was gone, or went while it was opened
            pass
        assert (news["done"], news["total"], news["newest"]["game"]) == (3, 10, "nim")
        Store.create(other, PLAN).close()
        other.replace(path)
        assert page.next()["total"] == 40


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_the_page_shows_a_tournament_grow(chromium: Browser, path: Path, add: Add):
    with served(watched=[str(path)]) as host, watching(chromium, host) as page:
        page.goto(address(host, path))
        expect(page.locator(".done")).to_have_text("0 of 40 games")
        add(0, 0, 4)
        expect(page.locator(".done")).to_have_text("4 of 40 games")
        expect(page.locator(".newest")).to_contain_text("greedy – random")
        expect(page.locator(".standing tbody tr")).to_have_count(2)
        expect(page.locator(".games tbody tr")).to_have_count(4)
        add(0, 4, 20)
        add(1, 0, 20)
        expect(page.locator(".done")).to_have_text("40 games")
        expect(page.locator(".standing tbody tr")).to_have_count(4)
        expect(page.locator(".games tbody tr")).to_have_count(40)
