"""What people read of a kernel that is outside of the language: the file, the line, the construct, and what is allowed."""

import math
from collections import namedtuple
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from ludus.core.native import KernelError, Link, compile_kernel
from ludus.core.native.compiler.program import translate_kernel
from ludus.core.native.compiler.signature import signature_of
from ludus.core.native.compiler.target import host

from ...helpers.native.kernels import kernel_from


class Pair(NamedTuple):
    one: int
    two: np.uint64


def annotated(dtype, dimensions=1):
    return Annotated[NDArray[dtype], dimensions]


SCOPE = {
    "math": math,
    "Annotated": Annotated,
    "NDArray": NDArray,
    "Pair": Pair,
    "Bare": namedtuple("Bare", "x"),
    "Numbers": annotated(np.int64),
    "Cells": annotated(np.int8, 2),
    "Floats": annotated(np.float32),
    "TABLE": np.arange(5),
    "THREE": (1, 2, 3),
    "HALF": np.zeros(3, np.float16),
}
HEAD = "def kernel(n: int, w: np.uint64, a: Numbers, c: Cells, f: Floats) -> int:\n    "
TAIL = "\n    return n\n"

# a line or two inside of a kernel, the line that is named, and words of the sentence
LINES = {
    "signed and unsigned": ("n = n + w", 2, "`n` is an int and `w` is an np.uint64, which do not mix; convert one by `int("),
    "a variable of two types": ("x = n\nx = w", 3, "the variable `x` is an int in one place and an np.uint64 here; it keeps one"),
    "too few values": ("i, j, k = n, n", 2, "3 variables cannot be assigned a tuple (an int, an int)"),
    "a sum of tuples": ("n = (n, n) + (n, n)", 2, "there is no such operation on a tuple (an int, an int)"),
    "an attribute of a module": ("n = np.nothing(n)", 2, "numpy has no `nothing`"),
    "an attribute is set": ("n.x = 1", 2, "a kernel assigns to variables, to several as `a, b = …`, and to elements of arrays"),
    "a name that is not there": ("n = nowhere(n)", 2, "nothing is called `nowhere` here"),
    "a variable never assigned": ("x += n", 2, "the variable `x` is read here, and nothing is assigned to it"),
    "a method of a number": ("n = n.bit_length()", 2, "values have no methods here; write a function"),
    "numpy makes an array": ("x = np.zeros(n, np.int64)", 2, "does not call `zeros`, and makes no arrays; it calls"),
    "a function unknown here": ("n = math.gamma(1.0)", 2, "it calls functions that `def` defines"),
    "a narrow number": ("n = np.int8(n)", 2, "whole numbers have 64 bits in a kernel"),
    "a NamedTuple without a member": ("x = Pair(n)", 2, "Pair is not given `two`"),
    "text": ("x = 'text'", 2, "this is a str; values of kernels are numbers, bools, tuples and arrays"),
    "try": ("try:\n    n = 1\nexcept ValueError:\n    n = 2", 2, "kernels have no Try"),
    "in": ("n = 1 if n in (1, 2) else 2", 2, "kernels compare by ==, !=, <, <=, > and >=; there is no `in`"),
    "else of for": ("for i in range(n): n += i\nelse: n = 0", 2, "a loop has no else here; remember in a variable"),
    "a range with a variable step": ("for i in range(0, 9, n): n += i", 2, "the step of a range is a whole constant other than 0"),
    "a loop over an array": ("for x in a: n += x", 2, "a loop goes over a range or a tuple, not an array of int64"),
    "a float as an index": ("n = a[1.5]", 2, "an index is a whole number, not a float"),
    "too many indices": ("x = a[0, 0]", 2, "2 indices, but it is an array of int64 with 1 dimension"),
    "a variable index into a tuple": ("x = (n, w)[n]", 2, "takes a tuple whose members have one type; an int and an np.uint64"),
    "an index beyond a tuple": ("x = (n, w)[2]", 2, "the tuple has 2 members, and none with the number 2"),
    "// of floats": ("x = f[0] // 2", 2, "are for whole numbers; of floats, take math.floor(a / b)"),
    "a slice with a step": ("x = a[::2]", 2, "a slice has no step here"),
    "a constant array is written": ("TABLE[0] = 1", 2, "a constant array can only be read; pass in the one to write"),
    "a tuple is written": ("p = (n, n)\np[0] = 1", 3, "a tuple (an int, an int) cannot be changed; make a new one"),
    "a float into whole numbers": ("a[0] = 1.5", 2, "a float does not go into an array of int64; write int("),
    "a table into a row": ("a[:] = c", 2, "an array of int8 with 2 dimensions does not fill an array of int64 with 1 dimension"),
    "arithmetic on an array": ("x = a + 1", 2, "which do not mix; take the elements of an array one by one"),
    "an array as a condition": ("if a: n = 1", 2, "an array of int64 with 1 dimension is neither true nor false"),
    "an array of float16": ("x = HALF[n]", 2, "a constant array of float16; kernels have whole numbers, floats and bools"),
    "a constant beyond 64 bits": ("n = n + 9223372036854775808", 2, "9223372036854775808 is not an int: it lies beyond 64 bits"),
    "a word below 0": ("x = w + -1", 2, "-1 is not an np.uint64: it lies beyond 64 bits, or below 0"),
    "a power without end": ("x = 9**9**9**9", 2, "it has no value: the number is too large"),
    "a shift by 64": ("x = n << 64", 2, "a shift by 64; a constant count is 0 to 63"),
    "bits of a bool": ("n = ~(n > 1)", 2, "there is no such operation on a bool; write `not`"),
}
# the head of a kernel, its lines, the line that is named, and words of the sentence
KERNELS = {
    "star arguments": ("(*n: int) -> int", "return 1", 1, "takes plain arguments, without * and **"),
    "results of two types": ("(n: int) -> int", "if n: return n\nreturn (n, n)", 3, "what the function returns is an int"),
    "no result at the end": ("(n: int) -> int", "if n: return n", 2, "the function ends here and returns None, and an int els"),
    "a result for None": ("(n: int) -> None", "return n", 1, "kernel returns an int, and its annotation says None"),
    "a float as result": ("(n: int) -> float", "return 1.5", 1, "a kernel returns int, np.uint64 or None"),
    "an argument without annotation": ("(n) -> int", "return n", 1, "kernel does not say what n is; a kernel annotates every"),
    "a list as argument": ("(n: list) -> int", "return 1", 1, "a kernel takes arrays, int, np.uint64 and NamedTuples of these"),
    "a tuple without annotations": ("(it: Bare) -> int", "return 1", 1, "kernel takes it.x: without an annotation; a kernel takes"),
    "an unknown annotation": ("(n: 'nowhere') -> int", "return 1", 1, "an annotation cannot be read: name 'nowhere' is not"),
    "an array without dimensions": ("(a: NDArray[np.int8]) -> int", "return 1", 1, "Annotated[NDArray[np.int64], 1]"),
    "an array of objects": ("(a: Annotated[NDArray[np.object_], 1]) -> int", "return 1", 1, "a is an array of "),
    "an expression nested deeply": ("(n: int) -> int", f"return {'1 + ' * 600}n", 1, "its code is nested too deeply"),
}
# functions, what the kernel returns of them, the line that is named, and words of the sentence
TWO = "def helper(a, b):\n    return a + b"
DOWN = "def down(n){}:\n    return n if n < 2 else down(n - 1)"
WRONG = "def down(n) -> tuple[int, int]:\n    if n > 1:\n        i, j = down(n - 1)\n    return n"
EVEN = "def even(n):\n    return n == 0 or odd(n - 1)\n\ndef odd(n):\n    return n != 0 and even(n - 1)"
GROW = "def grow(x) -> int:\n    return grow((x, 1))"
FUNCTIONS = {
    "an argument too few": (TWO, "helper(n)", 5, "helper is not given `b`"),
    "an argument too many": (TWO, "helper(n, n, n)", 5, "helper takes `a`, `b`; it is given 3 arguments"),
    "an argument twice": (TWO, "helper(n, a=n)", 5, "helper takes `a`, `b`; it is given `a` twice"),
    "in the function that is called": (TWO, "helper(n, np.uint64(n))", 2, "`a` is an int and `b` is an np.uint64"),
    "recursion without an annotation": (DOWN.format(""), "down(n)", 2, "down calls itself; annotate what it returns, as -> int"),
    "recursion with the wrong annotation": (WRONG, "down(n)", 1, "it calls itself, and returns an int, which is not what its"),
    "recursion without end among types": (GROW, "grow(n)", 1, "it is called within calls without end"),
}


