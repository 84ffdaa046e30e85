"""Python is the referee: kernels that run as Python give what their machine code gives."""

from types import FunctionType

import numpy as np
import pytest

from ludus.envs import make_game
from ludus.envs.check.compiling import random_game
from ludus.envs.games.linking import link_of
from ludus.envs.games.registry import BUILT_IN
from ludus.envs.kernels import keys, queries
from ludus.envs.native import Link, compiled

from ...fuzz.meaning import Widened, counted
from ...helpers import kernels

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
    masks, sets = np.zeros((n, game.num_actions), np.int8), np.zeros((n, game.action_words), np.uint64)
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
