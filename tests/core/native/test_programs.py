"""Small random programs of the kernels' language run as Python as they run as machine code, and no construct is missing in them."""

import ast
import builtins
import math
from collections import Counter

import numpy as np
import pytest

from ludus.core.native.compiler.arithmetic import COMPARISONS
from ludus.core.native.compiler.arithmetic import OPERATORS as TRANSLATED
from ludus.core.native.compiler.body import CONSTRUCTS
from ludus.core.native.compiler.calls import KNOWN

from ...fuzz.expressions import OPERATIONS
from ...fuzz.programs import TOGETHER, differences, written
from ...fuzz.statements import ONTO, POWERS
from ...helpers.native import kernels

kernels_of_these_tests = kernels.kernels_of_these_tests
PROGRAMS = [range(first, first + TOGETHER) for first in range(0, 300, TOGETHER)]


@pytest.mark.parametrize("seeds", PROGRAMS, ids=str)
def test_small_programs_run_as_python_as_they_run_as_machine_code(seeds):
    assert not list(differences(seeds, blocks=1))


@pytest.fixture(scope="module")
def programs():
    """All small programs of these tests: their syntax, and how often each operator occurs."""
    texts, used = zip(*(written(seeds, blocks=1) for seeds in PROGRAMS), strict=True)
    return [node for text in texts for node in ast.walk(ast.parse(text))], sum(used, Counter())


def test_small_programs_have_every_construct_of_the_language(programs):
    nodes, _ = programs
    assert not {*CONSTRUCTS, *TRANSLATED, *COMPARISONS, ast.And, ast.Or, ast.Not} - {*map(type, nodes)}


def test_small_programs_have_every_operator_with_every_type(programs):
    _, used = programs
    assert not [each for each in OPERATIONS if not used[each[:3]]]
    onto = [(f"{op}=", left, right) for operators in ONTO.values() for op, left, right in operators]
    assert not [each for each in (*onto, *(("**", left, right) for left, right in POWERS)) if not used[each]]


def test_small_programs_call_every_function_that_the_language_knows(programs):
    nodes, _ = programs
    called = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    scope = {**vars(builtins), "np": np, "math": math}
    known = {eval(name, scope) for name in called if name.partition(".")[0] in scope}
    assert known == {*KNOWN, range} - {np.int8, np.int16, np.int32}  # these are refused
    assert called >= {"Point", "Place", "placed", "both", "down", "fold", "halved", "pair", "deep", "is_even", "nothing", "row"}
