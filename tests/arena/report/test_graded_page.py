# type: ignore
"""The games that an exact grade says a policy loses, as replays: in a notebook and on the page of the grade."""

import json
import re
from html import escape, unescape

import pytest

import ludus
from ludus.arena import exploit, grade_exact
from ludus.arena.report.page import write_grade
from ludus.cli import main
from ludus.envs import make_game

from ...helpers.arena.played import join_pieces

POLICY = "mcts:simulations=5"


@pytest.fixture(scope="module")
def graded():
    return grade_exact(POLICY, "tictactoe")


def film_of(page):
    """The games that a page holds."""
    return json.loads(unescape(re.search(r'<script type="application/json" id="film">(.*?)</script>', page, re.DOTALL)[1]))


def check_played_out(film, graded):
    """The games of a film are the lines of the grade, played out from the start, the policy in the seat that loses."""
    game = make_game("tictactoe")
    lines = [(number, seat.line) for number, seat in enumerate(graded.seats) if seat.line is not None]
    assert len(film["games"]) == len(lines) > 0
    for shown, (seat, line) in zip(film["games"], lines, strict=True):
        states = game.play_line(line)
        drawn = [game.svg(state, action) for state, action in zip(states, (None, *line), strict=True)]
        assert [join_pieces(film["pieces"], row) for row in shown["frames"]] == drawn
        assert [move["move"] for move in shown["moves"]] == [game.move_name(action) for action in line]
        assert shown["players"][seat] == POLICY
        assert shown["ending"] == f"opponent wins after {len(line)} plies"
        assert game.outcome(states[-1])[seat] == -1
        assert sum(move["lost"] for move in shown["moves"] if move["by"] == seat) > 0


def test_the_games_that_it_loses_are_the_lines_played_out(graded, tmp_path):
    check_played_out(film_of(ludus.show(graded).page()), graded)
    write_grade(tmp_path / "page.html", graded)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    check_played_out(film_of(page), graded)
    assert escape(graded._summary) in page


def test_a_policy_that_is_not_beaten_has_no_game_to_show(tmp_path):
    perfect = grade_exact("perfect", "tictactoe")
    with pytest.raises(ValueError, match="perfect loses no game"):
        ludus.show(perfect)
    write_grade(tmp_path / "page.html", perfect)
    assert "data-film" not in (tmp_path / "page.html").read_text(encoding="utf-8").partition("<main>")[2].partition("</main>")[0]


def test_commands_write_pages_with_the_games_against_a_policy(tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["grade", "tictactoe", "--policy", POLICY, "--exact", "--report", str(page)]) == 0
    assert film_of(page.read_text(encoding="utf-8"))["games"]
    assert main(["exploit", "tictactoe", "--policy", "greedy", "--freeze", "--report", str(page)]) == 0
    assert capsys.readouterr().out.count(page.as_uri()) == 2
    found = exploit("greedy", "tictactoe", freeze=True)
    for shown in (film_of(page.read_text(encoding="utf-8")), film_of(ludus.show(found).page())):
        assert [game["title"] for game in shown["games"]] == ["It loses as X", "It loses as O"]
        for game, seat in zip(shown["games"], found.seats, strict=True):
            assert [move["move"] for move in game["moves"]] == [found.game.move_name(action) for action in seat.line]
    with pytest.raises(ValueError, match="no game of tictactoe against perfect was found"):
        ludus.show(exploit("perfect", "tictactoe", freeze=True, positions=2))
