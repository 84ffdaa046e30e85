"""`@agent`: functions that are asked about one position at a time, as people write them for a class or for Kaggle.

What such a function wants to know it says by the names of its parameters.
"""

from __future__ import annotations

import operator
import random
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.errors import describe_error, place_of
from ...core.numbers import short_repr
from ...games.game import Game, StateArray
from ..answers import Answer
from ..policy import Playing, Policy
from .nets import required_parameters

TIMEOUT = 2.0
"""Seconds for a move that `configuration.timeout` says, Kaggle's. The limits that count are `move_time` and `game_time` of the
match."""
ONE_AT_A_TIME = threading.RLock()
"""Held while an agent is asked."""
MARK = "is_agent"
"""The attribute by which a decorated function is known."""

F = TypeVar("F", bound=Callable[..., Any])


class AgentError(ValueError):
    """A function that is asked about one position failed, or gave no action; the message names the position."""


class Observation(dict[str, Any]):
    """What `observation` is: a dictionary whose entries are attributes, too, as Kaggle's are.

    It has `observation`, the planes (C, H, W), int8, and `action_mask` (A,), int8, as the environments show them to the player to
    move; where cells belong to players also `board`, the cells row by row, 0 where they are empty and else the `mark` of their
    owner, 1 or 2.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the observation has no {name}, only {', '.join(self)}") from None


def see_observation(game: Game, state: StateArray) -> Observation:
    """The observation of the player to move."""
    player = game.player(state)
    planes = game.observations(state[None], [player])[0]
    seen = Observation(observation=planes, action_mask=game.masks(state[None])[0])
    if game.planes_by_owner:
        both = planes[:2] if player == 0 else planes[1::-1]
        seen |= {"board": (both[0] + 2 * both[1]).reshape(-1).tolist(), "mark": player + 1}
    return seen


def see_board(game: Game, state: StateArray) -> NDArray[np.int8]:
    """The cells (H, W): 1 for those of the player to move, -1 for the opponent's, 0 for empty ones."""
    planes = game.observations(state[None], [game.player(state)])[0]
    return planes[0] - planes[1]


def describe_configuration(game: Game, state: StateArray) -> SimpleNamespace:
    """The size of the board, how many in a line win, and the seconds for a move, by Kaggle's names."""
    rows, columns = game.board
    return SimpleNamespace(rows=rows, columns=columns, inarow=getattr(game, "line", min(game.board)), timeout=TIMEOUT)


SHOWN: dict[str, Callable[[Game, StateArray], Any]] = {
    "observation": see_observation,
    "board": see_board,
    "text": lambda game, state: game.text(state),
    "state": lambda game, state: np.array(state, np.uint64),
    "legal": lambda game, state: game.legal_actions(state),
    "moves": lambda game, state: game.legal_moves(state),
    "player": lambda game, state: game.player(state),
    "configuration": describe_configuration,
}
"""What each parameter of a function means, but `seconds_left`, which follows from no position."""
CLOCK = "seconds_left"
WANTS = ", ".join([*SHOWN, CLOCK])
ALIASES = {"obs": "observation", "config": "configuration"}


def agent(function: F) -> F:
    """Says that a function is asked about one position at a time: `@ludus.agent` before it.

    The function says by the names of its parameters what it wants, and answers with the number of an action or the name of a move:

    - `observation` (or `obs`): planes and `action_mask`, an `Observation`;
    - `board`: the cells (H, W), 1 own, -1 the opponent's, 0 empty;
    - `text`: the position as text; `state`: its words (W,), uint64;
    - `legal`: the numbers of the legal actions; `moves`: the names of the legal moves;
    - `player`: who is to move, 0 or 1;
    - `configuration` (or `config`): `rows`, `columns`, `inarow`, `timeout`;
    - `seconds_left`: the seconds left to it for all its moves of the game, None where there is no clock for the game.

    `random` and `numpy.random` are seeded for each position, so that the same seed gives the same games.

    Returns:
        The function itself.

    Raises:
        ValueError: a parameter has another name.
    """
    wanted_by(function)
    setattr(function, MARK, True)
    return function


