"""Two readings of a game's rules that checks can ask alike: run as plain Python, and compiled.

As plain Python, an index out of range is an error with a line instead of a write beyond an array, and a loop that never ends is
stopped. So that is how rules are asked first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game, StateArray
from ...games.kernels import queries
from ...games.linking import rules_of

UNWRITTEN = 7
"""What planes hold before `observe` writes them."""
MOST_LINES = 200_000
"""Lines of Python after which a call counts as endless; the built-in games need less than 2,000."""
Table: TypeAlias = NDArray[np.int16]
"""A symmetry's cells, or its actions."""


class Endless(Exception):
    """A function of the rules ran for `MOST_LINES` lines."""


class NoState(Exception):
    """A function of the rules gives something else than a state.

    Args:
        function: its name.
    """

    def __init__(self, function: str, message: str) -> None:
        super().__init__(message)
        self.function = function


class AsPython:
    """The rules as the plain Python that they are written in, asked about one state.

    Args:
        game: the game and variant.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._rules = rules_of(type(game))

    def player(self, state: StateArray) -> int:
        """What `player` says."""
        return int(self._call("player", tuple(state)))

    def is_state(self, state: StateArray) -> bool:
        """What `is_state` says."""
        return bool(self._call("is_state", tuple(state), tuple(self.game.start)))

    def outcome(self, state: StateArray) -> int:
        """What `outcome` says."""
        return int(self._call("outcome", tuple(state)))

    def legal(self, state: StateArray) -> list[int]:
        """The actions whose bits `legal` sets, those that do not exist included; for unfinished states."""
        words = [int(self._call("legal", tuple(state), word)) for word in range(self.game.action_words)]
        return [64 * i + place for i, word in enumerate(words) for place in range(64) if word >> place & 1]

    def play(self, state: StateArray, action: int) -> StateArray:
        """The state that `play` gives."""
        return self._state("play", tuple(state), action)

    def observe(self, state: StateArray, seat: int) -> NDArray[np.int8]:
        """The planes (C, H, W) that `observe` writes over `UNWRITTEN`."""
        depth, height, width = self.game.shape
        planes = np.full((depth, height * width), UNWRITTEN, np.int8)
        self._call("observe", tuple(state), seat, planes)
        return planes.reshape(self.game.shape)

    def permute(self, state: StateArray, cells: Table, actions: Table) -> StateArray:
        """The state that `permute` gives."""
        return self._state("permute", tuple(state), cells, actions)

    def _state(self, name: str, *arguments: Any) -> StateArray:
        given = self._call(name, *arguments)
        if not isinstance(given, tuple) or [type(word) for word in given] != [np.uint64] * self.game.num_words:
            kinds = ", ".join(type(word).__name__ for word in given) if isinstance(given, tuple) else type(given).__name__
            raise NoState(name, f"it gives ({kinds}); a state is a tuple of {self.game.num_words} np.uint64")
        return np.array(given, np.uint64)

    def _call(self, name: str, *arguments: Any) -> Any:
        with np.errstate(all="ignore"):  # machine words wrap around without a warning
            return _run_limited(self._rules[name], *arguments)


class AsCompiled:
    """The rules as machine code, asked about one state. The methods are those of `AsPython`.

    Args:
        game: the game and variant.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def player(self, state: StateArray) -> int:
        return self.game.player(state)

    def is_state(self, state: StateArray) -> bool:
        return self.game.kernel(queries.first_foreign)(*self._kernel_arguments(state)) < 0

    def outcome(self, state: StateArray) -> int:
        return int(self.game.outcomes(state[None])[0])

    def legal(self, state: StateArray) -> list[int]:
        return self.game.legal_actions(state)

    def play(self, state: StateArray, action: int) -> StateArray:
        return self.game.plays(state[None], [action])[0]

    def observe(self, state: StateArray, seat: int) -> NDArray[np.int8]:
        return self.game.observations(state[None], [seat])[0]

    def permute(self, state: StateArray, cells: Table, actions: Table) -> StateArray:
        result = np.empty((1, self.game.num_words), np.uint64)
        tables = np.ascontiguousarray(cells[None]), np.ascontiguousarray(actions[None])
        self.game.kernel(queries.permuted_states)(*self._kernel_arguments(state), np.zeros(1, np.int64), *tables, result)
        return result[0]

    def _kernel_arguments(self, state: StateArray) -> tuple[StateArray, StateArray]:
        """A state and the start, as kernels take them."""
        return np.ascontiguousarray(state[None]), self.game.start


Reading: TypeAlias = AsPython | AsCompiled


def _run_limited(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives.

    Raises:
        Endless: it ran for too many lines.
    """
    left = MOST_LINES

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise Endless(f"it was still running after {MOST_LINES:,} lines of Python")
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return function(*arguments)
    finally:
        sys.settrace(before)
