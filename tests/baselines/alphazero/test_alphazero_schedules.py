"""AlphaZero: what changes with time, what is drawn, and what positions are worth, by search, by results or by the oracle."""

from dataclasses import replace
from math import ceil, pi, sqrt
from types import SimpleNamespace

import numpy as np
import pytest

import ludus
from ludus.baselines.alphazero.selfplay.exact import exact_targets, oracle_of, with_exact_targets
from ludus.baselines.alphazero.selfplay.games import LONGEST, GameGroup, SelfPlay, with_samples
from ludus.baselines.alphazero.selfplay.samples import Samples
from ludus.baselines.runs.plan import RunPlan
from ludus.oracles import OUT_OF_REACH
from ludus.search.mcts.forest import SearchResults
from ludus.search.mcts.tree import UNKNOWN

from ...helpers.training.alphazero import TINY, evaluator, selfplay
from ...naive.search import solved, solved_after

DRAWS = 40_000


def begun(**settings):
    """A short AlphaZero of tic-tac-toe before its first part."""
    return RunPlan.make("alphazero", "tictactoe", 3, None, TINY | settings).begin()


def shares(actions, count):
    return np.bincount(actions, minlength=count) / len(actions)


# ---- the learning rate


def test_the_learning_rate_falls_along_half_a_cosine():
    trainer = begun(rate=0.01, rate_end=0.002)
    parts, rates = trainer.total // (TINY["boards"] * TINY["plies"]), []
    for part in range(parts):
        trainer.advance()
        assert trainer.learner._optimiser.param_groups[0]["lr"] == pytest.approx(0.006 + 0.004 * np.cos(pi * part / parts))
        rates.append(trainer.learner._optimiser.param_groups[0]["lr"])
    assert rates[0] == pytest.approx(0.01)
    assert rates == sorted(rates, reverse=True)
    assert trainer.learner.learning_rate(trainer.done / trainer.total) == pytest.approx(0.002)


# ---- simulations


def test_games_are_searched_with_as_many_simulations_as_the_training_has_come_to(monkeypatch):
    searched, play = [], SelfPlay.play

    def noted(how, *given):
        searched.append(how.settings.simulations)
        return play(how, *given)

    monkeypatch.setattr(SelfPlay, "play", noted)
    trainer = begun(simulations=9, first_simulations=1, groups=1)
    while trainer.done < trainer.total:
        trainer.advance()
    assert searched == sorted(searched)
    assert (searched[0], searched[-1]) == (1, round(9 - 8 / len(searched)))


# ---- the window


def test_the_window_grows_to_its_share_of_all_positions():
    trainer = begun(window_share=0.25, window=60, positions=768)
    sizes = []
    while trainer.done < trainer.total:
        trainer.advance()
        state = trainer.state()
        seen = int(state["counts"][1])
        sizes.append((len(state["window.values"]), min(60, ceil(0.25 * seen))))
    assert all(size == most for size, most in sizes)
    assert any(0 < size < 60 for size, _ in sizes)
    assert sizes[-1][0] == 60


# ---- noise


@pytest.mark.parametrize("noise", [3.0, 10.0])
def test_noise_is_drawn_from_dirichlets_distribution(noise):
    """Each of n shares has the mean 1/n and, all α together being the noise, the variance (1/n) (1 - 1/n) / (noise + 1)."""
    game = ludus.make_game("nim:heaps=1+3,limit=3")
    states = np.repeat(game.start[None], DRAWS, axis=0)
    legal = game.legal_actions(game.start)
    drawn = selfplay(game, formula="puct", noise=noise)._noise(states, np.random.default_rng(0))[:, legal]
    parts, mean = drawn / drawn.sum(axis=1, keepdims=True), 1 / len(legal)
    variance = mean * (1 - mean) / (noise + 1)
    assert parts.mean(axis=0) == pytest.approx(mean, abs=5 * sqrt(variance / DRAWS))
    assert parts.var(axis=0) == pytest.approx(variance, rel=0.05)
    assert np.cov(parts[:, 0], parts[:, 1])[0, 1] == pytest.approx(-(mean**2) / (noise + 1), rel=0.1)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_gumbels_draws_are_as_wide_as_the_temperature(temperature):
    """Gumbel's distribution has the mean γ and the variance π²/6; at a temperature both it and its draws are stretched."""
    game = ludus.make_game("nim:heaps=1+3,limit=3")
    states = np.repeat(game.start[None], DRAWS, axis=0)
    drawn = selfplay(game, temperature=temperature)._noise(states, np.random.default_rng(0))
    assert drawn.mean() == pytest.approx(temperature * np.euler_gamma, rel=0.02)
    assert drawn.std() == pytest.approx(temperature * pi / sqrt(6), rel=0.02)