def wanted_by(function: Callable[..., Any]) -> tuple[str, ...]:
    """What a function wants to know, in the order of its parameters.

    Raises:
        ValueError: a parameter has a name that means nothing here, or there is none.
    """
    names, title = required_parameters(function), getattr(function, "__name__", short_repr(function))
    wanted = tuple(ALIASES.get(name, name) for name in names)
    strange = next((name for name, want in zip(names, wanted, strict=True) if want not in (*SHOWN, CLOCK)), None)
    if strange or not names:
        has = f"a parameter {strange}" if strange else "no parameter"
        raise ValueError(f"{title} has {has}; what is asked about one position may want {WANTS}")
    return wanted


@dataclass(frozen=True)
class OnePosition(Policy):
    """A function that is asked about one position at a time, as a policy.

    Args:
        function: the function, as for `agent`.
        title: the name of the policy.

    Raises:
        ValueError: a parameter of the function means nothing, or asks for the cells of a board on which they belong to nobody.
    """

    name: ClassVar[str] = "one_position"
    function: Callable[..., Any] = field(repr=False, kw_only=True)
    title: str = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if "board" in self._wanted and not self.game.planes_by_owner:
            raise ValueError(
                f"{self.title} wants the board, but in {self.game.title} no cell is a player's; let it take text or state"
            )

    @cached_property
    def _wanted(self) -> tuple[str, ...]:
        return wanted_by(self.function)

    def act(
        self, states: StateArray, keys: NDArray[np.uint64], seconds_left: NDArray[np.float64] | None = None
    ) -> NDArray[np.int64]:
        """One action for each state, which need not be legal, given the seconds left of each game (B,), if there is a clock.

        Raises:
            AgentError: the function failed, or answered with something else than an action or the name of a move.
        """
        states, keys = self.batch(states, keys)
        left = [None] * len(states) if seconds_left is None else seconds_left.tolist()
        asked = zip(states, keys.tolist(), left, strict=True)
        return np.array([self._ask(state, key, seconds) for state, key, seconds in asked], np.int64)

    def begin(self, games: int) -> Playing:
        return GamesOnClock(self)

    def _ask(self, state: StateArray, key: int, seconds_left: float | None) -> int:
        shown = [seconds_left if name == CLOCK else SHOWN[name](self.game, state) for name in self._wanted]
        try:
            with seed_generators(key):
                answer = self.function(*shown)
        except Exception as error:
            raise self._fault(f"raised {describe_error(error)}{place_of(error)}", state) from error
        try:
            action = self.game.action(answer, state) if isinstance(answer, str) else operator.index(np.asarray(answer)[()])
            return int(np.int64(action))
        except (TypeError, ValueError, OverflowError) as error:
            why = f": {error}" if isinstance(answer, str) else ", which is neither the number of an action nor the name of a move"
            raise self._fault(f"answered {short_repr(answer)}", state, why) from None

    def _fault(self, what: str, state: StateArray, why: str = "") -> AgentError:
        return AgentError(f"{self.title} {what} in {self.game.text(state)!r} of {self.game}{why}")


class GamesOnClock(Playing):
    """Games of a function, which may ask how much time is left."""

    def __init__(self, policy: OnePosition) -> None:
        super().__init__(policy)
        self._act = policy.act

    @property
    def remembers(self) -> bool:
        return False

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._act(states, keys, self.seconds_left)

    def answer(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> Answer:
        return Answer(self.act(states, keys, games))


@contextmanager
def seed_generators(key: int) -> Generator[None]:
    """Seeds the generators of `random` and `numpy.random`, which all threads share, and sets them back afterwards."""
    with ONE_AT_A_TIME:
        before, numpy_before = random.getstate(), np.random.get_state()  # noqa: NPY002
        random.seed(key)
        np.random.seed(key % 2**32)  # noqa: NPY002
        try:
            yield
        finally:
            random.setstate(before)
            np.random.set_state(numpy_before)  # noqa: NPY002
