"""Random statements of the kernels' language, and whole functions of them."""

from random import Random

from .expressions import (
    ARRAYS,
    DTYPES,
    GIVING,
    INTO,
    LENGTH,
    OF_KIND,
    OPERATIONS,
    OPERATORS,
    REAL,
    SHAPE,
    TABLES,
    VARIABLES,
    Expressions,
)

RESULTS = ", ".join(name for names in VARIABLES.values() for name in names)
ONTO = {kind: [(op, left, right) for op, left, right, _ in GIVING[kind] if left == kind and op in OPERATORS] for kind in INTO}
"""The operators that leave a number its kind."""
POWERS = sorted({pair for kind in REAL for pair in (("float", kind), (kind, "float"))})
FUNCTIONS = ("exp", "log", "sin", "cos", "tanh")
"""Two ways to compute these may differ in the last bits, so no program goes on with what they give."""
ROUGH = 8
PRELUDE = f"""
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
    return table[i % {SHAPE[0]}]

def touched(counts, i):
    counts[0] += 1
    return i % {LENGTH}

def nothing(counts, by):
    counts[1] -= by
    if by > 9:
        return
    counts[0] = by

def started(i, u):
    return Place(Point(i, u), (float(0.25), bool(i < 0)))
"""


class Statements(Expressions):
    """Writes statements, as lists of lines.

    Args:
        draw: the random numbers.
        returns: what the function returns.
    """

    def __init__(self, draw, returns):
        super().__init__(draw)
        self.returns, self.counters = returns, 0
        self.simple = [
            *[self.assigned] * 3, *[self.augmented] * 3, *[self.written] * 2,
            self.annotated, self.chain, self.swapped, self.unpacked, self.cell_written, self.element_augmented, self.filled,
            self.copied, self.row_written, self.table_copied, self.rough, self.placed, self.called_alone, self.grown, self.passed,
        ]  # fmt: skip
        self.nested = [*[self.branch] * 3, *[self.loop] * 2, self.in_turn, self.while_loop, self.endless, self.returned]

    def block(self, depth, inside_loop=False):
        """A few statements, in which others are nested so deeply."""
        lines = []
        for _ in range(self.draw.randint(1, 3)):
            if depth and self.draw.random() < 0.35:
                lines += self.draw.choice(self.nested)(depth - 1, inside_loop)
            elif inside_loop and self.draw.random() < 0.15:
                lines += [f"if {self.condition()}:", f"    {self.draw.choice(('break', 'continue'))}"]
            else:
                lines += self.draw.choice(self.simple)()
        return ["    " + line for line in lines]

    def dealt(self, number):
        """Statements in turn: two operators, one that augments, a power and a simple statement."""
        operations = [OPERATIONS[at % len(OPERATIONS)] for at in (2 * number, 2 * number + 1)]
        lines = [f"{self.variable(kind)} = {self.operation(*operation, kind, depth=1)}" for *operation, kind in operations]
        onto = [each for kind in ONTO.values() for each in kind]
        op, kind, right = onto[number % len(onto)]
        lines += [f"{self.variable(kind)} {self.onto(op, kind, right)}", *self.power(*POWERS[number % len(POWERS)])]
        return lines + self.simple[number % len(self.simple)]()

    def kind(self):
        return self.draw.choice([*INTO])

    # ---- assignments

    def assigned(self):
        kind = self.kind()
        return [f"{self.variable(kind)} = {self.value(kind)}"]

    def annotated(self):
        kind = self.kind()
        return [f"{self.variable(kind)}: {INTO[kind]} = {self.value(kind)}"]

    def chain(self):
        kind = self.kind()
        one, two = VARIABLES[kind][:2]
        return [f"{one} = {self.element(kind)} = {two} = {self.value(kind)}"]

    def swapped(self):
        kind = self.kind()
        one, two = VARIABLES[kind][:2]
        if self.draw.random() < 0.5:
            return [f"{one}, {two} = {two}, {one}"]
        return [f"{one}, {self.element(kind)} = {self.value(kind, 1)}, {self.value(kind, 1)}"]

    def unpacked(self):
        given = f"t = ({self.value('int')}, ({self.value('word')}, {self.value('bool', 1)}))"
        return [given, *self.draw.choice((["i, (u, p) = t"], ["j = t[0]", "v = t[1][0]"]))]

    def augmented(self):
        kind = self.kind()
        return [f"{self.variable(kind)} {self.onto(*self.draw.choice(ONTO[kind]))}"]

    def onto(self, op, kind, right):
        """An operator that leaves a number its kind, and what is right of it."""
        self.used[f"{op}=", kind, right] += 1
        return f"{op}= {self.operand(right, kind, 2, op)}"

    def placed(self):
        n, w, x, p = (self.value(kind, 1) for kind in INTO)
        ways = (
            f"Place(Point({n}, {w}), ({x}, {p}))",
            f"placed({n}, {w}, {x}, {p})",
            f"deep({n} & 3, i)",
            "Place(place.at, (y, q))",
            f"Place(Point({n}, {w}), (y, q)) if {p} else placed({n}, v, {x})",
        )
        return [f"place = {self.draw.choice(ways)}"]

    def grown(self):
        """A variable that is of a wider kind elsewhere."""
        narrow, wide = self.draw.choice((("int", "float"), ("bool", "int"), ("word", "float"), ("bool", "word"), ("bool", "float")))
        name = f"z_{narrow}_{wide}"
        lines = [f"{name} = {self.value(narrow)}", f"if {self.condition()}:", f"    {name} = {self.value(wide)}"]
        return [*lines, f"{self.variable(wide)} = {INTO[wide]}({name})"]

    def rough(self):
        x = self.draw.choice((self.value("float"), self.value("int"), "(x / 7)", "(y - 0.5)"))
        return [f"rough[{self.draw.randrange(ROUGH)}] = {self.draw.choice(('np', 'math'))}.{self.draw.choice(FUNCTIONS)}({x})"]

    def power(self, left, right):
        """A power; those of 2**n lose more bits, the larger n is."""
        self.used["**", left, right] += 1
        bases = {"number": ("2", "3", "10"), "fraction": ("0.5", "1.5")}
        a = self.draw.choice(bases[left]) if left in bases else self.value(left, 1)
        a, b = (f"({each} - x)" if kind == "float" else each for kind, each in ((left, a), (right, self.operand(right, left, 1))))
        return [f"rough[{self.draw.randrange(ROUGH)}] = {a} ** {b}"]

    def passed(self):
        return ["pass"]

    # ---- arrays

    def into(self, dtype):
        """What can be written into an array."""
        kind = "float" if "float" in dtype else dtype
        kinds = {"float": ("float", "float", "int", "word", "bool", "fraction"), "bool": ("bool", "bool", "int", "word", "number")}
        given = self.draw.choice(kinds.get(kind, ("int", "int", "word", "bool", "number")))
        return self.operand(given, "word" if dtype == "uint64" else "int", 2)

    def written(self):
        dtype = self.draw.choice(DTYPES)
        return [f"a_{dtype}[{self.index(LENGTH)}] = {self.into(dtype)}"]

    def cell_written(self):
        kind = self.kind()
        return [f"{self.cell(kind)} = {self.value(kind)}"]

    def element_augmented(self):
        kind = self.kind()
        dtype = self.draw.choice(OF_KIND[kind])
        return [f"a_{dtype}[touched(counts, {self.value('int', 1)})] {self.onto(*self.draw.choice(ONTO[kind]))}"]

    def bounds(self):
        """The bounds of a slice, which may lie beyond the array."""
        few = (f"{self.value('int', 1)} % 19 - 9", f"{self.value('word', 1)} % 9", str(self.draw.randrange(-9, 9)))
        ways = ("", *few, self.value("int", 1), self.value("word", 1))
        return f"{self.draw.choice(ways)}:{self.draw.choice(ways)}"

    def filled(self):
        dtype, kind = self.draw.choice(DTYPES), self.kind()
        row = self.index(SHAPE[0])
        table = f"{TABLES[kind]}[{self.draw.choice((row, f'{row}, {self.bounds()}', self.bounds()))}] = {self.value(kind)}"
        return [f"a_{dtype}[{self.bounds()}] = {self.into(dtype)}", table]

    def copied(self):
        """Copies, of floats into floats alone."""
        pairs = [self.draw.sample(DTYPES, 2), [self.draw.choice(DTYPES)] * 2]
        lines = [
            f"a_{into}[{self.bounds()}] = a_{of}[{self.bounds()}]" for into, of in pairs if "float" not in of or "float" in into
        ]
        return [
            *lines,
            f"a_{self.draw.choice(DTYPES)}[{self.bounds()}] = {self.draw.choice(('board.small[1]', 'TABLE'))}[{self.bounds()}]",
        ]

    def row_written(self):
        """A row, and one that has a name or is what a function gives."""
        row, other = self.index(SHAPE[0]), self.index(SHAPE[0])
        line = self.draw.choice((f"board.words[{row}]", "a_uint64[2:]", f"a_uint64 if {self.condition(1)} else board.words[{row}]"))
        return self.draw.choice(
            (
                [f"{TABLES['float']}[{row}] = {self.draw.choice([*TABLES.values()])}[{other}]"],
                [f"row(board.small, {self.value('int', 1)})[{self.index(SHAPE[1])}] = {self.value('int', 1)}"],
                [f"line = {line}", f"line[{self.value('int', 1)} % len(line)] = {self.value('word', 1)}", "u ^= line[-1]"],
            )
        )

    def table_copied(self):
        into, of = self.draw.choice([(a, b) for a in TABLES.values() for b in TABLES.values() if b != TABLES["float"] or a == b])
        return [f"{into}[{self.bounds()}] = {of}[{self.bounds()}]"]

    def called_alone(self):
        return [f"{self.draw.choice(('nothing', 'touched'))}(counts, {self.value('int')})"]

    # ---- branches and loops

    def branch(self, depth, inside_loop):
        test = self.draw.choice((self.condition(), self.condition(), self.condition(), "NUMBER > 3", "not TRUE"))
        lines = [f"if {test}:", *self.block(depth, inside_loop)]
        lines += [f"elif {self.condition()}:", *self.block(depth, inside_loop)] * self.draw.randrange(2)
        return lines + ["else:", *self.block(depth, inside_loop)] * self.draw.randrange(2)

    def returned(self, depth, inside_loop):
        return [f"if {self.condition()}:", *self.block(depth, inside_loop), f"    return {self.returns}"]

    def counter(self):
        self.counters += 1
        return f"n{self.counters}"

    def while_loop(self, depth, inside_loop):
        n = self.counter()
        return [f"{n} = 0", f"while {n} < 4 and {self.condition(1)}:", f"    {n} += 1", *self.block(depth, inside_loop=True)]

    def endless(self, depth, inside_loop):
        n, leave = self.counter(), self.draw.choice(("break", f"return {self.returns}"))
        lines = [f"{n} = 0", "while True:", f"    {n} += 1", f"    if {n} > 3:", f"        {leave}"]
        return lines + self.block(depth, inside_loop=True)

    def loop(self, depth, inside_loop):
        """A loop over a range, at times one near the end of 64 bits."""
        n, start, stop = self.counter(), self.draw.randrange(-4, 4), f"{self.value('int', 1)} & 7"
        if self.draw.random() < 0.2:
            header, by = f"for {n} in range({self.value('word', 1)} & 7):", f"u ^= {n}"
        else:
            near, by = f"{2**63 - 6} + ({stop}) // 2", self.draw.choice((1, 2, 3))
            ranges = (
                stop,
                f"{start}, {stop}",
                f"{start}, {stop}, {by}",
                f"{stop}, {start}, -{by}",
                f"{near}, {2**63 - 1}, {by}",
                f"-({near}), {-(2**63)}, -{by}",
            )
            header, by = f"for {n} in range({self.draw.choice(ranges)}):", f"i += {n}"
        inside = self.block(depth, inside_loop=True)
        return [header, f"    {by}", *inside]

    def in_turn(self, depth, inside_loop):
        """A loop over the members of a tuple."""
        n, m = self.counter(), self.counter()
        a, b, c = self.value("int", 1), self.leaf("int"), self.value("bool", 1)
        u, v = self.value("word", 1), self.leaf("word")
        header, by = self.draw.choice(
            (
                (f"for {n} in ({a}, {c}, {self.draw.randrange(9)}):", f"i += {n}"),
                (f"for {n}, {m} in (({a}, {u}), ({b}, {v})):", f"j, u = {n}, {m} ^ u"),
                (f"for {n}, {m} in STEPS:", f"i += {n} * {m}"),
                (f"for {n} in SIZES:", f"j ^= {n}"),
                (f"for {n} in RATES:", f"x = {n} - y"),
                (f"for {n} in (place.at, board.place, Point({a}, {u})):", f"k, v = {n}.n, {n}.w"),
                (f"for {self.element('int')} in ({a}, {b}):", f"k -= {self.element('int')}"),
            )
        )
        return [header, f"    {by}", *self.block(depth, inside_loop=True)]


def function(seed, name, blocks):
    """A random function of so many blocks of statements, with another one that it calls, and how often each operator occurs.

    It begins with some of each. Functions with seeds one after another take one after another, so that none is left to chance.
    """
    draw = Random(seed)
    given = f"board, {ARRAYS}, counts, rough"
    helper, write = Statements(draw, "i, u, x, p"), Statements(draw, RESULTS)
    lines = ["@apart"] * draw.randrange(2) + [f"def help_{name}({given}, {RESULTS}):", "    place = started(i, v)"]
    lines += [*helper.block(1), f"    return {helper.returns}", "", "@apart", f"def {name}({given}, i, j, u, v):"]
    lines += ["    k, x, y, p, q, place = i ^ j, a_float64[0], float(u) / 3, bool(i < j), bool(u < v), started(i, v)"]
    lines += ["    " + line for line in write.dealt(seed)]
    for _ in range(blocks):
        lines += write.block(min(blocks, 2))
        passed = ", ".join(write.value(kind, 1) for kind, names in VARIABLES.items() for _ in names)
        lines += [f"    i, u, x, p = help_{name}({given}, {passed})"] * (draw.random() < 0.3)
    return [*lines, f"    return {RESULTS}", ""], helper.used + write.used
