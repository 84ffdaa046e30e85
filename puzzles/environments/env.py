"""`PuzzleEnv`: what the puzzles' Gymnasium environments have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

import gymnasium

from ...envs.drawing.window import FRAMES_PER_SECOND
from ...envs.settings.numbers import seed_of
from ...envs.views import check_render_mode
from ..problems.puzzle import Puzzle
from ..problems.registry import make_puzzle

Observation = TypeVar("Observation")
Action = TypeVar("Action")
Info = dict[str, Any]


class PuzzleEnv(gymnasium.Env[Observation, Action], Generic[Observation, Action]):
    """A puzzle as an environment; its rewards make the worth of the answer that an episode comes to.

    Args:
        puzzle: the puzzle, its spec, or its name.
        render_mode: "ansi", a line of text, or None.
        settings: the puzzle's own settings, as `items=20`.

    Raises:
        ValueError: any of them is out of its range; the message says what is.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": FRAMES_PER_SECOND}  # pyright: ignore[reportIncompatibleVariableOverride]
    name: ClassVar[str]
    """The puzzle that it is made for."""

    def __init__(self, puzzle: str | Puzzle | None = None, *, render_mode: str | None = None, **settings: Any) -> None:
        self.puzzle = make_puzzle(self.name if puzzle is None else puzzle, **settings)
        if self.puzzle.name != self.name:
            raise ValueError(f"this environment is for {self.name}, not for {self.puzzle}; make the one of its own id")
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Begins an episode. The instance is the puzzle's, always the same; the seed has no say in it.

        Raises:
            ValueError: a seed that is no whole number of 64 bits.
        """
        super().reset(seed=None if seed is None else seed_of(seed))
        self._over = False
        self._begin()
        return self._observation(), self._info()

    def render(self) -> Any:
        """The state of things in a line, in the render mode "ansi"."""
        return self._line() if self.render_mode == "ansi" else None

    @abstractmethod
    def _begin(self) -> None:
        """Back to nothing."""

    @abstractmethod
    def _observation(self) -> Observation:
        """What is observed now."""

    @abstractmethod
    def _info(self) -> Info:
        """What else is told."""

    @abstractmethod
    def _line(self) -> str:
        """The state of things in a line."""

    def _need_reset(self, call: str = "step()") -> None:
        if self._over:
            raise gymnasium.error.ResetNeeded(f"no episode is on: call reset() before {call}")
