"""`Evidence`: which games of a score are one observation to its intervals and tests, since they are not independent.

Both games of an opening are one, and so are all games of an opening of a suite that was repeated. And two deterministic policies
play the same game each time that an opening is repeated. Games that others played are one observation each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...records.openings import Openings
from ..matches.games import PlayedGames
from ..planning.plan import MOST_TESTED

MANY = 1000
"""With more different games than this, repeated games make little difference, and are not looked for."""
MOST_NUMBERED = MOST_TESTED // 2
"""Of more openings than this it is not kept what each gave."""
Lines: TypeAlias = Mapping[tuple[int, int | bytes], frozenset[bytes]] | None
"""The actions of the different games after each opening, by the seat of `a` and the opening: its number in a suite, or its actions.
None if there are more than MANY games, or if the actions are not known."""


@dataclass(frozen=True)
class Evidence:
    """How the games of a score belong together.

    Args:
        openings: the number of openings by a's results in seat 0 and in seat 1, each WIN, DRAW or LOSS (3, 3).
        lines: the different games, by their openings; None where they are too many, or not known.
        seeds: the seeds of its games, as far as they are known, so that no game is counted twice.
        numbered: the number of each opening and what it gave, as an index of SHARES (N, 2); None if games of several seeds or
            pairings were added, or there are more than MOST_NUMBERED.
        opening_plies: how many random plies its games began with, at most; 0 where they began at the start or from a suite.
        suite: the openings that its games began with, in turn; None for random plies.
        by_opening: of games from a suite, the number of games by their opening, by a's seat and by a's result (S, 2, 3).
        singles: the number of games that belong to no opening, by a's seat, 0, 1 or not known, and by a's result (3, 3).
    """

    openings: NDArray[np.int64] = field(default_factory=lambda: np.zeros((3, 3), np.int64))
    lines: Lines = field(default_factory=dict[Any, Any])
    seeds: frozenset[int] = frozenset()
    numbered: NDArray[np.int64] | None = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    opening_plies: int = 0
    suite: Openings | None = None
    by_opening: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2, 3), np.int64))
    singles: NDArray[np.int64] = field(default_factory=lambda: np.zeros((3, 3), np.int64))

    @classmethod
    def of(cls, played: PlayedGames, numbers: NDArray[np.int64], results: NDArray[np.int64]) -> Evidence:
        """The evidence of some games.

        Args:
            played: the games, always both of an opening.
            numbers: their numbers, in rising order (N,).
            results: a's result in each, in this order (N,).
        """
        suite, first, second = played.suite, results[0::2], results[1::2]
        openings, by_opening = np.zeros((3, 3), np.int64), np.zeros((len(suite) if suite else 0, 2, 3), np.int64)
        np.add.at(openings, (first, second), 1)
        if suite is not None:
            np.add.at(by_opening, (suite.rows(numbers), numbers % 2, results), 1)
        return cls(
            openings=openings,
            lines=lines_of(played),
            numbered=np.stack([numbers[0::2] // 2, 4 - first - second], 1),
            opening_plies=int(played.openings.max(initial=0)) if suite is None else 0,
            suite=suite,
            by_opening=by_opening,
        )

    def join(self, other: Evidence, *, same_pairing: bool) -> Evidence:
        """The evidence of the games of both. Each pairing played the openings anew, so they stay apart."""
        seeds, numbered = self.seeds | other.seeds, None
        if same_pairing and self.numbered is not None and other.numbered is not None and len(seeds) <= 1:
            both = np.concatenate([self.numbered, other.numbered])
            numbered = both if len(both) <= MOST_NUMBERED else None
        if same_pairing and self.by_opening.size and other.by_opening.size:
            by_opening = self.by_opening + other.by_opening
        else:
            by_opening = np.concatenate([self.by_opening, other.by_opening])
        return Evidence(
            openings=self.openings + other.openings,
            lines=merge_lines(self.lines, other.lines),
            seeds=seeds,
            numbered=numbered,
            opening_plies=max(self.opening_plies, other.opening_plies),
            suite=self.suite or other.suite,
            by_opening=by_opening,
            singles=self.singles + other.singles,
        )

    @property
    def turned(self) -> Evidence:
        """The same from b's side."""
        return replace(
            self,
            openings=self.openings.T[::-1, ::-1],
            numbered=None if self.numbered is None else np.stack([self.numbered[:, 0], 4 - self.numbered[:, 1]], 1),
            by_opening=self.by_opening[:, ::-1, ::-1],
            singles=self.singles[[1, 0, 2], ::-1],
        )

    @property
    def is_suite_repeated(self) -> bool:
        """Whether some opening of its suite was played more than once from each seat."""
        return int(self.by_opening.sum((1, 2)).max(initial=0)) > 2

    def by_share(self, points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The means that openings of a suite gave, by the points of a win, a draw and a loss (3,), and how many gave each."""
        games = self.by_opening.sum(1)
        games = games[games.any(1)]
        shares, counts = np.unique(games @ points / games.sum(1), return_counts=True)
        return shares, counts.astype(np.float64)


def lines_of(played: PlayedGames) -> Lines:
    """The different games among those that were played."""
    if len(played.actions) != played.plies.sum():
        return None
    actions, width = played.actions.tobytes(), played.actions.itemsize
    ends = np.cumsum(played.plies * width)
    begins = ends - played.plies * width
    numbers = np.full(len(ends), -1) if played.suite is None else played.suite.rows(played.numbers)
    rows = np.stack([played.numbers % 2, begins, played.openings * width, ends, numbers], axis=1)
    lines, different = dict[tuple[int, int | bytes], set[bytes]](), 0
    for seat, begin, length, end, number in rows.tolist():
        game = actions[begin:end]
        games = lines.setdefault((seat, game[:length] if number < 0 else number), set())
        different += game not in games
        games.add(game)
        if different > MANY:
            return None
    return {opening: frozenset(games) for opening, games in lines.items()}


def merge_lines(first: Lines, second: Lines) -> Lines:
    """The different games of both."""
    if first is None or second is None:
        return None
    both = {opening: first.get(opening, frozenset()) | second.get(opening, frozenset()) for opening in {**first, **second}}
    return both if count_games(both) <= MANY else None


def count_games(lines: Mapping[Any, frozenset[bytes]]) -> int:
    """How many games there are."""
    return sum(map(len, lines.values()))
