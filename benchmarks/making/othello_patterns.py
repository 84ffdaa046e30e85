"""Finds the numbers of `minimax:evaluation=patterns`.

`python -m benchmarks.making.othello_patterns` takes a quarter of an hour of a core. Alpha-beta plays games with the
numbers of the round before, at first with the classic evaluation. A game begins with random plies, or with plies of a greedy
player against a random one, and positions some random plies away from it are learnt from, too, so that there are such as good play
avoids. The stages are learnt from the last one backwards. The oracle solves positions with few empty cells; others are searched
some plies deep, to stages that are known already. Least squares then fit the numbers of the stage to these values, and hold them
back towards those of the stage after it: so a pattern that is seldom seen keeps the number that it has there.

Sources: M. Buro, From simple features to sophisticated evaluation functions, Computers and Games (1998); K. F. Lee and S. Mahajan,
A pattern classification approach to evaluation function learning, Artificial Intelligence 36 (1988).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludus.agents.expectimax import Greedy
from ludus.agents.policy import Policy
from ludus.agents.random import Random
from ludus.core.files.named_arrays import npz_of
from ludus.core.files.writing import check_target, write_whole
from ludus.games.evaluation import Evaluation
from ludus.games.game import StateArray
from ludus.games.kernels.arrays import Rewards, States
from ludus.games.kernels.bits import count
from ludus.games.kernels.rules import ONGOING, load
from ludus.games.othello.rules import Othello, sides
from ludus.oracles.othello import OthelloOracle
from ludus.search.alphabeta.negamax import AlphaBeta, shallow_depth
from ludus.search.patterns.evaluation import (
    MOST,
    PHASES,
    SIZE,
    STAGES,
    STAGES_OF_A_PHASE,
    UNITS,
    WEIGHTS,
    Patterns,
    columns_of,
    mirror_classes,
    moves,
    patterns,
    patterns_from_tables,
)

from .othello_evaluation import conjugate_gradients

NUM_FEATURES = 47
Features: TypeAlias = Annotated[NDArray[np.int32], 2]
GAME = Othello()


class Round(NamedTuple):
    """A round of learning.

    Args:
        games: how many games are played.
        depth: how many plies the players search.
        positions: how many positions of each stage are learnt from, at most.
        ahead: the depths of the searches whose mean is a position's value. Those of an even depth favour one player, those of an
            odd depth the other.
    """

    games: int
    depth: int
    positions: int
    ahead: tuple[int, ...]


class Examples(NamedTuple):
    """Positions of a stage (N, 3), and their values for the player to move, in discs (N,)."""

    states: StateArray
    values: NDArray[np.float32]


ROUNDS = (
    Round(12_000, 1, 10_000, (2,)),
    Round(130_000, 1, 100_000, (2, 3)),
    Round(160_000, 1, 130_000, (2, 3)),
)
ROUGH = 1
"""From this many rounds at first nothing is kept but the numbers, with which the next one plays."""
SEED = 1
SOLVED = 12
"""With this many empty cells or fewer, positions are solved."""
LONGEST_BEGINNING = 50
ASTRAY = 0, 0, 0, 1, 1, 2, 3
"""So many random plies lie between a position of a game and the one that is learnt from: searches come to such positions."""
RIDGE, STEPS = 20.0, 30
HELD_OUT = 20
"""One position in this many is held out for testing."""
MEASURED, SHALLOWEST, DEEPEST = 96, 2, 9
"""Deviations are measured in this many positions of each stage, of searches to these depths."""
WITHIN = 0.6827
"""This share of normal errors lies within one standard deviation. The few that are far off would count too much otherwise."""
MOST_SCORE = 40
"""Positions with values beyond this, in discs, are left out: there is nothing to choose in them."""


def main() -> None:
    """Finds the numbers and writes weights.npz."""
    check_target(WEIGHTS)
    earlier = [list[Examples]() for _ in range(STAGES)]
    evaluation, tables = GAME.evaluation, np.zeros((STAGES, SIZE), np.float32)
    for number, settings in enumerate(ROUNDS, 1):
        examples, tables = learn(settings, evaluation, number, earlier)
        evaluation = patterns_from_tables(in_units(tables))
        if number > ROUGH:
            earlier = [[*those, more] for those, more in zip(earlier, examples, strict=True)]
    deviations = measure_deviations(patterns_from_tables(in_units(tables)), [those[-1].states for those in earlier])
    write_whole(WEIGHTS, npz_of({"columns": columns_of(in_units(tables)), "deviations": deviations}))


def learn(
    settings: Round, evaluation: Evaluation, number: int, earlier: list[list[Examples]]
) -> tuple[list[Examples], NDArray[np.float32]]:
    """The examples of each stage in a round, and the tables that it learns from them and earlier ones, in discs (STAGES, SIZE)."""
    by_stage, examples = play_games(settings, evaluation, np.random.default_rng((SEED, number))), list[Examples]()
    tables = np.zeros((STAGES, SIZE), np.float32)
    for stage in reversed(range(STAGES)):
        if stage < STAGES - 1:
            tables[stage] = tables[stage + 1]  # a search that passes does not always reach a later stage
        examples.append(Examples(by_stage[stage], values_of(by_stage[stage], tables, settings.ahead)))
        tables[stage] = fit_table([*earlier[stage], examples[-1]], tables[stage])
    return examples[::-1], tables


def in_units(tables: NDArray[np.float32]) -> NDArray[np.int8]:
    """Tables as they ship."""
    return np.clip(np.rint(UNITS * tables), -MOST, MOST).astype(np.int8)


def play_games(settings: Round, evaluation: Evaluation, rng: np.random.Generator) -> list[StateArray]:
    """Different positions of each stage (N, 3), some random plies away from games between equal players."""
    search, seen = AlphaBeta(GAME, evaluation, depth=settings.depth), list[StateArray]()
    states = beginnings(settings.games, rng)
    while len(states := states[GAME.outcomes(states) == ONGOING]):
        seen.append(states)
        states = GAME.plays(states, search.search(states, keys(len(states), rng)).actions)
    near = np.concatenate(seen)
    near = np.unique(play_random_plies(near, rng.choice(ASTRAY, len(near)), rng), axis=0)
    near = near[GAME.outcomes(near) == ONGOING]
    stages = (60 - empties(near)) // 2
    by_stage = [rng.permutation(near[stages == stage]) for stage in range(STAGES)]
    return [states[: settings.positions] for states in by_stage]


def play_random_plies(states: StateArray, plies: NDArray[np.int64], rng: np.random.Generator) -> StateArray:
    """The positions this many random plies later, or at the end of the game (N, 3)."""
    states, player = states.copy(), Random(GAME)
    for ply in range(plies.max()):
        rows = np.flatnonzero((ply < plies) & (GAME.outcomes(states) == ONGOING))
        states[rows] = GAME.plays(states[rows], player.act(states[rows], keys(len(rows), rng)))
    return states


def beginnings(number: int, rng: np.random.Generator) -> StateArray:
    """Positions after random plies, or after plies of a greedy player against a random one (N, 3)."""
    states = np.repeat(GAME.start[None], number, axis=0)
    plies, kind = rng.integers(0, LONGEST_BEGINNING, number) * rng.integers(1, 4, number) // 3, rng.integers(0, 4, number)
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
    """The empty cells of each position (N,)."""
    return 64 - np.bitwise_count(states[:, 0] | states[:, 1]).astype(np.int64)


def values_of(states: StateArray, tables: NDArray[np.float32], ahead: tuple[int, ...]) -> NDArray[np.float32]:
    """The values of positions of a stage for the player to move, in discs (N,): exact ones, or by search with the later stages."""
    if empties(states).max() <= SOLVED:
        scores = OthelloOracle(GAME, empties=SOLVED).position_values(states, scores=True).scores
        assert scores is not None
        return scores.astype(np.float32)
    evaluation, keys = patterns_from_tables(in_units(tables)), np.zeros(len(states), np.uint64)
    values = [AlphaBeta(GAME, evaluation, depth).search(states, keys).values for depth in ahead]
    return (np.mean(values, axis=0) / UNITS).astype(np.float32)


def fit_table(examples: list[Examples], later: NDArray[np.float32]) -> NDArray[np.float32]:
    """The numbers of a stage, in discs, whose sums are closest to the values (SIZE,); `later` are those of the next stage."""
    states = np.concatenate([each.states for each in examples])
    values = np.concatenate([each.values for each in examples])
    close = np.abs(values) <= MOST_SCORE
    states, values = states[close], values[close]
    features, test = features_of(states), np.arange(len(states)) % HELD_OUT == 0
    errors = values - later[features].sum(axis=1)
    numbers = later + least_squares(features[~test], errors[~test].astype(np.float64)).astype(np.float32)
    left = values - numbers[features].sum(axis=1)
    print(
        f"{len(values):,} positions of {empties(states).min()} empty cells or more: values of {rms(values):.2f} discs, "
        f"off by {rms(errors[test]):.2f} with the later numbers, {rms(left[~test]):.2f}, and held out {rms(left[test]):.2f}",
        flush=True,
    )
    return numbers[mirror_classes()]


def rms(values: NDArray[np.floating]) -> float:
    """The root mean square."""
    return float(np.sqrt(np.mean(values**2)))


def features_of(states: StateArray) -> NDArray[np.int32]:
    """The indices in a stage's table of all that is added up for each state, mirror images as one (N, NUM_FEATURES)."""
    indices = np.empty((len(states), NUM_FEATURES), np.int32)
    GAME.kernel(write_features)(GAME.batch(states), indices)
    return mirror_classes()[indices]


