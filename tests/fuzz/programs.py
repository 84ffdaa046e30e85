"""Small random programs of the kernels' language, run by Python and as machine code.

Tables below hold what a program is made of: `{int}`, `{word}`, `{float}` and `{bool}` stand for any expression of that kind, `{i}`,
`{u}`, `{x}` and `{p}` for a variable; names that end with `_` are of one statement alone.
Every construct and function of the language is in them, which core/native/test_programs.py checks, where they run.
"""

import math
import re
from functools import cache
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.core.native import Link, apart, compile_kernel
from ludus.games.kernels.arrays import Words

from ..helpers.native.kernels import kernel_from

# ---- what Python makes of a program: its own arithmetic, on numpy's scalars of 64 bits. Where the language and Python part, a
# name means something else here: `int` of a word keeps the bits, and what is read from an array has 64 bits.


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


# ---- what programs are made of

DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool")
ARRAYS = ", ".join(f"a_{dtype}" for dtype in DTYPES)
TYPES = {f"A_{dtype}": Annotated[NDArray[np.dtype(dtype).type], 1] for dtype in DTYPES} | {"Words": Words}
EDGES = (0, 1, 2, 3, 5, 31, 63, 64, 127, 255, 2**31, 2**32 - 1, 2**53 + 1, 2**62, 2**63 - 9)
"""Where something changes, but for 2**63 - 1: in an index it ends LLVM 22.1 (github.com/llvm/llvm-project/issues/181682)."""
FLOATS = np.array([0.0, -0.0, 0.5, -1.0, np.inf, -np.inf, np.nan])
INPUTS, TOGETHER = 3, 20
"""Inputs for each program, and programs that are compiled together."""
ROUGH, ULPS = 8, 4
"""Numbers that two ways to compute them may give differently in the last bits: no program goes on with them."""
LEAVES = {
    "int": """
        {i}; {i}; a_int8[{at}]; a_int16[{at}]; a_int64[{at}]; a_uint8[{at}]; a_uint32[{at}]; board.small[{row}, 3];
        board.small[2][{row}]; board.cube[1, {row}, 0]; board.cube[0][{row}, 1]; TABLE[{at}];
        int(SIZES[{i} % 5]); int(STEPS[{u} % 3][-1]); board.count; board.place.n; place.at.n; board.small.shape[1];
        len(a_int8[{i}:]); int(NUMBER)
    """,
    "word": """
        {u}; {u}; a_uint64[{at}]; board.words[{row}, -1]; np.uint64({edge}); MASK; board.mask; GRID[1, {row}]; GRID[0][{row}];
        place.at[1]
    """,
    "float": """
        {x}; {x}; a_float32[{at}]; a_float64[{at}]; board.floats[{row}, 0]; float(RATES[{i} % 3]); CURVE[{row}]; place.rest[0]
    """,
    "bool": """
        {p}; {p}; a_bool[{at}]; board.flags[{row}, 1]; FLAGS[{row}]; place[1][1]
    """,
}
EXPRESSIONS = {
    "int": """
        ({int} + {int}); ({int} - {bool}); ({int} * {int}); ({int} // {int}); ({int} % {int}); ({int} << ({int} & 63));
        ({edge} - {int}); ({int} >> ({int} & 63)); ({int} & {int}); ({bool} | {int}); ({int} ^ {edge}); (-{int}); (+{int});
        (~{int}); int({word}); np.int64({float}); int({bool}); abs({int}); int(min({int}, {int}, {bool}));
        int(max(({int}, {int}))); int({int} if {bool} else {int}); int({int} and {int}); int({bool} or {int});
        ({int}, {int}, {int})[{row}]; ({word}, ({bool}, {int}))[-1][1]; Point(w={word}, n={int}).n; down({int} & 7, {int});
        both({int}, {word})[0]; both(w={word})[0]; deep({int} & 3, {int}).at.n; pair({int} & 3, {int})[1]; math.floor({float});
        math.ceil({float})
    """,
    "word": """
        ({word} + {word}); ({word} - {edge}); ({word} * {word}); ({word} // {word}); ({word} % {bool}); ({word} << ({word} & 63));
        (-{word}); ({word} >> ({word} & 63)); ({word} & {word}); ({word} | {bool}); ({word} ^ {word}); (~{word}); np.uint64({int});
        np.uint64({float}); np.uint64(max({word}, {word})); np.uint64({word} if {int} else {bool}); fold({int} & 7, w={word});
        both({int}, {word})[1]; deep(n={int} & 3, i={int}).at.w; placed({int}, {word}, {float}, p={bool}).at.w
    """,
    "float": """
        ({float} + {float}); ({int} - {float}); ({float} * {word}); ({float} / {float}); ({int} / {int}); ({word} / {float});
        (-{float}); (HALF * {float}); float({int}); float({bool}); np.float64({word}); abs({float}); float(min({float}, {int}));
        float(max({float}, {float})); float({float} if {bool} else {int}); halved({int} & 7, {float});
        float(mixed({float}, {int})); deep({int} & 3, {int}).rest[0]; np.floor({float}); np.ceil({float}); np.sqrt({float});
        math.sqrt({word})
    """,
    "bool": """
        bool({int} < {int}); bool({word} <= {word}); bool({float} > {int}); bool({float} >= {float}); bool({int} == {bool});
        ({word} != {word}); bool({int} < {int} <= {float} != {int}); bool({bool} & {bool}); bool({bool} ^ {bool}); (not {int});
        (not {bool}); bool({float}); np.bool_({word}); bool({bool} and {int} > {int}); bool({bool} or {bool});
        bool(({int}, ({word}, {bool})) < ({int}, ({word}, {bool}))); is_even({int} & 7); same({bool}, {bool});
        deep({int} & 3, {int}).rest[-1]
    """,
}
STATEMENTS = """
{i} = {int};{u} = {word};{x} = {float};{p} = {bool};{i}: int = {int};{u}: np.uint64 = {word}
{i} += {int};{i} -= {int};{i} *= {bool};{i} //= {int};{i} %= {int};{u} <<= {word} & 63;{u} >>= {word} & 63;{u} &= {word}
{u} |= {word};{i} ^= {int}
{x} += {float};{x} /= {float};{x} *= {int};i = a_int8[{at}] = j = {int};i, j = j, i;u, a_uint64[{at}] = {word}, {word}
t_ = ({int}, ({word}, {bool}));i, (u, p) = t_;j = t_[0];pass
place = Place(Point({int}, {word}), ({float}, {bool}))
{p} = bool((i, (u, p)) <= (i, (u, p)));{p} = bool((j, v) >= (j, v))
place = placed({int}, {word}, {float}) if {bool} else deep({int} & 3, {int})
z_ = {int};if {bool}:\\n    z_ = {float};y = float(z_)
rough[0] = np.exp({float});rough[1] = math.log({float});rough[2] = np.sin({float});rough[3] = math.cos({int})
rough[4] = math.tanh({float})
rough[5] = 3 ** ({float} - x);rough[6] = ({float} - x) ** {int}
rough[7] = np.log({word}) + np.cos({float}) + math.sin({x}) + np.tanh({x}) + math.exp({x})
a_int16[{at}] = {int};a_uint8[{at}] = {word};a_float32[{at}] = {float};a_bool[{at}] = {bool};board.words[{row}, {row}] = {word}
a_int32[touched(counts, {int})] += {int};a_uint64[{int} % 19 - 9:{word} % 9] = {word};board.small[{row}, {int}:] = {int}
board.floats[1] = {float}
a_int8[{int} % 9:] = a_int64[:{int} % 9];a_uint16[2:] = TABLE[{int} % 5:];board.floats[{row}] = board.small[{row}]
board.words[1:] = board.words[:2]
row(board.small, {int})[{row}] = {int}
line_ = a_uint64 if {bool} else board.words[{row}];line_[{int} % len(line_)] = {word};u ^= line_[-1]
nothing(counts, {int});touched(counts, {int});i, u, x, p = apart_from_it(board, i, u, x, p)
if {bool}:\\n{block}\\nelif {int}:\\n{block}\\nelse:\\n{block}
if NUMBER > 3:\\n{block};if {bool}:\\n    return {results}
n_ = 0\\nwhile n_ < 4 and {bool}:\\n    n_ += 1\\n{block}
n_ = 0\\nwhile True:\\n    n_ += 1\\n    if n_ > 3:\\n        break\\n    if {bool}:\\n        continue\\n{block}
for m_ in range({int} & 7):\\n    i += m_\\n{block};for m_ in range(-3, {int} & 7, 2):\\n    j ^= m_
for m_ in range({int} & 7, -4, -3):\\n    k -= m_
for m_ in range(9223372036854775802, 9223372036854775807, 2):\\n    i ^= m_;for w_ in range({word} & 7):\\n    u ^= w_
for m_ in ({int}, {bool}, 5):\\n    i += m_;for m_, w_ in (({int}, {word}), ({int}, {word})):\\n    j, u = m_, w_ ^ u
for m_, n_ in STEPS:\\n    i += m_ * n_
for m_ in RATES:\\n    x = m_ - y;for m_ in (place.at, board.place):\\n    k, v = m_.n, m_.w
"""
RESULTS = "i, j, k, u, v, x, y, p, q"
PRELUDE = """
def down(n: int, i: int) -> int:
    return i if n <= 0 else down(n - 1, i * 3 ^ n) + 1

def fold(n: int, w: np.uint64) -> np.uint64:
    if n <= 0:
        return w
    return fold(n - 1, w * 5 ^ np.uint64(n)) - 1

def halved(n: int, x: float) -> float:
    return halved(n - 1, x / 2) if n > 0 else x

def pair(n: int, i: int) -> tuple[int, int]:
    if n < 1:
        return n, i
    a, b = pair(n - 1, i + n)
    return b, a

def deep(n: int, i: int) -> Place:
    if n == 0:
        return Place(Point(i, np.uint64(i)), (i / 4, bool(i > 0)))
    (j, w), rest = deep(n - 1, i ^ n)
    return Place(Point(j + 1, w << 1), rest)

def is_even(n: int) -> bool:
    return True if n == 0 else is_odd(n - 1)

def is_odd(n: int) -> bool:
    return False if n == 0 else is_even(n - 1)

def both(i=NUMBER, w=MASK):
    '''Several results.'''
    return i ^ 5, w + 1

def placed(i, w, x, p=False):
    point = Point(w=w, n=i)
    return Place(point, (x, p)) if p else Place(rest=(x, p), at=point)

def mixed(x, n):
    if n > 3:
        return n
    return x

def same(p, q):
    return bool(p == q)

def row(table, i):
    return table[i % 3]

def touched(counts, i):
    counts[0] += 1
    return i % 7

def nothing(counts, by):
    counts[1] -= by
    if by > 9:
        return
    counts[0] = by

@apart
def apart_from_it(board, i, u, x, p):
    board.cube[1, 0, 1] = i
    return i ^ board.count, u + 1, x / 2, not p
"""


