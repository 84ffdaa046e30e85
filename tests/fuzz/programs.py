"""Small programs of the kernels' language by random numbers, run by Python and as machine code.

python -m tests.fuzz.programs 10000         programs with seeds from 0 on
python -m tests.fuzz.programs 2000 10000    2000 more, from seed 10000 on
"""

import math
import multiprocessing
import sys
from collections import Counter
from functools import cache
from itertools import product
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.core.native import KernelError, Link, apart, compile_kernel
from ludus.games.kernels.arrays import Words

from ..helpers.native.kernels import kernel_from
from .constants import CONSTANTS, EDGES, Point
from .expressions import ARRAYS, CUBE, DTYPES, LENGTH, SHAPE
from .meaning import NAMES, widened
from .statements import PRELUDE, RESULTS, ROUGH, function

TYPES = {f"A_{dtype}": Annotated[NDArray[np.dtype(dtype).type], 1] for dtype in DTYPES} | {"Words": Words}
INPUTS, TOGETHER = 3, 20
"""Inputs for each program, and programs that are compiled together."""
ULPS = 4
FLOATS = np.array([0.0, -0.0, 0.5, -1.0, np.inf, -np.inf, np.nan])


class Board(NamedTuple):
    """What programs take as one argument."""

    small: Annotated[NDArray[np.int16], 2]
    words: Annotated[NDArray[np.uint64], 2]
    floats: Annotated[NDArray[np.float32], 2]
    flags: Annotated[NDArray[np.bool_], 2]
    cube: Annotated[NDArray[np.int32], 3]
    count: int
    mask: np.uint64
    place: Point


@cache
def written(seeds, blocks):
    """The source of several programs with so many blocks of statements, and how often each operator occurs."""
    lines, used, tests = PRELUDE.splitlines(), Counter(), []
    for number, seed in enumerate(seeds):
        program, counts = function(seed, f"program_{number}", blocks)
        lines, used = [*lines, *program], used + counts
        called = f"program_{number}(board, {ARRAYS}, counts, rough, int(given[0]), int(given[1]), given[2], given[3])"
        tests += [f"    if which == {number}:", f"        {RESULTS} = {called}"]
    annotated = ", ".join(f"a_{dtype}: A_{dtype}" for dtype in DTYPES)
    lines += [f"def kernel(which: int, board: Board, {annotated}, counts: A_int64, rough: A_float64, given: Words,"]
    lines += ["        ints: A_int64, words: Words, floats: A_float64, flags: A_bool) -> None:", *tests]
    lines += ["    ints[0], ints[1], ints[2], words[0], words[1] = i, j, k, u, v"]
    lines += ["    floats[0], floats[1], flags[0], flags[1] = x, y, p, q"]
    return "\n".join(lines) + "\n", used


def inputs(seed):
    """What a program is given, and what it fills: many numbers lie where something changes."""
    random = np.random.default_rng(seed)
    edges = np.array([*EDGES, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 2, 2**64 - 7], np.uint64)

    def array(dtype, shape=(LENGTH,)):
        drawn = random.integers(2**64, size=shape, dtype=np.uint64) >> random.integers(64, size=shape, dtype=np.uint64)
        words = np.where(random.random(shape) < 0.5, random.choice(edges, shape), drawn)
        if "float" not in dtype:
            return words.astype(dtype)
        return np.where(random.random(shape) < 0.4, random.choice(FLOATS, shape), words.view(np.int64) / 8).astype(dtype)

    tables = [array(dtype, SHAPE) for dtype in ("int16", "uint64", "float32", "bool")]
    n, w = array("int64"), array("uint64")
    board = Board(*tables, array("int32", CUBE), n[0], w[0], Point(n[1], w[1]))
    results = np.zeros(3, np.int64), np.zeros(2, np.uint64), np.zeros(2), np.zeros(2, np.bool_)
    return [board, *map(array, DTYPES), np.zeros(2, np.int64), np.zeros(ROUGH), array("uint64"), *results]


ROUGH_AT = len(DTYPES) + 2
"""Where among the arguments the numbers lie that two ways of computing may give differently in the last bits."""


def is_same(one, other, ulps):
    """Whether two arguments hold the same, zeros with the same sign, or floats up to `ulps` units in the last place apart."""
    if isinstance(one, tuple):
        return all(is_same(a, b, ulps) for a, b in zip(one, other, strict=True))
    same = (one == other) if np.asarray(one).dtype.kind != "f" else (one == other) & (np.signbit(one) == np.signbit(other))
    same |= (one != one) & (other != other)
    return bool(np.all(same if not ulps else same | (abs(one - other) <= ulps * np.spacing(abs(other)))))


def differences(seeds, blocks, compiled=compile_kernel):
    """Where Python and machine code differ on programs; empty where they do not. `compiled` gives the code of a linked kernel."""
    source, _ = written(seeds, blocks)
    scope = {**TYPES, **CONSTANTS, "Board": Board, "apart": apart}
    machine = compiled(kernel_from(source, math=math, **scope), Link("tests", {}, {}))
    python = kernel_from(source, **{name: widened(value) for name, value in scope.items()}, **NAMES)
    for (which, seed), number in product(enumerate(seeds), range(INPUTS)):
        sides = inputs((seed, number)), inputs((seed, number))
        with np.errstate(all="ignore"):
            machine(which, *sides[0])
            python(np.int64(which), *map(widened, sides[1]))
            differ = [pair for place, pair in enumerate(zip(*sides, strict=True)) if not is_same(*pair, ULPS * (place == ROUGH_AT))]
        for one, other in differ[:1]:
            yield f"seed {seed}, input {number}: machine code gives {one}, Python {other}\n{written((seed,), blocks)[0]}"


def report(seeds, found):
    """Sends where Python and machine code differ on programs."""
    try:
        found.send(list(differences(seeds, blocks=3)))
    except KernelError as error:
        found.send([f"{seeds} are refused: {error}"])


def in_a_process(seeds):
    """What `report` finds in a process of its own, which wrong code or LLVM may end."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=report, args=(seeds, theirs))
    process.start()
    theirs.close()
    try:
        return ours.recv()
    except EOFError:
        process.join()
        return [f"{seeds} ended the process: {process.exitcode}"]


def main(how_many, first=0):
    """Runs so many programs, from a seed on; what differs is printed at once."""
    found = 0
    for seed in range(first, first + how_many, TOGETHER):
        texts = in_a_process(range(seed, min(seed + TOGETHER, first + how_many)))
        found += len(texts)
        for text in (*texts, *[f"from seed {seed} on"] * (seed % 1000 == 0)):
            print(text, flush=True)
    print(f"{how_many} programs, {found} differences")
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))
