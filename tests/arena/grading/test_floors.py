"""The value lost over that of random moves: by hand, in games that are known as a whole, and beyond what an oracle reaches."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ludus.arena import tournament
from ludus.arena.grading.decisions import Decisions, decisions_of, losses_of_actions, mean_by_position, relative_loss, values_after
from ludus.games.registry import make_game
from ludus.oracles import make_oracle
from ludus.oracles.oracle import OUT_OF_REACH


def decisions_in_games(game: str, policy: str, games: int) -> Decisions:
    contest = tournament(game, [policy, "greedy"], games, seed=3)
    (pairing,) = contest.plan.pairings
    return decisions_of(make_game(game), contest.store.played(pairing))


def test_a_random_move_loses_the_mean_of_what_all_moves_lose() -> None:
    oracle = make_oracle("nim:heaps=1+2")
    states = np.stack([oracle.game.parse(text) for text in ("1 2", "1 1", "0 2")])
    # 1 2: taking one of the two wins, the other two moves lose; 1 1: all moves lose anyway; 0 2: taking both wins, one loses
    rows, _, losses = losses_of_actions(oracle.game, states, values_after(oracle))
    assert mean_by_position(rows, losses, 3).tolist() == pytest.approx([4 / 3, 0, 1])


@pytest.mark.parametrize("game", ["quarto", "tictactoe"])
def test_an_action_loses_the_value_before_it_less_the_value_after_it(game: str) -> None:
    oracle = make_oracle(game)
    late = decisions_in_games(game, "random", 20).states[-30:]
    rows, actions, losses = losses_of_actions(oracle.game, late, values_after(oracle))
    for row, action, lost in zip(rows.tolist(), actions.tolist(), losses.tolist(), strict=True):
        assert lost == oracle.value(late[row]) - oracle.after(late[row], [action])[action].value


def test_perfect_play_is_0_and_random_play_about_1() -> None:
    oracle, shares = make_oracle("tictactoe"), dict[str, float]()
    for policy in ("perfect", "random"):
        decisions = decisions_in_games("tictactoe", policy, 200)
        loss = relative_loss(oracle.game, decisions, decisions.games // 2, oracle, most=10_000)
        assert (loss.graded, loss.known) == (loss.moves, 1.0)
        assert loss.low <= loss.share <= loss.high
        shares[policy] = loss.share
    assert shares == {"perfect": 0.0, "random": pytest.approx(1, abs=0.15)}


def test_a_sample_is_no_larger_than_asked_and_about_as_good() -> None:
    oracle, decisions = make_oracle("tictactoe"), decisions_in_games("tictactoe", "random", 400)
    every, some = (relative_loss(oracle.game, decisions, decisions.games // 2, oracle, most=most, seed=1) for most in (10_000, 300))
    assert (some.graded, some.moves, some.known) == (300, every.moves, 1.0)
    assert some.high - some.low > every.high - every.low
    assert some.low <= every.share <= some.high


def test_positions_beyond_the_oracle_are_left_out_or_count_as_a_value() -> None:
    game, decisions = make_game("quixo"), decisions_in_games("quixo", "random", 10)
    oracle = make_oracle(game, depth=1)
    unknown = oracle.values(decisions.states) == OUT_OF_REACH
    left = relative_loss(game, decisions, decisions.games // 2, oracle, most=100)
    drawn = relative_loss(game, decisions, decisions.games // 2, oracle, most=100, undecided=0)
    assert unknown.any()
    assert left.known < 0.5
    assert (drawn.known, drawn.graded) == (1.0, min(100, drawn.moves))
    assert 0 < drawn.share < 2
    deep = make_game("othello")
    late = decisions_in_games("othello", "random", 4)
    near = relative_loss(deep, late, late.games // 2, make_oracle(deep, empties=8), most=40)
    assert near.first_ply is not None
    assert near.first_ply >= 52  # 60 cells are free at the start, 8 are then left at most; a pass makes it later
    assert near.known == pytest.approx((late.plies >= 52).mean(), abs=0.03)


def test_where_nothing_is_graded_there_are_no_numbers() -> None:
    game = make_game("othello")
    decisions = decisions_in_games("othello", "random", 2)
    early = Decisions(*(part[decisions.plies < 20] for part in decisions))
    loss = relative_loss(game, early, early.games // 2, make_oracle(game, empties=1), most=5)
    assert math.isnan(loss.share)
    assert loss.cells() == ["", "", "0.000", "0.000", "0", "0", ""]
    assert {name: loss.document()[name] for name in ("share", "low", "first_ply", "graded")} == {
        "share": None, "low": None, "first_ply": None, "graded": 0,
    }  # fmt: skip
