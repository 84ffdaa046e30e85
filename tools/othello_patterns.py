"""Finds the numbers of `minimax:evaluation=patterns`: `python -m tools.othello_patterns [FILE]`, eight minutes of a core.

Alpha-beta plays several rounds of games, each with the numbers of the round before, the first with the classic evaluation. A game
begins with random plies, or with plies of a greedy player against a random one, so that positions come up which good play
avoids. With few empty cells left, the oracle finds the score. For each stage, the last one first, least squares fit the sum of
patterns to the mean of this score and of the estimate at the position some plies later.

Source: M. Buro, From simple features to sophisticated evaluation functions, Computers and Games (1998).
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludus.agents.greedy import Greedy
from ludus.agents.policy import Policy
from ludus.agents.random import Random
from ludus.core.files.writing import check_target, write_whole
from ludus.games.evaluation import Evaluation
from ludus.games.game import StateArray
from ludus.games.kernels.arrays import States
from ludus.games.kernels.rules import ONGOING, load
from ludus.games.othello.rules import Othello, sides
from ludus.oracles.othello import OthelloOracle
from ludus.search.alphabeta.negamax import AlphaBeta
from ludus.search.patterns.evaluation import (
    SIZE,
    STAGES,
    UNITS,
    WEIGHTS,
    mirror_classes,
    patterns,
    patterns_from_tables,
    stage_of,
)

from .conjugate_gradients import solve

NUM_PATTERNS = 46
Features: TypeAlias = Annotated[NDArray[np.int32], 2]
Stages: TypeAlias = Annotated[NDArray[np.int64], 1]
GAME = Othello()


class Round(NamedTuple):
    """How many games are played, and how many plies the players search."""

    games: int
    depth: int


class Positions(NamedTuple):
    """Positions of games.

    Args:
        states: the positions (N, 3).
        scores: the score at the end for the player to move (N,).
        games: the number of the game (N,).
        later: which of the positions came LATER plies after it; -1 for none (N,).
    """

    states: StateArray
    scores: NDArray[np.float64]
    games: NDArray[np.int64]
    later: NDArray[np.int64]


ROUNDS = Round(20_000, 2), Round(60_000, 2), Round(100_000, 3)
SEED = 1
SOLVED = 12
"""From this many empty cells on, games are not played but solved."""
LONGEST_BEGINNING = 50
LATER = 6
"""From how many plies later the estimate counts as much as the score at the end."""
RIDGE, STEPS = 100.0, 40
HELD_OUT = 20
"""One game in this many is held out for testing."""
MOST = 127
"""The largest number of the tables, in units."""


def main() -> None:
    """Finds the numbers and writes weights.npz, to the path given or where the evaluation reads it."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else WEIGHTS
    check_target(path)
    rng, evaluation = np.random.default_rng(SEED), GAME.evaluation
    for number, settings in enumerate(ROUNDS, 1):
        positions = play_games(settings, evaluation, rng)
        print(f"round {number}: {len(positions.states):,} positions of {settings.games:,} games", flush=True)
        tables = fit_tables(positions)
        evaluation = patterns_from_tables(tables)
        content = io.BytesIO()
        np.savez_compressed(content, tables=tables)
        write_whole(path, content.getbuffer())


def play_games(settings: Round, evaluation: Evaluation, rng: np.random.Generator) -> Positions:
    """Positions of games between equal players."""
    search, oracle = AlphaBeta(GAME, evaluation, depth=settings.depth), OthelloOracle(GAME, empties=SOLVED)
    states, ended = beginnings(settings.games, rng), np.zeros(settings.games)
    seen, of_game = list[StateArray](), list[NDArray[np.int64]]()
    rows = np.flatnonzero(GAME.outcomes(states) == ONGOING)
    while len(rows):
        seen.append(states[rows])
        of_game.append(rows)
        solved = empties(states[rows]) <= SOLVED
        for row in rows[solved]:
            ended[row] = for_black(states[row], oracle.solve(states[row]).score)
        rows = rows[~solved]
        states[rows] = GAME.plays(states[rows], search.search(states[rows], keys(len(rows), rng)).actions)
        over = GAME.outcomes(states[rows]) != ONGOING
        for row in rows[over]:
            ended[row] = for_black(states[row], oracle.solve(states[row]).score)
        rows = rows[~over]
    row_at = np.full((len(seen) + LATER, settings.games), -1)  # of each ply and game, among all positions
    numbers = np.split(np.arange(sum(map(len, seen))), np.cumsum([len(rows) for rows in of_game])[:-1])
    for ply, rows in enumerate(of_game):
        row_at[ply, rows] = numbers[ply]
    later = [row_at[ply + LATER, rows] for ply, rows in enumerate(of_game)]
    positions, games = np.concatenate(seen), np.concatenate(of_game)
    return Positions(positions, ended[games] * (1 - 2 * GAME.players(positions)), games, np.concatenate(later))


