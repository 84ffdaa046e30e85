"""Kernels that Python runs beside the machine: every call of a kernel is made twice, and what both leave has to be the same."""

import copy
import math
from collections import Counter
from contextlib import contextmanager
from types import FunctionType, SimpleNamespace

import numpy as np
import pytest

from ludus.envs import set_threads
from ludus.games.game import Game
from ludus.games.kernels.queries import first_foreign
from ludus.games.linking import link_of
from ludus.native import compile_kernel
from ludus.native.compiler.signature import Group, signature_of

from ...fuzz.meaning import NAMES, Widened, counted, whole, word


class Plain(Widened):
    """An array whose whole numbers are Python's own. Their comparisons can be added, unlike those of numpy's."""

    whole = int


def plain(value):
    """As `int` in a kernel."""
    return int(whole(value))


def plain_range(*limits):
    """As `range` in a kernel."""
    return counted(*limits) if any(isinstance(limit, np.uint64) for limit in limits) else range(*limits)


MEANT = {"int": plain, "range": plain_range}
NUMPY = SimpleNamespace(**vars(NAMES["np"]) | {"int64": plain})


def as_python_sees(value):
    """A global name of a kernel as Python is to see it."""
    if isinstance(value, np.ndarray):
        return Plain(value)
    return word if value is np.uint64 else NUMPY if value is np else NAMES["math"] if value is math else value


def in_python(kernel, link):
    """A kernel as Python runs it: every function that it reaches means what it means for the game."""
    twins = {}
    for function in link.reach(kernel):
        scope = {name: as_python_sees(value) for name, value in function.__globals__.items()} | MEANT
        twins[function] = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    for function, twin in twins.items():
        meant = link.mentions(function).items()
        twin.__globals__.update({name: twins[found] for name, found in meant if isinstance(found, FunctionType)})
    return twins[kernel]


def argument_of(kind, value):
    """An argument of a kernel as Python is to see it."""
    if isinstance(kind, Group):
        return kind.made_by(*map(argument_of, kind.members, value))
    return Plain(value) if kind.dimensions else word(value) if kind.dtype == np.uint64 else int(value)


def assert_same(one, other, name):
    """Compares arrays and tuples of arrays."""
    if isinstance(one, tuple):
        for a, b in zip(one, other, strict=True):
            assert_same(a, b, name)
    else:
        assert np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind == "f"), name


def refereed(kernel, link, met):
    """A kernel that runs twice; how often it did so is counted in `met`, by its name."""
    machine, python, signature = compile_kernel(kernel, link), in_python(kernel, link), signature_of(kernel)

    def run(*arguments):
        pool, given = (arguments[:1], arguments[1:]) if signature.in_ranges else ((), arguments)
        twins = copy.deepcopy(given)
        with np.errstate(all="ignore"):
            expected = python(*map(argument_of, signature.arguments, twins))
        result = machine(*pool, *given)
        assert result == (0 if expected is None else expected), kernel.__name__
        assert_same(given, twins, kernel.__name__)
        if kernel is not first_foreign:  # every batch meets that one
            met[kernel.__name__] += 1
        return result

    return run


@contextmanager
def referee():
    """Has every kernel of every game refereed meanwhile, on one thread; gives how often each was, by its name."""
    met = Counter()

    def kernel_of(game, kernel, plugs=None):
        return refereed(kernel, link_of(type(game), tuple(plugs.items()) if plugs else ()), met)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Game, "kernel", kernel_of)
        set_threads(1)
        try:
            yield met
        finally:
            set_threads(None)
