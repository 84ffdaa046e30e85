"""Operators and comparisons. Their meaning is Python's, on 64 bits:

    + - *     wrap around at 64 bits                     / ** of floats alone; an int becomes one
    // %      round down; by 0 they give 0, as numpy     & | ^ ~  of whole numbers, & | ^ also of bools
    << >>     count modulo 64: by 64 is by 0             < <= …   chain; tuples are equal if all their members are

An int and an np.uint64 never meet in one operation.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

from .body import Body, translates
from .source import source_of
from .target import Target
from .types import BOOL, FLOAT, INT, LITERAL, WORD, RefusedError, Scalar, TupleOf, Type, Value, advice, join, members

MOST_BITS = 256
"""Constants in between may be larger than 64 bits, but not by much."""


class Operator(NamedTuple):
    """What an operator is to constants, before the kernel runs, and LLVM's instructions where there is just one for it."""

    python: Callable[..., Any]
    whole: str = ""
    floats: str = ""


OPERATORS: dict[type[ast.AST], Operator] = {
    ast.Add: Operator(operator.add, "add", "fadd"),
    ast.Sub: Operator(operator.sub, "sub", "fsub"),
    ast.Mult: Operator(operator.mul, "mul", "fmul"),
    ast.Div: Operator(operator.truediv, floats="fdiv"),
    ast.FloorDiv: Operator(operator.floordiv),
    ast.Mod: Operator(operator.mod),
    ast.Pow: Operator(operator.pow),
    ast.LShift: Operator(operator.lshift),
    ast.RShift: Operator(operator.rshift),
    ast.BitAnd: Operator(operator.and_, "and"),
    ast.BitOr: Operator(operator.or_, "or"),
    ast.BitXor: Operator(operator.xor, "xor"),
    ast.USub: Operator(operator.neg),
    ast.UAdd: Operator(operator.pos),
    ast.Invert: Operator(operator.invert),
}


class Comparison(NamedTuple):
    """What a comparison is to constants, and LLVM's of ints, of words and of floats."""

    python: Callable[..., Any]
    ints: str
    words: str
    floats: str


COMPARISONS: dict[type[ast.AST], Comparison] = {
    ast.Eq: Comparison(operator.eq, "eq", "eq", "oeq"),
    ast.NotEq: Comparison(operator.ne, "ne", "ne", "une"),
    ast.Lt: Comparison(operator.lt, "slt", "ult", "olt"),
    ast.LtE: Comparison(operator.le, "sle", "ule", "ole"),
    ast.Gt: Comparison(operator.gt, "sgt", "ugt", "ogt"),
    ast.GtE: Comparison(operator.ge, "sge", "uge", "oge"),
}


def meet(one: Value, other: Value, one_is: ast.expr, other_is: ast.expr) -> Type:
    """The type in which an operation on two values is done; RefusedError, which names both, where they have none in common."""
    try:
        return join(one.type, other.type)
    except RefusedError:
        what = f"`{source_of(one_is)}` is {one.type} and `{source_of(other_is)}` is {other.type}"
        raise RefusedError(f"{what}, which do not mix{advice(one.type, other.type)}") from None


# ---- operators


@translates(ast.BinOp)
def binary(body: Body, node: ast.BinOp) -> Value:
    """`a + b` and all its like."""
    return operation(body, node.op, node.left, body.value(node.left), node.right)


def operation(body: Body, op: ast.operator, left_is: ast.expr, left: Value, right_is: ast.expr) -> Value:
    """An operator between a value and an expression."""
    right = body.value(right_is)
    type_ = meet(left, right, left_is, right_is)
    if type(op) not in OPERATORS:
        raise RefusedError(f"there is no such operation on {type_}")
    if left.is_known and right.is_known and type_ in (LITERAL, FLOAT):
        return _fold(body, OPERATORS[type(op)].python, left.constant, right.constant)
    if isinstance(op, (ast.Div, ast.Pow)):
        return _of_floats(body, op, body.cast(left, FLOAT), body.cast(right, FLOAT))
    if type_ is BOOL and not isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
        type_ = INT
    a, b = body.cast(left, type_), body.cast(right, type_)
    if type_ is FLOAT:
        return _of_floats(body, op, a, b)
    if (instruction := OPERATORS[type(op)].whole) and isinstance(type_, Scalar):
        return Value(type_, (body.let(f"{instruction} {type_.llvm} {a.part}, {b.part}"),))
    if isinstance(op, (ast.LShift, ast.RShift)) and type_ in (INT, WORD):
        return _shift(body, op, a, right, b)
    if isinstance(op, (ast.FloorDiv, ast.Mod)) and type_ in (INT, WORD):
        return _divide(body, op, a, right, b)
    raise RefusedError(f"there is no such operation on {type_}")


