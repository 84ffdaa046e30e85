"""What decisions cost: the value of each position before the action and after it, as far as the game's oracle knows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import seed_of, whole
from ...games.game import Game
from ...oracles import OUT_OF_REACH, Oracle
from ...oracles.values import is_searched, quick_oracle, values_around
from .decisions import Decisions

BATCH = 2048
"""So many decisions are judged between two reports of progress."""


class Judged(NamedTuple):
    """Decisions whose values are known.

    Args:
        rows: which of the decisions they are (K,).
        before: the value of the position, for the player who decided (K,): 1, 0 or -1.
        after: the value of the position after the action, for the same player (K,).
    """

    rows: NDArray[np.int64]
    before: NDArray[np.int8]
    after: NDArray[np.int8]

    @property
    def lost(self) -> NDArray[np.int8]:
        """The value that each decision lost (K,): 0, 1 or 2."""
        return self.before - self.after


def judge(
    game: Game,
    decisions: Decisions,
    *,
    seed: int = 0,
    most: int | None = None,
    oracle: Oracle | None = None,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> Judged:
    """The values before and after decisions.

    Args:
        game: the game and variant.
        decisions: what was chosen, in which positions.
        seed: if not all are judged, those are drawn with it.
        most: how many are judged at most, in games where each takes a search; None for all.
        oracle: knows the values; None for the game's own, with a reach that takes some milliseconds per position.
        progress: called with how many different decisions are judged, and of how many.
    """
    seed, most = seed_of(seed), None if most is None else whole(most, "most", 1)
    oracle = oracle or quick_oracle(game)
    rows = _drawn(game, decisions, oracle, seed, most)
    chosen = np.column_stack([decisions.states[rows], decisions.actions[rows].astype(np.uint64)])
    different, places = np.unique(chosen, axis=0, return_inverse=True)
    found = np.empty((2, len(different)), np.int8)
    order = np.random.default_rng(seed).permutation(len(different))  # so that the rest takes as long a move as those so far
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        found[:, batch] = values_around(game, different[batch, :-1], different[batch, -1].astype(np.int64), oracle)
        progress(start + len(batch), len(order))
    before, after = found[:, places.reshape(-1)]
    known = (before != OUT_OF_REACH) & (after != OUT_OF_REACH)
    return Judged(rows[known], before[known], after[known])


def can_be_judged(game: Game, decisions: Decisions, oracle: Oracle | None = None) -> NDArray[np.bool_]:
    """Which decisions start from a position that the oracle reaches (M,); all of them where only a search can show this."""
    if not is_searched(game):
        return np.ones(len(decisions.states), np.bool_)
    reached = (oracle or quick_oracle(game)).reached(decisions.states)
    return reached if reached.any() else ~reached


def _drawn(game: Game, decisions: Decisions, oracle: Oracle, seed: int, most: int | None) -> NDArray[np.int64]:
    """Which decisions to judge (D,); it does not depend on their order."""
    every = np.lexsort((decisions.actions, *decisions.states.T, decisions.plies))
    if not is_searched(game):
        return every
    every = every[can_be_judged(game, decisions, oracle)[every]]
    if most is None or len(every) <= most:
        return every
    return np.random.default_rng(seed).choice(every, most, replace=False)
