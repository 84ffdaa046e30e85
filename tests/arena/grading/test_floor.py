"""What random play is worth in the positions that a policy met: beside grades, and as the measure of the value that it lost."""

import math

import numpy as np
import pytest

from ludus.agents.registry import make_policy
from ludus.arena import tournament
from ludus.arena.grading import decisions, grade_exact
from ludus.arena.grading.decisions import (
    Decisions,
    decisions_in,
    decisions_of,
    losses_of_actions,
    mean_by_position,
    relative_loss,
    values_after,
)
from ludus.arena.grading.sampled import grade_decisions
from ludus.arena.matches.games import Pairing
from ludus.arena.matches.job import Job, play_job
from ludus.arena.matches.settings import MatchSettings
from ludus.envs import make_game
from ludus.oracles import OUT_OF_REACH, make_oracle


def decisions_of_games(spec, policy, games):
    game = make_game(spec)
    policies = make_policy(policy, game), make_policy("random", game)
    played = play_job(Job(Pairing(spec, policy, "random"), policies, np.arange(games), 0, MatchSettings(0)))
    return game, decisions_in(game, played.records(Pairing(spec, policy, "random")), policy)


def lost_by(game, oracle, state, action):
    after = game.play(state, action)
    turn = 1 if game.player(after) == game.player(state) else -1
    return oracle.value(state) - turn * oracle.value(after)


def lost_by_all(game, oracle, state):
    return [lost_by(game, oracle, state, action) for action in game.legal_actions(state)]


@pytest.mark.parametrize("spec", ["tictactoe", "nim:heaps=1+2+3,misere=true", "connect_four:rows=4,columns=4"])
def test_a_sampled_grade_has_the_mean_over_all_legal_actions(spec):
    game, made = decisions_of_games(spec, "greedy", 10)
    graded, oracle = grade_decisions(game, "greedy", made), make_oracle(game)
    lost = [lost_by_all(game, oracle, state) for state in made.states]
    assert graded.random_value_lost == pytest.approx(np.mean([np.mean(values) for values in lost]))
    assert graded.random_optimal_rate == pytest.approx(np.mean([np.mean(np.array(values) == 0) for values in lost]))
    assert graded.random_graded.tolist() == graded.graded.tolist()
    for entry in graded.document()["by_ply"]:
        here = [np.mean(values) for values, ply in zip(lost, made.plies, strict=True) if ply == entry["ply"]]
        assert entry["random_value_lost"] == pytest.approx(np.mean(here))


def test_where_values_take_a_search_one_random_action_stands_for_all(monkeypatch):
    game, made = decisions_of_games("tictactoe", "greedy", 400)
    whole = grade_decisions(game, "greedy", made)
    monkeypatch.setattr(decisions, "is_searched", lambda game: True)
    drawn = [grade_decisions(game, "greedy", made, most=None, seed=seed) for seed in range(3)]
    assert len({one.random_value_lost for one in drawn}) == 3
    for one in drawn:
        assert one.total_value_lost.tolist() == whole.total_value_lost.tolist()
        assert one.random_value_lost == pytest.approx(whole.random_value_lost, abs=4 / np.sqrt(one.graded.sum()))
        assert one.random_optimal_rate == pytest.approx(whole.random_optimal_rate, abs=2 / np.sqrt(one.graded.sum()))
    mean = np.mean([grade_decisions(game, "greedy", made, most=None, seed=seed).random_value_lost for seed in range(30)])
    assert mean == pytest.approx(whole.random_value_lost, abs=0.01)


def test_random_play_is_its_own_floor_exactly():
    for spec in ("tictactoe", "nim:heaps=1+2+3", "quixo:size=3"):
        exact = grade_exact("random", spec)
        assert exact.random_value_lost == pytest.approx(exact.value_lost)
        assert exact.random_optimal_rate == pytest.approx(exact.optimal_rate)
        for seat in exact.seats:
            assert seat.random_value_lost == pytest.approx(seat.vs_random.value_lost)


def test_a_position_counts_only_if_every_random_action_is_known():
    class Forgetful:
        """Knows the oracle's values, but for one in ten of the positions."""

        def values(self, states):
            values = make_oracle(make_game("tictactoe")).values(states)
            return np.where(states.sum(1) * np.uint64(2654435761) % np.uint64(61) < 6, OUT_OF_REACH, values)

        def reached(self, states):
            return np.ones(len(states), bool)

    game, made = decisions_of_games("tictactoe", "greedy", 20)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decisions, "values_around", lambda *args: around(Forgetful(), *args[:3]))
        forgetful = grade_decisions(game, "greedy", made)
    whole = grade_decisions(game, "greedy", made)
    assert 0 < forgetful.random_graded.sum() < forgetful.graded.sum() < whole.graded.sum()
    assert forgetful.graded_rate == forgetful.graded.sum() / whole.moves.sum()
    assert f"({forgetful.graded_rate:.1%})" in repr(forgetful)
    assert f"random play in {forgetful.random_graded.sum():,} of these" in forgetful._summary


def around(oracle, game, states, actions):
    """The values before and after actions, as an oracle knows them."""
    after_states = game.plays(states, actions)
    before, after = oracle.values(states), oracle.values(after_states)
    turned = (game.players(states) != game.players(after_states)) & (after != OUT_OF_REACH)
    return before, np.where(turned, -after, after)


# ---- value lost over that of random moves


def decisions_against_greedy(game, policy, games):
    contest = tournament(game, [policy, "greedy"], games, seed=3)
    (pairing,) = contest.plan.pairings
    return decisions_of(make_game(game), contest.store.played(pairing))


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
    unknown = oracle.values(decisions.states) == OUT_OF_REACH
    left = relative_loss(game, decisions, decisions.games // 2, oracle, most=100)
    drawn = relative_loss(game, decisions, decisions.games // 2, oracle, most=100, undecided=0)
    assert unknown.any()
    assert left.known < 0.5
    assert (drawn.known, drawn.graded) == (1.0, min(100, drawn.moves))
    assert 0 < drawn.share < 2
    deep = make_game("othello")
    late = decisions_against_greedy("othello", "random", 4)
    near = relative_loss(deep, late, late.games // 2, make_oracle(deep, empties=8), most=40)
    assert near.first_ply is not None
    assert near.first_ply >= 52  # 60 cells are free at the start, 8 are then left at most; a pass makes it later
    assert near.known == pytest.approx((late.plies >= 52).mean(), abs=0.03)


def test_where_nothing_is_graded_there_are_no_numbers():
    game = make_game("othello")
    decisions = decisions_against_greedy("othello", "random", 2)
    early = Decisions(*(part[decisions.plies < 20] for part in decisions))
    loss = relative_loss(game, early, early.games // 2, make_oracle(game, empties=1), most=5)
    assert math.isnan(loss.share)
    assert loss.cells() == ["", "", "0.000", "0.000", "0", "0", ""]
    assert {name: loss.document()[name] for name in ("share", "low", "first_ply", "graded")} == {
        "share": None,
        "low": None,
        "first_ply": None,
        "graded": 0,
    }
