"""Repeated games: two deterministic policies play the same game each time that an opening is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from ..matches.games import PlayedGames

MANY = 1000
"""With more different games than this, repeated games make little difference, and are not looked for."""
Lines: TypeAlias = Mapping[tuple[int, int | bytes], bytes] | None
"""The actions of the game after each opening, by the seat of `a` and the opening: its number in a suite, or its actions. None
if an opening led to two different games, if there are more than MANY games, or if the actions are not known."""


def lines_of(played: PlayedGames) -> Lines:
    """The different games among those that were played."""
    if len(played.actions) != played.plies.sum():
        return None
    actions, width = played.actions.tobytes(), played.actions.itemsize
    ends = np.cumsum(played.plies * width)
    begins = ends - played.plies * width
    numbers = np.full(len(ends), -1) if played.suite is None else played.suite.rows(played.numbers)
    rows = np.stack([played.numbers % 2, begins, played.openings * width, ends, numbers], axis=1)
    lines: dict[tuple[int, int | bytes], bytes] = {}
    for seat, begin, length, end, number in rows.tolist():
        game = actions[begin:end]
        if lines.setdefault((seat, game[:length] if number < 0 else number), game) != game or len(lines) > MANY:
            return None
    return lines


def merge_lines(first: Lines, second: Lines) -> Lines:
    """The different games of both."""
    if first is None or second is None or any(second.get(opening, game) != game for opening, game in first.items()):
        return None
    both = {**first, **second}
    return both if len(both) <= MANY else None
