"""Values of positions with perfect play: from the whole game if it is small, otherwise from its oracle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game, StateArray
from ..games.known import Reach
from .oracle import OUT_OF_REACH, Oracle
from .registry import make_oracle
from .searched import SearchOracle, solve_game

WHOLE = Reach(grades={}, pages={})
"""How far a game's own oracle is asked on boards of which it knows all positions."""
USUAL = Reach(grades={"nodes": 100_000}, pages={"nodes": 100_000})
"""How far the oracle of any game searches, where the game says nothing else."""


def is_searched(game: Game) -> bool:
    """Whether it takes a search, of some milliseconds, to know the value of a position."""
    oracle = quick_oracle(game)
    return oracle.whole is None if isinstance(oracle, SearchOracle) else game.num_cells in game.known.reach


def quick_oracle(game: Game, at_once: bool = False) -> Oracle:
    """The game's oracle, with a reach at which thousands of positions are known in seconds, or in less than a second with
    `at_once`."""
    reach = reach_of(game)
    return make_oracle(game, **(reach.pages if at_once else reach.grades))


def reach_of(game: Game) -> Reach:
    """How far the game's oracle searches."""
    return game.known.reach.get(game.num_cells, WHOLE if game.known.oracle else USUAL)


def values_of(game: Game, states: StateArray, oracle: Oracle | None) -> NDArray[np.int8]:
    """Values of positions that can come up in play, for the player to move (B,): 1, 0 or -1; OUT_OF_REACH if not known.

    Args:
        game: the game and variant.
        states: the positions (B, W).
        oracle: for games that are not small; None to leave their positions unknown.
    """
    whole = None if is_searched(game) else solve_game(game)
    if whole is not None:
        rows = whole.index.find(states)
        return np.where(rows < 0, np.int8(OUT_OF_REACH), whole.values[rows])
    return np.full(len(states), OUT_OF_REACH, np.int8) if oracle is None else oracle.values(states)


def values_around(
    game: Game, states: StateArray, actions: NDArray[np.int64], oracle: Oracle
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """The values of positions (B, W) before and after an action in each (B,), both for the player who takes it; as `values_of`."""
    reached = game.plays(states, actions)
    both, places = np.unique(np.concatenate([states, reached]), axis=0, return_inverse=True)
    before, after = np.split(values_of(game, both, oracle)[places.reshape(-1)], 2)
    turned = (game.players(states) != game.players(reached)) & (after != OUT_OF_REACH)
    return before, np.where(turned, -after, after)
