"""A black box over bit strings: find the perfect one of 1000 bits, with few calls.

The string is cut into n interleaved slices, n the order: bit i belongs to slice i mod n. The slices' counts of right bits are
sorted from high to low; M is the highest, k slices reach it, and f_0, f_1, … are the others, in order:

    value = (k · M - 0.1 · f_0 - 0.01 · f_1 - …) / L

So a slice that lags is a penalty, which grows with its count: until it comes level, every right bit in it looks wrong.
A bit is right if it is 1; with `hidden`, if it is as in a string drawn from that seed. Calls alone do not tell the two apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..core.bounds import Count
from ..core.numbers import Range, whole
from .puzzle import Answers, Info, Puzzle, PuzzleEnv, instance_draw


@dataclass(frozen=True)
class BitString(Puzzle):
    """A black box over bit strings.

    Args:
        bits: the length of a string (L).
        order: the number of slices (n); it divides `bits`.
        hidden: the seed of the perfect string; none: it is all ones.
    """

    bits: Annotated[int, Range(1, 10_000)] = 1000
    order: Count = 1
    hidden: Annotated[int, Range(0)] | None = None

    name: ClassVar[str] = "bitstring"
    title: ClassVar[str] = "Bit-string black box"
    aim: ClassVar[str] = "the string that is worth 1, with few calls"
    measure: ClassVar[str] = "value"
    dtype: ClassVar[type] = bool
    least: ClassVar[float] = -1.0
    best: ClassVar[float] = 1.0  # pyright: ignore[reportIncompatibleVariableOverride]
    variants: ClassVar[tuple[str, ...]] = ("bitstring", *(f"bitstring:order={order}" for order in (2, 5, 10)))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bits % self.order:
            raise ValueError(f"an order of {self.order} does not divide {self.bits} bits into equal slices; take one that does")

    @cached_property
    def perfect(self) -> NDArray[np.bool_]:
        """The perfect string (L,)."""
        if self.hidden is None:
            return np.ones(self.bits, np.bool_)
        return instance_draw(self.hidden).random(self.bits) < 0.5

    @property
    def length(self) -> int:
        return self.bits

    def draw_answers(self, draw: np.random.Generator, count: int) -> Answers:
        return draw.random((count, self.bits)) < 0.5

    def mend(self, answers: Answers) -> Answers:
        """The answers: every string keeps the rules."""
        return answers

    def neighbour(self, answer: Answers, draw: np.random.Generator) -> Answers:
        """The string with one bit flipped; or with two, three, …, each half as often as one fewer."""
        other = answer.copy()
        other[draw.integers(self.bits, size=draw.geometric(0.5))] ^= True
        return other

    def worths(self, answers: Answers) -> NDArray[np.float64]:
        right = answers == self.perfect
        counts = -np.sort(-right.reshape(len(right), -1, self.order).sum(axis=1), axis=1)  # from high to low
        level = (counts == counts[:, :1]).sum(axis=1)
        ranks = np.arange(self.order) - level[:, None]  # among the slices that lag; negative for those that lead
        penalties = np.where(ranks >= 0, counts * 0.1 ** (np.maximum(ranks, 0) + 1.0), 0.0).sum(axis=1)
        return (level * counts[:, 0] - penalties) / self.bits

    def describe(self, answer: Answers) -> str:
        return f"{int((answer == self.perfect).sum())} of {self.bits} bits right"

    def to_json(self, answer: Answers) -> Any:
        return np.packbits(answer).tobytes().hex()


class BitStringEnv(PuzzleEnv):
    """`gym.make("ludus/BitString-v0", order=2)`: an action is a whole string, a step is a call of the black box.

    An action is a string (L,) of zeros and ones, int8. Both the reward and the observation (1,), float64, are the worth of the
    last string, 0 before the first: a black box reveals nothing else. An episode ends with the perfect string, or after `calls`
    steps (truncated). `info["calls"]` counts the strings, `info["best"]` is the highest value so far.

    Args:
        puzzle, render_mode, settings: see `PuzzleEnv`.
        calls: the maximum number of steps of an episode.
    """

    name: ClassVar[str] = "bitstring"
    puzzle: BitString

    def __init__(self, puzzle: Any = None, *, calls: int = 30_000, render_mode: str | None = None, **settings: Any) -> None:
        super().__init__(puzzle, render_mode=render_mode, **settings)
        self.observation_space = spaces.Box(-1.0, 1.0, (1,), np.float64)
        self.action_space = spaces.MultiBinary(self.puzzle.bits)
        self._limit = whole(calls, "calls", 1)

    def _begin(self) -> None:
        self._calls, self._value, self._best = 0, 0.0, -1.0

    def _act(self, action: Any) -> tuple[float, bool, bool]:
        self._value = self.puzzle.worth(action)
        self._calls += 1
        self._best = max(self._best, self._value)
        perfect = self._value >= BitString.best
        return self._value, perfect, not perfect and self._calls == self._limit

    def _observation(self) -> NDArray[np.float64]:
        return np.array([self._value])

    def _info(self) -> Info:
        return {"calls": self._calls, "best": self._best}

    def _line(self) -> str:
        return f"{self._calls} calls, best value {self._best:.6g}"
