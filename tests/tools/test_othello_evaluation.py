"""The numbers of Othello's oracle: least squares find them."""

import numpy as np

import ludus
from ludus.oracles.othello.evaluation import COUNTS
from tools import othello_evaluation


def test_numbers_are_fitted_by_least_squares(monkeypatch):
    game = ludus.make_game("othello:size=6")
    rng = np.random.default_rng(11)
    features = othello_evaluation.features_of(game, othello_evaluation.random_positions(game, 40))
    scores = rng.normal(size=len(features)) * 10
    dense = np.zeros((len(features), COUNTS + 4))
    np.add.at(dense, (np.arange(len(features))[:, None], features[:, :8]), 1.0)
    dense[:, COUNTS], dense[:, COUNTS + 1 :] = 1.0, features[:, 8:]
    ridge = dense @ dense.T + othello_evaluation.RIDGE * np.eye(len(features))
    monkeypatch.setattr(othello_evaluation, "ROUNDS", 60)
    weights = othello_evaluation.least_squares(features, scores)
    assert np.allclose(weights, dense.T @ np.linalg.solve(ridge, scores), atol=1e-6)
    assert np.allclose(othello_evaluation.estimate_scores(weights, features), dense @ weights)
