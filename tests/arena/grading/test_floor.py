"""The floor beside a grade: what random play is worth in the same positions, and how much of a policy's moves was graded."""

import numpy as np
import pytest

from ludus.agents.registry import make_policy
from ludus.arena.grading import decisions, grade, grade_exact
from ludus.arena.grading.decisions import decisions_in
from ludus.arena.grading.sampled import grade_decisions
from ludus.arena.matches.games import Pairing
from ludus.arena.matches.job import Job, play_job
from ludus.arena.matches.settings import MatchSettings
from ludus.baselines.runs.measure import describe_results
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


def test_an_exact_floor_is_what_many_games_show():
    exact, sample = grade_exact("greedy", "tictactoe"), grade("greedy", "tictactoe", games=2000)
    assert sample.random_value_lost == pytest.approx(exact.random_value_lost, abs=0.03)
    assert sample.random_optimal_rate == pytest.approx(exact.random_optimal_rate, abs=0.02)
    assert exact.value_lost < exact.random_value_lost
    assert (exact.graded_rate, sample.graded_rate) == (1.0, 1.0)


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


def test_texts_and_tables_have_the_floor():
    sample, exact = grade("greedy", "tictactoe", games=20), grade_exact("greedy", "tictactoe")
    assert f"random play in the same positions: {sample.random_optimal_rate:.2%} and {sample.random_value_lost:.4f}" in str(sample)
    assert f"({exact.random_value_lost:.4f} by random moves in the same positions)" in str(exact)
    assert f"{exact.seats[0].random_value_lost:.4f}" in str(exact)


def test_the_grade_of_a_training_has_it_too():
    sample, exact = grade("greedy", "tictactoe", games=20), grade_exact("greedy", "tictactoe")
    for graded in (sample, exact):
        *_, words = describe_results({"scores": [], "grade": graded.document()})
        assert f"(of random moves in the same positions {100 * graded.random_optimal_rate:.2f} %)" in words
