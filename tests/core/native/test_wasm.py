"""Kernels as WebAssembly run in node as they run in Python."""

from contextlib import ExitStack
from importlib.util import find_spec

import numpy as np
import pytest

from ludus.core.native import Link, in_ranges
from ludus.core.native.wasm import compile_for_web, link_module
from ludus.games.kernels.arrays import Numbers

from ...fuzz.programs import TOGETHER, differences
from ...helpers.native import kernels
from ...helpers.native.kernels import kernel_from
from ...helpers.native.node import kernel_in_node

kernels_of_these_tests = kernels.kernels_of_these_tests
pytestmark = pytest.mark.skipif(find_spec("ziglang") is None, reason="needs ziglang, which the extra `page` brings")
LINK = Link("tests", {}, {})


def test_small_programs_run_as_python_as_they_run_as_webassembly(tmp_path):
    with ExitStack() as stack:
        assert not list(differences(range(TOGETHER), 1, lambda *linked: stack.enter_context(kernel_in_node(*linked, tmp_path))))


def test_a_sum_that_llvm_replaces_by_a_formula_is_exact(tmp_path):
    count = 2**33 - 5  # the formula multiplies two numbers of 33 bits
    source = "def kernel(n: int) -> int:\n    total = 0\n    for i in range(n):\n        total += i\n    return total"
    with kernel_in_node(kernel_from(source), LINK, tmp_path) as add_up:
        assert int(add_up(count)) == (count * (count - 1) // 2 + 2**63) % 2**64 - 2**63


def test_a_kernel_over_ranges_works_on_the_rows_between_its_bounds(tmp_path):
    source = "def kernel(lo: int, hi: int, a: Numbers) -> None:\n    for i in range(lo, hi):\n        a[i] += 10"
    numbers = np.arange(6)
    with kernel_in_node(in_ranges(kernel_from(source, Numbers=Numbers)), LINK, tmp_path) as add_ten:
        add_ten(2, 4, numbers)
    assert numbers.tolist() == [0, 1, 12, 13, 4, 5]


def test_calls_without_end_stop_with_an_error(tmp_path):
    source = "def down(n, a) -> int:\n    a[n & 1] += 1\n    return down(n + 1, a) + a[n & 1]\n"
    source += "def kernel(n: int, a: Numbers) -> int:\n    return down(n, a)"
    with (
        kernel_in_node(kernel_from(source, Numbers=Numbers), LINK, tmp_path) as descend,
        pytest.raises(ValueError, match=r"^R\w+Error: "),
    ):
        descend(0, np.zeros(2, np.int64))


def test_what_wasm_ld_refuses_is_an_error_with_its_words():
    kernel = kernel_from("def kernel(n: int) -> int:\n    return n")
    body = compile_for_web(kernel, LINK)
    with pytest.raises(ValueError, match=r"wasm-ld cannot link the kernels: .*symbol exported via --export not found: other"):
        link_module({"other": body})
