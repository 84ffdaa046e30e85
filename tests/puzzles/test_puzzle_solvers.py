"""Solvers of one-player problems: against published numbers, against slow twins, against each other, and against what is proven."""

from functools import cache
from itertools import pairwise
from statistics import median

import numpy as np
import pytest

from ludus.baselines.evolution.contest import seed_global_random
from ludus.puzzles import make_puzzle, make_solver, puzzle_names, solvers_for
from ludus.puzzles.genetic import RankedAnswers, cut_small_weights, original_fitness
from ludus.puzzles.searches import HEURISTICS

from ..naive import puzzles as naive

pytest.importorskip("deap")
pytest.importorskip("scipy")

COURSE = {5: 5, 10: 10, 20: 23}
"""The least number of elements in a cover of the course's instance with so many items, seed 42; proven."""
ADMISSIBLE = ("none", "largest", "shares")
SMALL = {"setcover": "setcover:items=20", "bitstring": "bitstring:bits=40,order=2", "portfolio": "portfolio:stocks=100,held=10"}
PAIRS = [(puzzle, solver) for puzzle in puzzle_names() for solver in solvers_for(puzzle)]
LIMITED = {"tabu": "tabu:calls=60", "annealing": "annealing:calls=200", "genetic": "genetic:calls=400", "local": "local:calls=300"}


def solved(solver, puzzle, seed=0):
    return make_solver(solver, puzzle).solve(seed)


# ---- what holds for all


@pytest.mark.parametrize(("name", "solver"), PAIRS)
def test_a_solver_finds_the_same_for_a_seed_and_says_what_it_is_worth(name, solver):
    puzzle, spec = make_puzzle(SMALL[name]), LIMITED.get(solver, solver)
    first, again = solved(spec, puzzle, 3), solved(spec, puzzle, 3)
    assert np.array_equal(first.answer, again.answer)
    assert (first.worth, first.calls, first.counts) == (again.worth, again.calls, again.counts)
    assert puzzle.worth(first.answer) == pytest.approx(first.worth)
    assert first.steps[-1].worth == first.worth
    assert [step.worth for step in first.steps] == sorted({step.worth for step in first.steps})
    assert first.calls >= first.steps[-1].calls


@pytest.mark.parametrize("solver", ["annealing:calls=77", "genetic:calls=150,population=40,offspring=40", "tabu:calls=33"])
def test_a_solver_asks_no_more_often_than_it_may(solver):
    puzzle = make_puzzle("setcover:items=30")
    asked = []
    made = make_solver(solver, puzzle)
    object.__setattr__(puzzle, "worths", lambda answers: asked.append(len(answers)) or type(puzzle).worths(puzzle, answers))
    assert made.solve().calls == made.calls == sum(asked)


# ---- covers


@pytest.mark.parametrize(("items", "cost"), [(5, 5), (10, 13), (20, 46)])
def test_plain_greedy_by_length_comes_to_what_it_came_to_in_the_course(items, cost):
    assert solved("greedy:by=length", f"setcover:items={items},instance=course").worth == -cost


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("items", COURSE)
def test_astar_is_optimal_on_the_courses_instances(items, heuristic):
    found = solved(f"astar:heuristic={heuristic}", f"setcover:items={items},instance=course")
    assert found.worth == -COURSE[items]
    assert found.proven


@pytest.fixture(scope="module")
def random_covers():
    """Forty random instances, with costs of three kinds, and what HiGHS finds."""
    specs = [f"setcover:items={12 + k % 9},sets=30,density=0.2,power={k % 3 / 2},seed={k}" for k in range(60)]
    puzzles = []
    for spec in specs:
        try:
            puzzles.append(make_puzzle(spec))
        except ValueError:  # an item is in no set
            continue
    return [(puzzle, solved("exact", puzzle)) for puzzle in puzzles[:40]]


@pytest.fixture(scope="module")
def searched(random_covers):
    """What A* finds with a heuristic in one of these instances; each search is made once."""
    return cache(lambda heuristic, place: solved(f"astar:heuristic={heuristic}", random_covers[place][0]))


def test_the_exact_solver_astar_and_trying_everything_agree(random_covers, searched):
    assert len(random_covers) == 40
    for place, (puzzle, exact) in enumerate(random_covers):
        assert exact.proven
        for heuristic in ADMISSIBLE:
            found = searched(heuristic, place)
            assert (found.worth, found.bound) == (pytest.approx(exact.worth, abs=1e-6), pytest.approx(exact.worth, abs=1e-6))
        if place < 9:
            assert naive.cheapest_cover(puzzle.member, puzzle.costs) == pytest.approx(-exact.worth)


def test_the_more_a_heuristic_knows_the_fewer_nodes_it_takes(searched):
    dijkstra, largest, shares = (sum(searched(heuristic, place).counts["nodes"] for place in range(40)) for heuristic in ADMISSIBLE)
    assert shares < largest < dijkstra
    assert shares * 10 < dijkstra


@pytest.mark.parametrize("solver", ["tabu:calls=300", "annealing:calls=1000", "genetic:calls=1000"])
def test_searchers_find_the_best_cover_of_a_small_instance(solver):
    assert solved(solver, "setcover:items=20,instance=course").worth == -23


# ---- strings

ORIGINALS = {1: 1217, 2: 6302, 5: 30_010, 10: 30_010}
"""How many calls the course's projects needed by order; with 5 and 10 they failed, at 0.6 and 0.38."""


