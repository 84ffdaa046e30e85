"""`TargetPolicy`: the policy that a run learns to beat; `AskedPolicy` puts no question to it twice, and no more than are allowed.

What counts as a question depends on how the policy plays:

    frozen, or deterministic   a position; it takes one action there, by a key of the position and the seed
    it gives probabilities     a position; an action is drawn from them by the key of the game
    else                       a position with one of DRAWS keys, of which the key of the game draws one: so a position is asked
                               about DRAWS times at most, and what it took then stands for its probabilities
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy, draw_actions
from ...agents.registry import make_policy
from ...arena.exploiting.exploit import POSITIONS
from ...arena.exploiting.mixtures import mixture_of
from ...arena.grading.answers import keys_for, legal_actions, probability_chooser
from ...core.bounds import Bounded
from ...core.files.named_arrays import Arrays, check_arrays
from ...core.numbers import LONGEST, MANY, Range
from ...core.plugins import PolicySpec
from ...games.game import Game, StateArray
from ...games.kernels.keys import derive_keys, uniforms

AGAIN = 64
"""The number of questions that are asked again at the end, to see whether the answers are still the same."""
TOLERANCE = 1e-5
"""The largest difference of a probability that counts as the same: it is kept as float32."""
DRAWS = 8
"""In how many ways a policy that draws its actions is asked about a position."""


@dataclass(frozen=True)
class TargetPolicy(Bounded):
    """The policy that a run learns to beat, its only opponent.

    Args:
        policy: its spec.
        positions: how many questions it is asked at most; then the training ends.
        seconds: the seconds of training after which it ends; None for no limit. With a limit, results depend on the machine.
        freeze: whether it takes one action in each position, by a key that depends on the position and the run's seed.
    """

    policy: PolicySpec
    positions: Annotated[int, Range(2, MANY)] = POSITIONS
    seconds: Annotated[float, Range(above=0, most=LONGEST)] | None = None
    freeze: bool = False

    def ask(self, game: Game, seed: int) -> AskedPolicy:
        """The policy, of which no question that counts was asked yet; ValueError if it does not play this game, or fails."""
        policy = make_policy(self.policy, game)
        mixture = None if self.freeze else mixture_of(policy, seed)
        draws = 1 if mixture is None else DRAWS if mixture.is_drawn else 0
        return AskedPolicy(game, policy=policy, draws=draws, seed=seed, most=self.positions)


class SpentError(Exception):
    """A policy may not be asked any more."""


@dataclass(frozen=True, eq=False)
class AskedPolicy(Policy):
    """A policy whose answers are kept: no question is put to it twice, and at most `most` are. It plays without memory.

    Args:
        policy: the policy.
        draws: in how many ways it is asked about a position; 0 where it is asked for its probabilities.
        seed: the seed of its keys.
        most: how many questions it is asked at most.

    Its methods raise SpentError where they would need more, and then ask none; ValueError where the policy fails, or its answer is
    not legal.
    """

    name: ClassVar[str] = "asked"

    policy: Policy = field(kw_only=True)
    draws: int = field(kw_only=True)
    seed: int = field(kw_only=True)
    most: int = field(kw_only=True)
    _questions: dict[bytes, int] = field(default_factory=dict[bytes, int], init=False, repr=False)
    _answers: list[Any] = field(default_factory=list[Any], init=False, repr=False)

    @property
    def num_asked(self) -> int:
        """The number of questions it was asked."""
        return len(self._answers)

    @property
    def spec(self) -> str:
        return self.policy.spec

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        states, keys = self.batch(states, keys)
        if not self.draws:
            return draw_actions(self.probabilities(states), keys)
        return self._actions(states, (uniforms(keys) * self.draws).astype(np.int64))

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        states = self.game.batch(states)
        chances = np.zeros((len(states), self.game.num_actions))
        if not self.draws:
            chances[:] = self._answers_to(states)
        for k in range(self.draws):
            chances[np.arange(len(states)), self._actions(states, np.full(len(states), k))] += 1 / self.draws
        return chances

    def num_asked_in(self, seat: int) -> int:
        """The number of these questions about positions in which this player is to move."""
        return int((self.game.players(self._states_of(self.state()["questions"])) == seat).sum()) if self._answers else 0

    def without_limit(self) -> AskedPolicy:
        """The same policy, of which nothing is known yet, and which may be asked as much as is wanted."""
        return replace(self, most=MANY)

    def is_steady(self) -> bool:
        """Whether it gives the same answers to some questions when it is asked again, in another order."""
        state = self.state()
        some = np.unique(np.linspace(0, self.num_asked - 1, AGAIN).astype(np.int64))[::-1] if self._answers else []
        return not len(some) or bool(abs(self._ask(state["questions"][some]) - state["answers"][some]).max() < TOLERANCE)

    def _actions(self, states: StateArray, ways: NDArray[np.int64]) -> NDArray[np.int64]:
        """The actions that it takes in these states (B, W), asked in these ways (B,)."""
        return np.array(self._answers_to(np.column_stack([states, ways.astype(np.uint64)])), np.int64)

    def _states_of(self, questions: NDArray[np.uint64]) -> StateArray:
        return np.ascontiguousarray(questions[:, : self.game.num_words])

    def _ask(self, questions: NDArray[np.uint64]) -> NDArray[Any]:
        """The answers to questions (B, …), each of which is asked: actions (B,), or probabilities (B, A)."""
        states = self._states_of(questions)
        if not self.draws:
            return probability_chooser(self.policy)(states).astype(np.float32)
        keys, ways = keys_for(self.game, states, self.seed), questions[:, -1].astype(np.int64)
        derived = np.empty_like(keys)
        self.game.kernel(derive_keys)(keys, ways, derived)
        return legal_actions(self.policy, states, np.where(ways == 0, keys, derived))  # the first way is that of a frozen policy

    def _answers_to(self, questions: NDArray[np.uint64]) -> list[Any]:
        """The answers to questions (B, …), of which those that are new are asked."""
        names = [question.tobytes() for question in questions]
        new = {name: row for row, name in enumerate(names) if name not in self._questions}
        if self.num_asked + len(new) > self.most:
            raise SpentError
        if new:
            answers = self._ask(questions[[*new.values()]])
            self._questions.update(zip(new, range(self.num_asked, self.num_asked + len(new)), strict=True))
            self._answers.extend(answers)
        return [self._answers[self._questions[name]] for name in names]

    # ---- checkpoints

    def state(self) -> Arrays:
        """The questions (N, …) and the answers to them: actions (N,), or probabilities (N, A)."""
        if not self._answers:
            return self._no_answers()
        questions = np.frombuffer(b"".join(self._questions), np.uint64).reshape(self.num_asked, -1)
        return {"questions": questions, "answers": np.array(self._answers)}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes the questions and answers of a state; ValueError if it is no state of this policy."""
        check_arrays(state, self._no_answers(), ("*",))
        if len(state["questions"]) != len(state["answers"]):
            raise ValueError(f"there are {len(state['questions']):,} questions and {len(state['answers']):,} answers")
        self._questions.clear()
        self._questions.update((question.tobytes(), row) for row, question in enumerate(state["questions"]))
        self._answers[:] = state["answers"]

    def _no_answers(self) -> Arrays:
        """The arrays of a state without questions."""
        shape, dtype = ((0,), np.int64) if self.draws else ((0, self.game.num_actions), np.float32)
        return {"questions": np.zeros((0, self.game.num_words + bool(self.draws)), np.uint64), "answers": np.zeros(shape, dtype)}
