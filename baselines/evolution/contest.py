"""Games of many players at a time, such as networks, in lockstep: at each ply, all boards where they are to move are one batch.

The boards are those of a match (arena/matches/job.py). A match has two players, who are asked one after the other, timed, and may
fail; here one call of `choose` serves thousands of players, which cannot.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...agents.policies.policy import Policy
from ...arena.matches.keys import stream_keys
from ...arena.matches.openings import openings
from ...envs.boards import Boards
from ...envs.games.game import Game, StateArray
from ...envs.kernels.running import PLAYING
from ...envs.settings.numbers import Range
from .networks import Networks


class Even(Range):
    """Even numbers within a range."""

    def holds(self, value: Any) -> bool:
        return super().holds(value) and value % 2 == 0

    def words(self, given: Any = None) -> str:
        return f"{super().words(given)}, and even"


EvenCount: TypeAlias = Annotated[int, Even(2)]
"""Games that come in pairs, one in each seat."""
LONGEST = 1000
"""After so many plies a game that its rules do not end counts as drawn."""


class Players(Protocol):
    """Players by number."""

    @property
    def game(self) -> Game:
        """What they play."""
        ...

    def choose(self, states: StateArray, which: NDArray[np.int64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The action of player number which[i] in state i (N,), its key being all randomness; those of one are side by side."""
        ...


class Crowd(NamedTuple):
    """Networks that play.

    Args:
        game: what they play.
        networks: they.
        sight, answer: what they see, and what their outputs stand for.
    """

    game: Game
    networks: Networks
    sight: str
    answer: str

    def choose(self, states: StateArray, which: NDArray[np.int64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """As of players; networks leave nothing to chance."""
        return self.networks.choose(self.game, self.sight, self.answer, states, which)


class Openings(NamedTuple):
    """Positions that games begin with, two games each.

    Args:
        states: the positions (N, W).
        keys: all randomness of the games from there (N,); the same for both of a pair, and whoever plays.
        plies: how many plies led there.
    """

    states: StateArray
    keys: NDArray[np.uint64]
    plies: int


def draw_openings(game: Game, seed: int, purpose: tuple[str, ...], count: int, plies: int) -> Openings:
    """Positions after so many random plies, or fewer where another would end the game."""
    numbers = np.arange(count)
    _, states = openings(game, seed, numbers, plies, purpose)
    return Openings(states, stream_keys(game, seed, (*purpose, "games"), numbers), plies)


class Finished(NamedTuple):
    """Games of players, from each opening one in each seat.

    Args:
        results: 1, 0 or -1 for the player (P, N, 2), int8.
        plies: how long the games were, the opening's plies among them (P, N, 2), int64.
    """

    results: NDArray[np.int8]
    plies: NDArray[np.int64]

    def points(self) -> NDArray[np.float64]:
        """What players get from each opening, a win being 1, a draw a half, the mean of both seats (P, N)."""
        return ((self.results + 1) / 2).mean(axis=2)

    def lengths(self) -> NDArray[np.float64]:
        """How many plies games from each opening last, the mean of both seats (P, N)."""
        return self.plies.mean(axis=2)


def play_all(crowd: Players, players: NDArray[np.int64], against: Policy | NDArray[np.int64], begun: Openings) -> Finished:
    """Plays a game in each seat from each opening.

    Args:
        crowd: the players.
        players: the numbers of those that are asked about (P,).
        against: a policy; or numbers of players, one for each (P,).
        begun: what games begin with.
    """
    shape = len(players), len(begun.states), 2
    rows = np.indices(shape).reshape(3, -1)
    rivals = None if isinstance(against, Policy) else against[rows[0]]
    policy = against if isinstance(against, Policy) else None
    results, plies = play_out(
        crowd, players[rows[0]], rivals, policy, rows[2], begun.states[rows[1]], begun.keys[rows[1]], begun.plies
    )
    return Finished(results.reshape(shape), plies.reshape(shape))


def play_out(
    crowd: Players,
    players: NDArray[np.int64],
    rivals: NDArray[np.int64] | None,
    policy: Policy | None,
    seats: NDArray[np.int64],
    states: StateArray,
    keys: NDArray[np.uint64],
    plies: int,
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """The results of games for their players, 1, 0 or -1 (N,), and how many plies they lasted (N,).

    Args:
        crowd: the players.
        players: which of them plays each game (N,).
        rivals: which plays against it (N,); None where the policy does.
        policy: who plays against all of them.
        seats: the players' seats (N,).
        states: what the games begin with (N, W).
        keys: all randomness (N,).
        plies: how many plies led there.
    """
    game = crowd.game
    boards = Boards(game, len(players), None, 0)
    boards.reset(np.ones(len(players), np.bool_), states)
    boards.keys[:], boards.plies[:] = keys, plies
    for _ in range(plies, game.max_plies or LONGEST):
        going = np.flatnonzero(boards.phases == PLAYING)
        if not len(going):
            break
        here, luck, own = boards.states[going], boards.ply_keys(going), boards.players[going] == seats[going]
        actions = np.empty(len(going), np.int64)
        if rivals is None:
            assert policy is not None
            other = np.flatnonzero(~own)
            if len(other):
                actions[other] = policy.act(here[other], luck[other])
            asked = np.flatnonzero(own)
            which = players[going[asked]]
        else:
            asked = np.arange(len(going))
            which = np.where(own, players[going], rivals[going])
        order = np.argsort(which, kind="stable")  # those of one player side by side
        asked = asked[order]
        actions[asked] = crowd.choose(here[asked], which[order], luck[asked])
        boards.take(going, actions, policy or crowd)
    results = np.where(boards.phases == PLAYING, np.int8(0), boards.results)
    return np.where(seats == 0, results, -results), boards.plies


def before_in(ring: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each number of a ring, numbers from 0 on in any order, the one before it (N,): never itself, unless it is alone."""
    return np.roll(ring, 1)[np.argsort(ring)]
