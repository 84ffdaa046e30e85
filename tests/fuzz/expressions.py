"""Random expressions of the kernels' language, each of the kind that is asked for: int, word, float or bool.

What two constants, or a bool and a constant, give is one of Python's own numbers, which do not wrap: `int(…)` is written around it.
"""

from collections import Counter
from itertools import product

from .constants import COMPARISONS, Constants

DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool")
ARRAYS = ", ".join(f"a_{dtype}" for dtype in DTYPES)
LENGTH = 7
OF_KIND = {"int": (*DTYPES[:4], *DTYPES[4:7]), "word": ("uint64",), "float": DTYPES[8:10], "bool": ("bool",)}
TABLES = {"int": "board.small", "word": "board.words", "float": "board.floats", "bool": "board.flags"}
SHAPE, CUBE = (3, 4), (2, 3, 2)
VARIABLES = {"int": ("i", "j", "k"), "word": ("u", "v"), "float": ("x", "y"), "bool": ("p", "q")}
INTO = {"int": "int", "word": "np.uint64", "float": "float", "bool": "bool"}


WHOLE, REAL = ("int", "word", "bool", "number"), ("int", "word", "float", "bool", "number", "fraction")
CONSTANT, OWN = ("number", "fraction"), ("bool", "number", "fraction")
"""Operands that are constants, and those of which Python's operators make its own numbers."""
OPERATORS = dict.fromkeys(("+", "-", "*", "/"), REAL) | dict.fromkeys(("//", "%", "<<", ">>", "&", "|", "^"), WHOLE)
"""What Python and the language have, and the operands of each."""


def result(op, left, right):
    """The kind of what an operator gives; empty where the language, or Python, does not have it."""
    kinds = {left, right}
    if kinds <= {*CONSTANT} or {"int", "word"} <= kinds:
        return ""
    if op in COMPARISONS or (op in "&|^" and kinds == {"bool"}):
        return "bool"
    if op in ("/", "//", "%") and left in OWN and right == "bool":
        return ""  # Python does not divide its own numbers by 0
    if op == "/" or not kinds.isdisjoint(("float", "fraction")):
        return "float"
    return "word" if "word" in kinds else "int"


OPERATIONS = [
    (op, left, right, kind)
    for op, operands in (OPERATORS | dict.fromkeys(COMPARISONS, REAL)).items()
    for left, right in product(operands, repeat=2)
    if (kind := result(op, left, right))
]
"""Every operator with the kinds of both sides and of what it gives."""
GIVING = {kind: [each for each in OPERATIONS if each[-1] == kind] for kind in INTO}


