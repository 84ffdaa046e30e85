"""LLVM text in the making: instructions, blocks and places in memory, and how a value gets from one type to another."""

from __future__ import annotations

import math
import struct

from .types import (
    BOOL,
    FLOAT,
    INT,
    LITERAL,
    NOTHING,
    WORD,
    RefusedError,
    Scalar,
    TupleOf,
    Type,
    Value,
    leaves,
    members,
    tuple_of,
)

LIMITS = {INT: (-(2**63), 2**63), WORD: (0, 2**64)}
"""The first whole number that each type holds, and the first above that it does not."""


class Text:
    """The text of one function."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Starts empty."""
        self.lines, self.places = list[str](), list[str]()
        self.is_open = True
        """Whether the next instruction can be reached: it cannot right after a jump."""
        self._targets = set[str]()
        self._count = 0

    def emit(self, instruction: str) -> None:
        """Adds an instruction."""
        if self.is_open:
            self.lines.append(instruction)

    def let(self, instruction: str) -> str:
        """Adds an instruction and gives the register that holds its result."""
        register = f"%{self.fresh('r')}"
        self.emit(f"{register} = {instruction}")
        return register

    def fresh(self, name: str) -> str:
        """A name that nothing else has."""
        self._count += 1
        return f"{name}.{self._count}"

    def begin(self, label: str) -> None:
        """Begins the block of a label. Where nothing before goes there, the block cannot be reached and is left out."""
        self.is_open = label in self._targets
        self.emit(f"{label}:")

    def jump(self, label: str) -> None:
        """Continues at a label; what follows here is not reached."""
        self._leave(f"br label %{label}", label)

    def branch(self, condition: str, yes: str, no: str) -> None:
        """Continues at one of two labels."""
        self._leave(f"br i1 {condition}, label %{yes}, label %{no}", yes, no)

    def _leave(self, instruction: str, *labels: str) -> None:
        if self.is_open:
            self.emit(instruction)
            self._targets.update(labels)
            self.is_open = False

    # ---- memory

    def place(self, type_: Type) -> tuple[str, ...]:
        """A new place for values of a type, all zeros when the function begins; a pointer for each part.

        Variables lie in memory here, so that no pass need find where branches join (LLVM's `phi`): its pass mem2reg does that.
        """
        pointers = tuple(f"%{self.fresh('p')}" for _ in leaves(type_))
        for leaf, pointer in zip(leaves(type_), pointers, strict=True):
            self.places += [f"{pointer} = alloca {leaf}", f"store {leaf} zeroinitializer, ptr {pointer}"]
        return pointers

    def put(self, value: Value, pointers: tuple[str, ...]) -> None:
        """Stores a value at a place."""
        for (leaf, part), pointer in zip(value.typed_parts(), pointers, strict=True):
            self.emit(f"store {leaf} {part}, ptr {pointer}")

    def get(self, type_: Type, pointers: tuple[str, ...]) -> Value:
        """Reads the value at a place."""
        return Value(type_, tuple(self.let(f"load {leaf}, ptr {p}") for leaf, p in zip(leaves(type_), pointers, strict=True)))

    # ---- types

    def cast(self, value: Value, wanted: Type) -> Value:
        """A value as one of another type, between int and np.uint64 with the same 64 bits; RefusedError where that type has no such
        value."""
        given = value.type
        if given == wanted:
            return value
        if isinstance(given, TupleOf) and isinstance(wanted, TupleOf) and len(given.members) == len(wanted.members):
            parts = [self.cast(member, type_) for member, type_ in zip(members(value), wanted.members, strict=True)]
            return tuple_of(parts, wanted.made_by)
        if isinstance(given, Scalar) and isinstance(wanted, Scalar):
            return constant(value, wanted) if value.is_known else Value(wanted, (self._scalar(value, given, wanted),))
        raise RefusedError(f"{given} cannot be {wanted}")

    def _scalar(self, value: Value, given: Scalar, wanted: Scalar) -> str:
        if wanted is BOOL:
            return self.truth(value)
        if wanted is FLOAT:
            return self.let(f"{'sitofp' if given is INT else 'uitofp'} {given.llvm} {value.part} to double")
        if given is BOOL:
            return self.let(f"zext i1 {value.part} to i64")
        if given is FLOAT:  # towards zero; the nearest there is for what no 64 bits hold, 0 for nan
            return self.let(f"call i64 @llvm.fpto{'s' if wanted is INT else 'u'}i.sat.i64.f64(double {value.part})")
        return value.part

    def truth(self, value: Value) -> str:
        """Whether a number is not 0; RefusedError where it is not a number."""
        if value.type is BOOL:
            return value.part
        if value.type is FLOAT:
            return self.let(f"fcmp une double {value.part}, {double(0.0)}")
        if value.type in (INT, WORD, LITERAL):
            return self.let(f"icmp ne i64 {value.part}, 0")
        raise RefusedError(f"{value.type} is neither true nor false")


def constant(value: Value, wanted: Scalar) -> Value:
    """A constant as one of another type, as `Text.cast` would make it; RefusedError where it is in the source, and the type does
    not hold it."""
    number = value.constant
    if wanted is FLOAT:
        return Value(FLOAT, (double(float(number)),), float(number))
    if wanted is BOOL:
        return Value(BOOL, (str(int(number != 0)),), number != 0)
    lowest, after = LIMITS[wanted]
    if value.type is FLOAT:
        number = 0 if math.isnan(number) else int(min(max(number, lowest), after - 1))
    elif value.type is not LITERAL:
        number = (number - lowest) % 2**64 + lowest
    elif not lowest <= number < after:
        raise RefusedError(f"{number} is not {wanted}: it lies beyond 64 bits, or below 0")
    return Value(wanted, (str(int(number)),), int(number))


def double(number: float) -> str:
    """A float as LLVM writes it, bit for bit."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"


def return_type(type_: Type) -> str:
    """The LLVM type in which a function returns a value: all parts in one."""
    parts = leaves(type_)
    return "void" if type_ == NOTHING else parts[0] if len(parts) == 1 else f"{{ {', '.join(parts)} }}"
