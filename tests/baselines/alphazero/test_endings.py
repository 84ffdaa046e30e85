"""The extra head of AlphaZero's learning, which says what each cell will hold when the game ends."""

import numpy as np
import pytest

import ludus
from ludus.baselines.alphazero.learner import Learner
from ludus.baselines.alphazero.settings import AlphaZeroSettings
from ludus.games.kernels.rules import ONGOING

from ...helpers.games import EACH
from ...helpers.training.alphazero import knows_nothing, selfplay
from ...helpers.values import same
from .test_alphazero import one_game

every_game = pytest.mark.parametrize("spec", EACH)
SMALL = {"blocks": 1, "channels": 16, "batch": 64}


def a_game(spec, seed=0):
    """The samples of a game of self-play to its end."""
    game = ludus.make_game(spec)
    return game, one_game(selfplay(game, simulations=2, formula="puct"), knows_nothing(game), seed)[0]


@every_game
def test_samples_know_the_position_that_their_game_ended_in(spec):
    game, played = a_game(spec)
    assert len(np.unique(played.endings, axis=0)) == 1
    actions = game.legal_actions(played.states[-1])
    assert played.endings[0].tolist() in [game.play(played.states[-1], action).tolist() for action in actions]
    ended = game.outcomes(played.endings)
    assert (ended != ONGOING).all() or spec.startswith("quixo")  # a repeated position ends a game of it, too


@every_game
def test_endings_turn_with_their_positions(spec):
    game, played = a_game(spec)
    which = np.random.default_rng(0).integers(len(game.symmetries.cells), size=len(played))
    turned = played.permute(game, which)
    assert (turned.endings == game.permuted(played.endings, which)).all()
    assert (turned.endings[which == 0] == played.endings[which == 0]).all()


def test_the_head_learns_what_each_cell_will_hold():
    game, played = a_game("othello:size=4")
    learner, draws = Learner(game, AlphaZeroSettings(ending_weight=1.0, symmetries=False, **SMALL), 1), np.random.default_rng(0)
    losses = [learner.step(played, draws)[2] for _ in range(300)]
    assert losses[0] > 0.5
    assert losses[-1] < 0.02


def test_positions_of_no_game_teach_the_head_nothing():
    game, played = a_game("tictactoe")
    alone = type(played)(played.states, played.policies, played.values, played.states)
    learner, draws = Learner(game, AlphaZeroSettings(ending_weight=1.0, **SMALL), 1), np.random.default_rng(0)
    assert learner.step(alone, draws)[2] == 0
    assert learner.step(played.concatenate(alone), draws)[2] > 0.3


def test_without_weight_endings_change_nothing():
    game, played = a_game("tictactoe")
    other = type(played)(played.states, played.policies, played.values, played.states)
    learners = [Learner(game, AlphaZeroSettings(**SMALL), 1) for _ in range(2)]
    for learner, samples in zip(learners, (played, other), strict=True):
        for seed in range(3):
            assert learner.step(samples, np.random.default_rng(seed))[2] == 0
    assert same(learners[0].state(), learners[1].state())
