"""The edges of one-player problems: streams that must not meet, settings and files that cannot be, sizes, and starts that count."""

import numpy as np
import pytest

from ludus.agents.puzzles import make_solver
from ludus.envs.puzzles import make_puzzle

# ---- instances


@pytest.mark.parametrize("seed", [0, 7, 42])
def test_a_solver_with_the_instances_seed_does_not_draw_the_instance(seed):
    hidden = make_puzzle("bitstring:order=10", hidden=seed)
    first = hidden.drawn(np.random.default_rng(seed), 1)[0]
    assert 0.4 < (first == hidden.perfect).mean() < 0.6
    assert make_solver("annealing:calls=20", hidden).solve(seed).worth < 1
    cover, share = make_puzzle("setcover:sets=100,items=100", seed=seed), 0.1
    same = np.random.default_rng(seed).random((100, 100)) < share
    assert (cover.member & same).sum() < 2 * share * same.sum()
    table, draw = make_puzzle("portfolio", seed=seed).table, np.random.default_rng(seed)
    assert (table.risk == draw.permutation(np.sort(table.risk))).mean() < 0.1
