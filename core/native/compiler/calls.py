"""Calls: of other functions of the kernel, of NamedTuples, and of the few of Python, math and numpy that the language knows."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Hashable
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from .arithmetic import COMPARISONS, Comparison
from .body import Body, translates
from .source import source_of
from .text import return_type
from .types import (
    BOOL,
    FLOAT,
    INT,
    LITERAL,
    UNKNOWN,
    WORD,
    ArrayOf,
    RefusedError,
    TupleOf,
    Value,
    join,
    leaves,
    members,
    tuple_of,
    variable_type,
)

Gives = Callable[[Body, list[Value]], Value]
G = TypeVar("G", bound=Callable[..., Value])
KNOWN: dict[Any, tuple[Callable[..., Value], int, int]] = {}
"""What the language knows by itself: how it is translated, and how many arguments it takes at least and at most."""


def gives(*functions: Any, least: int = 1, most: int = 1) -> Callable[[G], G]:
    """Marks the function `translate(body, *values)` that stands for these functions of Python, math or numpy."""

    def mark(translate: G) -> G:
        KNOWN.update(dict.fromkeys(functions, (translate, least, most)))
        return translate

    return mark


@translates(ast.Call)
def call(body: Body, node: ast.Call) -> Value:
    """`f(a, b=c)`."""
    called = body.static_value(node.func)
    if called is UNKNOWN and isinstance(node.func, ast.Attribute):
        raise RefusedError("values have no methods here; write a function, and call it by its name")
    if called is UNKNOWN:
        raise RefusedError(f"`{source_of(node.func)}` is a value, and not a function; a kernel calls functions by their names")
    if not isinstance(called, FunctionType) and fields_of(called) is None and not _is_built_in(called):
        raise RefusedError(_unknown(called))
    if any(keyword.arg is None for keyword in node.keywords):
        raise RefusedError("** is not for kernels; name the arguments one by one")
    given = [body.value(argument) for argument in node.args]
    named = {keyword.arg: body.value(keyword.value) for keyword in node.keywords}
    if isinstance(called, FunctionType):
        return _function(body, called, given, named)
    if (fields := fields_of(called)) is not None:
        return tuple_of(_in_order(called.__name__, fields, called._field_defaults, body, given, named), called)
    translate, least, most = KNOWN[called]
    if named or not least <= len(given) <= most:
        raise RefusedError(f"{called.__name__} takes {'one argument' if most == 1 else 'numbers'} here, without a keyword")
    return translate(body, *given)


def _is_built_in(called: Any) -> bool:
    return isinstance(called, Hashable) and called in KNOWN


def _unknown(called: Any) -> str:
    """The message for something that a kernel cannot call."""
    name = str(getattr(called, "__name__", type(called).__name__))
    known = ", ".join(f"`{name}`" for name in sorted({f.__name__ for f in KNOWN}))
    return f"a kernel does not call `{name}`, and makes no arrays; it calls functions that `def` defines, NamedTuples, and {known}"


def fields_of(called: Any) -> tuple[str, ...] | None:
    """The names of a NamedTuple's members; None for what is no NamedTuple."""
    return getattr(called, "_fields", None) if isinstance(called, type) and issubclass(called, tuple) else None


# ---- functions of the kernel


