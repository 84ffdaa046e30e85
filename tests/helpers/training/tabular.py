"""What the tests of learning by table share: trainers that have just begun, and positions of random play."""

from functools import cache

import numpy as np

from ludus.baselines import Trainer
from ludus.baselines.tabular.positions import canonical_form
from ludus.envs import make_game
from ludus.oracles.statespace.index import StateIndex


def begun(trainer: type[Trainer], game: str, seed: int = 0, **settings) -> Trainer:
    """A trainer that has done nothing yet."""
    return trainer(make_game(game), trainer.settings_class(**settings), seed)


def learn(trainer: Trainer, parts: int = 10**9) -> list[dict[str, float]]:
    """Trains for a number of parts, or to the end; returns the metrics of each."""
    metrics = []
    while trainer.done < trainer.total and len(metrics) < parts:
        metrics.append(trainer.advance())
    return metrics


@cache
def _index_of(positions):
    return StateIndex(positions.game, positions.states)


def edges_of(positions, state):
    """The edges of a position that is not over in a table, and its actions in their order."""
    turns = positions.game.symmetries.actions
    (image,), (first,) = canonical_form(positions.game, positions.merge, state[None])
    row = int(_index_of(positions).find(image[None])[0])
    number = positions.classes[row]
    edges = slice(int(positions.begins[number]), int(positions.begins[number + 1]))
    return edges, np.argsort(turns[positions.symmetries[row]][turns[first]])[positions.actions[edges]]
