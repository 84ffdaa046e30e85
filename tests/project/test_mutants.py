"""Planted bugs: their list is up to date, the runner judges them correctly, and the committed result belongs to them."""

import ast
import os
import subprocess
import sys

import pytest

from ..helpers.system.processes import ROOT
from ..mutants.mutant import Mutant, all_mutants
from ..mutants.result import PAGE, read, sentence
from ..mutants.runner import BROKEN, DEAD, KILLED, SURVIVED, TIMEOUT, judge

MUTANTS = all_mutants()
AREAS = {
    "rules": "games/",
    "environments": "envs/",
    "search": "search/",
    "grading": "arena/grading/",
    "ratings": "arena/ratings/ratings.py",
    "trainers": "baselines/",
}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.breaks)
def test_a_mutant_changes_one_place_of_a_file_that_python_still_reads(mutant):
    planted = mutant.planted(ROOT)
    assert planted != (ROOT / mutant.file).read_text(encoding="utf-8")
    ast.parse(planted)


def test_every_mutant_names_tests_that_are_there():
    known = {}
    for mutant in MUTANTS:
        for test in mutant.tests:
            file, _, name = test.partition("::")
            if file not in known:
                tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
                known[file] = {part.name for part in tree.body if isinstance(part, ast.FunctionDef)}
            assert name.partition("[")[0] in known[file], f"{mutant.breaks}: there is no test {test}"


def test_two_hundred_mutants_or_more_are_spread_over_all_areas():
    assert len(MUTANTS) == len({mutant.breaks for mutant in MUTANTS}) >= 200
    for area, place in AREAS.items():
        assert sum(mutant.file.startswith(place) for mutant in MUTANTS) >= 3, area


def test_the_committed_result_is_of_these_mutants_and_on_the_page():
    verdicts = read()["mutants"]
    assert [*verdicts] == [mutant.breaks for mutant in MUTANTS]
    assert sum(verdict["outcome"] in DEAD for verdict in verdicts.values()) >= 0.975 * len(verdicts)
    assert sentence() in PAGE.read_text(encoding="utf-8")


# ---- the runner, on a repository of two files


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "tests").mkdir()
    test = (
        "from halves import half\n\n\ndef test_one():\n    assert half(8) == 4\n\n\ndef test_long():\n    assert half(200) == 50\n"
    )
    (tmp_path / "halves.py").write_text("def half(n):\n    while n > 100:\n        n -= 1\n    return n / 2\n")
    (tmp_path / "tests" / "test_half.py").write_text(test)
    (tmp_path / "conftest.py").write_text("")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("before", "after", "tests", "outcome", "by"),
    [
        ("n / 2", "n / 3", ("test_half.py",), KILLED, "tests/test_half.py::test_one"),
        ("n / 2", "n * 0.5", ("test_half.py",), SURVIVED, "2 passed"),
        ("n / 2", "n / 3", ("test_half.py::test_none",), BROKEN, "not found"),
        ("return n / 2", "return n (", ("test_half.py",), BROKEN, "SyntaxError"),
        ("n -= 1", "n -= 0", ("test_half.py::test_long",), TIMEOUT, ""),
    ],
)
def test_the_runner_recognises_killed_survived_broken_and_endless(repository, before, after, tests, outcome, by):
    before_all = {file: file.read_bytes() for file in repository.rglob("*.py")}
    limit = 5 if outcome == TIMEOUT else 300
    verdict = judge(repository, Mutant("half", "halves.py", before, after, tests), repository / "cache", limit)
    assert verdict.outcome == outcome
    assert by in verdict.by
    assert {file: file.read_bytes() for file in repository.rglob("*.py")} == before_all


def test_a_mutant_that_is_out_of_date_is_named(repository):
    for before in ("n / 4", "n"):
        with pytest.raises(ValueError, match=r"the mutant 'half' is out of date.*halves\.py \d+ times, and not once"):
            Mutant("half", "halves.py", before, "0", ("test_half.py",)).planted(repository)


def test_lines_that_describe_no_mutant_are_refused():
    with pytest.raises(ValueError, match="one line with @"):
        Mutant.of("Half a mutant.\n@ code.py\n- n / 2\n> test_half.py")


# ---- skipped tests


@pytest.mark.parametrize("forbidden", [True, False])
def test_where_skips_are_forbidden_a_skipped_test_or_file_fails(tmp_path, forbidden):
    (tmp_path / "test_inside.py").write_text("import pytest\n\ndef test_one():\n    pytest.importorskip('nothing_of_this_name')\n")
    (tmp_path / "test_whole.py").write_text("import pytest\n\npytest.importorskip('nothing_of_this_name')\n")
    options = ["-p", "tests.conftest", "--continue-on-collection-errors", "--rootdir", tmp_path]
    command = [sys.executable, "-m", "pytest", "-q", *options, tmp_path]
    surroundings = {**os.environ, "NO_SKIPS": "1" if forbidden else ""}
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) != forbidden
    assert done.stdout.count("where NO_SKIPS forbids it") >= 2 * forbidden