# ---- temperature


def found_with(policy, count=DRAWS):
    """What a search found in some positions, this policy in each."""
    found = SearchResults.empty(count, len(policy))
    found.policy[:], found.visits[:], found.proofs[:] = policy, np.round(np.array(policy) * 100), 2
    found.actions[:] = np.argmax(policy)
    return found


@pytest.mark.parametrize(
    ("temperature", "expected"),
    [(1.0, [0.64, 0.36, 0.0]), (0.5, [0.4096, 0.1296, 0.0]), (2.0, [0.8, 0.6, 0.0])],  # squares, and square roots
)
def test_actions_are_drawn_by_the_policy_to_the_power_of_one_by_the_temperature(temperature, expected):
    how = selfplay(ludus.make_game("nim:heaps=3"), formula="puct", temperature=temperature)
    drawn = how._choose(found_with([0.64, 0.36, 0.0]), np.zeros(DRAWS, np.int64), np.random.default_rng(0))
    wanted = np.array(expected) / sum(expected)
    assert abs(shares(drawn, 3) - wanted).max() < 5 * sqrt(0.25 / DRAWS)
    assert (drawn < 2).all()


def test_after_the_first_plies_the_best_action_is_taken():
    how = selfplay(ludus.make_game("nim:heaps=3"), formula="puct", temperature_plies=4)
    for plies, several in ((0, True), (3, True), (4, False), (9, False)):
        drawn = how._choose(found_with([0.3, 0.4, 0.3], 1000), np.full(1000, plies), np.random.default_rng(0))
        assert len(set(drawn.tolist())) == (3 if several else 1)
    assert drawn.tolist() == [1] * 1000


# ---- what positions are worth


def test_a_proven_value_stays_and_any_other_is_blended_with_the_result_of_its_game_as_its_mover_sees_it():
    game = ludus.make_game("tictactoe")
    states = np.stack([game.start, game.play(game.start, 0)] * 4)  # player 0 and player 1 to move
    samples = Samples(states, np.zeros((8, 9), np.float16), np.float32([0.5, -0.5, 1, -1, 0.5, -0.5, 0.25, 0.25]), states)
    group = replace(
        GameGroup.new(game, 3),
        waiting=samples,
        boards=np.array([0, 0, 0, 0, 1, 1, 2, 2]),
        proven=np.array([False, False, True, True, False, False, False, False]),
    )
    how, over, results = selfplay(game, result_share=0.25), np.array([True, True, False]), np.array([-1, 1, 0])
    left, ended = how._end_games(group, over, results, np.random.default_rng(0))
    assert ended.values.tolist() == [0.375 - 0.25, -0.375 + 0.25, 1, -1, 0.375 + 0.25, -0.375 - 0.25]
    assert left.waiting.values.tolist() == [0.25, 0.25]


def test_a_sample_has_the_value_that_is_proven_and_else_that_of_search():
    game = ludus.make_game("tictactoe")
    found = SimpleNamespace(proofs=np.array([1, -1, 0, UNKNOWN]), values=np.full(4, 0.25), policy=np.zeros((4, 9)))
    group = with_samples(GameGroup.new(game, 4), found)
    assert (group.waiting.values.tolist(), group.proven.tolist()) == ([1, -1, 0, 0.25], [True, True, True, False])


def test_a_game_that_reaches_its_limit_or_repeats_a_position_is_drawn():
    game = ludus.make_game("quixo:size=3", max_plies=10)
    states, movers = np.stack([game.start] * 6), np.array([0, 1, 0, 1, 0, 1], np.int8)
    plies, again = np.array([10, 10, 3, 3, 9, 9]), np.array([False, False, True, True, False, False])
    found = SimpleNamespace(proofs=np.full(6, UNKNOWN), values=np.full(6, 0.25))
    over, results = selfplay(game)._results(states, plies, movers, found, again)
    assert (over.tolist(), results[over].tolist()) == ([True, True, True, True, False, False], [0, 0, 0, 0])
    endless = selfplay(ludus.make_game("tictactoe"))  # a game that has no limit of its own
    over, _ = endless._results(
        np.stack([endless.game.start] * 6), np.array([LONGEST, LONGEST - 1] * 3), movers, found, again & False
    )
    assert over.tolist() == [True, False] * 3


