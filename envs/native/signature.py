"""A kernel's arguments, read from its annotations, and the entry through which Python calls it.

Arguments are C-contiguous numpy arrays (`Annotated[NDArray[np.int8], 2]`: dtype and dimensions),
`int` (64 bits) and `np.uint64`; a kernel returns `int`, `np.uint64` or None. The entry is a vectorcall function of
CPython written in LLVM: it reads data pointer and shape out of each array object after checking its
type, dtype, dimensions and contiguity, and raises TypeError where one is wrong. The offsets are
those of numpy's and CPython's C interface, which keep them from version to version.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

import numpy as np

from .pool import RUN

Compiled = Callable[..., Any]
F = TypeVar("F", bound=Callable[..., Any])

# struct PyArrayObject: object header, data, nd, dimensions, strides, base, descr, flags.
HEADER = object.__basicsize__
DATA, ND, DIMENSIONS, DESCR, FLAGS = HEADER, HEADER + 8, HEADER + 16, HEADER + 40, HEADER + 48
OBJECT_TYPE = HEADER - 8
BYTE_ORDER, TYPE_NUMBER = HEADER + 10, HEADER + 12  # in struct PyArray_Descr
BEHAVED = 0x0001 | 0x0100  # C-contiguous and aligned
FOREIGN = ord("<" if sys.byteorder == "big" else ">")  # the byte order of other machines


def releases_gil(kernel: F) -> F:
    """Marks a kernel that runs long enough to let other threads of Python run meanwhile."""
    kernel.__dict__["releases_gil"] = True
    return kernel


def in_ranges(kernel: F) -> F:
    """Marks a kernel over rows `lo` to `hi`, its first two arguments, that threads share in parts.

    Python calls it with a pool before all other arguments (envs/threads.py), and it lets go of the GIL.
    """
    kernel.__dict__["in_ranges"] = True
    return releases_gil(kernel)


def apart(function: F) -> F:
    """Marks a function that stays a function of its own where it is called; all others are written out at each call."""
    function.__dict__["apart"] = True
    return function


def is_apart(function: Callable[..., Any]) -> bool:
    """Whether a function is marked so."""
    return getattr(function, "apart", False)


def is_instruction(name: str) -> Callable[[F], F]:
    """Marks a function that some processors do in an instruction or two (envs/native/build.py lists them by name)."""

    def mark(function: F) -> F:
        function.__dict__["instruction"] = name
        return function

    return mark


def instruction_of(function: Callable[..., Any]) -> str | None:
    """The instruction that does what a function does."""
    return getattr(function, "instruction", None)


@dataclass(frozen=True)
class Argument:
    """One argument of a kernel: an array of `dimensions` > 0, or a scalar (`dimensions` 0)."""

    name: str
    dtype: np.dtype[Any]
    dimensions: int

    @property
    def words(self) -> list[str]:
        """LLVM types of what the machine-code function takes for it: a pointer and a length per dimension."""
        return ["ptr"] + ["i64"] * self.dimensions if self.dimensions else ["i64"]


POOL = Argument("pool", np.dtype(np.int64), 1)
"""What kernels over ranges take before everything else."""


@dataclass(frozen=True)
class Signature:
    """What a kernel takes and gives.

    Args:
        arguments: what it takes, in order.
        returns: the dtype it returns; None for nothing.
        releases_gil: whether other threads of Python run meanwhile.
        in_ranges: whether a pool of threads shares its rows.
    """

    arguments: tuple[Argument, ...]
    returns: np.dtype[Any] | None
    releases_gil: bool
    in_ranges: bool

    @property
    def words(self) -> list[str]:
        """LLVM types of what the machine-code function takes."""
        return [word for argument in self.arguments for word in argument.words]


def signature_of(kernel: Callable[..., Any]) -> Signature:
    """The signature that a kernel's annotations state.

    Raises:
        TypeError: an argument is annotated with something that is no array, `int` or `np.uint64`.
    """
    hints = inspect.get_annotations(kernel, eval_str=True)
    if bare := [name for name in inspect.signature(kernel).parameters if name not in hints]:
        raise TypeError(f"{kernel.__name__} does not say what {', '.join(bare)} is; a kernel annotates every argument")
    returns = hints.pop("return", None)
    arguments = tuple(_argument(kernel, name, hint) for name, hint in hints.items())
    result = None if returns is None else _argument(kernel, "return", returns).dtype
    return Signature(arguments, result, getattr(kernel, "releases_gil", False), getattr(kernel, "in_ranges", False))


def _argument(kernel: Callable[..., Any], name: str, hint: Any) -> Argument:
    if hint is int:
        return Argument(name, np.dtype(np.int64), 0)
    if hint is np.uint64:
        return Argument(name, np.dtype(np.uint64), 0)
    if (metadata := getattr(hint, "__metadata__", None)) is not None:
        return Argument(name, np.dtype(_scalar_type(hint)), metadata[0])
    raise TypeError(f"{kernel.__name__} takes {name}: {hint}; a kernel takes arrays, int and np.uint64")


def _scalar_type(hint: Any) -> type[np.generic]:
    """The scalar type in `NDArray[…]`, however numpy's version spells that out."""
    if isinstance(hint, type) and issubclass(hint, np.generic):
        return hint
    return next((found for part in get_args(hint) if (found := _scalar_type(part)) is not np.generic), np.generic)


