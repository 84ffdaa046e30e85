"""Verdicts: what is said of each move follows from the values before and after it, and of no other thing."""

import numpy as np
import pytest

from ludus.arena.grading.verdict import Verdict, judge_of
from ludus.envs import make_game
from ludus.oracles import Solution

from ...naive.search import solved


def line(game, seed):
    """The actions of a random game."""
    rng, state, actions = np.random.default_rng(seed), game.start, []
    while game.outcome(state) is None and len(actions) < 200:
        actions.append(int(rng.choice(game.legal_actions(state))))
        state = game.play(state, actions[-1])
    return actions


def of(spec, *moves):
    game = make_game(spec)
    return judge_of(game).verdicts([game.action(move) for move in moves])


def sentences(spec, *moves):
    return [verdict.sentence(make_game(spec)) for verdict in of(spec, *moves)]


def test_a_verdict_says_what_value_the_move_lost():
    assert sentences("tictactoe", "a1", "a2", "a3", "c3", "b1") == [
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
    for verdict in judge_of(game).verdicts(line(game, seed)):
        before = solved(game, state, known)
        state = game.play(state, verdict.action)
        after = -solved(game, state, known)
        assert (verdict.before.value, verdict.after.value, verdict.value_lost) == (before, after, before - after)
        assert (verdict.word == "blunder") == (after < before)
        assert (verdict.word == "best") == (verdict.action in verdict.best)


def test_a_player_who_moves_twice_is_the_same_player():
    # 0, 1 and 2 lie in a row, all below 4: whoever gives the opponent anything below 8 or 4 has lost
    *_, place, give, answer = of("quarto", "give 0", "a1", "give 1", "b1", "give 2", "c1", "give 4", "d1")
    assert place.after.value == give.before.value == 0
    assert (give.after.value, give.word, answer.word) == (-1, "blunder", "best")
    assert answer.before.value == answer.after.value == 1
    assert {make_game("quarto").moves[action] for action in give.best} <= {f"give {piece}" for piece in (12, 13, 14, 15)}


def test_out_of_reach_nothing_is_said():
    game = make_game("othello")
    beyond = judge_of(game).verdicts(line(game, 0)[:20])
    assert {(verdict.word, verdict.value_lost, verdict.best, verdict.sentence(game)) for verdict in beyond} == {
        ("unknown", None, (), "")
    }
