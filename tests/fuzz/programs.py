"""Small programs of the kernels' language by random numbers, run by Python and as machine code.

python -m tests.fuzz.programs 10000

Python runs them on numpy's scalars of 64 bits. What Python and the language do not share is put in place of it: `int` of a word
keeps the bits, a range gives numbers of 64 bits, and what is read from an array is widened.
"""

import sys
from random import Random
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ludus.envs.kernels.arrays import Words
from ludus.envs.native import Link, compiled

from ..helpers.kernels import kernel_from

DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool")
INTS, WORDS = (*DTYPES[:4], *DTYPES[4:7]), ("uint64",)
FLOATS, BOOLS = DTYPES[8:10], ("bool",)
VARIABLES = {"int": ("i", "j", "k"), "word": ("u", "v"), "float": ("x", "y"), "bool": ("p", "q")}
ARRAYS = ", ".join(f"a_{dtype}" for dtype in DTYPES)
LENGTH, INPUTS = 7, 3
EDGES = (0, 1, 2, 3, 5, 31, 63, 64, 127, 255, 2**31, 2**32 - 1, 2**62, 2**63 - 1)


# ---- Python's side


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


class Widened:
    """An array whose numbers have 64 bits as soon as they are read."""

    def __init__(self, array):
        self.array, self.shape = array, tuple(map(np.int64, array.shape))

    def __len__(self):
        return len(self.array)

    def __getitem__(self, index):
        found = self.array[index]
        if isinstance(found, np.ndarray):
            return Widened(found)
        kind = self.array.dtype
        return found if kind in (bool, np.uint64) else np.float64(found) if kind.kind == "f" else np.int64(found)

    def __setitem__(self, index, value):
        value = value.array if isinstance(value, Widened) else np.asarray(value)
        self.array[index] = value.astype(self.array.dtype)


HELPER = f"""
def down(n: int, w: np.uint64) -> np.uint64:
    if n <= 0:
        return w
    return down(n - 1, w * 3 ^ word(n)) + 1

def helper({ARRAYS}, i, u, x, p):
    if p or x < 0.5:
        return i ^ a_int32[i % 7], u
    return a_uint8[u % 7] - i, down(i & 7, u)
""".splitlines()
IN_PYTHON = {"whole": whole, "word": word, "real": np.float64, "range": counted}
IN_KERNELS = {"whole": np.int64, "word": np.uint64, "real": float}


# ---- programs


