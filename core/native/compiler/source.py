"""The text of a function, as its file has it now, and its syntax tree.

The text names a compiled kernel (link.py), and is read at every start, so it is cut from the file without parsing: from the
function's first line to the last that its code comes from, and on to the end of that statement. The tree is only made to compile.
"""

from __future__ import annotations

import ast
import linecache
import textwrap
from collections.abc import Iterator
from functools import cache
from types import CodeType, FunctionType


class KernelError(TypeError):
    """A kernel, or a function it calls, is outside of the language.

    Args:
        function: the function at fault.
        line: the line in its file.
        why: what is wrong there, and what is allowed.
    """

    def __init__(self, function: FunctionType, line: int, why: str) -> None:
        self.function, self.file, self.line, self.why = function, function.__code__.co_filename, line, why
        super().__init__(function, line, why)

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}, in {self.function.__name__}: {self.why}"


@cache
def text_of(function: FunctionType) -> str:
    """A function's text, decorators and comments included; KernelError where there is none, as of a function typed at Python's
    prompt."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    start, end = code.co_firstlineno - 1, max(_lines(code))
    if end > len(lines):
        raise KernelError(function, start + 1, "its source cannot be found, and kernels are compiled from it; define it in a file")
    margin = _indentation(lines[start])
    while end < len(lines) and (not lines[end].strip() or _indentation(lines[end]) > margin or lines[end].lstrip()[0] in ")]}"):
        end += 1
    return "".join(lines[start:end]).rstrip() + "\n"


def _lines(code: CodeType) -> Iterator[int]:
    """The lines that a function's code comes from."""
    yield code.co_firstlineno
    yield from (line for _, _, line in code.co_lines() if line)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _lines(constant)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


@cache
def tree_of(function: FunctionType) -> ast.FunctionDef:
    """A function's syntax tree, with the lines of its file; KernelError where there is no source, or it is no `def`."""
    first = function.__code__.co_firstlineno
    try:
        (tree,) = ast.parse(textwrap.dedent(text_of(function))).body
    except (SyntaxError, ValueError):
        tree = None
    if not isinstance(tree, ast.FunctionDef):
        raise KernelError(function, first, "a kernel calls functions that are defined by `def`, each for itself")
    return ast.increment_lineno(tree, first - 1)


LONGEST = 80
"""Characters of a construct that an error quotes."""


def source_of(node: ast.AST) -> str:
    """A construct as Python writes it; of a statement, its first line."""
    text = ast.unparse(node) if not isinstance(node, ast.FunctionDef) else f"def {node.name}({ast.unparse(node.args)})"
    line = text.splitlines()[0]
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