@pytest.mark.parametrize("proof", [-1, 0, 1])
def test_a_game_that_ends_with_a_proof_has_the_result_of_who_was_to_move(proof):
    game = ludus.make_game("tictactoe")
    after = np.stack([game.play(game.start, 0), game.play(game.play(game.start, 0), 1), game.start])
    movers, found = np.array([0, 1, 0], np.int8), SimpleNamespace(proofs=np.array([proof, proof, UNKNOWN]), values=np.zeros(3))
    nothing = np.zeros(3, np.int64)
    for adjudicate in (True, False):
        how = selfplay(game, solver=True, adjudicate=adjudicate)
        over, results = how._results(after, nothing, movers, found, nothing.astype(bool))
        assert over.tolist() == [adjudicate, adjudicate, False]
        assert not adjudicate or results[:2].tolist() == [proof, -proof]


# ---- targets that the oracle makes exact


def played(game, games=16, **settings):
    """The positions of games that went the same, whatever the settings do to the targets."""
    _, ended, _ = selfplay(game, openings=2, **settings).play(GameGroup.new(game, games), evaluator(game.spec), 20, (5,))
    return ended


@pytest.mark.parametrize("spec", ["tictactoe", "nim:heaps=1+2+3", "quarto"])
def test_exact_targets_are_those_of_trying_everything(spec):
    game = ludus.make_game(spec)
    states = np.unique(played(game).states, axis=0) if spec != "quarto" else near_the_end(game, 24)  # of Quarto's 32 plies
    (values, keeping), known = exact_targets(game, states, oracle_of(game)), {}
    for state, target, kept in zip(states, values, keeping, strict=True):
        assert target == solved(game, state, known)
        tried = [action for action in game.legal_actions(state) if solved_after(game, state, action, known) == target]
        assert np.flatnonzero(kept).tolist() == tried
    assert len(set(values.tolist())) > 1


def near_the_end(game, plies, count=20):
    """Positions after a number of random plies."""
    return selfplay(game)._after(np.full(count, plies), np.random.default_rng(2))


def test_a_finished_games_positions_have_exact_targets_in_their_share():
    game = ludus.make_game("tictactoe")
    usual, whole, half = (played(game, 64, exact_share=share) for share in (0.0, 1.0, 0.5))
    exact, keeping = exact_targets(game, usual.states, oracle_of(game))
    assert (usual.states == whole.states).all()
    assert (whole.values == exact).all()
    assert (usual.values == exact).mean() < 0.9
    expected = np.where(keeping, usual.policies.astype(float) + 1e-3, 0)  # what search says of the actions that keep the value
    np.testing.assert_allclose(whole.policies, expected / expected.sum(axis=1, keepdims=True), atol=2e-3)
    exact, keeping = exact_targets(game, half.states, oracle_of(game))
    changed = (half.values == exact) & ((half.policies == 0) | keeping).all(axis=1)
    assert 0.4 < changed.mean() < 0.9


def test_what_the_oracle_does_not_know_keeps_the_targets_of_search():
    game = ludus.make_game("othello:size=6")
    start = game.start[None]
    samples = Samples(start, game.masks(start).astype(np.float16) / 4, np.array([0.3], np.float32), start)
    values, keeping = exact_targets(game, samples.states, oracle_of(game))
    assert values.tolist() == [OUT_OF_REACH]
    assert not keeping.any()
    same = with_exact_targets(game, samples)
    assert (same.policies == samples.policies).all()
    assert same.values == samples.values


@pytest.mark.parametrize("share", [0.25, 0.5])
def test_lessons_are_their_share_of_all_positions_and_have_exact_targets(share):
    game = ludus.make_game("tictactoe")
    usual, more = played(game, 64), played(game, 64, long_openings=6, lesson_share=share)
    assert (more[: len(usual)].states == usual.states).all()
    taught = more[len(usual) :]
    assert len(taught) / len(more) == pytest.approx(share, abs=0.02)
    values, keeping = exact_targets(game, taught.states, oracle_of(game))
    assert (taught.values == values).all()
    assert ((taught.policies > 0) == keeping).all()
    assert {9 - game.text(state)[:9].count("-") for state in taught.states} == set(range(7))
