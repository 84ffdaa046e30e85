"""`RecordedGame`: a game as a file tells it, whatever program wrote it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..core.plugins import CheckedSpec
from ..games.game import Game, StateArray
from ..games.registry import make_game

SCORES = "Scores"
"""The line of the header that keeps scores of moves, as `g8:+18 h1:+12`."""
NOBODY = ("player 0", "player 1")
"""The players of a game whose file names none."""


@dataclass(frozen=True)
class RecordedGame:
    """A game of a file, or a position of one: that is a game without moves.

    Args:
        game: the game's spec.
        start: the position that it starts from, as text; None for the game's own start.
        actions: all actions in order, from the start.
        players: the names of player 0 and player 1.
        result: player 0's result: 1, 0 or -1; None if it is unfinished, or the file does not say.
        header: what else the file says of the game, by name: a date, a place, scores of moves.
        comments: remarks, by the number of actions before them.
    """

    game: CheckedSpec
    start: str | None = None
    actions: tuple[int, ...] = ()
    players: tuple[str, str] = NOBODY
    result: int | None = None
    header: Mapping[str, str] = field(default_factory=dict[str, str])
    comments: Mapping[int, str] = field(default_factory=dict[int, str])

    @property
    def move_scores(self) -> dict[str, int]:
        """The scores of moves in the position, as far as the file says them, for the player to move: `Scores` of the header.

        Only a position has them, and not the last one of a line of moves.
        """
        pairs = (entry.rpartition(":") for entry in self.header.get(SCORES, "").split() if not self.actions)
        return {move: int(score) for move, _, score in pairs if re.fullmatch(r"[+-]?\d{1,6}", score)}

    @property
    def rules(self) -> Game:
        """The game that is played."""
        return make_game(self.game)

    def states(self) -> StateArray:
        """All states, from the start to the last one (N + 1, W).

        Raises:
            ValueError: the start is not a position of the game, or an action is not legal.
        """
        game = self.rules
        return game.play_line(self.actions, start_of(game, self.start))


def start_of(game: Game, start: str | None) -> StateArray:
    """The state that a game starts from: of a position as text, or None for its own start; ValueError where it is no position of
    the game."""
    return game.start if start is None else game.parse(start)


def result_of(game: Game, state: StateArray) -> int | None:
    """Player 0's result in a state; None where the game is not over."""
    outcome = game.outcome(state)
    return None if outcome is None else outcome[0]
