"""Elements, rows and slices of arrays, and members of tuples.

An index below 0 counts from the end, as in Python. One beyond the array is not noticed: it reads or writes other memory, so
whoever calls a kernel checks first. The bounds of a slice are brought within the array.

So offsets are `inbounds` and never overflow (`nsw`), which LLVM needs to count how often a loop runs, and thereby to vectorize it.
"""

from __future__ import annotations

import ast
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from .body import Body, translates
from .types import (
    BOOL,
    ELEMENTS,
    FLOAT,
    INT,
    LITERAL,
    WORD,
    ArrayOf,
    RefusedError,
    TupleOf,
    Value,
    join,
    leaves,
    members,
    variable_type,
)


class Part(NamedTuple):
    """A part of an array: an element where no dimension is left, else a row or a slice.

    Args:
        array: the array's type, with the dimensions that are left.
        pointer: its first element.
        lengths: of each dimension that is left.
    """

    array: ArrayOf
    pointer: str
    lengths: tuple[str, ...]


# ---- elements


def read(body: Body, part: Part) -> Value:
    """A part as a value; a number of few bits becomes one of 64."""
    if part.lengths:
        return Value(part.array, (part.pointer, *part.lengths))
    kind = ELEMENTS[part.array.dtype]
    number = body.let(f"load {kind.llvm}, ptr {part.pointer}")
    if kind.type is BOOL:
        return Value(BOOL, (body.let(f"icmp ne {kind.llvm} {number}, 0"),))
    return Value(kind.type, (body.let(f"{kind.widen} {kind.llvm} {number} to {kind.type.llvm}") if kind.widen else number,))


def write(body: Body, part: Part, value: Value) -> None:
    """Writes an element, or every element of a part. Of whole numbers an array keeps the lowest bits it has room for. RefusedError
    where the array is a constant, or the value does not fit into it."""
    if part.array.constant:
        raise RefusedError("a constant array can only be read; pass in the one to write")
    if part.lengths:
        return _fill(body, part, value)
    kind = ELEMENTS[part.array.dtype]
    if value.type is FLOAT and kind.type is not FLOAT:
        raise RefusedError(f"a float does not go into an array of {part.array.dtype}; write int(…) around it")
    number = body.cast(value, WORD if value.type is WORD and kind.type is INT else kind.type).part
    if kind.type is BOOL:
        number = body.let(f"zext i1 {number} to {kind.llvm}")
    elif kind.widen:
        number = body.let(f"{'fptrunc' if kind.type is FLOAT else 'trunc'} {kind.type.llvm} {number} to {kind.llvm}")
    return body.emit(f"store {kind.llvm} {number}, ptr {part.pointer}")


def _fill(body: Body, part: Part, value: Value) -> None:
    """Writes a number into every element, or the elements of an array one by one, as many as both have."""
    count = _product(body, part.lengths)
    if isinstance(value.type, ArrayOf):
        if value.type.dimensions != part.array.dimensions:
            raise RefusedError(f"{value.type} does not fill {part.array}")
        count = body.let(f"call i64 @llvm.smin.i64(i64 {count}, i64 {_product(body, value.parts[1:])})")
    counter, (top, inside, after) = body.place(INT), (body.fresh(label) for label in ("fill", "inside", "after"))
    body.put(Value(INT, ("0",)), counter)
    body.jump(top)
    body.begin(top)
    now = body.get(INT, counter).part
    body.branch(body.let(f"icmp slt i64 {now}, {count}"), inside, after)
    body.begin(inside)
    if isinstance(value.type, ArrayOf):
        value = read(body, _element(body, value.type.dtype, value.parts[0], now))
    write(body, _element(body, part.array.dtype, part.pointer, now), value)
    body.put(Value(INT, (body.let(f"add nsw i64 {now}, 1"),)), counter)
    body.jump(top)
    body.begin(after)


def _element(body: Body, dtype: np.dtype[Any], first: str, number: str) -> Part:
    pointer = body.let(f"getelementptr inbounds {ELEMENTS[dtype].llvm}, ptr {first}, i64 {number}")
    return Part(ArrayOf(dtype, 0), pointer, ())


# ---- indices


@translates(ast.Subscript)
def subscript(body: Body, node: ast.Subscript) -> Value:
    """`array[i, j]`, `array[i]` for a row, `array[lo:hi]`, and the member of a tuple."""
    value = body.value(node.value)
    if isinstance(value.type, ArrayOf):
        return read(body, _part(body, value, node.slice))
    if not isinstance(value.type, TupleOf) or isinstance(node.slice, ast.Slice):
        raise RefusedError(f"{value.type} has no parts to take by an index")
    index, several = body.value(node.slice), members(value)
    if not index.is_known:
        return _any_member(body, several, index)
    if not isinstance(index.constant, int) or not -len(several) <= index.constant < len(several):
        raise RefusedError(f"the tuple has {len(several)} members, and none with the number {index.constant}")
    return several[index.constant]