class Point(NamedTuple):
    n: int
    w: np.uint64


class Place(NamedTuple):
    at: Point
    rest: tuple[float, bool]


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


CONSTANTS = {
    "NUMBER": 11,
    "HALF": 0.5,
    "SIZES": (3, 1, 4, -1, 5),
    "MASK": np.uint64(0xF0F0F0F0F0F0F0F0),
    "RATES": (0.25, -3.0, 1e10),
    "STEPS": ((1, 0), (0, -1), (-1, 1)),
    "TABLE": np.arange(-3, 4).astype(np.int16),
    "GRID": (np.arange(6, dtype=np.uint64) * np.uint64(0x2545F4914F6CDD1D)).reshape(2, 3),
    "CURVE": np.array([0.1, -2.5, 3e38], np.float32),
    "FLAGS": np.array([True, False, True]),
    "Point": Point,
    "Place": Place,
    "Board": Board,
}


class Writer:
    """Writes a program by random numbers."""

    def __init__(self, draw):
        self.draw, self.names = draw, 0

    def fill(self, template, depth):
        """A template with all its places filled, expressions nested so deeply."""
        return re.sub(r"\{(\w+)\}", lambda match: self.part(match[1], depth), template)

    def part(self, name, depth):
        draw = self.draw
        match name:
            case "i" | "u" | "x" | "p":
                return draw.choice({"i": "ijk", "u": "uv", "x": "xy", "p": "pq"}[name])
            case "at":
                return self.fill(draw.choice(("{i} % 7", "{u} % 7", "-1 - {i} % 7", str(draw.randrange(-7, 7)))), 0)
            case "row":
                return self.fill(draw.choice(("{i} % 3", "int({u} % 3) - 3", str(draw.randrange(-3, 3)))), 0)
            case "edge":
                return str(draw.choice(EDGES))
            case "results":
                return RESULTS
            case "block":
                return "\n".join("    " + line for _ in range(draw.randint(1, 2)) for line in self.statement(depth - 1))
        table = LEAVES if depth <= 0 or draw.random() < 0.15 else EXPRESSIONS
        return self.fill(draw.choice([each.strip() for each in table[name].split(";")]), depth - 1)

    def statement(self, depth, number=None):
        """The lines of a statement: of the number of its group in the table, or of any that nests none if it is nested deeply."""
        groups = STATEMENTS.strip().split("\n")
        simple = [group for group in groups if "{block}" not in group]
        group = self.draw.choice(simple if depth <= 0 else groups) if number is None else groups[number % len(groups)]
        shares = re.search(r"\b(line|z|t)_ =", group)
        templates = [group.replace(";", "\n")] if shares else group.split(";")
        if number is None:
            templates = [self.draw.choice(templates)]
        lines = []
        for template in templates:
            self.names += 1  # each statement has variables of its own, since a variable keeps one type
            text = re.sub(r"\b(line|[mntwz])_(?!\w)", rf"\g<1>{self.names}", template.replace("\\n", "\n"))
            lines += self.fill(text, min(depth, 2) or 1).split("\n")
        return lines