def for_black(state: StateArray, score: int | None) -> int:
    """The score that the oracle found for the player to move, for black."""
    assert score is not None
    return score if GAME.player(state) == 0 else -score


def beginnings(number: int, rng: np.random.Generator) -> StateArray:
    """Positions after random plies, or after plies of a greedy player against a random one (N, 3)."""
    states = np.repeat(GAME.start[None], number, axis=0)
    plies, kind = rng.integers(0, LONGEST_BEGINNING, number) * rng.integers(1, 3, number) // 2, rng.integers(0, 4, number)
    players: tuple[Policy, Policy] = Random(GAME), Greedy(GAME)
    for ply in range(LONGEST_BEGINNING):
        going = (ply < plies) & (GAME.outcomes(states) == ONGOING)
        greedy = kind == GAME.players(states)
        for player, those in zip(players, (~greedy, greedy), strict=True):
            if len(rows := np.flatnonzero(going & those)):
                states[rows] = GAME.plays(states[rows], player.act(states[rows], keys(len(rows), rng)))
    return states


def keys(number: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    return rng.integers(2**64, size=number, dtype=np.uint64)


def empties(states: StateArray) -> NDArray[np.int64]:
    return 64 - np.bitwise_count(states[:, 0] | states[:, 1]).astype(np.int64)


def fit_tables(positions: Positions) -> NDArray[np.int8]:
    """The tables (STAGES, SIZE) whose estimates are closest to the scores, and to the estimates about later positions."""
    states, scores, games, later = positions
    tables, same, estimates = np.zeros((STAGES, SIZE), np.int8), mirror_classes(), scores.copy()
    stages = np.array([stage_of(discs) for discs in range(65)])[64 - empties(states)]
    signs = np.where(GAME.players(states) == GAME.players(states[later]), 1, -1)
    for stage in reversed(range(STAGES)):
        near = np.flatnonzero(stages == stage)
        features, test = features_of(states[near], same), games[near] % HELD_OUT == 0
        targets = np.where(later[near] >= 0, signs[near] * estimates[later[near]], scores[near])
        weights = least_squares(features[~test], (scores[near] + targets)[~test] / 2)
        tables[stage] = np.clip(np.rint(UNITS * weights), -MOST, MOST)[same]
        estimates[near] = tables[stage].astype(np.float64)[features].sum(axis=1) / UNITS
        error, number = estimates[near][test] - scores[near][test], np.count_nonzero(tables[stage])
        print(
            f"stage {stage}: {len(near):,} positions, off by {rms(error):.2f} of {rms(scores[near]):.2f} discs; {number:,} numbers"
        )
    return tables


def rms(values: NDArray[np.float64]) -> float:
    """The root mean square."""
    return float(np.sqrt(np.mean(values**2)))


def features_of(states: StateArray, same: NDArray[np.int32]) -> NDArray[np.int32]:
    """The indices in a stage's table of all patterns of each state, mirror images as one (N, NUM_PATTERNS)."""
    indices = np.empty((len(states), NUM_PATTERNS), np.int32)
    GAME.kernel(write_patterns)(GAME.batch(states), indices)
    return same[indices]


def write_patterns(states: States, features: Features) -> None:
    """Writes the indices of all patterns of each state, in which a mirror image has an index of its own."""
    for i in range(states.shape[0]):
        own, other = sides(load(states[i]))
        with_rows, with_corners, wides, longest = patterns(own, other)
        at = 0
        for group in with_rows:
            for index in group:
                features[i, at] = index
                at += 1
        for corner in with_corners:
            for index in corner:
                features[i, at] = index
                at += 1
        for index in wides:
            features[i, at] = index
            at += 1
        for index in longest:
            features[i, at] = index
            at += 1


def least_squares(features: NDArray[np.int32], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers whose sums are closest to the scores, large ones being held back by the ridge: conjugate gradients (SIZE,)."""
    flat = features.ravel()

    def add_up(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(flat, np.repeat(values, NUM_PATTERNS), SIZE).astype(np.float64)

    return solve(lambda numbers: add_up(numbers[features].sum(axis=1)) + RIDGE * numbers, add_up(scores), STEPS)


if __name__ == "__main__":
    main()
