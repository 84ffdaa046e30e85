"""What somebody might add to Ludus: a game, its evaluation, a policy and a trainer; tests copy it into a package of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import ludus
from ludus import rules
from ludus.agents import Policy
from ludus.baselines import Settings, Trainer
from ludus.rules import ONGOING, Evaluation, Game, Numbers, Permutation, Planes, State, StateArray, Symmetries, number, u64

# The word holds the stones that are left (bits 0 to 7) and the player to move (bit 8). Each takes one or two; who takes
# the last wins, so that 3, 6 and 9 stones are lost.
STONES, PLAYER = u64(0xFF), u64(8)


def player(state: State) -> int:
    return number(state[0] >> PLAYER)


def legal(state: State, word: int) -> np.uint64:
    left = state[0] & STONES
    return u64(3) if left > u64(1) else left


def play(state: State, action: int) -> State:
    return ((state[0] - u64(action + 1)) ^ rules.bit(8),)


def outcome(state: State) -> int:
    if state[0] & STONES != u64(0):
        return ONGOING
    return 2 * player(state) - 1


def observe(state: State, seat: int, planes: Planes) -> None:
    for cell in range(planes.shape[1]):
        planes[0, cell] = u64(cell) < (state[0] & STONES)
    planes[1] = 1


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    return state


def lost_by_threes(state: State, weights: Numbers) -> int:
    """What the theory says, so that a single ply is enough to play well."""
    return -weights[0] if (state[0] & STONES) % u64(3) == u64(0) else weights[0]


def won_by_threes(state: State, weights: Numbers) -> int:
    """The opposite, so that whoever believes it plays badly."""
    return 1 if (state[0] & STONES) % u64(3) == u64(0) else -1


@ludus.register_game
@dataclass(frozen=True)
class Stones(Game):
    """Take one or two of the stones."""

    name: ClassVar[str] = "stones"
    title: ClassVar[str] = "Stones"
    num_words: ClassVar[int] = 1
    planes: ClassVar[tuple[str, ...]] = ("stones", "ones")
    variants: ClassVar[tuple[str, ...]] = ("stones", "stones:stones=5")
    evaluation: ClassVar[Evaluation] = Evaluation(lost_by_threes, weights=(7,))

    stones: int = 8

    @property
    def board(self) -> tuple[int, int]:
        return 1, self.stones

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return "one", "two"

    @property
    def start_words(self) -> tuple[int, ...]:
        return (self.stones,)

    @cached_property
    def symmetries(self) -> Symmetries:
        return Symmetries(np.arange(self.stones, dtype=np.int16)[None], np.arange(2, dtype=np.int16)[None])

    def text(self, state: StateArray) -> str:
        return f"{int(state[0]) & 255} {int(state[0]) >> 8}"

    def parse(self, text: str) -> StateArray:
        left, mover = map(int, text.split())
        return np.array([left | mover << 8], np.uint64)

    def picture(self, state: StateArray, action: int | None = None) -> str:
        return f"{'o' * (int(state[0]) & 255)}\n{self.status(state)}"

    def svg(self, state: StateArray, action: int | None = None) -> str:
        return rules.Pen(10, 10).finish()


@ludus.register_policy
@dataclass(frozen=True)
class Taker(Policy):
    """Always takes as many.

    Args:
        many: 1 or 2.
    """

    name: ClassVar[str] = "taker"
    games: ClassVar[tuple[str, ...]] = ("stones",)

    many: int = 1

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return np.minimum(states[:, 0] & 255, self.many).astype(np.int64) - 1


def always_two(states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    return np.minimum(states[:, 0] & 255, 2).astype(np.int64) - 1


@dataclass(frozen=True)
class CounterSettings(Settings):
    """What can be set.

    Args:
        many: how many it learns to take.
        opponent: whom it meets.
    """

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
