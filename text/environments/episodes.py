"""An episode of a player that answers in words: its questions, its answers, and their scores.

An episode is a single move, or a whole game in which a policy plays the other side.
"""

from __future__ import annotations

import threading
from typing import Any, Literal, TypeAlias

import numpy as np

from ...agents.policy import Forfeits, Policy
from ...games.game import Game, StateArray
from ...games.kernels.keys import derive
from ...games.lines import GameLines
from ..describing import no_move_notice, retry_prompt
from ..scoring import AnswerScore, RewardName, score
from ..variants import PromptVariant

EpisodeReward: TypeAlias = RewardName | Literal["result"]
"""What an episode is rewarded for: its result, or its answers."""
ASKING = threading.Lock()
"""Only one policy runs at a time, because episodes may run in threads and not every policy supports this."""


class Episode:
    """A single move, or a whole game against a policy.

    Args:
        game: the game and variant.
        state: the first position (W,), unfinished.
        seat: the player who answers, 0 or 1.
        opponent: the policy that plays the other side; None for a single move.
        key: the only source of the opponent's randomness.
        retries: how often in the whole episode an answer without a legal move may be repeated; after that the game is lost.
        legal: whether the legal moves are listed.
        variant: the variant of the prompt; None for the plain one.
        reward: what is rewarded: "result", that of a game; or the mean reward of the answers by its name (`AnswerScore.reward_by`);
            None for the result of a game, and for "regret" of a single move.

    Attributes:
        question: the current question to the player; after the end, how the episode ended.
        scores: the score of each answer so far, by perfect play.
        over: whether it has ended.
        result: 1, 0 or -1 for the player, after the end of a game; None before the end, and for single moves.
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
        variant: PromptVariant | None = None,
        reward: EpisodeReward | None = None,
    ) -> None:
        self._rewarded: EpisodeReward = reward or ("regret" if opponent is None else "result")
        self.game, self.state, self._seat, self._opponent = game, state, seat, opponent
        self._playing = None if opponent is None else opponent.begin(1)  # the opponent with its memory of this game
        self._key, self._retries = key, retries
        self._wording = (variant or PromptVariant(name="plain")).with_legal(legal)
        self._start = state
        self._actions: tuple[int, ...] = ()
        self.scores, self.over, self.result = list[AnswerScore](), False, None
        self.question = ""
        if opponent is not None:
            self._reply()
        if not self.over:
            self.question = f"{self.question}{self._wording.prompt(self.game, self.state)}"

    def take(self, answer: Any) -> AnswerScore:
        """Takes an answer, as `ludus.text.read_move` does, and lets the opponent reply.

        Returns:
            The score of the answer by perfect play.

        Raises:
            ValueError: the episode is over, or it is no answer.
            Exception: an error of the opponent, such as `Unavailable`. Then nothing has changed, and the answer can be given again.
        """
        if self.over:
            raise ValueError("the episode is over; begin another one")
        answer_score = score(self.game, self.state[None], [answer], floor=self._rewarded == "over_floor")[0]
        before = self.state, self._actions, self.question
        if answer_score.action is None:
            self._ask_again(answer_score)
        elif self._opponent is None:
            self.over, self.question = True, "That is all."
        else:
            self.question = f"You played {self.game.move_name(answer_score.action)}. "
            self._play(answer_score.action)
            try:
                self._reply()
            except BaseException:
                self.state, self._actions, self.question = before
                raise
            if not self.over:
                self.question += self._wording.next_prompt(self.game, self.state)
        self.scores.append(answer_score)
        return answer_score

    @property
    def reward(self) -> float:
        """The result of a game, 1, a half for a draw, or 0; or the mean reward of the answers for which it is known."""
        if self._rewarded == "result":
            return 0.0 if self.result is None else (1 + self.result) / 2
        rewards = [score.reward_by(self._rewarded) for score in self.scores]
        known = [reward for reward in rewards if reward is not None]
        return float(np.mean(known)) if known else 0.0

    @property
    def metrics(self) -> dict[str, float]:
        """Means over the answers so far.

        `legal` and `optimal` are shares of the answers, `value_lost` and `distance_lost` means over the legal moves for which they
        are known, `move_reward` is the mean reward of the answers (`AnswerScore.reward`), and `answers` is their number. A metric
        that is known for no answer is left out.
        """
        known = {
            "legal": [score.legal for score in self.scores],
            "optimal": [score.optimal for score in self.scores if score.optimal is not None or not score.legal],
            "value_lost": [score.value_lost for score in self.scores if score.value_lost is not None],
            "distance_lost": [score.distance_lost for score in self.scores if score.distance_lost is not None],
            "move_reward": [score.reward for score in self.scores if score.reward is not None],
        }
        means = {name: float(np.mean([value or 0 for value in values])) for name, values in known.items() if values}
        return {**means, "answers": float(len(self.scores))}

    def document(self) -> dict[str, Any]:
        """The episode for JSON: the game, the position, the player's seat, and each answer's score."""
        return {
            "game": self.game.spec,
            "position": self.game.text(self.state),
            "seat": self._seat,
            "over": self.over,
            "result": self.result,
            "scores": [self.score_document(score) for score in self.scores],
        }

    def score_document(self, score: AnswerScore) -> dict[str, Any]:
        """A score for JSON, with the move's name."""
        move = None if score.action is None else self.game.move_name(score.action)
        return {**score._asdict(), "move": move, "reward": score.reward}

    def _ask_again(self, score: AnswerScore) -> None:
        """Asks for another answer if retries are left; else ends the episode."""
        if self._retries > 0:
            self._retries -= 1
            self.question = retry_prompt(score.reason)
            return
        self.over = True
        self.result = None if self._opponent is None else -1
        self.question = no_move_notice(score.reason) + (" You lose." if self._opponent else "")

    def _reply(self) -> None:
        """Lets the opponent move until it is the player's turn, or the game is over."""
        assert self._opponent is not None
        assert self._playing is not None
        while not self.over and self.game.player(self.state) != self._seat:
            key = np.array([self.game.kernel(derive)(self._key, len(self._actions))], np.uint64)
            if self._opponent.sees_moves:
                self._playing.lines = GameLines.of(self._start, self._actions)
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
        self._actions += (action,)
        outcome = self.game.outcome(self.state)
        if outcome is not None:
            self._end(outcome[self._seat])
        elif self.game.max_plies and len(self._actions) >= self.game.max_plies:
            self._end(0)

    def _end(self, result: int) -> None:
        self.over, self.result = True, result
        self.question += {1: "You win.", 0: "The game is a draw.", -1: "You lose."}[result]
