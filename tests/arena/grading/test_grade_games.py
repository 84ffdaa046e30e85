"""Grades of recorded games: each move's value and score, by player and by game."""

import re

import numpy as np
import pytest

from ludus.arena import grade_games
from ludus.arena.grading.verdict import judge_of
from ludus.envs import make_game
from ludus.oracles.values import quick_oracle
from ludus.records import RecordedGame, write_games

from ...helpers.recorded import random_game
from ...helpers.system.processes import ROOT

OTHELLO = [random_game("othello:size=6", seed, players=("Ada", "Bob") if seed % 2 else ("Bob", "Cy")) for seed in range(4)]
GAME = make_game("tictactoe")


def line(moves, players=("Ada", "Bob"), start=None):
    return RecordedGame("tictactoe", start, tuple(map(GAME.action, moves.split())), players)


def test_what_each_move_lost_is_listed_and_added_up_for_its_player():
    games = [line("a1 b1 b2 c3 a3"), line("b2 a1", ("Bob", "Ada")), line("a1", start="-XOXO---- X")]
    graded = grade_games(games)
    expected = [
        (number, ply, verdict.before.value, verdict.after.value)
        for number, game in enumerate(games)
        for ply, verdict in enumerate(judge_of(GAME).verdicts(game.actions, game.start))
    ]
    assert [(move.game, move.ply, move.before, move.after) for move in graded.moves] == expected
    assert [move.player for move in graded.moves] == ["Ada", "Bob", "Ada", "Bob", "Ada", "Bob", "Ada", "Ada"]
    blunder = graded.moves[1]
    assert (blunder.move, blunder.before, blunder.after, blunder.value_lost, blunder.score_lost) == ("b1", 0, -1, 1, None)
    assert blunder.best == ("b2",)
    ada, bob = graded.players
    for player in (ada, bob):
        own = [move.value_lost for move in graded.moves if move.player == player.player]
        assert (player.games, player.grade.graded.sum(), player.out_of_reach) == (3, len(own), 0)
        assert player.value_lost_in_a_game == sum(own) / 3
        assert player.grade.value_lost == pytest.approx(np.mean(own))
    assert bob.value_lost_in_a_game > 0
    assert graded.player("Bob") is bob


def test_scores_are_graded_where_the_oracle_knows_them_and_what_is_out_of_reach_is_counted():
    graded = grade_games(OTHELLO)
    game = make_game("othello:size=6")
    oracle = quick_oracle(game)
    for move in graded.moves[:: len(graded.moves) // 6]:
        state = game.parse(move.position)
        after = game.play(state, game.action(move.move))
        score = oracle.solve(after).score * (1 if game.player(after) == game.player(state) else -1)
        assert (move.score_before, move.score_after) == (oracle.solve(state).score, score)
        assert move.score_lost >= 0
    assert sum(player.out_of_reach for player in graded.players) == sum(len(record.actions) for record in OTHELLO) - len(
        graded.moves
    )
    assert all(player.out_of_reach > 0 for player in graded.players)
    lost = sum(move.score_lost for move in graded.moves if move.player == "Bob")
    bob = graded.player("Bob")
    assert (bob.total_score_lost, bob.games, bob.score_lost_in_a_game) == (lost, 4, lost / 4)
    assert bob.score_lost == lost / bob.grade.graded.sum()
    some = grade_games(OTHELLO, most=10)
    assert len(some.moves) == 10
    assert {(move.game, move.ply) for move in some.moves} <= {(move.game, move.ply) for move in graded.moves}


@pytest.mark.parametrize(("games", "game"), [([], None), ([line("a1")], "nim"), ([line("a1"), random_game("nim")], None)])
def test_games_of_several_kinds_or_none_are_refused(games, game):
    with pytest.raises(ValueError, match="games of one kind are graded together"):
        grade_games(games, game)


def test_the_command_grades_a_file(tmp_path, run, document):
    write_games(tmp_path / "a.pgn", [line("a1 b1 b2 c3 a3"), line("b2 a1", ("Bob", "Ada"))])
    words = ("grade", "tictactoe", "--games", tmp_path / "a.pgn")
    assert [player["player"] for player in document(*words)["players"]] == ["Ada", "Bob"]
    out = run(*words)[1]
    assert "2 games of tictactoe" in out
    assert re.search(r"0 +1 +Bob +b1 +drawn → lost +b2", out)


def test_the_page_has_every_name_of_these_grades():
    page = (ROOT / "docs" / "grading.md").read_text().partition("## The names of a grade")[2].partition("\n## ")[0]
    document = grade_games(OTHELLO[:1]).document()
    names = {*document, *document["players"][0], *document["moves"][0]}
    assert len(names) > 25
    assert [name for name in sorted(names) if f"`{name}`" not in page and not re.match("(draw|loss|win)_rate", name)] == []
