"""What a policy's games show: its results, and where it errs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from ludus.agents.policy import Policy
from ludus.arena.grading.decisions import Decisions, Judged, decisions_of
from ludus.arena.grading.sampled import Grade
from ludus.arena.planning.planning import make_plan
from ludus.arena.planning.schedule import play_plan
from ludus.arena.ratings.score import Score
from ludus.oracles import make_oracle
from ludus.oracles.statespace.canonical import canonical

from .runs import SEED

FREQUENCIES = (0, 1, 4, 32)
"""The least number of times that positions of a group came up in a policy's games against itself."""


def played(policy: Policy, against: str | None, count: int) -> tuple[Score, Decisions]:
    """Games of a policy against another from the start, or, with random plies first, against itself; and its decisions in them."""
    game = policy.game
    meeting = {"against": [against], "opening_plies": 0} if against else {"self_play": True}
    plan, cast = make_plan([game], [policy], count, seed=SEED, **meeting)  # pyright: ignore[reportArgumentType]
    score, parts = Score.empty(plan.pairings[0]), list[Decisions]()
    for pairing, games in play_plan(plan, cast, lambda _: np.arange(count), stored=False):
        score += Score.of(pairing, games)
        parts += [decisions_of(game, games, first) for first in ((True,) if against else (True, False))]
    return score, Decisions.concatenate(game, parts)


def by_ply(sampled: Grade) -> str:
    """For each ply at which moves were graded: how many, and the value that they lost."""
    rows = zip(sampled.graded.tolist(), sampled.lost.tolist(), strict=True)
    return written((ply, *row) for ply, row in enumerate(rows) if row[0])


def by_distance(policy: Policy, decisions: Decisions, judged: Judged) -> str:
    """For each distance to a win that the oracle knows: how many moves were graded there, and in how many the win was lost."""
    won = judged.before == 1
    distances = make_oracle(policy.game).distances(decisions.states[judged.rows[won]])
    counts, errors = Counter(distances.tolist()), Counter(distances[judged.lost[won] > 0].tolist())
    return written((distance, counts[distance], errors[distance]) for distance in sorted(counts) if distance >= 0)


def by_frequency(policy: Policy, decisions: Decisions, judged: Judged, own: Decisions) -> str:
    """For positions by how often they come up in the policy's games against itself, up to symmetry: how many different ones it met
    against random play in which there was value to lose, and in how many it lost some."""
    game, undecided = policy.game, judged.before >= 0
    times = Counter(map(bytes, canonical(game, own.states)[0]))
    met = canonical(game, decisions.states[judged.rows[undecided]])[0]
    wrong = dict.fromkeys(map(bytes, met), False)
    for position, lost in zip(map(bytes, met), judged.lost[undecided].tolist(), strict=True):
        wrong[position] |= lost > 0
    groups = np.searchsorted(FREQUENCIES, [times[position] for position in wrong], side="right") - 1
    counts, errors = (np.bincount(groups, part, len(FREQUENCIES)) for part in (None, [*wrong.values()]))
    return written(zip(FREQUENCIES, counts.astype(int).tolist(), errors.astype(int).tolist(), strict=True))


def written(rows: Iterable[Iterable[int]]) -> str:
    """Rows of whole numbers in one line."""
    return ", ".join(" ".join(map(str, row)) for row in rows)


def read(text: str) -> list[list[int]]:
    """The rows in a line."""
    return [[int(number) for number in row.split()] for row in text.split(", ")] if text else []


def rounded(value: Any) -> Any:
    """A number with six digits; others as they are."""
    return round(value, 6) if isinstance(value, float) else value
