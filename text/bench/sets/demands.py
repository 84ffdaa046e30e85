"""What a position asks of the player to move, by the rules alone.

win now       The player can win in this turn.
stop a loss   The player cannot win in this turn, and after some of the legal moves the game is lost or the opponent can win in the
              next turn.
quiet         The player cannot win in this turn, and after no legal move the opponent can win in the next one.

A turn is one move, or all that the same player makes in a row, as in Quarto. Where the player cannot win in this turn and not every
move keeps the value of the position, the moves that keep it are among those that leave the opponent no win in the next turn.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ....games.game import Game, StateArray
from ....games.kernels.rules import ONGOING

Ask: TypeAlias = Literal["win now", "stop a loss", "quiet"]
ASKS: tuple[Ask, ...] = get_args(Ask)
"""What positions ask, the most urgent first."""


def asks_of(game: Game, states: StateArray) -> list[Ask]:
    """What each unfinished position (B, W) asks."""
    wins, moves = _can_win(game, states), _Moves(game, states)
    risks = _any_move(moves, _losing(game, moves))
    return ["win now" if wins_now else "stop a loss" if risk else "quiet" for wins_now, risk in zip(wins, risks, strict=True)]


class _Moves:
    """All legal moves of some unfinished positions (B, W), and what they lead to."""

    def __init__(self, game: Game, states: StateArray) -> None:
        self.count = len(states)
        self.rows, actions = np.nonzero(game.masks(states))
        movers = game.players(states)[self.rows]
        self.after = game.plays(states[self.rows], actions)
        results = game.outcomes(self.after)
        self.goes_on = results == ONGOING
        self.results = np.where(movers == 0, results, -results)
        """The result of the player who moves (M,), where the game is over."""
        self.again = self.goes_on & (game.players(self.after) == movers)
        """Whether the same player moves again (M,)."""


def _can_win(game: Game, states: StateArray) -> NDArray[np.bool_]:
    """Whether the player to move can win in this turn, in each position."""
    moves = _Moves(game, states)
    wins = ~moves.goes_on & (moves.results == 1)
    if moves.again.any():
        wins[moves.again] = _can_win(game, moves.after[moves.again])
    return _any_move(moves, wins)


def _losing(game: Game, moves: _Moves) -> NDArray[np.bool_]:
    """After which moves (M,) the game is lost, or the opponent can win in the next turn whatever the player does in this one."""
    losing = ~moves.goes_on & (moves.results == -1)
    passes_on = moves.goes_on & ~moves.again
    losing[passes_on] = _can_win(game, moves.after[passes_on])
    if moves.again.any():
        further = _Moves(game, moves.after[moves.again])
        losing[moves.again] = ~_any_move(further, ~_losing(game, further))
    return losing


def _any_move(moves: _Moves, holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """In which positions (B,) something holds for any of the moves (M,)."""
    return np.bincount(moves.rows, holds, moves.count) > 0
