"""Games of many players against every line of play: exact results against an opponent who takes every legal action equally often.

All players are followed at once, ply by ply. At an opponent's turn a game divides into one for each action, and games of a player
that reach the same position become one again, so that a small game has few of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game, StateArray
from ...games.kernels.rules import ONGOING
from .contest import LONGEST, Choose

MOST = 4_000_000
"""The most games that are followed at a time."""


def points_of_lines(game: Game, choose: Choose, players: NDArray[np.int64]) -> NDArray[np.float64]:
    """The expected points of players, 1 for a win and a half for a draw, the mean of both seats (P,).

    Args:
        game: the game.
        choose: how players play.
        players: the numbers of the players (P,).

    Raises:
        ValueError: the game has too many lines.
    """
    count, points = len(players), np.zeros(len(players))
    sides = np.arange(2 * count)  # 2 · p + seat
    states, shares = np.repeat(game.start[None], 2 * count, axis=0), np.full(2 * count, 0.5)
    for ply in range(game.max_plies or LONGEST):
        results = game.outcomes(states).astype(np.int64)
        over = results != ONGOING
        own = np.where(sides % 2 == 0, results, -results)[over]
        np.add.at(points, sides[over] // 2, shares[over] * (own + 1) / 2)
        sides, states, shares = sides[~over], states[~over], shares[~over]
        if not len(sides):
            return points
        if len(sides) > MOST // game.num_actions:
            raise ValueError(
                f"{game} has too many lines of play for {count} players, {len(sides):,} positions after {ply} plies; "
                "set every_line to false and name opponents"
            )
        sides, states, shares = _play_ply(game, choose, players, sides, states, shares)
    np.add.at(points, sides // 2, shares / 2)
    return points


def _play_ply(
    game: Game,
    choose: Choose,
    players: NDArray[np.int64],
    sides: NDArray[np.int64],
    states: StateArray,
    shares: NDArray[np.float64],
) -> tuple[NDArray[np.int64], StateArray, NDArray[np.float64]]:
    """Plays one ply of all games: whose games they are then, their positions, and their shares of all games of a player."""
    masks = game.masks(states) != 0
    own = np.flatnonzero(game.players(states) == sides % 2)
    chosen = choose(states[own], players[sides[own] // 2], np.zeros(len(own), np.uint64))
    masks[own] = False
    masks[own, chosen] = True
    rows, actions = np.nonzero(masks)
    after, parts = game.plays(states[rows], actions), shares[rows] / masks.sum(axis=1)[rows]
    games, first, where = np.unique(
        np.column_stack([sides[rows].astype(np.uint64), after]), axis=0, return_index=True, return_inverse=True
    )
    summed = np.bincount(where.ravel(), parts, len(games)).astype(np.float64)  # numpy's stubs know it without weights alone
    return games[:, 0].astype(np.int64), after[first], summed