def declaration(signature: Signature, machine_code: str) -> str:
    """LLVM text that declares a kernel's machine code, to be linked with an `entry`."""
    return f"declare i64 @{_quoted(machine_code)}({', '.join(signature.words)})\n"


def entry(signature: Signature, machine_code: str, name: str) -> str:
    """LLVM text of a CPython vectorcall function `name(self, args, nargs)` around `machine_code`.

    `self` is numpy's array type, against which the type of every array argument is compared.
    """
    arguments = (POOL, *signature.arguments) if signature.in_ranges else signature.arguments
    lines = [f"%counted = icmp eq i64 %nargs, {len(arguments)}", "br i1 %counted, label %start, label %wrong", "start:"]
    passed: list[str] = []
    for k, argument in enumerate(arguments):
        lines += [f"%slot{k} = getelementptr ptr, ptr %args, i64 {k}", f"%object{k} = load ptr, ptr %slot{k}"]
        if argument.dimensions:
            lines += _array(k, argument)
            passed += [f"ptr %data{k}", *(f"i64 %length{k}_{d}" for d in range(argument.dimensions))]
        else:
            lines += _scalar(k, argument)
            passed += [f"i64 %value{k}"]
    if signature.in_ranges:
        call = _packed(passed[4:]) + [f"call void @pool_run(ptr %data0, ptr @{name}_job, ptr %packed, {passed[2]}, {passed[3]})"]
        call += ["%result = add i64 0, 0"]
    else:
        call = [f"%result = call i64 @{_quoted(machine_code)}({', '.join(passed)})"]
    if signature.releases_gil:
        call = ["%thread = call ptr @PyEval_SaveThread()", *call, "call void @PyEval_RestoreThread(ptr %thread)"]
    boxed = "PyLong_FromUnsignedLongLong" if signature.returns == np.uint64 else "PyLong_FromLongLong"
    lines += [*call, f"%boxed = call ptr @{boxed}(i64 %result)", "ret ptr %boxed"]
    lines += ["wrong:", "call i32 @PyErr_BadArgument()", "ret ptr null", "failed:", "ret ptr null"]
    return "\n".join(
        [
            "declare i64 @PyLong_AsLongLong(ptr)",
            "declare i64 @PyLong_AsUnsignedLongLongMask(ptr)",
            "declare ptr @PyLong_FromLongLong(i64)",
            "declare ptr @PyLong_FromUnsignedLongLong(i64)",
            "declare ptr @PyErr_Occurred()",
            "declare i32 @PyErr_BadArgument()",
            "declare ptr @PyEval_SaveThread()",
            "declare void @PyEval_RestoreThread(ptr)",
            *([RUN, _job(signature.words[2:], machine_code, name)] if signature.in_ranges else []),
            f"define ptr @{name}(ptr %self, ptr %args, i64 %nargs) {{",
            *lines,
            "}",
        ]
    )