@pytest.mark.parametrize("order", ORIGINALS)
@pytest.mark.parametrize("hidden", ["none", "1"])
def test_probing_solves_the_black_box_in_fewer_calls_than_the_originals_knowing_or_not_what_is_right(order, hidden):
    found = [solved("probe", f"bitstring:order={order},hidden={hidden}", seed) for seed in range(11)]
    assert [one.worth for one in found] == [1.0] * 11
    assert median(one.calls for one in found) < ORIGINALS[order]
    assert max(one.calls for one in found) < (300 if order == 1 else 1100)


def test_tabu_search_goes_to_the_best_of_its_neighbours_and_does_not_flip_a_bit_back():
    puzzle, asked = make_puzzle("bitstring:bits=30"), []
    object.__setattr__(puzzle, "worths", lambda answers: asked.append(answers.copy()) or type(puzzle).worths(puzzle, answers))
    made = make_solver("tabu:calls=700,neighbours=30,tenure=5", puzzle)
    assert made.solve().worth == 1.0
    steps = [asked[0][0], *(answers[type(puzzle).worths(puzzle, answers).argmax()] for answers in asked[1:])]
    flipped = [int(np.flatnonzero(one != other)[0]) for one, other in pairwise(steps)]
    assert [len(answers) for answers in asked[1:7]] == [30, 29, 28, 27, 26, 25]
    assert all(len({*flipped[i : i + 6]}) == len(flipped[i : i + 6]) for i in range(len(flipped)))


@pytest.mark.parametrize("spec", ["order=25,hidden=1", "bits=1", "bits=2,hidden=2", "bits=90,order=9,hidden=2"])
def test_probing_solves_strings_of_any_length_and_asks_again_about_bits_that_lag_too_far_to_tell(spec):
    assert [solved("probe", f"bitstring:{spec}", seed).worth for seed in range(5)] == [1.0] * 5


# ---- portfolios


def test_the_genetic_algorithm_finds_portfolios_that_keep_the_rules_in_fewer_generations_than_the_original():
    # there 29 to 389 where any was found
    generations = [solved("genetic:goal=0", "portfolio", seed).counts["generations"] for seed in range(11)]
    assert max(generations) <= 20
    assert median(generations) <= 10


def test_the_genetic_algorithm_comes_near_to_the_best_portfolio():
    puzzle = make_puzzle("portfolio")
    exact = solved("exact", puzzle)
    assert exact.proven
    assert exact.worth == pytest.approx(16.1162, abs=1e-4)
    assert 0.95 * exact.worth < solved("genetic:calls=3000", puzzle).worth < exact.worth


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("most_risk", [0.3, 0.6])
def test_the_exact_portfolio_is_the_best_of_all_that_can_be_tried(seed, most_risk):
    puzzle = make_puzzle("portfolio", stocks=12, held=3, smallest=0.05, least_return=0.0, most_risk=most_risk, seed=seed)
    table = puzzle.table
    best = naive.best_return(table.risk.tolist(), table.earned.tolist(), 3, 0.05, most_risk)
    found = solved("exact", puzzle)
    assert found.worth == pytest.approx(best, abs=1e-6)
    relaxed = solved("exact:relaxed=true", puzzle)
    assert relaxed.answer is None
    assert relaxed.bound >= found.worth - 1e-9


# ---- the presets that the puzzles grew from: what their parts do, and the figures that they reached

ROWS = {"original": "local:preset=original", "ten": "local:preset=original,population=10,tournament=10"}
"""With the population that was described; and with one of ten, of which the reported 30,010 calls are 10 + 1000 · 30."""
LITTLE = "portfolio:stocks=40,held=5,smallest=0.0025,least_return=8"
"""A puzzle in which a weight of 1 / 400 or more is what the threshold leaves of 40 stocks."""


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


def test_patience_ends_a_search_after_so_many_calls_and_a_search_of_generations_with_the_generation():
    puzzle = "bitstring:bits=100,order=5"
    stale, bred = solved("annealing:calls=5000,patience=40", puzzle, 2), solved("genetic:calls=9000,patience=130", puzzle)
    assert stale.worth < 1
    assert stale.calls == stale.steps[-1].calls + 40
    assert solved("annealing:calls=5000", puzzle, 2).calls == 5000
    assert bred.calls % 100 == 0
    assert 130 <= bred.calls - bred.steps[-1].calls < 230


# ---- bad input


@pytest.mark.parametrize(
    ("solver", "puzzle", "words"),
    [
        ("astar", "bitstring", "'astar' solves setcover, not bitstring; there are: tabu, annealing, genetic, local, probe"),
        (3, "setcover", "3 is not a solver; give one, or its spec"),
        ("astr", "setcover", "there is no solver 'astr'; did you mean 'astar'"),
        ("genetic:elites=200", "setcover", "elites is 200"),
        ("genetic:offspring=10", "setcover", "must fill a population of 100"),
        ("local:preset=orignal", "bitstring", "the solver 'local' has no preset 'orignal'; did you mean 'original'"),
        ("tabu:tenure=20", "bitstring:bits=20", "tenure is 20; it must be less than the 20 bits"),
        ("genetic:carry=100", "setcover", "carry is 100; it must be less than the population of 100"),
        ("genetic:repair=mutated", "setcover", "has no setting 'repair'"),
    ],
)
def test_invalid_solvers_are_refused(solver, puzzle, words):
    with pytest.raises(ValueError, match=words):
        make_solver(solver, puzzle)
