"""Comparisons of solvers, where something is lacking: answers, proofs, chance, colours; and how the table and the page say it."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from ludus.cli.commands.puzzle import _so_far
from ludus.puzzles import Found, make_puzzle, make_solver
from ludus.puzzles.comparison import Comparison, Row, compare
from ludus.puzzles.page import COLOURS, puzzle_page, table, whence

pytest.importorskip("deap")
pytest.importorskip("scipy")

COURSE = "setcover:items=20,instance=course"
HUNDRED = "setcover:items=100,instance=course"


def compared(puzzle, *worths, bound=None):
    """A comparison of solvers that found answers of these worths, a row of seeds each."""
    puzzle = make_puzzle(puzzle)
    answer = make_solver("genetic:calls=1", puzzle).solve().answer
    rows = [
        Row(f"solver{i}", sorted(row)[len(row) // 2], 1, 1, 0.0, tuple(Found(answer, worth, 1, 0.0, (), bound) for worth in row))
        for i, row in enumerate(worths)
    ]
    return Comparison(puzzle, len(worths[0]), 0, tuple(rows))


# ---- bounds


def test_a_bound_that_nothing_reaches_is_not_called_the_best():
    loose, tight = compared(HUNDRED, [-171.0], bound=-100.0), compared(HUNDRED, [-171.0], [-100.0], bound=-100.0)
    assert (loose.best.worth, loose.proven, whence(loose)) == (-171, False, "from the bound")
    assert (tight.best.worth, tight.proven, whence(tight)) == (-100, True, "from the best")
    page = puzzle_page(loose)
    assert "<dt>best found cost</dt><dd>171</dd>" in page
    assert "<dt>nothing is better than</dt><dd>100</dd>" in page
    assert "from the best" not in page
    assert {"from the bound"} <= {*table(loose)}


def test_there_are_no_shares_of_a_bound_of_nothing():
    comparison = compared(HUNDRED, [-171.0], [0.0], bound=0.0)
    assert [comparison.distance(row.worth) for row in comparison.rows] == [None, 0.0]
    assert str(comparison.document()["bound"]) == "0.0"


# ---- answers that break the rules


def test_an_answer_that_breaks_the_rules_has_no_return(document):
    told = document("puzzle", "portfolio:least_return=16", "--solvers", "genetic:calls=200", "--seeds", 2)
    (row,) = told["solvers"]
    assert (row["return"], row["calls_to_goal"], row["best"], row["distance"]) == (None, None, None, None)
    for trial in row["trials"]:
        assert (trial["return"], trial["lacks"] > 0) == (None, True)
        assert {step[2] for step in trial["steps"]} == {None}


def test_no_median_is_taken_of_what_keeps_the_rules_and_what_breaks_them():
    puzzle = make_puzzle("portfolio:stocks=40,held=4")
    worths = {0: 13.0, 1: -0.3, 2: 12.0}

    class Told(type(make_solver("genetic", puzzle))):
        def solve(self, seed=0, watch=None):
            return Found(None, worths[seed], 1, 0.0)

    rows = [compare(puzzle, [Told(puzzle)], seeds=seeds).rows[0] for seeds in (1, 2, 3)]
    assert [row.worth for row in rows] == [13.0, float("-inf"), 12.0]


def test_that_nothing_keeps_the_rules_is_an_answer_and_the_other_solvers_keep_theirs(run, document):
    words = ("puzzle", "portfolio:least_return=16.47", "--solvers", "genetic:calls=200", "exact")
    status, out, err = run(*words)
    assert (status, err) == (0, "")
    assert re.search(r"genetic:calls=200 +none +200", out)
    assert re.search(r"exact +none .*proven", out)
    assert "Nothing keeps the rules, which is proven" in out
    told = document(*words)
    assert (told["bound"], told["impossible"]) == (None, True)
    assert [row["proven"] for row in told["solvers"]] == [False, True]
    assert json.dumps(told, allow_nan=False)
    page = puzzle_page(compare(words[1], words[3:]))
    assert "Nothing keeps the rules" in page
    assert "<dt>nothing is better than</dt><dd>none</dd>" in page


# ---- what is told


def test_calls_are_counted_to_what_the_puzzle_asks_for():
    string = compare("bitstring:bits=40", ["probe", "annealing:calls=5"])
    assert string.goal == 1.0
    assert string.rows[0].reached == string.rows[0].calls > 1
    assert string.rows[1].reached is None
    assert "to value 1" in table(string)
    assert "to keep the rules" in table(compare("portfolio", ["genetic:calls=1500", "exact"]))
    assert not any(head.startswith("to ") for head in table(compare(COURSE, ["greedy", "exact"])))


def test_the_table_says_in_which_generation_the_best_answer_came_of_how_many_and_of_how_many_answers(document):
    comparison = compare(
        "bitstring:bits=90,order=3", ["genetic:calls=900,population=50,offspring=50,elites=5", "tabu:calls=61", "probe"]
    )
    (found,), (walked,), _ = (row.found for row in comparison.rows)
    first = -(-(found.steps[-1].calls - 50) // 50)  # after the fifty that it began with, fifty in each generation
    shown = table(comparison)
    assert shown["generation of the best"] == [str(first), str(-(-(walked.steps[-1].calls - 1) // 10)), ""]
    assert shown["generations"] == ["17", "6", ""]
    assert shown["population"] == ["50", "1", ""]
    assert 0 < first < 17
    told = document("puzzle", "bitstring:bits=90,order=3", "--solvers", comparison.rows[0].solver)["solvers"][0]
    assert (told["best_generation"], told["generations"], told["population"]) == (first, 17, 50)


def test_a_solver_without_chance_is_run_once(document):
    runs = []
    comparison = compare(COURSE, ["greedy", "astar", "exact", "tabu:calls=50"], seeds=3, watch=lambda *told: runs.append(told[:2]))
    assert [len(row.found) for row in comparison.rows] == [1, 1, 1, 3]
    assert {seed for solver, seed in runs if solver == "tabu:calls=50"} == {0, 1, 2}
    assert {seed for solver, seed in runs if solver == "greedy"} == {0}
    assert "greedy: cost 30 after 1 call" in puzzle_page(comparison)


def test_the_table_and_the_page_say_the_same():
    comparison = compare(COURSE, ["greedy", "exact"], seeds=2)
    page, shown = puzzle_page(comparison), table(comparison)
    heads = re.findall(r'<th scope="col">([^<]*)</th>', page)
    assert heads == [*shown]
    assert [re.findall(r"<td>([^<]*)</td>", line) for line in re.findall(r'<tr><th scope="row">.*</tr>', page)] == [
        [*cells[1:]] for cells in zip(*shown.values(), strict=True)
    ]


def test_when_the_colours_are_spent_lines_are_dashed_and_then_dotted():
    worths = [[float(-30 - i)] for i in range(2 * len(COLOURS) + 1)]
    page = puzzle_page(compared(COURSE, *worths))
    assert [f"</i>solver{i}, dashed</span>" in page for i in (5, 6, 11, 12)] == [False, True, True, False]
    assert "</i>solver12, dotted</span>" in page


def test_names_of_files_are_no_markup(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x[").mkdir()
    Path("x[/red].csv").write_text("ticker,risk,return\n" + "".join(f"S{i},0.3,20\n" for i in range(40)), encoding="utf-8")
    status, out, err = run("puzzle", "portfolio:path=x[/red].csv", "--solvers", "exact")
    assert (status, err) == (0, "")
    assert "x[/red].csv" in out
    shown = Console(file=StringIO(), width=120)
    shown.print(_so_far(make_puzzle("portfolio:path=x[/red].csv"), {"[/red]": ("0", "1", "2")}))
    assert "portfolio:path=x[/red].csv so far" in shown.file.getvalue()
