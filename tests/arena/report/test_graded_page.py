# type: ignore
"""The games that an exact grade says a policy loses, as replays: in a notebook and on the page of the grade."""

import json
import re
from html import escape, unescape
from pathlib import Path

import gymnasium as gym
import pytest
from playwright.sync_api import Browser, expect

import ludus
from ludus.arena import exploit, grade_exact, tournament
from ludus.arena.report.page import write_grade
from ludus.envs import make_game

from ...helpers.arena.played import EVIL, evil, join_pieces
from ...helpers.system.browser import CHROMIUM
from ...helpers.tab import watching

POLICY = "mcts:simulations=5"


def film_of(page):
    """The games that a page holds."""
    return json.loads(unescape(re.search(r'<script type="application/json" id="film">(.*?)</script>', page, re.DOTALL)[1]))


def test_the_games_that_it_loses_are_the_lines_played_out(tmp_path, run):
    game, graded = make_game("tictactoe"), grade_exact(POLICY, "tictactoe")
    run("grade", "tictactoe", "--policy", POLICY, "--exact", "--report", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert escape(graded._summary) in page
    lines = [(number, seat.line) for number, seat in enumerate(graded.seats) if seat.line is not None]
    for film in film_of(ludus.show(graded).page()), film_of(page):
        assert len(film["games"]) == len(lines) > 0
        for shown, (seat, line) in zip(film["games"], lines, strict=True):
            drawn = [game.svg(*at) for at in zip(game.play_line(line), (None, *line), strict=True)]
            assert [join_pieces(film["pieces"], row) for row in shown["frames"]] == drawn
            assert [move["move"] for move in shown["moves"]] == [game.move_name(action) for action in line]
            assert shown["players"][seat] == POLICY
            assert shown["ending"] == f"opponent wins after {len(line)} plies"
            assert sum(move["lost"] for move in shown["moves"] if move["by"] == seat) > 0


def test_a_policy_that_is_not_beaten_has_no_game_to_show(tmp_path):
    perfect = grade_exact("perfect", "tictactoe")
    with pytest.raises(ValueError, match="perfect loses no game"):
        ludus.show(perfect)
    write_grade(tmp_path / "page.html", perfect)
    assert "data-film" not in (tmp_path / "page.html").read_text(encoding="utf-8").partition("<main>")[2].partition("</main>")[0]


def test_games_that_beat_a_policy_are_on_a_page(tmp_path, run):
    page, found = tmp_path / "page.html", exploit("greedy", "tictactoe", freeze=True)
    assert page.as_uri() in run("exploit", "tictactoe", "--policy", "greedy", "--freeze", "--report", page)[1]
    for shown in (film_of(page.read_text(encoding="utf-8")), film_of(ludus.show(found).page())):
        assert [game["title"] for game in shown["games"]] == ["It loses as X", "It loses as O"]
        for game, seat in zip(shown["games"], found.seats, strict=True):
            assert [move["move"] for move in game["moves"]] == [found.game.move_name(action) for action in seat.line]
    with pytest.raises(ValueError, match="no game of tictactoe against perfect was found"):
        ludus.show(exploit("perfect", "tictactoe", freeze=True, positions=2))


# ---- in a notebook


GAMES = ("tictactoe", "othello:size=4")


def test_an_environment_is_shown_as_it_stands():
    env = gym.make("ludus/TicTacToe-v0", opponent=None)
    env.reset(seed=1)
    env.step(4)
    game = make_game("tictactoe")
    assert game.svg(game.play(game.start, 4), 4) in ludus.show(env)._repr_html_()
    with pytest.raises(ValueError, match="has no board of Ludus"):
        ludus.show(3)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_two_outputs_in_one_notebook_are_stepped_through_each_by_itself(chromium: Browser, tmp_path: Path):
    contest = tournament(GAMES, ["random", evil], 4, seed=5, faults="count")
    records = [next(one for one in contest.store.records() if one.pairing.game == spec and one.actions) for spec in GAMES]
    notebook = tmp_path / "notebook.html"
    outputs = "".join(f"<div class='output'>{ludus.show(record)._repr_html_()}</div>" for record in records)
    notebook.write_text(f"<!DOCTYPE html><title>Notebook</title>{outputs}", encoding="utf-8")
    with watching(chromium, str(tmp_path)) as page:
        page.goto(notebook.as_uri())
        frames = [page.frame_locator("iframe").nth(number) for number in range(2)]
        for frame in frames:
            frame.get_by_role("button", name="To the start").click()
            frame.get_by_role("button", name="On", exact=True).click()
            expect(frame.locator(".players")).to_contain_text(EVIL)
        for frame, record, game in zip(frames, records, map(make_game, GAMES), strict=True):
            state = game.play(game.start, record.actions[0])
            expect(frame.locator(".board svg")).to_have_attribute("aria-label", f"{game.status(state)}: {game.text(state)}")
