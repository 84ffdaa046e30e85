"""Compiled kernels: what they take, and what they may do."""

from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from ludus.core.native import Link, compile_kernel, in_ranges, new_pool
from ludus.core.native.compiler import program
from ludus.core.native.threads import pool
from ludus.games.kernels.arrays import Keys, Numbers
from ludus.games.kernels.bits import select
from ludus.games.kernels.keys import derive, derive_keys

from ...helpers.native import kernels
from ...helpers.native.kernels import GAME, kernel_from

kernels_of_these_tests = kernels.kernels_of_these_tests


# ---- what kernels take


def total(values: Numbers, factor: int) -> int:
    result = 0
    for i in range(values.shape[0]):
        result += values[i]
    return result * factor


def xored(keys: Keys, key: np.uint64) -> np.uint64:
    for i in range(keys.shape[0]):
        key ^= keys[i]
    return key


NUMBERS = np.arange(5)
MISALIGNED = np.zeros(41, np.int8)[1:].view(np.int64)
TAKES = "(values: a C-contiguous array of int64 with 1 dimension, factor: a whole number of 64 bits)"
WRONG = {
    "(a list (1 (int), 2 (int)), 1 (int))": ([1, 2], 1),
    "(a ndarray of int32 with shape (5,), 1 (int))": (NUMBERS.astype(np.int32), 1),
    "(a ndarray of >i8 with shape (5,), 1 (int))": (NUMBERS.astype(">i8"), 1),
    "(a ndarray of int64 with shape (1, 5), 1 (int))": (NUMBERS[None], 1),
    "(a ndarray of int64 with shape (3,), not contiguous, 1 (int))": (NUMBERS[::2], 1),
    "(a ndarray of int64 with shape (5,), not aligned, 1 (int))": (MISALIGNED, 1),
    "(a recarray of int64 with shape (5,), 1 (int))": (NUMBERS.view(np.recarray), 1),
    "(a ndarray of int64 with shape (5,), 1.0 (float))": (NUMBERS, 1.0),
    "(a ndarray of int64 with shape (5,), 9223372036854775808 (int))": (NUMBERS, 2**63),
    "(a ndarray of int64 with shape (5,), 1 (int), 1 (int))": (NUMBERS, 1, 1),
}


@pytest.mark.parametrize(("said", "given"), WRONG.items())
def test_the_error_says_what_the_kernel_takes_and_was_given_and_is_gone_with_the_next_call(said, given):
    for _ in range(3):
        with pytest.raises(TypeError) as error:
            GAME.kernel(total)(*given)
        assert str(error.value) == f"the kernel total takes {TAKES}, not {said}"
        assert GAME.kernel(total)(NUMBERS, 2) == 20


def test_the_error_says_what_a_tuple_is_made_of():
    with pytest.raises(TypeError, match=r"series: a tuple \(series.values: .*, series.scale: a tuple \(.*\), series.sums: .*\)"):
        GAME.kernel(scaled)(0, 1, 0)


@pytest.mark.parametrize("factor", [0, 1, -1, -7, 2**62, -(2**63), 2**63 - 1, True, np.int8(-3), np.uint64(9), np.array(4)])
def test_whole_numbers_of_any_kind_pass_unchanged(factor):
    assert GAME.kernel(total)(np.array([1]), factor) == int(factor)


@pytest.mark.parametrize("key", [0, 1, 2**63 - 1, 2**63, 2**63 + 5, 2**64 - 1, np.uint64(2**64 - 1)])
def test_unsigned_words_pass_unchanged(key):
    assert GAME.kernel(xored)(np.zeros(3, np.uint64), key) == int(key)
    assert GAME.kernel(xored)(np.array([2**64 - 1], np.uint64), key) == int(key) ^ (2**64 - 1)


class Scale(NamedTuple):
    factor: int
    key: "np.uint64"


class Series(NamedTuple):
    values: Numbers
    scale: Scale
    sums: "Numbers"


def scaled(start: int, series: Series, shift: int) -> np.uint64:
    for i in range(start, len(series.values)):
        series.sums[i] = series.values[i] * series.scale.factor + shift
    return series.scale.key


@in_ranges
def scaled_rows(lo: np.uint64, hi: np.uint64, series: Series, shift: int) -> None:
    for i in range(lo, hi):
        series.sums[i] = series.values[i] * series.scale.factor + shift


def test_a_tuple_of_arguments_is_taken_apart_whatever_made_it():
    for series in (Series, lambda *members: members):
        for scale in (Scale, namedtuple("Other", "a b"), lambda *members: members):
            sums = np.zeros(5, np.int64)
            assert GAME.kernel(scaled)(1, series(NUMBERS, scale(3, 2**64 - 1), sums), -1) == 2**64 - 1
            assert sums.tolist() == [0, 2, 5, 8, 11]


