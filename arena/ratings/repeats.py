"""Repeated games: two deterministic policies play the same game each time that an opening is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from ..matches.games import PlayedGames

MANY = 1000
"""With more different games than this, repeated games make little difference, and are not looked for."""
Lines: TypeAlias = Mapping[tuple[int, int | bytes], frozenset[bytes]] | None
"""The actions of the different games after each opening, by the seat of `a` and the opening: its number in a suite, or its actions.
None if there are more than MANY games, or if the actions are not known."""


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
    return both if count(both) <= MANY else None


def count(lines: Mapping[Any, frozenset[bytes]]) -> int:
    """How many games there are."""
    return sum(map(len, lines.values()))
