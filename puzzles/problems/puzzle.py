"""`Puzzle`: a one-player problem with its instance fixed, as solvers and environments know it.

An **answer** is a row of parts, bits or numbers. Its **worth** is a number, the larger the better, whatever the puzzle
measures; a **call** is the question what one answer is worth. A puzzle is a frozen dataclass, one field a setting, and its
instance follows from them: the same settings, the same instance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...envs.settings import specs

Answers: TypeAlias = NDArray[Any]
"""Answers, one a row (B, L); or one alone (L,). Their type is the puzzle's `dtype`."""


def instance_draw(seed: int) -> np.random.Generator:
    """What an instance is drawn from by its seed: a stream of its own, so that no solver with the same seed draws the same."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))


@dataclass(frozen=True)
class Puzzle(specs.BySettings, ABC):
    """A one-player problem with its instance fixed.

    Subclasses are frozen dataclasses, one field a setting, that check their settings in `__post_init__` and raise ValueError
    with a sentence. They compare equal, hash, pickle and copy by their settings.
    """

    name: ClassVar[str]
    """The name in specs: lower case, one word."""
    title: ClassVar[str]
    """The name as people write it."""
    aim: ClassVar[str]
    """What is to be found, in a sentence without its full stop."""
    measure: ClassVar[str]
    """What people call the worth of a good answer, as cost."""
    sign: ClassVar[int] = 1
    """1 where people want more of the measure, -1 where they want less: worth = sign · measure."""
    dtype: ClassVar[type]
    """The type of an answer's parts: bool or float."""
    least: ClassVar[float]
    """What an answer that keeps the rules is worth at least; one that breaks a rule is worth less."""
    best: ClassVar[float | None] = None
    """The worth that nothing exceeds, where it is known beforehand."""
    variants: ClassVar[tuple[str, ...]]
    """Specs that tests and lists go through, the default one first."""

    @property
    @abstractmethod
    def length(self) -> int:
        """How many parts an answer has (L)."""

    @abstractmethod
    def drawn(self, draw: np.random.Generator, count: int) -> Answers:
        """Answers drawn at random (count, L), for solvers to begin with; where rules are cheap to keep they are kept."""

    @abstractmethod
    def mended(self, answers: Answers) -> Answers:
        """Answers (B, L) that keep the rules, near to these."""

    @abstractmethod
    def near(self, answer: Answers, draw: np.random.Generator) -> Answers:
        """An answer (L,) beside this one, that keeps the rules if this one does: the step of a search."""

    @abstractmethod
    def worths(self, answers: Answers) -> NDArray[np.float64]:
        """What each answer is worth (B,); answers of the right type and shape are not checked further."""

    @abstractmethod
    def told(self, answer: Answers) -> str:
        """An answer in a line of words."""

    @abstractmethod
    def written(self, answer: Answers) -> Any:
        """An answer for JSON."""

    def worth(self, answer: ArrayLike) -> float:
        """What one answer is worth, checked first.

        Raises:
            ValueError: it is no answer to this puzzle; the message says why.
        """
        return float(self.worths(self.checked(answer)[None])[0])

    def checked(self, answer: ArrayLike) -> Answers:
        """One answer (L,) as an array of the puzzle's type.

        Raises:
            ValueError: another shape, or parts that are no bits, or no numbers.
        """
        array = np.asarray(answer)
        if array.shape != (self.length,):
            raise ValueError(f"an answer to {self} has the shape {array.shape}; it must be ({self.length},)")
        if array.dtype.kind not in "biuf" or (self.dtype is bool and not ((array == 0) | (array == 1)).all()):
            kind = "zeros and ones" if self.dtype is bool else "numbers"
            raise ValueError(f"an answer to {self} has parts that are no {kind} (its type is {array.dtype}); it must be {kind}")
        return array.astype(self.dtype)

    def measured(self, worth: float) -> float:
        """A worth as people say it, as the cost of a cover."""
        return self.sign * worth

    @property
    def spec(self) -> str:
        """The puzzle as users name it, as `setcover:items=20`."""
        return specs.join(self.name, specs.changed(self))

    def __str__(self) -> str:
        return self.spec
