"""What somebody might add to Ludus: a game, its evaluation, a policy and a trainer; tests copy it into a package of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import ludus
from ludus.agents import Policy
from ludus.baselines import Settings, Trainer
from ludus.games.nim.rules import Nim, legal, observe, outcome, permute, play, player  # noqa: F401  the rules are those of Nim
from ludus.rules import Evaluation, Game, Known, Numbers, State, StateArray, u64


def lost_by_threes(state: State, weights: Numbers) -> int:
    """What the theory says, so that a single ply is enough to play well."""
    return -weights[0] if (state[0] & u64(0xFF)) % u64(3) == u64(0) else weights[0]


def won_by_threes(state: State, weights: Numbers) -> int:
    """The opposite, so that whoever believes it plays badly."""
    return 1 if (state[0] & u64(0xFF)) % u64(3) == u64(0) else -1


@ludus.register_game
@dataclass(frozen=True)
class Stones(Nim):
    """Nim with one heap, of which each takes one or two stones: 3, 6 and 9 are lost."""

    name: ClassVar[str] = "stones"
    title: ClassVar[str] = "Stones"
    variants: ClassVar[tuple[str, ...]] = ("stones", "stones:heaps=5")
    evaluation: ClassVar[Evaluation] = Evaluation(lost_by_threes, weights=(7,))
    known: ClassVar[Known] = Known()

    heaps: tuple[int, ...] = (8,)
    limit: int = 2  # pyright: ignore[reportIncompatibleVariableOverride]


@ludus.register_policy
@dataclass(frozen=True)
class Taker(Policy):
    """Always takes as many: one or two."""

    name: ClassVar[str] = "taker"
    games: ClassVar[tuple[str, ...]] = ("stones",)

    many: int = 1

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return np.minimum(states[:, 0] & 255, self.many).astype(np.int64) - 1


def always_two(states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    return np.minimum(states[:, 0] & 255, 2).astype(np.int64) - 1


@dataclass(frozen=True)
class CounterSettings(Settings):
    """How many it learns to take, and whom it meets."""

    many: int = 2
    opponent: str = "random"


@ludus.register_trainer
class Counter(Trainer[CounterSettings]):
    """Learns what it is to take, in two parts, by work handed out, which knows the game and the opponent by their names."""

    name: ClassVar[str] = "counter"
    settings_class = CounterSettings
    unit: ClassVar[str] = "parts"
    hands_out: ClassVar[bool] = True

    def __init__(self, game: Game, settings: CounterSettings, seed: int) -> None:
        super().__init__(game, settings, seed)
        self.learning = np.zeros(2, np.int64)

    @property
    def done(self) -> int:
        return int(np.count_nonzero(self.learning))

    @property
    def total(self) -> int:
        return 2

    def advance(self) -> dict[str, float]:
        answers = self.starmap(ludus.make_policy, [(self.settings.opponent, self.game.spec)] * 2)
        self.learning[self.done] = self.settings.many
        return {"answers": float(len(answers))}

    def state(self) -> dict[str, NDArray[Any]]:
        return {"learning": self.learning.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self.learning[:] = state["learning"]

    def learnt(self) -> dict[str, NDArray[Any]]:
        return self.state()

    @classmethod
    def policy_of(cls, game: Game, settings: CounterSettings, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        return Taker(game, many=int(learnt["learning"][0]))