def _fold(body: Body, python: Callable[..., Any], *constants: Any) -> Value:
    """What an operator makes of constants."""
    try:
        if python in (operator.pow, operator.lshift) and isinstance(constants[1], int):
            bits, by = int(constants[0]).bit_length(), abs(constants[1])
            if (bits * by if python is operator.pow else bits + by) > 2 * MOST_BITS:
                raise OverflowError("the number is too large")
        return body.constant(python(*constants))
    except (ArithmeticError, ValueError, TypeError) as error:
        raise RefusedError(f"it has no value: {error}") from None


def _of_floats(body: Body, op: ast.operator, a: Value, b: Value) -> Value:
    if isinstance(op, ast.Pow):
        return Value(FLOAT, (body.let(f"call double @llvm.pow.f64(double {a.part}, double {b.part})"),))
    if not (instruction := OPERATORS[type(op)].floats):
        raise RefusedError("// and % and the operators on bits are for whole numbers; of floats, take math.floor(a / b)")
    return Value(FLOAT, (body.let(f"{instruction} double {a.part}, {b.part}"),))


def _shift(body: Body, op: ast.operator, a: Value, given: Value, b: Value) -> Value:
    """A shift. Processors take the count modulo 64 by themselves, so the `and` costs nothing."""
    if given.is_known and not 0 <= given.constant < 64:
        raise RefusedError(f"a shift by {given.constant}; a constant count is 0 to 63, for numbers have 64 bits")
    how = "shl" if isinstance(op, ast.LShift) else "ashr" if a.type is INT else "lshr"
    by = b.part if given.is_known else body.let(f"and i64 {b.part}, 63")
    return Value(a.type, (body.let(f"{how} i64 {a.part}, {by}"),))


def _divide(body: Body, op: ast.operator, a: Value, given: Value, b: Value) -> Value:
    """The quotient, rounded down, or the remainder, which has the divisor's sign. No processor is asked to divide by 0."""
    divides = isinstance(op, ast.FloorDiv)
    if a.type is WORD:
        return Value(WORD, (_divide_safely(body, "udiv" if divides else "urem", a.part, given, b.part),))
    rest = _divide_safely(body, "srem", a.part, given, b.part)
    signs = body.let(f"xor i64 {rest}, {b.part}")
    apart = body.let(f"icmp slt i64 {signs}, 0")
    some = body.let(f"icmp ne i64 {rest}, 0")
    below = body.let(f"and i1 {apart}, {some}")
    if not divides:
        return Value(INT, (body.let(f"select i1 {below}, i64 {body.let(f'add i64 {rest}, {b.part}')}, i64 {rest}"),))
    quotient = _divide_safely(body, "sdiv", a.part, given, b.part)
    return Value(INT, (body.let(f"sub i64 {quotient}, {body.let(f'zext i1 {below} to i64')}"),))


def _divide_safely(body: Body, how: str, a: str, given: Value, b: str) -> str:
    """A division that gives 0 where the divisor is 0, and wraps around where -2⁶³ is divided by -1."""
    if given.is_known and given.constant not in (0, -1):
        return body.let(f"{how} i64 {a}, {b}")
    none = body.let(f"icmp eq i64 {b}, 0")
    if how.startswith("u"):
        result = body.let(f"{how} i64 {a}, {body.let(f'select i1 {none}, i64 1, i64 {b}')}")
        return body.let(f"select i1 {none}, i64 0, i64 {result}")
    turns = body.let(f"icmp eq i64 {b}, -1")
    either = body.let(f"or i1 {none}, {turns}")
    result = body.let(f"{how} i64 {a}, {body.let(f'select i1 {either}, i64 1, i64 {b}')}")
    turned = body.let(f"sub i64 0, {a}") if how == "sdiv" else "0"
    result = body.let(f"select i1 {turns}, i64 {turned}, i64 {result}")
    return body.let(f"select i1 {none}, i64 0, i64 {result}")


