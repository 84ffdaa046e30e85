"""A kernel with all functions that it reaches, as the text of one LLVM module."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import FunctionType
from typing import Any, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from . import arithmetic, arrays, calls, expressions, statements
from .arithmetic import MOST_BITS, Instruction, instructions
from .body import Body
from .calls import fields_of
from .link import Link
from .signature import Group, Parameter, Signature, hints_of, kernel_error
from .target import Target
from .text import double, return_type
from .types import BOOL, ELEMENTS, FLOAT, INT, LITERAL, NOTHING, WORD, ArrayOf, RefusedError, TupleOf, Type, Value, tuple_of

TRANSLATORS = (arithmetic, arrays, calls, expressions, statements)
"""The modules that translate constructs: they enter themselves in body.py."""
ALIGNMENT = 64
"""Bytes: tables begin at a line of the processor's cache, and vectors of any width are loaded from them at once."""
DEEPEST = 60
"""How many functions may be called within each other, each by another one."""
ANNOTATED: dict[object, Type] = {int: INT, np.uint64: WORD, float: FLOAT, bool: BOOL, None: NOTHING, type(None): NOTHING}


def translate_kernel(kernel: FunctionType, link: Link, signature: Signature, symbol: str, target: Target) -> str:
    """A kernel as LLVM text: an internal function `symbol` over words (`Signature.words`) that returns one. KernelError, which
    names file, line and construct, where it is outside of the language."""
    program = Program(link, target)
    types = tuple(_type_of(argument) for argument in signature.arguments)
    try:
        name, result = program.function(kernel, types)
    except RecursionError:
        raise kernel_error(kernel, "its code is nested too deeply; give parts of it lines of their own") from None
    return program.text(name) + _over_words(kernel, name, result, signature, symbol)


def _type_of(argument: Parameter) -> Type:
    if isinstance(argument, Group):
        return TupleOf(tuple(map(_type_of, argument.members)), argument.made_by)
    if argument.dimensions:
        return ArrayOf(argument.dtype, argument.dimensions)
    return WORD if argument.dtype == np.uint64 else INT


class Program:
    """The functions of one kernel, each for the types of arguments it is called with."""

    def __init__(self, link: Link, target: Target) -> None:
        self.link = link
        self._instructions = instructions(target)
        self._results = dict[tuple[FunctionType, tuple[Type, ...]], tuple[str, Type]]()
        self._bodies = dict[tuple[FunctionType, tuple[Type, ...]], Body]()
        self._texts = dict[str, tuple[str, frozenset[str]]]()
        self._arrays = dict[tuple[Any, ...], tuple[str, str]]()
        self._loops = list[str]()

    def function(self, function: FunctionType, types: tuple[Type, ...]) -> tuple[str, Type]:
        """The name and the result of a function for arguments of these types, translated where it is not yet.

        One that is just being translated calls itself: its annotation says what it returns.
        """
        key = function, types
        if key in self._results:
            return self._results[key]
        if key in self._bodies:
            body = self._bodies[key]
            body.is_recursive = True
            return body.symbol, _annotated_result(function, types)
        depth = sum(other not in self._results for other in self._bodies)
        name = function.__name__ if function.__name__.isascii() else "named"
        body = self._bodies[key] = Body(self, function, types, f"of.{name}.{len(self._bodies)}")
        if depth > DEEPEST:
            body.refuse(body.tree, "it is called within calls without end, or calls itself with arguments of ever new types")
        result, text = body.translate()
        if body.is_recursive and result != _annotated_result(function, types):
            body.refuse(body.tree, f"it calls itself, and returns {result}, which is not what its annotation says")
        self._texts[body.symbol] = text, frozenset(body.calls)
        self._results[key] = body.symbol, result
        return self._results[key]

    def instruction(self, function: FunctionType) -> Instruction | None:
        """What the target does instead of a function."""
        return self._instructions.get(getattr(function, "instruction", ""))

    def array(self, array: NDArray[Any]) -> Value:
        """An array of the source as a value: its numbers are a part of the program."""
        if array.dtype not in ELEMENTS:
            raise RefusedError(f"a constant array of {array.dtype}; kernels have whole numbers, floats and bools")
        type_, key = ArrayOf(array.dtype, array.ndim, constant=True), (array.dtype, array.shape, array.tobytes())
        if key not in self._arrays:
            kind, name = ELEMENTS[array.dtype], f"@table.{len(self._arrays)}"
            numbers = ", ".join(f"{kind.llvm} {double(n) if kind.type is FLOAT else int(n)}" for n in array.ravel().tolist())
            self._arrays[key] = name, f"{name} = internal constant [{array.size} x {kind.llvm}] [{numbers}], align {ALIGNMENT}"
        return Value(type_, (self._arrays[key][0], *map(str, array.shape)))

    def constant(self, known: Any) -> Value:
        """A constant of the source as a value; RefusedError where it is of a kind that kernels do not have."""
        if type(known) in (bool, np.bool_):
            return Value(BOOL, (str(int(known)),), bool(known))
        if type(known) is np.uint64:
            return Value(WORD, (str(int(known)),), int(known))
        if isinstance(known, (int, np.integer)):
            if int(known).bit_length() > MOST_BITS:
                raise RefusedError(f"this number has {int(known).bit_length()} bits; kernels have 64")
            return Value(LITERAL, (str(int(known)),), int(known))
        if isinstance(known, (float, np.floating)):
            return Value(FLOAT, (double(float(known)),), float(known))
        if known is None:
            return Value(NOTHING, ())
        if isinstance(known, tuple):
            return tuple_of([self.constant(member) for member in known], type(known))
        if isinstance(known, np.ndarray):
            return self.array(known)
        raise RefusedError(f"this is a {type(known).__name__}; values of kernels are numbers, bools, tuples and arrays")

    def plain_loop(self) -> str:
        """A mark for a loop that LLVM leaves as it is: it neither vectorizes the loop nor unrolls it."""
        mark = f"!{len(self._loops)}"
        self._loops.append(
            f'{mark} = distinct !{{{mark}, !{{!"llvm.loop.vectorize.enable", i1 false}}, !{{!"llvm.loop.unroll.disable"}}}}'
        )
        return mark

    def text(self, name: str) -> str:
        """All that a function needs, itself included."""
        needed, waiting = dict[str, str](), [name]
        while waiting:
            each = waiting.pop()
            if each not in needed:
                needed[each], called = self._texts[each]
                waiting.extend(sorted(called))
        return "\n".join([*(text for _, text in self._arrays.values()), *needed.values(), *self._loops, ""])