def function(seed, name, blocks):
    """A random function; those with seeds one after another begin with the groups of statements one after another."""
    writer = Writer(Random(seed))
    lines = ["@apart", f"def {name}(board, {ARRAYS}, counts, rough, i, j, u, v):"]
    lines += [
        "    k, x, y, p, q = i ^ j, a_float64[0], float(u) / 3, bool(i < j), bool(u < v)",
        "    place = Place(Point(i, u), (x, p))",
    ]
    for number in (seed, *[None] * (2 * blocks)):
        lines += ["    " + line for line in writer.statement(min(blocks, 2), number)]
    return [*lines, f"    return {RESULTS}", ""]


@cache
def written(seeds, blocks):
    """The source of several programs with this many blocks of statements."""
    lines, calls = PRELUDE.splitlines(), []
    for number, seed in enumerate(seeds):
        lines += function(seed, f"program_{number}", blocks)
        called = f"program_{number}(board, {ARRAYS}, counts, rough, int(given[0]), int(given[1]), given[2], given[3])"
        calls += [f"    if which == {number}:", f"        {RESULTS} = {called}"]
    annotated = ", ".join(f"a_{dtype}: A_{dtype}" for dtype in DTYPES)
    lines += [f"def kernel(which: int, board: Board, {annotated}, counts: A_int64, rough: A_float64, given: Words,"]
    lines += ["        ints: A_int64, words: Words, floats: A_float64, flags: A_bool) -> None:", *calls]
    lines += ["    ints[0], ints[1], ints[2], words[0], words[1] = i, j, k, u, v"]
    lines += ["    floats[0], floats[1], flags[0], flags[1] = x, y, p, q"]
    return "\n".join(lines) + "\n"


