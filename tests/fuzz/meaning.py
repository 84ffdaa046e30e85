"""What Python makes of a program of the kernels' language: its own arithmetic, on numpy's scalars of 64 bits.

Where the language and Python part, a name means something else here: `int` of a word keeps the bits, `range` gives numbers of 64
bits, and what is read from an array has 64 bits.
"""

import math
from types import SimpleNamespace

import numpy as np


def whole(value):
    """As `int` in a kernel."""
    if isinstance(value, (float, np.floating)):
        value = 0 if np.isnan(value) else min(max(value, -(2.0**63)), 2.0**63)
        return np.int64(min(int(value), 2**63 - 1))
    return np.int64((int(value) + 2**63) % 2**64 - 2**63)


def word(value):
    """As `np.uint64` in a kernel."""
    if isinstance(value, (float, np.floating)):
        value = 0 if np.isnan(value) else min(max(value, 0.0), 2.0**64)
        return np.uint64(min(int(value), 2**64 - 1))
    return np.uint64(int(value) % 2**64)


def counted(*limits):
    """As `range` in a kernel."""
    kind = np.uint64 if any(isinstance(limit, np.uint64) for limit in limits) else np.int64
    return map(kind, range(*map(int, limits)))


def length(value):
    """As `len` in a kernel: of an array a number like others, of a tuple a constant."""
    return np.int64(len(value)) if isinstance(value, Widened) else len(value)


class Widened:
    """An array whose numbers have 64 bits as soon as they are read, and which is copied from its first element on."""

    whole = np.int64

    def __init__(self, array):
        self.array, self.shape = array, tuple(map(self.whole, array.shape))

    def __len__(self):
        return len(self.array)

    def __getitem__(self, index):
        found = self.array[index]
        if isinstance(found, np.ndarray):
            return type(self)(found)
        return found if found.dtype == np.uint64 else {"b": bool, "f": np.float64}.get(found.dtype.kind, self.whole)(found)

    def __setitem__(self, index, value):
        part = self.array[index]
        if isinstance(value, Widened):
            part, given = part.reshape(-1), value.array.reshape(-1)
            for number in range(min(len(part), len(given))):
                part[number] = given[number].astype(part.dtype)
        else:
            self.array[index] = np.asarray(value).astype(self.array.dtype)


def widened(value):
    """An argument or a constant of a kernel as Python is to see it: NamedTuples have their members so."""
    if isinstance(value, np.ndarray):
        return Widened(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(widened, value))
    if isinstance(value, np.generic) and not isinstance(value, (np.int64, np.uint64)):
        return value.item()
    return value


def computed(name):
    """A function of mathematics as the machine's library computes it; numpy's own may differ in the last bits."""

    def function(x):
        try:
            return np.float64(getattr(math, name)(x))
        except (ValueError, OverflowError):  # Python raises an error where others give nan or infinity
            return getattr(np, name)(np.float64(x))

    return function


FUNCTIONS = {name: computed(name) for name in ("sqrt", "exp", "log", "sin", "cos", "tanh")}
NAMES = {
    "int": whole,
    "float": np.float64,
    "range": counted,
    "len": length,
    "np": SimpleNamespace(
        **FUNCTIONS, floor=np.floor, ceil=np.ceil, int64=whole, uint64=word, float64=np.float64, bool_=bool, pi=np.pi
    ),
    "math": SimpleNamespace(
        **FUNCTIONS, floor=lambda x: whole(np.floor(x)), ceil=lambda x: whole(np.ceil(x)), pi=math.pi, inf=math.inf
    ),
}
"""What names of Python mean in a kernel."""
