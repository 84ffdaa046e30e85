"""`Puzzle`: a one-player problem with its instance fixed, as solvers and environments use it.

An **answer** is a row of parts, bits or numbers. Its **worth** is a number, the larger the better, whatever the puzzle
measures; a **call** is the evaluation of one answer. A puzzle is a frozen dataclass, one field a setting, and its
instance follows from them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core import specs

Answers: TypeAlias = NDArray[Any]
"""Answers, one a row (B, L); or one alone (L,). Their type is the puzzle's `dtype`."""


def instance_draw(seed: int) -> np.random.Generator:
    """The generator of an instance: a stream of its own, so that no solver with the same seed draws the same numbers."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))


@dataclass(frozen=True)
class Puzzle(specs.BySettings, ABC):
    """A one-player problem with its instance fixed.

    Subclasses are frozen dataclasses, one field a setting. They compare equal, hash, pickle and copy by their settings.
    """

    name: ClassVar[str]
    """The name in specs: lower case, one word."""
    title: ClassVar[str]
    """The name as people write it."""
    aim: ClassVar[str]
    """What to find, in a sentence without its full stop."""
    measure: ClassVar[str]
    """The usual word for the worth of an answer, such as cost."""
    sign: ClassVar[int] = 1
    """1 where people want more of the measure, -1 where they want less: worth = sign · measure."""
    dtype: ClassVar[type]
    """The type of an answer's parts: bool or float."""
    least: ClassVar[float]
    """The least worth of an answer that keeps the rules; one that breaks a rule is worth less."""
    best: ClassVar[float | None] = None
    """The maximum worth, where it is known beforehand."""
    variants: ClassVar[tuple[str, ...]]
    """Specs for tests and lists, the default one first."""

    @property
    @abstractmethod
    def length(self) -> int:
        """The number of parts of an answer (L)."""

    @abstractmethod
    def draw_answers(self, draw: np.random.Generator, count: int) -> Answers:
        """Random answers (count, L) for solvers to begin with, which keep those rules that are cheap to keep."""

    @abstractmethod
    def mend(self, answers: Answers) -> Answers:
        """Repairs answers (B, L), so that they keep the rules."""

    @abstractmethod
    def neighbour(self, answer: Answers, draw: np.random.Generator) -> Answers:
        """An answer (L,) near the given one, which keeps the rules if that one does: the step of a search."""

    @abstractmethod
    def worths(self, answers: Answers) -> NDArray[np.float64]:
        """The worth of each answer (B,); answers of the right type and shape are not checked further."""

    @abstractmethod
    def describe(self, answer: Answers) -> str:
        """Describes an answer on one line."""

    @abstractmethod
    def to_json(self, answer: Answers) -> Any:
        """An answer for JSON."""

    def worth(self, answer: ArrayLike) -> float:
        """Checks an answer, and returns its worth.

        Raises:
            ValueError: it is not an answer to this puzzle; the message says why.
        """
        return float(self.worths(self.check_answer(answer)[None])[0])

    def check_answer(self, answer: ArrayLike) -> Answers:
        """One answer (L,) as an array of the puzzle's type.

        Raises:
            ValueError: it has another shape, or parts that are not bits, or not numbers.
        """
        array = np.asarray(answer)
        if array.shape != (self.length,):
            raise ValueError(f"an answer to {self} has the shape {array.shape}; it must be ({self.length},)")
        if array.dtype.kind not in "biuf" or (self.dtype is bool and not ((array == 0) | (array == 1)).all()):
            kind = "zeros and ones" if self.dtype is bool else "numbers"
            raise ValueError(f"an answer to {self} has parts that are not {kind} (its type is {array.dtype}); it must be {kind}")
        return array.astype(self.dtype)

    def to_measure(self, worth: float) -> float:
        """A worth in the usual measure, such as the cost of a cover."""
        return self.sign * worth

    @property
    def goal(self) -> float:
        """The worth that a search is to reach: the maximum where it is known beforehand; else the least that keeps the rules."""
        return self.least if self.best is None else self.best

    @property
    def spec(self) -> str:
        """The puzzle as users name it, as `setcover:items=20`."""
        return specs.join(self.name, specs.changed_settings(self))

    def __str__(self) -> str:
        return self.spec
