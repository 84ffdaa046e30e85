"""How much value moves lose in a graph of positions; and graphs in which a player makes only the best, or picked, moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.native import in_ranges
from ...core.native.threads import pool
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Flags, Numbers, Rewards
from ...oracles.statespace.chain import GraphMoves
from ...oracles.statespace.graph import Graph

Valued: TypeAlias = Callable[[StateArray], NDArray[np.int8]]
"""From positions (B, W) to their values for the player to move (B,): 1, 0 or -1."""


def losses_of(graph: Graph, player: int, values: NDArray[np.int8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each position of a player, the probability that the move keeps the value, and the mean value lost (N,); 0 elsewhere."""
    kept, lost = np.zeros((2, len(graph)))
    rest = moves_of(graph), graph.chances, graph.movers, player, values, kept, lost
    graph.game.kernel(write_losses)(pool(len(graph)), 0, len(graph), *rest)
    return kept, lost


def keep_best(graph: Graph, player: int, values: NDArray[np.int8]) -> NDArray[np.int8]:
    """1 for each move, but 0 for those of a player that lose value (E,)."""
    made = np.ones(len(graph.targets), np.int8)
    graph.game.kernel(leave_losing)(pool(len(graph)), 0, len(graph), moves_of(graph), graph.movers, player, values, made)
    return made


def keep_picked(graph: Graph, player: int, picks: NDArray[np.int64]) -> NDArray[np.int8]:
    """1 for each move, but 0 for all moves of a player except `picks`: one in each of the player's positions, -1 in others (N,)."""
    made = np.ones(len(graph.targets), np.int8)
    graph.game.kernel(leave_others)(pool(len(graph)), 0, len(graph), graph.starts, graph.movers, player, picks, made)
    return made


def count_keeping(
    game: Game, states: StateArray, values: NDArray[np.int8], valued: Valued
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """How many actions keep the value of each position, how many are legal, and the value that all legal ones lose together (B,).

    Args:
        game: the game and variant.
        states: unfinished positions (B, W).
        values: their values for the player to move (B,).
        valued: gives the values of positions.
    """
    rows, actions = np.nonzero(game.masks(states))
    after = game.plays(states[rows], actions)
    same = game.players(after) == game.players(states)[rows]
    after_values = valued(after)
    lost, count = (values[rows] - np.where(same, after_values, -after_values)).astype(np.float64), len(states)
    losses = np.bincount(rows, lost, count).astype(np.float64)
    return np.bincount(rows[lost == 0], minlength=count), np.bincount(rows, minlength=count), losses


def moves_of(graph: Graph) -> GraphMoves:
    """All moves of a graph."""
    return GraphMoves(graph.starts, graph.targets, np.zeros(0, np.int8))


@in_ranges
def write_losses(
    lo: int, hi: int, moves: GraphMoves, chances: Rewards, movers: Flags, player: int, values: Flags, kept: Rewards, lost: Rewards
) -> None:
    """Writes, for each position of a player, the probability that the move keeps the value, and the mean value lost."""
    sign = 1 - 2 * player
    for i in range(lo, hi):
        first, end = moves.starts[i], moves.starts[i + 1]
        if movers[i] == player and first < end:
            keeping = losing = 0.0
            for move in range(first, end):
                chance = chances[move] if chances.shape[0] > 0 else 1.0
                drop = sign * (values[i] - values[moves.targets[move]])
                keeping += chance if drop == 0 else 0.0
                losing += chance * drop
            total = 1.0 if chances.shape[0] > 0 else float(end - first)
            kept[i] = keeping / total
            lost[i] = losing / total


@in_ranges
def leave_losing(lo: int, hi: int, moves: GraphMoves, movers: Flags, player: int, values: Flags, made: Flags) -> None:
    """Unmarks the moves of a player that lose value."""
    for i in range(lo, hi):
        if movers[i] == player:
            for move in range(moves.starts[i], moves.starts[i + 1]):
                made[move] = values[moves.targets[move]] == values[i]


@in_ranges
def leave_others(lo: int, hi: int, starts: Numbers, movers: Flags, player: int, picks: Numbers, made: Flags) -> None:
    """Unmarks the moves of a player that are not picked."""
    for i in range(lo, hi):
        if movers[i] == player:
            for move in range(starts[i], starts[i + 1]):
                made[move] = move == picks[i]


LOSS_KERNELS = write_losses, leave_losing, leave_others
"""The kernels of this file."""