def write_features(states: States, features: Features) -> None:
    """Writes the indices of all patterns of each state, in which a mirror image has an index of its own, and of its moves."""
    for i in range(states.shape[0]):
        state = load(states[i])
        own, other = sides(state)
        with_rows, with_corners, wides, longest = patterns(own, other)
        features[i, 0] = moves(own, other, count(own | other))
        at = 1
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


def least_squares(features: NDArray[np.int32], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers whose sums are closest to the values, large ones being held back by the ridge: conjugate gradients (SIZE,).

    The system is scaled, so that numbers that are often used do not hide the others.
    """
    scale = 1 / np.sqrt(np.bincount(features.ravel(), minlength=SIZE) + RIDGE)

    def multiply(scaled: NDArray[np.float64]) -> NDArray[np.float64]:
        return scale * (totals_of(features, sums_of(features, scale * scaled)) + RIDGE * scale * scaled)

    return scale * conjugate_gradients(multiply, scale * totals_of(features, values), STEPS)


def sums_of(features: NDArray[np.int32], numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of the numbers of each row's features (N,)."""
    sums = np.zeros(len(features))
    GAME.kernel(add_numbers)(features, numbers, sums)
    return sums


def totals_of(features: NDArray[np.int32], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of the values of the rows that have each feature (SIZE,)."""
    totals = np.zeros(SIZE)
    GAME.kernel(add_values)(features, values, totals)
    return totals


def add_numbers(features: Features, numbers: Rewards, sums: Rewards) -> None:
    for i in range(features.shape[0]):
        for j in range(features.shape[1]):
            sums[i] += numbers[features[i, j]]


def add_values(features: Features, values: Rewards, totals: Rewards) -> None:
    for i in range(features.shape[0]):
        for j in range(features.shape[1]):
            totals[features[i, j]] += values[i]


def measure_deviations(evaluation: Patterns, by_stage: list[StateArray]) -> NDArray[np.int16]:
    """The deviations of `Patterns`, in some positions of each stage."""
    deviations = np.zeros((PHASES, DEEPEST + 1), np.int16)
    for phase in range(PHASES):
        stages = range(phase * STAGES_OF_A_PHASE, (phase + 1) * STAGES_OF_A_PHASE)
        some = [by_stage[stage][:MEASURED] for stage in stages]
        states = np.concatenate(some)
        keys = np.zeros(len(states), np.uint64)
        sums = [evaluation.tables[stage][features_of(part)].sum(axis=1) for stage, part in zip(stages, some, strict=True)]
        searches = [AlphaBeta(GAME, evaluation, depth).search(states, keys).values for depth in range(1, DEEPEST + 1)]
        values = [np.concatenate(sums), *searches]
        for depth in range(SHALLOWEST, DEEPEST + 1):
            deep, shallow = values[depth], values[shallow_depth(depth)]
            close = np.maximum(abs(deep), abs(shallow)) <= UNITS * MOST_SCORE
            deviations[phase, depth] = round(np.quantile(abs(deep - shallow)[close], WITHIN))
    print(f"deviations: {deviations.tolist()}")
    return deviations


if __name__ == "__main__":
    main()
