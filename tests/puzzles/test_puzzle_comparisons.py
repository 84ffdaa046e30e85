"""Solvers side by side: medians, bounds and distances, and how the table, the JSON, the page and the command show them."""

import json
import re

import pytest

from ludus.cli.commands.puzzle import USUAL, command_of
from ludus.puzzles import SolverResult, make_puzzle, make_solver, puzzle_names
from ludus.puzzles.comparison import Row, SolverComparison, compare, reference, table
from ludus.puzzles.page import puzzle_page
from ludus.puzzles.puzzle import id_of

pytest.importorskip("deap")
pytest.importorskip("scipy")

COURSE = "setcover:items=20,instance=course"
HUNDRED = "setcover:items=100,instance=course"


@pytest.fixture(scope="module")
def comparison():
    return compare(COURSE, ["greedy", "annealing:calls=100", "astar:nodes=1", "exact"], seeds=3, seed=5)


def compared(puzzle, *worths, bound=None):
    """A comparison of solvers that found one answer each, of these worths."""
    puzzle = make_puzzle(puzzle)
    answer = make_solver("genetic:calls=1", puzzle).solve().answer
    rows = [Row(f"by {worth}", worth, 1, 1, 0.0, (SolverResult(answer, worth, 1, 0.0, (), bound),)) for worth in worths]
    return SolverComparison(puzzle, 1, 0, tuple(rows))


# ---- numbers


def test_a_comparison_has_medians_and_distances_from_the_proven_best(comparison):
    greedy, annealing, given_up, exact = comparison.rows
    assert [len(row.results) for row in comparison.rows] == [1, 3, 1, 1]  # those without random numbers run once
    assert (comparison.bound, comparison.best[1]) == (-23, -23)
    assert (greedy.worth, greedy.calls, greedy.proven) == (-30, 1, False)
    assert comparison.distance(greedy.worth) == pytest.approx(7 / 23)
    assert annealing.worth == sorted(found.worth for found in annealing.results)[1]
    assert (given_up.worth, given_up.reached, comparison.distance(given_up.worth)) == (float("-inf"), None, None)
    assert (exact.worth, exact.proven) == (-23, True)


def test_a_bound_that_nothing_reaches_is_not_called_the_best():
    loose, tight = compared(HUNDRED, -171.0, bound=-100.0), compared(HUNDRED, -171.0, -100.0, bound=-100.0)
    assert (loose.best[1], loose.proven, reference(loose)) == (-171, False, "from the bound")
    assert (tight.best[1], tight.proven, reference(tight)) == (-100, True, "from the best")
    page = puzzle_page(loose)
    assert "<dt>best cost found</dt><dd>171</dd>" in page
    assert "<dt>nothing is better than</dt><dd>100</dd>" in page
    assert "from the best" not in page
    assert "from the bound" in table(loose)


def test_calls_are_counted_to_the_goal_of_the_puzzle():
    string = compare("bitstring:bits=40", ["probe", "annealing:calls=5"])
    assert string.puzzle.goal == 1.0
    assert string.rows[0].reached == string.rows[0].calls > 1
    assert string.rows[1].reached is None
    assert "to value 1" in table(string)
    assert "to keep the rules" in table(compare("portfolio", ["genetic:calls=1500", "exact"]))
    assert not any(head.startswith("to ") for head in table(compare(COURSE, ["greedy", "exact"])))


def test_generations_and_answers_of_a_population_are_counted():
    solvers = ["genetic:calls=900,population=50,offspring=50,elites=5", "tabu:calls=61", "probe"]
    found = compare("bitstring:bits=90,order=3", solvers)
    (bred,), (walked,), _ = (row.results for row in found.rows)
    first = -(-(bred.steps[-1].calls - 50) // 50)  # after the fifty that it began with, fifty in each generation
    shown = table(found)
    assert shown["generation of the best"] == [str(first), str(-(-(walked.steps[-1].calls - 1) // 10)), ""]
    assert shown["generations"] == ["17", "6", ""]
    assert shown["population"] == ["50", "1", ""]
    assert 0 < first < 17


# ---- the page


def test_the_page_shows_what_the_table_does_and_needs_no_other_file(comparison):
    page, shown = puzzle_page(comparison, command=command_of(comparison)), table(comparison)
    assert re.findall(r'<th scope="col">([^<]*)</th>', page) == [*shown]
    cells = [re.findall(r"<td>([^<]*)</td>", line) for line in re.findall(r'<tr><th scope="row">.*</tr>', page)]
    assert cells == [[*row[1:]] for row in zip(*shown.values(), strict=True)]
    assert all(f"</span>{row.solver}</th>" in page for row in comparison.rows)
    assert page.count('<svg class="plot"') == 3
    assert "greedy: cost 30 after 1 call" in page
    assert "nothing is better than 23" in page
    assert "--seeds 3 --seed 5" in page
    assert not re.findall(r'(?:src|href)="(?!#|data:)', page)
    assert "no answer" in puzzle_page(compare(COURSE, ["astar:nodes=1,heuristic=missing"]))


# ---- the command


def test_the_command_prints_one_document_and_writes_the_page(document, tmp_path):
    page = tmp_path / "page.html"
    found = document("puzzle", COURSE, "--solvers", "greedy", "exact", "--seeds", 2, "--seed", 1, "--report", page)
    greedy, exact = found["solvers"]
    assert (found["puzzle"], found["bound"], found["seeds"], found["seed"]) == (COURSE, 23.0, 2, 1)
    assert (greedy["cost"], greedy["calls"], greedy["proven"]) == (30.0, 1, False)
    assert (exact["cost"], exact["distance"], exact["proven"]) == (23.0, 0.0, True)
    assert -make_puzzle(COURSE).worth([number in exact["best"] for number in range(34)]) == 23
    assert json.dumps(found, allow_nan=False)
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_proof_that_nothing_keeps_the_rules_is_a_result(run, document):
    words = ("puzzle", "portfolio:least_return=16.47", "--solvers", "genetic:calls=200", "exact")
    status, out, err = run(*words)
    assert (status, err) == (0, "")
    assert re.search(r"exact +none .*proven", out)
    assert "It is proven that nothing keeps the rules" in out
    found = document(*words)
    assert (found["bound"], found["impossible"]) == (None, True)
    assert {(row["return"], trial["return"]) for row in found["solvers"] for trial in row["trials"]} == {(None, None)}
    assert [row["proven"] for row in found["solvers"]] == [False, True]


def test_every_puzzle_has_usual_solvers_and_is_listed(run, document):
    assert all(make_solver(solver, puzzle) for puzzle, solvers in USUAL.items() for solver in solvers)
    listed = {puzzle["name"]: puzzle for puzzle in document("list")["puzzles"]}
    assert [*listed] == [*USUAL] == [*puzzle_names()]
    assert listed["portfolio"]["settings"]["held"] == "30"
    assert listed["setcover"]["solvers"] == ["greedy", "astar", "tabu", "annealing", "genetic", "exact"]
    assert all(id_of(name) in run("list")[1] for name in puzzle_names())
