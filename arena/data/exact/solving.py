"""Solves positions: the value and distance of each and of all its moves with perfect play, and how hard it is."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....core.progress import Progress
from ....games.game import StateArray
from ....oracles import Oracle
from ....oracles.oracle import OUT_OF_REACH, PositionValues
from .arrays import ManyPositions

DISTANCES = (2, 4, 8, 16)
"""Strata of distances: up to 2 plies from the end, up to 4, …, and further."""
FEWEST_AT_ONCE, ENOUGH_SECONDS = 64, 0.5
"""Moves that are solved first; they are doubled as long as they take less time."""
TEST_SHARE = 0.1


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


def solve(
    oracle: Oracle,
    states: StateArray,
    plies: NDArray[np.int64],
    classes: StateArray,
    *,
    scores: bool = True,
    progress: Progress = lambda done, total: None,
) -> ManyPositions:
    """Solves unfinished positions and their moves; positions with a move out of the oracle's reach are left out.

    Args:
        oracle: the game's oracle.
        states: the positions (N, W).
        plies: the number of plies from the start to each (N,).
        classes: the canonical forms of their observations (N, K).
        scores: whether to find the scores of moves too, in games that have them, which takes longer.
        progress: called with the positions that are solved, and the number of all.
    """
    game = oracle.game
    rows, actions = np.nonzero(game.masks(states))
    after = solve_moves(oracle, states, rows, actions, scores, progress)
    known = np.ones(len(states), np.bool_)
    known[rows[after.values == OUT_OF_REACH]] = False
    states, classes, is_known = states[known], classes[known], known[rows]
    rows, actions = (np.cumsum(known) - 1)[rows[is_known]], actions[is_known]  # rows are numbered anew, without unknown positions

    def table(numbers: NDArray[Any], otherwise: int, dtype: type[np.integer[Any]]) -> Any:
        filled = np.full((len(states), game.num_actions), otherwise, dtype)
        filled[rows, actions] = numbers[is_known]
        return filled

    masks, move_values, move_distances = (
        game.masks(states),
        table(after.values, OUT_OF_REACH, np.int8),
        table(after.distances, -1, np.int16),
    )
    values = np.where(masks == 1, move_values, -1).max(axis=1).astype(np.int8)
    keeps = move_values == values[:, None]
    # the winner hurries and the loser delays
    nearest = np.where(keeps, move_distances, np.iinfo(np.int16).max).min(axis=1)
    furthest = np.where(keeps, move_distances, -1).max(axis=1)
    distances = np.where((values == 0) | (nearest < 0), -1, np.where(values == 1, nearest, furthest)).astype(np.int16)
    keeping, legal = keeps.sum(axis=1), masks.sum(axis=1)
    strata = map(_stratum, values.tolist(), keeping.tolist(), legal.tolist(), distances.tolist())
    return ManyPositions(
        game=game,
        states=states,
        planes=game.observations(states, game.players(states)),
        masks=masks,
        values=values,
        distances=distances,
        move_values=move_values,
        move_distances=move_distances,
        move_scores=None if after.scores is None else table(after.scores, 0, np.int16),
        plies=plies[known].astype(np.int16),
        strata=np.array([*map(STRATA.index, strata)], np.int8),
        test=is_for_test(classes),
    )


def solve_moves(
    oracle: Oracle, states: StateArray, rows: NDArray[np.int64], actions: NDArray[np.int64], scores: bool, progress: Progress
) -> PositionValues:
    """The values of moves (M,), by the row of their position and the action, some at a time: as many as take about a second."""
    parts, start, step = list[PositionValues](), 0, FEWEST_AT_ONCE
    while start < len(rows) or not parts:
        began, some = time.perf_counter(), slice(start, start + step)
        parts.append(oracle.action_values(states[rows[some]], actions[some], scores=scores))
        start += step
        progress(int(rows[start]) if start < len(rows) else len(states), len(states))
        if time.perf_counter() - began < ENOUGH_SECONDS:
            step *= 2
    values, distances = np.concatenate([part.values for part in parts]), np.concatenate([part.distances for part in parts])
    points = [part.scores for part in parts if part.scores is not None]
    return PositionValues(values, distances, np.concatenate(points) if points else None)


def records(many: ManyPositions) -> Iterator[dict[str, Any]]:
    """Each position as a record: `game`, `position`, `player`, `ply`, `value`, `distance`, `moves`, `keeping`, `stratum`, `split`.

    `moves` has an entry for each legal move: `move`, `value`, `distance`, and in games with scores `score`.
    """
    game, players = many.game, many.game.players(many.states).tolist()
    for row, state in enumerate(many.states):
        value, moves = int(many.values[row]), list[dict[str, Any]]()
        for action in np.flatnonzero(many.masks[row]).tolist():
            move = {"move": game.moves[action], "value": int(many.move_values[row, action])}
            move["distance"] = _or_none(int(many.move_distances[row, action]))
            if many.move_scores is not None:
                move["score"] = int(many.move_scores[row, action])
            moves.append(move)
        yield {
            "game": game.spec,
            "position": game.text(state),
            "player": players[row],
            "ply": int(many.plies[row]),
            "value": value,
            "distance": _or_none(int(many.distances[row])),
            "moves": moves,
            "keeping": sum(move["value"] == value for move in moves),
            "stratum": str(STRATA[many.strata[row]]),
            "split": "test" if many.test[row] else "train",
        }


def counts(many: ManyPositions) -> dict[Stratum, int]:
    """The number of positions in each stratum, in the order of the strata."""
    return dict(sorted(Counter(STRATA[number] for number in many.strata.tolist()).items()))


def is_for_test(classes: StateArray) -> NDArray[np.bool_]:
    """Which classes are for testing, by a hash (the finalizer of MurmurHash3, word by word) of each canonical observation (N,
    K)."""
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
