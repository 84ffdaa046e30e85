"""The files that a file imports, directly or through others."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path


def reached(root: Path, entries: Iterable[str], folders: tuple[str, ...]) -> tuple[str, ...]:
    """Some files and all that they import in some folders, sorted.

    Args:
        root: the folder that all paths are relative to.
        entries: the files to begin with.
        folders: imports are followed only into these.
    """
    found, waiting = set[str](), [*entries]
    while waiting:
        place = waiting.pop()
        if place not in found:
            found.add(place)
            waiting += [other for other in imported(root, place) if other.startswith(folders)]
    return tuple(sorted(found))


@cache
def imported(root: Path, place: str) -> tuple[str, ...]:
    """The files that a file's relative imports name."""
    tree = ast.parse((root / place).read_text(encoding="utf-8"))
    return tuple(other for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for other in _named(root, place, node))


def _named(root: Path, place: str, node: ast.ImportFrom) -> Iterator[str]:
    """The files that an import names: modules, and those that define single names."""
    folder = Path(place).parents[node.level - 1] if node.level else None
    if folder is None:
        return
    module = folder.joinpath(*(node.module or "").split("."))
    for name in node.names:
        for candidate in (
            module / f"{name.name}.py",
            module / name.name / "__init__.py",
            module.with_suffix(".py"),
            module / "__init__.py",
        ):
            if (root / candidate).is_file():
                yield candidate.as_posix()
                break
