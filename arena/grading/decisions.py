"""A policy's decisions in games that were played, and what they cost: the value of each position before the action and after it.

Values come from the game's oracle; decisions that it does not reach are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import seed_of, whole
from ...games.game import Game, StateArray
from ...oracles import OUT_OF_REACH, Oracle
from ...oracles.values import is_searched, quick_oracle, values_around
from ...records.game import start_of
from ..matches.games import GameRecord, PlayedGames


class Decisions(NamedTuple):
    """M decisions of a policy.

    Args:
        states: the positions in which they were made (M, W).
        actions: the actions chosen (M,), int64.
        plies: how many actions the game had before (M,), int64.
        games: the number of the game (M,), int64.
    """

    states: StateArray
    actions: NDArray[np.int64]
    plies: NDArray[np.int64]
    games: NDArray[np.int64]

    @classmethod
    def concatenate(cls, game: Game, parts: Iterable[Decisions] = ()) -> Decisions:
        """All decisions of some parts; without parts there are none."""
        none = cls(np.zeros((0, game.num_words), np.uint64), *np.zeros((3, 0), np.int64))
        return cls(*map(np.concatenate, zip(none, *parts, strict=True)))


def decisions_in(game: Game, records: Sequence[GameRecord], policy: str | None = None) -> Decisions:
    """The decisions of a policy in some games, or of all policies, without openings.

    Args:
        game: the game and variant.
        records: the games.
        policy: the policy's name; both seats count. None for all policies.
    """
    actions = np.array([action for record in records for action in record.actions], np.int64)
    lengths = np.array([len(record.actions) for record in records], np.int64)
    openings = np.array([record.opening for record in records], np.int64)
    seats = np.array([[policy in (None, name) for name in record.players] for record in records], np.bool_).reshape(-1, 2)
    starts = np.array([start_of(game, record.start) for record in records], np.uint64).reshape(-1, game.num_words)
    return _replay(game, starts, actions, lengths, openings, seats)


def decisions_of(game: Game, played: PlayedGames, first: bool = True) -> Decisions:
    """The decisions of one of two policies in their games, without openings.

    Args:
        game: the game and variant.
        played: the games.
        first: True for the first policy, which has seat 0 in games with an even number; False for the second.
    """
    seats = (np.arange(2)[None] == (played.numbers % 2)[:, None]) == first
    decisions = _replay(game, played.starts(game), played.actions.astype(np.int64), played.plies, played.openings, seats)
    return decisions._replace(games=played.numbers[decisions.games])


def _replay(
    game: Game,
    states: StateArray,
    actions: NDArray[np.int64],
    lengths: NDArray[np.int64],
    openings: NDArray[np.int64],
    seats: NDArray[np.bool_],
) -> Decisions:
    """Plays all games again from their first states (N, W), a ply at a time, and collects the decisions of the seats (N, 2) that
    are selected; a game's number is its row."""
    starts = np.cumsum(lengths) - lengths
    parts = list[Decisions]()
    for ply in range(int(lengths.max(initial=0))):
        going = np.flatnonzero(lengths > ply)
        chosen = actions[starts[going] + ply]
        selected = (openings[going] <= ply) & seats[going, game.players(states[going])]
        rows = going[selected]
        parts.append(Decisions(states=states[rows], actions=chosen[selected], plies=np.full(len(rows), ply), games=rows))
        states[going] = game.plays(states[going], chosen)
    return Decisions.concatenate(game, parts)


BATCH = 2048
"""How many decisions are judged between two reports of progress."""
FINE = 2**30
"""Means over random actions are rounded to this part of 1, so that sums of many are exact, in any order."""


