"""Where a policy errs: by how far the win is away, and by how often positions come up in its own games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ludus.agents.policy import Policy
from ludus.arena.grading.decisions import Decisions, Judged
from ludus.oracles import make_oracle
from ludus.oracles.statespace.canonical import canonical

DISTANCES = (1, 2, 4, 8, 16)
"""The least number of plies that the win takes in won positions of a group."""
FREQUENCIES = (0, 1, 4, 32)
"""The least number of times that positions of a group came up in a policy's games against itself."""


def errors_by_distance(policy: Policy, decisions: Decisions, judged: Judged) -> list[list[int]]:
    """For won positions by the plies that the win takes, where the oracle knows them: rows of the least number of plies, how many
    moves were judged, and in how many the win was lost; none if it knows none."""
    won = judged.before == 1
    distances = make_oracle(policy.game).distances(decisions.states[judged.rows[won]])
    known = distances >= 0
    return count_errors(DISTANCES, distances[known], judged.value_lost[won][known] > 0) if known.any() else []


def errors_by_frequency(policy: Policy, decisions: Decisions, judged: Judged, own: Decisions) -> list[list[int]]:
    """For positions by how often they come up in the policy's games against itself, up to symmetry: rows of the least number of
    times, how many different ones it met against random play in which there was value to lose, and in how many it lost some."""
    game, undecided = policy.game, judged.before >= 0
    times = Counter(map(bytes, canonical(game, own.states)[0]))
    met = canonical(game, decisions.states[judged.rows[undecided]])[0]
    wrong = dict.fromkeys(map(bytes, met), False)
    for position, lost in zip(map(bytes, met), judged.value_lost[undecided].tolist(), strict=True):
        wrong[position] |= lost > 0
    return count_errors(FREQUENCIES, [times[position] for position in wrong], [*wrong.values()])


def count_errors(least: Sequence[int], numbers: ArrayLike, errors: ArrayLike) -> list[list[int]]:
    """For each group of numbers: its least, how many there are, and how many are errors."""
    groups = np.searchsorted(least, numbers, side="right") - 1
    counts = (np.bincount(groups, part, len(least)).astype(int).tolist() for part in (None, errors))
    return [[*row] for row in zip(least, *counts, strict=True)]
