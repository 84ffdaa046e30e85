"""Positions with the exact value of every legal move, for training and for tests: as many easy ones as hard ones, and no two alike.

Positions are collected from random games, one for each class of symmetric ones. A stratum holds those that are equally hard: of
the same value, with about as many moves that keep it, and about as far from the end. All strata that come up get equal shares, as
far as they have so many positions. A hash of its canonical form decides whether a class is for training or for testing, so that no
test position has a symmetric one among those for training, whatever the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..agents.oracles import Oracle
from ..agents.oracles.oracle import OUT_OF_REACH
from ..agents.statespace.canonical import canonical
from ..envs.games.game import Game, StateArray
from ..envs.kernels import queries

FEWEST_GAMES, MOST_GAMES = 64, 2048
"""Random games that are played in a round."""
POOL = 3
"""So many times the positions asked for are collected before strata are filled."""
FEW_NEW = 0.002
"""Collecting ends when a smaller share of the positions of a round is new."""
LONGEST = 400
"""Plies after which a random game is given up."""
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
class Solved:
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


def collect(oracle: Oracle, count: int, seed: int, progress: Callable[[int, int], object] | None = None) -> Solved:
    """Positions within the oracle's reach, in equal shares of all strata as far as possible, in random order.

    Args:
        oracle: the game's oracle.
        count: how many; there are fewer where random games bring no more.
        seed: the same seed gives the same positions.
        progress: called with how many positions are collected, and how many will be.

    Raises:
        ValueError: no position that came up is within reach.
    """
    random = np.random.default_rng(seed)
    states, plies = _pool(oracle, POOL * count, random, progress or (lambda done, total: None))
    solved = solve(oracle, states, plies)
    if not len(solved.states):
        raise ValueError(f"none of the positions that came up is within the oracle's reach; it knows {oracle.reach}")
    return _rows_of(solved, random.permutation(_shared(solved.strata, count, random)))


def solve(oracle: Oracle, states: StateArray, plies: NDArray[np.int64]) -> Solved:
    """What perfect play says about unfinished positions and their moves; positions with a move out of reach are left out."""
    game = oracle.game
    values, distances = oracle.values(states), oracle.distances(states)
    rows, actions = np.nonzero(game.masks(states))
    after = game.plays(states[rows], actions)
    signs = np.where(game.players(after) == game.players(states)[rows], 1, -1).astype(np.int8)
    found, further = oracle.values(after), oracle.distances(after)
    known = values != OUT_OF_REACH
    known[rows[found == OUT_OF_REACH]] = False
    kept = known[rows]
    places = np.cumsum(known) - 1
    moves = places[rows[kept]], actions[kept], (signs * found)[kept], np.where(further < 0, -1, further + 1)[kept]
    states, values, distances = states[known], values[known], distances[known]
    keeping = np.bincount(moves[0], moves[2] == values[moves[0]], len(states)).astype(int)
    legal = np.bincount(moves[0], minlength=len(states))
    strata = [*map(_stratum, values.tolist(), keeping.tolist(), legal.tolist(), distances.tolist())]
    scores = _scores(oracle, states) if oracle.has_score else None
    return Solved(states, plies[known], values, distances, *moves, scores, strata, _is_for_test(game, states))


def records(game: Game, solved: Solved) -> Iterator[dict[str, Any]]:
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


def counts(solved: Solved) -> dict[Stratum, int]:
    """How many positions each stratum has, the strata in order."""
    return {stratum: solved.strata.count(stratum) for stratum in sorted(set(solved.strata))}


def card(game: Game, solved: Solved, seed: int, asked: int) -> str:
    """The data card of a file of positions, in Markdown: what it holds, how it was made, and how many there are of each stratum."""
    rows = [f"| {stratum} | {number} |" for stratum, number in counts(solved).items()]
    tests = int(solved.for_test.sum())
    return "\n".join(
        [
            f"# {len(solved.states):,} positions of {game.title} with the exact value of every legal move",
            "",
            f"Made by `ludus positions {game.spec} --count {asked} --seed {seed}` (ludus {version('ludus')}).",
            "",
            "Positions come from random games. No two of them are symmetric to each other. All strata have equal shares, as far "
            "as that many positions came up. Values are for the player to move: 1 won, 0 drawn, -1 lost with perfect play. "
            "A distance counts the plies to the end when the winner hurries and the loser delays; in the entry of a move that move "
            "is counted too. It is null in draws, and where the oracle knows no distances.",
            "",
            f"{tests:,} positions are for testing and {len(solved.states) - tests:,} for training. A hash of the position up to "
            "symmetry decides, so a position that is for testing here is so in every file of this game.",
            "",
            "| stratum | positions |",
            "|---|---:|",
            *rows,
            "",
        ]
    )


def _pool(
    oracle: Oracle, wanted: int, random: np.random.Generator, progress: Callable[[int, int], object]
) -> tuple[StateArray, NDArray[np.int64]]:
    """Unfinished positions within reach from random games, one of each class, and the ply at which each was found."""
    game = oracle.game
    classes, states, plies = (
        np.empty((0, game.num_words), np.uint64),
        np.empty((0, game.num_words), np.uint64),
        np.empty(0, np.int64),
    )
    while len(states) < wanted:
        met, met_plies = _random_games(game, min(max(wanted // 8, FEWEST_GAMES), MOST_GAMES), random)
        order = random.permutation(np.flatnonzero(oracle.reached(met)))
        met, met_plies = met[order], met_plies[order]
        both = np.vstack([classes, canonical(game, met)[0]])
        _, first = np.unique(both, axis=0, return_index=True)
        new = np.sort(first[first >= len(classes)]) - len(classes)
        classes, states = np.vstack([classes, both[len(classes) :][new]]), np.vstack([states, met[new]])
        plies = np.concatenate([plies, met_plies[new]])
        progress(min(len(states), wanted), wanted)
        if len(new) <= FEW_NEW * max(1, len(met)):
            break
    return states[:wanted], plies[:wanted]


def _random_games(game: Game, games: int, random: np.random.Generator) -> tuple[StateArray, NDArray[np.int64]]:
    """All unfinished positions of a number of random games, and their plies."""
    states, met, plies = np.repeat(game.start[None], games, axis=0), list[StateArray](), list[NDArray[np.int64]]()
    for ply in range(min(LONGEST, game.max_plies or LONGEST)):
        met.append(states)
        plies.append(np.full(len(states), ply, np.int64))
        actions = np.empty(len(states), np.int64)
        keys = random.integers(0, 2**64, len(states), np.uint64)
        choices = np.empty((len(states), game.action_words), np.uint64)
        game.kernel(queries.random_actions)(states, choices, keys, actions)
        states = game.plays(states, actions)
        states = states[game.masks(states).any(axis=1)]
        if not len(states):
            break
    return np.vstack(met), np.concatenate(plies)


def _shared(strata: Sequence[Stratum], count: int, random: np.random.Generator) -> NDArray[np.int64]:
    """The rows that are taken: equal numbers of each stratum, and all of those that have fewer."""
    rows_of = dict[Stratum, list[int]]()
    for row in random.permutation(len(strata)).tolist():
        rows_of.setdefault(strata[row], []).append(row)
    taken = list[int]()
    smallest_first = sorted(rows_of, key=lambda stratum: (len(rows_of[stratum]), stratum))
    for left, stratum in zip(range(len(rows_of), 0, -1), smallest_first, strict=True):
        taken += rows_of[stratum][: -(-(count - len(taken)) // left)]
    return np.array(sorted(taken), np.int64)


def _rows_of(solved: Solved, order: NDArray[np.int64]) -> Solved:
    """Some of the positions, in this order."""
    place = np.full(len(solved.states), -1)
    place[order] = np.arange(len(order))
    kept = np.flatnonzero(place[solved.rows] >= 0)
    moves = kept[np.argsort(place[solved.rows[kept]], kind="stable")]
    return Solved(
        solved.states[order],
        solved.plies[order],
        solved.values[order],
        solved.distances[order],
        place[solved.rows[moves]],
        solved.actions[moves],
        solved.move_values[moves],
        solved.move_distances[moves],
        None if solved.move_scores is None else solved.move_scores[moves],
        [solved.strata[row] for row in order.tolist()],
        solved.for_test[order],
    )


def _scores(oracle: Oracle, states: StateArray) -> NDArray[np.int64]:
    """The score of each legal move of each position, for the player to move."""
    return np.array([solution.score for state in states for solution in oracle.after(state).values()], np.int64)


def _stratum(value: int, keeping: int, legal: int, distance: int) -> Stratum:
    share = "all" if keeping == legal else "one" if keeping == 1 else "few" if 3 * keeping <= legal else "many"
    near = next((f"<={most}" for most in DISTANCES if distance <= most), "further")
    return Stratum(value, share, "-" if distance < 0 else near)


def _is_for_test(game: Game, states: StateArray) -> NDArray[np.bool_]:
    """Which positions are for testing, by a hash of their class (the finalizer of MurmurHash3, word by word)."""
    mixed = np.zeros(len(states), np.uint64)
    for word in canonical(game, states)[0].T:
        mixed ^= word
        for shift, factor in ((33, 0xFF51AFD7ED558CCD), (33, 0xC4CEB9FE1A85EC53), (33, 1)):
            mixed ^= mixed >> np.uint64(shift)
            mixed *= np.uint64(factor)
    return mixed < np.uint64(TEST_SHARE * 2**64)


def _or_none(distance: int) -> int | None:
    return None if distance < 0 else distance