class Writer:
    """Writes one program.

    Args:
        draw: the random numbers.
        depth: how deeply expressions are nested.
    """

    def __init__(self, draw, depth):
        self.draw, self.depth, self.counters = draw, depth, 0

    def literal(self, kind):
        if kind == "float":
            return self.draw.choice(("0.5", "-1.5", "3.0", "1e10", "0.0"))
        number = self.draw.choice((*EDGES, self.draw.randrange(100)))
        return str(number if kind == "word" or self.draw.random() < 0.6 else -number)

    def number(self, kind, depth=None):
        """An expression of one kind; in Python it is one of numpy's scalars."""
        draw, depth = self.draw, self.depth if depth is None else depth
        if depth == 0 or draw.random() < 0.2:
            return self.leaf(kind)
        a, b, c = self.number(kind, depth - 1), self.number(kind, depth - 1), self.truth(depth - 1)
        if draw.random() < 0.25:
            b = self.literal(kind)
        into = {"int": "whole", "word": "word", "float": "real"}[kind]
        general = [
            f"{into}({a} if {c} else {b})",
            f"{into}({draw.choice(('min', 'max'))}({a}, {b}))",
            f"{into}({a} {draw.choice(('and', 'or'))} {b})",
            f"({a} {draw.choice('+-*')} {b})",
            f"(-{a})",
            f"(+{a})",
            f"abs({a})",
            f"{into}({self.number(draw.choice(('int', 'word', 'float')), depth - 1)})",
            f"{into}({c})",
            f"({a} {draw.choice('+-*')} {c})",
            f"({a}, {self.leaf('bool')}, {b})[{draw.choice(('0', '-3'))}]",
        ]
        if kind == "float":
            other = self.number(draw.choice(("int", "word")), depth - 1)
            return draw.choice(
                (
                    *general,
                    f"({a} / {b})",
                    f"({other} / {a})",
                    f"({other} + {a})",
                    f"np.{draw.choice(('floor', 'ceil', 'sqrt'))}({a})",
                )
            )
        shift = (
            f"({a} {draw.choice(('<<', '>>'))} {draw.choice((f'({self.number(kind, depth - 1)} & 63)', str(draw.randrange(64))))})"
        )
        return draw.choice((*general, shift, shift, f"({a} {draw.choice(('//', '%', '//', '%', '&', '|', '^'))} {b})", f"(~{a})"))

    def truth(self, depth):
        """A condition; in Python it is a bool of Python or of numpy."""
        draw = self.draw
        if depth == 0 or draw.random() < 0.2:
            return self.leaf("bool")
        kind = draw.choice(("int", "word", "float"))
        a, b, c = (self.number(kind, depth - 1) for _ in range(3))
        if draw.random() < 0.3:
            b = self.literal(kind)
        ops = [draw.choice(("==", "!=", "<", "<=", ">", ">=")) for _ in range(2)]
        d, e = self.truth(depth - 1), self.truth(depth - 1)
        i, j, u, v = (self.number(kind, depth - 1) for kind in ("int", "int", "word", "word"))
        choices = (
            f"({a} {ops[0]} {b})",
            f"bool({a} {ops[0]} {b} {ops[1]} {c})",
            f"bool({d} {draw.choice(('and', 'or'))} {e})",
            f"(not {draw.choice((d, a))})",
            f"bool({a})",
            f"({d} {draw.choice('&|^')} {e})",
            f"(({i}, {u}) {ops[0]} ({j}, {v}))",
        )
        return draw.choice(choices)

    def leaf(self, kind):
        """A variable, or an element."""
        draw = self.draw
        if draw.random() < 0.6:
            return draw.choice(VARIABLES[kind])
        arrays = {"int": INTS, "word": WORDS, "float": FLOATS, "bool": BOOLS}[kind]
        return f"a_{draw.choice(arrays)}[{self.index()}]"

    def index(self):
        draw = self.draw
        i, u = draw.choice(VARIABLES["int"]), draw.choice(VARIABLES["word"])
        return draw.choice((str(draw.randrange(-LENGTH, LENGTH)), f"{i} % {LENGTH}", f"{u} % {LENGTH}", f"-1 - ({i} & 3)"))

    def of(self, kind, depth=None):
        depth = self.depth if depth is None else depth
        return self.truth(depth) if kind == "bool" else self.number(kind, depth)

    def block(self, depth, inside_loop=False):
        lines = []
        for _ in range(self.draw.randint(1, 3)):
            lines += self.statement(depth, inside_loop)
        return ["    " + line for line in lines]

    def statement(self, depth, inside_loop):
        draw, kind = self.draw, self.draw.choice((*VARIABLES, "int", "word"))
        name = draw.choice(VARIABLES[kind])
        how = draw.randrange(13 if depth else 7)
        if how == 0 and kind in ("int", "word"):
            return [f"{name} {draw.choice(('+', '-', '*', '//', '%', '&', '|', '^'))}= {self.number(kind)}"]
        if how == 1:
            dtype = draw.choice(DTYPES)
            kinds = {"f": ("float", "int"), "b": ("bool", "int"), "u": ("int", "word")}.get(np.dtype(dtype).kind, ("int", "bool"))
            return [f"a_{dtype}[{self.index()}] = {self.of(kinds[0] if dtype != 'uint64' else 'word')}"]
        if how == 2:
            bounds = f"{self.number('int', 1)} % 19 - 9:{self.number('int', 1)} % 19 - 9"
            return [f"a_int16[{bounds}] = {self.number('int', 1)}"]
        if how == 3:
            one, two = VARIABLES[kind][:2]
            return [f"{one}, {two} = {self.of(kind, 1)}, {self.of(kind, 1)}"]
        if how == 4:
            return [
                f"t = ({self.number('int')}, ({self.number('word')}, {self.truth(1)}))",
                "i, (u, p) = t",
                "j = t[0]",
                "v = t[1][0]",
            ]
        if how == 5:
            return [f"i, u = helper({ARRAYS}, {', '.join(self.of(kind, 1) for kind in ('int', 'word', 'float', 'bool'))})"]
        if how == 6 and inside_loop:
            return [f"if {self.truth(self.depth)}:", f"    {draw.choice(('break', 'continue'))}"]
        if how < 9:
            return [f"{name} = {self.of(kind)}"]
        if how < 11:
            lines = [f"if {self.truth(self.depth)}:", *self.block(depth - 1, inside_loop)]
            lines += [f"elif {self.truth(1)}:", *self.block(depth - 1, inside_loop)] * draw.randrange(2)
            return lines + ["else:", *self.block(depth - 1, inside_loop)] * draw.randrange(2)
        self.counters += 1
        counter = f"n{self.counters}"
        if how == 11:
            body = self.block(depth - 1, inside_loop=True)
            return [f"{counter} = whole(0)", f"while {counter} < 4 and {self.truth(1)}:", f"    {counter} += 1", *body]
        start, stop = draw.randrange(-4, 4), self.number("int", 1)
        loops = (
            f"for {counter} in range({stop} & 7):",
            f"for {counter} in range({start}, {stop} & 7, {draw.choice((1, 2, 3))}):",
            f"for {counter} in range({stop} & 7, {start}, -{draw.choice((1, 2))}):",
            f"for {counter} in ({self.number('int', 1)}, {self.number('int', 1)}, {self.leaf('int')}):",
        )
        body = self.block(depth - 1, inside_loop=True)
        if draw.random() < 0.2:
            return [f"for {counter} in range({self.number('word', 1)} & 7):", f"    u ^= {counter}", *body]
        return [draw.choice(loops), f"    i += {counter}", *body]


