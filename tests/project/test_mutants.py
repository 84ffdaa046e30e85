"""Planted bugs: their list is up to date, and the committed result belongs to them."""

import ast

import pytest

from ..helpers.slow import is_slow, slow_cases
from ..helpers.system.processes import ROOT
from ..mutants.mutant import all_mutants
from ..mutants.runner import DEAD, PAGE, read, sentence

MUTANTS = all_mutants()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.breaks)
def test_a_mutant_changes_one_place_of_a_file_and_python_still_reads_its_own(mutant):
    planted = mutant.planted(ROOT)
    assert planted != (ROOT / mutant.file).read_text(encoding="utf-8")
    if mutant.file.endswith(".py"):
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


def test_the_committed_result_is_of_these_mutants_and_on_the_page():
    verdicts = read()["mutants"]
    assert [*verdicts] == [mutant.breaks for mutant in MUTANTS]
    assert sum(verdict["outcome"] in DEAD for verdict in verdicts.values()) >= 0.975 * len(verdicts)
    assert sentence() in PAGE.read_text(encoding="utf-8")


def test_nearly_every_mutant_is_noticed_by_a_quick_case():
    """What `make test` alone notices; of a parametrized test at least one case is quick where not all are listed."""
    slow = slow_cases()
    left = [mutant.breaks for mutant in MUTANTS if all(is_slow(f"tests/{test}", slow) for test in mutant.tests)]
    assert len(left) <= 0.03 * len(MUTANTS), left
