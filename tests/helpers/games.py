"""Games for tests: every variant, positions of random games, keys; and taking out a game from outside."""

import gymnasium
import numpy as np
import pettingzoo

from ludus.envs import game_names
from ludus.games.registry import GAMES, game_class

VARIANTS = [variant for name in game_names() for variant in game_class(name).variants]
EACH = ["nim", "tictactoe", "quarto", "quixo", "othello", "connect_four", "othello:size=4"]
"""Every game once, and a board where players often pass: for tests of what treats all rules alike."""


def forget(game):
    """Takes out a game from outside, with its ids, so that the tests that follow do not meet it."""
    GAMES.forget(game.name)
    gymnasium.registry.pop(f"ludus/{game.__name__}-v{game.version}", None)
    getattr(pettingzoo, "aec_registry", {}).pop(f"ludus/{game.name}-v{game.version}", None)  # before 1.27 there are no ids


def random_line(game, random):
    """The states of a game of random actions, from the start to the end."""
    states = [game.start]
    while legal := game.legal_actions(states[-1]):
        states.append(game.play(states[-1], int(random.choice(legal))))
    return states


def positions(game, count, seed=0):
    """Unfinished states from games of random actions, all over the game (B, W)."""
    rng = np.random.default_rng(seed)
    found, state = [], game.start
    while len(found) < count:
        found.append(state)
        state = game.play(state, int(rng.choice(game.legal_actions(state))))
        if game.outcome(state) is not None:
            state = game.start
    return np.array(found)


def keys(count, seed=0):
    return np.random.default_rng(seed).integers(2**64, size=count, dtype=np.uint64)
