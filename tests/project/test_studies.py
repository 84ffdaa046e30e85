"""Studies, which make the figures of the pages: how one is measured, and that the one of measures of strength can be made again.

test_docs.py compares the figures with the pages.
"""

import json
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau

from benchmarks.study import learning, mistakes, policies, standing
from benchmarks.study.perfect import lost_to_perfect_play
from benchmarks.study.report import STUDY
from benchmarks.study.resampling import kendall, signs_of
from ludus.agents import make_policy
from ludus.arena import grade_exact

from ..helpers.system.processes import ROOT, run


def test_pages_are_filled_where_the_libraries_that_studies_measure_are_missing():
    missing = ("torch", "stable_baselines3", "ray", "jax", "pgx", "shimmy", "pyspiel", "deap", "neat", "scipy")
    code = f"import sys; sys.modules |= dict.fromkeys({missing}); from benchmarks.runner import studies; "
    code += "print(all(study.figures() for study in studies().values()))"
    assert run("-c", code, cwd=ROOT) == "True\n"


def test_rank_correlations_are_those_of_scipy_and_of_policies_drawn_again():
    random = np.random.default_rng(0)
    x, y = random.integers(0, 6, 30).astype(float), random.integers(0, 6, 30).astype(float)  # with ties
    assert kendall(signs_of(x), signs_of(y))[0] == pytest.approx(kendalltau(x, y).statistic)
    times = random.integers(0, 3, 30)
    drawn = kendall(signs_of(x), signs_of(y), times[None].astype(np.float32))[0]
    assert drawn == pytest.approx(kendalltau(np.repeat(x, times), np.repeat(y, times)).statistic)


@pytest.mark.parametrize(("policy", "game"), [("random", "tictactoe"), ("mcts:simulations=10", "tictactoe"), ("greedy", "nim")])
def test_what_is_lost_to_perfect_play_is_what_an_exact_grade_says(policy: str, game: str):
    losses = lost_to_perfect_play(make_policy(policy, game), 10**7, sample=500, seed=3)
    lost = grade_exact(policy, game, seed=3).value_lost_per_game
    assert sum(seat.lost for seat in losses) / 2 == pytest.approx(lost, abs=1e-8)
    sampled = lost_to_perfect_play(make_policy(policy, game), 30, sample=500, seed=3)
    assert all(abs(part.lost - whole.lost) <= 4 * part.error for part, whole in zip(sampled, losses, strict=True))


# ---- before a release: the answers follow from the rows


@pytest.mark.release
@pytest.mark.parametrize(
    ("question", "find", "game"),
    [
        ("learning", learning.find_learning, "tictactoe"),
        ("mistakes", mistakes.find_mistakes, "quixo_3"),
        ("ratings", standing.find_ratings, "nim"),
    ],
)
def test_the_answers_of_the_study_follow_from_the_rows_that_the_repository_keeps(question: str, find: Any, game: str):
    policies.take_kept_rows()
    found, known = json.loads(json.dumps(policies.rounded(find(game)))), STUDY.rows()[f"{question} {game}"]
    assert same(found, known)


def same(found: Any, known: Any) -> bool:
    """Whether an answer is a known one, which may say more, up to the last digits of numbers."""
    if isinstance(found, dict):
        return all(same(part, known[name]) for name, part in found.items())
    if isinstance(found, list):
        return len(found) == len(known) and all(map(same, found, known))
    return found == (pytest.approx(known, rel=1e-3) if isinstance(known, float) else known)
