"""Tasks for a player that answers in words: single moves in positions with exact values, or whole games against a policy."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...agents.policy import Policy
from ...agents.registry import make_policy
from ...arena.data.exact.collecting import Sampling, collect
from ...arena.matches.openings import default_opening_plies, openings, stream_keys
from ...games.game import Game
from ...games.registry import make_game
from ...oracles import make_oracle
from ..variants import PromptVariant, prompt_variant
from .episodes import Episode, EpisodeReward

TESTS = 10
"""One in this number of games is for testing."""


class Task(NamedTuple):
    """The start of an episode.

    Args:
        position: the first position, as text.
        seat: the player who answers, 0 or 1; in single moves the player to move.
        key: the only source of the opponent's randomness.
    """

    position: str
    seat: int
    key: int


@dataclass(frozen=True)
class Tasks:
    """Tasks of a game, for training and for testing. The same settings always give the same tasks.

    Args:
        game: the game's spec.
        opponent: the spec of the policy that plays the other side of whole games; None for single moves.
        count: the number of tasks for training and testing together.
        seed: the seed from which the tasks follow.
        opening_plies: the number of random plies at the start of a whole game; None: two to four, as in tournaments.
        retries: how often an answer without a legal move may be repeated in a whole game.
        legal: whether the legal moves are listed.
        variant: a variant of the prompt, by its name or as one of a file (`prompt_variants`).
        reward: what an episode is rewarded for (see `Episode`).

    Raises:
        ValueError: there is no such game, policy or variant of the prompt, the oracle reaches no position of the game, or single
            moves are to be rewarded for the result of a game.
    """

    game: str = "tictactoe"
    opponent: str | None = None
    count: int = 1000
    seed: int = 0
    opening_plies: int | None = None
    retries: int = 2
    legal: bool = False
    variant: str = "plain"
    reward: EpisodeReward | None = None

    def __post_init__(self) -> None:
        if self.opponent is None and self.reward == "result":
            raise ValueError("single moves have no result; choose another reward, or an opponent to play whole games against")
        self.wording.checksum(self.rules)  # so that a game without this form of the board is refused at once

    @classmethod
    def from_settings(cls, settings: object) -> Tasks:
        """The tasks with settings from the attributes of an object, such as parsed arguments; missing ones keep their defaults."""
        return cls(**{field.name: getattr(settings, field.name) for field in fields(cls) if hasattr(settings, field.name)})

    @cached_property
    def rules(self) -> Game:
        """The rules of the game."""
        return make_game(self.game)

    @cached_property
    def policy(self) -> Policy | None:
        """The opponent."""
        return None if self.opponent is None else make_policy(self.opponent, self.rules)

    @cached_property
    def wording(self) -> PromptVariant:
        """The variant of the prompt."""
        return prompt_variant(self.variant).with_legal(self.legal)

    @cached_property
    def train(self) -> list[Task]:
        """The tasks for training."""
        return self._splits[0]

    @cached_property
    def test(self) -> list[Task]:
        """The tasks for testing. For single moves no position looks like one for training, also after symmetries."""
        return self._splits[1]

    def episode(self, task: Task) -> Episode:
        """The episode of a task, at its first question."""
        retries = 0 if self.policy is None else self.retries
        state = self.rules.position(task.position)
        return Episode(
            self.rules, state, task.seat, self.policy, key=task.key, retries=retries, variant=self.wording, reward=self.reward
        )

    @cached_property
    def _splits(self) -> tuple[list[Task], list[Task]]:
        if self.policy is None:
            return self._moves()
        tests = max(1, self.count // TESTS)
        return self._games("train", self.count - tests), self._games("test", tests)

    def _moves(self) -> tuple[list[Task], list[Task]]:
        game, solved = self.rules, collect(make_oracle(self.rules), Sampling(self.count, self.seed))
        players = game.players(solved.states).tolist()
        tasks = [Task(game.text(state), player, 0) for state, player in zip(solved.states, players, strict=True)]
        rows = [*zip(tasks, solved.test.tolist(), strict=True)]
        return [task for task, for_test in rows if not for_test], [task for task, for_test in rows if for_test]

    def _games(self, split: str, count: int) -> list[Task]:
        game, numbers = self.rules, np.arange(count)
        plies = default_opening_plies(game) if self.opening_plies is None else self.opening_plies
        states = openings(game, self.seed, numbers, plies, (split,))[1]
        keys = stream_keys(game, self.seed, (split, "opponent"), numbers).tolist()
        return [Task(game.text(state), number % 2, key) for number, (state, key) in enumerate(zip(states, keys, strict=True))]
