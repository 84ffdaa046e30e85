"""What the player to move sees in a position and in all that are symmetric to it, by trying every symmetry."""

import numpy as np


def looks(game, states):
    """What the player to move sees in each state, and in all that are symmetric to it: a set of observations for each."""
    images = [game.permuted(states, np.full(len(states), which)) for which in range(len(game.symmetries.cells))]
    seen = [game.observations(image, game.players(image)) for image in images]
    return [frozenset(planes.tobytes() for planes in row) for row in np.stack(seen, axis=1)]