def _function(body: Body, function: FunctionType, given: list[Value], named: dict[Any, Value]) -> Value:
    """A call of a function: an instruction where the processor has one for it, else its own code."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = dict(zip(reversed(names), reversed(function.__defaults__ or ()), strict=False))
    arguments = _in_order(function.__name__, names, defaults, body, given, named)
    arguments = [body.cast(argument, variable_type(argument.type)) for argument in arguments]
    if (instruction := body.program.instruction(function)) is not None:
        return instruction(body, *arguments)
    symbol, result = body.program.function(function, tuple(argument.type for argument in arguments))
    body.calls.add(symbol)
    body.num_calls += 1
    passed = ", ".join(f"{leaf} {part}" for value in arguments for leaf, part in value.typed_parts())
    code = f"call {return_type(result)} @{symbol}({passed})"
    parts = leaves(result)
    if not parts:
        body.emit(code)
        return Value(result, ())
    returned = body.let(code)
    if len(parts) == 1:
        return Value(result, (returned,))
    return Value(
        result, tuple(body.let(f"extractvalue {return_type(result)} {returned}, {number}") for number in range(len(parts)))
    )


def _in_order(
    called: str, names: tuple[str, ...], defaults: dict[str, Any], body: Body, given: list[Value], named: dict[Any, Value]
) -> list[Value]:
    """The arguments of a call, in the order in which they are declared."""
    values = dict(zip(names, given, strict=False))
    wrong = [name for name in named if name not in names or name in values]
    if len(given) > len(names) or wrong:
        twice = f"`{wrong[0]}` {'twice' if wrong[0] in names else 'as well'}" if wrong else ""
        what = f"{len(given)} arguments" if len(given) > len(names) else twice
        raise RefusedError(f"{called} takes {', '.join(f'`{name}`' for name in names) or 'nothing'}; it is given {what}")
    values |= named
    if missing := [name for name in names if name not in values and name not in defaults]:
        raise RefusedError(f"{called} is not given {', '.join(f'`{name}`' for name in missing)}")
    return [values[name] if name in values else body.constant(defaults[name]) for name in names]


# ---- numbers from numbers


@gives(int, np.int64)
def whole(body: Body, value: Value) -> Value:
    """The same number as an int: of a word the same bits, of a float what is left of the point."""
    return body.cast(value, INT if value.type is not LITERAL else LITERAL)


@gives(np.uint64)
def word(body: Body, value: Value) -> Value:
    """The same 64 bits as an np.uint64."""
    return body.cast(value, WORD)


@gives(np.int8, np.int16, np.int32)
def _narrow(body: Body, value: Value) -> Value:
    raise RefusedError("whole numbers have 64 bits in a kernel; an array of fewer keeps the lowest when it is written")


@gives(float, np.float64)
def real(body: Body, value: Value) -> Value:
    """The nearest float."""
    return body.cast(value, FLOAT)


@gives(bool, np.bool_)
def truth(body: Body, value: Value) -> Value:
    """Whether it is not 0."""
    return Value(BOOL, (body.truth(value),))


@gives(len)
def length(body: Body, value: Value) -> Value:
    """The members of a tuple, the rows of an array."""
    if isinstance(value.type, TupleOf):
        return body.constant(len(value.type.members))
    if isinstance(value.type, ArrayOf) and value.type.dimensions:
        return Value(INT, (value.parts[1],))
    raise RefusedError(f"{value.type} has no length")


def _select(body: Body, values: tuple[Value, ...], comparison: Comparison) -> Value:
    """The first of several that no other comes before."""
    if len(values) == 1:
        if not isinstance(values[0].type, TupleOf) or not values[0].type.members:
            raise RefusedError("min and max take several numbers, or a tuple of them")
        values = tuple(members(values[0]))
    best = values[0]
    for value in values[1:]:
        type_ = variable_type(join(best.type, value.type))
        if type_ not in (INT, WORD, FLOAT):
            raise RefusedError(f"min and max are of numbers, not of {type_}")
        a, b = body.cast(best, type_).part, body.cast(value, type_).part
        _, ints, words, floats = comparison
        how = f"fcmp {floats} double" if type_ is FLOAT else f"icmp {words if type_ is WORD else ints} i64"
        first = body.let(f"{how} {b}, {a}")
        best = Value(type_, (body.let(f"select i1 {first}, {leaves(type_)[0]} {b}, {leaves(type_)[0]} {a}"),))
    return best


@gives(min, most=64)
def least(body: Body, *values: Value) -> Value:
    """The least of several numbers, the first of equals."""
    return _select(body, values, COMPARISONS[ast.Lt])


@gives(max, most=64)
def greatest(body: Body, *values: Value) -> Value:
    """The greatest of several numbers, the first of equals."""
    return _select(body, values, COMPARISONS[ast.Gt])


@gives(abs)
def magnitude(body: Body, value: Value) -> Value:
    """Without its sign; of the least int, itself."""
    if value.type is FLOAT:
        return Value(FLOAT, (body.let(f"call double @llvm.fabs.f64(double {value.part})"),))
    if value.type is WORD:
        return value
    return Value(INT, (body.let(f"call i64 @llvm.abs.i64(i64 {body.cast(value, INT).part}, i1 false)"),))


def _of_a_float(name: str) -> Callable[[Body, Value], Value]:
    def translate(body: Body, value: Value) -> Value:
        return Value(FLOAT, (body.let(f"call double @llvm.{name}.f64(double {body.cast(value, FLOAT).part})"),))

    return translate


for _name in ("sqrt", "exp", "log", "sin", "cos", "tanh", "floor", "ceil"):
    gives(getattr(np, _name))(_of_a_float(_name))
for _name in ("sqrt", "exp", "log", "sin", "cos", "tanh"):
    gives(getattr(math, _name))(_of_a_float(_name))


@gives(math.floor)
def floor(body: Body, value: Value) -> Value:
    """The next whole number below."""
    return body.cast(_of_a_float("floor")(body, value), INT)


@gives(math.ceil)
def ceiling(body: Body, value: Value) -> Value:
    """The next whole number above."""
    return body.cast(_of_a_float("ceil")(body, value), INT)
