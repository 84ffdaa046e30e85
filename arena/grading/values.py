"""What positions are worth with perfect play: from the game's own graph where it is small, else from its oracle."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.oracles import OUT_OF_REACH, Oracle, has_oracle, make_oracle
from ...agents.state_index import StateIndex
from ...envs.game import Game, StateArray
from ...envs.rules import ONGOING
from .graph import TooLargeError, explore
from .sweeps import settle

WHOLE = 200_000
"""Games with no more positions are solved on their graph."""
SEARCHED: dict[tuple[str, int], dict[str, Any]] = {
    ("othello", 6): {"empties": 18},
    ("othello", 8): {"empties": 16},
    ("quarto", 4): {"placed": 4},
    ("quixo", 5): {"depth": 6},
}
"""Games, by name and side of the board, whose oracles search, with the settings at which a position takes some milliseconds."""


def is_searched(game: Game) -> bool:
    """Whether it takes a search to know a position, and some milliseconds."""
    return (game.name, game.board[0]) in SEARCHED


def quick_oracle(game: Game) -> Oracle | None:
    """The game's oracle, with a reach at which thousands of positions are known in seconds; None where there is none."""
    return make_oracle(game, **SEARCHED.get((game.name, game.board[0]), {})) if has_oracle(game) else None


def values_of(game: Game, states: StateArray, oracle: Oracle | None) -> NDArray[np.int8]:
    """What positions that can come up in play are worth to the player to move (B,): 1, 0 or -1; OUT_OF_REACH where nobody knows.

    Args:
        game: the game and variant.
        states: the positions (B, W).
        oracle: whom to ask about a game that is not small.
    """
    solved = None if is_searched(game) else _solved(game)
    if solved is not None:
        index, values = solved
        rows = index.find(states)
        return np.where(rows < 0, np.int8(OUT_OF_REACH), values[rows])
    return np.full(len(states), OUT_OF_REACH, np.int8) if oracle is None else oracle.values(states)


@cache
def _solved(game: Game) -> tuple[StateIndex, NDArray[np.int8]] | None:
    """All positions of a game, and the value of each for the player to move; None where there are too many."""
    try:
        graph = explore(game, largest=WHOLE)
    except TooLargeError:
        return None
    values = np.where(graph.outcomes == ONGOING, np.int8(0), graph.outcomes)
    while game.kernel(settle)(graph.starts, graph.targets, graph.movers, values):
        pass
    return StateIndex(game, graph.states), values * (1 - 2 * graph.movers)
