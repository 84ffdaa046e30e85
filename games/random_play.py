"""Random play to positions, where each legal action is equally likely: for openings, training and samples of positions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .game import Game, StateArray
from .kernels.rules import ONGOING

Choose = Callable[[int, NDArray[np.int64], StateArray], NDArray[np.int64]]
"""Random legal actions (B,), given the ply, the numbers of the games (B,) and their states (B, W)."""


def random_plies(
    game: Game, states: StateArray, lengths: NDArray[np.int64], choose: Choose, *, skip: bool = False
) -> tuple[NDArray[np.int64], StateArray]:
    """Plays random plies, none of which ends a game.

    Args:
        game: the game and variant.
        states: the positions from which to play (N, W).
        lengths: how many plies to play in each (N,).
        choose: chooses the actions.
        skip: True leaves out a ply that would end a game and goes on; False stops before it.

    Returns:
        The actions (N, P), -1 where none was played, and the states that they lead to (N, W).
    """
    states = states.copy()
    actions = np.full((len(states), int(lengths.max(initial=0))), -1, np.int64)
    playing = np.ones(len(states), np.bool_)
    for ply in range(actions.shape[1]):
        rows = np.flatnonzero(playing & (lengths > ply))
        chosen = choose(ply, rows, states[rows])
        after = game.plays(states[rows], chosen)
        ongoing = game.outcomes(after) == ONGOING
        if not skip:
            playing[rows[~ongoing]] = False
        states[rows[ongoing]], actions[rows[ongoing], ply] = after[ongoing], chosen[ongoing]
    return actions, states


def random_positions(game: Game, count: int, random: np.random.Generator) -> StateArray:
    """Unfinished positions of random games (B, W)."""
    states, parts, left = np.repeat(game.start[None], 16, axis=0), list[StateArray](), count
    while left > 0:
        parts.append(states[:left])
        left -= len(parts[-1])
        states = game.plays(states, random_actions(game, states, random))
        states[game.outcomes(states) != ONGOING] = game.start
    return np.concatenate(parts)


def random_actions(game: Game, states: StateArray, random: np.random.Generator) -> NDArray[np.int64]:
    """Random legal actions in unfinished positions (B, W)."""
    return (random.random((len(states), game.num_actions)) * game.masks(states)).argmax(axis=1)
