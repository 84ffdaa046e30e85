"""What trainers that work in generations share, whatever they breed: random numbers, and the games that measure fitness.

In each generation every genome plays paired games, both seats from each opening, against groups of opponents: fixed policies,
members of its own generation and others. All begin from the same openings with the same keys. The games are played in lockstep: at
each ply, all boards where genomes are to move are one batch.

The boards are those of a match (arena/matches/job.py). A match has two players, who are queried one after the other, timed, and
may fail. Here one call serves thousands of players, which cannot fail.

`points_of_lines` plays against every line of play instead: exact results against an opponent who takes every legal action equally
often. At its turn a game divides into one for each action, and games of a player that reach the same position become one again, so
that a small game has few of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...agents.registry import make_policy
from ...arena.matches.openings import openings, stream_keys
from ...core.bounds import Count
from ...core.numbers import Range
from ...envs.boards import Boards
from ...envs.running import PLAYING
from ...games.game import Game, StateArray
from ...games.kernels.rules import ONGOING
from ..runs.trainer import Settings, Trainer


class EvenRange(Range):
    """Even numbers within a range."""

    def holds(self, value: Any) -> bool:
        return super().holds(value) and value % 2 == 0

    def words(self, given: Any = None) -> str:
        return f"{super().words(given)}, and even"


EvenCount: TypeAlias = Annotated[int, EvenRange(2)]
"""Games that come in pairs, one in each seat."""
MANY = 10**6
LONGEST = 1000
"""The plies after which a game without a limit is drawn."""
MOST_LINES = 4_000_000
"""The most games that are followed at a time."""

Choose: TypeAlias = Callable[[StateArray, NDArray[np.int64], NDArray[np.uint64]], NDArray[np.int64]]
"""How numbered players play: the action of player which[i] in state i (N,), given the states (N, W), the numbers (N,), where equal
ones are neighbours, and a key for each state (N,), which is all its randomness."""


class Starts(NamedTuple):
    """Positions that games begin with, two games each.

    Args:
        states: the positions (N, W).
        keys: all randomness of the games from there (N,): both games of a pair have the same, and so have all players.
        plies: the number of plies that led there.
    """

    states: StateArray
    keys: NDArray[np.uint64]
    plies: int


def draw_openings(game: Game, seed: int, purpose: tuple[str, ...], count: int, plies: int) -> Starts:
    """Positions after `plies` random plies, or fewer where one more would end the game."""
    numbers = np.arange(count)
    _, states = openings(game, seed, numbers, plies, purpose)
    return Starts(states, stream_keys(game, seed, (*purpose, "games"), numbers), plies)


class Outcomes(NamedTuple):
    """The games of players, from each opening one in each seat.

    Args:
        results: 1, 0 or -1 for the player (P, N, 2), int8.
        plies: the length of the games, the plies of the opening included (P, N, 2), int64.
    """

    results: NDArray[np.int8]
    plies: NDArray[np.int64]

    def points(self) -> NDArray[np.float64]:
        """The points of players from each opening, 1 for a win and a half for a draw, the mean of both seats (P, N)."""
        return ((self.results + 1) / 2).mean(axis=2)

    def lengths(self) -> NDArray[np.float64]:
        """The plies of games from each opening, the mean of both seats (P, N)."""
        return self.plies.mean(axis=2)


def play_all(
    game: Game, choose: Choose, players: NDArray[np.int64], against: Policy | NDArray[np.int64], start: Starts
) -> Outcomes:
    """Plays a game in each seat from each opening, each of the numbered players (P,) against a policy, or against the player whose
    number it has in `against` (P,)."""
    shape = len(players), len(start.states), 2
    row, opening, seats = np.indices(shape).reshape(3, -1)
    boards = Boards(game, len(row), None, 0)
    boards.reset(np.ones(len(row), np.bool_), start.states[opening])
    boards.keys[:], boards.plies[:] = start.keys[opening], start.plies
    for _ in range(start.plies, game.max_plies or LONGEST):
        going = np.flatnonzero(boards.phases == PLAYING)
        if not len(going):
            break
        states, keys, own = boards.states[going], boards.ply_keys(going), boards.players[going] == seats[going]
        actions = np.empty(len(going), np.int64)
        if isinstance(against, Policy):
            if len(other := np.flatnonzero(~own)):
                actions[other] = against.act(states[other], keys[other])
            queried = np.flatnonzero(own)
            which = players[row[going[queried]]]
        else:
            queried = np.arange(len(going))
            which = np.where(own, players[row[going]], against[row[going]])
        order = np.argsort(which, kind="stable")
        queried = queried[order]
        actions[queried] = choose(states[queried], which[order], keys[queried])
        boards.take(going, actions, against if isinstance(against, Policy) else "of a player in training")
    results = np.where(boards.phases == PLAYING, np.int8(0), boards.results)
    return Outcomes(np.where(seats == 0, results, -results).reshape(shape), boards.plies.reshape(shape))


def before_in(ring: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each number of a ring, the numbers from 0 on in any order, the one before it (N,): itself only if it is alone."""
    return np.roll(ring, 1)[np.argsort(ring)]


