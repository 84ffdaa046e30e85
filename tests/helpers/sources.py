"""The source files, by their place in the repository."""

from .system.processes import ROOT

LAYERS = ("envs", "rules", "agents", "opponents", "arena", "baselines", "puzzles", "text", "rewards", "web", "cli")
SOURCES = {file.relative_to(ROOT).as_posix(): file for layer in LAYERS for file in sorted((ROOT / layer).rglob("*.py"))}
