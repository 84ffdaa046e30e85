"""`Analysis`: what a policy thinks of positions, besides the action that it plays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

UNPROVEN = 2
"""What `Analysis.proofs` says of an action that is not proven."""
LONGEST_LINE = 16
"""Plies of a principal variation."""


@dataclass(frozen=True)
class Analysis:
    """What a policy thinks of positions; a field is None where the policy does not compute it.

    All numbers are for the player to move, and 0 or NaN for illegal actions.

    Args:
        actions: the action that it plays (B,), int64.
        probabilities: how likely it plays each action, or each action's share of its search (B, A), float64.
        priors: the probability that a network gives each action before any search (B, A), float64.
        prior_values: the network's value of each position before any search (B,), float64, from -1 to 1.
        values: the value of each position (B,), float64, from -1 to 1.
        action_values: the value of each action (B, A), float64, from -1 to 1; NaN where it is not known.
        visits: simulations that began with each action (B, A), int64.
        evaluations: the evaluation after each action (B, A), float64, in the evaluation's own units; NaN where it is not known.
        proofs: the value of each action that the search has proven (B, A), int8: 1, 0 or -1, else UNPROVEN.
        lines: the principal variation (B, L), int64: the action that it plays, the reply that it expects, …; -1 after its end.
    """

    actions: NDArray[np.int64]
    probabilities: NDArray[np.float64] | None = None
    priors: NDArray[np.float64] | None = None
    prior_values: NDArray[np.float64] | None = None
    values: NDArray[np.float64] | None = None
    action_values: NDArray[np.float64] | None = None
    visits: NDArray[np.int64] | None = None
    evaluations: NDArray[np.float64] | None = None
    proofs: NDArray[np.int8] | None = None
    lines: NDArray[np.int64] | None = None
