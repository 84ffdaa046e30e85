"""Openings: the random plies that games begin with, so that two deterministic policies do not play the same game every time.

All that begins games at random, matches and training, uses `random_plies`. The pairings of a tournament share one list of openings:
opening j of a game depends on the seed and on j alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...agents.random import Random
from ...games.game import Game, StateArray
from ...games.kernels.rules import ONGOING
from .keys import stream_keys

ENOUGH, LONGEST = 60, 4

Choose = Callable[[int, NDArray[np.int64], StateArray], NDArray[np.int64]]
"""Random legal actions (B,), given the ply, the numbers of the games (B,) and their states (B, W)."""


def random_plies(
    game: Game, states: StateArray, lengths: NDArray[np.int64], choose: Choose, *, skip: bool = False
) -> tuple[NDArray[np.int64], StateArray]:
    """Plays random plies, none of which ends a game.

    Args:
        game: the game and variant.
        states: where the games stand (N, W).
        lengths: how many plies each is to have (N,).
        choose: the actions.
        skip: what follows a ply that would end a game: with True only this ply is left out, otherwise all that would follow.

    Returns:
        The actions (N, P), -1 where none was taken, and the states that they lead to (N, W).
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


def default_opening_plies(game: Game) -> int:
    """How many plies the openings of a game have by default: the fewest that can go in ENOUGH ways, LONGEST at most.

    Two for Nim, tic-tac-toe, Quarto and Quixo, four for Othello.
    """
    return next((plies for plies in range(1, LONGEST) if game.perft(plies) >= ENOUGH), LONGEST)


def openings(
    game: Game, seed: int, numbers: NDArray[np.int64], plies: int, purpose: tuple[str, ...] = ()
) -> tuple[NDArray[np.int64], StateArray]:
    """Openings of a game, each legal action being equally likely.

    Args:
        game: the game and variant.
        seed: the tournament's.
        numbers: which of the list (N,).
        plies: how long they are.
        purpose: what the list is for, where there are several.

    Returns:
        As `random_plies`.
    """
    random = Random(game)
    keys = [stream_keys(game, seed, (*purpose, "opening", str(ply)), numbers) for ply in range(plies)]
    starts = np.repeat(game.start[None], len(numbers), 0)
    lengths = np.full(len(numbers), plies)
    return random_plies(game, starts, lengths, lambda ply, rows, states: random.act(states, keys[ply][rows]))
