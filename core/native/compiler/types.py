"""The types of the language, how two of them join, and how each lies in LLVM's registers and in numpy's arrays.

A value is one of five scalars, a tuple of values, or an array that the caller passed in. Whatever it is, it is flattened into
parts, each an LLVM register or constant: a tuple has its members' parts, an array a pointer and a length per dimension.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np


class RefusedError(Exception):
    """Code is outside of the language; the message says why. Who knows the place adds it (body.py)."""


@dataclass(frozen=True)
class Scalar:
    """A type of single numbers: what messages call it, and its type in LLVM."""

    name: str
    llvm: str

    def __str__(self) -> str:
        return self.name


INT = Scalar("an int", "i64")
WORD = Scalar("an np.uint64", "i64")
FLOAT = Scalar("a float", "double")
BOOL = Scalar("a bool", "i1")
LITERAL = Scalar("a constant", "i64")
"""A whole number written in the source. It takes the type of what it meets, and alone it is an int."""


@dataclass(frozen=True)
class TupleOf:
    """Values side by side, the type of each; `made_by` is `tuple`, or the NamedTuple that gives them names."""

    members: tuple[Type, ...]
    made_by: type[tuple[Any, ...]] = tuple

    @property
    def names(self) -> tuple[str, ...]:
        """The members' names; none where it is a plain tuple."""
        return getattr(self.made_by, "_fields", ())

    def __str__(self) -> str:
        return f"a {self.made_by.__name__} ({', '.join(map(str, self.members))})" if self.members else "None"


@dataclass(frozen=True)
class ArrayOf:
    """A C-contiguous array.

    Args:
        dtype: its numpy dtype.
        dimensions: how many it has.
        constant: whether it is written in the source, and can only be read.
    """

    dtype: np.dtype[Any]
    dimensions: int
    constant: bool = False

    def __str__(self) -> str:
        dimensions = f"{self.dimensions} dimension{'s' * (self.dimensions != 1)}"
        return f"{'a constant' if self.constant else 'an'} array of {self.dtype} with {dimensions}"


Type: TypeAlias = Scalar | TupleOf | ArrayOf
MOST_PARTS = 4096
NOTHING = TupleOf(())
"""What a function without a result returns."""


class Element(NamedTuple):
    """How one number lies in an array: its LLVM type there, its type once it is read, and how it gets from there to here."""

    llvm: str
    type: Scalar
    widen: str = ""


ELEMENTS: Final = {
    np.dtype(np.int8): Element("i8", INT, "sext"),
    np.dtype(np.int16): Element("i16", INT, "sext"),
    np.dtype(np.int32): Element("i32", INT, "sext"),
    np.dtype(np.int64): Element("i64", INT),
    np.dtype(np.uint8): Element("i8", INT, "zext"),
    np.dtype(np.uint16): Element("i16", INT, "zext"),
    np.dtype(np.uint32): Element("i32", INT, "zext"),
    np.dtype(np.uint64): Element("i64", WORD),
    np.dtype(np.float32): Element("float", FLOAT, "fpext"),
    np.dtype(np.float64): Element("double", FLOAT),
    np.dtype(np.bool_): Element("i8", BOOL, "icmp ne"),
}
"""Numbers of few bits are ints, or floats, as soon as they are read."""


class Unknown:
    """Stands where a value's constant would stand, if it had one."""


UNKNOWN = Unknown()


class Value(NamedTuple):
    """A value in the making: its type, the registers or constants that hold its parts, and what it is where that is known."""

    type: Type
    parts: tuple[str, ...]
    constant: Any = UNKNOWN

    @property
    def is_known(self) -> bool:
        """Whether it is known before the kernel runs."""
        return self.constant is not UNKNOWN

    @property
    def part(self) -> str:
        """The only part of a scalar."""
        (part,) = self.parts
        return part

    def typed_parts(self) -> list[tuple[str, str]]:
        """Each part with its LLVM type."""
        return [*zip(leaves(self.type), self.parts, strict=True)]


def leaves(type_: Type) -> list[str]:
    """The LLVM types of a value's parts, in order."""
    if isinstance(type_, TupleOf):
        return [leaf for member in type_.members for leaf in leaves(member)]
    if isinstance(type_, ArrayOf):
        return ["ptr"] + ["i64"] * type_.dimensions
    return [type_.llvm]


def variable_type(type_: Type) -> Type:
    """The type of a variable that is given such a value: a constant becomes an int."""
    if isinstance(type_, TupleOf):
        return TupleOf(tuple(map(variable_type, type_.members)), type_.made_by)
    return INT if type_ is LITERAL else type_


def join(one: Type, other: Type) -> Type:
    """The type of what is either of two types, and in which an operation on both is done.

    A bool beside a number counts as 0 or 1, a constant takes the other side's type, and an int beside a float becomes one.

    Raises:
        RefusedError: there is none: an int and an np.uint64 are never mixed, nor are numbers and tuples.
    """
    if one == other:
        return one
    if isinstance(one, TupleOf) and isinstance(other, TupleOf) and len(one.members) == len(other.members):
        made_by = one.made_by if one.made_by is other.made_by else tuple
        return TupleOf(tuple(map(join, one.members, other.members)), made_by)
    both = {one, other}
    if both == {BOOL, LITERAL}:
        return INT
    for wider, narrower in ((FLOAT, {INT, WORD, LITERAL, BOOL}), (WORD, {LITERAL, BOOL}), (INT, {LITERAL, BOOL})):
        if wider in both and both <= {wider, *narrower}:
            return wider
    raise RefusedError(f"{one} and {other} do not mix{advice(one, other)}")


def advice(one: Type, other: Type) -> str:
    """What to do about two types that do not mix."""
    if {one, other} == {INT, WORD}:
        return "; convert one by `int(…)` or `np.uint64(…)`"
    return "; take the elements of an array one by one" if ArrayOf in (type(one), type(other)) else ""


def members(value: Value) -> list[Value]:
    """The members of a tuple."""
    assert isinstance(value.type, TupleOf)
    values, start = list[Value](), 0
    for number, type_ in enumerate(value.type.members):
        end = start + len(leaves(type_))
        constant = value.constant[number] if value.is_known else int(value.parts[start]) if type_ is LITERAL else UNKNOWN
        values.append(Value(type_, value.parts[start:end], constant))
        start = end
    return values


def tuple_of(values: list[Value], made_by: type[tuple[Any, ...]] = tuple) -> Value:
    """A tuple with these members."""
    if sum(len(value.parts) for value in values) > MOST_PARTS:
        raise RefusedError(f"a tuple holds up to {MOST_PARTS} numbers, those in its tuples included; pass an array in")
    known = all(value.is_known for value in values)
    constant = tuple(value.constant for value in values) if known else UNKNOWN
    type_ = TupleOf(tuple(value.type for value in values), made_by)
    return Value(type_, tuple(part for value in values for part in value.parts), constant)
