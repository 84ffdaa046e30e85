"""The vector environment at its simplest: a list of boards, each with a slow twin, stepped one after the other.

The learner's seat on each board is given; an opponent always plays the first legal move by its number, so that nothing is random.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludus.envs import Game

from . import twin_of


def first_legal(observations: Any, masks: Any) -> Any:
    """The opponent as the environments take it: it likes each action better than the next."""
    return np.tile(-np.arange(masks.shape[1], dtype=np.float64), (len(masks), 1))


class Board:
    """One board.

    Args:
        game: the game, for the names of its moves and its limit of plies.
        seat: the learner's, 0 or 1; None where it plays both sides.
    """

    def __init__(self, game: Game, seat: int | None) -> None:
        self.game, self.seat = game, seat
        self.begin()

    def begin(self) -> None:
        self.position, self.plies = twin_of(self.game), 0
        self.rewards, self.terminated, self.truncated, self.illegal = (0, 0), False, False, False
        self.answer()

    @property
    def over(self) -> bool:
        return self.terminated or self.truncated

    def take(self, action: int) -> None:
        """The action of whoever is to move."""
        move, mover = self.game.moves[action], self.position.player
        if move not in self.position.legal():
            self.rewards, self.terminated, self.illegal = ((-1, 1), (1, -1))[mover], True, True
            return
        self.position, self.plies = self.position.play(move), self.plies + 1
        if (outcome := self.position.outcome()) is not None:
            self.rewards, self.terminated = outcome, True
        elif self.game.max_plies and self.plies == self.game.max_plies:
            self.truncated = True

    def answer(self) -> None:
        """The opponent moves until it is the learner's turn."""
        while self.seat is not None and not self.over and self.position.player != self.seat:
            self.take(min(map(self.game.moves.index, self.position.legal())))

    def view(self) -> dict[str, Any]:
        """What is seen: by the learner, or by who is to move where it plays both sides. A finished game's mask is all ones."""
        seat, legal = self.position.player if self.seat is None else self.seat, self.position.legal()
        mask = [int(self.over or move in legal) for move in self.game.moves]
        return {"observation": np.array(self.position.planes(seat), np.int8), "action_mask": np.array(mask, np.int8), "who": seat}

    def step(self, action: int, mode: str) -> dict[str, Any]:
        """An action and all answers: the view, what it brought, and the last view of a game that the next has followed."""
        if self.over:  # only in the mode NextStep: the action is left out, and the next game begins
            self.begin()
            return {**self.view(), "reward": 0, "rewards": (0, 0), "terminated": False, "truncated": False, "illegal": False}
        mover = self.position.player
        self.take(action)
        self.answer()
        seat = mover if self.seat is None else self.seat
        names = ("rewards", "terminated", "truncated", "illegal")
        brought = {"reward": self.rewards[seat], **{name: getattr(self, name) for name in names}}
        if self.over and mode == "SameStep":
            brought["final"] = self.view()
            self.begin()
        return {**self.view(), **brought}
