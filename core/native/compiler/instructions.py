"""What some processors do in an instruction or two. All else in a kernel's text is the same for every machine."""

from __future__ import annotations

from collections.abc import Callable

from .body import Body
from .target import Target
from .types import INT, WORD, Value

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
