"""Solves positions: the value and distance of each and of all its moves with perfect play, and how hard it is."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....games.game import Game, StateArray
from ....oracles import Oracle
from ....oracles.oracle import OUT_OF_REACH, PositionValues

DISTANCES = (2, 4, 8, 16)
"""Strata of distances: up to 2 plies from the end, up to 4, …, and further."""
FEWEST_AT_ONCE, ENOUGH_SECONDS = 64, 0.5
"""Moves that are solved first; they are doubled as long as they take less time."""
TEST_SHARE = 0.1
Report = Callable[[int, int], object]


class Stratum(NamedTuple):
    """Positions that are equally hard.

    Args:
        value: for the player to move.
        keeping: how many of the legal moves keep the value: `one`, `few` (more, up to a third), `many` or `all`.
        distance: the maximum number of plies to the end with perfect play, as `<=4`; `further`; or `-` if there is no distance.
    """

    value: int
    keeping: str
    distance: str

    def __str__(self) -> str:
        value = {1: "won", 0: "drawn", -1: "lost"}[self.value]
        return f"{value}, {self.keeping} of the moves keep{'s' * (self.keeping == 'one')} it, distance {self.distance}"


STRATA = tuple(
    Stratum(value, keeping, distance)
    for value in (-1, 0, 1)
    for keeping in ("one", "few", "many", "all")
    for distance in ("-", *(f"<={most}" for most in DISTANCES), "further")
)
"""All strata, by their numbers in files."""


@dataclass(frozen=True)
class SolvedPositions:
    """Positions with the values of all their legal moves, for the player to move.

    Args:
        states: the positions (N, W).
        plies: the number of plies from the start to each (N,).
        values: their values, 1, 0 or -1 (N,).
        distances: the plies to the end (N,), -1 if there is no distance.
        rows, actions: the legal moves of all positions, by row and action (M,).
        move_values, move_distances: the value of each move, and the plies to the end with this move counted (M,).
        move_scores: the score of each move (M,); None in games without scores.
        strata: their strata (N,).
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
        """The positions of some rows (K,), in this order."""
        new_rows = np.full(len(self.states), -1)
        new_rows[order] = np.arange(len(order))
        moves = np.flatnonzero(new_rows[self.rows] >= 0)
        moves = moves[np.argsort(new_rows[self.rows[moves]], kind="stable")]
        return SolvedPositions(
            states=self.states[order],
            plies=self.plies[order],
            values=self.values[order],
            distances=self.distances[order],
            rows=new_rows[self.rows[moves]],
            actions=self.actions[moves],
            move_values=self.move_values[moves],
            move_distances=self.move_distances[moves],
            move_scores=None if self.move_scores is None else self.move_scores[moves],
            strata=[self.strata[row] for row in order.tolist()],
            for_test=self.for_test[order],
        )


def solve(
    oracle: Oracle,
    states: StateArray,
    plies: NDArray[np.int64],
    classes: StateArray,
    *,
    scores: bool = True,
    report: Report = lambda done, total: None,
) -> SolvedPositions:
    """Solves unfinished positions and their moves; positions with a move out of the oracle's reach are left out.

    Args:
        oracle: the game's oracle.
        states: the positions (N, W).
        plies: the number of plies from the start to each (N,).
        classes: the canonical forms of their observations (N, K).
        scores: whether to find the scores of moves too, in games that have them, which takes longer.
        report: called with the positions that are solved, and the number of all.
    """
    rows, actions = np.nonzero(oracle.game.masks(states))
    after = solve_moves(oracle, states, rows, actions, scores, report)
    known = np.ones(len(states), np.bool_)
    known[rows[after.values == OUT_OF_REACH]] = False
    kept = known[rows]
    rows, move_values = (np.cumsum(known) - 1)[rows[kept]], after.values[kept]  # rows are numbered anew, without unknown positions
    states, classes, move_distances = states[known], classes[known], after.distances[kept]
    values = np.full(len(states), -1, np.int8)
    np.maximum.at(values, rows, move_values)
    keeps = move_values == values[rows]
    distances = distances_of(values, rows[keeps], move_distances[keeps])
    keeping = np.bincount(rows, keeps, len(states)).astype(int)
    legal = np.bincount(rows, minlength=len(states))
    return SolvedPositions(
        states=states,
        plies=plies[known],
        values=values,
        distances=distances,
        rows=rows,
        actions=actions[kept],
        move_values=move_values,
        move_distances=move_distances,
        move_scores=None if after.scores is None else after.scores[kept].astype(np.int64),
        strata=[*map(_stratum, values.tolist(), keeping.tolist(), legal.tolist(), distances.tolist())],
        for_test=is_for_test(classes),
    )


def solve_moves(
    oracle: Oracle, states: StateArray, rows: NDArray[np.int64], actions: NDArray[np.int64], scores: bool, report: Report
) -> PositionValues:
    """The values of moves (M,), by the row of their position and the action, some at a time: as many as take about a second."""
    parts, start, step = list[PositionValues](), 0, FEWEST_AT_ONCE
    while start < len(rows) or not parts:
        began, some = time.perf_counter(), slice(start, start + step)
        parts.append(oracle.action_values(states[rows[some]], actions[some], scores=scores))
        start += step
        report(int(rows[start]) if start < len(rows) else len(states), len(states))
        if time.perf_counter() - began < ENOUGH_SECONDS:
            step *= 2
    values, distances = np.concatenate([part.values for part in parts]), np.concatenate([part.distances for part in parts])
    points = [part.scores for part in parts if part.scores is not None]
    return PositionValues(values, distances, np.concatenate(points) if points else None)


def distances_of(values: NDArray[np.int8], rows: NDArray[np.int64], distances: NDArray[np.int64]) -> NDArray[np.int64]:
    """The distances of positions: the winner hurries and the loser delays; -1 in draws, and where those of moves are not known.

    Args:
        values: of the positions (N,).
        rows, distances: of the moves that keep them (M,).
    """
    nearest, furthest = np.full(len(values), np.iinfo(np.int64).max), np.full(len(values), -1)
    np.minimum.at(nearest, rows, distances)
    np.maximum.at(furthest, rows, distances)
    return np.where((values == 0) | (nearest < 0), -1, np.where(values == 1, nearest, furthest))


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
    """The number of positions in each stratum, in the order of the strata."""
    return dict(sorted(Counter(solved.strata).items()))


def is_for_test(classes: StateArray) -> NDArray[np.bool_]:
    """Which classes are for testing, by a hash of each (the finalizer of MurmurHash3, word by word).

    Args:
        classes: canonical forms of observations (N, K).
    """
    mixed = np.zeros(len(classes), np.uint64)
    for word in classes.T:
        mixed ^= word
        for shift, factor in ((33, 0xFF51AFD7ED558CCD), (33, 0xC4CEB9FE1A85EC53), (33, 1)):
            mixed ^= mixed >> np.uint64(shift)
            mixed *= np.uint64(factor)
    return mixed < np.uint64(TEST_SHARE * 2**64)


def _stratum(value: int, keeping: int, legal: int, distance: int) -> Stratum:
    share = "all" if keeping == legal else "one" if keeping == 1 else "few" if 3 * keeping <= legal else "many"
    near = next((f"<={most}" for most in DISTANCES if distance <= most), "further")
    return Stratum(value, share, "-" if distance < 0 else near)


def _or_none(distance: int) -> int | None:
    return None if distance < 0 else distance
