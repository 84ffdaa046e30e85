"""Openings: the random plies at the start of games, so that two deterministic policies do not play the same game every time.

The pairings of a tournament share one list of openings:
opening j of a game depends on the seed and on j alone. One seed gives a stream of keys for each purpose, by name.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...agents.random import Random
from ...core.files.reading import digest
from ...games.game import Game, StateArray
from ...games.kernels.keys import derive_keys
from ...games.kernels.rules import ONGOING
from ...games.random_play import random_plies

ENOUGH, LONGEST = 60, 4
"""An opening has as few plies as give so many different lines, so that games hardly repeat, and at most so many: each random ply
makes it likelier that the opening decides the game."""


def stream_keys(game: Game, seed: int, purpose: tuple[str, ...], numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Some keys of a stream (N,).

    Args:
        game: the game; streams of the same purpose in two games are independent.
        seed: the tournament's seed.
        purpose: the name of the stream, such as ("openings",) or the names of two policies.
        numbers: the numbers of the keys in the stream (N,).
    """
    words = "\0".join((str(seed), game.spec, *purpose)).encode()
    stream = np.full(len(numbers), int.from_bytes(digest(words)[:8], "little"), np.uint64)
    keys = np.empty(len(numbers), np.uint64)
    game.kernel(derive_keys)(stream, np.ascontiguousarray(numbers, np.int64), keys)
    return keys


def default_opening_plies(game: Game) -> int:
    """The default number of plies of a game's openings: the fewest with ENOUGH different lines, LONGEST at most.

    Two for Nim, tic-tac-toe, Quarto and Quixo, three for Connect Four, four for Othello.
    """
    lines, plies = game.start[None], 0  # where each line leads that is not over
    while plies < LONGEST and len(lines) < ENOUGH:
        rows, actions = np.nonzero(game.masks(lines))
        lines, plies = game.plays(lines[rows], actions), plies + 1
        lines = lines[game.outcomes(lines) == ONGOING]
    return plies


def openings(
    game: Game, seed: int, numbers: NDArray[np.int64], plies: int, purpose: tuple[str, ...] = ()
) -> tuple[NDArray[np.int64], StateArray]:
    """Openings of a game, each legal action being equally likely.

    Args:
        game: the game and variant.
        seed: the tournament's.
        numbers: their numbers in the list (N,).
        plies: their length.
        purpose: the name of the list, where a seed has several.

    Returns:
        The actions (N, P), -1 where none was played, and the states after them (N, W).
    """
    random = Random(game)
    keys = [stream_keys(game, seed, (*purpose, "opening", str(ply)), numbers) for ply in range(plies)]
    starts = np.repeat(game.start[None], len(numbers), 0)
    lengths = np.full(len(numbers), plies)
    return random_plies(game, starts, lengths, lambda ply, rows, states: random.act(states, keys[ply][rows]))