def _any_member(body: Body, several: list[Value], index: Value) -> Value:
    """The member of a tuple at an index that varies, chosen among all; RefusedError where there are none, or no type is common to
    them."""
    if not several:
        raise RefusedError("the tuple has no members")
    try:
        type_ = variable_type(reduce(join, (member.type for member in several)))
    except RefusedError as error:
        raise RefusedError(f"an index that varies takes a tuple whose members have one type; {error}") from None
    offset, (chosen, *others) = _offset(body, index, str(len(several))), [body.cast(member, type_).parts for member in several]
    for number, parts in enumerate(others, start=1):
        here = body.let(f"icmp eq i64 {offset}, {number}")
        both = zip(leaves(type_), parts, chosen, strict=True)
        chosen = tuple(body.let(f"select i1 {here}, {leaf} {part}, {leaf} {before}") for leaf, part, before in both)
    return Value(type_, chosen)


def part_of(body: Body, node: ast.Subscript) -> Part:
    """The part of an array that an expression names; RefusedError where it names none."""
    value = body.value(node.value)
    if not isinstance(value.type, ArrayOf):
        raise RefusedError(f"{value.type} cannot be changed; make a new one")
    return _part(body, value, node.slice)


def _part(body: Body, value: Value, where: ast.expr) -> Part:
    assert isinstance(value.type, ArrayOf)
    indices = where.elts if isinstance(where, ast.Tuple) else [where]
    pointer, *lengths = value.parts
    if len(indices) > len(lengths):
        raise RefusedError(f"{len(indices)} indices, but it is {value.type}")
    offset, left = "0", lengths[len(indices) :]
    for number, (index, length) in enumerate(zip(indices, lengths, strict=False), start=1):
        if isinstance(index, ast.Slice):
            if number < len(indices):
                raise RefusedError("a slice is the last index; loop over the rows")
            start, length_here = _bounds(body, index, length)
            left = [length_here, *left]
        else:
            start = _offset(body, body.value(index), length)
        offset = start if number == 1 else body.let(f"add nsw i64 {body.let(f'mul nsw i64 {offset}, {length}')}, {start}")
    for length in lengths[len(indices) :]:
        offset = body.let(f"mul nsw i64 {offset}, {length}")
    first = body.let(f"getelementptr inbounds {ELEMENTS[value.type.dtype].llvm}, ptr {pointer}, i64 {offset}")
    return Part(ArrayOf(value.type.dtype, len(left), value.type.constant), first, tuple(left))


def _offset(body: Body, index: Value, length: str) -> str:
    """An index as LLVM takes it: counted from the start."""
    if _whole(index).type is WORD:
        return index.part
    number = body.cast(index, INT).part
    if index.is_known:
        return number if index.constant >= 0 else body.let(f"add nsw i64 {length}, {number}")
    return _from_start(body, number, length)


def _whole(index: Value) -> Value:
    """An index or a bound; RefusedError where it is not a whole number."""
    if index.type not in (INT, WORD, LITERAL):
        raise RefusedError(f"an index is a whole number, not {index.type}")
    return index


def _from_start(body: Body, number: str, length: str) -> str:
    below = body.let(f"icmp slt i64 {number}, 0")
    return body.let(f"select i1 {below}, i64 {body.let(f'add nsw i64 {number}, {length}')}, i64 {number}")


def _bounds(body: Body, node: ast.Slice, length: str) -> tuple[str, str]:
    """Where a slice starts, and its length."""
    if node.step is not None:
        raise RefusedError("a slice has no step here; loop over a range with a step")
    start = "0" if node.lower is None else _bound(body, node.lower, length)
    end = length if node.upper is None else _bound(body, node.upper, length)
    return start, body.let(f"call i64 @llvm.smax.i64(i64 {body.let(f'sub nsw i64 {end}, {start}')}, i64 0)")


def _bound(body: Body, node: ast.expr, length: str) -> str:
    """A bound of a slice, brought within the array."""
    value = _whole(body.value(node))
    if value.type is WORD:
        return body.let(f"call i64 @llvm.umin.i64(i64 {value.part}, i64 {length})")
    number = _from_start(body, body.cast(value, INT).part, length)
    above = body.let(f"call i64 @llvm.smax.i64(i64 {number}, i64 0)")
    return body.let(f"call i64 @llvm.smin.i64(i64 {above}, i64 {length})")


def _product(body: Body, lengths: tuple[str, ...]) -> str:
    count = lengths[0]
    for length in lengths[1:]:
        count = body.let(f"mul nsw i64 {count}, {length}")
    return count
