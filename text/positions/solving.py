"""What perfect play says about positions and each of their moves, and how hard they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game, StateArray
from ...oracles import Oracle
from ...oracles.oracle import OUT_OF_REACH

DISTANCES = (2, 4, 8, 16)
"""Strata of distances: up to 2 plies from the end, up to 4, …, and further."""
TEST_SHARE = 0.1


class Stratum(NamedTuple):
    """Positions that are equally hard.

    Args:
        value: for the player to move.
        keeping: how many of the legal moves keep the value: `one`, `few` (more, up to a third), `many` or `all`.
        distance: at most so many plies from the end with perfect play, as `<=4`; `further`; or `-` where there is none.
    """

    value: int
    keeping: str
    distance: str

    def __str__(self) -> str:
        value = {1: "won", 0: "drawn", -1: "lost"}[self.value]
        return f"{value}, {self.keeping} of the moves keep{'s' * (self.keeping == 'one')} it, distance {self.distance}"


@dataclass(frozen=True)
class SolvedPositions:
    """Positions and what each of their legal moves leads to, for the player to move.

    Args:
        states: (N, W).
        plies: how many plies from the start each was found (N,).
        values: (N,), 1, 0 or -1.
        distances: plies to the end (N,), -1 where there is none.
        rows, actions: the legal moves of all positions, by row and action (M,).
        move_values, move_distances: the value of each move and the plies to the end after taking it, itself counted (M,).
        move_scores: the score of each move (M,); None in games without scores.
        strata: (N,).
        for_test: which positions are for testing (N,).
    """

    states: StateArray
    plies: NDArray[np.int64]
    values: NDArray[np.int8]
    distances: NDArray[np.int64]
    rows: NDArray[np.int64]
    actions: NDArray[np.int64]
    move_values: NDArray[np.int8]
    move_distances: NDArray[np.int64]
    move_scores: NDArray[np.int64] | None
    strata: list[Stratum]
    for_test: NDArray[np.bool_]

    def select(self, order: NDArray[np.int64]) -> SolvedPositions:
        """Some of the positions (K,), in this order."""
        place = np.full(len(self.states), -1)
        place[order] = np.arange(len(order))
        kept = np.flatnonzero(place[self.rows] >= 0)
        moves = kept[np.argsort(place[self.rows[kept]], kind="stable")]
        return SolvedPositions(
            self.states[order],
            self.plies[order],
            self.values[order],
            self.distances[order],
            place[self.rows[moves]],
            self.actions[moves],
            self.move_values[moves],
            self.move_distances[moves],
            None if self.move_scores is None else self.move_scores[moves],
            [self.strata[row] for row in order.tolist()],
            self.for_test[order],
        )


def solve(oracle: Oracle, states: StateArray, plies: NDArray[np.int64], classes: StateArray) -> SolvedPositions:
    """What perfect play says about unfinished positions and their moves; positions with a move out of reach are left out.

    Args:
        oracle: the game's oracle.
        states: the positions (N, W).
        plies: how many plies from the start each was found (N,).
        classes: the canonical forms of their observations (N, K).
    """
    rows, actions = np.nonzero(oracle.game.masks(states))
    after = oracle.action_values(states[rows], actions, scores=True)
    known = np.ones(len(states), np.bool_)
    known[rows[after.values == OUT_OF_REACH]] = False
    kept = known[rows]
    rows, move_values = (np.cumsum(known) - 1)[rows[kept]], after.values[kept]
    states, classes = states[known], classes[known]
    values = np.full(len(states), -1, np.int8)
    np.maximum.at(values, rows, move_values)
    distances = oracle.distances(states)
    keeping = np.bincount(rows, move_values == values[rows], len(states)).astype(int)
    legal = np.bincount(rows, minlength=len(states))
    return SolvedPositions(
        states,
        plies[known],
        values,
        distances,
        rows,
        actions[kept],
        move_values,
        after.distances[kept],
        None if after.scores is None else after.scores[kept].astype(np.int64),
        [*map(_stratum, values.tolist(), keeping.tolist(), legal.tolist(), distances.tolist())],
        _is_for_test(classes),
    )


def records(game: Game, solved: SolvedPositions) -> Iterator[dict[str, Any]]:
    """Each position as a record: `game`, `position`, `player`, `ply`, `value`, `distance`, `moves`, `keeping`, `stratum`, `split`.

    `moves` has an entry for each legal move: `move`, `value`, `distance`, and in games with scores `score`.
    """
    starts = np.searchsorted(solved.rows, np.arange(len(solved.states) + 1)).tolist()
    players, names = game.players(solved.states).tolist(), game.moves
    actions, values, distances = solved.actions.tolist(), solved.move_values.tolist(), solved.move_distances.tolist()
    known = solved.move_scores
    scores: list[dict[str, int]] = [{}] * len(actions) if known is None else [{"score": score} for score in known.tolist()]
    for row, state in enumerate(solved.states):
        span, value = range(starts[row], starts[row + 1]), int(solved.values[row])
        yield {
            "game": game.spec,
            "position": game.text(state),
            "player": players[row],
            "ply": int(solved.plies[row]),
            "value": value,
            "distance": _or_none(int(solved.distances[row])),
            "moves": [
                {"move": names[actions[i]], "value": values[i], "distance": _or_none(distances[i]), **scores[i]} for i in span
            ],
            "keeping": sum(values[i] == value for i in span),
            "stratum": str(solved.strata[row]),
            "split": "test" if solved.for_test[row] else "train",
        }


def counts(solved: SolvedPositions) -> dict[Stratum, int]:
    """How many positions each stratum has, the strata in order."""
    return dict(sorted(Counter(solved.strata).items()))


def _stratum(value: int, keeping: int, legal: int, distance: int) -> Stratum:
    share = "all" if keeping == legal else "one" if keeping == 1 else "few" if 3 * keeping <= legal else "many"
    near = next((f"<={most}" for most in DISTANCES if distance <= most), "further")
    return Stratum(value, share, "-" if distance < 0 else near)


def _is_for_test(classes: StateArray) -> NDArray[np.bool_]:
    """Which canonical forms are for testing, by a hash of each (the finalizer of MurmurHash3, word by word)."""
    mixed = np.zeros(len(classes), np.uint64)
    for word in classes.T:
        mixed ^= word
        for shift, factor in ((33, 0xFF51AFD7ED558CCD), (33, 0xC4CEB9FE1A85EC53), (33, 1)):
            mixed ^= mixed >> np.uint64(shift)
            mixed *= np.uint64(factor)
    return mixed < np.uint64(TEST_SHARE * 2**64)


def _or_none(distance: int) -> int | None:
    return None if distance < 0 else distance