class Expressions(Constants):
    """Writes expressions.

    Args:
        draw: the random numbers.
    """

    def __init__(self, draw):
        super().__init__(draw)
        self.used = Counter()
        """How often each operator was written, by the kinds of both sides."""
        numbers = [*[self.operated] * 6, self.signed, self.converted, self.extreme, self.magnitude]
        every = [self.chosen, self.first, self.member, self.field, self.called]
        self.ways = {
            "int": [*numbers, *every, self.inverted, self.rounded],
            "word": [*numbers, *every, self.inverted],
            "float": [*numbers, *every, self.rooted],
            "bool": [*[self.operated] * 5, *every, self.negated, self.chained, self.tuples, self.converted],
        }

    def value(self, kind, depth=2):
        """An expression of one kind; of Python's numbers a bool alone is its own."""
        if depth <= 0 or self.draw.random() < 0.1:
            return self.leaf(kind)
        return self.draw.choice(self.ways[kind])(kind, depth - 1)

    def condition(self, depth=2):
        """What `if` and its like take: a number of any kind too."""
        kind = self.draw.choice(("bool", "bool", "bool", *INTO))
        return self.value(kind, depth)

    # ---- operators

    def operated(self, kind, depth):
        return self.operation(*self.draw.choice(GIVING[kind]), depth)

    def operation(self, op, left, right, kind, depth):
        """An operator between operands of two kinds."""
        self.used[op, left, right] += 1
        a, b = self.operand(left, right, depth), self.operand(right, left, depth, op)
        text = f"({a} {op} {b})"
        return f"{INTO[kind]}{text}" if kind == "bool" or {left, right} <= {*OWN} else text

    def operand(self, kind, beside, depth, op=""):
        """One side of an operator: what is right of it has to make sense there."""
        if kind == "fraction":
            return self.fraction(not_zero=op == "/")
        if kind != "number":
            return f"({self.value(kind, depth)} & 63)" if op in ("<<", ">>") and kind != "bool" else self.value(kind, depth)
        if op in ("<<", ">>"):
            return self.number(0, 64)
        if op in ("/", "//", "%") and beside in ("bool", "float"):
            return self.number(1, 2**53)  # Python divides larger numbers of its own without making floats of them
        return self.number(*{"word": (0, 2**64), "float": (-(2**64), 2**64)}.get(beside, (-(2**63), 2**63)))

    def signed(self, kind, depth):
        if kind in ("int", "float") and self.draw.random() < 0.2:
            return f"{INTO[kind]}({self.draw.choice('-+')}{self.leaf('bool')})"
        return f"({self.draw.choice('-+')}{self.value(kind, depth)})"

    def inverted(self, kind, depth):
        return f"(~{self.value(kind, depth)})"

    def negated(self, kind, depth):
        return f"(not {self.condition(depth)})"

    def chained(self, kind, depth):
        """Comparisons in a chain. A constant may stand beside a bool, so that it is no larger than an int."""
        most = self.draw.choice(("word", "int", "float"))
        kinds = {"float": ("int", "fraction")}.get(most, ()) + (most, most, "number", "bool")
        drawn = [self.draw.choice(kinds) for _ in range(self.draw.choice((3, 4)))]
        sides = [self.number(0, 2**63) if kind == "number" else self.operand(kind, most, depth - 1) for kind in drawn]
        return f"bool({' '.join(f'{side} {self.draw.choice(COMPARISONS)}' for side in sides[1:])} {sides[0]})"

    def tuples(self, kind, depth):
        """Tuples are compared member by member. To Python a nan is what it is, so each float is a new one."""
        kinds = [self.draw.choice([*INTO]) for _ in range(3)]
        nested = self.draw.choice(("({}, ({}, {}))", "({}, {}, {})", "(({}, {}), {})", "({}, Point({}, {}))"))
        one, other = (
            nested.format(*(f"{self.value(each, depth - 1)}{' + 0.0' * (each == 'float')}" for each in kinds)) for _ in range(2)
        )
        return f"bool({one} {self.draw.choice(COMPARISONS)} {other})"

    # ---- one of several

    def beside(self, kind, depth):
        """Something that becomes this kind where it stands beside a value of it."""
        constants = {"int": "number", "word": "number", "float": "fraction"}
        narrower = {"int": ["bool"], "word": ["bool"], "float": ["int", "word", "bool"], "bool": []}[kind]
        other = self.draw.choice((kind, kind, kind, *narrower, constants.get(kind, "bool")))
        return self.operand(other, kind, depth)

    def chosen(self, kind, depth):
        several = [self.value(kind, depth), self.beside(kind, depth)]
        self.draw.shuffle(several)
        return f"{INTO[kind]}({several[0]} if {self.condition(depth)} else {several[1]})"

    def first(self, kind, depth):
        several = [self.value(kind, depth), self.beside(kind, depth), *[self.leaf(kind)] * self.draw.randrange(2)]
        self.draw.shuffle(several)
        op = self.draw.choice((" and ", " or "))
        return f"{INTO[kind]}({op.join(several)})"

    def extreme(self, kind, depth):
        several = ", ".join((self.value(kind, depth), *(self.beside(kind, depth - 1) for _ in range(self.draw.randint(1, 3)))))
        several = f"({several})" if self.draw.random() < 0.3 else several
        return f"{INTO[kind]}({self.draw.choice(('min', 'max'))}({several}))"

    # ---- members and calls

    def member(self, kind, depth):
        """A member of a tuple, by a constant, or by an index that varies where all are of one kind."""
        other = self.leaf(self.draw.choice([*INTO]))
        value = self.value(kind, depth)
        varying = f"({value}, {self.leaf(kind)}, {self.leaf(kind)})[{self.index(3)}]"
        ways = (
            varying,
            varying,
            f"({value}, {other})[0]",
            f"({other}, ({other}, {value}))[-1][1]",
            f"({other}, {value})[len(STEPS[0]) - 1]",
        )
        return self.draw.choice(ways)

    def field(self, kind, depth):
        """A member of a NamedTuple, by its name."""
        n, w = self.value("int", depth), self.value("word", depth - 1)
        point = self.draw.choice((f"Point({n}, {w})", f"Point(w={w}, n={n})"))
        x, p = self.leaf("float"), self.leaf("bool")
        place = self.draw.choice(("place", "board.place", f"Place({point}, ({x}, {p}))", f"placed({n}, {w}, {x}, p={p})"))
        if place == "board.place":
            return {"int": f"{place}.n", "word": f"{place}.w"}.get(kind) or self.leaf(kind)
        return {"int": f"{place}.at.n", "word": f"{place}.at[1]", "float": f"{place}.rest[0]", "bool": f"{place}[1][1]"}[kind]

    def called(self, kind, depth):
        """A call of a function that calls itself, or of one with several results."""
        n, value = self.leaf("int"), self.value(kind, depth)
        other = self.value("int" if kind == "word" else "word", depth - 1)
        calls = {
            "int": (
                f"down({n} & 7, {value})",
                f"both({value}, {other})[0]",
                f"deep({n} & 3, {value}).at.n",
                f"pair({n} & 3, {value})[1]",
            ),
            "word": (
                f"fold({n} & 7, w={value})",
                f"both({other}, {value})[1]",
                f"both(w={value})[1]",
                f"deep(n={n} & 3, i=k).at.w",
            ),
            "float": (f"halved({n} & 7, {value})", f"float(mixed({value}, {n}))", f"deep({n} & 3, {n}).rest[0]"),
            "bool": (f"is_even({n} & 7)", f"same({value}, {self.leaf('bool')})", f"deep({n} & 3, {n}).rest[-1]"),
        }
        return self.draw.choice(calls[kind])

    # ---- functions that the language knows

    def converted(self, kind, depth):
        names = {"int": "np.int64", "float": "np.float64", "bool": "np.bool_"}
        into = self.draw.choice((INTO[kind], INTO[kind], names.get(kind, INTO[kind])))
        return f"{into}({self.value(self.draw.choice([*INTO]), depth)})"

    def magnitude(self, kind, depth):
        return f"abs({self.value(kind, depth)})" if kind != "int" or self.draw.random() < 0.8 else f"int(abs({self.leaf('bool')}))"

    def rounded(self, kind, depth):
        return f"math.{self.draw.choice(('floor', 'ceil'))}({self.value('float', depth)})"

    def rooted(self, kind, depth):
        if self.draw.random() < 0.5:
            return f"np.{self.draw.choice(('floor', 'ceil'))}({self.value('float', depth)})"
        return f"{self.draw.choice(('np', 'math'))}.sqrt({self.value(self.draw.choice(('int', 'word', 'float')), depth)})"

    # ---- leaves

    def leaf(self, kind):
        """A variable, an element, or a constant that has a type."""
        ways = [*[self.variable] * 3, *[self.element] * 2, self.cell, self.known]
        return self.draw.choice(ways)(kind)

    def variable(self, kind):
        return self.draw.choice(VARIABLES[kind])

    def element(self, kind):
        return f"a_{self.draw.choice(OF_KIND[kind])}[{self.index(LENGTH)}]"

    def cell(self, kind):
        """An element of a table."""
        if kind == "int" and self.draw.random() < 0.3:
            a, b, c = map(self.index, CUBE)
            return self.draw.choice((f"board.cube[{a}, {b}, {c}]", f"board.cube[{a}][{b}, {c}]", f"board.cube[{a}, {b}][{c}]"))
        row, column = map(self.index, SHAPE)
        return self.draw.choice(("{}[{}, {}]", "{}[{}][{}]")).format(TABLES[kind], row, column)

    def known(self, kind):
        """A constant that has a type, or what a program reads by an index from one of its module."""
        a, b, d = map(self.index, (2, 3, 7))
        part = self.draw.choice(("0", "1", "-1"))
        ways = {
            "int": (
                f"int(np.uint64({self.number(1, 2**64)}))",
                f"int(SIZES[{self.variable('int')} % 5])",
                f"int(STEPS[{self.variable('word')} % 3][{part}])",
                f"TABLE[{d}]",
                f"board.small.shape[{part}]",
                self.draw.choice(
                    ("len(a_int8)", "len(board.cube[0])", f"len(a_{self.draw.choice(DTYPES)}[{d}:])", f"len(TABLE[:{d}])")
                ),
                "board.count",
            ),
            "word": (f"np.uint64({self.number(1, 2**64)})", "MASK", "board.mask", f"GRID[{a}, {b}]", f"GRID[{a}][{b}]"),
            "float": (f"float(RATES[{self.variable('int')} % 3])", f"CURVE[{b}]"),
            "bool": (f"FLAGS[{b}]", f"bool({self.number(-(2**63), 2**63)})"),
        }
        return self.draw.choice(ways[kind])

    def index(self, length):
        """An index into so many elements."""
        i, u = self.draw.choice(VARIABLES["int"]), self.draw.choice(VARIABLES["word"])
        below = (f"-1 - {i} % {length}", f"int({u} % {length}) - {length}", str(self.draw.randrange(-length, 0)))
        return self.draw.choice((*below, str(self.draw.randrange(length)), f"{i} % {length}", f"{u} % {length}"))
