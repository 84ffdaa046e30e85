"""Values of positions with perfect play: from the whole game if it is small, otherwise from its oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game, StateArray
from .oracle import OUT_OF_REACH, Oracle
from .registry import BUILT_IN, make_oracle
from .searched import SearchOracle
from .statespace.solved import solve_game

SEARCHED: dict[tuple[str, int], dict[str, Any]] = {
    ("othello", 6): {"empties": 18},
    ("othello", 8): {"empties": 16},
    ("quarto", 4): {"placed": 4},
    ("quixo", 5): {"depth": 6},
}
"""Games, by name and side of the board, whose oracles search, with settings at which a position takes some milliseconds."""
AT_ONCE = SEARCHED | {
    ("othello", 6): {"empties": 14},
    ("othello", 8): {"empties": 14},
    ("quarto", 4): {"placed": 8},
    ("quixo", 5): {"depth": 4},
}
"""The same with settings at which a position takes less than a millisecond, for the page of a tournament."""
OTHERS: dict[str, Any] = {"nodes": 100_000}
"""The same for games from outside."""


def is_searched(game: Game) -> bool:
    """Whether it takes a search, of some milliseconds, to know the value of a position."""
    oracle = quick_oracle(game)
    return oracle.whole is None if isinstance(oracle, SearchOracle) else (game.name, game.board[0]) in SEARCHED


def quick_oracle(game: Game, at_once: bool = False) -> Oracle:
    """The game's oracle, with a reach at which thousands of positions are known in seconds.

    Args:
        game: the game and variant.
        at_once: with a smaller reach, at which they are known in less than a second.
    """
    reach = AT_ONCE if at_once else SEARCHED
    return make_oracle(game, **(reach.get((game.name, game.board[0]), {}) if game.name in BUILT_IN else OTHERS))


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
