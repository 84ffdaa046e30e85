"""What random play is worth in the positions that a policy met: beside grades, and as the measure of the value that it lost."""

import numpy as np
import pytest

from ludus.arena import tournament
from ludus.arena.grading import decisions, grade_exact
from ludus.arena.grading.decisions import (
    Decisions,
    decisions_of,
    losses_of_actions,
    mean_by_position,
    relative_loss,
    values_after,
)
from ludus.arena.grading.sampled import grade_decisions
from ludus.envs import make_game
from ludus.oracles import make_oracle


def decisions_against_greedy(game, policy, games):
    contest = tournament(game, [policy, "greedy"], games, seed=3)
    (pairing,) = contest.plan.pairings
    return decisions_of(make_game(game), contest.store.played(pairing))


def lost_by_all(oracle, state):
    return [oracle.value(state) - after.value for after in oracle.after(state).values()]


@pytest.mark.parametrize("spec", ["tictactoe", "nim:heaps=1+2+3,misere=true", "connect_four:rows=4,columns=4"])
def test_a_sampled_grade_has_the_mean_over_all_legal_actions(spec):
    game, made = make_game(spec), decisions_against_greedy(spec, "random", 10)
    graded, oracle = grade_decisions(game, "random", made), make_oracle(game)
    lost = [lost_by_all(oracle, state) for state in made.states]
    assert graded.random_value_lost == pytest.approx(np.mean([np.mean(values) for values in lost]))
    assert graded.random_optimal_rate == pytest.approx(np.mean([np.mean(np.array(values) == 0) for values in lost]))
    assert graded.random_graded.tolist() == graded.graded.tolist()
    for entry in graded.document()["by_ply"]:
        here = [np.mean(values) for values, ply in zip(lost, made.plies, strict=True) if ply == entry["ply"]]
        assert entry["random_value_lost"] == pytest.approx(np.mean(here))


def test_where_values_take_a_search_one_random_action_stands_for_all(monkeypatch):
    game, made = make_game("tictactoe"), decisions_against_greedy("tictactoe", "random", 400)
    whole = grade_decisions(game, "random", made)
    monkeypatch.setattr(decisions, "is_searched", lambda game: True)
    drawn = [grade_decisions(game, "random", made, most=None, seed=seed) for seed in range(3)]
    assert len({one.random_value_lost for one in drawn}) == 3
    for one in drawn:
        assert one.total_value_lost.tolist() == whole.total_value_lost.tolist()
        assert one.random_value_lost == pytest.approx(whole.random_value_lost, abs=4 / np.sqrt(one.graded.sum()))
        assert one.random_optimal_rate == pytest.approx(whole.random_optimal_rate, abs=2 / np.sqrt(one.graded.sum()))
    mean = np.mean([grade_decisions(game, "random", made, most=None, seed=seed).random_value_lost for seed in range(30)])
    assert mean == pytest.approx(whole.random_value_lost, abs=0.01)


def test_random_play_is_its_own_floor_exactly():
    for spec in ("tictactoe", "nim:heaps=1+2+3", "quixo:size=3"):
        exact = grade_exact("random", spec)
        assert exact.random_value_lost == pytest.approx(exact.value_lost)
        assert exact.random_optimal_rate == pytest.approx(exact.optimal_rate)
        for seat in exact.seats:
            assert seat.random_value_lost == pytest.approx(seat.vs_random.value_lost)


# ---- value lost over that of random moves


def test_a_random_move_loses_the_mean_of_what_all_moves_lose():
    oracle = make_oracle("nim:heaps=1+2")
    states = np.stack([oracle.game.parse(text) for text in ("1 2", "1 1", "0 2")])
    # 1 2: taking one of the two wins, the other two moves lose; 1 1: all moves lose anyway; 0 2: taking both wins, one loses
    rows, _, losses = losses_of_actions(oracle.game, states, values_after(oracle))
    assert mean_by_position(rows, losses, 3).tolist() == pytest.approx([4 / 3, 0, 1])


@pytest.mark.parametrize("game", ["quarto", "tictactoe"])
def test_an_action_loses_the_value_before_it_less_the_value_after_it(game):
    oracle = make_oracle(game)
    late = decisions_against_greedy(game, "random", 20).states[-30:]
    rows, actions, losses = losses_of_actions(oracle.game, late, values_after(oracle))
    for row, action, lost in zip(rows.tolist(), actions.tolist(), losses.tolist(), strict=True):
        assert lost == oracle.value(late[row]) - oracle.after(late[row], [action])[action].value


def test_perfect_play_is_0_and_random_play_about_1():
    oracle, shares = make_oracle("tictactoe"), {}
    for policy in ("perfect", "random"):
        decisions = decisions_against_greedy("tictactoe", policy, 200)
        loss = relative_loss(oracle.game, decisions, decisions.games // 2, oracle, most=10_000)
        assert (loss.graded, loss.known) == (loss.moves, 1.0)
        assert loss.low <= loss.share <= loss.high
        shares[policy] = loss.share
    assert shares == {"perfect": 0.0, "random": pytest.approx(1, abs=0.15)}


def test_positions_beyond_the_oracle_are_left_out_or_count_as_a_value():
    game, decisions = make_game("quixo"), decisions_against_greedy("quixo", "random", 10)
    oracle = make_oracle(game, depth=1)
    left = relative_loss(game, decisions, decisions.games // 2, oracle, most=100)
    drawn = relative_loss(game, decisions, decisions.games // 2, oracle, most=100, undecided=0)
    assert left.known < 0.5
    assert (drawn.known, drawn.graded) == (1.0, min(100, drawn.moves))
    assert 0 < drawn.share < 2
    deep, late = make_game("othello"), decisions_against_greedy("othello", "random", 4)
    near = relative_loss(deep, late, late.games // 2, make_oracle(deep, empties=8), most=40)
    assert near.first_ply >= 52  # 60 cells are free at the start, 8 are then left at most; a pass makes it later
    assert near.known == pytest.approx((late.plies >= 52).mean(), abs=0.03)


def test_where_nothing_is_graded_there_are_no_numbers():
    game = make_game("othello")
    decisions = decisions_against_greedy("othello", "random", 2)
    early = Decisions(*(part[decisions.plies < 20] for part in decisions))
    loss = relative_loss(game, early, early.games // 2, make_oracle(game, empties=1), most=5)
    assert loss.cells() == ["", "", "0.000", "0.000", "0", "0", ""]
    assert [loss.document()[name] for name in ("share", "low", "first_ply", "graded")] == [None, None, None, 0]
