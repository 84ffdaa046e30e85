"""A store on the page: its standing, its games by filters, games to step through; and stores that cannot be read."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from ludus.arena import Tournament, tournament
from ludus.arena.grading.verdict import judge_of
from ludus.arena.matches.games import GameRecord
from ludus.arena.results import Results
from ludus.arena.store.store import Store
from ludus.core import words
from ludus.envs import make_game
from ludus.records import Openings
from ludus.web.requests import GamesRequest
from ludus.web.stores import PAGE, games_of, replay_of, standing_of

from ..helpers.arena.played import plan_of
from ..helpers.arena.stored import child
from ..helpers.site import connected, served
from ..helpers.system.browser import CHROMIUM
from ..helpers.tab import address, watching

GAMES = ("tictactoe", "othello:size=4")
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "a cup.sqlite"
    tournament(GAMES, ["random", "greedy", "perfect"], 12, seed=4, store=path).store.close()
    return path


@pytest.fixture(scope="module")
def contest(path: Path) -> Iterator[Results]:
    with Store.open(path) as store:
        yield Tournament(store)


def every_game(path: Path, **wanted: object) -> list[dict[str, object]]:
    """All games that a filter finds, page by page."""
    found, after = list[dict[str, object]](), None
    while True:
        some = games_of(path, GamesRequest(id=1, store="", after=after, **wanted))  # pyright: ignore[reportArgumentType]
        assert len(some["games"]) <= PAGE
        found += some["games"]
        if (after := some["after"]) is None:
            return found


def worst_of(record: GameRecord) -> int:
    verdicts = judge_of(make_game(record.pairing.game)).verdicts(record.actions)
    return max((verdict.value_lost or 0 for verdict in verdicts[record.opening :]), default=0)


# ---- what the list finds


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_games_are_found_by_the_size_of_their_largest_blunder(path: Path, contest: Results, lost: int):
    wanted = [(record.pairing, record.number) for record in contest.store.records() if worst_of(record) >= lost]
    pairings = contest.plan.pairings
    assert [(pairings[row["pairing"]], row["number"]) for row in every_game(path, lost=lost)] == wanted
    assert wanted


STARTS = ("XO------- X", "---XO---- X")


@pytest.fixture(scope="module")
def placed(path: Path) -> Path:
    """A store of games that begin from positions, beside the other one."""
    store, suite = path.with_name("placed.sqlite"), Openings("two", "tictactoe", STARTS, ((), (0,)), "by hand")
    tournament("tictactoe", ["random", "greedy"], openings=suite, store=store).store.close()
    return store


def test_games_from_positions_are_shown_from_there_and_the_standing_names_the_openings(placed: Path):
    game, store = make_game("tictactoe"), placed
    standing = standing_of(store, None)
    assert "Games began with the 2 openings of two (by hand), checksum" in standing["games"][0]["html"]
    for number, row in enumerate(every_game(store)):
        film = replay_of(store, 0, number)["film"]["games"][0]
        assert film["positions"][0] == f"X to move: {STARTS[number // 2]}"
        assert (film["opening"], row["number"]) == (number // 2, number)
    with Store.open(store) as kept:
        end = list(kept.records())[-1].states(game)[-1]
    assert film["positions"][-1].endswith(game.text(end))


def test_a_game_that_is_not_there_is_named_in_a_sentence(path: Path):
    with pytest.raises(ValueError, match="game 99 of tictactoe: random – greedy is not in the store"):
        replay_of(path, 0, 99)
    with pytest.raises(ValueError, match="no pairing 17; they are numbered 0 to 5"):
        replay_of(path, 17, 0)


# ---- on the page


@pytest.fixture(scope="module")
def host(path: Path, placed: Path) -> Iterator[str]:
    with served(watched=map(str, (path, placed))) as host:
        yield host


@pytest.fixture
def tab(chromium: Browser, host: str) -> Iterator[Page]:
    with watching(chromium, host) as page:
        yield page


@in_browser
def test_the_standing_is_that_of_the_store(tab: Page, host: str, path: Path, contest: Results):
    tab.goto(address(host, path))
    expect(tab.locator(".done")).to_have_text("72 games")
    for spec in GAMES:
        section = tab.locator("section", has_text=make_game(spec).title).locator(".standing tbody tr")
        expect(section).to_have_count(3)
        for row, (name, rating) in zip(section.all(), contest.ratings[spec].elo.items(), strict=True):
            assert row.locator("th").inner_text() == name
            cells = row.locator("td").all_inner_texts()
            assert cells[1:3] == [words.with_sign(rating.elo), f"{words.with_sign(rating.low)} … {words.with_sign(rating.high)}"]


@in_browser
def test_filters_narrow_the_list_and_stand_in_the_address(tab: Page, host: str, path: Path):
    tab.goto(address(host, path))
    rows = tab.locator(".games tbody tr")
    expect(rows).to_have_count(PAGE)
    tab.get_by_role("button", name="More games").click()
    expect(rows).to_have_count(72)
    tab.get_by_label("Policy").select_option("random")
    tab.get_by_label("Value lost").select_option("2")
    wanted = len(every_game(path, policy="random", lost=2))
    expect(rows).to_have_count(wanted)
    tab.reload()
    expect(rows).to_have_count(wanted)
    assert tab.get_by_label("Policy").input_value() == "random"


@in_browser
def test_a_game_is_stepped_through_and_played_on(tab: Page, host: str, path: Path, contest: Results):
    pairing = contest.plan.pairings[0]
    record, game = contest.store.record(pairing, 3), make_game(pairing.game)
    states = game.play_line(record.actions)
    tab.goto(address(host, path, pairing=0, number=3, ply=3))
    board = tab.locator(".stage .board svg")
    expect(board).to_have_attribute("aria-label", f"{game.status(states[3])}: {game.text(states[3])}")
    tab.locator("body").press("ArrowRight")
    expect(board).to_have_attribute("aria-label", f"{game.status(states[4])}: {game.text(states[4])}")
    assert "ply=4" in tab.url
    verdict = judge_of(game).verdicts(record.actions)[3]
    expect(tab.locator(".verdict")).to_contain_text(verdict.sentence(game))
    course, moves = (tab.locator(part).bounding_box() for part in (".strip", ".stage .moves"))
    assert course["width"] == moves["width"] > 300
    tab.get_by_role("link", name="Play on from here").click()
    expect(tab.locator("[name=position]")).to_have_value(game.text(states[4]))
    tab.go_back()
    expect(board).to_have_attribute("aria-label", f"{game.status(states[4])}: {game.text(states[4])}")
    tab.get_by_role("button", name="Close").click()
    expect(board).to_have_count(0)


@in_browser
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1400, "light")])
def test_axe_finds_nothing_serious_and_nothing_is_too_wide(chromium: Browser, host: str, path: Path, width: int, scheme: str):
    size = {"width": width, "height": 900}
    context = chromium.new_context(bypass_csp=True, color_scheme=scheme, viewport=size)
    page = context.new_page()
    page.goto(address(host, path, pairing=0, number=3))
    expect(page.locator(".games tbody tr")).to_have_count(PAGE)
    expect(page.locator(".stage .board svg")).to_be_visible()
    found = Axe().run(page).response["violations"]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    context.close()
    assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")] == []


# ---- a tournament that another process plays


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
def live(tmp_path: Path) -> Path:
    path = tmp_path / "live.sqlite"
    Store.create(path, PLAN).close()
    return path


@pytest.fixture
def add(live: Path) -> Iterator[Add]:
    """Has another process add games: those of a pairing, from a number on, to another."""
    with child(WRITER, live, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout
        assert stdout.readline() == "ready\n"

        def add(pairing: int, start: int, stop: int) -> None:
            print(pairing, start, stop, file=stdin, flush=True)
            assert stdout.readline() == "added\n"

        yield add
        stdin.close()


def test_a_follower_gets_news_when_games_are_added_and_none_otherwise(live: Path, add: Add):
    with served(watched=[str(live)]) as host, connected(host) as page:
        page.send("follow", name=str(live))
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


@in_browser
def test_the_page_shows_a_tournament_grow(chromium: Browser, live: Path, add: Add):
    with served(watched=[str(live)]) as host, watching(chromium, host) as page:
        page.goto(address(host, live))
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
