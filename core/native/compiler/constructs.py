"""What people call the constructs of Python, for messages."""

from __future__ import annotations

import ast

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