def points_of_lines(game: Game, choose: Choose, players: NDArray[np.int64]) -> NDArray[np.float64]:
    """The expected points of the numbered players (P,), 1 for a win and a half for a draw, the mean of both seats (P,); ValueError
    where the game has too many lines."""
    count, points = len(players), np.zeros(len(players))
    sides = np.arange(2 * count)  # 2 · p + seat
    states, shares = np.repeat(game.start[None], 2 * count, axis=0), np.full(2 * count, 0.5)
    for ply in range(game.max_plies or LONGEST):
        results = game.outcomes(states).astype(np.int64)
        over = results != ONGOING
        own = np.where(sides % 2 == 0, results, -results)[over]
        np.add.at(points, sides[over] // 2, shares[over] * (own + 1) / 2)
        sides, states, shares = sides[~over], states[~over], shares[~over]
        if not len(sides):
            return points
        if len(sides) > MOST_LINES // game.num_actions:
            raise ValueError(
                f"{game} has too many lines of play for {count} players, {len(sides):,} positions after {ply} plies; "
                "set every_line to false and name opponents"
            )
        sides, states, shares = _play_ply(game, choose, players, sides, states, shares)
    np.add.at(points, sides // 2, shares / 2)
    return points


def _play_ply(
    game: Game,
    choose: Choose,
    players: NDArray[np.int64],
    sides: NDArray[np.int64],
    states: StateArray,
    shares: NDArray[np.float64],
) -> tuple[NDArray[np.int64], StateArray, NDArray[np.float64]]:
    """Plays one ply of all games: whose games they are then, their positions, and their shares of all games of a player."""
    masks = game.masks(states) != 0
    own = np.flatnonzero(game.players(states) == sides % 2)
    chosen = choose(states[own], players[sides[own] // 2], np.zeros(len(own), np.uint64))
    masks[own] = False
    masks[own, chosen] = True
    rows, actions = np.nonzero(masks)
    after, parts = game.plays(states[rows], actions), shares[rows] / masks.sum(axis=1)[rows]
    games, first, where = np.unique(
        np.column_stack([sides[rows].astype(np.uint64), after]), axis=0, return_index=True, return_inverse=True
    )
    summed = np.bincount(where.ravel(), parts, len(games)).astype(np.float64)  # numpy's stubs know it without weights alone
    return games[:, 0].astype(np.int64), after[first], summed


# ---- trainers in generations

S = TypeVar("S", bound=Settings)


class Generations(Trainer[S]):
    """A trainer whose parts are generations, as many as its setting of this name, each with its own random numbers."""

    unit: ClassVar[str] = "generations"

    def keys(self, purpose: str, count: int) -> NDArray[np.uint64]:
        """Random keys of this generation for a purpose (count,)."""
        return stream_keys(self.game, self.seed, ("generation", str(self._done), purpose), np.arange(count))

    def key(self, purpose: str) -> int:
        """One random key of this generation for a purpose."""
        return int(self.keys(purpose, 1)[0])


@dataclass(frozen=True)
class ContestSettings(Settings):
    """Settings of all trainers whose genomes play games for their fitness.

    Args:
        generations: the number of generations.
        games: the number of games of each genome against each fixed policy, and as many against its own generation; an even number.
        opponents: specs of fixed policies that all play against, joined by +; none for no policy.
        peers: the number of members of the generation, drawn at random for each, that each genome plays against.
        opening_plies: the number of random plies that games begin with.
    """

    generations: Count = 100
    games: EvenCount = 20
    opponents: tuple[str, ...] | None = ("random",)
    peers: Annotated[int, Range(0)] = 0
    opening_plies: Annotated[int, Range(0, MANY)] = 2


C = TypeVar("C", bound=ContestSettings)


class OpponentGroup(NamedTuple):
    """A group of opponents.

    Args:
        purpose: what their openings are drawn for.
        members: policies, or for each player the number of another player (P,).
        pairs: the number of pairs of games against each.
    """

    purpose: str
    members: Sequence[Policy | NDArray[np.int64]]
    pairs: int


class Contest(Generations[C]):
    """A trainer whose genomes play games for their fitness."""

    against: ClassVar[Mapping[str, Any] | None] = {
        "opponents": ("random",),  # which `play_against` replaces
        "peers": 0,
        "opening_plies": 0,
        "games": 4,
    }

    def __init__(self, game: Game, settings: C, seed: int) -> None:
        super().__init__(game, settings, seed)
        self.fixed = [make_policy(spec, game) for spec in settings.opponents or ()]

    def play_against(self, policy: Policy) -> None:
        self.fixed = [policy]

    def play_groups(self, choose: Choose, players: NDArray[np.int64], *groups: OpponentGroup) -> list[list[Outcomes]]:
        """The games of players, by their numbers (P,), against each member of each group that has any."""

        def play(group: OpponentGroup, k: int) -> Outcomes:
            name = "generation", str(self._done), f"{group.purpose} {k}"
            start = draw_openings(self.game, self.seed, name, group.pairs, self.settings.opening_plies)
            return play_all(self.game, choose, players, group.members[k], start)

        return [[play(group, k) for k in range(len(group.members))] for group in groups if group.members]


@contextmanager
def seed_global_random(key: int) -> Generator[None]:
    """Seeds Python's global generator for a block, for libraries that draw from it, and restores its state afterwards."""
    before = random.getstate()
    random.seed(key)
    try:
        yield
    finally:
        random.setstate(before)
