"""One episode of a player that speaks: what it is asked, what it answers, and what the answers are worth.

An episode is a single move, or a whole game in which a policy plays the other side.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from ...agents.policy import Forfeits, Policy
from ...games.game import Game, StateArray
from ...games.kernels.keys import derive
from ..describing import ANSWER, again, describe_position, no_move, prompt
from ..scoring import Score, score

ASKING = threading.Lock()
"""Policies are asked one at a time, since episodes may run in threads and not every policy may."""


class Episode:
    """A single move, or a whole game against a policy.

    Args:
        game: the game and variant.
        state: where it begins (W,), unfinished.
        seat: the player who answers, 0 or 1.
        opponent: plays the other side; None for a single move.
        key: all the randomness of the opponent.
        retries: how often an answer without a legal move may be repeated, all in all; after that the game is lost.
        legal: whether the legal moves are listed.

    Attributes:
        question: what the player is asked now; after the end, how it ended.
        scores: what perfect play says about each answer so far.
        over: whether it has ended.
        result: 1, 0 or -1 for the player, when a game has ended; None before, and for single moves.
        state: the position (W,).
    """

    def __init__(
        self,
        game: Game,
        state: StateArray,
        seat: int,
        opponent: Policy | None = None,
        *,
        key: int = 0,
        retries: int = 0,
        legal: bool = False,
    ) -> None:
        self.game, self.state, self._seat, self._opponent = game, state, seat, opponent
        self._playing = None if opponent is None else opponent.begin(1)  # with what it remembers of the game
        self._key, self._retries, self._legal, self._plies = key, retries, legal, 0
        self.scores, self.over, self.result = list[Score](), False, None
        self.question = ""
        if opponent is not None:
            self._reply()
        if not self.over:
            self.question = f"{self.question}{prompt(self.game, self.state, legal=legal)}"

    def take(self, answer: str) -> Score:
        """Takes an answer, and has the opponent reply.

        Returns:
            What perfect play says about it.

        Raises:
            ValueError: the episode is over.
            Exception: of the opponent, such as `Unavailable`. Then nothing has changed, and the answer can be given again.
        """
        if self.over:
            raise ValueError("the episode is over; begin another one")
        found = score(self.game, self.state[None], [answer])[0]
        before = self.state, self._plies, self.question
        if found.action is None:
            self._ask_again(found)
        elif self._opponent is None:
            self.over, self.question = True, "That is all."
        else:
            self.question = f"You played {self.game.move_name(found.action)}. "
            self._play(found.action)
            try:
                self._reply()
            except BaseException:
                self.state, self._plies, self.question = before
                raise
            if not self.over:
                self.question += f"{describe_position(self.game, self.state, legal=self._legal)}\n\n{ANSWER}"
        self.scores.append(found)
        return found

    @property
    def reward(self) -> float:
        """From 0 to 1: of a single move its value (`Score.reward`), of a game the result, a draw counting a half."""
        if self._opponent is None:
            return self.scores[-1].reward or 0.0 if self.scores else 0.0
        return 0.0 if self.result is None else (1 + self.result) / 2

    @property
    def metrics(self) -> dict[str, float]:
        """What the answers so far were like.

        `legal` and `optimal` are shares of the answers, `value_lost` and `distance_lost` means over the legal moves of which they
        are known, `move_reward` is the mean reward of the answers (`Score.reward`), and `answers` counts them. What is known of no
        answer is left out.
        """
        known = {
            "legal": [one.legal for one in self.scores],
            "optimal": [one.optimal for one in self.scores if one.optimal is not None or not one.legal],
            "value_lost": [one.value_lost for one in self.scores if one.value_lost is not None],
            "distance_lost": [one.distance_lost for one in self.scores if one.distance_lost is not None],
            "move_reward": [one.reward for one in self.scores if one.reward is not None],
        }
        means = {name: float(np.mean([value or 0 for value in values])) for name, values in known.items() if values}
        return {**means, "answers": float(len(self.scores))}

    def document(self) -> dict[str, Any]:
        """The episode as JSON can hold it: the game, the position, whose turn it is, and each answer's score."""
        return {
            "game": self.game.spec,
            "position": self.game.text(self.state),
            "seat": self._seat,
            "over": self.over,
            "result": self.result,
            "scores": [self.score_document(one) for one in self.scores],
        }

    def score_document(self, one: Score) -> dict[str, Any]:
        """A score as JSON can hold it, with the move's name."""
        return {**one._asdict(), "move": None if one.action is None else self.game.move_name(one.action), "reward": one.reward}

    def _ask_again(self, found: Score) -> None:
        if self._retries > 0:
            self._retries -= 1
            self.question = again(found.reason)
            return
        self.over = True
        self.result = None if self._opponent is None else -1
        self.question = no_move(found.reason) + (" You lose." if self._opponent else "")

    def _reply(self) -> None:
        """Lets the opponent move until it is the player's turn, or the game is over."""
        assert self._playing is not None
        while not self.over and self.game.player(self.state) != self._seat:
            key = np.array([self.game.kernel(derive)(self._key, self._plies)], np.uint64)
            try:
                with ASKING:
                    action = int(self._playing.act(self.state[None], key, np.zeros(1, np.int64))[0])
            except Forfeits:
                self._end(1)
                return
            self.question += f"Your opponent played {self.game.move_name(action)}. "
            self._play(action)

    def _play(self, action: int) -> None:
        self.state = self.game.play(self.state, action)
        self._plies += 1
        outcome = self.game.outcome(self.state)
        if outcome is not None:
            self._end(outcome[self._seat])
        elif self.game.max_plies and self._plies >= self.game.max_plies:
            self._end(0)

    def _end(self, result: int) -> None:
        self.over, self.result = True, result
        self.question += {1: "You win.", 0: "The game is a draw.", -1: "You lose."}[result]