def _annotated_result(function: FunctionType, types: Sequence[Type]) -> Type:
    """The type that a function's annotation says it returns."""
    try:
        hints = inspect.get_annotations(function, eval_str=True)
    except Exception as error:  # an annotation may be any expression
        raise RefusedError(f"an annotation of {function.__name__} cannot be read: {error}") from None
    may_be = "-> int, -> np.uint64, -> float, -> bool or -> tuple[int, int]"
    without = f"{function.__name__} calls itself; annotate what it returns, as {may_be}"
    of_arguments = [(hints.get(name), type_) for name, type_ in zip(function.__code__.co_varnames, types, strict=False)]

    def meant(hint: Any) -> Type:
        key: Any = hint  # a type or an alias of one; both have a hash
        if key in ANNOTATED:
            return ANNOTATED[key]
        if (same := next((type_ for given, type_ in of_arguments if given == hint), None)) is not None:
            return same
        if get_origin(hint) is tuple and Ellipsis not in get_args(hint):
            return TupleOf(tuple(map(meant, get_args(hint))))
        if fields_of(hint) is not None:
            return TupleOf(tuple(map(meant, hints_of(key).values())), key)
        raise RefusedError(without)

    if "return" not in hints:
        raise RefusedError(without)
    return meant(hints["return"])


def _over_words(kernel: FunctionType, name: str, result: Type, signature: Signature, symbol: str) -> str:
    """The kernel as entries call it: words in, one word out."""
    wanted = NOTHING if signature.returns is None else WORD if signature.returns == np.uint64 else INT
    if result != wanted and not (wanted is INT and result is BOOL):
        raise kernel_error(kernel, f"{kernel.__name__} returns {result}, and its annotation says {wanted}")
    passed = ", ".join(f"{kind} %{number}" for number, kind in enumerate(signature.words))
    call = f"call {return_type(result)} @{name}({passed})"
    lines = [call, "ret i64 0"] if result == NOTHING else [f"%result = {call}", "ret i64 %result"]
    if result is BOOL:
        lines = [f"%so = {call}", "%result = zext i1 %so to i64", "ret i64 %result"]
    head = f"define internal i64 @{symbol}({', '.join(signature.words)}) alwaysinline nounwind {{"
    return "\n".join([head, *lines, "}", ""])
