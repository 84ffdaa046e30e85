"""`PuzzleEnv`: what the puzzles' Gymnasium environments have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

import gymnasium

from ...core.numbers import seed_of
from ...envs.views import check_render_mode
from ...envs.window import FRAMES_PER_SECOND
from ..problems.puzzle import Puzzle
from ..problems.registry import make_puzzle

Observation = TypeVar("Observation")
Action = TypeVar("Action")
Info = dict[str, Any]


class PuzzleEnv(gymnasium.Env[Observation, Action], Generic[Observation, Action]):
    """A puzzle as an environment: the rewards of an episode add up to the worth of its answer.

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
            raise ValueError(f"this environment is for {self.name}, not for {self.puzzle}; make the one of its own id")
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self._over = True
        self._begin()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Begins an episode. The instance is always the puzzle's, whatever the seed.

        Raises:
            ValueError: the seed is not a whole number of 64 bits.
        """
        super().reset(seed=None if seed is None else seed_of(seed))
        self._over = False
        self._begin()
        return self._observation(), self._info()

    def render(self) -> Any:
        """The state of the episode on one line, in the render mode "ansi"."""
        return self._line() if self.render_mode == "ansi" else None

    @abstractmethod
    def _begin(self) -> None:
        """Goes back to the start of an episode."""

    @abstractmethod
    def _observation(self) -> Observation:
        """The current observation."""

    @abstractmethod
    def _info(self) -> Info:
        """The current info."""

    @abstractmethod
    def _line(self) -> str:
        """The state of the episode on one line."""

    def _need_reset(self) -> None:
        if self._over:
            raise gymnasium.error.ResetNeeded("no episode is running: call reset() before step()")