@translates(ast.UnaryOp)
def unary(body: Body, node: ast.UnaryOp) -> Value:
    """`-a`, `+a`, `~a`, `not a`."""
    value = body.value(node.operand)
    if isinstance(node.op, ast.Not):
        return Value(
            BOOL, (body.let(f"xor i1 {body.truth(value)}, true"),), not value.constant if value.is_known else value.constant
        )
    if value.is_known and value.type in (LITERAL, FLOAT):
        return _fold(body, OPERATORS[type(node.op)].python, value.constant)
    if isinstance(node.op, ast.Invert) and value.type in (INT, WORD):
        return Value(value.type, (body.let(f"xor i64 {value.part}, -1"),))
    if value.type is FLOAT and isinstance(node.op, ast.USub):
        return Value(FLOAT, (body.let(f"fneg double {value.part}"),))
    if value.type is BOOL and not isinstance(node.op, ast.Invert):
        value = body.cast(value, INT)
    if value.type in (INT, WORD) and isinstance(node.op, ast.USub):
        return Value(value.type, (body.let(f"sub i64 0, {value.part}"),))
    if value.type in (INT, WORD, FLOAT) and isinstance(node.op, ast.UAdd):
        return Value(value.type, value.parts)
    raise RefusedError(f"there is no such operation on {value.type}{'; write `not`' if value.type is BOOL else ''}")


# ---- comparisons


@translates(ast.Compare)
def chain(body: Body, node: ast.Compare) -> Value:
    """`a < b <= c`: each is computed once, and none after the first that is not so."""
    nodes, left = [node.left, *node.comparators], body.value(node.left)
    after = body.fresh("after")
    for number, op in enumerate(node.ops):
        right = body.value(nodes[number + 1])
        so = compare(body, op, left, right, (nodes[number], nodes[number + 1]))
        if len(node.ops) == 1:
            return so
        body.assign(node, so)
        following = body.fresh("next")
        body.branch(so.part, following if number + 1 < len(node.ops) else after, after)
        if number + 1 < len(node.ops):
            body.begin(following)
        left = right
    body.begin(after)
    return body.read(node)


def compare(body: Body, op: ast.cmpop, left: Value, right: Value, are: tuple[ast.expr, ast.expr]) -> Value:
    """Whether a comparison holds."""
    if type(op) not in COMPARISONS:
        raise RefusedError("kernels compare by ==, !=, <, <=, > and >=; there is no `in` and no `is`")
    type_, comparison = meet(left, right, *are), COMPARISONS[type(op)]
    if isinstance(type_, TupleOf):
        return _of_tuples(body, op, left, right, are)
    if not isinstance(type_, Scalar):
        raise RefusedError("arrays are not compared as a whole; compare their elements in a loop")
    if left.is_known and right.is_known and type_ in (LITERAL, FLOAT, BOOL):
        return body.constant(bool(comparison.python(left.constant, right.constant)))
    type_ = INT if type_ in (BOOL, LITERAL) else type_
    a, b = body.cast(left, type_).part, body.cast(right, type_).part
    if type_ is FLOAT:
        return Value(BOOL, (body.let(f"fcmp {comparison.floats} double {a}, {b}"),))
    return Value(BOOL, (body.let(f"icmp {comparison.words if type_ is WORD else comparison.ints} i64 {a}, {b}"),))


def _of_tuples(body: Body, op: ast.cmpop, left: Value, right: Value, are: tuple[ast.expr, ast.expr]) -> Value:
    """Whether a comparison of tuples holds: the first members that differ decide."""
    first = ast.Lt() if isinstance(op, (ast.Lt, ast.LtE)) else ast.Gt() if isinstance(op, (ast.Gt, ast.GtE)) else ast.NotEq()
    so = "true" if isinstance(op, (ast.Eq, ast.LtE, ast.GtE)) else "false"
    for one, other in reversed([*zip(members(left), members(right), strict=True)]):
        so = body.let(f"and i1 {compare(body, ast.Eq(), one, other, are).part}, {so}")
        if not isinstance(op, ast.Eq):
            so = body.let(f"or i1 {compare(body, first, one, other, are).part}, {so}")
    return Value(BOOL, (so,))


Instruction = Callable[..., Value]


def leading_zeros(body: Body, bits: Value) -> Value:
    """How many bits above the highest set bit are not set. LLVM knows a way for every processor."""
    return Value(WORD, (body.let(f"call i64 @llvm.ctlz.i64(i64 {bits.part}, i1 false)"),))


def nth_set_bit(body: Body, bits: Value, nth: Value) -> Value:
    """One bit, deposited where the nth set bit lies, and found there."""
    one = body.let(f"shl i64 1, {nth.part}")
    placed = body.let(f"call i64 @llvm.x86.bmi.pdep.64(i64 {one}, i64 {bits.part})")
    return Value(INT, (body.let(f"call i64 @llvm.cttz.i64(i64 {placed}, i1 false)"),))


def instructions(target: Target) -> dict[str, Instruction]:
    """What a target does in an instruction or two, by the names that functions are marked with (signature.py)."""
    return {"leading zeros": leading_zeros} | ({"nth set bit": nth_set_bit} if target.deposits else {})
