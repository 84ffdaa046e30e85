"""AlphaZero in small, for the tests of its parts: settings, evaluators, games against itself."""

import numpy as np

import ludus
from ludus.baselines import Measure
from ludus.baselines.alphazero.networks.evaluator import Evaluator
from ludus.baselines.alphazero.networks.residual import Shape, new_net
from ludus.baselines.alphazero.selfplay.games import SelfPlay
from ludus.baselines.alphazero.settings import SelfPlaySettings
from ludus.baselines.runs.networks import weights_of

NEVER = Measure(every="never")
TINY = {"positions": 384, "blocks": 1, "channels": 8, "simulations": 8, "boards": 16, "plies": 4, "batch": 32}
SMALL = Shape(1, 8)


def evaluator(spec, shape=SMALL, seed=0, **how):
    game = ludus.make_game(spec)
    return Evaluator(game, shape, weights_of(new_net(game, shape, seed)), **how)


def knows_nothing(game):
    """An evaluation by which every action is as likely as another and every position even."""
    return lambda states: (game.masks(states), np.zeros(len(states)))


def selfplay(game, **changed):
    """Games of self-play with few simulations, from the start to the end, by drawn actions."""
    usual = {"simulations": 4, "openings": 0, "temperature_plies": 1000, "result_share": 1.0}
    settings = SelfPlaySettings(**usual | dict.fromkeys(("reuse", "adjudicate", "solver"), False) | changed)
    return SelfPlay(game, settings)
