"""Grades of recorded games, and the verdicts on their moves: each move's value and score, by player and by game."""

import re

import numpy as np
import pytest

from ludus.arena import grade_games
from ludus.arena.grading.verdict import Verdict, judge_of
from ludus.envs import make_game
from ludus.oracles import Solution
from ludus.oracles.values import quick_oracle
from ludus.records import RecordedGame, write_games

from ...helpers.recorded import random_game
from ...naive.search import solved

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
        assert (move.score_before, move.score_after) == (
            oracle.solve(state).score,
            oracle.after(state)[game.action(move.move)].score,
        )
        assert move.score_lost >= 0
    moves = sum(len(record.actions) for record in OTHELLO)
    assert sum(player.out_of_reach for player in graded.players) == moves - len(graded.moves)
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


# ---- verdicts: what is said of each move follows from the values before and after it


def verdicts_of(spec, *moves):
    game = make_game(spec)
    return judge_of(game).verdicts([game.action(move) for move in moves])


def test_a_verdict_says_what_value_the_move_lost():
    verdicts = verdicts_of("tictactoe", "a1", "a2", "a3", "c3", "b1")
    assert [verdict.sentence(make_game("tictactoe")) for verdict in verdicts] == [
        "drawn: best",
        "drawn → lost in 6 plies: a blunder; best: b2",
        "won in 5 plies → drawn: a blunder; best: b1, c1, b2",
        "drawn → lost in 4 plies: a blunder; best: b2",  # c1 threatens b1 and b2
        "won in 3 plies → drawn: a blunder; best: c1",
    ]


@pytest.mark.parametrize("all_best", [True, False])
def test_a_move_that_keeps_the_score_is_best_where_not_all_best_moves_are_known(all_best: bool):
    game = make_game("othello")
    known, other, worse = map(game.action, ("g8", "e8", "h4"))
    before = Solution(1, (known,), score=64, all_best=all_best)
    keeps, loses = (Verdict(action, before, Solution(1, score=score), before.best) for action, score in ((other, 64), (worse, 2)))
    assert (keeps.word, loses.word) == ("fine" if all_best else "best", "fine")
    assert loses.sentence(game) == f"won by 64 → won by 2: fine; {'best' if all_best else 'best known'}: g8"


@pytest.mark.parametrize("seed", range(10))
def test_in_tictactoe_every_verdict_is_what_brute_force_says(seed):
    game, known = make_game("tictactoe"), {}
    state = game.start
    for verdict in judge_of(game).verdicts(random_game("tictactoe", seed).actions):
        before = solved(game, state, known)
        state = game.play(state, verdict.action)
        after = -solved(game, state, known)
        assert (verdict.before.value, verdict.after.value, verdict.value_lost) == (before, after, before - after)
        assert (verdict.word == "blunder") == (after < before)
        assert (verdict.word == "best") == (verdict.action in verdict.best)


def test_a_player_who_moves_twice_is_the_same_player():
    # 0, 1 and 2 lie in a row, all below 4: whoever gives the opponent anything below 8 or 4 has lost
    *_, place, give, answer = verdicts_of("quarto", "give 0", "a1", "give 1", "b1", "give 2", "c1", "give 4", "d1")
    assert place.after.value == give.before.value == 0
    assert (give.after.value, give.word, answer.word) == (-1, "blunder", "best")
    assert answer.before.value == answer.after.value == 1
    assert {make_game("quarto").moves[action] for action in give.best} <= {f"give {piece}" for piece in (12, 13, 14, 15)}


def test_out_of_reach_nothing_is_said():
    game = make_game("othello")
    for verdict in judge_of(game).verdicts(random_game("othello").actions[:20]):
        assert (verdict.word, verdict.value_lost, verdict.best, verdict.sentence(game)) == ("unknown", None, (), "")
