"""The presets of the solvers that the puzzles grew from: what their parts do, and the figures that they reached."""

import numpy as np
import pytest

from ludus.baselines.evolution.contest import seed_global_random
from ludus.puzzles import make_puzzle, make_solver
from ludus.puzzles.genetic import RankedAnswers, cut_small_weights, original_fitness

from ..naive import puzzles as naive

pytest.importorskip("deap")

ROWS = {"original": "local:preset=original", "ten": "local:preset=original,population=10,tournament=10"}
"""With the population that was described; and with one of ten, of which the reported 30,010 calls are 10 + 1000 · 30."""
LITTLE = "portfolio:stocks=40,held=5,smallest=0.0025,least_return=8"
"""A puzzle in which a weight of 1 / 400 or more is what the threshold leaves of 40 stocks."""


def solved(solver, puzzle, seed=0):
    return make_solver(solver, puzzle).solve(seed)


def test_the_settings_are_those_that_were_described():
    local, genetic = make_solver("local:preset=original", "bitstring"), make_solver("genetic:preset=original", "portfolio")
    found = local.population, local.offspring, local.generations, local.tournament, local.num_survivors
    assert found == (300, 30, 1000, 300, 300)
    assert (local.reorder, local.mutation, local.crossing, local.crossover) == (1, 1, 1, "subset")
    assert local.calls == 300 + 30 * 1000
    assert (genetic.population, genetic.num_survivors, genetic.num_children, genetic.generations) == (700, 70, 630, 1000)
    assert (genetic.crossing, genetic.mutation, genetic.crossover, genetic.selection) == (0.6, 0.1, "one_point", "rank")
    assert genetic.repair == "mutated"
    for spec in ("genetic:preset=original", "genetic:mutation=0.1"):  # named by the preset that leaves least to say
        assert make_solver(spec, "portfolio").spec == spec


# ---- the evolutionary local search


@pytest.mark.parametrize(
    ("rates", "ones", "changes"),
    [
        ("reorder=1,mutation=0,crossing=0", [20], range(41)),
        ("reorder=0,mutation=1,crossing=0", [19, 21], [1]),
        ("reorder=0,mutation=0,crossing=1", range(20, 41), range(1, 21)),
        ("reorder=0,mutation=0,crossing=0", [20], [0]),
    ],
)
def test_each_step_of_the_local_search_does_its_own_part(rates, ones, changes):
    made = make_solver(f"local:crossover=subset,{rates}", "bitstring:bits=40")
    parent, other, draw = np.arange(40) % 2 == 0, np.ones(40, bool), np.random.default_rng(2)
    with seed_global_random(2):
        children = [made.child(parent, other, draw) for _ in range(200)]
    assert {int(child.sum()) for child in children} <= {*ones}
    assert {int((child != parent).sum()) for child in children} <= {0, *changes}
    if rates[-2:] != "=0":
        assert any((child != parent).any() for child in children)


@pytest.mark.parametrize(("row", "fewest", "most"), [("original", 1300, 1600), ("ten", 1100, 1300)])
def test_the_preset_solves_the_plain_black_box_in_about_as_many_calls_as_the_original(row, fewest, most):
    # 1217 there; the population of 300 costs 290 calls more than one of ten
    found = [solved(ROWS[row], "bitstring", seed) for seed in range(3)]
    assert [one.worth for one in found] == [1.0] * 3
    assert fewest < min(one.calls for one in found) <= max(one.calls for one in found) < most
    assert row == "original" or min(one.calls for one in found) <= 1217 <= max(one.calls for one in found)


# ---- portfolios


def test_thresholds_and_fitness_are_the_slow_twins():
    puzzle, draw = make_puzzle(LITTLE), np.random.default_rng(0)
    weights = draw.random((50, 40)) ** 4
    table = puzzle.table
    fast = cut_small_weights(weights)
    assert (fast == 0).any()
    assert fast == pytest.approx(np.array([naive.normalised(row) for row in weights.tolist()]))
    risk, earned = table.risk.tolist(), table.earned.tolist()
    found = original_fitness(puzzle, fast)
    assert found == pytest.approx([naive.fitness(row, risk, earned, puzzle.most_risk) for row in fast.tolist()])
    kept = [naive.keeps_rules(row, risk, earned, puzzle) for row in fast.tolist()]
    assert (puzzle.worths(fast) >= 0).tolist() == kept


def test_crossed_children_of_the_original_stay_as_they_are():
    puzzle, draw = make_puzzle(LITTLE), np.random.default_rng(1)
    made = make_solver("genetic:preset=original,population=20,carry=4,mutation=0,crossing=1", puzzle)
    genes = made.draw_population(draw)
    order = np.argsort(-original_fitness(puzzle, genes))
    with seed_global_random(1):
        children = made.breed_children(RankedAnswers(genes[order], original_fitness(puzzle, genes)[order]), draw)
    assert abs(children.sum(axis=1) - 1).max() > 0.01
    assert {*children.ravel().tolist()} <= {*genes.ravel().tolist()}
    tally = made.tally(None)
    assert made.evaluate(children, tally) == pytest.approx(original_fitness(puzzle, children))
    assert tally.answer.sum() == pytest.approx(1)


def test_without_crossover_the_preset_takes_as_many_generations_as_the_original():
    found = [solved("genetic:preset=original,crossing=0,carry=100", "portfolio:smallest=0.00025", seed) for seed in range(3)]
    assert min(one.worth for one in found) >= 10
    generations = [one.counts["generations"] for one in found]
    assert min(generations) <= 29 <= max(generations)


# ---- patience


def test_patience_ends_a_search_after_so_many_calls_and_a_search_of_generations_with_the_generation():
    puzzle = "bitstring:bits=100,order=5"
    stale, bred = solved("annealing:calls=5000,patience=40", puzzle, 2), solved("genetic:calls=9000,patience=130", puzzle)
    assert stale.worth < 1
    assert stale.calls == stale.steps[-1].calls + 40
    assert solved("annealing:calls=5000", puzzle, 2).calls == 5000
    assert bred.calls % 100 == 0
    assert 130 <= bred.calls - bred.steps[-1].calls < 230
