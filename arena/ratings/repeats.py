"""Repeated games: two deterministic policies play the same game each time that an opening comes again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from ..matches.games import PlayedGames

MANY = 1000
"""From so many different games on, repeated games make little difference."""
Lines: TypeAlias = Mapping[tuple[int, bytes], bytes] | None
"""The actions of the game that followed each opening, by the seat of `a` and the opening's actions. None if one opening led to two
different games, if there are too many, or if the actions are not known."""


def lines_of(played: PlayedGames) -> Lines:
    """The different games among those that were played."""
    if len(played.actions) != played.plies.sum():
        return None
    actions, width = played.actions.tobytes(), played.actions.itemsize
    ends = np.cumsum(played.plies * width)
    begins = ends - played.plies * width
    rows = np.stack([played.numbers % 2, begins, played.openings * width, ends], axis=1)
    found: dict[tuple[int, bytes], bytes] = {}
    for seat, begin, length, end in rows.tolist():
        game = actions[begin:end]
        if found.setdefault((seat, game[:length]), game) != game or len(found) > MANY:
            return None
    return found


def joined(one: Lines, other: Lines) -> Lines:
    """The different games of both."""
    if one is None or other is None or any(other.get(opening, game) != game for opening, game in one.items()):
        return None
    both = {**one, **other}
    return both if len(both) <= MANY else None
