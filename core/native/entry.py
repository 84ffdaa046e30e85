"""The entry through which CPython calls a kernel, in LLVM text. Only this file knows how objects of Python and numpy are laid out.

It is a vectorcall function: it reads data pointer and shape out of each array object after checking its type, dtype, dimensions
and contiguity, takes the members out of each tuple, and has `refuse` say what is wrong where one is. The offsets are those of
numpy's and CPython's C interface, which keep them from version to version; those of tuples changed, so CPython functions read the
members. The kernel itself is a function over words (`Signature.words`), which other entries may call too.
"""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import numpy as np

from ..numbers import several, short_repr
from .compiler.signature import Argument, Group, Parameter, Signature
from .pool import RUN

# struct PyArrayObject: object header, data, nd, dimensions, strides, base, descr, flags.
HEADER = object.__basicsize__
DATA, ND, DIMENSIONS, DESCR, FLAGS = HEADER, HEADER + 8, HEADER + 16, HEADER + 40, HEADER + 48
OBJECT_TYPE = HEADER - 8
BYTE_ORDER, TYPE_NUMBER = HEADER + 10, HEADER + 12  # in struct PyArray_Descr
BEHAVED = 0x0001 | 0x0100  # C-contiguous and aligned
FOREIGN = ord("<" if sys.byteorder == "big" else ">")  # the byte order of other machines
DECLARED = """
declare i64 @PyLong_AsLongLong(ptr)
declare i64 @PyLong_AsUnsignedLongLongMask(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyLong_FromUnsignedLongLong(i64)
declare i64 @PyTuple_Size(ptr)
declare ptr @PyTuple_GetItem(ptr, i64)
declare ptr @PyErr_Occurred()
declare void @PyErr_Clear()
declare ptr @PyObject_VectorcallDict(ptr, ptr, i64, ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
"""
"""The functions of CPython that entries call."""
MOST_MEMBERS = 16
"""Members of a tuple or a list that an error describes."""


def entry(signature: Signature, machine_code: str, name: str) -> str:
    """LLVM text of a CPython vectorcall function `name(self, args, nargs)` around `machine_code`.

    `self` is a tuple: numpy's array type, against which the type of every array argument is compared, and a function that is
    called with wrong arguments to raise the error.
    """
    arguments = signature.parameters
    lines = [f"%counted = icmp eq i64 %nargs, {len(arguments)}", "br i1 %counted, label %start, label %wrong", "start:"]
    lines += ["%class = call ptr @PyTuple_GetItem(ptr %self, i64 0)"]
    passed: list[str] = []
    for k, argument in enumerate(arguments):
        lines += [f"%slot{k} = getelementptr ptr, ptr %args, i64 {k}", f"%object{k} = load ptr, ptr %slot{k}"]
        lines += _take_apart(str(k), argument)
        passed += _words(str(k), argument)
    if signature.in_ranges:
        call = _store_arguments(passed[4:]) + [
            f"call void @pool_run(ptr %data0, ptr @{name}_job, ptr %packed, {passed[2]}, {passed[3]})"
        ]
        call += ["%result = add i64 0, 0"]
    else:
        call = [f"%result = call i64 @{machine_code}({', '.join(passed)})"]
    if signature.releases_gil:
        call = ["%thread = call ptr @PyEval_SaveThread()", *call, "call void @PyEval_RestoreThread(ptr %thread)"]
    boxed = "PyLong_FromUnsignedLongLong" if signature.returns == np.uint64 else "PyLong_FromLongLong"
    lines += [*call, f"%boxed = call ptr @{boxed}(i64 %result)", "ret ptr %boxed"]
    lines += [
        "wrong:",
        "call void @PyErr_Clear()",
        "%refuse = call ptr @PyTuple_GetItem(ptr %self, i64 1)",
        "%refused = call ptr @PyObject_VectorcallDict(ptr %refuse, ptr %args, i64 %nargs, ptr null)",
        "ret ptr %refused",
    ]
    shared = [RUN, _job(signature.words[2:], machine_code, name)] if signature.in_ranges else []
    return "\n".join([DECLARED, *shared, f"define ptr @{name}(ptr %self, ptr %args, i64 %nargs) {{", *lines, "}"])


def _store_arguments(passed: list[str]) -> list[str]:
    """Writes what the kernel takes after its range into memory, for the threads that work on a part of it."""
    lines = [f"%packed = alloca i64, i64 {max(1, len(passed))}"]
    for k, typed in enumerate(passed):
        lines += [f"%place{k} = getelementptr i64, ptr %packed, i64 {k}", f"store {typed}, ptr %place{k}"]
    return lines


