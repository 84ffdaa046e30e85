"""The two readings of a game's rules that `ludus.check_game` asks about positions: run as plain Python, and compiled.

As plain Python, an index out of range is an error with a line instead of a write beyond an array, and a loop that never ends is
stopped. So that is how rules are asked first.
"""

# pyright: reportUnknownLambdaType=false

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import FrameType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game, StateArray
from ...games.kernels import queries
from ...games.kernels.rules import ONGOING
from ...games.linking import rules_of

UNWRITTEN = 7
"""What planes hold before `observe` writes them."""
MOST_LINES = 200_000
"""Lines of Python after which a call counts as endless; the built-in games need less than 2,000."""
TRIED = 6
"""How many of the legal actions, and of the symmetries, are tried at a position."""
Table: TypeAlias = NDArray[np.int16]
"""A symmetry's cells, or its actions."""


class BrokenRule(Exception):
    """A function of the rules cannot be asked any further, whatever the question was.

    Args:
        fact: the fact that does not hold.
        saw: what was seen instead.
        function: which function; None where the traceback says it.
    """

    def __init__(self, fact: str, saw: str, function: str | None = None) -> None:
        super().__init__(saw)
        self.fact, self.function = fact, function


def run_limited(game: Game, name: str, state: StateArray, *arguments: Any) -> Any:
    """What a function of the rules gives as plain Python.

    Raises:
        BrokenRule: it ran for too many lines.
    """
    left = MOST_LINES

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            saw = f"it was still running after {MOST_LINES:,} lines of Python"
            raise BrokenRule("Every function of the rules comes to an end.", saw)
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        with np.errstate(all="ignore"):  # machine words wrap around without a warning
            return rules_of(type(game))[name](tuple(state), *arguments)
    finally:
        sys.settrace(before)


def _legal_actions(game: Game, state: StateArray) -> list[int]:
    """The actions whose bits `legal` sets, those that do not exist included."""
    words = [int(run_limited(game, "legal", state, word)) for word in range(game.action_words)]
    return [64 * i + place for i, word in enumerate(words) for place in range(64) if word >> place & 1]


def _state(name: str, game: Game, state: StateArray, *arguments: Any) -> StateArray:
    """The state that `play` or `permute` gives."""
    given = run_limited(game, name, state, *arguments)
    if not isinstance(given, tuple) or [type(word) for word in given] != [np.uint64] * game.num_words:
        kinds = ", ".join(type(word).__name__ for word in given) if isinstance(given, tuple) else type(given).__name__
        saw = f"it gives ({kinds}); a state is a tuple of {game.num_words} np.uint64"
        raise BrokenRule("`play` and `permute` give a state.", saw, name)
    return np.array(given, np.uint64)


def _planes(game: Game, state: StateArray, seat: int) -> NDArray[np.int8]:
    """The planes (C, H, W) that `observe` writes over `UNWRITTEN`."""
    planes = np.full((len(game.planes), game.num_cells), UNWRITTEN, np.int8)
    run_limited(game, "observe", state, seat, planes)
    return planes.reshape(game.shape)


def _image(game: Game, state: StateArray, cells: Table, actions: Table) -> StateArray:
    """The state that the compiled `permute` gives."""
    result, states = np.empty((1, game.num_words), np.uint64), np.ascontiguousarray(state[None])
    tables = np.ascontiguousarray(cells[None]), np.ascontiguousarray(actions[None])
    game.kernel(queries.permuted_states)(states, game.start, np.zeros(1, np.int64), *tables, result)
    return result[0]


Reading: TypeAlias = Mapping[str, Callable[..., Any]]
"""For each function of the rules what it gives, asked about a game, a state and further arguments."""
PYTHON: Reading = {
    "is_state": lambda game, state: bool(run_limited(game, "is_state", state, tuple(game.start))),
    "player": lambda game, state: int(run_limited(game, "player", state)),
    "outcome": lambda game, state: int(run_limited(game, "outcome", state)),
    "legal": _legal_actions,
    "play": partial(_state, "play"),
    "observe": _planes,
    "permute": partial(_state, "permute"),
}
COMPILED: Reading = {
    "is_state": lambda game, state: game.kernel(queries.first_foreign)(np.ascontiguousarray(state[None]), game.start) < 0,
    "player": lambda game, state: game.player(state),
    "outcome": lambda game, state: int(game.outcomes(state[None])[0]),
    "legal": lambda game, state: game.legal_actions(state),
    "play": lambda game, state, action: game.plays(state[None], [action])[0],
    "observe": lambda game, state, seat: game.observations(state[None], [seat])[0],
    "permute": _image,
}


@dataclass(frozen=True)
class Position:
    """A state that random play reached, and the reading of the rules that answers questions about it.

    Args:
        game: the game and variant.
        rules: as plain Python, or compiled.
        state: the state (W,).
        seed: the source of what is picked at random there.
    """

    game: Game
    rules: Reading
    state: StateArray
    seed: int = 0

    def ask(self, name: str, *arguments: Any) -> Any:
        """What a function of the rules gives here."""
        return self.rules[name](self.game, self.state, *arguments)

    @cached_property
    def player(self) -> int:
        return self.ask("player")

    @cached_property
    def outcome(self) -> int:
        return self.ask("outcome")

    @property
    def ongoing(self) -> bool:
        return self.outcome == ONGOING

    @property
    def is_start(self) -> bool:
        return np.array_equal(self.state, self.game.start)

    @cached_property
    def legal(self) -> list[int]:
        """The legal actions; none in a finished game."""
        return self.ask("legal") if self.ongoing else []

    @cached_property
    def text(self) -> str:
        return self.game.text(self.state)

    @cached_property
    def some_actions(self) -> list[int]:
        """A few of the legal actions, those that do not exist left out."""
        return self._some([action for action in self.legal if action < self.game.num_actions])

    @cached_property
    def some_symmetries(self) -> list[int]:
        """A few of the symmetries but the first, which is the identity."""
        return self._some(list(range(1, len(self.game.symmetries.cells))))

    def _some(self, numbers: list[int]) -> list[int]:
        if len(numbers) <= TRIED:
            return numbers
        return sorted(np.random.default_rng(self.seed).choice(numbers, TRIED, replace=False).tolist())

    def after(self, action: int | None) -> Position:
        """The position after an action; None for this one."""
        return self if action is None else replace(self, state=self.ask("play", action))

    def under(self, symmetry: int) -> Position:
        """The position under a symmetry."""
        return replace(self, state=self.ask("permute", *(table[symmetry] for table in self.game.symmetries)))
