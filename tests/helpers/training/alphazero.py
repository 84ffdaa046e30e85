"""AlphaZero in small, for the tests of its parts: settings, evaluators, games against itself."""

import numpy as np

import ludus
from ludus.agents.search.mcts.guided import GuidedSearch
from ludus.baselines import Measure
from ludus.baselines.alphazero.networks.evaluator import Evaluator
from ludus.baselines.alphazero.networks.residual import Shape, new_net, weights_of
from ludus.baselines.alphazero.selfplay.games import SelfPlay

NEVER = Measure(every="never")
TINY = {"positions": 384, "blocks": 1, "channels": 8, "simulations": 8, "boards": 16, "plies": 4, "batch": 32}
SMALL = Shape(1, 8)


def evaluator(spec, shape=SMALL, seed=0, **how):
    game = ludus.make_game(spec)
    return Evaluator(game, shape, weights_of(new_net(game, shape, seed)), **how)


def knows_nothing(game):
    """An evaluation by which every action is as likely as another and every position even."""
    return lambda states: (game.masks(states), np.zeros(len(states)))


def selfplay(game, simulations=4, **changed):
    usual = {
        "noise": 10.0,
        "openings": 0,
        "temperature": 1.0,
        "temperature_plies": 1000,
        "reuse": False,
        "adjudicate": False,
        "resign": None,
        "result_share": 1.0,
        "longest": game.max_plies or 1000,
    }
    solver = changed.pop("solver", False)
    return SelfPlay(GuidedSearch(game, simulations, formula=changed.pop("formula", "gumbel"), solver=solver), **usual | changed)
