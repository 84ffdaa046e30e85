"""`Puzzle`: a one-player problem with its instance fixed; `PuzzleEnv`: its environment; `make_puzzle`, which reads a spec.

An **answer** is a row of parts, bits or numbers. Its **worth** is a number, the larger the better, whatever the puzzle
measures; a **call** is the evaluation of one answer. A puzzle is a frozen dataclass, one field a setting, and its
instance follows from them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core import specs
from ..core.numbers import seed_of, short_repr
from ..core.plugins.loading import load_object
from ..envs.registration import PUZZLES
from ..envs.views import check_render_mode
from ..envs.window import FRAMES_PER_SECOND

Answers: TypeAlias = NDArray[Any]
"""Answers, one a row (B, L); or one alone (L,). Their type is the puzzle's `dtype`."""
Info = dict[str, Any]
BUILT_IN = {
    # name in specs: module and class
    "setcover": "ludus.puzzles.setcover:SetCover",
    "bitstring": "ludus.puzzles.bitstring:BitString",
    "portfolio": "ludus.puzzles.portfolio:Portfolio",
}


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
    """The aim, as a sentence without its full stop."""
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


def puzzle_names() -> tuple[str, ...]:
    """The names of all puzzles."""
    return tuple(BUILT_IN)


def id_of(name: str) -> str:
    """The id of a puzzle in Gymnasium, as `ludus/SetCover-v0`."""
    return PUZZLES[name]


def make_puzzle(puzzle: str | Puzzle, **settings: Any) -> Puzzle:
    """A puzzle by its spec, `setcover:items=20`, or by its name and settings as keywords.

    Raises:
        ValueError: an unknown puzzle or setting, or an instance that nothing solves; the message says what is allowed.
    """
    if isinstance(puzzle, Puzzle):
        if settings:
            raise ValueError(f"{puzzle.spec} is a puzzle already; give settings with a name, not with a puzzle")
        return puzzle
    if not isinstance(puzzle, str):
        raise ValueError(f"{short_repr(puzzle)} is not a puzzle; give one, or its spec, as setcover:items=20")
    name, texts = specs.parse(puzzle)
    if twice := texts.keys() & settings.keys():
        raise ValueError(f"{', '.join(sorted(twice))} stands in {short_repr(puzzle)} and among the keywords; give it once")
    if name not in BUILT_IN:
        raise ValueError(f"there is no puzzle {short_repr(name)}; {specs.nearest(name, BUILT_IN)}")
    cls: type[Puzzle] = load_object(BUILT_IN[name])
    return cls(**specs.read(cls, {**texts, **settings}, cls.title))


class PuzzleEnv(gymnasium.Env[Any, Any], ABC):
    """A puzzle as an environment: the rewards of an episode add up to the worth of its answer.

    `step` raises `gymnasium.error.ResetNeeded` before the first reset and after the end of an episode.

    Args:
        puzzle: the puzzle, its spec, or its name.
        render_mode: "ansi", a line of text, or None.
        settings: the puzzle's own settings, as `items=20`.

    Raises:
        ValueError: an argument is out of its range; the message says what is allowed.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": FRAMES_PER_SECOND}  # pyright: ignore[reportIncompatibleVariableOverride]
    name: ClassVar[str]
    """The name of its puzzle."""

    def __init__(self, puzzle: str | Puzzle | None = None, *, render_mode: str | None = None, **settings: Any) -> None:
        self.puzzle = make_puzzle(self.name if puzzle is None else puzzle, **settings)
        if self.puzzle.name != self.name:
            raise ValueError(f"this environment is for {self.name}, not for {self.puzzle}; make the one with its id")
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self._over = True
        self._begin()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, Info]:
        """Begins an episode. The instance is always the puzzle's, whatever the seed.

        Raises:
            ValueError: the seed is not a whole number of 64 bits.
        """
        super().reset(seed=None if seed is None else seed_of(seed))
        self._over = False
        self._begin()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, Info]:
        """Takes an action, of which the class says what is allowed."""
        if self._over:
            raise gymnasium.error.ResetNeeded("no episode is running: call reset() before step()")
        reward, terminated, truncated = self._act(action)
        self._over = terminated or truncated
        return self._observation(), reward, terminated, truncated, self._info()

    def render(self) -> Any:
        """The state of the episode on one line, in the render mode "ansi"."""
        return self._line() if self.render_mode == "ansi" else None

    @abstractmethod
    def _begin(self) -> None:
        """Goes back to the start of an episode."""

    @abstractmethod
    def _act(self, action: Any) -> tuple[float, bool, bool]:
        """Takes an action; returns the reward, and whether the episode is terminated, or truncated."""

    @abstractmethod
    def _observation(self) -> Any:
        """The current observation."""

    @abstractmethod
    def _info(self) -> Info:
        """The current info."""

    @abstractmethod
    def _line(self) -> str:
        """The state of the episode on one line."""
