"""What a kernel does where Python and 64 bits differ: constants that are converted, ranges near the end.

Random programs, in test_programs.py, do the rest."""

from typing import Annotated

import numpy as np
import pytest
from numpy.typing import NDArray

from ludus.core.native import Link, compile_kernel

from ...helpers.native import kernels
from ...helpers.native.kernels import kernel_from

kernels_of_these_tests = kernels.kernels_of_these_tests
SCOPE = {"Numbers": Annotated[NDArray[np.int64], 1], "HIGHEST": np.uint64(2**63), "BEYOND": 1e30, "NAN": float("nan")}


def kernel_of(*lines, takes="n: int, numbers: Numbers", returns="None"):
    source = "\n    ".join([f"def kernel({takes}) -> {returns}:", *lines])
    return compile_kernel(kernel_from(source + "\n", **SCOPE), Link("tests", {}, {}))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("int(2.7) + 1", 3),
        ("int(-2.7) * 3", -6),
        ("7 // int(0.5)", 0),
        ("n % int(-0.5)", 0),
        ("int(BEYOND)", 2**63 - 1),
        ("int(-BEYOND) + 1", -(2**63) + 1),
        ("int(NAN) + 1", 1),
        ("int(HIGHEST)", -(2**63)),
        ("int(HIGHEST) >> 3", -(2**60)),
        ("int(HIGHEST) - 1", 2**63 - 1),
        ("int(HIGHEST) < 0", 1),
        ("int(True) + True", 2),
        ("int(np.uint64(BEYOND) >> 60)", 15),
        ("(4, 5, 6)[int(1.9)]", 5),
        ("numbers[int(-0.5)]", 9),
        ("int(bool(0.25)) + n", 6),
        # a word stays one within a tuple and a branch, and a constant takes the type of the other branch
        ("int((HIGHEST, True)[0] >> 63)", 1),
        ("int((HIGHEST, w)[0] // 2**62)", 2),
        ("int((2**63 if n > 3 else w) >> 63)", 1),
        ("int((w if n < 3 else 2**63) >> 63)", 1),
        ("int((2**63 or w) and w)", 7),
        ("int((w if n > 5 else 3) and 9)", 9),
    ],
)
def test_a_constant_is_converted_as_a_variable_is(expression, expected):
    numbers = np.array([9, 0, 0])
    kernel_of(f"numbers[1] = {expression}", takes="n: int, w: np.uint64, numbers: Numbers")(5, 7, numbers)
    assert numbers.tolist() == [9, expected, 0]


ENDS = [(2**63 - 10, 2**63 - 1), (2**63 - 2, 2**63 - 1), (-(2**63), -(2**63) + 5), (-(2**63), 2**63 - 1), (5, 5), (3, -3)]


@pytest.mark.parametrize("step", [1, 2, 3, 7, 2**62, 2**63 - 1, -1, -2, -3, -(2**62), -(2**63)])
@pytest.mark.parametrize(("start", "stop"), [*ENDS, *((stop, start) for start, stop in ENDS)])
def test_a_range_ends_where_python_says_also_near_the_ends_of_64_bits(start, stop, step):
    expected = range(start, stop, step)[:20]
    kernel = kernel_of(
        "found = 0",
        f"for i in range(n, stop, {step}):",
        "    if found < 20:",
        "        numbers[found] = i",
        "    else:",
        "        break",
        "    found += 1",
        "numbers[20] = found",
        takes="n: int, stop: int, numbers: Numbers",
    )
    numbers = np.zeros(21, np.int64)
    kernel(start, stop, numbers)
    assert numbers[: numbers[20]].tolist() == list(expected)