class Judged(NamedTuple):
    """Decisions whose values are known.

    Args:
        rows: which of the decisions they are (K,).
        before: the value of the position, for the player who decided (K,): 1, 0 or -1.
        after: the value of the position after the action, for the same player (K,).
        random_keeps: the probability that a random legal action keeps the value of the position (K,); nan where it is not known.
        random_loses: the value that one loses, on average (K,); nan where it is not known.
    """

    rows: NDArray[np.int64]
    before: NDArray[np.int8]
    after: NDArray[np.int8]
    random_keeps: NDArray[np.float64]
    random_loses: NDArray[np.float64]

    @property
    def value_lost(self) -> NDArray[np.int8]:
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
    """The values before and after decisions, and what random play is worth in the same positions.

    The latter is over all legal actions or, where each takes a search, by one random action for each decision.

    Args:
        game: the game and variant.
        decisions: the decisions.
        seed: draws those to judge, if not all are judged.
        most: how many are judged at most, in games where each takes a search; None for all.
        oracle: knows the values; None for the game's own, within a reach that takes some milliseconds per position.
        progress: called with how many different decisions are judged, and of how many.
    """
    seed, most = seed_of(seed), None if most is None else whole(most, "most", 1)
    oracle = oracle or quick_oracle(game)
    rows = _rows_to_judge(game, decisions, oracle, seed, most)
    random_rows, random_actions = _random_actions(game, decisions.states[rows], seed)
    every = np.concatenate([rows, rows[random_rows]]), np.concatenate([decisions.actions[rows], random_actions])
    pairs = np.column_stack([decisions.states[every[0]], every[1].astype(np.uint64)])
    different, inverse = np.unique(pairs, axis=0, return_inverse=True)
    values = np.empty((2, len(different)), np.int8)
    order = np.random.default_rng(seed).permutation(len(different))  # so that the time so far tells how long the rest takes
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        values[:, batch] = values_around(game, different[batch, :-1], different[batch, -1].astype(np.int64), oracle)
        progress(start + len(batch), len(order))
    before, after = values[:, inverse.reshape(-1)]
    known = (before != OUT_OF_REACH) & (after != OUT_OF_REACH)
    lost = np.where(known, before - after, np.nan)[len(rows) :]
    kept = np.where(np.isnan(lost), np.nan, lost == 0)
    loses, keeps = (np.round(mean_by_position(random_rows, part, len(rows)) * FINE) / FINE for part in (lost, kept))
    known = known[: len(rows)]
    return Judged(
        rows=rows[known],
        before=before[: len(rows)][known],
        after=after[: len(rows)][known],
        random_keeps=keeps[known],
        random_loses=loses[known],
    )


def mean_by_position(rows: NDArray[np.int64], numbers: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The mean of numbers of actions, over those of each position (count,): what a random one of these does there on average.

    Args:
        rows: the position of each action (M,).
        numbers: the numbers (M,); where one is NaN, the mean is.
        count: how many positions there are, each with an action at least.
    """
    return np.bincount(rows, numbers, count) / np.bincount(rows, minlength=count)


def _random_actions(game: Game, states: StateArray, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Legal actions in positions (B, W), each with the number of its position: all of them or, where values take a search, one."""
    legal = game.masks(states) != 0
    if not is_searched(game):
        rows, actions = np.nonzero(legal)
        return rows, actions
    picks = np.random.default_rng(seed).integers(legal.sum(1))
    return np.arange(len(states)), (legal.cumsum(1) > picks[:, None]).argmax(1)


def can_be_judged(game: Game, decisions: Decisions, oracle: Oracle | None = None) -> NDArray[np.bool_]:
    """Which decisions are in a position that the oracle reaches (M,); all of them where only a search can tell."""
    if not is_searched(game):
        return np.ones(len(decisions.states), np.bool_)
    reached = (oracle or quick_oracle(game)).reached(decisions.states)
    return reached if reached.any() else ~reached


def _rows_to_judge(game: Game, decisions: Decisions, oracle: Oracle, seed: int, most: int | None) -> NDArray[np.int64]:
    """The decisions to judge (D,); which ones does not depend on the order in which they are given."""
    every = np.lexsort((decisions.actions, *decisions.states.T, decisions.plies))
    if not is_searched(game):
        return every
    every = every[can_be_judged(game, decisions, oracle)[every]]
    if most is None or len(every) <= most:
        return every
    return np.random.default_rng(seed).choice(every, most, replace=False)
