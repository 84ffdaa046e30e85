"""A fingerprint of sources, which changes only when they may compute something else.

It covers the syntax tree of each top-level definition of a Python file, without docstrings. Comments, layout, the order of
definitions, the file they are in, error messages, and methods that only show or explain do not count. Imports from libraries
count by name; what is imported from another file counts where it is defined. Other files count by their bytes.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from types import FunctionType
from typing import Any

IGNORED = {"__pycache__", ".pyc", ".md"}
LENGTH = 16
UNSTABLE = {"ctx", "kind", "type_comment", "type_ignores", "type_params"}
"""Fields without information, or that not all versions of Python have."""
SHOWING = {"__repr__", "_parts", "_repr_html_", "_summary", "clicks", "explanation", "panels", "picture", "places", "status", "svg"}
"""Methods of games and of results that only show or explain."""


def fingerprint(
    root: Path, sources: Iterable[str], script: str | None = None, work: Callable[[], Any] | None = None, *, printed: bool = False
) -> str:
    """Returns the fingerprint of files and folders.

    Args:
        root: the folder that sources are relative to.
        sources: paths of files and folders.
        script: the path of a script, of which only what `work` uses counts.
        work: a function of the script, a lambda that calls some, or a partial of either.
        printed: whether methods that only show or explain count, too.

    Raises:
        ValueError: a source does not exist.
    """
    digests = frozenset[str]()
    if script and work:
        names, values = _used(work)
        digests = _of_script((root / script).read_text(encoding="utf-8"), names) | {_hashed(value.encode()) for value in values}
    for file in files(root, sources):
        python = file.suffix == ".py"
        digests |= _of_python(file.read_text(encoding="utf-8"), printed) if python else {_hashed(file.read_bytes())}
    return _hashed("\n".join(sorted(digests)).encode())[:LENGTH]


def files(root: Path, sources: Iterable[str]) -> Iterator[Path]:
    """All files of the sources, each once."""
    found = set[Path]()
    for source in sources:
        place = root / source
        if not place.exists():
            raise ValueError(f"the source {source} is not in {root}; where it was moved or renamed, declare its new path")
        found.update([place] if place.is_file() else (file for file in place.rglob("*") if file.is_file()))
    yield from sorted(file for file in found if not {*file.relative_to(root).parts, file.suffix} & IGNORED)


@cache
def _of_python(text: str, printed: bool) -> frozenset[str]:
    """The digests of the pieces of a Python file."""
    tree = ast.parse(text)
    return frozenset(_hashed(repr(piece).encode()) for piece in _pieces(tree if printed else _Computing().visit(tree)))


def _used(work: Any) -> tuple[list[str], list[str]]:
    """The names that `work` uses, and the values of its arguments."""
    if isinstance(work, partial):
        pairs = [_used(part) for part in (work.func, *work.args, *work.keywords.values())]
        return [name for names, _ in pairs for name in names], [value for _, values in pairs for value in values]
    if not isinstance(work, FunctionType):
        return [], [repr(work)]
    code = work.__code__
    return ([*code.co_names, *code.co_freevars] if work.__name__ == "<lambda>" else [work.__name__]), []


def _of_script(text: str, names: Iterable[str]) -> frozenset[str]:
    """The digests of names of a script, and of all definitions, constants and imports that they use."""
    defined, used, waiting = _defined(ast.parse(text)), set[str](), [*names]
    while waiting:
        name = waiting.pop()
        if name in defined and name not in used:
            used.add(name)
            waiting += [node.id for node in ast.walk(defined[name]) if isinstance(node, ast.Name)]
    return frozenset(_hashed(repr((name, _plain(defined[name]))).encode()) for name in used)


def _defined(module: ast.Module) -> dict[str, ast.AST]:
    """The top-level names of a file, with their syntax trees."""
    found = dict[str, ast.AST]()
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {name.id: node for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(name.asname or name.name).partition(".")[0]: name for name in node.names}
    return found


def _pieces(module: ast.Module) -> Iterator[Any]:
    """The pieces of a Python file: definitions, statements, and imported names."""
    for node in module.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from () if isinstance(node, ast.ImportFrom) and node.level else _imported(node)
        elif not _is_text(node) and not _is_for_types(node):
            yield _plain(node)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str, str | None]]:
    for name in node.names:
        yield "import", name.name, name.asname


def _plain(value: Any) -> Any:
    """A syntax tree as nested tuples, the same in every version of Python."""
    if isinstance(value, ast.Import | ast.ImportFrom):
        return tuple(_imported(value))
    if isinstance(value, ast.Raise):
        return "Raise"
    if isinstance(value, ast.AST):
        fields = ((name, _plain(part)) for name, part in ast.iter_fields(value) if name not in UNSTABLE)
        return type(value).__name__, tuple((name, part) for name, part in fields if part not in ((), None))
    if isinstance(value, list):
        return tuple(_plain(part) for part in value if not _is_text(part))
    return repr(value) if value is not None else None


def _is_text(node: Any) -> bool:
    """Whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_for_types(node: Any) -> bool:
    """Whether a statement is for type checkers alone."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


class _Computing(ast.NodeTransformer):
    """Takes the methods that only show or explain out of a syntax tree."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.body = [part for part in node.body if not (isinstance(part, ast.FunctionDef) and part.name in SHOWING)]
        return node


def _hashed(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