def written(seed, blocks):
    """The source of a program with so many blocks of statements, nested as deeply."""
    write = Writer(Random(seed), min(blocks, 2))
    variables = [name for names in VARIABLES.values() for name in names]
    lines = [f"def program({ARRAYS}, i, j, u, v):", "    k, x, y, p, q = i ^ j, real(i), real(u), i < j, u < v"]
    lines += [line for _ in range(blocks) for line in write.block(min(blocks, 2))]
    lines += [f"    return {', '.join(variables)}", ""]
    if any("helper(" in line for line in lines):
        lines = [*HELPER, *lines]
    annotated = ", ".join(f"a_{dtype}: A_{dtype}" for dtype in DTYPES)
    lines += [f"def kernel({annotated}, given: Words, ints: A_int64, words: Words, floats: A_float64) -> None:"]
    lines += [f"    {', '.join(variables)} = program({ARRAYS}, whole(given[0]), whole(given[1]), given[2], given[3])"]
    lines += ["    ints[0], ints[1], ints[2], words[0], words[1], floats[0], floats[1] = i, j, k, u, v, x, y"]
    lines += ["    ints[3], ints[4] = whole(p), whole(q)"]
    return "\n".join(lines) + "\n"


def inputs(seed):
    """What a program is given: an array of each dtype, and four words."""
    random = np.random.default_rng(seed)
    edges = np.array([*EDGES, 2**63, 2**64 - 1, 2**64 - 2, 2**64 - 7], np.uint64)
    words = np.where(random.random((len(DTYPES) + 1, LENGTH)) < 0.6, random.choice(edges, (len(DTYPES) + 1, LENGTH)), 0)
    words = np.where(
        words == 0,
        random.integers(2**64, size=words.shape, dtype=np.uint64) >> random.integers(64, size=words.shape, dtype=np.uint64),
        words,
    )
    given = [
        (row.view(np.int64) / 8).astype(dtype) if dtype in FLOATS else row.astype(dtype)
        for row, dtype in zip(words, DTYPES, strict=False)
    ]
    return [*given, words[-1]]


def difference(seed, blocks):
    """Where Python and machine code differ on a program; empty where they do not."""
    source = written(seed, blocks)
    types = {f"A_{dtype}": Annotated[NDArray[np.dtype(dtype).type], 1] for dtype in DTYPES}
    machine = compiled(kernel_from(source, Words=Words, **types, **IN_KERNELS), Link("tests", {}, {}))
    python = kernel_from(source, Words=Words, **types, **IN_PYTHON)
    for number in range(INPUTS):
        sides = []
        for run in (machine, python):
            arrays = [*inputs((seed, number)), np.zeros(5, np.int64), np.zeros(2, np.uint64), np.zeros(2)]
            with np.errstate(all="ignore"):
                run(*(arrays if run is machine else map(Widened, arrays)))
            sides.append(arrays)
        for one, other in zip(*sides, strict=True):
            if not np.array_equal(one, other, equal_nan=one.dtype.kind == "f"):
                return f"seed {seed}, input {number}: machine code gives {one}, Python {other}\n{source}"
    return ""


if __name__ == "__main__":
    how_many = int(sys.argv[1])
    found = [text for seed in range(how_many) if (text := difference(seed, blocks=3))]
    print(*found, f"{how_many} programs, {len(found)} differences", sep="\n")
    raise SystemExit(bool(found))