def _job(words: list[str], machine_code: str, name: str) -> str:
    """LLVM text of a function that runs the kernel on one part, with the arguments that `_store_arguments` laid out."""
    lines: list[str] = []
    for k, kind in enumerate(words):
        lines += [f"%place{k} = getelementptr i64, ptr %packed, i64 {k}", f"%word{k} = load {kind}, ptr %place{k}"]
    taken = ", ".join(["i64 %lo", "i64 %hi", *(f"{kind} %word{k}" for k, kind in enumerate(words))])
    head = f"define internal void @{name}_job(ptr %packed, i64 %lo, i64 %hi) {{"
    return "\n".join([head, *lines, f"%result = call i64 @{machine_code}({taken})", "ret void", "}"])


def _take_apart(k: str, argument: Parameter) -> list[str]:
    """Takes `%object{k}` apart: checks it, and loads the words that stand for it."""
    if isinstance(argument, Group):
        return _group(k, argument)
    return _array(k, argument) if argument.dimensions else _scalar(k, argument)


def _words(k: str, argument: Parameter) -> list[str]:
    """The words that stand for argument k once it is taken apart, each with its type."""
    if isinstance(argument, Group):
        return [word for number, member in enumerate(argument.members) for word in _words(f"{k}.{number}", member)]
    if argument.dimensions:
        return [f"ptr %data{k}", *(f"i64 %length{k}_{d}" for d in range(argument.dimensions))]
    return [f"i64 %value{k}"]


def _group(k: str, group: Group) -> list[str]:
    """Takes the members out of a tuple; PyTuple_Size gives -1 for what is not a tuple."""
    lines = [f"%size{k} = call i64 @PyTuple_Size(ptr %object{k})", f"%good{k} = icmp eq i64 %size{k}, {len(group.members)}"]
    lines += [f"br i1 %good{k}, label %take{k}, label %wrong", f"take{k}:"]
    for number, member in enumerate(group.members):
        lines += [
            f"%object{k}.{number} = call ptr @PyTuple_GetItem(ptr %object{k}, i64 {number})",
            *_take_apart(f"{k}.{number}", member),
        ]
    return lines


def _array(k: str, argument: Argument) -> list[str]:
    """Checks argument k and loads its data pointer and its shape."""
    fields = [
        ("nd", ND, "i32"),
        ("flags", FLAGS, "i32"),
        ("descr", DESCR, "ptr"),
        ("data", DATA, "ptr"),
        ("shape", DIMENSIONS, "ptr"),
    ]
    lines = [f"%at_type{k} = getelementptr i8, ptr %object{k}, i64 {OBJECT_TYPE}", f"%type{k} = load ptr, ptr %at_type{k}"]
    lines += [f"%is_array{k} = icmp eq ptr %type{k}, %class", f"br i1 %is_array{k}, label %array{k}, label %wrong", f"array{k}:"]
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


def _scalar(k: str, argument: Argument) -> list[str]:
    """Converts argument k from a Python integer; -1 may mean that it was none."""
    convert = "PyLong_AsUnsignedLongLongMask" if argument.dtype == np.uint64 else "PyLong_AsLongLong"
    return [
        f"%value{k} = call i64 @{convert}(ptr %object{k})",
        f"%suspect{k} = icmp eq i64 %value{k}, -1",
        f"br i1 %suspect{k}, label %ask{k}, label %next{k}",
        f"ask{k}:",
        f"%error{k} = call ptr @PyErr_Occurred()",
        f"%fine{k} = icmp eq ptr %error{k}, null",
        f"br i1 %fine{k}, label %next{k}, label %wrong",
        f"next{k}:",
    ]


# ---- wrong arguments


def refuse(name: str, signature: Signature, *given: Any) -> NoReturn:
    """Raises TypeError for wrong arguments: what the kernel takes, and what it was given."""
    takes = ", ".join(f"{parameter.name}: {_in_words(parameter)}" for parameter in signature.parameters)
    raise TypeError(f"the kernel {name} takes ({takes}), not ({', '.join(map(_describe, given))})")


def _in_words(parameter: Parameter) -> str:
    """What a kernel takes for one of its parameters, in words."""
    if isinstance(parameter, Group):
        return f"a tuple ({', '.join(f'{member.name}: {_in_words(member)}' for member in parameter.members)})"
    if parameter.dimensions:
        return f"a C-contiguous array of {parameter.dtype} with {several(parameter.dimensions, 'dimension')}"
    return "a whole number of 64 bits"


def _describe(value: Any) -> str:
    """What a value is, without all that is in it."""
    if isinstance(value, np.ndarray):
        faults = [word for word, good in (("contiguous", value.flags.c_contiguous), ("aligned", value.flags.aligned)) if not good]
        what = f"a {type(value).__name__} of {value.dtype} with shape {value.shape}"
        return what + "".join(f", not {word}" for word in faults)
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} ({', '.join(map(_describe, value[:MOST_MEMBERS]))})"
    return f"{short_repr(value)} ({type(value).__name__})"
