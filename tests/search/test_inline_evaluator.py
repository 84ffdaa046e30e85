"""Guided search with its evaluation compiled in: what it finds is what the same evaluation finds from outside."""

import numpy as np
import pytest

import ludus
from ludus.envs import set_threads
from ludus.games.kernels.bits import number, u64
from ludus.games.kernels.rules import player
from ludus.search.mcts import guided as guideds
from ludus.search.mcts.guided import GuidedSearch, InlineEvaluator

from ..helpers.agents.searched import same, states_of

either_formula = pytest.mark.parametrize("formula", ["puct", "gumbel"])


def leaning(state, weights, priors):
    """Priors from the weights, turned by the player to move, and a value from the first word of the state."""
    for action in range(priors.shape[0]):
        priors[action] = weights[(action + player(state)) % priors.shape[0]]
    return weights[priors.shape[0]] * float(number(state[0] & u64(63)) - 32)


def leaning_outside(game, weights):
    def evaluate(leaves):
        priors = np.stack([np.roll(weights[:-1], -int(mover)) for mover in game.players(leaves)])
        return priors, weights[-1] * ((leaves[:, 0] & np.uint64(63)).astype(np.int64) - 32.0)

    return evaluate


def weights_of(game):
    return np.append(np.random.default_rng(1).random(game.num_actions), 1 / 32)


@pytest.mark.parametrize("spec", ["tictactoe", "othello:size=6", "quarto"])
@either_formula
def test_inside_is_found_what_is_found_from_outside(spec, formula):
    game = ludus.make_game(spec)
    states, weights = states_of(game, 8), weights_of(game)
    search = GuidedSearch(game, 60, formula=formula, ahead=100)
    for noise in (None, np.random.default_rng(0).gumbel(size=(8, game.num_actions)) ** 2):
        found = search.search(states, InlineEvaluator(leaning, weights), noise)
        assert same(found, search.search(states, leaning_outside(game, weights), noise))
        assert np.array_equal(found.policy, search.search(states, leaning_outside(game, weights), noise).policy)


def test_what_is_found_inside_depends_on_neither_threads_nor_cuts(monkeypatch):
    game = ludus.make_game("othello:size=6")
    states, weights = states_of(game, 30), weights_of(game)
    search = GuidedSearch(game, 200)
    expected = search.search(states, InlineEvaluator(leaning, weights))
    assert same(search.search(states, InlineEvaluator(leaning, weights)), expected)
    monkeypatch.setattr(guideds, "SLICE", 100)
    monkeypatch.setattr("ludus.core.native.threads.SMALLEST_BATCH", 1)
    monkeypatch.setattr("ludus.core.native.threads.SMALLEST_PART", 1)
    try:
        for threads in (1, 3):
            set_threads(threads)
            assert same(search.search(states, InlineEvaluator(leaning, weights)), expected)
    finally:
        set_threads(None)