def inputs(seed):
    """What a program is given, and what it fills: many numbers lie where something changes."""
    random = np.random.default_rng(seed)
    edges = np.array([*EDGES, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 2, 2**64 - 7], np.uint64)

    def array(dtype, shape=(7,)):
        drawn = random.integers(2**64, size=shape, dtype=np.uint64) >> random.integers(64, size=shape, dtype=np.uint64)
        words = np.where(random.random(shape) < 0.5, random.choice(edges, shape), drawn)
        if "float" not in dtype:
            return words.astype(dtype)
        return np.where(random.random(shape) < 0.4, random.choice(FLOATS, shape), words.view(np.int64) / 8).astype(dtype)

    tables = [array(dtype, (3, 4)) for dtype in ("int16", "uint64", "float32", "bool")]
    n, w = array("int64"), array("uint64")
    board = Board(*tables, array("int32", (2, 3, 2)), n[0], w[0], Point(n[1], w[1]))
    results = np.zeros(3, np.int64), np.zeros(2, np.uint64), np.zeros(2), np.zeros(2, np.bool_)
    return [board, *map(array, DTYPES), np.zeros(2, np.int64), np.zeros(ROUGH), array("uint64"), *results]


def is_same(left, right, ulps):
    """Whether two arguments hold the same, zeros with the same sign, or floats up to `ulps` units in the last place apart."""
    if isinstance(left, tuple):
        return all(is_same(a, b, ulps) for a, b in zip(left, right, strict=True))
    same = (left == right) if np.asarray(left).dtype.kind != "f" else (left == right) & (np.signbit(left) == np.signbit(right))
    same |= (left != left) & (right != right)
    return bool(np.all(same if not ulps else same | (abs(left - right) <= ulps * np.spacing(abs(right)))))


def differences(seeds, blocks, compiled=compile_kernel):
    """Where Python and machine code differ on programs; empty where they do not. `compiled` gives the code of a linked kernel."""
    source, scope = written(seeds, blocks), {**TYPES, **CONSTANTS, "apart": apart}
    machine = compiled(kernel_from(source, math=math, **scope), Link("tests", {}, {}))
    python = kernel_from(source, **{name: widened(value) for name, value in scope.items()}, **NAMES)
    for (which, seed), number in product(enumerate(seeds), range(INPUTS)):
        sides = inputs((seed, number)), inputs((seed, number))
        with np.errstate(all="ignore"):
            machine(which, *sides[0])
            python(np.int64(which), *map(widened, sides[1]))
            ulps = [ULPS * (place == len(DTYPES) + 2) for place in range(len(sides[0]))]
            differ = [pair for *pair, most in zip(*sides, ulps, strict=True) if not is_same(*pair, most)]
        for ours, theirs in differ[:1]:
            yield f"seed {seed}, input {number}: machine code gives {ours}, Python {theirs}\n{written((seed,), blocks)}"
