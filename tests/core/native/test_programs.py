"""Small random programs of the kernels' language run as Python as they run as machine code and in node, and lack no construct."""

import ast
import builtins
import math
import os
from contextlib import ExitStack

import numpy as np
import pytest

from ludus.core.native import Link
from ludus.core.native.compiler.arithmetic import COMPARISONS
from ludus.core.native.compiler.arithmetic import OPERATORS as TRANSLATED
from ludus.core.native.compiler.body import CONSTRUCTS
from ludus.core.native.compiler.calls import KNOWN
from ludus.games.kernels.arrays import Numbers

from ...fuzz.programs import TOGETHER, differences, written
from ...helpers.native import kernels
from ...helpers.native.kernels import kernel_from

kernels_of_these_tests = kernels.kernels_of_these_tests
MANY = int(os.environ.get("FUZZ_PROGRAMS", "0"))
"""How many programs run, which are then longer; by default 240 short ones."""
BLOCKS = 3 if MANY else 1
PROGRAMS = [range(first, first + TOGETHER) for first in range(0, MANY or 240, TOGETHER)]


@pytest.mark.parametrize("seeds", PROGRAMS, ids=str)
def test_small_programs_run_as_python_as_they_run_as_machine_code(seeds):
    assert not list(differences(seeds, BLOCKS))


def test_small_programs_have_every_construct_and_function_of_the_language():
    nodes = [node for seeds in PROGRAMS for node in ast.walk(ast.parse(written(seeds, BLOCKS)))]
    assert not {*CONSTRUCTS, *TRANSLATED, *COMPARISONS, ast.And, ast.Or, ast.Not} - {*map(type, nodes)}
    called = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
    scope = {**vars(builtins), "np": np, "math": math}
    known = {eval(name, scope) for name in called if name.partition(".")[0] in scope}
    assert known == {*KNOWN, range} - {np.int8, np.int16, np.int32}  # these are refused
    assert called >= {"Point", "Place", "placed", "both", "down", "fold", "halved", "pair", "deep", "is_even", "nothing", "row"}


# ---- as WebAssembly, in node

LINK = Link("tests", {}, {})


@pytest.fixture
def in_node():
    """Gives a kernel in node."""
    pytest.importorskip("ziglang")
    pytest.importorskip("playwright")
    from ...helpers.native.node import kernel_in_node

    return kernel_in_node


def test_small_programs_run_as_python_as_they_run_as_webassembly(tmp_path, in_node):
    with ExitStack() as stack:
        assert not list(differences(range(TOGETHER), 1, lambda *linked: stack.enter_context(in_node(*linked, tmp_path))))


def test_a_sum_that_llvm_replaces_by_a_formula_is_exact(tmp_path, in_node):
    count = 2**33 - 5  # the formula multiplies two numbers of 33 bits
    source = "def kernel(n: int) -> int:\n    total = 0\n    for i in range(n):\n        total += i\n    return total"
    with in_node(kernel_from(source), LINK, tmp_path) as add_up:
        assert int(add_up(count)) == (count * (count - 1) // 2 + 2**63) % 2**64 - 2**63


def test_calls_without_end_stop_with_an_error(tmp_path, in_node):
    source = "def down(n, a) -> int:\n    a[n & 1] += 1\n    return down(n + 1, a) + a[n & 1]\n"
    source += "def kernel(n: int, a: Numbers) -> int:\n    return down(n, a)"
    with (
        in_node(kernel_from(source, Numbers=Numbers), LINK, tmp_path) as descend,
        pytest.raises(ValueError, match=r"^R\w+Error: "),
    ):
        descend(0, np.zeros(2, np.int64))
