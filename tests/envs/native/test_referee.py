"""Python is the referee: kernels that run as Python give what their machine code gives."""

from types import FunctionType
from typing import Annotated

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludus.envs import make_game
from ludus.envs.check.compiling import random_game
from ludus.envs.games.linking import link_of
from ludus.envs.games.registry import BUILT_IN
from ludus.envs.kernels import keys, queries
from ludus.envs.kernels.arrays import Numbers, Words
from ludus.envs.native import Link, compiled

from ...fuzz.programs import Widened, counted, difference, whole, word
from ...helpers import kernels
from ...helpers.kernels import kernel_from

kernels_of_these_tests = kernels.kernels_of_these_tests


def in_python(kernel, link):
    """A kernel as Python runs it: every function that it reaches means what it means for the game."""
    twins = {}
    for function in link.reach(kernel):
        scope = {**function.__globals__, "range": counted}
        twins[function] = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    for function, twin in twins.items():
        meant = link.mentions(function).items()
        twin.__globals__.update({name: twins[found] for name, found in meant if isinstance(found, FunctionType)})
    return twins[kernel]


def both(kernel, link, *arguments):
    """What a kernel returns and leaves in its arrays, as machine code and as Python; whole numbers are given as they are."""
    found = []
    for run, around in ((compiled(kernel, link), np.asarray), (in_python(kernel, link), Widened)):
        given = [each.copy() if isinstance(each, np.ndarray) else each for each in arguments]
        with np.errstate(all="ignore"):
            result = run(*(around(each) if isinstance(each, np.ndarray) else each for each in given))
        found.append((result, given))
    return found


def assert_equal(kernel, link, *arguments):
    """Gives the arrays as the kernel leaves them, the same in both."""
    (machine, arrays), (python, others) = both(kernel, link, *arguments)
    assert machine == (0 if python is None else python), kernel.__name__
    for one, other in zip(arrays, others, strict=True):
        np.testing.assert_array_equal(one, other, kernel.__name__)
    return arrays


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_rules_run_as_python_as_they_run_as_machine_code(name):
    game, n = make_game(name), 6
    link, random = link_of(type(game)), np.random.default_rng(7)
    rows, choices = [], np.zeros(game.action_words, np.uint64)
    for number in range(n):
        words, _, *_ = assert_equal(random_game, link, game.start, choices, np.uint64(number + 5), 3 * number)
        rows.append(words)
    states, small = np.array(rows), np.zeros(n, np.int8)
    masks, sets = np.zeros((n, game.actions), np.int8), np.zeros((n, game.action_words), np.uint64)
    drawn, planes = (
        random.integers(2**64, size=n, dtype=np.uint64),
        np.zeros((n, game.shape[0], game.shape[1] * game.shape[2]), np.int8),
    )
    assert_equal(queries.players, link, states, small)
    outcomes = assert_equal(queries.outcomes, link, states, small)[1]
    assert_equal(queries.masks, link, states, sets, masks)
    for seat in (0, 1):
        assert_equal(queries.observations, link, states, np.full(n, seat, np.int8), planes)
    cells, actions = (np.ascontiguousarray(each, np.int16) for each in (game.symmetries.cells, game.symmetries.actions))
    assert_equal(queries.permuted, link, states, random.integers(len(cells), size=n), cells, actions, states)
    going = states[outcomes == 2]
    _, sets, _, chosen = assert_equal(
        queries.random_actions, link, going, sets[: len(going)], drawn[: len(going)], np.zeros(len(going), int)
    )
    assert_equal(queries.plays, link, going, chosen, going)
    assert_equal(queries.first_illegal, link, sets, np.arange(len(going)), chosen)


def test_keys_run_as_python_as_they_run_as_machine_code():
    random = np.random.default_rng(3)
    drawn, indices = random.integers(2**64, size=20, dtype=np.uint64), random.integers(2**63, size=20)
    assert_equal(keys.derive_keys, Link("tests", {}, {}), drawn, indices, np.zeros(20, np.uint64))


# ---- programs

ARRAYS = {"Numbers": Numbers, "Words": Words, "Floats": Annotated[NDArray[np.float64], 1]}


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 2**64))
def test_small_programs_run_as_python_as_they_run_as_machine_code(seed):
    assert not difference(seed, blocks=1)


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 127, 128, -1, -64, -(2**63), 2**63 - 1])
def test_the_count_of_a_shift_is_taken_modulo_64(count):
    source = """
def kernel(n: int, w: np.uint64, by: int) -> int:
    return (n << by) ^ (n >> by) ^ int(w << np.uint64(by)) ^ int(w >> np.uint64(by))
"""
    kernel = compiled(kernel_from(source), Link("tests", {}, {}))
    by = count % 64
    for n in (1, -1, 5, -(2**63), 2**63 - 1, -987654321):
        expected = (n << by) ^ (n >> by) ^ (n % 2**64 << by) ^ (n % 2**64 >> by)
        assert kernel(n, n % 2**64, count) % 2**64 == expected % 2**64


@pytest.mark.parametrize("a", [0, 1, -1, 7, -7, 2**63 - 1, -(2**63)])
@pytest.mark.parametrize("b", [0, 1, -1, 3, -3, 2**63 - 1, -(2**63)])
def test_division_rounds_down_and_by_zero_gives_zero(a, b):
    kernel = compiled(kernel_from(DIVISIONS, **ARRAYS), Link("tests", {}, {}))
    result, words = np.zeros(2, np.int64), np.zeros(2, np.uint64)
    kernel(a, b, result, words)
    u, v = a % 2**64, b % 2**64
    assert [n % 2**64 for n in result.tolist()] == [n % 2**64 for n in ((a // b, a % b) if b else (0, 0))]
    assert words.tolist() == ([u // v, u % v] if v else [0, 0])


DIVISIONS = """
def kernel(a: int, b: int, result: Numbers, words: Words) -> None:
    result[0], result[1] = a // b, a % b
    words[0], words[1] = np.uint64(a) // np.uint64(b), np.uint64(a) % np.uint64(b)
"""


@pytest.mark.parametrize("number", [0.0, 1.9, -1.9, 1e18, 1e19, 1e30, -1e30, float("inf"), float("-inf"), float("nan")])
def test_a_float_beyond_64_bits_becomes_the_nearest_number_there_is(number):
    kernel = compiled(kernel_from(CASTS, **ARRAYS), Link("tests", {}, {}))
    result, words = np.zeros(1, np.int64), np.zeros(1, np.uint64)
    kernel(np.array([number]), result, words)
    assert (result[0], words[0]) == (whole(number), word(number))


CASTS = """
def kernel(numbers: Floats, result: Numbers, words: Words) -> None:
    result[0], words[0] = int(numbers[0]), np.uint64(numbers[0])
"""


def test_a_constant_takes_the_type_of_the_other_branch():
    source = """
def kernel(w: np.uint64, n: int) -> np.uint64:
    v = w if n > 0 else 3
    if n > 5:
        return 7
    return v and 9
"""
    kernel = compiled(kernel_from(source), Link("tests", {}, {}))
    assert [kernel(2**63, n) for n in (0, 1, 6)] == [9, 9, 7]
