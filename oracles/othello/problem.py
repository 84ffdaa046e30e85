"""One position to be solved: its moves, their bounds, and the thresholds to search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...games.game import StateArray
from ...games.othello.rules import Othello
from ..statespace.canonical import canonical
from .last import ABOVE, BELOW
from .layout import cell_of, positions_on_8x8
from .search import Position, Search

CAUTION = 5
"""How far below the guess the first threshold lies: to prove that a score is above a threshold takes less time than to prove
that it is below. Odd, since guesses are even and thresholds odd."""


@dataclass(eq=False)
class Move:
    """A move, together with those that lead to a symmetric position.

    Args:
        actions: the actions, in rising order.
        position: the position after it, the opponent to move.
        low: a lower bound of the score, for the player who makes the move.
        high: an upper bound of the score.
    """

    actions: list[int]
    position: Position
    low: int = BELOW
    high: int = ABOVE


class Problem:
    """An unfinished position to be solved.

    Args:
        game: the size of the board.
        state: the position (3,).
        search: answers whether a score is above a threshold; the `Stopped` that it raises is not caught here.
    """

    def __init__(self, game: Othello, state: StateArray, search: Search) -> None:
        self._search = search
        self._position = positions_on_8x8(game, state[None])[0]
        self._moves = moves_of(game, state)
        if len(self._moves) > 1:
            ranks = {cell: rank for rank, cell in enumerate(search.rank_moves(self._position))}
            self._moves.sort(key=lambda move: min(ranks[cell_of(game, action)] for action in move.actions))

    def score(self) -> int:
        """The score for the player to move."""
        return self._narrow_score(ABOVE)

    def value(self) -> int:
        """1, 0 or -1 for the player to move."""
        return int(np.sign(self._narrow_score(2)))

    def best(self, score: int) -> list[int]:
        """The actions that keep the score, which `score` found, in rising order."""
        for move in self._moves:
            if move.low < score <= move.high:  # the search for the score left open whether this move keeps it
                self._ask(move, score - 1)
        return sorted(action for move in self._moves if move.low >= score for action in move.actions)

    def best_action(self, score: int) -> int:
        """An action that keeps the score, which `score` found."""
        return next(move.actions[0] for move in self._moves if move.low >= score)

    def _narrow_score(self, enough: int) -> int:
        """The score, if it lies between -enough and enough; else a bound at or beyond the nearer of the two.

        Each answer is a bound, and the next threshold lies just beyond it (MTD(f)), until both bounds meet.
        """
        low, high = BELOW, ABOVE
        threshold = max(1 - enough, min(enough - 1, self._search.guess(self._position) - CAUTION))
        while low < high and low < enough and high > -enough:
            bound = self._bound(threshold)
            if bound > threshold:
                low, threshold = bound, bound + 1
            else:
                high, threshold = bound, bound - 1
        return low if low >= enough else high

    def _bound(self, threshold: int) -> int:
        """A bound of the score that tells whether it is above a threshold."""
        best = BELOW
        for move in self._moves:
            if move.low < threshold < move.high:
                self._ask(move, threshold)
            if move.low > threshold:
                self._moves.remove(move)  # the move that answered is tried first for the next threshold
                self._moves.insert(0, move)
                return move.low
            best = max(best, move.high)
        return best

    def _ask(self, move: Move, threshold: int) -> None:
        bound = -self._search.above(move.position, -threshold)
        if bound > threshold:
            move.low = bound
        else:
            move.high = bound


def moves_of(game: Othello, state: StateArray) -> list[Move]:
    """The moves of an unfinished position, symmetric ones as one."""
    actions = game.legal_actions(state)
    after = game.plays(np.repeat(state[None], len(actions), axis=0), actions)
    positions = positions_on_8x8(game, after)
    moves: dict[bytes, Move] = {}
    for action, position, form in zip(actions, positions, canonical(game, after)[0], strict=True):
        move = moves.setdefault(form.tobytes(), Move([], position))
        move.actions.append(action)
    return list(moves.values())