def test_threads_share_the_rows_of_a_tuple_of_arrays():
    values, sums = np.arange(5000), np.zeros(5000, np.int64)
    GAME.kernel(scaled_rows)(new_pool(8), 0, 5000, Series(values, Scale(7, 0), sums), 1)
    np.testing.assert_array_equal(sums, 7 * values + 1)
    GAME.kernel(scaled_rows)(pool(5000), 10, 5000, (values, (2, 0), sums), 0)
    np.testing.assert_array_equal(sums[10:], 2 * values[10:])


@pytest.mark.parametrize(
    "series", [[NUMBERS, (1, 1), NUMBERS], (NUMBERS, (1, 1)), (NUMBERS, 1, NUMBERS), (NUMBERS, ("1", 1), NUMBERS)]
)
def test_a_wrong_tuple_raises_a_type_error(series):
    for kernel, *before in ((scaled, 0), (scaled_rows, new_pool(8), 0, 5)):
        with pytest.raises(TypeError):
            GAME.kernel(kernel)(*before, series, 0)


def derived(key, index):
    """SplitMix64's finaliser, on Python's own integers."""
    word = 2**64 - 1
    bits = key + 0x9E3779B97F4A7C15 * (index + 1) & word
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & word
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & word
    return bits ^ bits >> 31


def test_keys_are_those_of_a_twin_in_plain_python():
    # The first numbers of SplitMix64 with seed 1234567: https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
    assert [derived(1234567, i) for i in range(2)] == [6457827717110365317, 3203168211198807973]
    random = np.random.default_rng(0)
    keys = np.array([0, 1, 2**63 - 1, 2**63, 2**64 - 1, *random.integers(2**64, size=200, dtype=np.uint64)], np.uint64)
    indices = np.array([0, 1, 2**62, 2**63 - 1, 7, *random.integers(2**63, size=200)])
    expected = [derived(int(key), int(index)) for key, index in zip(keys, indices, strict=True)]
    assert [GAME.kernel(derive)(key, index) for key, index in zip(keys, indices, strict=True)] == expected
    batch = np.empty(len(keys), np.uint64)
    GAME.kernel(derive_keys)(keys, indices, batch)
    assert batch.tolist() == expected


# ---- what kernels may do


@pytest.mark.parametrize("cpu", ["this one", "without"])
def test_the_nth_set_bit_is_found_on_every_processor(cpu, monkeypatch):
    if cpu == "without":
        monkeypatch.setattr(program, "instructions", lambda target: {})
    source = f"""def kernel(word: np.uint64, nth: int) -> int:
        return select(word, nth) + 0 * {len(cpu)}"""
    kernel = compile_kernel(kernel_from(source, select=select), Link("tests", {}, {}))
    random = np.random.default_rng(0)
    words = random.integers(2**64, size=(2, 300), dtype=np.uint64)
    for word in [*(words[0] & words[1]).tolist(), 1, 2**63, 2**64 - 1]:
        expected = [place for place in range(64) if word >> place & 1]
        assert [kernel(word, nth) for nth in range(len(expected))] == expected
        with np.errstate(over="ignore"):
            assert [select(np.uint64(word), nth) for nth in range(len(expected))] == expected


def test_a_kernel_first_asked_for_by_many_threads_at_once_works():
    kernel = kernel_from("def kernel(n: int) -> int:\n    return 3 * n + 1")
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda n: GAME.kernel(kernel)(n), range(64))) == [3 * n + 1 for n in range(64)]


# ---- where Python and 64 bits differ; random programs, in test_programs.py, do the rest

SCOPE = {"Numbers": Annotated[NDArray[np.int64], 1], "HIGHEST": np.uint64(2**63), "BEYOND": 1e30, "NAN": float("nan")}


def kernel_of(*lines, takes="n: int, numbers: Numbers", returns="None"):
    source = "\n    ".join([f"def kernel({takes}) -> {returns}:", *lines])
    return compile_kernel(kernel_from(source + "\n", **SCOPE), Link("tests", {}, {}))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("int(-2.7) * 3", -6),
        ("n % int(-0.5)", 0),
        ("int(BEYOND)", 2**63 - 1),
        ("int(-BEYOND) + 1", -(2**63) + 1),
        ("int(NAN) + 1", 1),
        ("int(HIGHEST)", -(2**63)),
        ("int(HIGHEST) - 1", 2**63 - 1),
        ("int(np.uint64(BEYOND) >> 60)", 15),
        ("(4, 5, 6)[int(1.9)]", 5),
        ("numbers[int(-0.5)]", 9),
        ("int(bool(0.25)) + n", 6),
        # a word stays one within a tuple and a branch, and a constant takes the type of the other branch
        ("int((HIGHEST, True)[0] >> 63)", 1),
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
