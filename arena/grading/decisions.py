"""A policy's decisions in games that were played, and what they cost: the value of each position before the action and after it.

Values come from the game's oracle; decisions that it does not reach are left out. Positions differ in what can be lost there: where
most moves keep the value, a random player looks strong. Over the loss of random moves in the same positions (`RelativeLoss`),
perfect play is 0 and random play 1 in every game, so these numbers can be compared between games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.numbers import seed_of, whole
from ...games.game import Game, StateArray
from ...oracles import OUT_OF_REACH, Oracle
from ...oracles.values import is_searched, quick_oracle, values_around
from ...records.game import start_of
from ..matches.games import GameRecord, PlayedGames
from ..quantities import Quantity, cells_of, count, decimals, headings, in_order, numbers_of, shares_in_percent
from ..ratings.intervals import tails
from ..ratings.means import draw_weights, resample_ratio

Floats: TypeAlias = NDArray[np.float64]
Valued: TypeAlias = Callable[[StateArray, NDArray[np.int64]], NDArray[np.int8]]
"""From positions (B, W) and an action in each (B,) to the values after it, for the player who takes it (B,): 1, 0 or -1."""


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


# ---- value lost, over what random moves lose


def losses_of_actions(
    game: Game, states: StateArray, after: Valued, undecided: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """The value that each legal action loses against the best one.

    Args:
        game: the game and variant.
        states: unfinished positions (N, W).
        after: gives the values after actions.
        undecided: the value that a position counts as whose value is not known; None to leave it unknown.

    Returns:
        The rows of the positions and the actions (M,) (M,), and what they lose (M,): 0, 1 or 2; NaN for all actions of a position
        if the value after one of them is not known.
    """
    rows, actions = np.nonzero(game.masks(states))
    values = after(states[rows], actions).astype(np.float64)
    values[values == OUT_OF_REACH] = np.nan if undecided is None else undecided
    best = np.full(len(states), -1.0)
    with np.errstate(invalid="ignore"):
        np.maximum.at(best, rows, values)  # NaN where one of them is
    return rows, actions, best[rows] - values


def values_after(oracle: Oracle) -> Valued:
    """Gives the values after actions as an oracle knows them."""
    return lambda states, actions: oracle.action_values(states, actions).values


@dataclass(frozen=True)
class RelativeLoss:
    """The value that a policy's moves lost, over what random moves lose in the same positions.

    Args:
        lost: the value lost a graded move (0 to 2).
        floor: what a random move loses in the same positions, on average.
        low, high: the 95 % interval of `share`.
        moves: how many moves the policy made.
        graded: how many of them were graded.
        known: the share of its moves that can be graded: of all moves in their positions the value is known.
        first_ply: the first ply at which one was graded; None if none was.
    """

    lost: float
    floor: float
    low: float
    high: float
    moves: int
    graded: int
    known: float
    first_ply: int | None

    @property
    def share(self) -> float:
        """`lost` over `floor`: 0 for perfect play, about 1 for random play; NaN where nothing could be lost."""
        return self.lost / self.floor if self.floor else math.nan

    @property
    def bounds(self) -> str | None:
        """The interval of `share` in words; None where nothing could be lost."""
        return None if math.isnan(self.low) else f"{self.low:.2f} to {self.high:.2f}"

    def cells(self) -> list[str]:
        """The numbers as a row of a table, for LOSS_COLUMNS."""
        return cells_of(self, LOSS_QUANTITIES)

    def document(self) -> dict[str, Any]:
        """The numbers for JSON, None where there are none."""
        numbers = numbers_of(self, in_order("share lost floor low high moves graded known first_ply"))
        return {name: None if isinstance(number, float) and math.isnan(number) else number for name, number in numbers.items()}

    def columns(self) -> dict[str, Any]:
        """The share and its bounds as columns of a frame."""
        return {f"loss_{name}": number for name, number in numbers_of(self, in_order("share low high graded")).items()}


LOSS_QUANTITIES = (
    Quantity("share", "lost / random's", decimals(2)),
    Quantity("bounds", "95 %"),
    Quantity("lost", "lost", decimals(3)),
    Quantity("floor", "random's", decimals(3)),
    Quantity("graded", "graded", count),
    Quantity("known", "can be graded %", shares_in_percent(0)),
    Quantity("first_ply", "from ply"),
)
LOSS_COLUMNS = headings(LOSS_QUANTITIES)
"""The heads of `RelativeLoss.cells`."""


def relative_loss(
    game: Game,
    decisions: Decisions,
    openings: NDArray[np.int64],
    oracle: Oracle,
    *,
    most: int,
    seed: int = 0,
    undecided: int | None = None,
) -> RelativeLoss:
    """Compares the moves of a policy with random ones, in a sample of the positions in which it made them.

    Args:
        game: the game and variant.
        decisions: its moves (M).
        openings: the opening of each move's game (M,). Games with the same opening are alike, so the interval resamples openings,
            by the Bayesian bootstrap.
        oracle: knows the values.
        most: how many moves are graded at most.
        seed: draws those, and the resamples.
        undecided: as for `losses_of_actions`.
    """
    random, reached = np.random.default_rng(seed), np.flatnonzero(can_be_judged(game, decisions, oracle))
    sample = np.sort(random.choice(reached, min(most, len(reached)), replace=False))
    rows, actions, losses = losses_of_actions(game, decisions.states[sample], values_after(oracle), undecided)
    lost = losses[actions == decisions.actions[sample][rows]]
    floors = mean_by_position(rows, losses, len(sample))
    known = np.isfinite(floors)
    sample, sums = sample[known], np.stack([lost[known], floors[known]], axis=1)
    _, clusters = np.unique(openings[sample], return_inverse=True)
    by_opening = np.stack([np.bincount(clusters.reshape(-1), column) for column in sums.T], axis=1).astype(np.float64)
    low = high = math.nan
    if floors[known].any():
        weights = draw_weights(len(by_opening), random)
        low, high = np.quantile(resample_ratio(weights, by_opening[:, 0], by_opening[:, 1]), tails(0.95)).tolist()
    lost_a_move, floor_a_move = (sums.sum(axis=0) / max(1, len(sums))).tolist()
    return RelativeLoss(
        lost=lost_a_move,
        floor=floor_a_move,
        low=low,
        high=high,
        moves=len(decisions.states),
        graded=len(sample),
        known=len(reached) / max(1, len(decisions.states)) * float(known.mean()) if len(known) else 0.0,
        first_ply=int(decisions.plies[sample].min()) if len(sample) else None,
    )
