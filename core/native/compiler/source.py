"""The text of a function, as its file has it, and its syntax tree.

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
    """A function's text, decorators and comments included.

    Raises:
        KernelError: there is none, as of a function typed at Python's prompt.
    """
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
    """A function's syntax tree, with the lines of its file.

    Raises:
        KernelError: there is no source, it was edited after Python had read it, or it is no `def`.
    """
    first = function.__code__.co_firstlineno
    try:
        (tree,) = ast.parse(textwrap.dedent(text_of(function))).body
    except (SyntaxError, ValueError):
        tree = None
    if not isinstance(tree, ast.FunctionDef):
        raise KernelError(function, first, "a kernel calls functions that are defined by `def`, each for itself")
    if not _is_current(function):
        raise KernelError(function, first, "the file was edited after Python had read it; start Python again")
    return ast.increment_lineno(tree, first - 1)


def _is_current(function: FunctionType) -> bool:
    """Whether a function's file still says what Python has compiled from it."""
    code = function.__code__
    now = _codes(code.co_filename, "".join(linecache.getlines(code.co_filename, function.__globals__)))
    return any(_comparable(code) == _comparable(other) for other in now if other.co_firstlineno == code.co_firstlineno)


@cache
def _codes(file: str, text: str) -> list[CodeType]:
    """The code of everything that a file defines."""
    try:
        codes = [compile(text, file, "exec", dont_inherit=True)]
    except (SyntaxError, ValueError):
        return []
    for code in codes:
        codes.extend(constant for constant in code.co_consts if isinstance(constant, CodeType))
    return codes


def _comparable(code: CodeType) -> tuple[object, ...]:
    return (
        code.co_name,
        code.co_code,
        code.co_names,
        code.co_varnames,
        repr([c for c in code.co_consts if isinstance(c, (int, float))]),
    )


NAMES: dict[type[ast.AST], str] = {
    ast.Assert: "assert, for they cannot raise an error; check before the call",
    ast.AsyncFunctionDef: "async",
    ast.ClassDef: "classes inside; define them outside",
    ast.Delete: "del",
    ast.Dict: "dictionary; pass an array in",
    ast.DictComp: "dictionary; pass an array in",
    ast.FunctionDef: "function inside; define it outside",
    ast.GeneratorExp: "generator; write a loop",
    ast.Global: "global; a kernel changes nothing but the arrays that are passed in",
    ast.Import: "import inside",
    ast.ImportFrom: "import inside",
    ast.JoinedStr: "text",
    ast.Lambda: "lambda; define a function",
    ast.List: "list; write a tuple, or pass an array in",
    ast.ListComp: "list; write a loop over an array that is passed in",
    ast.Match: "match; write if and elif",
    ast.NamedExpr: "assignment inside an expression; give it a line of its own",
    ast.Nonlocal: "nonlocal",
    ast.Raise: "raise, for they cannot raise an error; check before the call",
    ast.Set: "set; use the bits of an np.uint64",
    ast.SetComp: "set; use the bits of an np.uint64",
    ast.Slice: "slice here",
    ast.Starred: "* here; name the values one by one",
    ast.Try: "try, for nothing in them raises an error",
    ast.With: "with",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
}
LONGEST = 80
INSTEAD: dict[str, str] = {
    "enumerate": "count by `for i in range(len(a))`, and read `a[i]`",
    "zip": "count by `for i in range(len(a))`, and read the elements",
    "reversed": "count down by `range(len(a) - 1, -1, -1)`",
    "range": "`range` stands in a `for` loop alone",
    "sum": "add in a loop",
    "any": "look in a loop",
    "all": "look in a loop",
    "print": "return a number, or write into an array that is passed in",
    "pow": "write `a * a`, or `a ** b` for floats",
    "divmod": "write `a // b` and `a % b`",
    "round": "write `math.floor(a + 0.5)`",
    "list": "pass an array in",
    "dict": "pass an array in",
    "set": "use the bits of an np.uint64",
    "tuple": "write `a, b`",
    "str": "kernels have no text",
}
"""What to write instead of functions of Python."""
KINDS: dict[str, str] = {"str": "text", "bytes": "text", "builtin_function_or_method": "a function", "ellipsis": "an ellipsis"}


def construct_name(node: ast.AST) -> str:
    """What people call a construct, and what to write instead."""
    return NAMES.get(type(node), type(node).__name__)


def source_of(node: ast.AST) -> str:
    """A construct as Python writes it; of a statement, its first line."""
    text = ast.unparse(node) if not isinstance(node, ast.FunctionDef) else f"def {node.name}({ast.unparse(node.args)})"
    line = text.splitlines()[0]
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def kind_of(known: object) -> str:
    """What people call something that is not a value of a kernel."""
    if isinstance(known, type):
        return "a class"
    name = type(known).__name__
    return KINDS.get(name, f"a {name}")
