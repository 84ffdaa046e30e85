"""Solvers side by side: the comparison, the command, and the page."""

import json
import re

import pytest

from ludus.cli.commands.puzzle import USUAL, command_of
from ludus.puzzles import make_puzzle, puzzle_names
from ludus.puzzles.comparison import compare
from ludus.puzzles.page import puzzle_page
from ludus.puzzles.problems.registry import id_of

pytest.importorskip("deap")
pytest.importorskip("scipy")

COURSE = "setcover:items=20,instance=course"


@pytest.fixture(scope="module")
def comparison():
    return compare(COURSE, ["greedy", "annealing:calls=100", "astar:nodes=1", "exact"], seeds=3, seed=5)


def test_a_comparison_has_medians_and_distances_from_the_proven_best(comparison):
    greedy, annealing, given_up, exact = comparison.rows
    assert comparison.bound == -23
    assert (greedy.worth, greedy.calls, greedy.proven) == (-30, 1, False)
    assert comparison.distance(greedy.worth) == pytest.approx(7 / 23)
    assert annealing.worth == sorted(found.worth for found in annealing.found)[1]
    assert (given_up.worth, given_up.reached, comparison.distance(given_up.worth)) == (float("-inf"), None, None)
    assert (exact.worth, exact.proven) == (-23, True)


def test_without_a_proof_there_is_no_distance():
    comparison = compare(COURSE, ["greedy"])
    assert comparison.bound is None
    assert comparison.distance(-30) is None
    assert compare("bitstring:bits=20", ["probe"]).bound == 1.0


@pytest.mark.parametrize(("solvers", "seeds", "told"), [
    ([], 1, r"the solvers \(none\) are given; give 1 or more"),
    (["greedy"], 0, "seeds is 0; it must be a whole number from 1"),
    (["greedy", "greedy:by=gain"], 1, "none twice"),
])  # fmt: skip
def test_comparisons_of_nothing_are_refused(solvers, seeds, told):
    with pytest.raises(ValueError, match=told):
        compare(COURSE, solvers, seeds=seeds)


def test_the_page_shows_every_solver_and_needs_nothing_beside_it(comparison):
    page = puzzle_page(comparison, command=command_of(comparison))
    for row in comparison.rows:
        assert f"</span>{row.solver}</th>" in page
    assert page.count('<svg class="plot"') == 3
    assert "nothing is better than 23" in page
    assert "Content-Security-Policy" in page
    assert not re.findall(r'(?:src|href)="(?!#|data:)', page)
    assert "--seeds 3 --seed 5" in page


def test_the_page_of_solvers_that_found_nothing_says_so():
    page = puzzle_page(compare(COURSE, ["astar:nodes=1,heuristic=missing"]))
    assert "no answer" in page


# ---- the command


def test_the_command_prints_one_document_and_writes_the_page(document, tmp_path):
    page = tmp_path / "page.html"
    told = document("puzzle", COURSE, "--solvers", "greedy", "exact", "--seeds", 2, "--seed", 1, "--report", page)
    greedy, exact = told["solvers"]
    assert (told["puzzle"], told["bound"], told["seeds"], told["seed"]) == (COURSE, 23.0, 2, 1)
    assert (greedy["cost"], greedy["calls"], greedy["proven"]) == (30.0, 1, False)
    assert (exact["cost"], exact["distance"], exact["proven"]) == (23.0, 0.0, True)
    assert -make_puzzle(COURSE).worth([number in exact["best"] for number in range(34)]) == 23
    assert json.dumps(told, allow_nan=False)
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_command_prints_a_table_for_people(run):
    status, out, err = run("puzzle", COURSE, "--solvers", "greedy", "astar")
    assert (status, err) == (0, "")
    assert re.search(r"greedy +30 +30\.4 % +1", out)
    assert re.search(r"astar +23 +0\.0 % +1 +17 .*proven", out)
    assert "Nothing is better than cost 23." in out


@pytest.mark.parametrize(("words", "told"), [
    (["setcovr"], "did you mean 'setcover'"),
    (["setcover:items=50,sets=3"], "is in no set"),
    (["bitstring:order=3"], "does not divide"),
    (["portfolio", "--solvers", "astar"], "solves setcover, not portfolio"),
    (["portfolio", "--seeds", "0"], "1 or more"),
    (["setcover", "--report", "nowhere/page.html"], "its folder must be there"),
])  # fmt: skip
def test_slips_are_answered_with_a_sentence(run, words, told):
    status, out, err = run("puzzle", *words)
    assert (status, out) == (2, "")
    assert told in err


def test_the_usual_solvers_are_there_for_every_puzzle():
    assert {*USUAL} == {*puzzle_names()}
    comparison = compare(COURSE, [spec.replace("3000", "200") for spec in USUAL["setcover"] if spec != "tabu"])
    assert comparison.bound is not None


def test_list_names_the_puzzles_their_settings_and_solvers(run, document):
    listed = {puzzle["name"]: puzzle for puzzle in document("list")["puzzles"]}
    assert [*listed] == [*puzzle_names()]
    assert listed["portfolio"]["settings"]["held"] == "30"
    assert listed["setcover"]["solvers"] == ["greedy", "astar", "tabu", "annealing", "genetic", "exact"]
    _, out, _ = run("list")
    assert all(id_of(name) in out for name in puzzle_names())