def indented(lines):
    return lines.replace("\n", "\n    ")


BAD = (
    {name: (HEAD + indented(lines) + TAIL, *rest) for name, (lines, *rest) in LINES.items()}
    | {name: (f"def kernel{head}:\n    {indented(lines)}", *rest) for name, (head, lines, *rest) in KERNELS.items()}
    | {name: (f"{code}\n\ndef kernel(n: int) -> int:\n    return {call}", *rest) for name, (code, call, *rest) in FUNCTIONS.items()}
)


def text_of(source):
    kernel = kernel_from(source, **SCOPE)
    return translate_kernel(kernel, Link("tests", {}, {}), signature_of(kernel), "code", host())


@pytest.mark.parametrize("name", BAD)
def test_a_kernel_outside_of_the_language_is_refused_by_file_line_and_construct(name):
    source, line, words = BAD[name]
    with pytest.raises(KernelError) as caught:
        text_of(source)
    error = str(caught.value)
    assert words in error
    assert error.startswith("<kernel ")
    assert f">, line {line}, in " in error
    assert "\n" not in error


def test_a_method_or_another_object_is_no_kernel():
    with pytest.raises(TypeError, match="a kernel is a function that is defined by `def`, not"):
        compile_kernel(staticmethod(text_of), Link("tests", {}, {}))


def test_a_kernel_without_its_source_is_refused():
    scope = {"np": np}
    exec("def kernel(n: int) -> int:\n    return n", scope)
    with pytest.raises(KernelError, match=r"line 1, in kernel: its source cannot be found, and kernels are compiled from it"):
        compile_kernel(scope["kernel"], Link("tests", {}, {}))


def test_what_no_branch_reaches_is_not_looked_at():
    text_of("def kernel(n: int) -> int:\n    if False:\n        n = nowhere\n    return n\n    return 'text'")


NAMED = """
def größe(r, start):
    return r[0] + r[-1] + start

def kernel(entry: int, r: Numbers, out: Numbers) -> int:
    for länge in range(out.shape[0]):
        start, wrong = größe((länge, länge), entry), table.shape[0]
        out[länge] = r[länge] + start - wrong
    return out[0]
"""


def test_names_of_people_and_of_llvm_are_names_like_any_other(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))
    kernel, out = kernel_from(NAMED, table=np.arange(2), **SCOPE), np.zeros((2, 4), np.int64)
    assert compile_kernel(kernel, Link("tests", {}, {}))(7, np.arange(1, 5), out[0]) == kernel(7, np.arange(1, 5), out[1])
    assert np.array_equal(*out)
