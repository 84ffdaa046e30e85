"""Who answers in an environment: one opponent or several, and what `opponent=` takes."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.numbers import short_repr
from ..core.plugins.loading import above
from ..games.game import Game, StateArray
from ..games.lines import GameLines


class Opponent(Protocol):
    """The policy that answers on the boards."""

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """One action for each state (B, W), by its key (B,)."""
        ...


class Games(Protocol):
    """Games that an opponent plays with a memory of each, numbered from 0: what `begin(count)` of a policy gives."""

    lines: GameLines
    """How the games of the next `act` came to their positions, where the opponent `sees_moves`."""

    @property
    def remembers(self) -> bool:
        """Whether there is such a memory."""
        ...

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> NDArray[np.int64]:
        """One action for each state (B, W), by its key (B,), in the game of its number (B,)."""
        ...

    def begin_again(self, games: NDArray[np.int64]) -> None:
        """New games begin under these numbers (B,)."""
        ...


class CountsResults(Protocol):
    """Where the results of games against an opponent are counted."""

    def note(self, rewards: NDArray[np.float64]) -> None:
        """Games ended with these rewards for the learner (B,)."""
        ...


class Rival(NamedTuple):
    """Who answers in a game, to its end, and who counts its result."""

    policy: Opponent
    results: tuple[CountsResults, ...] = ()

    def is_same(self, other: Rival) -> bool:
        """Whether both are the same opponent of the same pools."""
        return self.policy is other.policy and self.results == other.results


class Opponents(Protocol):
    """Several opponents, numbered from 0. Each game is played against one of them, to its end."""

    def draw(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """An opponent's number for each game that begins (B,), by the game's key (B,)."""
        ...

    def rival(self, number: int) -> Rival:
        """The opponent that has this number now."""
        ...


def opponent_of(opponent: Any, game: Game) -> Opponent | Opponents | None:
    """An opponent as given to `make`: whatever `as_policy` takes, several opponents (`ludus.opponents`), or None for self-play.

    Raises:
        ValueError: the spec names no policy of this game, or the object cannot act.
    """
    if opponent is None:
        return None
    if is_several(opponent) or (hasattr(opponent, "act") and not above("is_module")(opponent)):
        if getattr(opponent, "game", game) != game:
            raise ValueError(f"the opponent {opponent} was made for {opponent.game}; here it is to play {game}")
        return opponent
    if isinstance(opponent, str) or above("is_model")(opponent) or (callable(opponent) and not isinstance(opponent, type)):
        return above("as_policy")(opponent, game)
    raise ValueError(
        f"opponent is {short_repr(opponent)}; it must be a policy's spec such as 'random', a policy, a function, a torch module, a"
        " Stable-Baselines3 model, several of them (ludus.opponents), or None for self-play"
    )


def games_of(opponent: Any, count: int) -> Games | None:
    """`count` games that an opponent remembers, or whose moves it sees; None if it does neither.

    Raises:
        ValueError: it remembers them, and cannot restart one of several.
    """
    if not (getattr(opponent, "remembers", False) or sees_moves(opponent)):
        return None
    games = opponent.begin(count)
    if count > 1:
        try:
            games.begin_again(np.zeros(0, np.int64))
        except NotImplementedError as error:
            raise ValueError(
                f"the opponent {opponent} remembers what happened in a game, and here games end one by one, but {error}; add it,"
                " or play on one board"
            ) from None
    return games


def sees_moves(opponent: object) -> bool:
    """Whether an opponent sees the moves of its games."""
    return getattr(opponent, "sees_moves", False)


def is_several(opponent: object) -> bool:
    """Whether these are several opponents, one of whom is drawn for each game."""
    return hasattr(opponent, "draw")