def _packed(passed: list[str]) -> list[str]:
    """Lays what the kernel takes after its range into memory, for whoever works on a part of it."""
    lines = [f"%packed = alloca i64, i64 {max(1, len(passed))}"]
    for k, typed in enumerate(passed):
        lines += [f"%place{k} = getelementptr i64, ptr %packed, i64 {k}", f"store {typed}, ptr %place{k}"]
    return lines


def _job(words: list[str], machine_code: str, name: str) -> str:
    """LLVM text of a function that runs the kernel on one part, with the arguments that `_packed` laid out."""
    lines: list[str] = []
    for k, kind in enumerate(words):
        lines += [f"%place{k} = getelementptr i64, ptr %packed, i64 {k}", f"%word{k} = load {kind}, ptr %place{k}"]
    taken = ", ".join(["i64 %lo", "i64 %hi", *(f"{kind} %word{k}" for k, kind in enumerate(words))])
    head = f"define internal void @{name}_job(ptr %packed, i64 %lo, i64 %hi) {{"
    return "\n".join([head, *lines, f"%result = call i64 @{_quoted(machine_code)}({taken})", "ret void", "}"])


def _array(k: int, argument: Argument) -> list[str]:
    """Checks argument k and loads its data pointer and its shape."""
    fields = [
        ("nd", ND, "i32"),
        ("flags", FLAGS, "i32"),
        ("descr", DESCR, "ptr"),
        ("data", DATA, "ptr"),
        ("shape", DIMENSIONS, "ptr"),
    ]
    lines = [f"%at_type{k} = getelementptr i8, ptr %object{k}, i64 {OBJECT_TYPE}", f"%type{k} = load ptr, ptr %at_type{k}"]
    lines += [f"%is_array{k} = icmp eq ptr %type{k}, %self", f"br i1 %is_array{k}, label %array{k}, label %wrong", f"array{k}:"]
    for name, offset, kind in fields:
        lines += [f"%at_{name}{k} = getelementptr i8, ptr %object{k}, i64 {offset}", f"%{name}{k} = load {kind}, ptr %at_{name}{k}"]
    lines += [f"%at_number{k} = getelementptr i8, ptr %descr{k}, i64 {TYPE_NUMBER}", f"%number{k} = load i32, ptr %at_number{k}"]
    lines += [
        f"%behaved{k} = and i32 %flags{k}, {BEHAVED}",
        f"%good_flags{k} = icmp eq i32 %behaved{k}, {BEHAVED}",
        f"%good_nd{k} = icmp eq i32 %nd{k}, {argument.dimensions}",
        f"%good_number{k} = icmp eq i32 %number{k}, {argument.dtype.num}",
        f"%good_both{k} = and i1 %good_flags{k}, %good_nd{k}",
        f"%at_order{k} = getelementptr i8, ptr %descr{k}, i64 {BYTE_ORDER}",
        f"%order{k} = load i8, ptr %at_order{k}",
        f"%good_order{k} = icmp ne i8 %order{k}, {FOREIGN}",
        f"%good_number_and_order{k} = and i1 %good_number{k}, %good_order{k}",
        f"%good{k} = and i1 %good_both{k}, %good_number_and_order{k}",
        f"br i1 %good{k}, label %take{k}, label %wrong",
        f"take{k}:",
    ]
    for d in range(argument.dimensions):
        lines += [
            f"%at_length{k}_{d} = getelementptr i64, ptr %shape{k}, i64 {d}",
            f"%length{k}_{d} = load i64, ptr %at_length{k}_{d}",
        ]
    return lines


def _scalar(k: int, argument: Argument) -> list[str]:
    """Converts argument k from a Python integer; -1 may mean that it was none."""
    convert = "PyLong_AsUnsignedLongLongMask" if argument.dtype == np.uint64 else "PyLong_AsLongLong"
    return [
        f"%value{k} = call i64 @{convert}(ptr %object{k})",
        f"%suspect{k} = icmp eq i64 %value{k}, -1",
        f"br i1 %suspect{k}, label %ask{k}, label %next{k}",
        f"ask{k}:",
        f"%error{k} = call ptr @PyErr_Occurred()",
        f"%fine{k} = icmp eq ptr %error{k}, null",
        f"br i1 %fine{k}, label %next{k}, label %failed",
        f"next{k}:",
    ]


def _quoted(symbol: str) -> str:
    return '"' + symbol + '"'
