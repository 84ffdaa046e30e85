"""A match: games between two policies in lockstep. At each ply each policy is queried once, with all boards where it is to move."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...envs.boards import Boards
from ...envs.games.game import Game
from ...envs.kernels.running import PLAYING
from .games import ILLEGAL, PlayedGames
from .players import Fault, Player


def play_games(
    game: Game,
    first: Player,
    second: Player,
    numbers: NDArray[np.int64],
    keys: NDArray[np.uint64],
    openings: NDArray[np.int64],
    progress: Callable[[int], object] | None = None,
    raising: tuple[bool, bool] = (False, False),
) -> PlayedGames:
    """Plays games to their ends.

    Args:
        game: the game and variant.
        first: it has seat 0 in games of an even number, seat 1 in the others.
        second: the other.
        numbers: of the games (N,).
        keys: all randomness of each game (N,).
        openings: the actions that each game begins with, -1 after the last (N, P).
        progress: called after each round with how many games are over.
        raising: for which of the two this holds their first call, an error in which is raised.
    """
    return _Match(game, (first, second), numbers, keys, openings).play(progress, raising)


class _Match:
    """N games in progress, and their history."""

    def __init__(
        self,
        game: Game,
        sides: tuple[Player, Player],
        numbers: NDArray[np.int64],
        keys: NDArray[np.uint64],
        openings: NDArray[np.int64],
    ) -> None:
        self.sides = sides
        self.numbers, self.keys = numbers, keys
        self.boards = Boards(game, len(numbers), None, 0)
        every = np.ones(len(numbers), np.bool_)
        self.boards.seed(every, keys.tolist(), np.random.default_rng(0))
        self.boards.reset(every, game.start[None])
        self.seat_of_first = numbers % 2
        self.history = np.zeros((64, len(numbers)), np.uint16)
        self.faults: dict[int, Fault] = {}
        self.moves, self.seconds = np.zeros((len(numbers), 2), np.int64), np.zeros((len(numbers), 2))
        for ply in range(openings.shape[1]):
            which = np.flatnonzero(openings[:, ply] >= 0)
            self._take(which, openings[which, ply])
        self.openings = self.boards.plies.copy()

    def play(self, progress: Callable[[int], object] | None, raising: tuple[bool, bool]) -> PlayedGames:
        for side, first_call in zip(self.sides, raising, strict=True):
            side.begin(len(self.numbers), first_call)
        while len(playing := np.flatnonzero(self.boards.phases == PLAYING)):
            mover = self.boards.players[playing] != self.seat_of_first[playing]
            for side, rows in zip(self.sides, (playing[~mover], playing[mover]), strict=True):
                if len(rows):
                    self._query(side, rows)
            if progress:
                progress(int(np.count_nonzero(self.boards.phases != PLAYING)))
        return self._played()

    def _query(self, side: Player, rows: NDArray[np.int64]) -> None:
        """Queries a policy for the boards where it is to move, and takes its actions there."""
        boards = self.boards
        answers = side.act(boards.states[rows], boards.ply_keys(rows), rows)
        seats = boards.players[rows]
        self.seconds[rows, seats] += answers.seconds
        self.moves[rows, seats] += 1
        wrong = boards.illegal(rows, answers.actions)
        if not wrong.any():
            self._take(rows, answers.actions)
            return
        for row in np.flatnonzero(wrong).tolist():
            board = int(rows[row])
            self.faults[board] = answers.faults.get(row) or self._illegal(board, int(answers.actions[row]))
        boards.forfeit(rows[wrong])
        self._take(rows[~wrong], answers.actions[~wrong])

    def _take(self, which: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Takes legal actions and records them."""
        plies = self.boards.plies[which]
        if plies.max(initial=0) >= len(self.history):
            self.history = np.concatenate([self.history, np.zeros_like(self.history)])
        self.history[plies, which] = actions
        self.boards.advance(which, actions)

    def _illegal(self, board: int, action: int) -> Fault:
        game = self.boards.game
        move, position = game.move_name(action), game.text(self.boards.states[board])
        return Fault(ILLEGAL, f"answered {position!r} with {move}, which is not legal there")

    def _played(self) -> PlayedGames:
        boards = self.boards
        endings = boards.endings - 1
        endings[list(self.faults)] = [fault.ending for fault in self.faults.values()]
        taken = np.arange(len(self.history))[None] < boards.plies[:, None]
        reasons = {board: fault.reason for board, fault in self.faults.items()}
        return PlayedGames(
            self.numbers, self.keys, self.openings, boards.plies.copy(), self.history.T[taken], boards.results.copy(),
            endings, reasons, self.moves, self.seconds,
        )  # fmt: skip
