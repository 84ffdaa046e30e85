"""Openings: a few random plies that games begin with, so that two policies without randomness do not play one game for ever.

All pairings of a tournament draw from one list: opening j of a game follows from the seed and from j alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...agents.policies.random import Random
from ...envs.games.game import Game
from ...envs.kernels.rules import ONGOING
from .keys import stream_keys

ENOUGH, LONGEST = 60, 4


def plies_of_openings(game: Game) -> int:
    """How many plies openings of a game have unless told otherwise: the fewest that can go in ENOUGH ways, LONGEST at most.

    Two for Nim, tic-tac-toe, Quarto and Quixo, four for Othello.
    """
    return next((plies for plies in range(1, LONGEST) if game.perft(plies) >= ENOUGH), LONGEST)


def openings(game: Game, seed: int, numbers: NDArray[np.int64], plies: int) -> NDArray[np.int64]:
    """The actions of openings (N, plies), each legal one equally likely; -1 from where the next would have ended the game.

    Args:
        game: the game and variant.
        seed: the tournament's.
        numbers: which of the list (N,).
        plies: how long they are.
    """
    random = Random(game)
    states = np.repeat(game.start[None], len(numbers), 0)
    keys = [stream_keys(game, seed, ("opening", str(ply)), numbers) for ply in range(plies)]
    actions = np.full((len(numbers), plies), -1, np.int64)
    going = np.arange(len(numbers))
    for ply in range(plies):
        chosen = random.act(states[going], keys[ply][going])
        after = game.plays(states[going], chosen)
        on = game.outcomes(after) == ONGOING
        going, chosen = going[on], chosen[on]
        states[going], actions[going, ply] = after[on], chosen
    return actions
