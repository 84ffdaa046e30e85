"""The value that a policy's moves lose, over what random moves lose in the same positions.

Positions differ in what can be lost there: where most moves keep the value, a random player looks strong. Over the loss of random
moves in the same positions, perfect play is 0 and random play 1 in every game, so these numbers can be compared between games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game, StateArray
from ...oracles import OUT_OF_REACH, Oracle
from ..ratings.intervals import tails
from ..ratings.means import draw_weights, resample_ratio
from .decisions import Decisions, can_be_judged, mean_by_position

LOSS_COLUMNS = ["lost / random's", "95 %", "lost", "random's", "graded", "can be graded %", "from ply"]
"""The heads of `RelativeLoss.cells`."""
Floats = NDArray[np.float64]


def losses_of_actions(
    game: Game, states: StateArray, oracle: Oracle, undecided: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """The value that each legal action loses against the best one.

    Args:
        game: the game and variant.
        states: unfinished positions (N, W).
        oracle: knows the values.
        undecided: the value that a position counts as whose value the oracle does not know; None to leave it unknown.

    Returns:
        The rows of the positions and the actions (M,) (M,), and what they lose (M,): 0, 1 or 2; NaN for all actions of a position
        if the value after one of them is not known.
    """
    rows, actions = np.nonzero(game.masks(states))
    values = oracle.action_values(states[rows], actions).values.astype(np.float64)
    values[values == OUT_OF_REACH] = np.nan if undecided is None else undecided
    best = np.full(len(states), -1.0)
    with np.errstate(invalid="ignore"):
        np.maximum.at(best, rows, values)  # NaN where one of them is
    return rows, actions, best[rows] - values


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

    def cells(self) -> list[str]:
        """The numbers as a row of a table, for LOSS_COLUMNS."""
        share = "" if math.isnan(self.share) else f"{self.share:.2f}"
        bounds = "" if math.isnan(self.low) else f"{self.low:.2f} to {self.high:.2f}"
        counts = [f"{self.graded:,}", f"{100 * self.known:.0f}", "" if self.first_ply is None else str(self.first_ply)]
        return [share, bounds, f"{self.lost:.3f}", f"{self.floor:.3f}", *counts]

    def document(self) -> dict[str, Any]:
        """The numbers for JSON, None where there are none."""
        numbers = {"share": self.share, **vars(self)}
        return {name: None if isinstance(number, float) and math.isnan(number) else number for name, number in numbers.items()}

    def columns(self) -> dict[str, Any]:
        """The share and its bounds as columns of a frame."""
        return {"loss_share": self.share, "loss_low": self.low, "loss_high": self.high, "loss_graded": self.graded}


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
    rows, actions, losses = losses_of_actions(game, decisions.states[sample], oracle, undecided)
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
