"""The source files, by their place in the repository, and their syntax trees."""

import ast
from functools import cache

from .system.processes import ROOT

LAYERS = (
    *("core", "games", "rules", "records", "envs", "search", "oracles", "agents", "opponents", "arena", "data", "baselines"),
    *("text", "rewards", "puzzles", "web", "cli"),
)
"""The packages and modules, from the ground up: each imports those before it alone."""
ARENA = ("matches", "engines", "planning", "ratings", "store", "data", "grading", "exploiting", "pages", "report")
"""The folders of the arena, in the same way."""
SOURCES = {
    file.relative_to(ROOT).as_posix(): file
    for layer in LAYERS
    for file in (sorted((ROOT / layer).rglob("*.py")) or [ROOT / f"{layer}.py"])
}


@cache
def trees() -> dict[str, ast.Module]:
    """The syntax tree of each source file."""
    return {name: ast.parse(file.read_text(encoding="utf-8")) for name, file in SOURCES.items()}
